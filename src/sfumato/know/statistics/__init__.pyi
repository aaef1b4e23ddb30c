"""The names of this package, for people, for type checkers, and for `__init__.py`, which reads them here."""

from sfumato.know.statistics.probability import BackOff as BackOff
from sfumato.know.statistics.probability import Blend as Blend
from sfumato.know.statistics.probability import Certainty as Certainty
from sfumato.know.statistics.probability import IndexStatistics as IndexStatistics
from sfumato.know.statistics.probability import Known as Known
from sfumato.know.statistics.probability import Statistics as Statistics
from sfumato.know.statistics.probability import default as default
from sfumato.know.statistics.probability import load as load

__all__: list[str]
