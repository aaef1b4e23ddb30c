from __future__ import annotations

import os
import stat
from itertools import islice
from pathlib import Path

import pytest

from sfumato import keys
from sfumato.errors import SecretError
from sfumato.keys import Key


def test_each_purpose_has_its_own_hash(key: Key) -> None:
    assert key.tag("a", "x") == key.tag("a", "x")
    assert (
        len({key.tag("a", "x"), key.tag("b", "x"), key.tag("a", "y"), keys.new().tag("a", "x")})
        == 4
    )


def test_derived_keys_never_change() -> None:
    """Ledgers and certificates of earlier versions are opened with them."""
    key = Key(bytes(range(32)))
    assert key.derive("certificate:seal").hex() == (
        "1646249eb94fa8c946f426ab4b12003150a3bae80b20c3ee3cbc6b14650678da"
    )
    assert key.derive("seal:x", 64).hex() == (
        "779a82a659aeed3198fa4b487c01896577066bd1c084332aa758134523b5ecaf"
        "06f6ad332112618b4f36f66a11bae139006f46995b2ec05aac40da0793bfd70b"
    )
    assert key.derive("é", 16).hex() == "d7f906f9a0cc970b40e7e8c20cba533d"


def test_what_is_sealed_opens_with_the_same_key_alone(key: Key) -> None:
    sealed = key.seal("p", "Ann")
    assert key.open("p", sealed) == b"Ann"
    assert b"Ann" not in sealed
    assert key.seal("p", "Ann") == sealed
    for other, purpose in ((keys.new(), "p"), (key, "q")):
        with pytest.raises(SecretError, match="does not open"):
            other.open(purpose, sealed)


def test_integers_depend_on_key_purpose_and_data(key: Key) -> None:
    first = list(islice(key.integers("p", "x"), 20))
    assert first == list(islice(key.integers("p", "x"), 20))
    assert len(set(first)) == 20
    assert first != list(islice(key.integers("p", "y"), 20))
    assert all(0 <= n < 2**32 for n in first)


def test_a_key_file_is_for_its_owner_and_never_overwritten(tmp_path: Path, key: Key) -> None:
    path = tmp_path / "key"
    keys.write(key, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert keys.read(path).hex() == key.hex()
    with pytest.raises(SecretError, match="never overwritten"):
        keys.write(key, path)
    with pytest.raises(SecretError, match="cannot write"):
        keys.write(key, tmp_path / "no" / "key")


def test_raw_bytes_are_a_key_too(tmp_path: Path) -> None:
    path = tmp_path / "raw"
    path.write_bytes(b"\x01" * 32)
    assert keys.read(path).hex() == "01" * 32


def test_what_is_no_key_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "short"
    path.write_text("abc123")
    with pytest.raises(SecretError, match="not a key"):
        keys.read(path)
    with pytest.raises(SecretError, match="cannot read"):
        keys.read(tmp_path / "none")
    monkeypatch.setenv(keys.ENVIRONMENT, "zz")
    with pytest.raises(SecretError, match=r"\$SFUMATO_KEY: not a key"):
        keys.from_environment()


def test_the_environment_holds_a_key_in_digits_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(keys.ENVIRONMENT, "a phrase of thirty-two letters..")
    with pytest.raises(SecretError, match=r"\$SFUMATO_KEY: not a key \(64 hexadecimal digits\)"):
        keys.from_environment()


def test_a_key_that_others_may_change_is_not_used(tmp_path: Path, key: Key) -> None:
    path = tmp_path / "key"
    keys.write(key, path)
    for mode in (0o620, 0o602):
        path.chmod(mode)
        with pytest.raises(SecretError, match=r"others may change it; .* chmod 600"):
            keys.read(path)


def test_a_key_that_nobody_named_is_no_link_and_for_its_owner_alone(
    tmp_path: Path, key: Key
) -> None:
    path, link = tmp_path / "key", tmp_path / "link"
    keys.write(key, path)
    link.symlink_to(path)
    assert keys.read(link).hex() == key.hex() == keys.read(path, named=False).hex()
    with pytest.raises(SecretError, match="is a link; name the file itself"):
        keys.read(link, named=False)
    path.chmod(0o644)
    assert keys.read(path).hex() == key.hex()  # as a mounted secret may be
    with pytest.raises(SecretError, match=r"others may read it; .* chmod 600"):
        keys.read(path, named=False)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_key_of_another_user_is_not_used(tmp_path: Path, key: Key) -> None:
    path = tmp_path / "key"
    keys.write(key, path)
    os.chown(path, 12001, 12001)
    with pytest.raises(SecretError, match="belongs to another user"):
        keys.read(path)


def test_the_environment_may_hold_the_key(monkeypatch: pytest.MonkeyPatch, key: Key) -> None:
    assert keys.from_environment() is None
    monkeypatch.setenv(keys.ENVIRONMENT, key.hex())
    made = keys.from_environment()
    assert made is not None
    assert made.hex() == key.hex()


def test_a_key_does_not_show_itself(key: Key) -> None:
    assert key.hex() not in repr(key)


def test_a_public_key_tells_its_own_signatures_and_survives_its_text(
    tmp_path: Path, key: Key
) -> None:
    public, signature = key.public, key.sign(b"message")
    assert public.verifies(signature, b"message")
    assert not public.verifies(signature, b"massage")
    assert not keys.new().public.verifies(signature, b"message")
    for broken in ("", "ed25519:", signature[:-2], signature.upper(), signature + "\n", "é" * 136):
        assert not public.verifies(broken, b"message")
    assert not keys.PublicKey(b"\xff" * 32).verifies(signature, b"message")
    path = tmp_path / "public"
    path.write_text(f"{public}\n")
    assert keys.read_public(str(path)) == keys.read_public(str(public)) == public
    assert key.hex() not in str(public)


def test_what_is_no_public_key_is_refused_and_a_secret_one_is_none(
    tmp_path: Path, key: Key
) -> None:
    secret = tmp_path / "key"
    keys.write(key, secret)
    with pytest.raises(SecretError, match=r"key: not a public key .* sfumato key public") as raised:
        keys.read_public(str(secret))
    assert key.hex() not in str(raised.value)
    with pytest.raises(SecretError, match="not a public key"):
        keys.read_public("ed25519:zz")
    with pytest.raises(SecretError, match="cannot read the public key"):
        keys.read_public(str(tmp_path / "none"))


@pytest.mark.parametrize(
    "raw",
    [
        *("00" * 32, "00" * 31 + "80", "01" + "00" * 31, "01" + "00" * 30 + "80"),
        *("ec" + "ff" * 30 + "7f", "ed" + "ff" * 30 + "7f", "ee" + "ff" * 30 + "ff", "ff" * 32),
        *(
            y[:62] + f"{int(y[62:], 16) | sign:02x}"
            for sign in (0, 0x80)
            for y in (
                "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
                "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
            )
        ),
    ],
)
def test_a_public_key_that_anybody_can_sign_for_is_refused(raw: str) -> None:
    with pytest.raises(SecretError, match="nobody's public key"):
        keys.parse_public(f"ed25519:{raw}")
