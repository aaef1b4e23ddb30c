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
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from sfumato import files
from sfumato.english import chunker
from sfumato.errors import InputError
from sfumato.know.statistics import corpus as texts
from sfumato.know.statistics import index, postings, shards
from sfumato.know.statistics.corpus import Progress
from sfumato.know.statistics.shards import Build, IndexSettings
from sfumato.know.statistics.workers import Processes, load

__all__ = ["IndexSettings", "Summary", "build"]


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
    settings: IndexSettings | None = None,
    *,
    jobs: int = 0,
    force: bool = False,
    progress: Progress = lambda step, done, total: None,
) -> Summary:
    """Build the index of a corpus: folders, text files, JSON lines with `text` (and `title`), also `.xz`.
    What is no earlier index is replaced with `force` only."""
    settings = settings or IndexSettings()
    begun = time.monotonic()
    jobs = jobs or os.cpu_count() or 1
    found = texts.corpus_files(corpus)
    paths = [file.path for file in found]
    target = _target(output, paths, force=force)
    work = output.with_name(output.name + ".part")
    with _held(work, _mark(paths, settings)) as held, Processes(jobs) as processes:
        job = Build(_place(work, held), settings, processes, progress)
        cut = shards.cut_all(job, found)
        units = [int(load(shard, "units")[0]) for shard in cut]
        if not sum(units):
            raise InputError("the corpus holds no words: there is nothing to build an index from")
        shards.number_words(job, cut)
        shards.sift(job, cut)
        with target.unfinished(mode=files.PRIVATE) as out:
            summary = postings.write(job, shards.count_all(job, cut), units, out)
            if not summary["terms"]:
                _remove(work, held)
                raise InputError.at(
                    corpus[0],
                    f"no term stands in {settings.least} of its {sum(units):,} "
                    f"{settings.unit}s, so the index would be empty; lower --min-count, or give more texts",
                )
        _remove(work, held)
    return Summary(**{**summary, "seconds": time.monotonic() - begun})


def _target(output: Path, corpus: Sequence[Path], *, force: bool) -> files.Target:
    """Where the index goes, if nothing is there that is not to be lost."""
    if not output.parent.is_dir():
        raise InputError(f"{output.parent}: no such folder", path=str(output))
    inputs = files.identities(corpus)
    if files.identity(output) in inputs:
        raise InputError.at(output, "is in the corpus; an original is never overwritten")
    return files.Target.at(
        output,
        force=force,
        is_ours=lambda data: data.startswith(index.MAGIC),
        what="index",
        never=inputs,
    )


def _mark(corpus: Sequence[Path], settings: IndexSettings) -> str:
    """What the finished shards depend on."""
    seen = [[str(p.resolve()), p.stat().st_size, p.stat().st_mtime_ns] for p in corpus]
    kept = [settings.unit, settings.least, settings.least_phrase, settings.max_bytes]
    versions = [
        index.VERSION,
        chunker.VERSION,
        texts.TEXTS_IN_SHARD,
        texts.BYTES_IN_SHARD,
        shards.MOST_SLOT_BITS,
    ]
    return hashlib.sha256(json.dumps([seen, kept, versions]).encode()).hexdigest()


@contextmanager
def _held(work: Path, mark: str) -> Iterator[int]:
    """The folder for what is finished, which nobody else may look or write into: the words of the corpus are
    in it. What another corpus or other settings left there goes."""
    try:
        with suppress(FileExistsError):
            work.mkdir(mode=0o700)
        held = os.open(work, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError as error:
        raise InputError.at(
            work,
            f"cannot be the folder for the build ({error.strerror}); move it or give another -o",
        ) from None
    try:
        found, names = os.fstat(held), {entry.name for entry in os.scandir(held)}
        private = found.st_uid == os.geteuid() and not found.st_mode & 0o077
        note = _place(work, held) / "corpus"
        if not private or (names and note.name not in names):
            raise InputError.at(
                work,
                "in the way, and not left by an earlier build of yours; move it or give another -o",
            )
        if names and note.read_text() != mark:
            _empty(held)
        if not note.exists():
            files.write_file(note, mark.encode(), mode=files.PRIVATE)
        yield held
    finally:
        os.close(held)


def _place(work: Path, held: int) -> Path:
    """The folder that is held, whoever has exchanged what stands under its name; the name itself where the
    system has no such way."""
    place = Path(f"/proc/{os.getpid()}/fd/{held}")
    return place if place.is_dir() else work


def _empty(folder: int) -> None:
    for entry in list(os.scandir(folder)):
        os.unlink(entry.name, dir_fd=folder)


def _remove(work: Path, held: int) -> None:
    """Remove the folder that is held; if another one has its name by now, that one stays."""
    _empty(held)
    with suppress(OSError):
        work.rmdir()
