"""Replacements that leave a part of the term to be seen, or all of it to those who have the key."""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata

from sfumato.english.wordlists import words
from sfumato.errors import SecretError
from sfumato.keys import Key
from sfumato.policy import Mask, Truncate

# Three-digit ZIP areas with 20,000 people or fewer (census of 2000), as the guidance of the US Department
# of Health and Human Services on the HIPAA safe harbor lists them.
SPARSE_ZIPS = words("036 059 063 102 203 556 692 790 821 823 830 831 878 879 884 890 893")
_ZIP = re.compile(r"((?:[A-Z]{2}\s)?)(\d{5})((?:-\d{4})?)", re.ASCII)
_UK_POSTCODE = re.compile(r"([A-Z]{1,2}\d[A-Z\d]?)\s?\d[A-Z]{2}", re.IGNORECASE | re.ASCII)
_SEALED = re.compile(r"ENC\[([A-Z][A-Z0-9_]*):([A-Za-z0-9_=-]+)\]")


def mask(text: str, rule: Mask) -> str:
    """Every letter and digit covered.

    >>> mask("AB-1234", Mask(keep_last=2))
    '**-**34'
    """
    places = [i for i, c in enumerate(text) if not _is_open(c)]
    if not places:  # nothing but signs: then these are the secret
        places = [i for i, c in enumerate(text) if not c.isspace()]
    if 0 < rule.keep_last < len(places):
        places = places[: -rule.keep_last]
    covered = list(text)
    for place in places:
        covered[place] = rule.char
    return "".join(covered)


def truncate(text: str, rule: Truncate) -> str:
    """The first characters, the rest covered; of a short code at least the last one is.

    >>> truncate("02139-4307", Truncate()), truncate("SW1A 1AA", Truncate()), truncate("M1 1AE", Truncate())
    ('021**-****', 'SW1* ***', 'M1 ***')
    """
    if (found := _ZIP.fullmatch(text)) is not None:
        state, area, more = found.groups()
        area = "000" + area[3:] if rule.sparse_zip and area[:3] in SPARSE_ZIPS else area
        return state + _cut(area, min(rule.keep, 4)) + _cut(more, 0)
    keep = rule.keep
    if (found := _UK_POSTCODE.fullmatch(text)) is not None:
        keep = min(keep, len(found[1]))  # the inward code names a handful of houses
    return _cut(text, keep)


def _cut(text: str, keep: int) -> str:
    places = [i for i, c in enumerate(text) if not _is_open(c)]
    cut = list(text)
    for place in places[min(keep, max(len(places) - 1, 0)) :]:
        cut[place] = "*"
    return "".join(cut)


def _is_open(char: str) -> bool:
    """Whether a character may stay in a mask: spaces, punctuation, signs."""
    return not (char.isalnum() or (not char.isascii() and char.isprintable() and _is_mark(char)))


def _is_mark(char: str) -> bool:
    return unicodedata.category(char)[0] == "M"


def seal(kind: str, original: str, key: Key) -> str:
    """The original, encrypted, in a wrapper that `decrypt_text` finds again."""
    sealed = base64.urlsafe_b64encode(key.seal(f"encrypt:{kind}", original)).decode()
    return f"ENC[{kind}:{sealed}]"


def decrypt_text(text: str, key: Key) -> str:
    """The text with everything that `encrypt` has sealed read back.

    What looks sealed but was never so stays as it is; if nothing at all opens, the key is wrong.
    """
    opened = 0

    def restore(found: re.Match[str]) -> str:
        nonlocal opened
        try:
            sealed = base64.urlsafe_b64decode(found[2])
            plain = key.open(f"encrypt:{found[1]}", sealed).decode("utf-8", "surrogatepass")
        except (SecretError, binascii.Error):
            return found[0]
        opened += 1
        return plain

    restored = _SEALED.sub(restore, text)
    if not opened and _SEALED.search(text):
        raise SecretError("this key opens nothing in the text; give the key it was encrypted with")
    return restored
