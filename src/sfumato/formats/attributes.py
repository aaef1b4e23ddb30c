"""Attributes of HTML: which of their values are text, and how one is written once it has changed.

A value is technical where it fits what its attribute is for: a number, a colour, the data of a path, words
of HTML and CSS. Everything else is text. A value that is only of use in a certain form is empty where a
replacement has another one.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html.entities import html5

from sfumato.english.wordlists import lists, word_set
from sfumato.formats import addresses, css, script
from sfumato.formats import json as json_format
from sfumato.formats.encodings import LABELS
from sfumato.formats.parts import BREAK, REDACTED, Change, Escape, TextRun, changed, spliced
from sfumato.formats.references import REFERENCE, references, unescape
from sfumato.formats.script import code_text

# What people read, or write: text, whatever it says.
_PROSE = word_set(
    "abbr alt aria-description aria-label aria-placeholder aria-roledescription aria-valuetext label"
    " placeholder prompt standby summary title value"
)
_ADDRESSES = word_set(
    "action archive background cite classid codebase data formaction href icon longdesc manifest ping poster"
    " profile src usemap xlink:href"
)
_STYLES = word_set("media sizes style")
_LISTS = lists("formats/words")
# Numbers, lengths, colours and words of CSS, also in drawings.
_MEASURES = frozenset(_LISTS["attributes of measures"])
_NUMBERS = word_set("max min step low high optimum start")
_NUMBER = r"[+-]?(?:\d{1,5}(?:\.\d{0,9})?|\.\d{1,9})"
_TIME = r"\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?"
_DATE = (
    rf"\d{{4}}(?:-\d\d(?:-\d\d)?|-W\d\d)?|--?\d\d-\d\d|(?:\d{{4}}-\d\d-\d\d[T ])?{_TIME}(?:Z|[+-]\d\d:?\d\d)?"
    r"|P[0-9DHMSTWY.]+"
)
# What fits an attribute and says nothing of anybody.
_TECHNICAL = {name: re.compile(_NUMBER) for name in _NUMBERS} | {
    name: re.compile(pattern)
    for names, pattern in (
        ("d", r"(?![\s\S]*(?<![\d.])\d{6})[MmLlHhVvCcSsQqTtAaZz\d\s,.+\-e]*"),
        ("xmlns", r"https?://www\.w3\.org/[\w/.#\-]*|urn:schemas-microsoft-com:[a-z:]+"),
        ("itemtype", r"https?://schema\.org/[A-Z][A-Za-z]*"),
        ("lang xml:lang hreflang srclang", r"[A-Za-z]{2}(?:-[A-Z][a-z]{3})?(?:-[A-Z]{2})?"),
        ("integrity", r"(?:sha(?:256|384|512)-[A-Za-z0-9+/]{43,86}={0,2}\s*)+"),
        ("pattern", r"(?!.*(?:[^\W\d_]{3}|\d{4})).*"),
        ("coords", r"\d{1,4}(?:\s*,\s*\d{1,4})*"),
    )
    for name in names.split()
}
# Of what form a value must be; another one is of no use to a browser.
_FORMS = {"datetime": re.compile(_DATE)} | {
    name: re.compile(r"(?!)")
    for name in _MEASURES | _NUMBERS | set(_TECHNICAL) | word_set("type method enctype dir shape")
}
_INPUTS = {
    kind: re.compile(pattern)
    for kind, pattern in {
        "date": r"\d{4}-\d\d-\d\d",
        "datetime-local": rf"\d{{4}}-\d\d-\d\d[T ]{_TIME}",
        "month": r"\d{4}-\d\d",
        "time": _TIME,
        "week": r"\d{4}-W\d\d",
        "number": _NUMBER,
        "range": _NUMBER,
    }.items()
}
# Names of parts of the page, which style sheets and scripts call.
_NAMED = word_set(
    "class id for headers list form aria-labelledby aria-describedby aria-controls aria-owns"
)
_HEX = re.compile(r"#(?=[0-9]*[a-fA-F])[0-9a-fA-F]{6}")
_CONTENT_TYPE = re.compile(r"text/html; ?charset=")
_CONTACT = re.compile(r"(?:mailto|tel|sms|sip|callto):", re.IGNORECASE)
_LIKE_ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.\-]*:)?//\S*|[/?]\S*", re.IGNORECASE)
_IN_SET = re.compile(r"[^\s,]+(?:,+[^\s,]+)*")  # commas at its end part it from the next
_DENSITY = re.compile(r"\d+(?:\.\d+)?[wxh]")
_SCRIPTS = re.compile(r"on[a-z]|@|v-on:|x-on:|hx-on")
# What would end a value without quotes, or stand oddly in it
_UNQUOTED = re.compile(r"[\t\n\f\r =`]")


def escaped(text: str, encoding: str, *, quote: bool = False) -> str:
    """A text as HTML, in references where the encoding has no such character."""
    made = html.escape(text, quote)
    return made.encode(encoding, "xmlcharrefreplace").decode(encoding)


def value_text(raw: str) -> str:
    r"""What the value of an attribute says.

    >>> value_text('"/?q=weight+loss%2C%2548IV&amp;x"'), value_text("tel:+44&copy=1")
    ('/?q=weight loss,HIV&x', 'tel:+44&copy=1')
    >>> value_text(r'{&quot;name&quot;: &quot;Zo\u00eb&quot;}')
    '{"name": "Zoë"}'
    """
    return addresses.meaning(code_text(_unescaped(raw), "script"))


def _unescaped(raw: str) -> str:
    inside = raw[1:-1] if raw[:1] in ("'", '"') else raw
    return changed(inside, _value_references(inside))


def _value_references(inside: str) -> Iterator[Escape]:
    """The references in a value without its quotes that stand for something."""
    for found in REFERENCE.finditer(inside):
        said = _in_value(found[0], inside[found.end() : found.end() + 1])
        if said != found[0]:
            yield found.start(), found.end(), said


def _in_value(reference: str, following: str) -> str:
    """A reference in a value: `&copy=1` is none there, though it would be one in a text."""
    if not reference.endswith(";") and reference[1] != "#":
        name = reference[1:]
        known = next((n for n in range(len(name), 1, -1) if name[:n] in html5), None)
        after = (name + following)[known : known + 1] if known else ""
        if known is None or after == "=" or (after.isascii() and after.isalnum()):
            return reference
    return unescape(reference)


@dataclass(frozen=True)
class _Value(TextRun):
    """The value of an attribute, with its quotes."""

    tag: str = ""
    name: str = ""
    form: re.Pattern[str] | None = None

    def tidied(self, replacement: str) -> str:
        return css.in_one_word(replacement) if self.name in _NAMED else replacement

    @property
    def unseen(self) -> Iterable[Change]:
        found = addresses.embedded(self.text)
        if found and self.form is not None:  # a day with a file in it is none
            return [(0, len(self.text), "")]
        return found

    def escapes(self, raw: str) -> Iterator[Escape]:
        if raw[:1] in ("'", '"'):
            yield 0, 1, ""
        yield from references(raw)

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        new = changed(self.text, changes)
        if new and self.form is not None and not self.form.fullmatch(new):
            return None
        if _is_address(self.name, _unescaped(raw)):
            made = f'"{_address(_unescaped(raw), self.text, changes, encoding)}"'
        else:
            made = f'"{escaped(new, encoding, quote=True)}"'
        read = [
            piece for piece in pieces(self.tag, self.name, made, 0, len(made), "") if piece != BREAK
        ]
        return (
            made
            if len(read) == 1 and isinstance(run := read[0], _Value) and run.text == new
            else None
        )


@dataclass(frozen=True)
class _InValue(TextRun):
    """A run of a script, a style sheet or JSON that is the value of an attribute."""

    run: TextRun
    raw: str = field(repr=False)  # what stands there, references undone
    quoted: bool

    @property
    def unseen(self) -> Iterable[Change]:
        return self.run.unseen

    def tidied(self, replacement: str) -> str:
        return self.run.tidied(replacement)

    def escapes(self, raw: str) -> Iterator[Escape]:
        return references(raw)

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        made = self.run.written(self.raw, changes, "utf-8")
        if made is None:
            return None
        made = escaped(made, encoding, quote=True)
        return made if self.quoted else _UNQUOTED.sub(lambda m: f"&#{ord(m[0])};", made)


def _within(source: str, start: int, end: int, place: str, name: str) -> list[TextRun | str]:
    """The runs of the script, the style sheet or the JSON that a value is; none where it is none of them."""
    quoted = source[start : start + 1] in ("'", '"')
    first, last = start + quoted, end - quoted
    inside = source[first:last]
    value = _unescaped(source[start:end])
    if name == "style":
        runs = list(css.pieces(value, 0, len(value), place))
    elif _SCRIPTS.match(name):
        runs = list(script.pieces(value, 0, len(value), place))
    elif value.lstrip()[:1] in ("{", "[") and json_format.is_json(value):
        runs, _ = json_format.within(value, 0, len(value), place, 0)
    else:
        return []
    places: dict[int, int] = {}  # of the value's characters in the file
    at = grown = 0
    for begin, stop, said in [*_value_references(inside), (len(inside), len(inside), "")]:
        places |= {n - grown: n for n in range(at, begin + 1)}
        grown += (stop - begin) - len(said)
        at = stop
    found: list[TextRun | str] = []
    for run in runs:
        if isinstance(run, str):
            found.append(run)
        elif run.start in places and run.end in places:
            begin, stop = first + places[run.start], first + places[run.end]
            raw = value[run.start : run.end]
            found.append(_InValue(run.text, begin, stop, place, run, raw, quoted))
        else:
            return []
    return [*found, BREAK] if any(isinstance(p, TextRun) for p in found) else []


@dataclass(frozen=True)
class _Address(TextRun):
    """An address that is a part of a value: after `mailto:`, or one of several."""

    is_needed: bool = False

    def tidied(self, replacement: str) -> str:
        return replacement or (REDACTED if self.is_needed else "")

    def escapes(self, raw: str) -> Iterator[Escape]:
        return addresses.escapes(raw)

    @property
    def unseen(self) -> Iterable[Change]:
        found = addresses.embedded(self.text)
        return [(a, b, REDACTED) for a, b, _ in found] if self.is_needed else found

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        new = changed(self.text, changes)
        made = _address(_unescaped(raw), self.text, changes, encoding)
        odd = self.is_needed and (
            not _IN_SET.fullmatch(made)
            or _DENSITY.fullmatch(made)
            or css.is_technical(_unescaped(made))
        )
        return None if odd or value_text(f'"{made}"') != new else made


def _address(address: str, text: str, changes: Sequence[Change], encoding: str) -> str:
    """An address in which these changes of what it says are made, as HTML."""
    new = changed(text, changes)
    made = spliced(address, addresses.escapes(address), changes, addresses.inserted)
    if made is None or addresses.meaning(made) != new:
        made = addresses.whole(new)
    return escaped(made, encoding, quote=True)


def _is_address(name: str, value: str) -> bool:
    return name in _ADDRESSES or _LIKE_ADDRESS.fullmatch(value) is not None


def is_technical(tag: str, name: str, value: str) -> bool:
    """Whether a value says to programs how to read or to draw a page, and nothing to people.

    >>> is_technical("svg", "viewbox", "0 0 24 24"), is_technical("p", "class", "ana-souza")
    (True, False)
    """
    if not value or name in _PROSE or name.startswith("data-"):
        return False
    if name in _STYLES | _MEASURES:
        return not any(isinstance(p, TextRun) for p in css.pieces(value, 0, len(value), ""))
    if (
        pattern := _TECHNICAL.get(name.partition(":")[0] if name.startswith("xmlns") else name)
    ) is not None:
        return pattern.fullmatch(value) is not None
    if tag == "meta" and name in ("charset", "content"):
        charset = _CONTENT_TYPE.sub("", value.lower(), count=1)
        is_type = name == "charset" or charset != value.lower()
        if is_type and charset in LABELS:
            return True
    if "data:" in value.lower():
        return False
    return css.is_technical(value) or (tag == "meta" and _HEX.fullmatch(value) is not None)


def pieces(
    tag: str, name: str, source: str, start: int, end: int, place: str, kind: str = ""
) -> Iterator[TextRun | str]:
    """The runs of an attribute's value in a stretch of a file; `kind` is the type of an input."""
    raw = source[start:end]
    said = value_text(raw)
    if is_technical(tag, name, _unescaped(raw)):
        return
    quoted = raw[:1] in ("'", '"')
    first, last = start + quoted, end - quoted
    contact = _CONTACT.match(source, first, last) if name in _ADDRESSES else None
    if name == "style" and quoted and said and "&" not in raw:
        runs = list(css.pieces(source, first, last, place))
        yield from (*runs, BREAK) if any(isinstance(run, css.StyleText) for run in runs) else runs
    elif said and (inner := _within(source, start, end, place, name)):
        yield from inner
    elif name in ("srcset", "imagesrcset") and said.strip(" ,\t\r\n\f"):
        for found in _IN_SET.finditer(source, first, last):
            if not (_DENSITY.fullmatch(found[0]) or css.is_technical(_unescaped(found[0]))):
                yield from (
                    _Address(value_text(f'"{found[0]}"'), *found.span(), place, True),
                    BREAK,
                )
    elif contact is not None:
        rest = source[contact.end() : last]
        yield from (_Address(value_text(f'"{rest}"'), contact.end(), last, place), BREAK)
    else:
        form = _INPUTS.get(kind if name in ("value", "min", "max") else "", _FORMS.get(name))
        yield from (_Value(said, start, end, place, tag, name, form), BREAK)
