"""Document logs: exactly the documents of k users stay."""

from __future__ import annotations

from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.english.folding import normal_form
from sfumato.errors import InputError
from sfumato.protect.logs.model import k_anonymous

Log = list[tuple[str, str]]
LOGS = st.lists(
    st.tuples(
        st.sampled_from("abcde"), st.sampled_from(["flu", "Flu", "FLU", "rash", "my street"])
    ),
    min_size=1,
    max_size=30,
)


def owners(log: Log) -> dict[str, set[str]]:
    found = defaultdict(set)
    for user, document in log:
        found[document].add(user)
    return found


@given(LOGS, st.integers(1, 6))
def test_exactly_the_documents_of_k_users_stay(log: Log, k: int) -> None:
    who = owners(log)
    assert k_anonymous(log, k) == [row for row in log if len(who[row[1]]) >= k]


@given(LOGS, st.integers(1, 6))
def test_by_normal_form_spellings_are_counted_together_and_released_as_one(
    log: Log, k: int
) -> None:
    found = k_anonymous(log, k, match="normal_form")
    together = owners([(u, normal_form(d)) for u, d in log])
    kept = [(u, normal_form(d)) for u, d in log if len(together[normal_form(d)]) >= k]
    assert [(u, normal_form(d)) for u, d in found] == kept
    assert all(len(users) >= k for users in owners(found).values())
    assert sum(len(d) for _, d in found) <= sum(len(d) for _, d in log)
    assert len({normal_form(d) for _, d in found}) == len({d for _, d in found})


def test_the_most_frequent_spelling_is_released() -> None:
    log = [("a", "Flu"), ("b", "flu"), ("c", "flu")]
    assert k_anonymous(log, 3, match="normal_form") == [("a", "flu"), ("b", "flu"), ("c", "flu")]


@pytest.mark.parametrize("blank", [" ", "-", "_\t", "\u3000"])
def test_a_long_spelling_is_not_shown_in_the_rows_of_others(blank: str) -> None:
    """Every row shows the spelling that is chosen: a log is never longer for it."""
    log = [(f"{n}", "flu" + blank * 9000) for n in range(3)]
    log += [(f"u{n}", f"{'F' if n & 1 else 'f'}{'L' if n & 2 else 'l'}u") for n in range(8)]
    assert {d for _, d in k_anonymous(log, 2, match="normal_form")} == {"FLu"}
    log += [("Ann" + " " * 5000, f"d{n}") for n in range(2)] + [("ann", "flu"), ("ANN", "flu")]
    released = k_anonymous(log, 1, match="normal_form")
    assert sum(len(u) + len(d) for u, d in released) <= sum(len(u) + len(d) for u, d in log)


def test_k_and_match_are_checked() -> None:
    with pytest.raises(InputError, match="1 or more"):
        k_anonymous([("a", "flu")], 0)
    with pytest.raises(InputError, match="whole documents"):
        k_anonymous([("a", "flu")], 1, match="words")
    with pytest.raises(InputError, match="has no documents"):
        k_anonymous([], 1)


def test_the_spelling_is_that_of_most_users_not_of_most_rows() -> None:
    log = [("ann", "HIV-test")] * 3 + [("bob", "hiv test"), ("cem", "hiv test")]
    assert {d for _, d in k_anonymous(log, 2, match="normal_form")} == {"hiv test"}


def test_what_reads_alike_is_one_user_and_one_document() -> None:
    assert k_anonymous([(1, "flu"), ("1", "flu")], 2) == []
    assert k_anonymous([("a", 1), ("b", "1")], 2) == [("a", 1), ("b", 1)]
