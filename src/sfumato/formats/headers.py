"""The headers of an e-mail that people read: subjects, lists of addresses, dates.

Programs read them too, so what stands there after an edit must still be what they expect. A name is quoted
where it has to be. A label is written as an address that nobody can have (`[EMAIL]` as
`email.1@redacted.invalid`; RFC 2606 keeps `.invalid` free). What is left of a date is the comment of one that
says no more.
"""

from __future__ import annotations

import datetime as dt
import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from email.utils import format_datetime, parsedate_to_datetime

from sfumato.english.dates import MONTH_NUMBER
from sfumato.formats.mime import Field, are_certain_words, encoded_words, folded, spoken, words
from sfumato.formats.parts import Change, Escape, TextRun, changed

ADDRESSES = frozenset(("from", "to", "cc", "reply-to"))
REDACTED = "@redacted.invalid"
_NOTHING = f"hidden{REDACTED}"
_LONGEST = 900  # characters of a quoted name: lines have fewer than 1,000
_LABEL = re.compile(r"\[(?P<name>[A-Z][A-Z0-9]*(?:[_-][A-Z0-9]+)*(?: \d{1,9})?)\]")
_FOLD = r"\r?\n(?=[ \t])"
_OPENED = rf'"(?:[^"\\\r\n]|\\[^\r\n]|{_FOLD})*+'
_QUOTED = f'{_OPENED}"'
_CODED = r"=\?[^?\s]+\?[bBqQ]\?[^?\s]*\?="
_ATOM = r'[^\s"(),:;<>\\\[\]@]++'
_PHRASE = rf"(?:{_QUOTED}|{_CODED}|{_ATOM})(?:{_QUOTED}|{_CODED}|{_ATOM}|[ \t]|{_FOLD})*+"
_ADDRESS = rf"(?:{_ATOM}|{_QUOTED})@(?:{_ATOM}|\[[^\[\]\\\s]*\])"
_COMMENT = rf"\((?P<comment>(?:[^()\\\r\n]|\\[^\r\n]|{_FOLD})*+)\)"
_SPACE = rf"(?:[ \t]|{_FOLD})*+"
_MEMBER = re.compile(
    rf"(?:(?P<name>{_PHRASE}))?<{_SPACE}(?P<address>{_ADDRESS}){_SPACE}>|(?P<bare>{_ADDRESS})"
    rf"|(?P<group>{_PHRASE}):|{_COMMENT}|[,;]|[ \t]|{_FOLD}"
)
# An address with blanks or comments in it, as older programs wrote and all read them: a@b to them alone.
_PARTED = re.compile(
    r"\w(?:\s|\([^()]*\))++@|\w@(?:\s|\([^()]*\))++\w"
    r"|<(?=[^<>@]*+@)[^<>@]*\w[\s(]|\w@[^<>@\s(]*+[\s(][^<>@]*+(?<=\w)>"
)
_PLAIN_ADDRESS = re.compile(rf"(?=[\x21-\x7e]*\Z){_ADDRESS}")
_PLAIN_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?: [A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_DATE = re.compile(
    r"(?P<time>(?:[A-Z][a-z]{2}, +)?\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d(?::\d\d)?)"
    r"(?P<zone> (?:[+-](?:0\d|1[0-4])[0-5]\d|UT|UTC|GMT|[ECMP][SD]T|CES?T|Z))?"
    r"(?P<comment> +\([A-Za-z/_ ]*\))?"
)
_NO_ZONE = " -0000"  # the standard's word for one that nobody tells
_YEAR = re.compile(r"(?<!\d)(1[5-9]|20)\d\d(?!\d)")
_MONTH = re.compile(rf"(?i)\b(?:{'|'.join(MONTH_NUMBER)})\b")


def pieces(field: Field, source: str, newline: str, place: str) -> list[TextRun | str] | None:
    """The runs of a field's text, and what stands between them; None where it cannot be read."""
    name, _, _ = source[field.start : field.end].partition(":")
    begin = field.start + len(name) + 1
    if field.name in ADDRESSES:
        if made := _members(source, begin, field.end, newline, place):
            return made
        if _PARTED.search(field.value):
            return None
    made_of = _DateHeader if field.name == "date" else _Header
    text = made_of.read(field.value)
    if text is None:
        return None
    return [made_of(text, field.start, field.end, place, newline, name.strip())]


def _text(pieces: Sequence[TextRun | str]) -> str:
    return "".join(piece if isinstance(piece, str) else piece.text for piece in pieces)


@dataclass(frozen=True)
class _OneLine(TextRun):
    """A part of a field."""

    newline: str = "\n"

    @staticmethod
    @abstractmethod
    def read(raw: str) -> str | None:
        """What it says; None where it cannot be read."""

    def is_certain(self, raw: str) -> bool:
        return are_certain_words(raw)

    def forms(self, new: str, raw: str) -> Iterable[str]:
        """How it may be written so that it says something new, the best form first."""
        return ()

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        new = changed(self.text, changes)
        return next((made for made in self.forms(new, raw) if self.read(made) == new), None)

    def tidied(self, replacement: str) -> str:
        return " ".join(replacement.split()) if re.search(r"[^\S ]", replacement) else replacement


@dataclass(frozen=True)
class _Header(_OneLine):
    """A whole field."""

    name: str = ""
    zone: str = ""  # of a date

    def is_certain(self, raw: str) -> bool:
        return raw.startswith(f"{self.name}:") and super().is_certain(raw)

    def escapes(self, raw: str) -> Iterable[Escape]:
        return [(0, len(self.name) + 2, "")]

    @staticmethod
    def read(value: str) -> str | None:
        return spoken(value)

    def value(self, text: str) -> str:
        return words(text)

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        return self.line(changes)

    def line(self, changes: Sequence[Change]) -> str | None:
        """The field once these changes are made."""
        new = changed(self.text, changes)
        line = folded(f"{self.name}: {self.value(new)}", self.newline)
        value = line.partition(":")[2].replace(self.newline, "")
        value = value[1:] if value[:1] == " " else value
        if not line.isascii() or self.read(value) != new:
            return None
        if self.name.lower() in ADDRESSES:
            again = _members(line, len(self.name) + 1, len(line), self.newline, "")
            is_read = not _PARTED.search(value) if again is None else _text(again) == new
            return line if is_read else None
        return line


# Lists of addresses


def _members(
    source: str, begin: int, end: int, newline: str, place: str
) -> list[TextRun | str] | None:
    """The names, addresses and comments of a list; None where it is not one."""
    made: list[TextRun | str] = []
    begin += source[begin : min(begin + 1, end)] in (" ", "\t")
    at, after = begin, begin
    while at < end:
        found = _MEMBER.match(source, at, end)
        if found is None:
            return None
        for run in _runs(found, newline, place):
            if run is None:
                return None
            made += [_unfolded(source[after : run.start]), run]
            after = run.end
        at = found.end()
    return [*made, _unfolded(source[after:end])] if made else None


def _runs(found: re.Match[str], newline: str, place: str) -> Iterator[TextRun | None]:
    for kind, raw in found.groupdict().items():
        if raw is None:
            continue
        run = _MEMBERS[kind]
        start = found.start(kind)
        raw = raw.rstrip(" \t\r\n") if run is _Name else raw
        text = run.read(raw)
        yield None if text is None else run(text, start, start + len(raw), place, newline)


def _unfolded(raw: str) -> str:
    return re.sub(_FOLD, "", raw)


def _utf8(raw: str) -> str | None:
    try:
        return _unfolded(raw).encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return None


def _unquoted(found: re.Match[str]) -> str:
    return _unescaped(found[0][1:-1]) if found[1] else found[0]


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


@dataclass(frozen=True)
class _Name(_OneLine):
    """The name beside an address, or of a group."""

    def escapes(self, raw: str) -> Iterable[Escape]:
        return [(0, 1, "")] if raw[:1] == '"' else ()

    @staticmethod
    def read(raw: str) -> str | None:
        text = _utf8(raw)
        if text is None:
            return None
        return spoken(re.sub(f'{_OPENED}(")?+', _unquoted, text))  # what nothing closes stands

    def forms(self, new: str, raw: str) -> Iterator[str]:
        if raw[:1] != '"' and _PLAIN_NAME.fullmatch(new):
            yield new
        if len(new) < _LONGEST and new.isascii():
            yield '"' + re.sub(r'(["\\])', r"\\\1", new) + '"'
        yield encoded_words(new).replace(" ", f"{self.newline} ")


@dataclass(frozen=True)
class _Address(_OneLine):
    """An address; what is none is written as one that nobody has."""

    @staticmethod
    def read(raw: str) -> str | None:
        text = _utf8(raw)
        return None if text is None else address_text(text)

    def forms(self, new: str, raw: str) -> Iterator[str]:
        return address_forms(new)


def address_text(address: str) -> str:
    """What an address says: one that nobody has says what it stands for."""
    local = address.removesuffix(REDACTED)
    label = "[" + re.sub(r"\.(?=\d+\Z)", " ", local.upper()) + "]"
    if address == _NOTHING:
        return ""
    if local == address or not local:
        return address
    if local.islower() and _LABEL.fullmatch(label):
        return label
    said = spoken(_unescaped(local[1:-1])) if local[0] == '"' else None
    return address if said is None else said


def address_forms(text: str) -> Iterator[str]:
    """A text as an address, the best form first.

    >>> next(address_forms("[EMAIL]")), next(address_forms("ann@example.org"))
    ('email@redacted.invalid', 'ann@example.org')
    """
    if not text:
        yield _NOTHING
    if _PLAIN_ADDRESS.fullmatch(text):
        yield text
    if (label := _LABEL.fullmatch(text)) is not None:
        yield label["name"].lower().replace(" ", ".") + REDACTED
    quoted = re.sub(r'(["\\])', r"\\\1", words(text))
    yield f'"{quoted}"{REDACTED}'


@dataclass(frozen=True)
class _Comment(_OneLine):
    """A comment: older programs write names so."""

    @staticmethod
    def read(raw: str) -> str | None:
        text = _utf8(raw)
        return None if text is None else spoken(_unescaped(text))

    def forms(self, new: str, raw: str) -> list[str]:
        return [_as_comment(new)]


def _as_comment(text: str) -> str:
    return re.sub(r"([()\\])", r"\\\1", words(text))


_MEMBERS: Mapping[str, type[_OneLine]] = {
    "name": _Name,
    "group": _Name,
    "address": _Address,
    "bare": _Address,
    "comment": _Comment,
}


# Dates


@dataclass(frozen=True)
class _DateHeader(_Header):
    """A date, whose zone is for programs; what is left of one is the comment of a date that says no more."""

    def escapes(self, raw: str) -> Iterable[Escape]:
        begin = len(self.name) + 2
        found = _DATE.fullmatch(raw[begin:])
        if not found or not found["zone"]:
            return [(0, raw.find("(") + 1, "")]
        return [(0, begin, ""), (begin + found.start("zone"), begin + found.end("zone"), "")]

    @staticmethod
    def read(value: str) -> str | None:
        found = re.fullmatch(r"[^()]* \((?P<said>.*)\)", value)
        said = spoken(_unescaped(found["said"])) if found else None
        if said is not None and _with_date(said) == value:
            return said
        return _zoned(value, "") if _is_date(value) else spoken(value)

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        found = _DATE.fullmatch(_unfolded(raw).partition(":")[2].removeprefix(" "))
        zone = found["zone"] if found else None
        return replace(self, zone=zone or _NO_ZONE).line(changes)

    def value(self, text: str) -> str:
        dated = _zoned(text, self.zone)
        return dated if _is_date(dated) else _with_date(text)


def _zoned(text: str, zone: str) -> str:
    """A date with a zone, or without one.

    >>> _zoned("Mon, 15 Nov 2021 10:00:00 (CET)", " +0100"), _zoned("15 Nov 2021 10:00 GMT", "")
    ('Mon, 15 Nov 2021 10:00:00 +0100 (CET)', '15 Nov 2021 10:00')
    """
    found = _DATE.fullmatch(text)
    return found["time"] + zone + (found["comment"] or "") if found else text


def _with_date(text: str) -> str:
    """What is left of a date as the comment of one that says no more: the first of the year, or of the month,
    that it still tells.

    >>> _with_date("March 2024 [TIME]")
    'Fri, 01 Mar 2024 00:00:00 -0000 (March 2024 [TIME])'
    """
    return f"{format_datetime(span(text)[0])} ({_as_comment(text)})"


def span(text: str) -> tuple[dt.datetime, dt.datetime]:
    """The first day of the year, or of the month, that is left of a date, and the first one after it.

    >>> [f"{day:%Y-%m-%d}" for day in (*span("December 2024"), *span("2024"), *span("[DATE]"))]
    ['2024-12-01', '2025-01-01', '2024-01-01', '2025-01-01', '1970-01-01', '1970-01-02']
    """
    year, month = _YEAR.search(text), _MONTH.search(text)
    first = dt.datetime(int(year[0]) if year else 1970, 1, 1)
    if not year:
        return first, first + dt.timedelta(1)
    if not month:
        return first, first.replace(year=first.year + 1)
    first = first.replace(month=MONTH_NUMBER[month[0].lower()])
    return first, (first + dt.timedelta(31)).replace(day=1)


def _is_date(text: str) -> bool:
    """Whether programs read a text as a date, with its zone."""
    found = _DATE.fullmatch(text)
    if not found or not found["zone"]:
        return False
    try:
        parsedate_to_datetime(text)
    except (TypeError, ValueError, OverflowError):
        return False
    return True
