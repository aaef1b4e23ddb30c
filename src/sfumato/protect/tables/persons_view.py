"""The person-centric view (section 3.1.5): one record for each person, sets over all rows, terms united."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from sfumato.english.folding import value_form
from sfumato.english.numbers import read_number
from sfumato.errors import InputError
from sfumato.policy.table import Paths
from sfumato.protect.tables import problem
from sfumato.protect.tables.diversity import (
    Closeness,
    DistinctDiversity,
    EntropyDiversity,
    Sensitive,
    TermCloseness,
    sensitive,
)
from sfumato.protect.tables.mentions import TermIndex
from sfumato.protect.tables.mondrian import ClassRule
from sfumato.protect.tables.problem import Column, Persons, Terms
from sfumato.protect.tables.rows import Rows, Value
from sfumato.protect.tables.segments import Ints, starts_of

_RANGE = re.compile(
    r"\s*+(?:\[\s*+)?(-?\d+(?:\.\d+)?)\s*(?:-|–|\.\.|to)\s*(-?\d+(?:\.\d+)?)\s*+(?:\]\s*+)?"
)


def persons_view(rows: Rows, terms: Terms) -> Persons:
    """All persons with their quasi-identifiers, each a set, and the terms of their texts."""
    return Persons(tuple(column(rows, name) for name in rows.columns("quasi")), terms)


def column(rows: Rows, name: str) -> Column:
    """One quasi-identifier of all persons."""
    settings = rows.settings.columns[name]
    sets = value_sets(rows, name)
    bias = settings.bias
    if settings.type == "number" and settings.hierarchy:
        shown = [[f"{v:.15g}" for v in each] for each in sets]
        numbers = {v for each in sets for v in each}
        paths = _number_paths(name, settings.hierarchy, sorted(numbers))
        return problem.nominal(name, shown, paths=paths, bias=bias)
    if settings.type == "number":
        return problem.numbers(name, [[float(v) for v in each] for each in sets], bias=bias)
    if settings.type == "date":
        return problem.dates(name, [[int(v) for v in each] for each in sets], bias=bias)
    names = [[str(v) for v in each] for each in sets]
    if settings.type == "string":
        return problem.strings(name, names, bias=bias)
    return problem.nominal(name, names, paths=settings.hierarchy or None, bias=bias)


def value_sets(rows: Rows, name: str) -> list[list[Value]]:
    """The values of each person in a column, each once."""
    sets: list[dict[Value, None]] = [{} for _ in range(rows.persons)]
    for person, value in zip(rows.person.tolist(), rows.values[name], strict=True):
        if value is not None:
            sets[person][value] = None
    return [list(each) for each in sets]


def _number_paths(name: str, paths: Paths, values: Sequence[Value]) -> Paths:
    """Paths for numbers, whose hierarchy's leaves are numbers or ranges."""
    bounds = []
    for path in paths:
        found = _RANGE.fullmatch(path[0])
        try:
            low, high = (float(found[1]), float(found[2])) if found else (float(path[0]),) * 2
        except ValueError:
            raise InputError(
                f"the hierarchy of {name}: a leaf is neither a number nor a range like 21-25"
            ) from None
        bounds.append((low, high))
    made = []
    for value in values:
        fit = [i for i, (low, high) in enumerate(bounds) if low <= float(value) <= high]
        if not fit:
            raise InputError(
                f"the hierarchy of {name} has no leaf for one of the column's numbers: add its range"
            )
        said = f"{value:.15g}"
        path = paths[fit[0]]
        made.append(path if path[0] == said else (said, *path))
    depth = max((len(path) for path in made), default=0)
    return tuple((path[0],) * (depth - len(path)) + path for path in made)


def rules(rows: Rows, index: TermIndex) -> list[ClassRule]:
    """What every class must keep beyond its size."""
    demands: list[ClassRule] = []
    for name in rows.columns("sensitive"):
        settings = rows.settings.columns[name]
        if not settings.is_demanding:
            continue
        counted = sensitive_column(rows, name, _number_form)
        if settings.distinct:
            demands.append(DistinctDiversity(counted, settings.distinct))
        if settings.entropy:
            demands.append(EntropyDiversity(counted, settings.entropy))
        if settings.closeness is not None:
            values = sensitive_column(rows, name)
            ordered = settings.type in ("number", "date")
            demands.append(Closeness(values, settings.closeness, "ordered" if ordered else "equal"))
    wanted = rows.settings.sensitive_terms
    if wanted.kinds:
        terms, first = _spelt_alike(index)
        kinds = {i for i, name in enumerate(terms.types) if name in wanted.kinds}
        ids = np.unique(first[np.isin(terms.type_of, sorted(kinds))])
        demands.append(TermCloseness(terms, ids, wanted.closeness))
    return demands


def _spelt_alike(index: TermIndex) -> tuple[Terms, Ints]:
    """The terms with the spellings of one as the first of them, and which one that is for each."""
    terms, seen = index.terms, dict[tuple[int, str, str], int]()
    forms = [(column, kind, value_form(said)) for column, kind, said in index.keys]
    first = np.array([seen.setdefault(form, i) for i, form in enumerate(forms)], np.int64)
    many = max(terms.count, 1)
    pairs = np.unique(terms.owner * many + first[terms.ids])
    indptr = starts_of(np.bincount(pairs // many, minlength=len(terms.indptr) - 1))
    return replace(terms, indptr=indptr, ids=pairs % many), first


def sensitive_column(rows: Rows, name: str, form: Callable[[str], str] = value_form) -> Sensitive:
    """A sensitive column: one value for each person, however it is spelt."""
    ordered = rows.settings.columns[name].type in ("number", "date")
    cells = rows.values[name]
    known = {
        cell: _kept(float(cell)) if ordered else form(str(cell))
        for cell in cells
        if cell is not None
    }
    value: list[Any] = [-math.inf if ordered else ""] * rows.persons
    seen: dict[int, Value | None] = {}
    for row, (person, cell) in enumerate(zip(rows.person.tolist(), cells, strict=True)):
        if cell is None:
            continue
        value[person] = known[cell]
        if seen.setdefault(person, value[person]) != value[person]:
            where = rows.table.where(int(rows.number[row]))
            raise InputError(
                f"{where}: a person has several values in the sensitive column '{name}'; diversity and "
                "closeness need one for each person"
            )
    return sensitive(name, value)


def _number_form(text: str) -> str:
    """A value that counts once however its number is written. Numbers may be codes, of which 250.0 and 250.00
    are two: for the distance between shares they are."""
    said = value_form(text)
    number = read_number(said)
    return said if number is None else repr(_kept(number))


def _kept(number: float) -> float:
    """A number in the digits that every program keeps: what follows is noise of reckoning, no other value."""
    return float(f"{number:.15g}")
