"""`sfumato explain`: why each edit was made."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Sfumato
from tests.conftest import EXAMPLES


def test_every_edit_is_explained(sfumato: Sfumato) -> None:
    sfumato("sanitize", "note.txt", "-o", "safe.txt")
    why = sfumato("explain", "safe.txt")
    assert "marta.keller@example.org" in why.out
    assert "2:10" in why.out
    one = json.loads(sfumato("explain", "safe.txt", "--at", "2:12", "--json").out)
    assert (one["kind"], one["original"], one["at"]) == (
        "EMAIL",
        "marta.keller@example.org",
        "2:10",
    )


def test_what_is_too_long_for_a_table_is_cut_but_not_for_programs(sfumato: Sfumato) -> None:
    Path("log.csv").write_text("user,document\n" + "".join(f"u{n},flu\n" for n in range(99)))
    sfumato("anonymize-log", "log.csv", "-k", "2", "-o", "out.csv")
    assert "u98,flu" not in sfumato("explain", "out.csv").out
    assert "u98,flu" in json.loads(sfumato("explain", "out.csv", "--json").out)["original"]


def test_a_place_must_exist_and_be_edited(sfumato: Sfumato) -> None:
    sfumato("sanitize", "note.txt", "-o", "safe.txt")
    for place, message in {
        "1:1": "nothing was edited",
        "x": "LINE:COL",
        "99:1": "no such place",
    }.items():
        result = sfumato("explain", "safe.txt", "--at", place)
        assert result.code == 2
        assert message in result.err


def test_edits_of_a_table_are_explained_by_row_and_column(sfumato: Sfumato) -> None:
    blog = str(EXAMPLES / "blog.csv")
    sfumato("anonymize", blog, "-p", str(EXAMPLES / "blog.yaml"), "-o", "out.csv", "--no-cache")
    why = sfumato("explain", "out.csv")
    assert "row 1, text" in why.out
    assert "Pedro" in why.out
    found = [
        [
            json.loads(line)
            for line in sfumato("explain", "out.csv", "--at", at, "--json").out.splitlines()
        ]
        for at in ("row 1, text", "2:80")
    ]
    assert found[0] == found[1]
    assert [(e["original"], e["replacement"]) for e in found[0]] == [
        ("Pedro", "[PERSON]"),
        ("36 years old", "[24-36] years old"),
        ("Mexico", "[LOC]"),
    ]
    assert "class 1" in found[0][0]["reason"]
    assert "nothing was edited there" in sfumato("explain", "out.csv", "--at", "row 3, text").err
    assert "there is no cell" in sfumato("explain", "out.csv", "--at", "99:1").err
    assert sfumato("restore", "out.csv").out.encode() == (EXAMPLES / "blog.csv").read_bytes()
    assert sfumato("verify", "out.csv", "--ledger", ".sfumato/ledger.db").code == 0
