#!/usr/bin/env python3
"""Build src/sfumato/english/words.txt.gz: ordinary English words, counted from a sample of Wikipedia.

A word is ordinary if it stands in lower case in at least MIN_ARTICLES articles, and not only by accident
among its capitalised forms: "rose" and "mark" are in the list while "smith" and "keller" are not.

    scripts/build_words.py ../shared/data/corpus/enwiki-*.jsonl.xz
"""

from __future__ import annotations

import argparse
import gzip
import json
import lzma
import re
from collections import Counter
from pathlib import Path

from sfumato.english.dates import MONTHS, WEEKDAYS
from sfumato.english.wordlists import word_set

MIN_ARTICLES = 12
MIN_LOWER_SHARE = 0.1
# A month, day or form of address is an ordinary word however it is written, and so are words that are more
# often told as names.
ALWAYS = frozenset(map(str.lower, (*MONTHS, *WEEKDAYS))) | word_set(
    "english mr mrs ms dr frank fox carol pat nick christian basil rosemary"
)
OUT = Path(__file__).parent.parent / "src/sfumato/english/words.txt.gz"
WORD = re.compile(r"[A-Za-z]+")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", nargs="+", type=Path)
    lower: Counter[str] = Counter()
    anyhow: Counter[str] = Counter()
    for path in parser.parse_args().corpus:
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
    text = "\n".join(sorted(kept | ALWAYS)) + "\n"
    OUT.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{len(kept):,} words, {OUT.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
