"""A real PostgreSQL in a temporary folder, for the tests that need one."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

psycopg = pytest.importorskip(
    "psycopg", reason="psycopg is not installed: pip install 'sfumato[postgres]'"
)


class Server:
    """A server that listens on a socket in its own folder only."""

    def __init__(self, binaries: Path) -> None:
        self.binaries = binaries
        self.folder = Path(tempfile.mkdtemp(prefix="sfumato-pg-"))
        self.data = self.folder / "data"
        self.user = "postgres" if os.getuid() == 0 else ""
        if self.user:
            shutil.chown(self.folder, self.user)
        self.call(
            "initdb", "-D", str(self.data), "-U", "owner", "-A", "trust", "-E", "UTF8", "--no-sync"
        )
        self.start()

    def call(self, name: str, *arguments: str) -> None:
        options: dict[str, Any] = {"user": self.user} if self.user else {}
        subprocess.run(
            [str(self.binaries / name), *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            timeout=120,
            **options,
        )

    def start(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories='{self.folder}' -c fsync=off"
        log = str(self.folder / "log")
        self.call("pg_ctl", "-D", str(self.data), "-w", "-l", log, "-o", options, "start")

    def stop(self) -> None:
        self.call("pg_ctl", "-D", str(self.data), "-w", "-m", "immediate", "stop")

    def dsn(self, user: str = "service") -> str:
        return f"postgresql://{user}:not-a-secret@/postgres?host={self.folder}"


def binaries() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: p.parts[-3])
    on_path = shutil.which("initdb")
    return found[-1].parent if found else Path(on_path).resolve().parent if on_path else None


@contextmanager
def serving() -> Iterator[Server]:
    """A server of its own; the test is skipped where there is none."""
    where = binaries()
    if where is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    try:
        made = Server(where)
    except (OSError, LookupError, subprocess.SubprocessError) as error:
        pytest.skip(f"PostgreSQL cannot be started here: {error}")
    try:
        yield made
    finally:
        made.stop()
        shutil.rmtree(made.folder, ignore_errors=True)
