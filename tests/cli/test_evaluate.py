"""The scores of a policy's detectors, on gold data small enough to count by hand."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from sfumato import policy
from sfumato.cli import app as cli
from sfumato.cli.evaluate import Missed, evaluate
from sfumato.measure.gold import GoldDocument
from sfumato.measure.tab import Identifier, Interval, Mention
from tests.conftest import ROOT

RULES = {
    "detect": [
        {
            "lists": {
                "hide": [
                    {"kind": "PERSON", "terms": ["Ann Roe"], "inflect": False},
                    {"kind": "LOC", "terms": ["Rome", "square"]},
                ]
            }
        },
    ],
    "protect": ["replace"],
    "replace": {},
}
TEXT = "Ann Roe left Rome for Oslo. Roe saw a square in Oslo."


def mention(text: str, kind: str, identifier: str, entity: str, after: int = 0) -> Mention:
    start = TEXT.index(text, after)
    return Mention(start, start + len(text), entity, Identifier(identifier), kind)


MENTIONS = (
    mention("Ann Roe", "PERSON", "DIRECT", "ann"),
    mention("Rome", "LOC", "QUASI", "rome"),
    mention("Oslo", "LOC", "QUASI", "oslo"),
    mention("Roe", "PERSON", "DIRECT", "ann", after=20),
    mention("Oslo", "LOC", "QUASI", "oslo", after=30),
)
GOLD = GoldDocument("one", TEXT, (MENTIONS,))


def test_scores_are_those_counted_by_hand() -> None:
    result = evaluate([GOLD], policy.load(RULES))
    assert {name: (s.value, s.total) for name, s in result.scores.items()} == {
        "token_recall": (3 / 6, 6),  # Ann Roe Rome | Oslo Roe Oslo
        "direct_recall": (0.0, 1),  # Roe alone was missed
        "quasi_recall": (1 / 2, 2),
        "token_precision": (3 / 4, 4),  # the square is nobody's
    }
    assert result.scores["token_recall"].interval == Interval(0.5, 0.5)


def test_each_kind_has_its_recall() -> None:
    kinds = evaluate([GOLD], policy.load(RULES)).kinds
    assert list(kinds) == ["LOC", "PERSON"]
    assert (kinds["LOC"].token_recall.value, kinds["LOC"].token_recall.total) == (1 / 3, 3)
    assert (kinds["LOC"].entities_masked, kinds["LOC"].entities) == (1, 2)
    assert (kinds["PERSON"].entities_masked, kinds["PERSON"].entities) == (0, 1)


def test_missed_terms_are_listed_by_how_often() -> None:
    assert evaluate([GOLD], policy.load(RULES)).missed == (
        Missed("Oslo", "LOC", Identifier.QUASI, 2, "one", TEXT.index("Oslo")),
        Missed("Roe", "PERSON", Identifier.DIRECT, 1, "one", TEXT.index("Roe", 20)),
    )


def test_what_the_policy_keeps_is_not_masked() -> None:
    kept = policy.load({**RULES, "replace": {"LOC": "keep"}})
    result = evaluate([GOLD], kept)
    assert result.scores["token_precision"].total == 2
    assert result.kinds["LOC"].entities_masked == 0


def test_annotators_of_one_document_are_added_up() -> None:
    nothing = GoldDocument("one", TEXT, (MENTIONS, ()))
    result = evaluate([nothing], policy.load(RULES))
    assert result.scores["token_recall"].total == 6
    # Whoever marked nothing finds all of what was masked wrong.
    assert result.scores["token_precision"].value == 3 / 8


def test_a_kind_that_needs_no_masking_is_not_listed() -> None:
    harmless = GoldDocument("two", TEXT, ((mention("square", "MISC", "NO_MASK", "s"),),))
    result = evaluate([harmless], policy.load(RULES))
    assert result.kinds == {}
    assert result.scores["token_recall"].value is None


def test_the_seed_decides_the_draws_and_nothing_else() -> None:
    documents = [GOLD, GoldDocument("two", TEXT, (MENTIONS[:2],)), GoldDocument("x", TEXT, ((),))]
    rules = policy.load(RULES)
    assert evaluate(documents, rules, seed=1) == evaluate(documents, rules, seed=1)
    first, second = evaluate(documents, rules, seed=1), evaluate(documents, rules, seed=2)
    assert first.missed == second.missed
    assert first.scores["token_recall"].value == second.scores["token_recall"].value


# The command


@pytest.fixture
def sfumato(
    inside: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COLUMNS", "120")
    (inside / "policy.json").write_text(json.dumps(RULES))  # JSON is YAML, too
    record: dict[str, Any] = {"doc_id": "one", "text": TEXT, "mentions": []}
    for m in MENTIONS:
        record["mentions"].append(
            {
                "start_offset": m.start,
                "end_offset": m.end,
                "entity_type": m.kind,
                "entity_id": m.entity,
                "identifier_type": m.identifier.value,
            }
        )
    (inside / "gold.jsonl").write_text(json.dumps(record))

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["sfumato", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
        with pytest.raises(SystemExit) as caught:
            cli.main()
        seen = capsysbinary.readouterr()
        return int(caught.value.code or 0), seen.out.decode(), seen.err.decode()

    return call


def test_a_person_sees_scores_kinds_and_what_was_missed(sfumato) -> None:
    code, out, err = sfumato("evaluate", "detect", "gold.jsonl", "-p", "policy.json")
    assert (code, err) == (0, "")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines[0] == "gold.jsonl: 1 document, policy custom"
    assert "token recall 0.500 0.500–0.500 6 words" in lines
    assert "direct recall 0.000 0.000–0.000 1 entities" in lines
    assert "LOC 0.333 0.333–0.333 3 1 of 2" in lines
    assert "2 different terms missed" in lines
    assert "2 LOC quasi Oslo one:22" in lines


def test_a_program_gets_json(sfumato) -> None:
    code, out, _ = sfumato(
        "evaluate",
        "detect",
        "gold.jsonl",
        "-p",
        "policy.json",
        "--json",
        "--missed",
        "1",
        "--seed",
        "3",
    )
    data = json.loads(out)
    assert code == 0
    assert (data["gold"], data["documents"], data["seed"]) == ("gold.jsonl", 1, 3)
    assert data["scores"]["token_precision"] == {
        "value": 0.75,
        "low": 0.75,
        "high": 0.75,
        "total": 4,
    }
    assert data["kinds"]["PERSON"]["entities"] == 1
    assert (data["missed_terms"], data["missed_mentions"]) == (2, 3)
    assert [m["text"] for m in data["missed"]] == ["Oslo"]


def test_nothing_to_count_is_shown_as_such(sfumato, inside: Path) -> None:
    (inside / "none.jsonl").write_text('{"text": "x", "mentions": []}')
    code, out, _ = sfumato("evaluate", "detect", "none.jsonl", "-p", "policy.json", "--missed", "0")
    assert code == 0
    assert "–" in out
    assert "missed" not in out
    code, out, _ = sfumato("evaluate", "detect", "none.jsonl", "-p", "policy.json", "--json")
    assert json.loads(out)["scores"]["token_recall"]["value"] is None


def test_bad_gold_data_is_one_line_and_exit_code_2(sfumato, inside: Path) -> None:
    (inside / "bad.jsonl").write_text('{"text": "x"}')
    code, out, err = sfumato("evaluate", "detect", "bad.jsonl")
    assert (code, out) == (2, "")
    assert err == "sfumato: bad.jsonl:1: 'mentions' is missing, or is no list\n"


def test_the_default_policy_is_scored_on_the_handwritten_texts(sfumato) -> None:
    path = ROOT / "tests" / "data" / "handwritten.jsonl"
    code, out, _ = sfumato("evaluate", "detect", str(path), "--json")
    assert code == 0
    scores = json.loads(out)["scores"]
    for score in scores.values():
        assert 0 <= score["low"] <= score["value"] <= score["high"] <= 1
    assert scores["token_recall"]["value"] > 0.2
