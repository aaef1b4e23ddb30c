"""The labels that a policy writes, found in a text."""

from __future__ import annotations

import re
from collections import Counter

from sfumato.kinds import KINDS
from sfumato.policy.model import Policy, kinds_in


class Labels:
    """What a policy writes for a term that it hides, for every kind that is known or that it names.

    >>> from sfumato.policy import load
    >>> labels = Labels(load("default"))
    >>> [labels.has(words) for words in ("[PERSON]", "[BANK 12]", "[Margaret Holloway]")]
    [True, True, False]
    """

    def __init__(self, policy: Policy) -> None:
        # ID: direct identifiers of a table whose column names no kind
        named = {"ID", *KINDS, *policy.replace, *kinds_in(policy.model_dump(mode="json"))} - {"*"}
        forms = {form.pattern for kind in named for form in policy.label(kind).forms(kind)}
        # each form has a group for its number
        self._forms = re.compile("|".join(sorted(forms - {"", "|"}, reverse=True)) or r"(?!)")

    def has(self, words: str) -> bool:
        """Whether words are one of the labels."""
        return self._forms.fullmatch(words) is not None

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where labels stand."""
        return [match.span() for match in self._forms.finditer(text)]

    def numbered(self, text: str) -> list[tuple[int, int]]:
        """Where labels with numbers stand. They count from 1: a higher number than there are such labels
        was not written by us, as in "[AGE 46]"."""
        found = [match for match in self._forms.finditer(text) if match.lastindex]
        most = Counter(match.lastindex for match in found)
        return [m.span() for m in found if int(m[m.lastindex or 0]) <= most[m.lastindex]]
