"""Addresses within files: what they say, and how a change of it is written so that they stay addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote, unquote

from sfumato.document import Spans
from sfumato.formats.parts import Change, Escape

# As browsers read them (the Fetch standard): spaces may stand around the word, anything before it, and line
# ends and tabs everywhere.
_DATA, _BASE64 = (r"[\t\r\n]*".join(word) for word in ("data:", "base64"))
_EMBEDDED = re.compile(
    rf"{_DATA}(?:(?!{_DATA})[^,])*;\s*{_BASE64}\s*,[\w+/=\-\s]*", re.IGNORECASE | re.ASCII
)
# A page or a drawing; what is said to be text alone is read as it stands.
_PLAINLY = r"\s*charset\s*=\s*(?:utf-8|us-ascii)\s*,"
_TYPED = re.compile(
    rf"{_DATA}\s*(?:(?!text/plain\s*(?:,|;{_PLAINLY}))[\w.+*-]+[\t\r\n]*/|;(?!{_PLAINLY}))",
    re.IGNORECASE | re.ASCII,
)
_ANY = re.compile(_DATA, re.IGNORECASE | re.ASCII)
_OTHERWISE = re.compile("[\ufffd\ufeff]")  # bytes of another encoding than was read
# Within a text: a file ends with its word, or with the bracket or quote behind it.
_LINKED = re.compile(
    rf"{_DATA}[\t ]*(?:[\w.+*-]+/|;)(?:(?!{_DATA})[^<>\n,])*+,[^\s<>]*?(?=[)\"']?(?:[\s<>]|\Z))",
    re.IGNORECASE | re.ASCII,
)
EMPTY = "data:,"
_PERCENTS = re.compile("%(?:25)+")
_CODES = re.compile(r"(?:%[0-9a-fA-F]{2})+")
# A plus of a query is a space, but not within a mail address ("ann+news@…"), which has 64 signs before its @.
_PLUS = r"\+(?![\w.+-]{0,64}+(?:@|%40))"
_CODE_OR_PLUS = re.compile(rf"(?:%[0-9a-fA-F]{{2}})+|{_PLUS}")
_ABSOLUTE = re.compile(r"https?://[^\s%]+", re.IGNORECASE)
_SIGNS = ":/?#@!$&'()*+,;=~"  # that may stand in an address


def embedded(text: str, *, in_code: bool = False) -> list[Change]:
    """Files within an address: nobody has looked at them. One that is no base64 ends with its quotes, or with
    the text; in code without quotes with the line.

    >>> embedded("data:text/html,An&%2397;"), embedded("data:,Ana"), embedded("data: Ana, 5")
    ([(0, 24, 'data:,')], [], [])
    """
    if "," not in text or ":" not in text:
        return []
    found = [(m.start(), m.end(), EMPTY) for m in _EMBEDDED.finditer(text)]
    reached, last = 0, {sign: text.rfind(sign) for sign in "'\"`\n,"}
    odd = max((m.start() for m in _OTHERWISE.finditer(text)), default=-1)
    following = dict.fromkeys(last, -1)

    def next_one(sign: str, begin: int) -> int:
        if following[sign] < begin:
            following[sign] = text.find(sign, begin) if last[sign] >= begin else len(text)
        return following[sign]

    for head in _ANY.finditer(text):
        begin, end = head.span()
        if begin < reached or (odd < end and not _TYPED.match(text, begin)):
            continue
        before = text[max(0, begin - 20) : begin].rstrip()[-1:]
        ends = before if before in ("'", '"', "`") else "\n" if in_code else ""
        until = len(text)
        if ends and in_code:
            until = next_one(ends, end)
        elif ends and last[ends] >= end:
            until = last[ends]  # codes are undone: in an address, a quote may be one of them
        if next_one(",", end) < until:
            found.append((begin, until, EMPTY))
            reached = until
    taken = Spans()
    found.sort(key=lambda change: (change[0], -change[1]))
    return [change for change in found if taken.add(*change[:2])]


def linked(text: str) -> list[Change]:
    """Files within addresses in a text."""
    return [(found.start(), found.end(), EMPTY) for found in _LINKED.finditer(text)]


def meaning(address: str) -> str:
    """What an address says.

    >>> meaning("/?q=weight+loss%2C%2548IV"), meaning("/?e=ann%2Bnews%40x.example")
    ('/?q=weight loss,HIV', '/?e=ann+news@x.example')
    """
    path, question, query = _PERCENTS.sub("%", address).partition("?")
    said = path + question + re.sub(_PLUS, " ", query)
    while (meant := unquote(_PERCENTS.sub("%", said))) != said:
        said = meant
    return said


def escapes(address: str) -> Iterator[Escape]:
    """The stretches of an address that say something else than they are."""
    query = address.find("?") + 1 or len(address)
    for found in _CODES.finditer(address, 0, query):
        yield found.start(), found.end(), unquote(found[0])
    for found in _CODE_OR_PLUS.finditer(address, query):
        yield found.start(), found.end(), " " if found[0] == "+" else unquote(found[0])


def inserted(text: str) -> str:
    """A text as a part of an address.

    >>> inserted("[EMAIL] 5 %"), inserted(EMPTY)
    ('%5BEMAIL%5D%205%20%25', 'data:,')
    """
    if text == EMPTY:
        return text
    return quote(text, safe=_SIGNS if _ABSOLUTE.fullmatch(text) else "~", errors="replace")


def whole(text: str) -> str:
    """A text as an address: signs that part addresses stay."""
    path, question, query = text.partition("?")
    after = quote(query, safe=_SIGNS, errors="replace").replace("+", "%2B")
    return quote(path, safe=_SIGNS, errors="replace") + question + after
