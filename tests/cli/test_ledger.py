"""`sfumato ledger forget`: what was kept of a document is gone."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import NOTE, Sfumato


def test_a_document_is_forgotten_for_good(sfumato: Sfumato) -> None:
    Path("other.txt").write_text("Patient: Marta Keller\n")
    sfumato("sanitize", "note.txt", "-p", "research", "-o", "a.txt")
    sfumato("sanitize", "other.txt", "-p", "research", "-o", "b.txt")
    assert sfumato("restore", "a.txt").out == NOTE
    done = sfumato("ledger", "forget", "note.txt")
    assert done.code == 0
    assert "note.txt: 1 release forgotten for good" in done.err
    assert "that only it had: gone" in done.err
    assert "not in the ledger" in sfumato("restore", "a.txt").err
    assert sfumato("restore", "b.txt").out == "Patient: Marta Keller\n"
    again = sfumato("ledger", "forget", "note.txt")
    assert (again.code, "no document named 'note.txt'" in again.err) == (2, True)


def test_surrogates_are_kept_on_demand_and_the_same_original_gets_the_same_again(
    sfumato: Sfumato,
) -> None:
    sfumato("sanitize", "note.txt", "-p", "research", "-o", "a.txt")
    done = sfumato("ledger", "forget", "note.txt", "--keep-surrogates")
    assert "that only it had: kept" in done.err
    sfumato("sanitize", "note.txt", "-p", "research", "-o", "b.txt")
    assert Path("a.txt").read_bytes() == Path("b.txt").read_bytes()


def test_all_versions_of_a_document_that_was_released_to_one_place_are_forgotten(
    sfumato: Sfumato, inside: Path
) -> None:
    for said in ("Ask anna@example.org.", "Ask anna@example.org or boris@example.org."):
        (inside / "n.txt").write_text(said)
        assert sfumato("sanitize", "n.txt", "-o", "out/n.txt").code == 0
    done = sfumato("ledger", "forget", "n.txt")
    assert done.code == 0, done.err
    assert "2 releases forgotten" in done.err


def test_a_ledger_that_is_not_there_is_not_made(sfumato: Sfumato) -> None:
    sfumato("key", "new", "k")
    done = sfumato("ledger", "forget", "x", "--ledger", "none/l.db", "--key-file", "k")
    assert (done.code, "no such ledger" in done.err) == (2, True)
    assert not Path("none").exists()
    for command in (("ledger", "forget", "x"), ("restore", "note.txt"), ("explain", "note.txt")):
        for ledger, given in ((".sfumato/ledger.db", ()), ("none.db", ("--ledger", "none.db"))):
            done = sfumato(*command, *given)
            assert (done.code, done.err) == (2, f"sfumato: {ledger}: no such ledger\n")


def test_of_two_documents_of_one_name_only_the_one_meant_is_forgotten(
    sfumato: Sfumato, inside: Path
) -> None:
    for folder, said in (("x", "Ask anna@example.org."), ("y", "Ask Boris: boris@example.org.")):
        (inside / folder).mkdir()
        (inside / folder / "n.txt").write_text(said)
        assert sfumato("sanitize", f"{folder}/n.txt", "-o", f"r{folder}/n.txt").code == 0
    refused = sfumato("ledger", "forget", "n.txt")
    assert refused.code == 2
    assert "say which with --release" in refused.err
    assert sfumato("ledger", "forget", "n.txt", "--release", "rx/n.txt").code == 0
    assert sfumato("restore", "rx/n.txt").code == 2
    assert sfumato("restore", "ry/n.txt").out == "Ask Boris: boris@example.org."


def test_a_document_released_to_two_places_is_restored_from_both(
    sfumato: Sfumato, inside: Path
) -> None:
    (inside / "n.txt").write_text("Ask anna@example.org.")
    for place in ("a/n.txt", "b/n.txt"):
        assert sfumato("sanitize", "n.txt", "-o", place).code == 0
    for place in ("a/n.txt", "b/n.txt"):
        assert sfumato("restore", place).out == "Ask anna@example.org."


def test_a_release_that_was_written_nowhere_or_moved_is_named_by_its_file(
    sfumato: Sfumato, inside: Path
) -> None:
    for folder, said in (("x", "Ask anna@example.org."), ("y", "Ask Boris: boris@example.org.")):
        (inside / folder).mkdir()
        (inside / folder / "n.txt").write_text(said)
        assert sfumato("sanitize", f"{folder}/n.txt", "-o", f"r{folder}/n.txt").code == 0
    (inside / "rx/n.txt").rename(inside / "moved.txt")
    assert (
        "no document named 'n.txt'"
        in sfumato("ledger", "forget", "n.txt", "--release", "x/n.txt").err
    )
    assert sfumato("ledger", "forget", "n.txt", "--release", "moved.txt").code == 0
    assert sfumato("restore", "ry/n.txt").out == "Ask Boris: boris@example.org."
