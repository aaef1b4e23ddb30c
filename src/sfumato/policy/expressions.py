"""Regular expressions of a user's own, which run on RE2: in linear time, whatever the text."""

from __future__ import annotations

import re

import re2

_BYTE = re.compile(r"(?<!\\)(?:\\\\)*\\C")


def groups_in(expression: str) -> int:
    """How many groups an expression has; a ValueError says why RE2 does not take it.

    >>> groups_in("(a)(b)?")
    2
    """
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 64 << 20  # as the patterns are run
    try:
        groups: int = re2.compile(expression, options).groups
    except re2.error as error:
        said = error.args[0] if error.args else ""
        why = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
        raise ValueError(
            f"is not accepted: {why}; look-around and backreferences are not available, because patterns run "
            "in linear time (RE2)"
        ) from None
    if _BYTE.search(expression):
        raise ValueError(r"is not accepted: \C is one byte, which may be a part of a letter")
    return groups
