"""t-plausibility: at least t texts could have been the original (Anandan et al., 2012)."""

from sfumato.protect.plausibility.problem import Problem, Solution, UnreachableError
from sfumato.protect.plausibility.search import METHODS, search

__all__ = ["METHODS", "Problem", "Solution", "UnreachableError", "search"]
