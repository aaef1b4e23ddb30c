"""Speed and memory of the embedded taxonomies beside a plain reader of WordNet's files, in one run.

    python -m benchmarks.know_taxonomy [--wordnet FOLDER]

The baseline reads data.noun and index.noun into dictionaries and counts leaves below an ancestor by walking
the hyponyms, as a reader without tables must; it needs the dictionary files (FOLDER), and is left out
without them. nltk's reader is measured, too, where it is installed with its data. Times are wall seconds
of one process each, the best of three; memory is what the process grew by.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

LADDERS = 20_000


def measure(
    make: Callable[[], Any], ladder: Callable[[Any, str], Any], lemmas: list[str]
) -> dict[str, float]:
    """Open once, climb many times: the first time each, and again."""
    before = _memory()
    began = time.perf_counter()
    taxonomy = make()
    opened = time.perf_counter() - began
    grown = _memory() - before
    rounds = []
    for _ in range(2):
        began = time.perf_counter()
        for lemma in lemmas:
            ladder(taxonomy, lemma)
        rounds.append((time.perf_counter() - began) / len(lemmas) * 1e6)
    return {"open": opened, "memory": grown, "first": rounds[0], "again": rounds[1]}


def _memory() -> float:
    """Resident megabytes of this process now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def embedded(lemmas: list[str], _: str) -> dict[str, float]:
    from sfumato.know.taxonomy import wordnet
    from sfumato.know.taxonomy.chain import Chain

    return measure(
        lambda: Chain([wordnet.default()]), lambda chain, term: chain.ladder(term), lemmas
    )


def with_nltk(lemmas: list[str], _: str) -> dict[str, float]:
    from nltk.corpus import wordnet as reader

    def make() -> Any:
        reader.ensure_loaded()
        return reader

    def ladder(words: Any, term: str) -> list[tuple[str, int]]:
        at = words.synsets(term.replace(" ", "_"), pos="n")[0]
        made = [(term, 1)]
        while parents := at.hypernyms() or at.instance_hypernyms():
            at = parents[0]
            below = list(at.closure(lambda s: s.hyponyms() + s.instance_hyponyms()))
            leaves = {s for s in below if not s.hyponyms() and not s.instance_hyponyms()}
            made.append((at.name(), len(leaves)))
        return made

    return measure(make, ladder, lemmas[:50])


class Plain:
    """Dictionaries of everything, leaves counted when asked for and then kept."""

    def __init__(self, folder: Path) -> None:
        self.words: dict[int, str] = {}
        self.parents: dict[int, list[int]] = {}
        self.children: dict[int, list[int]] = defaultdict(list)
        self.index: dict[str, list[int]] = {}
        self.leaves: dict[int, int] = {}
        for line in (folder / "data.noun").read_text(encoding="latin-1").splitlines():
            if line.startswith(" "):
                continue
            fields = line.partition(" | ")[0].split()
            at = 4 + 2 * int(fields[3], 16)
            offset = int(fields[0])
            self.words[offset] = fields[4]
            links = [fields[at + 1 + 4 * i : at + 3 + 4 * i] for i in range(int(fields[at]))]
            self.parents[offset] = [int(o) for s, o in links if s in ("@", "@i")]
            for parent in self.parents[offset]:
                self.children[parent].append(offset)
        for line in (folder / "index.noun").read_text(encoding="latin-1").splitlines():
            if not line.startswith(" "):
                fields = line.split()
                self.index[fields[0]] = [int(o) for o in fields[-int(fields[2]) :]]

    def volume(self, synset: int) -> int:
        if synset not in self.leaves:
            seen, todo, count = {synset}, [synset], 0
            while todo:
                below = self.children.get(todo.pop(), [])
                count += not below
                for child in below:
                    if child not in seen:
                        seen.add(child)
                        todo.append(child)
            self.leaves[synset] = count
        return self.leaves[synset]

    def ladder(self, term: str) -> list[tuple[str, int]]:
        made = [(term, 1)]
        if term.replace(" ", "_") not in self.index:
            return made  # hyphens: the embedded table finds "self esteem", the files do not
        at = self.index[term.replace(" ", "_")][0]
        while self.parents[at]:
            at = self.parents[at][0]
            made.append((self.words[at], self.volume(at)))
        return made


def plain(lemmas: list[str], folder: str) -> dict[str, float]:
    return measure(lambda: Plain(Path(folder)), Plain.ladder, lemmas)


def others(lemmas: list[str], _: str) -> dict[str, float]:
    """The whole default chain, with everything opened: one lookup in each table."""
    from sfumato.know.taxonomy import chain as taxonomy

    def make() -> Any:
        chain = taxonomy.default()
        chain.senses("Paris")
        return chain

    return measure(make, lambda chain, term: chain.ladder(term), lemmas)


CONTENDERS = {"embedded": embedded, "all": others, "plain": plain, "nltk": with_nltk}


def apart(name: str, lemmas: list[str], folder: str) -> dict[str, float] | None:
    """A contender in a process of its own, the best of three."""
    runs = []
    for _ in range(3):
        command = [sys.executable, __file__, "--only", name, "--wordnet", folder]
        done = subprocess.run(command, input="\n".join(lemmas), capture_output=True, text=True)
        if done.returncode:
            return None
        runs.append(json.loads(done.stdout))
    return {key: min(run[key] for run in runs) for key in runs[0]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wordnet", default="", help="the folder with data.noun and index.noun")
    parser.add_argument("--only", choices=CONTENDERS, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only:
        import sfumato  # noqa: F401 - what every program pays once is not counted

        print(json.dumps(CONTENDERS[options.only](sys.stdin.read().split("\n"), options.wordnet)))
        return

    from sfumato.know import tables
    from sfumato.know.taxonomy import wordnet

    words = wordnet.default()
    plain_words = [w for w in words.lemmas() if w.replace(" ", "").isalpha()]
    lemmas = plain_words[:: max(1, len(plain_words) // LADDERS)][:LADDERS]
    print(f"{'':34}{'ready s':>9}{'MB':>7}{'ladder µs':>11}{'again µs':>10}")
    titles = {
        "embedded": "embedded WordNet",
        "all": "WordNet, places, named things",
        "plain": "plain dictionaries, same files",
        "nltk": "nltk (50 ladders)",
    }
    for name, title in titles.items():
        found = apart(name, lemmas, options.wordnet) if name != "plain" or options.wordnet else None
        if found is None:
            print(f"{title:34}not here")
            continue
        print(
            f"{title:34}{found['open']:9.3f}{found['memory']:7.0f}"
            f"{found['first']:11.1f}{found['again']:10.1f}"
        )
    print("goal: ready in 0.2 s, 60 MB, a ladder in 20 µs")
    for path in sorted(tables.FOLDER.glob("*.npz")) + sorted(tables.FOLDER.glob("glosses.xz")):
        print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
