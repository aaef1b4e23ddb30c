"""A first policy for a table: what each column seems to be, with the reasons as comments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import yaml

from sfumato.english.dates import read_day
from sfumato.english.numbers import read_number
from sfumato.formats.table import Table

_DIRECT = re.compile(
    r"(?i)(?:^|[_\W])(?:id|ids|name|surname|firstname|lastname|email|e_mail|mail|phone|tel|mobile|fax|ssn|"
    r"passport|iban|card|user|username|login|mrn|uuid|address|street|author|customer|patient|person)"
    r"(?:$|[_\W])"
)
_SENSITIVE = re.compile(
    r"(?i)diagnos|disease|illness|salary|income|wage|religion|belief|politic|sexual|health|hiv|crime|debt|"
    r"medication|treatment"
)
_POSTCODE = re.compile(r"(?i)zip|post_?code|postal|plz")
_SHAPED = re.compile(r"[\w.+-]+@[\w-]+\.[\w.]+|\+?[\d\s()/-]{9,}|[0-9a-f]{8}-[0-9a-f-]{27}", re.I)
_FORMATS = (
    *("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%Y/%m/%d", "%d,%B,%Y"),
    *("%d %B %Y", "%B %d, %Y", "%Y%m%d", "%Y-%m-%d %H:%M:%S", "%d %b %Y", "%m/%d/%y", "%d.%m.%y"),
)
ENOUGH = 0.95  # share of cells that must be of a form
SAMPLE = 5000
KINDS_OF = {"age": "AGE", "date": "DATE", "city": "LOC", "country": "LOC", "place": "LOC"}


@dataclass(frozen=True)
class Suggestion:
    """What a column seems to be, and why."""

    settings: dict[str, object]
    reasons: tuple[str, ...]


def _suggestion(role: str, *reasons: str, **settings: object) -> Suggestion:
    return Suggestion({"role": role, **settings}, reasons)


def suggest(table: Table) -> str:
    """A policy as YAML; nothing of the table's cells is in it."""
    made = {name: look(name, table.texts(name)) for name in table.names}
    person, why = _person(table, made)
    lines = [
        "# A first policy, made by looking at the columns. Read the reasons, and decide.",
        "name: my-table",
        "detect: [patterns, personal]",
        "table:",
        "  k: 5  # persons that look alike, at least; `sfumato explore` shows what more would cost",
        "  strategy: clusters  # or mondrian, gdf",
        f"  empty: {'keep-empty' if _has_empty(table) else 'error'}"
        + ("  # some cells are empty" if _has_empty(table) else ""),
    ]
    if person is not None:
        made[person] = _suggestion("direct", *made[person].reasons[:1], why)
        lines.append(f"  person: {_yaml(person)}  # {why}")
    lines.append("  columns:")
    for name, found in made.items():
        lines += [f"    # {reason}" for reason in found.reasons]
        lines.append(f"    {_yaml(name)}: {_yaml(found.settings)}")
    return "\n".join(lines) + "\n"


def look(name: str, cells: Sequence[str]) -> Suggestion:
    """What one column seems to be."""
    some = [c.strip() for c in cells if c.strip()][:SAMPLE]
    if not some:
        return _suggestion("insensitive", "every cell is empty")
    distinct = len(set(some))
    if distinct == 1:
        return _suggestion("insensitive", "the same in every row: it tells nobody apart")
    words = sum(len(c.split()) for c in some) / len(some)
    if words >= 4 and distinct > len(some) / 10:
        why = f"{words:.0f} words in a cell on average: terms are looked for in it"
        return _suggestion("text", why)
    share = distinct / len(some)
    shaped = sum(bool(_SHAPED.fullmatch(c)) for c in some) / len(some)
    form = _date_form(some)
    numeric = sum(read_number(c) is not None for c in some) / len(some)
    if shaped >= ENOUGH and form is None and (numeric < ENOUGH or share > 0.9):
        return _suggestion("direct", "e-mail addresses, telephone numbers or codes")
    if _DIRECT.search(name) and share > 0.05:
        why = f"named like an identifier; {distinct:,} values in {len(some):,} cells"
        return _suggestion("direct", why)
    if form is not None:
        why = f"dates{f' of the form {form}' if form else ' as people write them'}"
        given: dict[str, object] = {"format": form} if form else {}
        return _suggestion("quasi", why, type="date", **given, kinds=["DATE"])
    return _value(name, distinct, share, numeric)


def _value(name: str, distinct: int, share: float, numeric: float) -> Suggestion:
    many = f"{distinct:,} different values"
    kinds = [kind for word, kind in KINDS_OF.items() if word in name.lower()]
    extra: dict[str, object] = {"kinds": kinds} if kinds else {}
    is_number = numeric >= ENOUGH and not _POSTCODE.search(name)
    if _SENSITIVE.search(name):
        type_: dict[str, object] = {"type": "number"} if is_number else {}
        why = f"named like what nobody may learn about a person; {many}"
        least = "distinct: 2 is the least of ℓ-diversity"
        return _suggestion("sensitive", why, least, **type_, distinct=2)
    if _POSTCODE.search(name):
        why = "postcodes: shortened from the right where needed"
        return _suggestion("quasi", why, type="string")
    if is_number:
        why = f"numbers, {many}; a class shows a range (or `shown: mean`, or a hierarchy of ranges)"
        return _suggestion("quasi", why, type="number", **extra)
    if share > 0.9 and distinct > 20:
        return _suggestion("direct", f"nearly every cell is different ({many})")
    reasons = [f"names, {many}; a class shows the set of its values"]
    if distinct > 8:
        reasons.append(
            "a hierarchy (`hierarchy: file.csv`, most specific first) would say more than long sets"
        )
    return _suggestion("quasi", *reasons, **extra)


def _date_form(some: Sequence[str]) -> str | None:
    """The form of dates; "" for dates that people write in several ways, None for no dates."""
    if not any(ch.isdigit() for ch in some[0]) or all(c.isdigit() and len(c) != 8 for c in some):
        return None
    for form in _FORMATS:
        if sum(read_day(c, form) is not None for c in some) >= ENOUGH * len(some):
            return form
    return "" if sum(read_day(c) is not None for c in some) >= ENOUGH * len(some) else None


def _person(table: Table, made: dict[str, Suggestion]) -> tuple[str | None, str]:
    """The column that tells persons apart, if one does: the one whose rows agree in most other columns."""
    best, most = None, -1
    for name, found in made.items():
        if found.settings["role"] != "direct":
            continue
        keys = table.texts(name)
        if not all(k.strip() for k in keys):
            continue
        agreeing = 0
        for other, about in made.items():
            if other != name and about.settings["role"] in ("quasi", "direct"):
                pairs = len(set(zip(keys, table.texts(other), strict=True)))
                agreeing += pairs == len(set(keys))
        if agreeing > most or (agreeing == most and best is None):
            best, most = name, agreeing
    if best is None:
        return None, ""
    rows, persons = len(table), len(set(table.texts(best)))
    if persons == rows:
        return best, "every row has its own: a row is a person"
    return best, f"{persons:,} persons with {rows / persons:.1f} rows on average"


def _has_empty(table: Table) -> bool:
    return any(not c.strip() for name in table.names for c in table.texts(name))


def _yaml(value: object) -> str:
    text = yaml.safe_dump(
        value, default_flow_style=True, width=10_000, allow_unicode=True, sort_keys=False
    )
    return text.strip().removesuffix("...").strip()
