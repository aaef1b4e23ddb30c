"""A table with text as arrays: one record for each person, relational columns and sets of sensitive terms.

This is the person-centric view D* of section 3.1.5, already aggregated: a column holds, for each
person, the set of values found in that person's rows; `Terms` holds the union of the sensitive
terms of that person's texts.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from sfumato.errors import InputError, PolicyError
from sfumato.protect.tables import hierarchies
from sfumato.protect.tables.hierarchies import Tree
from sfumato.protect.tables.segments import Floats, Ints, starts_of

Kind = Literal["number", "nominal", "tree", "date"]
MISSING = -1


@dataclass(frozen=True)
class Column:
    """A relational quasi-identifier: for each person a set of codes into its distinct, ordered values.

    `kind` says how values are joined: a number into a range, a nominal value into a set, a tree (a
    user's hierarchy, prefixes of strings) and a date into the lowest node above them.
    """

    name: str
    kind: Kind
    indptr: Ints  # shape (persons + 1,), int64
    codes: Ints  # shape (indptr[-1],), int64, ascending and distinct within a person
    values: tuple[str, ...]  # by code; what is shown of each value
    scale: Floats  # shape (values,), float64, ascending: the numbers, days since 1970, or 0, 1, 2 …
    tree: Tree | None = None
    bias: float = 0.0

    @cached_property
    def single(self) -> bool:
        """Whether every person has exactly one value."""
        return bool((np.diff(self.indptr) == 1).all())

    @cached_property
    def low(self) -> Ints:
        """Each person's first code, MISSING for an empty set: shape (persons,), int64."""
        return self._end(self.indptr[:-1])

    @cached_property
    def high(self) -> Ints:
        """Each person's last code, MISSING for an empty set: shape (persons,), int64."""
        return self._end(self.indptr[1:] - 1)

    def _end(self, place: Ints) -> Ints:
        if self.single:
            return self.codes
        some = np.diff(self.indptr) > 0
        end = np.full(len(some), MISSING, np.int64)
        end[some] = self.codes[place[some]]
        return end

    @cached_property
    def owner(self) -> Ints:
        """The person of each code: shape (indptr[-1],), int64."""
        return np.repeat(np.arange(len(self.indptr) - 1), np.diff(self.indptr))

    @cached_property
    def position(self) -> Ints:
        """Where a person stands among all: ranks, shape (persons,), int64; Mondrian cuts between them.

        A set of numbers or dates stands at its last value, any other set is a value of its own.
        Persons without a value come first.
        """
        if self.single:
            return self.codes
        if self.kind in ("number", "date"):
            return np.asarray(self.high + int((self.high == MISSING).any()))
        bounds = self.indptr.tolist()
        flat = self.codes.tolist()
        sets = [tuple(flat[a:b]) for a, b in pairwise(bounds)]
        rank = {each: place for place, each in enumerate(sorted(set(sets)))}
        return np.array([rank[each] for each in sets], np.int64)

    @cached_property
    def place_value(self) -> Floats:
        """The scale of each rank of `position`: what Mondrian measures spans in; shape (ranks,)."""
        if self.kind not in ("number", "date"):
            return np.arange(int(self.position.max(initial=0)) + 1, dtype=np.float64)
        if not self.single and (self.high == MISSING).any():
            first = self.scale[:1] if len(self.scale) else np.zeros(1)  # no value, no width
            return np.concatenate([first, self.scale])
        return self.scale


@dataclass(frozen=True)
class Terms:
    """Sensitive terms: for each person a set of term ids; a term id is one (text column, type, normal form).

    Ids ascend with (column, type, normal form), so ties that go to the smaller id go by type, then
    by term.
    """

    indptr: Ints  # shape (persons + 1,), int64
    ids: Ints  # shape (indptr[-1],), int64, ascending and distinct within a person
    type_of: Ints  # shape (term ids,), int64, into `types`
    types: tuple[str, ...]
    column_of: Ints  # shape (term ids,), int64, into `columns`
    columns: tuple[str, ...] = ("text",)

    @cached_property
    def owner(self) -> Ints:
        """The person of each posting: shape (indptr[-1],), int64."""
        return np.repeat(np.arange(len(self.indptr) - 1), np.diff(self.indptr))

    @cached_property
    def weight(self) -> Floats:
        """What losing a posting costs its person, 1 / |r.X'| (eq. 6): shape (indptr[-1],), float64.

        With several text columns it is the mean over the columns; a column without terms costs
        nothing.
        """
        many = len(self.columns)
        cell = self.owner * many + self.column_of[self.ids]
        size = np.bincount(cell, minlength=1)
        return np.asarray(1.0 / (size[cell] * many))

    @property
    def count(self) -> int:
        """How many term ids there are."""
        return len(self.type_of)


@dataclass(frozen=True)
class Persons:
    """One record for each person: relational columns and terms."""

    columns: tuple[Column, ...]
    terms: Terms

    def __post_init__(self) -> None:
        for column in self.columns:
            if len(column.indptr) - 1 != self.count:
                raise InputError(
                    f"column {column.name} has {len(column.indptr) - 1} persons, the terms have "
                    f"{self.count}: give every column one entry for each person"
                )

    @property
    def count(self) -> int:
        return len(self.terms.indptr) - 1


def persons(columns: Sequence[Column], terms: Terms | None = None) -> Persons:
    """Persons of these columns; without terms when none are given."""
    if terms is None:
        if not columns:
            raise InputError(
                "a table without columns and terms: name at least one quasi-identifier"
            )
        terms = no_terms(len(columns[0].indptr) - 1)
    return Persons(tuple(columns), terms)


def require(count: int, k: int) -> None:
    """Fewer persons than k cannot be made k-anonymous: an error, never an output."""
    if k < 1:
        raise PolicyError(f"k is {k}: it must be at least 1")
    if count < k:
        raise InputError(f"{count} persons are fewer than k = {k}: add persons or lower k")


def numbers(
    name: str, values: Sequence[float | Collection[float]] | Floats, *, bias: float = 0.0
) -> Column:
    """A column of numbers, one number or a collection of them for each person.

    >>> ages = numbers("age", [36, [24, 25], 36])
    >>> ages.values, ages.codes.tolist(), ages.indptr.tolist()
    (('24', '25', '36'), [2, 0, 1, 2], [0, 1, 3, 4])
    """
    indptr, flat = _flatten(values)
    scale, codes = np.unique(np.asarray(flat, np.float64), return_inverse=True)
    if not np.isfinite(scale).all():
        raise InputError(f"column {name} holds a value that is no finite number: leave it out")
    shown = tuple(f"{value:.15g}" for value in scale.tolist())
    return _column(name, "number", indptr, codes, shown, scale, bias=bias)


def dates(name: str, days: Sequence[int | Collection[int]] | Ints, *, bias: float = 0.0) -> Column:
    """A column of dates, as days since 1970-01-01, recoded by El Emam's tree.

    >>> dates("date", [12418, [12418, 12419]]).values
    ('2004-01-01', '2004-01-02')
    """
    indptr, flat = _flatten(days)
    scale, codes = np.unique(np.asarray(flat, np.int64), return_inverse=True)
    tree = hierarchies.dates(scale)
    return _column(
        name, "date", indptr, codes, tree.labels[0], scale.astype(np.float64), tree=tree, bias=bias
    )


def nominal(
    name: str,
    values: Sequence[str | Collection[str]],
    *,
    paths: Sequence[Sequence[str]] | None = None,
    bias: float = 0.0,
) -> Column:
    """A column of names, recoded into sets, or by a hierarchy where `paths` (leaf first) are given.

    >>> nominal("sign", ["Leo", ["Aries", "Leo"]]).codes.tolist()
    [1, 0, 1]
    """
    indptr, flat = _flatten(values)
    if paths is None:
        return _named(name, indptr, flat, sorted(set(flat)), None, bias)
    tree, leaves = hierarchies.cover(paths, flat, name)
    return _named(name, indptr, flat, leaves, tree, bias)


def strings(name: str, values: Sequence[str | Collection[str]], *, bias: float = 0.0) -> Column:
    """A column of strings that are shortened from the right until a class agrees (postcodes).

    >>> strings("postcode", ["8010", "8020"]).tree.label(0, 1)
    '80*'
    """
    indptr, flat = _flatten(values)
    shown = sorted(set(flat))
    return _named(name, indptr, flat, shown, hierarchies.prefixes(shown), bias)


def _named(
    name: str, indptr: Ints, flat: Any, shown: Sequence[str], tree: Tree | None, bias: float
) -> Column:
    """A column of strings, numbered as they are `shown`."""
    code = {value: place for place, value in enumerate(shown)}
    codes = np.array([code[value] for value in flat], np.int64)
    scale = np.arange(len(shown), dtype=np.float64)
    kind: Kind = "nominal" if tree is None else "tree"
    return _column(name, kind, indptr, codes, tuple(shown), scale, tree=tree, bias=bias)


def no_terms(count: int) -> Terms:
    """Persons whose texts hold no sensitive terms."""
    empty = np.zeros(0, np.int64)
    return Terms(np.zeros(count + 1, np.int64), empty, empty, (), empty)


def terms(
    sets: Sequence[Collection[tuple[str, str]]] | Sequence[Collection[tuple[str, str, str]]],
) -> Terms:
    """Terms from sets of (type, normal form), or of (text column, type, normal form), one for each person.

    >>> found = terms([{("job", "engineer"), ("person", "pedro")}, {("job", "engineer")}, set()])
    >>> found.ids.tolist(), found.indptr.tolist(), found.types
    ([0, 1, 0], [0, 2, 3, 3], ('job', 'person'))
    """
    full = [{t if len(t) == 3 else ("text", *t) for t in each} for each in sets]
    known = sorted(set().union(*full)) if full else []
    place = {term: number for number, term in enumerate(known)}
    columns = tuple(sorted({t[0] for t in known})) or ("text",)
    types = tuple(sorted({t[1] for t in known}))
    return Terms(
        starts_of(np.array([len(each) for each in full], np.int64)),
        np.array([i for each in full for i in sorted(place[t] for t in each)], np.int64),
        np.array([types.index(t[1]) for t in known], np.int64),
        types,
        np.array([columns.index(t[0]) for t in known], np.int64),
        columns,
    )


def terms_from_mentions(
    person: Ints, term: Ints, count: int, type_of: Ints, types: tuple[str, ...]
) -> Terms:
    """Terms from mentions as arrays: the person and the term id of each; mentions repeat, sets do not.

    >>> found = terms_from_mentions(np.array([1, 0, 1]), np.array([2, 0, 2]), 2, np.zeros(3, int), ("place",))
    >>> found.ids.tolist(), found.indptr.tolist()
    ([0, 2], [0, 1, 2])
    """
    many = max(len(type_of), 1)
    key = np.unique(person.astype(np.int64) * many + term)
    return Terms(
        starts_of(np.bincount(key // many, minlength=count)),
        key % many,
        np.asarray(type_of, np.int64),
        types,
        np.zeros(len(type_of), np.int64),
    )


def _flatten(values: Any) -> tuple[Ints, Any]:
    if isinstance(values, np.ndarray):
        return np.arange(len(values) + 1, dtype=np.int64), values
    sets = [
        (value,) if isinstance(value, str) or not isinstance(value, Collection) else tuple(value)
        for value in values
    ]
    return starts_of(np.array([len(each) for each in sets], np.int64)), [v for s in sets for v in s]


def _column(
    name: str,
    kind: Kind,
    indptr: Ints,
    codes: Ints,
    values: tuple[str, ...],
    scale: Floats,
    *,
    tree: Tree | None = None,
    bias: float = 0.0,
) -> Column:
    if bias <= -1:
        raise PolicyError(f"the bias of {name} is {bias}: it must be above -1")
    persons_count = len(indptr) - 1
    if len(codes) == persons_count and (np.diff(indptr) == 1).all():
        return Column(name, kind, indptr, codes.astype(np.int64), values, scale, tree, bias)
    many = max(len(values), 1)
    key = np.unique(np.repeat(np.arange(persons_count), np.diff(indptr)) * many + codes)
    bounds = starts_of(np.bincount(key // many, minlength=persons_count))
    return Column(name, kind, bounds, key % many, values, scale, tree, bias)
