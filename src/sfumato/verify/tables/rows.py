"""A released table, read again: whose rows they are, which terms are left, who looks like whom."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sfumato.document import Document, Term, restored
from sfumato.english.dates import read_day
from sfumato.english.folding import normal_form
from sfumato.english.inflection import pluralise
from sfumato.english.numbers import read_number
from sfumato.formats import table as files
from sfumato.formats.cells import Cells
from sfumato.formats.clean import clean
from sfumato.verify.evidence import Evidence
from sfumato.verify.tables.edits import CellEdits

K_ANONYMOUS = "k-anonymous"

Found = tuple[str, str, str]  # text column, kind, normal form


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
    """A released table, read again."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        main = next(c for c in evidence.claims if c.name == K_ANONYMOUS)
        self.parameters: Mapping[str, Any] = main.parameters
        self.table = self._parsed(evidence.data)
        self.count = len(self.table)
        self.quasi = [str(n) for n in self.parameters["quasi"]]
        self.text = [str(n) for n in self.parameters["text"]]
        self.cells = {n: self.table.texts(n) for n in (*self.quasi, *self.text)}
        self.ledger = self._ledger()
        self.persons = self._persons()
        labels = [str(label) for label in self.parameters["labels"] if label]
        self._labels = re.compile("|".join(map(re.escape, labels)) or r"(?!)")
        self._steps = [str(step) for step in self.parameters.get("clean", ())]
        self.problem = ""
        self.terms = self._terms()
        self.groups = self._groups()

    def _parsed(self, data: bytes) -> files.Table:
        kind, encoding = str(self.parameters["form"]), str(self.parameters["encoding"])
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
        name = self.parameters["person"]
        if name is None:
            return range(self.count)
        if self.ledger is not None:
            cells = self.ledger.original.texts(str(name))
            return [cells[row].strip() for row in self.ledger.edits.rows.tolist()]
        return self.table.texts(str(name)) if name in self.table.names else None

    # Terms that were left

    def _terms(self) -> list[set[Found]]:
        """The terms of each row: those that the certificate names, and what the detectors find besides."""
        found: list[set[Found]] = [set() for _ in range(self.count)]
        for name in self.text:
            marked = dict(self.parameters["terms"].get(name, {}))
            spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
            texts = self.cells[name]
            for row, start, end, kind, _ in _entries(marked.get("kept", ())):
                found[row].add((name, kind, normal_form(texts[row][start:end])))
                spans[row].append((start, end))
            for row, start, end, kind, said in _entries(marked.get("general", ())):
                if not _says(texts[row][start:end], said):
                    self.problem = (
                        f"{self.table.where(row)}: a generalised term is not what it is said to be"
                    )
                found[row].add((name, kind, normal_form(said)))
                spans[row].append((start, end))
            for row, start, end, _, column in _entries(marked.get("column", ())):
                if not self._says_the_cell(row, column, texts[row][start:end]):
                    self.problem = (
                        f"{self.table.where(row)}: a text differs from its column '{column}'"
                    )
                spans[row].append((start, end))
            if self.evidence.find is not None and not self.parameters["given"]:
                self._look_again(name, spans, found)
        return found

    def _says_the_cell(self, row: int, column: str, said: str) -> bool:
        cell = self.cells[column][row]
        return cell in said or normal_form(said) == normal_form(cell) or _same_value(said, cell)

    def _look_again(
        self, name: str, spans: Mapping[int, list[tuple[int, int]]], found: list[set[Found]]
    ) -> None:
        policy, find = self.evidence.policy, self.evidence.find
        assert find is not None
        kinds = policy.table.kinds if policy and policy.table else ()
        known: dict[str, list[Term]] = {}
        for row, text in enumerate(self.cells[name]):
            if text not in known:
                known[text] = find(Document(text)) if text.strip() else []
            for term in known[text]:
                if policy and policy.keeps(term.kind):
                    continue
                if kinds and term.kind not in kinds:
                    continue
                covered = [*spans.get(row, ()), *(m.span() for m in self._labels.finditer(text))]
                if _open(text, term.start, term.end, covered):
                    found[row].add((name, term.kind, normal_form(term.of(text))))

    # Groups

    def _groups(self) -> list[LookAlikes]:
        if self.persons is None:
            return []
        rows: dict[Any, list[int]] = defaultdict(list)
        for row, person in enumerate(self.persons):
            rows[person].append(row)
        columns = [self.cells[n] for n in self.quasi]
        by_combination = self.parameters.get("combinations") is not None
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
            marked = dict(self.parameters["terms"].get(name, {}))
            for row, start, end, kind, _ in _entries(marked.get("kept", ())):
                mine.setdefault(row, []).append((start, end, kind))
            for row, start, end, kind, _ in _entries(marked.get("column", ())):
                edits = self.ledger.edits.of_cell(name, row) if self.ledger is not None else ()
                if all((e.begin, e.stop) != (start, end) for e in edits):
                    mine.setdefault(row, []).append((start, end, kind))
        return found

    def hidden(self, original: str) -> str:
        """The words of a hidden term, as they read once the text is cleaned."""
        return clean(original, self._steps) if self._steps else original


def _entries(packed: Iterable[str]) -> Iterator[tuple[int, int, int, str, str]]:
    """Places in the certificate: "row start end KIND what"."""
    for entry in packed:
        row, start, end, kind, *rest = entry.split(" ", 4)
        yield int(row), int(start), int(end), kind, rest[0] if rest else ""


def _open(text: str, start: int, end: int, covered: Iterable[tuple[int, int]]) -> bool:
    """Whether a letter or digit of a span lies outside all covered ones."""
    free = bytearray(b"\1" * (end - start))
    for a, b in covered:
        for i in range(max(a, start), min(b, end)):
            free[i - start] = 0
    return any(free[i] and text[start + i].isalnum() for i in range(end - start))


def _says(shown: str, said: str) -> bool:
    """Whether words say a general term, in any number and with any article."""
    words, wanted = normal_form(shown).split(), normal_form(said).split()
    if not wanted:
        return False
    stem = wanted[-1][: max(3, len(wanted[-1]) - 3)]
    several = pluralise(wanted[-1])
    return any(w.startswith(stem) or w == several for w in words) and set(wanted[:-1]) <= set(words)


def _same_value(said: str, cell: str) -> bool:
    digits = re.findall(r"\d+(?:\.\d+)?", said)
    if read_number(cell) is not None and len(digits) == 1:
        return read_number(digits[0]) == read_number(cell)
    if read_day(said) is not None:
        return read_day(said) == read_day(cell)
    return bool(re.search(r"[a-z]", said)) and read_number(cell) is not None and not digits
