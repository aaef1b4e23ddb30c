"""How often terms occur, alone and together: what an adversary can learn from a large collection of texts."""

from sfumato.know.statistics.model import (
    BackOff,
    Blend,
    Evidence,
    IndexStatistics,
    Known,
    Statistics,
    default,
    load,
)

__all__ = [
    "BackOff",
    "Blend",
    "Evidence",
    "IndexStatistics",
    "Known",
    "Statistics",
    "default",
    "load",
]
