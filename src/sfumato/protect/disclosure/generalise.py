"""What a term may become: the paper's back-off (section 4.3), from specific to general.

A phrase that no taxonomy knows loses its modifiers from the left, and each shorter phrase is tried as it
stands; then the ladder of what is left. A name is not cut: a part of a name is no more general than the name.
After the last step there is only removal.
"""

from __future__ import annotations

from sfumato.english.folding import normal_form
from sfumato.facts.ladders import Ladder, Rung, has_ladders, ladder_at
from sfumato.kinds import KINDS
from sfumato.know.taxonomy import named, wordnet
from sfumato.know.taxonomy.chain import Chain, shorter
from sfumato.know.taxonomy.ladder import Sense

ROOTS = frozenset({"entity"})  # says nothing: removal is plainer


def ladder(chain: Chain, text: str, start: int, end: int, kind: str = "") -> Ladder:
    """The ladder of a span of a text, itself first; only itself where nothing more general is known.

    >>> from sfumato.know import taxonomy
    >>> [r.words for r in ladder(taxonomy.default(), "severe chest infection", 0, 22)][:4]
    ['severe chest infection', 'chest infection', 'infection', 'ill health']
    >>> [r.words for r in ladder(taxonomy.default(), "Zorblatt Xyzzy", 0, 14)]
    ['Zorblatt Xyzzy']
    """
    said = " ".join(text[start:end].split())
    if not has_ladders(kind):
        return (Rung(said, 1),)
    kind = kind if kind in KINDS else ""
    first, *above = ladder_at(chain, text, start, end, kind, "context")
    known = normal_form(above[0].words) if above else ""
    between = []
    if said.islower():
        for phrase in shorter(said):
            if normal_form(phrase) == known:
                break
            between.append(Rung(phrase, 1))
    return _distinct([first, *between, *above])


def below(chain: Chain, own: Ladder, words: str, concept: str) -> tuple[Ladder, int]:
    """The ladder of a term that stands as some words, and where on it they stand: on its own ladder, or else
    put on it, with what is above them."""
    wanted = normal_form(words)
    for level, rung in enumerate(own[1:], 1):
        if (concept and rung.concept == concept) or normal_form(rung.words) == wanted:
            return own, level
    if not concept:
        senses = chain.senses(words)
        concept = senses[0].concept if senses else ""
    taxonomy, _, key = concept.partition(":")
    if taxonomy == named.NAME:
        taxonomy = wordnet.NAME
    above = []
    if key.isdigit():
        try:
            steps = chain.climb(Sense(taxonomy, int(key), words))
        except (KeyError, IndexError):
            steps = []
        above = [Rung(s.term, s.volume, s.concept) for s in steps[1:] if s.concept]
    return (own[0], *_distinct([Rung(words, 1, concept), *above])), 1


def _distinct(rungs: list[Rung]) -> Ladder:
    kept, seen = [rungs[0]], {normal_form(rungs[0].words)}
    for rung in rungs[1:]:
        key = normal_form(rung.words)
        if key not in seen and key not in ROOTS:
            seen.add(key)
            kept.append(rung)
    return tuple(kept)
