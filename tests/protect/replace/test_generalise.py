"""The method `generalise`, and how its words fit their place."""

from __future__ import annotations

from typing import Any

import pytest

from sfumato import sanitize, verify
from sfumato.facts.ladders import Rung, has_ladders, ladder_at, ladder_of
from sfumato.keys import Key
from sfumato.know.taxonomy import chain as taxonomy

KEY = Key(bytes(range(32)))


def rules(kind: str, *terms: str, least: int = 2, **more: Any) -> dict[str, Any]:
    return {
        "detect": [{"lists": {"hide": [{"kind": kind, "terms": list(terms)}]}}],
        "replace": {"*": {"how": "generalise", "least": least}},
        **more,
    }


@pytest.mark.parametrize(
    ("kind", "term", "text", "expected"),
    [
        ("LOC", "Boston", "Born in Boston.", "Born in Massachusetts."),
        ("LOC", "Penzance", "Born in Penzance.", "Born in Cornwall."),
        (
            "LOC",
            "Truro",
            "Born in Truro.",
            "Born in [PLACE 1].",
        ),  # that in Cornwall, or in Nova Scotia
        ("LOC", "Princeton", "Born in Princeton.", "Born in the United States."),
        ("LOC", "Netherlands", "Off to the Netherlands.", "Off to [COUNTRY 1]."),
        ("DATE", "14 May 2004", "Seen on 14 May 2004.", "Seen in May 2004."),
        ("DATE", "14 May 2004", "On 14 May 2004 she left.", "In May 2004 she left."),
        ("DATE", "Christmas", "Left at Christmas.", "Left at [DATE 1]."),
        ("AGE", "aged 47", "A man aged 47 left.", "A man aged 45–49 left."),
        ("PERSON", "Meryl Streep", "Meryl Streep came.", "An actress came."),
        ("PERSON", "Meryl Streep", "He met Meryl Streep.", "He met an actress."),
        ("PERSON", "Meryl Streep", "A film with Meryl Streep.", "A film with an actress."),
        ("PERSON", "Ann Zorblatt", "Ann Zorblatt came.", "[PERSON 1] came."),
        ("ORG", "Mayo Clinic", "At the Mayo Clinic now.", "At the medical institution now."),
        ("EMAIL", "ann@example.org", "To ann@example.org.", "To [EMAIL 1]."),
        ("DISEASE", "pneumonias", "Two pneumonias.", "Two respiratory diseases."),
    ],
)
def test_a_term_becomes_the_next_more_general_word(
    kind: str, term: str, text: str, expected: str
) -> None:
    policy = rules(kind, term)
    released = sanitize(text, policy, key=KEY)
    assert released.text == expected
    assert {c.verdict for c in verify(released, policy, key=KEY)} == {"holds"}


def test_least_says_for_how_many_things_the_word_may_stand() -> None:
    text = "Born in Boston on 14 May 2004."
    policy = rules("LOC", "Boston", least=1000)
    assert sanitize(text, policy, key=KEY).text == "Born in the United States on 14 May 2004."
    nothing = rules("LOC", "Boston", least=10**9)
    assert sanitize(text, nothing, key=KEY).text == "Born in [PLACE 1] on 14 May 2004."


def test_a_word_that_is_hidden_elsewhere_is_not_put_in() -> None:
    policy = rules("LOC", "Boston", "Massachusetts")
    apart = sanitize("Boston; Massachusetts", policy, key=KEY)
    assert apart.text == "United States; United States"
    assert sanitize("Boston, Massachusetts", policy, key=KEY).text == "United States"


def test_the_order_of_day_and_month_is_that_of_the_other_dates() -> None:
    policy = {"detect": ["patterns"], "replace": {"DATE": {"how": "generalise"}}}
    released = sanitize("Seen 13/02/2025, then 10/02/2025.", policy, key=KEY)
    assert released.text == "Seen February 2025, then February 2025."


@pytest.mark.parametrize(
    ("kind", "terms", "text", "expected"),
    [
        ("LOC", "Wien|Vienna", "In Vienna, later in Wien.", "In Austria, later in Austria."),
        ("LOC", "Paris|Texas", "In Paris, Texas. Paris is small.",
         "In the United States. The United States is small."),
        ("ORG", "Barclays Bank|Barclays", "At Barclays Bank, not of Barclays.", "At a bank, not of a bank."),
        ("ORG", "Barclays|Barclays Bank|bank", "Of Barclays, in Barclays Bank, of bank.",
         "Of a financial institution, in a financial institution, of a financial institution."),
        ("DATE", "3 June 2024|03/06/2024|the third of June 2024",
         "Seen 3 June 2024 (03/06/2024), the third of June 2024.", "Seen June 2024 (June 2024), June 2024."),
        ("MONEY", "$1,250|1250 dollars", "For $1,250; 1250 dollars.", "For $1,200–1,299; 1200–1299 dollars."),
        ("AGE", "56|fifty-six", "A 56-year-old man, at fifty-six.",
         "A 55–59-year-old man, at 55–59."),
    ],
)  # fmt: skip
def test_all_spellings_of_a_fact_become_the_same_word(
    kind: str, terms: str, text: str, expected: str
) -> None:
    assert sanitize(text, rules(kind, *terms.split("|")), key=KEY).text == expected


def test_what_a_rung_stands_for_is_said_in_words() -> None:
    assert Rung("2004", 366, "calendar:20040000").counted == "one of 366 days in 2004"
    assert Rung("30–39", 10, "ranges:30..39").counted == "one of 10 values in 30–39"
    assert Rung("place", 69480, "places:0").counted == "one of 69,480 places"


def test_a_shortened_phrase_counts_for_its_concepts_leaves_only() -> None:
    ladder = ladder_of(taxonomy.default(), "severe chest infection")
    assert [r.words for r in ladder][:2] == ["severe chest infection", "infection"]
    clinic = ladder_of(taxonomy.default(), "Mayo Clinic", "ORG")
    assert "clinic" not in [r.words for r in clinic]  # a leaf: it would stand for one thing


def test_codes_have_no_ladders() -> None:
    assert not has_ladders("MRN")
    assert has_ladders("WARD")


def test_the_sense_is_the_first_one_or_that_of_the_context() -> None:
    text = "Uses marijuana for phantom limb pain"
    first, context = (
        ladder_at(taxonomy.default(), text, 5, 14, "", senses) for senses in ("first", "context")
    )
    assert first[1].words == "cannabis"
    assert context[1].words == "soft drug"
