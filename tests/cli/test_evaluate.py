"""`sfumato evaluate`: how good the detectors are."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sfumato.cli.app import main
from tests.conftest import ROOT
from tests.measure.test_detection import MENTIONS, RULES, TEXT

Sfumato = Callable[..., tuple[int, str, str]]


@pytest.fixture
def sfumato(
    inside: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Sfumato:
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
        with pytest.raises(SystemExit) as caught:
            main()
        seen = capsysbinary.readouterr()
        return int(caught.value.code or 0), seen.out.decode(), seen.err.decode()

    return call


def test_a_person_sees_scores_kinds_and_what_was_missed(sfumato: Sfumato) -> None:
    code, out, err = sfumato("evaluate", "detect", "gold.jsonl", "-p", "policy.json")
    assert (code, err) == (0, "")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines[0] == "gold.jsonl: 1 document, policy custom"
    assert "token recall 0.500 0.500–0.500 6 words" in lines
    assert "direct recall 0.000 0.000–0.000 1 entities" in lines
    assert "LOC 0.333 0.333–0.333 3 1 of 2" in lines
    assert "2 different terms missed" in lines
    assert "2 LOC quasi Oslo one:22" in lines


def test_a_program_gets_json(sfumato: Sfumato) -> None:
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


def test_nothing_to_count_is_shown_as_such(sfumato: Sfumato, inside: Path) -> None:
    (inside / "none.jsonl").write_text('{"text": "x", "mentions": []}')
    code, out, _ = sfumato("evaluate", "detect", "none.jsonl", "-p", "policy.json", "--missed", "0")
    assert code == 0
    assert "–" in out
    assert "missed" not in out
    code, out, _ = sfumato("evaluate", "detect", "none.jsonl", "-p", "policy.json", "--json")
    assert json.loads(out)["scores"]["token_recall"]["value"] is None


def test_bad_gold_data_is_one_line_and_exit_code_2(sfumato: Sfumato, inside: Path) -> None:
    (inside / "bad.jsonl").write_text('{"text": "x"}')
    code, out, err = sfumato("evaluate", "detect", "bad.jsonl")
    assert (code, out) == (2, "")
    assert err == "sfumato: bad.jsonl:1: 'mentions' is missing, or is no list\n"


def test_the_default_policy_is_scored_on_the_handwritten_texts(sfumato: Sfumato) -> None:
    path = ROOT / "tests" / "data" / "handwritten.jsonl"
    code, out, _ = sfumato("evaluate", "detect", str(path), "--json")
    assert code == 0
    scores = json.loads(out)["scores"]
    for score in scores.values():
        assert 0 <= score["low"] <= score["value"] <= score["high"] <= 1
    assert scores["token_recall"]["value"] > 0.2
