"""The tree keeps to its rules: rooms, lengths, one class for each word, tests that can fail."""

from __future__ import annotations

import ast
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import ROOT

SRC, TESTS = ROOT / "src/sfumato", ROOT / "tests"
MOST_LINES = 500  # of a module
MOST_BODY = 50  # lines of a function without signature and docstring
NO_ROOM = {"papers", "attacks", "data", "reading"}  # worked examples, adversaries, texts, readers

LONG_FUNCTIONS = {
    "protect/plausibility/smooth.py:factor": "one numerical method, step by step as published",
}
TWO_CLASSES = {
    "Problem": "each search has its problem, imported with its package",
    "Solution": "each search has its solution, imported with its package",
    "Commands": "each group of commands has its table",
}
# A test without an assertion says in its name that nothing more is claimed.
ONLY_RUNS = ("does_not_raise", "is_accepted", "are_accepted", "nothing_but_input_errors")


@cache
def modules(folder: Path) -> list[tuple[str, ast.Module]]:
    paths = sorted(folder.rglob("*.py"))
    return [(p.relative_to(folder).as_posix(), ast.parse(p.read_text("utf-8"))) for p in paths]


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_every_folder_of_tests_has_its_room() -> None:
    folders = {p.parent.relative_to(TESTS) for p in TESTS.rglob("*.py")}
    lost = {f.as_posix() for f in folders if not (SRC / f).is_dir() and f.parts[0] not in NO_ROOM}
    assert not lost


def test_no_module_is_too_long() -> None:
    lengths = {
        p.relative_to(SRC): len(p.read_text("utf-8").splitlines()) for p in SRC.rglob("*.py")
    }
    assert not {str(p): n for p, n in lengths.items() if n > MOST_LINES}


def test_no_function_is_too_long_without_a_reason() -> None:
    long = {
        f"{name}:{function.name}"
        for name, tree in modules(SRC)
        for function in functions(tree)
        if body_lines(function) > MOST_BODY
    }
    assert long == set(LONG_FUNCTIONS)


def test_no_name_of_a_module_is_given_twice() -> None:
    twice: list[str] = []
    for module, tree in modules(SRC):
        given = [t for node in tree.body if isinstance(node, ast.Assign) for t in node.targets]
        names = Counter(name.id for name in given if isinstance(name, ast.Name))
        twice += [f"{module}:{name}" for name, many in names.items() if many > 1]
    assert not twice


def test_no_word_names_two_public_classes() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for name, tree in modules(SRC):
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(name)
    several = {word: where for word, where in homes.items() if len(where) > 1}
    assert not {word: where for word, where in several.items() if word not in TWO_CLASSES}


def claims_something(function: ast.AST, helpers: set[str]) -> bool:
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            return True
        if isinstance(node, ast.Call):
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if name in {"raises", "fail", "warns"} or name in helpers:
                return True
    return False


def test_a_test_without_an_assertion_says_so_in_its_name() -> None:
    found = [(name, f) for name, tree in modules(TESTS) for f in functions(tree)]
    tests = [(name, f) for name, f in found if f.name.startswith("test_")]
    helpers = {f.name for _, f in found if claims_something(f, set())} - {f.name for _, f in tests}
    silent = [f"{name}:{f.name}" for name, f in tests if not claims_something(f, helpers)]
    assert not [test for test in silent if not any(words in test for words in ONLY_RUNS)]


@pytest.mark.parametrize(
    ("code", "claims"),
    [
        ("assert x", True),
        ("helper(x)", True),
        ("with pytest.raises(E): f()", True),
        ("f(x)", False),
    ],
)
def test_assertions_are_seen(code: str, claims: bool) -> None:
    assert claims_something(ast.parse(code), {"helper"}) == claims


def test_a_missing_extra_is_one_that_there_is_and_a_format_names_the_file() -> None:
    known = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    named: dict[str, str] = {}
    for path, tree in modules(SRC):
        constants = {
            target.id: node.value.value
            for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id not in ("needed", "MissingExtraError") or path == "errors.py":
                    continue
                last = node.args[-1]
                extra = (
                    last.value if isinstance(last, ast.Constant) else constants[ast.unparse(last)]
                )
                named[f"{path}:{node.lineno}"] = str(extra)
                if path.startswith("formats/"):
                    assert "{" in ast.unparse(node.args[1]), f"{path}: which file?"
    assert len(named) >= 10
    assert {*named.values()} <= {*known}, named
