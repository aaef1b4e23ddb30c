"""Facts of a release that count for nothing, because something that is told in it might tell them."""

from __future__ import annotations

import re

import pytest

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
