"""`sfumato verify`: does a release hold what its certificate claims?"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from sfumato import formats, keys
from sfumato.cli.console import out, say
from sfumato.cli.options import (
    AsJson,
    Encoding,
    KeyFile,
    Reader,
    ReleasePath,
    Timeout,
    one_reader,
)
from sfumato.deadline import deadline
from sfumato.detect.finder import Finder
from sfumato.errors import GuaranteeError, InputError, UnknownReleaseError
from sfumato.files import spelt
from sfumato.formats import file_bytes
from sfumato.keys import PublicKey
from sfumato.policy import Policy
from sfumato.release import access, certificate, examination
from sfumato.release.certificate import Certificate
from sfumato.release.files import certificate_path
from sfumato.report import terminal
from sfumato.verify import Check, Evidence, fails


def verify(
    release: ReleasePath,
    cert: Annotated[
        Path | None,
        typer.Argument(metavar="[CERT]", help="Its certificate; RELEASE.cert.json if not given."),
    ] = None,
    policy_name: Annotated[
        str | None, typer.Option("-p", "--policy", help="The policy it was made by.")
    ] = None,
    public_key: Annotated[
        str | None,
        typer.Option(
            "--public-key",
            metavar="KEY",
            help="The releasing party's public key, or the file it is in; else the policy's.",
        ),
    ] = None,
    ledger: Annotated[
        Path | None, typer.Option("--ledger", help="The ledger, to check everything.")
    ] = None,
    key_file: KeyFile = None,
    reader: Reader = None,
    skip: Annotated[
        list[str] | None,
        typer.Option(
            "--skip", metavar="CHECK", help="A check that may be left out where it cannot be made."
        ),
    ] = None,
    as_json: AsJson = False,
    encoding: Encoding = "utf-8",
    timeout: Timeout = None,
) -> None:
    """Check that a release holds what its certificate claims."""
    data = file_bytes(release)
    made = _certificate(release, cert)
    key = access.find_key(ledger, key_file)
    entry, unknown = None, []
    if ledger is not None:
        try:
            key = access.need_key(ledger, key_file)
            entry = access.entry(ledger, key, data, release, cert=cert, renamed=True)
            key = entry.key or key  # the one it was made with, where that was replaced
            encoding = entry.record.origin.encoding
        except UnknownReleaseError as error:
            unknown = [fails("release is in the ledger", str(error))]
    rules = access.certified_policy(policy_name, entry, made)
    if reader is not None and rules is not None and not rules.depends_on_reader:
        access.check_readers(rules, one_reader(reader))
    evidence = Evidence(
        "",
        rules,
        Finder(rules, complete=False) if rules else None,
        entry.record if entry else None,
        key,
        data,
        reader,
        spelt(release.name),
        public_key=_whose(public_key, rules, alone=ledger is None and key_file is None),
        encoding=encoding,
    )
    signed = examination.is_signed(made, evidence)
    if not signed and rules is not None:  # whoever made it up pays for no work
        formats.check_size(len(data), rules.limits.release_bytes, str(release))
    with deadline(str(release), len(data), timeout):
        document = examination.read(
            data,
            made,
            signed=signed,
            encoding=encoding,
            name=spelt(release.name),
            where=str(release),
        )
        evidence = replace(
            evidence,
            text=document.text,
            parts=document.origin.parts,
            unseen=document.unseen,
            shown_otherwise=formats.shown_otherwise(document, signed=signed),
        )
        checks = [*unknown, *examination.examine(made, evidence)]
    checks = examination.skip(checks, skip or ())
    _show(release, checks, as_json)


def _whose(given: str | None, rules: Policy | None, *, alone: bool) -> PublicKey | None:
    """The only key that is trusted, where one is named; the policy's, if that is `alone` in the call: who has
    a key in his environment may be somebody else's receiver."""
    if given is not None:
        return keys.read_public(given)
    named = rules.public_key if rules is not None and alone else None
    return keys.parse_public(named) if named else None


def _certificate(release: Path, cert: Path | None) -> Certificate:
    """The certificate given, or the one beside the release."""
    path = cert or certificate_path(release)
    if cert is None and release.exists() and not path.exists():
        raise InputError.at(path, "no such file; give the release's certificate after its name")
    return certificate.of_file(path)


def _show(release: Path, checks: Sequence[Check], as_json: bool) -> None:
    if as_json:
        rows = [
            {"check": c.name, "verdict": c.verdict, "detail": c.detail, "essential": c.essential}
            for c in checks
        ]
        print(json.dumps({"file": str(release), "checks": rows}))
    else:
        out.print(terminal.check_table(checks))
        if missing := [c.name for c in checks if c.refuses and not c.failed]:
            say(f"not to be trusted as long as this cannot be checked: {', '.join(missing)}")
    if any(check.refuses for check in checks):
        raise typer.Exit(GuaranteeError.exit_code)
