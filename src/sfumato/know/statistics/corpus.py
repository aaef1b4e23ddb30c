"""The texts of a corpus: folders of text files, JSON lines with `text` and `title`, also packed by xz."""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from sfumato.errors import InputError

Progress = Callable[[str, int, int], None]  # takes the step, what is done of it, and all of it

TEXTS_IN_SHARD = 2000
BYTES_IN_SHARD = 8_000_000
_JSON = (".jsonl", ".ndjson")
_TEXT = (".txt", ".md", ".text")


@dataclass(frozen=True, slots=True)
class Chunk:
    """Texts for one shard: lines of JSON, or files of plain text."""

    path: str
    first: int  # number of the first line
    lines: tuple[bytes, ...] = ()
    files: tuple[str, ...] = ()


def corpus_files(corpus: Sequence[Path]) -> list[Path]:
    """The files of a corpus, in order; a folder's are those with text or JSON lines."""
    found: list[Path] = []
    for path in corpus:
        if path.is_dir():
            inside = sorted(p for p in path.rglob("*") if p.is_file() and _sort_of(p))
            if not inside:
                raise InputError.at(
                    path, "no text in this folder (.txt, .md, .jsonl, also with .xz)"
                )
            found += inside
        elif path.is_file():
            if not _sort_of(path):
                raise InputError.at(
                    path, "not a kind of file for a corpus; give .txt, .md or .jsonl, also .xz"
                )
            found.append(path)
        else:
            raise InputError.at(path, "no such file or folder")
    return found


def _sort_of(path: Path) -> str:
    name = path.name.lower().removesuffix(".xz")
    return "json" if name.endswith(_JSON) else "text" if name.endswith(_TEXT) else ""


@contextmanager
def opened(path: Path) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """A file's content, unpacked where it is packed, and the file as it lies there."""
    try:
        with path.open("rb") as raw:
            packed = path.name.lower().endswith(".xz")
            with lzma.open(raw) if packed else nullcontext(raw) as file:
                yield file, raw
    except (lzma.LZMAError, EOFError):
        raise InputError.at(path, "not a whole .xz file; fetch it again") from None
    except OSError as error:
        raise InputError.at(path, f"cannot be read ({error.strerror})") from None


def article(line: bytes, where: str, number: int) -> tuple[str, str] | None:
    """The title (which may be empty) and the text of a line of JSON; None for an empty line."""
    if not line.strip():
        return None
    try:
        row = json.loads(line)
    except ValueError:
        raise InputError(f"{where}:{number}: not JSON", path=where) from None
    if not isinstance(row, dict) or not isinstance(row.get("text"), str):
        raise InputError(
            f"{where}:{number}: a line needs a 'text', and may have a 'title'", path=where
        )
    title = row.get("title")
    return title if isinstance(title, str) else "", row["text"]


def chunks(files: Sequence[Path], progress: Progress) -> Iterator[Chunk]:
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
            with opened(path) as (file, raw):
                for chunk in _lines(file, path):
                    yield chunk
                    progress("cut", done + raw.tell(), total)
        done += path.stat().st_size
        progress("cut", done, total)
    if waiting:
        yield Chunk("", 0, files=tuple(waiting))


def _lines(file: IO[bytes], path: Path) -> Iterator[Chunk]:
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
        with opened(Path(name)) as (file, _):
            try:
                yield file.read().decode("utf-8-sig")
            except UnicodeDecodeError:
                raise InputError.at(name, "not UTF-8 text") from None
    for number, line in enumerate(chunk.lines, chunk.first):
        found = article(line, chunk.path, number)
        if found is not None:
            yield ". ".join(filter(None, found))
