"""Which amounts of money may be worked out from others that are told, by trying every way."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, permutations

from sfumato.document import Spans
from sfumato.english.folding import unaccented
from sfumato.english.numbers import currency, numbers_in_digits, numbers_in_words
from sfumato.english.ties import MOST_ADDED, NEAR, RATIOS, numbers_among

_TIMES = [Fraction(*ratio) for ratio in RATIOS]
_AFTER_POINT = re.compile(r"\d\.(\d+)")
_Ends = tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Money:
    """An amount: where it stands, its currency, and the ends between which it lies, as told and with what
    rounding may have taken."""

    start: int
    currency: str
    ends: _Ends
    rounded: _Ends

    @classmethod
    def of(cls, start: int, words: str, ends: tuple[int, int] | None = None) -> Money | None:
        """The amount that words tell, or whose ends, in units of the last digit, are given; None for what is
        no money."""
        plain = unaccented(words)
        written = _AFTER_POINT.search(plain)
        digit = Fraction(1, 10 ** (len(written[1]) if written else 0))
        found = [*numbers_in_digits(plain)] or [*numbers_in_words(plain)]
        if not currency(plain) or (ends is None and len(found) != 1):
            return None
        numbers = (n * digit for n in ends) if ends else [Fraction(str(found[0].value))] * 2
        low, high = numbers
        return cls(start, currency(plain), (low, high), (low - digit / 2, high + digit / 2))


def worked_out(amounts: Iterable[Money]) -> Iterator[int]:
    """Where in a text the first amount of each currency stands that may be worked out from those before it.

    >>> said = ["£900", "£310", "€5", "£1,210"]
    >>> list(worked_out(filter(None, (Money.of(at, words) for at, words in enumerate(said)))))
    [3]
    """
    known: dict[str, list[Money]] = defaultdict(list)
    done = set[str]()
    for amount in sorted(amounts, key=lambda each: each.start):
        before = [each.ends for each in known[amount.currency][-MOST_ADDED:]]
        low, high = amount.rounded
        found = any(a <= high and low <= b for a, b in _ways(before))
        for other in before[-NEAR:]:
            found = found or _is_multiple(amount.rounded, other) or _is_multiple(other, amount.ends)
        if amount.currency not in done and found:
            done.add(amount.currency)
            yield amount.start
        known[amount.currency].append(amount)


def among_numbers(original: str, amounts: Iterable[Money], edited: Spans) -> Iterator[int]:
    """Where the second amount of a currency stands among whose amounts a number does that nobody has edited:
    by it, one may be worked out from another.

    >>> bill = "3 tickets at £24, £102 in all"
    >>> made = [Money.of(13, "£24"), Money.of(18, "£102")]
    >>> list(among_numbers(bill, filter(None, made), Spans([(13, 16), (18, 22)])))
    [18]
    """
    by_currency: dict[str, list[int]] = defaultdict(list)
    for amount in amounts:
        by_currency[amount.currency].append(amount.start)
    for starts in map(sorted, by_currency.values()):
        around = numbers_among(original, starts[0], starts[-1])
        if len(starts) > 1 and any(not edited.touch(*span) for span in around):
            yield starts[1]


def _is_multiple(many: _Ends, one: _Ends) -> bool:
    """Whether an amount may be another some whole number of times.

    >>> _is_multiple((Fraction(600), Fraction(609)), (Fraction(15), Fraction(15)))
    True
    """
    if one[1] <= 0:
        return False
    times = max(2, math.ceil(many[0] / one[1]))
    return max(Fraction(0), one[0]) * times <= many[1]


def _ways(known: Sequence[_Ends]) -> Iterator[_Ends]:
    near = known[-NEAR:]
    for low, high in near:
        yield from ((low * n, high * n) for times in _TIMES for n in (times, 1 / times))
    for one, other in permutations(near, 2):
        yield one[0] + other[0], one[1] + other[1]
        yield one[0] - other[1], one[1] - other[0]
    lows, highs = ([*accumulate(ends[at] for ends in reversed(known))] for at in (0, 1))
    for many in range(1, len(known)):
        yield lows[many], highs[many]
        total = known[-1 - many]
        yield total[0] - highs[many - 1], total[1] - lows[many - 1]
