"""The method `bucket`: a number becomes the range it lies in."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field

from sfumato.document import Term
from sfumato.english.births import in_whole_years, in_years, is_in_months
from sfumato.english.numbers import Number, decades_in_words, numbers_in_digits, numbers_in_words
from sfumato.english.spoken import in_digits
from sfumato.plugins import Options, method
from sfumato.protect.replace.method import Method, Overview, Replacement, Unfit, others

# What may follow an age; with an open range it is said by "or older".
_YEARS = re.compile(
    r"^(?P<joint>[\s-]*)(?:years?|yrs?|y|months?|mths?|mos?|weeks?|wks?|days?)"
    r"(?P<old>\.?[\s-]*(?:olds?|of age|young)|/?o|\.?o\.?)?(?:\b|(?=[MF]\b))",
    re.I,
)
_INFANT = 2  # years below which ages are told in months, and are one range
_TH = re.compile(r"(\d)(?:st|nd|rd|th)\b", re.I)
_PART = re.compile(r"\b(?:very\s)?(?:early|middle|mid|late)(?:\sto\s(?:mid|late))?[\s-]", re.I)
_IN_THEIR = re.compile(rf"\bin\s\w+\s(?:{_PART.pattern})?$", re.I)


class Bucket(Options):
    """A number becomes the range it lies in: 47 -> 40-49."""

    width: int = Field(10, ge=2, description="The range's width.")
    top: int | None = Field(
        None,
        ge=1,
        description="From this number on there is one open range, e.g. 90: `90 or older`.",
    )
    below_top: Literal["bucket", "keep"] = Field(
        "bucket", description="What happens below `top`: ranges, or the number as it is."
    )
    months: Literal["bucket", "keep"] = Field(
        "bucket",
        description="What happens to ages in months, weeks and days of less than two years.",
    )


def may_stand(options: Bucket, text: str) -> bool:
    """Whether the numbers are below the top, or the range that they would become."""
    text = in_whole_years(text)
    numbers = _one_or_two(text) or _nth(text)
    if numbers is None:
        return False
    low, high = numbers[0].value, numbers[-1].value + 9 * numbers[-1].decade
    if options.top is not None and in_years(int(high), text) >= options.top:
        return False
    if options.top is not None and options.below_top == "keep":
        return True
    if options.months == "keep" and is_in_months(text) and in_years(int(high), text) < 2:
        return True
    if numbers[-1].decade:
        return len(numbers) == 1 and options.width <= 10 and not _PART.search(text)
    return (low, high) == (low // options.width * options.width, low + options.width - 1)


@method("bucket", options=Bucket, gives="coarse", may_stand=may_stand)
def bucket(options: Bucket, overview: Overview) -> Method:
    keep_below = options.below_top == "keep"

    def replace(term: Term, original: str) -> Replacement | Unfit:
        if may_stand(options, original):
            return Replacement(original, "kept, as coarse as it should be", may_stay=True)

        def range_of(width: int) -> str | None:
            return ranged(
                original, width, top=options.top, keep_below=keep_below, age=term.kind == "AGE"
            )

        made = range_of(options.width)
        if made == original:
            made = ranged(original, options.width)
        if made is None or made == original:
            return Unfit("its number could not be read")
        if made.endswith(" or older") and overview.document.text[term.end : term.end + 1].isalpha():
            made += " "  # "93F"
        coarser = [r for n in (2, 5) if (r := range_of(options.width * n)) is not None]
        return Replacement(made, "put into a range", others(made, coarser), may_stay=True)

    return replace


def ranged(
    text: str, width: int, *, top: int | None = None, keep_below: bool = False, age: bool = False
) -> str | None:
    """The text with its number as a range; with two numbers, the range that holds both. `None` where no
    number can be read.

    >>> ranged("47-year-old", 10), ranged("93 years old", 10, top=90, age=True)
    ('40-49-year-old', '90 or older')
    >>> ranged("in her late fifties", 10), ranged("a nonagenarian", 10, top=90, age=True)
    ('in her fifties', 'a person aged 90 or older')
    >>> ranged("$1,250.00", 100)
    '$1,200–1,299'
    """
    said, text = text, in_whole_years(text)
    numbers = _one_or_two(text)
    if numbers is None or _nth(text):
        return None
    first, last = numbers[0], numbers[-1]
    rest = text[last.end :]
    high = last.value + (9 if last.decade else 0)
    reached = max(first.value, high)
    if top is not None and (in_years(int(reached), rest) if age else reached) >= top:
        return _open(top, text, first, last, age)
    if top is not None and keep_below:
        return said
    if first.decade and first is last and width <= 10 and first.value < 1000:
        return _PART.sub("", text)
    if age and is_in_months(rest):
        return _young(text, first, last, width)
    low_end = int(first.value // width) * width
    high_end = int(high // width) * width + width - 1
    joint = text[first.end : last.start] if first is not last else ""
    made = _range(low_end, high_end, text, first.grouped or last.grouped)
    if joint.strip().lower() in ("to", "and"):  # "between 40 and 50" stays a sentence
        made = f"{low_end}{joint}{high_end}"
    return text[: first.start] + made + rest


def _young(text: str, first: Number, last: Number, width: int) -> str | None:
    """The text with an age in months as one in years."""
    before, rest = text[: first.start], text[last.end :]
    unit = _YEARS.match(rest)
    if unit is None:
        return None
    joint = "-" if "-" in unit["joint"] else " "
    years = in_years(int(last.value), rest)
    low = years // width * width
    made = f"{low}-{low + width - 1}" if years >= _INFANT else f"under{joint}{_INFANT}"
    return f"{before}{made}{joint}year{'s' if joint == ' ' else ''}{unit['old'] or ''}{rest[unit.end() :]}"


def _open(top: int, text: str, first: Number, last: Number, age: bool) -> str:
    """The text with the range that has no end."""
    before, rest = text[: first.start], text[last.end :]
    if not age:
        return f"{before}{top:,} or more{_apart(rest)}"
    said = text[first.start : last.end].lower()
    if "arian" in said:
        return f"{before}{'people' if said.endswith('s') else 'person'} aged {top} or older{rest}"
    if last.decade:
        return _IN_THEIR.sub("aged ", before) + f"{top} or older{rest}"
    if rest.lower().endswith(" ago"):  # born so long ago
        return f"{before}{top} or more{rest}"
    unit = _YEARS.match(rest)
    joint = "-" if unit and "-" in unit["joint"] else " "
    rest = rest[unit.end() :] if unit else rest
    return before + joint.join((str(top), "or", "older")) + _apart(rest)


def _apart(rest: str) -> str:
    """What follows, with a space before a letter: by its letters, "90+F" would be the "90F" that it was."""
    return " " * rest[:1].isalpha() + rest


def _range(low: int, high: int, text: str, grouped: bool) -> str:
    if low < 0:
        return f"{low} to {high}"
    if grouped or re.search(r"[$€£¥₹]", text):
        return f"{low:,}–{high:,}" if grouped else f"{low}–{high}"
    return f"{low}-{high}"


def _one_or_two(text: str) -> list[Number] | None:
    """The one or two numbers of a text; `None` where there are none or more."""
    if len(text) > 120:
        return None
    found = list(numbers_in_digits(text))
    if len(found) != sum(1 for _ in re.finditer(r"\d+(?:[.,]\d+)*", text)):
        return None  # digits that are no number of their own: "B12", "1.2.3"
    words = list(decades_in_words(text)) or list(numbers_in_words(text))
    both = sorted([*found, *words], key=lambda n: n.start)
    if not both or len(both) > 2 or (found and words):
        return None
    if len(both) == 2 and not (
        both[0].value <= both[1].value
        and re.fullmatch(r"\s?[-–—]\s?|\s(?:to|and|or)\s", text[both[0].end : both[1].start])
    ):
        return None
    return both


def _nth(text: str) -> list[Number] | None:
    """The number of a birthday: "95th", "sixty-fourth"."""
    return (
        _one_or_two(_TH.sub(r"\1", in_digits(text.lower())))
        if _TH.search(in_digits(text))
        else None
    )
