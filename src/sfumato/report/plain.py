"""The lines and tables that commands print: tables without lines, one cell beside the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.table import Table
from rich.text import Text


def one_line(text: str, style: str = "") -> Text:
    """A text as one line: the name of a file may hold a line's end, and would make lines of its own."""
    return Text(text.replace("\n", "\\n"), style=style)


def table(
    header: Sequence[str], rows: Iterable[Sequence[str | Text]] = (), *, right: Sequence[str] = ()
) -> Table:
    """A table without lines; what stands in a cell is shown as it is. The columns named in `right` are
    numbers."""
    made = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", show_header=any(header))
    for column in header:
        made.add_column(column, justify="right" if column in right else "left")
    for row in rows:
        made.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))
    return made
