"""Document logs are released like everything else: certified, recorded, whole or not at all."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from pyarrow import parquet
from pyarrow import table as arrow_table

from sfumato import policy
from sfumato.document import restored
from sfumato.errors import GuaranteeError, InputError, MissingExtraError
from sfumato.keys import Key
from sfumato.protect.logs.model import LogSummary
from sfumato.release.certificate import parse
from sfumato.release.ledger import Ledger
from sfumato.release.logs import release_log

LOG = "user,time,document\nann,9:01,flu\nbob,9:02,flu\nbob,9:03,my street\ncem,9:04,rash\n"
KEY = Key(bytes(range(32)))


def rules(k: int, *, keep: bool = False, **more: object) -> policy.Policy:
    return policy.load({"log": {"k": k, "users": "keep" if keep else "pseudonym", **more}})


def released(path: Path, out: Path, k: int, *, key: Key = KEY, keep: bool = False) -> LogSummary:
    with Ledger(key) as ledger:
        return release_log(path, out, rules(k, keep=keep), key, ledger)[1]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.csv"
    path.write_text(LOG)
    return path


def test_a_log_is_written_without_other_columns(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "out.csv"
    summary = released(log, out, 2, keep=True)
    assert out.read_text() == "user,document\nann,flu\nbob,flu\n"
    assert summary == LogSummary(2, 4, 2, 3, 1, 3, 1)
    assert summary.as_dict()["users_gone"] == 1
    assert sorted(p.name for p in out.parent.iterdir()) == ["out.csv", "out.csv.cert.json"]


@pytest.mark.parametrize("suffix", [".tsv", ".jsonl", ".parquet"])
def test_a_log_is_written_as_its_name_says(log: Path, tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"out{suffix}"
    released(log, out, 2, keep=True)
    if suffix == ".tsv":
        rows = list(csv.DictReader(out.read_text().splitlines(), delimiter="\t"))
    elif suffix == ".jsonl":
        rows = [json.loads(line) for line in out.read_text().splitlines()]
    else:
        rows = parquet.read_table(out).to_pylist()
    assert rows == [{"user": "ann", "document": "flu"}, {"user": "bob", "document": "flu"}]


def test_a_log_of_bytes_that_are_no_text_is_written_as_text(tmp_path: Path) -> None:
    rows = {"user": ["ann", "bob"], "document": ["\ufb01", "\ufb01"]}
    parquet.write_table(arrow_table(rows), tmp_path / "log.parquet")
    released(tmp_path / "log.parquet", tmp_path / "out.tsv", 2, keep=True)
    text = (tmp_path / "out.tsv").read_text()
    assert text == "user\tdocument\nann\t\ufb01\nbob\t\ufb01\n"


@pytest.mark.parametrize("suffix", [".csv", ".tsv"])
@pytest.mark.parametrize("code", ["\x1b[8mflu\x1b[0m", "Ann\rflu", "Ann\x08flu"])
def test_codes_that_programs_obey_are_in_no_log(code: str, suffix: str, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps({"user": u, "document": code}) + "\n" for u in ("a", "b")))
    with pytest.raises(InputError, match="otherwise than it stands"):
        released(log, tmp_path / f"out{suffix}", 2)


@pytest.mark.parametrize("rare", [0, 1, 3])
def test_the_row_of_a_formula_is_named_and_its_text_is_not(rare: int, tmp_path: Path) -> None:
    said = [("r", f"rare {n}") for n in range(rare)] + [("a", "=1+1"), ("b", "=1+1")]
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps({"user": u, "document": d}) + "\n" for u, d in said))
    with pytest.raises(InputError, match=f"the text in row {rare + 1} of the log") as refused:
        released(log, tmp_path / "out.csv", 2)
    assert "=1+1" not in str(refused.value)


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
@pytest.mark.parametrize(
    "said", [[-0.0, 0], [True, 1], [1, True, "1"], [1.0, 1, "true"], [1e22, 10**22], [False, 0]]
)
def test_values_that_python_holds_for_equal_are_told_apart_by_what_they_say(
    said: list[object], suffix: str, tmp_path: Path
) -> None:
    log = tmp_path / "log.jsonl"
    rows = [{"user": user, "document": d} for d in said for user in (True, 1, "ann")]
    log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    summary = released(log, tmp_path / f"out{suffix}", 3)
    assert summary.rows_released == len(rows)


def test_with_a_key_users_are_pseudonyms(log: Path, tmp_path: Path, key: Key) -> None:
    released(log, tmp_path / "one.csv", 1, key=key)
    released(log, tmp_path / "two.csv", 1, key=key)
    released(log, tmp_path / "other.csv", 1, key=Key(bytes(32)))
    one, two, other = ((tmp_path / f"{n}.csv").read_text() for n in ("one", "two", "other"))
    assert one == two != other
    users = [row["user"] for row in csv.DictReader(one.splitlines())]
    assert "bob" not in one
    assert users[1] == users[2]
    assert len(set(users)) == 3


def test_nothing_is_written_if_nothing_is_left(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    with pytest.raises(InputError, match="With k up to 2 something is left"):
        released(log, out, 3)
    assert not out.exists()


def test_an_original_is_never_overwritten(log: Path) -> None:
    with pytest.raises(InputError, match="never overwritten"):
        released(log, log.parent / "." / log.name, 2)
    assert log.read_text() == LOG


def test_an_unknown_kind_of_file_is_refused_before_reading(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no table of a known kind"):
        released(tmp_path / "none.csv", tmp_path / "out.xlsx", 2)


def test_a_log_that_is_not_k_anonymous_is_not_written(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sfumato.protect.logs.model.largest", lambda problem: problem.users >= 0)
    with pytest.raises(GuaranteeError, match="'documents of k users' does not hold"):
        released(log, tmp_path / "out.csv", 2)
    assert not (tmp_path / "out.csv").exists()


def test_parquet_without_pyarrow_names_the_extra(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    with pytest.raises(MissingExtraError, match="parquet"):
        released(log, tmp_path / "out.parquet", 2)


def test_the_ledger_gives_the_original_back(log: Path, tmp_path: Path) -> None:
    for suffix in (".csv", ".parquet"):
        out = tmp_path / f"out{suffix}"
        with Ledger(KEY) as ledger:
            release_log(log, out, rules(2), KEY, ledger)
            entry = ledger.find_one(out.read_bytes())
        assert restored(out.read_bytes(), entry.record) == log.read_bytes()
        assert policy.parse(entry.policy).log == rules(2).log


def test_the_certificate_says_what_holds_and_names_nobody(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    released(log, out, 2)
    text = (tmp_path / "out.csv.cert.json").read_text()
    made = parse(text, "out.csv")
    assert [claim.name for claim in made.claims] == [
        "documents of k users",
        "only whole rows left out",
        "users not named",
    ]
    assert made.policy == rules(2).digest
    assert not any(word in text for word in ("ann", "bob", "flu", "street"))


def test_a_policy_without_a_log_is_refused(log: Path, tmp_path: Path) -> None:
    with Ledger(KEY) as ledger, pytest.raises(InputError, match="has no `log:`"):
        release_log(log, tmp_path / "out.csv", policy.load("default"), KEY, ledger)
