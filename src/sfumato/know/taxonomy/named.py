"""Named things: a table from name to kind, counted from the first sentences of encyclopedia articles.

"… was a Tasmanian cricket player" gives Tasmanian cricket player → cricket player → WordNet's cricketer →
athlete → person. Every name of a kind is one more leaf below that kind and below WordNet's concepts above it,
so volumes count both. Names are stored as hashes: the table answers for a name, it cannot list them. It is
made by `scripts/build_named_things.py`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from sfumato.english.folding import normal_form
from sfumato.know import fingerprints, tables
from sfumato.know.taxonomy import wordnet
from sfumato.know.taxonomy.ladder import Sense, Step, merge, sanchez_batet
from sfumato.know.taxonomy.wordnet import WordNet
from sfumato.plugins import taxonomy

NAME = "named"
TABLE = "named.npz"
LAYOUT = "named-1"


class NamedKind(NamedTuple):
    """A kind phrase, WordNet's concept for it, and how many names are of this kind."""

    phrase: str
    synset: int
    names: int


@dataclass(frozen=True)
class _Table:
    hashes: tables.Array  # shape (names,), uint64, sorted
    kinds: tables.Array  # shape (names,), uint32
    phrases: list[str]
    synsets: tables.Array  # shape (kinds,), uint32
    counts: tables.Array  # shape (kinds,), int64: names of each kind
    tail_counts: tables.Array  # names of each kind and of its shorter forms, one after the other
    tail_at: tables.Array  # shape (kinds + 1,), int64: where those of a kind begin
    below: dict[int, int]  # synset → names that climb through it


class Named:
    """Names and what they are, on top of WordNet. Nothing is read before the first question."""

    name = NAME

    @cached_property
    def _words(self) -> WordNet:
        return wordnet.default()

    @cached_property
    def _table(self) -> _Table:
        table = tables.load(tables.FOLDER / TABLE, LAYOUT, "scripts/build_named_things.py")
        phrases = tables.unpack(table["phrases"])
        return _Table(
            table["hashes"],
            table["kinds"],
            phrases,
            table["synsets"],
            np.bincount(table["kinds"], minlength=len(phrases)),
            table["tail_counts"],
            np.concatenate(([0], np.cumsum(table["tail_lengths"], dtype=np.int64))),
            dict(zip(table["climbed"].tolist(), table["climbing"].tolist(), strict=True)),
        )

    def __len__(self) -> int:
        return len(self._table.hashes)

    def kinds(self) -> list[NamedKind]:
        """Every kind of the table, in its order."""
        return self._kinds

    @cached_property
    def _kinds(self) -> list[NamedKind]:
        table = self._table
        columns = table.phrases, table.synsets.tolist(), table.counts.tolist()
        return [NamedKind(*row) for row in zip(*columns, strict=True)]

    def senses(self, term: str) -> list[Sense]:
        """What a name is; the kind with the most names first."""
        if not term[:1].isupper() and not term[:1].isdigit():
            return []
        wanted = np.uint64(hash_of(key_of(term)))
        first, last = (
            int(np.searchsorted(self._table.hashes, wanted, side=side))
            for side in ("left", "right")
        )
        return [
            Sense(NAME, kind, term, True, int(self._table.counts[kind]))
            for kind in self._table.kinds[first:last].tolist()
        ]

    def climb(self, sense: Sense) -> list[Step]:
        return [Step(sense.term, 1, self._most_bits), *self._above(sense.key)]

    def _above(self, kind: int) -> list[Step]:
        """The rungs of a kind: its phrase, the shorter ones, and WordNet's concepts."""
        table, words = self._table, self._words
        synset = int(table.synsets[kind])
        path = [synset]
        while (parent := words.parent(path[-1])) is not None:
            path.append(parent)
        depth = int(words.subsumers[synset])
        steps = []
        names: dict[int, str] = {}
        phrase_words = table.phrases[kind].split()
        for dropped in range(len(phrase_words)):
            phrase = " ".join(phrase_words[dropped:])
            if any(s.key == synset for s in words.senses(phrase.lower())):
                names[synset] = phrase  # the concept, by the word that the definition has for it
                break
            if any(s.key in path for s in words.senses(phrase.lower())):
                break
            # A phrase is no wider than the concept that it is a sort of.
            same = int(table.tail_counts[table.tail_at[kind] + dropped])
            volume = min(same, self._volume_of(synset))
            longer = depth + len(phrase_words) - dropped
            bits = sanchez_batet(volume, longer, self._all)
            steps.append(Step(phrase, volume, bits, f"{NAME}:{kind}/{dropped}"))
        for s in path:
            volume = self._volume_of(s)
            bits = sanchez_batet(volume, int(words.subsumers[s]), self._all)
            steps.append(Step(names.get(s) or words.word(s), volume, bits, f"{NAME}:{s}"))
        return merge([Step("", 1, self._most_bits), *steps])[1:]

    def _volume_of(self, synset: int) -> int:
        return int(self._words.leaves[synset]) + self._table.below.get(synset, 0)

    @cached_property
    def _all(self) -> int:
        return self._words.all_leaves + len(self._table.hashes)

    @cached_property
    def _most_bits(self) -> float:
        return sanchez_batet(0, 1, self._all)

    def volume(self, sense: Sense) -> int:
        return 1

    def children(self, sense: Sense) -> list[Sense]:
        """None: a name is a leaf."""
        return []

    def describe(self, sense: Sense) -> str:
        return self._table.phrases[sense.key]


def tails(phrase: str) -> list[str]:
    """The normal forms of a phrase and of what is left without its first words.

    >>> tails("Tasmanian cricket player")
    ['tasmanian cricket player', 'cricket player', 'player']
    """
    words = phrase.split()
    return [normal_form(" ".join(words[at:])) for at in range(len(words))]


def key_of(name: str) -> str:
    """The form under which a name is hashed."""
    return normal_form(name)


def hash_of(key: str) -> int:
    """64 bits of a name's hash. Two of a million names share one with a chance of 1 in 40 million."""
    data = key.encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=8).digest(), "little")


@taxonomy(NAME, knowledge=fingerprints.taxonomy)
def default() -> Named:
    """The embedded table."""
    return Named()
