"""t-plausibility: at least t texts could have been the original (Anandan et al., 2012)."""

from sfumato.protect.plausibility.problem import Problem, Solution, UnreachableError
from sfumato.protect.plausibility.search import METHODS, Method, search
from sfumato.protect.plausibility.senses import CommonTerm, common_term

__all__ = [
    "METHODS",
    "CommonTerm",
    "Method",
    "Problem",
    "Solution",
    "UnreachableError",
    "common_term",
    "search",
]
