"""Sfumato makes text safe to share.

    >>> import sfumato
    >>> release = sfumato.sanitize("Ask ann@example.org about it.")
    >>> release.text
    'Ask [EMAIL] about it.'

Only what this module exports is public. The stub beside it (`__init__.pyi`) lists the names and where they
live; each is imported when it is first used, so that `import sfumato` costs next to nothing.
"""

from sfumato import _lazy

__all__ = _lazy.names(__name__)
