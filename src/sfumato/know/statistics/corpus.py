"""The texts of a corpus: folders of text files, JSON lines with `text` and `title`, also packed by xz."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from lzma import FORMAT_XZ, LZMADecompressor, LZMAError
from pathlib import Path
from typing import IO, NamedTuple

from sfumato import files
from sfumato.errors import InputError
from sfumato.folders import Root

Progress = Callable[[str, int, int], None]  # takes the step, what is done of it, and all of it

TEXTS_IN_SHARD = 2000
BYTES_IN_SHARD = 8_000_000
MOST_BYTES = 1 << 26  # of one text, and of one line
MOST_TIMES = 200  # its size that a file may unpack to, beside one text: prose does to five times
MOST_MEMORY = 1 << 28  # for unpacking; what the most careful packing of `xz` needs is a quarter
_BLOCK = 1 << 20
_JSON = (".jsonl", ".ndjson")
_TEXT = (".txt", ".md", ".text")


class CorpusFile(NamedTuple):
    """A file of a corpus, and the folder below which no link is followed on the way to it."""

    path: Path
    within: Root | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    """Texts for one shard: lines of JSON, or files of plain text."""

    path: str
    first: int  # number of the first line
    lines: tuple[bytes, ...] = ()
    files: tuple[CorpusFile, ...] = ()


def corpus_files(corpus: Sequence[Path]) -> list[CorpusFile]:
    """The files of a corpus, in order; a folder's are those with text or JSON lines that are not hidden. A
    link is refused, whoever put it there: it may lead anywhere."""
    found: list[CorpusFile] = []
    for path in corpus:
        files.refuse_link(path)
        if path.is_dir():
            linked: list[Path] = []
            below, within = sorted(files.files_below(path, linked)), Root.at(path)
            faults = [fault for file, fault in below if fault and (_sort_of(file) or file.is_dir())]
            if faults or linked:
                raise InputError((faults or [f"{min(linked)}: a link is not followed"])[0])
            inside = [CorpusFile(p, within) for p, _ in below if p.is_file() and _sort_of(p)]
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
            found.append(CorpusFile(path, Root.at(path.parent)))
        else:
            raise InputError.at(path, "no such file or folder")
    return found


def _sort_of(path: Path) -> str:
    name = path.name.lower().removesuffix(".xz")
    return "json" if name.endswith(_JSON) else "text" if name.endswith(_TEXT) else ""


@contextmanager
def opened(file: CorpusFile) -> Iterator[tuple[IO[bytes], Iterator[bytes]]]:
    """A file as it lies there, and its content in blocks, unpacked where it is packed."""
    try:
        with files.plain(*file) as raw:
            packed = file.path.name.lower().endswith(".xz")
            yield raw, _unpacked(raw, file.path) if packed else iter(lambda: raw.read(_BLOCK), b"")
    except (LZMAError, EOFError) as error:
        why = "not a whole .xz file; fetch it again"
        if "limit" in str(error):
            why = f"needs more than {MOST_MEMORY:,} bytes to be unpacked; pack it with `xz -9` or less"
        raise InputError.at(file.path, why) from None
    except OSError as error:
        raise InputError.at(file.path, f"cannot be read ({error.strerror})") from None


def _unpacked(raw: IO[bytes], path: Path) -> Iterator[bytes]:
    """What is in an .xz file, which may be several in a row."""
    done = 0
    unpacking: LZMADecompressor | None = None
    data = b""
    while data or (data := raw.read(_BLOCK)):
        if unpacking is None:
            if not (data := data.lstrip(b"\0")):  # which stand between the files
                continue
            unpacking = LZMADecompressor(FORMAT_XZ, memlimit=MOST_MEMORY)
        while not unpacking.eof and (data or not unpacking.needs_input):
            block, data = unpacking.decompress(data, _BLOCK), b""
            done += len(block)
            if done > MOST_BYTES + MOST_TIMES * raw.tell():
                raise InputError.at(path, f"unpacks to more than {MOST_TIMES} times its size")
            yield block
        if unpacking.eof:
            data, unpacking = unpacking.unused_data, None
    if unpacking is not None:
        raise EOFError


def lines(blocks: Iterator[bytes], where: Path) -> Iterator[bytes]:
    """The lines of a file, none of which is longer than a text may be."""
    left = b""
    for block in blocks:
        *whole, left = (left + block).split(b"\n")
        yield from whole
        if len(left) > MOST_BYTES:
            raise InputError.at(where, f"a line of more than {MOST_BYTES:,} bytes; split the text")
    if left:
        yield left


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


def chunks(corpus: Sequence[CorpusFile], progress: Progress) -> Iterator[Chunk]:
    """The corpus in pieces of about one size, the same at every run."""
    sizes = [file.path.stat().st_size for file in corpus]
    done, waiting, weight = 0, list[CorpusFile](), 0
    for file, size in zip(corpus, sizes, strict=True):
        if _sort_of(file.path) == "text":
            waiting.append(file)
            weight += size
            if len(waiting) >= TEXTS_IN_SHARD or weight >= BYTES_IN_SHARD:
                yield Chunk("", 0, files=tuple(waiting))
                waiting, weight = [], 0
        else:
            with opened(file) as (raw, blocks):
                for chunk in _chunks(lines(blocks, file.path), file.path):
                    yield chunk
                    progress("cut", done + raw.tell(), sum(sizes))
        done += size
        progress("cut", done, sum(sizes))
    if waiting:
        yield Chunk("", 0, files=tuple(waiting))


def _chunks(found: Iterator[bytes], path: Path) -> Iterator[Chunk]:
    kept: list[bytes] = []
    weight, first = 0, 1
    for line in found:
        kept.append(line)
        weight += len(line) + 1
        if len(kept) >= TEXTS_IN_SHARD or weight >= BYTES_IN_SHARD:
            yield Chunk(str(path), first, tuple(kept))
            first += len(kept)
            kept, weight = [], 0
    if kept:
        yield Chunk(str(path), first, tuple(kept))


def texts(chunk: Chunk) -> Iterator[str]:
    """The texts of a chunk; a title goes before its text."""
    for file in chunk.files:
        whole = bytearray()
        with opened(file) as (_, blocks):
            for block in blocks:
                whole += block
                if len(whole) > MOST_BYTES:
                    raise InputError.at(
                        file.path, f"more than {MOST_BYTES:,} bytes; split the text"
                    )
        try:
            yield whole.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise InputError.at(file.path, "not UTF-8 text") from None
    for number, line in enumerate(chunk.lines, chunk.first):
        found = article(line, chunk.path, number)
        if found is not None:
            yield ". ".join(filter(None, found))
