"""Which facts of a document are softened, and in what words."""

from __future__ import annotations

import pytest

from sfumato.document import Document, Term
from sfumato.policy import load
from sfumato.protect.plausibility.options import PlausibilityOptions
from sfumato.protect.plausibility.softened import Gatherer, Softened, nouns_of


def gathered(text: str, *terms: tuple[str, str], nouns: str = "findings") -> list[Softened]:
    found = [Term(s := text.index(w), s + len(w), kind, 1.0, "") for w, kind in terms]
    options = PlausibilityOptions(t=10, terms=nouns)
    facts, _ = Gatherer(load({}), options)(Document(text), found, ())
    return facts


@pytest.mark.parametrize(
    ("text", "nouns"),
    [
        ("They spoke about a cut-in again.", ["cut-in"]),
        ("A frame-up came up again.", ["frame-up"]),
        ("They played beggar-my-neighbor again.", ["beggar-my-neighbor"]),
        ("Her mother-in-law plays the viola da gamba.", ["mother-in-law", "viola da gamba"]),
        ("She owns squirrel's-foot fern.", ["squirrel's-foot fern"]),
        ("She bought a dagger yesterday.", ["dagger", "yesterday"]),
        ("The HIV clinic physician came.", ["HIV", "clinic", "physician"]),
        ("Diabetes came up again.", ["Diabetes"]),
        ("Nobody came, and none of us did.", []),
    ],
)
def test_a_noun_is_the_whole_of_its_term_and_what_stands_before_it_is_another(
    text: str, nouns: list[str]
) -> None:
    assert [noun.of(text) for noun in nouns_of(text)] == nouns


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("She has HIV-1 infection.", ["HIV-1 infection"]),
        ("HIV infection and an HIV clinic.", ["HIV infection", "HIV", "clinic"]),
        ("A hepatitis, fever and fatigue.", ["hepatitis", "fever", "fatigue"]),
        ("A hepatitis fever.", ["hepatitis fever"]),
    ],
)
def test_sensitive_nouns_side_by_side_are_one(text: str, said: list[str]) -> None:
    made = gathered(text, nouns="auto")
    assert [m.of(text) for fact in made for m in fact.mentions] == said


def test_a_word_in_two_spellings_is_one_fact_and_stands_for_many_where_it_is_said_of_many() -> None:
    dog, sheep, chess = gathered("A dog saw two sheep; dogs hate chess.", nouns="nouns")
    assert [len(f.mentions) for f in (dog, sheep, chess)] == [2, 1, 1]
    assert [f.sort.name for f in (dog, sheep, chess)] == ["nouns", "nouns", "noun"]


def test_sensitive_words_are_taken_apart_from_others() -> None:
    sorts = {f.sort.name for f in gathered("He smokes opium on a balcony.", nouns="auto")}
    assert sorts == {"sensitive", "other"}


def test_an_age_in_two_spellings_is_one_and_a_name_is_none() -> None:
    text = "Ann Lee, aged 56, is a 56-year-old."
    age = gathered(text, ("Ann Lee", "PERSON"), ("aged 56", "AGE"), ("56-year-old", "AGE"))
    assert [(f.sort.name, f.value, len(f.mentions)) for f in age] == [("age", 56, 2)]


@pytest.mark.parametrize(
    ("text", "words", "node", "said"),
    [
        ("Took 1 tablet.", "1 tablet", range(5), "0–4 tablets"),
        ("Took 1.50 mg.", "1.50 mg", range(150, 155), "1.50–1.54 mg"),
        ("Took twelve tablets.", "twelve tablets", range(10, 15), "10–14 tablets"),
    ],
)
def test_of_a_number_only_the_number_is_replaced_and_its_unit_tells_nothing(
    text: str, words: str, node: range, said: str
) -> None:
    (fact,) = gathered(text, (words, "QUANTITY"))
    fact.node = node
    assert fact.words(text, fact.mentions[0]) == said
    assert node.start <= fact.value < node.stop


def test_what_a_fact_is_can_be_told_from_its_edit_again() -> None:
    text = "Dogs came."
    (fact,) = gathered(text, nouns="nouns")
    fact.node = next(fact.sort.path(fact.value, 10))
    numbers = fact.numbers(text, fact.mentions[0])
    assert numbers["several"] == 1.0
    assert fact.words(text, fact.mentions[0]).endswith("s")


@pytest.mark.parametrize("words", ["2/7", "3/52", "6/12"])
def test_what_may_be_a_number_of_days_or_weeks_is_no_date_that_counts(words: str) -> None:
    text = f"Antibiotics for {words}, seen on 3 May 2019."
    (fact,) = gathered(text, (words, "DATE"), ("3 May 2019", "DATE"))
    assert fact.mentions[0].of(text) == "3 May 2019"
