"""`sfumato explain`: why each edit was made."""

from __future__ import annotations

import json

from tests.cli.conftest import Sfumato


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
