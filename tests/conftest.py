"""Fixtures and settings that every test shares."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from sfumato.keys import ENVIRONMENT, Key

# No deadlines: where the time is the claim, a test takes it itself.
settings.register_profile(
    "slow tier",
    deadline=None,
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("fast tier", settings.get_profile("slow tier"), max_examples=25)


def pytest_configure(config: pytest.Config) -> None:
    """Without the slow tests, property tests try fewer examples, too."""
    fast = "not slow" in config.getoption("markexpr")
    settings.load_profile("fast tier" if fast else "slow tier")


ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
SHARED = ROOT.parent / "shared" / "data"


@pytest.fixture(autouse=True)
def _no_key_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ENVIRONMENT, raising=False)


@pytest.fixture
def key() -> Key:
    return Key(bytes(range(32)))


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
