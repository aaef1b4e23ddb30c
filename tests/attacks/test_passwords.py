"""A policy names its author's own server, to which the user's database password would go."""

from __future__ import annotations

import socket
import struct
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from sfumato import InputError, sanitize
from sfumato.know.entities import readers
from sfumato.know.entities.logins import as_login

pytest.importorskip("psycopg")

SECRET = "hunter2"


class Listener:
    """Asks whoever comes for a password in clear text, and keeps what was said."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self.heard = b""
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        try:
            while True:
                with self._socket.accept()[0] as caller:
                    self._ask(caller)
        except OSError:
            pass  # closed

    def _ask(self, caller: socket.socket) -> None:
        caller.settimeout(20)
        try:
            while struct.unpack("!II", caller.recv(8))[1] in (80877103, 80877104):
                caller.send(b"N")  # neither TLS nor GSSAPI
            self.heard += caller.recv(4096)
            caller.send(b"R" + struct.pack("!II", 8, 3))
            self.heard += caller.recv(4096)
        except (OSError, struct.error):
            pass

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Listener]:
    made = Listener()
    passwords = tmp_path / "passwords"
    passwords.write_text(f"db.example:*:*:*:{SECRET}\n127.0.0.1:*:own:*:meant for it\n")
    passwords.chmod(0o600)
    (tmp_path / "services").write_text(f"[clinic]\nhost=db.example\npassword={SECRET}\n")
    monkeypatch.setenv("PGPASSFILE", str(passwords))
    monkeypatch.setenv("PGSERVICEFILE", str(tmp_path / "services"))
    monkeypatch.setenv("PGPASSWORD", SECRET)
    yield made
    made.close()


def release_with(entities: str) -> None:
    step = {"k": 2, "entities": entities, "tables": {"timeout": 5}}
    sanitize("Fever.", {"detect": [], "protect": [{"ksafety": step}]}, reader="bob")


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://bob@127.0.0.1:{port}/x",
        "postgres://bob@localhost:{port}/x?sslmode=disable",
        "postgresql:///x?host=127.0.0.1&port={port}&user=bob",
        "postgresql://bob:@127.0.0.1:{port}/x?password=",
        "postgresql://bob@db.example:{port}/x?hostaddr=127.0.0.1",
        "postgresql://bob@127.0.0.1:{port}/x?service=clinic",
        "postgresql://bob@127.0.0.1:{port}/x?passfile=/etc/passwd",
        "postgresql://bob@127.0.0.1:{port}/x?gssdelegation=1",
    ],
)
def test_the_author_of_a_policy_is_sent_no_password(listener: Listener, address: str) -> None:
    with pytest.raises(InputError):
        release_with(address.format(port=listener.port))
    assert SECRET.encode() not in listener.heard


@pytest.mark.parametrize(
    "address", ["postgresql://{{reader}}@{at}/x", "host={host} user={{reader}}"]
)
def test_nor_by_the_readers_login(listener: Listener, address: str) -> None:
    login = address.format(at=f"127.0.0.1:{listener.port}", host=f"127.0.0.1 port={listener.port}")
    service: Any = None  # never asked
    with pytest.raises(InputError):
        as_login(readers.address(login), "bob", "SELECT 1", 5, 5, service)
    assert SECRET.encode() not in listener.heard


def test_an_address_of_the_environment_is_sent_its_password(
    listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLINIC", f"postgresql://bob@127.0.0.1:{listener.port}/x")
    with pytest.raises(InputError, match="refuses the login"):
        release_with("$CLINIC")
    assert SECRET.encode() in listener.heard


def test_a_password_that_is_kept_for_the_host_is_sent_there(listener: Listener) -> None:
    with pytest.raises(InputError, match="refuses the login"):
        release_with(f"postgresql://bob@127.0.0.1:{listener.port}/own")
    assert b"meant for it" in listener.heard
    assert SECRET.encode() not in listener.heard
