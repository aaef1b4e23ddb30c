"""What k and λ cost on a table: relational against textual loss for each of them, and a recommendation.

Terms are looked for once; every setting of the sweep is then grouped, recoded and measured. Nothing is
released.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sfumato.errors import SfumatoError
from sfumato.formats import table as files
from sfumato.measure.frontier import Frontier, Point
from sfumato.measure.sweep import Sweep, variants
from sfumato.policy import Policy
from sfumato.policy.table import TableSettings
from sfumato.protect.tables.anonymize import Given, Prepared, grouped, recoded_by, recognised
from sfumato.protect.tables.classes import statistics
from sfumato.protect.tables.generalise import ladders_for
from sfumato.protect.tables.kept import refuse_small_blocks
from sfumato.protect.tables.loss import measure
from sfumato.protect.tables.persons_view import persons_view, rules
from sfumato.protect.tables.recognition import PolicyRecogniser, Recogniser
from sfumato.protect.tables.replacements import refuse_what_cannot_hold, table_settings
from sfumato.protect.tables.risk import risk

KS = (2, 3, 5, 10, 20, 50)
WEIGHTS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 1.0)
# What may differ between points that share their rows and terms.
_CHEAP = frozenset(
    {"k", "strategy", "relational_weight", "weights", "recoding", "generalise", "combinations"}
)


def explore(
    path: Path,
    policy: Policy,
    sweeps: Sequence[Sweep] = (),
    *,
    given: Given | None = None,
    encoding: str = "utf-8",
) -> Frontier:
    """The loss of a table under every policy of the sweep; k, λ and strategies where none is given."""
    table_settings(policy)
    table = files.read(path, encoding=encoding, limit=policy.limits.file_bytes)
    recogniser = PolicyRecogniser(policy) if given is None else None
    prepared: dict[str, Prepared] = {}
    points = []
    for said, variant in _variants(policy, sweeps):
        points.append(_point(said, variant, policy, table, recogniser, given, prepared))
    return Frontier(
        "table",
        "highest risk of being found again, 1 / size of the smallest class",
        "information kept, percent (100 less the total NCP)",
        tuple(points),
    )


def _variants(policy: Policy, sweeps: Sequence[Sweep]) -> list[tuple[dict[str, Any], Policy]]:
    if sweeps:
        return list(variants(policy, sweeps))
    ks = Sweep("table.k", tuple(sorted({*KS, policy.table.k if policy.table else KS[0]})))
    made: list[tuple[dict[str, Any], Policy]] = []
    for strategy in ("clusters", "gdf", "mondrian"):
        paths = [Sweep("table.strategy", (strategy,)), ks]
        if strategy == "mondrian":
            paths.append(Sweep("table.relational_weight", WEIGHTS))
        made += variants(policy, paths)
    return made


def _point(
    said: dict[str, Any],
    variant: Policy,
    base: Policy,
    table: files.Table,
    recogniser: Recogniser | None,
    given: Given | None,
    prepared: dict[str, Prepared],
) -> Point:
    settings = variant.table
    assert settings is not None
    try:
        refuse_what_cannot_hold(variant)
        key = settings.model_dump_json(exclude=set(_CHEAP)) + repr(variant.detect)
        if key not in prepared:
            looking = recogniser
            if variant.detect != base.detect and given is None:
                looking = PolicyRecogniser(variant)
            prepared[key] = recognised(table, _with_k(variant, 2), looking, given)
        return Point(said, *_measured(prepared[key], variant, settings))
    except SfumatoError as error:
        return Point(said, refused=str(error))


def _with_k(policy: Policy, k: int) -> Policy:
    """The policy with the smallest k: whether there are persons enough is asked of each point."""
    table = policy.table
    assert table is not None
    return policy.model_copy(update={"table": table.model_copy(update={"k": k})})


def _measured(
    prepared: Prepared, policy: Policy, settings: TableSettings
) -> tuple[float, float, dict[str, Any]]:
    """Risk, utility, and the numbers behind them."""
    index = prepared.index()
    view = persons_view(prepared.rows, index.terms)
    blocks = prepared.kept.blocks(prepared.rows, prepared.mentions)
    refuse_small_blocks(blocks, prepared.rows, settings.k)
    classes = grouped(view, settings, rules(prepared.rows, index), blocks)
    ladders = None
    if settings.generalise and settings.combinations is None:
        ladders = ladders_for(index, policy.know, settings.most_loss)
    # columns that the policy does not name have their role in the rows' settings
    every = prepared.rows.settings.model_copy(
        update={name: getattr(settings, name) for name in _CHEAP}
    )
    recoded = recoded_by(view, classes, every, ladders)
    loss = measure(
        view,
        classes,
        term_loss=recoded.terms.loss,
        column_losses=recoded.column_losses,
        relational_weight=settings.weights.relational,
        textual_weight=settings.weights.textual,
    )
    sizes, found = statistics(classes), risk(classes)
    more = {
        "k": settings.k,
        "strategy": settings.strategy,
        "relational_weight": settings.relational_weight,
        "relational_loss": loss.relational,
        "textual_loss": loss.textual,
        "total_loss": loss.total,
        "classes": sizes.count,
        "mean_size": sizes.mean,
        "marketer": found.marketer,
    }
    return found.prosecutor.highest, 100 * (1 - loss.total), more


def recommended(found: Frontier, k: int | None = None) -> Point | None:
    """The point that loses least at this k, or at the largest k that still keeps 95 % of the most that any
    setting of the sweep keeps."""
    able = [p for p in found.points if not p.refused]
    by_k: dict[int, Point] = {}
    for point in able:
        best = by_k.get(point.more["k"])
        if best is None or point.utility > best.utility:
            by_k[point.more["k"]] = point
    if k is not None:
        return by_k.get(k)
    if not by_k:
        return None
    most = max(p.utility for p in by_k.values())
    return max((p for p in by_k.values() if p.utility >= 0.95 * most), key=lambda p: p.more["k"])
