"""Is a released table k-anonymous, rows and texts together? Counted again from the release itself.

Persons are grouped by what their rows show and by the terms left in their texts; the certificate says
where terms were left, and the detectors look for more. Every group must have k persons. With the
ledger: rows stand as in the input, nothing but the edits differs, nothing that was hidden is left.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import cache
from itertools import combinations, permutations
from math import comb
from typing import Any

import numpy as np

from sfumato.document import Claim
from sfumato.english.folding import (
    id_form,
    normal_form,
    plain_letters,
    skeleton,
    spelt_out,
    value_form,
)
from sfumato.english.numbers import LONG_NUMBER
from sfumato.english.ordinary import is_ordinary
from sfumato.errors import SfumatoError
from sfumato.know import fingerprints
from sfumato.plugins import Knowledge, claim
from sfumato.policy import Policy
from sfumato.policy.table import TableSettings
from sfumato.verify.check import MORE, Check, fails, holds, needs, needs_ledger
from sfumato.verify.evidence import Evidence
from sfumato.verify.kinds import not_installed
from sfumato.verify.numbers import HiddenDays, days_of, numbers_of
from sfumato.verify.tables.edits import COLUMN, NOT_HIDING
from sfumato.verify.tables.own import told_otherwise
from sfumato.verify.tables.rows import K_ANONYMOUS, Found, Released
from sfumato.verify.tables.values import Overall, broken, covered, described, value_of
from sfumato.verify.words import OneWord, PersonNames, Words

DIVERSE = "diverse"
NOT_TOLD = "sensitive terms not told"
HIDDEN_GONE = "hidden terms gone"
DIRECT_GONE = "direct identifiers gone"
ROWS = "rows as in the input"

_TOLERANCE = 1e-9
# where one value of a class ends; dates and the ends of ranges are no digits of one number
_PARTS = re.compile(r"[,()\[\]]|(?<=\d)-(?=[-\d])")
_MOST_COMBINATIONS = 1_000_000  # of terms in a class that are counted

_Search = Words | OneWord | PersonNames | HiddenDays
TableChecker = Callable[[Released, Claim], Check]


def _table_claim(
    name: str,
    *,
    with_ledger: bool = False,
    by_person: bool = False,
    knowledge: Knowledge = fingerprints.words,
) -> Callable[[TableChecker], TableChecker]:
    """Register a checker that is given the table, read once for all claims. One `with_ledger` needs the
    original too; one `by_person` needs to tell whose row each is."""

    def keep(check: TableChecker) -> TableChecker:
        @claim(name, knowledge=knowledge)
        def checked(claim: Claim, evidence: Evidence) -> Check:
            settings = evidence.policy.table if evidence.policy is not None else None
            if settings is None:
                return needs(name, "the policy")
            if name != K_ANONYMOUS and not _is_asked(claim, settings):
                return fails(name, "the claim is not what the policy asks for")
            try:
                table = _read(evidence, settings)
                found = judged(table, claim)
                if by_person and found.failed and evidence.signed and table.ledger is None:
                    found = judged(_read(evidence, settings, believing=True), claim)
                    if found.verdict == "holds":
                        why = "the texts alone do not show what the certificate says"
                        return needs_ledger(name, why)
            except (
                SfumatoError,
                KeyError,
                TypeError,
                ValueError,
                IndexError,
                StopIteration,
            ) as error:
                said = str(error) if isinstance(error, SfumatoError) else ""
                return fails(name, said or "the release or its certificate does not fit")
            return found

        def judged(table: Released, claim: Claim) -> Check:
            if by_person and table.problem:
                return fails(name, table.problem)
            if by_person and table.persons is None:
                return needs_ledger(name, "the release does not tell persons apart")
            if with_ledger and table.ledger is None:
                return needs_ledger(name)
            if with_ledger and table.ledger and len(table.ledger.edits.rows) != table.count:
                return fails(name, "the release has other rows than the ledger's record")
            found = check(table, claim)
            if by_person and found.verdict == "holds" and table.holds_more:
                return needs(name, MORE)
            return found

        return check

    return keep


def _read(evidence: Evidence, settings: TableSettings, *, believing: bool = False) -> Released:
    place = f"table, {believing=}"
    if place not in evidence.shared:
        evidence.shared[place] = Released(evidence, settings, believing=believing)
    table: Released = evidence.shared[place]
    return table


def _is_asked(claim: Claim, settings: TableSettings) -> bool:
    """Whether a claim is what the policy asks for, where it says no more than that."""
    if claim.name == DIVERSE and claim.parameters.keys() == {"demands"}:
        said = sorted(claim.parameters["demands"], key=lambda demand: str(demand["column"]))
        return bool(said == sorted(_demands(settings), key=lambda demand: str(demand["column"])))
    wanted, asked = settings.sensitive_terms, dict[str, Any]()
    if claim.name == NOT_TOLD:
        asked = {"kinds": list(wanted.kinds), "closeness": wanted.closeness}
    return claim.parameters == asked


def _demands(settings: TableSettings) -> list[dict[str, Any]]:
    """How the policy asks the values of columns to be mixed."""
    return [
        {"column": name}
        | column.model_dump(include={"distinct", "entropy", "closeness"})
        | {"ordered": column.type in ("number", "date")}
        for name, column in settings.columns.items()
        if column.is_demanding
    ]


def _generalisations(policy: Policy) -> Mapping[str, str]:
    """What terms were made more general by."""
    used = policy.table is not None and policy.table.generalise
    return fingerprints.taxonomy(policy) if used else {}


@_table_claim(K_ANONYMOUS, by_person=True, knowledge=_generalisations)
def k_anonymous(table: Released, claim: Claim) -> Check:
    find, k = table.evidence.find, table.settings.k
    small = [g for g in table.groups if len(g.persons) < k]
    if small:
        first = min(min(g.rows) for g in small)
        return fails(
            K_ANONYMOUS,
            f"{len(small)} classes have fewer than {k} persons, one of them at {table.table.where(first)}",
        )
    m = table.settings.combinations
    if m is not None and (row := _rare_combination(table, k, m)) is not None:
        return fails(K_ANONYMOUS, f"a combination of terms is too rare at {table.table.where(row)}")
    if find is not None and find.absent:
        return needs(K_ANONYMOUS, not_installed(find.absent))
    persons = sum(len(g.persons) for g in table.groups)
    said = f"k = {k}; {persons:,} persons in {len(table.groups):,} classes, the smallest has "
    said += f"{min(len(g.persons) for g in table.groups):,}"
    if table.parameters["given"] and table.evidence.policy and table.evidence.policy.detect:
        given = "the terms were given, no detector of the policy has looked for them"
        if table.ledger is None:
            return needs_ledger(K_ANONYMOUS, given)
        said += f"; {given}"
    return holds(K_ANONYMOUS, said)


def _rare_combination(table: Released, k: int, m: int) -> int | None:
    for group in table.groups:
        different = Counter(map(frozenset, table.terms_of(group).values()))
        if all(many >= k for many in different.values()):
            continue
        if sum(comb(len(s), min(m, len(s) // 2)) for s in different) > _MOST_COMBINATIONS:
            return min(group.rows)  # more than we ever release
        for length in range(1, m + 1):
            counts: Counter[tuple[object, ...]] = Counter()
            for terms, many in different.items():
                for found in combinations(sorted(terms), length):
                    counts[found] += many
            if any(many < k for many in counts.values()):
                return min(group.rows)
    return None


@_table_claim(DIVERSE, by_person=True)
def diverse(table: Released, claim: Claim) -> Check:
    assert table.persons is not None
    demands = claim.parameters["demands"]
    for demand in demands:
        name = demand["column"]
        settings, cells = table.settings.columns[name], table.table.texts(name)
        known = {cell: value_of(cell, settings.type, settings.format) for cell in {*cells}}
        value: dict[Any, float | str] = {}
        for row, person in enumerate(table.persons):
            if value.setdefault(person, known[cells[row]]) != known[cells[row]]:
                where = table.table.where(row)
                return fails(DIVERSE, f"{where}: a person has several values of '{name}'")
        whole = Overall(Counter(value.values()), ordered=demand["ordered"])
        for group in table.groups:
            mine = Counter(value[p] for p in group.persons)
            bad = broken(mine, whole, demand)
            if bad:
                where = table.table.where(min(group.rows))
                return fails(DIVERSE, f"{bad} of '{name}' does not hold for the class at {where}")
    said = ", ".join(described(d) for d in demands)
    return holds(DIVERSE, said)


# With the ledger


@_table_claim(ROWS, with_ledger=True)
def rows_as_in_the_input(table: Released, claim: Claim) -> Check:
    """Undoing the edits gives every cell of the original, and what a class shows holds what stood there."""
    assert table.ledger is not None
    if table.ledger.cells.text != table.evidence.original:
        return fails(ROWS, "cells differ beyond their edits")
    for name in table.quasi:
        problem = _covers(table, name)
        if problem is not None:
            where = table.table.where(problem)
            return fails(ROWS, f"{where}: '{name}' does not hold the original")
    dropped = len(table.ledger.original) - table.count
    return holds(ROWS, f"{dropped:,} rows were dropped" if dropped else "")


def _covers(table: Released, name: str) -> int | None:
    """The first row whose cell does not hold the original value, as far as its form can be read."""
    assert table.ledger is not None
    settings = table.settings.columns[name]
    if settings.shown != "range":
        return None
    cells = table.ledger.original.texts(name)
    above = {path[0]: set(path) for path in settings.hierarchy}
    known: dict[tuple[str, str], bool] = {}
    for row, place in enumerate(table.ledger.edits.rows.tolist()):
        pair = (cells[place].strip(), table.cells[name][row])
        if pair not in known:
            known[pair] = covered(*pair, settings.type, settings.format, above)
        if not known[pair]:
            return row
    return None


@_table_claim(HIDDEN_GONE, with_ledger=True)
def hidden_gone(table: Released, claim: Claim) -> Check:
    """What a class hides stands in none of its texts and unprotected cells, but where it was kept."""
    assert table.persons is not None
    assert table.ledger is not None
    edits, group_of = table.ledger.edits, np.zeros(table.count, np.int64)
    for number, group in enumerate(table.groups):
        group_of[group.rows] = number
    hidden: list[set[str]] = [set() for _ in table.groups]
    own: dict[Any, set[str]] = defaultdict(set)  # by person
    kept: list[set[str]] = [set() for _ in table.groups]
    folded = cache(skeleton)  # few terms, many mentions
    for name in table.text:
        found, rows, which = edits.words(name)
        said = [table.hidden(original) for original, _, _ in found]
        number_of, hides, same = (np.zeros(len(found), bool) for _ in range(3))
        for at, (_, new, how) in enumerate(found):
            if how == COLUMN and _short(said[at]):  # stands for too many things in others' texts
                number_of[at] = said[at].isdecimal() and len(said[at]) > 1
            else:
                hides[at] = how == COLUMN or how not in NOT_HIDING
            same[at] = how not in NOT_HIDING and folded(said[at]) == folded(new) != ""
        for row in rows[same[which]].tolist():
            where = table.table.where(row)
            return fails(HIDDEN_GONE, f"{where}: a term of '{name}' reads as it did")
        for at in np.flatnonzero(number_of[which]).tolist():
            own[table.persons[int(rows[at])]].add(said[int(which[at])])
        of_group = hides[which]
        pairs = np.unique(group_of[rows[of_group]] * max(len(found), 1) + which[of_group])
        for pair in pairs.tolist():
            number, at = divmod(pair, len(found))
            hidden[number].add(folded(said[at]))
        for row, spans in table.kept[name].items():
            kept[group_of[row]].update(folded(table.cells[name][row][a:b]) for a, b, _ in spans)
    return _own_number(table, own) or _own_value(table) or _hidden_term(table, hidden, kept)


def _own_number(table: Released, own: Mapping[Any, set[str]]) -> Check | None:
    """A number that stands in its person's text although the person's column no longer shows it."""
    assert table.persons is not None
    assert table.ledger is not None
    for name in table.text if own else ():
        for row, cell in enumerate(table.cells[name]):
            mine = own.get(table.persons[row], set())
            stay = [(a, b) for a, b, _ in table.kept[name].get(row, ())] if mine else []
            beside = table.ledger.edits.numbers_beside(name, row, cell, stay) if mine else ()
            if not mine.isdisjoint(beside):
                where = table.table.where(row)
                return fails(HIDDEN_GONE, f"{where}: a hidden number stands in '{name}'")
    return None


def _own_value(table: Released) -> Check | None:
    found = told_otherwise(table)
    if found is None:
        return None
    where = table.table.where(found[0])
    return fails(HIDDEN_GONE, f"{where}: a value of which less is shown stands in '{found[1]}'")


def _hidden_term(table: Released, hidden: Sequence[set[str]], kept: Sequence[set[str]]) -> Check:
    """Whether what a group hides, and does not keep elsewhere, stands in a cell of it."""
    searched = {n: table.beside(n) for n in (*table.text, *table.insensitive)}
    is_known, ordinary = cache(is_ordinary), 0
    for group, hide, left in zip(table.groups, hidden, kept, strict=True):
        gone = hide - left - {""}
        telling = {g for g in gone if not is_known(g)}
        ordinary += len(gone) - len(telling)
        words = Words(telling)
        for name, cells in searched.items():
            if words.stand_in_any(map(cells.__getitem__, group.rows)):
                row = next(row for row in group.rows if words.stand_in(cells[row]))
                where = table.table.where(row)
                return fails(HIDDEN_GONE, f"{where}: a hidden term stands in '{name}'")
    note = "ordinary words among them may stand elsewhere" if ordinary else ""
    return holds(HIDDEN_GONE, note)


@_table_claim(DIRECT_GONE, with_ledger=True)
def direct_gone(table: Released, claim: Claim) -> Check:
    assert table.persons is not None
    everywhere, own, names, born = _named(table)
    words, rows_of, days = Words(everywhere), defaultdict(list), HiddenDays(born)
    for row, person in enumerate(table.persons):
        rows_of[person].append(row)
    for name in table.quasi:
        is_measured = table.settings.columns[name].type in ("number", "date")
        for cell in dict.fromkeys(table.cells[name]):
            named = any(map(words.stand_in, _PARTS.split(cell)))
            if named or (not is_measured and days.stand_in(cell)):
                where = table.table.where(table.cells[name].index(cell))
                return fails(DIRECT_GONE, f"{where}: one stands in '{name}'")
    everyone = range(table.count)
    of_persons: list[tuple[_Search, Sequence[int]]] = [
        (words, everyone),
        (days, everyone),
    ]
    of_persons += [(OneWord(said), rows_of[person]) for person, said in own.items()]
    of_persons += [(PersonNames(said), rows_of[person]) for person, said in names.items()]
    # numbers stand in the numbers and hashes that were made up
    of_direct: list[tuple[_Search, Sequence[int]]] = [(Words(everywhere, by_worth=False), everyone)]
    for name in (n for n in table.table.names if n not in table.quasi):
        cells = table.beside(name)
        for each, rows in of_direct if name in table.direct else of_persons:
            if each.stand_in_any(map(cells.__getitem__, rows)):
                row = next(row for row in rows if each.stand_in(cells[row]))
                return fails(DIRECT_GONE, f"{table.table.where(row)}: one stands in '{name}'")
    return holds(DIRECT_GONE)


def _named(
    table: Released,
) -> tuple[set[str], Mapping[Any, set[str]], Mapping[Any, set[str]], set[date]]:
    """What names persons: words that may stand nowhere, words and names that may not stand in rows of a
    person, and days."""
    assert table.ledger is not None
    everywhere, born = set[str](), set[date]()
    folded = cache(skeleton)  # few persons, many rows
    own: dict[Any, set[str]] = defaultdict(set)  # by person
    names: dict[Any, set[str]] = defaultdict(set)
    original, key = table.ledger.original, table.settings.person_column
    row_of = {old: new for new, old in enumerate(table.ledger.edits.rows.tolist())}
    # rows that were left out name persons, too, and so do columns that the policy does not name
    whose = (
        [*map(id_form, original.texts(key))] if key else [*map(row_of.get, range(len(original)))]
    )
    shown = {*table.table.names} - {*table.direct}
    for name in (n for n in original.names if n not in shown):
        for person, cell in zip(whose, original.texts(name), strict=True):
            for said in {folded(cell), *numbers_of(cell)}:
                if len(said) <= 1:
                    continue
                if is_ordinary(said) or _short(said):
                    own[person].add(said)
                else:
                    everywhere.add(said)
            names[person] |= _rare_words(cell)
        for cell in {*original.texts(name)}:
            again = _rewritten(cell)
            found = {*map(folded, again)}.union(*map(_reordered, (cell, *again)))
            everywhere |= {word for word in found if not is_ordinary(word) and not _short(word)}
        settings = table.settings.columns.get(name)
        days = days_of(original.texts(name), settings.format if settings else None)
        born.update(*days.values())
    return everywhere, own, names, born


@_table_claim(NOT_TOLD, with_ledger=True)
def not_told(table: Released, claim: Claim) -> Check:
    """No sensitive term is much commoner in a class than in the table, none sure in one."""
    assert table.persons is not None
    assert table.ledger is not None
    kinds, most = set(claim.parameters["kinds"]), float(claim.parameters["closeness"])
    having: dict[Found, set[Any]] = defaultdict(set)
    for name in table.text:
        for edit in table.ledger.edits.of_column(name):
            if edit.kind in kinds and edit.hides:
                said = value_form(normal_form(table.hidden(edit.original)))
                having[name, edit.kind, said].add(table.persons[edit.row])
        for row, spans in table.kept[name].items():
            for start, end, kind in spans:
                if kind in kinds:
                    said = value_form(normal_form(table.cells[name][row][start:end]))
                    having[name, kind, said].add(table.persons[row])
    everyone = len(set(table.persons))
    of_person: dict[Any, list[Found]] = defaultdict(list)
    for term, persons in having.items():
        for person in persons:
            of_person[person].append(term)
    for group in table.groups:
        found = Counter(term for person in group.persons for term in of_person.get(person, ()))
        for term, many in found.items():
            share, whole = many / len(group.persons), len(having[term]) / everyone
            if share - whole > most + _TOLERANCE or (share == 1 and whole < 1):
                where = table.table.where(min(group.rows))
                return fails(NOT_TOLD, f"the class at {where} tells a sensitive term")
    return holds(NOT_TOLD)


def _rare_words(cell: str) -> set[str]:
    """The words of a name that are in no dictionary."""
    words = plain_letters(cell).split()
    if len(words) > 5 or "@" in cell or not "".join(words).isalpha():
        return set()
    return {word for word in words if len(word) >= 4 and not is_ordinary(word)}


def _rewritten(cell: str) -> set[str]:
    """A name without umlauts, a mail address in words, an address of the web without its beginning."""
    made = {spelt_out(cell), re.sub(r"^\w{3,9}://(?:www\.)?(?=.)", "", cell.strip())}
    if "@" in cell:
        made |= {at := cell.replace("@", " at "), at.replace(".", " dot ")}
    elif re.search(r"(?i)[aou]e", cell) and not re.search(r"\d", cell):
        made.add(re.sub(r"(?i)(?<=[aou])e", "", cell))
    return made - {cell, ""}


def _reordered(cell: str) -> set[str]:
    """What two to four words of a name make in any order: those of four letters and more that are in no
    dictionary, or all, where one is such a word."""
    every = {word for word in plain_letters(cell).split() if word.isalpha()}
    rare = {word for word in every if len(word) >= 4 and not is_ordinary(word)}
    words = rare if len(rare) >= 2 else every if rare else set()
    return {"".join(said) for said in permutations(words)} if 2 <= len(words) <= 4 else set()


def _short(said: str) -> bool:
    folded = skeleton(said)
    return folded.isdigit() and len(folded) < LONG_NUMBER
