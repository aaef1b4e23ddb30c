"""What the ledger keeps about a table's release: who is in which row, and every edit, packed."""

from __future__ import annotations

import base64
import io
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sfumato.errors import LedgerError
from sfumato.protect.tables.segments import Ints

Numbers = np.ndarray[Any, np.dtype[np.int32]]

TABLE = "TABLE"  # the kind of the one edit that stands for a whole table


@dataclass(frozen=True)
class Details:
    """`number`: the row of the input for each row of the release; `person`: whose it is; `marks`: the
    spans of the cleaned input (`start`, `end`) and of the release (`begin`, `stop`), by name."""

    number: Ints
    person: Ints
    marks: Mapping[str, Numbers] = field(repr=False)
    strings: tuple[str, ...] = field(repr=False)  # what `text` and `kind` number
    hows: tuple[str, ...]
    columns: tuple[str, ...]  # what `column` numbers
    quasi: tuple[str, ...]  # what `of` numbers, for marks of how `column`
    encoding: str
    form: str
    clean: tuple[str, ...] = ()


def pack(details: Details) -> str:
    """Details as text."""
    out = io.BytesIO()
    arrays = dict(details.marks)
    arrays |= {"number": details.number.astype(np.int32), "person": details.person.astype(np.int32)}
    np.savez(out, allow_pickle=False, **arrays)
    head = {
        "strings": details.strings,
        "hows": details.hows,
        "columns": details.columns,
        "quasi": details.quasi,
        "encoding": details.encoding,
        "form": details.form,
        "clean": details.clean,
        "arrays": base64.b64encode(zlib.compress(out.getvalue(), 1)).decode("ascii"),
    }
    return json.dumps(head)


def unpack(text: str) -> Details:
    """Details from `pack`."""
    try:
        head: dict[str, Any] = json.loads(text)
        with np.load(io.BytesIO(zlib.decompress(base64.b64decode(head["arrays"])))) as found:
            arrays = {name: found[name] for name in found.files}
        return Details(
            arrays.pop("number").astype(np.int64),
            arrays.pop("person").astype(np.int64),
            arrays,
            tuple(head["strings"]),
            tuple(head["hows"]),
            tuple(head["columns"]),
            tuple(head["quasi"]),
            head["encoding"],
            head["form"],
            tuple(head["clean"]),
        )
    except (ValueError, KeyError, TypeError, OSError, zlib.error):
        raise LedgerError("the ledger's record of this table is damaged") from None
