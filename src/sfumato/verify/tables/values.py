"""Whether what a class shows holds a value, and whether its sensitive values are spread as they must be."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from datetime import date
from typing import Any

from sfumato.english.dates import read_day
from sfumato.english.numbers import read_number


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


def broken(mine: Counter[str], whole: Counter[str], demand: Mapping[str, Any]) -> str:
    """The name of what a class does not keep, if there is one."""
    persons = mine.total()
    shares = [n / persons for n in mine.values()]
    if demand.get("distinct") and len(mine) < demand["distinct"]:
        return f"distinct {demand['distinct']}-diversity"
    if demand.get("entropy"):
        entropy = -sum(p * math.log(p) for p in shares)
        if entropy < math.log(demand["entropy"]) - 1e-6:
            return f"entropy {demand['entropy']:g}-diversity"
    if demand.get("closeness") is not None:
        everyone = whole.total()
        ordered = demand["ordered"]
        values = sorted(whole, key=_ordinal) if ordered else sorted(whole)
        gaps = [mine[v] / persons - whole[v] / everyone for v in values]
        if ordered:
            sums = [sum(gaps[: i + 1]) for i in range(len(gaps) - 1)]
            distance = sum(map(abs, sums)) / max(len(values) - 1, 1)
        else:
            distance = sum(map(abs, gaps)) / 2
        if distance > demand["closeness"] + 1e-6:
            return f"{demand['closeness']:g}-closeness"
    return ""


def _ordinal(cell: str) -> float:
    value = read_number(cell)
    if value is not None:
        return value
    days = read_day(cell)
    return float(days) if days is not None else -math.inf


def described(demand: Mapping[str, Any]) -> str:
    parts = []
    if demand.get("distinct"):
        parts.append(f"distinct {demand['distinct']}-diversity")
    if demand.get("entropy"):
        parts.append(f"entropy {demand['entropy']:g}-diversity")
    if demand.get("closeness") is not None:
        parts.append(f"{demand['closeness']:g}-closeness")
    return f"{' and '.join(parts)} of '{demand['column']}'"
