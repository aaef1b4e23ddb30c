"""No pattern of the project's own takes the square of a run of signs, wherever it is asked.

Who searches with a pattern is seen in the code. One that is asked at a place (`match`, `fullmatch`) may begin
with a loop; of one that is asked of some signs beside a term, a window, nothing is claimed.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import sfumato
from tests.automata import faults

SEARCHES = {"search", "finditer", "findall", "sub", "subn", "split"}
ASKS = SEARCHES | {"match", "fullmatch"}
CUT = {"before", "found.before"}  # what stands before a term, a window of some signs
WORDS = "some words"
# What the automaton takes for a fault, and why it is none.
NO_FAULT = {
    "formats.addresses: _EMBEDDED": 'what begins at one "data:" stops at the next',
    "formats.addresses: _LINKED": 'what begins at one "data:" stops at the next',
    "formats.css: _TOKEN": "digits that are no number are taken as `odd`, all of them",
    "formats.headers: _PARTED": "no comment goes on within a comment that is open",
    "formats.mime: _COMMENT_OR_NOT": "a quote in an open string stands behind a backslash, and is taken with it",
    "formats.table: _IN_QUOTES": "in a cell that nothing closes quotes stand in pairs, and each is a cell",
    "formats.text: ENCODED_FILE": "without an end it goes on to the end of the text; margins are of one line",
}


def unwrapped(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.NamedExpr) else node


class Uses(ast.NodeVisitor):
    """The patterns that a module asks, and whether it searches with them or asks at one place."""

    def __init__(self, module: Any) -> None:
        self.names = vars(module)
        self.found: list[tuple[str, re.Pattern[Any], bool]] = []
        self.assigned: dict[str, list[ast.expr]] = {}
        self.handed_on = {k for k, v in self.names.items() if isinstance(v, type)}
        self.is_blind = False  # whether something searches that has no name here
        self.visit(ast.parse(Path(module.__file__).read_text("utf-8")))
        for name in self.handed_on:
            self.found += [(name, p, self.is_blind) for p in patterns_in(self.names[name])]

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load) and node.id in self.names:
            self.handed_on.add(node.id)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        pattern = self.names.get(ast.unparse(node.value))
        if not isinstance(pattern, re.Pattern):
            self.visit(node.value)
        elif node.attr in ASKS:
            self.found.append((ast.unparse(node.value), pattern, node.attr in SEARCHES))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        outer, self.assigned = self.assigned, {}
        for part in ast.walk(node):
            if isinstance(part, ast.Assign):
                name, value = part.targets[0], part.value
                pairs = [(name, value)]
                if isinstance(name, ast.Tuple) and isinstance(value, ast.Tuple):
                    pairs = [*zip(name.elts, value.elts, strict=False)]
                for one, given in pairs:
                    self.assigned.setdefault(ast.unparse(one), []).append(given)
        self.generic_visit(node)
        self.assigned = outer

    def visit_Call(self, node: ast.Call) -> None:
        for part in (*node.args, *(k.value for k in node.keywords)):
            self.visit(part)
        if not isinstance(node.func, ast.Attribute) or node.func.attr not in ASKS:
            self.visit(node.func)
            return
        how, of, args = node.func.attr, ast.unparse(node.func.value), node.args
        pattern, name = self.names.get(of), of
        if of == "re":
            flags = [k.value for k in node.keywords if k.arg == "flags"] or args[2:3]
            flag = ast.unparse(flags[0]) if flags else "0"
            if (given := self.written(args[0])) == WORDS:
                return
            pattern = re.compile(given, eval(flag, self.names) if flag.startswith("re.") else 0)
            name, args = repr(given), args[1:2] if "sub" not in how else args[2:3]
        elif not isinstance(pattern, re.Pattern):
            self.is_blind |= how in SEARCHES - {"split"}
            self.visit(node.func)
            return
        elif "sub" in how:
            args = args[1:]
        if not self.is_near(*args):
            self.found.append((name, pattern, how in SEARCHES))

    def written(self, pattern: ast.expr) -> Any:
        """What a pattern says, with words for what is known when it is asked."""
        if isinstance(pattern, ast.JoinedStr):
            return "".join(map(self.written, pattern.values))
        if isinstance(pattern, ast.FormattedValue):
            pattern = pattern.value
        try:
            return eval(ast.unparse(pattern), self.names)
        except NameError:
            return WORDS

    def is_near(self, of: ast.expr, *span: ast.expr) -> bool:
        """Whether what is searched is some signs before or behind a place."""
        if isinstance(of, ast.Subscript) and isinstance(of.slice, ast.Slice):
            if of.slice.lower is None:
                return self.is_near(of.value)
            span = (of.slice.lower or of, of.slice.upper or of)
        if len(span) == 2:
            first, last = map(unwrapped, span)
            ends = isinstance(last, ast.BinOp) and isinstance(last.op, ast.Add)
            said = self.assigned.get(ast.unparse(first), [first])
            return all(re.match(r"max\(.* - ", ast.unparse(each)) for each in said) or ends
        known = self.assigned.get(ast.unparse(of))
        if known is not None:
            return all(isinstance(each, ast.Subscript) and self.is_near(each) for each in known)
        return ast.unparse(of) in CUT


def patterns_in(value: Any, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
        return
    parts: list[Any] = []
    if isinstance(value, dict):
        parts = [*value, *value.values()]
    elif isinstance(value, list | tuple | set | frozenset):
        parts = [*value]
    elif isinstance(value, type) and value.__module__.startswith("sfumato"):
        parts = [*vars(value).values()]
    for part in parts if depth < 3 else ():
        yield from patterns_in(part, depth + 1)


@cache
def asked() -> dict[tuple[str | bytes, int], tuple[str, bool]]:
    """All patterns of the project, with a place where each is asked and whether it is ever searched with."""
    made: dict[tuple[str | bytes, int], tuple[str, bool]] = {}
    for found in pkgutil.walk_packages(sfumato.__path__, "sfumato."):
        for name, pattern, is_searched in Uses(importlib.import_module(found.name)).found:
            key = pattern.pattern, pattern.flags
            before = made.get(key, ("", False))[1]
            made[key] = f"{found.name.removeprefix('sfumato.')}: {name}", before or is_searched
    return made


def test_no_pattern_takes_the_square_of_a_run() -> None:
    found = {where: faults(*key, searched) for key, (where, searched) in asked().items()}
    found = {where: each for where, each in found.items() if each}
    assert {where: each for where, each in found.items() if where not in NO_FAULT} == {}
    assert len(asked()) > 500
    assert found.keys() == NO_FAULT.keys()


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        (r"\d[\d,]*[eE]", ["begins anew"]),
        (r"(?m)^[\s>]*\d", ["begins anew"]),
        (r"\b[a-z-]*th", ["begins anew"]),
        (r"\s(?=\s*x)", ["begins anew"]),
        (r"(?<!\w)\d+(?!\w*\d)", ["two loops"]),
        (r";\s*charset\s*\*?\s*=", ["two loops"]),
        (r":(?:[a-z]+-?)*x", ["loop in a loop"]),
    ],
)
def test_what_takes_the_square_is_seen(pattern: str, found: list[str]) -> None:
    assert faults(pattern) == found


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?<!\d)\d+[eE]",
        r"\b\w+\b",
        r"\d+(?!\d)",
        r"(?m)^[^\S\n]*\d",
        r"(?<!\\\\)(?<=\\)\\++(?=\w)",
        r"/\*[\s\S]*?(?:\*/|\Z)",
        r"(?P<quote>>*+)[^\n]*+(?:\n|\Z)",
        r"\b[a-z]{0,30}th",
        r";\s*charset\s*+\*?\s*=",
        r"(?<![\w-])\w+(?:-\w+)+",
    ],
)
def test_what_takes_steps_in_proportion_is_let_pass(pattern: str) -> None:
    assert faults(pattern) == []


def test_a_pattern_that_is_asked_at_a_place_may_begin_with_a_loop() -> None:
    assert faults(r"\s*x", is_searched=False) == []
