"""`sfumato key`."""

from __future__ import annotations

from pathlib import Path

from sfumato import keys
from sfumato.release import certificate
from tests.cli.conftest import NOTE, Sfumato


def test_keys_are_made(sfumato: Sfumato) -> None:
    assert len(sfumato("key", "new").out.strip()) == 64
    assert sfumato("key", "new", "k").code == 0
    assert "never overwritten" in sfumato("key", "new", "k").err
    sfumato("sanitize", "note.txt", "-o", "a.txt", "--key-file", "k", "--ledger", "one/l.db")
    assert not Path("one/key").exists()
    missing = sfumato("restore", "a.txt", "--ledger", "one/l.db")
    assert missing.code == 2
    assert "no key" in missing.err
    assert sfumato("restore", "a.txt", "--ledger", "one/l.db", "--key-file", "k").out == NOTE
    again = sfumato("sanitize", "note.txt", "-o", "b.txt", "--ledger", "one/l.db")
    assert "its key was not given" in again.err


def test_the_public_key_is_printed_and_tells_certificates(sfumato: Sfumato) -> None:
    sfumato("sanitize", "note.txt", "-o", "a.txt")
    public = sfumato("key", "public").out.strip()
    assert keys.parse_public(public) == keys.read(Path(".sfumato/key")).public
    made = certificate.parse(Path("a.txt.cert.json").read_bytes(), "a.txt.cert.json")
    assert made.is_signed_by(keys.parse_public(public))
    assert sfumato("key", "public", "--key-file", ".sfumato/key").out.strip() == public
    assert sfumato("key", "public", "--ledger", "none/l.db").code == 2


def test_a_ledger_gets_another_key_and_restores_what_was_before(sfumato: Sfumato) -> None:
    sfumato("sanitize", "note.txt", "-p", "research", "-o", "a.txt")
    public = sfumato("key", "public").out
    done = sfumato("key", "rotate")
    assert done.code == 0
    assert "sealed anew; its key is in .sfumato/key" in done.err
    assert "former key is in .sfumato/key.old" in done.err
    assert sfumato("key", "public").out != public
    assert sfumato("restore", "a.txt").out == NOTE
    assert sfumato("restore", "a.txt", "--key-file", ".sfumato/key.old").code == 2
    assert sfumato("sanitize", "note.txt", "-p", "research", "-o", "b.txt").code == 0
    names = [Path(p).read_text().splitlines()[0] for p in ("a.txt", "b.txt")]
    assert names[0] == names[1] != NOTE.splitlines()[0]
