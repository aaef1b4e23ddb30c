"""YAML of others, read within bounds: how deep it is nested, how much its aliases and merges stand for."""

from __future__ import annotations

import re
from textwrap import shorten
from typing import Any

import yaml

from sfumato.errors import PolicyError

MOST_DEPTH = 50
MOST_VALUES = 1_000_000  # with every alias written out
_SHOWN = 40  # characters
_PROBLEM = 200  # of what the reader of YAML says, which quotes tags and names of any length
# Numbers to the base of 8, 2, 16 and 60.
_OTHER_NUMBER = re.compile(
    r"[-+]?(?:0[0-7_]+|0b[01_]+|0x[0-9a-fA-F_]+|[1-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?)"
)
_SURROGATE = re.compile("[\ud800-\udfff]")


def ends_a_line(text: str) -> re.Match[str] | None:
    """A character of a text that ends a line for some programs only."""
    return re.search("[\x85\u2028\u2029]", text)


def read(text: str, where: str) -> tuple[yaml.Node | None, Any]:
    """The nodes of a YAML text, which know their lines, and its data."""
    if (found := ends_a_line(text)) is not None:
        at = text.count("\n", 0, found.start()) + 1
        raise PolicyError(
            f"{where}:{at}: a character in it ends a line for some programs only; write "
            f"\\u{ord(found[0]):04x} in double quotes"
        )
    try:
        _require_flat(text, where)
        loader = yaml.SafeLoader(text)
        root = loader.get_single_node()
        if root is None:
            return None, None
        if _size(root, {}) > MOST_VALUES:
            raise PolicyError(
                f"{where}: its aliases stand for too much; write out what they are for"
            )
        _require_single(root, where, set())
        return root, loader.construct_document(root)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark is not None else ""
        problem = shorten(getattr(error, "problem", None) or "not YAML", _PROBLEM, placeholder="…")
        raise PolicyError(
            f"{where}{line}: {problem}; a policy is a YAML file of settings"
        ) from None
    # A number of thousands of digits, the 31st of April
    except (ValueError, OverflowError, AttributeError):
        raise PolicyError(
            f"{where}: a number or date in it is none that can be read; put it in quotes"
        ) from None


def _require_single(node: yaml.Node, where: str, done: set[int]) -> None:
    """Refuse a setting that stands twice: of two, whoever reads the file may take the one that is lost for
    the one that counts."""
    if id(node) in done or isinstance(node, yaml.ScalarNode):
        return
    done.add(id(node))
    seen: set[tuple[str, str]] = set()
    for part in node.value:
        if isinstance(node, yaml.MappingNode):
            key, part = part
            if isinstance(key, yaml.ScalarNode):
                if (key.tag, key.value) in seen:
                    line = key.start_mark.line + 1
                    raise PolicyError(
                        f"{where}:{line}: {key.value[:60]!r} stands twice; keep one of them"
                    )
                seen.add((key.tag, key.value))
        _require_single(part, where, done)


def _require_flat(text: str, where: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        line = event.start_mark.line + 1 if event.start_mark else 1
        if depth > MOST_DEPTH:
            raise PolicyError(f"{where}:{line}: nested too deeply")
        if isinstance(event, yaml.ScalarEvent):
            _require_plain(event, f"{where}:{line}")


def _require_plain(scalar: yaml.ScalarEvent, where: str) -> None:
    """Refuse what YAML reads otherwise than people do, and what no text can hold."""
    if scalar.style is None and scalar.tag is None and _OTHER_NUMBER.fullmatch(scalar.value):
        if len(scalar.value) > _SHOWN:  # to reckon it takes time with the square of its digits
            raise PolicyError(f"{where}: YAML reads {scalar.value[:_SHOWN]}… as a number; quote it")
        meant = yaml.safe_load(scalar.value)
        raise PolicyError(f"{where}: YAML reads {scalar.value} as {meant}; write that, or quote it")
    if _SURROGATE.search(scalar.value):
        raise PolicyError(f"{where}: half of a character; write the whole of it")


def _size(node: yaml.Node, known: dict[int, int]) -> int:
    """How many values a node stands for; those within itself are endless."""
    if id(node) not in known:
        known[id(node)] = MOST_VALUES + 1  # until it is counted
        parts: list[yaml.Node] = []
        if isinstance(node, yaml.SequenceNode):
            parts = node.value
        elif isinstance(node, yaml.MappingNode):
            parts = [part for pair in node.value for part in pair]
        known[id(node)] = 1 + sum(_size(part, known) for part in parts)
    return known[id(node)]
