"""Is a released table k-anonymous, rows and texts together? Counted again from the release itself.

Persons are grouped by what their rows show and by the terms left in their texts; the certificate says
where terms were left, and the detectors look for more. Every group must have k persons. With the
ledger: rows stand as in the input, nothing but the edits differs, nothing that was hidden is left.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from typing import Any

from sfumato.document import Claim
from sfumato.english.folding import normal_form, skeleton
from sfumato.english.ordinary import is_ordinary
from sfumato.errors import SfumatoError
from sfumato.protect.tables.rows import clean
from sfumato.release.certificate import Certificate, hash_output
from sfumato.verify.check import Check, fails, holds, needs
from sfumato.verify.tables.rows import K_ANONYMOUS, Find, Found, Released, TableEvidence
from sfumato.verify.tables.values import broken, covered, described
from sfumato.verify.words import Words

__all__ = ["CLAIMS", "K_ANONYMOUS", "Find", "TableEvidence", "check_claims", "examine", "is_table"]

DIVERSE = "diverse"
NOT_TOLD = "sensitive terms not told"
HIDDEN_GONE = "hidden terms gone"
DIRECT_GONE = "direct identifiers gone"
ROWS = "rows as in the input"
CLAIMS = (K_ANONYMOUS, HIDDEN_GONE, DIRECT_GONE, ROWS)

_TOLERANCE = 1e-9
# where one value of a class ends; dates and the ends of ranges are no digits of one number
_PARTS = re.compile(r"[,()\[\]]|(?<=\d)-(?=[-\d])")
LONG_NUMBER = 6  # digits of another person's number that must not stand anywhere


def is_table(certificate: Certificate) -> bool:
    """Whether a certificate is about a table."""
    return any(claim.name == K_ANONYMOUS for claim in certificate.claims)


def examine(certificate: Certificate, evidence: TableEvidence) -> list[Check]:
    """Every check of a released table: its certificate, and each claim."""
    from sfumato.verify import _certified_knowledge, _certified_policy, _genuine
    from sfumato.verify.evidence import Evidence

    plain = Evidence("", evidence.policy, None, evidence.record, evidence.key, evidence.data)
    claimed = {claim.name for claim in certificate.claims}
    return [
        _genuine(certificate, plain),
        _certified_release(certificate, evidence),
        _certified_policy(certificate, plain),
        _certified_knowledge(certificate, plain),
        *check_claims(certificate.claims, evidence),
        *(fails(n, "the certificate does not claim it") for n in CLAIMS if n not in claimed),
    ]


def _certified_release(certificate: Certificate, evidence: TableEvidence) -> Check:
    name = "release is the certified one"
    if evidence.key is None:
        return needs(name, "the key")
    if hash_output(evidence.data, evidence.key) != certificate.output:
        return fails(name, "the file was changed since it was certified")
    return holds(name)


def check_claims(claims: Sequence[Claim], evidence: TableEvidence) -> list[Check]:
    """Each claim derived again."""
    try:
        table = _Checks(claims, evidence)
    except (SfumatoError, KeyError, TypeError, ValueError, IndexError) as error:
        said = str(error) if isinstance(error, SfumatoError) else "the certificate does not fit"
        return [fails(claim.name, said) for claim in claims]
    return [table.check(claim) for claim in claims]


class _Checks(Released):
    """The checks of each claim."""

    # Claims

    def check(self, claim: Claim) -> Check:
        if claim.name in (K_ANONYMOUS, DIVERSE) and self.persons is None:
            return needs(claim.name, "the ledger: the release does not tell persons apart")
        if claim.name == K_ANONYMOUS:
            return self._k_anonymous()
        if claim.name == DIVERSE:
            return self._diverse(claim)
        if claim.name not in (NOT_TOLD, HIDDEN_GONE, DIRECT_GONE, ROWS):
            return needs(claim.name, "a newer version of Sfumato")
        if self.details is None or self.original is None:
            return needs(claim.name, "the ledger")
        if len(self.details.number) != self.count:
            return fails(claim.name, "the release has other rows than the ledger's record")
        if claim.name == ROWS:
            return self._rows_as_in_the_input()
        if claim.name == DIRECT_GONE:
            return self._direct_gone()
        if claim.name == NOT_TOLD:
            return self._not_told(claim)
        return self._hidden_gone()

    def _k_anonymous(self) -> Check:
        if self.problem:
            return fails(K_ANONYMOUS, self.problem)
        k = int(self.parameters["k"])
        small = [g for g in self.groups if len(g.persons) < k]
        if small:
            first = min(min(g.rows) for g in small)
            return fails(
                K_ANONYMOUS,
                f"{len(small)} classes have fewer than {k} persons, one of them at {self.table.where(first)}",
            )
        m = self.parameters.get("combinations")
        if m is not None and (row := self._rare_combination(k, int(m))) is not None:
            return fails(
                K_ANONYMOUS, f"a combination of terms is too rare at {self.table.where(row)}"
            )
        persons = sum(len(g.persons) for g in self.groups)
        said = f"k = {k}; {persons:,} persons in {len(self.groups):,} classes, the smallest has "
        said += f"{min(len(g.persons) for g in self.groups):,}"
        if self.evidence.find is None and not self.parameters["given"]:
            said += "; give the policy to look for terms again"
        return holds(K_ANONYMOUS, said)

    def _rare_combination(self, k: int, m: int) -> int | None:
        for group in self.groups:
            sets = self.terms_of(group).values()
            for length in range(1, m + 1):
                counts = Counter(c for s in sets for c in combinations(sorted(s), length))
                if any(many < k for many in counts.values()):
                    return min(group.rows)
        return None

    def _diverse(self, claim: Claim) -> Check:
        assert self.persons is not None
        for demand in claim.parameters["demands"]:
            name = demand["column"]
            cells = self.table.texts(name)
            value = {p: cells[row].strip() for row, p in reversed(list(enumerate(self.persons)))}
            whole = Counter(value.values())
            for group in self.groups:
                mine = Counter(value[p] for p in group.persons)
                bad = broken(mine, whole, demand)
                if bad:
                    where = self.table.where(min(group.rows))
                    return fails(
                        DIVERSE, f"{bad} of '{name}' does not hold for the class at {where}"
                    )
        said = ", ".join(described(d) for d in claim.parameters["demands"])
        return holds(DIVERSE, said)

    # With the ledger

    def _rows_as_in_the_input(self) -> Check:
        details, original = self.details, self.original
        assert details is not None
        assert original is not None
        for name in self.table.names:
            if name in self.quasi:
                problem = self._covers(name)
                if problem is not None:
                    return fails(
                        ROWS, f"{self.table.where(problem)}: '{name}' does not hold the original"
                    )
                continue
            if name in self.parameters["direct"]:
                continue
            before, after = original.texts(name), self.table.texts(name)
            steps = details.clean if name in self.text else ()
            for row, place in enumerate(details.number.tolist()):
                said = clean(before[place], steps) if steps else before[place]
                if self.marks.edited(name, row, said) != after[row]:
                    return fails(
                        ROWS, f"{self.table.where(row)}: '{name}' differs beyond its edits"
                    )
        if (details.number[1:] <= details.number[:-1]).any():
            return fails(ROWS, "rows stand in another order")
        dropped = len(original) - self.count
        return holds(ROWS, f"{dropped:,} rows were dropped" if dropped else "")

    def _covers(self, name: str) -> int | None:
        """The first row whose cell does not hold the original value, as far as its form can be read."""
        assert self.details is not None
        assert self.original is not None
        policy = self.evidence.policy
        settings = policy.table.columns.get(name) if policy and policy.table else None
        if settings is None or settings.shown != "range":
            return None
        cells = self.original.texts(name)
        above = {path[0]: set(path) for path in settings.hierarchy}
        known: dict[tuple[str, str], bool] = {}
        for row, place in enumerate(self.details.number.tolist()):
            pair = (cells[place].strip(), self.cells[name][row])
            if pair not in known:
                known[pair] = covered(*pair, settings.type, settings.format, above)
            if not known[pair]:
                return row
        return None

    def _hidden_gone(self) -> Check:
        """What a class hides stands in none of its texts and unprotected cells, but where it was kept."""
        assert self.persons is not None
        assert self.original is not None
        assert self.details is not None
        marks = self.marks
        hidden: list[set[str]] = [set() for _ in range(self.count)]
        own: dict[int, set[str]] = defaultdict(set)  # by person
        kept: list[set[str]] = [set() for _ in range(self.count)]
        for name in self.text:
            texts = self.cleaned(name)
            for row, start, end, how, text in marks.of_column(name, "start", "end", "how", "text"):
                said = texts[row][start:end]
                as_column = how == marks.column
                if how in marks.hiding or (as_column and self.details.strings[text] != said):
                    short = skeleton(said).isdigit() and len(skeleton(said)) < LONG_NUMBER
                    if as_column and short:  # stands for too many things in others' texts
                        if said.isdecimal() and len(said) > 1:
                            own[self.persons[row]].add(said)
                    else:
                        hidden[row].add(said)
                elif as_column or how == marks.kept:
                    kept[row].add(said)
        for name in self.text:
            for row, cell in enumerate(self.cells[name]):
                mine = own.get(self.persons[row], set())
                if mine and not mine.isdisjoint(marks.numbers_beside(name, row, cell)):
                    return fails(
                        HIDDEN_GONE, f"{self.table.where(row)}: a hidden number stands in '{name}'"
                    )
        free = [n for n in self.table.names if n in self.parameters["insensitive"]]
        searched = {n: self.table.texts(n) for n in (*self.text, *free)}
        ordinary = 0
        for group in self.groups:
            hide: set[str] = set().union(*(hidden[row] for row in group.rows))
            stay: set[str] = set().union(*(kept[row] for row in group.rows))
            gone = set(map(skeleton, hide)) - set(map(skeleton, stay)) - {""}
            telling = {g for g in gone if not is_ordinary(g)}
            ordinary += len(gone) - len(telling)
            words = Words(telling)
            for name, cells in searched.items():
                for row in group.rows:
                    if words.stand_in(cells[row], partial(marks.shown, name, row, cells[row])):
                        return fails(
                            HIDDEN_GONE,
                            f"{self.table.where(row)}: a hidden term stands in '{name}'",
                        )
        note = "ordinary words among them may stand elsewhere" if ordinary else ""
        return holds(HIDDEN_GONE, note)

    def _direct_gone(self) -> Check:
        assert self.original is not None
        assert self.details is not None
        everywhere: set[str] = set()
        own: list[set[str]] = [set() for _ in range(int(self.details.person.max(initial=-1)) + 1)]
        for name in self.parameters["direct"]:
            cells = self.original.texts(name)
            for row, place in enumerate(self.details.number.tolist()):
                said = skeleton(cells[place])
                if len(said) <= 1:
                    continue
                if is_ordinary(said) or (said.isdigit() and len(said) < LONG_NUMBER):
                    own[int(self.details.person[row])].add(said)
                else:
                    everywhere.add(said)
        words = Words(everywhere)
        for name in self.quasi:
            known: dict[str, bool] = {}
            for row, cell in enumerate(self.cells[name]):
                if cell not in known:
                    known[cell] = any(map(words.stand_in, _PARTS.split(cell)))
                if known[cell]:
                    return fails(DIRECT_GONE, f"{self.table.where(row)}: one stands in '{name}'")
        mine = {person: Words(each) for person, each in enumerate(own) if each}
        for name in self.table.names:
            if name in self.quasi:
                continue
            cells = self.table.texts(name)
            direct = name in self.parameters["direct"]
            for row, (cell, person) in enumerate(
                zip(cells, self.details.person.tolist(), strict=True)
            ):
                wanted = [words] if direct or person not in mine else [words, mine[person]]
                for each in wanted:
                    if each.stand_in(cell, partial(self.marks.shown, name, row, cell)):
                        return fails(
                            DIRECT_GONE, f"{self.table.where(row)}: one stands in '{name}'"
                        )
        return holds(DIRECT_GONE)

    def _not_told(self, claim: Claim) -> Check:
        """No sensitive term is much commoner in a class than in the table, none sure in one."""
        assert self.persons is not None
        assert self.details is not None
        kinds, most = set(claim.parameters["kinds"]), float(claim.parameters["closeness"])
        texts = {n: self.cleaned(n) for n in self.text}
        having: dict[Found, set[Any]] = defaultdict(set)
        marks = self.marks
        for name in self.text:
            for row, start, end, kind, how in marks.of_column(name, "start", "end", "kind", "how"):
                said = self.details.strings[kind]
                if said in kinds and (how in marks.hiding or how == marks.kept):
                    term = normal_form(texts[name][row][start:end])
                    having[name, said, term].add(self.persons[row])
        everyone = len(set(self.persons))
        for group in self.groups:
            people = set(group.persons)
            for persons in having.values():
                share, whole = len(people & persons) / len(people), len(persons) / everyone
                if share - whole > most + _TOLERANCE or (share == 1 and whole < 1):
                    where = self.table.where(min(group.rows))
                    return fails(NOT_TOLD, f"the class at {where} tells a sensitive term")
        return holds(NOT_TOLD)
