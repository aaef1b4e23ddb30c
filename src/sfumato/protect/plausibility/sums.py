"""Amounts of money that may follow from others: net, tax and gross tell no more than two of them do."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from sfumato.document import Spans
from sfumato.english.ties import MOST_ADDED, NEAR, RATIOS, numbers_among

_Ends = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Band:
    """The ends between which an amount lies, in units of its last digit."""

    currency: str
    low: int
    high: int
    decimals: int


def following(bands: Iterable[Band]) -> Iterator[bool]:
    """Of amounts in the order of a text, whether one may be the sum, the difference, a multiple or a share of
    those before it that follow from nothing, but for rounding. Who knows between what ends they lie knows it.

    >>> pounds = [Band("pound", n, n, 0) for n in (100, 20, 120, 77)]
    >>> list(following(pounds))
    [False, True, True, False]
    """
    bands = list(bands)
    most = max((band.decimals for band in bands), default=0)
    told: dict[str, list[_Ends]] = defaultdict(list)
    for band in bands:
        digit = 10 ** (most - band.decimals)
        before, own = told[band.currency], (band.low * digit, band.high * digit)
        near = before[-NEAR:]
        found = any(_is_times(own, other, digit) for other in near)
        # twice the ends, as an amount may be rounded by half a digit
        low, high = 2 * own[0] - digit, 2 * own[1] + digit
        found = found or any(2 * a <= high and low <= 2 * b for a, b in _added(before, near))
        if not found:
            before.append(own)
        yield found


def tied(text: str, places: Iterable[tuple[str, int, int]], edited: Spans) -> set[str]:
    """The currencies of amounts, each with its place, among which a number stands that nobody edits: "in 24
    instalments of", "15 %", "37.5 hours at". One amount may be any other of them by it.

    >>> note = "A loan of €12,000 in 24 instalments of €500."
    >>> amounts = [("euro", 10, 17), ("euro", 39, 43)]
    >>> tied(note, amounts, Spans((a, b) for _, a, b in amounts))
    {'euro'}
    """
    stretches = dict[str, tuple[int, int]]()
    for name, start, end in places:
        first, last = stretches.get(name, (start, end))
        stretches[name] = min(first, start), max(last, end)
    return {
        name
        for name, stretch in stretches.items()
        if any(not edited.touch(*span) for span in numbers_among(text, *stretch))
    }


def _is_times(own: _Ends, other: _Ends, digit: int) -> bool:
    """Whether one amount may be another some whole number of times, or in a usual proportion to it."""
    low, high = 2 * own[0] - digit, 2 * own[1] + digit
    return (
        any(
            2 * other[0] * times <= high * of and low * of <= 2 * other[1] * times
            for ratio in RATIOS
            for times, of in (ratio, ratio[::-1])
        )
        or _goes_into((2 * other[0], 2 * other[1]), (low, high))
        or _goes_into(own, other)
    )


def _goes_into(small: _Ends, large: _Ends) -> bool:
    """Whether twice, three times … of one may be the other: hours of a week, days of a month."""
    return small[1] > 0 and max(0, small[0]) * max(2, -(-large[0] // small[1])) <= large[1]


def _added(before: Sequence[_Ends], near: Iterable[_Ends]) -> Iterator[_Ends]:
    """Sums and differences of two that are near; of all since some amount the sum, and what they leave of
    it."""
    for (a, b), (c, d) in combinations(near, 2):
        yield from ((a + c, b + d), (a - d, b - c), (c - b, d - a))
    low, high = 0, 0
    for many, (a, b) in enumerate(reversed(before[-MOST_ADDED:])):
        if many:
            yield a - high, b - low
        low, high = low + a, high + b
        if many:
            yield low, high
