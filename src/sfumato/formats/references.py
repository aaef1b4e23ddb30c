"""The character references of HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

REFERENCE = re.compile(r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f\r <&#;]{1,32};?)")
_NUMBER = re.compile(r"&#(?:([0-9]+)|[xX]([0-9a-fA-F]+));?")
_LONG = re.compile(r"&#([0-9]{9,})(;?)")


def references(text: str) -> Iterator[tuple[int, int, str]]:
    """The references in a text that stand for something: from, to, what they say."""
    for found in REFERENCE.finditer(text):
        if (said := unescape(found[0])) != found[0]:
            yield *found.span(), said


def bounded(text: str) -> str:
    """The same text, as long as before, without numbers that are too long to be read: no character has one of
    more than seven digits, and browsers show U+FFFD for them.

    >>> bounded("&#9999999999;&#0000000065A")
    '&#x000110000;&#x00000041;A'
    """
    return _LONG.sub(_as_hexadecimal, text)


def unescape(text: str) -> str:
    """What a text says, also where a number in it has thousands of digits, or is that of a sign which draws
    nothing: Python leaves those out, and browsers do not.

    >>> unescape("&uuml;&#27;[32m")
    'ü\\x1b[32m'
    """
    return html.unescape(_NUMBER.sub(_as_itself, bounded(text)))


def _as_itself(found: re.Match[str]) -> str:
    if html.unescape(found[0]):
        return found[0]
    return chr(int(found[1]) if found[1] else int(found[2], 16))


def _as_hexadecimal(found: re.Match[str]) -> str:
    digits = found[1].lstrip("0")
    number = int(digits or "0") if len(digits) < 8 else 0x110000  # the first that is no character
    return f"&#x{number:0{len(found[0]) - 4}x};"
