"""Tables of knowledge that come with the package: numpy arrays and word lists in one compressed file.

A file is an ordinary `.npz`, written so that equal content gives equal bytes. Its first entry names the
layout; a file of another layout is refused with a line that says how to rebuild it.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.errors import InputError
from sfumato.files import unfinished

Array = np.ndarray[Any, np.dtype[Any]]
SHRINKS = 0.9  # an array is compressed where that leaves less than this share of it
FOLDER = Path(str(resources.files("sfumato"))) / "know" / "data"


def save(path: Path, layout: str, arrays: Mapping[str, Array]) -> None:
    """Write a table; the same arrays always give the same file."""
    with (
        unfinished(path) as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive,
    ):
        for name, array in {"layout": np.array(layout), **arrays}.items():
            buffer = io.BytesIO()
            np.save(buffer, array, allow_pickle=False)
            data = buffer.getvalue()
            # What hardly shrinks (vectors, hashes) is stored as it is: it opens ten times as fast.
            small = len(zlib.compress(data, 9)) < SHRINKS * len(data)
            how = zipfile.ZIP_DEFLATED if small else zipfile.ZIP_STORED
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), data, how)


def load(path: Path, layout: str, script: str) -> dict[str, Array]:
    """Read a table of that layout; `script` is what makes it."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            found = str(archive["layout"]) if "layout" in archive.files else "unknown"
            if found == layout:
                return {name: archive[name] for name in archive.files if name != "layout"}
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        missing = isinstance(error, FileNotFoundError)
        reason = "does not exist" if missing else "cannot be read"
        raise InputError(f"the table {path.name} {reason}: make it with {script}") from None
    raise InputError(
        f"the table {path.name} has layout '{found}', not '{layout}': make it again with {script}"
    )


def pack(lines: Sequence[str]) -> Array:
    """Lines of text as an array of bytes, shape (characters,), uint8."""
    return np.frombuffer("\n".join(lines).encode(), dtype=np.uint8)


def unpack(array: Array) -> list[str]:
    """The lines that `pack` was given.

    >>> unpack(pack(["liver", "Łódź"]))
    ['liver', 'Łódź']
    """
    text = array.tobytes().decode()
    return text.split("\n") if text else []
