"""Building an index of terms from a corpus, in steps that each leave finished files behind.

1. *cut*: the corpus is read once; every shard of some thousand texts becomes an array of word numbers.
2. *words*: the words seen in enough units are numbered for the whole corpus.
3. *sift*: candidates of several words are counted by hash in a table of fixed size. A slot's count is never
   below that of any candidate in it, so a candidate in a slot below the minimum cannot be a term.
4. *count*: the candidates that are left are counted exactly; each shard's are written down.
5. *code*: the terms are put in order, their postings are coded and written.

Killed and started again, it goes on with the shards that are there: they lie beside the output, in a folder
of their own, until the index is done. The same corpus and settings give the same file, byte for byte,
whatever the number of processes. Memory: the table (up to 256 MB), the distinct words, and for each process
one shard or one part of the postings.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import multiprocessing
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise
from pathlib import Path
from typing import IO, Any, Literal, TypeVar

import numpy as np

from sfumato.english import chunker
from sfumato.errors import InputError
from sfumato.know.statistics import index

Unit = Literal["article", "paragraph"]
Tell = Callable[[str, int, int], None]
Array = np.ndarray[Any, np.dtype[Any]]
T = TypeVar("T")
R = TypeVar("R")

TEXTS_IN_SHARD = 2000
BYTES_IN_SHARD = 8_000_000
MOST_SLOT_BITS = 27  # of the table: 2 bytes for each of 2^27 slots
POSTINGS_IN_PART = 6_000_000
BYTES_FOR_A_TERM = (
    9  # what its entry takes in the file, about: to choose the cut before it is written
)
_BREAK, _PARAGRAPH, _END = 0, 1, 2  # the first word numbers of a shard are no words
_JSON = (".jsonl", ".ndjson")
_TEXT = (".txt", ".md", ".text")


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides the content of an index."""

    unit: Unit = "article"
    least: int = 5  # units that must hold a term
    least_phrase: int = 0  # the same for terms of several words; 0: as for words
    max_bytes: int = 0  # the phrases' minimum is raised until the file is no larger; 0: no limit
    source: str = ""  # where the corpus comes from, for people


@dataclass(frozen=True, slots=True)
class Chunk:
    """Texts for one shard: lines of JSON, or files of plain text."""

    path: str
    first: int  # number of the first line
    lines: tuple[bytes, ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Summary:
    """What was built."""

    units: int
    terms: int
    words: int
    least_phrase: int
    bytes: int
    seconds: float


def build(
    corpus: Sequence[Path],
    output: Path,
    settings: Settings | None = None,
    *,
    jobs: int = 0,
    tell: Tell = lambda step, done, total: None,
) -> Summary:
    """Build the index of a corpus: folders, text files, JSON lines with `text` (and `title`), also `.xz`."""
    settings = settings or Settings()
    begun = time.monotonic()
    jobs = jobs or os.cpu_count() or 1
    files = corpus_files(corpus)
    work = output.with_name(output.name + ".part")
    _prepare(work, output, files, settings)
    with Crew(jobs) as crew:
        shards = _cut_all(crew, files, work, settings, tell)
        units = [int(_load(shard, "units")[0]) for shard in shards]
        size = sum(units)
        if not size:
            raise InputError("the corpus holds no words: there is nothing to build an index from")
        _number_words(shards, work, settings.least)
        _words.cache_clear()  # with one job, an earlier build in this process may have filled them
        _table.cache_clear()
        _sift(crew, shards, work, tell)
        tasks = [(str(shard), str(work), settings.least) for shard in shards]
        counted = [Path(p) for p in _watch(crew.each(_count, tasks), "count", len(tasks), tell)]
        summary = _write(crew, counted, units, work, output, settings, tell)
    shutil.rmtree(work)
    return Summary(**{**summary, "seconds": time.monotonic() - begun})


# ---- the corpus


def corpus_files(corpus: Sequence[Path]) -> list[Path]:
    """The files of a corpus, in order; a folder's are those with text or JSON lines."""
    found: list[Path] = []
    for path in corpus:
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.is_file() and _sort_of(p))
            if not inside:
                raise InputError(
                    f"{path}: no text in this folder (.txt, .md, .jsonl, also with .xz)",
                    path=str(path),
                )
            found += inside
        elif path.is_file():
            if not _sort_of(path):
                raise InputError(
                    f"{path}: not a kind of file for a corpus; give .txt, .md or .jsonl, also .xz",
                    path=str(path),
                )
            found.append(path)
        else:
            raise InputError(f"{path}: no such file or folder", path=str(path))
    return found


def _sort_of(path: Path) -> str:
    name = path.name.lower().removesuffix(".xz")
    return "json" if name.endswith(_JSON) else "text" if name.endswith(_TEXT) else ""


def _open(path: Path, raw: IO[bytes]) -> IO[bytes]:
    """A file's content, unpacked where it is packed."""
    return lzma.open(raw) if path.name.lower().endswith(".xz") else raw


def _chunks(files: Sequence[Path], tell: Tell) -> Iterator[Chunk]:
    """The corpus in pieces of about one size, the same at every run."""
    total = sum(p.stat().st_size for p in files)
    done, waiting, weight = 0, [], 0
    for path in files:
        if _sort_of(path) == "text":
            waiting.append(str(path))
            weight += path.stat().st_size
            if len(waiting) >= TEXTS_IN_SHARD or weight >= BYTES_IN_SHARD:
                yield Chunk("", 0, files=tuple(waiting))
                waiting, weight = [], 0
        else:
            try:
                with path.open("rb") as raw, _open(path, raw) as file:
                    for chunk in _lines(file, path):
                        yield chunk
                        tell("cut", done + raw.tell(), total)
            except (lzma.LZMAError, EOFError):
                raise InputError(
                    f"{path}: not a whole .xz file; fetch it again", path=str(path)
                ) from None
        done += path.stat().st_size
        tell("cut", done, total)
    if waiting:
        yield Chunk("", 0, files=tuple(waiting))


def _lines(file: Any, path: Path) -> Iterator[Chunk]:
    lines: list[bytes] = []
    weight, first = 0, 1
    for line in file:
        lines.append(line)
        weight += len(line)
        if len(lines) >= TEXTS_IN_SHARD or weight >= BYTES_IN_SHARD:
            yield Chunk(str(path), first, tuple(lines))
            first += len(lines)
            lines, weight = [], 0
    if lines:
        yield Chunk(str(path), first, tuple(lines))


def texts(chunk: Chunk) -> Iterator[str]:
    """The texts of a chunk; a title goes before its text."""
    for name in chunk.files:
        path = Path(name)
        try:
            with path.open("rb") as raw, _open(path, raw) as file:
                yield file.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise InputError(f"{path}: not UTF-8 text", path=name) from None
        except (lzma.LZMAError, EOFError):
            raise InputError(f"{path}: not a whole .xz file; fetch it again", path=name) from None
    for number, line in enumerate(chunk.lines, chunk.first):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError:
            raise InputError(f"{chunk.path}:{number}: not JSON", path=chunk.path) from None
        if not isinstance(row, dict) or not isinstance(row.get("text"), str):
            raise InputError(
                f"{chunk.path}:{number}: a line needs a 'text', and may have a 'title'",
                path=chunk.path,
            )
        title = row.get("title")
        yield f"{title}. {row['text']}" if isinstance(title, str) and title else row["text"]


# ---- step 1: cut


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
    seen = _distinct(units[at] << 32 | numbers[at]) & 0xFFFFFFFF
    words = list(codes.normals)[_END + 1 :]
    _save(
        Path(out),
        tokens=tokens,
        unit=units.astype(np.int32),
        units=np.array([count]),
        words=_packed(words),
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


def _cut_all(
    crew: Crew, files: Sequence[Path], work: Path, settings: Settings, tell: Tell
) -> list[Path]:
    """Shards of the whole corpus; those that are there are not made again."""
    shards: list[Path] = []

    def missing() -> Iterator[tuple[Chunk, str, Unit]]:
        for number, chunk in enumerate(_chunks(files, tell)):
            shards.append(work / f"cut-{number:05}.npz")
            if not shards[-1].exists():
                yield chunk, str(shards[-1]), settings.unit

    for _ in crew.each(_cut, missing()):
        pass
    return shards


# ---- step 2: words


def _number_words(shards: Sequence[Path], work: Path, least: int) -> None:
    """The words of the corpus that enough units hold, in order."""
    total: dict[str, int] = {}
    for shard in shards:
        counts = _load(shard, "seen").tolist()
        for word, count in zip(_unpacked(_load(shard, "words")), counts, strict=True):
            total[word] = total.get(word, 0) + count
    words = sorted(w for w, count in total.items() if count >= least)
    counts = np.array([total[w] for w in words], dtype=np.int64)
    _save(work / "words.npz", words=_packed(words), counts=counts)


@dataclass(frozen=True)
class Words:
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
def _words(work: str) -> Words:
    words = _unpacked(_load(Path(work) / "words.npz", "words"))

    def flags(test: Callable[[str], bool]) -> Array:
        return np.array([*map(test, words), False], dtype=bool)

    return Words(
        {w: i for i, w in enumerate(words)},
        start=flags(chunker.can_start),
        end=flags(chunker.can_end),
        noun=flags(chunker.noun_like),
        digit=flags(lambda w: w[0].isdigit()),
        plain=flags(lambda w: w == "of" or not (w in chunker.FUNCTION or w in chunker.EDGE)),
        inner=flags(chunker.INNER.__contains__),
        single=flags(lambda w: w not in chunker.FUNCTION),
    )


# ---- steps 3 and 4: candidates of several words


def _stream(shard: str, words: Words) -> tuple[Array, Array, Array]:
    """A shard's tokens as numbers of the whole corpus (-1: a break or a rare word), whether they have a
    capital letter, and their units."""
    local = [words.numbers.get(w, -1) for w in _unpacked(_load(Path(shard), "words"))]
    to_global = np.array([-1] * (_END + 1) + local, dtype=np.int64)
    tokens = _load(Path(shard), "tokens")
    return to_global[tokens >> 1], (tokens & 1).astype(bool), _load(Path(shard), "unit")


def _candidates(g: Array, capital: Array, words: Words) -> Iterator[tuple[int, Array, Array]]:
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
    slots, counts = np.unique(_distinct(np.concatenate(parts)) >> np.uint64(32), return_counts=True)
    return slots.astype(np.uint32), counts.astype(np.uint32)


def _sift(crew: Crew, shards: Sequence[Path], work: Path, tell: Tell) -> None:
    """The table of all slots' counts, each at most 65,535."""
    if (work / "table.npy").exists():
        return
    tokens = sum(len(_load(shard, "unit")) for shard in shards)
    bits = min(max(tokens.bit_length() + 1, 8), MOST_SLOT_BITS)
    table = np.zeros(1 << bits, dtype=np.uint16)
    tasks = [(str(shard), str(work), bits) for shard in shards]
    for slots, counts in _watch(crew.each(_sift_one, tasks), "sift", len(tasks), tell):
        table[slots] = np.minimum(table[slots] + counts, 65535)
    unfinished = work / "table.new.npy"
    np.save(unfinished, table)
    unfinished.replace(work / "table.npy")


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
    pairs = _distinct(g[at] << 32 | unit[at])
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
    distinct, first, key_counts = np.unique(key, return_index=True, return_counts=True)
    _save(
        out,
        word=word_numbers,
        word_count=word_counts,
        word_unit=(pairs & 0xFFFFFFFF).astype(np.uint32),
        key=distinct,
        key_count=key_counts,
        key_unit=key_unit.astype(np.uint32),
        inside=inside[first],
    )
    return str(out)


# ---- step 5: code


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
    keys = np.concatenate([_load(p, "key") for p in counted])
    counts = np.concatenate([_load(p, "key_count") for p in counted])
    distinct, first, where = np.unique(keys, return_index=True, return_inverse=True)
    total = np.bincount(where, weights=counts, minlength=len(distinct)).astype(np.int64)
    kept = total >= least
    inside = np.concatenate([_load(p, "inside") for p in counted])[first[kept]]
    return distinct[kept], total[kept], inside


def _plan(
    words: Sequence[str],
    word_counts: Array,
    phrases: tuple[Array, Array, Array],
    least_phrase: int,
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
    words: Sequence[str], word_counts: Array, phrase_counts: Array, size: int, settings: Settings
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


def _write(
    crew: Crew,
    counted: Sequence[Path],
    units: Sequence[int],
    work: Path,
    output: Path,
    settings: Settings,
    tell: Tell,
) -> dict[str, Any]:
    size = sum(units)
    words = _unpacked(_load(work / "words.npz", "words"))
    word_counts = _load(work / "words.npz", "counts")
    phrases = _phrases(counted, max(settings.least, settings.least_phrase))
    least = _smallest_cut(words, word_counts, phrases[1], size, settings)
    while True:
        plan = _plan(words, word_counts, phrases, least)
        written = _code(crew, plan, counted, units, work, output, settings, tell)
        largest = int(plan.counts.max(initial=0))
        if not settings.max_bytes or written <= settings.max_bytes or least > largest:
            break
        least += 1
    if settings.max_bytes and written > settings.max_bytes:
        raise InputError(
            f"the words alone take {written:,} bytes, more than the limit of "
            f"{settings.max_bytes:,}; raise the limit or the minimum count"
        )
    (work / "index").replace(output)
    return {
        "units": size,
        "terms": len(plan.terms),
        "words": len(plan.word),
        "least_phrase": least,
        "bytes": written,
    }


def _code(
    crew: Crew,
    plan: Plan,
    counted: Sequence[Path],
    units: Sequence[int],
    work: Path,
    output: Path,
    settings: Settings,
    tell: Tell,
) -> int:
    """Code the postings part by part and write the file; its length in bytes."""
    _save(
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
    with (work / "terms").open("w+b") as terms, (work / "postings").open("w+b") as postings:
        writer = index.Writer(terms, postings, sum(units))
        done = _watch(crew.each(_code_part, tasks), "code", len(tasks), tell)
        for (lo, hi, _, _), coded in zip(tasks, done, strict=True):
            for at, posting in zip(range(lo, hi), coded, strict=True):
                writer.add(plan.terms[at], int(plan.counts[at]), posting)
        with (work / "index").open("wb") as out:
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
            ids, lengths = _load(Path(name), sort), _load(Path(name), f"{sort}_count")
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
            all_units[target] = _load(Path(name), f"{sort}_unit")[source] + base
            cursor[place] += chosen
    size = int(plan["bases"][-1])
    return [
        index.encode(all_units[a:b], size)
        for a, b in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)
    ]


# ---- files and processes


def _prepare(work: Path, output: Path, files: Sequence[Path], settings: Settings) -> None:
    """The folder for what is finished; what another corpus or other settings left there goes."""
    if output.is_dir():
        raise InputError(f"{output}: a folder; give a file for the index", path=str(output))
    if not output.parent.is_dir():
        raise InputError(f"{output.parent}: no such folder", path=str(output))
    seen = [[str(p.resolve()), p.stat().st_size, p.stat().st_mtime_ns] for p in files]
    kept = [settings.unit, settings.least, settings.least_phrase, settings.max_bytes]
    versions = [index.VERSION, chunker.VERSION, TEXTS_IN_SHARD, BYTES_IN_SHARD, MOST_SLOT_BITS]
    mark = hashlib.sha256(json.dumps([seen, kept, versions]).encode()).hexdigest()
    note = work / "corpus"
    if work.exists() and not note.is_file() and any(work.iterdir()):
        raise InputError(
            f"{work}: in the way, and not left by an earlier build; move it or give another -o",
            path=str(work),
        )
    if note.is_file() and note.read_text() != mark:
        shutil.rmtree(work)
    work.mkdir(mode=0o700, exist_ok=True)  # the words of the corpus are in it
    if not note.exists():
        note.write_text(mark)


def _save(path: Path, **arrays: Array) -> None:
    """Whole or not at all."""
    unfinished = path.with_name(path.name + ".new")
    with unfinished.open("wb") as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]
    unfinished.replace(path)


def _load(path: Path, name: str) -> Array:
    with np.load(path) as file:
        array: Array = file[name]
        return array


def _distinct(values: Array) -> Array:
    """Each value once, in order: by sorting, which is several times as fast here as numpy's hashing."""
    ordered = np.sort(values)
    new = np.ones(len(ordered), dtype=bool)
    new[1:] = ordered[1:] != ordered[:-1]
    return ordered[new]


def _packed(words: Iterable[str]) -> Array:
    return np.frombuffer("\n".join(words).encode(), dtype=np.uint8)


def _unpacked(packed: Array) -> list[str]:
    said = packed.tobytes().decode()
    return said.split("\n") if said else []


def _watch(results: Iterable[R], step: str, total: int, tell: Tell) -> Iterator[R]:
    for done, result in enumerate(results, 1):
        tell(step, done, total)
        yield result


class Crew:
    """Processes that do tasks in order, with few of them waiting; with one job, this process itself."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Crew:
        if self._jobs > 1:
            self._pool = ProcessPoolExecutor(
                self._jobs,
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_end_with,
                initargs=(os.getpid(),),
            )
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def each(self, do: Callable[[T], R], tasks: Iterable[T]) -> Iterator[R]:
        """The tasks' results, in their order."""
        if self._pool is None:
            yield from map(do, tasks)
            return
        tasks = iter(tasks)
        waiting: list[Future[R]] = []
        while True:
            free = islice(tasks, self._jobs + 1 - len(waiting))
            waiting += [self._pool.submit(do, task) for task in free]
            if not waiting:
                return
            yield waiting.pop(0).result()


def _end_with(parent: int) -> None:
    """A helper process goes when the one it works for was killed."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
