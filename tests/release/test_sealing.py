from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato import keys
from sfumato.errors import SecretError
from sfumato.keys import FormerKey, Key
from sfumato.release.sealing import SHORTEST, STEP, Sealing
from tests.strategies import examples

KEY = Key(bytes(range(32)))
SEALING = Sealing(KEY)
PLACE = (b"one", b"two")


@examples(200)
@given(st.lists(st.text(), max_size=40))
def test_a_row_opens_in_its_place(row: list[str]) -> None:
    assert SEALING.open("vault", PLACE, SEALING.seal("vault", PLACE, row)) == row


@pytest.mark.parametrize(
    "place", [(b"one",), (b"two", b"one"), (b"one", b"two", b""), (b"onet", b"wo")]
)
def test_a_row_opens_in_no_other_place(place: tuple[bytes, ...]) -> None:
    sealed = SEALING.seal("vault", PLACE, ["x"])
    with pytest.raises(SecretError):
        SEALING.open("vault", place, sealed)
    with pytest.raises(SecretError):
        SEALING.open("release", PLACE, sealed)
    with pytest.raises(SecretError):  # another ledger with the same key
        Sealing(KEY).open("vault", PLACE, sealed)


def test_lengths_tell_no_name() -> None:
    rows = [
        ["PERSON", "Bo", "Al"],
        ["PERSON", "Maximiliane von Hohenzollern-Sigmaringen", "x" * 60],
    ]
    assert len({len(SEALING.seal("vault", PLACE, row)) for row in rows}) == 1


@pytest.mark.parametrize("size", [0, SHORTEST, 5_000, STEP - 8, STEP, 3 * STEP + 1])
def test_lengths_are_few_and_cost_at_most_as_much_again(size: int) -> None:
    tag = 16
    padded = len(SEALING.seal("vault", PLACE, "x" * size)) - tag
    plain = len(json.dumps("x" * size))
    assert plain < padded <= max(SHORTEST, 2 * plain)
    assert padded.bit_count() == 1 if padded < STEP else padded % STEP == 0


def test_under_another_key_hashes_are_new_and_need_both_keys() -> None:
    new = keys.new()
    sealing = SEALING.under(new)
    tag = sealing.tag("name", "a.txt")
    assert tag == new.tag("name", KEY.tag("name", "a.txt"))
    assert tag not in (KEY.tag("name", "a.txt"), new.tag("name", "a.txt"))
    again = Sealing.read(new, sealing.meta())
    assert again is not None
    assert again.tag("name", "a.txt") == tag
    with pytest.raises(SecretError, match="does not open the ledger"):
        Sealing.read(KEY, sealing.meta())


def test_of_a_former_key_only_hashes_are_kept() -> None:
    former = FormerKey(KEY.former())
    assert former.public == KEY.public
    assert former.input_hash(b"x") == KEY.input_hash(b"x")
    sealed = KEY.seal("vault", b"x")
    for do in (
        lambda: former.open("vault", sealed),
        lambda: former.sign(b"x"),
        former.hex,
        lambda: former.derive("certificate:signature", 32),
    ):
        with pytest.raises(SecretError):
            do()
    assert KEY.hex() not in json.dumps(former.kept)
