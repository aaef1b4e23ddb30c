"""`sfumato policy`: show, check and describe policies."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from sfumato import policy
from sfumato.cli import console
from sfumato.cli.console import out, put, say
from sfumato.errors import PolicyError

app = typer.Typer(no_args_is_help=True, help="Show, check and describe policies.")


@app.command("show")
def show(
    name: Annotated[str, typer.Argument(help="A built-in profile, or a policy file.")] = "default",
) -> None:
    """Print a policy to start from."""
    is_profile = name in policy.profiles()
    put((policy.profile_text(name) if is_profile else policy.load(name).to_yaml()).encode())


@app.command("list")
def list_() -> None:
    """List the built-in profiles."""
    for name in policy.profiles():
        out.print(f"[bold]{name:<20}[/] {policy.load(name).description}")


@app.command("check")
def check(file: Annotated[str, typer.Argument(help="The policy file.")]) -> None:
    """Check a policy file; every error names its line."""
    from sfumato.detect.finder import Finder

    try:
        checked = policy.load(file)
        Finder(checked)
    except PolicyError as error:
        for problem in error.problems:
            say(problem)
        raise typer.Exit(error.exit_code) from None
    console.show(f"{file}: a valid policy ({checked.digest[:16]})")


@app.command("schema")
def schema() -> None:
    """Print the JSON Schema of a policy, for editors."""
    print(json.dumps(policy.schema(), indent=2))
