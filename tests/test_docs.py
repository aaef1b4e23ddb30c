"""The documentation cannot rot: references are up to date, examples are run."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import EXAMPLES, ROOT

PAGES = [*sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md"]
BLOCK = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```", re.M | re.S)
SFUMATO = f"{shlex.quote(sys.executable)} -c 'from sfumato.cli import main; main()'"


def blocks(page: Path, language: str) -> list[str]:
    return [body for name, body in BLOCK.findall(page.read_text()) if name == language]


def with_blocks(language: str) -> list[Path]:
    return [page for page in PAGES if blocks(page, language)]


def test_the_reference_is_made_from_the_code() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "make_reference.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_picture_of_the_house_is_drawn_from_the_code() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "make_house.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_option_and_setting_is_in_the_reference() -> None:
    from pydantic import BaseModel
    from typer._click import Command
    from typer.main import get_command

    from sfumato import plugins, policy
    from sfumato.cli.app import app
    from sfumato.cli.lazy import Deferred

    commands = (ROOT / "docs/reference/commands.md").read_text()
    settings = (ROOT / "docs/reference/policy.md").read_text()

    def walk(command: Command, path: str) -> None:
        command = command.load() if isinstance(command, Deferred) else command
        children = getattr(command, "commands", {})
        if not children:
            assert f"`{path}`" in commands
            for parameter in command.params:
                if parameter.param_type_name == "option":
                    assert all(f"`{option}`" in commands for option in parameter.opts)
        for name, child in children.items():
            walk(child, f"{path} {name}")

    walk(get_command(app), "sfumato")
    models: list[type[BaseModel]] = [policy.Policy]
    models += [plugins.DETECTORS.get(n).options for n in plugins.DETECTORS.names()]
    for model in models:
        assert all(f"`{name}`" in settings for name in model.model_fields)
    assert all(f"`{method}`" in settings for method in plugins.METHODS.names())


def test_every_policy_option_and_command_is_in_a_page_for_people() -> None:
    pages = "".join(p.read_text() for p in PAGES if "reference" not in p.parts)
    from sfumato import plugins, policy

    for word in (
        *plugins.METHODS.names(),
        *policy.profiles(),
        "verify",
        "restore",
        "explain",
        "detect",
        "key new",
    ):
        assert word in pages


@pytest.fixture
def _registries_as_they_were() -> Iterator[None]:
    """Plug-ins that a page registers are gone after it."""
    from sfumato import plugins

    registries: tuple[plugins.Registry[Any], ...] = (
        plugins.DETECTORS,
        plugins.PROTECTORS,
        plugins.CLAIMS,
        plugins.FORMATS,
        plugins.METHODS,
        plugins.TAXONOMIES,
    )
    before = [set(registry.names()) for registry in registries]
    yield
    for registry, names in zip(registries, before, strict=True):
        for name in set(registry.names()) - names:
            registry.remove(name)


@pytest.mark.usefixtures("_registries_as_they_were")
@pytest.mark.parametrize("page", with_blocks("python"), ids=lambda p: p.name)
def test_python_examples_run(page: Path, inside: Path) -> None:
    shutil.copytree(EXAMPLES, inside / "examples")
    names: dict[str, object] = {}
    for body in blocks(page, "python"):
        if ">>>" not in body:
            exec(compile(body, str(page), "exec"), names)
            continue
        test = doctest.DocTestParser().get_doctest(body, names, page.name, str(page), 0)
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        runner.run(test, clear_globs=False)
        assert runner.summarize(verbose=False).failed == 0
        names = test.globs


@pytest.mark.parametrize("page", with_blocks("console"), ids=lambda p: p.name)
def test_console_examples_run(page: Path, inside: Path) -> None:
    """Each `$ command` runs in one folder for the page; each line shown under it is in its output."""
    shutil.copytree(EXAMPLES, inside / "examples")
    environment = {**os.environ, "COLUMNS": "110", "NO_COLOR": "1"}
    for body in blocks(page, "console"):
        for part in re.split(r"^\$ ", body, flags=re.M)[1:]:
            command, *expected = part.rstrip("\n").split("\n")
            line = re.sub(r"(^|\| |&& )sfumato ", rf"\g<1>{SFUMATO} ", command.split("  # exit")[0])
            done = subprocess.run(
                ["bash", "-c", line], capture_output=True, text=True, env=environment
            )
            wanted = int(command.split("  # exit ")[1]) if "  # exit " in command else 0
            assert done.returncode == wanted, f"{command}\n{done.stdout}{done.stderr}"
            seen = " ".join((done.stdout + done.stderr).split())
            for row in expected:
                for piece in row.split("…"):
                    assert " ".join(piece.split()) in seen, (
                        f"{command}\n{row}\n---\n{done.stdout}{done.stderr}"
                    )


@pytest.mark.parametrize("page", with_blocks("yaml"), ids=lambda p: p.name)
def test_policies_in_the_pages_are_accepted(page: Path, inside: Path) -> None:
    from sfumato import policy

    for body in blocks(page, "yaml"):
        (inside / "terms.txt").write_text("Project Halyard\n")
        whole = body if "protect:" in body else f"protect: [replace]\n{body}"
        whole = whole if "detect:" in whole else f"detect: [patterns]\n{whole}"
        whole = whole if "replace:" in whole else f"replace: {{}}\n{whole}"
        policy.parse(whole, where=page.name, folder=inside)
