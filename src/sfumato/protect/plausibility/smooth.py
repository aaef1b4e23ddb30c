"""The smallest count of texts from t on, by trying t, t+1, t+2, … and asking each whether it is a product of
one volume per ladder.

Two sieves make that cheap. Volumes are written as products of *atoms*, numbers without a common factor; a
count can only be a product of volumes if it is one of atoms, and a block of counts is tested for that by
adding log2 of every atom's power to its multiples. What is left is decided on its divisors: a set of
divisors is one big integer, a bit each, and multiplying all of them by a volume is a shift.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

FIRST_BLOCK, LARGEST_BLOCK = 1 << 11, 1 << 17
SMALL = 1 << 10  # trial division up to here; beyond it, common factors are found by gcd


def first_product(
    ladders: Sequence[Sequence[int]], start: int, steps: int
) -> tuple[tuple[int, ...], int] | int:
    """Levels and their product for the smallest product of at least `start` among `steps` numbers, or,
    where there is none, the first number that was not tried.

    >>> first_product([[1, 4, 32], [1, 2, 6], [1, 3]], 7, 10)
    ((1, 1, 0), 8)
    >>> first_product([[1, 10**6], [1, 10**6]], 10**6 + 1, 100)
    1000101
    """
    end = start + steps
    volumes = sorted({v for ladder in ladders for v in ladder if 1 < v < end})
    atoms = coprime_atoms(volumes)
    powers = {v: _powers(v, atoms) for v in volumes}
    # An atom occurs in a product at most as often as its largest powers in all ladders together.
    most = dict.fromkeys(atoms, 0)
    for ladder in ladders:
        top: dict[int, int] = {}
        for v in ladder:
            for atom, power in powers.get(v, {}).items():
                top[atom] = max(top.get(atom, 0), power)
        for atom, power in top.items():
            most[atom] += power
    for count in _products_of_atoms(most, start, end):
        levels = factor(count, ladders, atoms, powers)
        if levels is not None:
            return levels, count
    return end


def coprime_atoms(volumes: Sequence[int]) -> list[int]:
    """Numbers without common factors of whose powers all volumes are products.

    >>> coprime_atoms([6, 12, 1000003 * 1000033, 1000003 * 1000037])
    [2, 3, 1000003, 1000033, 1000037]
    """
    rest = set(volumes)
    atoms = []
    for prime in range(2, SMALL):
        hit = [v for v in rest if v % prime == 0] if _has(rest, prime) else []
        if hit:
            atoms.append(prime)
            rest.difference_update(hit)
            for v in hit:
                while v % prime == 0:
                    v //= prime
                rest.add(v)
        rest.discard(1)
        if not rest or max(rest) < prime * prime:
            break
    # Below SMALL² a number without small factors is prime.
    large = [v for v in rest if v < SMALL * SMALL]
    for v in sorted(rest):
        if v >= SMALL * SMALL:
            large = _refine(large, v)
    return atoms + sorted(set(large))


def _has(numbers: set[int], prime: int) -> bool:
    return any(v % prime == 0 for v in numbers)


def _refine(atoms: list[int], number: int) -> list[int]:
    """Atoms of which also `number` is a product of powers."""
    todo, made = [number], list(atoms)
    while todo:
        number = todo.pop()
        for i, atom in enumerate(made):
            common = math.gcd(atom, number)
            if common > 1:
                if common == atom:
                    todo.append(number // common)
                else:
                    del made[i]
                    todo += [common, atom // common, number]
                break
        else:
            if number > 1:
                made.append(number)
    return made


def _powers(volume: int, atoms: Sequence[int]) -> dict[int, int]:
    made: dict[int, int] = {}
    for atom in atoms:
        while volume % atom == 0:
            made[atom] = made.get(atom, 0) + 1
            volume //= atom
        if volume == 1:
            break
    return made


def _products_of_atoms(most: dict[int, int], start: int, end: int) -> Iterator[int]:
    """Ascending: the numbers that are products of atoms, each at most so often."""
    steps = []
    for atom, times in most.items():
        power, bits = 1, math.log2(atom)
        for _ in range(times):
            power *= atom
            if power >= end:
                break
            steps.append((power, bits))
    length = FIRST_BLOCK
    while start < end:
        length = min(length, end - start)
        bits_found = np.zeros(length)
        for power, bits in steps:
            first = -start % power
            if first < length:
                bits_found[first::power] += bits
        # Any other number lacks a factor of at least 2, one bit.
        whole: Any = math.log2(start)
        if length > start // 8:
            whole = np.log2(np.arange(start, start + length))
        hits = np.flatnonzero(bits_found > whole - 0.5)
        yield from (start + at for at in hits.tolist())
        start += length
        length = min(4 * length, LARGEST_BLOCK)


def factor(
    count: int,
    ladders: Sequence[Sequence[int]],
    atoms: Sequence[int],
    powers: dict[int, dict[int, int]],
) -> tuple[int, ...] | None:
    """Levels whose volumes have the product `count`, if there are any.

    `count` is a product of atoms. A divisor of it is the mixed-radix number of its atoms' powers; the set
    of those that the first ladders can make is an integer with these bits set.
    """
    whole = _powers(count, atoms)
    places: dict[int, int] = {}
    size = 1
    for atom, power in whole.items():
        places[atom] = size
        size *= power + 1
    shifts: dict[int, tuple[int, int]] = {}
    options = []
    for i, ladder in enumerate(ladders):
        usable = []
        for j, v in enumerate(ladder):
            if v > 1 and v <= count and count % v == 0:
                usable.append((j, v))
                if v not in shifts:
                    own = powers[v]
                    room = {atom: power - own.get(atom, 0) for atom, power in whole.items()}
                    shift = sum(places[atom] * power for atom, power in own.items())
                    shifts[v] = shift, _box(room, places)
        if usable:
            options.append((i, usable))
        elif ladder[0] > 1:
            return None
    # First those that cannot be left out: once they are in, the search may stop at any ladder.
    options.sort(key=lambda option: (ladders[option[0]][0] == 1, -option[1][-1][1]))
    forced = sum(ladder[0] > 1 for ladder in ladders)
    made = 1
    history: list[int] = []
    for i, usable in options:
        if len(history) >= forced and made >> (size - 1) & 1:
            break
        history.append(made)
        grown = made if ladders[i][0] == 1 else 0
        for _, v in usable:
            shift, fits = shifts[v]
            grown |= (made & fits) << shift
        made = grown
    if not made >> (size - 1) & 1:
        return None
    levels = [0] * len(ladders)
    at = size - 1
    for (i, usable), before in zip(
        reversed(options[: len(history)]), reversed(history), strict=True
    ):
        if ladders[i][0] == 1 and before >> at & 1:
            continue
        for j, v in usable:
            shift, fits = shifts[v]
            if at >= shift and (before & fits) >> (at - shift) & 1:
                levels[i], at = j, at - shift
                break
    return tuple(levels)


def _box(room: dict[int, int], places: dict[int, int]) -> int:
    """The set of the divisors with at most so many of each atom."""
    box = 1
    for atom, power in room.items():
        box = sum(box << places[atom] * k for k in range(power + 1))
    return box
