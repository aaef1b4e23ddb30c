"""What a caller waits for: answers of 2 KB through the middleware, with 100,000 entities.

    python -m benchmarks.middleware [--entities 100000] [--answers 300] [--protected 0.1]

Entities are invented and the same in every run: 50 of 50,000 terms each, some far more frequent than others.
A page is HTML of about 2 KB with 40 context terms among other words, each answer another page, for three
readers in turn. The application itself answers at once, so that the time is the middleware's: rights read
anew, terms found, the search, the edits, the check of every claim. K is 10. Two searches are measured: one
that is made for speed (`method: conflicts`), and `auto`, which also tries to prove its result. Latencies are
by the clock, and CPU time beside it for machines that do other things as well.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.know.entities import imports as entities_import
from sfumato.serve import SanitizeResponses

VOCABULARY = 50_000
TERMS = 50
PAGE_TERMS = 40
PAGE_BYTES = 2_000
READERS = ("alice", "bob", "press")
FILLER = "The record of this week says that the work went on as it was meant to go and nobody asked"


def word(number: int) -> str:
    """An invented word for a term: letters only, none the plural of another."""
    letters = "bcdfghjklm"
    return "zo" + "".join(letters[int(d)] + "a" for d in f"{number:05d}")


def make_database(path: Path, entities: int, share: float) -> None:
    random = np.random.default_rng(1)
    builder = entities_import.Builder()
    for start in range(0, entities, 10_000):
        names, terms = [], []
        for entity in range(start, min(start + 10_000, entities)):
            drawn = np.unique((VOCABULARY * random.random(TERMS) ** 2).astype(np.int64))
            names += [f"Entity {word(entity)} {word(entity // 7)}"] * len(drawn)
            terms += [word(int(t)) for t in drawn]
        builder.add(names, terms)
    protected = sorted(random.choice(entities, int(entities * share), replace=False).tolist())
    with tempfile.TemporaryDirectory() as name:
        labels, readers = Path(name) / "labels.csv", Path(name) / "readers.csv"
        rows = [f"Entity {word(e)} {word(e // 7)}" for e in protected]
        labels.write_text(
            "entity,label\n"
            + "".join(f"{r},protected\n{r},ward {at % 2}\n" for at, r in enumerate(rows))
        )
        readers.write_text(
            f"reader,sees,value\nalice,label,ward 0\nbob,label,ward 1\npress,entity,{rows[0]}\n"
        )
        entities_import.build([], path, builder=builder, labels=labels, readers=readers)


def page(number: int) -> bytes:
    random = np.random.default_rng([2, number])
    said = [word(int(t)) for t in (VOCABULARY * random.random(PAGE_TERMS) ** 2)]
    filler = FILLER.split()
    words: list[str] = []
    while sum(len(w) + 1 for w in words) < PAGE_BYTES - 200:
        words.append(
            said[len(words) // 8 % PAGE_TERMS] if len(words) % 8 == 0 else filler[len(words) % 18]
        )
    body = " ".join(words)
    head = f"<head><title>Record {number}</title></head>"
    return f"<!DOCTYPE html><html>{head}<body><h1>Record</h1><p>{body}.</p></body></html>".encode()


async def ask(app: Any, reader: str, number: int) -> tuple[int, bytes]:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    scope = {"type": "http", "method": "GET", "path": f"/{number}", "headers": [], "reader": reader}
    await app(scope, receive, send)
    return sent[0]["status"], sent[1]["body"]


async def application(scope: Any, receive: Any, send: Any) -> None:
    headers = [(b"content-type", b"text/html; charset=utf-8")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": page(int(scope["path"][1:]))})


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--entities", type=int, default=100_000)
    parser.add_argument("--answers", type=int, default=300)
    parser.add_argument("--protected", type=float, default=0.1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        os.environ["XDG_CACHE_HOME"] = name
        database = Path(name) / "entities.db"
        make_database(database, given.entities, given.protected)
        for method in ("conflicts", "auto"):
            step = {"k": 10, "entities": str(database), "method": method}
            policy = {"detect": ["patterns"], "protect": [{"ksafety": step}, "replace"]}
            # In this process: the processor's time is measured, too.
            app = SanitizeResponses(
                application, policy, reader_from=lambda scope: scope["reader"], seconds=None
            )
            found = asyncio.run(measure(app, given.answers))
            print(json.dumps({"method": method, **found}, indent=2), flush=True)


async def measure(app: Any, answers: int) -> dict[str, Any]:
    start = time.perf_counter()
    await ask(app, READERS[0], 0)
    first = time.perf_counter() - start
    clock, processor, changed = [], [], 0
    for number in range(answers):
        wall, cpu = time.perf_counter(), time.process_time()
        status, body = await ask(app, READERS[number % 3], number)
        clock.append(time.perf_counter() - wall)
        processor.append(time.process_time() - cpu)
        assert status == 200, body
        changed += body != page(number)
    return {
        "bytes": len(page(1)),
        "first answer, s": round(first, 2),
        "changed": f"{changed} of {answers}",
        "p50, ms": round(1000 * float(np.percentile(clock, 50)), 1),
        "p99, ms": round(1000 * float(np.percentile(clock, 99)), 1),
        "p50 CPU, ms": round(1000 * float(np.percentile(processor, 50)), 1),
        "p99 CPU, ms": round(1000 * float(np.percentile(processor, 99)), 1),
    }


if __name__ == "__main__":
    main()
