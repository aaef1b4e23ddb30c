"""The benchmark's scores, on cases counted by hand."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sfumato.measure.tab import (
    ConfidenceInterval,
    Identifier,
    Intervals,
    MaskCounts,
    Mention,
    Scores,
    bootstrap,
    count,
    merge,
    missed,
    score,
    words,
)

TEXT = "Mr Ali Demir, born in 1970, sued the Bank of Izmir. Demir won. He lives in Izmir."


def mention(text: str, entity: str, identifier: str, occurrence: int = 0) -> Mention:
    start = -1
    for _ in range(occurrence + 1):
        start = TEXT.index(text, start + 1)
    return Mention(start, start + len(text), entity, Identifier(identifier))


def spans(*texts: str) -> list[tuple[int, int]]:
    return [(TEXT.index(t), TEXT.index(t) + len(t)) for t in texts]


ALI = mention("Mr Ali Demir", "ali", "DIRECT")
DEMIR = mention("Demir", "ali", "DIRECT", occurrence=1)
YEAR = mention("1970", "born", "QUASI")
BANK = mention("Bank of Izmir", "bank", "QUASI")
IZMIR = mention("Izmir", "izmir", "NO_MASK", occurrence=1)
ALL = [ALI, DEMIR, YEAR, BANK, IZMIR]


def test_everything_masked_is_full_recall() -> None:
    result = score([count(TEXT, ALL, [(0, len(TEXT))])])
    # Right: mr ali demir, 1970, bank of izmir, demir.
    assert result == Scores(1.0, 1.0, 1.0, 8 / 17)


def test_nothing_masked_recalls_only_function_words() -> None:
    counts = count(TEXT, ALL, [])
    # "Mr" and "of" are function words, so 2 of 8 words count as masked.
    assert counts == MaskCounts(2, 8, 0, 1, 0, 2, 0, 0)
    assert score([counts]).token_precision is None


def test_an_entity_is_recalled_only_if_each_of_its_mentions_is() -> None:
    first_only = count(TEXT, ALL, spans("Ali Demir"))
    assert (first_only.direct_masked, first_only.direct) == (0, 1)
    both = count(TEXT, ALL, [*spans("Ali Demir"), (DEMIR.start, DEMIR.end)])
    assert (both.direct_masked, both.direct) == (1, 1)


def test_function_words_and_punctuation_need_not_be_masked() -> None:
    counts = count(TEXT, ALL, [(BANK.start, BANK.start + 4), (BANK.end - 5, BANK.end)])
    assert (counts.quasi_masked, counts.quasi) == (1, 2)
    assert counts.tokens_right == counts.tokens_masked == 2


def test_a_word_half_masked_is_not_masked() -> None:
    counts = count(TEXT, [YEAR], [(YEAR.start, YEAR.end - 1)])
    assert (counts.tokens_recalled, counts.quasi_masked) == (0, 0)
    # The half that is masked lies inside the mention: it is a word of the masked span.
    assert (counts.tokens_right, counts.tokens_masked) == (1, 1)


def test_a_mention_that_needs_no_masking_is_wrong_to_mask() -> None:
    counts = count(TEXT, ALL, [(IZMIR.start, IZMIR.end)])
    assert (counts.tokens_right, counts.tokens_masked) == (0, 1)


def test_a_no_mask_mention_of_a_masked_entity_counts_for_tokens_not_for_the_entity() -> None:
    first = Mention(BANK.start, BANK.end, "bank", Identifier.QUASI)
    later = Mention(IZMIR.start, IZMIR.end, "bank", Identifier.NO_MASK)
    counts = count(TEXT, [first, later], [(BANK.start, BANK.end)])
    assert (counts.tokens_recalled, counts.tokens) == (3, 4)
    assert (counts.quasi_masked, counts.quasi) == (1, 1)


def test_an_entity_is_direct_by_its_first_mention_in_the_text() -> None:
    quasi_first = [
        Mention(DEMIR.start, DEMIR.end, "ali", Identifier.DIRECT),
        Mention(ALI.start, ALI.end, "ali", Identifier.QUASI),
    ]
    counts = count(TEXT, quasi_first, [])
    assert (counts.direct, counts.quasi) == (0, 1)


def test_overlapping_masked_spans_are_counted_once() -> None:
    counts = count(TEXT, ALL, [(0, 6), (3, 12), (3, 12)])
    assert counts.tokens_masked == 3


def test_missed_lists_what_was_left_in_the_open() -> None:
    assert missed(TEXT, ALL, [(0, 12)]) == (DEMIR, YEAR, BANK)


def test_scores_add_counts_before_dividing() -> None:
    assert score([MaskCounts(1, 1), MaskCounts(0, 3)]).token_recall == 0.25
    assert score([]) == Scores(None, None, None, None)


def test_bootstrap_brackets_the_score_and_repeats_itself() -> None:
    counts = [MaskCounts(9, 10, 1, 1, 4, 5, 8, 10), MaskCounts(5, 10, 0, 1, 1, 5, 9, 10)] * 5
    found, again = bootstrap(counts), bootstrap(counts)
    assert found == again
    assert found.token_recall is not None
    assert 0.5 <= found.token_recall.low < 0.7 < found.token_recall.high <= 0.9


def test_bootstrap_of_nothing_is_nothing() -> None:
    assert bootstrap([]) == Intervals(None, None, None, None)
    assert bootstrap([MaskCounts(1, 1)]) == Intervals(
        ConfidenceInterval(1.0, 1.0), None, None, None
    )


SPANS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)).map(lambda s: tuple(sorted(s))))


@given(SPANS)
def test_merging_keeps_the_same_characters(found: list[tuple[int, int]]) -> None:
    merged = merge(found)
    assert {i for a, b in merged for i in range(a, b)} == {i for a, b in found for i in range(a, b)}
    assert all(a[1] < b[0] for a, b in pairwise(merged))


@given(SPANS, SPANS, st.text("ab .of", min_size=60, max_size=60))
def test_counts_agree_with_counting_character_by_character(
    gold: list[tuple[int, int]], masked: list[tuple[int, int]], text: str
) -> None:
    mentions = [Mention(a, b, str(n), Identifier.QUASI) for n, (a, b) in enumerate(gold)]
    hidden = {i for a, b in masked for i in range(a, b)}
    tokens = [w for a, b in gold for w in words(text, a, b)]
    seen = [text[a:b] in {"a", "of", "off"} or hidden.issuperset(range(a, b)) for a, b in tokens]
    counts = count(text, mentions, masked)
    assert (counts.tokens_recalled, counts.tokens) == (sum(seen), len(tokens))
    said = [w for a, b in merge(masked) for w in words(text, a, b)]
    right = [any(s <= a and b <= e for s, e in gold) for a, b in said]
    assert (counts.tokens_right, counts.tokens_masked) == (sum(right), len(said))
