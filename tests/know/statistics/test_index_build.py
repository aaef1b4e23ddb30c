"""The build: counts as by brute force, the same file every time, resumed after a kill."""

from __future__ import annotations

import json
import lzma
import os
import signal
import subprocess
import sys
import time
from collections import defaultdict
from io import StringIO
from itertools import combinations
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.progress import Progress
from typer.testing import CliRunner

from sfumato.cli.know import app
from sfumato.cli.know_statistics import _teller
from sfumato.english import chunker
from sfumato.errors import InputError
from sfumato.know.statistics import corpus as texts_module
from sfumato.know.statistics import index, postings, shards
from sfumato.know.statistics import probability as statistics
from sfumato.know.statistics.index_build import IndexSettings, build
from tests.strategies import examples

WORDS = (
    *("liver", "Cancer", "cancers", "of", "the", "Bank", "England", "AIDS", "aids", "treated"),
    *("quickly", "1984", "May", "U.S.", "made", "x-ray", "Smith's", "Zoë", "and", "growth"),
)
words = st.sampled_from(WORDS)
texts = st.lists(
    st.lists(st.tuples(words, st.sampled_from(" " * 7 + ".,\n")), max_size=25).map(
        lambda pairs: "".join(word + (" " if end == " " else f"{end} ") for word, end in pairs)
    ),
    min_size=1,
    max_size=12,
)


@pytest.fixture(autouse=True)
def _small_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few slots: faster, and candidates do collide in them."""
    monkeypatch.setattr(shards, "MOST_SLOT_BITS", 8)


def write(path: Path, rows: list[str]) -> Path:
    path.write_text("".join(json.dumps({"text": row}) + "\n" for row in rows))
    return path


def brute_force(rows: list[str], unit: str, least: int) -> tuple[int, dict[str, set[int]]]:
    units = []
    for row in rows:
        parts = row.split("\n") if unit == "paragraph" else [row]
        units += [
            set(chunker.candidates(p)) for p in parts if any(map(chunker.is_word, chunker.cut(p)))
        ]
    found: dict[str, set[int]] = defaultdict(set)
    for number, terms in enumerate(units):
        for term in terms:
            found[term].add(number)
    return len(units), {t: where for t, where in found.items() if len(where) >= least}


@examples(60)
@given(texts, st.sampled_from(["article", "paragraph"]), st.integers(1, 3))
def test_counts_are_those_of_brute_force(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[str],
    unit: Literal["article", "paragraph"],
    least: int,
) -> None:
    folder = tmp_path_factory.mktemp("build")
    size, expected = brute_force(rows, unit, least)
    corpus = write(folder / "corpus.jsonl", rows)
    if not expected:
        with pytest.raises(InputError, match="no term stands" if size else "no words"):
            build([corpus], folder / "x.terms", IndexSettings(unit=unit, least=least), jobs=1)
        return
    build([corpus], folder / "x.terms", IndexSettings(unit=unit, least=least), jobs=1)
    found = statistics.load(folder / "x.terms")
    assert found.size == size
    assert {e.term: set(found.index.posting(e)) for e in found.index} == expected
    assert {e.term: e.count for e in found.index} == {t: len(u) for t, u in expected.items()}
    for a, b in list(combinations(sorted(expected), 2))[:50]:
        assert found.count(a, b) == len(expected[a] & expected[b])
    for three in list(combinations(sorted(expected), 3))[:20]:
        assert found.count(*three) == len(set.intersection(*(expected[t] for t in three)))


@given(st.sets(st.integers(0, 9_999), min_size=1), st.integers(10_000, 200_000))
def test_a_posting_is_read_as_it_was_written(units: set[int], size: int) -> None:
    posting = np.array(sorted(units), dtype=np.uint32)
    coded = index.encode(posting, size)
    assert list(index.decode(coded, len(posting), size)) == sorted(units)
    if coded[0] != 255:
        assert len(coded) == index.elias_fano_bytes(len(posting), size)


def test_a_frequent_terms_posting_is_dense() -> None:
    posting = np.arange(0, 100_000, 2, dtype=np.uint32)
    coded = index.encode(posting, 100_000)
    assert coded[0] == 255
    assert len(coded) < 17_000
    assert list(index.decode(coded, len(posting), 100_000)) == posting.tolist()


def corpus_of(folder: Path, count: int = 600) -> list[Path]:
    rng = np.random.default_rng(3)
    rows = [" ".join(WORDS[i] for i in rng.integers(0, len(WORDS), 60)) for _ in range(count)]
    with lzma.open(folder / "a.jsonl.xz", "wt") as file:
        file.writelines(
            json.dumps({"title": "Cancer", "text": r}) + "\n" for r in rows[: count // 2]
        )
    inside = folder / "texts"
    inside.mkdir()
    for number, row in enumerate(rows[count // 2 :]):
        (inside / f"{number:04}.txt").write_text(row)
    (inside / "skipped.bin").write_bytes(b"\x00")
    return [folder / "a.jsonl.xz", inside]


def test_the_file_is_the_same_whatever_the_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = corpus_of(tmp_path)
    monkeypatch.setattr(postings, "POSTINGS_IN_PART", 500)
    steps = set()
    one = build(
        corpus, tmp_path / "one.terms", jobs=1, progress=lambda step, done, total: steps.add(step)
    )
    two = build(corpus, tmp_path / "two.terms", jobs=2)
    assert (tmp_path / "one.terms").read_bytes() == (tmp_path / "two.terms").read_bytes()
    assert one.units == two.units == 600
    assert steps == {"cut", "sift", "count", "code"}
    assert not list(tmp_path.glob("*.part"))
    assert statistics.load(tmp_path / "one.terms").count("cancer") >= 300  # the titles count


@pytest.mark.parametrize("count", [300, pytest.param(3000, marks=pytest.mark.slow)])
def test_killed_and_started_again_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    corpus = corpus_of(tmp_path, count)
    monkeypatch.setattr(texts_module, "TEXTS_IN_SHARD", count // 30)
    build(corpus, tmp_path / "whole.terms", jobs=1)
    script = (
        "import sys, time; from pathlib import Path; from sfumato.know.statistics import index_build as b\n"
        "from sfumato.know.statistics import corpus, shards\n"
        f"corpus.TEXTS_IN_SHARD, shards.MOST_SLOT_BITS = {count // 30}, 8\n"
        "if __name__ == '__main__':\n"
        "    slow = lambda step, done, total: time.sleep(0.05)\n"
        f"    b.build([Path(p) for p in {list(map(str, corpus))}], Path({str(tmp_path / 'x.terms')!r}),"
        " jobs=1, progress=slow)\n"
    )
    (tmp_path / "run.py").write_text(script)
    work = tmp_path / "x.terms.part"
    process = subprocess.Popen([sys.executable, str(tmp_path / "run.py")])
    limit = time.monotonic() + 60
    while len(list(work.glob("cut-*.npz"))) < 3:
        assert process.poll() is None
        assert time.monotonic() < limit
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not (tmp_path / "x.terms").exists()
    kept = {p: p.stat().st_mtime_ns for p in work.glob("cut-*.npz")}
    assert kept
    seen: dict[Path, int] = {}

    def look(step: str, done: int, total: int) -> None:
        if step == "code":
            seen.update({p: p.stat().st_mtime_ns for p in kept})

    build(corpus, tmp_path / "x.terms", jobs=1, progress=look)
    assert seen == kept
    assert (tmp_path / "x.terms").read_bytes() == (tmp_path / "whole.terms").read_bytes()


def test_helpers_end_when_the_build_is_killed(tmp_path: Path) -> None:
    script = (
        "import os, time; from sfumato.know.statistics.workers import Processes\n"
        "def nap(n):\n    os.write(1, f'{os.getpid()}\\n'.encode()); time.sleep(n)\n"
        "if __name__ == '__main__':\n    with Processes(2) as two: list(two.map(nap, [60, 60]))\n"
    )
    (tmp_path / "run.py").write_text(script)
    with subprocess.Popen(
        [sys.executable, str(tmp_path / "run.py")], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        helpers = [int(process.stdout.readline()) for _ in range(2)]
        process.kill()
    limit = time.monotonic() + 20
    while any(Path(f"/proc/{pid}").exists() for pid in helpers):
        assert time.monotonic() < limit
        time.sleep(0.1)


def test_what_another_corpus_left_is_not_used(tmp_path: Path) -> None:
    corpus = write(tmp_path / "a.jsonl", ["Old words."] * 5)
    left = tmp_path / "x.terms.part"
    left.mkdir(mode=0o700)
    (left / "cut-00000.npz").write_bytes(b"of another corpus")
    (left / "corpus").write_text("its mark")
    build([corpus], tmp_path / "x.terms", jobs=1)
    assert statistics.load(tmp_path / "x.terms").count("old word") == 0  # "old" starts no phrase
    assert statistics.load(tmp_path / "x.terms").count("word") == 5


def test_a_limit_raises_the_least_count_of_phrases(tmp_path: Path) -> None:
    corpus = corpus_of(tmp_path)
    free = build(corpus, tmp_path / "free.terms", jobs=1)
    limit = free.bytes * 2 // 3
    tight = build(corpus, tmp_path / "tight.terms", IndexSettings(max_bytes=limit), jobs=1)
    assert tight.bytes == (tmp_path / "tight.terms").stat().st_size <= limit
    assert tight.least_phrase > free.least_phrase == 5
    assert tight.words == free.words
    with pytest.raises(InputError, match="words alone take"):
        build(corpus, tmp_path / "none.terms", IndexSettings(max_bytes=100), jobs=1)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", b'{"text": "good"}\nnot json\n', r"a.jsonl:2: not JSON"),
        ("a.jsonl", b'{"text": "good"}\n\n{"body": "x"}\n', r"a.jsonl:3: a line needs a 'text'"),
        ("a.jsonl.xz", b"no xz", "not a whole .xz file"),
        ("a.jsonl.xz", lzma.compress(b'{"text": "good"}\n' * 9)[:-20], "not a whole .xz file"),
        ("a.txt", b"\xff\xfe\xff", "not UTF-8"),
        ("a.txt.xz", b"no xz", "not a whole .xz file"),
        ("a.pdf", b"", "not a kind of file"),
    ],
)
def test_bad_input_is_named(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=message):
        build([tmp_path / name], tmp_path / "x.terms", jobs=1)
    assert not (tmp_path / "x.terms").exists()


def test_links_in_a_corpus_lead_nowhere(tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    secret = tmp_path / "secret" / "private.txt"
    secret.write_text("Thribblewick owes nine pounds.")
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "a.txt").write_text("The cat sat on the mat.")
    for link, target in ((folder / "x.txt", secret), (folder / "more", secret.parent)):
        link.symlink_to(target)
        with pytest.raises(InputError, match=f"{link}.*a link"):
            build([folder], tmp_path / "x.terms", IndexSettings(least=1), jobs=1)
        with pytest.raises(InputError, match=f"{link}.*a link"):
            build([link], tmp_path / "x.terms", IndexSettings(least=1), jobs=1)
        link.unlink()
    found = texts_module.corpus_files([folder])
    (folder / "a.txt").unlink()
    (folder / "a.txt").symlink_to(secret)  # since they were listed
    with pytest.raises(InputError, match=r"a\.txt"):
        list(texts_module.texts(texts_module.Chunk("", 0, files=tuple(found))))


def test_an_index_is_its_owners_alone(tmp_path: Path) -> None:
    corpus = write(tmp_path / "a.jsonl", ["Liver cancer."] * 5)
    build([corpus], tmp_path / "x.terms", jobs=1)
    assert (tmp_path / "x.terms").stat().st_mode & 0o777 == 0o600


def test_a_corpus_too_small_for_any_term_is_refused_with_what_to_do(tmp_path: Path) -> None:
    corpus = write(tmp_path / "a.jsonl", ["Liver cancer."] * 4)
    command = ["build", str(corpus), "-o", str(tmp_path / "x.terms"), "-j", "1", "--min-count"]
    done = CliRunner().invoke(app, [*command, "5"])
    assert isinstance(done.exception, InputError)
    assert "a.jsonl: no term stands in 5 of its 4 articles" in str(done.exception)
    assert "lower --min-count" in str(done.exception)
    assert list(tmp_path.iterdir()) == [corpus]
    done = CliRunner().invoke(app, [*command, "4"])
    assert done.exit_code == 0
    assert "3 terms" in done.output


def test_what_is_no_index_stays_and_so_does_one_that_would_become_empty(tmp_path: Path) -> None:
    corpus, out = write(tmp_path / "a.jsonl", ["Liver cancer."] * 5), tmp_path / "x.terms"
    out.write_text("my thesis")
    with pytest.raises(InputError, match=r"is no earlier index.*--force"):
        build([corpus], out, jobs=1)
    with pytest.raises(InputError, match="is in the corpus"):
        build([corpus], corpus, jobs=1, force=True)
    with pytest.raises(InputError, match="would be empty"):
        build([corpus], out, IndexSettings(least=6), jobs=1, force=True)
    assert out.read_text() == "my thesis"
    build([corpus], out, jobs=1, force=True)
    build([corpus], out, jobs=1)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.jsonl", "x.terms"]


def test_the_working_folder_is_ours_alone_and_no_link_in_it_is_followed(tmp_path: Path) -> None:
    corpus, work = write(tmp_path / "a.jsonl", ["Liver cancer."] * 5), tmp_path / "x.terms.part"
    victim = tmp_path / "victim"
    victim.mkdir(mode=0o700)
    work.symlink_to(victim)
    with pytest.raises(InputError, match="cannot be the folder"):
        build([corpus], tmp_path / "x.terms", jobs=1)
    work.unlink()
    work.mkdir()
    work.chmod(0o777)
    with pytest.raises(InputError, match="in the way"):
        build([corpus], tmp_path / "x.terms", jobs=1)
    work.rmdir()
    modes: set[int] = set()

    def plant(step: str, done: int, total: int) -> None:
        assert work.stat().st_mode & 0o077 == 0
        modes.update(p.stat().st_mode & 0o777 for p in work.iterdir() if not p.is_symlink())
        for name in ("words.npz", "table.npy", "count-00000.npz.new", "plan.npz", "terms", "index"):
            if not os.path.lexists(work / name):
                (work / name).symlink_to(victim / name)

    build([corpus], tmp_path / "x.terms", jobs=1, progress=plant)
    assert statistics.load(tmp_path / "x.terms").count("liver cancer") == 5
    assert modes == {0o600}
    assert list(victim.iterdir()) == []
    assert not work.exists()


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs a way to a held folder")
@pytest.mark.parametrize("step", ["cut", "count"])
def test_the_working_folder_stays_the_one_that_was_held(tmp_path: Path, step: str) -> None:
    """Whoever exchanges it for another gets no words of the corpus, and gives none to the index."""
    (tmp_path / "corpus").mkdir()
    corpus, out = corpus_of(tmp_path / "corpus"), tmp_path / "i.terms"
    build(corpus, out, IndexSettings(least=2), jobs=2)
    before = out.read_bytes()
    work, theirs = tmp_path / "i.terms.part", tmp_path / "theirs"
    theirs.mkdir(mode=0o700)

    seen: list[str] = []

    def exchange(now: str, done: int, total: int) -> None:
        seen.append(now)
        if now.startswith(step) and not work.is_symlink():
            work.rename(tmp_path / "away")
            work.symlink_to(theirs)

    build(corpus, out, IndexSettings(least=2), jobs=2, progress=exchange)
    assert work.is_symlink(), seen
    assert out.read_bytes() == before
    assert list(theirs.iterdir()) == []


def test_bad_places_are_named(tmp_path: Path) -> None:
    corpus = write(tmp_path / "a.jsonl", ["good"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no text in this folder"):
        build([tmp_path / "empty"], tmp_path / "x.terms")
    with pytest.raises(InputError, match="no such file or folder"):
        build([tmp_path / "none"], tmp_path / "x.terms")
    (tmp_path / "y.terms.part").mkdir()
    (tmp_path / "y.terms.part" / "mine.txt").write_text("not to be lost")
    with pytest.raises(InputError, match="in the way"):
        build([corpus], tmp_path / "y.terms")
    assert (tmp_path / "y.terms.part" / "mine.txt").exists()
    with pytest.raises(InputError, match="no plain file"):
        build([corpus], tmp_path)
    with pytest.raises(InputError, match="no such folder"):
        build([corpus], tmp_path / "none" / "x.terms")


def test_the_command_builds_and_says_what(tmp_path: Path) -> None:
    corpus = write(tmp_path / "a.jsonl", ["Liver cancer.\nA bank."] * 6)
    out = tmp_path / "x.terms"
    done = CliRunner().invoke(
        app,
        [
            "build",
            str(corpus),
            "-o",
            str(out),
            "--unit",
            "paragraph",
            "-j",
            "1",
            "--source",
            "mine",
        ],
    )
    assert done.exit_code == 0, done.output
    assert "4 terms (3 words, the rest phrases seen in at least 5) of 12 paragraphs" in done.stdout
    assert index.Index(out).about["source"] == "mine"
    assert statistics.load(out).count("liver cancer", "bank") == 0


def test_the_bar_shows_one_step_at_a_time() -> None:
    console = Console(file=StringIO(), force_terminal=True, width=100)
    with Progress(console=console) as bar:
        tell = _teller(bar)
        tell("cut", 1, 4)
        assert [t.visible for t in bar.tasks] == [True, False, False, False]
        tell("cut", 4, 4)
        tell("code", 1, 2)
        assert [t.visible for t in bar.tasks] == [False, False, False, True]
