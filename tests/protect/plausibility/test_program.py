"""Whoever puts all candidates through the program finds as many that come out alike as are certified."""

from __future__ import annotations

import random
import re
from contextlib import suppress
from functools import cache
from itertools import product
from typing import Any

import pytest

from sfumato import sanitize
from sfumato.document import Document, Term, render
from sfumato.errors import InputError
from sfumato.keys import Key
from sfumato.know.taxonomy import places, wordnet
from sfumato.policy import load
from sfumato.protect import Run
from sfumato.protect.plausibility.options import PlausibilityOptions
from sfumato.protect.plausibility.program import Program
from sfumato.release.ledger import Ledger
from sfumato.verify.alternatives import tree_walk

KEY = Key(bytes(range(32)))
KINDS = {"A": "AGE", "Q": "QUANTITY", "L": "LOC", "D": "DATE"}


@cache
def program(t: int, each: int) -> Program:
    options = PlausibilityOptions(t=t, terms="findings", each=each)
    return Program(options, Run(load({}), KEY, Ledger(KEY)))


def released(frame: str, said: tuple[Any, ...], t: int, each: int) -> tuple[str, Document, Any]:
    """What a text becomes in which values stand for "{A}" and the like."""
    text, terms, values = "", list[Term](), iter(said)
    for at, piece in enumerate(re.split(r"\{(\w)\}", frame)):
        words = str(next(values)) if at % 2 else piece
        if at % 2:
            terms.append(Term(len(text), len(text) + len(words), KINDS[piece], 1.0, ""))
        text += words
    document = Document(text)
    try:
        edits = list(program(t, each)(document, terms, []))
    except InputError:
        return "", document, []
    return render(document, edits), document, edits


def certified(frame: str, said: tuple[Any, ...], t: int) -> tuple[str, int, list[list[str]]]:
    """The release, how many texts are claimed, and the places that each word may stand for."""
    text, document, edits = released(frame, said, t, 1)
    part = program(t, 1).claims(document, edits)[0].parameters["units"][0]
    asked = max(int(e.numbers["asked"]) for e in edits)
    nodes = [int(slot[2].partition(":")[2]) for slot in part["terms"]]
    walk = tree_walk("place", 1, len(nodes) - 1)
    written = places.default().written
    return text, part["texts"], [[written(n) for n in walk.leaving(at, asked)] for at in nodes]


@pytest.mark.parametrize(
    ("said", "t"),
    [
        (("Tooele County",), 80),  # "Utah County" tells Utah
        (("Shashamane",), 60),  # "‘Alemaya" is read as no place
    ],
)
def test_a_place_counts_only_where_its_name_is_read_as_it(said: tuple[str, ...], t: int) -> None:
    frame = "She came from {L}."
    text, claimed, domains = certified(frame, said, t)
    true = sum(released(frame, values, t, 1)[0] == text for values in product(*domains))
    assert t <= claimed <= true


def test_a_number_beside_dates_counts_for_nothing() -> None:
    frame = "Born on {D}, at {Q} he left, on {D}."
    text, document, edits = released(frame, ("3 May 1960", 52, "4 June 2012"), 10, 1)
    part = program(10, 1).claims(document, edits)[0].parameters["units"][0]
    assert [slot[2] for slot in part["terms"]] == ["", "", ""]
    assert part["texts"] == 1, text


@pytest.mark.parametrize(
    "text", ["Background. He was treated for syphilis.", "Thank you. Aged 94, he uses heroin."]
)
def test_a_sentence_of_which_too_little_can_be_said_says_nothing_and_hinders_no_other(
    text: str,
) -> None:
    step = {"t": {"sentence": 121, "document": 200}}
    made = sanitize(text, {"detect": ["patterns"], "protect": [{"plausibility": step}]})
    assert made.text.startswith("[DETAIL 1].")
    assert not re.search("heroin|syphilis", made.text)


@pytest.mark.parametrize("t", [{"sentence": 5}, {"sentence": 5, "document": 5}])
@pytest.mark.parametrize("first", ["leukaemia", "lymphoma"])
def test_of_sentences_that_take_from_each_other_some_say_something(
    first: str, t: dict[str, int]
) -> None:
    rules = load({"detect": [], "protect": [{"plausibility": {"t": t, "terms": "nouns"}}]})
    frame = f"She had {first}. He had {{}}."
    made = sanitize(frame.format("cancer"), rules, key=KEY)
    assert made.text.startswith("She had [DETAIL 1]. He had a")
    (claim,) = (c for c in made.certificate.claims if c.name == "t-plausible")
    part = claim.parameters["units"][-1]
    (kind,) = (int(slot[2].partition(":")[2]) for slot in part["terms"] if slot[2])
    words = wordnet.default()
    meant = {s for name in words.lemmas() for s in words.synsets_of(name)}
    sorts = {words.word(s) for s in meant if kind in words.subsumers_of(s)}
    same = 0
    for said in sorts:
        with suppress(InputError):
            same += sanitize(frame.format(said), rules, key=KEY).text == made.text
    assert same >= part["texts"] >= 5


@pytest.mark.parametrize(
    ("said", "t"),
    [
        (("Gauteng", "South Africa", "Soweto"), 50),
        (("Hue", "Vietnam", "Hanoi"), 50),
        (("Hue", "Southeast Asia", "Hanoi"), 2),
    ],
)
def test_places_around_each_other_go_up_to_what_tells_none_of_them(
    said: tuple[str, ...], t: int
) -> None:
    text = "They left {}. They left {}. They left {}.".format(*said)
    hide = [{"kind": "LOC", "terms": list(said)}]
    step = {"plausibility": {"t": t, "terms": "findings"}}
    made = sanitize(text, {"detect": [{"lists": {"hide": hide}}], "protect": [step]})
    assert "place" not in made.text
    assert len(made.edits) == 3


OTHERS = "{}. The teacher wrote a letter to the captain about the {}."


@pytest.mark.parametrize("t", [5, 20, 100])
@pytest.mark.parametrize("said", ["He drinks alcohol", "Their marriage is over", "His debt grew"])
def test_other_nouns_count_where_a_delicate_one_has_no_class(said: str, t: int) -> None:
    rules = load({"detect": [], "protect": [{"plausibility": {"t": t}}]})
    made = [sanitize(OTHERS.format(said, word), rules, key=KEY).text for word in ("dog", "wolf")]
    if "[DETAIL 1]" in made[0]:  # and who tries others finds them alike
        assert made[0] == made[1]
        assert "teacher" not in made[0]
    else:
        assert made[0].replace("dog", "wolf") == made[1]


def test_nouns_count_in_the_place_of_a_date_that_is_too_little() -> None:
    rules = load({"detect": ["patterns"], "protect": [{"plausibility": {"t": 1000}}]})
    made = sanitize(OTHERS.format("He drank alcohol on 3 May 2021", "dog"), rules, key=KEY)
    assert "alcohol" not in made.text
    assert "dog" not in made.text


@pytest.mark.parametrize("adversary", ["program", "text"])
def test_other_nouns_never_join_where_only_delicate_ones_are_asked_for(adversary: str) -> None:
    text = "She is 41; 23 years ago she fed the cat under the table. Her asthma is worse."
    rules = {"t": 5, "terms": "delicate", "adversary": adversary}
    told = sanitize(text, {"protect": [{"plausibility": rules}]}).text
    assert "the cat under the table" in told
    assert "asthma" not in told


SPEECH = "interview order promise threat question answer request complaint denial report warning"


def test_words_of_one_kind_are_counted_alike_whatever_is_asked_of_each() -> None:
    """The last words need one value less: a checker that took them for another class refused the release."""
    dice = random.Random(5)
    for _ in range(12):
        some = dice.sample([*SPEECH.split(), "mother", "relative", "video"], dice.randint(3, 6))
        text = f"They saw {', '.join(f'the {word}' for word in some)}."
        step = {"plausibility": {"t": dice.choice([100, 1000, 5000]), "terms": "nouns"}}
        assert sanitize(text, {"detect": [], "protect": [step]}, key=KEY).text != text


@pytest.mark.parametrize("word", ["heroin", "Catholic"])
def test_a_word_that_was_found_counts_where_all_of_its_class_are_looked_for(word: str) -> None:
    """A detector may find no other word of the class: then its label, or its class, is all that is told."""
    hide: dict[str, Any] = {"detect": [{"lists": {"hide": [{"kind": "DEM", "terms": [word]}]}}]}
    nothing: dict[str, Any] = {"detect": []}
    texts = {}
    for terms in ("findings", "auto", "delicate", "nouns"):
        step = {"protect": [{"plausibility": {"t": 20, "terms": terms}}]}
        made = [sanitize(f"They spoke about {word} again.", rules | step, key=KEY)
                for rules in (hide, nothing)]  # fmt: skip
        texts[terms] = [m.text for m in made]
    assert texts.pop("findings") == [
        "They spoke about [DETAIL 1] again.",
        f"They spoke about {word} again.",
    ]
    assert all(word not in found and found == other for found, other in texts.values())


BOTH = pytest.mark.parametrize("adversary", ["program", "text"])


@BOTH
@pytest.mark.parametrize(
    "said", ["1 286,45 €", "12 345,60 €", "€ 1 286,45", "1'286.45 CHF", "1 286 450,00 EUR", "£12 345.60"]
)  # fmt: skip
def test_of_an_amount_as_other_lands_write_it_no_part_is_softened(
    said: str, adversary: str
) -> None:
    rules = {"protect": [{"plausibility": {"t": 10, "adversary": adversary}}]}
    for text in (f"We hold {said} there.", f"He drank wine. We hold {said} there."):
        told = sanitize(text, rules, key=KEY).text
        assert not re.search(r"286|345|450", told), told


@BOTH
@pytest.mark.parametrize("unit", ["m²", "km²", "m2", "m³", "m"])
@pytest.mark.parametrize("many", ["6,299", "4,999", "49"])
def test_a_band_may_end_with_the_number_before_a_raised_sign(
    many: str, unit: str, adversary: str
) -> None:
    text = f"This land, with its house and school, covered {many} {unit}, on a hill."
    finds = {"detect": [{"lists": {"hide": [{"kind": "QUANTITY", "terms": [f"{many} {unit}"]}]}}]}
    rules = finds | {"protect": [{"plausibility": {"t": 10, "adversary": adversary}}]}
    made = sanitize(text, rules, key=KEY)
    assert f"{many} {unit}" not in re.sub(r"[\d,]+–", "", made.text) or "–" in made.text
    assert "²" not in unit or f" {unit}" in made.text


@BOTH
@pytest.mark.parametrize(
    "feast", ["All Saints’ Day", "Boxing Day", "St Patrick's Day", "Halloween"]
)
def test_what_calls_a_day_is_no_word_that_counts(feast: str, adversary: str) -> None:
    word = feast.split()[1 if " " in feast else 0].rstrip("’'s")
    hide = [{"kind": "DEM", "terms": [word, f"{word}s"]}]
    rules = {"detect": ["patterns", {"lists": {"hide": hide}}]}
    text = f"He was born on 3 May 1980. He came on {feast}. His dog ate a rose."
    step = {"plausibility": {"t": 10, "adversary": adversary, "terms": "nouns"}}
    made = sanitize(text, rules | {"protect": [step]}, key=KEY)
    at = text.index(feast)
    inside = [e for e in made.edits if at <= e.start < at + len(feast)]
    assert all("fact" not in e.numbers for e in inside), made.text


@BOTH
@pytest.mark.parametrize(
    "text",
    [
        "UNITED COURT\nORDER. Before the Court is a motion. He alleges a crime.",
        "COURT\nThe Court left. The court came back.",
        "ROSE\nThe rose is red. Rose is red.",
        "THE BANK\nBefore the Bank is a river. The bank is green.",
    ],
)
def test_a_word_in_capitals_is_the_thing_that_it_is_elsewhere(text: str, adversary: str) -> None:
    step = {"plausibility": {"t": 10, "adversary": adversary, "terms": "nouns"}}
    assert sanitize(text, {"detect": [], "protect": [step]}, key=KEY).text != text


WORDS_TOLD_TWICE = [
    "The applicant is a university professor of history. A letter to Professor Strobel came. He drank wine.",
    "A university professor wrote to Prof. Ada Strobel. The cat ate the rose. Professor Strobel left.",
]


@BOTH
@pytest.mark.parametrize("text", WORDS_TOLD_TWICE)
def test_a_title_that_stands_hides_no_word(text: str, adversary: str) -> None:
    step = {"plausibility": {"t": 5, "adversary": adversary, "terms": "nouns"}}
    names = {"lists": {"hide": [{"kind": "PERSON", "terms": ["Professor Strobel", "Ada Strobel"]}]}}
    assert "Strobel" not in sanitize(text, {"detect": [names], "protect": [step]}, key=KEY).text


@BOTH
def test_one_word_that_is_found_as_two_kinds_counts_once(adversary: str) -> None:
    kinds = [
        {"kind": kind, "terms": [name]} for kind, name in (("ORG", "Baptists"), ("DEM", "Baptist"))
    ]
    text = "He joined the Baptists. A Baptist came. BAPTISTS left. He drank wine by the river."
    step = {"plausibility": {"t": 5, "adversary": adversary, "terms": "nouns"}}
    rules = {"detect": [{"lists": {"hide": kinds}}], "protect": [step]}
    assert "Baptist" not in sanitize(text, rules, key=KEY).text


@BOTH
@pytest.mark.parametrize(
    "said", ["5 mg/24 h", "30 mg (2 tablets)", "12 500 people", "5-6 mg", "781 lira.0"]
)
def test_a_number_beside_other_digits_is_not_softened_alone(said: str, adversary: str) -> None:
    hide = {"lists": {"hide": [{"kind": "QUANTITY", "terms": [said]}]}}
    step = {"plausibility": {"t": 5, "adversary": adversary, "terms": "nouns"}}
    text = f"He took {said} by the river. The cat ate the rose."
    assert said not in sanitize(text, {"detect": [hide], "protect": [step]}, key=KEY).text


@pytest.mark.parametrize("first", ["A cat and a cat", "The cat, the cat", "Cats, a cat and cats"])
def test_a_word_told_twice_that_has_no_rung_left_gets_a_label(first: str) -> None:
    above = "animal organism thing entity feline carnivore mammal vertebrate chordate whole object"
    text = f"{first} sat by the {', the '.join(above.split())}."
    hide = {"lists": {"hide": [{"kind": "DEM", "terms": ["cat", "cats", *above.split()]}]}}
    step = {"plausibility": {"t": 5, "adversary": "text", "terms": "nouns"}}
    assert "cat" not in sanitize(text, {"detect": [hide], "protect": [step]}, key=KEY).text.lower()
