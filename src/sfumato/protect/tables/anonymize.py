"""A table with text made k-anonymous: read, recognise, group, recode, look again, and write what holds.

rows = prepare(table, settings)          cells read, texts cleaned, persons told apart
found = mentions(rows, recogniser)       terms of the texts, redundant ones marked
classes = group(view, settings)          persons that will look alike
release = rebuild(...)                   what each row shows; looked at again until nothing new is found
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from sfumato.document import Alignment, EditColumns, Spans
from sfumato.errors import InputError
from sfumato.formats import check_size
from sfumato.formats.cells import edited
from sfumato.formats.table import Table, cell_text
from sfumato.policy import Policy
from sfumato.policy.table import TableSettings
from sfumato.protect import Run
from sfumato.protect.tables.classes import Classes, ClassStatistics, statistics
from sfumato.protect.tables.clusters import clusters
from sfumato.protect.tables.combinations import keep_combinations
from sfumato.protect.tables.direct import DirectIdentifiers
from sfumato.protect.tables.edits import ShownColumns, edits_of
from sfumato.protect.tables.gdf import gdf
from sfumato.protect.tables.generalise import TermLadders, ladders_for
from sfumato.protect.tables.hidden import HiddenTerms, discreet
from sfumato.protect.tables.kept import Kept, Within, joined, refuse_small_blocks, some
from sfumato.protect.tables.loss import Loss, measure
from sfumato.protect.tables.mentions import CellMention, Mentions, TermIndex, term_index
from sfumato.protect.tables.mondrian import ClassRule, mondrian
from sfumato.protect.tables.own import OwnValues
from sfumato.protect.tables.persons_view import persons_view, rules
from sfumato.protect.tables.problem import Persons, require
from sfumato.protect.tables.recode import AS_IT_IS, SUPPRESSED, Recoded, recode
from sfumato.protect.tables.recognition import Recogniser, locate, stand_in
from sfumato.protect.tables.redundancy import CloseMatch, Matcher
from sfumato.protect.tables.release import (
    DIRECT,
    Decision,
    MarkList,
    Marks,
    as_columns,
    place_all,
    rebuild,
)
from sfumato.protect.tables.replacements import (
    Replacements,
    refuse_what_cannot_hold,
    table_settings,
)
from sfumato.protect.tables.risk import Risk, risk
from sfumato.protect.tables.rows import Rows, prepare
from sfumato.protect.tables.segments import Ints

MOST_ROUNDS = 50

Given = Sequence[Sequence[tuple[str, str]]]  # for each row of the table: (kind, term)


@dataclass(frozen=True)
class Anonymized:
    """What is to be done to a table, and what it costs."""

    rows: Rows = field(repr=False)
    persons: Persons = field(repr=False)
    classes: Classes = field(repr=False)
    marks: Marks = field(repr=False)
    edits: EditColumns = field(repr=False)
    ancestors: tuple[str, ...] = field(repr=False)  # what generalised terms say, by number
    loss: Loss
    statistics: ClassStatistics
    risk: Risk
    rounds: int  # how often the release was looked at
    close: tuple[CloseMatch, ...] = ()
    mentions: int = 0
    redundant: int = 0

    @property
    def released(self) -> Table:
        """The table with every edit made."""
        return edited(self.rows.source, self.edits)


@dataclass(frozen=True)
class Prepared:
    """A table whose terms are known: what grouping and recoding begin with."""

    rows: Rows
    mentions: Mentions
    matcher: Matcher
    direct: DirectIdentifiers
    kept: Kept

    def add(self, column: int, row: int, spans: Iterable[tuple[int, int, str]]) -> None:
        """Take up the mentions of a cell; one may say what a column says."""
        text = self.rows.texts[self.mentions.columns[column]][row]
        person = int(self.rows.person[row])
        for start, end, kind in spans:
            said = text[start:end]
            same = self.matcher.column(person, row, kind, said) if self.matcher else -1
            self.mentions.add(CellMention(row, column, start, end, kind), said, same)

    def index(self) -> TermIndex:
        return term_index(self.mentions, self.rows.person, self.rows.persons)


def anonymize(
    table: Table, run: Run, recogniser: Recogniser | None = None, given: Given | None = None
) -> Anonymized:
    """The release of a table by a policy. Terms come from the recogniser, or are given."""
    refuse_what_cannot_hold(run.policy)
    prepared = recognised(table, run.policy, recogniser, given)
    index = prepared.index()
    view = persons_view(prepared.rows, index.terms)
    blocks = prepared.kept.blocks(prepared.rows, prepared.mentions)
    refuse_small_blocks(blocks, prepared.rows, prepared.rows.settings.k)
    demands = rules(prepared.rows, index)
    classes = grouped(view, prepared.rows.settings, demands, blocks)
    return _Releasing(prepared, run, classes, recogniser).run(index)


def recognised(
    table: Table, policy: Policy, recogniser: Recogniser | None, given: Given | None = None
) -> Prepared:
    """The rows of a table and the terms of their texts. A file that unpacks to more than may be read is
    refused."""
    size = sum(len(cell_text(cell)) for column in table.columns for cell in column)
    check_size(size, policy.limits.file_bytes, table.path)
    rows = prepare(table, table_settings(policy))
    require(rows.persons, rows.settings.k)
    direct = DirectIdentifiers(rows)
    direct.refuse_in_header()
    direct.refuse_in_quasi()
    direct.look_into_texts(list(rows.texts.values()))
    direct.look_into_others()
    for row, number in enumerate(rows.number.tolist() if given is not None else ()):
        if given and not stand_in(given[number], [texts[row] for texts in rows.texts.values()]):
            raise InputError(
                f"{table.where(number)}: a term that is given for row {number} stands in no text of it "
                "as whole words; correct the terms, or what they are to hide would stay",
                path=table.path,
            )
    found = Mentions(tuple(rows.texts))
    prepared = Prepared(rows, found, Matcher(rows), direct, Kept(policy))
    for column, texts in enumerate(rows.texts.values()):
        known = recogniser.texts(texts) if recogniser is not None and given is None else {}
        for row, text in enumerate(texts):
            spans = (
                known.get(text, ()) if given is None else locate(text, given[int(rows.number[row])])
            )
            fixed = direct.found.get((column, row))
            if fixed:
                taken = Spans((a, b) for a, b, _ in fixed)
                spans = [(a, b, k) for s, e, k in spans for a, b in taken.open_words(s, e, text)]
            prepared.add(column, row, spans)
    return prepared


def grouped(
    view: Persons, settings: TableSettings, demands: Sequence[ClassRule], blocks: Ints
) -> Classes:
    """Classes of persons who share the terms that are kept."""
    if not blocks.any():
        return group(view, settings, demands)
    parts = []
    for block in range(int(blocks.max()) + 1):
        members = np.flatnonzero(blocks == block)
        within = [Within(rule, members) for rule in demands]
        parts.append(group(some(view, members), settings, within))
    return joined(blocks, parts)


def group(view: Persons, settings: TableSettings, demands: Sequence[ClassRule] = ()) -> Classes:
    """Classes by the policy's strategy."""
    if settings.strategy == "gdf":
        return gdf(view, settings.k, rules=demands)
    if settings.strategy == "mondrian":
        weight = settings.relational_weight
        return mondrian(view, settings.k, relational_weight=weight, rules=demands)
    weights = settings.weights
    return clusters(
        view,
        settings.k,
        relational_weight=weights.relational,
        textual_weight=weights.textual,
        rules=demands,
    )


def recoded_by(
    view: Persons, classes: Classes, settings: TableSettings, ladders: TermLadders | None
) -> Recoded:
    """What every class shows."""
    how = {n: c.shown for n, c in settings.columns.items() if c.role == "quasi" and not c.hierarchy}
    made = recode(
        view,
        classes,
        scope=settings.recoding,
        shown={c.name: how[c.name] for c in view.columns if c.kind == "number"},
        ladders=ladders.ladders if ladders and settings.combinations is None else None,
    )
    if settings.combinations is None:
        return made
    terms = keep_combinations(view.terms, classes, settings.k, settings.combinations)
    return replace(made, terms=terms)


class _Releasing:
    """Recode, rebuild, look again: what is found anew is recoded too, with the same classes."""

    def __init__(
        self, prepared: Prepared, run: Run, classes: Classes, recogniser: Recogniser | None
    ) -> None:
        self.prepared, self.policy, self.key, self.classes = prepared, run.policy, run.key, classes
        self.replacements = Replacements(run)
        self.rows, self.mentions = prepared.rows, prepared.mentions
        self.settings = self.rows.settings
        self.recogniser = recogniser
        self.own = OwnValues(self.rows, run.policy.keeps)
        # (class, term) that may not stay: they would say what the class hides
        self.telling: set[tuple[int, tuple[int, str, str]]] = set()

    def run(self, index: TermIndex) -> Anonymized:
        for rounds in range(1, MOST_ROUNDS + 1):  # noqa: B007 - the last one is reported
            decision, view = self.decide(index)
            hidden = HiddenTerms(decision, as_columns(decision, self.mentions))
            texts, careful, plain = rebuild(decision, self.mentions, self.prepared.direct.found)
            marks = careful.marks(self.mentions.columns, plain)
            if (
                not self.take_up(hidden, texts, marks)
                and not self.hide_more(hidden, decision)
                and not self.hide_own_values(decision, texts, marks)
            ):
                break
            index = self.prepared.index()
        else:
            raise InputError("the release shows new terms again and again; leave a detector out")
        names = [*self.rows.columns("insensitive"), *self.rows.columns("sensitive")]
        self.mark_other_columns(hidden, decision, careful, names)
        if names:
            marks = careful.marks((*self.mentions.columns, *names), plain)
        self.refuse_changed(marks)
        return self.finish(decision, view, marks, rounds)

    def decide(self, index: TermIndex) -> tuple[Decision, Persons]:
        """What becomes of every column and term."""
        view = persons_view(self.rows, index.terms)
        ladders = None
        if self.settings.generalise and self.settings.combinations is None:
            ladders = ladders_for(index, self.policy.know, self.settings.most_loss)
        recoded = recoded_by(view, self.classes, self.settings, ladders)
        if self.telling:
            number = {key: term for term, key in enumerate(index.keys)}
            many, terms = len(index.keys), index.terms
            bad = [label * many + number[key] for label, key in self.telling]
            gone = np.isin(self.classes.labels[terms.owner] * many + terms.ids, bad)
            recoded.terms.outcome[gone], recoded.terms.loss[gone] = SUPPRESSED, 1.0
        if ladders is not None:
            recoded = replace(recoded, terms=discreet(recoded, index, self.classes, ladders))
        outcome = np.full(len(self.mentions), AS_IT_IS, np.int64)
        known = index.posting >= 0
        outcome[known] = recoded.terms.outcome[index.posting[known]]
        columns = tuple(c.name for c in view.columns)
        made = Decision(
            self.rows, self.replacements, self.classes, recoded, index, outcome, ladders, columns
        )
        return made, view

    # Looking again

    def take_up(self, hidden: HiddenTerms, texts: Mapping[str, list[str]], marks: Marks) -> bool:
        """Add what the release shows and the original did not; whether there was anything."""
        missed = [*self.shown_late(texts, marks), *self.mentioned_again(hidden, texts, marks)]
        before = len(self.mentions)
        covered: dict[tuple[int, int], Spans] = {}
        for each in missed:
            cell = (each.column, each.row)
            if cell not in covered:
                covered[cell] = self._covered(*cell)
            text = self.rows.texts[self.mentions.columns[each.column]][each.row]
            for a, b in covered[cell].open_words(each.start, each.end, text):
                covered[cell].add(a, b)
                self.prepared.add(each.column, each.row, [(a, b, each.kind)])
        return len(self.mentions) > before

    def hide_more(self, hidden: HiddenTerms, decision: Decision) -> bool:
        """Hide also what stays and holds a term that its class hides; whether there was anything."""
        found = defaultdict[int, list[int]](list)
        for group, term in hidden.holding():
            found[group].append(term)
        for label, group in enumerate(decision.alike.tolist() if found else ()):
            self.telling |= {(label, decision.index.keys[term]) for term in found.get(group, ())}
        return bool(found)

    def hide_own_values(
        self, decision: Decision, texts: Mapping[str, list[str]], marks: Marks
    ) -> bool:
        """Hide also values of which a person's class shows less; whether there were any."""
        before, fixed = marks.edits(), self.prepared.direct.found
        found = False
        for column, name in enumerate(self.mentions.columns):
            for row, start, end, kind in self.own.scan(texts[name], decision.shown_to):
                span = Alignment(before.get((column, row), ())).to_original(start, end)
                text = self.rows.texts[name][row]
                for a, b in self._covered(column, row).open_words(*span, text) if span else ():
                    fixed.setdefault((column, row), []).append((a, b, kind))
                    found = True
        return found

    def _covered(self, column: int, row: int) -> Spans:
        spans = Spans((a, b) for a, b, _ in self.prepared.direct.found.get((column, row), ()))
        for start, end in self.mentions.of_cell(column, row):
            spans.add(start, end)
        return spans

    def shown_late(self, texts: Mapping[str, list[str]], marks: Marks) -> list[CellMention]:
        """Terms that the detectors find in the release, where its text has changed."""
        if self.recogniser is None:
            return []
        edits, rows_of = marks.edits(), defaultdict[int, list[int]](list)
        for column, row in edits:
            rows_of[column].append(row)
        late = []
        for column, changed in rows_of.items():
            name = self.mentions.columns[column]
            known = self.recogniser.texts([texts[name][row] for row in changed])
            for row in changed:
                alignment = Alignment(edits[column, row])
                for start, end, kind in known[texts[name][row]]:
                    span = alignment.to_original(start, end)
                    if span is not None:
                        late.append(CellMention(row, column, *span, kind))
        return late

    def mentioned_again(
        self, hidden: HiddenTerms, texts: Mapping[str, list[str]], marks: Marks
    ) -> list[CellMention]:
        """Further mentions, in the texts of a class, of what is hidden in it."""
        if not hidden:
            return []
        label_of = hidden.alike_of(self.rows.person)
        suspects = [
            (column, *hit)
            for column, name in enumerate(self.mentions.columns)
            for hit in (
                *hidden.suspects(texts[name], label_of),
                *hidden.own_numbers(texts[name], self.rows.person),
            )
        ]
        edits = marks.edits({(c, r) for c, r, *_ in suspects}) if suspects else {}
        again = []
        for column, row, start, end, kind in suspects:
            span = Alignment(edits.get((column, row), ())).to_original(start, end)
            if span is not None:
                again.append(CellMention(row, column, *span, kind))
        return again

    # Columns that are no texts

    def mark_other_columns(
        self, hidden: HiddenTerms, decision: Decision, marks: MarkList, names: Sequence[str]
    ) -> None:
        """Insensitive and sensitive columns stay as they are, less direct identifiers; insensitive ones also
        less what is hidden in their class."""
        label_of = hidden.alike_of(self.rows.person)
        free = set(self.rows.columns("insensitive"))
        direct = defaultdict[str, dict[int, list[tuple[int, int, str]]]](dict)
        for (name, row), found in self.prepared.direct.others.items():
            direct[name][row] = list(found)
        for place, name in enumerate(names, len(self.mentions.columns)):
            column = self.rows.table.texts(name)
            cells = [column[row] for row in self.rows.number.tolist()]
            spans = direct[name]
            if name in free:
                suspects = hidden.suspects(cells, label_of) if hidden else ()
                own = self.own.scan(cells, decision.shown_to)
                for row, start, end, kind in (*suspects, *own):
                    if Spans((a, b) for a, b, _ in spans.get(row, ())).add(start, end):
                        spans.setdefault(row, []).append((start, end, kind))
            for row, found in sorted(spans.items()):
                places = [(a, b, k, self.replacements(k), DIRECT, -1) for a, b, k in found]
                place_all(cells[row], places, marks, place, row)

    def refuse_changed(self, marks: Marks) -> None:
        """What the policy keeps is not changed for k: the table is refused."""
        if not self.prepared.kept:
            return
        for (column, row), edits in marks.edits().items():
            name = marks.columns[column]
            number = int(self.rows.number[row])
            texts = self.rows.texts.get(name)
            text = texts[row] if texts else cell_text(self.rows.table.column(name)[number])
            for edit in edits:
                same = text[edit.start : edit.end] == edit.replacement
                if not same and self.prepared.kept.holds(text, edit.start, edit.end):
                    where = self.rows.table.where(number)
                    raise InputError(
                        f"{where}: `keep` names a term of '{name}' that must be hidden for"
                        f" k = {self.settings.k} persons to look alike; take it off the list",
                        path=self.rows.table.path,
                    )

    def finish(self, decision: Decision, view: Persons, marks: Marks, rounds: int) -> Anonymized:
        weights, recoded = self.settings.weights, decision.recoded
        loss = measure(
            view,
            self.classes,
            term_loss=recoded.terms.loss,
            column_losses=recoded.column_losses,
            relational_weight=weights.relational,
            textual_weight=weights.textual,
        )
        shown = ShownColumns(recoded.columns, self.prepared.direct.shown(self.key))
        return Anonymized(
            self.rows,
            view,
            self.classes,
            marks,
            edits_of(self.rows, self.classes, shown, marks, self.replacements),
            decision.ladders.words if decision.ladders else (),
            loss,
            statistics(self.classes),
            risk(self.classes),
            rounds,
            tuple(self.prepared.matcher.close),
            len(self.mentions),
            self.mentions.redundant(),
        )
