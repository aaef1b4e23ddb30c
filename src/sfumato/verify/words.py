"""Whether any of many terms stands in a text as whole words, in any case, accents, spacing or hyphenation,
also where some of it is in codes such as `%20`, long numbers by what they are worth; whether two phrases are
the same but for their number."""

from __future__ import annotations

import re
import secrets
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, chain

from sfumato.english.folding import normal_form, plain_letters
from sfumato.english.inflection import possible_singulars, split_head
from sfumato.english.ordinary import is_ordinary
from sfumato.english.wordlists import TITLES
from sfumato.verify.numbers import WALL, HiddenNumbers
from sfumato.verify.readings import readings

# Characters of a term above which stretches of a text are compared by their hashes first
_LONG = 100
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
        return self.stand_in_any([text])

    def stand_in_any(self, texts: Iterable[str]) -> bool:
        """Whether one of them stands in one of many texts, all at once."""
        return bool(self._terms) and self._stand_in(WALL.join(chain(*map(readings, texts))))

    def _stand_in(self, text: str) -> bool:
        if self._numbers.stand_in(text):
            return True
        plain = plain_letters(text)
        words = set(plain.split())
        if not self._terms.isdisjoint(words):
            return True
        begun = {word: lengths for word in words if (lengths := self._longer(word))}
        return bool(begun) and any(self._within(s.split(), begun) for s in plain.split(WALL))

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
        said = map(plain_letters, readings(text))
        return any(not self._words.isdisjoint(each.split()) for each in said)

    def stand_in_any(self, texts: Iterable[str]) -> bool:
        """Whether one of them stands in one of many texts."""
        return any(map(self.stand_in, texts))


class PersonNames:
    """Folded words of one person's names, to be looked for also in pieces, beside digits and in longer words.

    >>> names = PersonNames({"quentin", "achterberg"})
    >>> [names.stand_in(said) for said in ("the Achterbergs", "QAchterberg7", "Acht.erberg", "Achterbergen")]
    [True, True, True, False]
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)
        self._whole = Words(self._names)

    def stand_in(self, text: str) -> bool:
        """Whether one of them stands in the text."""
        return self.stand_in_any([text])

    def stand_in_any(self, texts: Iterable[str]) -> bool:
        """Whether one of them stands in one of many texts."""
        said = WALL.join(chain(*map(readings, texts)))
        plain = plain_letters(said)
        near = [name for name in self._names if name in plain]
        words = {*re.findall("[^0-9 ]+", plain)} if near else ()
        if any(self._is_in(word, name) for name in near for word in words if name in word):
            return True
        return self._whole.stand_in_any([said])

    def _is_in(self, word: str, name: str) -> bool:
        """Whether a word is the name, or it in the plural; a longer name also beside a letter, a title,
        another name and an ordinary word that is not short."""
        if word == name:
            return True
        if is_ordinary(word):
            return False
        if len(name) == 4:
            return word == f"{name}s"
        known = self._names.union(TITLES, ("es",))
        beside = [rest for rest in word.split(name, 1) if len(rest) > 1 and rest not in known]
        return all(len(rest) > 3 and is_ordinary(rest) for rest in beside)


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
