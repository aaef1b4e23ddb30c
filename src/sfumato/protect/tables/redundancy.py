"""Redundant sensitive information: a term of a text that says what a column of the same person says.

Both are brought to one normal form by the column's type ("36 years old" and 36; "14 May 2004" and
2004-05-14), and must then be equal. Close matches (a slip of spelling) count only when the policy
asks, and each is reported. A redundant term shows in the text what the column shows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from sfumato.english.dates import read_day
from sfumato.english.folding import normal_form
from sfumato.english.numbers import numbers_in_words, read_number
from sfumato.protect.tables.persons_view import value_sets
from sfumato.protect.tables.rows import Rows, Value

# Also the number of an ordinal or a decade: "36th birthday" tells an age as well.
_DIGITS = re.compile(
    r"(?<![\w.,])[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\w.,])[-+]?\d++(?:\.\d++)?(?!\w*\d)"
)
_CLOSE = 5  # letters from which a slip of spelling is forgiven


@dataclass(frozen=True)
class CloseMatch:
    """A term that was taken for a column's value although they are not equal."""

    row: int
    column: str


class Matcher:
    """Tells for a term of a person's text which column says the same."""

    def __init__(self, rows: Rows) -> None:
        settings = rows.settings
        self._close = settings.redundant == "close"
        self.columns = rows.columns("quasi")
        self._types = {n: settings.columns[n].type for n in self.columns}
        self._by_kind: dict[str, list[int]] = {}
        if settings.redundant != "ignore":
            for place, name in enumerate(self.columns):
                for kind in settings.columns[name].kinds:
                    self._by_kind.setdefault(kind, []).append(place)
        used = {place for places in self._by_kind.values() for place in places}
        self._values: dict[int, list[set[Value]]] = {
            place: _by_person(rows, self.columns[place]) for place in used
        }
        self.close: list[CloseMatch] = []

    def __bool__(self) -> bool:
        return bool(self._by_kind)

    def column(self, person: int, row: int, kind: str, said: str) -> int:
        """The number of the column that says the same, or -1."""
        for place in self._by_kind.get(kind, ()):
            values = self._values[place][person]
            meant = meaning(said, self._types[self.columns[place]])
            if meant is None:
                continue
            if meant in values:
                return place
            named = [v for v in values if isinstance(v, str)] if self._close else []
            if isinstance(meant, str) and any(_one_slip(meant, v) for v in named):
                self.close.append(CloseMatch(row, self.columns[place]))
                return place
        return -1


@lru_cache(maxsize=200_000)
def meaning(said: str, type: str) -> Value | None:
    """What a term says, in the normal form of a column's type.

    >>> meaning("36 years old", "number"), meaning("14 May 2004", "date"), meaning("Aries", "nominal")
    (36.0, 12552, 'aries')
    >>> meaning("between 36 and 40", "number"), meaning("May 2004", "date"), meaning("forty-two", "number")
    (None, None, 42.0)
    """
    if type == "number":
        span = number_in(said)
        return span[2] if span else None
    if type == "date":
        return read_day(" ".join(said.split()))
    return normal_form(said)


def numbers_in(said: str) -> list[tuple[int, int, float]]:
    """All numbers of a text, in digits or words: where each stands, and its value."""
    found: list[tuple[int, int, float]] = []
    for match in _DIGITS.finditer(said):
        value = read_number(match[0])
        if value is not None:
            found.append((match.start(), match.end(), value))
    found += ((n.start, n.end, n.value) for n in numbers_in_words(said))
    return found


def number_in(said: str) -> tuple[int, int, float] | None:
    """The one number of a term: where it stands, and its value."""
    found = numbers_in(said)
    return found[0] if len(found) == 1 else None


def shown(said: str, type: str, label: str) -> str:
    """A redundant term with what its column shows: "36 years old" as "[24-36] years old".

    >>> shown("36 years old", "number", "[24-36]"), shown("14 May 2004", "date", "2004-05")
    ('[24-36] years old', '2004-05')
    """
    span = number_in(said) if type == "number" else None
    return said[: span[0]] + label + said[span[1] :] if span else label


def says(said: str, type: str, label: str) -> bool:
    """Whether a term already says what its column shows: it can stay as it is."""
    meant = meaning(said, type)
    return meant is not None and meaning(label, type) == meant


def _by_person(rows: Rows, name: str) -> list[set[Value]]:
    def plain(value: Value) -> Value:
        return normal_form(value) if isinstance(value, str) else value

    return [set(map(plain, values)) for values in value_sets(rows, name)]


def _one_slip(a: str, b: str) -> bool:
    """Whether one letter more, less, other, or two exchanged make one word of the other.

    >>> _one_slip("education", "eduction"), _one_slip("banking", "bakning"), _one_slip("art", "act")
    (True, True, False)
    """
    if min(len(a), len(b)) < _CLOSE or abs(len(a) - len(b)) > 1:
        return False
    at = next(
        (i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )
    left, right = a[at:], b[at:]
    swapped = left[:2] == right[:2][::-1] and left[2:] == right[2:]
    return left[1:] == right[1:] or left[1:] == right or left == right[1:] or swapped
