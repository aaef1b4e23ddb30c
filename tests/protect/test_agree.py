"""Replacements agree with their place."""

from __future__ import annotations

import pytest
from hypothesis import given

from sfumato.document import AGREEMENT, Document, Edit, render
from sfumato.protect.agree import agree, indefinite_article, is_plural, pluralise
from tests.strategies import any_text, edited

AN = (
    "hour honest heir heiress honour HIV MRI FBI X-ray 80-89-year-old 8 11 18 18th 11,000 1800 8-bit 800"
    " apple 85,000 11.5 umbrella unimportant unidentified uninsured unimaginable ulcer urgent ugly e-mail"
    " S-shaped H-index NHS SSN LED MRSA HMO icon ICU IV ECG AIDS island NBA MOT Indian Ørsted élite African"
    " utter usher upper urn onion only oncologist RAF mph nth Yvonne ABC Uber uneven HTML A"
)
A = (
    "European one-off university UK URL unit union user uterus urine unique uniform once one unanimous"
    " ukulele UFO UNESCO NATO NASA HIPAA 40-49-year-old 1,800 180 110 7 house herb hospital viral US U-turn"
    " euro ewe eulogy uranium Ugandan Ukrainian Uruguayan utensil utility usual Uighur year one-year-old SIM"
    " LASER unicorn universal unidirectional T-shirt PhD CT BMW HOUSE urologist USB GP 1984 b"
)


@pytest.mark.parametrize("word", AN.split())
def test_an_stands_before_a_vowel_that_is_heard(word: str) -> None:
    assert indefinite_article(word) == "an"


@pytest.mark.parametrize("word", A.split())
def test_a_stands_before_everything_else(word: str) -> None:
    assert indefinite_article(word) == "a"


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


@pytest.mark.parametrize("how", ["label", "surrogate", "pseudonym", "hash"])
def test_the_policys_own_methods_get_no_plural(how: str) -> None:
    assert made("the tumours were", "tumours", "hartwell", how) == "the hartwell were"


def test_a_decade_begins_a_sentence_with_a_capital() -> None:
    assert made("May 2004 was cold.", "May 2004", "the 2000s", "reduce") == "The 2000s was cold."


def test_an_article_that_is_hidden_itself_stays_hidden() -> None:
    document = Document("an HIV test")
    edits = [Edit(0, 2, "MISC", "[X]", "why"), Edit(3, 6, "MISC", "viral", "why", "ladder")]
    assert agree(edits, document) == edits


def test_an_article_edit_says_what_it_is() -> None:
    article, _ = agree([Edit(3, 6, "MISC", "viral", "why", "ladder")], Document("an HIV test"))
    assert (article.kind, article.how, article.start, article.end) == ("ARTICLE", AGREEMENT, 0, 2)


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("growth", "growths"), ("tumour", "tumours"), ("body", "bodies"), ("boy", "boys"), ("box", "boxes"),
        ("church", "churches"), ("stomach", "stomachs"), ("virus", "viruses"), ("diagnosis", "diagnoses"),
        ("woman", "women"), ("policewoman", "policewomen"), ("human", "humans"), ("person", "people"),
        ("grandchild", "grandchildren"), ("series", "series"), ("criterion", "criteria"), ("leaf", "leaves"),
        ("growths", "growths"), ("disease of the liver", "diseases of the liver"), ("", ""), ("bus", "buses"),
        ("person with diabetes", "people with diabetes"), ("medical treatment", "medical treatment"),
    ],
)  # fmt: skip
def test_plurals(one: str, many: str) -> None:
    assert pluralise(one) == many


@pytest.mark.parametrize(
    "word", ["Paris", "diabetes", "abscess", "virus", "analysis", "Texas", "is", "bus"]
)
def test_not_every_s_is_a_plural(word: str) -> None:
    assert not is_plural(word)


@given(edited())
def test_agreement_is_reached_once(case: tuple[Document, list[Edit]]) -> None:
    document, edits = case
    once = agree(edits, document)
    assert agree(once, document) == once
    assert [e.start for e in once if e.how != AGREEMENT] == [e.start for e in edits]
    render(document, once)  # sorted, and without overlaps


@given(any_text)
def test_any_word_has_an_article_and_a_plural(text: str) -> None:
    assert indefinite_article(text) in ("a", "an")
    pluralise(text)
    is_plural(text, text)
