#!/usr/bin/env python3
"""Build src/sfumato/english/words.txt.gz: ordinary English words, counted from a sample of Wikipedia, and
small_words.txt.gz beside it: others that WordNet 3.0 writes in small letters.

A word is ordinary if it stands in lower case in at least MIN_ARTICLES articles, and not only by accident
among its capitalised forms: "rose" and "mark" are in the list while "smith" and "keller" are not. "smith" and
"baker" are in the other list, with their plurals and forms of verbs that the sample has, unless it has them
in more than MANY articles and hardly ever small ("burke", "jean"); given names are not ("maria", of the
moon). SMALL_TOO and NAMES are exceptions. WORDNET is the folder that scripts/build_wordnet.py reads.

    scripts/build_words.py WORDNET ../shared/data/corpus/enwiki-*.jsonl.xz
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

from sfumato.english.dates import MONTHS, WEEKDAYS
from sfumato.english.inflection import regular_singulars
from sfumato.english.nicknames import gender, is_given
from sfumato.english.wordlists import word_set

MIN_ARTICLES = 12
MIN_LOWER_SHARE = 0.1
MANY, MIN_SMALL_SHARE = 50, 0.02
SMALL_TOO = word_set("beryl carter chuck earl hyacinth parsons smith tabby victor wright")
NAMES = word_set(
    "bach bailey brooks burgess chang cox gran khan lim lynch mama ming mir tang wade yang"
)
# A month, day or form of address is an ordinary word however it is written, and so are words that are more
# often told as names.
ALWAYS = frozenset(map(str.lower, (*MONTHS, *WEEKDAYS))) | word_set(
    "english mr mrs ms dr frank fox carol pat nick christian basil rosemary"
)
OUT = Path(__file__).parent.parent / "src/sfumato/english/words.txt.gz"
SMALL = OUT.with_name("small_words.txt.gz")
WORD = re.compile(r"[A-Za-z]+")
ENDING = re.compile(r"(?:(.)\1)?(?:ed|ing)$")


def written_small(wordnet: Path) -> Iterator[str]:
    """The words that WordNet writes in small letters."""
    for kind in ("noun", "verb", "adj", "adv"):
        for line in (wordnet / f"data.{kind}").read_text("utf-8").splitlines():
            fields = line.split()
            if not line.startswith(" "):
                many = int(fields[3], 16)
                words = (w.partition("(")[0] for w in fields[4 : 4 + 2 * many : 2])
                yield from (w for w in words if WORD.fullmatch(w) and w.islower())


def small_words(wordnet: Path, lower: Counter[str], anyhow: Counter[str]) -> set[str]:
    """The words of WordNet that it writes small, and what the sample has of their forms."""
    lemmas = set(written_small(wordnet))

    def is_form(word: str) -> bool:
        stem = ENDING.sub(r"\1", word)
        return not lemmas.isdisjoint((*regular_singulars(word), stem, f"{stem}e"))

    def is_name(word: str) -> bool:
        is_small = anyhow[word] <= MANY or lower[word] >= MIN_SMALL_SHARE * anyhow[word]
        return is_given(word) or bool(gender(word)) or not is_small

    found = lemmas | {w for w, n in lower.items() if n > 1 and is_form(w)}
    return {w for w in found if len(w) > 2 and not is_name(w)} - NAMES | SMALL_TOO


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wordnet", type=Path)
    parser.add_argument("corpus", nargs="+", type=Path)
    arguments = parser.parse_args()
    lower: Counter[str] = Counter()
    anyhow: Counter[str] = Counter()
    for path in arguments.corpus:
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                words = set(WORD.findall(json.loads(line)["text"]))
                lower.update(w for w in words if w.islower())
                anyhow.update({w.lower() for w in words})
    kept = {
        w
        for w, n in lower.items()
        if n >= MIN_ARTICLES and n >= MIN_LOWER_SHARE * anyhow[w] and len(w) > 1
    }
    ordinary = kept | ALWAYS
    for out, words in (
        (OUT, ordinary),
        (SMALL, small_words(arguments.wordnet, lower, anyhow) - ordinary),
    ):
        text = "\n".join(sorted(words)) + "\n"
        out.write_bytes(gzip.compress(text.encode(), mtime=0))
        print(f"{len(words):,} words, {out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
