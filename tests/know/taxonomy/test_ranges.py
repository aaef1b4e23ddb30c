"""Numbers and ages as nested ranges."""

from __future__ import annotations

import re

import pytest

from sfumato.know.taxonomy.ranges import Ranges


@pytest.mark.parametrize(
    "term", ["fifty-six", "Fifty six", "aged fifty-six", "fifty-six years old"]
)
def test_numbers_in_words_have_the_ranges_of_their_digits(term: str) -> None:
    ranges = Ranges()
    digits = re.sub("(?i)fifty.six", "56", term)
    (sense,), (same,) = ranges.senses(term), ranges.senses(digits)
    assert [s.term for s in ranges.climb(sense)[1:]] == [s.term for s in ranges.climb(same)[1:]]
    assert not ranges.senses("fifty-six dogs")
    assert not ranges.senses("two or three")
