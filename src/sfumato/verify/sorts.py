"""What the sorts of facts are to who counts a release again: which values may be equal, lie in each other,
or give way."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np

from sfumato.english.births import may_be_age
from sfumato.know.taxonomy import places, ranges, softening
from sfumato.verify.alternatives import span_of, tree_walk
from sfumato.verify.counts import Slot
from sfumato.verify.told import AMOUNTS, DATES, NUMBERS, WORDS

# A bare number may be equal to an age, and is that age then.
_TREES = {**dict.fromkeys(WORDS, "words"), **dict.fromkeys(DATES, "calendar")}
_TREES |= dict.fromkeys(NUMBERS, "number")
_CAPS: dict[str, int] = {sort: max(spans.values()) for sort, spans in softening.SPANS.items()}
_CAPS |= {"day of year": softening.DAYS_OF_YEAR}
_CAPS |= dict.fromkeys(("age", "derived"), ranges.AGE_WIDTHS[-1])

Values = tuple[str, str | tuple[float, float]]


def dimension(slot: Slot, text: str) -> str:
    """What words may tell of a fact that is none: a bare number may be an age."""
    if slot.sort in AMOUNTS:
        return "time" if may_be_age(slot.of(text)) else ""
    return "" if slot.sort in WORDS else "place" if slot.sort == "place" else "time"


def paid(factors: Sequence[tuple[int, int]], paying: int) -> int:
    """The product of the smallest of some factors, each so many times, as far as facts pay."""
    product, left = 1, paying
    for factor, many in factors:
        taken = min(many, left)
        product, left = product * factor**taken, left - taken
    return product


def capped(slot: Slot, tau: int) -> int:
    return min(tau, _CAPS.get(slot.sort, tau))


def tree_of(slot: Slot) -> str:
    return _TREES.get(slot.sort, slot.sort)


def meeting(known: Collection[Values]) -> Iterator[tuple[Values, Values]]:
    """Which of some values are among which others: of a concept those of what holds it, of a band of numbers
    those of the wider ones that it meets."""
    for kin, concept in known:
        if isinstance(concept, str):
            yield from (((kin, concept), (kin, c)) for c in _above(concept) if (kin, c) in known)
    bands = [band for band in known if not isinstance(band[1], str)]
    ends = np.array([band[1] for band in bands], dtype=float).reshape(-1, 2)
    width = ends[:, 1] - ends[:, 0]
    for at, own in enumerate(bands):
        meets = (ends[:, 0] <= ends[at, 1]) & (ends[:, 1] >= ends[at, 0])
        wider = (width > width[at]) | ((width == width[at]) & (np.arange(len(bands)) > at))
        yield from ((own, bands[other]) for other in np.flatnonzero(meets & wider).tolist())


def _above(concept: str) -> Iterator[str]:
    """The concepts of a tree that hold one."""
    taxonomy, _, key = concept.partition(":")
    if taxonomy == "calendar":
        spans = ("month", "year", "decade", "century") if int(key) >= 10000 else ()
        for span in spans[spans.index(_span(int(key))) + 1 :] if spans else ():
            yield f"calendar:{softening.span_key(span_of(concept)[0], span)}"  # type: ignore[arg-type]
    else:
        sort = "place" if taxonomy == places.NAME else "noun"
        yield from (f"{taxonomy}:{node}" for node in tree_walk(sort, 1).above(int(key)))


def kin(slot: Slot) -> str:
    """Whose values may be equal: a day is no year."""
    return slot.sort if slot.sort in DATES else tree_of(slot)


def is_age(slot: Slot) -> bool:
    return slot.sort in ("age", "derived")


def fewest_of(slot: Slot) -> int:
    """How many values the smallest span of a slot's sort of span has; 0 where it is none for its values."""
    spans: Mapping[str, int] = softening.SPANS[slot.sort]  # type: ignore[index, assignment]
    return spans.get(_span(slot.node), 0)


def is_lifted(slot: Slot, size: int) -> bool:
    """Whether a smaller span would have had values enough: the date gave way to what holds it."""
    fewest = softening.SPANS[slot.sort].values()  # type: ignore[index]
    return any(size <= n < fewest_of(slot) for n in fewest)


def _span(key: int) -> str:
    rest = {99: "decade", 98: "century"}.get(key % 100)
    return rest or ("month" if key // 100 % 100 else "year")
