"""No general word tells what another edit hides."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.document import GENERALISE, Document, Edit, Origin, Record, Term, render
from sfumato.english.folding import normal_form
from sfumato.facts.implication import concepts_above, with_one_word, without_hints
from sfumato.facts.ladders import ladder_of
from sfumato.know.taxonomy import places, wordnet
from sfumato.know.taxonomy.chain import default
from sfumato.policy import load
from sfumato.verify.edits import originals_gone

RULES = load("default")


@cache
def some_places() -> list[str]:
    """Names of places of the table that lie in another one."""
    table = places.default()
    named = (
        "Tartu Estonia Lyon France Bergen Norway Munich Bavaria Germany Chicago Illinois Houston Texas Leeds"
        " England Toronto Ontario Canada Osaka Japan Lima Peru Europe Glasgow Scotland Miami Florida"
    )
    return [name for name in named.split() if table.senses(name)]


@cache
def some_words() -> list[str]:
    words = (
        "dog cat animal mammal doctor surgeon nurse professional heroin morphine opiate drug measles disease"
        " asthma illness teacher educator hammer tool oak tree plant car vehicle"
    )
    return [word for word in words.split() if wordnet.default().senses(word)]


def generalised(words: list[str], kind: str, steps: list[int]) -> tuple[Document, list[Edit]]:
    """A text of these words, each replaced by the rung so many steps up its ladder."""
    text, edits = "", []
    for word, up in zip(words, steps, strict=True):
        ladder = ladder_of(default(), word, "" if kind == "TERM" else kind, 0)
        start, text = len(text), f"{text}{word}; "
        if len(ladder) > 1:
            rung = ladder[1 + up % (len(ladder) - 1)]
            edits.append(
                Edit(
                    start, start + len(word), kind, rung.words, "", GENERALISE, concept=rung.concept
                )
            )
        else:
            edits.append(Edit(start, start + len(word), kind, f"[{kind}]", ""))
    return Document(text), edits


def holds(document: Document, edits: list[Edit], kind: str) -> None:
    made = without_hints(edits, document, RULES)
    hidden = {normal_form(document.text[e.start : e.end]) for e in edits}
    chain = default()
    for edit in made:
        if edit.how != GENERALISE:
            continue
        assert normal_form(edit.replacement) not in hidden
        for other in made:
            words = document.text[other.start : other.end]
            if other is edit or normal_form(words) == normal_form(
                document.text[edit.start : edit.end]
            ):
                continue
            meant = chain.senses(words, "" if kind == "TERM" else kind)
            # a sense that its own generalisation rules out is not the one that was meant
            told = {
                sense.concept
                for sense in meant
                if not other.concept
                or any(step.concept == other.concept for step in chain.climb(sense))
            }
            assert told.isdisjoint(concepts_above(edit.concept))
    assert without_hints(made, document, RULES) == made


PAIRS = st.integers(2, 4).flatmap(
    lambda n: st.tuples(
        st.lists(st.integers(0, 10**6), min_size=n, max_size=n),
        st.lists(st.integers(0, 9), min_size=n, max_size=n),
    )
)


@given(PAIRS)
@settings(max_examples=80, deadline=None)
def test_no_replacement_lies_at_or_below_a_hidden_place(drawn: tuple[list[int], list[int]]) -> None:
    known = some_places()
    holds(*generalised([known[i % len(known)] for i in drawn[0]], "LOC", drawn[1]), kind="LOC")


@given(PAIRS)
@settings(max_examples=80, deadline=None)
def test_no_replacement_lies_at_or_below_a_hidden_concept(
    drawn: tuple[list[int], list[int]],
) -> None:
    known = some_words()
    holds(*generalised([known[i % len(known)] for i in drawn[0]], "TERM", drawn[1]), kind="TERM")


def test_where_nothing_more_general_is_left_a_label_stands() -> None:
    text = Document("Europe and Estonia")
    (estonia,) = (s.concept for s in default().senses("Estonia", "LOC")[:1])
    above = [r for r in ladder_of(default(), "Estonia", "LOC", 0) if r.words == "Europe"]
    assert above, estonia
    hidden = Edit(0, 6, "LOC", "[PLACE]", "")
    shown = Edit(11, 18, "LOC", "Europe", "", GENERALISE, concept=above[0].concept)
    made = without_hints([hidden, shown], text, RULES)[1]
    assert made.replacement != "Europe"


def test_plurals_and_articles_are_seen_through() -> None:
    text = Document("doctors; surgeon")
    first = Edit(0, 7, "TERM", "[TERM]", "")
    for words in ("doctor", "a doctor", "the doctor"):
        shown = Edit(9, 16, "TERM", words, "", GENERALISE)
        assert "doctor" not in without_hints([first, shown], text, RULES)[1].replacement


def test_a_range_may_begin_with_a_hidden_number() -> None:
    text = Document("1985; 1987")
    edits = [
        Edit(0, 4, "DATE", "[DATE]", ""),
        Edit(6, 10, "DATE", "1985–1989", "", GENERALISE),
    ]
    assert without_hints(edits, text, RULES) == edits


@pytest.mark.parametrize(
    ("region", "town", "would_say", "says"),
    [
        ("Estonia", "Tartu", "Estonia", "[PLACE]"),
        ("Wales", "Swansea", "Wales", "United Kingdom"),
        ("Yorkshire", "Leeds", "West Yorkshire", "England"),
        ("Los Angeles", "Pasadena", "Los Angeles County", "California"),
        ("Los Angeles", "Long Beach", "Los Angeles County", "California"),
        ("Cork", "Cobh", "County Cork", "Munster"),
        ("France", "Grenoble", "Auvergne-Rhône-Alpes", "[PLACE]"),
        ("Kent", "Dover, England", "Kent", "United Kingdom"),  # which is hidden with its town
    ],
)
def test_a_town_goes_up_until_it_tells_nothing_hidden(
    region: str, town: str, would_say: str, says: str
) -> None:
    text = Document(f"Once in {region}, now in {town}.")
    start = text.text.index(town)
    concepts = {
        step.term: step.concept
        for sense in default().senses(town, "LOC")
        for step in default().climb(sense)
    }
    edits = [
        Edit(8, 8 + len(region), "LOC", "[PLACE]", "", "label"),
        Edit(
            start, start + len(town), "LOC", would_say, "", GENERALISE, concept=concepts[would_say]
        ),
    ]
    assert without_hints(edits, text, load("default"))[1].replacement == says


CONTAINERS = [
    ("Republic of {}", "ORG"), ("{} County Council", "ORG"), ("1 High Street, Xyzzy, {}", "ADDRESS"),
    ("Xyzzy, {}", "LOC"), ("The {} Times", "MISC"),
]  # fmt: skip


@given(st.integers(0, 10**9), st.integers(0, 9), st.sampled_from(CONTAINERS), st.integers(1, 3))
@settings(max_examples=120, deadline=None)
def test_no_replacement_lies_in_a_place_that_a_hidden_name_holds(
    drawn: int, up: int, container: tuple[str, str], above: int
) -> None:
    table = places.default()
    town = drawn % len(table)
    around = [n for n in table.above(town)[1:] if table.is_within_country(n)]
    name = table.written(town)
    ladder = ladder_of(default(), name, "LOC", 0)
    if not around or len(ladder) < 2 or not table.senses(name) or table.senses(name)[0].key != town:
        return
    outer = table.written(around[min(above, len(around)) - 1])
    said, rung = container[0].format(outer), ladder[1 + up % (len(ladder) - 1)]
    text = Document(f"{said}; {name}")
    edits = [
        Edit(0, len(said), container[1], "[X]", ""),
        Edit(
            len(said) + 2, len(text.text), "LOC", rung.words, "", GENERALISE, concept=rung.concept
        ),
    ]
    made = without_hints(edits, text, RULES)
    hidden = {sense.key for sense in table.senses(outer)[:1]}
    number = int(made[1].concept.partition(":")[2] or 0)
    assert hidden.isdisjoint(table.above(number)), made[1].replacement
    record = Record("t", Origin(), tuple(made), (said, name))
    assert not originals_gone(render(text, made), record, place_stands=lambda _: True).failed
    if not hidden.isdisjoint(table.above(int(rung.concept.partition(":")[2] or 0))):
        told = Record("t", Origin(), tuple(edits), (said, name))
        assert originals_gone(render(text, edits), told, place_stands=lambda _: True).failed


@pytest.mark.parametrize(
    ("said", "kind"), [(("First Bank", "First Bank plc"), "ORG"), (("Vienna", "Wien"), "LOC")]
)
def test_one_thing_is_told_by_one_word(said: tuple[str, str], kind: str) -> None:
    document = Document(" and ".join(said))
    terms = [
        Term(0, len(said[0]), kind, 1.0, ""),
        Term(len(said[0]) + 5, len(document.text), kind, 1.0, ""),
    ]
    rungs = ladder_of(default(), {"ORG": "bank"}.get(kind, said[0]), kind)[-2:]
    edits = [
        Edit(t.start, t.end, kind, rung.words, "", GENERALISE, concept=rung.concept)
        for t, rung in zip(terms, rungs, strict=True)
    ]
    made = with_one_word(edits, document, terms)
    assert [e.replacement for e in made] == [rungs[-1].words] * 2
