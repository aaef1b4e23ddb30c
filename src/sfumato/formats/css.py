r"""Style sheets within pages. Words, numbers and colours of CSS itself are technical; strings, addresses and
every name that is not made of its words are text. Comments are taken out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from sfumato.english.wordlists import lists
from sfumato.formats import addresses
from sfumato.formats.addresses import EMPTY, embedded
from sfumato.formats.parts import (
    BREAK,
    REDACTED,
    Change,
    Escape,
    Gone,
    TextRun,
    changed,
    is_encodable,
    spliced,
)

_LISTS = lists("formats/words")
# Words of which CSS and HTML make their properties, values and names. None of them is anybody's.
WORDS = frozenset(_LISTS["words of style sheets"])
# Colours, fonts and words of CSS that may be names elsewhere: technical only where a style sheet has a value.
VALUES = frozenset(_LISTS["values of style sheets"])
# Words of which names of fonts are made that every computer has, also where they stand in quotes.
FONTS = frozenset(_LISTS["fonts"])
_UNITS = "%|[cm]m|deg|dpi|dppx|em|ex|ch|fr|in|ms|pc|pt|px|q|rad|rem|s|turn|[dls]?v(?:h|w|min|max)|x"
_ESCAPE = re.compile(
    r"\\(?:(?P<code>[0-9a-fA-F]{1,6})(?:\r\n|[ \t\r\n\f])?|(?P<line>\r\n|[\r\n\f])|(?P<itself>.)|\Z)",
    re.S,
)
_URL_ESCAPE = re.compile(_ESCAPE.pattern + "|(?:%(?:25)*+[0-9a-fA-F]{2})++", re.S)
_IMPORTS = re.compile(r"(?i)@import\s*\Z")
_NAME = r"(?:[\w\-]|[^\x00-\x7f]|\\(?:[0-9a-fA-F]{1,6}(?:\r\n|[ \t\r\n\f])?|[^\r\n\f0-9a-fA-F]))"
_TOKEN = re.compile(
    r"/\*(?P<comment>[\s\S]*?)(?:\*/|\Z)"
    r"""|(?P<call>(?i:url)\([ \t\n\r\f]*+)?(?P<quote>["'])"""
    r"(?P<string>(?:(?!(?P=quote))[^\\\n\r\f]|\\(?:\r\n|[\s\S]))*+)(?:(?P=quote))?"
    r"|(?i:url)\([ \t\n\r\f]*(?P<url>(?![\"' \t\n\r\f])(?:[^)\\]|\\[\s\S])*+)"
    r"|[uU]\+[0-9a-fA-F?]{1,6}(?:-[0-9a-fA-F]{1,6})?(?![\w-])"
    rf"|(?P<number>[+-]?(?:\d++(?:\.\d++)?|\.\d++)(?:[eE][+-]?\d++)?(?i:n(?:\s*[+-]\s*\d+)?|{_UNITS})?)(?![\w.-])"
    rf"|\#(?P<hash>{_NAME}++)|\.(?P<class>{_NAME}++)|(?P<odd>\d(?:[\w.+-]|[^\x00-\x7f])*+)|(?P<name>{_NAME}++)"
)
_COLOUR = re.compile(r"[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}(?:[0-9a-fA-F]{2})?")
_IN_VALUE = re.compile(r"[^{};]{0,400}(?:[;}]|\Z)")
_LONG = re.compile(r"(?<![\d.])\d{6}")
_PLAIN = re.compile(r"[\w\-]|[^\x00-\x7f]", re.ASCII)
_PLAIN_IN_STRING = re.compile(r"[\w\- .,:;/?=+%!@#$*~\[\]{}|]|[^\x00-\x7f]", re.ASCII)
_NUMBERING = re.compile(r"[a-z]?\d{0,3}x?", re.ASCII)
_NEVER_TECHNICAL = re.compile(r"\d{4}|[\[\]]")  # years and codes; labels
_ALWAYS_LONG = re.compile(r"[+-]?(?:9+|2147483647)")
_PARTS = re.compile(r"[^\w]+|_|(?<=[a-z])(?=[A-Z])")


def is_technical(text: str, values: Set[str] = frozenset()) -> bool:
    """Whether a name or a keyword is made of words of CSS and HTML, and of small numbers after them.

    >>> [is_technical(name) for name in ("font-size", "col-md-6", "viewBox", "ana-box", "41", "")]
    [True, True, True, False, False, False]
    """
    known = False
    for part in _PARTS.split(text):
        word = part.lower()
        if word in WORDS or word.rstrip("0123456789") in WORDS or word in values:
            known = True
        elif word and not _NUMBERING.fullmatch(part):
            return False
    return known and not _NEVER_TECHNICAL.search(text) and not embedded(text)


def in_one_word(replacement: str) -> str:
    """A replacement where a name must stand that has no spaces, of a class or an id.

    >>> in_one_word("[PERSON 1]")
    '[PERSON-1]'
    """
    return "-".join(replacement.split())


@dataclass(frozen=True)
class StyleText(TextRun):
    """A string, an address or a name in a style sheet. A name cannot be empty, nor become a word of CSS,
    and has no spaces: a page could not call it."""

    kind: str = "string"

    @property
    def is_name(self) -> bool:
        return self.kind not in ("string", "url")

    @property
    def unseen(self) -> Sequence[Change]:
        return () if self.is_name else embedded(self.text)

    def tidied(self, replacement: str) -> str:
        return in_one_word(replacement) or REDACTED if self.is_name else replacement

    def escapes(self, raw: str) -> Iterator[Escape]:
        for found in (_URL_ESCAPE if self.kind == "url" else _ESCAPE).finditer(raw):
            yield found.start(), found.end(), _meant(found)

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        new = changed(self.text, changes)
        plain = _PLAIN if self.is_name else _PLAIN_IN_STRING

        def escaped(text: str) -> str:
            if self.kind == "url":
                return addresses.inserted(text)
            return "".join(
                c if plain.match(c) and is_encodable(c, encoding) else f"\\{ord(c):x} "
                for c in text
            )

        made = spliced(raw, self.escapes(raw), changes, escaped)
        if self.is_name and (made is None or not self._is_one(made)):
            made = f"\\{ord(new[0]):x} " + escaped(new[1:]) if new else None
        if made is None or meaning(made, self.kind) != new or "</" in made:
            return None
        if not self.is_name and _is_technical_text(new, self.kind):
            return None
        return made if not self.is_name or self._is_one(made) else None

    def _is_one(self, raw: str) -> bool:
        """Whether this is one name, and read as text."""
        before = {"hash": "#", "class": "."}.get(self.kind, "")
        whole = before + raw
        token = _TOKEN.match(whole)  # a full match could take another way than a sheet's reader
        if token is None or token.end() < len(whole):
            return False
        return _is_text(token, whole, len(whole))


def _meant(escape: re.Match[str]) -> str:
    if escape[0][0] == "%":
        return addresses.meaning(escape[0])
    if escape["code"]:
        code = int(escape["code"], 16)
        return chr(code) if 0 < code < 0xD800 or 0xE000 <= code <= 0x10FFFF else "\ufffd"
    return escape["itself"] or ""


def meaning(raw: str, kind: str = "string") -> str:
    r"""What a name, a string or an address of a style sheet says.

    >>> meaning(r"\41 na")
    'Ana'
    """
    return (_URL_ESCAPE if kind == "url" else _ESCAPE).sub(_meant, raw)


def pieces(source: str, start: int, end: int, place: str) -> Iterator[TextRun | str]:
    r"""The runs of a style sheet in a stretch of a file, with what parts them: strings that follow each other
    are shown as one.

    >>> sheet = '.ana > p { color: #fff; width: 3em; content: "by " "Ana" } /* x */'
    >>> [p if isinstance(p, str) else p.text for p in pieces(sheet, 0, len(sheet), "")]
    ['\n', 'ana', '\n', 'by ', 'Ana', '/* x */']
    """
    after = -1  # the end of a string that nothing but space has followed
    for token in _TOKEN.finditer(source, start, end):
        if after >= 0 and source[after : token.start()].strip(" \t\r\n\f"):
            after = -1
        kind = _kind(token)
        if kind == "comment":
            if token[0] != "/**/":
                near = (
                    source[max(start, token.start() - 1) : token.start()]
                    + source[token.end() : token.end() + 1]
                )
                kept = after >= 0 or not (set(near) & set(" \t\r\n{};") or token.end() == end)
                yield Gone(token[0], *token.span(), place, "", "/**/" if kept else "")
            elif after >= 0:
                after = -1
            continue
        if not _is_text(token, source, end):
            after = -1
            continue
        if not (kind == "string" and after >= 0):
            yield BREAK
        after = token.end() if kind == "string" else -1
        group = "string" if kind == "url" and token["string"] is not None else kind
        yield StyleText(meaning(token[group], kind), *token.span(group), place, kind)


def _kind(token: re.Match[str]) -> str:
    is_url = token["call"] is not None or (
        token["string"] is not None
        and _IMPORTS.search(token.string, max(0, token.start() - 40), token.start())
    )
    return "url" if is_url else token.lastgroup or ""


def _is_text(token: re.Match[str], source: str, end: int) -> bool:
    """Whether a token may say something of somebody."""
    kind = _kind(token)
    if kind in ("", "odd"):
        return kind != ""
    if kind in ("string", "url"):
        raw = token["url"] if token["string"] is None else token["string"]
        return not _is_technical_text(meaning(raw, kind), kind)
    if kind == "number":
        return _LONG.search(token[0]) is not None and not _ALWAYS_LONG.fullmatch(token[0])
    said = meaning(token[kind])
    if not any(map(str.isalnum, said)):
        return False
    if kind == "hash" and _COLOUR.fullmatch(said) and _IN_VALUE.match(source, token.end(), end):
        return False
    return not is_technical(said, VALUES | FONTS if kind == "name" else frozenset())


def _is_technical_text(text: str, kind: str) -> bool:
    """Whether a string names fonts, or an address leads to a part of the drawing or to files of the page."""
    if kind == "url":
        return is_technical(f"url {text}") and not text.isspace() and text not in ("", EMPTY)
    return bool(text) and all(word.lower() in FONTS for word in text.split(" "))
