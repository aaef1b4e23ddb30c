"""A release examined: its certificate, what it is about, and each claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from sfumato import formats
from sfumato.detect.finder import Finder
from sfumato.document import Release
from sfumato.errors import InputError
from sfumato.keys import Key
from sfumato.policy import Policy, load
from sfumato.release import fingerprints
from sfumato.release.certificate import Certificate
from sfumato.verify import (
    OF_LOGS,
    OF_TABLES,
    Check,
    Evidence,
    check_claims,
    fails,
    holds,
    needs,
    unstated,
)


def verify(
    release: Release,
    policy: Policy | Mapping[str, Any] | str | Path = "default",
    *,
    key: Key | None = None,
    reader: str | None = None,
) -> list[Check]:
    """Every claim of a release, checked again. Without the key that made it, the hashes stay unchecked.

    >>> from sfumato import sanitize
    >>> [c.verdict for c in verify(sanitize("Ask ann@example.org"))][:2]
    ['cannot be checked', 'cannot be checked']
    """
    rules = load(policy)
    find = Finder(rules)
    evidence = Evidence(release.text, rules, find, release.record, key, release.data, reader)
    return examine(release.certificate, evidence)


def examine(certificate: Certificate, evidence: Evidence) -> list[Check]:
    """Every check of a release."""
    evidence = replace(evidence, input=certificate.input)
    return [
        _genuine(certificate, evidence),
        _certified_release(certificate, evidence),
        _certified_policy(certificate, evidence),
        _certified_knowledge(certificate, evidence),
        *check_claims(certificate.claims, evidence),
        *unstated(certificate.claims, evidence.policy),
    ]


def text_of(data: bytes, certificate: Certificate, *, encoding: str, name: str, where: str) -> str:
    """What a released file says, read as the kind of file that its certificate is about. `encoding` is that
    of a certificate that does not say it."""
    if certificate.format == 1 and any(c.name == OF_TABLES[0] for c in certificate.claims):
        raise InputError(
            f"{where}: has a table's certificate of version 1, which cannot be checked any more; give the "
            "original back with `sfumato restore` and anonymize it again",
            path=where,
        )
    encoding = certificate.document.get("encoding", encoding)
    if any(claim.name == OF_LOGS[0] for claim in certificate.claims):
        return data.decode(encoding, "replace")  # not all logs are text; their bytes are parsed
    return formats.parse(
        data,
        name=name,
        format=formats.known(certificate.document.get("format", "text")),
        encoding=encoding,
        columns=certificate.document.get("columns", ()),
        where=where,
        certain=True,
    ).text


def _genuine(certificate: Certificate, evidence: Evidence) -> Check:
    name = "certificate is genuine"
    if evidence.key is None:
        return needs(name, "the key")
    if not certificate.is_made_by(evidence.key):
        return fails(name, "it was changed, or made with another key")
    return holds(name)


def _certified_release(certificate: Certificate, evidence: Evidence) -> Check:
    name = "release is the certified one"
    certified = certificate.is_about(evidence.data, evidence.key)
    if certified is None:
        return needs(name, "the key")
    if not certified:
        return fails(name, "the file was changed since it was certified")
    return holds(name)


def _certified_policy(certificate: Certificate, evidence: Evidence) -> Check:
    name = "policy is the certified one"
    if evidence.policy is None:
        return needs(name, "the policy")
    if evidence.policy.digest != certificate.policy:
        return fails(name, "the release was made by another policy")
    return holds(name, evidence.policy.name)


def _certified_knowledge(certificate: Certificate, evidence: Evidence) -> Check:
    name = "knowledge is the certified one"
    policy = evidence.policy
    same_policy = policy is not None and policy.digest == certificate.policy
    claims = certificate.claims
    now = fingerprints.of(policy, claims) if policy is not None and same_policy else {}
    for source, digest in certificate.knowledge.items():
        found = now.get(source) or fingerprints.built_in(source)
        if found is None and same_policy:
            return needs(name, f"'{source}', which cannot be opened here")
        if found is None:
            return needs(name, f"the policy, or a version of Sfumato that knows '{source}'")
        if found != digest:
            return fails(name, f"'{source}' differs from what was used for the release")
    return holds(name)
