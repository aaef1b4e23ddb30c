from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.document import Document, Edit, render
from sfumato.measure import alignment
from sfumato.measure.alignment import align, edit_counts
from tests.strategies import edited

WORDS = st.lists(st.sampled_from(["a", "b", "c", "d", "e", ".", "\n"]), max_size=40).map(" ".join)
TOKEN = re.compile(r"\w+|[^\w\s]")


@given(WORDS, WORDS)
def test_kept_tokens_stand_in_the_release_in_their_order(one: str, two: str) -> None:
    found = align(one, two)
    starts = [s for s, k in zip(found.starts, found.kept, strict=True) if k]
    kept = [token[0] for s in starts if (token := TOKEN.match(one, s))]
    assert len(kept) == len(starts)
    left = iter(TOKEN.findall(two))
    assert all(token in left for token in kept)


@given(WORDS, WORDS)
def test_changes_and_kept_tokens_make_up_both_texts(one: str, two: str) -> None:
    found = align(one, two)
    changed = [
        TOKEN.findall(two[a:b]) for _, (a, b) in ((c.original, c.released) for c in found.changes)
    ]
    kept = sum(found.kept)
    assert kept + sum(map(len, changed)) == len(TOKEN.findall(two))
    gone = sum(len(TOKEN.findall(one[slice(*c.original)])) for c in found.changes)
    assert kept + gone == len(TOKEN.findall(one))


@given(WORDS)
def test_a_text_is_kept_by_itself(text: str) -> None:
    found = align(text, text)
    assert not found.changes
    assert found.counts.share_kept == 1.0


@given(edited())
def test_what_no_edit_touches_may_be_kept_and_counts_are_bounded(
    made: tuple[Document, list[Edit]],
) -> None:
    document, edits = made
    counts = edit_counts(document.text, render(document, edits))
    assert 0 <= counts.words_kept <= counts.words
    assert 0 <= counts.share_kept <= 1


def test_lines_anchor_the_words_around_them() -> None:
    found = align("Name: Ann\nSame line\nName: Bob", "Name: [P]\nSame line\nName: [P]")
    spans = [c.original for c in found.changes]
    assert spans == [(6, 9), (26, 29)]


def test_what_is_left_of_a_span_is_told_run_by_run() -> None:
    text = "General Hospital of Old Exeter"
    found = align(text, "General Hospital of [LOC]")
    assert found.left_of(0, len(text), text) == ["General Hospital of"]
    found = align("Dr Ann Lee GP here", "Dr [PERSON] GP here")
    assert found.left_of(0, 13, "Dr Ann Lee GP here") == ["Dr", "GP"]
    assert found.left_of(3, 10, "Dr Ann Lee GP here") == []


def test_what_stands_instead_is_told() -> None:
    released = "[P] met [Q]."
    found = align("Ann met Bob.", released)
    assert [released[a:b] for a, b in found.instead(8, 11)] == ["[Q]"]


def test_long_texts_are_matched_by_rare_words_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alignment, "_DIRECT", (0, 0))
    before = " ".join(f"the word{n} and the" for n in range(60))
    after = before.replace("word7 ", "X ").replace("word31 ", "X ")
    found = align(before, after)
    assert found.counts.words_kept == found.counts.words - 2
    assert found.counts.edits == 2


@pytest.mark.parametrize("depth", [0, 8])
def test_texts_too_long_to_compare_all_with_all_are_aligned_as_well(
    monkeypatch: pytest.MonkeyPatch, depth: int
) -> None:
    monkeypatch.setattr(alignment, "_DIRECT", (0, 0))
    monkeypatch.setattr(alignment, "_DEPTH", depth)
    monkeypatch.setattr(alignment, "_NEAR", 6)
    test_kept_tokens_stand_in_the_release_in_their_order()
    test_changes_and_kept_tokens_make_up_both_texts()
    test_a_text_is_kept_by_itself()
    assert align("x a y b z", "q a r b s").counts.words_kept == 2


def test_what_repeats_itself_is_aligned_where_it_stands() -> None:
    found = align("Margaret Holloway came. " * 500, "[PERSON] came. " * 500)
    assert found.counts.edits == 500
    assert found.counts.words_kept == 500


def test_counts_add_up() -> None:
    one, two = edit_counts("a b", "a"), edit_counts("c", "d e")
    assert (one + two).words == 3
    assert (one + two).words_kept == 1
    assert (one + two).words_added == 2
    assert edit_counts("", "").share_kept == 1.0
