"""What each class hides, and where its texts still show it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sfumato.english.folding import normal_form, skeleton
from sfumato.english.numbers import LONG_NUMBER
from sfumato.facts.mentions import telling_words
from sfumato.protect.tables.classes import Classes
from sfumato.protect.tables.generalise import TermLadders
from sfumato.protect.tables.mentions import TermIndex
from sfumato.protect.tables.recode import AS_IT_IS, SUPPRESSED, Recoded, RecodedTerms
from sfumato.protect.tables.redundancy import numbers_in
from sfumato.protect.tables.release import AsColumn, Decision
from sfumato.protect.tables.segments import Ints
from sfumato.protect.tables.wordindex import WordIndex

TWO_DIGITS = 10  # smaller numbers count things, and words such as "one" say nothing


class HiddenTerms:
    """What each class hides: terms that no text may show of its persons and of those who look like them."""

    def __init__(self, decision: Decision, columns: Sequence[AsColumn] = ()) -> None:
        """`columns` are the mentions that show what their column shows."""
        index, alike = decision.index, decision.alike
        self.alike_of = decision.alike_of
        outcome = decision.recoded.terms.outcome
        terms = index.terms
        gone_as = {
            (c.kind, skeleton(c.words)): c for c in columns if c.recoded and not _short(c.words)
        }
        numbered = {key: terms.count + i for i, key in enumerate(gone_as)}
        self._many = max(terms.count + len(numbered), 1)
        label_of = decision.alike_of(terms.owner)
        gone = outcome != AS_IT_IS
        as_columns = [
            alike[c.label] * self._many + numbered[c.kind, skeleton(c.words)]
            for c in columns
            if c.recoded and not _short(c.words)
        ]
        keys = label_of[gone] * self._many + terms.ids[gone]
        self._keys = np.unique(np.concatenate([keys, np.array(as_columns, np.int64)]))
        kept = np.unique(label_of[~gone] * self._many + terms.ids[~gone])
        self._places = kept
        self._words = [words for _, _, words in index.keys]
        self._kept: dict[int, set[str]] = {}
        said_of = {numbered[key]: each.words for key, each in gone_as.items()}
        folded = [""] * self._many
        for place in kept.tolist():
            number, term = divmod(place, self._many)
            folded[term] = folded[term] or skeleton(index.keys[term][2])
            self._kept.setdefault(number, set()).add(folded[term])
        for each in columns:
            if not each.recoded:
                self._kept.setdefault(int(alike[each.label]), set()).add(skeleton(each.words))
        # a bare number stands for too many things: it goes from its person's texts alone
        self._numbers: dict[int, dict[float, str]] = {}
        for each in columns:
            if each.recoded and each.number is not None and abs(each.number) >= TWO_DIGITS:
                self._numbers.setdefault(each.person, {})[each.number] = each.kind
        self._index = WordIndex()
        self._kinds = [kind for _, kind, _ in index.keys] + [kind for kind, _ in numbered]
        for term in np.unique(self._keys % self._many).tolist() if len(self._keys) else ():
            said = said_of[term] if term >= terms.count else index.keys[term][2]
            for words in telling_words(said, self._kinds[term]):
                self._index.add(words, term)

    def __bool__(self) -> bool:
        return bool(self._index) or bool(self._numbers)

    def own_numbers(self, texts: Sequence[str], person: Ints) -> list[tuple[int, int, int, str]]:
        """(row, start, end, kind) where a person's text says a number that its column no longer shows."""
        found = []
        for row, whose in enumerate(person.tolist() if self._numbers else ()):
            for start, end, value in numbers_in(texts[row]) if whose in self._numbers else ():
                kind = self._numbers[whose].get(value)
                if kind is not None:
                    found.append((row, start, end, kind))
        return found

    def suspects(self, texts: Sequence[str], label_of: Ints) -> list[tuple[int, int, int, str]]:
        """(row, start, end, kind) where a text of a class shows a term that its class hides, and does not
        also keep under another kind."""
        hits: list[tuple[int, int, int, int]] = []  # row, start, end, term of the word index
        terms: list[int] = []
        for hit in self._index.scan(texts):
            for number in self._index.numbers[hit[3]]:
                hits.append(hit)
                terms.append(number)
        if not hits:
            return []
        rows = np.array([hit[0] for hit in hits])
        key = label_of[rows] * self._many + np.array(terms, np.int64)
        place = np.minimum(np.searchsorted(self._keys, key), len(self._keys) - 1)
        names = self._index.terms
        found: dict[tuple[int, int, int], str] = {}
        for i in np.flatnonzero(self._keys[place] == key).tolist():
            row, start, end, which = hits[i]
            if names[which] not in self._kept.get(int(label_of[row]), ()):
                found.setdefault((row, start, end), self._kinds[terms[i]])
        return [(*span, kind) for span, kind in found.items()]

    def holding(self) -> set[tuple[int, int]]:
        """(number of look-alikes, term) of terms that stay and say one that is hidden ("Zwolle North", beside
        a hidden Zwolle)."""
        label_of, term_of = np.divmod(self._places, self._many)
        texts = [self._words[term] for term in term_of.tolist()]
        rows = [row for row, *_ in self.suspects(texts, label_of)]
        return {(int(label_of[row]), int(term_of[row])) for row in rows}


def _short(said: str) -> bool:
    folded = skeleton(said)
    return folded.isdigit() and len(folded) < LONG_NUMBER


def discreet(
    recoded: Recoded, index: TermIndex, classes: Classes, ladders: TermLadders
) -> RecodedTerms:
    """Outcomes without ancestors whose words are a term that the class hides."""
    outcome, loss = recoded.terms.outcome.copy(), recoded.terms.loss.copy()
    terms = index.terms
    while True:
        label_of = classes.labels[terms.owner]
        hidden: set[tuple[int, str]] = set()
        suppressed = np.flatnonzero(outcome == SUPPRESSED)
        general = np.flatnonzero(outcome >= 0)
        if not len(general):
            break
        wanted = {normal_form(ladders.words[a]) for a in np.unique(outcome[general]).tolist()}
        for place in suppressed.tolist():
            said = index.keys[int(terms.ids[place])][2]
            if said in wanted:
                hidden.add((int(label_of[place]), said))
        bad = [
            place
            for place in general.tolist()
            if (int(label_of[place]), normal_form(ladders.words[int(outcome[place])])) in hidden
        ]
        if not bad:
            break
        outcome[bad], loss[bad] = SUPPRESSED, 1.0
    return RecodedTerms(outcome, loss)
