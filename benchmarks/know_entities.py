"""Speed of the entity database beside a plain table of pairs with an index, on the same rows in one run.

    python -m benchmarks.know_entities [--full] [--entities 100000] [--terms 50] [--folder F]

The rows are invented and the same in every run: each entity draws its terms from 50,000, some far more often
than others. `--full` takes 1,000,000 entities with 50 terms each. A document has 200 context terms, drawn in
the same way; "most" is the worst case, the 200 terms that most entities have. The baseline is what one would
write first: a SQLite table (entity, term) with an index on the terms, and a query that selects the rows of
the document's terms in the order of the entities.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.know.entities import imports as entities_import
from sfumato.know.entities.sqlite import SqliteEntities

VOCABULARY = 50_000
DOCUMENT = 200
GOALS = {"import": 180.0, "open": 2.0, "restrict": 0.05}  # seconds, for 1,000,000 × 50
CHUNK = 20_000


def draw(random: np.random.Generator, size: int | tuple[int, int]) -> np.ndarray[Any, Any]:
    return (VOCABULARY * random.random(size) ** 2).astype(np.int64)


def words() -> list[str]:
    """Terms of one or two words; no two share a normal form."""
    return [f"kind{n % 97} mark{n}" if n % 3 == 0 else f"mark{n}" for n in range(VOCABULARY)]


def write_rows(path: Path, entities: int, terms: int) -> None:
    random = np.random.default_rng(0)
    spelled = words()
    drawn = terms + max(1, terms // 100)  # some are drawn twice
    with path.open("w") as file:
        file.write("entity,term\n")
        for start in range(0, entities, CHUNK):
            rows = draw(random, (min(CHUNK, entities - start), drawn)).tolist()
            file.write(
                "".join(
                    f"Entity {start + i:07},{spelled[t]}\n"
                    for i, row in enumerate(rows)
                    for t in row
                )
            )


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    begin = time.perf_counter()
    result = call()
    return time.perf_counter() - begin, result


def median(call: Callable[[int], Any], times: int) -> float:
    return statistics.median(timed(partial(call, n))[0] for n in range(times))


def baseline(folder: Path, ours: SqliteEntities, documents: list[list[int]]) -> dict[str, float]:
    path = folder / "plain.sqlite"
    indptr, indices = ours.contexts()
    size = len(ours)

    def load() -> None:
        with closing(sqlite3.connect(path)) as table:
            table.execute("PRAGMA journal_mode = OFF")
            table.execute("PRAGMA synchronous = OFF")
            table.execute("CREATE TABLE pairs (entity INTEGER, term INTEGER)")
            for start in range(0, size, CHUNK):
                end = min(size, start + CHUNK)
                owner = np.repeat(np.arange(start, end), np.diff(indptr[start : end + 1]))
                held = indices[indptr[start] : indptr[end]]
                pairs = zip(owner.tolist(), held.tolist(), strict=True)
                table.executemany("INSERT INTO pairs VALUES (?, ?)", pairs)
            table.execute("CREATE INDEX by_term ON pairs (term, entity)")
            table.commit()

    seconds, _ = timed(load)
    with closing(sqlite3.connect(path)) as table:

        def ask(number: int) -> Any:
            marks = ",".join("?" * DOCUMENT)
            query = f"SELECT entity, term FROM pairs WHERE term IN ({marks}) ORDER BY entity, term"
            return table.execute(query, documents[number]).fetchall()

        return {"load": seconds, "restrict": median(ask, 3)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help="1,000,000 entities")
    parser.add_argument("--entities", type=int, default=100_000)
    parser.add_argument("--terms", type=int, default=50)
    parser.add_argument("--folder", type=Path, default=None, help="where the files go; deleted")
    parser.add_argument("--no-baseline", action="store_true")
    options = parser.parse_args()
    size = 1_000_000 if options.full else options.entities
    folder = Path(tempfile.mkdtemp(dir=options.folder))
    try:
        rows = folder / "rows.csv"
        write_rows(rows, size, options.terms)
        path, cache = folder / "made.entities", folder / "cache"
        result: dict[str, Any] = {"csv_megabytes": round(rows.stat().st_size / 1e6, 1)}
        took, summary = timed(lambda: entities_import.build([rows], path, cache=cache))
        result |= summary._asdict() | {"import_s": round(took, 2)}
        result["peak_gigabytes"] = round(
            resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, 2
        )
        rows.unlink()
        result["file_megabytes"] = round(path.stat().st_size / 1e6, 1)
        took, first = timed(lambda: SqliteEntities(path, cache=folder / "empty"))
        without, _ = timed(lambda: first.restrict([0]))
        result["arrays_without_cache_s"] = round(took + without, 2)
        shutil.rmtree(folder / "empty")
        opening, ours = timed(lambda: SqliteEntities(path, cache=cache))
        mapping, _ = timed(lambda: ours.size)
        result["open_s"] = round(opening + mapping, 4)
        random = np.random.default_rng(1)
        documents = [
            random.permutation(np.unique(draw(random, 2 * DOCUMENT)))[:DOCUMENT].tolist()
            for _ in range(11)
        ]
        found = ours.restrict(documents[0])
        result["restricted_pairs"] = len(found.indices)
        result["restrict_ms"] = round(1e3 * median(lambda n: ours.restrict(documents[n]), 11), 2)
        often = np.argsort(-np.bincount(ours.contexts()[1]), kind="stable")[:DOCUMENT].tolist()
        result["most_pairs"] = len(ours.restrict(often).indices)
        result["restrict_most_ms"] = round(1e3 * median(lambda n: ours.restrict(often), 5), 2)
        text = " and ".join(ours.terms(documents[0]))
        took, _ = timed(lambda: ours.match(text))
        result["automaton_s"] = round(took, 3)
        result["match_ms"] = round(1e3 * median(lambda n: ours.match(text), 11), 2)
        goals = {
            "import": result["import_s"] <= GOALS["import"],
            "open": result["open_s"] <= GOALS["open"],
            "restrict": result["restrict_ms"] <= 1e3 * GOALS["restrict"],
        }
        if not options.no_baseline:
            plain = baseline(folder, ours, documents)
            result["plain_load_s"] = round(plain["load"], 2)
            result["plain_restrict_ms"] = round(1e3 * plain["restrict"], 1)
        print(json.dumps({**result, "goals": goals}, indent=2))
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
