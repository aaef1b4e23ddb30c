"""Several places in one text, over small gazetteers: no fewer texts than are certified come out alike, whatever the
text tells of which place lies in which."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import permutations
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.document import Term
from sfumato.facts.implication import Hidden
from sfumato.facts.values import Place
from sfumato.know.taxonomy import places, softening
from sfumato.policy import load
from sfumato.protect.plausibility import trees
from sfumato.protect.plausibility.options import PlausibilityOptions
from sfumato.protect.plausibility.plan import SofteningPlan, UnreachableTError
from sfumato.protect.plausibility.softened import Softened
from sfumato.protect.plausibility.tied import Standing
from sfumato.verify import alternatives
from sfumato.verify.counts import Asked, Slot
from sfumato.verify.program import ProgramCounter
from sfumato.verify.tied import Ties

STANDING = Standing(load("default"))
CACHES = (
    *(softening.place_tree, softening.beside, softening.read_in, softening._called_after),
    *(trees._place_tree, trees.place_sort, alternatives.tree_walk),
)
Nodes = tuple[int | None, ...]


def table(parents: list[int]) -> places.Places:
    """A gazetteer of places that are called as nothing else is."""
    made, size = places.Places(), len(parents)
    names = ["place", *(f"Xq{chr(96 + n)}zz" for n in range(1, size))]
    nothing = np.zeros(size, dtype=np.uint32)
    leaves = np.array([max(1, parents.count(n)) for n in range(size)])
    made.__dict__["_told"] = {}
    made.__dict__["_table"] = places._Table(
        names, {name.lower(): n for n, name in enumerate(names)}, {}, {}, np.array(parents), nothing + 3,
        nothing, leaves, np.zeros(0, "S1"), np.zeros(0, np.uint32), nothing.astype(np.uint8),
    )  # fmt: skip
    return made


@contextmanager
def world(parents: list[int], values: list[bool], sayable: list[bool]) -> Iterator[None]:
    known, nothing = table(parents), np.zeros(len(parents), dtype=np.int64)
    tree = softening.PlaceTree(
        np.array(parents), np.array(sayable), np.array(values), nothing.astype(bool), nothing
    )
    said = mock.patch.object(places, "default", return_value=known)
    taken = mock.patch.object(softening, "place_tree", return_value=tree)
    caches = [cache.cache_clear for cache in CACHES]  # before they are patched
    for clear in caches:
        clear()
    with said, taken:
        yield
    for clear in caches:
        clear()


def text_of(words: list[str], between: str) -> tuple[str, list[Term]]:
    *others, last = words
    text = f"She lived in {' and then in '.join(others)}{between}{last}."
    found, at = list[Term](), 0
    for word in words:
        at = text.index(word, at)
        found.append(Term(at, at + len(word), "LOC", 1.0, ""))
        at += len(word)
    return text, found


def released(values: tuple[int, ...], between: str, t: int) -> tuple[Nodes, int]:
    """As what places are released, and how many texts are certified."""
    text, terms = text_of([places.default().written(n) for n in values], between)
    facts = [
        Softened("LOC", trees.place_sort(), Place(n), [term], frozenset({f"places:{n}"}))
        for n, term in zip(values, terms, strict=True)
    ]
    plan = SofteningPlan(text, PlausibilityOptions(t=t, terms="findings"), facts, (), STANDING)
    try:
        plan.ask()
        plan.release(Hidden.of((), (c for f in facts for c in f.hidden)))
        plan.count()
    except UnreachableTError:
        return (), 0
    return tuple(f.node for f in plan.facts), plan.parts[0].texts


def counted_again(nodes: Nodes, between: str, t: int) -> int:
    """What the verifier counts, who has the release alone."""
    said = [f"[PLACE {n}]" if at is None else places.default().written(at)
            for n, at in enumerate(nodes, 1)]  # fmt: skip
    text, terms = text_of(said, between)
    slots = [
        Slot(m.start, m.end, "" if at is None else f"places:{at}", "place", n)
        for n, (m, at) in enumerate(zip(terms, nodes, strict=True), 1)
    ]
    hidden = [(s.start, s.end) for s in slots if not s.concept]
    tied = Ties.seen(text, slots, hidden, True)
    asked = Asked({"document": t}, "program", {}, 1, "findings", "", 4)
    return ProgramCounter(asked, [("document", slots)], {}, text, tied=tied).texts(slots)


@st.composite
def gazetteers(draw: st.DrawFn, most: int) -> tuple[list[int], list[bool], list[bool]]:
    """Areas, lands in them, and places in these, or in one of those."""
    size, areas, lands = (draw(st.integers(*ends)) for ends in ((9, most), (1, 2), (1, 4)))
    parents = [0] * (areas + 1) + draw(
        st.lists(st.integers(1, areas), min_size=lands, max_size=lands)
    )
    while len(parents) < size:
        lowest = draw(st.sampled_from([1, areas + 1]))
        parents.append(draw(st.integers(lowest, areas + lands if lowest > 1 else len(parents) - 1)))
    mostly = st.sampled_from([True, True, True, True, False])
    values = draw(st.lists(mostly, min_size=size - 1, max_size=size - 1))
    return parents, [False, *values], [False, *[True] * (size - 1)]


def pattern(values: tuple[int, ...]) -> tuple[bool, ...]:
    above = places.default().above
    return tuple(one in above(other) for one, other in permutations(values, 2))


def check(gazetteer: tuple[list[int], list[bool], list[bool]], many: int, t: int, way: str) -> bool:
    """For every release, whatever the text tells of which place lies in which: so many texts that fit as are
    certified; and whether any is certified for more than one."""
    found: dict[Nodes, Counter[tuple[bool, ...]]] = defaultdict(Counter)
    said: dict[Nodes, set[int]] = defaultdict(set)
    between = {"": " and then in ", "near": ", near ", "far": ", far from "}[way]
    with world(*gazetteer):
        inside = [n for n in range(1, len(gazetteer[0])) if gazetteer[1][n]]
        for values in permutations(inside, many):
            nodes, texts = released(values, between, t)
            if any(node is not None for node in nodes):
                found[nodes][pattern(values)] += 1
                said[nodes].add(texts)
        for nodes, worlds in found.items():
            (texts,) = said[nodes]
            assert texts == counted_again(nodes, between, t), (nodes, texts)
            if way == "near":  # then one of those that lie in each other fits, and maybe others
                nested = sum(n for told, n in worlds.items() if any(told))
                assert texts <= max(1, nested), (nodes, texts, worlds)
            for told, worlds_ in worlds.items() if way != "near" else ():
                assert texts <= worlds_, (nodes, texts, told, worlds)
    return any(texts > 1 for some in said.values() for texts in some)


@settings(max_examples=120, deadline=None)
@given(gazetteers(18), st.integers(2, 4), st.sampled_from(["", "", "near", "far"]))
def test_of_two_places_no_more_are_certified_than_come_out_alike(
    gazetteer: tuple[list[int], list[bool], list[bool]], t: int, way: str
) -> None:
    certified = check(gazetteer, 2, t, way)
    assert not (certified and way == "far")


@settings(max_examples=20, deadline=None)
@given(gazetteers(12), st.integers(2, 3))
def test_of_three_places_no_more_are_certified_than_come_out_alike(
    gazetteer: tuple[list[int], list[bool], list[bool]], t: int
) -> None:
    check(gazetteer, 3, t, "")


@pytest.mark.parametrize("way", ["", "near"])
def test_of_towns_in_lands_some_are_certified(way: str) -> None:
    parents = [0, 0, 1, 1, 1, *[2, 3, 4] * 3]
    within = [False, False, *[True] * (len(parents) - 2)]
    assert check((parents, within, [False, *within[2:], True]), 2, 2, way)
