"""Which places a release hides, by the words of its originals, and what tells one of them all the same: a
more general word that lies in it, another name of it, what it is called for short, what its people are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import islice, zip_longest

from sfumato.document import GENERALISE, Edit, Record
from sfumato.english.currencies import money_of_lands
from sfumato.english.demonyms import ALWAYS_CAPITAL, demonyms
from sfumato.english.folding import skeleton
from sfumato.english.ordinary import is_ordinary
from sfumato.english.short_names import DOUBTFUL, parts_and_aliases, places_for_short, short_names
from sfumato.english.wordlists import GIVEN_LIKE_COUNTRIES
from sfumato.kinds import rule_chain
from sfumato.know.taxonomy import places

_TOKEN = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*")
_PIECE = re.compile(r"[A-Z]{3,}|[A-Z]?[a-z]{3,}")  # of a word that is several: VisitEstonia
_ONE_WORD = ("EMAIL", "URL", "USERNAME", "CODE")
_VALUES = {"PERSON", "DATE", "AGE", "QUANTITY", "CODE", "PHONE"}  # no word of them is a place's
_MOST_WORDS = 8  # of a place's name
_LONGEST = 5  # words of a name that stands in a longer one
_LIKELIEST = 8  # places of one name
_LEAST_INSIDE = 5  # letters of a name that tells a place in the middle of a web address
_CAPITALS = re.compile(r"(?<![\w.&@/-])(?:[A-Z]{2,6}\b(?![&@])|(?:[A-Z]\.){2,})(?!\W{0,2}\d)")
_NUMBER = re.compile(r"(?!\d{5}\b)\d")  # after letters it makes a code of them, a ZIP code does not
_NEAR = 40  # characters
_WORD = re.compile(r"[^\W_]+")
_IN_NAME = re.compile(r"\b(?:of|versus|vs?\b\.?)\s(?:the\s)?", re.IGNORECASE)
_OPPONENT = re.compile(r"\b(?:versus|vs?\.?)\s(?:the\s)?\Z", re.IGNORECASE)
_WHERE = re.compile(r"\b(?:in|from|to|near|via) \Z|[,(] ?\Z")


def told_by_replacements(record: Record) -> Iterator[int]:
    """The edits whose more general word is a place that another edit's original names, or lies in one."""
    general = [
        (at, edit)
        for at, edit in enumerate(record.edits)
        if edit.how == GENERALISE and edit.concept.startswith(f"{places.NAME}:")
    ]
    if not general:
        return
    pairs = {
        (e.kind, _place(e), o)
        for e, o in zip(record.edits, record.originals, strict=True)
        if e.hides
    }
    hidden = frozenset[int]().union(*(_named(kind, " ".join(o.split()), n) for kind, n, o in pairs))
    inside = "\n".join(sorted({skeleton(o) for kind, _, o in pairs if kind in _ONE_WORD}))

    @cache
    def is_told(place: int) -> bool:
        if place in hidden or not inside:
            return place in hidden
        names = map(skeleton, places.default().usual_names_of(place))
        return any(len(name) >= _LEAST_INSIDE and name in inside for name in names)

    for at, edit in general:
        if any(map(is_told, _around(_place(edit)))):
            yield at


def is_town(name: str, least: int) -> bool:
    """Whether the likeliest place of a name has so many people at least."""
    table = places.default()
    return any(table.population(sense.key) >= least for sense in table.senses(name.title())[:1])


def _place(edit: Edit) -> int:
    """The place that stands for an original; the root for none."""
    taxonomy, _, number = edit.concept.partition(":")
    return int(number) if taxonomy == places.NAME else 0


def _around(place: int) -> list[int]:
    """A place and what it lies in, up to its country."""
    table = places.default()
    return [n for n in table.above(place) if table.is_within_country(n)]


@lru_cache(maxsize=1 << 12)
def _named(kind: str, original: str, general: int) -> frozenset[int]:
    """The places that an original may name, whole or in some of its words; where a place stands for it, those
    in that place or around it."""
    table = places.default()
    if kind == "PERSON":
        return frozenset(n for name in _countries(original, True) for n in _meant(name, False))
    if kind not in _ONE_WORD and {*rule_chain(kind)} & _VALUES:
        return frozenset()
    pieces = [m[0].title() for m in _PIECE.finditer(original)] if kind in _ONE_WORD else []
    tokens = pieces or [m[0] for m in _TOKEN.finditer(original)]
    runs = {
        " ".join(tokens[a:b])
        for a in range(len(tokens))
        for b in range(a + 1, min(a + _LONGEST, len(tokens)) + 1)
    }
    runs |= {place for run in runs for place in places_for_short(run)}
    found = {sense.key for run in runs for sense in table.senses(run)[:_LIKELIEST]}
    return frozenset(
        n
        for n in found
        if table.is_within_country(n) and (general in table.above(n) or n in table.above(general))
    )


# What still stands


def other_names(record: Record, pieces: list[str]) -> Iterator[tuple[int, int]]:
    """Where hidden places are told in what was kept, by piece and place in it."""
    said = {
        (" ".join(part.split()), edit.kind == "DEM")
        for edit, original in zip(record.edits, record.originals, strict=True)
        if edit.hides and edit.kind in ("LOC", "ADDRESS", "DEM")
        for row in (original, *(original.split(",") if "," in original else ()))
        for part in (row, *places_for_short(row.strip()))
    }
    for edit, original, before in zip(record.edits, record.originals, pieces, strict=False):
        if edit.hides and edit.kind in ("ORG", "PERSON", "MISC"):
            row = " ".join(original.split())
            is_person = edit.kind == "PERSON" and not _OPPONENT.search(before[-_NEAR:])
            said |= {(country, False) for country in _countries(row, is_person)}
    within = frozenset[int]().union(*(_meant(*each) for each in said))
    called = (word for words, people in said if not people for word in demonyms(words))
    also = {word for words, people in said if not people for word in parts_and_aliases(words)}
    names = _telling({*called, *also}).union(*map(_names, within))
    short = {short for place in within for short in short_names(places.default().written(place))}
    for at, (piece, after) in enumerate(zip_longest(pieces, record.originals)) if said else ():
        yield from ((at, start) for start in _capitalised(piece, names))
        yield from ((at, start) for start in _people_of(piece, within))
        for start, end, land in money_of_lands(piece):
            beside = (
                piece[max(0, start - 2) : start].rstrip()[-1:],
                piece[end : end + 2].lstrip(" $")[:1],
            )
            if any(map(str.isdecimal, beside)) and not within.isdisjoint(_meant(land, False)):
                yield at, start
        for found in _CAPITALS.finditer(piece) if short else ():
            letters = found[0].replace(".", "").lower()
            rest = piece[found.end() :]
            bare = len(rest) < 3 and not any(map(str.isalnum, rest))
            is_code = bare and _NUMBER.match(after or "")
            if letters in short and not _in_capitals(piece, found.start()):
                before = piece[max(0, found.start() - _NEAR) : found.start()]
                if not (is_code or letters in DOUBTFUL) or _WHERE.search(before):
                    yield at, found.start()
    for at, edit in enumerate(record.edits) if said else ():  # what stands beside the number
        if edit.hides and edit.how != "label" and "QUANTITY" in rule_chain(edit.kind):
            shown = edit.replacement
            money = {land for _, _, land in money_of_lands(shown)}
            if (
                any(True for _ in _capitalised(shown, names))
                or any(True for _ in _people_of(shown, within))
                or any(not within.isdisjoint(_meant(land, False)) for land in money)
            ):
                yield at, len(pieces[at])


@lru_cache(maxsize=1 << 12)
def _countries(name: str, is_person: bool) -> list[str]:
    """The countries that stand for a whole name, or behind the "of" or "v." in it."""
    table, behind = places.default(), [m.end() for m in _IN_NAME.finditer(name)]
    tokens = ([m[0] for m in islice(_WORD.finditer(name, at), 4)] for at in behind)
    found = [" ".join(words[:many]) for words in tokens for many in range(1, len(words) + 1)]
    if not (is_person and name.lower() in GIVEN_LIKE_COUNTRIES):
        found.append(name)
    return [n for n in found if any(table.is_country(s.key) for s in table.senses(n)[:_LIKELIEST])]


def _people_of(piece: str, hidden: frozenset[int]) -> Iterator[int]:
    """Where one word, or two, tell of people of somewhere in a hidden place: Parisians in France."""
    for words in (_TOKEN, _WORD) if hidden else ():  # "Parisian-born" and "ex-Parisian", too
        found = list(words.finditer(piece))
        for one, after in zip_longest(found, found[1:]):
            if one[0][0].isupper():
                both = f"{one[0]} {after[0]}" if after and after[0][0].isupper() else one[0]
                if not hidden.isdisjoint(_lie_in(one[0]) | _lie_in(both)):
                    yield one.start()


@lru_cache(maxsize=1 << 14)
def _lie_in(people: str) -> frozenset[int]:
    if is_ordinary(skeleton(people)):
        return frozenset()
    table = places.default()
    found = table.lands(people)
    if " " in people:
        found -= {land for word in people.split() for land in table.lands(word)}
    countries = {n for n in found if table.is_country(n)}  # Indians come from India, not Indiana
    return frozenset[int]().union(*map(_around, countries or found))


def _in_capitals(piece: str, at: int) -> bool:
    """Whether a line has no small letter near a place."""
    begin = max(piece.rfind("\n", 0, at) + 1, at - 10 * _NEAR)
    end = piece.find("\n", at, at + 10 * _NEAR)
    return not any(map(str.islower, piece[begin : end if end >= 0 else at + 10 * _NEAR]))


def _capitalised(piece: str, names: frozenset[tuple[str, int]]) -> Iterator[int]:
    """Where names stand that begin with a capital letter."""
    if not names:
        return
    tokens = [(m.start(), m.end()) for m in re.finditer(r"[^\W_]+", piece)]
    for at, (start, end) in enumerate(tokens):
        if not piece[start].isupper():
            continue
        for many, (begin, last) in enumerate(tokens[at : at + _MOST_WORDS], 1):
            if begin - end > 1:
                break
            end = last
            if (skeleton(piece[start:last]), many) in names:
                yield start
                break


def _meant(said: str, people: bool) -> list[int]:
    table = places.default()
    named = (
        sense.key for sense in table.senses(re.sub(r"(?<!\s)\s*\b\w*\d\w*", "", said))[:_LIKELIEST]
    )
    return [*table.lands(said)] if people else [*named]


@lru_cache(maxsize=1 << 8)
def _names(place: int) -> frozenset[tuple[str, int]]:
    """All names of a place and of its people."""
    table = places.default()
    people = {word for name in table.usual_names_of(place) for word in demonyms(name)}
    also = {word for name in table.usual_names_of(place) for word in parts_and_aliases(name)}
    return _telling(table.names_of(place) | people | also)


def _telling(names: Iterable[str]) -> frozenset[tuple[str, int]]:
    """Those that are no ordinary words, folded, each with its number of words."""
    folded = ((skeleton(name), len(re.findall(r"[^\W_]+", name))) for name in names)
    return frozenset(
        (letters, words)
        for letters, words in folded
        if words < 5 and (letters in ALWAYS_CAPITAL or not is_ordinary(letters))
    )
