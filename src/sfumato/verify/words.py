"""Whether any of many terms stands in a text as whole words, in any case, accents, spacing or hyphenation,
long numbers by what they are worth; whether two phrases are the same but for their number."""

from __future__ import annotations

import secrets
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate

from sfumato.english.folding import normal_form, plain_letters
from sfumato.english.inflection import possible_singulars, split_head
from sfumato.verify.numbers import WALL, HiddenNumbers

_LONG = (
    100  # characters of a term above which stretches of a text are compared by their hashes first
)
_PRIME = (1 << 61) - 1
_BASE = secrets.randbelow(_PRIME)


class Words:
    """Terms, folded, to be looked for.

    >>> Words({"newyork"}).stand_in("in New-York"), Words({"york"}).stand_in("Yorkshire")
    (True, False)
    """

    def __init__(self, terms: Iterable[str], *, by_worth: bool = True) -> None:
        self._terms = frozenset(terms)
        self._sorted = sorted(self._terms)
        self._numbers = HiddenNumbers(self._terms if by_worth else ())

    def stand_in(self, text: str) -> bool:
        """Whether one of them stands in the text."""
        if not self._terms or not text:
            return False
        if self._numbers.stand_in(text):
            return True
        plain = plain_letters(text)
        words = set(plain.split())
        if not self._terms.isdisjoint(words):
            return True
        begun = {word: lengths for word in words if (lengths := self._longer(word))}
        return bool(begun) and any(self._within(s.split(), begun) for s in plain.split(WALL))

    def stand_in_any(self, texts: Iterable[str]) -> bool:
        """Whether one of them stands in one of many texts, all at once."""
        return self.stand_in(WALL.join(texts))

    def _longer(self, begin: str) -> set[int]:
        """The lengths of the terms that begin like this and are longer."""
        first = bisect_right(self._sorted, begin)
        last = bisect_left(self._sorted, begin + "\U0010ffff", first)
        return set(map(len, self._sorted[first:last]))

    def _within(self, words: Sequence[str], begun: Mapping[str, set[int]]) -> bool:
        """Whether some words one after the other are a term; `begun` has the lengths that may begin there."""
        joined, hashes = "".join(words), list[int]()
        ends = list(accumulate(map(len, words)))
        borders = set(ends)
        for word, end in zip(words, ends, strict=True):
            start = end - len(word)
            for length in begun.get(word, ()):
                if start + length not in borders:
                    continue
                if length > _LONG:  # a copy of each would be the square of the text
                    hashes = hashes or _hashes(joined)
                    below = hashes[start] * pow(_BASE, length, _PRIME)
                    if (hashes[start + length] - below) % _PRIME not in self._long:
                        continue
                if joined[start : start + length] in self._terms:
                    return True
        return False

    @cached_property
    def _long(self) -> set[int]:
        return {_hashes(term)[-1] for term in self._terms if len(term) > _LONG}


class OneWord:
    """Folded words to be looked for as one word each: "2/1" is not 21."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = frozenset(words)

    def stand_in(self, text: str) -> bool:
        """Whether one of them stands in the text."""
        return not self._words.isdisjoint(plain_letters(text).split())

    def stand_in_any(self, texts: Iterable[str]) -> bool:
        """Whether one of them stands in one of many texts."""
        return any(map(self.stand_in, texts))


def _hashes(text: str) -> list[int]:
    """The hash of every beginning of a text."""
    codes = map(ord, text)
    return list(accumulate(codes, lambda made, code: (made * _BASE + code) % _PRIME, initial=0))


def same_but_for_number(one: str, other: str) -> bool:
    """Whether two phrases are the same but for the number of the last word.

    >>> same_but_for_number("Soft drugs", "soft drug"), same_but_for_number("drug", "soft drug")
    (True, False)
    """
    return bool({*singulars(one)} & {*singulars(other)})


def singulars(phrase: str) -> Iterator[str]:
    """A phrase, and what it may be the plural of, by its last word or by the one before "of" and the like."""
    form = normal_form(phrase)
    yield form
    yield from possible_singulars(form)
    head, rest = split_head(form)
    yield from (one + rest for one in possible_singulars(head))
