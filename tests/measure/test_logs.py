"""Document logs: a document stays only if k users have it; files come out whole or not at all."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from sfumato.english.folding import normal_form
from sfumato.errors import GuaranteeError, InputError, MissingExtraError
from sfumato.keys import Key
from sfumato.measure import LogSummary, Ppp, anonymize_log, k_anonymous, logs, select_ppp

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
    assert len({normal_form(d) for _, d in found}) == len({d for _, d in found})


def test_the_most_frequent_spelling_is_released() -> None:
    log = [("a", "Flu"), ("b", "flu"), ("c", "flu")]
    assert k_anonymous(log, 3, match="normal_form") == [("a", "flu"), ("b", "flu"), ("c", "flu")]


def test_k_and_match_are_checked() -> None:
    with pytest.raises(InputError, match="1 or more"):
        k_anonymous([("a", "flu")], 0)
    with pytest.raises(InputError, match="whole documents"):
        k_anonymous([("a", "flu")], 1, match="words")
    with pytest.raises(InputError, match="has no documents"):
        k_anonymous([], 1)


LOG = "user,time,document\nann,9:01,flu\nbob,9:02,flu\nbob,9:03,my street\ncem,9:04,rash\n"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.csv"
    path.write_text(LOG)
    return path


def test_a_log_is_written_without_other_columns(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "out.csv"
    summary = anonymize_log(log, out, 2)
    assert out.read_text() == "user,document\nann,flu\nbob,flu\n"
    assert summary == LogSummary(2, 4, 2, 3, 1, 3, 1)
    assert summary.as_dict()["users_gone"] == 1
    assert [p.name for p in out.parent.iterdir()] == ["out.csv"]


@pytest.mark.parametrize("suffix", [".tsv", ".jsonl", ".parquet"])
def test_a_log_is_written_as_its_name_says(log: Path, tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"out{suffix}"
    anonymize_log(log, out, 2)
    if suffix == ".tsv":
        rows = list(csv.DictReader(out.read_text().splitlines(), delimiter="\t"))
    elif suffix == ".jsonl":
        rows = [json.loads(line) for line in out.read_text().splitlines()]
    else:
        rows = parquet.read_table(out).to_pylist()
    assert rows == [{"user": "ann", "document": "flu"}, {"user": "bob", "document": "flu"}]


def test_with_a_key_users_are_pseudonyms(log: Path, tmp_path: Path, key: Key) -> None:
    anonymize_log(log, tmp_path / "one.csv", 1, key=key)
    anonymize_log(log, tmp_path / "two.csv", 1, key=key)
    anonymize_log(log, tmp_path / "other.csv", 1, key=Key(bytes(32)))
    one, two, other = ((tmp_path / f"{n}.csv").read_text() for n in ("one", "two", "other"))
    assert one == two != other
    users = [row["user"] for row in csv.DictReader(one.splitlines())]
    assert "bob" not in one
    assert users[1] == users[2]
    assert len(set(users)) == 3


def test_nothing_is_written_if_nothing_is_left(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    with pytest.raises(InputError, match="With k up to 2 something is left"):
        anonymize_log(log, out, 3)
    assert not out.exists()


def test_an_original_is_never_overwritten(log: Path) -> None:
    with pytest.raises(InputError, match="never overwritten"):
        anonymize_log(log, log.parent / "." / log.name, 2)
    assert log.read_text() == LOG


def test_an_unknown_kind_of_file_is_refused_before_reading(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no table of a known kind"):
        anonymize_log(tmp_path / "none.csv", tmp_path / "out.xlsx", 2)


def test_a_log_that_is_not_k_anonymous_is_not_written(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs, "shared", lambda rows, documents, k: rows.users >= 0)
    with pytest.raises(GuaranteeError, match="not 2-anonymous"):
        anonymize_log(log, tmp_path / "out.csv", 2)
    assert not (tmp_path / "out.csv").exists()


def test_parquet_without_pyarrow_names_the_extra(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    with pytest.raises(MissingExtraError, match="parquet"):
        anonymize_log(log, tmp_path / "out.parquet", 2)


# PPP

MIXED = [(f"u{n % 7}", d) for n, d in enumerate(["hiv test", "pizza", "snow", "keller"] * 25)]


def test_the_shipped_lists_know_names_places_and_private_words() -> None:
    ppp = Ppp()
    assert [ppp(d) for d in ("robert martinez", "hotels in chicago", "heroin withdrawal")] == [
        True
    ] * 3
    assert not any(ppp(d) for d in ("pizza recipe", "how to draw a horse", "snow tomorrow"))


@pytest.mark.parametrize("release", ["only-ppp", "no-ppp"])
def test_larger_shares_hold_smaller_ones(release: str) -> None:
    ppp = Ppp(["hiv", "keller"])
    parts = [select_ppp(MIXED, ppp, s, release=release) for s in (0.1, 0.3, 0.5)]  # type: ignore[arg-type]
    assert [len(p) for p in parts] == [10, 30, 50]
    for small, large in pairwise(parts):
        left = list(large)
        for row in small:
            left.remove(row)
    assert all(ppp(d) == (release == "only-ppp") for _, d in parts[-1])


def test_a_share_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match=r"only-ppp can release 25.0% of this log"):
        select_ppp(MIXED, Ppp(["hiv"]), 0.5, release="only-ppp")
    with pytest.raises(InputError, match="from 0 to 1"):
        select_ppp(MIXED, Ppp(["hiv"]), 1.5, release="only-ppp")


def test_the_spelling_is_that_of_most_users_not_of_most_rows() -> None:
    log = [("ann", "HIV-test")] * 3 + [("bob", "hiv test"), ("cem", "hiv test")]
    assert {d for _, d in k_anonymous(log, 2, match="normal_form")} == {"hiv test"}
