"""How many values each fact of a unit is to stand for so that t texts are left: a matter of sorts alone."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from heapq import nsmallest

from sfumato.document import Term
from sfumato.know.taxonomy import softening, wordnet
from sfumato.protect.plausibility.ranges import LEVELS
from sfumato.protect.plausibility.softened import Softened

_PAYING = 6  # dates or numbers that are relied on
# What may be told in an order: a bare number may be an age.
_IN_ORDER = {**dict.fromkeys(LEVELS, "date"), "age": "number", "amount": "number"}


def relied_on(
    facts: Mapping[Softened, Term], everywhere: Mapping[str, int], is_whole: bool, paying: int
) -> list[tuple[Softened, int]]:
    """The facts of a unit of which it is known beforehand that they count, and with how many they may be told
    in an order: of those of one sort that pay, with all up to it, or in a part of a text with all; 0 for what
    is not. Of places one counts, where none is told elsewhere, as it may lie in the others; of dates those
    that are told most finely; and beside two dates no age. `everywhere` counts the facts of the whole text by
    their sorts."""
    finest = min((LEVELS[f.sort.name] for f in facts if f.sort.name in LEVELS), default=0)
    dates = sum(everywhere.get(name, 0) for name in softening.SPANS)
    has_places = sum(f.sort.name == "place" for f in facts) == everywhere.get("place", 0)
    alike: dict[str, list[Softened]] = defaultdict(list)
    for fact in sorted(facts, key=lambda f: facts[f].start):
        name = fact.sort.name
        if LEVELS.get(name, finest) == finest and not (name == "age" and dates > 1):
            alike[_IN_ORDER.get(name, name)].append(fact)
    made = list[tuple[Softened, int]]()
    for name, some in alike.items():
        if some[0].sort.tree == wordnet.NAME or name in ("money", "place"):
            made += ((fact, 0) for fact in (some[: int(has_places)] if name == "place" else some))
            continue
        some = some[: min(paying, _PAYING)]
        made += ((fact, at if is_whole else len(some)) for at, fact in enumerate(some, 1))
    return made


def factor(fact: Softened, tau: int, trees: Counter[str], among: int) -> int:
    """How many values a fact that stands for tau has at least, by rule of thumb: others of the same tree may
    take some of them, or it is told in an order with so many."""
    size = capped(fact, tau)
    if among:
        return max(1, (size - among + 1) // among)
    return max(1, size - min(2 * (trees[fact.sort.tree] - 1), size // 2))


def worst(factors: Iterable[int], paying: int) -> int:
    """How many texts some facts give at least, so many at most of all."""
    return math.prod(nsmallest(paying, factors))


def capped(fact: Softened, tau: int) -> int:
    return tau if fact.sort.cap is None else min(tau, fact.sort.cap)


def least(texts: Callable[[int], int], wanted: int) -> int | None:
    """The least tau that gives as many texts as wanted; none gives more than one of so many times as many
    as a set may have orders."""
    low, high = 1, most_asked(wanted)
    if texts(high) < wanted:
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if texts(middle) >= wanted else (middle + 1, high)
    return low


def most_asked(wanted: int) -> int:
    """More values than a fact has to stand for, whatever stands beside it."""
    return 2 * _PAYING * wanted + 1
