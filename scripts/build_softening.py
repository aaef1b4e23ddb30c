#!/usr/bin/env python3
"""Build src/sfumato/know/data/softening.npz: for which of WordNet's nouns a text may have a word.

What a word is taken for, and which concepts their own first word names, follows from WordNet and the
sensitive families. Which words are found wherever a noun may stand is tried out: each is put into a few
sentences, and t-plausibility counts those alone that the program finds in all of them, in one of their
spellings, as a single thing (`one`) and as many (`several`). Takes minutes; to be run again when WordNet's
table, the sensitive families, the encoder, or the search for nouns has changed.

    scripts/build_softening.py
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sfumato.english.inflection import certain_plural
from sfumato.know import tables
from sfumato.know.taxonomy import sensitive, wordnet
from sfumato.know.taxonomy.softening import LAYOUT, TABLE, words
from sfumato.protect.plausibility.softened import nouns_of

ONE = ("They spoke about {} again.", "{} came up again.", "She owns a {} now.")
SEVERAL = ("Nobody saw two {} there.", "They know {}.", "{} came up again.")
AT_ONCE = 2000  # sentences


def main() -> None:
    net, rather = wordnet.default(), sensitive.mask()
    taken, own = np.zeros(len(net), dtype=bool), np.zeros(len(net), dtype=bool)
    spellings: dict[int, set[str]] = {}
    for lemma in net.lemmas():
        for sense in net.senses(lemma):
            spellings.setdefault(sense.key, set()).add(sense.term)
        for form in (lemma, lemma[:1].upper() + lemma[1:], lemma.upper()):
            if (meant := net.meant(form, rather)) is not None:
                taken[meant.key] = True
    for synset in range(len(net)):
        meant = net.meant(net.word(synset), rather)
        own[synset] = meant is not None and meant.key == synset
    tables.save(
        tables.FOLDER / TABLE, LAYOUT, _packed(taken=taken, own=own, one=taken, several=taken)
    )
    words.cache_clear()
    one = [(n, w) for n in np.flatnonzero(taken).tolist() for w in sorted(spellings[n])]
    several = [(n, p) for n, w in one if (p := certain_plural(w)) is not None]
    found = {
        name: np.logical_and.reduce([_found(frame, said, name == "several") for frame in frames])
        for name, frames, said in (("one", ONE, one), ("several", SEVERAL, several))
    }
    tables.save(tables.FOLDER / TABLE, LAYOUT, _packed(taken=taken, own=own, **found))
    print(", ".join(f"{name}: {mask.sum():,}" for name, mask in {"taken": taken, **found}.items()))


def _found(frame: str, said: Sequence[tuple[int, str]], many: bool) -> tables.Array:
    """Which synsets are found in a sentence, as one or as many as it is asked for."""
    made = np.zeros(len(wordnet.default()), dtype=bool)
    for first in range(0, len(said), AT_ONCE):
        text, places = "", list[tuple[int, int, int]]()
        for synset, word in said[first : first + AT_ONCE]:
            word = word[:1].upper() + word[1:] if frame[0] == "{" else word
            start = len(text) + frame.index("{")
            text += frame.format(word) + "\n\n"
            places.append((synset, start, start + len(word)))
        nouns = {(noun.start, noun.end) for noun in nouns_of(text)}
        for synset, *span in places:
            if tuple(span) in nouns and words().meant_at(text, *span) == synset:
                made[synset] |= words().is_several_at(text, *span) == many
    return made


def _packed(**masks: tables.Array) -> dict[str, tables.Array]:
    return {name: np.packbits(mask) for name, mask in masks.items()}


if __name__ == "__main__":
    main()
