"""Whoever has the program puts every candidate through it: those that are counted all come out as the release,
names and dates pay for nothing that is not theirs, and one number said five times is one number."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
import pytest

from sfumato import Release, sanitize
from sfumato.english.articles import indefinite_article, is_countable
from sfumato.english.chunker import FUNCTION
from sfumato.english.inflection import certain_plural
from sfumato.english.wordlists import LISTS
from sfumato.errors import InputError
from sfumato.keys import Key
from sfumato.know.tables import Array
from sfumato.know.taxonomy import nouns, places, softening, wordnet
from sfumato.verify.alternatives import tree_walk
from sfumato.verify.plausibility import PLAUSIBLE
from tests.conftest import EXAMPLES, SHARED

KEY = Key(bytes(range(32)))


def release(text: str, t: int, detect: list[Any] | None = None, **options: Any) -> Release:
    rules: dict[str, Any] = {"protect": [{"plausibility": {"t": t, **options}}]}
    return sanitize(text, rules if detect is None else rules | {"detect": detect}, key=KEY)


def part(made: Release) -> dict[str, Any]:
    claim = next(c for c in made.certificate.claims if c.name == PLAUSIBLE)
    nothing: dict[str, Any] = {"texts": 1, "terms": []}
    return next(iter(claim.parameters["units"]), nothing)


def spellings() -> dict[int, list[str]]:
    """All spellings of each synset."""
    net = wordnet.default()
    made: dict[int, dict[str, None]] = {}
    for lemma in net.lemmas():
        for sense in net.senses(lemma):
            made.setdefault(sense.key, {})[sense.term] = None
    return {synset: list(words) for synset, words in made.items()}


SPELLINGS = spellings()
T = 10
# Where nouns stand; those of MANY in the plural.
FRAMES = {
    "bare": "They spoke about {} again.",
    "article": "She owns a {} now.",
    "start": "{} came up again.",
    "some": "There was some {} left.",
    "possessive": "It was the {}'s.",
    "numeral": "Nobody saw two {} there.",
    "plural": "They know {}.",
}
MANY = ("numeral", "plural")
SHAPES: dict[str, Callable[[str], bool]] = {
    "any": lambda word: True,
    "mass": lambda word: not is_countable(word),
    "in s": lambda word: word.endswith("s"),
    "words": lambda word: " " in word,
    "hyphen": lambda word: "-" in word,
    "capital": lambda word: word[:1].isupper(),
}


def put(text: str, start: int, end: int, word: str, several: bool) -> str | None:
    """A text with another word in a place, in the singular or in the plural."""
    said = certain_plural(word) if several else word
    if said is None:
        return None
    before = re.sub(r"\ban? $", f"{indefinite_article(said)} ", text[:start])
    return before + (said if start else said[:1].upper() + said[1:]) + text[end:]


def sentence(frame: str, word: str, several: bool) -> str | None:
    start = FRAMES[frame].index("{")
    return put(FRAMES[frame], start, start + 2, word, several)


def shown(text: str, t: int = T) -> str:
    try:
        return release(text, t, [], terms="nouns").text
    except InputError:
        return ""


def alike(text: str, made: Release, t: int = T) -> int:
    """How many of the values that are certified give the same release in the place of the one that was
    softened, as far as t."""
    ((_, _, concept, sort, _),) = part(made)["terms"]
    node, enough = int(concept.partition(":")[2]), softening.words_for(t)
    values = sorted(tree_walk(sort, 1).leaving(node, enough))
    assert part(made)["texts"] <= len(values)
    random.Random(1).shuffle(values)
    (edit,) = (e for e in made.edits if e.concept)
    place = edit.start, edit.end
    others = ((put(text, *place, w, sort == "nouns") for w in SPELLINGS[n]) for n in values)
    same = (any(shown(other, t) == made.text for other in some if other) for some in others)
    return sum(islice(filter(None, same), t))


def softened(shape: str, frame: str, dice: random.Random) -> Iterator[tuple[str, Release]]:
    """Sentences with a random word of a shape, and their releases, where that is all that is softened."""
    lemmas = [s for words in SPELLINGS.values() for s in words if SHAPES[shape](s)]
    while True:
        text = sentence(frame, dice.choice(lemmas), frame in MANY)
        with suppress(InputError):
            made = release(text or "", T, [], terms="nouns")
            claim = next(c for c in made.certificate.claims if c.name == PLAUSIBLE)
            slots = [slot for unit in claim.parameters["units"] for slot in unit["terms"]]
            if text and len(slots) == 1 and slots[0][2]:
                yield text, made


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("shape", SHAPES)
def test_as_many_as_t_of_the_certified_originals_give_the_same_release(
    shape: str, frame: str
) -> None:
    for text, made in islice(softened(shape, frame, random.Random(f"{shape} {frame}")), 2):
        assert alike(text, made) >= T, text


@pytest.mark.slow
@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("shape", SHAPES)
def test_many_words_of_all_shapes_can_be_inverted_no_further(shape: str, frame: str) -> None:
    for text, made in islice(softened(shape, frame, random.Random(f"{frame} {shape}")), 40):
        assert alike(text, made) >= T, text


@pytest.mark.parametrize(
    "word",
    [
        "whisky",
        "gymnastics",
        "chemistry",
        "billiards",
        "physics",
        "diabetes",
        "news",
        "mathematics",
        "lens",
        "virus",
        "biology",
    ],
)
@pytest.mark.parametrize("frame", ["bare", "some", "start"])
def test_a_word_in_s_and_one_without_a_plural_are_said_like_the_others_of_their_class(
    word: str, frame: str
) -> None:
    text = str(sentence(frame, word, several=False))
    assert alike(text, release(text, T, [], terms="nouns")) >= T


@pytest.mark.parametrize("frame", ["article", "start", "possessive"])
@pytest.mark.parametrize("word", ["USA", "Bath"])
def test_a_noun_that_names_a_place_is_said_as_it_was_planned(word: str, frame: str) -> None:
    text = str(sentence(frame, word, several=False))
    assert alike(text, release(text, T, [], terms="nouns")) >= T


def test_no_individual_and_nothing_with_a_capital_is_a_value() -> None:
    net = wordnet.default()
    for mask in softening.words().values.values():
        for synset in np.flatnonzero(mask).tolist():
            small = filter(str.islower, net.terms_of(synset))
            senses = (sense for word in small for sense in net.senses(word))
            assert any(s.key == synset and not s.named for s in senses), net.word(synset)


@pytest.mark.parametrize(
    ("sentence", "words", "t"),
    [
        ("They spoke about {} and later about {} again.", ("morphine", "trombone"), 12),
        ("We saw a {} beside the {}.", ("spaniel", "willow"), 15),
        ("She sold a {} and bought a {}.", ("dagger", "sofa"), 20),
    ],
)
def test_every_combination_that_counts_gives_the_same_release(
    sentence: str, words: tuple[str, str], t: int
) -> None:
    made = release(sentence.format(*words), t, [], terms="nouns")
    assert part(made)["texts"] >= t
    dice = random.Random(1)
    nodes = [int(slot[2].partition(":")[2]) for slot in part(made)["terms"]]
    choices = [below(node) for node in nodes]
    found = set[tuple[int, ...]]()
    for _ in range(60 * t):
        pair = tuple(dice.choice(choice) for choice in choices)
        if len(found) < t and pair not in found:
            text = sentence.format(*(SPELLINGS[n][0] for n in pair))
            found |= {pair} if shown(text, t) == made.text else set()
    assert len(found) >= t


def below(node: int) -> list[int]:
    """The synsets below one by first parents, walked from every synset."""
    parents = softening.words().parents

    def holds(synset: int) -> bool:
        while parents[synset] != synset:
            synset = parents[synset]
            if synset == node:
                return True
        return False

    return [n for n in range(len(parents)) if holds(n)]


@pytest.mark.parametrize("year", range(1980, 1990))
def test_every_year_that_counts_gives_the_same_release(year: int) -> None:
    made = release(f"It opened in {year}.", 8, terms="findings")
    assert made.text == "It opened in the 1980s."
    assert part(made)["texts"] == 10


@pytest.mark.parametrize(
    ("frame", "words"),
    [
        ("{} smokes opium against arthritis.", ("opium", "arthritis")),
        ("{} was arrested for arson and rape.", ("arson", "rape")),
        ("{} hid a revolver and some ecstasy.", ("revolver",)),
        ("{} has cirrhosis after years of vodka.", ("cirrhosis", "vodka")),
        ("{} spoke of her pregnancy and a miscarriage.", ("pregnancy",)),
    ],
)
@pytest.mark.parametrize("name", ["Sarah Jones", "Ali Hassan"])
def test_a_name_pays_for_no_delicate_word(frame: str, words: tuple[str, ...], name: str) -> None:
    for who in ("She", name):
        told = release(frame.format(who), 10).text
        assert [w for w in words if re.search(rf"\b{w}\b", told)] == []
    anonymous, named = (release(frame.format(who), 10) for who in ("She", name))
    assert part(anonymous)["texts"] == part(named)["texts"]


@pytest.mark.parametrize("name", ["discharge-note.txt", "court-summary.txt", "email-thread.txt"])
def test_a_larger_t_gives_another_release_that_tells_less(name: str) -> None:
    text = (EXAMPLES / name).read_text()
    made = [release(text, t) for t in (10, 10**3, 10**6)]
    assert len({m.text for m in made}) == 3
    bits = [sum(math.log2(n) for n in alternatives(m)) for m in made]
    assert bits == sorted(bits)


@pytest.mark.parametrize("word", ["sex", "loan", "marriage", "debt", "poverty"])
def test_a_label_for_a_noun_at_a_small_t_costs_less_than_a_large_t(word: str) -> None:
    text = f"Heroin against arthritis, a revolver and {word} came up."
    small, large = (loss(release(text, t)) for t in (10, 10**3))
    assert small < large


@pytest.mark.slow
def test_a_larger_t_costs_more_on_every_judgment() -> None:
    judgments = SHARED / "tab" / "dev.jsonl"
    if not judgments.exists():
        pytest.skip("no judgments here: shared/data/tab is missing")
    with judgments.open() as lines:
        texts = [json.loads(line)["text"] for line in lines]
    for text in texts:
        made = [release(text, t) for t in (10, 10**3, 10**6)]
        losses = [loss(m) for m in made]
        assert losses == sorted(set(losses))


def loss(made: Release) -> float:
    """The bits that are left open of all facts: the alternatives of each; of a noun with a label, the nouns
    that have labels where so many are asked of them; of another label, all that a text may say."""
    labels = {
        e.numbers["fact"]: e.numbers for e in made.edits if "fact" in e.numbers and not e.concept
    }
    bits = (
        math.log2(unsaid(n["sort"], n["asked"])) if "sort" in n else 16 for n in labels.values()
    )
    return math.fsum((*map(math.log2, alternatives(made)), *bits))


@cache
def unsaid(sort: float, asked: float) -> int:
    """How many nouns of a sort have labels: those that leave at no node."""
    name = softening.WORD_SORTS[int(sort)]
    walk, values = tree_walk(name, 1), softening.words().values[name]
    enough = softening.words_for(int(asked))
    return int(values.sum()) - sum(len(walk.leaving(n, enough)) for n in range(len(values)))


def alternatives(made: Release) -> Iterator[float]:
    """Of every fact that is softened, the number of its alternatives."""
    facts = {e.numbers["fact"]: e for e in made.edits if "fact" in e.numbers and e.concept}
    return (edit.numbers["alternatives"] for edit in facts.values())


@pytest.mark.parametrize("t", [10, 1000, 10**6])
def test_no_hidden_value_stands_in_a_replacement_of_the_note(t: int) -> None:
    text = (EXAMPLES / "discharge-note.txt").read_text()
    made = release(text, t)
    hidden = {text[e.start : e.end].lower() for e in made.edits if "fact" in e.numbers}
    words = {e.replacement.lower() for e in made.edits if e.concept}
    assert not hidden & words
    assert "Nigeria" not in made.text  # as "Nigerian-born" is hidden, too


# Sentences of many shapes, and whether their nouns stand in the plural.
PLACED = {
    "start": ("{} is the reason.", False),
    "participle": ("Known {}, stable.", False),
    "adjective": ("Oral {} was given.", False),
    "his": ("His {} was known to the neighbours.", False),
    "colon": ("Diagnosis: {}", False),
    "quoted": ('She said "{}" twice.', False),
    "alone": ("Suspected {}.", False),
    "question": ("Why {}?", False),
    "verb": ("They fear {} and murder.", False),
    "adjectives": ("The drunk {} is Muslim, gay and black.", False),
    "many": ("Many {} were seen.", True),
    "possessive": ("The {}'s end came.", False),
    "-free": ("A {}-free life.", False),
    "non-": ("A non-{} case.", False),
    "compound": ("The heroin {} ran.", False),
    "abuse": ("The murder followed {} and abuse.", False),
    "of": ("A case of {} or rape.", False),
    "another": ("We talked about {} and later about Muslim again.", False),
    "list": ("- {}\n- gonorrhea", False),
    "shouted": ("HISTORY OF {} AND ABUSE", False),
    "two": ("We talked about {} and later about abortion again.", False),
    "beside": ("He saw the abortion {} there.", False),
    "three": ("First {}, then drink, then codeine.", False),
}


def inverted(shape: str, dice: random.Random, fewer: int) -> Iterator[tuple[str, float, int]]:
    """Sentences with a random delicate noun, how many values it is counted for, and how many of those give
    the same release, of as many as there are, if these are `fewer`."""
    frame, several = PLACED[shape]
    tree, at = softening.words(), frame.index("{")
    values = np.flatnonzero(tree.values["sensitives" if several else "sensitive"])

    def said(synset: int) -> Iterator[str]:
        for word in SPELLINGS[synset]:
            text = put(frame, at, at + 2, word.upper() if shape == "shouted" else word, several)
            if text is not None:
                yield text[:2] + text[2].upper() + text[3:] if shape == "list" else text

    for _ in range(500):  # else nothing of this shape is softened
        text = next(said(int(dice.choice(values))), "")
        with suppress(InputError):
            made = release(text, 15, [])
            edits = [e for e in made.edits if e.concept]
            facts = [e.numbers["fact"] for e in edits]
            # delicate nouns side by side are one, which means the last of them
            edit = next((e for e in edits if e.start <= at < e.end), None)
            if edit is None or facts.count(edit.numbers["fact"]) > 1:
                continue
            sort = next(slot[3] for slot in part(made)["terms"] if slot[2] == edit.concept)
            members = values[_lies_below(int(edit.concept.partition(":")[2]), values)]
            if sort.startswith("sensitive") and len(members) <= fewer:
                same = sum(any(shown_as(t, made.text) for t in said(int(n))) for n in members)
                yield text, edit.numbers["alternatives"], same


def _lies_below(node: int, values: Array) -> Array:
    """Which of some synsets lie below one by first parents."""
    parents, at = softening.words().parents, values
    below = np.zeros(len(values), dtype=bool)
    while (parents[at] != at).any():
        at = parents[at]
        below |= at == node
    return below


def shown_as(text: str, wanted: str) -> bool:
    try:
        return release(text, 15, []).text == wanted
    except InputError:
        return False


@pytest.mark.parametrize("shape", [*PLACED][1::3])
def test_which_nouns_are_found_and_how_they_are_said_does_not_depend_on_them(shape: str) -> None:
    ((text, counted, same),) = islice(inverted(shape, random.Random(shape), 30), 1)
    assert counted <= same, text


@pytest.mark.slow
@pytest.mark.parametrize("shape", PLACED)
def test_in_many_sentences_of_all_shapes_no_more_are_counted_than_come_out_alike(
    shape: str,
) -> None:
    found = list(islice(inverted(shape, random.Random(f"more {shape}"), 300), 6))
    assert found
    for text, counted, same in found:
        assert counted <= same, text


@pytest.mark.parametrize(
    ("text", "t"),
    [
        ("Known gibraltar fever, stable.", 45),
        ("Possible gibraltar fever?", 45),
        ("His promethazine was known to the neighbours.", 20),
        ("We talked about condom and later about Muslim again.", 15),
        ("We talked about anarchist and later about abortion again.", 45),
    ],
)
def test_the_word_before_a_noun_stays_and_the_noun_after_another_is_found(
    text: str, t: int
) -> None:
    made = release(text, t, [])
    kept = re.match(r"\w+", text)
    assert kept is not None
    assert made.text.startswith(kept[0])
    assert "Muslim" not in made.text
    assert "abortion" not in made.text


# What was counted before, and what is true


@pytest.mark.parametrize("adversary", ["program", "text"])
@pytest.mark.parametrize("t", [20, 500, 1000])
def test_a_day_that_may_be_two_is_the_one_that_the_age_follows_from(adversary: str, t: int) -> None:
    text = "Mr Ivan Popov, DOB 03/06/1969, aged 49, was admitted on 5 May 2019."
    made = release(text, t, terms="findings", adversary=adversary)
    assert "March" not in made.text
    assert "45" not in made.text
    assert part(made)["texts"] == 1


@pytest.mark.parametrize("adversary", ["program", "text"])
@pytest.mark.parametrize(
    "text",
    [
        "Admitted: 03/06/2024. Discharged: 11/06/2024. The patient lives in Truro, Cornwall.",
        "The accident happened on 07/12/2023. Seen in Leeds, England.",
        "The accident happened on 07/12/2023, with asthma.",
    ],
)
def test_a_day_that_may_be_two_is_told_as_neither(text: str, adversary: str) -> None:
    made = release(text, 20, adversary=adversary)
    assert not re.search("March|June|July|November|December", made.text)


def test_a_day_that_other_dates_or_words_settle_is_told_by_its_month() -> None:
    assert release("Seen 13/06/2024.", 20).text == "Seen June 2024."
    made = release("On 3 June 2024 (03/06/2024) he fell.", 20, terms="findings")
    assert made.text == "In June 2024 (June 2024) he fell."


ILL = "It was arthritis."


def count(text: str, t: int, **options: Any) -> int:
    return int(part(release(text, t, terms="findings", **options))["texts"])


LIVING = "pregnant,married,retired,widowed,menopausal,at university,a soldier,a toddler,the bride"


@pytest.mark.parametrize("adversary", ["program", "text"])
@pytest.mark.parametrize("living", ["", *LIVING.split(",")])
@pytest.mark.parametrize("said", ["aged 32", "32 years old", "thirty-two"])
def test_an_age_pays_for_nothing_whatever_is_told_of_somebody(
    said: str, living: str, adversary: str
) -> None:
    text = f"She is {said}{living and ', '}{living}. At 32, a 32-year-old."
    made = release(text, 20, terms="findings", adversary=adversary)
    assert part(made)["texts"] == 1
    assert not any(e.concept for e in made.edits)


def test_one_birth_date_in_three_spellings_is_one_of_the_days_of_its_month() -> None:
    text = "Born on 4 February 1985 (04/02/1985; 1985-02-04)."
    assert count(text, 20) == 28


def test_years_are_counted_as_years() -> None:
    assert count("She moved in 1999.", 10) == 10


def test_the_label_of_a_name_pays_for_nothing() -> None:
    made = release("Sarah Jones uses marijuana for phantom limb pain.", 1000)
    assert made.text == "[PERSON 1] uses a drug for pain."


def test_an_age_that_follows_from_two_dates_says_no_more_than_they_do() -> None:
    text = "Born 17 March 1968. Admitted 4 February 2025. A 56-year-old, 56 years old."
    made = release(text, 20, terms="findings")
    assert "56" not in made.text
    assert part(made)["texts"] == 1
    wide = release(f"He was born in 1985 and admitted in 2019, aged 34. {ILL}", 8, terms="delicate")
    assert wide.text.startswith("He was born in the 1980s and admitted in the 2010s, aged 20–39.")


LIVES = [
    "Anna was born on 4 May 1985. Her son was born on 3 June 2005, when she was 20 years old.",
    "Born 3 May 1980, he was admitted on 10 June 2024. On 12 July 2010, aged 30, he fell.",
    "He was born in 1985. At 20, he moved in 2005.",
    "He was born in 1985. In 2005 he was twenty and moved.",
    "It began in 1985. In 2005, aged 20, it ended.",
]


@pytest.mark.parametrize("adversary", ["program", "text"])
@pytest.mark.parametrize("text", LIVES)
def test_neither_dates_nor_ages_count_beside_each_other(text: str, adversary: str) -> None:
    assert count(text, 5, adversary=adversary) == 1
    options: dict[str, Any] = {"terms": "delicate", "adversary": adversary}
    alone, beside = (release(said, 8, **options) for said in (ILL, f"{ILL} {text}"))
    assert 8 <= part(beside)["texts"] <= part(alone)["texts"]


@pytest.mark.parametrize("adversary", ["program", "text"])
def test_an_age_that_follows_says_all_that_any_two_dates_allow(adversary: str) -> None:
    frame = "Born in {}, ill in {}; in {}, aged {}, he fell. It was arthritis."
    options: dict[str, Any] = {"terms": "delicate", "adversary": adversary}
    made = release(frame.format(1985, 2023, 2015, 30), 8, **options)
    assert "aged 20–49" in made.text
    for years in ((1980, 2029, 2010, 30), (1989, 2020, 2019, 30), (1982, 2028, 2011, 29)):
        assert release(frame.format(*years), 8, **options).text == made.text


def test_a_small_t_and_an_immense_one_differ_on_the_note() -> None:
    text = (EXAMPLES / "discharge-note.txt").read_text()
    small = release(text, 2).text
    assert "HIV-1 infection" not in small
    try:
        large = release(text, 10**62).text
    except InputError as refused:
        large = str(refused)
    assert small != large


# What the text tells of the order of dates and numbers, and of which place lies in which


@pytest.mark.parametrize("adversary", ["program", "text"])
@pytest.mark.parametrize(
    "text",
    [
        "He stayed from 3 June 2024 to 9 June 2024.",
        "Admitted on 3 June 2024, discharged on 9 June 2024.",
        "In at 3 June 2024; on 5 June 2024 cut, on 8 June 2024 out.",
        "He served from 1992 to 1996 and was away from 1997 to 1999.",
        "The elder brother is 45 and the younger one is 43.",
    ],
)
@pytest.mark.parametrize("t", [2, 1000])
def test_of_what_may_be_told_in_an_order_nothing_is_counted(
    text: str, t: int, adversary: str
) -> None:
    made = release(text, t, terms="findings", adversary=adversary)
    assert not any(slot[2] for slot in part(made)["terms"])


PAIRS = [("Lyon", "France"), ("Tartu", "Estonia"), ("Graz", "Linz"), ("Boston", "Chicago")]
WAYS = [
    "They drove from {} to {}.",
    "She lives in {} and commutes to {}.",
    "She lives in {}, an hour from {}.",
    "She lives in {}, opposite {}.",
    "{} is north of {}.",
    "She was born in {}. Two stops on, in {}, she got off.",
    "He came from {} to {} on foot.",
    "He moved up from {} to {}.",
    "She was born in {}, not near {}.",
    "She was born in {} and is 20 now, in {}.",
    "{}–{} and back.",
    "In {} she fell ill, and the next village, {}, was poor.",
]


def placed(frame: str, some: tuple[str, ...], t: int, adversary: str = "program") -> Release:
    hide = [{"lists": {"hide": [{"kind": "LOC", "terms": [*some]}]}}]
    return release(frame.format(*some), t, hide, terms="findings", adversary=adversary)


@pytest.mark.parametrize("adversary", ["program", "text"])
@pytest.mark.parametrize(
    "frame",
    [
        "She was born in {} ({}).",
        "She lives in {} in {}.",
        "She came from {}. It is in {}.",
        "He moved from {} to {}.",
    ],
)
@pytest.mark.parametrize("some", PAIRS)
def test_of_two_places_one_counts(some: tuple[str, str], frame: str, adversary: str) -> None:
    made = placed(frame, some, 20, adversary)
    alone = placed("She lives in {}.", some[:1], 20, adversary)
    nodes = [int(slot[2].partition(":")[2]) for slot in part(made)["terms"] if slot[3] == "place"]
    parents = places.default().parents
    below = (sum(n in places.default().above(m)[1:] for m in range(len(parents))) for n in nodes)
    assert 20 <= part(made)["texts"] <= min(below)
    assert part(alone)["texts"] >= 20
    with pytest.raises(InputError, match="cannot be reached"):
        placed(frame, some, 10**5, adversary)


@pytest.mark.parametrize("adversary", ["program", "text"])
@pytest.mark.parametrize("frame", WAYS)
@pytest.mark.parametrize("some", PAIRS[1:3])
def test_of_two_places_none_counts_where_a_word_may_tell_the_way(
    some: tuple[str, str], frame: str, adversary: str
) -> None:
    made = placed(frame, some, 20, adversary)
    assert part(made)["texts"] == 1
    assert not any(e.concept for e in made.edits)


def test_of_places_that_are_near_each_other_one_counts_only_if_it_may_lie_in_the_other() -> None:
    near = "She lives in {}, near {}."
    assert part(placed(near, ("Tartu", "Estonia"), 20))["texts"] >= 20
    assert not any(e.concept for e in placed(near, ("Boston", "Lyon"), 20).edits)
    assert not any(e.concept for e in placed(near, ("Tartu", "Estonia"), 20, "text").edits)
    three = "She lives in {} in {}, near {}."
    assert not any(e.concept for e in placed(three, ("Tartu", "Estonia", "Riga"), 20).edits)


@pytest.mark.parametrize("adversary", ["program", "text"])
def test_of_more_than_three_places_none_counts(adversary: str) -> None:
    frame = "He was born in {}. He lived in {}. It is in {} and in {}."
    some = ("Leeds", "Chicago", "Cook County", "Illinois")
    made = placed(frame, some, 20, adversary)
    assert part(made)["texts"] == 1
    assert not any(name in made.text for name in some)
    assert part(placed(frame.replace("born in {}", "born"), some[1:], 20, adversary))["texts"] >= 20
    beside = placed(f"{frame} {ILL}", some, 20, adversary)
    assert not any(name in beside.text for name in some)


@pytest.mark.parametrize("t", [20, 500])
@pytest.mark.parametrize("some", [("Lyon", "France"), ("Tartu", "Estonia")])
def test_towns_with_their_countries_come_out_alike(some: tuple[str, str], t: int) -> None:
    frame, table, tree = "She lives in {} in {}.", places.default(), softening.place_tree()
    made = placed(frame, some, t)
    node = int(part(made)["terms"][0][2].partition(":")[2])
    sure = tree.values & ~tree.wavering
    held = {
        town: [n for n in around[: around.index(node)] if sure[n]]
        for town in np.flatnonzero(sure).tolist()
        if node in (around := table.above(town)[1:])
    }
    assert part(made)["texts"] <= sum(map(bool, held.values()))
    countries = {town: some_[-1] for town, some_ in held.items() if some_}
    pairs = [pair for pair in countries.items() if tree.parents[pair[1]] == node]
    for town, country in random.Random(1).sample(pairs, 8):
        pair = table.written(town), table.written(country)
        assert placed(frame, pair, t).text == made.text, pair


def test_a_word_that_tells_no_way_is_the_value_of_no_noun() -> None:
    """Where it stands beside two places these count, and no other noun is softened."""
    net, tree = wordnet.default(), softening.words()
    listed = {*LISTS["of no way"], *LISTS["nouns of no way"], *LISTS["of a short way"]} - FUNCTION
    always = [word for word in listed if nouns.manner(word) == 0]
    assert "family" in always
    for word in always:
        assert not any(mask[s.key] for s in net.senses(word) for mask in tree.values.values()), word


@pytest.mark.parametrize("adversary", ["program", "text"])
@pytest.mark.parametrize(
    ("beside", "counts"),
    [
        ("and is a member of the RCMP", False),
        ("and votes for the Greens", False),
        ("where she sat her GCSEs", False),
        ("and I know Mrs Ray", False),
        ("and I know Dr X", True),
        ("and is well. Yesterday she rang", True),
    ],
)
def test_a_place_beside_a_name_counts_for_nothing(
    beside: str, counts: bool, adversary: str
) -> None:
    hide = [{"lists": {"hide": [{"kind": "LOC", "terms": ["Gliwice"]}]}}]
    text = f"She lives in Gliwice {beside}."
    made = release(text, 20, hide, terms="findings", adversary=adversary)
    assert (part(made)["texts"] >= 20) == counts


def test_what_lies_in_a_hidden_year_goes_up_with_it() -> None:
    made = release(f"It happened in 1985. On 4 February 1985 she left. {ILL}", 8, terms="delicate")
    assert made.text.startswith("It happened in the 1980s. In the 1980s she left.")


@pytest.mark.parametrize("adversary", ["program", "text"])
@pytest.mark.parametrize("t", [20, 400])
@pytest.mark.parametrize(
    "text",
    [
        "It opened on 1 February 2015, a Sunday.",
        "23 April 2018 was a Monday.",
        "It was a Sunday. They met on 3 June 2018.",
        "They met on Halloween, 31 October 2019.",
    ],
)
def test_the_weekday_or_feast_of_a_date_is_not_counted(text: str, t: int, adversary: str) -> None:
    made = release(text, t, adversary=adversary)
    assert [slot[3] for slot in part(made)["terms"]] == ["day"]
    assert not re.search("day|Halloween", made.text.replace("[DATE", ""))


@pytest.mark.parametrize(
    "thing", ["Christmas flower", "Christmas tree", "Christmas pudding", "Saturday night special"]
)
def test_a_noun_that_begins_with_a_feast_or_a_weekday_is_said_like_others(thing: str) -> None:
    text = f"They spoke about {thing} again."
    assert alike(text, release(text, T, [], terms="nouns")) >= T


@pytest.mark.parametrize("adversary", ["program", "text"])
@pytest.mark.parametrize(
    "text",
    [
        "Net £6,137, VAT £1,213, gross £7,350.",
        "Deposit £6,137, fee £1,213; you get back £4,924.",
        "She earns £6,137 a month (£73,644 a year).",
        "He paid half of the £6,137, £3,068.",
        "Price £6,137 plus 20% VAT, £7,364.",
        "He changed £6,137 into €7,211.",
    ],
)
def test_amounts_of_which_one_may_follow_from_another_count_for_nothing(
    text: str, adversary: str
) -> None:
    made = release(text, 100, terms="findings", adversary=adversary)
    assert not any(e.concept for e in made.edits)
