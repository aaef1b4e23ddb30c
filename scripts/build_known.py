#!/usr/bin/env python3
"""Build src/sfumato/detect/model/known.txt.gz: people whom everybody knows, by their full names.

    scripts/build_known.py ../shared/data/corpus/enwiki-*.jsonl.xz

A full name is known if WordNet has it, or at least MIN_ARTICLES articles of a sample of Wikipedia tell it;
and if its last word is that person's rather than anybody's: of the articles that tell the last word, a share
tells the whole name. So Agatha Christie is in the list, and John Brown, whom WordNet has, is not.
"""

from __future__ import annotations

import argparse
import gzip
import json
import lzma
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from sfumato.detect import encoder
from sfumato.english.nicknames import is_given
from sfumato.english.wordlists import PARTICLES, TITLES
from sfumato.know.taxonomy import places, wordnet

MIN_ARTICLES = 12
MIN_SHARE = 0.1  # of the articles that tell the last word
OUT = encoder.KNOWN
WORD = r"(?:[A-Z]\.|[A-Z][^\W\d_]*(?:['’-][^\W\d_]+)*)"
RUN = re.compile(rf"{WORD}(?: (?:(?:{'|'.join(sorted(PARTICLES))}) ){{0,2}}(?:{WORD}))*")
MOST_WORDS = 5


def names_in(text: str) -> Iterator[str]:
    """Every run of words with capitals, particles between them, of which a name may consist."""
    for run in RUN.finditer(text):
        words = run[0].split(" ")
        for start, first in enumerate(words):
            if first[0].isupper():
                for end in range(start + 1, min(start + MOST_WORDS, len(words)) + 1):
                    if words[end - 1][0].isupper():
                        yield " ".join(words[start:end])


def counted(corpus: list[Path]) -> Counter[str]:
    """In how many articles each run of words stands."""
    articles: Counter[str] = Counter()
    for path in corpus:
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                articles.update(set(names_in(json.loads(line)["text"])))
        articles = Counter({name: n for name, n in articles.items() if n > 1})  # for the memory
    return articles


def in_wordnet() -> Iterator[str]:
    """The people that WordNet names in two words or more."""
    words = wordnet.default()
    person = words.senses("person")[0].key
    for synset in range(len(words)):
        if person in words.subsumers_of(synset):
            yield from (n for n in words.terms_of(synset) if " " in n and n[0].isupper())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", nargs="+", type=Path)
    articles = counted(parser.parse_args().corpus)
    towns = places.default()

    def is_told_apart(name: str) -> bool:
        last = name.split(" ")[-1]
        often = articles[name] >= MIN_SHARE * articles[last]
        return often and not is_given(last.lower()) and not towns.senses(name)  # "Ann Arbor"

    def is_full(name: str) -> bool:
        first, *rest = name.lower().split(" ")
        return (
            bool(rest)
            and is_given(first)
            and first not in PARTICLES
            and not {first, *rest}.intersection(TITLES)
        )

    often = (name for name, n in articles.items() if n >= MIN_ARTICLES and is_full(name))
    kept = sorted({n for n in (*often, *in_wordnet()) if is_told_apart(n) and "'s" not in n})
    OUT.write_bytes(gzip.compress("\n".join([*kept, ""]).encode(), mtime=0))
    print(f"{len(kept):,} names, {OUT.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
