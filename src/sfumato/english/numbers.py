"""Numbers as people write them, put into ranges: "47-year-old" becomes "40-49-year-old"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sfumato.english.wordlists import words

_NUMBER = re.compile(
    r"(?<![\w.,])([-−]?)(\d{1,3}(?:,\d{3})+|\d{1,15})(\.\d+)?(?!\d|[.,]\d|(?:st|nd|rd|th)\b)|\d+"
)
SMALL = words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
)
TENS = words("twenty thirty forty fifty sixty seventy eighty ninety")
_WORDS = {w: i for i, w in enumerate(SMALL)} | {w: i for i, w in enumerate(TENS, 2)}
_WORD_NUMBER = re.compile(
    rf"\b(?:(?:({'|'.join(SMALL[1:10])})\s+)?(hundred)(?:\s+and)?(?:[\s-]+|\b))?"
    rf"(?:({'|'.join(TENS)})(?:[\s-]+({'|'.join(SMALL[1:10])}))?|({'|'.join(SMALL)}))?\b",
    re.IGNORECASE,
)
# What may follow an age; with an open range it is said by "or older".
_YEARS = re.compile(
    r"^(?P<joint>[\s-]*)(?:years?|yrs?|y)(?:[\s-]*(?:olds?|of age)|/?o|\.?o\.?)?\b", re.I
)
_OTHER_UNIT = re.compile(r"^[\s-]*(?:months?|mths?|mos?|weeks?|wks?|days?|hours?)\b", re.I)


@dataclass(frozen=True, slots=True)
class Number:
    """A number and where it stands in its text."""

    start: int
    end: int
    value: float
    grouped: bool = False  # written as 1,250
    decade: bool = False  # written as 40s


def bucket(
    text: str, width: int, *, top: int | None = None, keep_below: bool = False, age: bool = False
) -> str | None:
    """The text with its number as a range; with two numbers, the range that holds both. `None` where no
    number can be read.

    >>> bucket("47-year-old", 10), bucket("93 years old", 10, top=90, age=True)
    ('40-49-year-old', '90 or older')
    >>> bucket("$1,250.00", 100)
    '$1,200–1,299'
    """
    numbers = _numbers(text)
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


def _numbers(text: str) -> list[Number] | None:
    """The one or two numbers of a text; `None` where there are none or more."""
    if len(text) > 120:
        return None
    found = [n for m in _NUMBER.finditer(text) if (n := _number(text, m))]
    if len(found) != sum(1 for _ in re.finditer(r"\d+(?:[.,]\d+)*", text)):
        return None  # digits that are no number of their own: "B12", "1.2.3"
    words = [n for m in _WORD_NUMBER.finditer(text) if m[0] and (n := _in_words(m))]
    both = sorted([*found, *words], key=lambda n: n.start)
    if not both or len(both) > 2 or (found and words):
        return None
    if len(both) == 2 and not (
        both[0].value <= both[1].value
        and re.fullmatch(r"\s?[-–—]\s?|\s(?:to|and|or)\s", text[both[0].end : both[1].start])
    ):
        return None
    return both


def _number(text: str, match: re.Match[str]) -> Number | None:
    if match[2] is None:
        return None
    value = float(match[2].replace(",", "") + (match[3] or ""))
    end = match.end()
    decade = match[3] is None and value % 10 == 0 and re.match(r"['’]?s\b", text[end:])
    if decade:
        end += decade.end()
    sign = match[1] and (match.start() == 0 or text[match.start() - 1].isspace())
    return Number(
        match.start() if sign else match.start(2),
        end,
        -value if sign else value,
        "," in match[2],
        bool(decade),
    )


def _in_words(match: re.Match[str]) -> Number | None:
    hundreds, hundred, tens, ones, small = (g.lower() if g else None for g in match.groups())
    value = (_WORDS[hundreds] if hundreds else 1) * 100 if hundred else 0
    value += _WORDS[tens] * 10 if tens else 0
    value += _WORDS[ones] if ones else 0
    value += _WORDS[small] if small else 0
    stripped = match[0].rstrip(" -")
    return Number(match.start(), match.start() + len(stripped), float(value))
