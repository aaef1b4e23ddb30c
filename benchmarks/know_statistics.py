"""Term statistics: the index's goals, beside counts by SQLite's FTS5 on the same articles, in one run.

    python -m benchmarks.know_statistics [--articles 20000] [--pairs 100000]

The corpus is the encyclopedia sample in `../shared/data/corpus`; without it, only the index that comes along
is measured. Both sides index the same articles (FTS5 without content, the smallest it can be; one process, as
it has no other way) and are asked for the counts of the same pairs of terms: n(a), n(b), n(a, b), which is
what a PMI needs. "Cold" pairs are of terms that were not asked before. Each step runs in a process of its own
and reports the most memory that it, or one of its helpers, held.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CORPUS = sorted((ROOT.parent / "shared/data/corpus").glob("enwiki-*.jsonl.xz"))
GOALS = {
    "build, articles/s": ("at least", 700),
    "build, memory in MB, all processes": ("at most", 3000),
    "shipped index, MB": ("at most", 40),
    "open, s": ("at most", 0.3),
    "pmi, pairs/s": ("at least", 20_000),
}


def articles(count: int) -> Iterator[bytes]:
    def lines() -> Iterator[bytes]:
        for path in CORPUS:
            with lzma.open(path) as file:
                yield from file

    return islice(lines(), count)


def build_index(folder: Path, _: int) -> dict[str, float]:
    from sfumato.know.statistics.index_build import build

    jobs = 2
    done = build([folder / "corpus.jsonl"], folder / "own.terms", jobs=jobs)
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    helper = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000
    return {
        "build, articles/s": done.units / done.seconds,
        "build, memory in MB, all processes": own + jobs * helper,
        "size of the file, MB": done.bytes / 1e6,
    }


def build_fts5(folder: Path, _: int) -> dict[str, float]:
    begun = time.perf_counter()
    database = sqlite3.connect(folder / "fts.sqlite")
    database.execute(
        "CREATE VIRTUAL TABLE t USING fts5(x, content='', tokenize='porter unicode61')"
    )
    count = 0
    with database, (folder / "corpus.jsonl").open("rb") as file:
        for line in file:
            row = json.loads(line)
            database.execute("INSERT INTO t (x) VALUES (?)", (f"{row['title']}. {row['text']}",))
            count += 1
    database.close()
    return {
        "build, articles/s": count / (time.perf_counter() - begun),
        "build, memory in MB, all processes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        / 1000,
        "size of the file, MB": (folder / "fts.sqlite").stat().st_size / 1e6,
    }


def ask_index(folder: Path, count: int) -> dict[str, float]:
    from sfumato.know.statistics import probability as statistics

    begun = time.perf_counter()
    path = folder / "own.terms"
    source = statistics.load(path) if path.exists() else statistics.load(shipped())
    source.pmi("Miami", "Florida")
    opened = time.perf_counter() - begun
    terms = some_terms(path if path.exists() else shipped(), 10_000)
    cold = list(zip(terms[::2], terms[1::2], strict=True))
    warm = pairs_of(terms[:1000], count)
    return {
        "open, s": opened,
        "pmi, cold pairs/s": rate(cold, lambda a, b: source.pmi(a, b)),
        "pmi, pairs/s": rate(warm, lambda a, b: source.pmi(a, b)),
        "memory in MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000,
    }


def ask_fts5(folder: Path, count: int) -> dict[str, float]:
    begun = time.perf_counter()
    database = sqlite3.connect(folder / "fts.sqlite")

    def hits(query: str) -> int:
        found = database.execute("SELECT count(*) FROM t WHERE t MATCH ?", (query,)).fetchone()
        return int(found[0])

    hits('"Miami" AND "Florida"')
    opened = time.perf_counter() - begun

    def counts(a: str, b: str) -> None:
        hits(f'"{a}"'), hits(f'"{b}"'), hits(f'"{a}" AND "{b}"')

    terms = some_terms(folder / "own.terms", 10_000)
    return {
        "open, s": opened,
        "pmi, cold pairs/s": rate(list(zip(terms[:2000:2], terms[1:2000:2], strict=True)), counts),
        "pmi, pairs/s": rate(pairs_of(terms[:1000], min(count, 2000)), counts),
        "memory in MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000,
    }


def shipped() -> Path:
    return ROOT / "src/sfumato/know/data/wikipedia.terms"


def some_terms(path: Path, count: int) -> list[str]:
    """Terms of the index at random; taken from another opening of it, whose caches are not the ones asked."""
    from sfumato.know.statistics.index import Index

    return random.Random(5).sample([entry.term for entry in Index(path)], count)


def pairs_of(terms: list[str], count: int) -> list[tuple[str, str]]:
    rng = random.Random(6)
    return [(rng.choice(terms), rng.choice(terms)) for _ in range(count)]


def rate(pairs: list[tuple[str, str]], ask: Callable[[str, str], object]) -> float:
    begun = time.perf_counter()
    for a, b in pairs:
        ask(a, b)
    return len(pairs) / (time.perf_counter() - begun)


STEPS = {f.__name__: f for f in (build_index, build_fts5, ask_index, ask_fts5)}


def apart(step: str, folder: Path, pairs: int) -> dict[str, float]:
    command = [
        sys.executable,
        __file__,
        "--step",
        step,
        "--folder",
        str(folder),
        "--pairs",
        str(pairs),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    answer: dict[str, float] = json.loads(done.stdout)
    return answer


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--articles", type=int, default=20_000)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--step", choices=STEPS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        print(json.dumps(STEPS[options.step](options.folder, options.pairs)))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ours = {"shipped index, MB": shipped().stat().st_size / 1e6}
        theirs: dict[str, float] = {}
        whole = apart("ask_index", folder, options.pairs)
        if CORPUS:
            with (folder / "corpus.jsonl").open("wb") as file:
                file.writelines(articles(options.articles))
            for step in ("build_index", "ask_index"):
                ours |= apart(step, folder, options.pairs)
            for step in ("build_fts5", "ask_fts5"):
                theirs |= apart(step, folder, options.pairs)
            print(f"{options.articles:,} articles")
        else:
            print("no ../shared/data/corpus: only the index that comes along is measured")
            ours |= whole
        print(f"{'':38}{'index':>12}{'FTS5':>12}   goal")
        for row in dict.fromkeys([*ours, *theirs]):
            print(
                f"{row:38}{shown(ours.get(row)):>12}{shown(theirs.get(row)):>12}   {goal(row, ours)}"
            )
        print("\nthe shipped index")
        for row, value in whole.items():
            print(f"{row:38}{shown(value):>12}{'':12}   {goal(row, whole)}")


def shown(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if value >= 100 else f"{value:,.4g}"


def goal(row: str, measured: dict[str, float]) -> str:
    if row not in GOALS or row not in measured:
        return ""
    how, limit = GOALS[row]
    met = measured[row] >= limit if how == "at least" else measured[row] <= limit
    return f"{how} {limit:,}: {'met' if met else 'MISSED'}"


if __name__ == "__main__":
    main()
