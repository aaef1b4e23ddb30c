"""The knowledge behind a release, by hash: data files that decide what is found and what counts as gone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import resources

from sfumato import words
from sfumato.detect import encoder
from sfumato.policy import Policy


@cache
def _table(name: str) -> str:
    return hashlib.sha256(
        (resources.files("sfumato") / "know" / "data" / name).read_bytes()
    ).hexdigest()


SOURCES: Mapping[str, Callable[[], str]] = {
    "words": words.digest,
    "detector": encoder.digest,
    "places": partial(_table, "places.npz"),
    "statistics": partial(_table, "wikipedia.terms"),
}
_NEEDED_BY = {"personal": "detector", "gazetteers": "places", "information": "statistics"}


def of(policy: Policy) -> dict[str, str]:
    """What a policy's releases rest on."""
    names = {"words", *(_NEEDED_BY[s.name] for s in policy.detect if s.name in _NEEDED_BY)}
    return {name: SOURCES[name]() for name in sorted(names)}
