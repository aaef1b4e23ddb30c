"""Many files in, the same tree out: in parallel, in a fixed order of surrogates, and resumable.

A worker takes documents in order. Detection and checking run in parallel; the replacements of a document are
made when it is its turn, so that the vault is filled in the same order however many workers there are, and a
run that was killed goes on as if it had not been.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path

from sfumato import files
from sfumato import formats as read
from sfumato._interrupts import heed
from sfumato._version import __version__
from sfumato.deadline import deadline, deadline_of
from sfumato.document import Document, Edit, Release, encode, render
from sfumato.errors import DeadlineError, InputError, SfumatoError, described
from sfumato.facts.redacted import redacted_edits
from sfumato.files import files_below, identities, identity, real, refuse_link, spelt
from sfumato.folders import Folders, Identity, Root
from sfumato.keys import Key
from sfumato.pipeline import Sanitizer
from sfumato.policy import Policy
from sfumato.release import certificate, fingerprints
from sfumato.release.files import certificate_path, refuse_strangers, write_release
from sfumato.release.ledger import Ledger
from sfumato.release.processes import Turn, work_through
from sfumato.verify.check import holds

STDIN = "-"
PARALLEL_FROM_BYTES = 2_000_000  # less is done before workers have started
_START = 120.0  # seconds for a worker to be ready


@dataclass(frozen=True, slots=True)
class Job:
    """One file to read, the name it goes by, and the file to write (none: show it only)."""

    source: Path
    name: str
    target: Path | None
    root: Root | None = None  # the folder that is written to, with all below
    within: Root | None = None  # the folder it was found in; below it no link is followed
    fault: str = ""  # why it is not to be done


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
    force: bool = False  # replace also what is no earlier release
    inputs: frozenset[Identity] = frozenset()  # files that are never replaced
    timeout: float | None = None  # seconds for each file; by its size if not given, 0 is no limit


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
    used: Sequence[Path] = (),
    tell: Callable[[str], None] = lambda _: None,
) -> list[Job]:
    """The jobs for files and folders, in a fixed order. Refused is whatever would overwrite an input or
    another file that is `used`, write two things to one place, or put something `private` (ledger, key,
    review) among the releases; of a folder's files, those that would are not to be done. Told is what is left
    out."""
    jobs = []
    linked: list[Path] = []
    prefixes: set[str] = set()
    several = len(paths) > 1
    out = Path(output) if output is not None else None
    into_folder = out is not None and (several or out.is_dir() or (output or "").endswith(os.sep))
    for given in paths:
        path = Path(given)
        if given == STDIN:
            jobs.append(Job(path, "stdin", out / "stdin" if out and into_folder else out))
        elif path.is_symlink():  # which `in/*` names, whoever put it there
            if not several:
                refuse_link(path)
            linked.append(path)
        elif path.is_dir():
            if out is not None and _is_inside(out, path):
                raise InputError(
                    f"{out}: the output folder lies inside the input folder {path}; choose another"
                )
            into_folder = out is not None
            within = Root.at(path)
            prefix = Path(_unlike(real(path).name, prefixes)) if several else Path()
            for file, fault in sorted(files_below(path, linked)):
                if fault and file == path and not several:
                    raise InputError(fault, path=given)
                name = prefix / file.relative_to(path)
                target = out / name if out else None
                jobs.append(Job(file, spelt(name.as_posix()), target, within=within, fault=fault))
        else:
            gone = (
                f"{path}: cannot be read (No such file or directory)" if not path.exists() else ""
            )
            target = out / path.name if out and into_folder else out
            jobs.append(
                Job(path, spelt(path.name), target, within=Root.at(path.parent), fault=gone)
            )
    if linked:
        tell(
            f"{', '.join(map(str, sorted(linked)))}: left out, for links are not followed; name what they "
            "lead to, to have it released"
        )
    if not jobs:
        raise InputError(f"{', '.join(paths)}: no files in it")
    _refuse_leaks([p for p in private if p is not None], out if into_folder else None)
    others = [p for p in (*public, *private) if p is not None]
    jobs = without_collisions(jobs, others, used)
    refuse_named(paths, jobs)
    root = None if out is None else Root.at(out if into_folder else out.parent)
    return [replace(job, root=root) for job in jobs]


def _unlike(name: str, taken: set[str]) -> str:
    """A name that no other folder of this run has."""
    made = next(
        n for n in (name, *(f"{name}-{i}" for i in range(2, len(taken) + 3))) if n not in taken
    )
    taken.add(made)
    return made


def run(jobs: Sequence[Job], settings: Settings, workers: int | None = None) -> Iterator[Outcome]:
    """Do the jobs, and yield what became of each, in order."""
    inputs = frozenset(filter(None, map(_identity, jobs)))
    settings = replace(settings, inputs=settings.inputs | inputs)
    workers = min(workers or os.cpu_count() or 1, len(jobs))
    if workers > 1 and _size(jobs) >= PARALLEL_FROM_BYTES:
        yield from work_through(
            jobs,
            Worker,
            settings,
            processes=workers,
            lost=_lost,
            patience=partial(_patience, seconds=settings.timeout),
        )
    else:
        with Worker(settings) as worker:
            for job in jobs:
                outcome = worker(job)
                heed()
                yield outcome


def failed(job: Job, error: Exception) -> Outcome:
    """Any fault of one file: that file's alone."""
    if isinstance(error, SfumatoError):
        return Outcome(job, "failed", str(error), error.exit_code)
    return Outcome(job, "failed", f"{job.name}: {described(error)}", 2)


def _lost(job: Job) -> Outcome:
    return failed(
        job,
        InputError(
            f"{job.name}: its process was ended from outside (out of memory? too long?); run it again, with "
            "fewer processes (-j)"
        ),
    )


def _patience(job: Job, seconds: float | None) -> float:
    """Seconds after which a process is ended that has not heard its own alarm; it may have to start first."""
    return _START + 2 * deadline_of(job.source, seconds=seconds).seconds


class Worker:
    """Reads, sanitises, records and writes one document after the other."""

    def __init__(self, settings: Settings, turn: Turn = nullcontext) -> None:
        self._settings = settings
        self._ledger = Ledger(settings.key, settings.ledger)
        self._sanitizer = self._new_sanitizer()
        self._interrupted = False
        self._turn = turn

    def _new_sanitizer(self) -> Sanitizer:
        settings = self._settings
        return Sanitizer(settings.policy, settings.key, self._ledger, settings.reader)

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self._ledger.close()

    def __call__(self, job: Job) -> Outcome:
        settings = self._settings
        self._ledger.begin()
        try:
            if self._interrupted:  # somewhere: nobody knows in what state
                self._sanitizer, self._interrupted = self._new_sanitizer(), False
            data = job_bytes(job, settings.policy)
            time = deadline(job.name, len(data), settings.timeout)
            with time:
                document = read_job(job, data, settings.encoding, settings.columns, settings.format)
            done = self._done(job, document)
            if done is not None:
                return done
            with time:
                terms = self._sanitizer.find(document)
            with self._turn(), time:
                edits = self._sanitizer.protect(document, terms, self._first(document))
            with time:
                release = self._sanitizer.certify(document, edits)
            self._write(job, release)
            return self._outcome(job, release)
        except Exception as error:
            self._interrupted = isinstance(error, DeadlineError)
            return failed(job, error)

    def _done(self, job: Job, document: Document) -> Outcome | None:
        """The outcome of an earlier run, if it was finished (written, certified and on record) and would come
        out the same today. What depends on a reader's rights is made anew: they may have changed."""
        if job.target is None:
            return None
        root = job.root or Root.at(job.target.parent)
        released, certified = files.look(
            job.target, root, lambda folders: self._found(job, folders)
        )
        if self._settings.policy.depends_on_reader or self._settings.redacted is not None:
            return None
        if released is None or certified is None:
            return None
        source = encode(document.file, document.origin.encoding, document.name)
        entry = self._ledger.on_record(released, job.name, source, self._settings.policy.digest)
        if entry is None or entry.key is not self._settings.key:
            return None
        was, now = entry.record.origin, document.origin
        if (was.format, was.encoding, was.columns) != (now.format, now.encoding, now.columns):
            return None
        made = entry.certificate
        if (
            certified != made.to_json().encode()
            or made.version != __version__
            or made.knowledge != fingerprints.of(self._settings.policy, made.claims)
        ):
            return None
        text = render(document, entry.record.edits)
        checks = tuple(holds(c.name, "checked when it was released") for c in made.claims)
        release = Release(text, released, entry.record, made, checks)
        self._ledger.take_over(release, job.target)  # which a run that was killed has not done
        return self._outcome(job, release, "up to date")

    def _found(self, job: Job, folders: Folders) -> tuple[bytes | None, bytes | None]:
        """An earlier release and its certificate, of those that are there."""
        assert job.target is not None
        most = self._settings.policy.limits.release_bytes
        force = self._settings.force
        refuse_strangers(folders, job.target, self._ledger, most=most, force=force)
        beside = folders.read(certificate_path(job.target), certificate.MOST_BYTES)
        return folders.read(job.target, most), beside

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
            settings = self._settings
            write_release(
                job.target,
                release,
                self._ledger,
                root=job.root,
                most=settings.policy.limits.release_bytes,
                force=settings.force,
                never=settings.inputs,
            )

    def _outcome(self, job: Job, release: Release, status: str = "released") -> Outcome:
        kinds = Counter(e.kind for e in release.edits if e.hides)
        kept = release if self._settings.keep_releases else None
        message = "empty file, empty release" if not release.text and not release.edits else ""
        empty = [check.detail for check in release.checks if check.empty]
        if release.text and not release.edits and empty:
            message = f"{empty[0]}; released unchanged"
        origin = release.record.origin
        # No table: the columns may be meant for others
        if origin.format == "json" and origin.columns:
            names = ", ".join(origin.columns)
            message = f"only what stands under {names} was read (--columns); the rest is as it was"
        return Outcome(job, status, message, 0, kinds, len(release.text), kept)


def job_bytes(job: Job, policy: Policy) -> bytes:
    """The bytes of a job's file, or of standard input; the plug-ins that may read it are loaded, which is no
    document's time."""
    if job.fault:
        raise InputError(job.fault, path=str(job.source))
    limit = policy.limits.file_bytes
    if str(job.source) != STDIN:
        read.says(job.source)
        return read.file_bytes(job.source, limit, job.within)
    data = sys.stdin.buffer.read(limit + 1)
    read.check_size(len(data), limit, "standard input")
    return data


def read_job(
    job: Job, data: bytes, encoding: str, columns: Sequence[str] = (), format: str = "text"
) -> Document:
    """The document of a job from its bytes; its release has the target's name."""
    document = _read(job, data, encoding, columns, format)
    if job.target is None:
        return document
    like = Path("stdin.txt") if str(job.source) == STDIN else job.source
    shown = document.file.encode(errors="replace")
    if not read.is_named_for(job.target, document.origin.format, like, shown):
        raise InputError.at(
            job.target,
            f"the release is {document.origin.format}, like its original, and would be shown "
            f"otherwise under this name; end it in {job.source.suffix or '.txt'}",
        )
    return replace(document, released_as=spelt(job.target.name))


def _read(job: Job, data: bytes, encoding: str, columns: Sequence[str], format: str) -> Document:
    if str(job.source) == STDIN:
        return read.parse(
            data, name=job.name, format=read.known(format), encoding=encoding, columns=columns
        )
    if format != "text":
        raise InputError.at(
            job.source,
            "--format is for standard input; what a file is, the ending of its name says",
        )
    return read.parse_file(data, job.source, name=job.name, encoding=encoding, columns=columns)


def _leads_to(job: Job) -> Path:
    """Where its file is: of one in a folder, there and nowhere else."""
    if job.within is None:
        return real(job.source)
    return job.within.there / job.source.relative_to(job.within.path)


def _identity(job: Job) -> Identity | None:
    return identity(job.source, follow=job.within is None)


def _size(jobs: Sequence[Job]) -> int:
    total = 0
    for job in jobs:
        with suppress(OSError):  # told of when it is read
            total += job.source.stat().st_size
    return total


def _is_inside(path: Path, folder: Path) -> bool:
    return real(path).is_relative_to(real(folder))


def _refuse_leaks(private: Sequence[Path], folder: Path | None) -> None:
    for path in private:
        if folder is not None and _is_inside(path, folder):
            raise InputError(
                f"{path}: lies inside the output folder {folder}; keep it apart from releases"
            )


def refuse_named(paths: Sequence[str], jobs: Sequence[Job]) -> None:
    """Refuse the whole run for the fault of the one file that was named: of several, which may be all that
    others have laid into a folder (`in/*`), each has its own."""
    for job in jobs if len(paths) == 1 and not Path(paths[0]).is_dir() else ():
        if job.fault:
            raise InputError(job.fault, path=paths[0])


def without_collisions(
    jobs: Sequence[Job], others: Sequence[Path], used: Sequence[Path] = ()
) -> list[Job]:
    """The jobs, with the fault of each that would overwrite an input (or what else is `used`), what an
    earlier one writes, or one of some `others` that are written, or that is a link to one of these. No other
    may itself be among the inputs."""
    leads = {job.source: _leads_to(job) for job in jobs if str(job.source) != STDIN}
    others_at, other_files = {real(other): other for other in others}, identities(others)
    if len(others_at) < len(others):
        twice = next(p for p in others if others_at[real(p)] is not p)
        raise InputError(f"{twice}: two files would be written there; give each its own place")
    folder = lru_cache(maxsize=None)(real)  # a folder may have thousands of files, and be deep
    named = {path for source, path in leads.items() if path == folder(source.parent) / source.name}
    for other in others_at.keys() & (named | set(map(real, used))):
        raise InputError(
            f"{others_at[other]}: is among the inputs; an original is never overwritten or released"
        )
    sources, targets = {*leads.values(), *map(real, used)}, set(others_at)
    reached = {
        # asked of `os`: a name that is too long is no fault yet
        target: real(target) if os.path.islink(target) else folder(target.parent) / target.name  # noqa: PTH114
        for target in (job.target for job in jobs)
        if target is not None
    }
    made = {*targets, *reached.values(), *map(certificate_path, reached.values())}
    # Of what is written, or its folder, whether it lies in a file
    below = dict.fromkeys(made, True)
    checked = []
    for job in jobs:
        written, fault = set[Path](), ""
        if job.target is not None:
            target = reached[job.target]
            written = {target, certificate_path(target)}
        if leads.get(job.source) in others_at or _identity(job) in other_files:
            fault = f"{job.source}: leads to this run's key, ledger or page; take it out"
        elif sources & written:
            fault = f"{job.target}: is an input too; an original is never overwritten"
        elif job.target is not None and _is_below(target.parent, below):
            fault = f"{job.source}: its folder is called like a file that is written; rename it"
        elif targets & written:
            fault = f"{job.target}: two files would be written there; give each its own place"
        else:
            targets |= written
        checked.append(replace(job, fault=job.fault or fault))
    return checked


def _is_below(folder: Path, known: dict[Path, bool]) -> bool:
    """Whether a folder is, or lies in, one of those that are known to be no folder."""
    unknown = []
    while folder not in known and folder != folder.parent:
        unknown.append(folder)
        folder = folder.parent
    known |= dict.fromkeys(unknown, known.get(folder, False))
    return known.get(unknown[0] if unknown else folder, False)
