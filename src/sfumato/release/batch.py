"""Many files in, the same tree out: in parallel, in a fixed order of surrogates, and resumable.

A worker takes documents in order. Detection and checking run in parallel; the replacements of a document are
made when it is its turn, so that the vault is filled in the same order however many workers there are, and a
run that was killed goes on as if it had not been.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing.connection import wait as wait_for
from multiprocessing.context import SpawnContext
from pathlib import Path

from sfumato import formats as read
from sfumato.document import Document, Edit, Release, encode, render
from sfumato.errors import InputError, SfumatoError
from sfumato.facts.redacted import redacted_edits
from sfumato.keys import Key
from sfumato.pipeline import Sanitizer
from sfumato.policy import Policy
from sfumato.release import files as write
from sfumato.release.certificate import SUFFIX
from sfumato.release.ledger import Ledger
from sfumato.verify.check import holds

STDIN = "-"
PARALLEL_FROM_BYTES = 2_000_000  # less is done before workers have started


@dataclass(frozen=True, slots=True)
class Job:
    """One file to read, the name it goes by, and the file to write (none: show it only)."""

    source: Path
    name: str
    target: Path | None


@dataclass(frozen=True, slots=True)
class Settings:
    """What every worker needs."""

    policy: Policy
    key: Key
    ledger: Path | None
    encoding: str = "utf-8"
    keep_releases: bool = False  # hand releases back, for reports
    reader: str | None = None  # whose view it is
    redacted: Path | None = None  # somebody else's redacted version of the one document
    columns: tuple[str, ...] = ()  # of a table, those that are text
    format: str = "text"  # of standard input


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a job."""

    job: Job
    status: str  # "released", "up to date" or "failed"
    message: str = ""
    exit_code: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    characters: int = 0
    release: Release | None = field(default=None, repr=False)


def plan(
    paths: Sequence[str],
    output: str | None,
    *,
    public: Sequence[Path | None] = (),
    private: Sequence[Path | None] = (),
) -> list[Job]:
    """The jobs for files and folders, in a fixed order. Refused is whatever would overwrite an input, write
    two things to one place, or put something `private` (ledger, key, review) among the releases."""
    jobs = []
    several = len(paths) > 1
    out = Path(output) if output is not None else None
    into_folder = out is not None and (several or out.is_dir() or (output or "").endswith(os.sep))
    for given in paths:
        path = Path(given)
        if given == STDIN:
            jobs.append(Job(path, "stdin", out / "stdin" if out and into_folder else out))
        elif path.is_dir():
            if out is not None and _is_inside(out, path):
                raise InputError(
                    f"{out}: the output folder lies inside the input folder {path}; choose another"
                )
            into_folder = out is not None
            prefix = Path(path.resolve().name) if several else Path()
            for file in sorted(_files(path)):
                name = prefix / file.relative_to(path)
                jobs.append(Job(file, name.as_posix(), out / name if out else None))
        else:
            if not path.exists():
                raise InputError(f"{path}: cannot be read (No such file or directory)", path=given)
            jobs.append(Job(path, path.name, out / path.name if out and into_folder else out))
    if not jobs:
        raise InputError(f"{', '.join(paths)}: no files in it")
    _refuse_leaks([p for p in private if p is not None], out if into_folder else None)
    refuse_collisions(jobs, [p for p in (*public, *private) if p is not None])
    return jobs


def _files(folder: Path) -> Iterator[Path]:
    """The files below a folder but for hidden ones; a folder that cannot be read is an error."""

    def refuse(error: OSError) -> None:
        raise InputError(f"{error.filename}: cannot be read ({error.strerror})") from None

    for root, folders, files in os.walk(folder, onerror=refuse):
        folders[:] = [f for f in folders if not f.startswith(".")]
        yield from (Path(root, file) for file in files if not file.startswith("."))


def run(jobs: Sequence[Job], settings: Settings, workers: int | None = None) -> Iterator[Outcome]:
    """Do the jobs, and yield what became of each, in order."""
    workers = min(workers or os.cpu_count() or 1, len(jobs))
    if workers > 1 and _size(jobs) >= PARALLEL_FROM_BYTES:
        yield from _run_parallel(jobs, settings, workers)
    else:
        with Worker(settings) as worker:
            yield from map(worker, range(len(jobs)), jobs)


class Turns:
    """Lets documents through in their order. Alone in its process, there is nothing to wait for."""

    def __init__(self, context: SpawnContext | None = None) -> None:
        self._shared = (context.Condition(), context.Value("q", 0, lock=False)) if context else None

    def wait(self, number: int) -> None:
        """Until every earlier document has made its replacements."""
        if self._shared is not None:
            moved, turn = self._shared
            with moved:
                moved.wait_for(lambda: turn.value >= number)

    @contextmanager
    def passing(self, number: int) -> Iterator[None]:
        """Gives the turn on at the end, whatever happens."""
        try:
            yield
        finally:
            self.wait(number)
            if self._shared is not None:
                moved, turn = self._shared
                with moved:
                    turn.value = number + 1
                    moved.notify_all()


class Worker:
    """Reads, sanitises, records and writes one document after the other."""

    def __init__(self, settings: Settings, turns: Turns | None = None) -> None:
        self._settings = settings
        self._ledger = Ledger(settings.key, settings.ledger)
        self._sanitizer = Sanitizer(settings.policy, settings.key, self._ledger, settings.reader)
        self._turns = turns or Turns()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self._ledger.close()

    def __call__(self, number: int, job: Job) -> Outcome:
        try:
            with self._turns.passing(number):
                document = read_job(
                    job,
                    self._settings.encoding,
                    self._settings.policy,
                    self._settings.columns,
                    self._settings.format,
                )
                done = self._done(job, document)
                if done is not None:
                    return done
                terms = self._sanitizer.find(document)
                self._turns.wait(number)
                edits = self._sanitizer.protect(document, terms, self._first(document))
            release = self._sanitizer.certify(document, edits)
            self._write(job, release)
            return self._outcome(job, release)
        except SfumatoError as error:
            return Outcome(job, "failed", str(error), error.exit_code)

    def _done(self, job: Job, document: Document) -> Outcome | None:
        """The outcome of an earlier run, if it was finished: written, certified and on record. What depends
        on a reader's rights is made anew: they may have changed."""
        if (
            job.target is None
            or self._settings.policy.depends_on_reader
            or self._settings.redacted is not None
            or not job.target.is_file()
            or not certificate_path(job.target).is_file()
        ):
            return None
        released = job.target.read_bytes()
        source = encode(document.file, document.origin.encoding, document.name)
        entry = self._ledger.on_record(released, job.name, source, self._settings.policy.digest)
        if entry is None or entry.key is not self._settings.key:
            return None
        was, now = entry.record.origin, document.origin
        if (was.format, was.columns) != (now.format, now.columns):
            return None
        text = render(document, entry.record.edits)
        made = entry.certificate
        checks = tuple(holds(c.name, "checked when it was released") for c in made.claims)
        return self._outcome(job, Release(text, released, entry.record, made, checks), "up to date")

    def _first(self, document: Document) -> list[Edit]:
        """What somebody else has hidden already."""
        path = self._settings.redacted
        if path is None:
            return []
        limit = self._settings.policy.limits.file_bytes
        version = read.read(path, name=path.name, encoding=self._settings.encoding, limit=limit)
        return redacted_edits(document, version.text, name=str(path))

    def _write(self, job: Job, release: Release) -> None:
        """The ledger first, the release last: what is out can always be explained and undone."""
        if self._settings.ledger is not None:
            self._ledger.put(release, self._settings.policy, job.target)
        if job.target is not None:
            write_release(job.target, release)

    def _outcome(self, job: Job, release: Release, status: str = "released") -> Outcome:
        kinds = Counter(e.kind for e in release.edits if e.hides)
        kept = release if self._settings.keep_releases else None
        message = "empty file, empty release" if not release.text and not release.edits else ""
        empty = [check.detail for check in release.checks if check.empty]
        if release.text and not release.edits and empty:
            message = f"{empty[0]}; released unchanged"
        return Outcome(job, status, message, 0, kinds, len(release.text), kept)


def write_release(target: Path, release: Release) -> None:
    """The certificate first, the release last; neither where one of them cannot be written."""
    beside = certificate_path(target)
    before = beside.read_bytes() if beside.is_file() else None
    write.write_file(beside, release.certificate.to_json().encode())
    try:
        write.write_file(target, release.data)
    except BaseException:
        if before is None:
            beside.unlink(missing_ok=True)
        else:
            write.write_file(beside, before)
        raise


def read_job(
    job: Job, encoding: str, policy: Policy, columns: Sequence[str] = (), format: str = "text"
) -> Document:
    """The document of a job, from its file or from standard input; its release has the target's name."""
    document = _read(job, encoding, policy, columns, format)
    return document if job.target is None else replace(document, released_as=job.target.name)


def _read(job: Job, encoding: str, policy: Policy, columns: Sequence[str], format: str) -> Document:
    limit = policy.limits.file_bytes
    if str(job.source) == STDIN:
        data = sys.stdin.buffer.read(limit + 1)
        read.check_size(len(data), limit, "standard input")
        return read.parse(
            data, name=job.name, format=read.known(format), encoding=encoding, columns=columns
        )
    if format != "text":
        raise InputError(
            f"{job.source}: --format is for standard input; what a file is, the ending of its name says",
            path=str(job.source),
        )
    return read.read(job.source, name=job.name, encoding=encoding, columns=columns, limit=limit)


def certificate_path(target: Path) -> Path:
    """Where a release's certificate is written."""
    return target.with_name(target.name + SUFFIX)


def _run_parallel(jobs: Sequence[Job], settings: Settings, workers: int) -> Iterator[Outcome]:
    context = multiprocessing.get_context("spawn")
    turns = Turns(context)
    pool = ProcessPoolExecutor(workers, context, _start_worker, (settings, turns))
    try:
        yield from pool.map(_work, range(len(jobs)), jobs)
    except BrokenProcessPool:
        raise InputError(
            "a worker process was ended from outside (out of memory?); finished files are complete, "
            "run it again to go on, with fewer processes (-j)"
        ) from None
    except BaseException:
        pool.shutdown(wait=True, cancel_futures=True)
        raise
    pool.shutdown()


_worker: Worker | None = None


def _start_worker(settings: Settings, turns: Turns) -> None:
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _worker = Worker(settings, turns)


def _end_with_parent() -> None:
    """A worker whose parent was killed has nobody to work for."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait_for([parent.sentinel])
        os._exit(1)


def _work(number: int, job: Job) -> Outcome:
    assert _worker is not None
    return _worker(number, job)


def _size(jobs: Sequence[Job]) -> int:
    return sum(job.source.stat().st_size for job in jobs if job.source.is_file())


def _is_inside(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve())


def _refuse_leaks(private: Sequence[Path], folder: Path | None) -> None:
    for path in private:
        if folder is not None and _is_inside(path, folder):
            raise InputError(
                f"{path}: lies inside the output folder {folder}; keep it apart from releases"
            )


def refuse_collisions(jobs: Sequence[Job], others: Sequence[Path]) -> None:
    """Refuse jobs that would overwrite an input, one another, or one of some other files."""
    sources = {job.source.resolve() for job in jobs if str(job.source) != STDIN}
    targets: set[Path] = set()
    for other in others:
        if other.resolve() in sources:
            raise InputError(
                f"{other}: is among the inputs; an original is never overwritten or released"
            )
        targets.add(other.resolve())
    for job in jobs:
        if job.target is None:
            continue
        target = job.target.resolve()
        if sources & {target, certificate_path(target)}:
            raise InputError(f"{job.target}: is an input too; an original is never overwritten")
        if targets & {target, certificate_path(target)}:
            raise InputError(
                f"{job.target}: two files would be written there; give each its own place"
            )
        targets |= {target, certificate_path(target)}
