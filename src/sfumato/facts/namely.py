"""Ordinary words that are names in a text: "Bishop" where Alan Bishop is hidden, "Bath" where somebody lives
in Bath.

Small letters tell nothing, nor do months and days of the week. With a capital, inside a sentence and beside
no other word with a capital, such a word is the name; where it begins a sentence, it is if what follows says
so. Beside another capital it is a title ("Bishop Alan Moss"), a heading or a part of another name, which the
detectors read. A town that a hidden organisation is called by is such a name, too, an ordinary word or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from sfumato.document import Edit, Spans, Term
from sfumato.english.chunker import FUNCTION
from sfumato.english.dates import MONTHS, WEEKDAYS
from sfumato.english.folding import normal_form, plain_letters
from sfumato.english.ordinary import is_ordinary
from sfumato.english.units import begins_sentence
from sfumato.facts.implication import named_within
from sfumato.facts.mentions import SPREAD, parts_of_place
from sfumato.facts.names import beginnings
from sfumato.facts.organisations import first_word, short_forms
from sfumato.facts.persons import core
from sfumato.know.taxonomy import places

_LEAST = 3  # letters
_CAPITAL = re.compile(r"(?<![\w'’-])[A-Z](?:[a-z]+|[A-Z]+)(?!\w|['’](?!s\b)\w)")
_TWO_CAPITALS = re.compile(r"(?<![\w'’-])(?=([A-Z][a-z]+ [A-Z][a-z]+)(?![\w'’-]))")
_FAMILY = re.compile(r"(?<=\b[Tt]he )([A-Z][a-z]+?)(?:e?s)")  # "the Parks", "the Marshes"
_TIMES = frozenset((*MONTHS, *WEEKDAYS))
_BEFORE = re.compile(r"([^\W_]+)(?:['’]s)?[ ,;(\"“]*\Z")
_CAPITAL_AFTER = re.compile(r"[ -][A-Z]")
_NAME_FOLLOWS = re.compile(
    r"['’]s\b|,? (?:and|or) [A-Z]| v(?:s?\.?|ersus) "
    r"| (?:(?:then|also|later|never|still) )?(?:is|was|has|had|does|did|will|would|can|could|"
    r"says?|said|told|tells|asked|rang|wrote|came|went|left|felt|saw|took|gave|got|made|knew|thought|slept|wept|paid|"
    r"fell|lies|[a-z]+ed)\b"
)
_GOES_ON = re.compile(r"(?:['’]s)? [a-z]")
_FAR = 40
_WHY = "a hidden name that is a word elsewhere"


def names_like_words(text: str, edits: Sequence[Edit]) -> list[Term]:
    """Where words stand for hidden persons and places whose names they are.

    >>> text = "Alan Bishop left. Then Bishop rang; the bishop and Bishop Moss came. Bishop told her."
    >>> [t.start for t in names_like_words(text, [Edit(0, 11, "PERSON", "", "", "label")])]
    [23, 69]
    """
    names = dict(_names(text, edits))
    if not names:
        return []
    taken = Spans((e.start, e.end) for e in edits)
    spans = [found.span() for found in _CAPITAL.finditer(text)]
    two = _TWO_CAPITALS.finditer(text)
    spans += [found.span(1) for found in two if names.get(found[1].lower()) == "ORG"]
    return [
        Term(start, end, kind, 1.0, SPREAD, _WHY)
        for start, end in sorted(spans)
        if (kind := names.get(text[start:end].lower()) or _of_family(text, start, end, names))
        and taken.open_words(start, end, text)  # of two words one may be found
        and _is_name(text, start, end)
    ]


def _of_family(text: str, start: int, end: int, names: Mapping[str, str]) -> str:
    """The kind of a name in the plural, where it is a person's: "the Prices"."""
    family = _FAMILY.fullmatch(text, start, end)
    bases = (family[1].lower(), f"{family[1].lower()}e") if family else ()
    return "PERSON" if "PERSON" in map(names.get, bases) else ""


def _names(text: str, edits: Sequence[Edit]) -> Iterator[tuple[str, str]]:
    """The words by which somebody or some place is hidden, each with its kind."""
    for said, kind in sorted({(text[e.start : e.end], e.kind) for e in edits if e.hides}):
        if kind == "ORG":
            yield from ((plain_letters(name), "LOC") for name, _ in named_within(said, kind, ""))
            yield from ((name, kind) for name in _short(normal_form(said)))
        elif kind == "PERSON":
            yield from (
                (word, kind) for word in core(said) if _is_word(word) or _is_word(f"{word}s")
            )
            yield from ((short, kind) for word in core(said)[:-1] for short in _called(word))
        elif kind == "LOC":
            names = map(plain_letters, (said, *parts_of_place(said)))
            yield from ((name, kind) for name in names if _is_word(name))


def _short(name: str) -> Iterator[str]:
    """The words with which an organisation's name begins and by which it is told alone: "the Elm Tree"."""
    begun = {form for form in short_forms(name) if name.startswith(f"{form} ")}
    for form in begun | {first_word(name)}:
        if form.count(" ") < 2 and all(map(_is_word, form.split(" "))):
            yield form


def _called(given: str) -> Iterator[str]:
    """The beginnings of a given name by which its bearer is called, and nothing else is: "Miro"."""
    table = places.default()
    for short in beginnings(given):
        if len(short) > _LEAST and not is_ordinary(short) and not table.senses(short.title()):
            yield short


def _is_word(name: str) -> bool:
    return len(name) >= _LEAST and name.title() not in _TIMES and is_ordinary(name)


def _is_name(text: str, start: int, end: int) -> bool:
    if _CAPITAL_AFTER.match(text, end):
        return False
    before = _BEFORE.search(text, max(0, start - _FAR), start)
    if text[start:end].isupper():  # shouted
        return before is not None and before[1].islower()
    if begins_sentence(text, start) or before is None:
        is_small = text[start:end].lower() in FUNCTION  # "Will did"
        return not is_small and _NAME_FOLLOWS.match(text, end) is not None
    if before[1].islower() or before[1].isdecimal() or before[1].lower() in FUNCTION:
        return True
    return begins_sentence(text, before.start(1)) and bool(_GOES_ON.match(text, end))  # "Later"
