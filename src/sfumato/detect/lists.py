"""The `lists` detector: the user's own terms, found in any case, spelling of accents and inflection."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import ahocorasick_rs
import numpy as np
from pydantic import Field, StringConstraints, ValidationInfo, model_validator

from sfumato.document import Document, Term
from sfumato.plugins import Detector, Options, detector

Match = tuple[int, int, int]


class TermList(Options):
    """Terms of one kind to hide."""

    kind: Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Z0-9_]*$")] = Field(
        description="The kind of the terms, e.g. PROJECT: a rule of `replace` may name it."
    )
    terms: tuple[str, ...] = Field(
        (), description="The terms: words or several words, in any case, singular or plural."
    )
    file: str | None = Field(
        None,
        description="A text file with one term on each line (`#` starts a comment); it is read once "
        "and becomes part of `terms`. A relative path starts at the policy's folder.",
    )
    inflect: bool = Field(
        True, description="Find plurals and possessives of the terms, too (English)."
    )
    score: float = Field(1.0, ge=0, le=1, description="The score of what is found.")

    @model_validator(mode="before")
    @classmethod
    def _read_file(cls, value: Any, info: ValidationInfo) -> Any:
        if not isinstance(value, dict) or not isinstance(value.get("file"), str):
            return value
        folder = (info.context or {}).get("folder") or Path()
        terms = value.get("terms") or ()
        if isinstance(terms, str):
            return value
        return {**value, "terms": (*terms, *read_terms(Path(folder) / value["file"])), "file": None}

    @model_validator(mode="after")
    def _has_terms(self) -> TermList:
        if not self.terms:
            raise ValueError(f"the list of kind {self.kind} has no terms: give `terms` or a `file`")
        return self


class ListOptions(Options):
    """Settings of the `lists` detector."""

    hide: tuple[TermList, ...] = Field(
        (), description="Lists of terms to hide. Terms to keep are named by the policy's `keep`."
    )


def read_terms(path: Path) -> list[str]:
    """The terms of a file: one on each line; blank lines and what follows a `#` do not count.

    A `#` counts as a comment at the start of a line or after a space, so "C#" is a term.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        reason = "is not UTF-8 text" if isinstance(error, UnicodeError) else "cannot be read"
        if isinstance(error, FileNotFoundError):
            reason = "does not exist"
        raise ValueError(f"the list's file '{path}' {reason}") from None
    lines = (
        ("" if line.startswith("#") else line.split(" #")[0]).strip() for line in text.splitlines()
    )
    return [line for line in lines if line]


class TermMatcher:
    """Finds terms as whole words, whatever their case, accents, spaces, dashes and English inflection.

    >>> TermMatcher(["copper lantern", "Café"]).find("The CAFE's Copper-Lanterns")
    [(4, 10, 1), (11, 26, 0)]
    """

    def __init__(self, terms: Iterable[str], *, inflect: bool = True) -> None:
        forms: dict[str, int] = {}
        for index, term in enumerate(terms):
            folded = fold(term).text.strip()
            if folded:
                for form in inflections(folded) if inflect else (folded,):
                    forms.setdefault(form, index)
        self._indexes = list(forms.values())
        self._automaton = ahocorasick_rs.AhoCorasick(list(forms)) if forms else None

    def find(self, text: str, *, overlapping: bool = False) -> list[Match]:
        """The terms in `text` as (start, end, index of the term), in order: leftmost, then longest; or all
        of them, overlaps included."""
        if self._automaton is None or not text:
            return []
        folded = fold(text)
        words = folded.text
        spans = [
            (start, -end, form)
            for form, start, end in self._automaton.find_matches_as_indexes(words, overlapping=True)
            if not (_joined(words, start) or _joined(words, end))
        ]
        found: list[Match] = []
        last = 0
        for start, minus_end, form in sorted(spans):
            if overlapping or start >= last:
                last = -minus_end
                found.append((*folded.place(start, last), self._indexes[form]))
        return found


def inflections(term: str) -> Sequence[str]:
    """A folded term with the plurals, the singular and the possessives of its last word.

    >>> sorted(inflections("city"))
    ['cities', "cities'", "cities's", 'city', "city'", "city's", 'citys', "citys'", "citys's"]
    """
    bases = {term}
    if len(term) > 3 and term[-1].isalpha():
        if term.endswith("ies"):
            bases.add(term[:-3] + "y")
        if term.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
            bases.add(term[:-2])
        if term.endswith("s") and not term.endswith(("ss", "us", "is")):
            bases.add(term[:-1])
    numbers = set(bases)
    for base in bases:
        if not base[-1].isalpha() or not base.isascii():
            continue
        if base.endswith("y") and base[-2:-1] not in ("", *"aeiou"):
            numbers.add(base[:-1] + "ies")
        if base.endswith(("s", "x", "z", "ch", "sh", "o")):
            numbers.add(base + "es")
        if not base.endswith("s"):
            numbers.add(base + "s")
    forms = list(numbers)
    for form in numbers:
        if form[-1].isalnum():
            forms += [form + "'s", form + "'"]
    return [term, *(f for f in dict.fromkeys(sorted(forms)) if f != term)]


@dataclass(frozen=True)
class Folded:
    """A text in its folded form, and for each of its characters the code point it came from."""

    text: str
    origin: np.ndarray[Any, np.dtype[np.int64]] | None  # shape (len(text),); None: each its own
    length: int  # of the original

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where text[start:end] stands in the original, with the marks that belong to its last letter."""
        if self.origin is None:
            return start, end
        after = int(self.origin[end]) if end < len(self.text) else self.length
        return int(self.origin[start]), max(int(self.origin[end - 1]) + 1, after)


class _Folding(dict[int, str]):
    """A code point's folded form, worked out once."""

    def __missing__(self, point: int) -> str:
        made = self[point] = _fold_char(chr(point))
        return made


def _fold_char(char: str) -> str:
    category = unicodedata.category(char)
    if char.isspace() or char == "_" or category == "Pd":
        return " "
    if category == "Cf":  # zero-width spaces, soft hyphens, directions: nothing a reader sees
        return ""
    if category == "Cs":
        return "\ufffd"
    if char in "’‘ʼ＇`´":
        return "'"
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold())
    kept = "".join(c for c in plain if unicodedata.category(c) != "Mn")
    return "".join(" " if c.isspace() else c for c in kept)


_FOLDING = _Folding()


def fold(text: str) -> Folded:
    """Compatibility form, case folded, accents off, runs of spaces, dashes and underscores as one space.

    >>> fold("Ｚoë–Ann  STRAẞE").text
    'zoe ann strasse'
    """
    folded = text.translate(_FOLDING)
    origin = None
    if len(folded) != len(text) or not text.isascii():
        origin = _origins(text)
    if "  " in folded:
        points = np.frombuffer(folded.encode("utf-32-le"), dtype=np.uint32)
        space = points == 32
        keep = ~(space & np.concatenate(([False], space[:-1])))
        origin = np.flatnonzero(keep) if origin is None else origin[keep]
        folded = points[keep].tobytes().decode("utf-32-le")
    return Folded(folded, origin, len(text))


def _origins(text: str) -> np.ndarray[Any, np.dtype[np.int64]]:
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    present = np.zeros(int(points.max()) + 1, dtype=bool)
    present[points] = True
    widths = np.zeros(len(present), dtype=np.int64)
    for point in np.flatnonzero(present).tolist():
        widths[point] = len(_FOLDING[point])
    return np.repeat(np.arange(len(points), dtype=np.int64), widths[points])


def _joined(text: str, at: int) -> bool:
    """Whether a word goes on at this place. Scripts that are written without spaces have no such places."""
    if not 0 < at < len(text):
        return False
    return _spaced(text[at - 1]) and _spaced(text[at])


def _spaced(char: str) -> bool:
    if char.isascii():
        return char.isalnum()
    return char.isalnum() and not (
        "\u0e00" <= char <= "\u0eff"
        or "\u3040" <= char <= "\u30ff"
        or "\u3400" <= char <= "\u9fff"
        or char >= "\U00020000"
    )


@detector("lists", options=ListOptions)
def lists(options: ListOptions) -> Detector:
    """The terms of the user's own lists."""
    matchers = [(part, TermMatcher(part.terms, inflect=part.inflect)) for part in options.hide]

    def detect(document: Document) -> Iterable[Term]:
        return [
            Term(start, end, part.kind, part.score, "lists", f"on the list of kind {part.kind}")
            for part, matcher in matchers
            for start, end, _ in matcher.find(document.text, overlapping=True)
        ]

    return detect
