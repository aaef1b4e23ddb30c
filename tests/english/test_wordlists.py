from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import sfumato

SOURCE = Path(sfumato.__file__).parent


def word_lists() -> Iterator[tuple[str, list[str]]]:
    """Every list of words in the source, by its place."""
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(
                    func=ast.Name(id="words" | "word_set"), args=[ast.Constant(value=str(text))]
                ):
                    yield f"{path.relative_to(SOURCE)}:{node.lineno}", text.split()


LISTS = dict(word_lists())


def test_the_lists_are_found() -> None:
    assert len(LISTS) > 30


@pytest.mark.parametrize("place", LISTS)
def test_no_list_holds_a_word_twice(place: str) -> None:
    assert [word for word, times in Counter(LISTS[place]).items() if times > 1] == []


@pytest.mark.parametrize("place", [p for p in LISTS if p.startswith(("english", "detect"))])
def test_a_list_holds_words_and_no_slips_of_typing(place: str) -> None:
    assert [w for w in LISTS[place] if any(c.isdigit() for c in w)] == []
