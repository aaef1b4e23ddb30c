"""Initials without dots that stand for a hidden person."""

from __future__ import annotations

import re

import pytest

from sfumato import sanitize


@pytest.mark.parametrize(
    "text",
    [
        "Client: Eleanor Nolan. Session 4. EN arrived late. We talked about EN's mother. Plan: EN to rest.",
        "Name: Fiona Marsh. FM is a 34 year old woman. FM reports pain. Plan for FM: rest.",
        "Patient: Eleanor Whitcombe\nDOB: 04/11/1951\nEW was reviewed by Mr Patel.\nEW slept well.",
        "Present: Pilar Montoya-Finch (employee), Duncan Rees (rep). PMF said no. DR asked that this be minuted.",
        "Interview with Mary Smith. MS reported that she had left. They asked MS why.",
    ],
)  # fmt: skip
@pytest.mark.parametrize("policy", ["default", "hipaa-safe-harbor"])
def test_initials_of_a_hidden_person_are_hidden_wherever_they_stand(text: str, policy: str) -> None:
    assert not re.search(r"\b(?:EN|FM|EW|PMF|DR|MS)\b", sanitize(text, policy).text)


@pytest.mark.parametrize(
    "text",
    [
        "Patient: Bill Parker. BP was 120/80, BP: stable.",
        "Patient: Rosa Reed. RR was 18, RR 20.",
        "Patient: Carl Tanner. CT head was normal.",
        "Patient: Mary Smith. MS is stable on interferon.",
    ],
)
def test_what_notes_mean_by_letters_stays_beside_a_person_with_these(text: str) -> None:
    assert sanitize(text).text.partition(".")[2] == text.partition(".")[2]


@pytest.mark.parametrize("policy", ["default", "hipaa-safe-harbor", "clinical"])
@pytest.mark.parametrize(
    "rest",
    [
        "if K calls you pls don't tell her where I am",
        "Then K said no.",
        "I told K about it.",
        "K's mother was there.",
        "He asked K, who left.",
    ],
)
def test_one_letter_that_does_what_persons_do_is_a_hidden_one(rest: str, policy: str) -> None:
    text = sanitize(f"Things went bad w Kelsey again. {rest}", policy).text
    assert not re.search(r"\bK\b", text)


@pytest.mark.parametrize(
    "rest", ["K was 5.9 and low.", "Vitamin K reported low.", "Plan K says so."]
)
def test_one_letter_that_is_no_person_stays(rest: str) -> None:
    assert sanitize(f"Kelsey was seen. {rest}", "clinical").text.endswith(rest)
