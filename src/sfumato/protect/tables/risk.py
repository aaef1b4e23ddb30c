"""How likely a person is found again in the release: prosecutor, journalist and marketer, as in ARX.

The prosecutor knows that the person is in the table: 1 / class size. The journalist does not; only
the population counts, so a class counts with the size of its class in the population where that is
known, and as for the prosecutor where it is not. The marketer wants as many as possible: the mean
over all persons.
"""

from __future__ import annotations

from dataclasses import dataclass

from sfumato.errors import InputError
from sfumato.protect.tables.classes import Classes
from sfumato.protect.tables.segments import Floats, Ints


@dataclass(frozen=True)
class Attack:
    """What one attacker can hope for; all are shares between 0 and 1."""

    highest: float
    lowest: float
    at_risk: float  # share of persons whose risk is above the threshold
    success: float  # share of persons expected to be found


@dataclass(frozen=True)
class Risk:
    prosecutor: Attack
    journalist: Attack
    marketer: float


def risk(classes: Classes, *, threshold: float = 0.2, population: Ints | None = None) -> Risk:
    """The three risks; `population`, shape (classes,), is each class' size in the population.

    >>> import numpy as np
    >>> found = risk(Classes(np.array([0, 0, 1, 1, 1, 1])), threshold=0.3)
    >>> found.prosecutor.highest, round(found.prosecutor.at_risk, 3), round(found.marketer, 3)
    (0.5, 0.333, 0.333)
    """
    sizes = classes.sizes
    if population is None:
        population = sizes
    if len(population) != len(sizes) or (population < sizes).any():
        raise InputError(
            "the population's classes do not fit: give one size for each class, at least the class' own"
        )
    prosecutor = _attack(1 / sizes, sizes, threshold)
    journalist = _attack(1 / population, sizes, threshold)
    return Risk(prosecutor, journalist, journalist.success)


def _attack(chance: Floats, sizes: Ints, threshold: float) -> Attack:
    persons = int(sizes.sum())
    return Attack(
        float(chance.max()),
        float(chance.min()),
        float(sizes[chance > threshold].sum() / persons),
        float((chance * sizes).sum() / persons),
    )
