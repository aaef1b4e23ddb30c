"""Ages that only the name before them tells: bare numbers beside a person."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sfumato.detect.patterns.ages import AGE, LINK, is_bare_age, may_be_age
from sfumato.document import Term
from sfumato.english.births import is_in_months

_BESIDE = re.compile(
    rf"(?:['’]s)?(?:,?\s?(?i:{LINK})\b)*+(?:,\s?|\s?[(/\[–—-]\s?|\s)({AGE})(?![\w%])"
)
_UNITS = re.compile(r"(?i)(?:years?|yrs?|months?|weeks?|days?|olds?|of age|aged?|[\s-])+")
SCORE = 0.6


def beside_persons(text: str, terms: Iterable[Term]) -> Iterator[Term]:
    """Bare numbers that are ages because of the name before them.

    >>> text, name = "Mr Ames, 94, of bed 12", Term(0, 7, "PERSON", 0.9, "names")
    >>> [t.of(text) for t in beside_persons(text, [name])]
    ['94']
    """
    for name in terms:
        if name.kind == "PERSON" and (found := _BESIDE.match(text, name.end)):
            before, after = text[name.end : found.start(1)], text[found.end(1) : found.end(1) + 24]
            # "Dr Ames 2 weeks" says when, "Glu 104" how much
            full = " " in name.of(text) and not is_in_months(found[1])
            if is_bare_age(before, found[1], after) and (full or before.strip()):
                span = found.span(1)
                yield Term(*span, "AGE", SCORE, name.detector, "number beside a person")


def is_age(text: str, term: Term) -> bool:
    """Whether a term may be an age, and is no class of ages ("90 or older")."""
    before, after = text[max(0, term.start - 12) : term.start], text[term.end : term.end + 24]
    return not _UNITS.fullmatch(term.of(text)) and may_be_age(before, term.of(text), after)
