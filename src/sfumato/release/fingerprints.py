"""The knowledge behind a release, by hash: data files that decide what is found, what counts as gone, and
what a guarantee was measured against."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import resources

from sfumato.detect import encoder
from sfumato.english import ordinary as words
from sfumato.know import sources
from sfumato.policy import Policy


@cache
def _table(*names: str) -> str:
    digest = hashlib.sha256()
    for name in names:
        digest.update((resources.files("sfumato") / "know" / "data" / name).read_bytes())
    return digest.hexdigest()


# What comes with the package.
SOURCES: Mapping[str, Callable[[], str]] = {
    "words": words.digest,
    "detector": encoder.digest,
    "places": partial(_table, "places.npz"),
    "statistics": partial(_table, "wikipedia.terms", "concepts.units"),
    "taxonomy": partial(_table, "wordnet.npz", "places.npz", "named.npz"),
}
_NEEDED_BY = {
    "personal": ("detector",),
    "gazetteers": ("places",),
    "information": ("detector", "statistics"),
    "plausibility": ("detector", "taxonomy"),
    "ksafety": ("taxonomy",),
    "disclosure": ("detector", "statistics", "taxonomy"),
}


def of(policy: Policy) -> dict[str, str]:
    """What a policy's releases rest on: our own data, and the user's where a step brings some."""
    steps = [*policy.detect, *policy.protect]
    names = {"words", *(name for s in steps for name in _NEEDED_BY.get(s.name, ()))}
    found = {name: SOURCES[name]() for name in names}
    found |= sources.digests(policy.know)
    for step in steps:
        found |= step.plugin.knowledge(step.options)
    return dict(sorted(found.items()))
