"""The knowledge behind a release, by hash: data files that decide what is found, what counts as gone, and
what a guarantee was measured against."""

from __future__ import annotations

from collections.abc import Mapping

from sfumato.detect import encoder
from sfumato.know import fingerprints, sources
from sfumato.know.fingerprints import Source
from sfumato.policy import Policy

# What comes with the package.
SOURCES: Mapping[str, Source] = {**fingerprints.SOURCES, "detector": encoder.knowledge}
_NEEDED_BY = {
    "personal": ("detector",),
    "gazetteers": ("places",),
    "information": ("detector", "statistics"),
    "plausibility": ("detector", "taxonomy", "senses"),
    "ksafety": ("taxonomy",),
    "disclosure": ("detector", "statistics", "taxonomy", "senses"),
}


def of(policy: Policy) -> dict[str, str]:
    """What a policy's releases rest on: our own data, and the user's where a step or a rule brings some."""
    steps = [*policy.detect, *policy.protect]
    names = {"words", *(name for s in steps for name in _NEEDED_BY.get(s.name, ()))}
    found = {k: v for name in names for k, v in SOURCES[name](None).items()}
    found |= sources.digests(policy.know)
    used = [(s.plugin, s.options) for s in steps]
    used += [(r.plugin, r.options) for r in policy.replace.values()]
    for plugin, options in used:
        found |= plugin.knowledge(options)
    return dict(sorted(found.items()))
