from __future__ import annotations

import pytest

from sfumato.document import Edit, Origin, Record
from sfumato.verify.edits import originals_gone


def record(*edits: tuple[int, str, str]) -> Record:
    made = [Edit(start, start + len(old), "PERSON", new, "") for start, old, new in edits]
    return Record("x", Origin(), tuple(made), tuple(old for _, old, _ in edits))


@pytest.mark.parametrize(
    ("text", "edits", "verdict"),
    [
        ("X and Keller", [(0, "Keller", "X")], "does not hold"),
        ("X and KEL-LER", [(0, "Keller", "X")], "does not hold"),
        ("X and Kellers", [(0, "Keller", "X")], "holds"),
        ("X in May", [(0, "May", "X")], "holds"),
        ("old Keller", [(0, "Keller", "old Keller")], "does not hold"),
        ("Braun, Y", [(0, "Keller", "Braun"), (8, "Braun", "Y")], "holds"),
        ("X ☎", [(0, "☎", "X")], "does not hold"),
    ],
)
def test_originals_are_gone_or_it_is_said(
    text: str, edits: list[tuple[int, str, str]], verdict: str
) -> None:
    assert originals_gone(text, record(*edits)).verdict == verdict


def test_what_the_policy_keeps_may_stand() -> None:
    made = record((0, "Mary", "X"))
    assert originals_gone("X of St Mary", made).failed
    assert not originals_gone("X of St Mary", made, [(5, 12)]).failed


def test_an_ordinary_word_that_stands_elsewhere_is_reported() -> None:
    check = originals_gone("X came\nin May", record((0, "May", "X")))
    assert check.detail.endswith("2:4")
