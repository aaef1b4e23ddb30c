"""The method `shift`: every date moves by one secret number of days."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from itertools import islice
from typing import Literal

import re2
from pydantic import Field, model_validator

from sfumato.detect.patterns.engine import compile_linear
from sfumato.document import Document, Term
from sfumato.errors import InputError
from sfumato.plugins import Options, method
from sfumato.protect.replace import dates
from sfumato.protect.replace.method import Method, Overview, Replacement, Unfit, may_be_date

# Draws after which a document's offset is taken as it comes, even if a shifted date meets another one; and
# the most dates among which that is looked for.
_DRAWS = 8
_MOST_DATES = 200


class Shift(Options):
    """Every date moves by one secret number of days: order and distances stay."""

    days: int = Field(365, ge=7, le=36525, description="The largest move, either way.")
    per: Literal["document", "person", "corpus"] = Field(
        "document", description="What shares one offset."
    )
    person: str | None = Field(
        None,
        description="With `per: person`: a pattern on the document's name; group 1 is the person.",
    )

    @model_validator(mode="after")
    def _person_needs_a_pattern(self) -> Shift:
        if self.per == "person" and not self.person:
            raise ValueError("`per: person` needs `person`, a pattern whose group 1 is the person")
        if self.person is not None:
            try:
                groups = compile_linear(self.person).groups
            except re2.error:
                raise ValueError(
                    "`person` is not a pattern in RE2's syntax (which has no look-around)"
                ) from None
            if groups < 1:
                raise ValueError("`person` needs a group: the part in (…) is the person")
        return self


def _needs_document(options: Shift) -> str:
    if options.per == "corpus":
        return ""
    return f"`shift` per {options.per} needs the document (`per: corpus` works)"


def _may_stand(options: Shift, text: str) -> bool:
    """Whether a text is a weekday, which dates keep that move by whole weeks."""
    return dates.WEEKDAY.fullmatch(text) is not None


@method(
    "shift",
    options=Shift,
    gives="invented",
    may_stand=_may_stand,
    needs_document=_needs_document,
)
def shift(options: Shift, overview: Overview) -> Method:
    @cache
    def offset() -> int:
        """The secret number of days: a multiple of seven, never zero."""
        weeks = options.days // 7
        stream = overview.run.key.integers("shift", _scope(options, overview.document))
        drawn = [7 * (1 + n // 2 % weeks) * (1 if n % 2 else -1) for n in islice(stream, _DRAWS)]
        if options.per == "document" and len(overview.dates) <= _MOST_DATES:
            return next((d for d in drawn if not meets(d)), drawn[0])
        return drawn[0]

    def meets(days: int) -> bool:
        """Whether a shifted date would read like another date of the document, or a month or year could not
        move with its days."""
        order, near, beside = overview.day_first, overview.usual_year, overview.days
        for said in overview.dates:
            made = dates.shift(said, days, dayfirst=order, near=near, beside=beside)
            if made in overview.dates or (made is None and dates.shift(said, days, dayfirst=order)):
                return True
        return False

    def replace(term: Term, original: str) -> Replacement | Unfit:
        if _may_stand(options, original):
            return Replacement(original, "the weekday of the shifted date, too", may_stay=True)
        order, near = overview.day_first_in(term), overview.year_near(term)
        made = dates.shift(original, offset(), dayfirst=order, near=near, beside=overview.days)
        if overview.is_ambiguous(term):
            return Unfit("its day cannot be told from its month")
        if made is None or not may_be_date(term.kind):
            return Unfit("it could not be shifted")
        return Replacement(made, "shifted by a secret number of days")

    return replace


def _scope(options: Shift, document: Document) -> str:
    """What shares the offset."""
    if options.per == "corpus":
        return ""
    if options.per == "document":
        digest = sha256(document.text.encode("utf-8", "surrogatepass")).hexdigest()
        return f"document:{document.name}:{digest}"
    found = compile_linear(options.person or "").search(document.name)
    if found is None or not found[1]:
        raise InputError.at(
            document.name, "the policy's pattern for `per: person` finds no person in this name"
        )
    return f"person:{found[1]}"
