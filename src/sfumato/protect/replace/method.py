"""What a replacement method is: from a term to what stands in its place, with the whole document in view.

A method is made once for a document, from its options and the `Overview`, and called for every term whose
kind it is the policy's rule for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from sfumato.document import Document, Term
from sfumato.english.dates import day_first, year_of
from sfumato.english.folding import folded_words
from sfumato.kinds import KINDS, rule_chain
from sfumato.protect import Run


@dataclass(frozen=True, slots=True)
class Replacement:
    """What stands in a term's place, why, what else could, and the concept behind it. One that `may_stay` is
    coarse enough even if it reads like the original; any other one that does makes way for a label."""

    text: str
    why: str
    alternatives: tuple[str, ...] = ()
    concept: str = ""
    may_stay: bool = False


@dataclass(frozen=True, slots=True)
class Unfit:
    """Why a method cannot hide a term: it gets a label instead, as what is to be hidden never stays."""

    why: str


Method = Callable[[Term, str], Replacement | Unfit]  # of a term and its original words


class Overview:
    """What a document as a whole tells about its terms, and what the run lends: policy, key, vault."""

    def __init__(self, document: Document, terms: Sequence[Term], run: Run) -> None:
        self.document, self.terms, self.run = document, terms, run

    def originals(self, kind: str) -> list[str]:
        """The words of the terms of a kind, in order."""
        return [t.of(self.document.text) for t in self.terms if t.kind == kind]

    @cached_property
    def day_first(self) -> bool | None:
        """Whether 3/4 is in April, if the document's other dates tell."""
        return day_first(self.document.text)

    @cached_property
    def dates(self) -> list[str]:
        """The different dates, as they are written."""
        return sorted(set(self.originals("DATE")))

    @cached_property
    def usual_year(self) -> int | None:
        """The year of most dates."""
        years = [y for d in self.dates if (y := year_of(d, dayfirst=self.day_first))]
        return max(sorted(set(years)), key=years.count, default=None)

    @cached_property
    def hidden(self) -> frozenset[str]:
        """The words of every original; numbers of fewer than four digits stand everywhere."""
        originals = (folded_words(t.of(self.document.text)) for t in self.terms)
        joined = (" ".join(words) for words in originals)
        return frozenset(o for o in joined if o and not (o.isdecimal() and len(o) < 4))

    def shows_hidden(self, text: str) -> bool:
        """Whether a text holds, as whole words, what the document hides."""
        words = folded_words(text)[:20]
        ends = range(1, len(words) + 1)
        return any(" ".join(words[a:b]) in self.hidden for b in ends for a in range(b))


def may_be_date(kind: str) -> bool:
    """Whether terms of a kind are dates, or may be for all one knows."""
    return kind not in KINDS or ("DATE" in rule_chain(kind) and kind != "TIME")


def others(made: str, forms: Iterable[str | None]) -> tuple[str, ...]:
    """Other forms that could have been chosen, each once."""
    return tuple(dict.fromkeys(f for f in forms if f is not None and f != made))
