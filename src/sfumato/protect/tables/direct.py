"""Direct identifiers: what becomes of their columns, and where else in the table they stand.

What a person's own identifiers say is hidden in all cells of that person. Those of others, of rows that are
left out too, are hidden everywhere, but for numbers of fewer than six digits, which stand for too many
things: row numbers would hide every year. A name is found in any order of its words: "Keller, Ann"; long
numbers and days are found by what they are worth.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import permutations

from sfumato.english.folding import id_form, plain_letters, skeleton, spelt_out, unaccented
from sfumato.english.numbers import LONG_NUMBER
from sfumato.english.ordinary import is_ordinary
from sfumato.english.wordlists import TITLES
from sfumato.errors import InputError
from sfumato.formats.table import cell_text
from sfumato.keys import Key
from sfumato.protect.tables.mentions import without_overlaps
from sfumato.protect.tables.readings import readings
from sfumato.protect.tables.replacements import direct_kind
from sfumato.protect.tables.rows import Rows
from sfumato.protect.tables.wordindex import WordIndex
from sfumato.protect.tables.worth import KnownDays, days_of, worth

# Hexadecimal digits, 48 bits: two of a million persons share one with a chance of 1 in 560
HASH = 12
PREFIXES = ("P", "Person-", "Nr-")  # of numbered persons
_WORD = re.compile(r"[^\W_](?:[^\W_]|[\u0300-\u036f])*")
_LETTERS = re.compile(r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f])*")
_NAME_WORDS = 4  # of which all orders are looked for
_JOINED = 5  # letters of a name that is found within a word
_JOINED_TO = 4  # letters of an ordinary word with which it is one

SpansOf = dict[tuple[int, int], list[tuple[int, int, str]]]


def _whose(rows: Rows) -> Iterator[tuple[int, int | None]]:
    """All rows of the table with the person of each; of one that is left out, None where that is nobody's who
    stays."""
    kept = dict(zip(rows.number.tolist(), rows.person.tolist(), strict=True))
    yield from kept.items()
    if len(kept) < len(rows.table):
        name = rows.settings.person_column
        keys = [*map(id_form, rows.table.texts(name))] if name is not None else None
        known = {keys[row]: person for row, person in kept.items()} if keys else {}
        for row in range(len(rows.table)):
            if row not in kept:
                yield row, known.get(keys[row]) if keys else None


def _orders(said: str) -> Iterator[str]:
    """A name in all orders of its words: of those that tell, where there are several.

    >>> list(_orders("Dr. Quentin Achterberg")), list(_orders("Keller, Ann")), list(_orders("Delft"))
    (['quentin achterberg', 'achterberg quentin'], ['keller ann', 'ann keller'], [])
    """
    words = list(dict.fromkeys(filter(str.isalpha, plain_letters(said).split())))
    telling = [w for w in words if len(w) > 3 and not is_ordinary(w)]
    if telling and 1 < len(name := telling if len(telling) > 1 else words) <= _NAME_WORDS:
        yield from map(" ".join, permutations(name))


def _respelt(said: str) -> Iterator[str]:
    """A name or an address as people write it who have no accents, or hide it from programs.

    >>> [*_respelt("Jürg Müller")], [*_respelt("x@ex.org")], [*_respelt("https://ex.org/u7")]
    (['Juerg Mueller'], ['x at ex.org', 'x at ex dot org'], ['ex.org/u7'])
    """
    if (plain := spelt_out(said)) != unaccented(said):
        yield plain
    if re.search("[aou]e", said, re.IGNORECASE) and not re.search(r"\d|@", said):
        yield re.sub("([aou])e", r"\1", said, flags=re.IGNORECASE)
    if "@" in said:
        yield said.replace("@", " at ")
        yield said.replace("@", " at ").replace(".", " dot ")
    if found := re.match(r"\w{3,9}://(?:www\.)?(?=.)", said):
        yield said[found.end() :]


def _own_words(said: str) -> list[str]:
    """The words of a name by each of which its person is told.

    >>> _own_words("Dr. Quentin Achterberg"), _own_words("Mill Lane 7, Zwolle")
    (['quentin', 'achterberg'], [])
    """
    words = plain_letters(said).split()
    if len(words) > _NAME_WORDS + 1 or not all(map(str.isalpha, words)) or "@" in said:
        return []
    return [word for word in words if len(word) > 3 and not is_ordinary(word)]


def _is_joined(word: str, name: str, names: Collection[str]) -> bool:
    """Whether a word is a person's name in the plural, or with an initial, a title, another name of the
    person or an ordinary word of four letters and more before or behind it.

    >>> [_is_joined(word, "achterberg", ()) for word in ("achterbergs", "mrachterberg", "achterbergen")]
    [True, True, False]
    >>> _is_joined("indiana", "diana", ()), _is_joined("adianas", "diana", ())
    (False, True)
    """
    if is_ordinary(word) or name not in word:
        return False
    before, _, after = word.partition(name)
    if len(name) < _JOINED:
        return not before and after == "s"
    return all(
        len(rest) <= 1
        or rest in names
        or rest in TITLES
        or rest == "es"
        or (len(rest) >= _JOINED_TO and is_ordinary(rest))
        for rest in (before, after)
    )


class DirectIdentifiers:
    """The direct identifiers of a table's rows."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self.names = rows.columns("direct")
        self.found: SpansOf = {}  # by (text column, row)
        self.others: dict[tuple[str, int], list[tuple[int, int, str]]] = {}  # by (column, row)
        self._index = WordIndex()  # hidden everywhere
        self._days = KnownDays()
        self._kinds: list[str] = []
        # hidden in own cells: words, and of these the names, also in pieces and in longer words
        self._own: list[dict[str, str]] = [{} for _ in range(rows.persons)]
        self._names: list[dict[str, str]] = [{} for _ in range(rows.persons)]
        self._any_name = WordIndex()
        whose = [*_whose(rows)]
        for name in self.names:
            kind = direct_kind(rows.settings, name)
            cells = rows.table.texts(name)
            said_by = dict.fromkeys((cells[row].strip(), person) for row, person in whose)
            said_by |= dict.fromkeys((w.strip(), None) for w in rows.table.left_out.get(name, ()))
            for said, person in said_by:
                if person is not None:
                    self._names[person] |= dict.fromkeys(_own_words(said), kind)
            said_by |= dict.fromkeys(
                (again, None) for said, _ in [*said_by] for again in _respelt(said)
            )
            digits = ((d, person) for said, person in said_by for d in worth(said))
            for said, person in dict.fromkeys([*said_by, *digits]):
                folded = skeleton(said)
                short = folded.isdigit() and len(folded) < LONG_NUMBER
                if not short and self._index.add(said, len(self._kinds)):
                    self._kinds.append(kind)
                elif len(folded) > 1 and person is not None:
                    # ordinary words and short numbers: in the person's own cells
                    self._own[person][folded] = kind
            for order in dict.fromkeys(o for said, _ in said_by for o in _orders(said)):
                if self._index.add(order, len(self._kinds)):
                    self._kinds.append(kind)
            said_days = days_of((said for said, _ in said_by), rows.settings.columns[name].format)
            for day in dict.fromkeys(day for days in said_days.values() for day in days):
                self._days.add(day, len(self._kinds))
            self._kinds.append(kind)
        for own, names in zip(self._own, self._names, strict=True):
            own |= names
        for name in dict.fromkeys(name for names in self._names for name in names):
            self._any_name.add(name, 0)
        self._any_own = any(self._own)

    def refuse_in_quasi(self) -> None:
        """A class shows its quasi-identifiers' values, so none may be what names a person."""
        rows = self._rows
        said = {c.strip() for name in self.names for c in rows.table.texts(name)}
        for name in rows.columns("quasi"):
            cells = rows.table.texts(name)
            if rows.settings.columns[name].type in ("number", "date"):  # parts of these say nothing
                bad = [
                    row
                    for row in rows.number.tolist()
                    if cells[row].strip() in said and self._index.knows(cells[row])
                ]
            else:
                here = [cells[row] for row in rows.number.tolist()]
                bad = [
                    int(rows.number[row])
                    for row, start, end, _ in self._everywhere(here)
                    if len(skeleton(here[row][start:end])) > 1
                ]
            if bad:
                raise InputError(
                    f"{rows.table.where(min(bad))}: a direct identifier stands in the quasi-identifier "
                    f"'{name}'; take it out there, or make the column direct",
                    path=rows.table.path,
                )

    def refuse_in_header(self) -> None:
        """Headers are released as they are, so none may hold what names a person."""
        table, settings, names = self._rows.table, self._rows.settings, {*self.names}
        for row, start, end, _ in self._everywhere(table.header):
            gone = table.names[row] in names and settings.fate(table.names[row]) == "remove"
            if not gone and len(skeleton(table.header[row][start:end])) > 1:
                raise InputError.at(
                    table.path,
                    f"the name of column {row + 1} holds a direct identifier; "
                    "rename the column, in the policy too",
                )

    def look_into_texts(self, texts: Sequence[list[str]]) -> None:
        """Look into the text columns; `found` then says where direct identifiers stand."""
        for column, cells in enumerate(texts):
            for row, spans in self._in(cells).items():
                self.found[column, row] = spans

    def look_into_others(self) -> None:
        """Look into the columns that are no texts and stay as they are."""
        rows = self._rows
        for name in rows.columns("insensitive", "sensitive"):
            cells = rows.table.column(name)
            said = [cell_text(cells[row]) for row in rows.number.tolist()]
            for row, spans in self._in(said).items():
                self.others[name, row] = spans

    def _everywhere(self, texts: Sequence[str]) -> Iterator[tuple[int, int, int, str]]:
        """(row, start, end, kind) of what is hidden whosever row it is."""
        for row, start, end, term in self._index.scan(texts):
            for number in self._index.numbers[term]:
                yield row, start, end, self._kinds[number]
        for row, text in enumerate(texts):
            for start, end, numbers in self._days.scan(text):
                yield from ((row, start, end, self._kinds[number]) for number in numbers)

    def _in(self, texts: Sequence[str]) -> dict[int, list[tuple[int, int, str]]]:
        found: dict[int, list[tuple[int, int, str]]] = {}
        for row, start, end, kind in self._everywhere(texts):
            found.setdefault(row, []).append((start, end, kind))
        person = self._rows.person.tolist()
        names = self._any_name.terms
        for row, start, end, term in self._any_name.scan(texts):
            if (own := self._names[person[row]].get(names[term])) is not None:
                found.setdefault(row, []).append((start, end, own))
        joined: dict[int, list[tuple[int, int, str]]] = {}
        for row, text in enumerate(texts) if self._any_own else ():
            for reading in readings(text) if self._own[person[row]] else ():
                for words, hits in ((self._own_words_in, found), (self._names_within, joined)):
                    for start, end, kind in words(reading.text, person[row]):
                        hits.setdefault(row, []).append((*reading.place(start, end), kind))
        for row in found | joined:
            # words by themselves first, and joined ones as the last reading has them: "%2CKellers"
            alone = sorted(found.get(row, ()), key=lambda h: (h[0] - h[1], h[0], h[2]))
            found[row] = without_overlaps([*alone, *reversed(joined.get(row, ()))])
        return found

    def _own_words_in(self, text: str, person: int) -> Iterator[tuple[int, int, str]]:
        own, plain = self._own[person], plain_letters(text)
        if any(word in plain for word in own):
            for word in _WORD.finditer(text):
                if (kind := own.get(skeleton(word[0]))) is not None:
                    yield *word.span(), kind

    def _names_within(self, text: str, person: int) -> Iterator[tuple[int, int, str]]:
        """Where names of a person stand beside digits and in longer words."""
        names, plain = self._names[person], plain_letters(text)
        if any(name in plain for name in names):
            for run in _LETTERS.finditer(text):
                word = skeleton(run[0]).strip("0123456789")  # "²" is a letter to Python
                for name, kind in names.items():
                    if word == name or _is_joined(word, name, names):
                        yield *run.span(), kind
                        break

    def shown(self, key: Key) -> dict[str, list[str] | None]:
        """What a release shows of each direct identifier; None where the column is left out."""
        used: set[str] = set()  # prefixes of numbers
        return {name: self._shown(name, key, used) for name in self.names}

    def _shown(self, name: str, key: Key, used: set[str]) -> list[str] | None:
        fate = self._rows.settings.fate(name)
        if fate == "remove":
            return None
        column = self._rows.table.column(name)
        cells = [cell_text(column[row]).strip() for row in self._rows.number.tolist()]
        first: dict[str, str] = {}  # of the spellings of one person or thing
        one = [first.setdefault(id_form(cell), cell) for cell in cells]
        if fate == "key":
            hashes = {c: key.tag(f"table:{name}", c).hex()[:HASH] for c in first.values()}
            return [hashes[c] for c in one]
        number = {c: i for i, c in enumerate(first.values(), 1)}
        taken = {skeleton(c) for c in cells}
        # an invented number must not be somebody's real one, nor that of another column
        prefix = next(
            p
            for p in (*PREFIXES, *(f"X{n}-" for n in range(len(taken) + len(used) + 1)))
            if p not in used and taken.isdisjoint(skeleton(f"{p}{i}") for i in number.values())
        )
        used.add(prefix)
        return [f"{prefix}{number[c]}" for c in one]
