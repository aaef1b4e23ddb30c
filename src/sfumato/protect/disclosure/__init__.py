"""Disclosure risk: terms that betray what was hidden (Sánchez, Batet and Viejo, correlated terms).

A *problem* holds the things of a document, what each may become and which of them stand together; `sanitize`
raises things until none tells too much about a hidden one; `exposures` lists what still does.
"""

from sfumato.protect.disclosure.problem import Problem
from sfumato.protect.disclosure.sanitizer import Solution, exposures, sanitize

__all__ = ["Problem", "Solution", "exposures", "sanitize"]
