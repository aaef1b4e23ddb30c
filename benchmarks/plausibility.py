"""The searches of t-plausibility on WordNet ladders, in one run: the paper's methods and the exact ones.

    python -m benchmarks.plausibility [--runs N] [--groups N]

Nouns are drawn from WordNet by a fixed seed, first sense each. Times are CPU milliseconds of one search (with
making the problem), the least of several runs, then the worst of several groups of nouns: a goal holds for
all of them. *gap* is the mean of cost / least cost - 1 (for Definition 3: texts / least texts - 1), *ratio*
the time beside the exact search's. The exhaustive searches stop after a budget; *proven* says how often
they, and the others, ended with a proof. At the end, whole documents under the rule against who runs the
program (closed cuts), with the share of the detectors.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from sfumato import keys
from sfumato.document import Document
from sfumato.facts.understanding import understand
from sfumato.know.taxonomy import wordnet
from sfumato.pipeline import Sanitizer
from sfumato.policy import load
from sfumato.protect.plausibility.problem import Problem, Solution
from sfumato.protect.plausibility.search import Method, search
from sfumato.release.ledger import Ledger

NODES = 200_000  # what an exhaustive search may look at
SEED = 2012

UNIFORM_SIZES = [
    (50, 2**10),
    (50, 2**20),
    (50, 2**40),
    (50, 2**60),
    (200, 2**40),
    (1000, 2**10),
    (1000, 2**60),
    (1000, 2**40 + 3),  # no power of two: the easy texts fall just short
    (1000, 2**60 + 3),
]
COUNT_SIZES = [
    (5, 10**6),
    (10, 10**9),
    (14, 10**12),
    (20, 10**12),
    (50, 10**6),
    (50, 10**12),
    (200, 10**9),
    (200, 10**12),
    (200, 10**12 + 39),
]
GOALS = {("uniform", 50): 10.0, ("uniform", 1000): 200.0}
COUNT_GOAL = 100.0


@dataclass(frozen=True)
class Contender:
    title: str
    method: Method
    delta: int = 2
    largest: int = 10**9  # more terms than this would take too long
    exhaustive: bool = False


UNIFORM = [
    Contender("exact", "exact"),
    Contender("LUB + top-down (4+6)", "top_down"),
    Contender("LUB alone (4), δ=0", "mstep", delta=0),
    Contender("LUB + m-step (4+5), δ=1", "mstep", delta=1, largest=200),
    Contender("LUB + m-step (4+5), δ=2", "mstep", delta=2, largest=50),
    Contender("LUB + m-step (4+5), δ=3", "mstep", delta=3, largest=50),
    Contender("exhaustive (3)", "uniform_esearch_prune", largest=50, exhaustive=True),
]
COUNT = [
    Contender("exact", "exact"),
    Contender("exhaustive (1)", "esearch_prune", exhaustive=True),
    Contender("LUB + top-down (4+6)", "top_down"),
]


def nouns() -> Iterator[list[int]]:
    """Ladders of nouns with something above them, for ever and always the same."""
    words = wordnet.default()
    lemmas = [lemma for lemma in words.lemmas() if lemma.replace(" ", "").isalpha()]
    draw = random.Random(SEED)
    while True:
        senses = words.senses(draw.choice(lemmas))
        ladder = [step.volume for step in words.climb(senses[0])]
        if len(ladder) > 1:
            yield ladder


def timed(
    ladders: list[list[int]], t: int, uniform: bool, who: Contender, runs: int
) -> tuple[float, Solution]:
    """The least CPU milliseconds of some runs."""
    best = float("inf")
    for _ in range(runs):
        began = time.process_time()
        problem = Problem(ladders, t, uniform=uniform)
        found = search(
            problem, who.method, delta=who.delta, budget=NODES if who.exhaustive else None
        )
        best = min(best, (time.process_time() - began) * 1e3)
    return best, found


def compare(
    title: str, sizes: list[tuple[int, int]], who: list[Contender], runs: int, groups: int
) -> None:
    uniform = title == "uniform"
    print(f"\n{'Definition 4, α = 0.5' if uniform else 'Definition 3'}")
    print(f"{'':26}{'m':>6}{'t':>9}{'CPU ms':>10}{'gap':>12}{'ratio':>9}  proven")
    source = nouns()
    pool = {m: [[next(source) for _ in range(m)] for _ in range(groups)] for m, _ in sizes}
    for m, t in sizes:
        least: list[Solution] = []
        exact_ms = 1.0
        for contender in who:
            if m > contender.largest:
                continue
            repeat = 1 if contender.exhaustive else runs
            made = [timed(ladders, t, uniform, contender, repeat) for ladders in pool[m]]
            slowest = max(ms for ms, _ in made)
            found = [solution for _, solution in made]
            if contender.method == "exact":
                least, exact_ms = found, slowest
            gap = sum(map(_gap, found, least, [uniform] * groups)) / groups
            proven = sum(solution.proven for solution in found)
            goal = GOALS.get(("uniform", m)) if uniform else COUNT_GOAL
            note = f"   goal {goal:.0f} ms" if contender.method == "exact" and goal else ""
            print(
                f"{contender.title:26}{m:6}{_short(t):>9}{slowest:10.2f}{_percent(gap):>12}"
                f"{slowest / exact_ms:9.1f}  {proven}/{groups}{note}"
            )


def cuts() -> None:
    """A document under the rule against who runs the program: detectors, facts, then the rest, by its length
    and by the units that have t texts."""
    print("\nclosed cuts (adversary: program), t = 1,000, of a sentence 10: CPU ms")
    titles = ("find", "facts", "soften", "certify")
    print(f"{'':20} {'characters':>12}" + "".join(f"{title:>10}" for title in titles))
    page = (Path(__file__).parent.parent / "examples" / "court-summary.txt").read_text()
    # Other numbers in each page, so that facts grow with the text.
    digits = [
        str.maketrans("0123456789", "123456789"[n:] + "0123456789"[: n + 1]) for n in range(9)
    ]
    pages = [page.translate(digits[n % 9]) for n in range(100)]
    key = keys.new()
    with Ledger(key) as vault:
        for t in ({"document": 1000}, {"sentence": 10, "document": 1000}):
            sanitizer = Sanitizer(load({"protect": [{"plausibility": {"t": t}}]}), key, vault)
            sanitizer(Document(page[:500]))  # what the first document pays once
            for size in (2_000, 20_000, 200_000):
                document = Document("\n\n".join(pages)[:size])
                marks = [time.process_time()]
                terms = sanitizer.find(document)
                marks.append(time.process_time())
                understand(document.text, terms)
                marks.append(time.process_time())
                edits = sanitizer.protect(document, terms)
                marks.append(time.process_time())
                sanitizer.certify(document, edits)
                marks.append(time.process_time())
                shown = "".join(f"{1e3 * (b - a):10.0f}" for a, b in pairwise(marks))
                print(f"{' and '.join(t):20} {size:12,}{shown}")


def _gap(found: Solution, least: Solution, uniform: bool) -> float:
    if uniform:
        return found.cost / least.cost - 1 if least.cost else float(found.cost > 0)
    return (found.plausible_texts - least.plausible_texts) / least.plausible_texts


def _percent(gap: float) -> str:
    return f"{100 * gap:.2g} %" if gap < 10 else f"x {gap + 1:.2g}"


def _short(t: int) -> str:
    """A power of two or ten, and what is above it."""
    two, ten = t.bit_length() - 1, len(str(t)) - 1
    rest, base = min((t - 2**two, f"2^{two}"), (t - 10**ten, f"10^{ten}"))
    return f"{base}+{rest}" if rest else base


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=5, help="of each search; the least counts")
    parser.add_argument("--groups", type=int, default=5, help="of nouns; the worst counts")
    options = parser.parse_args()
    search(Problem([[1, 2, 6], [1, 3]], 5))  # what the first search pays once is not counted
    compare("uniform", UNIFORM_SIZES, UNIFORM, options.runs, options.groups)
    compare("count", COUNT_SIZES, COUNT, options.runs, options.groups)
    cuts()


if __name__ == "__main__":
    main()
