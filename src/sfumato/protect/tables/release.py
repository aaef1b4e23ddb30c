"""The texts of a release: each mention kept, generalised, replaced by its column's value, or by a label.

Spans are of the cleaned text, each cell is rebuilt once from its own edits, so that no offset goes
stale. What direct identifiers say goes wherever it stands.
"""

from __future__ import annotations

from array import array
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sfumato.document import AGREEMENT, GENERALISE, Document, Edit, rebuilt
from sfumato.english.folding import normal_form
from sfumato.protect.agree import agree
from sfumato.protect.replace.model import tidied
from sfumato.protect.tables.classes import Classes
from sfumato.protect.tables.generalise import TermLadders
from sfumato.protect.tables.mentions import Mentions, TermIndex
from sfumato.protect.tables.recode import AS_IT_IS, SUPPRESSED, Recoded
from sfumato.protect.tables.redundancy import meaning, says, shown
from sfumato.protect.tables.replacements import Replacements
from sfumato.protect.tables.rows import Rows
from sfumato.protect.tables.segments import Ints, first_of_run

Numbers = np.ndarray[Any, np.dtype[np.int32]]

HOWS = ("kept", "label", GENERALISE, "column", "direct", AGREEMENT)
KEPT, LABEL, GENERAL, COLUMN, DIRECT, ARTICLE = HOWS
AS_BEFORE = -1  # in `Marks.text`: what stands there is what stood there
FIELDS = ("column", "row", "start", "end", "begin", "stop", "text", "kind", "how", "of")


@dataclass(frozen=True)
class Marks:
    """What stands where in the release: edits, and mentions that were kept, ordered by column, row and place.

    Arrays of shape (marks,), int32. `row` and `column` name the cell, `start` and `end` the span in the
    cleaned original, `begin` and `stop` that in the release, `text` what stands there (into `strings`, or
    AS_BEFORE), `kind` likewise; `how` is into HOWS, `of` the number of the column or ancestor whose words
    they are, else -1.
    """

    columns: tuple[str, ...]
    strings: tuple[str, ...]
    arrays: Mapping[str, Numbers]

    def __len__(self) -> int:
        return len(self.arrays["row"])

    def __getitem__(self, name: str) -> Numbers:
        return self.arrays[name]

    def edits(
        self, wanted: Container[tuple[int, int]] | None = None
    ) -> dict[tuple[int, int], list[Edit]]:
        """The edits of each cell (column, row) in which something was edited; of the wanted ones only."""
        made: dict[tuple[int, int], list[Edit]] = {}
        places = np.flatnonzero(self["text"] != AS_BEFORE).tolist()
        column, row, start, end, text, kind = (
            self[n].tolist() for n in ("column", "row", "start", "end", "text", "kind")
        )
        for i in places:
            cell = (column[i], row[i])
            if wanted is None or cell in wanted:
                edit = Edit(start[i], end[i], self.strings[kind[i]], self.strings[text[i]], "")
                made.setdefault(cell, []).append(edit)
        return made


class MarkList:
    """Marks one by one."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, ...]] = []
        self.strings: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self.strings.setdefault(text, len(self.strings))

    def marks(self, columns: Sequence[str], more: Mapping[str, Numbers] | None = None) -> Marks:
        """All of them, and more that are arrays already, in order."""
        own = np.array(self.rows, np.int32).reshape(-1, len(FIELDS))
        arrays = {name: own[:, i] for i, name in enumerate(FIELDS)}
        if more is not None:
            arrays = {n: np.concatenate([more[n].astype(np.int32), arrays[n]]) for n in FIELDS}
        order = np.lexsort((arrays["start"], arrays["row"], arrays["column"]))
        return Marks(tuple(columns), tuple(self.strings), {n: a[order] for n, a in arrays.items()})


@dataclass(frozen=True)
class Decision:
    """What was decided about terms: everything that rebuilding a cell needs."""

    rows: Rows
    replacements: Replacements
    classes: Classes
    recoded: Recoded
    index: TermIndex
    outcome: Ints  # shape (mentions,): of each mention, as `RecodedTerms.outcome`
    ladders: TermLadders | None
    columns: tuple[str, ...]  # the quasi-identifiers, by number

    @cached_property
    def alike(self) -> Ints:
        """A number for each class, shape (classes,): the same for those that nobody can tell apart by what
        they show and by the terms that they keep. What one of them hides, none of them may show."""
        recoded, terms = self.recoded, self.index.terms
        left: list[set[tuple[str, ...]]] = [set() for _ in range(self.classes.count)]
        if self.rows.settings.combinations is None:
            outcome = recoded.terms.outcome
            stays = outcome != SUPPRESSED
            said = np.stack(
                [self.classes.labels[terms.owner[stays]], terms.ids[stays], outcome[stays]]
            )
            for label, term, ancestor in np.unique(said, axis=1).T.tolist():
                column, kind, words = self.index.keys[term]
                if ancestor >= 0 and self.ladders is not None:
                    words = normal_form(self.ladders.words[ancestor])
                left[label].add((str(column), kind, words))
        shown = zip(*(column.labels for column in recoded.columns), strict=True)
        looks = [*shown] if recoded.columns else [()] * self.classes.count
        known: dict[Any, int] = {}
        return np.array(
            [
                known.setdefault((look, frozenset(terms_left)), len(known))
                for look, terms_left in zip(looks, left, strict=True)
            ],
            np.int64,
        )

    def shown_to(self, person: int, name: str) -> str:
        """What a person's class shows of a quasi-identifier."""
        column = self.recoded.columns[self.columns.index(name)]
        return column.labels[int(self.classes.labels[person])]

    def alike_of(self, person: Ints) -> Ints:
        """The number of each person's look-alikes."""
        return self.alike[self.classes.labels[person]]


Direct = Mapping[tuple[int, int], Sequence[tuple[int, int, str]]]  # (column, row): start, end, kind


def rebuild(
    decision: Decision, mentions: Mentions, direct: Direct
) -> tuple[dict[str, list[str]], MarkList, dict[str, Numbers]]:
    """The released texts of every text column, and what stands where: marks of cells that need care, and
    those of all others as arrays."""
    rows = decision.rows
    texts = {name: list(cells) for name, cells in rows.texts.items()}
    marks = MarkList()
    found = mentions.arrays()
    order = np.lexsort((found["start"], found["row"], found["column"]))
    outcome, redundant = decision.outcome[order], found["redundant"][order]
    row, column = found["row"][order], found["column"][order]
    cell = column * max(len(rows), 1) + row
    # columns' values, generalised terms, removals and direct identifiers are put in cell by cell
    bare = np.array([not decision.replacements(kind) for kind in mentions.kinds] or [False])
    removed = (outcome == SUPPRESSED) & bare[found["term"][order]]
    careful = np.unique(cell[(redundant >= 0) | (outcome >= 0) | removed])
    fixed = np.array([c * len(rows) + r for c, r in direct], np.int64)
    careful = np.union1d(careful, fixed)
    plain = ~np.isin(cell, careful)
    arrays = _labels(
        decision, mentions, marks, {n: a[order][plain] for n, a in found.items()}, outcome[plain]
    )
    _put_in(texts, mentions.columns, arrays, tuple(marks.strings))
    label_of = decision.classes.labels[rows.person]
    begin = np.searchsorted(cell, careful, "left").tolist()
    after = np.searchsorted(cell, careful, "right").tolist()
    for place, first, last in zip(careful.tolist(), begin, after, strict=True):
        at, number = divmod(place, len(rows))
        name = mentions.columns[at]
        original = rows.texts[name][number]
        here = [
            _mention(decision, mentions, found, p, original, int(label_of[number]))
            for p in order[first:last].tolist()
        ]
        here += [
            (a, b, kind, decision.replacements(kind), DIRECT, -1)
            for a, b, kind in direct.get((at, number), ())
        ]
        texts[name][number] = place_all(original, here, marks, at, number)
    return texts, marks, arrays


def _labels(
    decision: Decision,
    mentions: Mentions,
    marks: MarkList,
    found: Mapping[str, Ints],
    outcome: Ints,
) -> dict[str, Numbers]:
    """Marks of mentions that are kept or become a label, all at once."""
    kinds = {kind: marks.number(kind) for kind in dict.fromkeys(mentions.kinds)}
    labels = {kind: marks.number(decision.replacements(kind)) for kind in kinds}
    strings = list(marks.strings)
    none = np.zeros(1, np.int64)  # where there are no terms at all
    kind_of = np.array([kinds[k] for k in mentions.kinds], np.int64) if mentions.kinds else none
    label_of = np.array([labels[k] for k in mentions.kinds], np.int64) if mentions.kinds else none
    kept = outcome == AS_IT_IS
    text = np.where(kept, AS_BEFORE, label_of[found["term"]])
    size = np.array([len(s) for s in strings], np.int64) if strings else none
    long = found["end"] - found["start"]
    growth = np.where(kept, 0, size[np.maximum(text, 0)] - long)
    grown = np.cumsum(growth) - growth
    first = first_of_run(found["column"], found["row"])
    if len(grown):
        grown -= grown[np.maximum.accumulate(np.where(first, np.arange(len(first)), 0))]
    begin = found["start"] + grown
    how = np.where(kept, HOWS.index(KEPT), HOWS.index(LABEL))
    made = {
        "column": found["column"],
        "row": found["row"],
        "start": found["start"],
        "end": found["end"],
        "begin": begin,
        "stop": begin + long + growth,
        "text": text,
        "kind": kind_of[found["term"]],
        "how": how,
        "of": np.full(len(how), -1),
    }
    return {name: array.astype(np.int32) for name, array in made.items()}


def _put_in(
    texts: dict[str, list[str]],
    columns: Sequence[str],
    arrays: Mapping[str, Numbers],
    strings: Sequence[str],
) -> None:
    """Put labels into the texts, each text once."""
    edited = arrays["text"] != AS_BEFORE
    if not edited.any():
        return
    column, row = arrays["column"][edited], arrays["row"][edited]
    # compact: lists of millions of numbers would take more room than all the texts
    start, end, said = (array("i", arrays[n][edited].tobytes()) for n in ("start", "end", "text"))
    begin = np.flatnonzero(first_of_run(column, row))
    last = np.append(begin[1:], len(column)).tolist()
    for first, after in zip(begin.tolist(), last, strict=True):
        cells, number = texts[columns[column[first]]], int(row[first])
        new = map(strings.__getitem__, said[first:after])
        cells[number] = rebuilt(cells[number], start[first:after], end[first:after], new)


Found = tuple[int, int, str, str, str, int]  # start, end, kind, what stands there, how, of what


def _mention(
    decision: Decision,
    mentions: Mentions,
    found: Mapping[str, Ints],
    place: int,
    original: str,
    number: int,
) -> Found:
    start, end = int(found["start"][place]), int(found["end"][place])
    redundant = int(found["redundant"][place])
    said = original[start:end]
    kind = mentions.kinds[int(found["term"][place])]
    if redundant >= 0:
        column = decision.recoded.columns[redundant]
        settings = decision.rows.settings.columns[column.name]
        value = column.labels[number]
        if says(said, settings.type, value):
            return start, end, kind, said, COLUMN, redundant
        return start, end, kind, shown(said, settings.type, value), COLUMN, redundant
    outcome = int(decision.outcome[place])
    if outcome == AS_IT_IS:
        return start, end, kind, said, KEPT, -1
    if outcome == SUPPRESSED or decision.ladders is None:
        return start, end, kind, decision.replacements(kind), LABEL, -1
    words = decision.ladders.words[outcome]
    if normal_form(words) == normal_form(said):  # by which others of its class go
        return start, end, kind, said, KEPT, -1
    return start, end, kind, words, GENERAL, outcome


@dataclass(frozen=True)
class AsColumn:
    """A redundant mention: whose it is, what it says, and whether its class shows something else."""

    label: int
    person: int
    kind: str
    words: str
    number: float | None  # where its column holds numbers
    recoded: bool


def as_columns(decision: Decision, mentions: Mentions) -> list[AsColumn]:
    """The redundant mentions, each once for a person."""
    found, rows = mentions.arrays(), decision.rows
    made: dict[AsColumn, None] = {}
    for place in np.flatnonzero(found["redundant"] >= 0).tolist():
        row, start, end = (int(found[n][place]) for n in ("row", "start", "end"))
        person = int(rows.person[row])
        label = int(decision.classes.labels[person])
        said = rows.texts[mentions.columns[int(found["column"][place])]][row][start:end]
        column = decision.recoded.columns[int(found["redundant"][place])]
        type = rows.settings.columns[column.name].type
        meant = meaning(said, type) if type == "number" else None
        number = meant if isinstance(meant, float) else None
        recoded = not says(said, type, column.labels[label])
        kind = mentions.kinds[int(found["term"][place])]
        made[AsColumn(label, person, kind, said, number, recoded)] = None
    return list(made)


def place_all(original: str, found: Sequence[Found], marks: MarkList, column: int, row: int) -> str:
    """A cell with everything in its place, and marks of it."""
    if any(how == GENERAL for *_, how, _ in found):
        found = _agreed(original, found)
    if not all(said for *_, said, _, _ in found):
        found = _tidied(original, found)
    pieces: list[str] = []
    at = grown = 0
    for start, end, kind, said, how, of in sorted(found):
        begin = start + grown
        pieces += [original[at:start], said]
        text = AS_BEFORE if how == KEPT else marks.number(said)
        number = (marks.number(kind), HOWS.index(how), of)
        marks.rows.append((column, row, start, end, begin, begin + len(said), text, *number))
        grown += len(said) - (end - start)
        at = end
    pieces.append(original[at:])
    return "".join(pieces)


def _agreed(original: str, found: Sequence[Found]) -> list[Found]:
    """With generalised terms in the number of their place, and articles that fit them."""
    stay = [f for f in found if original[f[0] : f[1]] == f[3]]
    edits = [
        Edit(a, b, kind, said, "", how if how == GENERAL else "label")
        for a, b, kind, said, how, _ in sorted(found)
        if original[a:b] != said
    ]
    known = {(a, b): (how, of) for a, b, _, _, how, of in found}
    fitted = [
        (e.start, e.end, e.kind, e.replacement, *known.get((e.start, e.end), (ARTICLE, -1)))
        for e in agree(edits, Document(original))
        if not any(e.start < b and a < e.end for a, b, *_ in stay)
    ]
    return [*stay, *fitted]


def _tidied(original: str, found: Sequence[Found]) -> list[Found]:
    """With removals that leave no two spaces behind."""
    found = sorted(found)
    edits = [
        Edit(a, b, kind, said, "", how if said else "remove") for a, b, kind, said, how, _ in found
    ]
    return [
        (edit.start, edit.end, *place[2:])
        for edit, place in zip(tidied(original, edits), found, strict=True)
    ]
