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
        ("LOC", "Chicago", "Born in Chicago.", "Born in Illinois."),
        ("LOC", "Penzance", "Born in Penzance.", "Born in Cornwall."),
        # That in Cornwall, or in Nova Scotia
        ("LOC", "Truro", "Born in Truro.", "Born in [PLACE 1]."),
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
    text = "Born in Chicago on 14 May 2004."
    policy = rules("LOC", "Chicago", least=1000)
    assert sanitize(text, policy, key=KEY).text == "Born in the United States on 14 May 2004."
    nothing = rules("LOC", "Chicago", least=10**9)
    assert sanitize(text, nothing, key=KEY).text == "Born in [PLACE 1] on 14 May 2004."


def test_a_word_that_is_hidden_elsewhere_is_not_put_in() -> None:
    policy = rules("LOC", "Chicago", "Illinois")
    apart = sanitize("Chicago; Illinois", policy, key=KEY)
    assert apart.text == "United States; United States"
    assert sanitize("Chicago, Illinois", policy, key=KEY).text == "United States"


def test_the_order_of_day_and_month_is_that_of_the_other_dates() -> None:
    policy = {"detect": ["patterns"], "replace": {"DATE": {"how": "generalise"}}}
    released = sanitize("Seen 13/02/2025, then 10/02/2025.", policy, key=KEY)
    assert released.text == "Seen February 2025, then February 2025."


@pytest.mark.parametrize(
    ("kind", "terms", "text", "expected"),
    [
        ("LOC", "Wien|Vienna", "In Vienna, later in Wien.", "In Austria, later in Austria."),
        ("LOC", "Paris|Texas", "In Paris, Texas. He stayed in Paris.",
         "In the United States. He stayed in the United States."),
        ("LOC", "Paris|Texas", "In Paris, Texas. Paris is small.", "In [PLACE 1]. [PLACE 1] is small."),
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


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("She came from Poland with $5.", "Poland", "She came from Poland with $5."),
        ("She came from Poland, Maine.", "Poland", "She came from [COUNTRY 1], Maine."),
        ("In Ontario and in Cheshire.", "Ontario|Cheshire", "In Ontario and in Cheshire."),
        ("In Tartu, Estonia.", "Tartu, Estonia", "In [PLACE 1], Estonia."),
        ("In Tamale, Ghana.", "Tamale", "In [PLACE 1], Ghana."),
        ("In Tamale. Ghana is warm.", "Tamale", "In Ghana. Ghana is warm."),
        ("In Leeds, United Kingdom.", "Leeds", "In West Yorkshire, United Kingdom."),
        ("He is in Ontario, in Windsor.", "Windsor", "He is in Ontario, in Ontario."),
        ("He is in Ontario, she in London.", "London", "He is in Ontario, she in England."),
        ("Ask Indy (Indiana) Lee.", "Indiana", "Ask Indy ([PLACE 1]) Lee."),
        ("The train to Drogheda.", "Drogheda", "The train to Leinster."),
        ("The train to Hexham.", "Hexham", "The train to [PLACE 1]."),  # little known, nothing is told
        ("From Hexham to Frodsham.", "Frodsham", "From Hexham to [PLACE 1]."),
    ],
)  # fmt: skip
def test_countries_and_regions_stay_where_a_policy_says_so(
    text: str, names: str, expected: str
) -> None:
    policy = rules("LOC", *names.split("|"), least=10)
    policy["replace"]["*"]["keep_large"] = True
    released = sanitize(text, policy, key=KEY)
    assert released.text == expected
    assert {c.verdict for c in verify(released, policy, key=KEY)} == {"holds"}


@pytest.mark.parametrize(
    "name", ["Poland", "Lebanon", "Mexico", "Peru", "Cuba", "Jamaica", "Norway"]
)
def test_a_country_s_name_is_no_town_s_in_another_whose_money_is_told(name: str) -> None:
    released = sanitize(f"She came from {name} with $5.", rules("LOC", name, least=10), key=KEY)
    assert released.text == "She came from [COUNTRY 1] with $5."


WITHOUT = "Whitby Durham Halifax Windsor Perth Boston Newport Worcester Cambridge Hamilton Richmond Athens"


@pytest.mark.parametrize("name", WITHOUT.split())
def test_a_name_of_places_far_apart_gets_a_label_where_nothing_tells_which(name: str) -> None:
    text = f"She was born in {name} and lives there."
    released = sanitize(text, rules("LOC", name, least=10), key=KEY)
    assert released.text == "She was born in [PLACE 1] and lives there."


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("Born in Whitby, seen by the NHS.", "Whitby", "Born in North Yorkshire, seen by the NHS."),
        ("Born in Durham, paid £300.", "Durham", "Born in [PLACE 1], paid £300."),
        ("Born in Durham, now in Texas.", "Durham", "Born in [PLACE 1], now in Texas."),  # not looked for
        ("In Durham, then in Chicago.", "Durham|Chicago", "In North Carolina, then in Illinois."),
        ("In Durham, then in Leeds.", "Durham|Leeds", "In England, then in West Yorkshire."),
        ("In Durham, then in Leeds or Chicago.", "Durham|Leeds|Chicago",
         "In [PLACE 1], then in West Yorkshire or Illinois."),
        ("In Newport, Kentucky.", "Newport|Kentucky", "In the United States."),
        ("His GP is in Halifax.", "Halifax", "His GP is in West Yorkshire."),
        ("My mom lives in Halifax.", "Halifax", "My mom lives in Nova Scotia."),
        ("In Boston, paid £300.", "Boston", "In [PLACE 1], paid £300."),  # the other is known all over
    ],
)  # fmt: skip
def test_what_a_document_tells_of_its_country_tells_which_place_is_meant(
    text: str, names: str, expected: str
) -> None:
    assert sanitize(text, rules("LOC", *names.split("|"), least=10), key=KEY).text == expected


@pytest.mark.parametrize(
    "text",
    [
        "We met at the Leeds and walked home.",
        "He wore a Leeds United scarf.",
        "He came from the Leeds direction.",
        "She lives near Leeds.",
        "She lives ten miles from Leeds.",
        "She was driving to Leeds.",
        "He is an honorary freeman of Leeds.",
        "The Northern District of Leeds.",
        "Leeds is a city.",
        "He works in Leeds city centre.",
        "He left Leeds.",
        "He drove between Leeds and the sea.",
    ],
)
def test_a_place_gets_a_label_where_a_word_for_what_lies_around_it_may_be_untrue(text: str) -> None:
    released = sanitize(text, rules("LOC", "Leeds", least=10), key=KEY)
    assert released.text == text.replace("Leeds", "[PLACE 1]")


@pytest.mark.parametrize("name", ["Nan", "Sale", "Vic", "Hickory", "Reading", "Florence", "Austin"])
def test_a_name_that_is_a_word_or_a_persons_is_not_raised(name: str) -> None:
    released = sanitize(f"She lived in {name} then.", rules("LOC", name), key=KEY)
    assert released.text == "She lived in [PLACE 1] then."


@pytest.mark.parametrize(
    "name", ["Asia", "Africa", "Europe", "Antarctica", "Zaire", "Colombia", "San Marino"]
)
def test_continents_and_countries_are_no_towns_of_their_names(name: str) -> None:
    for text in (f"She was born in {name}.", f"He worked in {name} for ten years."):
        made = sanitize(text, rules("LOC", name), key=KEY).text
        assert made.replace("[PLACE 1]", name).replace("[COUNTRY 1]", name) == text


def test_all_mentions_of_a_place_are_treated_alike() -> None:
    policy = rules("LOC", "Leeds", least=10)
    released = sanitize("She lives in Leeds, in a street near Leeds.", policy, key=KEY)
    assert released.text == "She lives in [PLACE 1], in a street near [PLACE 1]."


@pytest.mark.parametrize("land", ["Norway", "Palestine", "Macedonia", "Burma"])
def test_towns_are_not_raised_to_countries_where_countries_are_hidden(land: str) -> None:
    policy = rules("LOC", "Geneva", land, least=10)
    released = sanitize(f"Born in Geneva; a rescue off {land}.", policy, key=KEY).text
    assert released.startswith("Born in [PLACE 1]; a rescue off [")
    assert "Switzerland" not in released
