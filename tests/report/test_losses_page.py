"""What k and λ cost: picture, page and recommendation."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sfumato import policy
from sfumato.measure.frontier import Frontier
from sfumato.measure.table_frontier import explore
from sfumato.report.losses_page import losses_advice, losses_page, losses_plot
from tests.conftest import EXAMPLES


@pytest.fixture(scope="module")
def found() -> Frontier:
    return explore(EXAMPLES / "blog.csv", policy.load(EXAMPLES / "blog.yaml"))


def test_the_picture_and_the_page(found: Frontier) -> None:
    pytest.importorskip("matplotlib")
    assert losses_plot(found).startswith(b"<?xml")
    assert losses_plot(found, "png").startswith(b"\x89PNG")
    assert losses_plot(found) == losses_plot(found)
    made = losses_page(found, "blog", 2)
    assert "<svg" in made
    assert "Recommended: k = 2" in made
    assert "6 persons are fewer than k = 10" in made
    assert "Pedro" not in made


def test_the_recommendation_in_words(found: Frontier) -> None:
    assert "Recommended: k = 2, strategy clusters" in losses_advice(found, 2)
    refused = replace(found, points=tuple(p for p in found.points if p.refused))
    assert losses_advice(refused) == "No setting of the sweep can be used."
    assert "No setting of the sweep can be used." in losses_page(refused, "t")
