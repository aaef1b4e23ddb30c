"""A released table, read again: whose rows they are, which terms are left, who looks like whom."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath
from typing import Any

from sfumato.document import Document, Term, restored
from sfumato.english.dates import read_day
from sfumato.english.folding import id_form, normal_form
from sfumato.english.inflection import pluralise
from sfumato.english.numbers import numbers_in_words, read_number
from sfumato.formats import table as files
from sfumato.formats.cells import Cells, unnamed
from sfumato.formats.clean import clean
from sfumato.policy.labels import Labels
from sfumato.policy.table import TableSettings
from sfumato.verify.evidence import Evidence
from sfumato.verify.tables.edits import CellEdits
from sfumato.verify.words import same_but_for_number

K_ANONYMOUS = "k-anonymous"
_FORCED = re.compile("[\u202d\u202e]")  # upon all letters
_TURNING = re.compile("[\u061c\u200f\u202a-\u202e\u2066-\u2069]")

Found = tuple[str, str, str]  # text column, kind, normal form
# Words that show a column's value: from, to, where in them the value stands, and what kinds of terms say so
Value = tuple[int, int, int, int, Collection[str] | None]


@dataclass(frozen=True)
class LookAlikes:
    """Persons whose rows show the same and whose texts have the same terms left."""

    persons: list[Any]
    rows: list[int]


@dataclass(frozen=True)
class OriginalTable:
    """What the ledger tells of a table."""

    original: files.Table
    cells: Cells
    edits: CellEdits


class Released:
    """A released table, read again: what its columns are says the policy, where its terms stand the
    certificate. What that says of the texts beyond what they show is believed where there is a ledger, or
    when told to be `believing`."""

    def __init__(
        self, evidence: Evidence, settings: TableSettings, *, believing: bool = False
    ) -> None:
        self.evidence, self.settings = evidence, settings
        main = next(c for c in evidence.claims if c.name == K_ANONYMOUS)
        self.parameters: Mapping[str, Any] = main.parameters
        self.table = self._parsed(evidence.data)
        self.count = len(self.table)
        named = set(settings.columns)
        self.quasi, self.text, self.direct = (
            settings.of_role(role) for role in ("quasi", "text", "direct")
        )
        others = [n for n in self.table.names if n not in named]
        self.insensitive = [*settings.of_role("insensitive"), *others]
        self.cells = {n: self.table.texts(n) for n in (*self.quasi, *self.text)}
        self.ledger = self._ledger()
        self.persons = self._persons()
        self._strict = self.ledger is None and not believing
        self._labels = {str(label) for label in self.parameters["labels"] if label}
        self.problem = _other_columns(self) or _other_parameters(self) or _shown_otherwise(self)
        policy = evidence.policy
        self._known = Labels(policy) if self._strict and policy is not None else None
        if self._known is not None and not all(map(self._known.has, self._labels)):
            self.problem = self.problem or "a label is none that the policy writes"
        self.terms = self._terms()
        self.groups = self._groups()
        self._beside: dict[str, list[str]] = {}

    @cached_property
    def holds_more(self) -> bool:
        """Whether nobody vouches for what stands in the file beside the cells."""
        return (
            self.ledger is None
            and not self.evidence.signed
            and files.holds_more(unnamed(self.table), self.evidence.data)
        )

    def _parsed(self, data: bytes) -> files.Table:
        suffix = PurePath(self.evidence.name).suffix.lower()
        kind = files.FORMATS.get(suffix) or str(self.parameters["form"])
        is_known = self.evidence.signed or self.evidence.record is not None
        # a made-up certificate would have its words read as signs of another script
        encoding = str(self.parameters["encoding"]) if is_known else self.evidence.encoding
        return files.parse(data, self.evidence.name, encoding=encoding, kind=kind)

    def _ledger(self) -> OriginalTable | None:
        """The original table, and what was done to it."""
        record = self.evidence.record
        if record is None:
            return None
        original = self._parsed(restored(self.evidence.data, record))
        before = Cells(original)
        labels = frozenset(map(str, self.parameters["labels"]))
        return OriginalTable(original, before, CellEdits(record, before, Cells(self.table), labels))

    def _persons(self) -> Sequence[Any] | None:
        """Whose row each is."""
        name = self.settings.person_column
        if name is None:
            return range(self.count)
        if self.ledger is not None:
            cells = self.ledger.original.texts(name)
            return [id_form(cells[row]) for row in self.ledger.edits.rows.tolist()]
        if name not in self.table.names:
            return None
        persons = [id_form(cell) for cell in self.table.texts(name)]
        return persons if all(persons) else None  # nobody is no person

    # Terms that were left

    def _terms(self) -> list[set[Found]]:
        """The terms of each row: those that the certificate names, and what the detectors find besides."""
        found: list[set[Found]] = [set() for _ in range(self.count)]
        for name in self.text:
            spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
            values: dict[int, list[Value]] = defaultdict(list)
            texts = self.cells[name]
            for row, start, end, kind, _ in self._entries(name, "kept"):
                found[row].add((name, kind, normal_form(texts[row][start:end])))
                spans[row].append((start, end))
            for row, start, end, kind, said in self._entries(name, "general"):
                if not _says(texts[row][start:end], said):
                    self._add_problem(row, "a generalised term is not what it is said to be")
                found[row].add((name, kind, normal_form(said)))
                spans[row].append((start, end))
            for row, start, end, _, column in self._entries(name, "column"):
                value = None
                if column in self.quasi:
                    type, cell = self.settings.columns[column].type, self.cells[column][row]
                    value = value_in(texts[row][start:end], type, cell)
                if value is None:
                    self._add_problem(row, f"a text differs from its column '{column}'")
                else:
                    kinds = self._kinds_of(column) if self._strict else None
                    values[row].append((start, end, start + value[0], start + value[1], kinds))
            if self.evidence.find is not None and not self.parameters["given"]:
                self._look_again(name, spans, values, found)
        return found

    def _kinds_of(self, column: str) -> Collection[str] | None:
        """The kinds of terms that may say a column's value with more words than its own; None for all."""
        settings = self.settings.columns[column]
        return settings.kinds or (_OF_NUMBERS if settings.type == "number" else None)

    def _entries(self, name: str, sort: str) -> Iterator[tuple[int, int, int, str, str]]:
        """Places in the certificate: "row start end KIND what"."""
        texts, room = self.cells[name], dict[int, int]()
        for entry in dict(self.parameters["terms"].get(name, {})).get(sort, ()):
            row, start, end, kind, *rest = entry.split(" ", 4)
            row, start, end = int(row), int(start), int(end)
            if not (0 <= row < self.count and 0 <= start <= end <= len(texts[row])):
                raise ValueError("a place outside the table")
            room[row] = room.get(row, len(texts[row])) - max(end - start, 1)
            if room[row] < 0:  # somebody would have us read a text again and again
                raise ValueError("places over one another")
            if self._strict and (_in_a_word(texts[row], start) or _in_a_word(texts[row], end)):
                self._add_problem(row, "a part of a word is no term")
            yield row, start, end, kind, rest[0] if rest else ""

    def _add_problem(self, row: int, what: str) -> None:
        self.problem = self.problem or f"{self.table.where(row)}: {what}"

    def _look_again(
        self,
        name: str,
        spans: Mapping[int, list[tuple[int, int]]],
        values: Mapping[int, list[Value]],
        found: list[set[Found]],
    ) -> None:
        """What the detectors find besides. Words that show a column's value cover what goes over the value,
        and nothing that only stands beside it."""
        policy, find = self.evidence.policy, self.evidence.find
        assert policy is not None
        assert find is not None
        kinds = self.settings.kinds
        known: dict[str, list[Term]] = {}
        for row, text in enumerate(self.cells[name]):
            if text not in known:
                known[text] = find(Document(text)) if text.strip() else []
            covered = [*spans.get(row, ()), *self._label_spans(text)] if known[text] else []
            free, showing = bytearray(b"\1" * len(text)), defaultdict[int, list[Value]](list)
            for a, b in covered:
                free[a:b] = bytes(b - a)
            for value in values.get(row, ()):
                for at in range(*value[2:4]):
                    showing[at].append(value)
            for term in known[text]:
                if policy.keeps(term.kind) or (kinds and term.kind not in kinds):
                    continue
                left = free[term.start : term.end]
                over = {v for at in range(term.start, term.end) for v in showing.get(at, ())}
                for a, b, low, high, of in over:
                    if of is not None and term.kind not in of:
                        a, b = low, high
                    a, b = max(a, term.start) - term.start, min(b, term.end) - term.start
                    left[a:b] = bytes(b - a)
                said = term.of(text)
                if any(each and said[at].isalnum() for at, each in enumerate(left)):
                    found[row].add((name, term.kind, normal_form(said)))

    def _label_spans(self, text: str) -> list[tuple[int, int]]:
        """Where the labels stand that the certificate names; where it is not believed, the policy's own."""
        if self._known is not None:
            return [(a, b) for a, b in self._known.spans(text) if text[a:b] in self._labels]
        return [found.span() for found in self._written.finditer(text)]

    @cached_property
    def _written(self) -> re.Pattern[str]:
        return re.compile("|".join(map(re.escape, sorted(self._labels, reverse=True))) or r"(?!)")

    # Groups

    def _groups(self) -> list[LookAlikes]:
        if self.persons is None:
            return []
        rows: dict[Any, list[int]] = defaultdict(list)
        for row, person in enumerate(self.persons):
            rows[person].append(row)
        columns = [self.table.written(n) for n in self.quasi]
        by_combination = self.settings.combinations is not None
        groups: dict[Any, LookAlikes] = {}
        for person, mine in rows.items():
            shown = frozenset(tuple(column[row] for column in columns) for row in mine)
            left = frozenset().union(*(self.terms[row] for row in mine))
            key = (shown, None if by_combination else left)
            group = groups.setdefault(key, LookAlikes([], []))
            group.persons.append(person)
            group.rows.extend(mine)
        return list(groups.values())

    def terms_of(self, group: LookAlikes) -> dict[Any, set[Found]]:
        assert self.persons is not None
        sets: dict[Any, set[Found]] = {person: set() for person in group.persons}
        for row in group.rows:
            sets[self.persons[row]] |= self.terms[row]
        return sets

    # With the ledger

    @cached_property
    def kept(self) -> dict[str, dict[int, list[tuple[int, int, str]]]]:
        """Terms that stay as they were, by text column and row: from, to, kind."""
        found: dict[str, dict[int, list[tuple[int, int, str]]]] = {}
        for name in self.text:
            mine = found.setdefault(name, {})
            for row, start, end, kind, _ in self._entries(name, "kept"):
                mine.setdefault(row, []).append((start, end, kind))
            for row, start, end, kind, _ in self._entries(name, "column"):
                edits = self.ledger.edits.of_cell(name, row) if self.ledger is not None else ()
                if all((e.begin, e.stop) != (start, end) for e in edits):
                    mine.setdefault(row, []).append((start, end, kind))
        return found

    def beside(self, name: str) -> list[str]:
        """The cells of a column with blanks where the ledger explains what they show."""
        assert self.ledger is not None
        if name not in self._beside:
            self._beside[name] = self.ledger.edits.beside(name, self.table.texts(name))
        return self._beside[name]

    def hidden(self, original: str) -> str:
        """The words of a hidden term, as they read once the text is cleaned."""
        return clean(original, self.settings.clean) if self.settings.clean else original


def _other_columns(table: Released) -> str:
    """What the columns of a release are that the policy does not have it show, if there are any."""
    settings, names = table.settings, set(table.table.names)
    gone = {n for n in table.direct if settings.fate(n) == "remove"}
    extra = (
        names & gone if settings.others == "insensitive" else names - (set(settings.columns) - gone)
    )
    if extra:
        return f"the release shows '{min(extra)}', which the policy leaves out"
    missing = set(settings.columns) - gone - names
    return f"the release has no column '{min(missing)}'" if missing else ""


def _shown_otherwise(table: Released) -> str:
    """Where a cell or a name shows what a program makes of it, if one does."""
    file = table.table
    for name, title in zip(file.names, file.header, strict=True):
        turning = _FORCED if name in table.text else _TURNING
        for row, cell in enumerate((title, *file.texts(name)), -1):
            if file.form.kind == "csv" and files.is_formula(cell):
                what = "a formula"
            elif turning.search(cell) is None:
                continue
            else:
                what = "what turns the order of letters"
            return f"{file.where(row) if row >= 0 else file.path}: {what} stands in '{name}'"
    return ""


def _other_parameters(table: Released) -> str:
    """In what the certificate promises other than the policy in hand asks for, if it does."""
    settings, said = table.settings, table.parameters
    if said["k"] != settings.k or said["combinations"] != settings.combinations:
        return f"the certificate does not promise the policy's k = {settings.k}"
    for role in ("quasi", "text", "direct", "insensitive"):
        left_out = {*getattr(table, role)} - {*said[role]}
        if left_out:
            return f"the certificate does not count '{min(left_out)}' as {role}"
    more = [{*said[role]} - {*getattr(table, role)} for role in ("quasi", "text", "insensitive")]
    # columns that the policy does not name may have been left out as direct ones
    more.append({*said["direct"]} & {*settings.columns, *table.table.names} - {*table.direct})
    others = said["person"] != settings.person_column or said["clean"] != [*settings.clean]
    if others or any(more) or said.keys() != _PARAMETERS:
        return "the claim is not what the policy asks for"
    return ""


_PARAMETERS = {
    "k",
    "combinations",
    "form",
    "encoding",
    "person",
    "given",
    "clean",
    "labels",
    "terms",
} | {*("quasi", "text", "insensitive", "direct")}


def _in_a_word(text: str, at: int) -> bool:
    return 0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum()


def _says(shown: str, said: str) -> bool:
    """Whether words say a general term, in any number and with any article."""
    words = re.sub(r"^(?:an?|the|some) ", "", normal_form(shown))
    return bool(said) and (
        same_but_for_number(words, said) or words == normal_form(pluralise(normal_form(said)))
    )


def value_in(said: str, type: str, cell: str) -> tuple[int, int] | None:
    """Where words show what a cell shows: as it stands there, or as the same value; None if they do not.

    >>> value_in("[24-36] years old", "number", "[24-36]"), value_in("thirty", "number", "30")
    ((0, 7), (0, 6))
    >>> value_in("Fred", "nominal", "F"), value_in("Margaret Holloway", "number", "30")
    (None, None)
    """
    shown = re.escape(cell.strip())
    found = re.search(rf"(?<!\w){shown}(?!\w)", said) if shown else None
    if found is not None and (type == "number" or found[0] == said.strip()):
        return found.span()
    if type == "number":
        numbers = [(m.start(), m.end(), read_number(m[0])) for m in _NUMBER.finditer(said)]
        numbers += [(n.start, n.end, n.value) for n in numbers_in_words(said)]
        same = [(a, b) for a, b, value in numbers if value == read_number(cell.strip())]
        return same[0] if len(numbers) == len(same) == 1 else None
    day = read_day(" ".join(said.split())) if type == "date" else None
    is_same = day == read_day(cell) if day is not None else normal_form(said) == normal_form(cell)
    return (0, len(said)) if is_same else None


_OF_NUMBERS = frozenset(("AGE", "QUANTITY", "MONEY"))
_NUMBER = re.compile(r"(?<![\w.,])[-+]?\d[\d,]*(?:\.\d+)?")
