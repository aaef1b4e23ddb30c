"""Names of persons: their parts, which mentions are one person, and names to put in their place."""

from __future__ import annotations

import re
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
from sfumato.keys import Key
from sfumato.protect import Vault
from sfumato.protect.replace.codes import respell
from sfumato.protect.replace.pools import Draw, Pools

POOL_PATIENCE = 10  # attempts after which a name becomes a double name
_APOSTROPHES = "'’ʼ"

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
        if char in _APOSTROPHES:
            return 0 < at < len(name) - 1 and name[at - 1].isalnum() and name[at + 1].isalnum()
        return char.isalnum() or unicodedata.category(char)[0] == "M"

    found: list[tuple[bool, str]] = []
    for word, run in groupby(range(len(name)), key=inner):
        text = "".join(name[i] for i in run)
        if word and len(text) > 3 and text[-1] in "sS" and text[-2] in _APOSTROPHES:
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


# Invented names


class Namer:
    """Invents persons' names word by word, so that "Keller" stays one name wherever it stands."""

    def __init__(
        self,
        key: Key,
        vault: Vault,
        names: Pools,
        *,
        mentions: Iterable[str] = (),
        avoid: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._key, self._vault, self._names, self._avoid = key, vault, names, avoid
        self._roles: dict[str, Role] = {}
        self._given_of: dict[tuple[str, str], str] = {}  # (initial, family name) -> given name
        for mention in sorted(set(mentions)):
            read = [p for p in parts(mention) if p.role in ("given", "family")]
            if len(read) < 2:
                continue
            for part in read:
                # A name that is somebody's family name is more often said alone.
                if part.role == "family" or normal_form(part.text) not in self._roles:
                    self._roles[normal_form(part.text)] = part.role
            first = next((p.text for p in read if p.role == "given"), None)
            if first:
                self._given_of.setdefault(
                    (normal_form(first)[:1], normal_form(read[-1].text)), first
                )

    def name(self, original: str) -> str:
        """An invented name with the parts and the spelling of the original."""
        read = parts(original, alone=self._alone)
        family = next((p.text for p in reversed(read) if p.role == "family"), "")
        out = []
        for part in read:
            if part.role in ("given", "family"):
                out.append(respell(self._word(part.text, part.role), part.text))
            elif part.role == "initial":
                out.append(self.initial(part.text, family))
            else:
                out.append(part.text)
        return "".join(out)

    def known(self, word: str) -> str | None:
        """What stands for a name that the document's persons have; `None` for any other word."""
        role = self._roles.get(normal_form(word))
        return self._word(word, role) if role else None

    def _alone(self, word: str) -> Role:
        role = self._roles.get(normal_form(word))
        return role or ("given" if self._names.knows(word) else "family")

    def _word(self, word: str, role: Role) -> str:
        original = normal_form(word)
        gender = self._names.gender(word) if role == "given" else ""

        def propose(attempt: int) -> str:
            draw = Draw(self._key, "PERSON", role, original, attempt)
            made = ""
            for _ in range(12):
                made = self._invent(draw, word, role, gender, attempt)
                low = normal_form(made)
                if low[:1] != original[:1] and low != original and not self._avoid(low):
                    break
            return made

        return self._vault.allocate("PERSON", word, propose)

    def _invent(self, draw: Draw, word: str, role: Role, gender: str, attempt: int) -> str:
        if not _is_latin(word):
            return draw.spelled(word) + draw.letters(attempt // 40)
        names = self._names
        if role == "given":
            female = gender == "female" or (not gender and draw.below(2) == 0)
            made = (
                draw.pick(names.female if female else names.male)
                if attempt < 6
                else draw.given(female)
            )
        else:
            made = draw.pick(names.surnames) if names.surnames and attempt < 6 else draw.surname()
        if attempt < POOL_PATIENCE:
            return made
        # A pool that is used up goes on with double names, of which there are many more.
        double = draw.given(gender == "female") if role == "given" else draw.surname()
        return f"{made}-{double}"

    def initial(self, letter: str, family: str) -> str:
        """Another letter: the first of the name that the full name got, where the document has one."""
        low = normal_form(letter)
        full = self._given_of.get((low, normal_form(family)))
        first = self._word(full, "given")[:1].upper() if full else ""
        owner = self._word(family, "family") if family else ""

        def propose(attempt: int) -> str:
            if attempt == 0 and first and normal_form(first) != low:
                return f"{first} {owner}"
            draw = Draw(self._key, "INITIAL", low, normal_form(family), attempt)
            made = draw.pick([c for c in "ABCDEFGHIJKLMNOPRSTVW" if c.casefold() != low])
            return f"{made}{draw.letters(attempt // 60)} {owner}"

        made = self._vault.allocate("INITIAL", f"{letter} {family}", propose).split(" ")[0]
        return made.lower() if letter.islower() else made


def _is_latin(word: str) -> bool:
    return all(
        ord(c) < 0x250 or 0x1E00 <= ord(c) < 0x1F00 or c in _APOSTROPHES for c in word
    ) and bool(re.search(r"[^\W\d_]", word))
