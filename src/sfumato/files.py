"""Files are written whole and under a name of our own choosing: nobody sees one half-written, no planted
link is followed, and after a crash there is the old file, the new one, or none.

What is unfinished has a random name, is locked by whoever writes it, and is gone after any fault. Of a
process that was killed it stays; its lock does not, and so the next one to write there removes it.
"""

from __future__ import annotations

import errno
import os
import select
import stat
import time
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from io import BufferedReader
from itertools import islice
from pathlib import Path
from shlex import quote
from typing import BinaryIO, TypeVar

from sfumato.errors import InputError
from sfumato.folders import ATTEMPTS, Folders, Identity, Root
from sfumato.locks import PATIENCE

PRIVATE = 0o600  # the mode of what holds originals
_PIECE = 1 << 20
MOST_NAMED = 1 << 28  # bytes of a file that a policy names
_LINK = "{}: cannot be read: a link in a folder is not followed; name the file itself"
_DESCRIPTORS = Path("/proc/self/fd")
_databases: Counter[tuple[int, str]] = Counter()  # that are open: descriptors of folders, names
T = TypeVar("T")


def write_file(path: Path, data: bytes, *, mode: int = 0o666) -> None:
    """Write a file whole. A link that stands there is replaced, never followed."""
    with unfinished(path, mode=mode) as file:
        file.write(data)


@contextmanager
def unfinished(path: Path, *, mode: int = 0o666) -> Iterator[BinaryIO]:
    """A file to write to: at the end it takes its place, after a fault it is gone. Its name is for nobody to
    write to: somebody else may have given it to another file."""
    with (
        _explained(path),
        Folders(Root.at(path.parent), make=True) as folders,
        folders.part(path, mode) as (file, move),
    ):
        yield file
        _keep(file)
        move.place()


def write_new(path: Path, data: bytes) -> None:
    """Write a file of one's own where there is none yet; else that is a `FileExistsError`."""
    with Folders(Root.at(path.parent)) as folders, folders.part(path, PRIVATE) as (file, move):
        file.write(data)
        _keep(file)
        move.place_new()
        move.keep()


def write_together(
    files: Sequence[tuple[Path, bytes]],
    *,
    root: Root | None = None,
    judge: Callable[[Folders], None] | None = None,
    never: Container[Identity] = (),
) -> None:
    """Write files that belong together, the last of them the one that counts: it is there only while all the
    others are, and are its own. Of several writers one has the last word on all of them. What stands there is
    for `judge` to refuse, while nobody else writes; files that are `never` to be replaced are not."""
    last = files[-1][0]
    with (
        _explained(last),
        Folders(root or Root.at(last.parent), make=True, never=never) as folders,
        ExitStack() as stack,
    ):
        moves = []
        for path, data in files:
            file, move = stack.enter_context(folders.part(path, 0o666))
            file.write(data)
            _keep(file)
            moves.append(move)
        folders.replace(moves, judge)


def look(path: Path, root: Root, judge: Callable[[Folders], T]) -> T:
    """What a judge finds where a file is to be written, before the work: so people learn early of what is in
    the way. What protects it is that it is judged again when the file is written."""
    with _explained(path), Folders(root) as folders:
        return folders.judged(judge)


@dataclass(frozen=True, slots=True)
class Target:
    """A file that a command is to write, and what it may replace: all with `force`, else what is ours."""

    path: Path
    root: Root
    judge: Callable[[Folders], None]
    never: Container[Identity]

    @classmethod
    def at(
        cls,
        path: Path,
        *,
        force: bool,
        is_ours: Callable[[bytes], bool] = lambda _: False,
        what: str = "",
        never: Container[Identity] = (),
        may_force: bool = True,
    ) -> Target:
        """The file of this name, if nothing is in its way now."""
        root = Root.at(path.parent)

        def judge(folders: Folders) -> None:
            folders.refuse(path, force=force, is_ours=is_ours, what=what, may_force=may_force)

        look(path, root, judge)
        return cls(path, root, judge, never)

    def write(self, data: bytes, *, mode: int = 0o666) -> None:
        """Write it whole."""
        with self.unfinished(mode=mode) as file:
            file.write(data)

    @contextmanager
    def unfinished(self, *, mode: int = 0o666) -> Iterator[BinaryIO]:
        """The file to write to: at the end it takes its place, if what stands there may be replaced."""
        with (
            _explained(self.path),
            Folders(self.root, make=True, never=self.never) as folders,
            folders.part(self.path, mode) as (file, move),
        ):
            yield file
            _keep(file)
            folders.replace([move], self.judge)


def contents(path: Path, most: int, *, pipe: bool = False, within: Root | None = None) -> bytes:
    """What a file holds. What is none, or larger than `most` bytes, is an `OSError` with the reason. No link
    is followed below the folder `within` which it is."""
    with _opened(path, within) as file:
        return bounded(file, most, pipe=pipe)


def spelt(path: Path | str) -> str:
    """A path as text that is the same under every locale: what a system has are bytes, mostly UTF-8."""
    return os.fsencode(path).decode("utf-8", "surrogateescape")


def unspelt(text: str) -> str:
    """The path of this system that is spelt so; a `ValueError` where no path can be."""
    return os.fsdecode(text.encode("utf-8", "surrogateescape"))


def refuse_link(path: Path) -> None:
    """Refuse an input that is a link: `in/*` names it, whoever put it there."""
    if path.is_symlink():
        said = f"a link is not followed; name what it leads to itself ({real(path)})"
        raise InputError.at(path, f"cannot be read: {said}")


def files_below(folder: Path, linked: list[Path]) -> Iterator[tuple[Path, str]]:
    """The files below a folder but for hidden ones and those behind `linked` folders; and the links to files
    and the folders that cannot be read, with the fault of each. Others may have put anything there: it stops
    no other file, and leads to none."""
    waiting = [str(folder)]
    while waiting:
        within = waiting.pop()
        try:
            with os.scandir(within) as found:
                entries = [entry for entry in found if not entry.name.startswith(".")]
        except OSError as error:
            yield Path(within), f"{within}: cannot be read ({error.strerror})"
            continue
        for entry in entries:
            if _is_folder(entry):
                linked.append(Path(entry.path)) if entry.is_symlink() else waiting.append(
                    entry.path
                )
            else:
                yield Path(entry.path), _LINK.format(entry.path) if entry.is_symlink() else ""


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads nowhere: told of when it is read
        return False


def text_of(path: Path) -> str:
    """The text of a file that a policy names, whoever wrote that one."""
    return contents(path, MOST_NAMED).decode("utf-8-sig")


def plain(path: Path, within: Root | None = None) -> BufferedReader:
    """A file to read, piece by piece. What is none is an `OSError`: devices have no end, pipes no writer. No
    link is followed below the folder `within` which it is."""
    file = _opened(path, within)
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "not a file", str(path))
    return file


def _opened(path: Path, within: Root | None = None) -> BufferedReader:
    try:
        return open(path, "rb", opener=lambda *_: _descriptor(path, within))
    except OSError as error:
        error.filename = str(path)
        raise


def _descriptor(path: Path, within: Root | None) -> int:
    name, folder, flags = str(path), None, os.O_RDONLY | os.O_NONBLOCK
    with ExitStack() as stack:
        if within is not None:
            folder = within.hold(path.parent, make=False)
            if folder is None:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
            stack.callback(os.close, folder)
            name, flags = path.name, flags | os.O_NOFOLLOW
        if _databases and _DESCRIPTORS.is_dir():
            held = os.open(name, os.O_PATH | flags & os.O_NOFOLLOW, dir_fd=folder)
            stack.callback(os.close, held)
            if any(os.path.samestat(os.fstat(held), found) for found in _of_databases()):
                raise OSError(errno.EBUSY, "a database that is in use")
            name, folder, flags = str(_DESCRIPTORS / str(held)), None, os.O_RDONLY | os.O_NONBLOCK
        return os.open(name, flags, dir_fd=folder)


def guard(folder: int, name: str, many: int = 1) -> None:
    """Have nobody read a database that is open in this process, or (with -1) is so once less: whoever closes
    such a file takes away the locks that SQLite has on it, in all of the process."""
    _databases[folder, name] += many
    if not _databases[folder, name]:
        del _databases[folder, name]


def _of_databases() -> Iterator[os.stat_result]:
    for folder, name in list(_databases):
        for ending in ("", "-wal", "-shm"):
            with suppress(OSError):
                yield os.stat(name + ending, dir_fd=folder)


def bounded(file: BinaryIO, most: int, *, pipe: bool = False) -> bytes:
    """What an open file holds: a plain one, or, if it may be a `pipe`, what somebody writes into that.
    Devices have no end, and nobody is waited for for ever."""
    found, until = os.fstat(file.fileno()), time.monotonic() + PATIENCE
    if stat.S_ISREG(found.st_mode):
        if found.st_size > most:
            raise OSError(errno.EFBIG, f"more than {most:,} bytes")
        # of what only looks like a file there may be nothing now
        pieces = iter(lambda: file.read(_PIECE) or b"", b"")
        whole = b"".join(islice(pieces, most // _PIECE + 1))
        if len(whole) > most:  # it is growing
            raise OSError(errno.EFBIG, f"more than {most:,} bytes")
        return whole
    if not (pipe and (stat.S_ISFIFO(found.st_mode) or file.isatty())):
        raise OSError(errno.EINVAL, "not a file")
    data = b""
    while len(data) <= most:
        if not select.select([file], [], [], max(0.0, until - time.monotonic()))[0]:
            raise TimeoutError(errno.ETIMEDOUT, "nobody writes to it")
        with suppress(BlockingIOError):
            if not (piece := os.read(file.fileno(), 1 << 16)):
                return data
            data += piece
    raise OSError(errno.EFBIG, f"more than {most:,} bytes")


def real(path: Path) -> Path:
    """Where a path leads, as far as it leads anywhere: a link that leads to itself is no fault here."""
    if (there := _known_to_the_system(path)) is not None:
        return there
    for _ in range(ATTEMPTS):
        try:
            return Path(os.path.realpath(path))
        except OSError:  # a link that has just become something else
            continue
        except RecursionError:  # more links than any system follows
            break
    return path.absolute()


def _known_to_the_system(path: Path) -> Path | None:
    """Where something is that is there, in one step: `realpath` asks for each folder on the way, with all
    before it. None where the system does not tell."""
    if not _DESCRIPTORS.is_dir():
        return None
    try:
        held = os.open(path, os.O_PATH)
        try:
            found = (_DESCRIPTORS / str(held)).readlink()  # with "(deleted)" behind what is gone
            return found if os.path.samestat(found.stat(), os.fstat(held)) else None
        finally:
            os.close(held)
    except (OSError, ValueError):
        return None


def identity(path: Path, *, follow: bool = True) -> Identity | None:
    """Which file a path leads to, or, not followed, is; None where there is none."""
    try:
        found = path.stat(follow_symlinks=follow)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def identities(paths: Iterable[Path | None]) -> frozenset[Identity]:
    """Which files there are of these."""
    return frozenset(filter(None, (identity(path) for path in paths if path is not None)))


def distrusted(path: Path, found: os.stat_result, forbidden: int = 0o022) -> str | None:
    """Why what lies here may be known to others, or theirs, and what to do; None where it is ours alone."""
    if found.st_uid not in (os.geteuid(), 0):
        return f"it belongs to another user; use one of your own, or run: chown $USER {quote(str(path))}"
    if found.st_mode & forbidden:
        mode = 700 if stat.S_ISDIR(found.st_mode) else 600
        may = "change" if found.st_mode & forbidden & 0o022 else "read"
        return f"others may {may} it; if it is your own, run: chmod {mode} {quote(str(path))}"
    return None


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Faults of the disk in words for users."""
    try:
        yield
    except OSError as error:
        raise InputError.at(path, f"cannot be written ({error.strerror})") from None


def _keep(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())
