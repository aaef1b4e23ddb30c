"""Ages that only what is found around them tells: bare numbers beside a name, and in the column of ages; so
are births and postcodes in theirs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sfumato.detect.patterns.ages import AGE, LINK, is_bare_age, may_be_age
from sfumato.document import Term
from sfumato.english.births import is_in_months

_BESIDE = re.compile(
    rf"(?:['’]s)?(?:,?\s?(?i:{LINK})\b)*+(?:,\s?|\s?[(/\[–—-]\s?|\s)({AGE})(?![\w%])"
)
_HEADED = re.compile(
    r"(?i)(?:\w+[ _])?(?:(age)|(zip(?:[ _]?code)?|postal[ _]?code)|"
    r"(dob|yob|birth[ _]?(?:year|date)|(?:year|date)[ _]of[ _]birth))(?:[ _(].*)?"
)
_CELL = re.compile(r"\d{1,3}(?:\.\d+)?|\d{5}(?:-\d{4})?|(?:1[89]|20)\d\d(?:-\d\d-\d\d)?")
_KINDS = {1: "AGE", 2: "POSTCODE", 3: "DATE"}
_UNITS = re.compile(r"(?i)(?:years?|yrs?|months?|weeks?|days?|olds?|of age|aged?|[\s-])+")
_SEPARATORS = ",;|\t"
_SCORE = 0.6


def with_ages(text: str, terms: Iterable[Term]) -> list[Term]:
    """The terms, with bare numbers that are ages because of the name before them or the head of their column,
    and without classes of ages ("90 or older").

    >>> text, name = "Mr Ames, 94, of bed 12", Term(0, 7, "PERSON", 0.9, "names")
    >>> [t.of(text) for t in with_ages(text, [name])]
    ['Mr Ames', '94']
    """
    told = [t for t in terms if t.kind != "AGE" or _is_age(text, t)]
    for name in [t for t in told if t.kind == "PERSON"]:
        if found := _BESIDE.match(text, name.end):
            before, after = text[name.end : found.start(1)], text[found.end(1) : found.end(1) + 24]
            # "Dr Ames 2 weeks" says when, "Glu 104" how much
            full = " " in name.of(text) and not is_in_months(found[1])
            if is_bare_age(before, found[1], after) and (full or before.strip()):
                told.append(
                    Term(*found.span(1), "AGE", _SCORE, name.detector, "number beside a person")
                )
    return [*told, *_in_columns(text)]


def _is_age(text: str, term: Term) -> bool:
    before, after = text[max(0, term.start - 12) : term.start], text[term.end : term.end + 24]
    return not _UNITS.fullmatch(term.of(text)) and may_be_age(before, term.of(text), after)


def _in_columns(text: str) -> Iterator[Term]:
    """The cells below a head that says `age` or `birth year`, as long as rows are of one length."""
    heads: dict[int, str] = {}
    separator, many, start = "", 0, 0
    for line in text.splitlines(keepends=True):
        cells = line.rstrip("\r\n").split(separator) if separator else []
        if len(cells) != many or many < 2:
            heads, separator, cells = _heads(line)
            many = len(cells)
        else:
            at = start
            for number, cell in enumerate(cells):
                said = cell.strip(' "')
                if number in heads and _CELL.fullmatch(said):
                    begin = at + cell.index(said)
                    yield Term(
                        begin, begin + len(said), heads[number], _SCORE, "patterns", "in its column"
                    )
                at += len(cell) + 1
        start += len(line)


def _heads(line: str) -> tuple[dict[int, str], str, list[str]]:
    for separator in _SEPARATORS:
        cells = line.rstrip("\r\n").split(separator)
        found = {n: _HEADED.fullmatch(cell.strip(' "')) for n, cell in enumerate(cells)}
        heads = {n: _KINDS[head.lastindex or 1] for n, head in found.items() if head}
        if len(cells) > 1 and heads and not any(map(str.isdigit, line)):
            return heads, separator, cells
    return {}, "", []
