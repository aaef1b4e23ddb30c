"""Made-up hotel reviews, shaped like the second data set of the rx-anon thesis (section 4.1): 1,475 hotels
with many reviews each, two text columns, seven numbers, one date, two nominal columns. Terms are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.protect import tables as tb
from sfumato.protect.tables.problem import Terms
from sfumato.protect.tables.segments import Ints, first_of_run, starts_of

HOTELS = 1475
COLUMNS = ("negative", "positive")
# distinct terms that a type has to choose from, mentions in a review, and how steeply they fall off
TYPES: dict[str, tuple[int, float, float]] = {
    "DATE": (2400, 0.050, 1.1),
    "EVENT": (260, 0.003, 0.9),
    "FAC": (2900, 0.060, 0.9),
    "GPE": (1900, 0.080, 1.2),
    "LANGUAGE": (60, 0.004, 1.3),
    "LOC": (900, 0.020, 1.0),
    "MONEY": (1500, 0.020, 0.8),
    "NORP": (350, 0.015, 1.1),
    "ORG": (5200, 0.070, 0.8),
    "PERCENT": (120, 0.004, 0.9),
    "PERSON": (6400, 0.060, 0.7),
    "PRODUCT": (900, 0.010, 0.8),
    "TIME": (2600, 0.055, 1.0),
    "WORK_OF_ART": (420, 0.004, 0.7),
}
COUNTRIES = ("Austria", "France", "Italy", "Netherlands", "Spain", "United Kingdom")
NUMBERS = (
    "average_score",
    "reviews",
    "extra_scores",
    "score",
    "given_by_reviewer",
    "latitude",
    "longitude",
)


@dataclass(frozen=True)
class Hotels:
    """The person-centric view, one record for each hotel, and how many rows it was made from."""

    persons: tb.Persons
    rows: int


def hotels(count: int = HOTELS, mean_rows: float = 120.0, seed: int = 1) -> Hotels:
    """Hotels with log-normally many reviews; a hotel's guests speak of what is near it."""
    rng = np.random.default_rng(seed)
    spread = 1.0
    rows = np.rint(rng.lognormal(np.log(mean_rows) - spread**2 / 2, spread, count)).astype(np.int64)
    rows = np.clip(rows, 5, None)
    owner = np.repeat(np.arange(count), rows)
    country = rng.integers(0, len(COUNTRIES), count)
    days = 16650 + rng.integers(0, 730, len(owner))
    guests = rng.zipf(1.6, len(owner)) % 200  # nationalities of reviewers
    columns = [
        tb.nominal("city", [f"{COUNTRIES[c]} {i % 3}" for i, c in enumerate(country.tolist())]),
        tb.nominal("nationality", _sets(guests, rows, "n")),
        tb.dates("date", _sets(days, rows)),
        tb.numbers(NUMBERS[0], rng.normal(8.4, 0.5, count).round(1).clip(5, 10)),
        tb.numbers(NUMBERS[1], rows.astype(np.float64)),
        tb.numbers(NUMBERS[2], rng.integers(1, 600, count).astype(np.float64)),
        tb.numbers(NUMBERS[3], _sets(rng.integers(25, 101, len(owner)) / 10, rows)),
        tb.numbers(NUMBERS[4], _sets(rng.geometric(0.2, len(owner)).clip(1, 60), rows)),
        tb.numbers(NUMBERS[5], (40 + 15 * rng.random(count)).round(3)),
        tb.numbers(NUMBERS[6], (-5 + 20 * rng.random(count)).round(3)),
    ]
    return Hotels(tb.persons(columns, _terms(rng, owner, count, country)), len(owner))


def _sets(values: np.ndarray, rows: Ints, prefix: str = "") -> list[list[Any]]:
    parts = np.split(values, np.cumsum(rows)[:-1])
    return [[f"{prefix}{v}" if prefix else v for v in np.unique(p).tolist()] for p in parts]


def _terms(rng: np.random.Generator, owner: Ints, count: int, country: Ints) -> Terms:
    types = tuple(sorted(TYPES))
    vocabulary = [TYPES[t][0] for t in types]
    base = starts_of(np.array(vocabulary, np.int64))
    many = int(base[-1])
    keys = []
    for column in range(len(COLUMNS)):
        for number, name in enumerate(types):
            size, rate, slope = TYPES[name]
            mentions = rng.poisson(rate * (1.3 if column else 1.0), len(owner))
            who = np.repeat(owner, mentions)
            weight = np.cumsum(1.0 / np.arange(1, size + 1) ** slope)
            term = np.searchsorted(weight / weight[-1], rng.random(len(who)))
            # half of what is said about places is about the hotel's own country
            near = (rng.random(len(who)) < 0.5) & np.isin(name, ("GPE", "FAC", "LOC"))
            term = np.where(near, (term + 37 * country[who]) % size, term)
            keys.append((who * len(COLUMNS) + column) * many + base[number] + term)
    key = np.sort(np.concatenate(keys))
    key = key[first_of_run(key)]
    who, rest = key // (many * len(COLUMNS)), key % (many * len(COLUMNS))
    type_of = np.repeat(np.arange(len(types)), vocabulary)
    return Terms(
        starts_of(np.bincount(who, minlength=count)),
        rest,
        np.tile(type_of, len(COLUMNS)),
        types,
        np.repeat(np.arange(len(COLUMNS)), many),
        COLUMNS,
    )
