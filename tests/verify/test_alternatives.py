"""Values below concepts, counted by visiting them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.know.taxonomy import chain as taxonomy
from sfumato.know.taxonomy import softening, wordnet
from sfumato.verify.alternatives import TreeWalk, Walk, is_of_sort, spans_in, tree_walk

SORTS = {"calendar": "day", "ranges": "amount", "places": "place"}


@pytest.fixture(scope="module")
def walk() -> Walk:
    return Walk(taxonomy.default())


@pytest.mark.parametrize(
    ("term", "kind"),
    [
        ("marijuana", ""),
        ("Boston", "LOC"),
        ("14 May 2004", "DATE"),
        ("37-year-old", "AGE"),
        ("$1,250.50", "MONEY"),
        ("Meryl Streep", "PERSON"),
        ("Stanley Kubrick", "PERSON"),
        ("oaks", ""),
    ],
)
def test_the_walk_finds_the_volumes_and_the_names_of_every_rung(
    walk: Walk, term: str, kind: str
) -> None:
    steps = taxonomy.default().ladder(term, kind=kind)
    assert len(steps) > 2
    for step in steps[1:]:
        sort = SORTS.get(step.concept.partition(":")[0], "noun")
        assert walk.count(step.concept, sort) == step.volume
        assert walk.is_named(step.term, step.concept)
        assert is_of_sort(step.concept, sort)
        assert sort != "noun" or walk.is_below(term, step.concept)


def test_names_of_a_kind_are_counted_from_the_table(walk: Walk) -> None:
    table = taxonomy.default()["named"]
    steps = table.climb(table.senses("Toivo Ovaska")[0])[1:]
    assert any("/" in s.concept for s in steps)
    assert [walk.count(s.concept) for s in steps] == [s.volume for s in steps]


def test_other_words_do_not_name_a_concept(walk: Walk) -> None:
    step = taxonomy.default().ladder("phantom limb pain")[1]
    assert walk.is_named("a pain", step.concept)
    assert walk.is_named("Pains", step.concept)
    exchange = taxonomy.default().senses("medium of exchange")[0].concept
    assert walk.is_named("media of exchange", exchange)
    assert not walk.is_named("joy", step.concept)
    assert not walk.is_below("dog", step.concept)
    assert not walk.is_named("40–49", "ranges:30..39")
    assert not walk.is_named("1985", "calendar:19850200")
    assert walk.is_named("the 20th century", "calendar:19000098")


@pytest.mark.parametrize(
    ("concept", "level", "number"),
    [
        ("calendar:19840200", "day", 29),
        ("calendar:19850000", "month", 12),
        ("calendar:19800099", "year", 10),
        ("calendar:19800099", "day", 3653),
        ("calendar:19000098", "month", 1200),
    ],
)
def test_spans_are_counted_at_the_level_of_the_original(
    walk: Walk, concept: str, level: str, number: int
) -> None:
    assert walk.count(concept, level) == number
    spans = list(spans_in(concept, level))
    assert all(a[1] + 1 == b[0] for a, b in pairwise(spans))


def test_what_is_all_of_one_sort_is_one_family(walk: Walk) -> None:
    soft, pain = (
        taxonomy.default().ladder(w)[1].concept for w in ("marijuana", "phantom limb pain")
    )
    assert walk.families(soft) == 1
    assert walk.families(pain) == 1
    assert walk.families(taxonomy.default().senses("animal")[0].concept) > 100


class SmallTree(TreeWalk):
    """A tree that is given, not known."""

    def __init__(self, parents: list[int], values: list[bool], diverse: int) -> None:
        super().__init__("noun", diverse)
        self._parents, self._values = parents, values
        self._sayable = [True] * len(parents)


TREES = st.integers(1, 25).flatmap(
    lambda n: st.tuples(
        st.tuples(*(st.integers(0, max(0, i - 1)) for i in range(n))).map(list),
        st.lists(st.booleans(), min_size=n, max_size=n),
    )
)


@settings(max_examples=200)
@given(TREES, st.integers(1, 6), st.integers(1, 3))
def test_every_value_leaves_at_the_first_node_where_enough_wait(
    tree: tuple[list[int], list[bool]], enough: int, diverse: int
) -> None:
    """By the rule itself: each round, the deepest nodes where enough wait let them out."""
    parents, values = tree
    at = {n: parents[n] for n in range(len(parents)) if values[n] and n}
    depth = [0] * len(parents)
    for n in range(1, len(parents)):
        depth[n] = depth[parents[n]] + 1
    left: dict[int, set[int]] = {}
    for level in range(max(depth), -1, -1):
        for node in (n for n in range(len(parents)) if depth[n] == level):
            here = {n for n, where in at.items() if where == node}
            families = {parents[n] for n in here} - {node}
            if len(here) >= enough and (diverse == 1 or len(families) >= diverse):
                left[node] = here
                at = {n: where for n, where in at.items() if n not in here}
            else:
                at |= {n: parents[node] for n in here if node}
    walk = SmallTree(parents, values, diverse)
    for node in range(len(parents)):
        assert walk.leaving(node, enough) == left.get(node, set())


def test_what_leaves_at_a_node_lies_below_it_and_leaves_nowhere_else() -> None:
    walk, net = tree_walk("noun", 1), wordnet.default()
    top = net.senses("drug")[0].key
    seen: set[int] = set()
    waiting = [top]
    while waiting:
        node = waiting.pop()
        found = walk.leaving(node, 5)
        assert not found or len(found) >= 5
        assert not seen & found
        assert all(node in walk.above(n) for n in found)
        seen |= found
        waiting += [n for n in net.below(node) if softening.words().parents[n] == node]
    assert seen
