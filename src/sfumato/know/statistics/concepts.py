"""The articles of concepts: those that hold the word of a concept or of anything below it.

Section 3.2 of the correlated-terms paper counts a generalisation wherever one of its specialisations
stands: an article about melanoma is one about a disease. A concept is written as `taxonomy:key`, as
ladders have it.

    >>> from sfumato.know import statistics, taxonomy
    >>> from sfumato.know.taxonomy import wordnet
    >>> known = ConceptUnits(statistics.default(), taxonomy.default())
    >>> disease = wordnet.default().senses("disease")[0].concept
    >>> len(known.units(disease)) > 2 * statistics.default().count("disease")
    True

A word counts only where the concept is its first sense, so that a "star" is no performer; a concept's own
word also where nothing else is known of it. So what is above a concept has all its articles. A concept of
the named things has the articles of the WordNet concept behind it, a phrase of theirs ("British television
drama") those that hold all its words. Going through all that is below takes seconds for the broadest
concepts; for the index and the taxonomies that come along, `scripts/build_concepts.py` has done it.
"""

from __future__ import annotations

import json
import mmap
import struct
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

import numpy as np
from pyroaring import BitMap

from sfumato.english import chunker
from sfumato.errors import InputError
from sfumato.files import write_file
from sfumato.know import tables
from sfumato.know.statistics.index import Index, decode, encode
from sfumato.know.statistics.probability import DEFAULT, IndexStatistics
from sfumato.know.taxonomy import named, wordnet
from sfumato.know.taxonomy.chain import Chain
from sfumato.know.taxonomy.ladder import Sense

TABLE = "concepts.units"
MAGIC = b"sfumato-units-2\n"
STORED_FROM = 50  # concepts below which so many others are in the table
VALUES = frozenset({"calendar", "ranges"})  # values are written in too many ways to be counted


class ConceptUnits:
    """The articles of concepts in one index; kept from one question to the next."""

    def __init__(self, statistics: IndexStatistics, chain: Chain, *, stored: bool = True) -> None:
        self._statistics, self._chain = statistics, chain
        comes_along = statistics.index.path == tables.FOLDER / DEFAULT
        stored = stored and comes_along
        self._table = StoredUnits(tables.FOLDER / TABLE, statistics.index) if stored else None
        self._units: dict[str, BitMap] = {}
        self._below: dict[str, BitMap] = {}

    def units(self, concept: str) -> BitMap:
        """The articles of a concept; none where its taxonomy cannot be counted. Not to be changed."""
        found = self._units.get(concept)
        if found is None:
            found = self._units[concept] = self._find(concept)
        return found

    def _find(self, concept: str) -> BitMap:
        taxonomy, _, key = concept.partition(":")
        if taxonomy in VALUES:
            return BitMap()
        if taxonomy == named.NAME:
            if "/" not in key:
                return self.units(f"{wordnet.NAME}:{key}")
            return self._statistics.known(self._phrase(key)).units or BitMap()
        sense = Sense(taxonomy, int(key), "")
        return self.below(sense) or self._own(self._word(sense))

    def below(self, sense: Sense) -> BitMap:
        """The articles of the words whose first sense is a concept or lies below it."""
        concept = sense.concept
        found = self._below.get(concept)
        if found is None:
            found = self._table.get(concept) if self._table else None
            if found is None:
                children = self._chain.children(sense)
                parts = [self.below(child) for child in children]
                word = self._word(sense)
                first = self._chain[sense.taxonomy].senses(word)
                if first and first[0].key == sense.key:
                    parts.append(self._own(word))
                found = BitMap.union(BitMap(), *parts)
            self._below[concept] = found
        return found

    def _word(self, sense: Sense) -> str:
        if sense.term:
            return sense.term
        taxonomy = self._chain[sense.taxonomy]
        if isinstance(taxonomy, wordnet.WordNet):
            return taxonomy.word(sense.key)
        # Other taxonomies say the word of a concept on the ladders of what is below it.
        for child in taxonomy.children(sense):
            for step in taxonomy.climb(child):
                if step.concept == sense.concept:
                    return step.term
        return ""

    def _own(self, word: str) -> BitMap:
        """The articles that hold a word as it is spelt; a name that is only known in lower case is none."""
        normal = chunker.normal(word)
        entry = self._statistics.index.find(normal) if normal else None
        return self._statistics.index.posting(entry) if entry else BitMap()

    def _phrase(self, key: str) -> str:
        number, _, dropped = key.partition("/")
        table = self._chain[named.NAME]
        assert isinstance(table, named.Named)
        return " ".join(table.kinds()[int(number)].phrase.split()[int(dropped) :])


def write_table(path: Path, index: Index, units: Mapping[str, BitMap]) -> None:
    """Store the articles that concepts have in an index; equal inputs give equal bytes."""
    places, blobs, at = {}, [], 0
    for concept, found in units.items():
        coded = encode(np.array(found.to_array(), dtype=np.uint32), index.size)
        places[concept] = (len(found), at, len(coded))
        blobs.append(coded)
        at += len(coded)
    content = {"index": index.identity, "size": index.size, "concepts": places}
    header = json.dumps(content, separators=(",", ":")).encode()
    write_file(path, MAGIC + struct.pack("<I", len(header)) + header + b"".join(blobs))


class StoredUnits:
    """Stored articles of broad concepts in one index, read when they are asked for."""

    def __init__(self, path: Path, index: Index) -> None:
        self._path, self._index = path, index

    @cached_property
    def _file(self) -> tuple[mmap.mmap, int, int, dict[str, tuple[int, int, int]]]:
        again = "make it with scripts/build_concepts.py"
        try:
            with self._path.open("rb") as file:
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError):
            raise InputError(f"the table {self._path.name} cannot be read: {again}") from None
        if data[: len(MAGIC)] != MAGIC:
            raise InputError(f"the table {self._path.name} has another layout: {again}")
        start = len(MAGIC) + 4
        try:
            (length,) = struct.unpack_from("<I", data, len(MAGIC))
            header = json.loads(data[start : start + length])
        except (ValueError, struct.error):
            raise InputError(f"the table {self._path.name} cannot be read: {again}") from None
        if header["index"] != self._index.identity:
            raise InputError(
                f"the table {self._path.name} was made for another index than {self._index.path.name}: "
                f"{again}"
            )
        places = {k: (c, a, n) for k, (c, a, n) in header["concepts"].items()}
        return data, start + length, int(header["size"]), places

    def get(self, concept: str) -> BitMap | None:
        """What lies at or below a concept; None where it is not stored."""
        data, base, size, places = self._file
        place = places.get(concept)
        if place is None:
            return None
        count, start, length = place
        return decode(data[base + start : base + start + length], count, size)

    def __iter__(self) -> Iterator[str]:
        return iter(self._file[3])
