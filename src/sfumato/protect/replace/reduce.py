"""The method `reduce`: a date loses its finer parts."""

from __future__ import annotations

import re

from pydantic import Field

from sfumato.document import Term
from sfumato.english.births import OLDEST, ages_beside, this_year, told_as_birth
from sfumato.english.dates import MONTH_NAMES, SEASONS, SHORT_MONTHS
from sfumato.english.folding import folded_words
from sfumato.know import fingerprints
from sfumato.plugins import Options, method
from sfumato.protect.replace import dates
from sfumato.protect.replace.method import Method, Overview, Replacement, Unfit, may_be_date, others

_GRAINS: tuple[dates.Grain, ...] = ("month", "year", "decade")
_BEFORE_DECADE = re.compile(r"\b(?:the|early|late|mid)[\s-]+$", re.IGNORECASE)
_PART_OF_DAY = re.compile(
    r"(?i)\b(?:night|morning|evening|afternoon|dawn|hours|eve) of (?:\w+day,? )?(?:the )?\Z"
)
_NEAR = 60  # characters in which a birth is told
_BIRTH = re.compile(r"(?i)\b(?:born|birth\w*|dob|d\.o\.b|turn(?:s|ed|ing))\b")
_DAY = re.compile(r"(?<!\d)\d{1,2}(?:st|nd|rd|th)?(?!\d)")
_MONTH = re.compile(rf"(?i){SHORT_MONTHS}|{SEASONS}")
# What says no date: a weekday, a season, a feast of some days.
_NO_DATE = re.compile(
    rf"(?:{dates.WEEKDAY.pattern})|(?:last |next |this |that |the )?(?:(?:early|mid|late)[ -])?"
    rf"(?:{SEASONS}|christmas|xmas|easter|new year|ramadan|passover|hanukkah|diwali|lent|advent)",
    re.IGNORECASE,
)


# A month by its name, and what makes it more than one: a day, or a year in a row with it.
_MONTH_ALONE = re.compile(
    r"(?:(?i:last|next|this|that|late|early|mid|the (?:end|start|beginning|middle) of)[ -])?"
    rf"(?:{MONTH_NAMES})"
)
_ROW = r"\s?(?:,|-|–|/|\.|and|or|to|until|till|through|of|the|day)?\s?"
_NTH = r"(?:\w*(?:first|second|third)|(?:four|fif|six|seven|eigh|nin|ten|eleven|twelf|\w+teen|\w+tie)th)"
_DATED_BEFORE = re.compile(rf"(?i)(?:\d(?:st|nd|rd|th)?|{MONTH_NAMES}|\b{_NTH}){_ROW}{_ROW}\Z")
_DATED_AFTER = re.compile(rf"(?i){_ROW}{_ROW}(?:['’]?\d|{MONTH_NAMES}|{_NTH}\b)")


class Reduce(Options):
    """A date loses its finer parts: 14 May 2004 -> May 2004, 2004 or the 2000s."""

    to: dates.Grain = Field("year", description="The finest part that stays.")
    oldest: int | None = Field(
        None,
        ge=1,
        description="Years that tell of a greater age today get a label, e.g. 89: those of more than 89 "
        "years ago, but at most 119, and births told by two digits that may be so old.",
    )
    weekdays: bool = Field(
        False,
        description="Whether a weekday or a season that is told alone stays: `Friday`, `Easter` say no date.",
    )

    months: bool = Field(
        False,
        description="Whether a month that is told alone stays: `in February`. None of a birth does, nor one "
        "beside a day or in a row with a year.",
    )


def may_stand(options: Reduce, text: str) -> bool:
    """Whether a text tells nothing finer than asked for."""
    numbers = [int(n) for n in re.findall(r"\d{1,15}", text)]
    if options.weekdays and _NO_DATE.fullmatch(text):
        return True
    if options.months and _MONTH_ALONE.fullmatch(text):
        return True
    if _tells_age(options, text):
        return False
    match options.to:
        case "month":
            return _DAY.search(text) is None
        case "year":
            return all(999 < n < 3000 for n in numbers) and not _MONTH.search(text)
        case "decade":
            return all(n % 10 == 0 and 999 < n < 3000 for n in numbers) and "s" in text


@method("reduce", options=Reduce, gives="coarse", may_stand=may_stand, knowledge=fingerprints.year)
def reduce(options: Reduce, overview: Overview) -> Method:
    grains = _GRAINS[_GRAINS.index(options.to) :]

    def replace(term: Term, original: str) -> Replacement | Unfit:
        if options.weekdays and _NO_DATE.fullmatch(original):
            return Replacement(original, "a weekday or a season", may_stay=True)
        if options.months and _is_alone(overview.document.text, term):
            return Replacement(original, "a month, of whatever year", may_stay=True)
        forms = [
            dates.reduce(original, grain, dayfirst=overview.day_first_in(term))
            if may_be_date(term.kind)
            else None
            for grain in grains
        ]
        if options.to == "month" and overview.is_ambiguous(term):
            forms = forms[1:]
        if forms[0] is None:
            return Unfit("it has no date to reduce")
        text = overview.document.text
        if _tells_age(options, forms[0]) or (
            options.oldest is not None
            and (
                _tells_century(text, term, forms[0])
                or _tells_old_birth(text, term, forms[0])
                or _tells_later_age(options.oldest, text, term, forms[0])
            )
        ):
            return Unfit(f"it may tell of an age over {options.oldest}")
        before = overview.document.text[max(0, term.start - 8) : term.start]
        if _BEFORE_DECADE.search(before):
            forms = [f.removeprefix("the ") if f else None for f in forms]
        if _PART_OF_DAY.search(text, max(0, term.start - 24), term.start):
            forms = [f"a day in {f}" if f else None for f in forms]  # "on the night of 2021"
        made = forms[0] or ""
        if folded_words(made) == folded_words(original):
            made = original  # as coarse as asked for, whatever signs stand around it
        why = f"reduced to the {options.to}"
        return Replacement(made, why, others(made, forms[1:]), may_stay=True)

    return replace


def _is_alone(text: str, term: Term) -> bool:
    """Whether a month is told without a day, a year, or that it is one of a birth."""
    start, end = term.start, term.end
    return (
        _MONTH_ALONE.fullmatch(text, start, end) is not None
        and not _DATED_BEFORE.search(text, max(0, start - _NEAR), start)
        and not _DATED_AFTER.match(text, end)
        and not _BIRTH.search(text, max(0, start - _NEAR), end + _NEAR)
    )


def _tells_age(options: Reduce, text: str) -> bool:
    """Whether a year lies so long ago that who lived in it is older than allowed."""
    ago = [this_year() - int(y) for y in re.findall(r"(?<!\d)1\d{3}(?!\d)", text)]
    # nobody lives who lived then: the least of several years counts
    return (
        options.oldest is not None and any(options.oldest < n for n in ago) and min(ago) <= OLDEST
    )


def _tells_later_age(oldest: int, text: str, term: Term, made: str) -> bool:
    """Whether who was so old then as the words beside a date tell is older than allowed by now."""
    years = [int(y) for y in re.findall(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)", made)]
    ages = ages_beside(text, term.start, term.end) if years else ()
    return any(oldest < this_year() - min(years) + age <= OLDEST for age in ages)


def _tells_old_birth(text: str, term: Term, made: str) -> bool:
    """Whether a birth lies longer ago than anybody lives: with a year of death it tells an age."""
    return re.match(r"1[0-8]", made) is not None and told_as_birth(text, term.start)


def _tells_century(text: str, term: Term, made: str) -> bool:
    """Whether a birth has a year of two digits that may be one of the last century."""
    decade = re.search(r"20\d", made)
    if decade is None or not told_as_birth(text, term.start):
        return False
    four = rf"(?<!\d)(?:\d{{4}})?{decade[0]}\d(?:\d{{4}})?(?!\d)"  # alone, or in 20240514
    return re.search(four, term.of(text)) is None
