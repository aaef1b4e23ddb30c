"""Names to put in the place of persons' names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from sfumato.english.folding import APOSTROPHES, normal_form
from sfumato.english.nicknames import is_short_for, names_of
from sfumato.facts.persons import NamePart, Role, parts
from sfumato.keys import Key
from sfumato.protect import Vault
from sfumato.protect.replace.codes import respell
from sfumato.protect.replace.pools import Draw, Pools

POOL_PATIENCE = 10  # attempts after which a name becomes a double name


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
        self._given_of: dict[str, dict[str, str]] = {}  # family name -> initial -> given name
        self._initials: dict[str, set[str]] = {}  # family name -> first initials it stands with
        for mention in sorted(set(mentions)):
            read = [p for p in parts(mention) if p.role in ("given", "family", "initial")]
            family = next((normal_form(p.text) for p in read if p.role == "family"), "")
            first = next((p for p in read if p.role != "family"), None)
            if first is None or not family:
                continue
            self._initials.setdefault(family, set()).add(normal_form(first.text)[:1])
            for part in read:
                # A name that is somebody's family name is more often said alone.
                known = normal_form(part.text) in self._roles
                if part.role == "family" or (part.role == "given" and not known):
                    self._roles[normal_form(part.text)] = part.role
            if first.role == "given":
                given = self._given_of.setdefault(family, {})
                given.setdefault(normal_form(first.text)[:1], first.text)

    def name(self, original: str) -> str:
        """An invented name with the parts and the spelling of the original."""
        read = parts(original, alone=self._alone)
        family = next((p.text for p in reversed(read) if p.role == "family"), "")
        if family and self._is_unknown(read, family):
            read = _without_initials(read)
        out = []
        for part in read:
            if part.role in ("given", "family"):
                word = self._formal(part.text, family) if part.role == "given" else part.text
                out.append(respell(self._word(word, part.role), part.text))
            elif part.role == "initial":
                out.append(self.initial(part.text, family))
            else:
                out.append(part.text)
        return "".join(out)

    def _is_unknown(self, read: Sequence[NamePart], family: str) -> bool:
        """Whether a name has initials of which the document tells nothing more, and needs none to be told
        from others of its family name: another document may have the name in full."""
        initials = [normal_form(p.text) for p in read if p.role == "initial"]
        if not initials or any(p.role == "given" for p in read):
            return False
        this = normal_form(family)
        alike = self._initials.get(this, set())
        return initials[0] not in self._given_of.get(this, {}) and len(alike) < 2

    def _formal(self, given: str, family: str) -> str:
        """The given name of which this is a short form, where the document or the language knows one only."""
        low = normal_form(given)
        told = {*self._given_of.get(normal_form(family), {}).values()}
        told = {n for n in told if is_short_for(low, normal_form(n))} or set(names_of(low))
        return next(iter(told)) if len(told) == 1 else given

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
        full = self._given_of.get(normal_form(family), {}).get(low)
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


def _without_initials(read: Sequence[NamePart]) -> list[NamePart]:
    """A name's parts but for the initials and what belongs to them: the dot, the comma before."""
    made: list[NamePart] = []
    for before, part in zip([None, *read], read, strict=False):
        if part.role == "initial" or (
            part.role == "between" and before and before.role == "initial"
        ):
            continue
        made.append(part)
    while made and made[-1].role == "between":
        made.pop()
    return made


def _is_latin(word: str) -> bool:
    return all(
        ord(c) < 0x250 or 0x1E00 <= ord(c) < 0x1F00 or c in APOSTROPHES for c in word
    ) and bool(re.search(r"[^\W\d_]", word))
