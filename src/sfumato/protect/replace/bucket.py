"""The method `bucket`: a number becomes the range it lies in."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field

from sfumato.document import Term
from sfumato.english.numbers import bucket as ranged
from sfumato.plugins import Options, method
from sfumato.protect.replace.method import Method, Overview, Replacement, Unfit, others


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
    numbers = [int(n) for n in re.findall(r"\d+", text)]
    if options.top is not None and options.below_top == "keep":
        return bool(numbers) and all(n < options.top for n in numbers)
    low = numbers[0] if numbers else 0
    return numbers == [low, low + options.width - 1] and low % options.width == 0


@method("bucket", options=Bucket, gives="value", may_stand=may_stand)
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
