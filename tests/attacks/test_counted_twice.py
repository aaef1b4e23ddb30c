"""One user or person in several spellings, or in none, and one key of a line in two: nobody counts twice."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from sfumato.errors import InputError
from sfumato.formats import table
from sfumato.protect.logs import k_anonymous
from tests.cli.conftest import Sfumato as Command
from tests.cli.conftest import sfumato as command

__all__ = ["command"]  # a fixture
SPELLINGS = ["Ann", "ann ", "ANN", "A\u200bnn", "\uff21nn", "Ann\u3164", "a n n", "ann\ufe0f"]
LOG = "detect: [patterns]\nlog: {k: 2, users: keep}\n"
TABLE = """detect: [patterns]
table:
  k: 2
  columns:
    id: {role: direct, how: %s}
    age: {role: quasi, type: number}
    note: text
"""


@pytest.mark.parametrize("other", SPELLINGS[1:])
def test_a_user_in_two_spellings_is_one(other: str) -> None:
    rows = [("Ann", "my street"), (other, "my street"), ("Ann", "flu"), ("Bob", "flu")]
    assert k_anonymous(rows, 2) == [("Ann", "flu"), ("Bob", "flu")]


@pytest.mark.parametrize("user", ["", " ", "\u200b", "\u3164 "])
def test_a_row_of_nobody_is_refused(user: str) -> None:
    with pytest.raises(InputError, match=r"row 2 has no user"):
        k_anonymous([("Ann", "flu"), (user, "flu")], 2)


def forge(path: Path, text: str) -> None:
    """The certificate of another release beside this one, with its hash."""
    made = json.loads(Path("honest.jsonl.cert.json").read_text())
    made["output"] = "sha256:" + sha256(text.encode()).hexdigest()
    path.write_text(text)
    Path(f"{path}.cert.json").write_text(json.dumps(made))


def checked(command: Command, text: str) -> str:
    """What `verify` says of a log in which somebody has written this."""
    Path("log.yaml").write_text(LOG)
    rows = [{"user": user, "document": "flu"} for user in ("u1", "u2")]
    Path("in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert command("anonymize-log", "in.jsonl", "-p", "log.yaml", "-o", "honest.jsonl").code == 0
    forge(Path("forged.jsonl"), text)
    done = command(
        "verify", "forged.jsonl", "-p", "log.yaml", "--skip", "certificate is genuine", "--json"
    )
    checks = {each["check"]: each["verdict"] for each in json.loads(done.out)["checks"]}
    return str(checks["documents of k users"])


def lines(*rows: str) -> str:
    return "".join(row + "\n" for row in rows)


def test_verify_counts_users_whatever_their_spelling(command: Command, inside: Path) -> None:
    two = [json.dumps({"user": user, "document": "flu"}) for user in ("u1", "u2")]
    assert checked(command, lines(*two)) == "holds"


@pytest.mark.parametrize("user", ["u1 ", "U1", "u1\u200b", "", " "])
def test_verify_counts_nobody_twice(command: Command, inside: Path, user: str) -> None:
    two = [json.dumps({"user": each, "document": "flu"}) for each in ("u1", user)]
    assert checked(command, lines(*two)) == "does not hold"


@pytest.mark.parametrize("key", ["document", "user"])
def test_a_key_that_stands_twice_in_a_line_is_refused(
    command: Command, inside: Path, key: str
) -> None:
    rows = [f'{{"{key}": "SECRET", "user": "{user}", "document": "flu"}}' for user in ("u1", "u2")]
    assert checked(command, lines(*rows)) == "does not hold"
    with pytest.raises(InputError, match=r"^x.jsonl:1: a key stands in one object twice"):
        table.parse(lines(*rows).encode(), "x.jsonl")
    Path("twice.jsonl").write_text(lines(*rows))
    done = command("anonymize-log", "twice.jsonl", "-p", "log.yaml", "-o", "o.jsonl")
    assert (done.code, done.err.count("\n")) == (2, 1)


@pytest.mark.parametrize("how", ["pseudonym", "key"])
@pytest.mark.parametrize("other", SPELLINGS[1:])
def test_a_person_in_two_spellings_is_one(
    command: Command, inside: Path, other: str, how: str
) -> None:
    """Two rows of one person are no class of two."""
    Path("t.yaml").write_text(TABLE % how)
    rows = [("Ann", 30), (other, 30), ("Bob", 50), ("Cem", 50)]
    text = "id,age,note\n" + "".join(f"{who},{age},fine\n" for who, age in rows)
    Path("t.csv").write_text(text)
    assert command("anonymize", "t.csv", "-p", "t.yaml", "-o", "o.csv").code == 0
    made = table.read(Path("o.csv"))
    shown = made.texts("id")
    assert shown[0] == shown[1]
    assert len(set(shown)) == 3
    assert set(made.texts("age")) != {"30", "50"}
    full = command("verify", "o.csv", "-p", "t.yaml", "--ledger", ".sfumato/ledger.db")
    assert "does not hold" not in full.out
    assert full.code == 0


@pytest.mark.parametrize("nobody", [" ", "\u200b", "\u3164"])
def test_a_row_without_a_person_is_refused(command: Command, inside: Path, nobody: str) -> None:
    Path("t.yaml").write_text(TABLE % "pseudonym")
    Path("t.csv").write_text(f"id,age,note\nAnn,30,fine\n{nobody},30,fine\n")
    done = command("anonymize", "t.csv", "-p", "t.yaml", "-o", "o.csv")
    assert (done.code, "which tells persons apart" in done.err) == (2, True)
