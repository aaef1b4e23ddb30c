"""What of a place is as large as a state, and what is smaller though it is called like one."""

import pytest

from sfumato import policy, sanitize
from sfumato.detect.regions import is_town


@pytest.mark.parametrize(
    ("text", "name", "town"),
    [
        ("She lives in Georgia.", "Georgia", False),
        ("She lives in Georgia, Vermont.", "Georgia", True),
        ("Texas, Ohio and North Dakota", "Texas", False),
        ("moved to Kansas City", "Kansas", True),
        ("in the town of Mexico", "Mexico", True),
        ("in Washington County", "Washington", True),
    ],
)
def test_a_town_may_be_called_like_a_state(text: str, name: str, town: bool) -> None:
    at = text.index(name)
    assert is_town(text, at, at + len(name)) == town


@pytest.mark.parametrize(
    ("place", "text", "release"),
    [
        ("Terre Haute, Indiana", "of Terre Haute, Indiana.", "of [PLACE 1], Indiana."),
        ("Lima, Peru", "of Lima, Peru.", "of [PLACE 1], Peru."),
        ("Kemmerer WY 83101", "of Kemmerer WY 83101.", "of [PLACE 1] WY 000**."),
        ("Portland, Oregon 97210", "of Portland, Oregon 97210.", "of [PLACE 1], Oregon 972**."),
        ("Boston, Massachusetts, USA", "Boston, Massachusetts, USA", "[PLACE 1], Massachusetts, USA"),
        ("Ohio", "of Ohio.", "of Ohio."),
        ("Bavaria", "of Bavaria.", "of [PLACE 1]."),
        ("U", "of the U.S. often", "of the U.S. often"),
        ("U.S", "of the U.S.A. often", "of the U.S.A. often"),
    ],
)  # fmt: skip
def test_states_and_countries_stand_and_what_is_smaller_goes(
    place: str, text: str, release: str
) -> None:
    rules = {
        "detect": [{"patterns": {"regions": ["US"]}}, {"lists": {"hide": [{"kind": "LOC", "terms": [place]}]}}],
        "replace": {"LOC": "states", "POSTCODE": {"how": "truncate", "sparse_zip": True}, "*": "label"},
    }  # fmt: skip
    assert sanitize(text, policy.load(rules)).text == release


@pytest.mark.parametrize(
    "text",
    ["She speaks Urdu and some English.", "Her GCSE Spanish was a pleasure.", "The drivers are Romanian or Polish.",
     "He came from Norway in May and speaks Norwegian.", "A German lady sang Tagalog songs.", "A Nigerian-born cook came."],
)  # fmt: skip
def test_peoples_and_languages_stand_as_countries_do(text: str) -> None:
    assert sanitize(text).text == text


@pytest.mark.parametrize(
    ("text", "gone"),
    [("Mrs English taught them.", "English"), ("Paul French came. French was late.", "French"),
     ("Finn is a Cornish lad.", "Cornish"), ("The patient, a Welsh violinist from Barry, left.", "Barry")],
)  # fmt: skip
def test_who_is_called_like_a_people_goes_and_so_does_a_small_one(text: str, gone: str) -> None:
    assert gone not in sanitize(text).text


@pytest.mark.parametrize(
    "text",
    ["Moved to Ward 7 of the Acute Stroke Unit.", "Seen in the Movement Disorder Clinic, then by the Fraud Team.",
     "Customer Care Team wrote: see Level 2 Childcare at Terminal 2.", "I joined the Merchant Navy."],
)  # fmt: skip
def test_parts_that_any_institution_has_stand(text: str) -> None:
    assert sanitize(text).text == text


def test_who_stands_behind_what_is_numbered_is_hidden_alone() -> None:
    assert "to Tier 2, [" in sanitize("Sentiment: bad. Escalated to Tier 2, Anneke.").text
