"""A package with a stub gives the names that the stub lists, and no module takes the place of one."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys

import pytest

from tests.conftest import ROOT

STUBS = sorted((ROOT / "src").rglob("__init__.pyi"))
PACKAGES = [".".join(stub.parent.relative_to(ROOT / "src").parts) for stub in STUBS]


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_gives_every_name_of_its_stub_and_no_other(package: str) -> None:
    module = importlib.import_module(package)
    assert module.__all__
    for name in module.__all__:
        assert getattr(module, name) is not None
        assert inspect.ismodule(getattr(module, name)) == (name == "keys")
    assert set(module.__all__) <= set(dir(module))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = module.nothing


def test_a_function_wins_over_its_module_whenever_that_is_imported() -> None:
    for code in (
        "import sfumato.protect.tables.gdf, sfumato.protect.tables as t",
        "import sfumato.protect.tables as t; t.gdf; import sfumato.protect.tables.anonymize",
    ):
        told = f"{code}\nassert callable(t.gdf) and callable(t.recode) and t.gdf.__name__ == 'gdf'"
        assert subprocess.run([sys.executable, "-c", told]).returncode == 0


def test_importing_a_package_with_a_stub_imports_none_of_its_modules() -> None:
    told = "import sys, sfumato.measure\nassert 'numpy' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", told]).returncode == 0
