"""Tables in Parquet files."""

from __future__ import annotations

import pytest

from sfumato.errors import InputError
from sfumato.formats import parquet


@pytest.mark.parametrize(
    "head",
    [
        b"\x19\xf7" + b"\xff" * 8 + b"\x7f" + b"\x00" * 50,  # a list of very many numbers
        b"\x19" * 3_000,  # lists in lists
        b"\x1c" * 3_000,  # structures in structures
        b"\x15\x00\x15\x09\x15\x02\x2c\x15\x02\x15\x00\x00\x00" + b"a" * 50,  # -5 bytes
        b"\x15\x00\x15\x02\x15\x02\x2c\x15\x09\x15\x00\x00\x00" + b"a" * 50,  # -5 values
        b"\x15\x00\x15\x02\x15\x09\x2c\x15\x02\x15\x00\x00\x00" + b"a" * 50,  # before itself
    ],
)
def test_a_page_whose_head_makes_no_sense_is_refused(head: bytes) -> None:
    with pytest.raises(InputError, match="not a Parquet file"):
        list(parquet._pages(head, 0, len(head), "x"))
    sound = b"\x15\x00\x15\x02\x15\x02\x2c\x15\x02\x15\x00\x00\x00a"
    assert list(parquet._pages(sound, 0, len(sound), "x")) == [(1, 1, 0)]
    for start, length in ((-3, 10), (0, -3)):
        with pytest.raises(InputError):
            list(parquet._pages(sound, start, length, "x"))
