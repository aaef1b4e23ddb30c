"""The data that comes along is named by hash, all of it."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from sfumato.detect import encoder
from sfumato.errors import InputError
from sfumato.know import fingerprints, tables
from tests.conftest import ROOT


def test_every_file_that_comes_along_has_a_source() -> None:
    named = {file for files in fingerprints.FILES.values() for file in files}
    assert {p.name for p in tables.FOLDER.iterdir()} == named
    assert set(fingerprints.FILES) | {"words", "year"} == set(fingerprints.SOURCES)
    for name, source in fingerprints.SOURCES.items():
        assert list(source(None)) == [name]


def test_every_file_stands_in_the_page_about_versions() -> None:
    page = (ROOT / "docs" / "knowledge.md").read_text()
    for path in tables.FOLDER.iterdir():
        assert f"`{path.name}`" in page


def test_a_source_is_the_hash_of_its_files_in_order() -> None:
    for name, files in fingerprints.FILES.items():
        whole = b"".join((tables.FOLDER / file).read_bytes() for file in files)
        assert fingerprints.SOURCES[name](None) == {name: hashlib.sha256(whole).hexdigest()}


def test_the_detectors_source_is_all_of_its_model() -> None:
    files = sorted(p for p in encoder.FOLDER.iterdir() if p.name != "LICENSE")
    order = ("detector.onnx", "detector.json", "tokenizer.json", "known.txt.gz")
    assert [p.name for p in files] == sorted(order)
    whole = b"".join((encoder.FOLDER / name).read_bytes() for name in order)
    assert encoder.knowledge(None) == {"detector": hashlib.sha256(whole).hexdigest()}


def test_the_word_lists_are_hashed_as_they_lie_there() -> None:
    folder = Path(tables.FOLDER).parent.parent / "english"
    data = b"".join((folder / f"{name}.txt.gz").read_bytes() for name in ("words", "small_words"))
    assert fingerprints.words() == {"words": hashlib.sha256(data).hexdigest()}


def test_a_plug_ins_own_file_is_a_source(tmp_path: Path) -> None:
    file = tmp_path / "codes.csv"
    file.write_text("a,b\n")
    both = fingerprints.together(fingerprints.source("codes", file), fingerprints.senses)(None)
    assert both["codes"] == hashlib.sha256(b"a,b\n").hexdigest()
    assert sorted(both) == ["codes", "senses"]


def test_a_file_that_changes_is_read_again_and_one_that_is_gone_is_said(tmp_path: Path) -> None:
    file = tmp_path / "codes.csv"
    file.write_text("a,b\n")
    before = fingerprints.digest(file)
    assert fingerprints.digest(file) == before
    file.write_text("a,b,c\n")
    assert fingerprints.digest(file) == hashlib.sha256(b"a,b,c\n").hexdigest() != before
    was = file.stat()
    file.write_text("a,b,d\n")  # as many bytes, at the same time by its own account
    os.utime(file, ns=(was.st_atime_ns, was.st_mtime_ns))
    assert file.stat()[:9] == was[:9]
    assert fingerprints.digest(file) == hashlib.sha256(b"a,b,d\n").hexdigest()
    file.unlink()
    with pytest.raises(InputError, match=r"codes\.csv: cannot be read"):
        fingerprints.digest(file)


@pytest.mark.parametrize("named", ["long", "/proc/self/status"])
def test_what_has_no_end_is_not_read_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    monkeypatch.setattr(fingerprints, "MOST_BYTES", 10)
    (tmp_path / "long").write_text("eleven more")
    if not (tmp_path / named).exists():
        pytest.skip("no files that say they are empty")
    with pytest.raises(InputError, match="more than 10 bytes"):
        fingerprints.digest(tmp_path / named)
