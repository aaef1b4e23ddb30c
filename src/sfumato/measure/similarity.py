"""How much of the meaning is left: sentences as vectors, before and after.

    >>> round(similarity_score("She has cancer.", "She has cancer."), 6)
    1.0
    >>> similarity_score("She has lung cancer.", "She has a disease.") > similarity_score(
    ...     "She has lung cancer.", "She likes football."
    ... )
    True

The vector of a text is the weighted sum of the vectors of its words (`know.taxonomy.disambiguate`: what
stands near a word in Wikipedia; rare words count for more). The states of the detector's encoder, averaged
over a text, do worse: trained to find names, they tell what sort of word stands where, not what a text is
about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from sfumato.english import units
from sfumato.english.folding import plain_lower
from sfumato.know.taxonomy.disambiguate import Vectors
from sfumato.measure.texts import Source, pair_up, without_labels

Floats32 = np.ndarray[Any, np.dtype[np.float32]]

BLOCK = 1000  # sentences that are compared with all others at a time

_LETTERS = re.compile("[a-z]+")


@cache
def _vectors() -> Vectors:
    return Vectors()


def text_vectors(texts: Sequence[str]) -> Floats32:
    """A unit vector for each text, shape (texts, size), float32; zero where no word is known."""
    table = _vectors()
    made = np.zeros((len(texts), table.size), dtype=np.float32)
    for n, text in enumerate(texts):
        words = _LETTERS.findall(plain_lower(text))
        rows = [table.numbers[w] for w in words if w in table.numbers]
        if rows:
            made[n] = table.words(np.array(rows)).sum(axis=0)
    return unit_rows(made)


def unit_rows(vectors: Floats32) -> Floats32:
    """Rows of length 1; a row of zeros stays one."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def text_similarity(original: str, released: str) -> float:
    """From 0 to 1: for each sentence of the original the cosine of the most similar sentence of the release,
    averaged by length.

    A sentence of which no word is known counts by whether the release holds it too. Labels say nothing.
    """
    before = [original[a:b] for a, b in units.spans(original, "sentence")]
    after = [without_labels(released[a:b]) for a, b in units.spans(released, "sentence")]
    if not before or not after:
        return float(before == after)
    one, two = text_vectors(before), text_vectors(after)
    nearest = [(one[n : n + BLOCK] @ two.T).max(axis=1) for n in range(0, len(one), BLOCK)]
    best = np.clip(np.concatenate(nearest), 0.0, 1.0).astype(np.float64)
    there = set(after)
    for n in np.flatnonzero(~one.any(axis=1)).tolist():
        best[n] = before[n] in there
    return float(np.average(best, weights=[len(sentence) for sentence in before]))


def similarity_score(original: Source, released: Source) -> float:
    """The similarity of texts before and after, averaged over the texts, from 0 to 1."""
    pairs = pair_up(original, released)
    return float(np.mean([text_similarity(p.original, p.released) for p in pairs]))
