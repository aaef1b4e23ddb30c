"""Only what `__init__` exports is public, and all of it is in the documentation."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys

import pytest

import sfumato
from tests.conftest import ROOT


def test_all_names_every_public_attribute() -> None:
    public = {
        name
        for name, value in vars(sfumato).items()
        if not name.startswith("_") and not inspect.ismodule(value)
    }
    assert public <= set(sfumato.__all__)
    assert all(hasattr(sfumato, name) for name in sfumato.__all__)


def test_every_public_name_is_documented() -> None:
    page = (ROOT / "docs" / "python.md").read_text()
    missing = [n for n in sfumato.__all__ if f"`{n}" not in page and f"sfumato.{n}" not in page]
    assert not missing


def test_functions_and_packages_of_one_name_live_together() -> None:
    from sfumato.detect import lists
    from sfumato.verify import check_claims

    assert callable(sfumato.detect)
    assert callable(sfumato.verify)
    assert inspect.ismodule(lists)
    assert inspect.isfunction(check_claims)


@pytest.mark.parametrize("package", ["detect", "verify"])
def test_the_function_wins_whenever_its_package_is_imported(package: str) -> None:
    for code in (
        "import sfumato.detect.lists, sfumato.verify.check",
        f"import sfumato; sfumato.{package}; import sfumato.pipeline",
        "import sfumato.pipeline",
    ):
        told = f"{code}\nimport sfumato\nassert callable(sfumato.{package})"
        assert subprocess.run([sys.executable, "-c", told]).returncode == 0


def test_the_public_names_can_be_completed() -> None:
    assert set(sfumato.__all__) <= set(dir(sfumato))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = sfumato.nothing  # type: ignore[attr-defined]


def test_the_exception_tree_is_drawn_as_it_is() -> None:
    from sfumato import errors

    drawn = errors.__doc__ or ""
    for name, value in vars(errors).items():
        if inspect.isclass(value) and issubclass(value, Exception):
            assert name in drawn
            assert issubclass(value, sfumato.SfumatoError)


@pytest.mark.parametrize("name", ["plausibility", "ksafety", "disclosure"])
def test_every_guarantee_shows_its_problem_and_its_search(name: str) -> None:
    room = importlib.import_module(f"sfumato.protect.{name}")
    assert {"Problem", "Solution"} <= set(room.__all__)
    assert {"search", "sanitize"} & set(room.__all__)
    assert all(hasattr(room, each) for each in room.__all__)
