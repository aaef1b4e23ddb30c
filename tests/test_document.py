from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato import formats
from sfumato.document import (
    Alignment,
    Document,
    Edit,
    Record,
    Term,
    released_spans,
    render,
    resolve,
    unrender,
)
from tests.strategies import edited, terms


def overlap(a: Term, b: Term) -> bool:
    return a.start < b.end and b.start < a.end


def test_the_longer_term_wins_then_the_higher_score_then_the_earlier() -> None:
    long, sure, early = (
        Term(3, 9, "A", 0.1, "x"),
        Term(8, 12, "B", 0.9, "x"),
        Term(7, 11, "C", 0.9, "x"),
    )
    assert resolve([sure, early, long]) == [long]
    assert resolve([sure, early]) == [early]
    assert resolve([sure, Term(7, 11, "C", 0.8, "x")]) == [sure]


@given(terms(), st.randoms())
def test_resolution_leaves_no_overlap_drops_only_the_overlapped_and_ignores_order(
    found: list[Term], random: Random
) -> None:
    resolved = resolve(found)
    assert all(a.end <= b.start for a, b in pairwise(resolved))
    for term in found:
        assert term in resolved or any(
            overlap(term, kept) and (kept.end - kept.start) >= (term.end - term.start)
            for kept in resolved
        )
    shuffled = list(found)
    random.shuffle(shuffled)
    assert resolve(shuffled) == resolved


@given(edited())
def test_text_outside_edits_is_unchanged_and_edits_can_be_undone(
    case: tuple[Document, list[Edit]],
) -> None:
    document, edits = case
    text = render(document, edits)
    assert unrender(text, formats.record(document, edits)) == document.text
    spans = released_spans(edits)
    for (start, end), edit in zip(spans, edits, strict=True):
        assert text[start:end] == edit.replacement
    edges = [0, *(x for e in edits for x in (e.start, e.end)), len(document.text)]
    moved = [0, *(x for span in spans for x in span), len(text)]
    for a, b, c, d in zip(edges[::2], edges[1::2], moved[::2], moved[1::2], strict=True):
        assert document.text[a:b] == text[c:d]


@given(edited(), st.data())
def test_a_part_of_the_release_maps_to_the_original_behind_it(
    case: tuple[Document, list[Edit]], data: st.DataObject
) -> None:
    document, edits = case
    text = render(document, edits)
    if not text:
        return
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    back = Alignment(edits).to_original(start, end)
    inside = [(a, b) for a, b in released_spans(edits) if a <= start and end <= b]
    if inside:
        assert back is None
        return
    assert back is not None
    begin, finish = back
    touched = [
        e for e, (a, b) in zip(edits, released_spans(edits), strict=True) if a < end and start < b
    ]
    assert all(begin <= e.start and e.end <= finish for e in touched)
    if not any(e.start < finish and begin < e.end for e in edits):
        assert document.text[begin:finish] == text[start:end]


def test_overlapping_or_stray_edits_are_refused() -> None:
    first, second = Edit(0, 3, "A", "x", ""), Edit(2, 4, "A", "y", "")
    with pytest.raises(ValueError, match="overlap"):
        render(Document("abcdef"), [first, second])
    with pytest.raises(ValueError, match="beyond"):
        render(Document("ab"), [first])
    with pytest.raises(ValueError, match="start < end"):
        Edit(3, 3, "A", "", "")
    with pytest.raises(ValueError, match="start < end"):
        Term(-1, 3, "A", 1, "x")
    with pytest.raises(ValueError, match="one original"):
        Record("x", Document("").origin, (first,), ())


def test_no_representation_shows_an_original() -> None:
    document = Document("Ann Lee")
    record = formats.record(document, [Edit(0, 7, "PERSON", "[PERSON]", "a name")])
    assert "Ann" not in repr(document) + repr(record)
