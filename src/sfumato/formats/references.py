"""The character references of HTML."""

from __future__ import annotations

import html
import re

_LONG = re.compile(r"&#([0-9]{9,})(;?)")


def bounded(text: str) -> str:
    """The same text, as long as before, without numbers that are too long to be read: no character has one of
    more than seven digits, and browsers show U+FFFD for them.

    >>> bounded("&#9999999999;&#0000000065A")
    '&#x000110000;&#x00000041;A'
    """
    return _LONG.sub(_as_hexadecimal, text)


def unescape(text: str) -> str:
    """What a text says, also where a number in it has thousands of digits."""
    return html.unescape(bounded(text))


def _as_hexadecimal(found: re.Match[str]) -> str:
    digits = found[1].lstrip("0")
    number = int(digits or "0") if len(digits) < 8 else 0x110000  # the first that is no character
    return f"&#x{number:0{len(found[0]) - 4}x};"
