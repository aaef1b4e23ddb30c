"""`sfumato detect`: the terms that are found."""

from __future__ import annotations

import json

from tests.cli.conftest import NOTE, Sfumato


def test_detect_lists_terms_for_people_and_programs(sfumato: Sfumato) -> None:
    shown = sfumato("detect", "note.txt")
    assert "note.txt: 3 terms" in shown.out
    assert "marta.keller@example.org" in shown.out
    found = json.loads(sfumato("detect", "note.txt", "--json").out)
    assert found["file"] == "note.txt"
    assert [t["kind"] for t in found["terms"]] == ["PERSON", "EMAIL", "DATE"]
    for term in found["terms"]:
        assert set(term) == {"start", "end", "text", "kind", "score", "detector", "reason"}
        assert NOTE[term["start"] : term["end"]] == term["text"]
