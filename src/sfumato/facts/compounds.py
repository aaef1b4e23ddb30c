"""A person's name inside longer words, in pieces, and in simple codes.

The letters of a hidden name are looked for in the text as a determined reader would: with entities and
escapes undone, marks and zero-width characters taken out, letters of other alphabets read by their looks,
digits read as letters, base64 decoded. A rare name tells the person in any word but an ordinary one; a name
that is an ordinary word ("Brown") only where it stands as a name does: as a piece of an identifier, with the
person's other names, initials or digits, or as a hashtag.
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from urllib.parse import unquote

import numpy as np
from ahocorasick_rs import AhoCorasick, Implementation, MatchKind

from sfumato.document import Edit, Spans, Term
from sfumato.english.folding import Ints, plain_letters, unaccented
from sfumato.english.ordinary import is_ordinary
from sfumato.facts.mentions import LEAST_PART, SPREAD, stand_as_words
from sfumato.facts.persons import parts

_LONG = 5  # letters of a name from which on it counts anywhere in a word; shorter ones at its edges
_CODED = re.compile(
    r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});"
    r"|(?:%[0-9A-Fa-f]{2})+|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}"
    r"|</?[a-zA-Z][^<>\n]{0,60}>|-\r?\n|[\u00ad\u200b-\u200f\u2060\ufeff*`~]+"
)
_BASE64 = re.compile(r"[A-Za-z0-9+/]{8,}={0,2}|[A-Za-z0-9_-]{8,}={0,2}")
_LETTERS = re.compile(r"(?<![\w.])[^\W\d_]\.(?: ?[^\W\d_]\.){1,40}(?![\w.])")
_MOST_INITIALS = 6  # given names whose initials are looked for
_HUMP = re.compile(r"(?:[A-Z](?![a-z]))+|[A-Z]?[a-z]+|[^\W\d_]+")
# Letters of other alphabets by the Latin ones they look like; and digits that stand for letters.
_ALIKE = str.maketrans(
    "аәвсԁеёғɡһіїјкӏмոорԛгѕтυѵшхуᴢΑΒΕΖΗΙΚΜΝΟΡΤΥΧΙαικνορτυχАВСЕНІЈКМОРЅТУХЅ",
    "aabcdeefghiijklmnopqrstuvwxyzABEZHIKMNOPTYXIaikvoptuxABCEHIJKMOPSTYXS",
)
_LEET = str.maketrans("013457@$", "oieastas")


@dataclass(frozen=True, slots=True)
class _View:
    """The text as somebody may read it, and for each of its characters where that begins in the text."""

    text: str
    origin: Ints  # one more than the characters: the end of the last

    def place(self, start: int, end: int) -> tuple[int, int]:
        return int(self.origin[start]), int(self.origin[end])


def names_within(text: str, edits: Sequence[Edit]) -> list[Term]:
    """The words that hold a hidden person's name and that no edit covers.

    >>> text = "Ann Wieczorek. User jwieczorek, &#87;ieczorek, #JusticeForWieczorek, A. W."
    >>> [text[t.start : t.end] for t in names_within(text, [Edit(0, 13, "PERSON", "", "")])]
    ['jwieczorek', '&#87;ieczorek', 'JusticeForWieczorek', 'A. W.']
    """
    names = [_Name.of(text[e.start : e.end]) for e in edits if e.kind == "PERSON" and e.hides]
    searched = {part: name for name in names for part in name.searched}
    if not searched:
        return []
    any_part = _Parts(searched)
    found = set(_in_base64(text, any_part))
    for view in _views(text):
        found |= {view.place(*word) for word in _words_with(view, any_part, searched)}
    found |= {*_initials(text, frozenset[str]().union(*(name.initials for name in {*names})))}
    taken = Spans((e.start, e.end) for e in edits)
    is_word = stand_as_words(text, edits)
    return [
        Term(start, end, "PERSON", 1.0, SPREAD, "holds a hidden person's name")
        for start, end in sorted(found)
        if any(taken.gaps(start, end)) and not is_word(start, end)
    ]


def spellings(word: str) -> Iterator[str]:
    """What somebody may read in a word: it undone of codes, letters by their looks, and base64.

    >>> list(spellings("&#87;ieczorek")), list(spellings("dG8gV2llY3pvcmVr"))[-1]
    (['Wieczorek'], 'to Wieczorek')
    """
    yield from (view.text for view in _views(word))
    yield from (said for _, said in _base64(word) if said.isprintable() and said.isascii())


@dataclass(frozen=True, slots=True)
class _Name:
    """The words of a person's name, folded."""

    given: tuple[str, ...]
    family: tuple[str, ...]

    @classmethod
    def of(cls, name: str) -> _Name:
        read = parts(name)
        folded = {
            role: tuple("".join(plain_letters(p.text).split()) for p in read if p.role == role)
            for role in ("given", "family")
        }
        return cls(folded["given"], folded["family"])

    @property
    def searched(self) -> list[str]:
        """The words that name the person; a given name alone does not where it is an ordinary word."""
        long = [w for w in (*self.family, *self.given) if len(w) >= LEAST_PART and w.isalpha()]
        return [w for w in long if w in self.family or not is_ordinary(w)]

    @property
    def initials(self) -> frozenset[str]:
        """The name's initials, with those of middle names and without: "AK", "AMK"."""
        if not (self.given and self.family):
            return frozenset()
        first, *middle = (w[:1].upper() for w in self.given[:_MOST_INITIALS])
        last = self.family[-1][:1].upper()
        some = (c for many in range(len(middle) + 1) for c in combinations(middle, many))
        return frozenset("".join((first, *each, last)) for each in some)

    def is_spelt_by(self, piece: str, part: str) -> bool:
        """Whether a word is the part of the name with other names, initials or nothing around it."""
        before, _, after = piece.partition(part)
        known = {*self.given, *self.family, *(w[0] for w in (*self.given, *self.family)), ""}
        return before in known and after in known | {"s"}


def _views(text: str) -> Iterator[_View]:
    plain = _decoded(text)
    yield plain
    alike = plain.text.translate(_ALIKE)
    if alike != plain.text:
        yield _View(alike, plain.origin)
    if re.search(r"[^\W\d_][013457@$]|[013457@$][^\W\d_]", alike):
        yield _View(alike.translate(_LEET), plain.origin)


def _decoded(text: str) -> _View:
    """The text with codes undone, marks and broken words joined, accents off; one character each."""
    pieces: list[str] = []
    origins: list[Ints] = []
    at = 0
    for match in [*_CODED.finditer(text), None]:
        stop = match.start() if match else len(text)
        run = text[at:stop]
        pieces.append(run if run.isascii() else "".join(unaccented(c)[:1] or c for c in run))
        origins.append(np.arange(at, stop))
        if match:
            said = _undone(match[0])
            pieces.append(said)
            origins.append(np.full(len(said), match.start()))
            at = match.end()
    return _View("".join(pieces), np.append(np.concatenate(origins), len(text)))


def _undone(code: str) -> str:
    if code[0] == "&":
        return html.unescape(code)
    if code[0] == "%":
        return unquote(code, errors="replace")
    if code[0] == "\\":
        return chr(int(code[2:], 16))
    return ""


class _Parts:
    """Where parts of names stand in small letters: at each place the longest, none in another."""

    def __init__(self, parts: Iterable[str]) -> None:
        self._parts = list(parts)
        longest, linear = MatchKind.LeftmostLongest, Implementation.ContiguousNFA
        self._found = AhoCorasick(self._parts, matchkind=longest, implementation=linear)

    def __call__(self, low: str) -> Iterator[tuple[str, int, int]]:
        whole = low.encode("utf-8", "replace").decode()  # half characters are none of a name
        for number, start, end in self._found.find_matches_as_indexes(whole):
            yield self._parts[number], start, end


def _initials(text: str, known: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Where initials stand with their dots: "A.K.", "A. M. K."."""
    lengths = sorted({len(letters) for letters in known})
    for row in _LETTERS.finditer(text) if known else ():
        places = [row.start() + m.start() for m in re.finditer(r"[^\W_]", row[0])]
        letters = "".join(text[at] for at in places)
        begins = [n for n, at in enumerate(places) if at == row.start() or text[at - 1] == " "]
        ends = {len(places), *begins}
        for begin, length in product(begins, lengths):
            stop = begin + length
            if stop in ends and letters[begin:stop] in known:
                yield places[begin], places[stop - 1] + 2


def _words_with(
    view: _View, any_part: _Parts, searched: dict[str, _Name]
) -> Iterator[tuple[int, int]]:
    """The words of a view that hold a part of a name so that it tells the person."""
    low = view.text.lower() if view.text.isascii() else "".join(c.lower()[:1] for c in view.text)
    seen = 0
    for part, start, end in any_part(low):
        if start < seen:
            continue
        word = _word_around(view.text, start, end)
        seen = word[1]
        if _tells(view.text, word, part, searched[part]):
            yield word


def _word_around(text: str, start: int, end: int) -> tuple[int, int]:
    while start and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return start, end


def _tells(text: str, word: tuple[int, int], part: str, name: _Name) -> bool:
    said = text[word[0] : word[1]]
    low = said.lower()
    if low == part and not is_ordinary(part):
        return True
    if is_ordinary(low) and "#" not in text[max(0, word[0] - 1) : word[0]]:
        return low == part and _is_identifier(text, word)
    if not is_ordinary(part):
        return len(part) >= _LONG or low.startswith(part) or low.endswith(part)
    humps = [hump.lower() for hump in _HUMP.findall(said)]
    if text[max(0, word[0] - 1) : word[0]] == "#":
        return True
    return any(part in hump and name.is_spelt_by(hump, part) for hump in humps)


def _is_identifier(text: str, word: tuple[int, int]) -> bool:
    """Whether an ordinary word stands where names of things do: in a path, an address, a key."""
    before, after = text[max(0, word[0] - 1) : word[0]], text[word[1] : word[1] + 2]
    return (
        before in ("/", "\\", "@", "=")
        or after[:1] in ("@", "\\")
        or (before == '"' and after == '":')
        or (after[:1] == "[" and text[word[1] : word[1] + 4].lower() == "[at]")
    )


def _in_base64(text: str, any_part: _Parts) -> Iterator[tuple[int, int]]:
    for span, said in _base64(text):
        if any(any_part(unaccented(said).lower())):
            yield span


def _base64(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    for match in _BASE64.finditer(text):
        raw = match[0].rstrip("=").translate(str.maketrans("-_", "+/"))
        raw = raw[:-1] if len(raw) % 4 == 1 else raw  # one letter alone says nothing
        said = base64.b64decode(raw + "=" * (-len(raw) % 4))
        yield match.span(), said.decode("utf-8", "replace")
