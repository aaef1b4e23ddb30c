"""The nouns of a text by a list of words: which are found, and where each begins and ends."""

from __future__ import annotations

import random

import numpy as np
import pytest

from sfumato.know.taxonomy import nouns, softening, wordnet


def found(text: str) -> list[str]:
    return [text[a:b] for a, b in nouns.read(text).terms]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("They spoke about a cut-in again.", ["cut-in"]),
        ("Her mother-in-law plays the viola da gamba.", ["mother-in-law", "viola da gamba"]),
        ("She owns squirrel's-foot fern.", ["squirrel's-foot fern"]),
        ("His Alzheimer’s disease.", ["Alzheimer’s disease"]),
        ("The HIV clinic physician came.", ["HIV", "clinic", "physician"]),
        ("Known gibraltar fever; severe hepatitis.", ["gibraltar fever", "hepatitis"]),
        (
            "Type 2 diabetes, stage IV cancer of type 2.",
            ["Type 2 diabetes", "stage IV cancer", "type"],
        ),
        ("HIV-1 infection; heroin-2024-3", ["HIV-1", "infection", "heroin"]),
        ("Criminal proceedings were opened.", ["proceedings"]),
        ("HEPATITIS\nCodeine", ["HEPATITIS", "Codeine"]),
        ("A codeine-free, non-codeine pill.", ["codeine", "codeine", "pill"]),
        ("Nobody came, and none of us did.", []),
        ("They fear him and abuse her; the abuse, a fear.", ["abuse", "fear"]),
        ("They want to murder him. The murder of a Muslim.", ["murder", "Muslim"]),
        ("A Muslim nurse is Muslim; Muslims came.", ["nurse", "Muslims"]),
        ("He left the left side.", ["side"]),
        ("It told us of the WHO, and who came.", ["WHO"]),
    ],
)
def test_a_noun_is_the_whole_of_its_term_and_no_word_that_is_something_else(
    text: str, terms: list[str]
) -> None:
    assert found(text) == terms


PLACES = (
    "Known {}, stable.",
    "They fear {} and murder; the drunk {} left.",
    "{} abuse, saw {} run",
    "The {}-free, non-{} Muslim {} is drunk.",
    "TO {} OR THE {} ABUSE",
)


@pytest.mark.parametrize("frame", PLACES)
def test_any_noun_that_counts_is_found_in_the_same_places_beside_the_same_others(
    frame: str,
) -> None:
    net, dice = wordnet.default(), random.Random(frame)
    values = np.flatnonzero(softening.words().values["noun"]).tolist()
    words = [net.word(n) for n in dice.sample(values, 300)]
    words = [w for w in words if nouns.manner(w) == 0 and found(w) == [w]]
    parts = frame.split("{}")
    beside = set().union(
        *(nouns.swallowed(nouns.words_before(p, len(p)), ()) for p in parts[:-1]),
        *(nouns.swallowed((), nouns.words_after(p, 0)) for p in parts[1:]),
    )
    seen = set()
    for word in words:
        if not beside.intersection(sense.key for sense in net.senses(word)):
            text, at = frame.replace("{}", word), len(word) - 2
            starts = [sum(map(len, parts[: n + 1])) + n * len(word) for n in range(len(parts) - 1)]
            terms = nouns.read(text).terms
            assert all((a, a + len(word)) in terms for a in starts), text
            seen.add(tuple(a - at * sum(s < a for s in starts) for a, _ in terms))
    assert len(seen) == 1
    assert len(words) > 200


@pytest.mark.parametrize(
    ("before", "after", "word"),
    [
        (("the", "heroin"), (), "addict"),
        (("drug", "of"), (), "abuse"),
        ((), ("addict",), "heroin"),
        (("chest",), ("came",), "pain"),
        (("abortion",), (), "pill"),
    ],
)
def test_a_noun_that_makes_a_term_with_its_neighbours_is_not_read_by_itself(
    before: tuple[str, ...], after: tuple[str, ...], word: str
) -> None:
    synset = softening.words().meant(word)
    assert synset in nouns.swallowed(before, after)
    assert synset not in nouns.swallowed(("some",), ("again",))
    if before and not after:
        assert synset in nouns.joined((before[0], "table"), before[1:]) or len(before[0]) < 4


def test_what_stands_beside_a_place_is_read_as_far_as_a_term_may_go() -> None:
    text = "No: the drug of last (abuse). Then"
    at = text.index("(")
    assert nouns.words_before(text, at) == ("the", "drug", "of", "last")
    assert nouns.words_before(text, at + 1) == ()
    assert nouns.words_after(text, text.index(" of")) == ("of", "last")
    assert nouns.words_between(" x" * 60) is None


@pytest.mark.parametrize("before", [("heroin",), ("american",), ("church",), ("three", "blind")])
@pytest.mark.parametrize(
    "word", ["addict", "game", "mouse", "mother-in-law", "child", "house", "service"]
)
def test_what_is_asked_for_is_all_that_is_found_among_it(
    before: tuple[str, ...], word: str
) -> None:
    net = wordnet.default()
    some = set(net.synsets_of(word))
    some |= {below for synset in some for below in net.below(synset)}
    own = nouns.beginnings(tuple(name for n in some for name in net.terms_of(n)))
    for after in ((), ("center",), ("of", "the")):
        whole = nouns.swallowed(before, after)
        assert some & nouns.swallowed(before, after, own) == some & whole
    names = (*before, "codeine")
    assert some & nouns.joined(names, (), own) == some & nouns.joined(names)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Sonja goes to the clinic.", ["clinic"]),
        ("Sonja coughs at night and wants to see a specialist.", ["night", "specialist"]),
        ("Sonja lives alone.", []),
        ("Eric wants to go. Vincent kills time.", ["time"]),
        ("A pain that burns, and drugs which kill.", ["pain", "drugs"]),
        ("This hurts. Each coughs. Many abuse it.", []),
        ("She's hurt. They drink, cough and cry.", []),
        ("Go to the clinic.", ["clinic"]),
        ("It is bad. Divorce. Abuse of drugs.", ["Divorce", "Abuse", "drugs"]),
        ("This cough, her wants and two burns.", ["cough", "wants", "burns"]),
        ("A dry cough. Fever, cough and burn.", ["cough", "Fever", "cough", "burn"]),
        ("A rash, burn, and itch.", ["rash", "burn", "itch"]),
        ("The rebels attack at night.", ["rebels", "night"]),
        ("He had burns of the skin after abuse.", ["skin", "abuse"]),
        ("She had cough, and has hurt, hit and cut him.", ["cough"]),
        ("The severe cough, her severe itch. The old drink.", ["cough", "itch", "old"]),
        ("She no longer wants it. Some really hurt.", ["longer"]),
    ],
)
def test_what_may_be_a_verb_where_it_stands_is_no_noun(text: str, terms: list[str]) -> None:
    assert found(text) == terms


@pytest.mark.parametrize("after", [(), ("line",), ("of", "a", "man")])
def test_which_article_stands_makes_no_term_another(after: tuple[str, ...]) -> None:
    """ "filed an objection" is said as "filed a …": who counts sees the one, who checks the other."""
    one, other = (nouns.swallowed(("filed", article), after) for article in ("a", "an"))
    assert one == other > set()
