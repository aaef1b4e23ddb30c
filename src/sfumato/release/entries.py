"""An entry of the ledger, and how it is written: edits as columns, one list for each field."""

from __future__ import annotations

import base64
import json
import secrets
import sys
import zlib
from array import array
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from operator import sub
from typing import Any

from sfumato.document import Edit, EditColumns, Origin, Part, Patch, Record, StringColumn
from sfumato.keys import Key
from sfumato.release import certificate
from sfumato.release.certificate import Certificate


@dataclass(frozen=True, slots=True)
class Entry:
    """A release as the ledger knows it: its record, the policy it was made by, its certificate.

    `surrogates` are the rows of the vault that it took part in, by their keyed hashes; ledgers of before
    certificates were signed do not know them. `targets` are where it was written, `links` by which other
    names, `earlier` where the same release of another input came later. `key` is the one that made it, or
    what is left of that.
    """

    record: Record
    policy: str
    certificate: Certificate
    surrogates: tuple[bytes, ...] | None = field(default=None, repr=False)
    targets: tuple[str, ...] = field(default=(), repr=False)
    earlier: tuple[str, ...] = field(default=(), repr=False)
    links: tuple[str, ...] = field(default=(), repr=False)
    key: Key | None = None


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How many releases of a document were forgotten, and how many surrogates nobody else has: None where
    the ledger cannot know. They are gone too, unless they were to be kept."""

    releases: int
    surrogates: int | None


_EDIT_FIELDS = tuple(f.name for f in fields(Edit))


def to_json(entry: Entry) -> dict[str, Any]:
    """What is sealed of an entry."""
    record = entry.record
    edits: dict[str, Any]
    if isinstance(record.edits, EditColumns):
        edits = _packed_edits(record.edits)
    else:
        rows = [tuple(getattr(e, name) for name in _EDIT_FIELDS) for e in record.edits]
        columns = list(map(list, zip(*rows, strict=True))) or [[] for _ in _EDIT_FIELDS]
        edits = dict(zip(_EDIT_FIELDS, columns, strict=True))
    originals = record.originals
    undo = record.undo if record.undo is None else [(p.start, p.end, p.text) for p in record.undo]
    used = entry.surrogates
    return {
        "name": record.name,
        "origin": asdict(record.origin),
        "edits": edits,
        "originals": _packed_strings(originals)
        if isinstance(originals, StringColumn)
        else originals,
        "undo": undo,
        "policy": entry.policy,
        "certificate": entry.certificate.to_dict(),
        "targets": list(entry.targets),
        "earlier": list(entry.earlier),
        "links": list(entry.links),
        "nonce": secrets.token_hex(8),  # so that no row is ever made twice
        **({"surrogates": [tag.hex() for tag in used]} if used is not None else {}),
    }


def from_json(data: dict[str, Any]) -> Entry:
    origin, undo, originals = data["origin"], data["undo"], data["originals"]
    return Entry(
        Record(
            data["name"],
            Origin(
                **origin
                | {
                    "parts": tuple(Part(**p) for p in origin["parts"]),
                    "columns": tuple(origin["columns"]),
                    "seams": tuple(origin.get("seams", ())),
                }
            ),
            _edits(data["edits"]),
            _strings(originals) if isinstance(originals, dict) else tuple(originals),
            undo if undo is None else tuple(Patch(*p) for p in undo),
        ),
        data["policy"],
        certificate.parse(json.dumps(data["certificate"]), "the ledger's certificate"),
        tuple(map(bytes.fromhex, data["surrogates"])) if "surrogates" in data else None,
        tuple(data.get("targets", ())),
        tuple(data.get("earlier", ())),
        tuple(data.get("links", ())),
    )


def _edits(stored: dict[str, Any]) -> Sequence[Edit]:
    if "gaps" in stored:
        return _unpacked_edits(stored)
    rows = (dict(zip(stored, row, strict=True)) for row in zip(*stored.values(), strict=True))
    return tuple(Edit(**e | {"alternatives": tuple(e["alternatives"])}) for e in rows)


# Edits that are columns already stay so: gaps and lengths are small numbers, and compress well.


def _packed_edits(edits: EditColumns) -> dict[str, Any]:
    before = array("q", [0, *edits.ends[:-1]]) if len(edits) else edits.ends
    gaps = array("i", map(sub, edits.starts, before))
    lengths = array("i", map(sub, edits.ends, edits.starts))
    return {
        "gaps": _packed(gaps),
        "lengths": _packed(lengths),
        "kinds": _packed_strings(edits.kinds),
        "replacements": _packed_strings(edits.replacements),
        "reasons": _packed_strings(edits.reasons),
        "hows": _packed_strings(edits.hows),
    }


def _unpacked_edits(stored: dict[str, Any]) -> EditColumns:
    starts, ends, at = array("q"), array("q"), 0
    for gap, length in zip(_unpacked(stored["gaps"]), _unpacked(stored["lengths"]), strict=True):
        starts.append(at + gap)
        at += gap + length
        ends.append(at)
    words = (_strings(stored[n]) for n in ("kinds", "replacements", "reasons", "hows"))
    return EditColumns(starts, ends, *words)


def _packed_strings(column: StringColumn) -> dict[str, Any]:
    return {"codes": _packed(column.codes), "strings": column.strings}


def _strings(stored: dict[str, Any]) -> StringColumn:
    return StringColumn(_unpacked(stored["codes"]), stored["strings"])


def _packed(numbers: array[int]) -> str:
    """Numbers of 32 bits, the low byte first."""
    if sys.byteorder == "big":
        numbers = array("i", numbers)
        numbers.byteswap()
    return base64.b64encode(zlib.compress(numbers.tobytes(), 1)).decode("ascii")


def _unpacked(text: str) -> array[int]:
    numbers = array("i", zlib.decompress(base64.b64decode(text)))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
