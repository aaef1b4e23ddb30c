"""Published cases by name and law report: "Gian Singh v. State of Punjab, (2012) 10 SCC 303".

Whoever cites one tells where the law stands, not who is in the text. It stands as a whole, unless a name in
it is told elsewhere in the text, too: then it may be the text's own case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from sfumato.detect import known
from sfumato.english.ordinary import is_ordinary

_YEAR = r"(?:1[6-9]|20)\d\d"
_ABBREVIATION = r"(?:e?[A-Z][A-Za-z.&']*|\((?:[A-Z][A-Za-z]+|\d)\)|\d(?:d|nd|rd|th))"
_SERIES = rf"{_ABBREVIATION}(?: {_ABBREVIATION}){{0,4}}"
_AMERICAN = (
    r"(?:U\.? ?S\.?|S\. ?Ct\.|L\. ?Ed\.(?: ?2d)?|F\.(?: ?(?:[23]d|4th))?|F\. ?(?:Supp|App)(?:['’]?x)?\.?"
    r"(?: ?[23]d)?|(?:A|P|So|N\. ?[EWY]|S\. ?[EW]|Cal|N\. ?J|Ill|Mass|Tex)\.(?: ?[A-Z][a-z]*\.)?"
    r"(?: ?(?:[23]d|[45]th))?)"
)
# Reports that are cited by volume and page; the text's own case is seldom cited so.
_REPORT = (
    rf"\d{{1,4}} {_AMERICAN} \d{{1,5}}(?:, \d{{1,5}})*(?: \((?:[A-Z0-9][\w.]*[ ,]+)*{_YEAR}\))?"
    rf"|[\[(]{_YEAR}(?:[-–/]\d{{2,4}})?[\])],? \d{{1,3}} {_SERIES} \d{{1,5}}"
    rf"|AIR {_YEAR} [A-Z][A-Za-z]+ \d{{1,5}}"
    rf"|{_YEAR} (?:Supp\.? )?\(\d{{1,2}}\) {_SERIES} \d{{1,5}}(?: \([A-Z]+\))?"
)
_CITATION = (
    rf"(?:{_REPORT}|[\[(]{_YEAR}(?:[-–/]\d{{2,4}})?[\])],? {_SERIES}(?: \d{{1,5}}| \(unreported\)|(?<=eKLR))"
    rf"|{_YEAR} [A-Z]{{2,8}}(?: [A-Z][a-z]+)? \d{{1,5}}|\(?{_YEAR}\)? WL \d{{4,9}}"
    rf"|ECHR {_YEAR}(?:-[IVX]+)?|Series A,? no\. ?\d+[-\w]*|(?:Joined )?Cases? [CT][-‑]\d+/\d\d|ECLI:[\w:.]+)"
)
_NAMED = r"(?:[A-Z(&][\w'’&.)-]*|of|the|and|for|in|on|ex|parte|de|la|van|von|another|others|anor|ors|plc)"
_FIRST = re.compile(rf"(?<![\w.])[A-Z][\w'’&.-]*(?:,? {_NAMED})*\s\Z")
_AGAINST = re.compile(r"(?<=\s)v(?:s?\.?|ersus)?\s(?=[A-Z(])")
_SECOND = re.compile(
    rf"{_NAMED}(?:,? {_NAMED}|,? \([Nn]o\.? ?\d\)){{0,9}}?(?: \[GC\])?,?(?: \(?no[.s] [\d/ and]+\)?,)?"
    rf"(?: §+ ?[\d–-]+,)? ({_CITATION})(?:[,;]? {_CITATION}| at (?:\[\d+\]|p?\.? ?\d+))*"
)
_IN_RE = re.compile(rf"\b(?:In re|Re|Ex parte) {_NAMED}(?:,? {_NAMED}){{0,6}}?,? {_CITATION}")
_ALONE = re.compile(rf"(?<![\w/])(?:{_REPORT})(?![\w/])")
_FAR = 120  # characters that a name goes on
_HEAD = 300  # characters in which a text tells what case it is itself
_WORD = re.compile(r"[^\W\d_](?:[_'’-]*[^\W_])+")
_SIGNALS = re.compile(
    r"(?:(?:See|Cf|Compare|In|Per|Applying|Following|And|But|As|The|E\.g)\b[.,]?(?: (?:also|in))? )+"
)


def published(text: str) -> list[tuple[int, int]]:
    """Where cases stand that law reports have, by name and report, or by the report alone.

    >>> text = "As in Rex v Flint [1996] AC 344, Mr Okonedo lost; Okonedo v Roe, [2001] 1 AC 3, is his own."
    >>> [text[a:b] for a, b in published(text)]
    ['Rex v Flint [1996] AC 344']
    """
    found = sorted(_cited(text))
    plain = list[str]()
    last = 0
    for start, end in found:
        plain.append(text[last:start])
        last = max(last, end)
    told = {
        w.lower() for part in (*plain, text[last:]) for w in _WORD.findall(part) if w[0].isupper()
    }
    return [span for span in found if told.isdisjoint(_names(text[slice(*span)]))]


def _cited(text: str) -> Iterator[tuple[int, int]]:
    for against in _AGAINST.finditer(text):
        first = _FIRST.search(text, max(0, against.start() - _FAR), against.start())
        second = _SECOND.match(text, against.end())
        if first and second:
            signal = _SIGNALS.match(text, first.start(), against.start())
            start = signal.end() if signal else first.start()
            if not _begins_head(text, start):
                yield start, second.end()
    yield from (m.span() for m in _IN_RE.finditer(text))
    yield from (m.span() for m in _famous().finditer(text) if not _begins_head(text, m.start()))
    yield from (m.span() for m in _ALONE.finditer(text) if m.start() > _HEAD)


@cache
def _famous() -> re.Pattern[str]:
    """Cases that are cited without a report: "Roe v. Wade"."""
    listed = sorted(known.names("case"), key=len, reverse=True)
    parts = (re.escape(n).replace("\\ ", " ") for n in listed)
    names = "|".join(re.sub(r" v(?:\\\.)? ", r" vs?\\.? ", part) for part in parts)
    return re.compile(rf"(?<!\w)(?:{names})(?!\w)")


def _begins_head(text: str, start: int) -> bool:
    """Whether a line near the beginning of a text begins here: what stands there is its own title."""
    return start < _HEAD and not text[text.rfind("\n", 0, start) + 1 : start].strip()


def _names(case: str) -> set[str]:
    """The words of a case that somebody is called by."""
    words = {w.lower() for w in _WORD.findall(re.split(r"[\[(]?\d", case)[0]) if w[0].isupper()}
    return {w for w in words if not is_ordinary(w)}
