"""Small corpora of sets, and problems on them, for the property tests."""

from __future__ import annotations

from hypothesis import strategies as st
from pyroaring import BitMap

from sfumato.protect.disclosure.counts import UnitCounts
from sfumato.protect.disclosure.problem import Context, Problem, Thing, pose
from sfumato.protect.disclosure.thresholds import Threshold

UNITS = 12
some_units = st.sets(st.integers(0, UNITS - 1), min_size=1, max_size=UNITS - 2)


@st.composite
def ladders(draw: st.DrawFn) -> list[set[int]]:
    """Sets of units that contain each other, as those of a term and its generalisations do."""
    found = [draw(some_units)]
    for _ in range(draw(st.integers(0, 3))):
        found.append(found[-1] | draw(st.sets(st.integers(0, UNITS - 1), max_size=4)))
    return found


@st.composite
def corpora(draw: st.DrawFn) -> tuple[Problem, list[list[set[int]]]]:
    """A problem and the sets behind its things' options."""
    made = draw(st.lists(ladders(), min_size=2, max_size=6))
    counts = UnitCounts(UNITS)
    things = []
    for ladder in made:
        rows = tuple(counts.add(BitMap(units)) for units in ladder)
        things.append(Thing(rows, draw(st.integers(0, len(rows)))))
    numbers = st.integers(0, len(things) - 1)
    contexts = []
    for _ in range(draw(st.integers(1, 3))):
        members = sorted(draw(st.sets(numbers, min_size=1)))
        contexts.append(Context(tuple(m for m in members if things[m].hidden), tuple(members)))
    threshold = draw(
        st.one_of(
            st.floats(0.05, 1).map(lambda v: Threshold("share", v)),
            st.floats(0.1, 4).map(lambda v: Threshold("bits", v)),
            st.just(Threshold("least hidden")),
        )
    )
    return pose(counts, things, contexts, threshold), made
