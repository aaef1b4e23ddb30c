"""SPI on large tables, beside a plain pandas implementation in the same run.

    python -m benchmarks.measures [--small] [--frames]

Two tables of (user, document) are drawn (Zipf popularity; documents that occur fewer than 20 times are left
out of the second) and written as Parquet. Each side reads both files and computes SPI in a process of its
own, the small size three times, of which the fastest counts. Goals are held against CPU time, since the wall
time depends on who else uses the machine; memory is the most the process held (VmHWM). With --frames both
sides get the same pandas frames instead, and the time is for SPI alone. Without pandas only our side runs.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd

SIZES = ((10_000, 100), (1_000_000, 20))
GOALS = {10_000: ("3 s", 3.0, None), 1_000_000: ("90 s, 6 GB", 90.0, 6.0)}
DOCUMENTS = 2_000_000


def make(folder: Path, users: int, each: int) -> tuple[Path, Path]:
    import pyarrow as arrow
    from pyarrow import parquet

    rng = np.random.default_rng(1)
    rows = users * each
    # The inverse of the distribution function of a Zipf law with exponent 1, cut at DOCUMENTS.
    documents = (DOCUMENTS ** rng.random(rows)).astype(np.int64)
    who = np.repeat(np.arange(users), each)
    kept = np.bincount(documents, minlength=DOCUMENTS + 1)[documents] >= 20
    names = []
    for name, mask in (("before", np.ones(rows, dtype=np.bool_)), ("after", kept)):
        text = np.char.add("query number ", documents[mask].astype(str))
        table = arrow.table({"user": who[mask], "document": text})
        names.append(folder / f"{name}-{users}.parquet")
        parquet.write_table(table, names[-1])
    return names[0], names[1]


def sensitivity(documents: Iterable[str]) -> dict[str, float]:
    """σ of "query number N": the last digit, in tenths."""
    return {d: (ord(d[-1]) - 48) / 10 for d in documents}


class Sigma:
    def probabilities(self, documents: Iterable[str]) -> NDArray[np.float64]:
        return np.array([(ord(d[-1]) - 48) / 10 for d in documents])


def ours(before: object, after: object) -> float:
    from sfumato.measure import spi_score

    return spi_score(before, after, sensitivity=Sigma())


def with_pandas(before: pd.DataFrame | Path, after: pd.DataFrame | Path) -> float:
    """As one would write it down: counts by group, an outer join, a sum by user."""
    import pandas as pd

    x = before if isinstance(before, pd.DataFrame) else pd.read_parquet(before)
    y = after if isinstance(after, pd.DataFrame) else pd.read_parquet(after)
    keys = ["user", "document"]
    p, q = (t.groupby(keys).size().rename(n) for t, n in ((x, "p"), (y, "q")))
    both = pd.concat(
        [p / p.groupby("user").transform("sum"), q / q.groupby("user").transform("sum")], axis=1
    )
    both = both.fillna(0.0).reset_index()
    both["w"] = 1 - both["document"].map(sensitivity(both["document"].unique()))
    m = (both["p"] + both["q"]) / 2
    share = (
        sum(
            np.where(both[n] > 0, both[n] * np.log2(both[n].where(both[n] > 0, 1) / m), 0)
            for n in "pq"
        )
        / 2
    )
    gone = both.groupby("user")["q"].transform("sum") == 0
    share = np.where(gone, both["p"], share)
    return float((share * both["w"]).groupby(both["user"]).sum().mean())


SIDES: dict[str, Callable[[Any, Any], float]] = {"sfumato": ours, "pandas": with_pandas}


def measure(side: str, before: Path, after: Path, frames: bool) -> dict[str, float]:
    tables: tuple[object, object] = (before, after)
    if frames:
        import pandas as pd

        tables = (pd.read_parquet(before), pd.read_parquet(after))
    importlib.import_module("sfumato.measure.spi" if side == "sfumato" else "pandas")
    runs = []
    for _ in range(3 if before.stat().st_size < 50_000_000 else 1):
        wall, cpu = time.perf_counter(), time.process_time()
        score = SIDES[side](*tables)
        runs.append((time.process_time() - cpu, time.perf_counter() - wall))
    taken = min(runs)
    status = Path("/proc/self/status").read_text()
    peak = int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))
    return {"spi": score, "cpu": taken[0], "wall": taken[1], "gb": peak / 1024**2}


def apart(side: str, before: Path, after: Path, frames: bool) -> dict[str, float]:
    command = [sys.executable, __file__, "--side", side, "--files", str(before), str(after)]
    done = subprocess.run(
        [*command, *(["--frames"] if frames else [])], capture_output=True, text=True, check=True
    )
    answer: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return answer


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--small", action="store_true", help="Only 10,000 users.")
    parser.add_argument("--frames", action="store_true", help="Give both sides pandas frames.")
    parser.add_argument("--side", choices=SIDES, help=argparse.SUPPRESS)
    parser.add_argument("--files", nargs=2, type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.side:
        print(json.dumps(measure(options.side, options.files[0], options.files[1], options.frames)))
        return
    sides = [s for s in SIDES if s == "sfumato" or importlib.util.find_spec("pandas")]
    if len(sides) == 1:
        print("pandas is not installed: nothing to compare with")
    print(f"{'users x documents':22}{'':10}{'SPI':>10}{'CPU s':>9}{'wall s':>9}{'GB':>7}   goal")
    with tempfile.TemporaryDirectory() as name:
        for users, each in SIZES[: 1 if options.small else None]:
            before, after = make(Path(name), users, each)
            said, seconds, gigabytes = GOALS[users]
            for side in sides:
                found = apart(side, before, after, options.frames)
                goal = ""
                if side == "sfumato":
                    met = found["cpu"] <= seconds and found["gb"] <= (gigabytes or np.inf)
                    goal = f"at most {said}: {'met' if met else 'MISSED'}"
                print(
                    f"{f'{users:,} x {each}':22}{side:10}{found['spi']:10.6f}{found['cpu']:9.2f}"
                    f"{found['wall']:9.2f}{found['gb']:7.2f}   {goal}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
