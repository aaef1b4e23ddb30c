from __future__ import annotations

import pytest

from sfumato import sanitize
from sfumato.errors import PolicyError
from sfumato.policy import load

TEXT = "Trial NCT01234567 of ann@example.org and bob@example.com, MRN 4471903."


def test_what_a_pattern_matches_is_kept_and_the_rest_is_not() -> None:
    kept = {"pattern": r"NCT\d{8}|\w+@example\.org"}
    release = sanitize(TEXT, {"keep": [kept, "MRN"]})
    assert "NCT01234567 of ann@example.org" in release.text
    assert "bob@" not in release.text
    assert "4471903" not in release.text


@pytest.mark.parametrize("pattern", ["(", r"(?=a)", r"(a)\1", ""])
def test_a_pattern_that_is_not_linear_is_refused(pattern: str) -> None:
    with pytest.raises(PolicyError, match="keep"):
        load({"keep": [{"pattern": pattern}]})


def test_kinds_have_thresholds_of_their_own() -> None:
    text = "He called on 5 June 2021 about it."
    found = {"detect": ["patterns"], "threshold": {"DATE": 0.0, "*": 1.0}}
    none = {"detect": ["patterns"], "threshold": {"DATE": 1.0, "*": 0.0}}
    assert sanitize(text, found).text != text
    assert sanitize(text, none).text == text
    assert load({"threshold": {"CODE": 0.2}}).least_score("MRN") == 0.2
    assert load({"threshold": {"CODE": 0.2}}).least_score("PERSON") == 0.5


def test_a_threshold_of_a_kind_that_is_none_is_refused() -> None:
    with pytest.raises(PolicyError, match="did you mean 'PERSON'"):
        load({"threshold": {"PERSN": 0.2}})
