"""The parts of persons' names, and whose a user name is."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Literal

from sfumato.english.folding import APOSTROPHES, composed, normal_form, unaccented
from sfumato.english.nicknames import names_of, same_given
from sfumato.english.wordlists import (
    OPEN_PARTICLES,
    PARTICLES,
    SUFFIXES,
    TITLES,
    TITLES_BEFORE_GIVEN,
)

# "PVS Rao" is P. V. S. Rao, "LEE Anna" none
INITIALS = re.compile(r"(?!NG)[A-Z][B-DF-HJ-NP-TV-XZ]{1,3}")
BABY = "baby"  # the given name of one who has none yet, with what may stand behind it
BABIES = frozenset({BABY, "girl", "boy"})
_LEAST_WITHIN = 5  # letters of a name that tells its bearer inside a longer word
_LONGEST = 40  # letters of a piece of a handle that is looked into
_MOST_PIECES, _MOST_NEAR = 20, 20
_RUN = re.compile(r"(?:[A-Z](?![a-z]))+|[A-Z]?[a-z]+|[^\W\d_]+")

HYPHENS = frozenset("-‐‑–")
MAC = re.compile(r"\b(M[Aa]?[Cc]) (?=[A-Z]{2}|[A-Z][a-z])")  # "Mac Donald" is Macdonald
_IRISH = re.compile(r"\bO (?=[A-Z][a-z])")  # "Sean O Casey"

Role = Literal["given", "family", "initial", "kept", "between"]


@dataclass(frozen=True, slots=True)
class NamePart:
    """A word of a name with its role, or what stands between two words."""

    text: str
    role: Role


def parts(name: str, *, alone: Callable[[str], Role] = lambda _: "family") -> list[NamePart]:
    """The name in its parts. `alone` gives the role of a word that stands alone.

    >>> [(p.text, p.role) for p in parts("Dr Maria Keller") if p.role != "between"]
    [('Dr', 'kept'), ('Maria', 'given'), ('Keller', 'family')]
    """
    pieces = _pieces(composed("NFC", name))
    words = ((i, text) for i, (word, text) in enumerate(pieces) if word)
    first_name = next((i for i, text in words if text.casefold() not in TITLES), len(pieces))
    roles: list[Role] = [_fixed(pieces, i, i <= first_name) for i in range(len(pieces))]
    free = [i for i, role in enumerate(roles) if role == "given"]
    if not free and "initial" not in roles:
        # Nothing but titles and particles: then these are the name.
        free = [i for i, (word, _) in enumerate(pieces) if word]
        free = [i for i in free if pieces[i][1].casefold() not in SUFFIXES] or free  # "Bishop Jr."
        for i in free:
            roles[i] = "given"
    if not free:
        return [NamePart(text, role) for (_, text), role in zip(pieces, roles, strict=True)]
    comma = next((i for i, (word, text) in enumerate(pieces) if not word and "," in text), None)
    kept_before = {pieces[i][1].casefold() for i in range(free[0]) if roles[i] == "kept"}
    groups = _hyphened(pieces, free)
    if comma is not None and any(i < comma for i in free) and any(i > comma for i in free):
        family = [i for i in free if i < comma]
    elif len(groups) == 1:
        before = any(roles[i] == "initial" for i in range(free[0]))
        first = pieces[groups[0][0]][1]
        if kept_before.intersection(TITLES_BEFORE_GIVEN) and not before:
            role: Role = "given"
        elif kept_before or before:
            role = "family"
        else:
            role = alone(first)
        family = groups[0] if role == "family" else []
    else:
        particle = next(
            (i for i, r in enumerate(roles) if r == "kept" and i > free[0]
             and pieces[i][1].casefold() in PARTICLES),
            None,
        )  # fmt: skip
        family = [i for i in free if i > particle] if particle is not None else []
        family = family or groups[-1]
    for i in family:
        roles[i] = "family"
    return [NamePart(text, role) for (_, text), role in zip(pieces, roles, strict=True)]


def _pieces(name: str) -> list[tuple[bool, str]]:
    """Words and what is between them, in turn; a possessive ending is no part of the word."""

    def inner(at: int) -> bool:
        char = name[at]
        if char in APOSTROPHES:
            return 0 < at < len(name) - 1 and name[at - 1].isalnum() and name[at + 1].isalnum()
        return char.isalnum() or unicodedata.category(char)[0] == "M"

    found: list[tuple[bool, str]] = []
    for word, run in groupby(range(len(name)), key=inner):
        text = "".join(name[i] for i in run)
        word = word and bool(word_key(text))  # marks alone are none
        if word and len(text) > 3 and text[-1] in "sS" and text[-2] in APOSTROPHES:
            found += [(True, text[:-2]), (False, text[-2:])]
        elif name[-len(text) :] != text and INITIALS.fullmatch(text) and not name.isupper():
            leads = all(said.casefold() in TITLES for word, said in found if word)
            known = text.casefold() in (*TITLES, *PARTICLES, *(() if leads else SUFFIXES))
            found += [(True, text)] if known else [(True, letter) for letter in text]
        else:
            found.append((word, text))
    return found


def _fixed(pieces: Sequence[tuple[bool, str]], at: int, leads: bool) -> Role:
    """The role that a piece has by itself; 'given' stands for a name whose place is still open. It `leads` if
    only titles come before it."""
    word, text = pieces[at]
    if not word:
        return "between"
    low = text.casefold()
    after = pieces[at + 1][1] if at + 1 < len(pieces) else ""
    if (
        low in PARTICLES
        and after
        and (text.islower() or low not in OPEN_PARTICLES or after[0] == "-")
    ):
        return "kept"
    leads = leads or (at > 0 and "," in pieces[at - 1][1])
    if (low in TITLES and after and after.strip() not in {",", *HYPHENS} and leads) or (
        low in SUFFIXES and at > 0
    ):
        return "kept"
    return "initial" if len(text) == 1 and text.isalpha() else "given"


def _hyphened(pieces: Sequence[tuple[bool, str]], free: Sequence[int]) -> list[list[int]]:
    """Words joined by hyphens stand together."""
    groups: list[list[int]] = []
    for i in free:
        if groups and groups[-1][-1] == i - 2 and pieces[i - 1][1] in HYPHENS:
            groups[-1].append(i)
        else:
            groups.append([i])
    return groups


@lru_cache(maxsize=1 << 12)  # a text says a name many times
def core(name: str) -> tuple[str, ...]:
    """The words that make the name, family name last.

    >>> core("Dr Keller, Anna-Maria"), core("PVS N’Diaye")
    (('anna', 'maria', 'keller'), ('p', 'v', 's', 'ndiaye'))
    """
    read = parts(_IRISH.sub("O", MAC.sub(r"\1", name)))
    named = [p for p in read if p.role in ("given", "family", "initial")]
    if any("," in p.text for p in read if p.role == "between"):
        named.sort(key=lambda p: p.role == "family")
    return tuple(word_key(part.text) for part in named)


@lru_cache(maxsize=1 << 14)
def word_key(word: str) -> str:
    """One spelling of a word of a name: without case, accents and apostrophes."""
    return unaccented(normal_form(word)).replace("'", "")


def forms(word: str) -> frozenset[str]:
    """A word of a name, and the names of which it is a short form."""
    return names_of(word) | {word}


# Whose user name it is


class Owners:
    """To whom a user name, the local part of an address or a hashtag belongs, if to one person alone.
    `persons` are the words of each one's name.

    >>> owners = Owners({"leo quinn": ("leo", "quinn"), "ann lee": ("ann", "lee")})
    >>> [owners.of(handle) for handle in ("leoq_83", "a.lee", "JusticeForQuinn", "support")]
    ['leo quinn', 'ann lee', 'leo quinn', None]
    """

    def __init__(self, persons: Mapping[str, Sequence[str]]) -> None:
        self._persons = persons
        self._known: dict[str, list[str]] = {}  # what a piece of a handle may be -> persons
        for name, words in persons.items():
            told = {form for word in words for form in forms(word)}
            for form in told.union(spelt_together(words[0], words[-1]) if words else ()):
                self._known.setdefault(form, []).append(name)

    def of(self, handle: str) -> str | None:
        pieces = _RUN.findall(handle)[:_MOST_PIECES]
        near = {name for piece in pieces for form in _within(piece) for name in self._near(form)}
        fits = {name: _fit(pieces, self._persons[name]) for name in near}
        best = max(fits.values(), default=0)
        found = [name for name, fit in fits.items() if fit == best]
        return found[0] if best and len(found) == 1 else None

    def _near(self, form: str) -> Sequence[str]:
        near = self._known.get(form, ())
        return near if len(near) <= _MOST_NEAR else ()  # what so many share tells none of them


def _within(piece: str) -> Iterator[str]:
    """A piece, the names of which it is a short form, and what stands in it that may be a name."""
    low = piece.lower()
    yield from forms(low)
    for first in range(len(low) if len(low) <= _LONGEST else 0):
        yield from (low[first:end] for end in range(first + _LEAST_WITHIN, len(low) + 1))


def spelt_together(given: str, family: str) -> tuple[str, ...]:
    """A name as user names have it."""
    return (
        given + family,
        family + given,
        given[:1] + family,
        family + given[:1],
        given + family[:1],
    )


def _fit(pieces: Sequence[str], words: Sequence[str]) -> int:
    """How many letters of a handle's pieces are a person's names; 0 where they do not tell the person."""
    spelt = spelt_together(words[0], words[-1])
    told, longest = 0, 0
    for piece in pieces:
        low = piece.lower()
        if low in spelt or any(low == w or (len(low) > 1 and same_given(low, w)) for w in words):
            fit = len(low)
        elif len(low) == 1:  # "w.brown" is Bill's, not Ann's
            fit = any(form.startswith(low) for form in forms(words[0]))
        else:
            # "Browning" is another name than "Brown"; "jwieczorek" and "Wieczoreks" are Wieczorek
            rests = [low.replace(w, "", 1) for w in words if len(w) >= _LEAST_WITHIN and w in low]
            fit = len(low) - min(map(len, rests)) if rests else 0
            if piece[0].isupper() and "s" not in rests:
                fit = 0
        told, longest = told + fit, max(longest, fit)
    return told if longest > 1 and told > 2 else 0
