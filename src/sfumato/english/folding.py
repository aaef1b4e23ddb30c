"""One spelling for many: how texts are compared whatever their case, accents, spaces and dashes.

`normal_form` names a thing and `folded_words` are its words; `id_form` tells users and persons apart,
`value_form` values of a table. `fold` is for searching in a text, punctuation included, and leads back to it;
`skeleton` leaves letters and digits alone, `letters` leads back from them. `unaccented` and `plain_lower`
take the accents off and leave the rest.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

Ints = np.ndarray[Any, np.dtype[np.int64]]
Bools = np.ndarray[Any, np.dtype[np.bool_]]

Form = Literal["NFC", "NFKC", "NFKD"]
_PIECE = 500  # characters
_NOT_ASCII = re.compile(rf"[\x00-\x7f]?[^\x00-\x7f]{{1,{_PIECE}}}")
GAP = 3  # characters there may be between two words of one mention ("Keller ,  Ann")
_ASCII_WORD = re.compile("[a-z0-9]+")
_WORD = re.compile(r"\w+")
# Blanks and control characters, and letters and marks that are drawn as nothing.
_UNSEEN = re.compile(
    r"[\s\x00-\x1f\x7f\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)


# Letters that people write without their bar or dot, or as two, and that Unicode does not take apart.
_BARRED = str.maketrans("ıłŁøØđĐðÐħĦŧŦ", "ilLoOdDdDhHtT") | {
    ord(one): two for one, two in zip("æÆœŒþÞ", ("ae", "AE", "oe", "OE", "th", "Th"), strict=True)
}
APOSTROPHES = "'’‘ʼ＇`´"  # however they are written
# All that is drawn as a dash; and dashes between words, not those of numbers, ranges and signs ("A-").
_DASHES = re.compile(
    r"[\u058a\u05be\u1400\u1806\u2010-\u2015\u2043\u2212\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u2e5d\u301c\u3030\u30a0]"
)
_DASH = re.compile(r"(?<=[^\W\d_])(?<!\de)-+(?=\w)|(?<=\d)-+(?=[^\W\d_])|^-+(?=[^\W\d_])")
_SILENT = re.compile(r"[^\w+<>=%±≤≥°⁄.,/:-]|[.,/:](?!\d)")
_NAME_SIGNS = str.maketrans(dict.fromkeys(APOSTROPHES, "'") | {"−": " ", "_": " ", "-": " "})
# Letters that are written in two where there are no accents.
_SPELT_OUT = str.maketrans(
    {
        "ä": "ae",
        "ö": "oe",
        "ü": "ue",
        "ø": "oe",
        "å": "aa",
        "Ä": "Ae",
        "Ö": "Oe",
        "Ü": "Ue",
        "Ø": "Oe",
        "Å": "Aa",
    }
)


def composed(form: Form, text: str) -> str:
    """A text in one of Unicode's normal forms, piece by piece where it is long: what stands before ASCII has
    nothing to do with it, and marks upon one letter are put in order one by one, which would take the square
    of their number.

    >>> composed("NFC", "Zoe\u0308")
    'Zoë'
    """
    if len(text) <= _PIECE:
        return unicodedata.normalize(form, text)
    return _NOT_ASCII.sub(lambda found: unicodedata.normalize(form, found[0]), text)


def normal_form(text: str) -> str:
    """One spelling for all mentions of the same thing: compatibility form, case folded, runs of spaces,
    dashes and underscores as one space, one sort of apostrophe.

    >>> normal_form("Anna-Maria  O’HARA") == normal_form("anna maria O'Hara")
    True
    """
    if text.isascii():
        return " ".join(text.lower().translate(_NAME_SIGNS).split())
    # before the compatibility form, which takes the acute accent that stands alone for a space
    folded = composed("NFKC", text.translate(_NAME_SIGNS)).casefold()
    folded = composed("NFKC", folded)
    spaced = (" " if unicodedata.category(c) == "Pd" else c for c in folded)
    return " ".join("".join(spaced).split())


def id_form(text: str) -> str:
    """One spelling of what tells users or persons apart: compatibility form, case folded, one sort of dash,
    without blanks and signs that nobody sees. Empty where there is nothing to tell them by.

    >>> id_form("Ann\\u200b Lee\\u20117") == id_form("ANNLEE-7 "), id_form(" \\u3164")
    (True, '')
    """
    if text.isascii():
        return _UNSEEN.sub("", text.lower())
    folded = _DASHES.sub("-", composed("NFKC", composed("NFKC", text).casefold()))
    return "".join(c for c in _UNSEEN.sub("", folded) if unicodedata.category(c)[0] != "C")


def value_form(text: str) -> str:
    """One spelling of a value, as in a cell of a table: `id_form`, without accents and without signs, but for
    those that say something: of more and less, of yes and no, and within numbers.

    >>> value_form("(HIV-1)."), value_form('"hiv 1"'), value_form("A-"), value_form("<.5 %")
    ('hiv1', 'hiv1', 'a-', '<.5%')
    """
    folded = _DASH.sub("", id_form(unaccented(text)).replace("_", "-"))
    return _SILENT.sub(_mark, folded) or id_form(text)


def _mark(found: re.Match[str]) -> str:
    """What stays of a sign: a part of a letter."""
    return found[0] if unicodedata.category(found[0])[0] == "M" else ""


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
    'Zoe finds Lodz'
    """
    if text.isascii():
        return text
    decomposed = composed("NFKD", text).translate(_BARRED)
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def spelt_out(text: str) -> str:
    """A text without accents, its umlauts in two letters each.

    >>> spelt_out("Jürgen Ångström")
    'Juergen Aangstroem'
    """
    return unaccented(composed("NFC", text).translate(_SPELT_OUT))


def plain_lower(text: str) -> str:
    """`unaccented`, in lower case.

    >>> plain_lower("Zoë STRAẞE")
    'zoe strasse'
    """
    if text.isascii():
        return text.lower()
    return unaccented(composed("NFKC", text).casefold())


def skeleton(text: str) -> str:
    """Letters and digits alone, in one case, without accents.

    >>> skeleton("Anna-María KELLER") == skeleton("annamaria keller")
    True
    """
    return plain_letters(text).replace(" ", "")


def plain_letters(text: str) -> str:
    """Letters and digits in one case, without accents; a space for every other character.

    >>> plain_letters("Anna-María, 5"), plain_letters("٣")
    ('anna maria  5', '3')
    """
    return text.translate(_PLAIN)


def _plain_char(char: str) -> str:
    """A letter's or digit's plain form, nothing for a mark upon one, a space for all else. (One mark is a
    letter when case does not count: the iota below a Greek vowel.)"""
    if not char.isalnum() and not unicodedata.category(char).startswith("M"):
        return " "
    char = _digit_char(char)
    spread = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold())
    return "".join(c for c in spread.translate(_BARRED) if c.isalnum())


@dataclass(frozen=True)
class Letters:
    """The letters and digits of a text, and how they stand in its `plain_letters`."""

    text: str  # the skeleton
    at: Ints  # shape (len(text),): the place of each in the plain text
    is_letter: Bools  # shape (length of the plain text,)
    origin: Ints  # shape (length of the plain text,): the code point that each came from


def letters(text: str) -> Letters:
    """The skeleton of a text with its places, to search in.

    >>> found = letters("A-ñ")
    >>> found.text, found.at.tolist(), found.origin.tolist()
    ('an', [0, 2], [0, 1, 2])
    """
    plain = plain_letters(text)
    if text.isascii():
        codes: np.ndarray[Any, Any] = np.frombuffer(plain.encode("ascii"), np.uint8)
        origin = np.arange(len(codes))
    else:
        codes = np.frombuffer(plain.encode("utf-32-le"), np.uint32)
        origin = _origins(text, _PLAIN)
    is_letter = codes != ord(" ")
    return Letters(plain.replace(" ", ""), np.flatnonzero(is_letter), is_letter, origin)


def after_marks(text: str, at: int) -> int:
    """The place behind the accents that stand at this one: they belong to the letter before it."""
    while at < len(text) and not _PLAIN[ord(text[at])]:
        at += 1
    return at


@dataclass(frozen=True)
class Folded:
    """A text in its folded form, and for each of its characters the code point it came from."""

    text: str
    origin: Ints | None  # shape (len(text),); None: each its own
    length: int  # of the original

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where text[start:end] stands in the original, with the marks that belong to its last letter."""
        if self.origin is None:
            return start, end
        after = int(self.origin[end]) if end < len(self.text) else self.length
        return int(self.origin[start]), max(int(self.origin[end - 1]) + 1, after)


class _Table(dict[int, str]):
    """What becomes of a code point, worked out once: for `str.translate`."""

    def __init__(self, form: Callable[[str], str]) -> None:
        self._form = form

    def __missing__(self, point: int) -> str:
        made = self[point] = self._form(chr(point))
        return made


def _fold_char(char: str) -> str:
    category = unicodedata.category(char)
    if char.isspace() or char == "_" or category == "Pd":
        return " "
    if category == "Cf":  # zero-width spaces, soft hyphens, directions: nothing a reader sees
        return ""
    if category == "Cs":
        return "\ufffd"
    if char in APOSTROPHES:
        return "'"
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", char).casefold())
    kept = "".join(c for c in plain if unicodedata.category(c) != "Mn")
    return "".join(" " if c.isspace() else c for c in kept)


def _digit_char(char: str) -> str:
    if not char.isascii() and unicodedata.decimal(char, None) is not None:
        return str(unicodedata.decimal(char))
    return chr(ord(char) - 0xFEE0) if "！" <= char <= "～" else char


_FOLDING = _Table(_fold_char)
_DIGITS = _Table(_digit_char)
_PLAIN = _Table(_plain_char)
_DRAWN = _Table(lambda char: char if _FOLDING[ord(char)] else "")


def plain_digits(text: str) -> str:
    """Digits of other scripts and full-width characters as those of ASCII, one for one: offsets stay.

    >>> plain_digits("０７７-٣١٨ Ａ")
    '077-318 A'
    """
    return text if text.isascii() else text.translate(_DIGITS)


def seen_through(text: str) -> Folded:
    """A text without what `fold` sees through: signs that draw nothing, and marks upon others.

    >>> seen_through("078-\\u200b05").text
    '078-05'
    """
    kept = text if text.isascii() else text.translate(_DRAWN)
    return Folded(kept, None if len(kept) == len(text) else _origins(text, _DRAWN), len(text))


def fold(text: str) -> Folded:
    """Compatibility form, case folded, accents off, runs of spaces, dashes and underscores as one space.

    >>> fold("Ｚoë–Ann  STRAẞE").text
    'zoe ann strasse'
    """
    folded = text.translate(_FOLDING)
    origin = None
    if len(folded) != len(text) or not text.isascii():
        origin = _origins(text, _FOLDING)
    if "  " in folded:
        points = np.frombuffer(folded.encode("utf-32-le"), dtype=np.uint32)
        space = points == 32
        keep = ~(space & np.concatenate(([False], space[:-1])))
        origin = np.flatnonzero(keep) if origin is None else origin[keep]
        folded = points[keep].tobytes().decode("utf-32-le")
    return Folded(folded, origin, len(text))


def _origins(text: str, table: _Table) -> Ints:
    """For each character of a translated text the code point it came from."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    present = np.zeros(int(points.max()) + 1, dtype=bool)
    present[points] = True
    widths = np.zeros(len(present), dtype=np.int64)
    for point in np.flatnonzero(present).tolist():
        widths[point] = len(table[point])
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
