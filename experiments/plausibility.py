"""Section 5 of the t-plausibility paper (Anandan et al., 2012) again, on the nouns of Senseval-3.

    pip install matplotlib
    python -m experiments.plausibility [--data ../shared/data/wsd/senseval3] [-o docs/assets/plausibility]

Five groups of 50 different nouns are drawn with a fixed seed; a group's first 10, 20, … 50 are its smaller
sets. Tables go to the terminal, pictures to the folder. Names are the paper's: EP and UEP are the searches
with pruning (Algorithms 1 and 3), MSGS and TDGS the greedy ones after LUB (4+5 and 4+6), CTS the common terms
(Algorithm 2); "exact" is ours. Costs are C of eq. 1 with α = 0.5 and logarithms of base 2. Times are CPU
seconds, the least of three runs. Volumes are leaves of WordNet 3.0, and 1 for the word as it stands; the
paper counts the values at the level of the word, so that numbers cannot be compared, only how they go.

As the paper says:

- Cost over all t grows with m and is higher with CTS (Figure 4), and with CTS it hardly matters whether
  every word must be generalised.
- UEP takes longer with m and t (6a), MSGS with δ (6b); TDGS grows about linearly; CTS adds little (6c).
- The larger δ, the better MSGS; TDGS is near the optimum, here within 11 % (6d, f).
- Variance and largest entropy of the words (6h, i) are lowest for UEP and TDGS; MSGS with δ = 3 is above EP
  from m = 20 on, and in true cost everywhere.

Otherwise than the paper says:

- *The t of least cost* is the last one tried, 2^63; the paper has 2^58 to 2^63. It is no rule for choosing t:
  without a limit cost falls on, to nearly 0 where every word has become "entity".
- *MSGS gets worse with m where the others get better* (6d-g). LUB takes every word one step up at least.
  Where log t / m is a fraction of a bit that is too much for most words, and δ ≤ 3 steps back do not undo it.
- *CTS does not make more generalisations right* (Figure 5). It does two things, counted below for all nouns:
  where it widens a concept above the first sense, many more mentions are right than before; but for some
  nouns it leaves the first sense for a concept above other senses, rare ones counting like common ones, and
  most of those were right before. The two cancel out.
- *With CTS no search is the best* (6e, g): none of them minimises what CTS makes of its choice, and solutions
  of equal cost fare differently.
- *True cost* (5.4.1) is not lowest for UEP. One wrong sense costs as much as its root, which is more than
  EP, UEP, exact and TDGS differ by.
- *The sense by context*, which the paper does not try, is right for more mentions than the first sense, but
  generalised mentions gain from it only where nearly all nouns are generalised (log t / m = 4.8, and the few
  at 0.2). Nouns whose sense it changes are hard ones, right about half of the time, and at small t they are a
  larger part of what the search picks (counted below): in the new sense their first step is often smaller.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from experiments.true_cost import true_cost

from sfumato.document import Term
from sfumato.facts.implication import Hidden
from sfumato.know.taxonomy import softening, wordnet
from sfumato.know.taxonomy.disambiguate import by_key, disambiguate
from sfumato.policy import load
from sfumato.protect.plausibility import trees
from sfumato.protect.plausibility.options import PlausibilityOptions
from sfumato.protect.plausibility.plan import SofteningPlan, UnreachableTError
from sfumato.protect.plausibility.problem import Problem, UnreachableError
from sfumato.protect.plausibility.search import search
from sfumato.protect.plausibility.senses import common_term
from sfumato.protect.plausibility.softened import Softened
from sfumato.protect.plausibility.tied import Standing
from sfumato.protect.plausibility.trees import word_sort

try:
    import matplotlib as mpl

    mpl.use("svg")
    import matplotlib.pyplot as plt
    import matplotlib.ticker
except ImportError:
    sys.exit("the pictures need matplotlib: pip install matplotlib")

ROOT = Path(__file__).parent.parent
GROUPS, GROUP, SIZES = 5, 50, (10, 20, 30, 40, 50)
ALPHA = 0.5
BUDGET = 20_000_000  # steps of the exhaustive searches; where it ends, the table says so
COLOURS = ("#1b6ca8", "#d1495b", "#2e933c", "#e09f3e", "#6a4c93", "#444444", "#17a2a2")
# One look for each method in all pictures. UEP and exact coincide: one is a ring around the other.
LOOKS: dict[str, dict[str, Any]] = {
    "EP": {"color": "#17a2a2", "marker": "X"},
    "UEP": {"color": "#e09f3e", "marker": "o", "markersize": 8, "markerfacecolor": "none"},
    "exact": {"color": "#1b6ca8", "marker": "o"},
    "TDGS": {"color": "#d1495b", "marker": "^"},
    "MSGS, δ = 1": {"color": "#a9c5a0", "marker": "s"},
    "MSGS, δ = 2": {"color": "#5fa55a", "marker": "s"},
    "MSGS, δ = 3": {"color": "#2e6b34", "marker": "s"},
}

Path_ = list[tuple[int, int]]  # concepts from the word to the root, with volumes


@dataclass(frozen=True)
class Noun:
    """A noun: a path for each sense, the sense chosen by context, the true path of each mention."""

    lemma: str
    paths: tuple[Path_, ...]
    chosen: int
    gold: tuple[Path_, ...]


@dataclass(frozen=True)
class Text:
    """A generalised set of nouns: the concept for each (None: as it stands), with its volume."""

    concepts: tuple[int | None, ...]
    volumes: tuple[int, ...]

    @property
    def generalised(self) -> int:
        return sum(c is not None for c in self.concepts)

    def cost(self, t: int) -> float:
        m, bits = len(self.volumes), [math.log2(v) for v in self.volumes]
        share = math.log2(t) / m
        apart = math.fsum((b - share) ** 2 for b in bits)
        return ALPHA / m**2 * (math.fsum(bits) - math.log2(t)) ** 2 + (1 - ALPHA) / m * apart


# Data


def read_nouns(folder: Path, nouns: wordnet.WordNet) -> list[Noun]:
    """All different nouns, in alphabetical order."""
    lines = (folder / f"{folder.name}.gold.key.txt").read_text().splitlines()
    keys = {first: rest for first, *rest in map(str.split, lines)}
    gold: dict[str, list[Path_]] = defaultdict(list)
    words: list[str] = []
    for text in ElementTree.parse(folder / f"{folder.name}.data.xml").getroot():
        for token in (token for sentence in text for token in sentence):
            words.append(token.text or "")
            if token.tag == "instance" and token.get("pos") == "NOUN":
                lemma = token.get("lemma", "").replace("_", " ")
                # Where several senses were held for right, the first one counts.
                synset = by_key(nouns, keys[token.get("id", "")][0])
                assert synset is not None
                gold[lemma].append(path_of(nouns, synset))
    made = []
    for lemma in sorted(gold):
        senses = nouns.senses(lemma)
        paths = tuple(path_of(nouns, s.key) for s in senses)
        made.append(Noun(lemma, paths, disambiguate(nouns, lemma, words), tuple(gold[lemma])))
    return made


def path_of(nouns: wordnet.WordNet, synset: int) -> Path_:
    path = [(synset, 1)]
    at = nouns.parent(synset)
    while at is not None:
        path.append((at, int(nouns.leaves[at])))
        at = nouns.parent(at)
    return path


def rungs(path: Path_) -> list[int]:
    """The places on a path whose volume is larger than those before: the ladder."""
    return [i for i, (_, v) in enumerate(path) if not i or v > path[i - 1][1]]


def ladders(group: Sequence[Noun], senses: Sequence[int]) -> list[list[int]]:
    return [
        [n.paths[s][i][1] for i in rungs(n.paths[s])] for n, s in zip(group, senses, strict=True)
    ]


# Generalising


def problem_of(group: Sequence[Noun], t: int, senses: Sequence[int] | None = None) -> Problem:
    return Problem(ladders(group, senses or [0] * len(group)), t, ALPHA)


def generalise(
    group: Sequence[Noun],
    levels: Sequence[int],
    *,
    common: bool = False,
    senses: Sequence[int] | None = None,
) -> Text:
    """The concepts that levels of the ladders stand for, with `common` those of CTS."""
    concepts: list[int | None] = []
    volumes = []
    for noun, level, sense in zip(group, levels, senses or [0] * len(group), strict=True):
        path = noun.paths[sense]
        at = rungs(path)[level]
        concept, volume = path[at]
        if common and level:
            others = [p for i, p in enumerate(noun.paths) if i != sense]
            found = common_term([path, *others], at)
            assert isinstance(found.node, int)
            concept, volume = found.node, found.volume
        concepts.append(concept if level else None)
        volumes.append(volume)
    return Text(tuple(concepts), tuple(volumes))


def judged(group: Sequence[Noun], text: Text, t: int) -> tuple[float, float]:
    """True cost Ĉ, and the share of generalised mentions whose concept is above their true sense."""
    released, gold, generalised = [], [], []
    for noun, concept in zip(group, text.concepts, strict=True):
        for path in noun.gold:
            released.append(concept)
            gold.append(path)
            if concept is not None:
                generalised.append(any(concept == c for c, _ in path))
    # t is for one mention of each noun; with all mentions each keeps its share of log t.
    whole, part = divmod(math.log2(t) * len(gold) / len(group), 1)
    of_all = max(1, int(2**part * 2**52) << int(whole) >> 52)
    found = true_cost(released, gold, t=of_all, alpha=ALPHA)
    return found.cost, statistics.fmean(generalised) if generalised else math.nan


def seconds(run: Callable[[], object]) -> float:
    """CPU time, the least of three runs."""
    times = []
    for _ in range(3):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


# Tables and pictures


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    shown = [[f"{x:.3g}" if isinstance(x, float) else str(x) for x in row] for row in rows]
    widths = [max(len(r[i]) for r in [list(head), *shown]) for i in range(len(head))]
    print(f"\n{title}")
    for row in [list(head), *shown]:
        print("  ".join(cell.rjust(w) for cell, w in zip(row, widths, strict=True)))


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    return statistics.fmean(values), statistics.stdev(values) / math.sqrt(len(values))


def panels(rows: int, columns: int, width: float = 3.6, height: float = 3.0) -> tuple[Any, Any]:
    figure, axes = plt.subplots(
        rows, columns, figsize=(width * columns, height * rows), layout="constrained", squeeze=False
    )
    for axis in axes.flat:
        axis.spines[["top", "right"]].set_visible(False)
        axis.grid(axis="y", color="#dddddd", linewidth=0.6)
        axis.set_axisbelow(True)
    return figure, axes


def lines(axis: Any, x: Sequence[float], curves: dict[str, list[list[float]]]) -> None:
    """Curves of means over the groups with standard errors; `curves` has name → x → groups."""
    for i, (name, values) in enumerate(curves.items()):
        points = [mean_and_error(v) for v in values]
        middle, error = zip(*points, strict=True)
        look = LOOKS.get(name, {"color": COLOURS[i], "marker": "osD^vPX"[i]})
        look = {"markersize": 4, "capsize": 2, "linewidth": 1.2, **look}
        axis.errorbar(x, middle, yerr=error, label=name, **look)


def plain_log(axis: Any) -> None:
    """A logarithmic scale with ordinary numbers."""
    axis.set_yscale("log")
    axis.yaxis.set_major_formatter(mpl.ticker.FuncFormatter(lambda y, _: f"{y:g}"))
    axis.yaxis.set_minor_formatter(mpl.ticker.NullFormatter())


def save(figure: Any, folder: Path, name: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    if PNG:
        figure.savefig(PNG / f"{name}.png", dpi=110)
    plt.close(figure)


PNG: Path | None = None


# What a larger t costs: not in the paper


def price(groups: Sequence[Sequence[Noun]], folder: Path) -> None:
    """How much of the nouns' information is kept, and how many nouns stand as they are, by t."""
    words = wordnet.default()
    exponents = (5, 10, 20, 40, 80, 160, 320)
    kinds = {"uniform": True, "only the count": False}
    kept: dict[str, list[list[float]]] = {name: [] for name in kinds}
    as_they_are: dict[str, list[list[float]]] = {name: [] for name in kinds}
    for exponent in exponents:
        for name, uniform in kinds.items():
            shares, standing = [], []
            for group in groups:
                problem = Problem(ladders(group, [0] * len(group)), 2**exponent, ALPHA, uniform)
                found = generalise(group, search(problem).levels)
                whole = [words.bits(n.paths[0][0][0]) for n in group]
                left = [
                    b if c is None else words.bits(c)
                    for b, c in zip(whole, found.concepts, strict=True)
                ]
                shares.append(100 * sum(left) / sum(whole))
                standing.append(100 * (1 - found.generalised / len(group)))
            kept[name].append(shares)
            as_they_are[name].append(standing)
    figure, axes = panels(1, 2, 3.8, 3.0)
    for axis, curves, label in (
        (axes[0, 0], kept, "information kept, %"),
        (axes[0, 1], as_they_are, "nouns left as they are, %"),
    ):
        lines(axis, exponents, curves)
        axis.set_xscale("log", base=2)
        axis.set(xlabel="t", ylabel=label, ylim=(0, 100), xticks=exponents)
        axis.set_xticklabels([f"$2^{{{e}}}$" for e in exponents])
        axis.xaxis.set_minor_locator(mpl.ticker.NullLocator())
    axes[0, 0].legend(frameon=False, fontsize=8)
    save(figure, folder, "price")
    table(
        "What a larger t costs: 50 nouns, mean of five groups, %",
        ["log2 t", *(f"kept, {n}" for n in kinds), *(f"as they are, {n}" for n in kinds)],
        [
            [e, *(statistics.fmean(c[i]) for c in (*kept.values(), *as_they_are.values()))]
            for i, e in enumerate(exponents)
        ],
    )


# Against who runs the program: not in the paper


def who_runs_it(groups: Sequence[Sequence[Noun]], folder: Path) -> None:
    """What closed cuts cost beside the search, and what the search leaves to who runs it himself: texts of
    three nouns, first senses."""
    words = wordnet.default()
    exponents = range(1, 7)
    texts = [group[at : at + 3] for group in groups for at in range(0, len(group) - 2, 3)]
    taken = [[softening.words().meant(n.lemma) for n in text] for text in texts]
    texts = [
        text
        for text, meant in zip(texts, taken, strict=True)
        if [n.paths[0][0][0] for n in text] == meant
    ]
    names = ("the search of the paper", "closed cuts (adversary: program)")
    kept: dict[str, list[list[float]]] = {name: [] for name in names}
    refused = []
    for exponent in exponents:
        shares: dict[str, list[float]] = {name: [] for name in names}
        missed = 0
        for text in texts:
            whole = sum(words.bits(n.paths[0][0][0]) for n in text)
            problem = Problem(ladders(text, [0] * len(text)), 10**exponent, ALPHA)
            cut = closed(text, 10**exponent)
            try:
                found = generalise(text, search(problem).levels)
            except UnreachableError:
                cut = None
            if cut is None:
                missed += 1
                continue
            own = (n.paths[0][0][0] for n in text)
            left = (n if c is None else c for n, c in zip(own, found.concepts, strict=True))
            shares[names[0]].append(100 * sum(map(words.bits, left)) / whole)
            shares[names[1]].append(100 * sum(map(words.bits, cut)) / whole)
        refused.append(missed)
        for name in names:
            kept[name].append(shares[name])
    figure, axes = panels(1, 1, 4.6, 3.0)
    lines(axes[0, 0], [10**e for e in exponents], kept)
    axes[0, 0].set_xscale("log")
    axes[0, 0].set(xlabel="t", ylabel="information kept, %", ylim=(0, 100))
    axes[0, 0].legend(frameon=False, fontsize=8)
    save(figure, folder, "program")
    table(
        f"What it costs that who runs the program is left with t texts: {len(texts)} texts of 3 nouns, %",
        ["t", *names, "refused"],
        [
            [10**e, *(statistics.fmean(kept[n][i]) for n in names), refused[i]]
            for i, e in enumerate(exponents)
        ],
    )


_STANDING = Standing(load("default"))


def closed(text: Sequence[Noun], t: int) -> list[int] | None:
    """The nodes as which the nouns of a text are released; none where t cannot be reached."""
    facts = [
        Softened(
            "TERM", word_sort("noun"), trees.Noun(n.paths[0][0][0]), [Term(i, i + 1, "", 1, "")]
        )
        for i, n in enumerate(text)
    ]
    plan = SofteningPlan("nouns", PlausibilityOptions(t=t, terms="nouns"), facts, (), _STANDING)
    try:
        plan.ask()
        hidden = (f"{wordnet.NAME}:{fact.value.synset}" for fact in facts)
        plan.release(Hidden.of((n.lemma for n in text), hidden))
        plan.count()
    except UnreachableTError:
        return None
    # A label tells as much as the root
    return [0 if fact.node is None else fact.node for fact in facts]


# Figure 4


def t_range(groups: Sequence[Sequence[Noun]], folder: Path) -> None:
    """The least cost over all t, with every word generalised and with however many."""
    exponents = range(2, 64)
    curves: dict[str, list[list[float]]] = defaultdict(list)
    best: dict[str, list[float]] = defaultdict(list)
    for size in SIZES:
        found: dict[str, list[float]] = defaultdict(list)
        for group in (g[:size] for g in groups):
            texts: dict[bool, list[tuple[float, int, int]]] = {False: [], True: []}
            for exponent in exponents:
                try:
                    levels = search(problem_of(group, 2**exponent), "mstep", delta=2).levels
                except UnreachableError:
                    break
                for common in texts:
                    text = generalise(group, levels, common=common)
                    texts[common].append((text.cost(2**exponent), text.generalised, exponent))
            for common, name in ((False, "MSGS"), (True, "MSGS with CTS")):
                most = max(g for _, g, _ in texts[common])
                all_words = min(x for x in texts[common] if x[1] == most)
                found[f"{name}, most words"].append(all_words[0])
                lowest = min(texts[common])
                found[f"{name}, lowest"].append(lowest[0])
                if size == GROUP:
                    best[name].append(lowest[2])
        for name, values in found.items():
            curves[name].append(values)
    figure, axes = panels(1, 1, 5.4, 3.6)
    lines(axes[0, 0], SIZES, curves)
    axes[0, 0].set(xlabel="words m", ylabel="least cost C over all t", xticks=SIZES, ylim=(0, None))
    axes[0, 0].legend(frameon=False, fontsize=8)
    save(figure, folder, "t-range")
    table(
        "Figure 4: least cost over t = 2^2 … 2^63 (mean of five groups)",
        ["m", *curves],
        [[m, *(statistics.fmean(c[i]) for c in curves.values())] for i, m in enumerate(SIZES)],
    )
    for name, exponents_found in best.items():
        low, high = min(exponents_found), max(exponents_found)
        print(f"{name}: the t of least cost for m = 50 is 2^{low:.0f} to 2^{high:.0f}")
    print("the paper: 2^58 to 2^63")


# Figure 5


def right_senses(groups: Sequence[Sequence[Noun]], folder: Path) -> None:
    """How many generalisations are right in the true sense, by t."""
    exponents = (10, 60, 120, 240)
    names = ("first sense", "CTS", "by context", "by context, CTS")
    shares: dict[str, list[list[float]]] = {n: [] for n in names}
    costs: dict[str, list[list[float]]] = {n: [] for n in names}
    for exponent in exponents:
        t = 2**exponent
        at: dict[str, list[tuple[float, float]]] = defaultdict(list)
        for group in groups:
            context = [n.chosen for n in group]
            for senses, plain, wide in (
                ([0] * len(group), "first sense", "CTS"),
                (context, "by context", "by context, CTS"),
            ):
                levels = search(problem_of(group, t, senses), "top_down").levels
                for name, common in ((plain, False), (wide, True)):
                    text = generalise(group, levels, common=common, senses=senses)
                    at[name].append(judged(group, text, t))
        for name in names:
            costs[name].append([c for c, _ in at[name]])
            shares[name].append([100 * s for _, s in at[name]])
    figure, axes = panels(1, 2, 5.2, 3.6)
    for i, name in enumerate(names):
        places = [x + (i - 1.5) * 0.19 for x in range(len(exponents))]
        boxes = axes[0, 0].boxplot(
            shares[name], positions=places, widths=0.15, patch_artist=True, whis=(0, 100)
        )
        for box in boxes["boxes"]:
            box.set(facecolor=COLOURS[i], alpha=0.75, linewidth=0.8)
        for middle in boxes["medians"]:
            middle.set(color="black")
        axes[0, 0].plot([], [], "s", color=COLOURS[i], alpha=0.75, label=name)
    ticks = [f"$2^{{{e}}}$" for e in exponents]
    axes[0, 0].set(xlabel="t", ylabel="right generalisations, %")
    axes[0, 0].set_xticks(range(len(exponents)), ticks)
    axes[0, 0].legend(frameon=False, fontsize=8, loc="lower right")
    lines(axes[0, 1], list(range(len(exponents))), costs)
    axes[0, 1].set(xlabel="t", ylabel="true cost Ĉ", ylim=(0, None))
    axes[0, 1].set_xticks(range(len(exponents)), ticks)
    save(figure, folder, "senses")
    table(
        "Figure 5: generalised mentions that are right in their true sense, %, and true cost (TDGS, m = 50)",
        ["t", *names, *(f"Ĉ {n}" for n in names)],
        [
            [
                f"2^{e}",
                *(statistics.fmean(shares[n][i]) for n in names),
                *(statistics.fmean(costs[n][i]) for n in names),
            ]
            for i, e in enumerate(exponents)
        ],
    )


def all_nouns(nouns: Sequence[Noun]) -> None:
    """The same with all nouns as one text: five groups of 50 are too few to tell methods apart."""
    shares, causes = [], []
    first, chosen = [0] * len(nouns), [n.chosen for n in nouns]
    changed = [i for i, sense in enumerate(chosen) if sense]
    for bits in (0.2, 0.5, 1.2, 2.4, 4.8):
        t = 1 << round(bits * len(nouns))
        texts = []
        for senses in (first, chosen):
            levels = search(problem_of(nouns, t, senses), "top_down").levels
            texts += [
                generalise(nouns, levels, common=common, senses=senses) for common in (False, True)
            ]
        row: list[object] = [bits]
        for text in texts:
            cost, share = judged(nouns, text, t)
            row += [text.generalised, 100 * share, cost]
        shares.append(row)
        plain, common_terms, by_context, _ = texts
        away: list[int] = []
        wider: list[int] = []
        for i, (noun, concept) in enumerate(zip(nouns, common_terms.concepts, strict=True)):
            if concept is not None and concept != plain.concepts[i]:
                above = any(concept == c for c, _ in noun.paths[0])
                (wider if above else away).append(i)
        picked = [i for i in changed if by_context.concepts[i] is not None]
        causes.append(
            [
                bits,
                *(len(away), right(nouns, plain, away), right(nouns, common_terms, away)),
                *(len(wider), right(nouns, plain, wider), right(nouns, common_terms, wider)),
                *(100 * len(picked) / by_context.generalised, right(nouns, by_context, picked)),
            ]
        )
    head = ["log t / m"]
    for name in ("first", "CTS", "context", "context+CTS"):
        head += [name, "right %", "Ĉ"]
    table("All nouns as one text: generalised, mentions right in %, true cost", head, shares)
    table(
        "Why: nouns that CTS leads away from the first sense or widens above it, mentions right before and "
        "after; share of nouns whose sense context changed",
        [
            *("log t / m", "away", "before %", "after %", "wider", "before %", "after %"),
            *("changed %", "right %"),
        ],
        causes,
    )
    print(f"context changed the sense of {100 * len(changed) / len(nouns):.1f} % of all nouns")
    senses_met = [(n.paths[0][0], n.paths[n.chosen][0], g[0]) for n in nouns for g in n.gold]
    hits = [sum(s[i] == s[2] for s in senses_met) for i in (0, 1)]
    print(f"right sense of {len(senses_met)} mentions: first {hits[0]}, by context {hits[1]}")


def right(nouns: Sequence[Noun], text: Text, which: Sequence[int]) -> float:
    """The share of mentions of some nouns that are right in their true sense, in %."""
    answers = [any(text.concepts[i] == c for c, _ in g) for i in which for g in nouns[i].gold]
    return 100 * statistics.fmean(answers) if answers else math.nan


# Figure 6 (a)-(c)


def run_times(groups: Sequence[Sequence[Noun]], folder: Path) -> None:
    figure, axes = panels(1, 3)
    curves: dict[str, list[list[float]]] = defaultdict(list)
    ended = 0
    for size in SIZES:
        for t in (1024, 4096, 16384):
            times = []
            for group in groups:
                problem = problem_of(group[:size], t)
                found = search(problem, "uniform_esearch_prune", budget=BUDGET)
                ended += not found.proven
                times.append(
                    seconds(partial(search, problem, "uniform_esearch_prune", budget=BUDGET))
                )
            curves[f"UEP, t = {t}"].append(times)
        problems = [problem_of(group[:size], 16384) for group in groups]
        curves["exact, t = 16384"].append([seconds(partial(search, p, "exact")) for p in problems])
    _times(axes[0, 0], curves, "(a) exhaustive and exact")
    head, rows = list(curves), list(curves.values())
    for axis, common, title in (
        (axes[0, 1], False, "(b) greedy"),
        (axes[0, 2], True, "(c) with CTS"),
    ):
        curves = defaultdict(list)
        for size in SIZES:
            for name, method, delta in GREEDY:
                curves[name].append(
                    [
                        seconds(partial(_greedy, g, 4096, method, delta, common))
                        for g in (g[:size] for g in groups)
                    ]
                )
        _times(axis, curves, f"{title}, t = 4096")
        head += [f"{n}{' CTS' if common else ''}" for n in curves]
        rows += list(curves.values())
    save(figure, folder, "run-time")
    table(
        "Figure 6 (a)-(c): CPU milliseconds (mean of five groups)",
        ["m", *head],
        [[m, *(1000 * statistics.fmean(r[i]) for r in rows)] for i, m in enumerate(SIZES)],
    )
    if ended:
        print(f"UEP: the budget of {BUDGET:,} steps ended {ended} times")


GREEDY = (
    ("MSGS, δ = 1", "mstep", 1),
    ("MSGS, δ = 2", "mstep", 2),
    ("MSGS, δ = 3", "mstep", 3),
    ("TDGS", "top_down", 0),
)


def _greedy(group: Sequence[Noun], t: int, method: Any, delta: int, common: bool) -> Text:
    levels = search(problem_of(group, t), method, delta=delta).levels
    return generalise(group, levels, common=common)


def _times(axis: Any, curves: dict[str, list[list[float]]], title: str) -> None:
    lines(axis, SIZES, {n: [[1000 * x for x in v] for v in c] for n, c in curves.items()})
    axis.set(xlabel="words m", ylabel="CPU milliseconds", xticks=SIZES, title=title)
    plain_log(axis)
    axis.legend(frameon=False, fontsize=7)


# Figure 6 (d)-(i)


def heuristics(groups: Sequence[Sequence[Noun]], folder: Path) -> None:
    methods = (("UEP", "uniform_esearch_prune", 0), ("exact", "exact", 0), *GREEDY)
    costs, cost_axes = panels(2, 2, 4.4, 3.2)
    spread, spread_axes = panels(1, 2, 4.4, 3.2)
    for row, t in enumerate((1024, 16384)):
        solved = _solve(groups, t, (("EP", "esearch_prune", 0), *methods))
        for column, common in enumerate((False, True)):
            curves = {
                name: [
                    [generalise(g[:m], by[i], common=common).cost(t) for i, g in enumerate(groups)]
                    for m, by in zip(SIZES, solved[name], strict=True)
                ]
                for name, *_ in methods
            }
            axis = cost_axes[row, column]
            lines(axis, SIZES, curves)
            title = f"({'defg'[2 * row + column]}) t = {t}{', with CTS' if common else ''}"
            axis.set(xlabel="words m", ylabel="cost C", xticks=SIZES, ylim=(0.1, 120), title=title)
            plain_log(axis)
            table(
                f"Figure 6 {title}: cost C (mean of five groups)",
                ["m", *curves],
                [
                    [m, *(statistics.fmean(c[i]) for c in curves.values())]
                    for i, m in enumerate(SIZES)
                ],
            )
        if row:
            _spread(groups, solved, spread_axes[0])
        judge_all(groups, solved, t)
    cost_axes[0, 0].legend(frameon=False, fontsize=7)
    save(costs, folder, "cost")
    save(spread, folder, "uniformity")


def _solve(
    groups: Sequence[Sequence[Noun]], t: int, methods: Sequence[tuple[str, Any, int]]
) -> dict[str, list[list[tuple[int, ...]]]]:
    """Levels by name of method, size and group."""
    solved: dict[str, list[list[tuple[int, ...]]]] = {}
    for name, method, delta in methods:
        solved[name] = [
            [
                search(problem_of(g[:m], t), method, delta=delta, budget=BUDGET).levels
                for g in groups
            ]
            for m in SIZES
        ]
    return solved


def judge_all(
    groups: Sequence[Sequence[Noun]], solved: dict[str, list[list[tuple[int, ...]]]], t: int
) -> None:
    rows = [
        [m]
        + [
            statistics.fmean(
                judged(g[:m], generalise(g[:m], by[i][k]), t)[0] for k, g in enumerate(groups)
            )
            for by in solved.values()
        ]
        for i, m in enumerate(SIZES)
    ]
    table(f"Section 5.4.1: true cost Ĉ, t = {t} (mean of five groups)", ["m", *solved], rows)


def _spread(
    groups: Sequence[Sequence[Noun]], solved: dict[str, list[list[tuple[int, ...]]]], axes: Any
) -> None:
    shown = [n for n in solved if n not in ("MSGS, δ = 1", "MSGS, δ = 2")]
    measures: tuple[tuple[str, Callable[[list[float]], float]], ...] = (
        ("(h) variance of H", statistics.pvariance),
        ("(i) largest H", max),
    )
    for axis, (title, measure) in zip(axes, measures, strict=True):
        curves = {
            name: [
                [
                    measure([math.log2(v) for v in generalise(g[:m], by[k]).volumes])
                    for k, g in enumerate(groups)
                ]
                for m, by in zip(SIZES, solved[name], strict=True)
            ]
            for name in shown
        }
        lines(axis, SIZES, curves)
        ylabel = "bits²" if measure is statistics.pvariance else "bits"
        axis.set(
            xlabel="words m",
            ylabel=ylabel,
            xticks=SIZES,
            ylim=(0, None),
            title=f"{title}, t = 16384",
        )
        table(
            f"Figure 6 {title}, t = 16384 (mean of five groups)",
            ["m", *curves],
            [[m, *(statistics.fmean(c[i]) for c in curves.values())] for i, m in enumerate(SIZES)],
        )
    axes[0].legend(frameon=False, fontsize=7)


def main() -> None:
    global PNG
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    shared = ROOT.parent / "shared" / "data" / "wsd" / "senseval3"
    parser.add_argument("--data", type=Path, default=shared, help="the folder of Senseval-3")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "docs/assets/plausibility")
    parser.add_argument("--png", type=Path, help="a folder for the pictures as PNG, too")
    parser.add_argument("--seed", type=int, default=1, help="of the draw of nouns")
    given = parser.parse_args()
    if not given.data.is_dir():
        sys.exit(f"{given.data}: no such folder; give that of Senseval-3 with --data")
    PNG = given.png
    mpl.rcParams.update(
        {
            "svg.hashsalt": "plausibility",
            "svg.fonttype": "none",
            "font.size": 9,
            "axes.titlesize": 9,
        }
    )
    nouns = read_nouns(given.data, wordnet.default())
    draw = random.Random(given.seed)
    groups = [draw.sample(nouns, GROUP) for _ in range(GROUPS)]
    several = sum(len(n.paths) > 1 for n in nouns)
    print(
        f"{len(nouns)} different nouns, {several} of them with several senses (the paper: 477 nouns)"
    )
    price(groups, given.output)
    who_runs_it(groups, given.output)
    t_range(groups, given.output)
    right_senses(groups, given.output)
    all_nouns(nouns)
    run_times(groups, given.output)
    heuristics(groups, given.output)


if __name__ == "__main__":
    main()
