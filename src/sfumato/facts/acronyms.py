"""Acronyms of hidden organisations, and the names in full of hidden acronyms, wherever they stand."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from sfumato.document import Edit, Spans, Term
from sfumato.english.ordinary import is_ordinary
from sfumato.english.wordlists import word_set
from sfumato.facts.initials import initials_again
from sfumato.facts.mentions import SPREAD
from sfumato.facts.names import initials_of, name_readings
from sfumato.facts.organisations import (
    abbreviates,
    acronyms,
    acronyms_of,
    is_acronym,
    is_part_of,
    letters_of,
)
from sfumato.know.taxonomy import places

# Abbreviations that mean other things than an organisation in most texts.
_COMMON = word_set(
    "ad ai am bc bp ca cd ceo cfo cto cv dc dj dna dr dv ecg eeg er eu faq gp hr icu id iq iv la mp mr mri ms"
    " nb nr ny ok ot pa pc pdf pe pm pr ps pt qa qc rd rn rna sms sr st tb tv uk un us usa usb vip vs"
)
_ACRONYM = re.compile(
    r"(?<![\w.&-])(?:[A-Z]{2,8}|(?:[A-Z]\.){2,8}|[A-Z]{1,4}&[A-Z]{1,4})(?![\w&-])"
)
_BEHIND = re.compile(
    r"\s?\((?P<quote>[\"“'‘]?)(?P<short>[A-Z][\w&.'’-]*(?: [\w&.'’-]+){0,5})[\"”'’]?[);,]"
)
_SMALL = r"(?:of|for|and|the|in|on|at|to|de|la|du|des|&)"
_NAME = re.compile(rf"\b[A-Z][\w'’-]*+(?: (?:{_SMALL} ){{0,2}}[A-Z][\w'’-]*+)*")
_WORD = re.compile(r"[\w'’&-]+")
_AROUND = 60  # characters beside an acronym by which a heading is known
_LEAST, _MOST = 3, 8  # letters of an acronym of which the full name is looked for


def acronyms_again(text: str, edits: Sequence[Edit]) -> list[Term]:
    """The acronyms of hidden organisations and the initials of hidden persons that no edit covers, and the
    full names of hidden acronyms.

    >>> text = "Hillcrest Primary School is old. HPS is full. The ECHR, or European Court of Human Rights"
    >>> edits = [Edit(0, 24, "ORG", "[ORG]", ""), Edit(50, 54, "ORG", "[ORG]", "")]
    >>> [text[t.start : t.end] for t in acronyms_again(text, edits)]
    ['HPS', 'European Court of Human Rights']
    """
    hidden = {text[e.start : e.end] for e in edits if e.kind == "ORG" and e.hides}
    short = {letters for name in hidden if len(name) < 200 for letters in acronyms_of(name)}
    told = {letters_of(name) for name in hidden if is_acronym(name)}
    told = {letters for letters in told if _LEAST <= len(letters) <= _MOST}
    behind = [*_behind(text, edits)]
    behind += [(*span, "PERSON") for span in initials_again(text, edits)]
    if not (short or told or behind):
        return []
    taken = Spans((e.start, e.end) for e in edits if e.kind != "TERM")  # "NUT" became a seed
    found = [(*span, "ORG") for span in (*_acronyms_in(text, short), *_full_names(text, told))]
    return [
        Term(start, end, kind, 1.0, SPREAD, "another form of a hidden name")
        for start, end, kind in sorted({*found, *behind})
        if taken.open_words(start, end, text)
    ]


def initials_behind(text: str, end: int, name: str) -> str:
    """The letters in brackets behind a person's name that ends there, if they are its initials.

    >>> initials_behind("Mary Ann Kent (MK) left", 13, "Mary Ann Kent")
    'MK'
    """
    behind = _BEHIND.match(text, end)
    if behind is None or not is_acronym(behind["short"]):
        return ""
    letters = letters_of(behind["short"])
    is_own = any(letters in initials_of(reading) for reading in name_readings(name))
    return behind["short"] if is_own else ""


def _behind(text: str, edits: Sequence[Edit]) -> Iterator[tuple[int, int, str]]:
    """What stands for a hidden name in brackets behind it, there and elsewhere, whatever else it may mean:
    "Broadland Council (BC)", "Mary Kent (MK)", "Svenska Dagbladet (SvD)"."""
    known: dict[str, str] = {}
    for edit in edits:
        if edit.kind not in ("ORG", "MISC", "PERSON") or not edit.hides:
            continue
        name = text[edit.start : edit.end]
        if edit.kind == "PERSON":
            short = initials_behind(text, edit.end, name)
        else:
            at = _BEHIND.match(text, edit.end)
            short = at["short"] if at and _stands_for(at["short"], name, at["quote"]) else ""
        if short:
            known[short] = "PERSON" if edit.kind == "PERSON" else "ORG"
            start = text.index(short, edit.end)
            yield start, start + len(short), known[short]
    if known:
        for match in re.finditer(
            rf"(?<![\w.&-])(?:{'|'.join(map(re.escape, known))})(?![\w&-])", text
        ):
            if _is_told(text, match):
                yield *match.span(), known[match[0]]


def _stands_for(short: str, name: str, quote: str) -> bool:
    """Whether what stands in brackets behind an organisation is its name: initials, or some of its words."""
    if is_acronym(short):
        all_letters = "".join(word[0] for word in name.lower().split())
        return letters_of(short) in {*acronyms_of(name), all_letters}
    return abbreviates(short, name) or (is_part_of(short, name) and bool(quote or " " in short))


def _acronyms_in(text: str, short: set[str]) -> Iterator[tuple[int, int]]:
    for match in _ACRONYM.finditer(text):
        letters = letters_of(match[0])
        is_own = "&" in match[0] or letters not in _COMMON
        if letters in short and is_own and _is_told(text, match):
            yield match.span()


def _is_told(text: str, match: re.Match[str]) -> bool:
    """Whether letters stand for an organisation: no word in capitals among others, and no place."""
    said = match[0]
    before = text[max(0, match.start() - _AROUND) : match.start()].rpartition("\n")[2]
    after = text[match.end() : match.end() + _AROUND].partition("\n")[0]
    if is_ordinary(said.lower()) and (before + said + after).isupper():
        return False
    table = places.default()
    return not any(table.is_country(sense.key) for sense in table.senses(said))


def _full_names(text: str, told: set[str]) -> Iterator[tuple[int, int]]:
    """Names of several words whose initials are letters that were told."""
    if not told:
        return
    by_first = defaultdict(set)
    for letters in told:
        by_first[letters[0]].add(letters)
    for name in _NAME.finditer(text):
        words = [*_WORD.finditer(text, name.start(), name.end())]
        for at, first in enumerate(words):
            if first[0][0].isupper() and (wanted := by_first.get(first[0][0].lower())):
                yield from _runs(words[at : at + 2 * _MOST], wanted)


def _runs(words: Sequence[re.Match[str]], wanted: set[str]) -> Iterator[tuple[int, int]]:
    for many in range(2, len(words) + 1):
        run = words[:many]
        if run[-1][0][0].isupper() and acronyms([w[0].lower() for w in run]) & wanted:
            yield run[0].start(), run[-1].end()
            return
