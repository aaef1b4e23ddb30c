"""The trees on which values are softened: what a word is taken for, what may be said, spans of the calendar."""

from __future__ import annotations

import random
from datetime import date
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.document import Term
from sfumato.english.inflection import certain_plural
from sfumato.facts.implication import Hidden
from sfumato.facts.ladders import Rung
from sfumato.facts.understanding import understand
from sfumato.facts.values import Place
from sfumato.know.taxonomy import places, sensitive, softening, wordnet

DAYS = st.dates(date(1000, 1, 1), date(2999, 12, 31))


def test_no_term_has_more_words_than_are_looked_at() -> None:
    words = max(len(lemma.split()) for lemma in wordnet.default().lemmas())
    assert words == wordnet.MOST_WORDS


def test_the_table_has_what_some_word_is_taken_for_but_for_days() -> None:
    net, tree = wordnet.default(), softening.words()
    rather = sensitive.mask()
    reached = np.zeros(len(net), dtype=bool)
    for lemma in net.lemmas():
        for form in (lemma, lemma[:1].upper() + lemma[1:], lemma.upper()):
            if (sense := net.meant(form, rather)) is not None:
                reached[sense.key] = True
    day, step = net.senses("calendar day")[0].key, np.arange(len(net))
    for _ in range(30):  # a date tells the weekday, and the feast
        reached[step == day] = False
        step = tree.parents[step]
    assert (reached == tree.taken).all()
    for counted in tree.values.values():
        assert not (counted & ~tree.taken).any()


def test_what_is_said_is_understood_as_it_is_meant() -> None:
    net, tree = wordnet.default(), softening.words()
    for synset in np.flatnonzero(tree.sayable)[::7].tolist():
        assert tree.meant(net.word(synset)) == synset


def test_sensitive_and_other_words_are_all_nouns_and_no_word_is_both() -> None:
    values = softening.words().values
    for sorts in (softening.WORD_SORTS[:3], softening.WORD_SORTS[3:]):
        whole, some, rest = (values[sort] for sort in sorts)
        assert ((some | rest) == whole).all()
        assert not (some & rest).any()


@pytest.mark.parametrize(
    ("text", "word", "several"),
    [
        ("They like gymnastics.", "gymnastics", False),
        ("They like sheep.", "sheep", False),
        ("They saw two sheep.", "sheep", True),
        ("They like horses.", "horses", True),
        ("Horses came.", "Horses", True),
        ("Physics is hard.", "Physics", False),
        ("They like severe chest infections.", "severe chest infections", True),
        ("The news are good.", "news", True),
        ("The longbowmen came.", "longbowmen", True),
    ],
)
def test_a_noun_stands_in_the_plural_by_its_place_or_as_another_form_of_its_word(
    text: str, word: str, several: bool
) -> None:
    start = text.index(word)
    assert softening.words().is_several_at(text, start, start + len(word)) is several


def test_what_counts_in_the_plural_has_a_plural_that_is_read_as_one() -> None:
    net, tree = wordnet.default(), softening.words()
    plurals: dict[int, set[str]] = {}
    for lemma in net.lemmas():
        for sense in net.senses(lemma):
            if (many := certain_plural(sense.term)) is not None:
                plurals.setdefault(sense.key, set()).add(many)
    for synset in np.flatnonzero(tree.values["nouns"])[::50].tolist():
        forms = {form for many in plurals[synset] for form in (many, many[:1].upper() + many[1:])}
        assert any(
            tree.meant(form) == synset and tree.is_several_at(form, 0, len(form)) for form in forms
        )
    assert not tree.values["nouns"][net.senses("gymnastics")[0].key]


@pytest.mark.parametrize(
    ("word", "family"),
    [
        ("heroin", "intoxication"),
        ("marijuana", "intoxication"),
        ("poker", "money"),
        ("syphilis", "illness"),
        ("abortion", "family"),
        ("pistol", "violence"),
        ("Muslim", "belief"),
        ("rape", "crime"),
        ("insulin", "medicine"),
        ("house", ""),
        ("horse", ""),
        ("teacher", ""),
        ("snow", ""),
    ],
)
def test_a_delicate_word_is_taken_in_its_delicate_sense_and_a_plain_one_is_not(
    word: str, family: str
) -> None:
    synset = softening.words().meant(word)
    assert synset is not None
    assert sensitive.mask()[synset] == bool(family)
    above = wordnet.default().subsumers_of(synset)
    tops = map(sensitive.concept, sensitive.FAMILIES.get(family, ()))
    assert above.isdisjoint(tops) == (not family)


def test_a_small_word_is_no_acronym() -> None:
    tree = softening.words()
    assert tree.meant("who") is None
    assert tree.meant("WHO") is not None
    assert tree.meant("hiv") == tree.meant("HIV")  # sensitive words are, however they are written


def test_a_capital_letter_at_the_start_of_a_sentence_means_nothing() -> None:
    tree, text = softening.words(), "China broke. We saw China."
    assert tree.meant_at(text, 0, 5) == tree.meant("china")
    assert tree.meant_at(text, 20, 25) == tree.meant("China") != tree.meant("china")


def test_every_place_but_the_root_may_be_said() -> None:
    tree = softening.place_tree()
    assert len(tree.parents) == len(places.default())
    assert not tree.sayable[0]
    assert tree.sayable[1:].all()
    assert not tree.values[0]


@given(DAYS, st.sampled_from(["month", "year", "decade", "century"]))
def test_a_span_holds_its_day_and_all_days_of_a_span_have_its_key(
    day: date, span: softening.Span
) -> None:
    key = softening.span_key(day.toordinal(), span)
    first, last = softening.span_ends(key)
    assert first <= day.toordinal() <= last
    assert {softening.span_key(d, span) for d in (first, last)} == {key}
    assert softening.span_key(first - 1, span) != key != softening.span_key(last + 1, span)


@given(DAYS, st.sampled_from(["day", "month", "year"]))
def test_no_span_has_fewer_values_than_its_level_promises(
    day: date, level: softening.DateLevel
) -> None:
    for span, fewest in softening.SPANS[level].items():
        assert softening.values_in(softening.span_key(day.toordinal(), span), level) >= fewest


def test_spans_are_written_as_people_write_them() -> None:
    day = date(2004, 5, 14).toordinal()
    written = [
        softening.span_written(softening.span_key(day, s))
        for s in ("month", "year", "decade", "century")
    ]
    assert written == ["May 2004", "2004", "2000s", "21st century"]
    assert softening.span_written(500) == "May"


def test_bands_nest() -> None:
    widths = list(islice(softening.band_widths(), 8))
    assert widths == [5, 10, 50, 100, 500, 1000, 5000, 10000]


def test_a_place_counts_only_if_its_name_alone_is_read_as_it_and_tells_nothing_else() -> None:
    table, tree = places.default(), softening.place_tree()
    for number in random.Random(7).sample(np.flatnonzero(tree.values).tolist(), 300):
        name = table.written(number)
        (fact,) = understand(name, [Term(0, len(name), "LOC", 1.0, "")])
        assert fact.value == Place(number, tuple(table.above(number)[1:])), name
        hidden = Hidden.of({name}, {f"places:{number}"})
        for around in set(table.above(number)[1:-1]) - table.lands(name):
            told = hidden.is_told_by(Rung(table.written(around), 0, f"places:{around}"))
            known = {number, *softening.beside(number)[1]}
            by_words = softening.read_in(table.written(around))[1] | set(table.above(around))
            assert not told or known & by_words, name
    for name in ("‘Anātā", "28 May", "March"):
        assert not any(tree.values[sense.key] for sense in table.senses(name)[:1])
