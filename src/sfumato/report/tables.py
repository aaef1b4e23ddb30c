"""What was done to a table and what it cost, for the terminal and for programs."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from sfumato.protect.tables.anonymize import Anonymized
from sfumato.protect.tables.release import COLUMN, DIRECT, GENERAL, HOWS, KEPT, LABEL
from sfumato.report.plain import table


def counted(made: Anonymized) -> dict[str, int]:
    """Mentions by what became of them."""
    found = Counter(made.marks["how"].tolist())
    return {name: found[HOWS.index(name)] for name in (KEPT, GENERAL, LABEL, COLUMN, DIRECT)}


def to_dict(made: Anonymized) -> dict[str, Any]:
    """The numbers of a release; nothing of the original."""
    settings, sizes, loss, risk = made.rows.settings, made.statistics, made.loss, made.risk
    return {
        "k": settings.k,
        "strategy": settings.strategy,
        "rows": len(made.rows),
        "dropped": dict(made.rows.dropped),
        "persons": made.rows.persons,
        "classes": asdict(sizes),
        "mentions": counted(made) | {"close": len(made.close)},
        "loss": {
            "relational": loss.relational,
            "textual": loss.textual,
            "total": loss.total,
            "by_column": dict(loss.by_column),
            "by_kind": dict(loss.by_type),
        },
        "risk": {
            "prosecutor": risk.prosecutor.highest,
            "journalist": risk.journalist.highest,
            "marketer": risk.marketer,
        },
        "rounds": made.rounds,
    }


def summary(made: Anonymized) -> RenderableType:
    """What was done and lost, for a person."""
    settings, sizes, loss, risk = made.rows.settings, made.statistics, made.loss, made.risk
    lam = f", λ = {settings.relational_weight:g}" if settings.strategy == "mondrian" else ""
    head = (
        f"{len(made.rows):,} rows of {made.rows.persons:,} persons in {sizes.count:,} classes "
        f"({settings.strategy}{lam}, k = {settings.k}); mean size {sizes.mean:.2f}, "
        f"deviation {sizes.deviation:.2f}, from {sizes.smallest:,} to {sizes.largest:,}"
    )
    lines: list[RenderableType] = [Text(head, style="bold")]
    if sizes.relational_splits or sizes.textual_splits:
        lines.append(
            Text(
                f"splits: {sizes.relational_splits:,} by columns, {sizes.textual_splits:,} by terms"
            )
        )
    if made.rows.dropped:
        dropped = ", ".join(f"{n:,} for '{c}'" for c, n in sorted(made.rows.dropped.items()))
        lines.append(Text(f"rows dropped: {dropped}", style="yellow"))
    found = counted(made)
    lines.append(
        Text(
            f"mentions: {found[KEPT]:,} kept, {found[GENERAL]:,} generalised, {found[LABEL]:,} suppressed, "
            f"{found[COLUMN]:,} shown as their column"
            + (f", {found[DIRECT]:,} direct identifiers hidden" if found[DIRECT] else "")
        )
    )
    if made.close:
        places = ", ".join(
            f"{made.rows.table.where(int(made.rows.number[c.row]))} ('{c.column}')"
            for c in made.close[:5]
        )
        more = f" and {len(made.close) - 5} more" if len(made.close) > 5 else ""
        lines.append(Text(f"taken for a column's value by a close match: {places}{more}"))
    rows = [
        ("columns (NCP_A)", loss.relational),
        *((f"  {name}", value) for name, value in loss.by_column.items()),
        ("terms (NCP_X)", loss.textual),
        *((f"  {name}", value) for name, value in loss.by_type.items()),
    ]
    losses = table(("lost", "NCP"), [(name, f"{value:.3f}") for name, value in rows])
    losses.add_row("total", f"{loss.total:.3f}", style="bold")
    lines.append(losses)
    lines.append(
        Text(
            f"risk of being found again: prosecutor {risk.prosecutor.highest:.3f} at most, journalist "
            f"{risk.journalist.highest:.3f} at most, marketer {risk.marketer:.3f} on average"
        )
    )
    return Group(*lines)
