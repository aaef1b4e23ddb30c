"""K-safety: no protected entity can be told from K others by the terms left in a text."""

from __future__ import annotations

from sfumato.protect.ksafety.forms import generalise
from sfumato.protect.ksafety.methods import METHODS, search
from sfumato.protect.ksafety.problem import Problem, Solution, is_safe

__all__ = ["METHODS", "Problem", "Solution", "generalise", "is_safe", "search"]
