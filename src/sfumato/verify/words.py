"""Whether any of many terms stands in a text as whole words, in any case, accents, spacing or hyphenation;
whether two phrases are the same but for their number."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence

from sfumato.english.folding import GAP, normal_form, plain_letters, skeleton
from sfumato.english.inflection import possible_singulars, split_head

_TOKEN = re.compile(r"[^ ]+")
FEW = 3  # terms that are looked for one by one first


class Words:
    """Terms, folded, to be looked for.

    >>> Words({"newyork"}).stand_in("in New-York"), Words({"york"}).stand_in("Yorkshire")
    (True, False)
    """

    def __init__(self, terms: Iterable[str]) -> None:
        self._terms = frozenset(terms)
        self._sorted = sorted(self._terms)

    def stand_in(self, text: str, but: Callable[[], Sequence[tuple[int, int]]] = tuple) -> bool:
        """Whether one of them stands in the text outside the spans `but`, asked for where one may."""
        if not self._terms or not text:
            return False
        if len(self._sorted) <= FEW and not any(t in skeleton(text) for t in self._sorted):
            return False
        spans = but()
        if spans:
            shown, at = [], 0
            for begin, stop in sorted(spans):
                shown += [text[at:begin], " " * max(stop - begin, GAP + 1)]
                at = stop
            text = "".join([*shown, text[at:]])
        plain = plain_letters(text)
        words = plain.split()
        if not self._terms.isdisjoint(words):
            return True
        if not any(map(self._goes_on, words)):
            return False
        tokens = [(m[0], m.start(), m.end()) for m in _TOKEN.finditer(plain)]
        for first, (token, _, _) in enumerate(tokens):
            grown, at = token, first
            while self._goes_on(grown):
                at += 1
                if at == len(tokens) or tokens[at][1] - tokens[at - 1][2] > GAP:
                    break
                grown += tokens[at][0]
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
