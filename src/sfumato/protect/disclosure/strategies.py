"""The strategies S1 to S5 of section 5: what becomes of hidden terms and of those that give them away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Way = Literal["leave", "remove", "generalise"]


@dataclass(frozen=True, slots=True)
class Strategy:
    """How hidden terms and correlated ones are treated."""

    hidden: Way
    correlated: Way


STRATEGIES: Mapping[str, Strategy] = {
    "S1": Strategy("remove", "leave"),
    "S2": Strategy("generalise", "leave"),
    "S3": Strategy("remove", "remove"),
    "S4": Strategy("remove", "generalise"),
    "S5": Strategy("generalise", "generalise"),
}
DEFAULT: Literal["S5"] = "S5"
