"""Entities by their names: where a text calls one of them by name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from sfumato.english.folding import GAP, skeleton
from sfumato.know.entities.contexts import Ints
from sfumato.know.entities.matching import Match, TermFinder, normal

LEAST = 3  # letters and digits of a name that is known by them alone
# Letters, digits, and the accents upon them; not the underscore.
_WORD = re.compile(r"[^\W_](?:[^\W_]|[\u0300-\u036f])*")


class Names:
    """Finds names like context terms: case, accents, spaces, dashes and plurals do not count. `spelled` also
    finds them with anything between their letters ("H.I.V.").

    >>> found = Names(["Measles", "Flu", "flu"])
    >>> [(m.start, m.end, found.entities(m.term).tolist()) for m in found.match("No flu.")]
    [(3, 6, [1, 2])]
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._given = names
        normals = [normal(" ".join(name.split())) for name in names]
        self._normals = sorted(set(normals) - {""})
        place = {text: at for at, text in enumerate(self._normals)}
        self._numbers = numbers = np.array(
            [place.get(text, -1) for text in normals], dtype=np.int64
        )
        order = np.argsort(numbers, kind="stable")
        self._entities = order[np.searchsorted(numbers[order], 0) :]
        self._starts = np.searchsorted(numbers[self._entities], np.arange(len(self._normals) + 1))
        self._matcher = TermFinder(self._normals)

    def match(self, text: str) -> list[Match]:
        """The names in a text; a match's `term` is the number of the name."""
        return self._matcher.match(text)

    def spelled(self, text: str) -> list[Match]:
        """The names of `LEAST` letters or more by these alone, wherever they begin and end with a word.

        >>> names = Names(["HIV", "Flu"])
        >>> [(m.start, m.end) for m in names.spelled("No H.I.V. and no f-l u, but a hive")]
        [(3, 8), (17, 22)]
        """
        longest, heads, by_letters = self._letters
        words = [(m.start(), m.end(), skeleton(m[0])) for m in _WORD.finditer(text)]
        found = []
        for first, (start, end, said) in enumerate(words):
            at = first
            while len(said) <= longest and (len(said) < LEAST or said[:LEAST] in heads):
                found += [Match(start, end, name) for name in by_letters.get(said, ())]
                at += 1
                if at == len(words) or words[at][0] - end > GAP:
                    break
                end, said = words[at][1], said + words[at][2]
        return found

    @cached_property
    def _letters(self) -> tuple[int, frozenset[str], dict[str, tuple[int, ...]]]:
        """Of the names in letters and digits alone: the length of the longest, how they begin, and which
        names they are."""
        found: dict[str, tuple[int, ...]] = {}
        for name, number in zip(self._given, self._numbers.tolist(), strict=True):
            letters = skeleton(name)
            known = found.get(letters, ())
            if number >= 0 and len(letters) >= LEAST and number not in known:
                found[letters] = (*known, number)
        heads = frozenset(letters[:LEAST] for letters in found)
        return max(map(len, found), default=0), heads, found

    def entities(self, name: int) -> Ints:
        """The entities that go by a name, ascending."""
        found: Ints = self._entities[self._starts[name] : self._starts[name + 1]]
        return found
