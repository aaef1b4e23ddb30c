"""What k and λ cost: points and recommendation."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato import policy
from sfumato.errors import InputError
from sfumato.measure import Frontier
from sfumato.measure.sweep import Sweep, parse_sweep
from sfumato.measure.table_frontier import explore, recommended
from tests.conftest import EXAMPLES
from tests.protect.tables.tables import csv_bytes, release, rules

BLOG = EXAMPLES / "blog.csv"


@pytest.fixture(scope="module")
def found() -> Frontier:
    return explore(BLOG, policy.load(EXAMPLES / "blog.yaml"))


def test_every_k_and_weight_is_a_point_with_the_loss_of_its_release(found: Frontier) -> None:
    assert len(found.points) == 6 * (2 + 7)
    refused = [p for p in found.points if p.refused]
    assert {p.settings["table.k"] for p in refused} == {10, 20, 50}
    base = policy.load(EXAMPLES / "blog.yaml")
    made, _ = release(BLOG.read_bytes(), base)
    point = next(p for p in found.points if p.settings == {"table.strategy": "gdf", "table.k": 2})
    assert point.more["relational_loss"] == pytest.approx(made.loss.relational)
    assert point.more["textual_loss"] == pytest.approx(made.loss.textual)
    assert point.risk == made.risk.prosecutor.highest


def test_the_recommendation_loses_least_at_its_k(found: Frontier) -> None:
    best = recommended(found, 2)
    assert best is not None
    mine = [p for p in found.points if not p.refused and p.more["k"] == 2]
    assert best.utility == max(p.utility for p in mine)
    assert best.more["strategy"] == "clusters"
    assert recommended(found) is not None
    assert recommended(found, 99) is None


def test_a_sweep_of_ones_own(tmp_path: Path) -> None:
    rows = [[f"u{i}", str(20 + i), "in Paris" if i % 2 else "in Lyon"] for i in range(8)]
    path = tmp_path / "t.csv"
    path.write_bytes(csv_bytes(["id", "age", "text"], rows))
    columns = {"id": "direct", "age": {"role": "quasi", "type": "number"}, "text": "text"}
    base = rules(columns, lists={"LOC": ["Paris", "Lyon"]})
    sweeps = [
        Sweep("table.generalise", (True, False)),
        Sweep("table.redundant", ("equal", "ignore")),
    ]
    one, two, three, _ = explore(path, base, sweeps).points
    assert one.more["textual_loss"] <= three.more["textual_loss"]
    assert one.more == two.more
    empty = explore(path, base, [Sweep("table.k", (9,))])
    assert recommended(empty) is None


def test_a_table_is_explored_by_its_own_losses() -> None:
    rules = policy.load(EXAMPLES / "blog.yaml")
    found = explore(BLOG, rules, [parse_sweep("table.k=2")])
    assert found.what == "table"
    assert {p.more["k"] for p in found.points} == {2}


def test_a_policy_without_a_table_is_refused() -> None:
    with pytest.raises(InputError, match="has no `table:`"):
        explore(BLOG, policy.load("default"))
