"""Hierarchies in ARX's CSV form."""

from __future__ import annotations

import csv
import io


def read_arx(text: str, delimiter: str | None = None) -> tuple[tuple[str, ...], ...]:
    """The paths of a hierarchy in ARX's CSV form: one line for each value, then its generalisations.

    The delimiter is found from the first line (`;`, `,`, tab or `|`) unless it is given.

    >>> read_arx("Private;Non-Government;*\\nState-gov;Government;*\\n")
    (('Private', 'Non-Government', '*'), ('State-gov', 'Government', '*'))
    """
    first = text.partition("\n")[0]
    if delimiter is None:
        delimiter = max(";,\t|", key=first.count)
    rows = csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=delimiter)
    return tuple(tuple(cell.strip() for cell in row) for row in rows if row)
