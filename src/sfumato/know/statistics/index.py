"""The file of an index: terms, how many units (articles or paragraphs) hold each, and which.

    magic, version            16 bytes and 4
    length of the header      4
    header                    JSON: size, unit, minimum counts, rules, sources, sections
    terms                     blocks of 16 terms in order, front-coded, deflated
    heads                     the first term of each block
    blocks                    for each block: where its terms and its postings start (uint64 pairs)
    postings                  for each term, the smaller of two forms

A posting is a sorted set of unit numbers. A rare term's is Elias-Fano coded (2 + log2(N/n) bits for each
unit, close to the least possible), a frequent one's is a serialised roaring bitmap, which is dense. Both
are roaring bitmaps once read, and they are read when they are asked for: opening maps the file.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import shutil
import struct
import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import IO, Any

import numpy as np
from pyroaring import BitMap

from sfumato.english import chunker
from sfumato.errors import InputError
from sfumato.files import plain

MAGIC = b"sfumato-terms\x00\x00\x00"
VERSION = 1
BLOCK = 16  # terms; fewer open faster, more take less room
CACHED = 8192  # postings kept decoded: the dense ones of a corpus of 140,000 take 17 kB each
ROOM = 1 << 18  # bytes that any terms may unpack to, and for each term:
ROOM_FOR_TERM = 1 << 10
_BROKEN = (ValueError, LookupError, TypeError, ArithmeticError, RecursionError, zlib.error)

Array = np.ndarray[Any, np.dtype[Any]]
Place = tuple[int, int, int]  # an entry's count, start and length


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A term's place in the file."""

    term: str
    count: int
    start: int
    length: int


def encode(units: Array, size: int) -> bytes:
    """A sorted posting (uint32, shape (n,)) of units below `size` in the smaller of its two forms; the
    first byte says which: the number of low bits, or 255 for roaring.

    >>> units = np.array([3, 700, 701, 90000], dtype=np.uint32)
    >>> decode(encode(units, 100000), 4, 100000)
    BitMap([3, 700, 701, 90000])
    """
    count = len(units)
    low = low_bits(count, size)
    if elias_fano_bytes(count, size) >= size // 8:
        bitmap = BitMap(units)
        bitmap.run_optimize()
        return b"\xff" + bitmap.serialize()
    high = np.zeros(count + (size >> low) + 1, dtype=np.uint8)
    high[(units >> low) + np.arange(count, dtype=np.uint32)] = 1
    coded = np.packbits(high).tobytes()
    if low:
        bits = (units[:, None] >> np.arange(low, dtype=np.uint32)) & 1
        coded = np.packbits(bits.astype(np.uint8).reshape(-1)).tobytes() + coded
    return bytes([low]) + coded


def decode(coded: bytes, count: int, size: int) -> BitMap:
    """A posting as a roaring bitmap."""
    low = coded[0]
    if low == 255:
        return BitMap.deserialize(coded[1:])
    body = np.frombuffer(coded, dtype=np.uint8, offset=1)
    split = (count * low + 7) // 8
    if low > 32 or count > 8 * (len(body) - split):
        raise ValueError("a posting shorter than its count")
    high = np.flatnonzero(np.unpackbits(body[split:]))[:count] - np.arange(count)
    units = high << low
    if low:
        bits = np.unpackbits(body[:split], count=count * low).reshape(count, low)
        units = units + bits @ (1 << np.arange(low))
    return BitMap(units.astype(np.uint32))


def low_bits(count: int, size: int) -> int:
    """How many low bits of each unit are stored as they are."""
    return max(0, (size // count).bit_length() - 1)


def elias_fano_bytes(count: int, size: int) -> int:
    """The length of a coded posting, its first byte included."""
    low = low_bits(count, size)
    return 1 + (count * low + 7) // 8 + (count + (size >> low) + 8) // 8


class Writer:
    """Writes terms in order, each with its posting; the header comes last, in its place."""

    def __init__(self, terms: IO[bytes], postings: IO[bytes], size: int) -> None:
        self._terms, self._postings, self._size = terms, postings, size
        self._block: list[tuple[str, int, int]] = []
        self._heads: list[str] = []
        self._places: list[int] = []
        self._terms_at = self._postings_at = self._block_at = 0

    def add(self, term: str, count: int, coded: bytes) -> None:
        """The next term; terms come in ascending order."""
        self._block.append((term, count, len(coded)))
        self._postings.write(coded)
        self._postings_at += len(coded)
        if len(self._block) == BLOCK:
            self._flush()

    def _flush(self) -> None:
        if not self._block:
            return
        packed = _pack(self._block)
        self._heads.append(self._block[0][0])
        self._places += [self._terms_at, self._block_at]
        self._terms.write(packed)
        self._terms_at += len(packed)
        self._block_at = self._postings_at
        self._block = []

    def close(self, out: IO[bytes], about: Mapping[str, Any]) -> int:
        """The whole file from its parts; returns its length in bytes."""
        self._flush()
        self._places += [self._terms_at, self._postings_at]
        heads = zlib.compress("\n".join(self._heads).encode(), 9)
        blocks = np.array(self._places, dtype="<u8").tobytes()
        lengths = {"terms": self._terms_at, "heads": len(heads), "blocks": len(blocks)}
        sections, at = {}, 0
        for name, length in (*lengths.items(), ("postings", self._postings_at)):
            sections[name] = [at, length]
            at += length
        header = json.dumps({**about, "size": self._size, "sections": sections}, sort_keys=True)
        packed = header.encode()
        out.write(MAGIC + struct.pack("<II", VERSION, len(packed)) + packed)
        self._terms.seek(0)
        shutil.copyfileobj(self._terms, out)
        out.write(heads + blocks)
        self._postings.seek(0)
        shutil.copyfileobj(self._postings, out)
        return len(MAGIC) + 8 + len(packed) + at


def _pack(block: Iterable[tuple[str, int, int]]) -> bytes:
    """Terms as (bytes shared with the one before, the rest), their counts and lengths of postings."""
    shared, rest, numbers, before = bytearray(), [], bytearray(), b""
    for term, count, length in block:
        said = term.encode()
        same = 0
        while same < min(len(said), len(before), 255) and said[same] == before[same]:
            same += 1
        shared.append(same)
        rest.append(said[same:])
        before = said
        for number in (count, length):
            left = number
            while left > 127:
                numbers.append(left & 127 | 128)
                left >>= 7
            numbers.append(left)
    return zlib.compress(bytes([len(rest)]) + shared + b"\n".join(rest) + b"\n" + numbers, 9)


def _inflate(packed: bytes, terms: int) -> bytes:
    """The bytes of so many terms; what unpacks to more than they can take is not unpacked."""
    unpacking = zlib.decompressobj()
    data = unpacking.decompress(packed, ROOM + ROOM_FOR_TERM * terms)
    if not unpacking.eof:
        raise ValueError("terms that are cut short, or too long")
    return data


def _unpack(packed: bytes, postings_at: int) -> dict[str, Place]:
    """Terms and their places, in order."""
    data = _inflate(packed, BLOCK)
    count = data[0]
    shared = data[1 : count + 1]
    *rest, numbers = data[count + 1 :].split(b"\n", count)
    values, value, shift = [], 0, 0
    for byte in numbers:
        value |= (byte & 127) << shift
        shift += 7
        if shift > 63:
            raise ValueError("a number that no file can hold")
        if byte < 128:
            values.append(value)
            value = shift = 0
    places, before = {}, b""
    for same, tail, number, length in zip(shared, rest, values[::2], values[1::2], strict=True):
        before = before[:same] + tail
        places[before.decode()] = (number, postings_at, length)
        postings_at += length
    return places


class Index:
    """An index that is open for reading."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._map = _map(path)
        self.about = _header(path, self._map)
        self.size: int = self.about["size"]
        self._base = len(MAGIC) + 8 + struct.unpack_from("<I", self._map, len(MAGIC) + 4)[0]
        with self._whole():
            start, length = self._section("blocks")
            self._blocks = np.frombuffer(self._map, "<u8", length // 8, start).reshape(-1, 2)
        self._block = lru_cache(maxsize=1024)(self._read_block)
        self._posting = lru_cache(maxsize=CACHED)(self._read_posting)

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """Whatever cannot be read in here is damaged."""
        try:
            yield
        except _BROKEN:
            raise _damaged(self.path) from None

    def _section(self, name: str) -> tuple[int, int]:
        start, length = self.about["sections"][name]
        return self._base + start, length

    def _read_block(self, number: int) -> dict[str, Place]:
        with self._whole():
            start = self._section("terms")[0]
            (begin, postings), (end, _) = self._blocks[number : number + 2].tolist()
            return _unpack(self._map[start + begin : start + end], postings)

    @cached_property
    def _heads(self) -> list[str]:
        with self._whole():
            start, length = self._section("heads")
            blocks = len(self._blocks) - 1
            said = _inflate(self._map[start : start + length], blocks)
            if blocks != (said.count(b"\n") + 1 if said else 0):
                raise ValueError("not one head for each block")
            return said.decode().split("\n") if said else []

    def find(self, normal: str) -> IndexEntry | None:
        """The entry of a term in its normal form."""
        number = bisect_right(self._heads, normal) - 1
        place = self._block(number).get(normal) if number >= 0 else None
        return IndexEntry(normal, *place) if place else None

    def posting(self, entry: IndexEntry) -> BitMap:
        """The units that hold a term. Shared and kept: not to be changed."""
        return self._posting(entry)

    def _read_posting(self, entry: IndexEntry) -> BitMap:
        with self._whole():
            start = self._section("postings")[0] + entry.start
            found = decode(self._map[start : start + entry.length], entry.count, self.size)
            if len(found) != entry.count or (found and found.max() >= self.size):
                raise ValueError("a posting of other units")
            return found

    @cached_property
    def identity(self) -> str:
        """Tells one index from another without reading all of it: a hash of its header, the first terms of
        its blocks, and where each block's terms and postings start."""
        found = hashlib.sha256(self._map[: self._base])
        for name in ("heads", "blocks"):
            start, length = self._section(name)
            found.update(self._map[start : start + length])
        return found.hexdigest()

    def __len__(self) -> int:
        return int(self.about["terms"])

    def __iter__(self) -> Iterator[IndexEntry]:
        """Every term, in order."""
        for number in range(len(self._blocks) - 1):
            for term, place in self._read_block(number).items():
                yield IndexEntry(term, *place)


def _map(path: Path) -> mmap.mmap:
    try:
        with plain(path) as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError:
        raise InputError.at(
            path, f"no such index; build one with 'sfumato know build CORPUS -o {path}'"
        ) from None
    except ValueError:
        raise InputError.at(path, "an empty file, not an index of terms") from None
    except OSError as error:
        raise InputError.at(path, f"cannot be read ({error.strerror})") from None


def _damaged(path: Path) -> InputError:
    again = f"build it again with 'sfumato know build CORPUS -o {path}'"
    return InputError.at(path, f"the index is cut short or damaged; {again}")


def _header(path: Path, data: mmap.mmap) -> dict[str, Any]:
    if data[: len(MAGIC)] != MAGIC:
        raise InputError.at(path, "not an index of terms")
    again = f"build it again with 'sfumato know build CORPUS -o {path}'"
    if len(data) < len(MAGIC) + 8:
        raise _damaged(path)
    version, length = struct.unpack_from("<II", data, len(MAGIC))
    if version != VERSION:
        raise InputError.at(
            path, f"an index of format {version}, this program reads {VERSION}; {again}"
        )
    start = len(MAGIC) + 8
    try:
        about: dict[str, Any] = json.loads(data[start : start + length])
        end = start + length + sum(about["sections"]["postings"])
        rules = about["rules"]
        numbers = [about[name] for name in ("size", "terms", "least_phrase")]
        for name in ("terms", "heads", "blocks", "postings"):
            at, long = about["sections"][name]
            numbers += [at, long]
    except _BROKEN:
        raise _damaged(path) from None
    fits = len(data) == end and all(isinstance(n, int) and n >= 0 for n in numbers)
    if not fits or not about["size"]:
        raise _damaged(path)
    if rules != chunker.VERSION:
        raise InputError.at(
            path,
            f"an index by rules {rules} for terms, this program has {chunker.VERSION}; {again}",
        )
    return about
