from __future__ import annotations

import io

import pytest
from rich.console import Console

from sfumato.report import progress


def test_a_bar_appears_when_work_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    seen = io.StringIO()
    console = Console(file=seen, force_terminal=True, width=60)
    assert list(progress.watched(range(3), 3, console)) == [0, 1, 2]
    assert "sanitizing" in seen.getvalue()


def test_short_work_shows_nothing() -> None:
    seen = io.StringIO()
    assert list(progress.watched(range(3), 3, Console(file=seen, force_terminal=True))) == [0, 1, 2]
    assert "sanitizing" not in seen.getvalue()
