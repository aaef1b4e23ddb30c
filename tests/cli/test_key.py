"""`sfumato key`."""

from __future__ import annotations

from pathlib import Path

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
