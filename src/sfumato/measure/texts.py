"""Texts before and after: from files, folders, data frames or Python, paired up.

>>> pair_up("Ann has flu.", "[PERSON] has flu.")
[TextPair(name='text')]
>>> [pair.name for pair in pair_up(["a", "b"], ["c", "d"])]
['text 1', 'text 2']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sfumato import formats as read
from sfumato.errors import InputError
from sfumato.files import real
from sfumato.formats import table
from sfumato.formats.columns import chunks, plain
from sfumato.formats.rows import JSON_LINES, PARQUET, SEPARATORS
from sfumato.release import batch
from sfumato.release.certificate import SUFFIX

TABLES = (*SEPARATORS, *JSON_LINES, *PARQUET)
NAMED = 3  # names that an error lists

# [PERSON], <PERSON_1>, {{NAME}}: what tools write in the place of a term
_LABEL = re.compile(r"(?<![\[<{])[\[<{]++[A-Z][A-Z_]*(?:[ _-]?\d+)?[\]>}]+")

Source = Any  # a text, texts in order or by name, a series or frame with the column `text`, a Path


@dataclass(frozen=True, slots=True)
class TextPair:
    """A text before and after, and the name that both go by."""

    name: str
    original: str = field(repr=False)
    released: str = field(repr=False)


def pair_up(original: Source, released: Source, *, encoding: str = "utf-8") -> list[TextPair]:
    """The pairs of two sources: by name where both have names (folders), else by place.

    Texts that do not pair up, an empty original and a release without a single word are refused.
    """
    before, after = (read_texts(s, encoding=encoding) for s in (original, released))
    where = (_said(original, "the original"), _said(released, "the release"))
    if not before:
        raise InputError(f"{where[0]} holds no texts")
    if len(before) == len(after) == 1:
        ((name, text),) = before.items()
        pairs = [TextPair(name, text, next(iter(after.values())))]
    elif before.keys() != after.keys():
        raise InputError(_apart(before, after, where))
    else:
        pairs = [TextPair(name, before[name], after[name]) for name in before]
    if not any(p.original.strip() for p in pairs):
        raise InputError(f"{where[0]} is empty: there is nothing to measure")
    if not any(p.released.strip() for p in pairs):
        raise InputError(
            f"{where[1]} is empty: nothing is left to measure; everything hidden keeps nothing"
        )
    return pairs


def read_texts(source: Source, *, encoding: str = "utf-8") -> dict[str, str]:
    """The texts of a source by name. Certificates in a folder are no texts."""
    if isinstance(source, str):
        return {"text": source}
    if isinstance(source, Path):
        return _from_files(source, encoding)
    if isinstance(source, Mapping):
        return {str(name): _text(value) for name, value in source.items()}
    if isinstance(source, Sequence) and not isinstance(source, bytes):
        values = list(source)
    elif hasattr(source, "to_list") or hasattr(source, "to_pylist"):
        values = list(source.to_list() if hasattr(source, "to_list") else source.to_pylist())
    else:
        found = chunks(source, ("text",), "table of texts")
        values = [value for (column,) in found for value in plain(column)]
    return {f"text {n}": _text(value) for n, value in enumerate(values, 1)}


def read_people(
    path: Path, *, person: str = "person", text: str = "text", encoding: str = "utf-8"
) -> dict[str, str]:
    """What is known about each person, by name: a table, or a folder with one file for each.

    Several rows about one person are one text.
    """
    if path.is_dir() or path.suffix.lower() not in TABLES:
        return {Path(name).stem: said for name, said in _from_files(path, encoding).items()}
    found: dict[str, list[str]] = {}
    for names, texts in chunks(path, (person, text)):
        for name, said in zip(plain(names), plain(texts), strict=True):
            if name is None or not str(name).strip():
                raise InputError.at(path, f"a row has no '{person}'")
            found.setdefault(str(name), []).append("" if said is None else str(said))
    if not found:
        raise InputError.at(path, "the table has no rows")
    return {name: "\n".join(parts) for name, parts in found.items()}


def read_truth(path: Path | None, names: Iterable[str]) -> dict[str, str]:
    """The person of each file: from a table of (file, person), else the file's own name."""
    found = {name: Path(name).stem for name in names}
    if path is not None:
        for files, people in chunks(path, ("file", "person")):
            told = dict(zip(map(str, plain(files)), map(str, plain(people)), strict=True))
            found |= {name: who for name, who in told.items() if name in found}
    return found


def keep_apart(target: Path | None, *inputs: Path | None) -> None:
    """Refuse to write over an input or into a folder of inputs."""
    for given in inputs:
        if target is not None and given is not None and _is_in(target, given):
            raise InputError.at(
                target, f"is or lies in the input {given}; an original is never overwritten"
            )


def _is_in(target: Path, given: Path) -> bool:
    return real(target) == real(given) or (
        given.is_dir() and real(target).is_relative_to(real(given))
    )


def is_table(path: Path) -> bool:
    """Whether a path names a table of rows and not a text."""
    return path.suffix.lower() in TABLES and not path.is_dir()


def without_labels(text: str) -> str:
    """The text without what tools write in the place of a term: a label is not said by the author.

    >>> without_labels("Call [PERSON] at <PHONE_1> today.")
    'Call | at | today.'
    """
    return _LABEL.sub("|", text)


def _from_files(path: Path, encoding: str) -> dict[str, str]:
    jobs = batch.plan([str(path)], None)
    texts = [job for job in jobs if not job.name.endswith(SUFFIX)]
    if not texts:
        raise InputError.at(path, "no texts in it")
    return {job.name: _read(job, encoding) for job in texts}


def _read(job: batch.Job, encoding: str) -> str:
    """The text of a file; of a table, all of its cells."""
    path, name = job.source, job.name
    if job.fault:
        raise InputError(job.fault, path=str(path))
    if read.format_of(path) not in ("csv", "tsv", "parquet", "excel"):
        return read.read(path, name=name, encoding=encoding).text
    format, data = f"table/{table.format_of(path)}", read.file_bytes(path)
    return read.parse(data, name=name, format=format, encoding=encoding, where=str(path)).text


def _text(value: Any) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InputError(f"a text is a string, not {type(value).__name__}")
    return value


def _said(source: Source, otherwise: str) -> str:
    return str(source) if isinstance(source, Path) else otherwise


def _apart(before: Mapping[str, str], after: Mapping[str, str], where: tuple[str, str]) -> str:
    """What does not pair up, in words."""
    parts = []
    for missing, place in (
        ([n for n in before if n not in after], where[1]),
        ([n for n in after if n not in before], where[0]),
    ):
        if missing:
            shown = ", ".join(missing[:NAMED])
            more = f" and {len(missing) - NAMED:,} more" if len(missing) > NAMED else ""
            parts.append(f"{place} has no {shown}{more}")
    return f"the texts do not pair up: {'; '.join(parts)}. Files are paired by name"
