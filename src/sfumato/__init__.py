"""Sfumato makes text safe to share.

    >>> import sfumato
    >>> release = sfumato.sanitize("Ask ann@example.org about it.")
    >>> release.text
    'Ask [EMAIL] about it.'

Only what this module exports is public. The stub beside it (`__init__.pyi`) lists the names and where they
live; each is imported when it is first used, so that `import sfumato` costs next to nothing.
"""

import ast
import sys
from importlib import import_module as _import
from pathlib import Path as _Path
from types import ModuleType as _Module

_HOMES = {
    name.asname or name.name: line.module or ""
    for line in ast.parse(_Path(__file__).with_suffix(".pyi").read_text("utf-8")).body
    if isinstance(line, ast.ImportFrom)
    for name in line.names
}
__all__ = sorted(_HOMES)


class _Package(_Module):
    """`detect` and `verify` are functions of this module and packages in it; here the functions win,
    whenever the packages are imported."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (isinstance(value, _Module) and name in ("detect", "verify")):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = _HOMES[name]
    found = _import(f"{home}.{name}") if home == __name__ else getattr(_import(home), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
