"""A place or a people is not softened as the common noun that is spelt like it."""

from __future__ import annotations

from typing import Any

import pytest

from sfumato import sanitize

POLICIES: dict[str, Any] = {
    "plausible": "plausible",
    "nouns": {"detect": [], "protect": [{"plausibility": {"t": 2, "terms": "nouns"}}]},
    "text": {"detect": [], "protect": [{"plausibility": {"t": 2, "adversary": "text"}}]},
}
STANDS = [
    "is from Wales", "comes from Bolivia, which is landlocked,", "lives in Iowa", "comes from Guinea",
    "lives in Miami-Dade County", "lives in King County", "is a Polish national",
]  # fmt: skip


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("said", STANDS)
def test_a_name_is_no_common_noun(said: str, policy: str) -> None:
    made = sanitize(f"He {said} and has leukaemia.", POLICIES[policy]).text
    assert said in made
    assert "leukaemia" not in made


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("word", ["Arson", "Asthma", "Cancer", "Heroin"])
def test_a_noun_with_a_capital_is_softened(word: str, policy: str) -> None:
    made = sanitize(f"{word} is what he spoke of, and of leukaemia and a knife.", POLICIES[policy])
    assert word not in made.text
