"""Somebody who may write where we work puts a key and a ledger of his own there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sfumato import keys
from sfumato.errors import LedgerError, SecretError
from sfumato.keys import Key
from sfumato.release import access
from sfumato.release.ledger import Ledger


@pytest.fixture
def planted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: Key) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / ".sfumato"
    folder.mkdir(mode=0o700)
    keys.write(key, folder / "key")
    Ledger(key, access.LEDGER).close()
    return folder


def test_what_is_our_own_is_used(planted: Path, key: Key) -> None:
    assert access.key_for(access.LEDGER, None)[0].hex() == key.hex()
    Ledger(key, access.LEDGER).close()


def test_a_folder_that_others_may_write_to_is_not_used(planted: Path) -> None:
    planted.chmod(0o777)
    with pytest.raises(
        SecretError, match=r"^\.sfumato: .* others may change it; .* chmod 700 \.sfumato$"
    ):
        access.key_for(access.LEDGER, None)
    (planted / "key").unlink()
    with pytest.raises(SecretError, match="chmod 700"):
        access.key_for(access.LEDGER, None)


def test_a_folder_that_is_a_link_is_not_used(planted: Path) -> None:
    planted.rename(planted.with_name("theirs"))
    planted.symlink_to("theirs")
    with pytest.raises(SecretError, match="is a link"):
        access.key_for(access.LEDGER, None)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_what_belongs_to_another_user_is_not_used(planted: Path, key: Key) -> None:
    os.chown(planted / "ledger.db", 12001, 12001)
    with pytest.raises(LedgerError, match="belongs to another user"):
        Ledger(key, access.LEDGER)
    os.chown(planted / "key", 12001, 12001)
    with pytest.raises(SecretError, match="belongs to another user"):
        access.key_for(access.LEDGER, None)
    os.chown(planted, 12001, 12001)
    with pytest.raises(SecretError, match=r"^\.sfumato: .* belongs to another user"):
        access.key_for(access.LEDGER, None)


def test_a_ledger_that_others_may_change_is_not_used(planted: Path, key: Key) -> None:
    (planted / "ledger.db").chmod(0o666)
    with pytest.raises(LedgerError, match=r"others may change it; .* chmod 600"):
        Ledger(key, access.LEDGER)


def test_a_ledger_is_not_made_where_a_link_points(planted: Path, key: Key, tmp_path: Path) -> None:
    (planted / "ledger.db").unlink()
    (planted / "ledger.db").symlink_to(tmp_path / "elsewhere.db")
    with pytest.raises(LedgerError, match="the ledger cannot be made"):
        Ledger(key, access.LEDGER)
    assert not (tmp_path / "elsewhere.db").exists()
