"""Both protectors and the verifier held to small worlds: never more texts claimed than there are, never fewer
than t."""

from __future__ import annotations

import math
from datetime import date
from functools import cache

from hypothesis import Phase, assume, example, given, settings
from hypothesis import strategies as st

from sfumato import Release, verify
from sfumato.document import Document, Edit, render
from sfumato.errors import InputError
from sfumato.keys import Key
from sfumato.know.taxonomy import places
from sfumato.pipeline import Sanitizer
from sfumato.policy import load
from sfumato.release.ledger import Ledger
from sfumato.verify.plausibility import PLAUSIBLE
from tests import worlds
from tests.worlds import Fact, World

KEY = Key(bytes(range(32)))
MOST = 60_000  # worlds that are tried
TRIED = 600  # and that are put through the program
QUICK = (Phase.explicit, Phase.reuse, Phase.generate)  # worlds are small as they are


# With a label for the birth: an event in the same month would have been one fact with it.
SMALL_CHILD = World(
    (
        Fact("born", "month", date(1968, 5, 1), (0,)),
        Fact("event", "month", date(1968, 6, 1), (0,)),
        Fact("age", "age", 0, (0,)),
    )
)


@cache
def sanitizer(t: int, adversary: str) -> Sanitizer:
    step = {"t": t, "adversary": adversary, "terms": "findings"}
    rules = load({"detect": [], "protect": [{"plausibility": step}]})
    return Sanitizer(rules, KEY, Ledger(KEY))


@cache
def below(name: str) -> set[str]:
    """The places below all places of a name, by walking down the table: a county is one, too."""
    table = places.default()
    found, waiting = set[str](), [s for s in table.senses(name) if table.written(s.key) == name]
    waiting = waiting or list(table.senses(name))
    while waiting:
        inside = table.children(waiting.pop())
        waiting += inside
        found |= {str(sense.key) for sense in inside}
    return found


def claimed(release: Release) -> int | None:
    claim = next(c for c in release.certificate.claims if c.name == PLAUSIBLE)
    said = (
        u for u in claim.parameters["units"] if any(concept for _, _, concept, *_ in u["terms"])
    )
    return next((part["texts"] for part in said), None)


def true_number(world: World, release: Release) -> int:
    """How many worlds fit a release. Places constrain nothing else and are counted by themselves."""
    told = list(zip(world.facts, worlds.shown(world, release), strict=True))
    rest = [(f, words) for f, words in told if f.role != "place" and words is not None]
    assume(math.prod(len(worlds.values_of(f, words, below)) for f, words in rest) <= MOST)
    number = sum(1 for _ in worlds.fitting([f for f, _ in rest], [w for _, w in rest], below))
    for fact, words in told:
        if fact.role == "place" and words is not None:
            number *= len(worlds.values_of(fact, words, below))
    return number


def edits_of(world: World, run: Sanitizer) -> list[Edit] | None:
    """What the program makes of a world's text, or None where t cannot be had."""
    try:
        return run.protect(Document(world.text), world.terms)
    except InputError as error:
        if "the largest is" not in str(error):
            raise
        return None


@settings(max_examples=80, deadline=None, phases=QUICK)
@given(worlds.worlds(), st.sampled_from([2, 5, 20, 100]), st.sampled_from(["text", "program"]))
def test_never_more_texts_are_claimed_than_worlds_fit(world: World, t: int, adversary: str) -> None:
    run = sanitizer(t, adversary)
    edits = edits_of(world, run)
    if edits is None:
        return
    release = run.certify(Document(world.text), edits)  # every claim is verified
    texts = claimed(release)
    assert texts is None or t <= texts <= true_number(world, release)
    alone = verify(release, run.policy, key=KEY)
    assert {c.verdict for c in alone} == {"holds"}


def names_below(words: str) -> set[str]:
    """Names of places below a place, each of which means first of all that one."""
    table = places.default()
    found = set[str]()
    for top in table.senses(words):
        waiting = [top]
        while waiting:
            below = table.children(waiting.pop())
            waiting += below
            found |= {s.term for s in below if table.senses(s.term)[:1] == [s]}
    return found


@settings(max_examples=12, deadline=None, phases=QUICK)
@example(SMALL_CHILD, 3)
@given(worlds.worlds(), st.sampled_from([2, 3, 6]))
def test_as_many_worlds_as_are_claimed_give_the_very_release(world: World, t: int) -> None:
    """Whoever runs the program on every world that its words allow is left with as many as were claimed."""
    world = World(world.facts[:3])
    run = sanitizer(t, "program")
    edits = edits_of(world, run)
    if edits is None:
        return
    release = run.certify(Document(world.text), edits)
    told = worlds.shown(world, release)
    texts = claimed(release)
    if texts is None:
        return
    assume(texts <= 150)
    said = [words is not None for words in told]
    given_facts = [f for f, is_said in zip(world.facts, said, strict=True) if is_said]
    found = 0
    candidates = worlds.fitting(given_facts, [w for w in told if w is not None], names_below)
    for tried, other in enumerate(candidates):
        assume(tried < TRIED)
        values = iter(f.value for f in other.facts)
        whole = world.with_values(
            [
                next(values) if is_said else f.value
                for f, is_said in zip(world.facts, said, strict=True)
            ]
        )
        made = edits_of(whole, run)
        found += made is not None and render(Document(whole.text), made) == release.text
        if found == texts:
            return
    assert found >= texts
