"""The method `bucket`: a number becomes the range it lies in."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field

from sfumato.document import Term
from sfumato.english.numbers import Number, numbers_in_digits, numbers_in_words
from sfumato.plugins import Options, method
from sfumato.protect.replace.method import Method, Overview, Replacement, Unfit, others

# What may follow an age; with an open range it is said by "or older".
_YEARS = re.compile(
    r"^(?P<joint>[\s-]*)(?:years?|yrs?|y)(?:[\s-]*(?:olds?|of age)|/?o|\.?o\.?)?\b", re.I
)
_OTHER_UNIT = re.compile(r"^[\s-]*(?:months?|mths?|mos?|weeks?|wks?|days?|hours?)\b", re.I)


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


def may_stand(options: Bucket, text: str) -> bool:
    """Whether the numbers are below the top, or the range that they would become."""
    numbers = [int(n) for n in re.findall(r"\d{1,15}", text)]
    if options.top is not None and options.below_top == "keep":
        return bool(numbers) and all(n < options.top for n in numbers)
    low = numbers[0] if numbers else 0
    return numbers == [low, low + options.width - 1] and low % options.width == 0


@method("bucket", options=Bucket, gives="coarse", may_stand=may_stand)
def bucket(options: Bucket, overview: Overview) -> Method:
    keep_below = options.below_top == "keep"

    def replace(term: Term, original: str) -> Replacement | Unfit:
        def range_of(width: int) -> str | None:
            return ranged(
                original, width, top=options.top, keep_below=keep_below, age=term.kind == "AGE"
            )

        made = range_of(options.width)
        if made == original and not _is_coarse(original, options):
            made = ranged(original, options.width)
        if made is None or (made == original and not _is_coarse(original, options)):
            return Unfit("its number could not be read")
        coarser = [r for n in (2, 5) if (r := range_of(options.width * n)) is not None]
        return Replacement(made, "put into a range", others(made, coarser), may_stay=True)

    return replace


def _is_coarse(text: str, options: Bucket) -> bool:
    """Whether a number may plainly stay as it is: below the top, or the range that it would become."""
    numbers = [int(n) for n in re.findall(r"\d{1,15}", text)]
    if options.top is not None and options.below_top == "keep":
        return bool(numbers) and max(numbers) < options.top
    low = numbers[0] // options.width * options.width if numbers else 0
    return numbers == [low, low + options.width - 1]


def ranged(
    text: str, width: int, *, top: int | None = None, keep_below: bool = False, age: bool = False
) -> str | None:
    """The text with its number as a range; with two numbers, the range that holds both. `None` where no
    number can be read.

    >>> ranged("47-year-old", 10), ranged("93 years old", 10, top=90, age=True)
    ('40-49-year-old', '90 or older')
    >>> ranged("$1,250.00", 100)
    '$1,200–1,299'
    """
    numbers = _one_or_two(text)
    if numbers is None:
        return None
    first, last = numbers[0], numbers[-1]
    rest = text[last.end :]
    high = last.value + (9 if last.decade else 0)
    years = not (age and _OTHER_UNIT.match(rest))
    if top is not None and years and max(first.value, high) >= top:
        return text[: first.start] + _open(top, rest, age)
    if top is not None and keep_below:
        return text
    low_end = int(first.value // width) * width
    high_end = int(high // width) * width + width - 1
    joint = text[first.end : last.start] if first is not last else ""
    made = _range(low_end, high_end, text, first.grouped or last.grouped)
    if joint.strip().lower() in ("to", "and"):  # "between 40 and 50" stays a sentence
        made = f"{low_end}{joint}{high_end}"
    return text[: first.start] + made + rest


def _open(top: int, rest: str, age: bool) -> str:
    if not age:
        return f"{top:,} or more{rest}" if not rest[:1].isalnum() else f"{top:,}+{rest}"
    unit = _YEARS.match(rest)
    joint = "-" if unit and "-" in unit["joint"] else " "
    return joint.join((str(top), "or", "older")) + (rest[unit.end() :] if unit else rest)


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
    words = list(numbers_in_words(text))
    both = sorted([*found, *words], key=lambda n: n.start)
    if not both or len(both) > 2 or (found and words):
        return None
    if len(both) == 2 and not (
        both[0].value <= both[1].value
        and re.fullmatch(r"\s?[-–—]\s?|\s(?:to|and|or)\s", text[both[0].end : both[1].start])
    ):
        return None
    return both
