"""What a policy keeps: terms in any form, and whatever its patterns match."""

from __future__ import annotations

from sfumato.detect.patterns.engine import Engine, Pattern
from sfumato.document import Spans
from sfumato.english.matcher import TermMatcher
from sfumato.policy import Policy


class Keeper:
    """Finds in a text what is never changed."""

    def __init__(self, policy: Policy) -> None:
        terms = [kept for kept in policy.keep if isinstance(kept, str)]
        self._terms = TermMatcher(terms) if terms else None
        own = (kept.pattern for kept in policy.keep if not isinstance(kept, str))
        self._patterns = Engine(
            tuple(Pattern("kept", "CODE", p, 1.0, edges=False, custom=True) for p in own)
        )

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where it stands, in order and apart from each other."""
        found = [(a, b) for a, b, _ in self._terms.find(text)] if self._terms else []
        found += [(t.start, t.end) for t in self._patterns.find(text, "keep")]
        taken = Spans()
        found.sort(key=lambda span: (span[0], -span[1]))
        return [span for span in found if taken.add(*span)]
