"""Sfumato makes text safe to share.

    >>> import sfumato
    >>> release = sfumato.sanitize("Ask ann@example.org about it.")
    >>> release.text
    'Ask [EMAIL 1] about it.'

Only what this module exports is public. The stub beside it (`__init__.pyi`) lists the names and where they
live; each is imported when it is first used, so that `import sfumato` costs next to nothing.
"""

import sys

# `python -m sfumato` looks for modules in the working folder first: what lies there is nobody's to run.
_called = sys.orig_argv[-len(sys.argv)] if sys.argv[:1] == ["-m"] else ""
if _called.removeprefix("-m") == "sfumato" and not sys.flags.safe_path:
    del sys.path[0]

from sfumato import _interrupts  # noqa: E402

_interrupts.while_starting()

import os  # noqa: E402

from sfumato import _lazy  # noqa: E402

# Nothing is sent anywhere. onnxruntime, which runs the detector, reports to its maker unless this is so when
# it is imported, by whomever.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

__all__ = _lazy.names(__name__)
