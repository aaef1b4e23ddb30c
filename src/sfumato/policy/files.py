"""Policies in files: YAML and built-in profiles to a `Policy`, with errors that name the line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError

from sfumato.errors import PolicyError
from sfumato.files import contents
from sfumato.know.settings import Know
from sfumato.policy import rx_anon, yaml_text
from sfumato.policy.model import Limits, Policy
from sfumato.policy.steps import nearest
from sfumato.policy.table import ColumnSettings, TableSettings

MOST_BYTES = 1 << 26  # of a policy's file
_MOST_PROBLEMS = 200  # that are looked up in it


def load(source: Policy | Mapping[str, Any] | str | Path = "default") -> Policy:
    """A policy from a profile's name, a path, a dictionary, or a policy.

    >>> load("default").rule("PERSON").how
    'label'
    """
    if isinstance(source, Policy):
        return source
    if isinstance(source, Mapping):
        try:
            json.dumps(source, ensure_ascii=False, default=str, skipkeys=True).encode()
        except UnicodeEncodeError:
            raise PolicyError("policy: half of a character; write the whole of it") from None
        return _parse(source, lines=None, where="policy")
    if isinstance(source, str) and source in profiles():
        return _profile(source)
    if not isinstance(source, str | Path):
        raise TypeError(
            f"a policy is a profile's name, a path, a dictionary or a Policy, not {type(source).__name__}"
        )
    path = Path(source)
    if not path.is_file():
        raise PolicyError(
            f"no policy '{source}': neither a file nor a profile ({', '.join(profiles())})"
        )
    try:
        text = contents(path, MOST_BYTES).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError(
            f"{path}: cannot be read as UTF-8 text ({type(error).__name__})"
        ) from None
    return parse(text, where=str(path), folder=path.parent)


def parse(text: str, *, where: str = "policy", folder: Path | None = None) -> Policy:
    """A policy from YAML; errors name the line."""
    root, data = yaml_text.read(text, where)
    if not isinstance(data, Mapping):
        raise PolicyError(
            f"{where}: a policy is a YAML file of settings, e.g. `detect:`, `replace:`"
        )
    if rx_anon.is_original(data):
        data, root = rx_anon.to_policy(data, where), None
    return _parse(data, lines=root, where=where, folder=folder)


@cache
def _profiles() -> tuple[str, ...]:
    folder = resources.files("sfumato") / "profiles"
    names = (f.name for f in folder.iterdir() if f.name.endswith(".yaml"))
    return tuple(sorted(name.removesuffix(".yaml") for name in names))


def profiles() -> list[str]:
    """The names of the built-in policies."""
    return list(_profiles())


@cache
def _profile(name: str) -> Policy:
    return parse(profile_text(name), where=f"profile {name}")


def profile_text(name: str) -> str:
    """A built-in policy as its commented YAML."""
    return (resources.files("sfumato") / "profiles" / f"{name}.yaml").read_text(encoding="utf-8")


def schema() -> dict[str, Any]:
    """The JSON Schema of a policy file, for editors that complete and check YAML."""
    made = Policy.model_json_schema()
    made["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    made["title"] = "Sfumato policy"
    return made


def _parse(
    data: Mapping[str, Any], *, lines: yaml.Node | None, where: str, folder: Path | None = None
) -> Policy:
    try:
        return Policy.model_validate(data, context={"folder": folder or Path()})
    except ValidationError as error:
        told = error.errors()[:_MOST_PROBLEMS]
        ranked = sorted({(e["type"] == "missing", *_problem(dict(e), lines, where)) for e in told})
        problems = [text for _, _, text in ranked]
        raise PolicyError(problems[0], problems=problems) from None


def _problem(error: dict[str, Any], root: yaml.Node | None, where: str) -> tuple[int, str]:
    """One validation error as (line, message): file, line, setting, what is wrong, the nearest key."""
    place = list(error["loc"])
    line = _line(root, place)
    at = f"{where}:{line}" if line else where
    setting = ".".join(str(part) for part in place)
    if error["type"] == "extra_forbidden":
        known = error.get("ctx", {}).get("known") or _known_keys(place[:-1])
        return line, f"{at}: unknown setting '{setting}'{nearest(str(place[-1]), known)}"
    if error["type"] == "missing":
        return (
            line,
            f"{at}: '{setting}' is missing; `sfumato policy show default` prints one to start from",
        )
    message = error["msg"].removeprefix("Value error, ")
    return line, f"{at}: {setting}: {message[:1].lower()}{message[1:]}"


def _line(node: yaml.Node | None, place: list[Any]) -> int:
    """The line of a setting in the YAML file; of the nearest enclosing one where it has none."""
    if node is None:
        return 0
    line = node.start_mark.line + 1
    for part in place:
        if isinstance(node, yaml.MappingNode):
            found = next(((k, v) for k, v in node.value if str(k.value) == str(part)), None)
            if found is None:
                break
            line, node = found[0].start_mark.line + 1, found[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int):
            if part >= len(node.value):
                break
            node = node.value[part]
            line = node.start_mark.line + 1
    return line


def _known_keys(place: list[Any]) -> list[str]:
    """The keys that are valid at a place."""
    model: type[BaseModel] = Policy
    if place and place[0] in ("limits", "know"):
        model = Limits if place[0] == "limits" else Know
    elif place and place[0] in ("detect", "protect", "replace"):
        return []  # options of plug-ins: they name theirs
    elif place and place[0] == "table":
        model = ColumnSettings if "columns" in place[1:] else TableSettings
    return sorted(model.model_fields)
