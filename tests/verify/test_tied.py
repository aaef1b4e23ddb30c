"""Facts of a release that count for nothing, because something that is told in it might tell them."""

from __future__ import annotations

import re

import pytest

from sfumato import sanitize
from sfumato.verify.counts import Slot
from sfumato.verify.tied import Ties


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(
    ("text", "is_tied"),
    [
        ("He watches the Illinois Bulls.", True),
        ("He saw Illinois, and then the Illinois Bulls.", True),
        ("He watches AC Illinois.", True),
        ("He met the Duke of Illinois.", True),
        ("Saw Illinois I know.", False),
        ("He went to Illinois with him.", False),
        ("He went to Illinois [PERSON 1].", False),
    ],
)
def test_a_place_is_tied_by_the_rest_of_a_name_that_it_is_a_part_of(
    text: str, is_tied: bool, known: bool
) -> None:
    at = text.index("Illinois")
    slot = Slot(at, at + len("Illinois"), "places:1", "place", 1)
    hidden = [label.span() for label in re.finditer(r"\[.*\]", text)]
    assert (slot in Ties.seen(text, [slot], hidden, known)) == is_tied


AT_AN_AGE = (
    "She is pregnant|She retired from work|He has retired|He draws a pension|They are expecting|She's expecting twins",
    "He sat his GCSEs|She failed her A-levels|He sits the Abitur|He is in the lower sixth|He is a fourth grader",
    "The octogenarian fell|A centenarian spoke|The toddler fell|The teenager left|The pensioner left|A thirty-something",
    "He is at primary school|She is postmenopausal|She is breastfeeding|He is a millennial|The neonate cried",
    "She lives in a care home|His grandson came|He had his bar mitzvah|He was a conscript|She is underage",
    "He was referred to paediatrics|It is an early-onset form|She graduated from Leeds|He is teething|He is of working age",
)  # fmt: skip
AT_NO_AGE = (
    "She is tired|She is expecting him|She is expecting to be paid|They expect rain|He sat on a chair|She is tall",
    "He wears a suspension belt|The tyre is worn|He works in a home|She confirmed it|He was scolded|She is well",
)  # fmt: skip


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize(
    ("said", "is_tied"),
    [
        *((said, True) for row in AT_AN_AGE for said in row.split("|")),
        *((said, False) for row in AT_NO_AGE for said in row.split("|")),
    ],
)
def test_a_birth_is_tied_by_what_one_does_or_has_at_some_age(
    said: str, is_tied: bool, known: bool
) -> None:
    text = f"She was born in the 1990s. {said}."
    slot = Slot(at := text.index("the 1990s"), at + 9, "calendar:19900099", "year", 1)
    assert (slot in Ties.seen(text, [slot], [], known)) == is_tied
    alone = f"{text[:at]}the 1990s."
    assert slot not in Ties.seen(alone, [slot], [], known)


@pytest.mark.parametrize("adversary", ["text", "program"])
@pytest.mark.parametrize("birth", ["1985", "March 1985", "3 March 1985"])
@pytest.mark.parametrize(
    "said", ["She is pregnant.", "She has retired.", "She is at secondary school."]
)
def test_a_birth_beside_it_gets_a_label_and_pays_nothing(
    said: str, birth: str, adversary: str
) -> None:
    rules = {"protect": [{"plausibility": {"t": 40, "adversary": adversary}}]}
    told = sanitize(f"She was born in {birth}. She is well.", rules)
    assert re.search(r"198|20th century", told.text)
    made = sanitize(f"She was born in {birth}. {said}", rules)
    assert "[DATE 1]" in made.text
    (claim,) = (c for c in made.checks if c.name == "t-plausible")
    assert "one of" not in claim.detail
