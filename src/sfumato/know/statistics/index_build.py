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
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

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
    progress: Progress = lambda step, done, total: None,
) -> Summary:
    """Build the index of a corpus: folders, text files, JSON lines with `text` (and `title`), also `.xz`."""
    settings = settings or IndexSettings()
    begun = time.monotonic()
    jobs = jobs or os.cpu_count() or 1
    files = texts.corpus_files(corpus)
    work = output.with_name(output.name + ".part")
    _prepare(work, output, files, settings)
    with Processes(jobs) as processes:
        job = Build(work, settings, processes, progress)
        cut = shards.cut_all(job, files)
        units = [int(load(shard, "units")[0]) for shard in cut]
        if not sum(units):
            raise InputError("the corpus holds no words: there is nothing to build an index from")
        shards.number_words(job, cut)
        shards.sift(job, cut)
        summary = postings.write(job, shards.count_all(job, cut), units, output)
    shutil.rmtree(work)
    return Summary(**{**summary, "seconds": time.monotonic() - begun})


def _prepare(work: Path, output: Path, files: Sequence[Path], settings: IndexSettings) -> None:
    """The folder for what is finished; what another corpus or other settings left there goes."""
    if output.is_dir():
        raise InputError(f"{output}: a folder; give a file for the index", path=str(output))
    if not output.parent.is_dir():
        raise InputError(f"{output.parent}: no such folder", path=str(output))
    seen = [[str(p.resolve()), p.stat().st_size, p.stat().st_mtime_ns] for p in files]
    kept = [settings.unit, settings.least, settings.least_phrase, settings.max_bytes]
    versions = [
        index.VERSION,
        chunker.VERSION,
        texts.TEXTS_IN_SHARD,
        texts.BYTES_IN_SHARD,
        shards.MOST_SLOT_BITS,
    ]
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
