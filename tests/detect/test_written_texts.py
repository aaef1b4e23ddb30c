"""The texts marked by hand that the detector learns from: every mark is one, and other names leave them marks."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts"))

from detector import written  # noqa: E402

NAMES = written.Names(["Ilka"], ["Quist"], ["Zell"])


def test_every_text_is_marked_and_no_mark_is_left_in_it() -> None:
    records = list(written.read(ROOT / "scripts" / "written"))
    assert len(records) > 1000
    assert sum(bool(record["mentions"]) for record in records) > len(records) * 3 // 4
    for record in records:
        assert not set("{}") & set(record["text"]), record["id"]


def test_who_is_called_otherwise_is_so_throughout_and_who_leads_to_nobody_stays() -> None:
    record = written.unmark("{P:Mrs Ann Lee} of {L:Ely} met {P-:Mozart}. {P:Ann}'s {P:LEE}.")
    others = [written.variation(record, NAMES, random.Random(seed)) for seed in range(40)]
    usual = next(o for o in others if "Ilka" in o["text"] and "Quist" in o["text"])
    assert usual["text"] == "Mrs Ilka Quist of Zell met Mozart. Ilka's QUIST."
    said = [usual["text"][m["start_offset"] : m["end_offset"]] for m in usual["mentions"]]
    assert said == ["Mrs Ilka Quist", "Zell", "Mozart", "Ilka", "QUIST"]


def test_a_mark_of_no_type_is_an_error() -> None:
    with pytest.raises(ValueError, match="a mark that is none"):
        written.unmark("{X:Ann} came")
