"""What k and λ cost on a table, as a picture and as an HTML page."""

from __future__ import annotations

import io
from html import escape
from typing import Literal

from sfumato.measure.frontier import Frontier, Point
from sfumato.measure.table_frontier import recommended
from sfumato.report.frontier_page import refusals
from sfumato.report.pages import page, table
from sfumato.report.plots import drawing

_HEADER = ("k", "strategy", "λ", "relational loss", "textual loss", "total", "classes", "mean size")


def losses_page(found: Frontier, name: str, k: int | None = None) -> str:
    """The page of a table's sweep: the recommendation, the picture, the numbers; no text of the table."""
    able = [p for p in found.points if not p.refused]
    best = recommended(found, k)
    picture = losses_plot(found).decode()
    rows = [
        (
            str(p.more["k"]),
            p.more["strategy"],
            _weight(p),
            *(f"{p.more[f'{loss}_loss']:.3f}" for loss in ("relational", "textual", "total")),
            f"{p.more['classes']:,}",
            f"{p.more['mean_size']:.1f}",
        )
        for p in able
    ]
    chosen = able.index(best) if best is not None else -1
    return page(
        f"{name}: what k and λ cost",
        [
            f"<p>{escape(losses_advice(found, k))}</p>",
            picture[picture.index("<svg") :],
            table(_HEADER, rows, numbers_from=3, chosen=chosen),
            refusals(found),
        ],
    )


def losses_advice(found: Frontier, k: int | None = None) -> str:
    """The recommendation in a sentence."""
    point = recommended(found, k)
    if point is None:
        return "No setting of the sweep can be used."
    weight = _weight(point)
    said = f"k = {point.more['k']}, strategy {point.more['strategy']}" + (
        f", λ = {weight}" if weight else ""
    )
    return (
        f"Recommended: {said}. It keeps {point.utility:.0f} % of the information: the columns lose "
        f"{point.more['relational_loss']:.3f}, the terms {point.more['textual_loss']:.3f}."
    )


def losses_plot(found: Frontier, form: Literal["svg", "png"] = "svg") -> bytes:
    """Relational against textual loss: a line of λ for each k, and the other strategies as marks."""
    able = [p for p in found.points if not p.refused]
    ks = sorted({p.more["k"] for p in able})
    with drawing() as mpl:
        figure = mpl.figure.Figure(figsize=(8, 5.2), layout="constrained")
        axes = figure.add_subplot()
        for number, k in enumerate(ks):
            colour = mpl.colormaps["viridis"](number / max(len(ks) - 1, 1))
            mine = [p for p in able if p.more["k"] == k]
            line = sorted(
                (p for p in mine if p.more["strategy"] == "mondrian"),
                key=lambda p: p.more["relational_weight"],
            )
            if line:
                xs, ys = zip(*(_place(p) for p in line), strict=True)
                axes.plot(xs, ys, "-o", color=colour, markersize=3.5, label=f"k = {k}")
            for strategy, mark in (("gdf", "s"), ("clusters", "*")):
                for point in (p for p in mine if p.more["strategy"] == strategy):
                    x, y = _place(point)
                    size = 110 if mark == "*" else 35
                    shown = None if line or strategy == "gdf" else f"k = {k}"
                    axes.scatter(x, y, s=size, marker=mark, color=colour, label=shown, zorder=3)
        axes.set_xlabel("relational loss, NCP of the columns")
        axes.set_ylabel("textual loss, NCP of the terms")
        axes.set_title("line: mondrian, λ from 0 to 1   square: gdf   star: clusters", fontsize=9)
        axes.grid(alpha=0.3)
        if axes.get_legend_handles_labels()[0]:
            axes.legend(fontsize=8)
        out = io.BytesIO()
        metadata = {"Date": None} if form == "svg" else {"Software": None}
        figure.savefig(out, format=form, dpi=120, metadata=metadata)
    return out.getvalue()


def _place(point: Point) -> tuple[float, float]:
    return point.more["relational_loss"], point.more["textual_loss"]


def _weight(point: Point) -> str:
    mondrian = point.more["strategy"] == "mondrian"
    return f"{point.more['relational_weight']:g}" if mondrian else ""
