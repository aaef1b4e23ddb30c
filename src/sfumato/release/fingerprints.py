"""The knowledge behind a release, by hash: data that decide what is found, what is put in its place, what
counts as gone, and what a guarantee is measured against. Each plug-in names its own at its registration."""

from __future__ import annotations

from collections.abc import Sequence

from sfumato.detect import encoder
from sfumato.document import Claim
from sfumato.know import fingerprints, sources
from sfumato.plugins import CLAIMS
from sfumato.policy import Policy
from sfumato.verify import promised


def of(policy: Policy, claims: Sequence[Claim] = ()) -> dict[str, str]:
    """What a policy's releases rest on: the data of its detectors, protectors and methods, of the claims that
    it promises and that are stated, and the user's own."""
    found = sources.digests(policy.know)
    for step in (*policy.detect, *policy.protect):
        found |= step.plugin.knowledge(step.options)
    for rule in policy.replace.values():
        found |= rule.plugin.knowledge(rule.options)
    for name in dict.fromkeys([*promised(policy, claims), *(claim.name for claim in claims)]):
        plugin = CLAIMS.find(name)
        found |= plugin.knowledge(policy) if plugin is not None else {}
    return dict(sorted(found.items()))


def built_in(name: str) -> str | None:
    """The hash of data that come with the package, so that a certificate can be checked without its policy;
    None for any other."""
    known = {**fingerprints.SOURCES, "detector": encoder.knowledge}
    return known[name](None)[name] if name in known else None
