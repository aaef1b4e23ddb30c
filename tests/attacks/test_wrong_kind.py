"""A profile that keeps times, amounts and personal details keeps nobody whose name was taken for one."""

from __future__ import annotations

import re

import pytest

from sfumato import sanitize

KEEPING = ("hipaa-safe-harbor", "research")
NAMES = (
    "Hope",
    "Joy",
    "Summer",
    "Rich",
    "Will",
    "Mark",
    "Norman",
    "Roman",
    "Penny",
    "Miles",
    "Dawn",
    "Noor",
    "Eve",
)


@pytest.mark.parametrize("profile", KEEPING)
@pytest.mark.parametrize(
    "form",
    ["Later {} phoned the ward.", "{} denies chest pain.", "Her brother {} (31) drove.", "Dr {} agreed."],
)  # fmt: skip
def test_a_name_that_is_a_word_a_people_or_a_place_is_gone(form: str, profile: str) -> None:
    told = {name: sanitize(form.format(name), profile).text for name in NAMES}
    assert [n for n, text in told.items() if re.search(rf"\b{n}\b", text)] == []


@pytest.mark.parametrize("profile", KEEPING)
@pytest.mark.parametrize(
    ("text", "gone"),
    [("The twins Asia (4) and Chad (4) live with Mum.", "Asia Chad"),
     ("Signed: Tran Thi My. My was early, and My's bag was lost.", "Tran Thi"),
     ("Mr Noon and Mrs Pound met Ms Dane.", "Noon Pound Dane"),
     ("Ada Long, 94, and Bo Li, 96, share a room.", "94 96"),
     ("Will Kowalczyk ever forgive himself?", "Kowalczyk")],
)  # fmt: skip
def test_what_only_a_guess_took_for_something_else_is_gone(
    text: str, gone: str, profile: str
) -> None:
    told = sanitize(text, profile).text
    assert [word for word in gone.split() if re.search(rf"\b{word}\b", told)] == []
