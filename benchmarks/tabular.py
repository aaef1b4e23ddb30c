"""Tables with text: speed, memory and loss, beside the thesis' own rules, anonypy and pycanon.

    python -m benchmarks.tabular                      # everything but --clusters at full size
    python -m benchmarks.tabular --only loss adult    # some parts
    python -m benchmarks.tabular --peers SITE_PACKAGES   # where anonypy, pycanon and pandas are installed

Needs ../shared/tools/make_rx.py (blog data) and ../shared/data/adult. Times are CPU seconds, the
least of several runs; terms are given, recognition is not part of this.
"""

from __future__ import annotations

import argparse
import csv
import resource
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.tabular_original import original_gdf, original_mondrian

from sfumato.protect import tables as tb
from sfumato.protect.tables.mondrian import ClassRule
from sfumato.protect.tables.segments import Ints, first_of_run

SHARED = Path(__file__).resolve().parents[2] / "shared"
KS = (2, 3, 4, 5, 10, 20, 50)
WEIGHTS = (0.0, 0.5, 1.0)
PARTS = ("speed", "loss", "full", "adult", "million")


def blog(bloggers: int, seed: int = 1) -> tuple[tb.Persons, Ints, int]:
    """Synthetic bloggers, the number of mentions of each posting, and the number of rows."""
    sys.path.insert(0, str(SHARED / "tools"))
    from make_rx import SIGNS, generate

    data = generate(bloggers, seed)
    types, kind = np.unique(data["types"].astype("U16"), return_inverse=True)
    known, term = np.unique(kind.astype(np.int64) << 32 | data["terms"], return_inverse=True)
    who = data["who"][data["rows"]]
    found = tb.terms_from_mentions(who, term, bloggers, known >> 32, tuple(types.tolist()))
    key = np.sort(who * len(known) + term)
    begin = np.flatnonzero(first_of_run(key))
    mentions = np.diff(np.append(begin, len(key)))
    days = data["date"].astype("datetime64[D]").astype(np.int64)
    bounds = np.searchsorted(data["who"], np.arange(bloggers + 1))
    columns = [
        tb.nominal("gender", np.array(["female", "male"])[data["gender"]].tolist()),
        tb.numbers("age", data["age"].astype(float)),
        tb.nominal("topic", [f"topic{x:02d}" for x in data["topic"].tolist()]),
        tb.nominal("sign", np.array(SIGNS)[data["sign"]].tolist()),
        tb.dates("date", [d.tolist() for d in np.split(days, bounds[1:-1])]),
    ]
    return tb.persons(columns, found), mentions, len(days)


def least(work: Callable[[], Any], runs: int) -> tuple[float, Any]:
    best, result = np.inf, None
    for _ in range(runs):
        start = time.process_time()
        result = work()
        best = min(best, time.process_time() - start)
    return float(best), result


def whole(table: tb.Persons, partition: Callable[[], tb.Classes]) -> tuple[tb.Classes, tb.Loss]:
    classes = partition()
    recoded = tb.recode(table, classes)
    return classes, tb.measure(
        table, classes, term_loss=recoded.terms.loss, column_losses=recoded.column_losses
    )


def ours(table: tb.Persons, k: int) -> dict[str, Callable[[], tb.Classes]]:
    return {"GDF": lambda: tb.gdf(table, k)} | {
        f"λ = {w:g}": (lambda w=w: tb.mondrian(table, k, relational_weight=w)) for w in WEIGHTS
    }


def row(name: str, seconds: float, classes: tb.Classes, loss: tb.Loss) -> None:
    print(
        f"{name:<12} {seconds:8.3f} s  classes {classes.count:6d}  smallest {classes.sizes.min():3d}  "
        f"NCP_A {loss.relational:.4f}  NCP_X {loss.textual:.4f}  total {loss.total:.4f}",
        flush=True,
    )


def fresh(table: tb.Persons) -> tb.Persons:
    """The same table without what it has computed and kept."""
    from dataclasses import fields

    def copy(thing: Any) -> Any:
        return type(thing)(**{f.name: getattr(thing, f.name) for f in fields(thing)})

    return tb.Persons(tuple(copy(c) for c in table.columns), copy(table.terms))


def speed() -> None:
    table, _, rows = blog(2000)
    print(f"-- 2,000 bloggers, {rows} rows, {len(table.terms.ids)} terms of persons, k = 5")
    for name in ours(table, 5):
        seconds, (classes, loss) = least(partial(_cold, table, name), 5)
        row(name, seconds, classes, loss)
    seconds, (classes, loss) = least(lambda: whole(table, lambda: tb.clusters(table, 5)), 1)
    row("clusters", seconds, classes, loss)


def _cold(table: tb.Persons, name: str) -> tuple[tb.Classes, tb.Loss]:
    anew = fresh(table)
    return whole(anew, ours(anew, 5)[name])


def loss() -> None:
    table, mentions, _ = blog(2000)
    print("-- loss: 2,000 bloggers; total NCP, ours and by the original's rules")
    print(
        f"{'k':>3}  " + "".join(f"{n:>18}" for n in ours(table, 2)) + "   clusters / better of both"
    )
    for k in KS:
        cells, totals = [], []
        original = [original_gdf(table, k)]
        original += [original_mondrian(table, k, w, mentions) for w in WEIGHTS]
        for partition, theirs in zip(ours(table, k).values(), original, strict=True):
            mine, other = tb.measure(table, partition()), tb.measure(table, theirs)
            totals.append(mine.total)
            mark = " " if mine.total <= other.total else "!"
            cells.append(f"{mine.total:.4f} ≤ {other.total:.4f}{mark}".rjust(18))
        third = tb.measure(table, tb.clusters(table, k)).total
        print(
            f"{k:>3}  {''.join(cells)}   {third:.4f} / {min(totals):.4f} = {third / min(totals):.3f}",
            flush=True,
        )


def full(with_clusters: bool) -> None:
    start = time.process_time()
    table, _, rows = blog(19319)
    made = time.process_time() - start
    print(
        f"-- full size: 19,319 bloggers, {rows} rows, {len(table.terms.ids)} terms of persons, k = 5"
    )
    print(f"generated and encoded in {made:.1f} s")
    for name, partition in ours(table, 5).items():
        seconds, (classes, found) = least(partial(whole, table, partition), 1)
        row(name, seconds, classes, found)
    if with_clusters:
        seconds, (classes, found) = least(lambda: whole(table, lambda: tb.clusters(table, 5)), 1)
        row("clusters", seconds, classes, found)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


def adult_rows() -> tuple[list[str], list[list[str]]]:
    with (SHARED / "data" / "adult" / "adult.csv").open() as file:
        head, *rows = csv.reader(file, delimiter=";")
    return head, rows


def adult_table(head: list[str], rows: list[list[str]], trees: bool = False) -> tb.Persons:
    columns = []
    for place, name in enumerate(head[:-1]):
        values = [row[place] for row in rows]
        if name == "age":
            columns.append(tb.numbers(name, np.array(values, float)))
        elif trees:
            file = SHARED / "data" / "adult" / f"adult_hierarchy_{name}.csv"
            columns.append(tb.nominal(name, values, paths=tb.read_arx(file.read_text())))
        else:
            columns.append(tb.nominal(name, values))
    return tb.persons(columns)


def adult() -> None:
    head, rows = adult_rows()
    table = adult_table(head, rows)
    salary = tb.sensitive(head[-1], [row[-1] for row in rows])
    k, t = 5, 0.4
    rules: list[ClassRule] = [tb.DistinctDiversity(salary, 2), tb.Closeness(salary, t)]
    print(f"-- Adult: {table.count} rows, 8 quasi-identifiers, k = {k}")
    options: dict[str, tuple[tb.Persons, Callable[[], tb.Classes]]] = {
        "mondrian": (table, lambda: tb.mondrian(table, k, relational_weight=1)),
        "ℓ=2, t=0.4": (table, lambda: tb.mondrian(table, k, relational_weight=1, rules=rules)),
        "clusters": (table, lambda: tb.clusters(table, k)),
    }
    trees = adult_table(head, rows, trees=True)
    options["hierarchies"] = (trees, lambda: tb.mondrian(trees, k, relational_weight=1))
    for name, (data, partition) in options.items():
        seconds, (classes, found) = least(
            partial(whole, data, partition), 1 if name == "clusters" else 3
        )
        row(name, seconds, classes, found)
        judge(head, data, classes, salary)
    beside_anonypy(head, rows, table, k)


def judge(head: list[str], table: tb.Persons, classes: tb.Classes, salary: tb.Sensitive) -> None:
    """k, ℓ and t of what would be released, as pycanon counts them."""
    mine = tb.diversity(salary, classes)
    try:
        import pandas as pd
        from pycanon import anonymity
    except ImportError:
        print("             pycanon is not installed: not judged")
        return
    recoded = tb.recode(table, classes)
    frame = pd.DataFrame(
        {c.name: np.array(c.labels, object)[classes.labels] for c in recoded.columns}
    )
    frame[head[-1]] = salary.codes.astype(str)
    quasi = head[:-1]
    k = anonymity.k_anonymity(frame, quasi)
    ell = anonymity.l_diversity(frame, quasi, [head[-1]])
    t = anonymity.t_closeness(frame, quasi, [head[-1]])
    print(
        f"             pycanon: k {k}, ℓ {ell}, t {t:.3f};  ours: k {classes.sizes.min()}, "
        f"ℓ {mine.distinct}, t {mine.equal_distance:.3f}"
    )


def beside_anonypy(head: list[str], rows: list[list[str]], table: tb.Persons, k: int) -> None:
    try:
        import pandas as pd
        from anonypy.mondrian import Mondrian
    except ImportError:
        print("anonypy is not installed: not compared")
        return
    frame = pd.DataFrame(rows, columns=head)
    frame["age"] = frame["age"].astype(float)
    for name in head:
        if name != "age":
            frame[name] = frame[name].astype("category")
    seconds, parts = least(lambda: Mondrian(frame, head[:-1], head[-1]).partition(k), 1)
    labels = np.zeros(len(rows), np.int64)
    for number, part in enumerate(parts):
        labels[np.asarray(part)] = number
    classes = tb.Classes(labels)
    row("anonypy", seconds, classes, tb.measure(table, classes))


def million() -> None:
    """A million rows: rows of Adult drawn with replacement, one cell in five from another row."""
    head, rows = adult_rows()
    rng = np.random.default_rng(1)
    small = np.array(rows)[:, :-1]
    drawn = rng.integers(0, len(small), 1_000_000)
    columns = []
    start = time.process_time()
    for place, name in enumerate(head[:-1]):
        values, codes = np.unique(small[:, place], return_inverse=True)
        other = rng.integers(0, len(small), len(drawn))
        pick = np.where(rng.random(len(drawn)) < 0.2, other, drawn)
        picked = values[codes[pick]]
        columns.append(
            tb.numbers(name, picked.astype(float))
            if name == "age"
            else tb.nominal(name, picked.tolist())
        )
    table = tb.persons(columns)
    print(
        f"-- 1,000,000 rows made from Adult (made and encoded in {time.process_time() - start:.1f} s)"
    )
    for k in (5, 10, 50):
        cut = partial(tb.mondrian, table, k, relational_weight=1)
        seconds, (classes, found) = least(partial(whole, table, cut), 1)
        row(f"k = {k}", seconds, classes, found)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    options.add_argument("--clusters", action="store_true", help="clusters at full size, too")
    options.add_argument("--peers", help="site-packages with anonypy, pycanon and pandas")
    chosen = options.parse_args()
    if chosen.peers:
        sys.path.append(chosen.peers)
    for part in chosen.only:
        if part == "full":
            full(chosen.clusters)
        else:
            {"speed": speed, "loss": loss, "adult": adult, "million": million}[part]()


if __name__ == "__main__":
    main()
