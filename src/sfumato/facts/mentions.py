"""Every further mention of a hidden term is hidden too, even where no detector saw it.

A mention is the same run of letters and digits, from the start of a word to the end of one, whatever the
case, the accents, the spacing and the hyphenation. Ordinary words and short numbers are left alone: "May" the
person does not hide the month, nor Baker "a baker's dozen" in a text that writes no name small. Of a person's
name every word of four letters or more that is no ordinary word counts as well, so that "Keller" goes where
"Maria Keller" went. Of a place every other name counts, and what
its people are called, with a capital letter: "Wien" and "Viennese" go where Vienna went; so does what it is
called for short, in capitals. An address, or "Tartu, Estonia", hides each of the places that it names, and a
name the country that it is, or is of: "Nowak v. Poland", "Embassy of Kenya". A term without a letter or digit
is searched for as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import accumulate, chain, pairwise
from typing import Any

import numpy as np

from sfumato.document import Edit, Spans, Term, resolve
from sfumato.english.currencies import money_of_lands
from sfumato.english.dates import day_first
from sfumato.english.demonyms import ALWAYS_CAPITAL, demonyms
from sfumato.english.feasts import feasts
from sfumato.english.folding import (
    APOSTROPHES,
    GAP,
    Bools,
    Ints,
    after_marks,
    letters,
    plain_letters,
    skeleton,
    spelt_out,
)
from sfumato.english.ordinary import is_ordinary, is_parted_word, is_year_of, may_be_parted
from sfumato.english.short_names import DOUBTFUL, parts_and_aliases, places_for_short, short_names
from sfumato.english.small_words import stands_as_word
from sfumato.english.wordlists import GIVEN_LIKE_COUNTRIES
from sfumato.facts.changes import both, changed_places
from sfumato.facts.organisations import first_word, own_words, without_legal_form
from sfumato.facts.values import DayOfYear, Days, days
from sfumato.formats.tags import parting
from sfumato.kinds import rule_chain
from sfumato.know.taxonomy import places as lands

SPREAD = "spread"  # the detector of further mentions
# Letters of a part of a name that is hidden wherever it stands. In 92 judgments (Text Anonymization
# Benchmark, train) no part of three to eight letters stands for anything but a person, and 3 would find 9
# mentions more beside 308: 4 is on the cautious side.
LEAST_PART = 4
_MOST_PLACES = 8  # places of one name that are reckoned with, the likeliest first
_AGAIN = "a further mention of a hidden term"
_NO_APOSTROPHES = str.maketrans(dict.fromkeys(APOSTROPHES, ""))
_WORD = re.compile(r"[^\W_]+")
_MOST_WORDS = 4  # of another name that is looked for
# What the last word of "New Yorkers" ends in
_PEOPLE = re.compile(r"^[A-Z].*(?:n|r|i|te|se|ne|sh)s?$")
_OF_PLACES = ("LOC", "ADDRESS", "DEM")
_NAMES = ("ORG", "PERSON", "MISC")
_WITH_CAPITALS = ("ORG", "PERSON", "LOC")
_OF = re.compile(r"\b(?:of|v\.?|vs\.?|versus)\s+(?:the\s+)?", re.IGNORECASE)
_VERSUS = re.compile(r"\bv(?:s?\.?|ersus)\s+(?:the\s+)?\Z", re.IGNORECASE)
# Letters in capitals, with dots or without. A number after them makes them a code ("CA 125", "ID: 7"); with
# the number of a date they are a place where a word says so: "a CT 3 May", "to CT 3 May".
_SHORT = re.compile(r"(?<![\w.&@/-])(?:(?:[A-Z]\.){2,}|[A-Z]{2,6}(?![\w&@]))")
_NUMBER_AFTER = re.compile(r"[ -]?[:=#]? ?(?!\d{5}\b)(?=\d)")
_NUMBER_BEFORE, _OF_NUMBER = re.compile(r"\d\s?\Z"), re.compile(r"\s?\$?\d")
_MAY_BE_PLACE = re.compile(r"(?:,|\(|\b(?i:in|from|to|near|via))\s?\Z")
_NEAR = 20  # characters before a place in which a word may speak of it
_POSTCODE = re.compile(r"(?<![\w-])[\w-]*\d[\w-]*")
_WALL = "\n" * (GAP + 1)  # stands for an edited span: no mention reaches across


def further_mentions(text: str, edits: Sequence[Edit], edges: Collection[int] = ()) -> list[Term]:
    """The terms that repeat, outside all edits, what some edit has hidden. Words may end at `edges`, too."""
    hidden: dict[str, str] = {}
    for edit in edits:
        original = text[edit.start : edit.end]
        if edit.hides:
            hidden.setdefault(skeleton(original) or original, edit.kind)
        for part in name_parts(original) if edit.kind == "PERSON" else ():
            hidden.setdefault(part, edit.kind)
        if edit.hides and edit.kind == "ORG" and (name := without_legal_form(original)):
            hidden.setdefault(skeleton(name) or name, edit.kind)
    hiding = [e for e in edits if e.hides]
    hidden |= _feasts(text, hiding)
    firms = {text[e.start : e.end] for e in hiding if e.kind == "ORG"}
    alone = {skeleton(short(name)) for name in firms for short in (first_word, own_words)} - {""}
    others = _other_words(text, hiding) | dict.fromkeys(sorted(alone), "ORG")
    said: dict[str, list[str]] = {}
    for edit in hiding:
        said.setdefault(skeleton(original := text[edit.start : edit.end]), []).append(original)
    is_word = stand_as_words(text, hiding)
    found = (
        term
        for term in _outside(text, edits, hidden, others, edges)
        if not _is_year(term.of(text), said)
        and not (term.kind in _WITH_CAPITALS and is_word(term.start, term.end))
    )
    return [*found, *_said_for_short(text, hiding, edits), *_in_money(text, hiding, edits)]


def stand_as_words(text: str, edits: Iterable[Edit]) -> Callable[[int, int], bool]:
    """Whether a name that is a word is that word where it stands, for what these edits hide. None is where
    the text writes the name of somebody whom it hides small, or hides the word as no name."""
    said = [(e.kind, text[e.start : e.end]) for e in edits if e.hides]
    if any(kind == "PERSON" and each.islower() for kind, each in said):
        return lambda start, end: False
    others = {w for kind, each in said if kind not in _WITH_CAPITALS for w in _folded_words(each)}

    def is_word(start: int, end: int) -> bool:
        return text[start:end] not in others and stands_as_word(text, start, end)

    return is_word


def _folded_words(said: str) -> tuple[str, ...]:
    return (skeleton(said), *plain_letters(said).split())


def _in_money(text: str, hiding: Iterable[Edit], taken: Sequence[Edit]) -> Iterator[Term]:
    """Where a hidden land is told by its money, beside a number."""
    told = [
        (start, end, land)
        for start, end, land in money_of_lands(text)
        if _NUMBER_BEFORE.search(text, max(0, start - 2), start) or _OF_NUMBER.match(text, end)
    ]
    said = {*_places_told(text, hiding)} if told else ()
    hidden = {place for words in said for place in _meant(*words)}
    spans = Spans((each.start, each.end) for each in taken)
    for start, end, land in told:
        if not hidden.isdisjoint(_meant(land, False)) and not spans.touch(start, end):
            yield Term(start, end, "MISC", 1.0, SPREAD, "the money of a hidden land")


def _is_year(shown: str, said: Mapping[str, list[str]]) -> bool:
    """Whether it is no mention of what was said by these letters: 1943 is none of 1/9/43."""
    originals = said.get(shown) if shown.isdecimal() else None
    return bool(originals) and all(is_year_of(original, shown) for original in originals or ())


def _feasts(text: str, hiding: Iterable[Edit]) -> dict[str, str]:
    """What the hidden days are called: Halloween, where 31 October is hidden."""
    said = {text[e.start : e.end] for e in hiding if "DATE" in rule_chain(e.kind)}
    order = day_first(text) if said else None
    found = {value for words in said for value in days(words, order)}
    dates = {date.fromordinal(v.first) for v in found if isinstance(v, Days) and v.level == "day"}
    told = {(v.month, v.day) for v in found if isinstance(v, DayOfYear)}
    named = (feasts(*day) for day in sorted({(d.month, d.day) for d in dates} | told))
    return {skeleton(name): "DATE" for names in named for name in names}


def telling_words(said: str, kind: str) -> dict[str, None]:
    """What tells a term of a kind wherever it stands, folded: its own words, of a person's name those that
    name the person by themselves, of a place its other names.

    >>> list(telling_words("Maria Keller", "PERSON")), "wien" in telling_words("vienna", "LOC")
    (['mariakeller', 'maria', 'keller'], True)
    """
    made = dict.fromkeys([skeleton(said) or said])
    if kind == "PERSON":
        made |= dict.fromkeys(name_parts(said))
    elif kind == "LOC":
        table = lands.default()
        found = table.senses(said[:1].upper() + said[1:])[:_MOST_PLACES]
        made |= {
            skeleton(name): None for place in found for name in sorted(table.names_of(place.key))
        }
    return made


def told_otherwise(text: str, terms: Sequence[Term]) -> list[Term]:
    """The mentions of places that terms tell, by other names and by what their people are called.

    >>> text = "Kept in Vienna. Wien is nice, the Viennese say."
    >>> [text[t.start : t.end] for t in told_otherwise(text, [Term(8, 14, "LOC", 1.0, "")])]
    ['Wien', 'Viennese']
    """
    taken = sorted(terms, key=lambda t: t.start)
    return [
        *_outside(text, taken, {}, _other_words(text, taken)),
        *_said_for_short(text, taken, taken),
    ]


def _outside(
    text: str,
    taken: Sequence[Edit | Term],
    hidden: Mapping[str, str],
    others: Mapping[str, str],
    edges: Collection[int] = (),
) -> list[Term]:
    """Where folded words stand, each with its kind, outside of what is taken; the others with a capital."""
    kinds = {**others, **hidden}
    if not kinds:
        return []
    also = ALWAYS_CAPITAL & others.keys()
    walls = [(span.start, span.end, _WALL) for span in taken]
    made, gone = list[Term](), parting(text, any_case=True)
    cuts = Spans((start, end) for start, end, new in gone if not new)

    def add(rest: str, where: Ints, also: Collection[str], *, is_cut: bool) -> None:
        for start, end, key in find(rest, kinds, np.isin(where, [*edges]), also):
            span = int(where[start]), int(where[end - 1]) + 1
            is_said = rest[start].isupper() or (key in hidden and key not in ALWAYS_CAPITAL)
            if is_said and (cuts.touch(*span) or not is_cut):
                made.append(Term(*span, kinds[key], 1.0, SPREAD, _AGAIN))

    add(*changed_places(text, walls), also, is_cut=False)
    if gone:
        words = {key for key in hidden if may_be_parted(key)}
        add(*changed_places(text, both(walls, gone)), also | words, is_cut=True)
    return [*resolve(made)] if gone else made


def _other_words(text: str, found: Iterable[Edit | Term]) -> dict[str, str]:
    """Those of the other words for what is found that stand in the text with a capital letter."""
    said = {*_places_told(text, found)}
    each = _WORD.findall(text) if said else []
    folded = {word: skeleton(word) for word in {*each}}
    runs = {
        (run, many)
        for at, word in enumerate(each)
        if word[0].isupper()
        for many, run in enumerate(accumulate(folded[w] for w in each[at : at + _MOST_WORDS]), 1)
    }
    hidden = frozenset[int]().union(*(_meant(*words) for words in said))
    # "Bosnia" is a name of no place in the table
    called = _folded(word for words, people in said if not people for word in demonyms(words))
    also = _also(words for words, people in said if not people)
    others = chain([called, also], map(other_words, sorted(hidden)))  # each has thousands of names
    within = {
        folded[word]: "DEM" for word in folded if hidden and not hidden.isdisjoint(_peopled(word))
    }
    pairs = {f"{a} {b}" for a, b in pairwise(each) if a[0].isupper() and _PEOPLE.search(b)}
    within |= {
        skeleton(pair): "DEM"
        for pair in pairs
        if hidden
        and within.keys().isdisjoint(map(skeleton, pair.split()))
        and not hidden.isdisjoint(_peopled(pair))
    }
    return within | {run[0]: words[run] for words in others for run in words.keys() & runs}


@lru_cache(maxsize=1 << 14)
def _peopled(words: str) -> frozenset[int]:
    """The places whose people words with a capital letter speak of, and what these lie in, up to their
    countries: Parisians tell of Paris, and of France."""
    table = lands.default()
    if not words[0].isupper() or is_ordinary(skeleton(words)):
        return frozenset()
    each = words.split() if " " in words else []
    found = table.lands(words).difference(*map(table.lands, each))
    meant = [*filter(table.is_country, found)] or found  # an Indian is not from Indiana
    above = (place for land in meant for place in table.above(land))
    return frozenset(place for place in above if table.is_within_country(place))


def _places_told(text: str, found: Iterable[Edit | Term]) -> Iterator[tuple[str, bool]]:
    """The words that name places, with whether they speak of people; a row of places is each of them."""
    for each in found:
        if each.kind in _OF_PLACES:
            said = " ".join(text[each.start : each.end].split())
            yield said, each.kind == "DEM"
            yield from ((part, False) for part in (*places_for_short(said), *parts_of_place(said)))
        elif each.kind in _NAMES:
            yield from ((country, False) for country in countries_told(text, each))


def countries_told(text: str, each: Edit | Term) -> list[str]:
    """The countries that a name is, or is of; a person who is called Jordan is none, but for "v. Jordan".

    >>> countries_told("the Embassy of Kenya", Term(4, 20, "ORG", 1.0, ""))
    ['Kenya']
    """
    first, *others = (_WORD.findall(part) for part in _OF.split(text[each.start : each.end]))
    names = [name for words in others for name in accumulate(words[:_MOST_WORDS], "{} {}".format)]
    whole = " ".join(first)
    is_given = each.kind == "PERSON" and whole.lower() in GIVEN_LIKE_COUNTRIES
    if not is_given or _VERSUS.search(text, max(0, each.start - _NEAR), each.start):
        names.append(whole)
    return [*filter(_is_country, names)]


@lru_cache(maxsize=1 << 12)
def _is_country(name: str) -> bool:
    table = lands.default()
    return any(table.is_country(sense.key) for sense in table.senses(name)[:_MOST_PLACES])


def _meant(said: str, people: bool) -> frozenset[int]:
    """The places that words may name; of people, theirs."""
    table = lands.default()
    named = (sense.key for sense in table.senses(said)[:_MOST_PLACES])
    return table.lands(said) if people else frozenset(named)


def parts_of_place(said: str) -> list[str]:
    """The places that stand in a row, without their postcodes.

    >>> parts_of_place("9 Main Street, Austin, Texas 78701"), parts_of_place("Austin")
    (['Austin', 'Texas'], [])
    """
    parts = (_POSTCODE.sub("", part).strip() for part in said.split(",")) if "," in said else ()
    names = (name for part in parts for name in (*places_for_short(part), part))
    return [name for name in names if name and lands.default().senses(name)]


def _said_for_short(
    text: str, found: Iterable[Edit | Term], taken: Sequence[Edit | Term]
) -> Iterator[Term]:
    """Where places that are found are named for short outside of what is taken: in capitals, on a line whose
    other words are not."""
    names = {name for words in {*_places_told(text, found)} for name in called_for_short(*words)}
    spans = Spans((each.start, each.end) for each in taken)
    begin = stop = -1  # of the line, which is read once
    for match in _SHORT.finditer(text) if names else ():
        start, end = match.span()
        name = letters_for_short(match[0])
        if name not in names or not spans.open_words(start, end, text):
            continue
        number = _NUMBER_AFTER.match(text, end)
        if number and not spans.touch(number.end(), number.end() + 1):
            continue
        if start >= stop:
            begin = text.rfind("\n", 0, start) + 1
            stop = (text.find("\n", end) + 1 or len(text) + 1) - 1
            line = text[begin:stop]
            small, many = any(map(str.islower, line)), sum(map(str.isalpha, line))
        near = max(begin, start - _NEAR)
        mixed = small or many == len(name)
        is_doubtful = number or name in DOUBTFUL
        if mixed and (not is_doubtful or _MAY_BE_PLACE.search(text, near, start)):
            yield Term(start, end, "LOC", 1.0, SPREAD, _AGAIN)


def letters_for_short(said: str) -> str:
    """The letters of what may be a place's name for short, in small letters; none of any other words.

    >>> letters_for_short("U.S."), letters_for_short("TX"), letters_for_short("Texas")
    ('us', 'tx', '')
    """
    return said.replace(".", "").lower() if _SHORT.fullmatch(said) else ""


@lru_cache(maxsize=1 << 12)
def called_for_short(said: str, people: bool = False) -> frozenset[str]:
    """What a place is called for short, in small letters; of people, what theirs is.

    >>> sorted(called_for_short("Saudi Arabia")), "us" in called_for_short("American", people=True)
    (['ksa', 'sa'], True)
    """
    table, found = lands.default(), _meant(said, people)
    names = {"" if people else said, *map(table.written, found)}
    names = names.union(*(table.usual_names_of(n) for n in found if table.is_country(n)))
    return frozenset(short for name in names for short in short_names(name))


@lru_cache(maxsize=1 << 8)
def other_words(place: int) -> dict[tuple[str, int], str]:
    """By what a place may be told, folded, with the number of words ("Rome is" is no "Romeis"), and of what
    kind it is: its names, and what its people are called.

    >>> found = other_words(lands.default().senses("Vienna")[0].key)
    >>> found["wien", 1], found["viennese", 1]
    ('LOC', 'DEM')
    """
    table = lands.default()
    called = _folded(word for name in table.usual_names_of(place) for word in demonyms(name))
    names = table.names_of(place)
    return (
        called
        | _also(table.usual_names_of(place))
        | {(skeleton(name), len(_WORD.findall(name))): "LOC" for name in names}
    )


def _also(names: Iterable[str]) -> dict[tuple[str, int], str]:
    """The other names that lie in some names, folded."""
    found = (also for name in names for also in parts_and_aliases(name))
    return {(skeleton(also), len(_WORD.findall(also))): "LOC" for also in found}


def _folded(people: Iterable[str]) -> dict[tuple[str, int], str]:
    return {(word.replace(" ", ""), word.count(" ") + 1): "DEM" for word in people}


def find(
    text: str, terms: Iterable[str], begins: Bools | None = None, also: Collection[str] = ()
) -> Iterator[tuple[int, int, str]]:
    """Where folded terms stand in a text as whole words: (start, end, term). A word may also begin at the
    characters for which `begins` holds, and one end before them. Ordinary words are left out, but for
    those that are looked for `also` and where they are parted."""
    worded = sorted(t for t in terms if skeleton(t))
    left_out = {t for t in worded if t not in also and is_ordinary(t)}
    for start, end, term in _find_words(text, worded, begins) if worded else ():
        if term not in left_out or is_parted_word(text[start:end]):
            yield start, end, term
    for term in sorted(t for t in terms if not skeleton(t) and t.strip()):
        yield from ((m.start(), m.end(), term) for m in re.finditer(re.escape(term), text))


def _find_words(
    text: str, terms: list[str], begins: Bools | None
) -> Iterator[tuple[int, int, str]]:
    found = letters(text)
    edge = np.append(~found.is_letter, True)  # also what stands before the first one
    # In a run of letters and digits, a mention may go on over at most GAP other characters.
    far = np.append(0, np.cumsum(np.diff(found.at) > GAP + 1))
    is_start, is_end = edge[found.at - 1], edge[found.at + 1]
    if begins is not None and begins.any():
        is_new = begins[found.origin[found.at]]
        is_start, is_end = is_start | is_new, is_end | np.append(is_new[1:], False)
    starts = np.flatnonzero(is_start)
    hashes = Hashes(found.text)
    spans: list[tuple[int, int]] = []
    reach = np.zeros(len(found.text), np.int64)  # where the mentions end that start here or before
    for length, of_length in _by_length(terms, len(found.text)):
        here = starts[: np.searchsorted(starts, len(found.text) - length, "right")]
        here = here[is_end[here + length - 1] & (far[here] == far[here + length - 1])]
        # More mentions than letters: those in longer ones tell nothing
        if len(spans) > len(found.text):
            here = here[reach[here] < here + length]
        here = here[np.isin(hashes.of(here, length), [hashes.of_term(t) for t in of_length])]
        spans += [(s, s + length) for s in here.tolist() if found.text[s : s + length] in of_length]
        reach[here] = np.maximum(reach[here], here + length)
        np.maximum.accumulate(reach, out=reach)
    for start, end in sorted(spans):
        stop = after_marks(text, int(found.origin[found.at[end - 1]]) + 1)
        yield int(found.origin[found.at[start]]), stop, found.text[start:end]


def _by_length(terms: Iterable[str], most: int) -> list[tuple[int, set[str]]]:
    """The terms that could stand in a text, the longest first."""
    made: dict[int, set[str]] = {}
    for term in terms:
        if len(term) <= most:
            made.setdefault(len(term), set()).add(term)
    return sorted(made.items(), reverse=True)


class Hashes:
    """Hashes of all runs of a text, each in one step however long the run is: sums of c(i) · b^i, modulo a
    prime, divided by b^start. (An automaton would list every overlapping mention, and be built for days from
    a long term.) Equal runs have equal hashes; whether it also holds the other way, the caller looks."""

    _PRIME = np.uint64(2**31 - 1)
    _BASE = 1_103_515_245

    def __init__(self, text: str) -> None:
        self._powers = self._powers_of(self._BASE, len(text))
        self._inverse = self._powers_of(pow(self._BASE, -1, int(self._PRIME)), len(text))
        sums = np.cumsum(self._codes(text) * self._powers % self._PRIME, dtype=np.uint64)
        self._sums = np.append(np.uint64(0), sums % self._PRIME)

    def of(self, starts: Ints, length: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
        """The hashes of the runs of a length that start at these places."""
        sums = self._sums[starts + length] + self._PRIME - self._sums[starts]
        return sums % self._PRIME * self._inverse[starts] % self._PRIME

    def of_term(self, term: str) -> np.uint64:
        """The hash of a term no longer than the text."""
        found: np.uint64 = (self._codes(term) * self._powers[: len(term)] % self._PRIME).sum()
        return found % self._PRIME

    @staticmethod
    def _codes(text: str) -> np.ndarray[Any, np.dtype[np.uint64]]:
        return np.frombuffer(text.encode("utf-32-le"), np.uint32).astype(np.uint64) + np.uint64(1)

    @classmethod
    def _powers_of(cls, base: int, count: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
        made = np.ones(max(count, 1), np.uint64)
        known = 1
        while known < count:
            more = min(known, count - known)
            step = np.uint64(pow(base, known, int(cls._PRIME)))
            made[known : known + more] = made[:more] * step % cls._PRIME
            known += more
        return made[:count]


def name_parts(name: str) -> list[str]:
    """The folded words of a person's name that name the person by themselves, umlauts and apostrophes in each
    spelling.

    >>> name_parts("Dr Maria J. Keller-Braun"), name_parts("Zoë O’Müll")
    (['maria', 'keller', 'braun'], ['mull', 'omull', 'omuell'])
    """
    joined = name.translate(_NO_APOSTROPHES)
    spelt = dict.fromkeys(map(plain_letters, (name, joined, spelt_out(joined))))
    words = dict.fromkeys(word for spelling in spelt for word in spelling.split(" "))
    return [w for w in words if len(w) >= LEAST_PART and w.isalpha() and not is_ordinary(w)]
