"""The last step of a build: the terms in order, their coded postings, the file (see `index_build`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO

import numpy as np

from sfumato.english import chunker
from sfumato.errors import InputError
from sfumato.know import tables
from sfumato.know.statistics import index
from sfumato.know.statistics.shards import Build, IndexSettings
from sfumato.know.statistics.workers import Array, load, save

POSTINGS_IN_PART = 6_000_000
BYTES_FOR_A_TERM = 9  # its entry in the file, about: to choose the cut before it is written


@dataclass(frozen=True, slots=True)
class Plan:
    """The terms of the index: numbers of words (sorted) and keys of phrases (sorted), each with its place
    in the order of all terms, and their counts in that order."""

    terms: list[str]
    counts: Array
    word: Array
    word_place: Array
    key: Array
    key_place: Array
    least_phrase: int


def _phrases(counted: Sequence[Path], least: int) -> tuple[Array, Array, Array]:
    """The keys that enough units hold, their counts and their words."""
    keys = np.concatenate([load(p, "key") for p in counted])
    counts = np.concatenate([load(p, "key_count") for p in counted])
    distinct, first, where = np.unique(keys, return_index=True, return_inverse=True)
    total = np.bincount(where, weights=counts, minlength=len(distinct)).astype(np.int64)
    kept = total >= least
    inside = np.concatenate([load(p, "inside") for p in counted])[first[kept]]
    return distinct[kept], total[kept], inside


def _plan(
    words: Sequence[str], word_counts: Array, phrases: tuple[Array, Array, Array], least_phrase: int
) -> Plan:
    single = np.array([i for i, w in enumerate(words) if w not in chunker.FUNCTION], dtype=np.int64)
    kept = phrases[1] >= least_phrase
    key, key_counts = phrases[0][kept], phrases[1][kept]
    said = [words[i] for i in single]
    said += [" ".join([words[i] for i in row if i >= 0]) for row in phrases[2][kept].tolist()]
    counts = np.concatenate([word_counts[single], key_counts]).astype(np.int64)
    order = np.array(sorted(range(len(said)), key=said.__getitem__), dtype=np.int64)
    place = np.empty(len(said), dtype=np.int64)
    place[order] = np.arange(len(said))
    return Plan(
        [said[i] for i in order],
        counts[order],
        single,
        place[: len(single)],
        key,
        place[len(single) :],
        least_phrase,
    )


def _smallest_cut(
    words: Sequence[str],
    word_counts: Array,
    phrase_counts: Array,
    size: int,
    settings: IndexSettings,
) -> int:
    """The smallest minimum for phrases with which the file should stay within its limit."""
    least = max(settings.least, settings.least_phrase)
    if not settings.max_bytes:
        return least
    top = int(max(word_counts.max(initial=1), phrase_counts.max(initial=1)))
    bytes_for = np.array(
        [0]
        + [
            min(index.elias_fano_bytes(n, size), size // 8 + 32) + BYTES_FOR_A_TERM
            for n in range(1, top + 1)
        ],
        dtype=np.int64,
    )
    single = np.array([w not in chunker.FUNCTION for w in words], dtype=bool)
    fixed = int(bytes_for[word_counts[single]].sum())
    by_count = np.bincount(phrase_counts, minlength=top + 1) * bytes_for
    above = np.cumsum(by_count[::-1])[::-1]  # bytes of all phrases of at least that count
    fits = np.flatnonzero(fixed + above <= settings.max_bytes)
    return max(least, int(fits[0]) if len(fits) else top + 1)


def write(
    build: Build, counted: Sequence[Path], units: Sequence[int], out: BinaryIO
) -> dict[str, Any]:
    """Write the index of what was counted, `units` in each shard; its size by name."""
    work, settings, size = build.work, build.settings, sum(units)
    words = tables.unpack(load(work / "words.npz", "words"))
    word_counts = load(work / "words.npz", "counts")
    phrases = _phrases(counted, max(settings.least, settings.least_phrase))
    least = _smallest_cut(words, word_counts, phrases[1], size, settings)
    while True:
        plan = _plan(words, word_counts, phrases, least)
        written = _code(build, plan, counted, units, out)
        largest = int(plan.counts.max(initial=0))
        if not settings.max_bytes or written <= settings.max_bytes or least > largest:
            break
        least += 1
    if settings.max_bytes and written > settings.max_bytes:
        raise InputError(
            f"the words alone take {written:,} bytes, more than the limit of "
            f"{settings.max_bytes:,}; raise the limit or the minimum count"
        )
    return {
        "units": size,
        "terms": len(plan.terms),
        "words": len(plan.word),
        "least_phrase": least,
        "bytes": written,
    }


def _code(
    build: Build, plan: Plan, counted: Sequence[Path], units: Sequence[int], out: BinaryIO
) -> int:
    """Code the postings part by part and write the file; its length in bytes."""
    work, settings = build.work, build.settings
    save(
        work / "plan.npz",
        counts=plan.counts,
        word=plan.word,
        word_place=plan.word_place,
        key=plan.key,
        key_place=plan.key_place,
        bases=np.cumsum([0, *units]),
    )
    parts = np.cumsum(plan.counts) // POSTINGS_IN_PART
    edges = [0, *(np.flatnonzero(np.diff(parts)) + 1).tolist(), len(plan.terms)]
    names = [str(p) for p in counted]
    tasks = [(lo, hi, names, str(work)) for lo, hi in pairwise(edges)]
    with TemporaryFile(dir=work) as terms, TemporaryFile(dir=work) as postings:
        writer = index.Writer(terms, postings, sum(units))
        done = build.each("code", _code_part, tasks)
        for (lo, hi, _, _), coded in zip(tasks, done, strict=True):
            for at, posting in zip(range(lo, hi), coded, strict=True):
                writer.add(plan.terms[at], int(plan.counts[at]), posting)
        out.seek(0)
        out.truncate()  # it was too large before
        return writer.close(
            out,
            {
                "rules": chunker.VERSION,
                "unit": settings.unit,
                "terms": len(plan.terms),
                "words": len(plan.word),
                "least": settings.least,
                "least_phrase": plan.least_phrase,
                "source": settings.source,
            },
        )


def _code_part(task: tuple[int, int, list[str], str]) -> list[bytes]:
    """The coded postings of the terms from lo to hi."""
    lo, hi, names, work = task
    plan = dict(np.load(Path(work) / "plan.npz"))
    counts = plan["counts"][lo:hi]
    starts = np.concatenate([[0], np.cumsum(counts)])
    cursor = starts[:-1].copy()
    all_units = np.empty(int(starts[-1]), dtype=np.uint32)
    for number, name in enumerate(names):
        base = np.uint32(plan["bases"][number])
        for sort in ("word", "key"):
            ids, lengths = load(Path(name), sort), load(Path(name), f"{sort}_count")
            at = np.minimum(np.searchsorted(plan[sort], ids), max(len(plan[sort]) - 1, 0))
            mine = np.zeros(len(ids), dtype=bool)
            if len(plan[sort]):
                place = plan[f"{sort}_place"][at] - lo
                mine = (plan[sort][at] == ids) & (place >= 0) & (place < hi - lo)
            if not mine.any():
                continue
            place, chosen = place[mine], lengths[mine]
            run = np.arange(int(chosen.sum())) - np.repeat(np.cumsum(chosen) - chosen, chosen)
            source = np.repeat((np.cumsum(lengths) - lengths)[mine], chosen) + run
            target = np.repeat(cursor[place], chosen) + run
            all_units[target] = load(Path(name), f"{sort}_unit")[source] + base
            cursor[place] += chosen
    size = int(plan["bases"][-1])
    return [
        index.encode(all_units[a:b], size)
        for a, b in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
    ]
