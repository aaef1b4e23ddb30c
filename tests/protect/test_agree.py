"""Replacements agree with their place."""

from __future__ import annotations

import pytest
from hypothesis import given

from sfumato import sanitize
from sfumato.document import AGREEMENT, GENERALISE, SEVERAL, Document, Edit, render
from sfumato.protect.agree import agree
from tests.strategies import edited


def made(text: str, hidden: str, replacement: str, how: str = "ladder") -> str:
    document = Document(text)
    start = text.index(hidden)
    edits = agree([Edit(start, start + len(hidden), "MISC", replacement, "why", how)], document)
    return render(document, edits)


@pytest.mark.parametrize(
    ("text", "hidden", "replacement", "expected"),
    [
        ("She had an HIV test.", "HIV", "viral", "She had a viral test."),
        ("a Kenyan nurse", "Kenyan", "African", "an African nurse"),
        ("an Italian nurse", "Italian", "European", "a European nurse"),
        ("An HIV test was done.", "HIV", "viral", "A viral test was done."),
        ("A Kenyan nurse came.", "Kenyan", "African", "An African nurse came."),
        ("AN HIV TEST", "HIV", "VIRAL", "A VIRAL TEST"),
        ("A KENYAN NURSE", "KENYAN", "AFRICAN", "AN AFRICAN NURSE"),
        ("was a\nKenyan nurse", "Kenyan", "African", "was an\nAfrican nurse"),
        ("an 84-year-old man", "84-year-old", "80-89-year-old", "an 80-89-year-old man"),
        ("an 84-year-old man", "84", "70-89", "a 70-89-year-old man"),
        ("a 47-year-old man", "47-year-old", "40-49-year-old", "a 40-49-year-old man"),
        ("an HIV test", "HIV", "[MISC]", "an [MISC] test"),
        ("an HIV test", "HIV", "***", "an *** test"),
        ("an HIV test", "HIV", "", "a test"),
        ("an HIV test", "HIV ", "", "a test"),
        ("vitamin A deficiency", "deficiency", "illness", "vitamin A illness"),
        ("Ana Keller", "Keller", "Okoro", "Ana Okoro"),
        ("an HIV test", "HIV", "Вирус", "an Вирус test"),
        ("the tumours were found", "tumours", "growth", "the growths were found"),
        ("Tumours were found", "Tumours", "growth", "Growths were found"),
        ("It grew. Carcinoma was found", "Carcinoma", "growth", "It grew. Growth was found"),
        ("It was Carcinoma", "Carcinoma", "growth", "It was growth"),
        ("- Carcinoma, left", "Carcinoma", "growth", "- Growth, left"),
        ("in Texas they", "Texas", "state", "in state they"),
        ("Texas is big", "Texas", "state", "State is big"),
        ("diabetes is common", "diabetes", "illness", "illness is common"),
        ("children came", "children", "person", "people came"),
        ("diseases of the liver", "diseases of the liver", "illness of an organ", "illnesses of an organ"),
    ],
)  # fmt: skip
def test_replacements_agree(text: str, hidden: str, replacement: str, expected: str) -> None:
    result = made(text, hidden, replacement)
    assert result.replace("  ", " ") == expected


@pytest.mark.parametrize(
    ("text", "hidden", "replacement", "expected"),
    [
        ("Born in Boston.", "Boston", "United States", "Born in the United States."),
        ("Boston is cold.", "Boston", "United States", "The United States is cold."),
        ("the Boston office", "Boston", "United States", "the United States office"),
        ("in Austin, Texas today", "Texas", "United States", "in Austin, United States today"),
        ("a Boston man", "Boston", "United States", "a United States man"),
        ("Born in Durban.", "Durban", "Western Cape", "Born in the Western Cape."),
        ("Born in Lyon.", "Lyon", "France", "Born in France."),
        ("in the Netherlands now", "Netherlands", "Europe", "in Europe now"),
        ("in the Bahamas now", "Bahamas", "Caribbean", "in the Caribbean now"),
        ("in the Texas of old", "Texas", "North America", "in the North America of old"),
    ],
)
def test_names_of_places_have_their_article(
    text: str, hidden: str, replacement: str, expected: str
) -> None:
    document, start = Document(text), text.index(hidden)
    edit = Edit(start, start + len(hidden), "LOC", replacement, "", GENERALISE, concept="places:9")
    edits = agree([edit], document)
    assert render(document, edits) == expected
    assert agree(edits, document) == edits


@pytest.mark.parametrize("how", ["label", "surrogate", "pseudonym", "hash"])
def test_the_policys_own_methods_get_no_plural(how: str) -> None:
    assert made("the tumours were", "tumours", "hartwell", how) == "the hartwell were"


@pytest.mark.parametrize(
    ("hidden", "several", "expected"),
    [
        ("gymnastics", 0.0, "She likes a sport."),
        ("Gymnastics", 0.0, "She likes a sport."),
        ("sheep", 1.0, "She likes sports."),
        ("chess", 0.0, "She likes a sport."),
    ],
)
def test_a_word_whose_number_is_chosen_is_said_in_it_whatever_the_original(
    hidden: str, several: float, expected: str
) -> None:
    document = Document(f"She likes {hidden}.")
    edit = Edit(
        10, 10 + len(hidden), "SPORT", "sport", "", GENERALISE, concept="wordnet:1",
        numbers={SEVERAL: several},
    )  # fmt: skip
    assert render(document, agree([edit], document)) == expected


def test_capitals_are_told_by_what_is_near() -> None:
    """However long a line is, as much of it is read for every edit."""
    for far in ("", "in small letters " * 1_000):
        text = f"{far}{'HE WENT ON FOOT. ' * 30}HE WENT TO TURIN ON FOOT. {'AND BACK. ' * 50}{far}"
        at = text.index("TURIN")
        edit = Edit(at, at + 5, "LOC", "a city", "", GENERALISE)
        assert "A CITY" in render(Document(text), agree([edit], Document(text)))


@pytest.mark.parametrize(
    ("text", "day", "replacement", "expected"),
    [
        ("seen on 3 May 2014", "3 May 2014", "2014", "seen in 2014"),
        ("On 3 May 2014 he left", "3 May 2014", "2014", "In 2014 he left"),
        ("ON 3 MAY 2014", "3 MAY 2014", "2014", "IN 2014"),
        ("on the 3rd of May 2014", "3rd of May 2014", "2014", "in 2014"),
        ("On or about the 3rd of May 2014", "3rd of May 2014", "2014", "In or about 2014"),
        ("on or about 3 May 2014", "3 May 2014", "May 2014", "in or about May 2014"),
        ("on 3 May", "3 May", "May", "in May"),
        ("on 3-5 May 2014", "3-5 May 2014", "2014–2016", "in 2014–2016"),
        ("in May 2014", "May 2014", "2010s", "in the 2010s"),
        ("on 3 May 2014", "3 May 2014", "2010s", "in the 2010s"),
        ("on 3 May", "3 May", "[DATE 1]", "on [DATE 1]"),
        ("on 3 May 2014", "3 May 2014", "19 June 2013", "on 19 June 2013"),
    ],
)
@pytest.mark.parametrize("how", ["reduce", GENERALISE])
def test_a_span_longer_than_a_day_stands_with_in(
    text: str, day: str, replacement: str, expected: str, how: str
) -> None:
    document, start = Document(text), text.index(day)
    edits = agree([Edit(start, start + len(day), "DATE", replacement, "", how)], document)
    assert render(document, edits) == expected
    assert agree(edits, document) == edits


@pytest.mark.parametrize(
    ("text", "hidden", "label", "expected"),
    [
        ("an accountant", "accountant", "[PROFESSION 1]", "a [PROFESSION 1]"),
        ("a clinic", "clinic", "[ORGANISATION 2]", "an [ORGANISATION 2]"),
        ("a man of 3", "man", "[ID 1]", "an [ID 1] of 3"),
        ("A nurse came", "nurse", "[AGE]", "An [AGE] came"),
    ],
)
def test_the_article_before_a_label_fits_what_the_label_says(
    text: str, hidden: str, label: str, expected: str
) -> None:
    assert made(text, hidden, label, "label") == expected


def test_a_decade_begins_a_sentence_with_a_capital() -> None:
    assert made("May 2004 was cold.", "May 2004", "the 2000s", "reduce") == "The 2000s was cold."


def test_an_article_that_is_hidden_itself_stays_hidden() -> None:
    document = Document("an HIV test")
    edits = [Edit(0, 2, "MISC", "[X]", "why"), Edit(3, 6, "MISC", "viral", "why", "ladder")]
    assert agree(edits, document) == edits


def test_an_article_edit_says_what_it_is() -> None:
    article, _ = agree([Edit(3, 6, "MISC", "viral", "why", "ladder")], Document("an HIV test"))
    assert (article.kind, article.how, article.start, article.end) == ("ARTICLE", AGREEMENT, 0, 2)


@given(edited())
def test_agreement_is_reached_once(case: tuple[Document, list[Edit]]) -> None:
    document, edits = case
    once = agree(edits, document)
    assert agree(once, document) == once
    assert [e.start for e in once if e.how != AGREEMENT] == [e.start for e in edits]
    render(document, once)  # sorted, and without overlaps


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("She left at the end of March 2023.", "She left in 2023."),
        ("In the first week of May 2021 he fell.", "In 2021 he fell."),
        ("It was on the last day of February 2024.", "It was in 2024."),
        ("It was done by the beginning of Q3 2024.", "It was done by the end of 2024."),
        ("He was ill until the end of March 2023.", "He was ill until 2023."),
        ("The end of March 2023 was wet.", "Some time in 2023 was wet."),
        ("It was at the end of 2023.", "It was at the end of 2023."),
    ],
)
def test_a_part_of_a_month_is_not_told_of_its_year(text: str, made: str) -> None:
    assert sanitize(text).text == made


def test_a_month_that_stays_keeps_its_parts() -> None:
    text = "She left at the end of March 2023."
    assert sanitize(text, "gdpr").text == text
