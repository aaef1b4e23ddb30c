"""Patterns as automata over a small alphabet, which show where a search may take the square of a run.

A search begins at each sign. Where it can go over the rest of a run from every sign of it, and then fail, n
signs take n²/2 steps; so do two loops over the same signs of which the first gives back sign by sign.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from re import _compiler as compiler  # type: ignore[attr-defined]
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

SIGNS = frozenset([*map(chr, range(0x20, 0x7F)), *"\n\t\ré’–\u00a0中§№•“”"])
WORD = frozenset(c for c in SIGNS if c == "_" or c.isalnum())
ENDLESS = 1000  # turns that are as good as without end
ONE_SIGN = {op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN}
Signs = frozenset[str]


@dataclass(eq=False)
class Node:
    """A place in a pattern, and where it goes on: over a sign, or where something holds, or freely."""

    edges: list[tuple[Any, Node]] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Asked:
    """A lookaround: the signs at each of its places where that is all it asks, and its own beginning."""

    holds: bool
    is_ahead: bool
    places: list[Signs] | None
    start: Node
    end: Node


@dataclass(eq=False)
class Loop:
    entry: Node
    exit: Node
    body: set[Node]
    signs: Signs
    is_plain: bool  # each turn is one sign: it stops where another stands
    is_ahead: bool  # within a lookahead
    keeps: bool  # what it has taken


class Net:
    """A pattern as an automaton."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        text = pattern if isinstance(pattern, str) else pattern.decode("latin-1")
        tree = parser.parse(text, flags)
        self.nodes, self.loops = list[Node](), list[Loop]()
        self.start, self.end = self.node(), self.node()
        self.row(tree, self.start, self.end, tree.state.flags, is_ahead=False)
        self.sure: set[Node] = set()  # loops behind which the pattern is found for certain
        for loop in reversed(self.loops):
            if not loop.is_ahead and ends_behind(loop, self):
                self.sure.add(loop.entry)

    def node(self) -> Node:
        self.nodes.append(Node())
        return self.nodes[-1]

    def row(self, items: Any, a: Node, b: Node, flags: int, is_ahead: bool) -> None:
        for what, of in items:
            after = self.node()
            self.item(what, of, a, after, flags, is_ahead)
            a = after
        a.edges.append((None, b))

    def item(self, what: Any, of: Any, a: Node, b: Node, flags: int, is_ahead: bool) -> None:
        if what in ONE_SIGN:
            a.edges.append((signs_of(what, of, flags), b))
        elif what is op.BRANCH:
            for branch in of[1]:
                self.row(branch, a, b, flags, is_ahead)
        elif what is op.SUBPATTERN:
            self.row(of[3], a, b, (flags | of[1]) & ~of[2], is_ahead)
        elif what is op.ATOMIC_GROUP:
            self.row(of, a, b, flags, is_ahead)
        elif what in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            self.repeat(what, of, a, b, flags, is_ahead)
        elif what in (op.ASSERT, op.ASSERT_NOT):
            start, end = self.node(), self.node()
            a.edges.append(
                (Asked(what is op.ASSERT, of[0] > 0, places_of(of[1], flags), start, end), b)
            )
            if of[0] > 0:
                a.edges.append((None, start))
                self.row(of[1], start, end, flags, is_ahead=True)
        elif what is op.AT:
            lines = {op.AT_BEGINNING: op.AT_BEGINNING_LINE, op.AT_END: op.AT_END_LINE}
            a.edges.append((lines.get(of, of) if flags & re.M else of, b))
        else:  # what a group took before
            a.edges += [(SIGNS, b), (None, b)]

    def repeat(self, what: Any, of: Any, a: Node, b: Node, flags: int, is_ahead: bool) -> None:
        low, high, sub = of
        is_loop = high is op.MAXREPEAT or high > ENDLESS
        for n in range(min(low, 3) if is_loop else min(high, 4)):
            if n >= low:
                a.edges.append((None, b))
            after = self.node()
            self.row(sub, a, after, flags, is_ahead)
            a = after
        if is_loop:
            first, entry = len(self.nodes), self.node()
            a.edges.append((None, entry))
            self.row(sub, entry, entry, flags, is_ahead)
            body = {*self.nodes[first:]}
            signs = SIGNS.intersection(
                *[[c for n in body for s, _ in n.edges if isinstance(s, frozenset) for c in s]]
            )
            is_plain, keeps = len(places_of(sub, flags) or ()) == 1, what is op.POSSESSIVE_REPEAT
            self.loops.append(Loop(entry, b, body, signs, is_plain, is_ahead, keeps))
            a = entry
        a.edges.append((None, b))


def signs_of(what: Any, of: Any, flags: int) -> Signs:
    """The signs that one element takes."""
    return _signs_of(str(what), repr(of), flags & (re.I | re.A | re.S))


@cache
def _signs_of(what: str, of: str, flags: int) -> Signs:
    state = parser.State()
    state.flags = flags
    item = getattr(op, what), eval(of, vars(op))
    one = compiler.compile(parser.SubPattern(state, [item]))
    return frozenset(c for c in SIGNS if one.match(c))


def places_of(items: Any, flags: int) -> list[Signs] | None:
    """The signs that each place of a row takes; None where its length varies."""
    made = list[Signs]()
    for what, of in items:
        if what in ONE_SIGN:
            made.append(signs_of(what, of, flags))
            continue
        inner = None
        if what is op.SUBPATTERN:
            inner = places_of(of[3], (flags | of[1]) & ~of[2])
        elif what is op.BRANCH and all(len(places_of(b, flags) or ()) == 1 for b in of[1]):
            inner = [frozenset().union(*((places_of(b, flags) or [])[0] for b in of[1]))]
        if inner is None:
            return None
        made += inner
    return made


def goes(step: Any, run: Signs) -> bool:
    """Whether a step may be taken at any place of a run."""
    if step is None:
        return True
    if isinstance(step, frozenset):
        return bool(step & run)
    if isinstance(step, Asked):
        if step.places is None:
            return True
        if step.holds:
            return all(run & signs for signs in step.places)
        return any(run - signs for signs in step.places)
    if step in (op.AT_BEGINNING_LINE, op.AT_END_LINE):
        return "\n" in run
    if step is op.AT_BOUNDARY:
        return bool(run & WORD) and bool(run - WORD)
    return step is op.AT_NON_BOUNDARY


def reached(start: Node, run: Signs) -> set[Node]:
    """Where one comes from a node within a run."""
    seen, ahead = {start}, [start]
    while ahead:
        for step, node in ahead.pop().edges:
            if node not in seen and goes(step, run):
                seen.add(node)
                ahead.append(node)
    return seen


def goes_round(loop: Loop, run: Signs) -> bool:
    """Whether a loop can take turn after turn within a run."""
    firsts = [node for step, node in loop.entry.edges if node in loop.body and goes(step, run)]
    return any(loop.entry in reached(node, run) for node in firsts)


def ends_behind(loop: Loop, net: Net) -> bool:
    """Whether a pattern is found for certain where a loop has gone over all that it can."""

    def holds(step: Any, after: str) -> bool:
        if isinstance(step, Asked):
            if step.is_ahead and step.holds:
                return ends(step.start, step.end, after, frozenset())
            if step.places is None or len(step.places) != 1:
                return False
            run = frozenset([after] if after else []) if step.is_ahead else loop.signs
            return run <= step.places[0] if step.holds else not run & step.places[0]
        if step is op.AT_BOUNDARY:
            return (
                after not in WORD if loop.signs <= WORD else after in WORD and not loop.signs & WORD
            )
        return after == "" if step is not op.AT_END_LINE else after in ("", "\n")

    def ends(node: Node, end: Node, after: str | None, seen: frozenset[Node]) -> bool:
        if node is end or (node in net.sure and node is not loop.entry):
            return True
        for step, to in node.edges:
            if isinstance(step, frozenset):
                is_over = after and after in step and ends(to, end, None, frozenset())
            else:
                is_open = step is None or (after is not None and holds(step, after))
                is_over = is_open and to not in seen and ends(to, end, after, seen | {to})
            if is_over:
                return True
        return False

    rest = SIGNS - loop.signs if loop.is_plain else SIGNS
    return all(ends(loop.exit, net.end, after, frozenset()) for after in ("", *rest))


def faults(pattern: str | bytes, flags: int = 0, is_searched: bool = True) -> list[str]:
    """In which ways a pattern may take the square of a run.

    >>> [faults(p) for p in (r"\\w+\\d", r"(?<!\\w)\\w+-", r"a\\s*\\s*b")]
    [['begins anew'], [], ['two loops']]
    """
    net, found = Net(pattern, flags), set[str]()
    for loop in net.loops:
        if loop.entry in net.sure:
            continue
        if is_searched and loop.entry in reached(net.start, loop.signs):
            found.add("begins anew")
        if not loop.keeps and loop.entry in reached(loop.exit, loop.signs):
            found.add("loop in a loop")
        for other in net.loops:
            run = loop.signs & other.signs
            if (
                not (loop.keeps or other.entry in loop.body or loop.entry in other.body)
                and other.entry not in net.sure
                and goes_round(loop, run)
                and goes_round(other, run)
                and other.entry in reached(loop.exit, run)
            ):
                found.add("two loops")
    return sorted(found)
