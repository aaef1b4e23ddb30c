"""Files are written whole: nobody ever sees one half-written."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from sfumato.errors import InputError


def write_file(path: Path, data: bytes, *, mode: int | None = None) -> None:
    """Write beside, then rename. After a crash there is the old file, the new one, or none."""
    part = path.with_name(f".{path.name}.part")
    if path.exists() and not path.is_file():
        raise InputError(
            f"{path}: exists and is no plain file; give another name, or - for standard output"
        )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(
            part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666 if mode is None else mode
        )
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise InputError(f"{path}: cannot be written ({error.strerror})", path=str(path)) from None
    except BaseException:
        part.unlink(missing_ok=True)
        raise
