"""Which sense of a noun is meant, by the words around it.

    >>> from sfumato.know.taxonomy import wordnet
    >>> nouns, said = wordnet.default(), "uses marijuana for phantom limb pain".split()
    >>> nouns.climb(nouns.senses("marijuana")[disambiguate(nouns, "marijuana", said)])[1].term
    'soft drug'

A word is a vector of what stands near it in a large corpus; a sense is the vector of the words of its gloss,
its examples and the concepts linked to it; a context is the sum of its words' vectors, where rare words and
those near the term count for more. The score of a sense is the logarithm of its share among the tagged
occurrences of the noun plus `CONTEXT` times the cosine of sense and context. The table of vectors is made by
`scripts/build_senses.py`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np

from sfumato.english import chunker
from sfumato.english.folding import plain_lower
from sfumato.know import tables
from sfumato.know.taxonomy.chain import Chain
from sfumato.know.taxonomy.ladder import Sense, Taxonomy
from sfumato.know.taxonomy.wordnet import NAME as WORDNET
from sfumato.know.taxonomy.wordnet import WordNet, key_of

TABLE = "senses.npz"
LAYOUT = "senses-1"
# Fitted by likelihood to the nouns of the six texts of Senseval-2 and 3; without one of them: 4.4 to 5.5.
CONTEXT = 5.0
UNSEEN = 0.5  # added to how often each sense was met
REACH = 15.0  # words: one so far from the term counts 1/e of one beside it
NOUN = "1"  # in a sense key
_LETTERS = re.compile("[a-z]+")


def disambiguate(
    taxonomy: Taxonomy | Chain,
    term: str,
    context_words: Sequence[str],
    kind: str = "",
    at: int | None = None,
) -> int:
    """The number of the sense that is meant, from 0, in the order of `taxonomy.senses`.

    `context_words` are the words of the context in their order, the term itself among them or not; `at` says
    which of them the term is. Without it every mention counts, so that a thing that is mentioned several
    times has one sense.

    Senses of WordNet are told apart. In a chain it is the order of the taxonomies that decides between
    them: the first sense stays where it is not WordNet's.
    """
    senses = taxonomy.senses(term, kind) if isinstance(taxonomy, Chain) else taxonomy.senses(term)
    choice = [i for i, s in enumerate(senses) if s.taxonomy == WORDNET]
    if len(choice) < 2 or choice[0] != 0:
        return 0
    scores = _scores([senses[i] for i in choice], _about(term, tuple(context_words), at))
    return choice[int(scores.argmax())]


def by_key(nouns: WordNet, key: str) -> int | None:
    """The synset of a WordNet 3.0 sense key, as annotated corpora name senses; none if it is no noun's.

    >>> from sfumato.know.taxonomy import wordnet
    >>> nouns = wordnet.default()
    >>> nouns.word(by_key(nouns, "marijuana%1:06:00::"))
    'cannabis'
    """
    found = _table().keys.get(key)
    return by_lexfile(nouns, key) if found is None else found


def by_lexfile(nouns: WordNet, key: str) -> int | None:
    """The first sense that a key's lemma and lexicographer file allow, which settles most keys."""
    lemma, _, rest = key.partition("%")
    kind, _, rest = rest.partition(":")
    lexfile = rest.partition(":")[0]
    if kind != NOUN or not lexfile.isdigit():
        return None
    said = lemma.replace("_", " ")
    own = (s.key for s in nouns.senses(said) if key_of(s.term) == key_of(said))
    return next((n for n in own if nouns.lexfiles[n] == int(lexfile)), None)


def _scores(senses: Sequence[Sense], context: tables.Array) -> tables.Array:
    """Shape (senses,), float64."""
    table = _table()
    total = math.fsum(s.frequency + UNSEEN for s in senses)
    prior = np.log([(s.frequency + UNSEEN) / total for s in senses])
    near: tables.Array = np.array([table.sense(s.key) @ context for s in senses])
    return prior + CONTEXT * near


class Vectors:
    """The table of words and senses."""

    def __init__(self) -> None:
        table = tables.load(tables.FOLDER / TABLE, LAYOUT, "scripts/build_senses.py")
        words = tables.unpack(table["words"])
        self.numbers = dict(zip(words, range(len(words)), strict=True))
        keys = tables.unpack(table["keys"])
        self.keys: dict[str, int] = dict(zip(keys, table["key_synsets"].tolist(), strict=True))
        synsets = table["synsets"].tolist()
        self._senses = dict(zip(synsets, range(len(synsets)), strict=True))
        self._sense_vectors = table["sense_vectors"]  # shape (senses, size), int8
        self._word_vectors = table["word_vectors"]  # shape (words, size), int8
        self._weights = table["word_weights"]
        self.size: int = self._word_vectors.shape[1]

    def words(self, rows: tables.Array) -> tables.Array:
        """The vectors of words, each as long as its weight: shape (rows, size), float32."""
        vectors = self._word_vectors[rows].astype(np.float32)
        made: tables.Array = (
            vectors * (self._weights[rows] / np.linalg.norm(vectors, axis=1))[:, None]
        )
        return made

    def sense(self, synset: int) -> tables.Array:
        """The unit vector of a synset: shape (size,), float32; zero if nothing is known about it."""
        at = self._senses.get(synset)
        if at is None:
            return np.zeros(self.size, dtype=np.float32)
        return _unit(self._sense_vectors[at].astype(np.float32))


@cache
def _table() -> Vectors:
    return Vectors()


@lru_cache(maxsize=1 << 16)
def _numbers(word: str) -> tuple[int, ...]:
    """The rows of the vectors of a word, or of the parts of "three-foot"."""
    numbers = _table().numbers
    return tuple(numbers[w] for w in _LETTERS.findall(plain_lower(word)) if w in numbers)


@lru_cache(maxsize=16)
def _rows(words: tuple[str, ...]) -> tuple[tables.Array, tables.Array, list[str]]:
    """The places of words that have vectors, their rows, and the normal forms of all words."""
    pairs = [(at, row) for at, word in enumerate(words) for row in _numbers(word)]
    places, rows = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
    return places, rows, [_normal(w) for w in words]


@lru_cache(maxsize=1 << 16)
def _normal(word: str) -> str:
    return chunker.word(word).normal if word[:1].isalnum() else word


def _about(term: str, words: tuple[str, ...], at: int | None) -> tables.Array:
    """The unit vector of a context without the term itself: shape (size,), float32."""
    places, rows, normals = _rows(words)
    own = {w.normal for w in chunker.words(term)}
    mentions = np.array([i for i, normal in enumerate(normals) if normal in own], dtype=np.intp)
    weights = np.ones(len(places), dtype=np.float32)
    centres = mentions if at is None else np.array([at])
    if len(centres):
        weights = np.exp(-_nearest(places, centres) / REACH).astype(np.float32)
    weights[np.isin(places, mentions)] = 0  # the term says nothing about its own sense
    return _unit(weights @ _table().words(rows))


def _nearest(places: tables.Array, centres: tables.Array) -> tables.Array:
    """How far each place is from the nearest centre; both ascend."""
    after = np.searchsorted(centres, places)
    left = centres[np.maximum(after - 1, 0)]
    right = centres[np.minimum(after, len(centres) - 1)]
    found: tables.Array = np.minimum(np.abs(places - left), np.abs(places - right))
    return found


def _unit(vector: tables.Array) -> tables.Array:
    length = float(np.linalg.norm(vector))
    made: tables.Array = vector / length if length else vector
    return made
