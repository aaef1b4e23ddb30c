"""What was done to a table as ordinary edits of its text, stored as columns."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import ne
from typing import Any, NamedTuple

import numpy as np

from sfumato.document import EditColumns, StringColumn, changed
from sfumato.formats.cells import END, Cells
from sfumato.formats.clean import Cleaned
from sfumato.kinds import KINDS
from sfumato.protect.tables.classes import Classes
from sfumato.protect.tables.recode import RecodedColumn
from sfumato.protect.tables.release import (
    ARTICLE,
    AS_BEFORE,
    COLUMN,
    DIRECT,
    GENERAL,
    HOWS,
    LABEL,
    Marks,
)
from sfumato.protect.tables.replacements import Replacements, direct_kind
from sfumato.protect.tables.rows import Rows
from sfumato.protect.tables.segments import Bools, Ints

RECODE, DROP, CLEAN = "recode", "drop", "clean"
QUASI, ROW, MARKUP = "QUASI_IDENTIFIER", "ROW", "MARKUP"  # kinds of what is no term


@dataclass(frozen=True)
class ShownColumns:
    """What a release shows: of quasi-identifiers by class, of direct identifiers by row (None: left out)."""

    quasi: Sequence[RecodedColumn]
    direct: Mapping[str, Sequence[str] | None] = field(repr=False)


def edits_of(
    rows: Rows, classes: Classes, shown: ShownColumns, marks: Marks, replacements: Replacements
) -> EditColumns:
    """Every edit of a table, in the order of its text."""
    made = _Edits(rows, classes)
    _mentions(made, marks, replacements)
    _formulas(made)
    for column in shown.quasi:
        _recoded(made, column)
    for name, cells in shown.direct.items():
        _direct(made, name, cells)
    _dropped_rows(made)
    return made.columns()


class _Edits:
    """Edits as arrays, one piece after the other."""

    def __init__(self, rows: Rows, classes: Classes) -> None:
        self.rows, self.classes = rows, classes
        self.cells = Cells(rows.source)
        self.label_of = classes.labels[rows.person]
        self._strings: dict[str, int] = {}
        self._pieces: list[Ints] = []  # each of shape (6, edits)

    def number(self, text: str) -> int:
        return self._strings.setdefault(text, len(self._strings))

    def numbers(self, texts: Sequence[str]) -> Ints:
        return np.array([self.number(text) for text in texts], np.int64)

    def add(self, start: Any, end: Any, kind: Any, new: Any, reason: Any, how: Any) -> None:
        """Arrays of the same length, or one number for all; strings by number."""
        piece = np.broadcast_arrays(
            *(np.atleast_1d(x) for x in (start, end, kind, new, reason, how))
        )
        self._pieces.append(np.array(piece, np.int64))

    def of_class(self, said: str) -> Ints:
        """A reason for each class; {persons} and {number} stand for its own."""
        sizes = self.classes.sizes.tolist()
        return self.numbers(
            [said.format(persons=f"{s:,} persons", number=c + 1) for c, s in enumerate(sizes)]
        )

    def columns(self) -> EditColumns:
        found = np.concatenate(self._pieces, 1) if self._pieces else np.zeros((6, 0), np.int64)
        found = found[:, np.argsort(found[0], kind="stable")]
        strings = tuple(self._strings)
        kind, new, reason, how = (_strings(codes, strings) for codes in found[2:])
        return EditColumns(_array(found[0]), _array(found[1]), kind, new, reason, how)


def _array(numbers: Ints) -> array[int]:
    return array("q", np.ascontiguousarray(numbers, np.int64).tobytes())


def _strings(codes: Ints, strings: Sequence[str]) -> StringColumn:
    """Strings by number, without those that are not used."""
    used = np.bincount(codes, minlength=len(strings)) > 0
    place = (np.cumsum(used) - 1).astype(np.int32)
    return StringColumn(
        array("i", place[codes].tobytes()), [strings[i] for i in np.flatnonzero(used).tolist()]
    )


# Terms


def _mentions(made: _Edits, marks: Marks, replacements: Replacements) -> None:
    """What became of terms and direct identifiers in texts and other columns."""
    rows = made.rows
    string = made.numbers(marks.strings)
    reasons = _Reasons(made, marks, replacements)
    bounds = np.searchsorted(marks["column"], np.arange(len(marks.columns) + 1)).tolist()
    for name, first, last in zip(marks.columns, bounds, bounds[1:], strict=False):
        if first == last and not rows.settings.clean:
            continue
        here = first + np.flatnonzero(marks["text"][first:last] != AS_BEFORE)
        row = marks["row"][here]
        texts = rows.texts.get(name)
        cleaned = _cleaned_rows(rows, name) if texts is not None and rows.settings.clean else {}
        for number, text in cleaned.items():
            mine = here[np.searchsorted(row, number) : np.searchsorted(row, number, "right")]
            _composed(made, _Cell(name, number, text), mine, marks, reasons)
        changed = ~np.isin(row, list(cleaned)) & _differs(marks, here, texts)
        here = here[changed]
        start = made.cells.starts(name)[rows.number[row[changed]]] + marks["start"][here]
        made.add(
            start,
            start + marks["end"][here] - marks["start"][here],
            string[marks["kind"][here]],
            string[marks["text"][here]],
            reasons.why(here),
            reasons.how(here),
        )


def _differs(marks: Marks, here: Ints, texts: Sequence[str] | None) -> Bools:
    """Whether these marks change what stood there: a column's value may be what the text says."""
    changed = np.ones(len(here), bool)
    for at in np.flatnonzero(marks["how"][here] == HOWS.index(COLUMN)).tolist():
        row, start, end, text = (int(marks[n][here[at]]) for n in ("row", "start", "end", "text"))
        if texts is not None and texts[row][start:end] == marks.strings[text]:
            changed[at] = False
    return changed


class _Reasons:
    """Why a mark was made, and by what method, as numbers of strings."""

    def __init__(self, made: _Edits, marks: Marks, replacements: Replacements) -> None:
        self._made, self._marks, self._replacements = made, marks, replacements
        self._columns = made.rows.columns("quasi")
        self._hows = made.numbers(HOWS)
        self._methods = np.zeros(max(len(marks.strings), 1), np.int64)
        for kind in np.unique(marks["kind"]).tolist():
            rule = replacements.run.policy.rule(marks.strings[kind])
            self._methods[kind] = made.number(rule.how if rule.plugin.leaves == "kind" else LABEL)

    def how(self, here: Ints) -> Ints:
        how, kind = self._marks["how"][here], self._marks["kind"][here]
        return np.where(how == HOWS.index(LABEL), self._methods[kind], self._hows[how])

    def why(self, here: Ints) -> Ints:
        how, kind, of, row = (
            self._marks[n][here].astype(np.int64) for n in ("how", "kind", "of", "row")
        )
        of = np.where(how == HOWS.index(COLUMN), of, 0)
        many = max(len(self._columns), 1)
        # What reasons differ by, but for the class.
        sorts, sort = np.unique((kind * len(HOWS) + how) * many + of, return_inverse=True)
        said = np.array([self._of_classes(each, many) for each in sorts.tolist()], np.int64)
        return said[sort, self._made.label_of[row]] if len(here) else sort

    def _of_classes(self, sort: int, many: int) -> Ints:
        rest, of = divmod(sort, many)
        kind, how = divmod(rest, len(HOWS))
        column = self._columns[of] if self._columns else ""
        return self._made.of_class(self._said(HOWS[how], self._marks.strings[kind], column))

    def _said(self, how: str, kind: str, column: str) -> str:
        title = KINDS[kind].title if kind in KINDS else f"term of kind {kind}"
        if how == ARTICLE:
            return "made to fit the word beside it"
        if how == COLUMN:
            name = column.replace("{", "{{").replace("}", "}}")
            return f"{title}; shown as '{name}' is for the {{persons}} of class {{number}}"
        if how == GENERAL:
            return f"{title}; more general, as the {{persons}} of class {{number}} share no more"
        why = self._replacements.of(kind).why
        if how == DIRECT:
            return f"{title}; names a person of the table, or is hidden in class {{number}}; {why}"
        few = "too few of the" if self._made.rows.settings.combinations else "not all"
        return f"{title}; {why}, as {few} {{persons}} of class {{number}} say it"


# Texts that were cleaned first


def _cleaned_rows(rows: Rows, name: str) -> dict[int, Cleaned]:
    """The rows whose text is not what stands in the file."""
    cells, texts = rows.table.texts(name), rows.texts[name]
    return {
        row: Cleaned(cells[number], rows.settings.clean)
        for row, number in enumerate(rows.number.tolist())
        if cells[number] != texts[row]
    }


# Of a cell: from, to, what it becomes, which mark (-1: it was cleaned).
Change = tuple[int, int, str, int]


@dataclass(frozen=True)
class _Cell:
    """A cell whose text was cleaned."""

    column: str
    row: int
    text: Cleaned


def _composed(made: _Edits, cell: _Cell, here: Ints, marks: Marks, reasons: _Reasons) -> None:
    """The edits of a cell that was cleaned before terms were looked for in it."""
    terms = []
    for mark in here.tolist():
        start, end, text = (int(marks[n][mark]) for n in ("start", "end", "text"))
        if cell.text.text[start:end] != marks.strings[text]:
            terms.append((start, end, marks.strings[text], mark))
    begin = int(made.cells.starts(cell.column)[made.rows.number[cell.row]])
    tidy = made.number(f"taken out of texts first: {', '.join(made.rows.settings.clean)}")
    for start, end, new, mark in composed(cell.text, terms):
        kind, why, how = made.number(MARKUP), tidy, made.number(CLEAN)
        if mark >= 0:
            one = np.array([mark])
            kind = made.number(marks.strings[int(marks["kind"][mark])])
            why, how = int(reasons.why(one)[0]), int(reasons.how(one)[0])
        made.add(begin + start, begin + end, kind, made.number(new), why, how)


def composed(text: Cleaned, terms: Sequence[Change]) -> list[Change]:
    """Changes of a cleaned text as changes of the original, with those that clean it.

    >>> composed(Cleaned("<b>Ann</b> &amp; Lee", ("html",)), [(0, 3, "X", 7)])
    [(0, 3, '', -1), (3, 6, 'X', 7), (6, 10, '', -1), (11, 16, '&', -1)]
    """
    found: list[Change] = []
    at = 0  # how far the original is dealt with
    for start, end, new, mark in _pieces(text, terms):
        first, last = text.original(start, end)
        if first < at:  # two changes meet in what stands for one character: one for the whole
            whole = changed(text.text, (change[:3] for change in sorted(terms)))
            return [(0, len(text.raw), whole, -1)]
        if first > at:
            found.append((at, first, "", -1))
        if mark >= 0 or text.raw[first:last] != new:
            found.append((first, last, new, mark))
        at = last
    return [*found, (at, len(text.raw), "", -1)] if at < len(text.raw) else found


def _pieces(text: Cleaned, terms: Sequence[Change]) -> Iterator[Change]:
    """Terms, and what stands between them: characters that stand for the same stretch together."""
    at = 0
    for start, end, new, mark in [*sorted(terms), (len(text.text), len(text.text), "", -1)]:
        while at < start:
            stop = at + 1
            while stop < start and text.spans[stop] == text.spans[at]:
                stop += 1
            yield at, stop, text.text[at:stop], -1
            at = stop
        if end > start:
            yield start, end, new, mark
        at = end


# Columns and rows


def _formulas(made: _Edits) -> None:
    """What is taken out of columns that are shown otherwise as they are."""
    rows = made.rows
    for name in rows.columns("text", "insensitive", "sensitive"):
        before, after = rows.source.texts(name), rows.table.texts(name)
        if before is not after:
            gone = np.array([row for row in rows.number.tolist() if before[row] != after[row]], int)
            start, end = made.cells.starts(name)[gone], made.cells.ends(name)[gone]
            said = "a formula, or letters in another order: no reader of the file sees it"
            why, empty = made.number(said), made.number("")
            made.add(start, end, made.number("UNSEEN"), empty, why, made.number(CLEAN))


def _recoded(made: _Edits, column: RecodedColumn) -> None:
    """A quasi-identifier: the same for a class. One whose cells read the same and are written otherwise
    becomes text as a whole."""
    shown = _Shown(column.labels, made.label_of)
    why = made.of_class("made the same for the {persons} of class {number}")[made.label_of]
    table, first = made.rows.table, dict[str, object]()
    cells = zip(table.texts(column.name), table.written(column.name), strict=True)
    anew = any(first.setdefault(said, written) != written for said, written in cells)
    _cells(made, column.name, shown, QUASI, why, RECODE, anew=anew)


def _direct(made: _Edits, name: str, shown: Sequence[str] | None) -> None:
    """A column that names persons: left out, or shown as something else."""
    kind = direct_kind(made.rows.settings, name)
    if shown is None:
        number = made.rows.number
        why = made.number("left out, as the column names persons")
        start, end = made.cells.starts(name)[number], made.cells.ends(name)[number] + len(END)
        made.add(start, end, made.number(kind), made.number(""), why, made.number(DROP))
        return
    fate = made.rows.settings.fate(name)
    said = "a keyed hash in place of what" if fate == "key" else "a number in place of what"
    each = np.full(len(made.rows), made.number(f"{said} names the person"), np.int64)
    words = StringColumn.of(shown)
    _cells(made, name, _Shown(words.strings, np.array(words.codes)), kind, each, fate)


class _Shown(NamedTuple):
    """What each row shows, by number."""

    words: Sequence[str]
    of_row: Ints  # shape (rows,)


def _cells(
    made: _Edits,
    name: str,
    shown: _Shown,
    kind: str,
    why: Ints,
    how: str,
    *,
    anew: bool = False,
) -> None:
    """Whole cells that show something else, or all of them."""
    number = made.rows.number
    texts = made.rows.source.texts(name)
    before = map(texts.__getitem__, number.tolist())
    after = map(shown.words.__getitem__, shown.of_row.tolist())
    changed = np.fromiter(map(ne, before, after), bool, len(number)) | anew
    start, end = made.cells.starts(name)[number], made.cells.ends(name)[number]
    empty = start == end  # has nothing to edit but its line end
    new = made.numbers(shown.words)[shown.of_row]
    if empty.any():
        filled = made.numbers([word + END for word in shown.words])[shown.of_row]
        new = np.where(empty, filled, new)
    start, end = start[changed], (end + empty * len(END))[changed]
    made.add(start, end, made.number(kind), new[changed], why[changed], made.number(how))


def _dropped_rows(made: _Edits) -> None:
    """Rows that the policy leaves out."""
    bounds = made.cells.row_bounds()
    gone = np.setdiff1d(np.arange(made.cells.rows), made.rows.number)
    why = made.number("row left out, as a cell of it is empty or cannot be read")
    made.add(
        bounds[gone], bounds[gone + 1], made.number(ROW), made.number(""), why, made.number(DROP)
    )
