"""One spelling for many: how texts are compared whatever their case, accents, spaces and dashes.

`normal_form` names a thing, `fold` searches in a text and leads back to it, `skeleton` leaves letters and
digits alone, `folded_words` are the words of a normal form.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

GAP = 3  # characters there may be between two words of one mention ("Keller ,  Ann")
_ASCII_WORD = re.compile("[a-z0-9]+")
_WORD = re.compile(r"\w+")


def normal_form(text: str) -> str:
    """One spelling for all mentions of the same thing: compatibility form, case folded, runs of spaces,
    dashes and underscores as one space.

    >>> normal_form("Anna-Maria  KELLER") == normal_form("anna maria Keller")
    True
    """
    if text.isascii():
        return " ".join(text.lower().replace("-", " ").replace("_", " ").split())
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    spaced = "".join(" " if c.isspace() or c == "_" or _is_dash(c) else c for c in folded)
    return " ".join(spaced.split())


def _is_dash(char: str) -> bool:
    return unicodedata.category(char) == "Pd"


def folded_words(text: str) -> list[str]:
    """The words of a text's normal form.

    >>> folded_words("Anna-Maria  KELLER")
    ['anna', 'maria', 'keller']
    """
    if text.isascii():  # the usual case, and worth its own way: this runs for every proposal
        return _ASCII_WORD.findall(text.lower())
    return _WORD.findall(normal_form(text))


def unaccented(text: str) -> str:
    """A text in its compatibility form and without accents; its case, spaces and punctuation stay.

    >>> unaccented("Zoë ﬁnds Łódź")
    'Zoe finds Łodz'
    """
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def plain_lower(text: str) -> str:
    """`unaccented`, in lower case.

    >>> plain_lower("Zoë STRAẞE")
    'zoe strasse'
    """
    if text.isascii():
        return text.lower()
    return unaccented(unicodedata.normalize("NFKC", text).casefold())


def skeleton(text: str) -> str:
    """Letters and digits alone, in one case, without accents.

    >>> skeleton("Anna-María KELLER") == skeleton("annamaria keller")
    True
    """
    return "".join(map(plain_char, text)).replace(" ", "")


@cache
def plain_char(char: str) -> str:
    """A letter's or digit's plain form, nothing for a mark upon one, a space for all else."""
    if char.isalnum():
        spread = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold())
        return "".join(c for c in spread if c.isalnum())
    return "" if unicodedata.category(char).startswith("M") else " "


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


def inside_word(text: str, at: int) -> bool:
    """Whether a word goes on at this place. Scripts that are written without spaces have no such places.

    >>> inside_word("no one", 1), inside_word("no one", 2), inside_word("東京", 1)
    (True, False, False)
    """
    return 0 < at < len(text) and _is_spaced(text[at - 1]) and _is_spaced(text[at])


def _is_spaced(char: str) -> bool:
    """Whether a character belongs to a word of a script with spaces between its words."""
    if char.isascii():
        return char.isalnum()
    return char.isalnum() and not (
        "\u0e00" <= char <= "\u0eff"
        or "\u3040" <= char <= "\u30ff"
        or "\u3400" <= char <= "\u9fff"
        or char >= "\U00020000"
    )
