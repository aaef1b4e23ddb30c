"""`sfumato restore`: the original back, byte for byte."""

from __future__ import annotations

from pathlib import Path

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
