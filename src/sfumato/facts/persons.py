"""Who is who: the parts of persons' names, and which mentions are one person."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from sfumato.english.folding import APOSTROPHES, normal_form, unaccented
from sfumato.english.nicknames import is_given, names_of, same_given
from sfumato.english.wordlists import (
    FEMALE_TITLES,
    MALE_TITLES,
    OPEN_PARTICLES,
    PARTICLES,
    SUFFIXES,
    TITLES,
    TITLES_BEFORE_GIVEN,
)

_GENERATIONS = frozenset({"jr", "sr", "ii", "iii", "iv"})
_LEAST_WITHIN = 5  # letters of a name that tells its bearer inside a longer word
_LONGEST = 40  # letters of a piece of a handle that is looked into
_MOST_PIECES, _MOST_NEAR = 20, 20
_RUN = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+")

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
    pieces = _pieces(unicodedata.normalize("NFC", name))
    roles: list[Role] = [_fixed(pieces, i) for i in range(len(pieces))]
    free = [i for i, role in enumerate(roles) if role == "given"]
    if not free and "initial" not in roles:
        # Nothing but titles and particles: then these are the name.
        free = [i for i, (word, _) in enumerate(pieces) if word]
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
        if word and len(text) > 3 and text[-1] in "sS" and text[-2] in APOSTROPHES:
            found += [(True, text[:-2]), (False, text[-2:])]
        else:
            found.append((word, text))
    return found


def _fixed(pieces: Sequence[tuple[bool, str]], at: int) -> Role:
    """The role that a piece has by itself; 'given' stands for a name whose place is still open."""
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
    if (low in TITLES and after) or (low in SUFFIXES and at > 0):
        return "kept"
    return "initial" if len(text) == 1 and text.isalpha() else "given"


def _hyphened(pieces: Sequence[tuple[bool, str]], free: Sequence[int]) -> list[list[int]]:
    """Words joined by hyphens stand together."""
    groups: list[list[int]] = []
    for i in free:
        if groups and groups[-1][-1] == i - 2 and pieces[i - 1][1] in "-‐‑–":
            groups[-1].append(i)
        else:
            groups.append([i])
    return groups


# Which mentions are one person


def identities(mentions: Iterable[str], apart: Iterable[tuple[str, str]] = ()) -> dict[str, str]:
    """The person behind each mention: normal form -> normal form of the fullest mention.

    A shorter mention belongs to a fuller one if exactly one holds its names in their order; a given name may
    be a nickname, and of two family names either may be left out. Bare initials belong to a name that was
    told before them: those that stand first hide somebody. Titles tell a man from his wife, "Jr" a man from
    his father, and who is told beside somebody (`apart`) is another.

    >>> found = identities(["Maria Keller", "Keller", "M.K.", "William Drax", "Bill", "Bill Drax"])
    >>> found["keller"], found["m.k."], found["bill"], found["bill drax"]
    ('maria keller', 'maria keller', 'william drax', 'william drax')
    """
    mentions = list(dict.fromkeys(mentions))
    names = {normal_form(m): core(m) for m in mentions}
    names |= _turned(mentions, names)
    order = {name: at for at, name in enumerate(names)}
    marks = {name: (_gender(name), _generation(name)) for name in names}
    strangers = {pair for one, other in apart for pair in ((one, other), (other, one))}
    told: dict[str, list[str]] = {name: [name] for name in names}  # of each person

    def may_be(name: str, person: str) -> bool:
        pairs = zip(marks[name], marks[person], strict=True)
        differ = any(a and b and a != b for a, b in pairs)
        return not differ and not any((name, other) in strangers for other in told[person])

    def size(name: str) -> tuple[int, bool, int, str]:
        return -len(names[name]), not marks[name][1], -sum(map(len, names[name])), name

    known: dict[tuple[str, str], list[str]] = {}
    found: dict[str, str] = {}
    for name in sorted(names, key=size):
        words = names[name]
        near = [p for p in _near(words, known) if may_be(name, p)]
        if all(len(word) == 1 for word in words):
            near = [p for p in near if order[p] < order[name]]
        fits = _closest(
            words, name, [p for p in near if _is_short_for(words, names[p])], names, marks
        )
        if len(fits) == 1:
            person = found[name] = fits[0]
            told[person].append(name)
            order[person] = min(order[person], order[name])
            pairs = zip(marks[person], marks[name], strict=True)
            gender, generation = (a or b for a, b in pairs)
            marks[person] = gender, generation
            continue
        found[name] = name
        for key in _keys(words) if words else ():
            known.setdefault(key, []).append(name)
    return found


def _closest(
    words: Sequence[str],
    name: str,
    fits: list[str],
    names: Mapping[str, Sequence[str]],
    marks: Mapping[str, tuple[str, str]],
) -> list[str]:
    """Of several persons whom a mention fits, those whom its title, its "Jr" or its very words tell."""
    for mark, own in enumerate(marks[name]):
        if len(fits) > 1 and own:
            fits = [p for p in fits if marks[p][mark] == own]
    exact = [p for p in fits if set(words) <= set(names[p])]
    return exact if len(fits) > 1 and len(exact) == 1 else fits


def _turned(
    mentions: Sequence[str], names: Mapping[str, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    """The names in capitals whose family name comes first, as in a heading, "KELLER ANNA": another mention
    has it last, or the last word is a given name and the first is none."""
    others = [names[normal_form(m)] for m in mentions if not m.isupper()]
    families = {words[-1] for words in others if words}
    forms = ((words[-1], form) for words in others if len(words) > 1 for form in _forms(words[0]))
    full = {(family, given) for family, form in forms for given in (form, form[0])}
    made = {}
    for mention in mentions:
        first, *rest = words = names[normal_form(mention)] or ("",)
        if not (mention.isupper() and rest) or "," in mention or (words[-1], first) in full:
            continue
        given = next((word for word in rest if len(word) > 1), "")
        listed = is_given(rest[-1]) and not is_given(first) and words[-1] not in families
        if any((first, form) in full for word in rest for form in _forms(word)) or (
            given and listed
        ):
            made[normal_form(mention)] = (*rest, first)
    return made


def _gender(name: str) -> str:
    """What a title says: Mrs Brown is not Mr Brown."""
    title = name.split(" ")[0].rstrip(".")
    return "m" if title in MALE_TITLES else "f" if title in FEMALE_TITLES else ""


def _generation(name: str) -> str:
    """What a suffix says: John Smith Jr is not John Smith Sr."""
    return next((w for w in reversed(re.findall(r"\w+", name)[1:]) if w in _GENERATIONS), "")


def _keys(full: Sequence[str]) -> set[tuple[str, str]]:
    """Under what a person is looked for: the family names, the given one, initials, and for several words
    each family name with every other word or its letter."""
    keys = {("", form) for form in _forms(full[0])}
    for at in _families(full):
        keys.add(("", full[at]))
        for form in {form for word in full[:at] for form in _forms(word)}:
            keys |= {(full[at], form), (full[at], form[0])}
    if len(full) > 1:
        keys |= {("", _initials(full)), ("", _initials((full[0], full[-1])))}
    return keys


def _families(full: Sequence[str]) -> list[int]:
    """Which words of a name may be its last: the last one, and the one before it, for a second family name
    may be left out."""
    return [len(full) - 1, *([len(full) - 2] if len(full) > 2 and len(full[-2]) > 1 else ())]


def _near(short: Sequence[str], known: Mapping[tuple[str, str], Sequence[str]]) -> list[str]:
    """Persons of whom a mention may be: by its rarest word, for a text may tell of thousands of one name."""
    if not short:
        return []
    if len(short) == 1:
        choices = [[("", form) for form in _forms(short[0])]]
    elif all(len(word) == 1 for word in short):
        choices = [[("", _initials(short))]]
    else:
        choices = [[(short[-1], f) for f in _forms(word)] for word in short[:-1]]
    near = ([p for key in keys for p in known.get(key, ())] for keys in choices)
    return list(dict.fromkeys(min(near, key=len)[:_MOST_NEAR]))


def core(name: str) -> tuple[str, ...]:
    """The words that make the name, family name last."""
    read = parts(name)
    words = [p for p in read if p.role in ("given", "family", "initial")]
    if any("," in p.text for p in read if p.role == "between"):
        words.sort(key=lambda p: p.role == "family")
    return tuple(unaccented(normal_form(p.text)) for p in words)


def _is_short_for(short: Sequence[str], full: Sequence[str]) -> bool:
    if len(short) > len(full) or not short:
        return False
    if len(short) == 1:
        return short[0] in {full[at] for at in _families(full)} or same_given(short[0], full[0])
    if all(len(word) == 1 for word in short):
        return _initials(short) in (_initials(full), _initials((full[0], full[-1])))
    for last in _families(full):
        rest = iter(full[:last])
        if short[-1] == full[last] and all(any(_may_be(s, f) for f in rest) for s in short[:-1]):
            return True
    return False


def _initials(words: Sequence[str]) -> str:
    return "".join(f"{word[:1]}." for word in words)


def _may_be(given: str, full: str) -> bool:
    if len(given) == 1:  # "W. Drax" may be Bill
        return any(name.startswith(given) for name in _forms(full))
    return same_given(given, full)


def _forms(word: str) -> frozenset[str]:
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
            forms = {form for word in words for form in _forms(word)}
            for form in forms | (_spelt(words) if words else set()):
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
    yield from _forms(low)
    for first in range(len(low) if len(low) <= _LONGEST else 0):
        yield from (low[first:end] for end in range(first + _LEAST_WITHIN, len(low) + 1))


def _spelt(words: Sequence[str]) -> set[str]:
    """A name as user names have it."""
    given, family = words[0], words[-1]
    return {
        given + family,
        family + given,
        given[:1] + family,
        family + given[:1],
        given + family[:1],
    }


def _fit(pieces: Sequence[str], words: Sequence[str]) -> int:
    """How many letters of a handle's pieces are a person's names; 0 where they do not tell the person."""
    spelt = _spelt(words)
    told, longest = 0, 0
    for piece in pieces:
        low = piece.lower()
        if low in spelt or any(low == w or (len(low) > 1 and same_given(low, w)) for w in words):
            fit = len(low)
        else:
            # "Browning" is another name than "Brown"; "jwieczorek" and "Wieczoreks" are Wieczorek
            rests = [low.replace(w, "", 1) for w in words if len(w) >= _LEAST_WITHIN and w in low]
            fit = len(low) - min(map(len, rests)) if rests else 0
            if piece[0].isupper() and "s" not in rests:
                fit = 0
        told, longest = told + fit, max(longest, fit)
    return told if longest > 1 and told > 2 else 0
