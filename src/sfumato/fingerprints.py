"""The knowledge behind a release, by hash: data files that decide what is found and what counts as gone."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sfumato import words
from sfumato.detect import encoder
from sfumato.policy import Policy

SOURCES: Mapping[str, Callable[[], str]] = {"words": words.digest, "detector": encoder.digest}
_NEEDED_BY = {"personal": "detector"}  # detector's name -> its knowledge


def of(policy: Policy) -> dict[str, str]:
    """What a policy's releases rest on."""
    names = {"words", *(_NEEDED_BY[s.name] for s in policy.detect if s.name in _NEEDED_BY)}
    return {name: SOURCES[name]() for name in sorted(names)}
