"""Terms of a list found in a text: as whole words, in any case, spelling of accents and inflection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import ahocorasick_rs

from sfumato.english.folding import fold

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
        self._automaton = ahocorasick_rs.AhoCorasick(list(forms)) if forms else None

    def find(self, text: str, *, overlapping: bool = False) -> list[Match]:
        """The terms in `text` as (start, end, index of the term), in order: leftmost, then longest; or all
        of them, overlaps included."""
        if self._automaton is None or not text:
            return []
        folded = fold(text)
        words = folded.text
        spans = [
            (start, -end, form)
            for form, start, end in self._automaton.find_matches_as_indexes(words, overlapping=True)
            if not (_joined(words, start) or _joined(words, end))
        ]
        found: list[Match] = []
        last = 0
        for start, minus_end, form in sorted(spans):
            if overlapping or start >= last:
                last = -minus_end
                found.append((*folded.place(start, last), self._indexes[form]))
        return found


def inflections(term: str) -> Sequence[str]:
    """A folded term with the plurals, the singular and the possessives of its last word.

    >>> sorted(inflections("city"))
    ['cities', "cities'", "cities's", 'city', "city'", "city's", 'citys', "citys'", "citys's"]
    """
    bases = {term}
    if len(term) > 3 and term[-1].isalpha():
        if term.endswith("ies"):
            bases.add(term[:-3] + "y")
        if term.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
            bases.add(term[:-2])
        if term.endswith("s") and not term.endswith(("ss", "us", "is")):
            bases.add(term[:-1])
    numbers = set(bases)
    for base in bases:
        if not base[-1].isalpha() or not base.isascii():
            continue
        if base.endswith("y") and base[-2:-1] not in ("", *"aeiou"):
            numbers.add(base[:-1] + "ies")
        if base.endswith(("s", "x", "z", "ch", "sh", "o")):
            numbers.add(base + "es")
        if not base.endswith("s"):
            numbers.add(base + "s")
    forms = list(numbers)
    for form in numbers:
        if form[-1].isalnum():
            forms += [form + "'s", form + "'"]
    return [term, *(f for f in dict.fromkeys(sorted(forms)) if f != term)]


def _joined(text: str, at: int) -> bool:
    """Whether a word goes on at this place. Scripts that are written without spaces have no such places."""
    if not 0 < at < len(text):
        return False
    return _spaced(text[at - 1]) and _spaced(text[at])


def _spaced(char: str) -> bool:
    if char.isascii():
        return char.isalnum()
    return char.isalnum() and not (
        "\u0e00" <= char <= "\u0eff"
        or "\u3040" <= char <= "\u30ff"
        or "\u3400" <= char <= "\u9fff"
        or char >= "\U00020000"
    )
