"""The package's own module of the encoder, loaded by its file.

Labels, features, windows and the cutting into pieces are defined once, in the package. A machine for
training has PyTorch and numpy but none of the package's dependencies, and importing any part of the
package needs them all; this one module by itself needs numpy only.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

_FILE = Path(__file__).resolve().parents[2] / "src/sfumato/detect/encoder.py"


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"_sfumato_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


if TYPE_CHECKING:
    from sfumato.detect import encoder as encoder
else:
    encoder = _load(_FILE)
