from __future__ import annotations

from sfumato.verify.check import places


def test_many_places_are_cut_short() -> None:
    assert places("a\nb\nc", [0, 2, 4], most=2) == "1:1, 2:1 and 1 more"
