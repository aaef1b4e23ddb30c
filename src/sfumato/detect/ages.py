"""Ages that only the name before them tells: bare numbers beside a person."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from sfumato.detect.patterns.ages import (
    AGE,
    LINK,
    OTHER_VALUE,
    PART_OF_YEAR,
    is_age_at,
    is_bare_age,
    is_told_age,
    may_be_age,
    tells_length,
)
from sfumato.document import Spans, Term
from sfumato.english.births import is_in_months
from sfumato.english.numbers import numbers_in_digits, numbers_in_words

_BESIDE = re.compile(
    rf"(?:['’]s)?(?:,?\s?(?i:{LINK})\b)*+(?:,\s?|\s?[(/\[–—-]\s?|\s)({AGE})(?![\w%]|[:.]\d)"
)
_AT = re.compile(rf"[^.;:!?\n\d]{{0,60}}?[ ]at[ ]({AGE})(?![\w%]|[:.]\d)")
# Behind an age that is told "at 47" or "47 in 1996".
_AND_AT = re.compile(
    r"[^.;:!?\n\d]{0,40}?(?:,|[ ](?:and|but|or|then))[ ](?:[\w']{1,12}[ ]){0,2}?"
    rf"(?:at|aged|at[ ](?:death|onset|diagnosis)|menopause|menarche)[ ]({AGE})(?![\w%]|[:.]\d)"
)
_YEAR = r",?[ ]\(?(?:in[ ])?(?:[A-Z][a-z]{2,8}[ ])?(?:1[89]|20)\d\d\b"
_AND_IN = re.compile(rf"{_YEAR}\)?(?:,?[ ](?:and|but)|,)[ ](?:was[ ]|then[ ])?({AGE})(?={_YEAR})")
_TOLD_AT = re.compile(r"(?i)\b(?:at|aged?|menarche|menopause|onset|diagnosis|death):?\s\Z")
_DONE = re.compile(r"\s[a-z]+ed\b")  # "at 49 remarried"
_UNITS = re.compile(r"(?i)(?:years?|yrs?|months?|weeks?|days?|olds?|of age|aged?|[\s-])+")
_NEAR = 60  # characters around an age that say that it is none
_HOURS = 12
_MOST_LISTED = 30
_OPENS_LINE = re.compile(r"(?:\A|\n)\s*\(\Z")
_YEAR_MARK = re.compile(r"\s['’]\Z")
# "look at Tom's one", "Ann's two were asleep", where "Tom's six" may be his age
_OWNER = re.compile(r"\w['’]s\s\Z")
_OWNED = re.compile(
    r"(?i)\b(?:of|at|with|for|to|from|by|about|like|on|in|into|than|or|is that|are those|these are)\s"
    r"(?:[\w-]+\s)?[\w-]+['’]s\s\Z"
)
_MANY = re.compile(r"(?i)\s(?:were|are|have|had|both|came|went|will|all)\b")
_BETWEEN = re.compile(r"(?i)\bbetween\b[^.;,\n]{0,20}\Z")
_AND = re.compile(r"\s(?:and|&)\s")
_PART_OF_YEAR = re.compile(PART_OF_YEAR)
SCORE = 0.6


def beside_persons(text: str, terms: Iterable[Term]) -> Iterator[Term]:
    """Bare numbers that are ages because of the name before them.

    >>> text, name = "Mr Ames, 94, of bed 12", Term(0, 7, "PERSON", 0.9, "names")
    >>> [t.of(text) for t in beside_persons(text, [name])]
    ['94']
    """
    for name in terms:
        if name.kind != "PERSON":
            continue
        if found := _AT.match(text, name.end):
            before, after = text[name.end : found.start(1)], text[found.end(1) : found.end(1) + 24]
            if is_age_at(before, found[1], after):
                yield Term(*found.span(1), "AGE", SCORE, name.detector, "number beside a person")
        elif found := _BESIDE.match(text, name.end):
            before, after = text[name.end : found.start(1)], text[found.end(1) : found.end(1) + 24]
            # "Dr Ames 2 weeks" says when, "Glu 104" how much
            full = " " in name.of(text) and not is_in_months(found[1])
            age = Term(*found.span(1), "AGE", SCORE, name.detector, "number beside a person")
            is_beside = is_told_age(before, found[1], after) and (full or before.strip())
            if is_beside and is_age(text, age) and not _in_code(before, name.of(text), found[1]):
                yield age


def beside_ages(text: str, terms: Iterable[Term]) -> Iterator[Term]:
    """Bare numbers that are ages because of the one before them, which they are told like.

    >>> text = "Ames was 27 in 1996 and 49 in 2018, had strokes at 50 and again at 52, and 3 sons in 2019."
    >>> ages = [Term(at, at + 2, "AGE", 0.6, "x") for at in map(text.index, ("27", "50"))]
    >>> [t.of(text) for t in beside_ages(text, ages)]
    ['49', '52']
    """
    known = [t for t in terms if t.kind == "AGE"]
    taken = Spans((t.start, t.end) for t in known)
    for last in known:
        told_at = _TOLD_AT.search(text, max(0, last.start - _NEAR), last.start)
        found = _AND_IN.match(text, last.end) or (
            _AND_AT.match(text, last.end) if told_at else None
        )
        if found is None or taken.touch(*found.span(1)):
            continue
        before, after = text[last.end : found.start(1)], text[found.end(1) : found.end(1) + _NEAR]
        values = [n.value for n in (*numbers_in_digits(found[1]), *numbers_in_words(found[1]))]
        is_done = _DONE.match(after) and may_be_age(before, found[1], after)
        if min(values) > _HOURS and (is_done or is_bare_age(before, found[1], after)):
            known.append(
                Term(*found.span(1), "AGE", SCORE, last.detector, "number told like an age")
            )
            yield known[-1]


def apart(text: str, terms: Iterable[Term]) -> Iterator[Term]:
    """The terms, ages with the part of a year behind them ("6½"), and two ages as two: "4 and 6" are those of
    two children, unless one lies between them.

    >>> text = "sons, 4 and 6; aged between 4 and 6"
    >>> terms = [Term(at, at + 7, "AGE", 0.6, "x") for at in (6, 28)]
    >>> [t.of(text) for t in apart(text, terms)]
    ['4', '6', '4 and 6']
    """
    for term in terms:
        if term.kind == "AGE" and (part := _PART_OF_YEAR.match(text, term.end)):
            term = replace(term, end=part.end())
        said = term.of(text) if term.kind == "AGE" else ""
        told = [*numbers_in_digits(said)] or [*numbers_in_words(said)]
        before = text[max(0, term.start - _NEAR) : term.start]
        if (
            len(told) == 2
            and _AND.fullmatch(said, told[0].end, told[1].start)
            and not is_in_months(said)
            and not _BETWEEN.search(before)
        ):
            yield replace(term, end=term.start + told[0].end)
            term = replace(term, start=term.start + told[1].start)
        yield term


def is_age(text: str, term: Term) -> bool:
    """Whether a term may be an age, and is no class of ages ("90 or older") and no number of a list."""
    said = term.of(text)
    before, after = text[max(0, term.start - _NEAR) : term.start], text[term.end : term.end + _NEAR]
    if _UNITS.fullmatch(said) or (said.isdecimal() and _is_listed(before, said, after)):
        return False
    if _OWNED.search(before) or (
        _OWNER.search(before) and (said.lower() == "one" or _MANY.match(after))
    ):
        return False
    return not tells_length(before, said, after) and may_be_age(before, said, after)


def _in_code(between: str, name: str, said: str) -> bool:
    """Whether a number is joined to a word, as in a code: "KZN-07"."""
    return said.startswith("0") or (between == "-" and " " not in name)


_WAS = re.compile(r"(?<!\d)(?!(?:1[89]|20)\d\d)\d{1,3} \((?:was|from|previously) \Z")


def may_be(text: str, term: Term, by_context: bool) -> bool:
    """Whether a found age may be one. What patterns find is looked at in a list only."""
    said = term.of(text)
    before, after = text[max(0, term.start - _NEAR) : term.start], text[term.end : term.end + _NEAR]
    if said.isdecimal() and after.startswith(")") and _WAS.search(before):
        return False  # "PHQ-9 11 (was 19)"
    if by_context:
        return is_age(text, term)
    return not (said.isdecimal() and _is_listed(before, said, after))


def _is_listed(before: str, said: str, after: str) -> bool:
    """Whether a number counts the items of a list ("2) review 3) home"), values ("A 15, M 13") or the years
    of a century ("in '47").

    >>> [_is_listed("with Dr Ames ", "2", after) for after in (") review 3) home", ". rest 3. CT", ", well")]
    [True, True, False]
    """
    number = int(said) if len(said) < 4 else _MOST_LISTED
    if _OPENS_LINE.search(before) and number < _MOST_LISTED:
        return f"({number - 1})" in before or f"({number + 1})" in after
    if after[:1] in (")", ".") and number < _MOST_LISTED:
        sign = re.escape(after[0])
        of_list = rf"(?<![\d.(/]){{}}{sign}(?![\d.])"
        return any(
            re.search(of_list.format(beside), around)
            for beside, around in ((number - 1, before), (number + 1, after[1:]))
        )
    return bool(_YEAR_MARK.search(before) or OTHER_VALUE.match(after))
