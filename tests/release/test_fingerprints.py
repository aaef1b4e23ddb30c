"""The knowledge behind a release comes from whoever uses it."""

from __future__ import annotations

import pytest

from sfumato.policy import load
from sfumato.release import fingerprints


@pytest.mark.parametrize(
    ("settings", "known"),
    [
        ({"protect": ["replace"]}, {"detector", "year"}),
        ({"detect": ["patterns"]}, {"year"}),
        ({"detect": ["gazetteers"]}, {"places"}),
        ({"detect": ["information"]}, {"detector", "statistics"}),
        (
            {"detect": ["patterns"], "replace": {"LOC": "generalise"}},
            {"taxonomy", "senses", "year"},
        ),
        (
            {"detect": ["patterns"], "protect": [{"plausibility": {"t": 2}}]},
            {"detector", "taxonomy", "senses", "year"},
        ),
        (
            {"detect": ["patterns"], "protect": ["disclosure"]},
            {"detector", "statistics", "taxonomy", "senses", "year"},
        ),
    ],
)
def test_a_policy_rests_on_what_its_parts_name(
    settings: dict[str, object], known: set[str]
) -> None:
    assert set(fingerprints.of(load(settings))) == known | {"words", "places"}


def test_what_comes_along_has_a_hash_without_a_policy() -> None:
    found = fingerprints.of(load("default"))
    assert {name: fingerprints.built_in(name) for name in found} == found
    assert fingerprints.built_in("entities") is None
