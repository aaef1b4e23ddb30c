"""The command `know sensitivity`: a classifier that says how sensitive a document is."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from sfumato.cli.console import show
from sfumato.cli.options import AsJson, Force
from sfumato.errors import InputError
from sfumato.files import PRIVATE, Target, identities, real
from sfumato.measure import sensitivity as model


def sensitivity(
    labels: Annotated[
        Path,
        typer.Argument(
            metavar="LABELS",
            help="Documents with their labels (.csv, .tsv, .jsonl, .parquet): the columns document and "
            "sensitive (yes or no, true or false, 1 or 0).",
        ),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="The model to write.")],
    document: Annotated[
        str, typer.Option("--document", help="The column with the document.")
    ] = "document",
    label: Annotated[
        str, typer.Option("--label", help="The column that says whether it is sensitive.")
    ] = "sensitive",
    least: Annotated[
        int, typer.Option("--min-count", min=1, help="Leave out words of fewer documents.")
    ] = 2,
    smoothing: Annotated[
        float, typer.Option("--smoothing", help="Added to each count; above 0.")
    ] = 1.0,
    folds: Annotated[
        int, typer.Option("--folds", min=2, help="Parts for the cross-validation.")
    ] = model.FOLDS,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Train a classifier of sensitive documents on labels of your own, and say how good it is.

    The model holds words of the documents and how often each kind has them: keep it as you keep them.
    """
    if real(output) == real(labels):
        raise InputError(f"{output}: is the input; an original is never overwritten")
    target = Target.at(
        output, force=force, is_ours=model.is_model, what="model", never=identities([labels])
    )
    rows = model.read_labels(labels, document=document, label=label)
    found = model.cross_validate(rows, folds=folds, least=least, smoothing=smoothing)
    about = {"documents": len(rows), "cross_validation": asdict(found)}
    trained = model.train(rows, least=least, smoothing=smoothing, about=about)
    target.write(trained.to_json().encode(), mode=PRIVATE)
    if as_json:
        print(json.dumps({**about, "words": len(trained.counts)}))
        return
    show(
        f"{output}: {len(rows):,} documents ({trained.sensitive:,} sensitive), {len(trained.counts):,} "
        f"words; {found.folds}-fold cross-validation: accuracy {found.accuracy:.1%}, "
        f"recall {found.recall:.1%}, precision {found.precision:.1%}"
    )
