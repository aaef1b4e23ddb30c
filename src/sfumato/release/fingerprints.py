"""The knowledge behind a release, by hash: data that decide what is found, what is put in its place, what
counts as gone, and what a guarantee is measured against. Each plug-in names its own at its registration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sfumato.detect import encoder
from sfumato.document import Claim
from sfumato.know import fingerprints, sources
from sfumato.plugins import CLAIMS
from sfumato.policy import Policy
from sfumato.verify import promised


def of(policy: Policy, claims: Sequence[Claim] = ()) -> dict[str, str]:
    """What a policy's releases rest on: the data of its detectors, protectors and methods, of the claims that
    it promises and that are stated, and the user's own."""
    named: list[Mapping[str, str]] = [sources.digests(policy.know)]
    named += [s.plugin.knowledge(s.options) for s in (*policy.detect, *policy.protect)]
    named += [rule.plugin.knowledge(rule.options) for rule in policy.replace.values()]
    for name in dict.fromkeys([*promised(policy, claims), *(claim.name for claim in claims)]):
        plugin = CLAIMS.find(name)
        named.append(plugin.knowledge(policy) if plugin is not None else {})
    found: dict[str, list[str]] = {}
    for source, digest in (item for each in named for item in each.items()):
        found.setdefault(source, []).append(digest)
    # Two steps may have files of their own under one name: then all are named, in the steps' order.
    return {
        source: digests[0] if len(set(digests)) == 1 else "+".join(digests)
        for source, digests in sorted(found.items())
    }


def built_in(name: str) -> str | None:
    """The hash of data that come with the package, so that a certificate can be checked without its policy;
    None for any other."""
    known = {**fingerprints.SOURCES, "detector": encoder.knowledge}
    return known[name](None)[name] if name in known else None
