"""What a profile promises, case by case: each names the paragraph or the source that asks for it, what must go
of its text and what must stay."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from sfumato import policy
from sfumato.document import Document
from sfumato.errors import SfumatoError
from sfumato.keys import Key
from sfumato.pipeline import Sanitizer
from sfumato.release.ledger import Ledger

# The share of what must stay that does, at least; and the cases of which something is left, by name.
KEPT = {"hipaa-safe-harbor": 0.97, "clinical": 0.96, "gdpr": 0.97}
OPEN = {
    # Told by what somebody did, in plain words
    "hipaa-safe-harbor": {"r-unique-event", "r-unique-record"},
    "clinical": {"hide-word-name", "hide-zip"},
    "gdpr": {"single-office", "special-politics", "special-biometric"},
}


def cases(profile: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = yaml.safe_load(
        Path(__file__).with_name(f"{profile}.yaml").read_text(encoding="utf-8")
    )
    return found


def stands(part: str, text: str) -> bool:
    """Whether words stand in a text as they are, not as parts of others."""
    before, after = ("(?<![^\\W_])" if part[at].isalnum() else "" for at in (0, -1))
    after = after.replace("(?<!", "(?!")
    return re.search(before + re.escape(part) + after, text) is not None


Releases = tuple[str, list[tuple[dict[str, Any], str]]]


@pytest.fixture(scope="module", params=sorted(KEPT))
def releases(request: pytest.FixtureRequest) -> Releases:
    key, made = Key(bytes(32)), []
    sanitize = Sanitizer(policy.load(request.param), key, Ledger(key))
    for case in cases(request.param):
        try:
            made.append((case, sanitize(Document(case["text"])).text))
        except SfumatoError as error:
            made.append((case, f"refused: {error}"))
    return request.param, made


def test_what_must_go_is_gone(releases: Releases) -> None:
    profile, made = releases
    left = {}
    for case, text in made:
        shown = re.sub(r"\b90[ -]or[ -]older\b|\b90\+|\[[A-Z ]+\d*\]", "", text)
        if parts := [part for part in case["hide"] if stands(part, shown)]:
            left[case["name"]] = parts
    assert left.keys() <= OPEN[profile], {n: p for n, p in left.items() if n not in OPEN[profile]}


def test_what_must_stay_stays(releases: Releases) -> None:
    profile, made = releases
    asked = [(case["name"], part, part in text) for case, text in made for part in case["keep"]]
    lost = [(name, part) for name, part, kept in asked if not kept]
    assert len(lost) <= (1 - KEPT[profile]) * len(asked), lost


def test_no_case_is_refused(releases: Releases) -> None:
    assert [case["name"] for case, text in releases[1] if text.startswith("refused: ")] == []


@pytest.mark.parametrize("profile", sorted(KEPT))
def test_each_case_names_its_source_and_its_parts_stand_in_its_text(profile: str) -> None:
    for case in cases(profile):
        assert case.get("paragraph") or case.get("source")
        assert all(part in case["text"] for part in (*case["hide"], *case["keep"])), case["name"]


def test_the_table_of_the_safe_harbor_has_every_paragraph() -> None:
    told = {case["paragraph"] for case in cases("hipaa-safe-harbor")}
    assert told == {f"164.514(b)(2)(i)({letter})" for letter in "ABCDEFGHIJKLMNOPQR"}
    assert len(cases("hipaa-safe-harbor")) >= 200
