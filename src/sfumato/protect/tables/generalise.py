"""Ladders of a table's terms: what a class may show that shares an ancestor and no term."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from sfumato.english.folding import normal_form
from sfumato.facts.ladders import has_ladders, ladder_of
from sfumato.kinds import KINDS
from sfumato.know import sources
from sfumato.know.taxonomy import named
from sfumato.know.taxonomy.chain import Chain
from sfumato.policy import Know
from sfumato.protect.tables.mentions import TermIndex
from sfumato.protect.tables.recode import Ladders
from sfumato.protect.tables.segments import starts_of

_OTHER_WORDS = 1e-6  # of what a term tells
_VALUES = frozenset({"DATE", "AGE", "QUANTITY", "MONEY"})


@dataclass(frozen=True)
class TermLadders:
    """Ladders for the array core, and what each ancestor says."""

    ladders: Ladders
    words: tuple[str, ...]  # by ancestor id
    concepts: tuple[str, ...]  # by ancestor id


def ladders_for(index: TermIndex, know: Know, most_loss: float) -> TermLadders:
    """The ladders of all terms, up to the rung that loses more than `most_loss` of a term's information."""
    numbers: dict[str, int] = {}
    words: list[str] = []
    sizes, ancestors, losses = [], [], []
    for (_, kind, _), said in zip(index.keys, index.words, strict=True):
        rungs = _rungs(know, said, kind) if _may_climb(kind, said) else ()
        kept = [r for r in rungs if r[2] <= most_loss]
        for concept, term, loss in kept:
            if concept not in numbers:
                numbers[concept] = len(words)
                words.append(term)
            ancestors.append(numbers[concept])
            # a term that says the concept in other words ("36 years old", "36") is not what others may become
            same = normal_form(words[numbers[concept]]) == normal_form(said)
            losses.append(loss if loss or same else _OTHER_WORDS)
        sizes.append(len(kept))
    made = Ladders(
        starts_of(np.array(sizes, np.int64)),
        np.array(ancestors, np.int64),
        np.array(losses, np.float64),
    )
    return TermLadders(made, tuple(words), tuple(numbers))


def _may_climb(kind: str, said: str) -> bool:
    if kind == "PERSON" or not has_ladders(kind):
        return False  # who is called like somebody known is another
    # no taxonomy knows names with digits in them, but for values
    return kind in _VALUES or not any(map(str.isdigit, said))


@lru_cache(maxsize=1 << 13)
def _rungs(know: Know, said: str, kind: str) -> tuple[tuple[str, str, float], ...]:
    """(concept, words, share of the information lost), most specific first; the term itself where others may
    climb to it."""
    chain = sources.taxonomy_for(know)
    term = " ".join(said.split())
    ladder = ladder_of(chain, term, kind)
    if len(ladder) < 2:
        return ()
    bits = _bits(chain, term, kind)
    whole = bits.get("", 0.0)
    made = []
    own = _own_concept(chain, term, kind)
    if own:
        made.append((own, term, 0.0))
    last = 0.0
    for rung in ladder[1:]:
        loss = 1 - bits[rung.concept] / whole if whole > 0 and rung.concept in bits else 1.0
        last = min(1.0, max(last, loss, 1e-6))  # losses never fall on the way up
        if rung.concept != own:
            made.append((rung.concept, rung.words, last))
    return tuple(made)


def _bits(chain: Chain, term: str, kind: str) -> dict[str, float]:
    """The bits of each concept above a term, and under "" of the term itself."""
    steps = chain.ladder(term, 0, kind if kind in KINDS else "")
    found = {step.concept: step.bits for step in steps[1:]}
    return found | ({"": steps[0].bits} if steps else {})


def _own_concept(chain: Chain, term: str, kind: str) -> str:
    """The concept that a term names; none of a named thing, whose concept is that of all of its sort: one
    English footballer is no word for another."""
    senses = chain.senses(term, kind if kind in KINDS else "")
    return str(senses[0].concept) if senses and senses[0].taxonomy != named.NAME else ""
