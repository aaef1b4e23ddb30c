"""The values of calendars and cards: how they are read, and what stands there once they have changed.

Where programs expect a form (a date, a place on the globe) and an edit leaves none, the words stand in a
parameter, `X-REDACTED`, and the value says no more than they: the first day of the span that they tell, or
for an end the day after it.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from sfumato.english.wordlists import lists, word_set
from sfumato.formats import addresses, encodings, headers, transfer
from sfumato.formats.parts import REDACTED, Change, Escape, TextRun, changed, is_encodable, spliced
from sfumato.formats.properties import (
    ENUMERATED,
    PARAMETERS,
    PROPERTIES,
    RULE,
    VALUES,
)
from sfumato.formats.references import unescape
from sfumato.formats.tags import PARTS_WORDS
from sfumato.formats.text import MAY_PART

WORDS = "X-REDACTED"  # the parameter that holds what is left of a value
_DATES = word_set(
    "anniversary bday completed created deathdate dtend dtstamp dtstart due exdate freebusy last-modified"
    " rdate recurrence-id rev"
)
FORMED = _DATES | word_set("geo rrule exrule")
_INSTANTS = word_set("completed created dtstamp last-modified rev")  # in universal time
_CARD_DATES = word_set("anniversary bday deathdate")
_ENDS = word_set("dtend due")
_CODINGS = word_set("7bit 8bit b base64 q quoted-printable")  # which old cards name alone
FOLD = re.compile(r"\r?\n[ \t]")
# In quoted-printable, a line that ends with = goes on with the blank that the next one begins with.
_QUOTED_FOLD = re.compile(r"(?<!=)\r\n[ \t]|(?<![=\r])\n[ \t]")
HEAD = re.compile(
    r'(?:(?P<group>[A-Za-z0-9\-]++)\.)?(?P<name>[A-Za-z0-9\-]++)(?P<parameters>(?:;(?:[^":;]|"[^"]*")*+)*+):'
)
PARAMETER = re.compile(r';(?:(?P<key>[A-Za-z0-9\-]++)=)?(?P<said>(?:[^":;]|"[^"]*")*+)')
ITEM = re.compile(r'(?:[^",]|"[^"]*")++')
_SIGN = re.compile(r"\\(?:\r?\n[ \t])*+(?P<sign>[^\r\n])|\r?\n[ \t]")
_ESCAPE = re.compile(
    rf"{_SIGN.pattern}|(?P<reference>&(?:\r?\n[ \t]|[#\w])++(?:\\(?:\r?\n[ \t])*+;|;)?)"
)
_LIKE_REFERENCE = re.compile(r"&(?=#?\w)")
_LIKE_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_TAG = re.compile(
    r"<(?=[A-Za-z/!?])(?:/?(?P<name>[A-Za-z][A-Za-z0-9]*)(?=[\s/>])[^<>]*+>|(?P<other>[!?][^<>]*+>))?"
)
_ELEMENTS = frozenset(
    name
    for of in ("elements within a line", "other elements")
    for name in lists("formats/words")[of]
)
_CARET = re.compile(r"\^[n'^]")
_CARETS = {"^n": "\n", "^'": '"', "^^": "^"}
_ADDRESS = re.compile(r"[a-z][a-z0-9+.\-]*:\S+", re.IGNORECASE)
MAIL = re.compile(r"mailto:", re.IGNORECASE)
_STAMP = re.compile(r"(?<![0-9])(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d))?(?![0-9])")
_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d))?")
_PERIOD = r"\d{8}(?:T\d{6})?Z?(?:/(?:\d{8}T\d{6}Z?|P[0-9DHMSTW]+))?"
_DASHED = r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d)?(?:Z|[+-]\d\d:?\d\d)?"
_WHOLE = re.compile(rf"{_PERIOD}(?:,{_PERIOD})*|{_DASHED}")
_UNTIL = re.compile(rf"(?P<before>{RULE}UNTIL=)(?P<until>[^;]*)(?P<after>;?{RULE})")
_PLACE = re.compile(r"(-?\d{1,3}(?:\.\d+)?)[;,](-?\d{1,3}(?:\.\d+)?)")


@dataclass(frozen=True)
class Value(TextRun):
    """What a property says, or a component of it."""

    @property
    def unseen(self) -> Iterable[Change]:
        return addresses.linked(self.text)

    def escapes(self, raw: str) -> Iterator[Escape]:
        return ((found.start(), found.end(), _meant(found)) for found in _ESCAPE.finditer(raw))

    def is_certain(self, raw: str) -> bool:
        return not _has_tags(raw)

    def tidied(self, replacement: str) -> str:
        return re.sub(r"\r\n?", "\n", replacement)

    @classmethod
    def read(cls, raw: str) -> str:
        """What stands for the text, as programs show it that know HTML."""
        if _has_tags(raw):
            return unescape(_TAG.sub(_untagged, _SIGN.sub(_sign, raw)))
        return _ESCAPE.sub(_meant, raw)

    def made(self, raw: str, changes: Sequence[Change]) -> Iterator[str]:
        """What may stand in the file, the best first."""
        spliced_in = spliced(raw, self.escapes(raw), changes, _escaped)
        yield from [] if spliced_in is None else [spliced_in]
        yield _escaped(changed(self.text, changes))

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        new = changed(self.text, changes)
        tries = (made for made in self.made(raw, changes) if is_encodable(made, encoding))
        certain = (made for made in tries if self.is_certain(made))
        return next((made for made in certain if self.holds(made, new)), None)

    def holds(self, made: str, new: str) -> bool:
        lines = FOLD.sub("", made)
        return self.read(made) == new and not re.search(r"[\r\n]", lines)


def _meant(found: re.Match[str]) -> str:
    """What an escape stands for, or a reference of HTML, which programs undo in texts."""
    if found["reference"] is None:
        return _sign(found)
    return unescape(FOLD.sub("", found["reference"]).replace("\\;", ";"))


def _sign(found: re.Match[str]) -> str:
    return (found["sign"] or "").replace("N", "n").replace("n", "\n")


def _has_tags(raw: str) -> bool:
    return "<" in raw and _LIKE_TAG.search(_SIGN.sub(_sign, raw)) is not None


def _untagged(found: re.Match[str]) -> str:
    """What a tag shows, and where one that shows nothing stood, which may part words. What only begins like
    one is parted from its sign, so that it is none to anybody."""
    name = (found["name"] or "").lower()
    if name in PARTS_WORDS:
        return "\n"
    return MAY_PART if name in _ELEMENTS or found["other"] else f"< {found[0][1:]}"


def _as_html(text: str) -> str:
    plain = _LIKE_REFERENCE.sub("&amp;", text) if unescape(text) != text else text
    return _LIKE_TAG.sub("&lt;", plain)


def _escaped(text: str) -> str:
    return re.sub(r"([\\,;])", r"\\\1", _as_html(text)).replace("\n", "\\n")


@dataclass(frozen=True)
class Plain(Value):
    """A line that is none of a calendar: it must not become one, nor go on with the line before it."""

    def is_certain(self, raw: str) -> bool:
        return True  # programs show nothing of it

    def tidied(self, replacement: str) -> str:
        return super().tidied(replacement) or REDACTED

    def holds(self, made: str, new: str) -> bool:
        is_line = made[:1] not in ("", " ", "\t") and not HEAD.match(FOLD.sub("", made))
        return is_line and super().holds(made, new)


@dataclass(frozen=True)
class Single(Value):
    """The value of a property that is one text, neither an address nor a file."""

    name: str = ""

    def holds(self, made: str, new: str) -> bool:
        line = FOLD.sub("", made)
        kind = kind_of(self.name, line)
        return kind in (Single, _Link) and kind.read(line) == new and not re.search(r"[\r\n]", line)


@dataclass(frozen=True)
class _Link(Single):
    """An address."""

    @classmethod
    def read(cls, raw: str) -> str:
        return addresses.meaning(super().read(raw))

    def made(self, raw: str, changes: Sequence[Change]) -> Iterator[str]:
        line = FOLD.sub("", raw)
        made = spliced(line, addresses.escapes(line), changes, addresses.inserted)
        new = changed(self.text, changes)
        yield from [] if made is None else [made]
        yield from (addresses.whole(new), _escaped(new))


@dataclass(frozen=True)
class _Mailbox(Single):
    """An address of e-mail; what is none is written as one that nobody has."""

    @classmethod
    def read(cls, raw: str) -> str:
        return headers.address_text(addresses.meaning(Value.read(raw)))

    def made(self, raw: str, changes: Sequence[Change]) -> Iterator[str]:
        for made in headers.address_forms(changed(self.text, changes)):
            yield made
            yield quote(made, safe="@!#$&'*+/=?^_`{|}~-.")

    def holds(self, made: str, new: str) -> bool:
        return self.read(made) == new and not re.search(r"[\s,;:\\]", made)


@dataclass(frozen=True)
class Quoted(Value):
    """A value in quoted-printable, as old cards have it."""

    charset: str = "utf-8"

    def escapes(self, raw: str) -> Iterator[Escape]:
        return iter(())

    def is_certain(self, raw: str) -> bool:
        line = _QUOTED_FOLD.sub("", raw)
        text = transfer.decoded(line, "quoted-printable", self.charset) or ""
        certain = transfer.is_certain(line, "quoted-printable", self.charset)
        return certain and super().is_certain(text)

    @staticmethod
    def said(raw: str, charset: str) -> str | None:
        line = _QUOTED_FOLD.sub("", raw)
        if not line.isascii() or not transfer.is_quoted(line) or line.rstrip(" \t").endswith("="):
            return None
        said = transfer.decoded(line, "quoted-printable", charset)
        return None if said is None else re.sub(r"\r\n?", "\n", Value.read(said))

    def made(self, raw: str, changes: Sequence[Change]) -> Iterator[str]:
        text = changed(self.text, changes)
        try:
            data = (
                _as_html(text)
                .replace("\\", "\\\\")
                .replace(";", "\\;")
                .encode(encodings.codec(self.charset) or "ascii")
            )
        except UnicodeError:
            return
        plain = rb"[^!-:<>-Z^-~ ]|\A | \Z"  # a bare semicolon would part components
        yield re.sub(plain, lambda m: b"=%02X" % m[0][0], data).decode("ascii")

    def holds(self, made: str, new: str) -> bool:
        return self.said(made, self.charset) == new


@dataclass(frozen=True)
class PropertyName(TextRun):
    """The name of a property, a parameter or a group that no standard knows."""

    def escapes(self, raw: str) -> Iterator[Escape]:
        return ((found.start(), found.end(), "") for found in FOLD.finditer(raw))

    def tidied(self, replacement: str) -> str:
        named = re.sub(r"[^A-Za-z0-9]+", "-", replacement).strip("-")
        known = named.lower() in PROPERTIES | PARAMETERS
        return "X-REPLACED" if known or not named else named

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        new = changed(self.text, changes)
        known = new.lower() in PROPERTIES | PARAMETERS
        return new if re.fullmatch(r"[A-Za-z0-9-]+", new) and not known else None


@dataclass(frozen=True)
class ParameterValue(Value):
    """What a parameter says."""

    key: str = ""

    @property
    def unseen(self) -> Iterable[Change]:
        return addresses.embedded(self.text)

    def is_certain(self, raw: str) -> bool:
        return True

    def escapes(self, raw: str) -> Iterator[Escape]:
        for found in re.finditer(rf'"|{_CARET.pattern}|{FOLD.pattern}', raw):
            yield found.start(), found.end(), _CARETS.get(found[0], "")

    def tidied(self, replacement: str) -> str:
        return re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", " ", super().tidied(replacement))

    @classmethod
    def read(cls, raw: str) -> str:
        line = FOLD.sub("", raw).replace('"', "")
        said = _CARET.sub(lambda found: _CARETS[found[0]], line)
        return addresses.meaning(said) if _ADDRESS.fullmatch(said) else said

    def made(self, raw: str, changes: Sequence[Change]) -> Iterator[str]:
        new = changed(self.text, changes)
        for said in (new, addresses.whole(new)):
            made = _in_parameter(said)
            if raw[:1] != '"' and re.fullmatch(r"[^\",;:\r\n]+", made):
                yield made
            yield f'"{made}"'

    def holds(self, made: str, new: str) -> bool:
        is_item = ITEM.fullmatch(made) is not None and not re.search(r"[\r\n]", made)
        return is_item and self.read(made) == new and not is_listed(self.key, made)


def _in_parameter(text: str) -> str:
    return re.sub(r'[\^\n"]', lambda m: {"^": "^^", "\n": "^n", '"': "^'"}[m[0]], text)


def is_listed(key: str, item: str) -> bool:
    """Whether the value of a parameter is a word of the standards."""
    if key.lower() not in ENUMERATED and key:
        return False
    if key.lower() == "charset":  # how the value is read: it cannot be another afterwards
        return encodings.codec(item) is not None
    return (
        item.lower() in VALUES or re.fullmatch(r"\d{1,3}|[a-z]{2}(?:-[A-Z]{2})?", item) is not None
    )


# Values of a form


@dataclass(frozen=True)
class Formed(TextRun):
    """The parameters and the value of a property that must have a form: a date, a place on the globe. The
    text begins with what it says too much."""

    name: str = ""
    length: int = 0

    @property
    def unseen(self) -> Iterable[Change]:
        return [(0, self.length, "")] if self.length else ()

    def tidied(self, replacement: str) -> str:
        return " ".join(replacement.split())

    def positions(self, raw: str, offsets: Sequence[int]) -> list[int]:
        return [min(raw.find(":") + 1 + offset, len(raw)) for offset in offsets]

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        new = changed(self.text, changes)
        line = FOLD.sub("", raw)
        head = HEAD.match(f"X{line}")
        assert head is not None  # it was read so
        for made in (self._whole(new, line, head), self._stand_in(new, line[head.end() - 1 :])):
            if (
                made is not None
                and is_encodable(made, encoding)
                and formed(self.name, made) == ("", new)
            ):
                return made
        return None

    def _whole(self, new: str, line: str, head: re.Match[str]) -> str | None:
        """The line, where what it says still has its form."""
        zone = ""
        value = line[head.end() - 1 :]
        if (told := parameter(head["parameters"], "tzid")) is not None:
            new, space, zone = new.partition(" ")
            zone = f';TZID="{_in_parameter(zone)}"' if re.search("[,;:]", zone) else f";TZID={zone}"
            if not space or not told:
                return None
        kind = parameter(head["parameters"], "value")
        kind = f";VALUE={kind}" if kind is not None else ""
        around = _UNTIL.fullmatch(value)
        new = new if "-" in (around["until"] if around else value)[1:] else _DAY.sub(_compact, new)
        new = f"{around['before']}{new}{around['after']}" if around else new
        return f"{kind}{zone}:{new}" if _has_form(self.name, new) else None

    def _stand_in(self, new: str, value: str) -> str:
        return f'{_stand_in_head(self.name)};{WORDS}="{_in_parameter(new)}":' + _stand_in(
            self.name, new, value
        )


def _stand_in_head(name: str) -> str:
    dated = name not in _INSTANTS | _CARD_DATES and name in _DATES and name != "freebusy"
    return ";VALUE=DATE" if dated else ""


def _stand_in(name: str, words: str, value: str) -> str:
    """A value of the form that programs expect, which says no more than these words."""
    first, after = headers.span(words)
    day = f"{after if name in _ENDS else first:%Y%m%d}"
    around = _UNTIL.fullmatch(value)
    if around:
        return f"{around['before']}{day}{around['after']}"
    if name == "freebusy":
        return f"{day}T000000Z/{after:%Y%m%d}T000000Z"
    if name not in _DATES:
        return "0;0" if name == "geo" else "FREQ=YEARLY;COUNT=1"
    return f"{day}T000000Z" if name in _INSTANTS else day


def _has_form(name: str, value: str) -> bool:
    if name == "geo":
        found = _PLACE.fullmatch(value)
        return found is not None and abs(float(found[1])) <= 90 and abs(float(found[2])) <= 180
    if name not in _DATES:
        around = _UNTIL.fullmatch(value)
        return around is not None and _has_form("due", around["until"])
    try:
        for year, month, day, *_ in _STAMP.findall(value.replace("-", "")):
            dt.date(int(year), int(month), int(day))
    except ValueError:
        return False
    return _WHOLE.fullmatch(value) is not None


def formed(name: str, line: str) -> tuple[str, str] | None:
    """What parameters and the value of a property say, too much and as they should; None where that is no
    property of a form."""
    head = HEAD.match(f"X{line}")
    if head is None:
        return None
    value = line[head.end() - 1 :]
    words = parameter(head["parameters"], WORDS.lower())
    if words is not None:
        said = _CARET.sub(lambda found: _CARETS[found[0]], words.replace('"', ""))
        wanted = f'{_stand_in_head(name)};{WORDS}="{_in_parameter(said)}":'
        if f"{wanted}{_stand_in(name, said, value)}" == line:
            return "", said
    around = _UNTIL.fullmatch(value)
    said = _STAMP.sub(_dashed, around["until"] if around else value)
    zone = parameter(head["parameters"], "tzid")
    said += f" {ParameterValue.read(zone)}" if zone else ""
    much = [
        found[0]
        for found in PARAMETER.finditer(head["parameters"])
        if (found["key"] or "").lower() not in ("tzid", "value")
        or ((found["key"] or "").lower() == "value" and found["said"].lower() not in VALUES)
    ]
    return "".join(much), said


def parameter(parameters: str, key: str) -> str | None:
    found = (m for m in PARAMETER.finditer(parameters) if (m["key"] or "").lower() == key)
    return next((m["said"] for m in found), None)


def is_readable(parameters: str) -> bool:
    """Whether parameters tell once, and in a known way, how a value is to be read.

    >>> [is_readable(p) for p in (";TYPE=HOME;TYPE=WORK", ";ENCODING=8BIT;BASE64", ";CHARSET=UTF-7")]
    [True, False, False]
    """
    found = [(m["key"] or "", m["said"]) for m in PARAMETER.finditer(parameters)]
    keys = [k.lower() or ("encoding" if said.lower() in _CODINGS else "") for k, said in found]
    label = parameter(parameters, "charset")
    known = label is None or encodings.codec(label.strip('"')) is not None
    return known and all(keys.count(key) < 2 for key in ("encoding", "charset", "value"))


def _dashed(found: re.Match[str]) -> str:
    """A date as detectors and people know it."""
    year, month, day, hour, minute, second = found.groups()
    time = f"T{hour}:{minute}:{second}" if hour else ""
    return f"{year}-{month}-{day}{time}"


def _compact(found: re.Match[str]) -> str:
    return found[0].replace("-", "").replace(":", "")


def kind_of(name: str, value: str) -> type[Value] | None:
    """As what the value of a property is read; None where it is a page that says it once more, or a file."""
    if name == "x-alt-desc" or re.match(r"(?i)data:", value):
        return None
    if MAIL.match(value) or name in ("attendee", "organizer", "email"):
        return _Mailbox
    return _Link if _ADDRESS.fullmatch(value) and "\\" not in value else Single
