"""JSON, and JSON lines. Strings, numbers and keys are text; everything else stays as it was, to the byte.

A number that changes becomes a string. Keys that become the same are told apart by numbers. A string that
holds JSON is read once more: what is said in it may be written in escapes of escapes.
"""

from __future__ import annotations

import html
import json
import re
from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from sfumato.document import Edit, Origin
from sfumato.english.wordlists import word_set
from sfumato.errors import InputError
from sfumato.formats import addresses
from sfumato.formats.delimited import chosen
from sfumato.formats.parts import (
    BREAK,
    Change,
    Escape,
    Layout,
    Structured,
    TextRun,
    brief,
    changed,
    is_encodable,
    spliced,
)
from sfumato.formats.references import references, unescape
from sfumato.plugins import format

DEPTH = 500  # of lists and objects in one another
_MOST_PLACE = 200  # letters
FIELD = "key "  # before the place of a field's name
LEVELS = 5  # of JSON in strings of JSON; what lies deeper is the text of its string
Places = Callable[[int], int]
_SPACE = re.compile(r"[ \t\n\r]*")
_TOKEN = re.compile(
    r'(?P<string>"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+")'
    r"|(?P<number>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)|(?P<literal>true|false|null)"
    r"|(?P<sign>[\[\]{},:])"
)
# Keys that say how other keys are to be understood (JSON-LD).
_LINKED_DATA = word_set(
    "@base @context @graph @id @index @language @list @reverse @set @type @value @vocab"
)
_VOCABULARY = re.compile(r"https?://(?:www\.)?schema\.org/?")
_ADDRESS = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.\-]*:|[/?]|www\.)\S+")
_NOT_A_NUMBER = re.compile(r"-?(?:NaN|Infinity)")
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)"
)


@dataclass(frozen=True)
class _Value(TextRun):
    """A string, a key or a number, written in `level` strings around it."""

    level: int = 0

    def escapes(self, raw: str) -> Iterator[Escape]:
        if raw[:1] in ('"', "\\"):  # its quote, in escapes where strings are around it
            yield 0, raw.find('"') + 1, ""
        for found in _ESCAPE.finditer(raw if raw[:1] == '"' else ""):
            yield found.start(), found.end(), json.loads(f'"{found[0]}"')

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        for _ in range(self.level):
            raw = json.loads(f'"{raw}"')
        made = self.literal(raw, changes, encoding)
        for _ in range(self.level if made is not None else 0):
            made = _quoted(made or "", encoding)[1:-1]
        return made

    @abstractmethod
    def literal(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        """The value as JSON once these changes are made; None where it would not read so."""


@dataclass(frozen=True)
class _String(_Value):
    """A string or a key; `object` numbers the object that it is a key of, and is -1 for values."""

    object: int = -1

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        new = changed(self.text, changes)
        if self.object >= 0:
            is_other = new in _LINKED_DATA
        else:  # it would be read as what it holds, or means
            is_other = _is_vocabulary(self.place, new) or _holds_json(new, self.level)
            is_other = is_other or _coded(new) is not None
        return None if is_other else super().written(raw, changes, encoding)

    def literal(self, raw: str, changes: Sequence[Change], encoding: str) -> str:
        new = changed(self.text, changes)
        made = spliced(raw, self.escapes(raw), changes, lambda text: _quoted(text, encoding)[1:-1])
        return made if made is not None and json.loads(made) == new else _quoted(new, encoding)


@dataclass(frozen=True)
class _CodedString(_Value):
    """A string that holds an address with codes, or HTML with references: it says what they mean."""

    def literal(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        coded, new = json.loads(raw), changed(self.text, changes)
        as_address = _ADDRESS.fullmatch(coded) is not None
        escapes = addresses.escapes(coded) if as_address else references(coded)
        write = addresses.inserted if as_address else html.escape
        whole = addresses.whole if as_address else html.escape
        tries = [spliced(coded, escapes, changes, write), whole(new), new]
        for made in tries:
            if made is not None and not _holds_json(made, self.level):
                said = _coded(made)
                if (made if said is None else said) == new:
                    return _quoted(made, encoding)
        return None


def _coded(text: str) -> str | None:
    """What an address with codes or HTML with references means; None for other texts.

    >>> _coded("/?to=a%40example.org"), _coded("<p>Zo&euml;"), _coded("5 % & more")
    ('/?to=a@example.org', '<p>Zoë', None)
    """
    meant = text
    if "%" in text and _ADDRESS.fullmatch(text):
        meant = addresses.meaning(text)
    elif "&" in text:
        meant = unescape(text)
    return None if meant == text else meant


@dataclass(frozen=True)
class _Number(_Value):
    """A number as it stands in the file: reading it as a float would change some."""

    def literal(self, raw: str, changes: Sequence[Change], encoding: str) -> str:
        new = changed(self.text, changes)
        return raw if new == raw else _quoted(new, encoding)


def _quoted(text: str, encoding: str) -> str:
    made = json.dumps(text, ensure_ascii=not is_encodable(text, encoding))
    return made.replace("<", "\\u003c")  # it may stand in the script of a page


def _same(place: int) -> int:
    return place


def _is_vocabulary(place: str, value: str) -> bool:
    """Whether a value names the vocabulary that pages describe themselves in."""
    return place.endswith(".@context") and _VOCABULARY.fullmatch(value) is not None


def _holds_json(text: str, level: int) -> bool:
    return level < LEVELS and _nested(text, "", "", level + 1) is not None


def _nested(
    text: str, where: str, root: str, level: int, objects: int = 0, file_place: Places = _same
) -> _Reader | None:
    """A reader of the list or object that a string holds, if it holds one in which something is said."""
    if '"' not in text or text.lstrip(" \t\n\r")[:1] not in ("{", "["):
        return None
    made = _Reader(text, where, (), level, objects, file_place)
    try:
        made.value(0, len(text), root)
    except InputError:
        return None
    return made


def _places(token: re.Match[str], file_place: Places) -> Places:
    """From places in what a string says to those in the file, where every escape is longer than what it says.

    >>> token = _TOKEN.match('"a\\\\u0062c"')
    >>> [_places(token, _same)(place) for place in range(4)]
    [1, 2, 8, 9]
    """
    begin, ends, longer = token.start() + 1, [], [0]
    for found in _ESCAPE.finditer(token[0]):
        longer.append(longer[-1] + found.end() - found.start() - 1)
        ends.append(found.end() - 1 - longer[-1])
    return lambda place: file_place(begin + place + longer[bisect_right(ends, place)])


class _Reader:
    """Reads one JSON value after the other, with the place of each string, number and key."""

    def __init__(
        self,
        source: str,
        where: str,
        columns: Sequence[str] = (),
        level: int = 0,
        objects: int = 0,
        file_place: Places = _same,
    ) -> None:
        self.source, self.where = source, where
        self.columns = frozenset(columns)
        self.level, self.objects, self.file_place = level, objects, file_place
        self.pieces: list[TextRun | str] = []
        self.top: set[str] = set()  # keys of objects that lie in no other

    def value(self, at: int, end: int, root: str) -> None:
        """The value in a stretch of the source; refuses what is not exactly one."""
        # Objects (by number) and lists (-1) around, and where in them
        path: list[tuple[int, str | int]] = []
        wants, at = "value", _SPACE.match(self.source, at).end()  # type: ignore[union-attr]
        while at < end:
            token = _TOKEN.match(self.source, at, end)
            following = self._next(token, wants, path, root) if token and wants != "end" else ""
            if token is None or not following:
                break
            wants = following
            at = _SPACE.match(self.source, token.end(), end).end()  # type: ignore[union-attr]
        if wants != "end" or at < end:
            line = self.source.count("\n", 0, at) + 1
            column = at - self.source.rfind("\n", 0, at)
            why = _fault(self.source, at, end, wants)
            message = f"{self.where}:{line}: not JSON: {why} (column {column})"
            raise InputError(message, path=self.where)

    def _next(
        self, token: re.Match[str], wants: str, path: list[tuple[int, str | int]], root: str
    ) -> str:
        """What may come after a token; nothing where it may not stand here."""
        sign = token["sign"]
        if sign in ("]", "}"):
            inside = path[-1][0] if path else None
            fits = inside is not None and (inside < 0) == (sign == "]")
            empty = wants in ("value or ]", "key or }")
            if not fits or not (empty or wants == "more"):
                return ""
            path.pop()
            return "more" if path else "end"
        if sign == ",":
            if wants != "more":
                return ""
            number, place = path[-1]
            path[-1] = (number, place + 1 if isinstance(place, int) else place)
            return "value" if number < 0 else "key"
        if sign == ":":
            return "value" if wants == ":" else ""
        if wants in ("key", "key or }"):
            if not token["string"]:
                return ""
            self._key(token, path, root)
            return ":"
        if wants not in ("value", "value or ]"):
            return ""
        if sign:  # [ or {
            if len(path) == DEPTH:
                raise InputError.at(
                    self.where, f"more than {DEPTH} lists and objects in one another"
                )
            if path and path[-1][0] >= 0 and not self.columns:
                self.pieces.append(BREAK)  # what follows its key
            self.objects += sign == "{"
            path.append((self.objects - 1, "") if sign == "{" else (-1, 0))
            return "key or }" if sign == "{" else "value or ]"
        self._scalar(token, path, root)
        return "more" if path else "end"

    def _key(self, token: re.Match[str], path: list[tuple[int, str | int]], root: str) -> None:
        said = json.loads(token[0])
        number, _ = path[-1]
        path[-1] = (number, said)
        if sum(inside >= 0 for inside, _ in path) == 1:
            self.top.add(said)
        if not self.columns and said not in _LINKED_DATA:
            place = FIELD + _path(root, path)
            self.pieces += [_String(said, *self._span(token), place, self.level, number), ": "]

    def _scalar(self, token: re.Match[str], path: list[tuple[int, str | int]], root: str) -> None:
        if not self._is_text(path):
            return
        place = _path(root, path)
        if token["string"]:
            said = json.loads(token[0])
            if _is_vocabulary(place, said):
                self.pieces.append(BREAK)
                return
            if self.level < LEVELS and self._inside(said, token, place, path):
                return
            meant = _coded(said)
            kind, text = (_String, said) if meant is None else (_CodedString, meant)
            self.pieces.append(kind(text, *self._span(token), place, self.level))
        elif token["number"]:
            self.pieces.append(_Number(token[0], *self._span(token), place, self.level))
        self.pieces.append(BREAK)

    def _inside(
        self, said: str, token: re.Match[str], place: str, path: list[tuple[int, str | int]]
    ) -> bool:
        """Whether a string holds JSON; if so, it is read."""
        places = _places(token, self.file_place) if '"' in said else _same
        inner = _nested(said, self.where, f"{place}: $", self.level + 1, self.objects, places)
        if inner is None:
            return False
        self.objects = inner.objects
        self.pieces += [BREAK] if path and path[-1][0] >= 0 else []
        self.pieces += inner.pieces
        return True

    def _span(self, token: re.Match[str]) -> tuple[int, int]:
        """Where a token stands in the file."""
        return self.file_place(token.start()), self.file_place(token.end())

    def _is_text(self, path: list[tuple[int, str | int]]) -> bool:
        """Whether what stands there is in one of the columns, if some are asked for."""
        return not self.columns or _column(path) in self.columns


def _fault(source: str, at: int, end: int, wants: str) -> str:
    """What is wrong at a place, and what to do; none of the file's words.

    >>> _fault("[1,]", 3, 4, "value")
    'a value is expected here'
    """
    if at >= end:
        if not source[:end].strip("\ufeff \t\r\n"):
            return "there is nothing in it; an empty value is written null"
        return "it ends too early; is the file whole?"
    if _NOT_A_NUMBER.match(source, at, end):
        return "NaN and Infinity are no JSON; write null, or a string"
    if wants == "end":
        return "something follows the value; values on lines of their own are JSON lines (.jsonl)"
    if source[at] == '"' and wants != ":" and wants != "more":
        return "a string does not end, or holds a control character or an unknown escape"
    expected = {":": "a colon", "more": "a comma or the end of a list or object"}
    return f"{expected.get(wants, 'a ' + wants)} is expected here"


def is_json(text: str) -> bool:
    """Whether a text is a JSON value.

    >>> is_json('{"a": 1}'), is_json("{a: 1}")
    (True, False)
    """
    try:
        _Reader(text, "").value(0, len(text), "$")
    except InputError:
        return False
    return True


def within(
    source: str, start: int, end: int, where: str, objects: int
) -> tuple[list[TextRun | str], int]:
    """The runs of the JSON in a stretch of a file, and how many objects there are with those before it."""
    reader = _Reader(source, where, objects=objects)
    reader.value(start, end, "$")
    return reader.pieces, reader.objects


def _column(path: list[tuple[int, str | int]]) -> str | None:
    """The key at the top that something lies under; lists around the objects do not count."""
    return next((str(place) for number, place in path if number >= 0), None)


def _path(root: str, path: list[tuple[int, str | int]]) -> str:
    """A place as people write it: $.patient.notes[2]; the last part of one that is long."""
    said = ""
    for number, place in reversed(path):
        said = (f"[{place}]" if number < 0 else f".{brief(str(place))}") + said
        if len(said) > _MOST_PLACE:
            return f"{root}…{said}"
    return root + said


class _Json(Structured):
    def values(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Where values stand, each with the name of its place."""
        yield (1 if text[:1] == "\ufeff" else 0), len(text), "$"

    def pieces(self, text: str, origin: Origin, where: str) -> Sequence[TextRun | str]:
        reader = _Reader(text, where, origin.columns)
        for start, end, root in self.values(text):
            reader.value(start, end, root)
        return reader.pieces

    def columns(self, text: str, wanted: tuple[str, ...], where: str) -> tuple[str, ...]:
        top = self._top(text, where) if wanted else ()
        return tuple(name for name in wanted if name in top)

    def _top(self, text: str, where: str) -> set[str]:
        """The keys of objects that lie in no other."""
        reader = _Reader(text, where)
        for start, end, root in self.values(text):
            reader.value(start, end, root)
        return reader.top

    def adjust(self, layout: Layout, shares: dict[int, list[Edit]], name: str) -> None:
        keep_keys_apart(layout, shares, name)


def keep_keys_apart(layout: Layout, shares: dict[int, list[Edit]], name: str) -> None:
    """Keys of one object that become the same get numbers, in what replaces a part of them. Two are refused
    that differ in what no reader sees, where nothing of them is replaced."""
    touched = {
        run.object
        for at in {*shares, *layout.unseen}
        if isinstance(run := layout.runs[at], _String) and run.object >= 0
    }
    keys: dict[int, list[int]] = {number: [] for number in touched}
    for at, run in enumerate(layout.runs if touched else ()):
        if isinstance(run, _String) and run.object in touched:
            keys[run.object].append(at)
    for members in keys.values():
        kept = [at for at in members if at not in shares]
        taken = {layout.seen[at] for at in kept}
        if len(taken) < len({layout.runs[at].text for at in kept}):
            raise InputError(
                f"{name}: two keys of an object differ only in what no reader sees; rename one"
            )
        numbers: dict[str, int] = {}  # the last one that each key got
        for at in members:
            if at in shares:
                shares[at] = _numbered(layout, at, shares[at], taken, numbers)
                taken.add(layout.changed(at, shares[at]))


def _numbered(
    layout: Layout, at: int, edits: list[Edit], taken: set[str], numbers: dict[str, int]
) -> list[Edit]:
    wanted, made = layout.changed(at, edits), edits
    while layout.changed(at, made) in taken:
        numbers[wanted] = numbers.get(wanted, 1) + 1
        last = replace(edits[-1], replacement=f"{edits[-1].replacement}_{numbers[wanted]}")
        made = [*edits[:-1], last]
    return made


@format("json")
class Json(_Json):
    kind = "json"


@format("jsonl")
class JsonLines(_Json):
    """One JSON value on each line."""

    kind = "jsonl"

    def columns(self, text: str, wanted: tuple[str, ...], where: str) -> tuple[str, ...]:
        """Lines are rows: a column that none of them has is a slip, as in other tables."""
        return chosen(sorted(self._top(text, where)), wanted, where) if wanted else ()

    def values(self, text: str) -> Iterator[tuple[int, int, str]]:
        start = 1 if text[:1] == "\ufeff" else 0
        for number, line in enumerate(text[start:].split("\n"), 1):
            if line.strip(" \t\r"):
                yield start, start + len(line), f"line {number}, $"
            start += len(line) + 1
