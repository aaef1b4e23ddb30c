"""Policies that differ in one setting or several: `protect.plausibility.t=10,100,1000`.

    >>> sweep = parse_sweep("threshold=0.5,0.9")
    >>> [(said, made.threshold) for said, made in variants(policy.load("default"), [sweep])]
    [({'threshold': 0.5}, 0.5), ({'threshold': 0.9}, 0.9)]

A setting is named by its path in the policy file. A step of a list is named by its own name, or by its number
from 0 where a name occurs twice.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import yaml

from sfumato import policy
from sfumato.errors import InputError, PolicyError
from sfumato.policy import Policy

EXAMPLE = "--sweep protect.plausibility.t=10,100,1000"


@dataclass(frozen=True, slots=True)
class Sweep:
    """A setting's path and the values that it takes."""

    path: str
    values: tuple[Any, ...]


def parse_sweep(text: str) -> Sweep:
    """A sweep as it is written on the command line. Values are YAML: `true`, `[GB, IE]`, `{how: mask}`."""
    path, equals, listed = text.partition("=")
    try:
        values = tuple(yaml.safe_load(part) for part in _split(listed))
    except yaml.YAMLError:
        raise InputError(f"--sweep {path}=…: a value is not valid YAML") from None
    if not equals or not path.strip() or not values or None in values:
        raise InputError(f"--sweep takes a setting and its values, for instance {EXAMPLE}")
    if len(values) != len({repr(v) for v in values}):
        raise InputError(f"--sweep {path}: a value is given twice")
    return Sweep(path.strip(), values)


def _split(text: str) -> list[str]:
    """At commas that are not inside brackets.

    >>> _split("1,[2,3],{a: 4}")
    ['1', '[2,3]', '{a: 4}']
    """
    parts, depth = [""], 0
    for char in text:
        depth += (char in "[{") - (char in "]}")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return parts


def variants(base: Policy, sweeps: Sequence[Sweep]) -> Iterator[tuple[dict[str, Any], Policy]]:
    """Every combination of the values, with the policy that has them."""
    if not sweeps:
        raise InputError(f"there is nothing to explore: give a setting and values, {EXAMPLE}")
    settings = base.model_dump(mode="json")
    for chosen in product(*(s.values for s in sweeps)):
        changed = copy.deepcopy(settings)
        for sweep, value in zip(sweeps, chosen, strict=True):
            _set(changed, sweep.path, value)
        said = {s.path: v for s, v in zip(sweeps, chosen, strict=True)}
        try:
            made = policy.load(changed)
        except PolicyError as error:
            values = ", ".join(f"{path}={value}" for path, value in said.items())
            raise PolicyError(f"--sweep {values}: {error}", problems=error.problems) from None
        yield said, made


def _set(settings: dict[str, Any], path: str, value: Any) -> None:
    """Change one setting in place."""
    *parents, last = path.split(".")
    at: Any = settings
    for n, part in enumerate(parents):
        at = _into(at, part, ".".join(parents[: n + 1]))
    if isinstance(at, list):
        raise InputError(
            f"--sweep {path}: '{'.'.join(parents)}' is a list of steps; name one of its settings"
        )
    if not isinstance(at, dict):
        raise InputError(f"--sweep {path}: '{'.'.join(parents)}' has no settings of its own")
    at[last] = value


def _into(at: Any, part: str, path: str) -> Any:
    if isinstance(at, list):
        return _step(at, part, path)
    if isinstance(at, dict):
        return at.setdefault(part, {})
    raise InputError(f"--sweep {path}: the policy has no such setting")


def _step(steps: list[Any], name: str, path: str) -> Any:
    """The options of a step, by its name or number."""
    names = [next(iter(step)) for step in steps]
    if name.isdecimal() and int(name) < len(steps):
        return steps[int(name)][names[int(name)]]
    if names.count(name) == 1:
        return steps[names.index(name)][name]
    if name in names:
        raise InputError(f"--sweep {path}: there are several of them; give the number, from 0")
    raise InputError(f"--sweep {path}: the policy has no such step; it has {', '.join(names)}")
