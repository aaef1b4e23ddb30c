#!/usr/bin/env python3
"""Build src/sfumato/english/given.txt.gz: given names of many lands, from the lists of Faker (MIT).

Ordinary English words are left out, names in another alphabet, and what only the long list of all that
children in the United States were ever called holds, surnames and towns among them.

    scripts/build_given.py
"""

from __future__ import annotations

import gzip
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import faker.providers.person as lands

from sfumato.english.folding import plain_lower
from sfumato.english.ordinary import is_ordinary

OUT = Path(__file__).parent.parent / "src/sfumato/english/given.txt.gz"
LISTS = ("first_names_male", "first_names_female", "first_names_nonbinary")
LATIN = 0x250  # where the letters of Latin alphabets end
SHORTEST = 3
LONG_LIST = "en"


def given() -> Iterator[str]:
    for land in pkgutil.iter_modules(lands.__path__):
        if land.name == LONG_LIST:
            continue
        provider = importlib.import_module(f"{lands.__name__}.{land.name}").Provider
        for name in LISTS:
            listed = getattr(provider, name, ())
            yield from () if isinstance(listed, property) else listed


def main() -> None:
    names = {
        plain_lower(name)
        for name in given()
        if name.isalpha() and len(name) >= SHORTEST and max(map(ord, name)) < LATIN
    }
    kept = sorted(name for name in names if not is_ordinary(name))
    OUT.write_bytes(gzip.compress("\n".join(kept).encode() + b"\n", mtime=0))
    print(f"{len(kept):,} names, {OUT.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
