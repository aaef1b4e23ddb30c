"""Partitioning that looks at the loss itself: cut coarsely, grow classes of k inside, then exchange persons.

1. *Cut* (`sweep`): a part is cut where both sides together lose least, down to blocks of a bounded
   number of persons, so the cost of all that follows grows linearly with the number of persons.
2. *Grow*: in a block, a class starts with the person left who has the fewest terms (such a person
   gains most by each term that is kept) and takes the person who raises the loss least until it has
   k. Who remains joins the class where this costs least. Cutting on down to classes is tried as
   well; the better one stays.
3. *Exchange* (`exchange`): persons move to other classes of the block, or change places, as long as
   that lowers the loss.

Both sides of the loss count with their weights (eq. 2), so λ is not needed. Rules hold throughout:
a block that cannot be parted under them stays one class.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sfumato.errors import PolicyError
from sfumato.protect.tables.block import Block, Group
from sfumato.protect.tables.classes import Classes, numbered
from sfumato.protect.tables.exchange import exchange
from sfumato.protect.tables.mondrian import ClassRule, require_rules
from sfumato.protect.tables.problem import Persons, require
from sfumato.protect.tables.segments import Ints
from sfumato.protect.tables.sweep import PersonCuts, joined

BLOCK = 400  # persons that are clustered at once, unless that is fewer than 8 classes …
LARGE_BLOCK = 2500  # … and where cuts are followed to the end, which wants to begin near the top
FOLLOWED = 300  # of so many classes, n cuts are followed to the end where there are 1 / n of them
MOST_FOLLOWED = 8


def clusters(
    table: Persons,
    k: int,
    *,
    relational_weight: float = 1.0,
    textual_weight: float = 1.0,
    rounds: int = 1,
    block: int | None = None,
    rules: Sequence[ClassRule] = (),
) -> Classes:
    """Classes of at least k persons that lose little, columns and terms together."""
    require(table.count, k)
    require_rules(rules, table.count)
    both = relational_weight + textual_weight
    if min(relational_weight, textual_weight) < 0 or both == 0:
        raise PolicyError("weights of loss must not be negative, and one must be above 0")
    weights = relational_weight / both, textual_weight / both
    sweep = PersonCuts(table, k, *weights, rules)
    lookahead = min(FOLLOWED * k // table.count, MOST_FOLLOWED)
    limit = block or max(LARGE_BLOCK if lookahead > 1 else BLOCK, 8 * k)
    labels = np.zeros(table.count, np.int64)
    made = 0
    for people in sweep.parts(np.arange(table.count), limit):
        part = Block(table, people, k, *weights)
        for members in _cluster(part, sweep, lookahead, rounds):
            labels[people[members]] = made
            made += 1
    return Classes(numbered(labels))


def _cluster(block: Block, sweep: PersonCuts, lookahead: int, rounds: int) -> list[Ints]:
    k, people, rules = sweep.k, block.people, sweep.rules

    def holds(parts: Sequence[Ints]) -> bool:
        order, starts = joined(parts)
        return all(bool(rule.holds(people[order], starts).all()) for rule in rules)

    cut = [np.searchsorted(people, p) for p in sweep.parts(people, 2 * k, lookahead)]
    options = [cut]
    if len(block) >= 2 * k and holds(grown := grow(block, k)):
        options.append(grown)
    best = min(options, key=lambda parts: sum(block.loss(p) for p in parts))
    return exchange(block, best, k, rounds, holds if rules else None)


def grow(block: Block, k: int) -> list[Ints]:
    """Classes of k persons, each grown from the person left who has the fewest terms."""
    fewest = np.argsort(-block.weight.sum(1), kind="stable")
    free = np.ones(len(block), np.bool_)
    parts: list[Ints] = []
    for seed in fewest.tolist():
        if not free[seed]:
            continue
        free[seed] = False
        left = np.flatnonzero(free)
        if len(left) < k - 1:
            free[seed] = True
            break
        group, members = Group(block, np.array([seed])), [seed]
        for _ in range(k - 1):
            person = int(left[np.argmin(group.with_each(left))])
            group.add(person)
            members.append(person)
            left = left[left != person]
        free[members] = False
        parts.append(np.array(members))
    groups = [Group(block, p) for p in parts]
    losses = [g.loss() for g in groups]
    rest = {number: part.tolist() for number, part in enumerate(parts)}
    for person in np.flatnonzero(free).tolist():
        one = np.array([person])
        rise = [float(g.with_each(one)[0]) - old for g, old in zip(groups, losses, strict=True)]
        best = int(np.argmin(rise))
        groups[best].add(person)
        losses[best] += rise[best]
        rest[best].append(person)
    return [np.array(sorted(members)) for members in rest.values()]
