#!/usr/bin/env python3
"""Write docs/reference/: the policy's settings from its schema, the commands from their help.

scripts/make_reference.py            write the pages
scripts/make_reference.py --check    fail if they are not up to date
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from typer.main import get_command

from sfumato import plugins, policy
from sfumato.cli.app import app
from sfumato.cli.lazy import Deferred
from sfumato.kinds import KINDS
from sfumato.policy import log as logs
from sfumato.policy import table as settings

FOLDER = Path(__file__).parent.parent / "docs" / "reference"


def policy_page() -> str:
    """Every setting of a policy, from the schema."""
    parts = [
        "# Policy settings",
        "A policy is one YAML file. `sfumato policy show default` prints one to start from, "
        "`sfumato policy check FILE` checks yours, `sfumato policy schema` prints the JSON Schema "
        "with which an editor completes and checks it. This page is made from that schema.",
        "## Top level",
        _settings(policy.Policy, required=True),
        "### `know`",
        _settings(policy.Know),
        "### `limits`",
        _settings(policy.Limits),
        "### `table`",
        inspect.getdoc(settings.TableSettings) or "",
        _settings(settings.TableSettings),
        *(
            part
            for title, model in (
                ("a column", settings.ColumnSettings),
                ("sensitive terms", settings.SensitiveTerms),
                ("weights", settings.Weights),
            )
            for part in (f"#### `table`: {title}", inspect.getdoc(model) or "", _settings(model))
        ),
        "### `log`",
        inspect.getdoc(logs.LogSettings) or "",
        _settings(logs.LogSettings),
        "## `replace`: what happens to a term",
        "Each kind of term has a rule: a method's name, or `{how: name, …}` with its settings. A kind "
        "without a rule follows its family's, then `*`.",
    ]
    for name in plugins.METHODS.names():
        options = plugins.METHODS.get(name).options
        parts += [f"### `{name}`", inspect.getdoc(options) or ""]
        parts += [_settings(options)] if options.model_fields else []
    for key, registry in (("detect", plugins.DETECTORS), ("protect", plugins.PROTECTORS)):
        parts.append(f"## `{key}`: the {registry.sort}s")
        for name in registry.names():
            options = registry.get(name).options
            parts += [f"### `{name}`", inspect.getdoc(options) or ""]
            parts += [_settings(options)] if options.model_fields else []
            for nested in _nested(options):
                parts += [f"#### `{name}`: {nested.__name__}", inspect.getdoc(nested) or ""]
                parts += [_settings(nested)]
    parts += ["## Kinds of terms", "| kind | what it is | family |\n|---|---|---|"]
    parts[-1] += "".join(
        f"\n| `{name}` | {kind.title} | {f'`{kind.family}`' if kind.family else ''} |"
        for name, kind in KINDS.items()
    )
    return "\n\n".join(parts) + "\n"


def _settings(model: type[BaseModel], *, required: bool = False) -> str:
    rows = ["| setting | default | meaning |", "|---|---|---|"]
    for name, field in model.model_fields.items():
        default = "required" if field.is_required() and required else _default(field)
        meaning = (field.description or "").replace("|", "\\|")
        rows.append(f"| `{field.alias or name}` | {default} | {meaning} |")
    return "\n".join(rows)


def _default(field: Any) -> str:
    if field.is_required():
        return "required"
    value = field.get_default(call_default_factory=True)
    if isinstance(value, BaseModel) or value == "":
        return ""
    if isinstance(value, tuple | list | frozenset | set):
        return f"`[{', '.join(map(str, value))}]`"
    return f"`{str(value).lower() if isinstance(value, bool) else value if value is not None else 'none'}`"


def _nested(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for field in model.model_fields.values():
        for found in re.findall(r"[\w.]+", str(field.annotation)):
            module, _, name = found.rpartition(".")
            inner = getattr(sys.modules.get(module), name, None) if module else None
            if inspect.isclass(inner) and issubclass(inner, BaseModel):
                yield inner


def commands_page() -> str:
    """Every command and option, from the help."""
    parts = ["# Commands", "This page is made from `--help`.", _EXIT_CODES]
    parts += _command(get_command(app), "sfumato")
    return "\n\n".join(parts) + "\n"


_EXIT_CODES = """| exit code | meaning |
|---|---|
| 0 | done |
| 2 | wrong use or input: one line says what, where, and what to do |
| 3 | a guarantee or check does not hold; nothing was written |
| 130 | interrupted |"""


def _command(command: Any, path: str) -> list[str]:
    command = command.load() if isinstance(command, Deferred) else command
    children = getattr(command, "commands", {})
    parts = []
    if not children:
        arguments = [p for p in command.params if p.param_type_name == "argument"]
        usage = " ".join(a.metavar or a.name.upper() for a in arguments)
        parts += [
            f"## `{path}`",
            inspect.cleandoc(command.help or ""),
            f"```text\n{path} {usage} [OPTIONS]\n```",
        ]
        rows = [f"| `{a.metavar or a.name.upper()}` | {a.help or ''} |" for a in arguments]
        options = [p for p in command.params if p.param_type_name == "option"]
        rows += [f"| {', '.join(f'`{o}`' for o in p.opts)} | {p.help or ''} |" for p in options]
        parts += ["\n".join(["| | |", "|---|---|", *rows])] if rows else []
    for name, child in children.items():
        parts += _command(child, f"{path} {name}")
    return parts


def main() -> None:
    pages = {"policy.md": policy_page(), "commands.md": commands_page()}
    stale = [
        n
        for n, text in pages.items()
        if not (FOLDER / n).exists() or (FOLDER / n).read_text() != text
    ]
    if "--check" in sys.argv[1:] and stale:
        raise SystemExit(
            f"docs/reference is out of date ({', '.join(stale)}): run scripts/make_reference.py"
        )
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in stale:
        (FOLDER / name).write_text(pages[name])


if __name__ == "__main__":
    main()
