"""Disclosure risk: terms that betray what was hidden (Sánchez, Batet and Viejo, correlated terms).

A *problem* holds the things of a document, what each may become and which of them stand together; `sanitize`
raises things until none tells too much about a hidden one; `exposures` lists what still does.
"""

from sfumato.protect.disclosure.counts import EVERYTHING, Counts, UnitCounts
from sfumato.protect.disclosure.groups import GroupSettings, TellingGroup, search_groups
from sfumato.protect.disclosure.problem import Context, Problem, Thing, pose, risks
from sfumato.protect.disclosure.sanitizer import Exposure, Finding, Solution, exposures, sanitize
from sfumato.protect.disclosure.strategies import STRATEGIES, Strategy
from sfumato.protect.disclosure.thresholds import Threshold, is_risky, limits

__all__ = [
    "EVERYTHING",
    "STRATEGIES",
    "Context",
    "Counts",
    "Exposure",
    "Finding",
    "GroupSettings",
    "Problem",
    "Solution",
    "Strategy",
    "TellingGroup",
    "Thing",
    "Threshold",
    "UnitCounts",
    "exposures",
    "is_risky",
    "limits",
    "pose",
    "risks",
    "sanitize",
    "search_groups",
]
