"""Who is who: the parts of persons' names, and which mentions are one person."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from sfumato.english.folding import normal_form
from sfumato.english.wordlists import (
    OPEN_PARTICLES,
    PARTICLES,
    SUFFIXES,
    TITLES,
    TITLES_BEFORE_GIVEN,
)

APOSTROPHES = "'’ʼ"

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


def identities(mentions: Iterable[str]) -> dict[str, str]:
    """The person behind each mention: normal form -> normal form of the fullest mention.

    A shorter mention belongs to a fuller one if exactly one holds its names in their order.

    >>> identities(["Maria Keller", "Keller", "M. Keller"])["keller"]
    'maria keller'
    """
    names = {normal_form(m): _core(m) for m in mentions}
    by_size = sorted(names, key=lambda n: (-len(names[n]), -sum(map(len, names[n])), n))
    known: dict[str, list[str]] = {}  # a word of a person's name -> the persons
    found: dict[str, str] = {}
    for name in by_size:
        words = names[name]
        near = {p for w in words if len(w) > 1 for p in known.get(w, ())}
        fits = [p for p in near if _is_short_for(words, names[p])]
        if len(fits) == 1:
            found[name] = fits[0]
            continue
        found[name] = name
        for word in set(words):
            known.setdefault(word, []).append(name)
    return found


def _core(name: str) -> tuple[str, ...]:
    """The words that make the name, family name last."""
    read = parts(name)
    words = [p for p in read if p.role in ("given", "family", "initial")]
    if any("," in p.text for p in read if p.role == "between"):
        words.sort(key=lambda p: p.role == "family")
    return tuple(normal_form(p.text) for p in words)


def _is_short_for(short: Sequence[str], full: Sequence[str]) -> bool:
    if len(short) > len(full) or not short:
        return False
    if len(short) == 1:
        return short[0] in (full[0], full[-1])
    if short[-1] != full[-1]:
        return False
    rest = iter(full)
    return all(any(s == f or (len(s) == 1 and f.startswith(s)) for f in rest) for s in short)
