"""Whether any of many terms stands in a text as whole words, in any case, accents, spacing or hyphenation;
whether two phrases are the same but for their number."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from sfumato.english.folding import GAP, normal_form, plain_letters
from sfumato.english.inflection import possible_singulars, split_head

WALL = " " * (GAP + 1)  # no term reaches across


class Words:
    """Terms, folded, to be looked for.

    >>> Words({"newyork"}).stand_in("in New-York"), Words({"york"}).stand_in("Yorkshire")
    (True, False)
    """

    def __init__(self, terms: Iterable[str]) -> None:
        self._terms = frozenset(terms)
        self._sorted = sorted(self._terms)

    def stand_in(self, text: str) -> bool:
        """Whether one of them stands in the text."""
        if not self._terms or not text:
            return False
        plain = plain_letters(text)
        words = set(plain.split())
        if not self._terms.isdisjoint(words):
            return True
        begun = set(filter(self._goes_on, words))
        if not begun:
            return False
        tokens = plain.split(" ")  # nothing between two spaces
        return any(self._from(tokens, at) for at, token in enumerate(tokens) if token in begun)

    def stand_in_any(self, texts: Iterable[str]) -> bool:
        """Whether one of them stands in one of many texts, all at once."""
        return self.stand_in(WALL.join(texts))

    def _from(self, tokens: Sequence[str], at: int) -> bool:
        """Whether a term of several words begins with this one."""
        grown, gap = tokens[at], 0
        while self._goes_on(grown):
            at, gap = at + 1, gap + 1
            if at == len(tokens) or gap > GAP:
                return False
            if tokens[at]:
                grown, gap = grown + tokens[at], 0
                if grown in self._terms:
                    return True
        return False

    def _goes_on(self, begin: str) -> bool:
        """Whether a term begins like this and is longer."""
        place = bisect_right(self._sorted, begin)
        return place < len(self._sorted) and self._sorted[place].startswith(begin)


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
