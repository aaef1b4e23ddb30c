"""Calendars (RFC 5545) and cards of addresses (RFC 6350, and the older versions).

What a line says is text, with its folds and escapes undone. Names of properties, of parameters and of
components, and words that the standards list, are for programs.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from sfumato.document import Document, Origin, Patch
from sfumato.errors import InputError
from sfumato.formats.parts import Change, Gone, Structured, TextRun, brief, uncertain
from sfumato.formats.properties import PARAMETERS, PROPERTIES, TECHNICAL
from sfumato.formats.values import (
    FOLD,
    FORMED,
    HEAD,
    ITEM,
    MAIL,
    PARAMETER,
    Formed,
    ParameterValue,
    Plain,
    PropertyName,
    Quoted,
    Single,
    Value,
    formed,
    is_listed,
    is_readable,
    kind_of,
    parameter,
)
from sfumato.plugins import format

BREAK = "\n"
# Codings; what is in another one is taken for a file
_READ = ("", "7bit", "8bit", "quoted-printable")
_CODED = re.compile(r"(?i);(?:encoding=|(?:quoted-printable|base64)(?=;|\Z))")
# The order in which people read the components of a name.
_COMPONENTS_OF = {"n": (3, 1, 0, 2, 4), "adr": tuple(range(7)), "org": tuple(range(20))}
_LINE = re.compile(r"[^\r\n]*+(?:\r?\n[ \t][^\r\n]*+)*+")
_SOFT_LINE = re.compile(r"(?:[^\r\n=]|=(?![ \t]*\r?\n)|=[ \t]*\r?\n|\r?\n[ \t])*+")
_OF_A_ZONE = re.compile(r"DTSTART:\d{8}T0[0-4]\d{4}")  # since when it is so


class _Line:
    """A line of a file, unfolded, with the places of what it says."""

    def __init__(self, source: str, start: int, end: int) -> None:
        self.source, self.begin, self.end = source, start, end
        folds = [found.span() for found in FOLD.finditer(source, start, end)]
        self.text = FOLD.sub("", source[start:end])
        self.lost = [0]
        self.cuts: list[int] = []
        for first, last in folds:
            self.cuts.append(first - start - self.lost[-1])
            self.lost.append(self.lost[-1] + last - first)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the unfolded line stands in the file."""
        first = start + self.lost[bisect_right(self.cuts, start)]
        last = end - 1 + self.lost[bisect_right(self.cuts, end - 1)] + 1 if end > start else first
        return self.begin + first, self.begin + last

    def pieces(self, inside: str, where: str) -> Iterator[TextRun | str]:
        """What it says, in a component."""
        head = HEAD.match(self.text)
        if head is None:
            if self.text:
                raw = self.source[self.begin : self.end]
                yield Plain(Plain.read(raw), self.begin, self.end, "line")
            yield BREAK
            return
        name = head["name"].lower()
        value = self.text[head.end() :]
        if not is_readable(head["parameters"]):
            raise InputError.at(
                where,
                f"line {self.source.count(BREAK, 0, self.begin) + 1} names its encoding twice or in an "
                "unknown way, which programs read differently; convert it to UTF-8",
            )
        if self.is_technical(head, name, value) or (
            inside in ("standard", "daylight") and _OF_A_ZONE.fullmatch(self.text)
        ):
            return
        yield from self.named(head, name)
        if name in FORMED and not _CODED.search(head["parameters"]):
            much, said = formed(name, self.text[head.end("name") :]) or ("", "")
            span = self.span(head.end("name"), len(self.text))
            yield from (Formed(much + said, *span, name, name, len(much)), BREAK)
            return
        yield from self.parameters(head, name)
        yield from self.values(head, name, value)

    def is_technical(self, head: re.Match[str], name: str, value: str) -> bool:
        plain = not head["parameters"] and not head["group"]
        return plain and name in TECHNICAL and bool(TECHNICAL[name].fullmatch(value))

    def named(self, head: re.Match[str], name: str) -> Iterator[TextRun | str]:
        group = head["group"]
        if group and not re.fullmatch(r"(?i)item\d{1,2}", group):
            yield from (PropertyName(group, *self.span(*head.span("group")), "group"), " ")
        if name not in PROPERTIES:
            span = self.span(*head.span("name"))
            yield from (PropertyName(head["name"], *span, "property"), " ")

    def parameters(self, head: re.Match[str], name: str) -> Iterator[TextRun | str]:
        name = brief(name)
        for found in PARAMETER.finditer(self.text, *head.span("parameters")):
            key = found["key"] or ""
            if key and key.lower() not in PARAMETERS:
                yield from (
                    PropertyName(key, *self.span(*found.span("key")), f"parameter of {name}"),
                    " ",
                )
            for item in ITEM.finditer(self.text, *found.span("said")):
                if not is_listed(key, item[0]):
                    span = self.span(*item.span())
                    raw = self.source[span[0] : span[1]]
                    place = f"{brief(key.lower()) or 'parameter'} of {name}"
                    yield from (ParameterValue(ParameterValue.read(raw), *span, place, key), " ")

    def values(self, head: re.Match[str], name: str, value: str) -> Iterator[TextRun | str]:
        coding, begin = _coding(head["parameters"]), head.end()
        order = _COMPONENTS_OF.get(name)
        if coding not in _READ or (not order and kind_of(name, value) is None):
            span = self.span(begin, len(self.text))
            if value:
                yield Gone(self.source[slice(*span)], *span, f"{name}: a file")
            yield BREAK
            return
        charset = (parameter(head["parameters"], "charset") or "utf-8").strip('"')
        parts = list(_components(value)) if order else [(0, len(value))]
        ordered = (
            [parts[n] for n in order if n < len(parts)] + parts[len(order) :] if order else parts
        )
        for start, end in ordered:
            start += len(found[0]) if (found := MAIL.match(value)) and not order else 0
            if start < end:
                span = self.span(begin + start, begin + end)
                yield self.run(span, name, value, coding, charset, bool(order))
            yield " " if order else ""
        yield BREAK

    def run(
        self, span: tuple[int, int], name: str, value: str, coding: str, charset: str, part: bool
    ) -> TextRun:
        raw = self.source[slice(*span)]
        if coding == "quoted-printable":
            said = Quoted.said(raw, charset)
            return Gone(raw, *span, name) if said is None else Quoted(said, *span, name, charset)
        if part:
            return Value(Value.read(raw), *span, name)
        kind = kind_of(name, value)
        assert kind is not None  # files are taken out before
        assert issubclass(kind, Single)
        return kind(kind.read(raw), *span, name, name)


def _coding(parameters: str) -> str:
    """How a value is written, in small letters; in cards of the first versions it says so by itself."""
    bare = re.search(r"(?i);(quoted-printable|base64)(?=;|\Z)", parameters)
    return (bare[1] if bare else parameter(parameters, "encoding") or "").lower()


def _components(value: str) -> Iterator[tuple[int, int]]:
    """Where the components of a value stand, which semicolons part.

    >>> [*_components("Lee;Ann\\\\;x;;")]
    [(0, 3), (4, 10), (11, 11), (12, 12)]
    """
    at = 0
    for found in re.finditer(r"\\.|(?P<end>;)", value, re.DOTALL):
        if found["end"]:
            yield at, found.start()
            at = found.end()
    yield at, len(value)


@format("calendar")
class CalendarFile(Structured):
    kind = "calendar"

    def pieces(self, text: str, origin: Origin, where: str) -> Iterator[TextRun | str]:
        at, inside = 1 if text[:1] == "\ufeff" else 0, ""
        while at < len(text):
            found = _LINE.match(text, at)
            assert found is not None  # it may be empty
            head = HEAD.match(FOLD.sub("", found[0]))
            if head is not None and _coding(head["parameters"]) == "quoted-printable":
                found = _SOFT_LINE.match(text, at) or found
            line = _Line(text, at, found.end())
            inside = line.text[6:].lower() if line.text[:6].upper() == "BEGIN:" else inside
            yield from line.pieces(inside, where)
            at = found.end()
            at += 2 if text.startswith("\r\n", at) else 1

    def shown_otherwise(self, document: Document) -> str:
        anew = uncertain(self, document.file, self.layout(document).runs)
        return "words in codes or tags that programs read differently" if anew else ""

    def written(
        self,
        source: str,
        runs: Sequence[TextRun],
        changes: Mapping[int, Sequence[Change]],
        document: Document,
    ) -> list[Patch]:
        changes = {**uncertain(self, source, runs), **changes}
        return super().written(source, runs, changes, document)
