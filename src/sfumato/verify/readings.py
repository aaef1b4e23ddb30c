"""What programs may make of a text in which letters and spaces stand as codes."""

from __future__ import annotations

import re

from sfumato.formats.references import unescape

_DEEPEST = 4  # codes within codes
_DOUBLED = re.compile(
    r"(?<=%)(?:25)+(?=[0-9A-Fa-f]{2}|u)|(?<=&)(?:amp;)+(?=[#a-zA-Z])|(?<!\\\\)(?<=\\)\\++(?=\w|')"
)
_OCTETS = re.compile(r"(?:%[0-9A-Fa-f]{2})+|(?:\\[x'][0-9A-Fa-f]{2})+")
_QUOTED = re.compile(r"(?:=(?:3[Dd])*[0-9A-Fa-f]{2})+")
_NUMBER = re.compile(r"(?:\\u|\\U0000|%u|_x)([0-9A-Fa-f]{4})_?|(?:\\u|%u|_x)\{([0-9A-Fa-f]{1,6})\}")
_NOT_SEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e01ef]+|</?[a-zA-Z][^<>\n]{0,60}>"
)
_SIGNS = re.compile(rf"[%&=\\]|_x|{_NOT_SEEN.pattern}")
_SLASHED = re.compile(r"\\(?:[a-zA-Z]|\d{1,6})")


def readings(text: str) -> list[str]:
    """A text as it stands, with what can be nothing but a code undone, and with all that may be one.

    >>> readings("Ann%2520K&#111;ch=20\\\\tIto")[1:]
    ['Ann Koch=20\\\\tIto', 'Ann Koch  Ito']
    """
    made = [text]
    if _SIGNS.search(text):
        for all_of_them in (False, True):
            said = made[-1]
            for _ in range(_DEEPEST):
                before, said = said, _undone(said, all_of_them)
                if said == before:
                    break
            if said != made[-1]:
                made.append(said)
    return made


def _undone(text: str, all_of_them: bool) -> str:
    said = _NUMBER.sub(_point, _OCTETS.sub(_octets, _DOUBLED.sub("", text)))
    said = _NOT_SEEN.sub("", unescape(said))
    return _SLASHED.sub(" ", _QUOTED.sub(_octets, said)) if all_of_them else said


def _octets(code: re.Match[str]) -> str:
    """Bytes in UTF-8, or as in Latin-1 where they are no such character."""
    plain = (
        re.sub("(?<==)(?:3[Dd])+(?=[0-9A-Fa-f]{2})", "", code[0]) if code[0][0] == "=" else code[0]
    )
    data = bytes.fromhex(re.sub("[^0-9A-Fa-f]", "", plain))
    said = data.decode("utf-8", "surrogateescape")
    return re.sub("[\udc80-\udcff]", lambda half: chr(ord(half[0]) - 0xDC00), said)


def _point(code: re.Match[str]) -> str:
    number = int(code[1] or code[2], 16)
    return " " if 0xD800 <= number < 0xE000 or number > 0x10FFFF else chr(number)
