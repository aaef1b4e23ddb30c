"""The first four steps of a build, shard by shard: cut, words, sift, count (see `index_build`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeVar

import numpy as np

from sfumato.english import chunker
from sfumato.files import PRIVATE, unfinished
from sfumato.know import tables
from sfumato.know.statistics.corpus import Chunk, CorpusFile, Progress, chunks, texts
from sfumato.know.statistics.workers import Array, Processes, distinct, load, save

Unit = Literal["article", "paragraph"]
T = TypeVar("T")
R = TypeVar("R")

MOST_SLOT_BITS = 27  # of the table: 2 bytes for each of 2^27 slots
_BREAK, _PARAGRAPH, _END = 0, 1, 2  # the first word numbers of a shard are no words


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """What decides the content of an index."""

    unit: Unit = "article"
    least: int = 5  # units that must hold a term
    least_phrase: int = 0  # the same for terms of several words; 0: as for words
    max_bytes: int = 0  # the phrases' minimum is raised until the file is no larger; 0: no limit
    source: str = ""  # where the corpus comes from, for people


@dataclass(frozen=True, slots=True)
class Build:
    """What every step of a build needs: the folder of what is finished, the settings, and who does it."""

    work: Path
    settings: IndexSettings
    processes: Processes
    progress: Progress

    def each(self, step: str, do: Callable[[T], R], tasks: Sequence[T]) -> Iterator[R]:
        """The results of a step's tasks in their order, while the progress is told."""
        for done, result in enumerate(self.processes.map(do, tasks), 1):
            self.progress(step, done, len(tasks))
            yield result


# Step 1: cut


class _Codes(dict[str, int]):
    """A token's number in its shard: twice the word's number, plus one for a capital letter."""

    def __init__(self) -> None:
        super().__init__()
        self.normals: dict[str, int] = {"": _BREAK, "\n": _PARAGRAPH, "\n\n": _END}

    def __missing__(self, token: str) -> int:
        if chunker.is_word(token):
            found = chunker.word(token)
            number = self.normals.setdefault(found.normal, len(self.normals))
            code = number << 1 | found.capital
        else:
            code = (_PARAGRAPH if token == "\n" else _BREAK) << 1
        self[token] = code
        return code


def _cut(task: tuple[Chunk, str, Unit]) -> str:
    chunk, out, unit = task
    codes = _Codes()
    stream: list[int] = []
    for text in texts(chunk):
        stream += [codes[token] for token in chunker.cut(text)]
        stream.append(_END << 1)
    tokens = np.array(stream, dtype=np.uint32)
    numbers = (tokens >> 1).astype(np.int64)
    units, count = _units(numbers, unit)
    at = np.flatnonzero(numbers > _END)
    seen = distinct(units[at] << 32 | numbers[at]) & 0xFFFFFFFF
    words = list(codes.normals)[_END + 1 :]
    save(
        Path(out),
        tokens=tokens,
        unit=units.astype(np.int32),
        units=np.array([count]),
        words=tables.pack(words),
        seen=np.bincount(seen, minlength=len(codes.normals))[_END + 1 :],
    )
    return out


def _units(numbers: Array, unit: Unit) -> tuple[Array, int]:
    """For each token the unit it stands in, numbered without those that have no words; their number."""
    ends = numbers == _END
    if unit == "paragraph":
        ends |= numbers == _PARAGRAPH
    units = np.cumsum(ends) - ends
    filled = np.zeros(int(units[-1]) + 2 if len(units) else 1, dtype=np.int64)
    filled[units[numbers > _END]] = 1
    return (np.cumsum(filled) - filled)[units], int(filled.sum())


def cut_all(build: Build, files: Sequence[CorpusFile]) -> list[Path]:
    """Shards of the whole corpus; those that are there are not made again."""
    shards: list[Path] = []

    def missing() -> Iterator[tuple[Chunk, str, Unit]]:
        for number, chunk in enumerate(chunks(files, build.progress)):
            shards.append(build.work / f"cut-{number:05}.npz")
            if not shards[-1].exists():
                yield chunk, str(shards[-1]), build.settings.unit

    for _ in build.processes.map(_cut, missing()):
        pass
    return shards


# Step 2: words


def number_words(build: Build, shards: Sequence[Path]) -> None:
    """The words of the corpus that enough units hold, in order."""
    total: dict[str, int] = {}
    for shard in shards:
        counts = load(shard, "seen").tolist()
        for word, count in zip(tables.unpack(load(shard, "words")), counts, strict=True):
            total[word] = total.get(word, 0) + count
    words = sorted(w for w, count in total.items() if count >= build.settings.least)
    counts = np.array([total[w] for w in words], dtype=np.int64)
    save(build.work / "words.npz", words=tables.pack(words), counts=counts)
    _words.cache_clear()  # with one job, an earlier build in this process may have filled them
    _table.cache_clear()


@dataclass(frozen=True)
class CorpusWords:
    """The words of the corpus by number, and what each may do in a term (bool, one more than words: the
    last one stands for a break or a rare word and may do nothing)."""

    numbers: dict[str, int]
    start: Array
    end: Array
    noun: Array
    digit: Array
    plain: Array
    inner: Array
    single: Array


@lru_cache(maxsize=1)
def _words(work: str) -> CorpusWords:
    words = tables.unpack(load(Path(work) / "words.npz", "words"))

    def flags(test: Callable[[str], bool]) -> Array:
        return np.array([*map(test, words), False], dtype=bool)

    return CorpusWords(
        {w: i for i, w in enumerate(words)},
        start=flags(chunker.can_start),
        end=flags(chunker.can_end),
        noun=flags(chunker.noun_like),
        digit=flags(lambda w: w[0].isdigit()),
        plain=flags(lambda w: w == "of" or not (w in chunker.FUNCTION or w in chunker.EDGE)),
        inner=flags(chunker.INNER.__contains__),
        single=flags(lambda w: w not in chunker.FUNCTION),
    )


# Steps 3 and 4: candidates of several words


def _stream(shard: str, words: CorpusWords) -> tuple[Array, Array, Array]:
    """A shard's tokens as numbers of the whole corpus (-1: a break or a rare word), whether they have a
    capital letter, and their units."""
    local = [words.numbers.get(w, -1) for w in tables.unpack(load(Path(shard), "words"))]
    to_global = np.array([-1] * (_END + 1) + local, dtype=np.int64)
    tokens = load(Path(shard), "tokens")
    return to_global[tokens >> 1], (tokens & 1).astype(bool), load(Path(shard), "unit")


def _candidates(g: Array, capital: Array, words: CorpusWords) -> Iterator[tuple[int, Array, Array]]:
    """For each length: the places where a candidate starts, and its hash (uint64). The rules are those of
    `chunker.is_candidate`."""
    known = g >= 0
    mixed = (g + 1).astype(np.uint64)
    hashes = mixed.copy()
    for length in range(2, chunker.LONGEST + 1):
        count = len(g) - length + 1
        if count <= 0:
            return
        hashes = hashes[:count]
        hashes = (hashes ^ (hashes >> np.uint64(31))) * np.uint64(0x9E3779B97F4A7C15)
        hashes = hashes + mixed[length - 1 :] * np.uint64(0xD6E8FEB86659FD93)
        last, last_capital = g[length - 1 :], capital[length - 1 :]
        named = capital[:count] & last_capital
        good = words.start[g[:count]] & words.end[last]
        good &= last_capital | words.noun[last] | (words.digit[last] & capital[:count])
        for inside in range(1, length - 1):
            w = g[inside : inside + count]
            good &= known[inside : inside + count] & (words.plain[w] | (words.inner[w] & named))
        places = np.flatnonzero(good)
        found = hashes[places]
        # A last mixing, so that the high bits, which choose the slot, depend on all of them.
        found = (found ^ (found >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
        yield length, places, found ^ (found >> np.uint64(32))


def _slots(hashes: Array, bits: int) -> Array:
    return hashes >> np.uint64(64 - bits)


def _sift_one(task: tuple[str, str, int]) -> tuple[Array, Array]:
    """The slots that a shard's candidates fall into, and in how many units each."""
    shard, work, bits = task
    words = _words(work)
    g, capital, unit = _stream(shard, words)
    parts = [
        _slots(hashes, bits) << np.uint64(32) | unit[places].astype(np.uint64)
        for _, places, hashes in _candidates(g, capital, words)
    ]
    if not parts:
        return np.empty(0, np.uint32), np.empty(0, np.uint32)
    slots, counts = np.unique(distinct(np.concatenate(parts)) >> np.uint64(32), return_counts=True)
    return slots.astype(np.uint32), counts.astype(np.uint32)


def sift(build: Build, shards: Sequence[Path]) -> None:
    """The table of all slots' counts, each at most 65,535."""
    if (build.work / "table.npy").exists():
        return
    tokens = sum(len(load(shard, "unit")) for shard in shards)
    bits = min(max(tokens.bit_length() + 1, 8), MOST_SLOT_BITS)
    table = np.zeros(1 << bits, dtype=np.uint16)
    tasks = [(str(shard), str(build.work), bits) for shard in shards]
    for slots, counts in build.each("sift", _sift_one, tasks):
        table[slots] = np.minimum(table[slots] + counts, 65535)
    with unfinished(build.work / "table.npy", mode=PRIVATE) as file:
        np.save(file, table)


@lru_cache(maxsize=1)
def _table(work: str) -> Array:
    table: Array = np.load(Path(work) / "table.npy", mmap_mode="r")
    return table


def _count(task: tuple[str, str, int]) -> str:
    """A shard's words and surviving candidates, each with its units in order."""
    shard, work, least = task
    out = Path(work) / Path(shard).name.replace("cut-", "count-")
    if out.exists():
        return str(out)
    words, table = _words(work), _table(work)
    bits = len(table).bit_length() - 1
    g, capital, unit = _stream(shard, words)
    at = np.flatnonzero(words.single[g])
    pairs = distinct(g[at] << 32 | unit[at])
    word_numbers, word_counts = np.unique(pairs >> 32, return_counts=True)
    keys, units, parts = [], [], []
    for length, places, hashes in _candidates(g, capital, words):
        kept = table[_slots(hashes, bits)] >= least
        places, hashes = places[kept], hashes[kept]
        inside = np.full((len(places), chunker.LONGEST), -1, dtype=np.int32)
        for offset in range(length):
            inside[:, offset] = g[places + offset]
        keys.append(hashes)
        units.append(unit[places])
        parts.append(inside)
    key = np.concatenate(keys) if keys else np.empty(0, np.uint64)
    key_unit = np.concatenate(units) if units else np.empty(0, np.int32)
    inside = np.concatenate(parts) if parts else np.empty((0, chunker.LONGEST), np.int32)
    order = np.lexsort((key_unit, key))
    key, key_unit, inside = key[order], key_unit[order], inside[order]
    new = np.ones(len(key), dtype=bool)
    new[1:] = (key[1:] != key[:-1]) | (key_unit[1:] != key_unit[:-1])
    key, key_unit, inside = key[new], key_unit[new], inside[new]
    kept_keys, first, key_counts = np.unique(key, return_index=True, return_counts=True)
    save(
        out,
        word=word_numbers,
        word_count=word_counts,
        word_unit=(pairs & 0xFFFFFFFF).astype(np.uint32),
        key=kept_keys,
        key_count=key_counts,
        key_unit=key_unit.astype(np.uint32),
        inside=inside[first],
    )
    return str(out)


def count_all(build: Build, shards: Sequence[Path]) -> list[Path]:
    """The counts of every shard's terms."""
    tasks = [(str(shard), str(build.work), build.settings.least) for shard in shards]
    return [Path(path) for path in build.each("count", _count, tasks)]
