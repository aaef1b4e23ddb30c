"""`sfumato verify`: does a release hold what its certificate claims?"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.console import out
from sfumato.cli.options import (
    AsJson,
    Encoding,
    KeyFile,
    Reader,
    ReleasePath,
    one_reader,
)
from sfumato.detect.finder import Finder
from sfumato.errors import GuaranteeError, InputError, UnknownReleaseError
from sfumato.formats import file_bytes
from sfumato.release import access, batch, certificate, examination
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
    ledger: Annotated[
        Path | None, typer.Option("--ledger", help="The ledger, to check everything.")
    ] = None,
    key_file: KeyFile = None,
    reader: Reader = None,
    as_json: AsJson = False,
    encoding: Encoding = "utf-8",
) -> None:
    """Check that a release holds what its certificate claims."""
    data = file_bytes(release)
    cert_path = cert or batch.certificate_path(release)
    if cert is None and release.exists() and not cert_path.exists():
        raise InputError(
            f"{cert_path}: no such file; give the release's certificate after its name",
            path=str(cert_path),
        )
    made = certificate.parse(file_bytes(cert_path).decode("utf-8", "replace"), str(cert_path))
    key = access.find_key(ledger, key_file)
    entry, unknown = None, []
    if ledger is not None:
        try:
            entry = access.entry(ledger, access.need_key(ledger, key_file), data, release)
            encoding = entry.record.origin.encoding
        except UnknownReleaseError as error:
            unknown = [fails("release is in the ledger", str(error))]
    rules = access.certified_policy(policy_name, entry, made)
    if reader is not None and rules is not None and not rules.depends_on_reader:
        access.check_readers(rules, one_reader(reader))
    evidence = Evidence(
        examination.text_of(data, made, encoding=encoding, name=release.name, where=str(release)),
        rules,
        Finder(rules) if rules else None,
        entry.record if entry else None,
        key,
        data,
        reader,
        release.name,
    )
    _show(release, [*unknown, *examination.examine(made, evidence)], as_json)


def _show(release: Path, checks: Sequence[Check], as_json: bool) -> None:
    if as_json:
        rows = [{"check": c.name, "verdict": c.verdict, "detail": c.detail} for c in checks]
        print(json.dumps({"file": str(release), "checks": rows}))
    else:
        out.print(terminal.check_table(checks))
    if any(check.failed for check in checks):
        raise typer.Exit(GuaranteeError.exit_code)
