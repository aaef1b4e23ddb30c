"""The parts of names, and who is who."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato import sanitize
from sfumato.english.folding import normal_form
from sfumato.facts import identities as facts_identities
from sfumato.facts.identities import identities
from sfumato.facts.persons import core, parts
from tests.strategies import examples


@pytest.mark.parametrize(
    ("name", "roles"),
    [
        ("Maria Keller", "given family"),
        ("Dr. Maria Anna Keller", "kept given given family"),
        ("Keller, Maria", "family given"),
        ("Mrs Holloway-Okoro", "kept family family"),
        ("Sir Elton", "kept given"),
        ("Ludwig van Beethoven", "given kept family"),
        ("Juan de la Cruz García", "given kept kept family family"),
        ("Omar al-Hassan", "given kept family"),
        ("Al Gore", "given family"),
        ("M. Keller", "initial family"),
        ("J.R.R. Tolkien", "initial initial initial family"),
        ("R.T.", "initial initial"),
        ("PVS Rao", "initial initial initial family"),
        ("DS TJ Moss", "kept initial initial family"),
        ("LEE Anna", "given family"),
        ("Anna KRZ", "given family"),
        ("Sean O'Brien Jr.", "given family kept"),
        ("Keller's", "family"),
        ("Dr", "family"),
        ("Van", "family"),
    ],
)
def test_the_parts_of_a_name(name: str, roles: str) -> None:
    assert " ".join(p.role for p in parts(name) if p.role != "between") == roles
    assert "".join(p.text for p in parts(name)) == name


def test_mentions_of_one_person_are_one() -> None:
    mentions = ["Maria Keller", "Dr Keller", "Maria", "M. Keller", "Keller, Maria"]
    found = identities([*mentions, "Weiss", "Ann Weiss", "Tom Weiss"])
    assert len({found[normal_form(m)] for m in mentions}) == 1
    assert found["weiss"] == "weiss"  # two of them: nobody knows which


def test_thousands_of_one_name_are_told_apart_in_steps_that_grow_with_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A mention is compared with the persons of its rarest word, not with all of its family."""
    names = [
        f"Ann {chr(97 + n // 676)}{chr(97 + n // 26 % 26)}{chr(97 + n % 26)}ski Holloway"
        for n in range(2000)
    ]
    compared, fits = [0], facts_identities._fit

    def counted(*given: Any) -> Any:
        compared[0] += 1
        return fits(*given)

    monkeypatch.setattr(facts_identities, "_fit", counted)
    found = identities([*names, "Holloway", "Ann", "A. aabski Holloway"])
    assert compared[0] < 50 * len(names)
    assert len(set(found.values())) == 2002
    assert found["a. aabski holloway"] == "ann aabski holloway"


@examples(300)
@given(st.text("Ab .,-'’()\u0301\u0308ʰـ", max_size=12))
def test_no_word_of_a_name_is_empty(name: str) -> None:
    assert all(core(name))


@pytest.mark.parametrize("profile", ["default", "research", "strict"])
@pytest.mark.parametrize(
    "text",
    [
        "Ren \u0301 e Keller lives here.",
        "Authors: Kurt G \u0308 odel, Paul Erd \u030b os, Andr \u0301 e Weil",
        "Dr.\u0301 Keller came. Keller left.",
    ],
)
def test_names_whose_accents_stand_apart_as_copied_from_a_page_are_hidden(
    profile: str, text: str
) -> None:
    released = sanitize(text, profile).text
    assert not re.search("Keller|Weil|Kurt|Paul", released)
