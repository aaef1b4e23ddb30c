"""Whether what a class shows holds a value, and whether its sensitive values are spread as they must be."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from itertools import accumulate
from typing import Any

from sfumato.english.dates import read_day
from sfumato.english.folding import value_form
from sfumato.english.numbers import read_number

_DIGITS = 15  # of a number that are the same in every program


def covered(
    value: str, shown: str, type: str, form: str | None, above: Mapping[str, set[str]]
) -> bool:
    """Whether what a class shows holds a value."""
    if shown == "*" or not value or value == shown:
        return True
    found = re.fullmatch(r"\[(-?[\d.]+(?:e[+-]?\d+)?)-(-?[\d.]+(?:e[+-]?\d+)?)\]", shown)
    if type == "number":
        mine = read_number(value)
        if mine is None or above:
            return (
                mine is None
                or shown in {n for path in above.values() for n in path}
                or read_number(shown) == mine
            )
        if found:
            low, high = float(found[1]), float(found[2])
            return low - 1e-12 * abs(low) <= mine <= high + 1e-12 * abs(high)
        said = read_number(shown)
        return said is not None and math.isclose(said, mine, rel_tol=1e-12)
    if type == "date":
        days = read_day(value, form)
        if days is None:
            return True
        stands = date.fromordinal(date(1970, 1, 1).toordinal() + days).isoformat()
        return found[1] <= stands[:4] <= found[2] if found else stands.startswith(shown)
    if above:
        return shown in above.get(value, ())
    if type == "string":
        return value.startswith(shown.removesuffix("*"))
    return shown.startswith("(") and f",{value}," in f",{shown[1:-1]},"


def value_of(cell: str, type: str, form: str | None) -> float | str:
    """What a sensitive cell tells, however it is spelt; of numbers and days that cannot be read, nothing."""
    if type not in ("number", "date"):
        return value_form(cell)
    read = read_number(cell.strip()) if type == "number" else read_day(cell.strip(), form)
    return -math.inf if read is None else _without_noise(read)


def _counted(mine: Counter[Any]) -> Counter[Any]:
    """The same with numbers that are written as names, each once."""
    made: Counter[Any] = Counter()
    for value, many in mine.items():
        number = read_number(value) if isinstance(value, str) else None
        made[value if number is None else _without_noise(number)] += many
    return made


def _without_noise(number: float) -> float:
    """A number by its first fifteen digits: 0.1 + 0.2 is 0.3.

    >>> _without_noise(0.1 + 0.2), _without_noise(-1234567.5)
    (0.3, -1234567.5)
    """
    whole = Decimal(number)
    return float(round(whole, _DIGITS - 1 - whole.adjusted())) if number else 0.0


class Overall:
    """How the values of a column are spread over all persons, and how far those of some are from that."""

    def __init__(self, whole: Counter[Any], *, ordered: bool) -> None:
        values = sorted(whole)
        everyone = whole.total()
        self._ordered, self._count = ordered, len(values)
        self._share = {value: whole[value] / everyone for value in values}
        self._place = {value: at for at, value in enumerate(values)}
        self._below = [0.0, *accumulate(self._share.values())]  # the share of the first values
        self._sums = [*accumulate(self._below)]

    def distance(self, mine: Counter[Any]) -> float:
        """The earth mover's distance, in as many steps as `mine` has values: those between are summed."""
        persons = mine.total()
        if not self._ordered:
            own = sum(abs(n / persons - self._share[v]) - self._share[v] for v, n in mine.items())
            return (own + 1) / 2
        held, total, at = 0.0, 0.0, 1
        for place, many in [
            *sorted((self._place[v], n) for v, n in mine.items()),
            (self._count - 1, 0),
        ]:
            total += self._apart(held, at, place + 1)
            held, at = held + many / persons, place + 1
        return total / max(self._count - 1, 1)

    def _apart(self, held: float, start: int, end: int) -> float:
        """How far a share is from those of the first `start` … `end` - 1 values, in all."""
        if start >= end:
            return 0.0
        cut = bisect_right(self._below, held, start, end)
        lower = held * (cut - start) - self._sums[cut - 1] + self._sums[start - 1]
        return lower + self._sums[end - 1] - self._sums[cut - 1] - held * (end - cut)


def broken(mine: Counter[Any], whole: Overall, demand: Mapping[str, Any]) -> str:
    """The name of what a class does not keep, if there is one."""
    persons, counted = mine.total(), _counted(mine)
    shares = [n / persons for n in counted.values()]
    if demand.get("distinct") and len(counted) < demand["distinct"]:
        return f"distinct {demand['distinct']}-diversity"
    if demand.get("entropy"):
        entropy = -sum(p * math.log(p) for p in shares)
        if entropy < math.log(demand["entropy"]) - 1e-6:
            return f"entropy {demand['entropy']:g}-diversity"
    most = demand.get("closeness")
    if most is not None and whole.distance(mine) > most + 1e-6:
        return f"{most:g}-closeness"
    return ""


def described(demand: Mapping[str, Any]) -> str:
    parts = []
    if demand.get("distinct"):
        parts.append(f"distinct {demand['distinct']}-diversity")
    if demand.get("entropy"):
        parts.append(f"entropy {demand['entropy']:g}-diversity")
    if demand.get("closeness") is not None:
        parts.append(f"{demand['closeness']:g}-closeness")
    return f"{' and '.join(parts)} of '{demand['column']}'"
