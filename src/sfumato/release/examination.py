"""A release examined: its certificate, what it is about, and each claim."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from sfumato import formats
from sfumato.detect.finder import Finder
from sfumato.detect.seams import released_parts
from sfumato.document import Claim, Document, Release
from sfumato.english.births import as_of
from sfumato.errors import EncodingError, InputError, SfumatoError
from sfumato.formats import table
from sfumato.keys import Key, PublicKey, parse_public
from sfumato.plugins import CLAIMS
from sfumato.policy import Policy, load
from sfumato.release import fingerprints
from sfumato.release.certificate import Certificate
from sfumato.release.undo import is_edited_alike, text_of_file
from sfumato.verify import (
    OF_LOGS,
    Check,
    Evidence,
    check_claims,
    fails,
    holds,
    is_essential,
    needs,
    unstated,
)

GENUINE = "certificate is genuine"
CERTIFIED = "release is the certified one"
BY_POLICY = "policy is the certified one"
FOR_READER = "reader is the certified one"
KNOWN = "knowledge is the certified one"


def verify(
    release: Release,
    policy: Policy | Mapping[str, Any] | str | Path = "default",
    *,
    key: Key | None = None,
    public_key: PublicKey | str | None = None,
    reader: str | None = None,
) -> list[Check]:
    """Every claim of a release, checked again by the policy in hand. A check that `refuses` means that the
    release must not be trusted: without the public key or the key that is so of every release.

    >>> from sfumato import sanitize
    >>> [c.verdict for c in verify(sanitize("Ask ann@example.org"))][:2]
    ['cannot be checked', 'holds']
    """
    rules = load(policy)
    public = parse_public(public_key) if isinstance(public_key, str) else public_key
    evidence = Evidence(
        *(release.text, rules, Finder(rules, complete=False), release.record, key, release.data),
        parts=released_parts(release.record.origin.parts, release.record.edits),
        reader=reader,
        name=release.certificate.document.get("name", release.name),
        public_key=public,
    )
    signed = is_signed(release.certificate, evidence)
    with suppress(InputError, EncodingError):  # what cannot be read is told below
        shown = formats.read_again(release.data, release.record)
        evidence = replace(
            evidence,
            unseen=shown.unseen,
            shown_otherwise=formats.shown_otherwise(shown, signed=signed),
        )
    checks = examine(release.certificate, evidence)
    said, origin = release.certificate.document, release.record.origin
    read = {**said, "format": origin.format, "encoding": origin.encoding}
    wrong = ""
    if text_of_file(release) != release.text or said not in ({}, read):
        wrong = "its text is not that of its file"
    elif not is_edited_alike(release):
        wrong = "its edits are not those of its file"
    if not wrong:
        return checks
    other = replace(fails(CERTIFIED, wrong), essential=True)
    return [other if check.name == CERTIFIED else check for check in checks]


def examine(certificate: Certificate, evidence: Evidence) -> list[Check]:
    """Every check of a release, each with whether it is essential, by the year in which it was made, if its
    certificate is to be trusted."""
    signed = is_signed(certificate, evidence)
    with as_of(certificate.knowledge.get("year", "") if signed else ""):
        return _examine(certificate, replace(evidence, input=certificate.input, signed=signed))


def _examine(certificate: Certificate, evidence: Evidence) -> list[Check]:
    signed = evidence.signed
    of_release = [
        _genuine(certificate, evidence),
        _certified_release(certificate, evidence),
        _certified_policy(certificate, evidence),
        *_certified_reader(certificate, evidence),
        _certified_knowledge(certificate, evidence),
    ]
    claims, policy = certificate.claims, evidence.policy
    of_claims = [*check_claims(claims, evidence), *unstated(claims, policy)]
    columns = certificate.document.get("columns")
    if columns and policy is not None and policy.table is None:
        of_claims = [_in_columns(check, columns, signed=signed) for check in of_claims]
    if evidence.shown_otherwise:
        of_claims = [_as_read(check, evidence.shown_otherwise) for check in of_claims]
    return [
        *(replace(check, essential=True) for check in of_release),
        *(replace(c, essential=_is_essential(c.name, claims, evidence)) for c in of_claims),
    ]


def _is_essential(name: str, claims: Sequence[Claim], evidence: Evidence) -> bool:
    """What the policy asks for; and what nobody knows, unless a signature stands for it."""
    unknown = not evidence.signed and CLAIMS.find(name) is None
    return unknown or is_essential(name, evidence.policy, claims)


def skip(checks: Sequence[Check], names: Collection[str]) -> list[Check]:
    """The checks, those of these names skipped where they cannot be checked."""
    unknown = set(names) - {check.name for check in checks}
    if unknown:
        known = ", ".join(dict.fromkeys(check.name for check in checks))
        raise InputError(f"--skip: no check is named '{min(unknown)}'; there are: {known}")
    return [
        replace(check, verdict="skipped")
        if check.name in names and check.verdict == "cannot be checked"
        else check
        for check in checks
    ]


def is_signed(certificate: Certificate, evidence: Evidence) -> bool:
    """Whether the certificate is genuine, and of this very file: then what it says can be trusted."""
    checks = _genuine(certificate, evidence), _certified_release(certificate, evidence)
    return all(check.verdict == "holds" for check in checks)


def read(
    data: bytes, certificate: Certificate, *, signed: bool, encoding: str, name: str, where: str
) -> Document:
    """A released file, read as its certificate says where that is genuine, else as its own name says:
    whoever makes up a certificate would have it read as something without words. `encoding` is what the
    receiver takes it for."""
    said = certificate.document
    format = formats.known(said.get("format", "text"))
    encoding = said.get("encoding", encoding) if signed else encoding
    if any(claim.name == OF_LOGS[0] for claim in certificate.claims):
        # not all logs are text; their bytes are parsed
        try:
            return Document(data.decode(encoding, "replace"), name)
        except LookupError:  # or one that makes no text
            raise InputError(f"--encoding: '{encoding}' is none of texts") from None
    if not signed and not _is_table(format, Path(name)):
        format = formats.read_as(Path(name), data)
    return formats.parse(
        data,
        name=name,
        format=format,
        encoding=encoding,
        columns=said.get("columns", ()),
        where=where,
        certain=signed,
    )


def _is_table(format: str, path: Path) -> bool:
    """Whether the file's name says that it is a table as a whole, of this format."""
    return format == f"table/{table.FORMATS.get(path.suffix.lower())}"


def _is_log(certificate: Certificate, evidence: Evidence) -> bool:
    """Whether the release is a document log, which is read by its claims, and by its own name."""
    asked = evidence.policy is None or evidence.policy.log is not None
    return asked and any(claim.name == OF_LOGS[0] for claim in certificate.claims)


def _in_columns(check: Check, columns: Sequence[str], *, signed: bool) -> Check:
    """The check of a table of which no more than these columns were looked at, as somebody says."""
    names = ", ".join(map(repr, columns))
    if signed and check.verdict in ("holds", "attested"):
        return replace(check, detail="; ".join(filter(None, (check.detail, f"in {names} alone"))))
    if check.verdict != "holds":
        return check
    return needs(check.name, f"the public key: only {names} is said to be text")


def _as_read(check: Check, otherwise: str) -> Check:
    """The check of a file that programs may show otherwise than it was read, where nobody vouches for it."""
    if check.verdict != "holds":
        return check
    return needs(
        check.name, f"the public key: it may be shown otherwise than it is read ({otherwise})"
    )


def _genuine(certificate: Certificate, evidence: Evidence) -> Check:
    key, trusted = evidence.key, _trusted(evidence)
    if not certificate.is_signed and (key is None or key.public not in trusted):
        said = "made before certificates were signed: authenticity cannot be checked"
        return Check(GENUINE, "cannot be checked", said)
    if not trusted:
        return needs(GENUINE, "the public key")
    made = key is not None and key.public in trusted and certificate.is_made_by(key)
    if not made and not any(map(certificate.is_signed_by, trusted)):
        return fails(GENUINE, "it was changed, or made with another key")
    return holds(GENUINE)


def _trusted(evidence: Evidence) -> list[PublicKey]:
    """Whose certificates are genuine: the public key that the receiver names, else those of the key and the
    policy in hand."""
    if evidence.public_key is not None:
        return [evidence.public_key]
    found = [evidence.key.public] if evidence.key is not None else []
    named = evidence.policy.public_key if evidence.policy is not None else None
    return [*found, *([parse_public(named)] if named else [])]


def _certified_release(certificate: Certificate, evidence: Evidence) -> Check:
    certified = certificate.is_about(evidence.data, evidence.key)
    if certified is None:
        return needs(CERTIFIED, "the key")
    if not certified:
        return fails(CERTIFIED, "the file was changed since it was certified")
    if evidence.unseen:
        return fails(CERTIFIED, "it holds what no reader sees, as no release does")
    name = certificate.document.get("name", evidence.name)
    format, path = certificate.document.get("format"), Path(evidence.name)
    if format is not None and not (
        _is_table(format, path)
        or _is_log(certificate, evidence)
        or formats.is_named_for(path, format, Path(name), evidence.data)
    ):
        fit = name if name != evidence.name else f"{name}.txt"  # of plain text in codes
        said = f"it was certified as {format}, and may be shown otherwise: name it '{fit}'"
        return fails(CERTIFIED, said)
    return holds(CERTIFIED, "" if name == evidence.name else f"it was certified as '{name}'")


def _certified_policy(certificate: Certificate, evidence: Evidence) -> Check:
    if evidence.policy is None:
        return needs(BY_POLICY, "the policy")
    if evidence.policy.digest != certificate.policy:
        return fails(BY_POLICY, "the release was made by another policy")
    return holds(BY_POLICY, evidence.policy.name)


def _certified_reader(certificate: Certificate, evidence: Evidence) -> Iterator[Check]:
    """Whose view it is, where that makes a difference."""
    certified = certificate.document.get("reader", evidence.reader)
    if certified != evidence.reader:
        said = f"is for '{certified}'" if certified is not None else "is for everybody"
        yield fails(FOR_READER, f"the certificate {said}; say with --reader who reads it")
    elif certified is not None:
        yield holds(FOR_READER, certified)


def _certified_knowledge(certificate: Certificate, evidence: Evidence) -> Check:
    """Whether the release rests on the very data that the verifier has: none is other, none is missing on
    either side, none is left out because another cannot be opened."""
    policy, said = evidence.policy, certificate.knowledge
    same = policy is not None and policy.digest == certificate.policy
    now, unread = {}, ""
    try:
        now = fingerprints.of(policy, certificate.claims) if policy and same else {}
    except SfumatoError as error:
        unread = f"what the policy names ({error})"
    found = {source: now.get(source) or fingerprints.built_in(source) for source in sorted(said)}
    for source, digest in found.items():
        if digest is not None and digest != said[source]:
            return fails(KNOWN, f"'{source}' differs from what was used for the release")
    unnamed = now.keys() - said.keys()
    if unnamed and certificate.is_signed:
        return fails(KNOWN, f"the certificate does not name '{min(unnamed)}'")
    unknown = next((source for source, digest in found.items() if digest is None), None)
    if unread or unknown is None:
        return needs(KNOWN, unread) if unread else holds(KNOWN)
    where = "which cannot be opened here" if same else "which the policy or a newer Sfumato knows"
    return needs(KNOWN, f"'{unknown}', {where}")
