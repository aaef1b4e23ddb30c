"""`sfumato anonymize-log`: document logs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sfumato import keys
from sfumato.errors import InputError
from tests.cli.conftest import run


def test_anonymize_log_keeps_shared_documents_and_hides_users(inside: Path) -> None:
    Path("log.csv").write_text("user,document\nann,flu\nbob,flu\nbob,my street\n")
    said = run("anonymize-log", "log.csv", "-k", 2, "-o", "out.csv")
    assert "2 of 3 rows, 1 of 2 documents; 0 of 2 users have none left" in said
    assert "✓ documents of k users" in said
    assert "ann" not in Path("out.csv").read_text()
    run("anonymize-log", "log.csv", "-k", 2, "-o", "out.csv", "--keep-users")
    assert Path("out.csv").read_text() == "user,document\nann,flu\nbob,flu\n"


def test_pseudonyms_stay_the_same_with_a_key(inside: Path) -> None:
    from sfumato import keys

    Path("log.csv").write_text("user,document\nann,flu\nbob,flu\n")
    keys.write(keys.new(), Path("key"))
    for out in ("one.csv", "two.csv"):
        found = run("anonymize-log", "log.csv", "-k", 2, "-o", out, "--key-file", "key", "--json")
        assert json.loads(found)["rows_released"] == 2
    assert Path("one.csv").read_text() == Path("two.csv").read_text()


@pytest.mark.parametrize("leads_to", ["private/log.csv", "nowhere.csv"])
def test_a_link_that_is_named_is_not_followed(inside: Path, leads_to: str) -> None:
    """`in/*.csv` names what others have laid there."""
    Path("private").mkdir()
    Path("private/log.csv").write_text("user,document\nann,flu\nbob,flu\n")
    Path("log.csv").symlink_to(leads_to)
    with pytest.raises(InputError, match=r"log\.csv: cannot be read: a link is not followed; name"):
        run("anonymize-log", "log.csv", "-k", 2, "-o", "out.csv")
    assert not Path("out.csv").exists()


def test_a_log_of_which_nothing_is_left_is_not_written(inside: Path) -> None:
    Path("log.csv").write_text("user,document\nann,flu\n")
    with pytest.raises(InputError, match="nothing was written"):
        run("anonymize-log", "log.csv", "-k", 2, "-o", "out.csv")
    assert not Path("out.csv").exists()


@pytest.mark.parametrize("more", [(), ("--keep-users", "--match", "normal_form")])
def test_without_a_policy_a_line_says_what_a_receiver_verifies_with(
    inside: Path, more: tuple[str, ...]
) -> None:
    Path("log.csv").write_text("user,document\nann,flu\nbob,flu\n")
    said = run("anonymize-log", "log.csv", "-k", 2, "-o", "out.csv", *more)
    (line,) = (line for line in said.replace("\n", " ").split("a file that says: ")[1:])
    Path("p.yaml").write_text(line[: line.rindex("}") + 1])
    public = run("key", "public").split()[-1]
    Path(".sfumato").rename("away")
    found = run("verify", "out.csv", "-p", "p.yaml", "--public-key", public)
    assert "does not hold" not in found
    assert "cannot be checked" not in found


POLICY = "log: {k: 2, match: normal_form}\n"


def test_the_policy_says_what_must_hold_and_options_go_before_it(inside: Path) -> None:
    Path("log.csv").write_text("who,document\nann,Flu\nbob,flu\ncem,rash\n")
    Path("p.yaml").write_text(POLICY)
    found = json.loads(
        run(
            "anonymize-log",
            "log.csv",
            "-p",
            "p.yaml",
            "--user",
            "who",
            "-o",
            "o.csv",
            "-q",
            "--json",
        )
    )
    assert (found["k"], found["rows_released"]) == (2, 2)
    with pytest.raises(InputError, match="shared by 3 users"):
        run("anonymize-log", "log.csv", "-p", "p.yaml", "-k", 3, "--user", "who", "-o", "o.csv")


def test_a_released_log_can_be_verified_restored_and_explained(inside: Path) -> None:
    Path("log.csv").write_text("user,document\nann,flu\nbob,flu\nbob,my street\n")
    Path("p.yaml").write_text(POLICY)
    run("anonymize-log", "log.csv", "-p", "p.yaml", "-o", "out.csv")
    said = run("verify", "out.csv", "-p", "p.yaml", "--ledger", ".sfumato/ledger.db")
    assert "cannot be checked" not in said
    assert "documents of k users holds k = 2" in said
    public = str(keys.read(Path(".sfumato/key")).public)
    said = run("verify", "out.csv", "-p", "p.yaml", "--public-key", public)
    assert "users not named attested by the signature" in said
    with pytest.raises(SystemExit):
        run("verify", "out.csv", "-p", "p.yaml")
    assert run("restore", "out.csv", "-o", "back.csv") == ""
    assert Path("back.csv").read_text() == Path("log.csv").read_text()
    why = json.loads(run("explain", "out.csv", "--json"))
    assert why["reason"] == "documents of fewer than 2 users left out"
    assert why["numbers"]["rows_released"] == 2
    Path("out.csv").write_text(Path("out.csv").read_text() + "zed,my street\n")
    with pytest.raises(SystemExit) as ended:
        run("verify", "out.csv", "-p", "p.yaml")
    assert ended.value.code == 3


def test_what_must_hold_must_be_said(inside: Path) -> None:
    with pytest.raises(InputError, match="a policy with `log:`"):
        run("anonymize-log", "log.csv", "-o", "out.csv")
    with pytest.raises(InputError, match="whole documents"):
        run("anonymize-log", "log.csv", "-k", 2, "--match", "words", "-o", "out.csv")


def test_a_log_with_a_zero_is_refused_by_row(inside: Path) -> None:
    Path("l.csv").write_bytes(b"user,document\na,flu\nb,f\0lu\n")
    with pytest.raises(InputError, match=r"l\.csv: row 2 has a zero \(U\+0000\)"):
        run("anonymize-log", "l.csv", "-o", "out.csv", "-k", 1)


@pytest.mark.parametrize("said", ["=CHAR(65)", "\u202eulf"])
def test_a_log_of_which_programs_would_show_something_else_is_refused(
    inside: Path, said: str
) -> None:
    Path("l.csv").write_text(f"user,document\na,{said}\nb,{said}\nc,rare =CHAR(65)\n")
    with pytest.raises(InputError, match="programs would show the text in row 1 of the log"):
        run("anonymize-log", "l.csv", "-o", "out.csv", "-k", 2)
    assert not Path("out.csv").exists()
