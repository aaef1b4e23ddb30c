"""Bodies of answers and e-mails: plain text, HTML and JSON, taken apart into texts and put together again.

All that somebody may read is text: of HTML the text between tags, the values of attributes (also with the
escapes of an address undone), scripts and styles; of JSON strings, numbers and keys. Comments of HTML are
left out. The names of tags and attributes are not looked at.
"""

from __future__ import annotations

import html
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote_plus

from sfumato.english.wordlists import word_set
from sfumato.errors import InputError
from sfumato.formats.pieces import BREAK, PARAGRAPH

Parts = list[tuple[str, str]]  # texts, each with what parts it from the next


@dataclass(frozen=True)
class Body:
    """The texts of a body, and how to write it with others in their places."""

    parts: Parts = field(repr=False)
    write: Callable[[Sequence[str]], str]


def plain(text: str) -> Body:
    """Plain text is one text."""
    return Body([(text, PARAGRAPH)], lambda texts: texts[0])


# HTML

_INLINE = word_set(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp"
    " small span strike strong sub sup time tt u var wbr"
)


@dataclass
class _Text:
    """A run of text as it stands in the source, in chunks, and the number of its piece."""

    chunks: list[str]
    piece: int
    escaped: bool  # scripts and styles are not

    @property
    def raw(self) -> str:
        return "".join(self.chunks)

    @property
    def said(self) -> str:
        return html.unescape(self.raw) if self.escaped else self.raw


@dataclass
class _Tag:
    """A tag as it stands in the source, its attributes, and the number of the first one's piece."""

    raw: str
    name: str
    attributes: list[tuple[str, str | None]]
    piece: int
    closed: bool


class _Splitter(HTMLParser):
    """Takes a page apart. Text comes first and attributes last, so that a tag within a word or a term does
    not part it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.tokens: list[_Text | _Tag | str] = []
        self.breaks: list[str] = []  # what comes after each text
        self.attributes: Parts = []

    def _text(self, raw: str) -> None:
        last = self.tokens[-1] if self.tokens else None
        if isinstance(last, _Text) and last.escaped == (self.cdata_elem is None):
            last.chunks.append(raw)
        else:
            self.tokens.append(_Text([raw], len(self.breaks), self.cdata_elem is None))
            self.breaks.append("")

    def _part(self, tag: str) -> None:
        if tag not in _INLINE and self.breaks:
            self.breaks[-1] = BREAK

    def _open(self, tag: str, attributes: list[tuple[str, str | None]], closed: bool) -> None:
        self._part(tag)
        raw = self.get_starttag_text() or ""
        self.tokens.append(_Tag(raw, tag, attributes, len(self.attributes), closed))
        for _, value in attributes:
            self.attributes += [(said, BREAK) for said in _readings(value)]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open(tag, attrs, closed=False)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open(tag, attrs, closed=True)

    def handle_endtag(self, tag: str) -> None:
        self._part(tag)
        self.tokens.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self._text(data)

    def handle_entityref(self, name: str) -> None:
        self._text(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._text(f"&#{name};")

    def handle_decl(self, decl: str) -> None:
        if decl.lower().startswith("doctype"):
            self.tokens.append("<!DOCTYPE html>")  # whatever else may stand in it is text


def page(text: str) -> Body:
    """An HTML page. What is not changed is written as it was."""
    splitter = _Splitter()
    splitter.feed(text)
    splitter.close()
    said = [token.said for token in splitter.tokens if isinstance(token, _Text)]
    texts = list(zip(said, splitter.breaks, strict=True))
    if texts:
        texts[-1] = (texts[-1][0], PARAGRAPH)
    parts = [*texts, *splitter.attributes]
    tokens, first = splitter.tokens, len(texts)

    def write(released: Sequence[str]) -> str:
        made = []
        for token in tokens:
            if isinstance(token, str):
                made.append(token)
            elif isinstance(token, _Text):
                same = released[token.piece] == texts[token.piece][0]
                new = released[token.piece]
                made.append(
                    token.raw if same else html.escape(new, False) if token.escaped else new
                )
            else:
                made.append(_tag(token, released, first + token.piece))
        return "".join(made)

    return Body(parts, write)


def _readings(value: str | None) -> list[str]:
    """A value as it stands, and, where that is another text, as an address means it.

    >>> _readings("/?q=weight+loss"), _readings("x")
    (['/?q=weight+loss', '/?q=weight loss'], ['x'])
    """
    plainly = said = value or ""
    while (meant := unquote_plus(said)) != said:
        said = meant
    return [plainly] if said == plainly else [plainly, said]


def _tag(token: _Tag, released: Sequence[str], at: int) -> str:
    """A tag with its attributes' texts, from number `at` on. A value that has changed is written plainly."""
    written, changed = [], False
    for name, value in token.attributes:
        before = _readings(value)
        after = released[at : at + len(before)]
        at += len(before)
        pairs = zip(before, after, strict=True)
        new = [now for was, now in pairs if now != was]
        changed |= bool(new)
        shown = new[-1] if new else before[0]
        written.append(name if value is None and not shown else f'{name}="{html.escape(shown)}"')
    if not changed:
        return token.raw
    return f"<{' '.join([token.name, *written])}{' /' if token.closed else ''}>"


# JSON


@dataclass(frozen=True, slots=True)
class _Number:
    """A number as it stands in the source: reading it as a float would change some."""

    text: str


def data(text: str) -> Body:
    """JSON: every string, number and key is a text. A number that changes becomes a string."""
    try:
        value = json.loads(text, parse_float=_Number, parse_int=_Number, parse_constant=_Number)
    except ValueError:
        raise InputError("the body is not the JSON that it says it is") from None
    parts: Parts = []
    _collect(value, parts)
    return Body(parts, lambda released: _written(value, iter(released)))


def _collect(value: Any, parts: Parts) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            parts.append((key, BREAK))
            _collect(inner, parts)
    elif isinstance(value, list):
        for inner in value:
            _collect(inner, parts)
    elif isinstance(value, _Number):
        parts.append((value.text, BREAK))
    elif isinstance(value, str):
        parts.append((value, BREAK))


def _written(value: Any, texts: Iterator[str]) -> str:
    if isinstance(value, dict):
        pairs = [(next(texts), _written(inner, texts)) for inner in value.values()]
        keys = _distinct([key for key, _ in pairs])
        said = [f"{_quoted(key)}: {inner}" for key, (_, inner) in zip(keys, pairs, strict=True)]
        return f"{{{', '.join(said)}}}"
    if isinstance(value, list):
        return f"[{', '.join(_written(inner, texts) for inner in value)}]"
    if isinstance(value, _Number):
        new = next(texts)
        return new if new == value.text else _quoted(new)
    return _quoted(next(texts) if isinstance(value, str) else value)


def _quoted(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _distinct(keys: Sequence[str]) -> list[str]:
    """Keys that are the same once they are sanitised, told apart by numbers.

    >>> _distinct(["[…]", "age", "[…]"])
    ['[…]', 'age', '[…]_2']
    """
    taken, numbers = set(keys), Counter[str]()
    made = []
    for key in keys:
        numbers[key] += 1
        numbered = key
        while numbers[key] > 1 and numbered in taken:
            numbered = f"{key}_{numbers[key]}"
            numbers[key] += numbered in taken
        taken.add(numbered)
        made.append(numbered)
    return made


READERS: dict[str, Callable[[str], Body]] = {
    "text/plain": plain,
    "text/markdown": plain,
    "text/html": page,
    "application/json": data,
}
