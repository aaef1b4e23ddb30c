"""Sensitive-aware Privacy Index: figures 1 and 2 of Carpineto and Romano (2018) in form, on a log made here.

    python -m experiments.spi [--users 10000] [--out docs/assets/measures]

The query log of the paper is not ours to use, so this script makes one. Users have topics and write more than
44 queries; half of the topics are sensitive; queries are popular by a Zipf law, and a third of a user's
queries are those that everyone writes. σ is drawn as a classifier would give it: high for most queries of
sensitive topics, low for most others. PPP queries (persons, places, private words) are drawn so that they are
about half of the log, and mostly the sensitive ones.

What holds depends on the log. Its long tail (TOPICS, QUERIES_PER_TOPIC, the Zipf exponent) is set so that, as
in real query logs, most distinct queries are rare; where nearly all queries are shared, the index of few
users ever falls.

Prints both figures as tables and which findings hold on this log; with --out draws them (needs matplotlib).
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.formats.log import LogRows
from sfumato.measure.divergences import jensen_shannon
from sfumato.measure.exposure import exposure
from sfumato.measure.selection import ppp_rows
from sfumato.protect.logs.problem import Problem, largest, users_of

TOPICS = 60
SENSITIVE_TOPICS = 0.5  # the paper's classifier called half of the queries sensitive
QUERIES_PER_TOPIC = 100_000
COMMON = 20_000  # queries of all users: names of sites, weather
COMMON_SHARE = 0.35
FEWEST = 45  # "more than 44 queries"
KS = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 40, 50, 70, 100, 150, 200, 300, 400, 500, 700, 1000)
SHARES = (0.10, 0.15, 0.20, 0.25, 0.30, 0.35, 0.40, 0.45, 0.50)

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Log:
    """A query log: rows of (user, query), and for each query σ, the truth, and whether it is PPP."""

    rows: LogRows
    users: int
    sigma: Array  # shape (queries,)
    sensitive: Array
    ppp: Array


def make_log(users: int, seed: int = 7) -> Log:
    """Users with three topics each; the first query of a topic is the most popular."""
    rng = np.random.default_rng(seed)
    queries = COMMON + TOPICS * QUERIES_PER_TOPIC
    topic = np.concatenate((np.full(COMMON, -1), np.repeat(np.arange(TOPICS), QUERIES_PER_TOPIC)))
    is_sensitive_topic = rng.permutation(TOPICS) < TOPICS * SENSITIVE_TOPICS
    truth = np.where(topic < 0, rng.random(queries) < 0.5, is_sensitive_topic[topic])
    # σ: mean 2/3 for the sensitive, 1/3 for the others; 0.5 as a threshold is right about 3 of 4 queries.
    sigma = np.where(truth, rng.beta(2.2, 1.1, queries), rng.beta(1.1, 2.2, queries))
    ppp = rng.random(queries) < np.where(truth, 0.80, 0.20)
    each = FEWEST + rng.geometric(1 / 60, users) - 1
    who = np.repeat(np.arange(users, dtype=np.int32), each)
    favourite = rng.integers(TOPICS, size=(users, 3))
    chosen = favourite[who, rng.choice(3, size=len(who), p=(0.6, 0.3, 0.1))]
    within = _zipf(rng, QUERIES_PER_TOPIC, len(who))
    query = COMMON + chosen * QUERIES_PER_TOPIC + within
    common = rng.random(len(who)) < COMMON_SHARE
    query = np.where(common, _zipf(rng, COMMON, len(who)), query)
    return Log(LogRows(who, query.astype(np.int32)), users, sigma, truth, ppp)


def _zipf(rng: np.random.Generator, count: int, size: int) -> Array:
    """Ranks from 0 with probability proportional to (rank + 1) to the power of -0.8."""
    edges = np.cumsum(np.arange(1, count + 1) ** -0.8)
    return np.searchsorted(edges / edges[-1], rng.random(size))


def measures(log: Log, kept: Array) -> dict[str, float]:
    """SPI, JSD, PEL and impressions of the rows that are released."""
    found = jensen_shannon(log.rows, log.rows.where(kept), log.users, 1 - log.sigma)
    x = log.rows.documents.astype(np.int64)
    pel = exposure(log.rows.users.astype(np.int64), x, np.where(kept, x, -1), log.users)
    return {
        "spi": float(found.weighted.mean()),
        "jsd": float(found.plain.mean()),
        "pel": float(pel.mean()),
        "impressions": 100 * float(kept.mean()),
        "gone": int(log.users - len(np.unique(log.rows.users[kept]))),
    }


def figure_1(log: Log) -> list[dict[str, float]]:
    """The four measures for each k."""
    return [
        {"k": k, **measures(log, largest(Problem(log.rows.users, log.rows.documents, k)))}
        for k in KS
    ]


def figure_2(log: Log) -> list[dict[str, float]]:
    """SPI and PEL of three ways to choose what is released, for each share of the log."""
    owners = users_of(log.rows.users, log.rows.documents)[log.rows.documents]
    found = []
    ppp_share = float(log.ppp[log.rows.documents].mean())
    for wanted in SHARES:
        share = min(wanted, ppp_share, 1 - ppp_share)  # near one half: all that there is
        # k-anonymity: the smallest k that leaves at most this share.
        k = int(np.quantile(owners, 1 - share)) + 1
        chosen = {
            "k-anonymity": owners >= k,
            "no-ppp": ppp_rows(log.rows, log.ppp, share, release="no-ppp", seed=1),
            "only-ppp": ppp_rows(log.rows, log.ppp, share, release="only-ppp", seed=1),
        }
        row: dict[str, float] = {"share": 100 * share, "k": k}
        for name, kept in chosen.items():
            result = measures(log, kept)
            row |= {name: result["spi"], f"pel {name}": result["pel"]}
            row[f"released {name}"] = result["impressions"]
        found.append(row)
    return found


def findings(log: Log, first: list[dict[str, float]], second: list[dict[str, float]]) -> list[str]:
    """What the paper found, tested here. Those that must hold by definition or design are assertions."""
    said = []
    spi, jsd, pel, share = (
        np.array([r[n] for r in first]) for n in ("spi", "jsd", "pel", "impressions")
    )
    assert (spi <= jsd).all()
    assert (first[0]["spi"], first[0]["jsd"]) == (0.0, 0.0)
    said.append("holds: SPI is never above JSD; nothing suppressed (k=1) gives 0")
    assert (np.diff(jsd) > 0).all()
    assert (np.diff(share) < 0).all()
    said.append("holds: JSD grows and impressions fall with every k")
    r = float(np.corrcoef(jsd, share)[0, 1])
    assert r < -0.85
    ks = [row["k"] for row in first]
    by_k, by_log = (float(np.corrcoef(jsd, v)[0, 1]) for v in (ks, np.log(ks)))
    said.append(
        f"holds in part: JSD and impressions are correlated (r = {r:.2f}); with k itself r is {by_k:.2f}, "
        f"below the paper's 0.85, as JSD follows log k (r = {by_log:.2f})"
    )
    steps = every_step(log, first=400)
    falls = [sigma for change, sigma in steps if change < 0]
    rises = [sigma for change, sigma in steps if change >= 0]
    assert falls
    assert np.mean(falls) < np.mean(rises)
    coarse = int((np.diff(spi) < 0).sum())
    said.append(
        f"holds at single steps: SPI is not monotone in k. At the {len(KS)} values of the table it falls "
        f"{coarse} times, as many queries are dropped between two of them. From 400 to 1000 queries are "
        f"dropped at {len(steps)} values of k, and at {len(falls)} of them SPI falls: where "
        f"the dropped query is harmless (mean σ {np.mean(falls):.2f}; {np.mean(rises):.2f} where SPI grows)"
    )
    fallen = share_of_users_that_fall(log)
    assert fallen > 0.25
    said.append(
        f"holds: nor is the index of single users: of {fallen:.0%} it falls from one k to a larger"
    )
    for row in second:
        better = row["no-ppp"] > row["only-ppp"]
        assert better == (row["share"] < 100 * CROSSING)
    below = [row for row in second if row["share"] < 100 * CROSSING]
    best = [row for row in below if row["no-ppp"] > row["k-anonymity"] > row["only-ppp"]]
    said.append(
        f"holds in part: no-PPP is best and only-PPP worst at {len(best)} of the {len(below)} shares below "
        f"{CROSSING:.0%}; above, the order turns round. A released query adds f(s)·w·P to the index, a "
        "suppressed one w·P/2, and f(s) falls below 1/2 at that share s: from there on it counts more what "
        "was suppressed than what was released, and suppressing harmless queries (with large w) looks private"
    )
    lowest = min(row["pel only-ppp"] for row in second)
    said.append(
        f"does not hold: PEL is not flat, it falls from {pel[0]:.0f} to {pel[-1]:.0f} as k grows, and to "
        f"{lowest:.0f} at a share of 10 %. The partner of a suppressed document is 'nothing': the mutual "
        "information of a log and a subset is then the entropy of the subset, which shrinks with it; "
        "the paper does not say how p(x|y) was estimated"
    )
    spread = max(abs(row["pel no-ppp"] - row["pel only-ppp"]) for row in second)
    assert spread < 2
    said.append(
        f"holds: PEL does not tell no-PPP from only-PPP (at most {spread:.1f} points apart at one share)"
    )
    return said


def every_step(log: Log, first: int) -> list[tuple[float, float]]:
    """For each k from `first` to 1000 at which queries are dropped: the change of SPI and their mean σ."""
    owners = users_of(log.rows.users, log.rows.documents)
    found = []
    last = None
    for count in np.unique(owners[(owners >= first) & (owners <= KS[-1])]):
        kept = log.rows.where(owners[log.rows.documents] > count)
        spi = jensen_shannon(log.rows, kept, log.users, 1 - log.sigma).weighted.mean()
        if last is not None:
            found.append((float(spi - last), float(log.sigma[owners == count].mean())))
        last = spi
    return found


def share_of_users_that_fall(log: Log) -> float:
    """The share of users whose own index falls from one k of the table to the next at least once."""
    last = np.zeros(log.users)
    falls = np.zeros(log.users, dtype=np.bool_)
    for k in KS:
        kept = largest(Problem(log.rows.users, log.rows.documents, k))
        now = jensen_shannon(log.rows, log.rows.where(kept), log.users, 1 - log.sigma).weighted
        falls |= now < last - 1e-9
        last = now
    return float(falls.mean())


def released_part(share: float) -> float:
    """f(s): what a released query of weight 1 adds to the index, over P(d|X_u), if a share s is released.

    P(d|Y_u) is P(d|X_u)/s then; the rest is the definition of JSD.
    """
    q = 1 / share
    m = (1 + q) / 2
    return float(np.log2(1 / m) + q * np.log2(q / m)) / 2


def crossing() -> float:
    """The share at which f(s) = 1/2, by bisection: f falls as s grows."""
    low, high = 0.01, 0.99
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if released_part(middle) > 0.5 else (low, middle)
    return low


CROSSING = crossing()


def table(rows: list[dict[str, float]], columns: tuple[str, ...]) -> str:
    lines = ["".join(f"{c:>14}" for c in columns)]
    for row in rows:
        cells = (f"{row[c]:,.0f}" if c in ("k", "gone") else f"{row[c]:.4g}" for c in columns)
        lines.append("".join(f"{cell:>14}" for cell in cells))
    return "\n".join(lines)


def draw(first: list[dict[str, float]], second: list[dict[str, float]], out: Path) -> None:
    """Both figures as SVG, the same bytes for the same numbers."""
    try:
        import matplotlib as mpl
        from matplotlib import pyplot as plt
    except ImportError:
        print("no figures: they need matplotlib (pip install matplotlib)", file=sys.stderr)
        return
    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "sfumato"
    out.mkdir(parents=True, exist_ok=True)
    figure, axis = plt.subplots(figsize=(6.4, 4))
    ks = [row["k"] for row in first]
    for name, scale, style in (
        ("spi", 1, "-o"),
        ("jsd", 1, "-s"),
        ("pel", 100, "--^"),
        ("impressions", 100, ":d"),
    ):
        label = {"spi": "SPI", "jsd": "JSD", "pel": "PEL", "impressions": "impressions"}[name]
        axis.plot(ks, [row[name] / scale for row in first], style, label=label, markersize=4)
    axis.set(xscale="log", xlabel="k", ylabel="index (PEL and impressions: share)", ylim=(0, 1))
    axis.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, 1.13), ncols=4)
    _save(figure, out / "spi-figure-1.svg")
    figure, axis = plt.subplots(figsize=(6.4, 4))
    for name, style in (("no-ppp", "-o"), ("k-anonymity", "-s"), ("only-ppp", "-^")):
        released = [row[f"released {name}"] for row in second]
        axis.plot(released, [row[name] for row in second], style, label=name, markersize=4)
    axis.set(xlabel="released impressions, percent", ylabel="SPI")
    axis.legend(frameon=False)
    _save(figure, out / "spi-figure-2.svg")


def _save(figure: Any, path: Path) -> None:
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    print(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--users", type=int, default=10_000)
    parser.add_argument("--out", type=Path, help="A folder for the figures.")
    options = parser.parse_args()
    log = make_log(options.users)
    each = np.bincount(log.rows.users)
    right = float(((log.sigma >= 0.5) == log.sensitive)[log.rows.documents].mean())
    called = float((log.sigma >= 0.5)[log.rows.documents].mean())
    print(
        f"{log.users:,} users, {len(log.rows):,} queries ({len(np.unique(log.rows.documents)):,} distinct), "
        f"{each.min()} to {each.max()} for a user; {called:.0%} called sensitive, {right:.0%} rightly; "
        f"{log.ppp[log.rows.documents].mean():.0%} PPP\n"
    )
    first, second = figure_1(log), figure_2(log)
    print(
        f"Figure 1: measures by k\n{table(first, ('k', 'spi', 'jsd', 'pel', 'impressions', 'gone'))}\n"
    )
    columns = ("share", "k", "no-ppp", "k-anonymity", "only-ppp", "pel no-ppp", "pel only-ppp")
    print(f"Figure 2: SPI by what is released\n{table(second, columns)}\n")
    print("\n".join(findings(log, first, second)))
    if options.out:
        draw(first, second, options.out)


if __name__ == "__main__":
    main()
