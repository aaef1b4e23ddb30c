"""Every error that Sfumato raises on purpose.

    SfumatoError
    ├── InputError          a file or text that cannot be read, or must not be written to
    │   ├── EncodingError   bytes that are not what the encoding says (.offset)
    │   ├── DeadlineError   a document that takes longer than it may
    │   └── plausibility.UnreachableError   a t that no choice can reach (.largest, .limiting)
    ├── PolicyError         a setting that does not exist or makes no sense (.problems)
    ├── SecretError         no key, or one that does not fit
    ├── LedgerError         a ledger that is missing, foreign or damaged
    │   └── UnknownReleaseError   a release that the ledger does not know
    ├── MissingExtraError   an optional package is not installed (.extra)
    └── GuaranteeError      a claim that does not hold; nothing was written (.checks)

A message is one line: what is wrong, where, and what to do. It never holds original text.
"""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from sfumato.verify import Check


class SfumatoError(Exception):
    """The base of all: catch this one to catch them all. `path` is the file it is about, if it is one's."""

    exit_code = 2

    def __init__(self, message: str, *, path: str | None = None) -> None:
        super().__init__(message)
        self.path = path

    @classmethod
    def at(cls, path: Path | str | None, why: str) -> Self:
        """What is wrong with a file.

        >>> print(InputError.at("note.txt", "no such file"))
        note.txt: no such file
        """
        return cls(f"{path}: {why}", path=str(path))


class InputError(SfumatoError):
    """A file or text that cannot be read, or must not be written to."""


class EncodingError(InputError):
    """Bytes that are not what the encoding says; `offset` is the first bad one."""

    def __init__(self, message: str, *, path: str | None = None, offset: int = 0) -> None:
        super().__init__(message, path=path)
        self.offset = offset


class DeadlineError(InputError):
    """A document that takes longer than it may; nothing was written."""


class PolicyError(SfumatoError):
    """A setting that does not exist or makes no sense; `problems` has one line for each."""

    def __init__(self, message: str, *, problems: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems) or (message,)


class SecretError(SfumatoError):
    """No key, or one that does not fit."""


class LedgerError(SfumatoError):
    """A ledger that is missing, foreign or damaged."""


class UnknownReleaseError(LedgerError):
    """A release that the ledger does not know."""


class MissingExtraError(SfumatoError):
    """An optional package is not installed; the message says which command installs it."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs an extra: pip install 'sfumato[{extra}]'")
        self.extra = extra


def needed(module: str, feature: str, extra: str) -> Any:
    """The package of a module that comes with an extra, with the module in it.

    >>> needed("nothing.at_all", "this example", "none")
    Traceback (most recent call last):
    sfumato.errors.MissingExtraError: this example needs an extra: pip install 'sfumato[none]'
    """
    try:
        return __import__(module)
    except ImportError:
        raise MissingExtraError(feature, extra) from None


class GuaranteeError(SfumatoError):
    """A claim that does not hold; nothing was written."""

    exit_code = 3

    def __init__(self, message: str, *, checks: Sequence[Check] = ()) -> None:
        super().__init__(message)
        self.checks = tuple(checks)


_OF_THE_DISK = (
    "database or disk is full",
    "disk I/O error",
    "attempt to write a readonly database",
    "unable to open database file",
)


def described(error: Exception) -> str:
    """Any error in one line that holds no original text: of a fault that is ours, its kind and place alone.

    >>> try: [][1]
    ... except IndexError as error: described(error).partition(" at ")[0]
    'internal error (IndexError'
    """
    match error:
        case SfumatoError():
            return str(error)
        case OSError(strerror=str(why)):
            return f"{error.filename or 'output'}: {why}"
        case Exception(args=(str(why),)) if why in _OF_THE_DISK:  # SQLite's words
            return f"the ledger or another database: {why}"
        case MemoryError():
            return "out of memory; split the input into smaller files"
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}"
    return f"internal error ({place}); please report it"
