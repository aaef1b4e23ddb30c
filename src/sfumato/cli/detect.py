"""`sfumato detect`: the terms that are found."""

from __future__ import annotations

import json

from sfumato import policy
from sfumato.cli.console import out, say
from sfumato.cli.options import (
    AsJson,
    Columns,
    Encoding,
    InputFormat,
    Paths,
    PolicyName,
    Timeout,
    column_names,
)
from sfumato.deadline import deadline
from sfumato.detect.finder import Finder
from sfumato.formats.text import in_file
from sfumato.release import batch
from sfumato.report import terminal
from sfumato.report.plain import one_line


def detect(
    paths: Paths,
    policy_name: PolicyName = "default",
    columns: Columns = "",
    format: InputFormat = "text",
    as_json: AsJson = False,
    encoding: Encoding = "utf-8",
    timeout: Timeout = None,
) -> None:
    """List the terms that a policy's detectors find."""
    settings = policy.load(policy_name)
    find = Finder(settings)
    for job in batch.plan(paths, None, tell=say):
        data = batch.job_bytes(job, settings)
        with deadline(job.name, len(data), timeout):
            document = batch.read_job(job, data, encoding, column_names(columns), format)
            terms = find(document)
        if as_json:
            described = [
                {
                    "start": at.start,
                    "end": at.end,
                    "text": t.of(document.text),
                    "kind": t.kind,
                    "score": round(t.score, 4),
                    "detector": t.detector,
                    "reason": t.reason,
                }
                for at, t in zip(in_file(document, terms), terms, strict=True)
            ]
            print(json.dumps({"file": job.name, "terms": described}))
        else:
            out.print(one_line(f"{job.source}: {len(terms)} terms", "bold"))
            out.print(terminal.term_table(document, terms))
