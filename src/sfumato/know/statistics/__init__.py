"""How often terms occur, alone and together: what an adversary can learn from a large collection of texts."""

from typing import TYPE_CHECKING

from sfumato.know import on_first_use

if TYPE_CHECKING:
    from sfumato.know.statistics.probability import (
        BackOff,
        Blend,
        Certainty,
        IndexStatistics,
        Known,
        Statistics,
        default,
        load,
    )

__all__ = [
    "BackOff",
    "Blend",
    "Certainty",
    "IndexStatistics",
    "Known",
    "Statistics",
    "default",
    "load",
]
__getattr__ = on_first_use(__name__, dict.fromkeys(__all__, "probability"))
