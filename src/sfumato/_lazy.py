"""Packages whose names are imported when they are first used: the stub beside `__init__.py` lists them, once,
for people, for type checkers and for the package itself."""

import ast
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType


class _Package(ModuleType):
    """A package with the names of its stub. They win over modules of the same name in it (`sfumato.detect` is
    a function), whenever these are imported."""

    _homes: dict[str, str]

    def __setattr__(self, name: str, value: object) -> None:
        is_module = isinstance(value, ModuleType)
        if not is_module or self._homes.get(name, self.__name__) == self.__name__:
            super().__setattr__(name, value)

    def __getattr__(self, name: str) -> object:
        if name not in self._homes:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        home = self._homes[name]
        if home == self.__name__:  # the name of a module
            return import_module(f"{home}.{name}")
        found = self.__dict__[name] = getattr(import_module(home), name)
        return found

    def __dir__(self) -> list[str]:
        return sorted({*self.__dict__, *self._homes})


def names(package: str) -> list[str]:
    """Make a package give the names that its stub lists; what its `__all__` is."""
    module = sys.modules[package]
    stub = Path(module.__file__ or "").with_suffix(".pyi").read_text("utf-8")
    module.__dict__["_homes"] = homes = {
        name.name: line.module or ""
        for line in ast.parse(stub).body
        if isinstance(line, ast.ImportFrom)
        for name in line.names
    }
    module.__class__ = _Package
    return sorted(homes)
