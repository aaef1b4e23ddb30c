"""Locks that somebody else keeps."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Any

import pytest

from sfumato import files, folders
from sfumato.errors import InputError


def test_whoever_keeps_a_folder_locked_is_waited_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sfumato.locks.PATIENCE", 0.3)
    descriptor = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    waited: list[float] = []
    monkeypatch.setattr("sfumato.locks.time.sleep", waited.append)
    try:
        with (
            pytest.raises(InputError, match="another program has kept it locked"),
            folders.alone(tmp_path),
        ):
            pass
        files.write_together([(tmp_path / "c", b"x"), (tmp_path / "r", b"x")])
        before = len(waited)
        files.write_together([(tmp_path / "d", b"x"), (tmp_path / "s", b"x")])
    finally:
        os.close(descriptor)
    assert len(waited) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c", "d", "r", "s"]


def test_whoever_keeps_many_folders_locked_is_waited_for_once_in_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sfumato.locks.PATIENCE", 20.0)
    monkeypatch.setattr("sfumato.locks._waited", 0.0)
    now = 0.0

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    monkeypatch.setattr("sfumato.locks.time.sleep", sleep)
    monkeypatch.setattr("sfumato.locks.time.monotonic", lambda: now)
    places = [tmp_path / str(number) for number in range(30)]
    for place in places:
        place.mkdir()
    kept = [os.open(place, os.O_RDONLY) for place in places]
    try:
        for descriptor in kept:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        for place in places:
            files.write_together([(place / "c", b"x"), (place / "r", b"x")])
    finally:
        for descriptor in kept:
            os.close(descriptor)
    assert 20 <= now < 25


@pytest.mark.parametrize("times", [1, 50, 1000])
def test_whoever_locks_a_new_file_before_us_does_not_keep_us_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    """As one may who watches the folder and can read what appears in it."""
    lock, kept = fcntl.flock, list[int]()

    def late(file: Any, how: int) -> None:
        if not isinstance(file, int) and len(kept) < times:
            (new,) = tmp_path.glob(".sfumato-*.part")
            kept.append(os.open(new, os.O_RDONLY))
            lock(kept[-1], fcntl.LOCK_SH)
        lock(file, how)

    monkeypatch.setattr("sfumato.locks.fcntl.flock", late)
    try:
        if times < folders.ATTEMPTS:
            files.write_file(tmp_path / "a", b"x")
        else:
            with pytest.raises(InputError, match="somebody locks every new file"):
                files.write_file(tmp_path / "a", b"x")
    finally:
        for descriptor in kept:
            os.close(descriptor)
    assert sorted(path.name for path in tmp_path.iterdir()) == (
        ["a"] if times < folders.ATTEMPTS else []
    )
