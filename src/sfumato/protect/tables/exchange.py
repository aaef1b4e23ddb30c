"""Improving classes: persons move or change places while that lowers the loss."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from sfumato.protect.tables.block import Block, Group, without_each
from sfumato.protect.tables.segments import Floats, Ints

LEAST = 1e-9  # a smaller gain is rounding
PARTNERS = 2  # classes in which a partner for a change of places is looked for

Holds = Callable[[Sequence[Ints]], bool]


def exchange(
    block: Block, parts: Sequence[Ints], k: int, rounds: int, holds: Holds | None = None
) -> list[Ints]:
    """Classes of at least k persons that lose no more than `parts`; `holds` may forbid classes.

    Persons are taken in order; only classes that changed in the last round are looked at again.
    """
    if len(parts) < 2 or k < 2:
        return list(parts)
    state = _State(block, parts)
    dirty = set(range(len(parts)))
    for _ in range(rounds):
        changed: set[int] = set()
        for person in range(len(block)):
            own = int(state.label[person])
            if own in dirty:
                changed |= _improve(state, person, own, k, holds)
        dirty = changed
        if not dirty:
            break
    return state.members


class _State:
    """Classes of a block, and for all of them at once what one more person would cost."""

    def __init__(self, block: Block, parts: Sequence[Ints]) -> None:
        self.block = block
        self.members = [np.asarray(part) for part in parts]
        self.label = np.zeros(len(block), np.int64)
        many = len(parts)
        self.size = np.zeros(many, np.int64)
        self.loss = np.zeros(many)
        self.low = np.zeros((len(block.intervals), many), np.int64)
        self.high = np.zeros((len(block.intervals), many), np.int64)
        self.seen = [np.zeros((many, s.has.shape[1]), np.bool_) for s in block.sets]
        self.kept: list[Ints] = [np.zeros(0, np.int64)] * many
        self.weight = np.zeros((many, block.text_columns))
        self.leaving: list[Floats] = [np.zeros(0)] * many  # what each member's leaving saves
        self.most = np.zeros(many)
        for number, part in enumerate(self.members):
            self.set(number, part)

    def set(self, number: int, members: Ints) -> None:
        self.members[number] = members
        self.label[members] = number
        group = Group(self.block, members)
        self.size[number] = len(members)
        self.loss[number] = group.loss()
        self.low[:, number] = group.low
        self.high[:, number] = group.high
        for seen, mine in zip(self.seen, group.seen, strict=True):
            seen[number] = mine
        self.kept[number] = group.kept
        self.weight[number] = group.weight
        self.leaving[number] = self.loss[number] - without_each(self.block, members)
        self.most[number] = self.leaving[number].max()

    def rise(self, person: int) -> Floats:
        """How much the loss of each class would rise with this person in it."""
        block = self.block
        cost = np.zeros(len(self.members))
        for column, low, high in zip(block.intervals, self.low, self.high, strict=True):
            cost += column.cost(
                np.minimum(low, column.low[person]), np.maximum(high, column.high[person])
            )
        for sets, seen in zip(block.sets, self.seen, strict=True):
            cost += sets.cost((seen | sets.has[person]).sum(1))
        cost *= block.relational * (self.size + 1)
        sizes = np.array([len(kept) for kept in self.kept])
        if sizes.any():
            flat = np.concatenate(self.kept)
            owner = np.repeat(np.arange(len(sizes)), sizes)
            has = block.has[person, flat]
            cell = owner[has] * block.text_columns + block.column_of[flat[has]]
            kept = np.bincount(cell, minlength=len(sizes) * block.text_columns)
            cost -= block.gain(kept.reshape(len(sizes), -1), self.weight + block.weight[person])
        return cost - self.loss


def _improve(state: _State, person: int, own: int, k: int, holds: Holds | None) -> set[int]:
    """One move or change of places for this person, if one helps; the classes that changed."""
    block, members = state.block, state.members[own]
    saved = float(state.leaving[own][np.flatnonzero(members == person)[0]])
    rise = state.rise(person)
    rise[own] = np.inf
    rest = members[members != person]
    if len(rest) >= k:
        target = int(np.argmin(rise))
        joined = np.append(state.members[target], person)
        if saved - rise[target] > LEAST and (holds is None or holds([rest, joined])):
            state.set(own, rest)
            state.set(target, joined)
            return {own, target}
    hope = saved + state.most - rise
    for target in np.argsort(-hope, kind="stable")[:PARTNERS].tolist():
        if not hope[target] > LEAST:
            break
        others = state.members[target]
        joined = np.append(others, person)
        total = Group(block, rest).with_each(others) + without_each(block, joined)[:-1]
        best = int(np.argmin(total))
        if state.loss[own] + state.loss[target] - total[best] <= LEAST:
            continue
        new = [np.append(rest, others[best]), np.delete(joined, best)]
        if holds is None or holds(new):
            state.set(own, new[0])
            state.set(target, new[1])
            return {own, target}
    return set()
