"""Terms of a list found in a text: as whole words, in any case, spelling of accents and inflection."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import ahocorasick_rs

from sfumato.english.folding import fold, inside_word
from sfumato.english.inflection import inflections

Match = tuple[int, int, int]


class TermMatcher:
    """Finds terms as whole words, whatever their case, accents, spaces, dashes and English inflection.

    >>> TermMatcher(["copper lantern", "Café"]).find("The CAFE's Copper-Lanterns")
    [(4, 10, 1), (11, 26, 0)]
    """

    def __init__(self, terms: Iterable[str], *, inflect: bool = True) -> None:
        forms: dict[str, int] = {}
        for index, term in enumerate(terms):
            folded = fold(term).text.strip()
            if folded:
                for form in inflections(folded) if inflect else (folded,):
                    forms.setdefault(form, index)
        self._indexes = list(forms.values())
        # its usual form is quadratic in a long word
        linear = ahocorasick_rs.Implementation.ContiguousNFA
        made = ahocorasick_rs.AhoCorasick(list(forms), implementation=linear) if forms else None
        self._automaton = made

    def find(
        self, text: str, *, overlapping: bool = False, edges: Collection[int] = ()
    ) -> list[Match]:
        """The terms in `text` as (start, end, index of the term), in order: leftmost, then longest; or all
        of them, overlaps included. Words may also end at the `edges`."""
        if self._automaton is None or not text:
            return []
        folded = fold(text)
        words = folded.text

        def inside(at: int) -> bool:
            return inside_word(words, at) and not (edges and folded.place(at, at + 1)[0] in edges)

        spans = [
            (start, -end, form)
            for form, start, end in self._automaton.find_matches_as_indexes(words, overlapping=True)
            if not (inside(start) or inside(end))
        ]
        found: list[Match] = []
        last = 0
        for start, minus_end, form in sorted(spans):
            if overlapping or start >= last:
                last = -minus_end
                if words[last - 1] == "'" == words[start - 1 : start]:
                    last -= 1  # not of a possessive: the two are quotes
                found.append((*folded.place(start, last), self._indexes[form]))
        return found
