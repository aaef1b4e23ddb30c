"""The experiments of rx-anon (Singhofer, 2021) again: tables 6 to 11 and figures 2 to 4 and 7 to 17 in form.

    python -m experiments.rx_anon                                  # both data sets, all types and GPE alone
    python -m experiments.rx_anon --data blog --k 2 5 --weights 0 0.5 1 --metrics loss
    python -m experiments.rx_anon --bloggers 19319                 # the thesis' size

The data are made up: bloggers by ../shared/tools/make_rx.py, whose shape is that of the Blog Authorship
Corpus, hotels by hotels.py. Numbers can therefore not be compared with the thesis', only how they go.
Terms are given, and redundant information is left aside, as in the thesis. Loss is by its definition
(eqs. 2 to 8); `clusters` is ours. Tables go to the terminal, pictures to the folder.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import matplotlib
import numpy as np
from experiments.hotels import HOTELS, hotels

from sfumato.measure.frontier import Frontier, Point
from sfumato.protect import tables as tb
from sfumato.protect.tables.problem import Terms
from sfumato.protect.tables.segments import starts_of
from sfumato.report.losses_page import losses_plot

matplotlib.use("agg")
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

SHARED = Path(__file__).resolve().parents[2] / "shared"
KS = (2, 3, 4, 5, 10, 20, 50)
WEIGHTS = tuple(i / 10 for i in range(11))
STRATEGIES = ("gdf", "mondrian", "clusters")
METRICS = ("terms", "time", "partitions", "splits", "loss", "types", "frontier")


@dataclass(frozen=True)
class Run:
    """One strategy at one k on one data set."""

    strategy: str
    k: int
    classes: tb.Classes
    loss: tb.Loss
    seconds: float


def bloggers(count: int, seed: int) -> tuple[tb.Persons, int]:
    """Synthetic bloggers and the number of their posts."""
    sys.path.insert(0, str(SHARED / "tools"))
    from make_rx import SIGNS, generate

    data = generate(count, seed)
    types, kind = np.unique(data["types"].astype("U16"), return_inverse=True)
    known, term = np.unique(kind.astype(np.int64) << 32 | data["terms"], return_inverse=True)
    who = data["who"][data["rows"]]
    found = tb.terms_from_mentions(who, term, count, known >> 32, tuple(types.tolist()))
    days = data["date"].astype("datetime64[D]").astype(np.int64)
    bounds = np.searchsorted(data["who"], np.arange(count + 1))
    columns = [
        tb.nominal("gender", np.array(["female", "male"])[data["gender"]].tolist()),
        tb.numbers("age", data["age"].astype(float)),
        tb.nominal("topic", [f"topic{x:02d}" for x in data["topic"].tolist()]),
        tb.nominal("sign", np.array(SIGNS)[data["sign"]].tolist()),
        tb.dates("date", [d.tolist() for d in np.split(days, bounds[1:-1])]),
    ]
    return tb.persons(columns, found), len(days)


def only(table: tb.Persons, types: Sequence[str]) -> tb.Persons:
    """The same persons with terms of some types alone."""
    terms = table.terms
    numbers = [i for i, name in enumerate(terms.types) if name in types]
    inside = np.isin(terms.type_of[terms.ids], numbers)
    sizes = np.bincount(terms.owner[inside], minlength=table.count)
    return replace(table, terms=replace(terms, indptr=starts_of(sizes), ids=terms.ids[inside]))


def runs(table: tb.Persons, names: Sequence[str], ks: Sequence[int]) -> list[Run]:
    made = []
    for name in names:
        for k in ks:
            start = time.process_time()
            classes = strategies(table, k)[name]()
            recoded = tb.recode(table, classes)
            loss = tb.measure(
                table, classes, term_loss=recoded.terms.loss, column_losses=recoded.column_losses
            )
            made.append(Run(name, k, classes, loss, time.process_time() - start))
    return made


def strategies(table: tb.Persons, k: int) -> dict[str, Callable[[], tb.Classes]]:
    found: dict[str, Callable[[], tb.Classes]] = {"GDF": lambda: tb.gdf(table, k)}
    for weight in WEIGHTS:
        found[f"λ = {weight:g}"] = partial(tb.mondrian, table, k, relational_weight=weight)
    return found | {"clusters": lambda: tb.clusters(table, k)}


# Tables


def table_6(name: str, terms: Terms) -> None:
    """Distinct terms by entity type, for each text column."""
    print(f"\nDistinct terms per entity type: {name} (as table 6)")
    used = np.unique(terms.ids)
    for column, title in enumerate(terms.columns):
        mine = used[terms.column_of[used] == column]
        counts = np.bincount(terms.type_of[mine], minlength=len(terms.types))
        print(
            f"  {title}: "
            + ", ".join(f"{t} {n:,}" for t, n in zip(terms.types, counts, strict=True) if n)
        )


def table_7(name: str, found: Sequence[Run]) -> None:
    print(f"\nCPU seconds for all k together: {name} (as table 7)")
    for strategy in dict.fromkeys(r.strategy for r in found):
        print(f"  {strategy:>8}: {sum(r.seconds for r in found if r.strategy == strategy):8.2f}")


def partitions(name: str, found: Sequence[Run], number: int) -> None:
    print(f"\nPartitions: {name} (as table {number}): count, mean size, deviation")
    ks = sorted({r.k for r in found})
    print("          " + "".join(f"{f'k = {k}':>22}" for k in ks))
    for strategy in dict.fromkeys(r.strategy for r in found):
        cells = []
        for k in ks:
            sizes = tb.statistics(
                next(r for r in found if (r.strategy, r.k) == (strategy, k)).classes
            )
            cells.append(f"{sizes.count:,} {sizes.mean:.2f} {sizes.deviation:.2f}")
        print(f"{strategy:>9} " + "".join(f"{cell:>22}" for cell in cells))


def losses(name: str, found: Sequence[Run]) -> None:
    print(f"\nLoss: {name}: NCP_A, NCP_X, total")
    ks = sorted({r.k for r in found})
    print("          " + "".join(f"{f'k = {k}':>20}" for k in ks))
    for strategy in dict.fromkeys(r.strategy for r in found):
        mine = [next(r for r in found if (r.strategy, r.k) == (strategy, k)).loss for k in ks]
        cells = (f"{x.relational:.3f} {x.textual:.3f} {x.total:.3f}" for x in mine)
        print(f"{strategy:>9} " + "".join(f"{cell:>20}" for cell in cells))


# Figures


def splits_figure(path: Path, found: Sequence[Run], ks: Sequence[int]) -> None:
    """The share of splits by columns and by terms (figures 2, 7, 8)."""
    figure, axes = plt.subplots(
        1, len(ks), figsize=(3.1 * len(ks), 2.9), squeeze=False, sharey=True, layout="constrained"
    )
    for axis, k in zip(axes[0], ks, strict=True):
        mine = [r for r in found if r.k == k and r.strategy.startswith("λ")]
        names = [r.strategy[4:] for r in mine]
        axis.bar(names, [r.classes.relational_splits for r in mine], label="columns")
        below = [r.classes.relational_splits for r in mine]
        axis.bar(names, [r.classes.textual_splits for r in mine], bottom=below, label="terms")
        axis.set_title(f"k = {k}", fontsize=9)
        axis.tick_params(labelsize=7)
        axis.set_xlabel("λ")
    axes[0][0].set_ylabel("splits")
    axes[0][0].legend(fontsize=7)
    save(figure, path)


def loss_figure(path: Path, found: Sequence[Run]) -> None:
    """Relational and textual loss by k (figures 3, 9, 10), and the latter from near (11 to 14)."""
    figure, axes = plt.subplots(1, 3, figsize=(13, 3.8), layout="constrained")
    names = list(dict.fromkeys(r.strategy for r in found))
    ks = sorted({r.k for r in found})
    for number, name in enumerate(names):
        mine = sorted((r for r in found if r.strategy == name), key=lambda r: r.k)
        colour = plt.get_cmap("turbo")(number / max(len(names) - 1, 1))
        style = {"GDF": "s--", "clusters": "*-"}.get(name, "o-")
        for axis, of in zip(axes, ("relational", "textual", "textual"), strict=True):
            values = [getattr(r.loss, of) for r in mine]
            axis.plot(
                range(len(ks)), values, style, color=colour, markersize=4, linewidth=1, label=name
            )
    for axis, title in zip(
        axes, ("NCP_A, columns", "NCP_X, terms", "NCP_X, from near"), strict=True
    ):
        axis.set_xticks(range(len(ks)), [str(k) for k in ks])
        axis.set_xlabel("k")
        axis.set_title(title, fontsize=9)
        axis.grid(alpha=0.3)
    for axis in axes[:2]:
        axis.set_ylim(0, 1.02)
    axes[0].legend(fontsize=6, ncols=2)
    save(figure, path)


def types_figure(
    path: Path, table: tb.Persons, found: Sequence[Run], column: int, names: Sequence[str]
) -> None:
    """Textual loss by entity type (figures 4, 15, 16, 17)."""
    ks = sorted({r.k for r in found})
    types = table.terms.types
    figure, axes = plt.subplots(
        1,
        len(names),
        figsize=(4.2 * len(names), 3.6),
        squeeze=False,
        sharey=True,
        layout="constrained",
    )
    for axis, name in zip(axes[0], names, strict=True):
        mine = {r.k: by_type(table, r.classes, column) for r in found if r.strategy == name}
        for number, type_ in enumerate(types):
            values = [mine[k].get(type_, np.nan) for k in ks]
            axis.plot(
                range(len(ks)),
                values,
                "o-",
                markersize=3,
                linewidth=1,
                label=type_,
                color=plt.get_cmap("tab20")(number % 20),
            )
        axis.set_xticks(range(len(ks)), [str(k) for k in ks])
        axis.set_title(name, fontsize=9)
        axis.set_xlabel("k")
        axis.grid(alpha=0.3)
    axes[0][0].set_ylabel(f"NCP_X, {table.terms.columns[column]}")
    axes[0][-1].legend(fontsize=5.5, ncols=2)
    save(figure, path)


def by_type(table: tb.Persons, classes: tb.Classes, column: int) -> dict[str, float]:
    """The loss of one text column by type, as the mean over the persons who have terms of the type."""
    terms = table.terms
    places = np.flatnonzero(terms.column_of[terms.ids] == column)
    sizes = np.bincount(terms.owner[places], minlength=table.count)
    mine = replace(terms, indptr=starts_of(sizes), ids=terms.ids[places])
    return dict(tb.measure(replace(table, terms=mine), classes).by_type)


def frontier(path: Path, found: Sequence[Run]) -> None:
    """Relational against textual loss for every k (as `sfumato explore` draws it)."""
    points = []
    for run in found:
        mondrian = run.strategy.startswith("λ")
        more = {
            "k": run.k,
            "strategy": "mondrian" if mondrian else run.strategy.lower(),
            "relational_weight": float(run.strategy[4:]) if mondrian else 0.5,
            "relational_loss": run.loss.relational,
            "textual_loss": run.loss.textual,
        }
        points.append(Point({"k": run.k}, 1 / run.k, 100 * (1 - run.loss.total), more))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(losses_plot(Frontier("table", "", "", tuple(points))))
    print(f"  {path}")


def save(figure: Figure, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    matplotlib.rcParams["svg.hashsalt"] = "sfumato"
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)
    print(f"  {path}")


def experiment(name: str, table: tb.Persons, rows: int, options: argparse.Namespace) -> None:
    """All tables and figures of one data set, with all types and with GPE alone."""
    print(
        f"\n{name}: {table.count:,} persons, {rows:,} rows, {len(table.terms.ids):,} terms of persons"
    )
    names = [n for n in strategies(table, 2) if wanted(n, options)]
    metrics, ks = options.metrics, sorted(options.k)
    if "terms" in metrics:
        table_6(name, table.terms)
    for scope, view in (("all", table), ("GPE", only(table, ("GPE",)))):
        if scope not in options.types:
            continue
        found = runs(view, names, ks)
        title = f"{name}, {'all types' if scope == 'all' else 'GPE only'}"
        numbers = {"blog": {"all": 8, "GPE": 9}, "hotels": {"all": 10, "GPE": 11}}[name]
        if "time" in metrics:
            table_7(title, found)
        if "partitions" in metrics:
            partitions(title, found, numbers[scope])
        if "loss" in metrics:
            losses(title, found)
            loss_figure(options.output / f"{name}-{scope.lower()}-loss.svg", found)
        if "splits" in metrics and any(n.startswith("λ") for n in names):
            splits_figure(options.output / f"{name}-{scope.lower()}-splits.svg", found, ks)
        if "frontier" in metrics and scope == "all":
            picture = "frontier" if name == "blog" else f"{name}-frontier"
            frontier(options.output / f"{picture}.svg", found)
        if "types" in metrics and scope == "all":
            shown = [n for n in ("GDF", "λ = 0", "λ = 0.2", "λ = 0.5", "clusters") if n in names]
            for column, text in enumerate(view.terms.columns):
                types_figure(
                    options.output / f"{name}-{text}-types.svg", view, found, column, shown
                )


def wanted(name: str, options: argparse.Namespace) -> bool:
    if name.startswith("λ"):
        return "mondrian" in options.strategies and float(name[4:]) in options.weights
    return name.lower() in options.strategies


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", nargs="+", choices=("blog", "hotels"), default=["blog", "hotels"])
    parser.add_argument("--types", nargs="+", choices=("all", "GPE"), default=["all", "GPE"])
    parser.add_argument("--k", nargs="+", type=int, default=KS)
    parser.add_argument("--weights", nargs="+", type=float, default=WEIGHTS)
    parser.add_argument("--strategies", nargs="+", choices=STRATEGIES, default=STRATEGIES)
    parser.add_argument("--metrics", nargs="+", choices=METRICS, default=METRICS)
    parser.add_argument("--bloggers", type=int, default=2000)
    parser.add_argument("--hotels", type=int, default=HOTELS)
    parser.add_argument("--reviews", type=float, default=120.0, help="a hotel's, on average")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/assets/tables"))
    options = parser.parse_args()
    if "blog" in options.data:
        experiment("blog", *bloggers(options.bloggers, options.seed), options)
    if "hotels" in options.data:
        made = hotels(options.hotels, options.reviews, options.seed)
        experiment("hotels", made.persons, made.rows, options)


if __name__ == "__main__":
    main()
