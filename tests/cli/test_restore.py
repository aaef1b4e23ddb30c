"""`sfumato restore`: the original back, byte for byte."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import NOTE, Sfumato


def test_a_release_is_restored_to_the_byte(sfumato: Sfumato) -> None:
    sfumato("sanitize", "note.txt", "-o", "safe.txt")
    assert sfumato("restore", "safe.txt").out == NOTE
    sfumato("restore", "safe.txt", "-o", "back.txt")
    assert Path("back.txt").read_text() == NOTE


def test_equal_releases_are_told_apart_by_their_certificates(
    sfumato: Sfumato, inside: Path
) -> None:
    for who, folder in (("ann", "in"), ("bob", "in/sub")):
        (inside / folder).mkdir(exist_ok=True)
        (inside / folder / "memo.txt").write_text(f"Ask {who}@example.org")
    sfumato("sanitize", "in", "-o", "out")
    for who, name in (("ann", "memo.txt"), ("bob", "sub/memo.txt")):
        assert sfumato("restore", f"out/{name}").out == f"Ask {who}@example.org"
        full = sfumato("verify", f"out/{name}", "--ledger", ".sfumato/ledger.db")
        assert (full.code, "does not hold" in full.out) == (0, False)
    for certificate in inside.rglob("*.cert.json"):
        certificate.unlink()
    assert "say which with --name" in sfumato("restore", "out/memo.txt").err
    assert sfumato("restore", "out/memo.txt", "--name", "sub/memo.txt").out == "Ask bob@example.org"


def test_a_file_that_is_there_is_overwritten_on_demand_alone(sfumato: Sfumato) -> None:
    sfumato("sanitize", "note.txt", "-o", "safe.txt")
    Path("link").symlink_to("nowhere")
    for there in ("safe.txt", "note.txt", "link"):
        refused = sfumato("restore", "safe.txt", "-o", there)
        assert (refused.code, "--force" in refused.err) == (2, True)
    assert Path("note.txt").read_text() == NOTE
    assert sfumato("restore", "safe.txt", "-o", "note.txt", "--force").code == 0


def test_what_is_not_the_certified_original_is_not_written(sfumato: Sfumato) -> None:
    """The certificate of another document of the same office lies beside the release."""
    Path("other.txt").write_text("Write to bob@example.org.\n")
    sfumato("sanitize", "note.txt", "-o", "safe.txt")
    sfumato("sanitize", "other.txt", "-o", "more.txt")
    Path("more.txt.cert.json").replace("safe.txt.cert.json")
    done = sfumato("restore", "safe.txt", "-o", "back.txt")
    assert done.code == 3
    assert done.err.count("\n") == 1
    assert "certificate is that of another document" in done.err
    assert not Path("back.txt").exists()


ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
UTF8 = {"PYTHONUTF8": "1"}


@pytest.mark.parametrize("folder", ["in", "in/ä"])
@pytest.mark.parametrize(("then", "now"), [(UTF8, ASCII), (ASCII, UTF8), (ASCII, ASCII)])
def test_names_beyond_ascii_are_the_same_under_every_locale(
    inside: Path, then: dict[str, str], now: dict[str, str], folder: str
) -> None:
    """The bytes of a path are, whatever text a locale makes of them."""
    text = b"Dear Maria Keller\n"
    Path(folder).mkdir(parents=True)
    Path(folder, "né.txt").write_bytes(text)
    released = f"out{folder.removeprefix('in')}/né.txt"

    def run(locale: dict[str, str], *arguments: str) -> bytes:
        command = [sys.executable, "-m", "sfumato", *arguments]
        done = subprocess.run(command, env=os.environ | locale, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    run(then, "sanitize", "in", "-o", "out", "-q")
    assert run(now, "restore", released) == text
    assert b"PERSON" in run(now, "explain", released)
    run(now, "verify", released, "--ledger", ".sfumato/ledger.db", "--json")
    made = json.loads(Path(f"{released}.cert.json").read_bytes())
    assert made["document"]["name"] == "né.txt"
