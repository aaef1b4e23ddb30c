"""Contexts as a sparse matrix: which entity has which terms, and the arrays kept in a cache."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sfumato import private
from sfumato.errors import InputError

Ints = np.ndarray[Any, np.dtype[np.int64]]
Int32s = np.ndarray[Any, np.dtype[np.int32]]
Floats = np.ndarray[Any, np.dtype[np.float32]]
Arrays = dict[str, np.ndarray[Any, Any]]

_ARRAYS = ("indptr", "indices", "term_indptr", "term_entities")


@dataclass(frozen=True, slots=True, eq=False)
class Contexts:
    """Every entity's context restricted to some terms, as a sparse matrix in rows (CSR).

    The context of entity `i` is `indices[indptr[i]:indptr[i + 1]]`: positions in `terms`, ascending.
    """

    terms: Ints  # shape (terms,): ids, as they were given
    indptr: Ints  # shape (entities + 1,)
    indices: Int32s  # shape (pairs,)

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def of(self, entity: int) -> Int32s:
        """The restricted context of one entity."""
        return self.indices[self.indptr[entity] : self.indptr[entity + 1]]


def transpose(indptr: Ints, indices: Int32s, terms: int) -> tuple[Ints, Int32s]:
    """The matrix by terms: for each the entities whose context holds it, ascending."""
    term_indptr = np.zeros(terms + 1, dtype=np.int64)
    np.cumsum(np.bincount(indices, minlength=terms), out=term_indptr[1:])
    entities = len(indptr) - 1
    # One sort of packed pairs is faster than a stable sort with its permutation.
    packed = indices.astype(np.int64) * max(entities, 1)
    packed += np.repeat(np.arange(entities, dtype=np.int64), np.diff(indptr))
    packed.sort()
    packed %= max(entities, 1)
    return term_indptr, packed.astype(np.int32)


def restrict(
    terms: Sequence[int] | Ints, term_indptr: Ints, term_entities: Int32s, entities: int
) -> Contexts:
    """The contexts restricted to `terms`, from the matrix by terms.

    >>> found = restrict([2, 0], np.array([0, 2, 2, 3]), np.array([0, 2, 2], dtype=np.int32), 3)
    >>> [found.of(entity).tolist() for entity in range(len(found))]
    [[1], [], [0, 1]]
    """
    given = np.asarray(terms, dtype=np.int64)
    if len(given) and (given.min() < 0 or given.max() >= len(term_indptr) - 1):
        raise ValueError("a term id that this database does not have")
    postings = [term_entities[term_indptr[t] : term_indptr[t + 1]] for t in given.tolist()]
    indptr = np.zeros(entities + 1, dtype=np.int64)
    if postings:
        np.cumsum(np.bincount(np.concatenate(postings), minlength=entities), out=indptr[1:])
    pairs = int(indptr[-1])
    indices = np.empty(pairs, dtype=np.int32)
    # A counting sort, term by term: an entity is at most once in a posting.
    at: np.ndarray[Any, np.dtype[Any]] = indptr[:-1].astype(np.int32 if pairs < 2**31 else np.int64)
    for position, posting in enumerate(postings):
        places = at[posting]
        indices[places] = position
        places += 1
        at[posting] = places
    return Contexts(given, indptr, indices)


def contexts_digest(
    names: Iterable[str],
    normals: Iterable[str],
    terms: Iterable[str],
    indptr: Ints,
    indices: Int32s,
    weights: bytes,
) -> str:
    """A hash of entities, terms (by their normal forms and as they are written) and contexts."""
    made = hashlib.blake2b(digest_size=32)
    for texts in (names, normals, terms):
        made.update("\0".join(texts).encode("utf-8", "surrogatepass") + b"\1")
    made.update(np.ascontiguousarray(indptr).data)
    made.update(np.ascontiguousarray(indices).data)
    made.update(weights)
    return made.hexdigest()


# The cache


def default_cache() -> Path:
    """The user's folder for arrays that can be made again."""
    return private.caches() / "sfumato" / "entities"


def _hold(folder: Path, depth: int, *, make: bool = False) -> int:
    """A folder of the cache, where so many are judged: of the user's own all that are ours."""
    depth += folder.is_relative_to(default_cache())
    base, names = Path(*folder.absolute().parts[:-depth]), folder.absolute().parts[-depth:]
    if make:
        base.mkdir(parents=True, exist_ok=True, mode=0o700)
    return private.hold(base, *names, make=make)


def make_arrays(indptr: Ints, indices: Int32s, terms: int) -> Arrays:
    """All that is kept in the cache: the contexts by entities and by terms."""
    return dict(zip(_ARRAYS, (indptr, indices, *transpose(indptr, indices, terms)), strict=True))


def load_arrays(folder: Path, entities: int, terms: int) -> Arrays | None:
    """The arrays of a cache folder, mapped into memory; None where there are none that fit, or where others
    may have put them."""
    try:
        held = _hold(folder, 2)
    except (OSError, InputError):
        return None
    try:
        where = {n: private.inside(held, folder, f"{n}.npy") for n in _ARRAYS}
        found = {n: np.load(w, mmap_mode="r", allow_pickle=False) for n, w in where.items()}
    except (OSError, ValueError):
        return None
    finally:
        os.close(held)
    pairs = len(found["indices"])
    lengths = {
        "indptr": entities + 1,
        "indices": pairs,
        "term_indptr": terms + 1,
        "term_entities": pairs,
    }
    fits = all(len(found[name]) == length for name, length in lengths.items())
    fits = fits and found["indptr"][-1] == found["term_indptr"][-1] == pairs
    return {n: np.asarray(a) for n, a in found.items()} if fits else None


def keep_arrays(folder: Path, arrays: Arrays) -> Arrays | None:
    """Write the arrays to a cache folder that only its owner may read, and map them; None where that is
    not possible (a cache is a convenience)."""
    made = secrets.token_hex(16)
    try:
        held = _hold(folder.parent, 1, make=True)
    except (OSError, InputError):
        return None
    try:
        os.mkdir(made, 0o700, dir_fd=held)
        for name, array in arrays.items():
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            with os.fdopen(os.open(f"{made}/{name}.npy", flags, 0o600, dir_fd=held), "wb") as file:
                np.save(file, array, allow_pickle=False)
        shutil.rmtree(folder.name, ignore_errors=True, dir_fd=held)
        os.rename(made, folder.name, src_dir_fd=held, dst_dir_fd=held)
    except OSError:
        shutil.rmtree(made, ignore_errors=True, dir_fd=held)
    finally:
        os.close(held)
    return load_arrays(folder, len(arrays["indptr"]) - 1, len(arrays["term_indptr"]) - 1)
