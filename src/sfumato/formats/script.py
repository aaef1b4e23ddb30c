"""Scripts within pages. Strings, comments, numbers and names are text, each by itself; signs and the words of
the language are not. A number that changes becomes a string, and JSON is read as JSON.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sfumato.english.wordlists import lists, word_set
from sfumato.formats import css
from sfumato.formats.addresses import embedded, meaning
from sfumato.formats.parts import (
    BREAK,
    REDACTED,
    Change,
    Escape,
    TextRun,
    changed,
    is_encodable,
    spliced,
)
from sfumato.formats.references import unescape

SCRIPT_TYPES = re.compile(
    r"(?i)|module|(?:application|text)/(?:x-)?(?:java|ecma)script(?:;.*)?|text/babel|text/jsx"
)
# Escapes of scripts, and of JSON in a page and in its attributes; a backslash takes the next one along.
_CODE = (
    r"u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{0*[0-9a-fA-F]{1,6}\}"
    r"|x[0-9a-fA-F]{2}"
)
# `\n` and the like only where no small letter follows: `C:\nadia` is a path.
_CODE_ESCAPE = re.compile(rf"\\(?:{_CODE}|[nrt](?![a-z])|\\)")
# Strings also hold addresses and HTML, which have escapes of their own, and JSON, whose escapes are escaped.
_OTHERS = (
    r"|(?P<address>(?:%(?:25)*+[0-9a-fA-F]{2})++)|(?P<reference>&(?:#\w{1,8}|[A-Za-z]\w{1,31});)"
)
_STRING_ESCAPE = re.compile(
    rf"\\(?:(?P<code>{_CODE})|(?P<octal>[0-3]?[0-7]{{1,2}})|\r\n|[^ux]|\Z){_OTHERS}"
)
_JSON_STRING_ESCAPE = re.compile(
    rf"(?P<json>\\\\(?:u[0-9a-fA-F]{{4}}|[nrtbf]))|{_STRING_ESCAPE.pattern}"
)
_LIKE_JSON = re.compile(r"""\s*[\[{]\s*(?:\\?"|[\[{\d])""")
_SHORT = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "\n": "", "\r": ""}
_BLANKS = ("n", "r", "t")
_NAME = re.compile(r"(?:[\w$]|\\u[0-9a-fA-F]{4}|\\u\{[0-9a-fA-F]+\})++")
_LINE = re.compile(r"[^\n\r\u2028\u2029]*")
_INSIDE = re.compile(r"(?s)(?://|/\*|<!--)(.*?)(?:\*/)?\Z")
_IN_TEMPLATE = re.compile(r"(?:[^`\\$]|\\[\s\S]|\\\Z|\$(?!\{))*+")  # up to its end or to code in it
_TOKEN = re.compile(
    r"(?P<comment>//[^\n\r\u2028\u2029]*+|/\*[\s\S]*?(?:\*/|\Z)|<!--[^\n\r]*+)"
    r"|(?P<number>(?<![\w$])(?:0[xXbBoO][\da-fA-F_]++|\d[\d_]*+(?:\.\d++)?(?:[eE][+-]?\d++)?n?)(?![\w$.]))"
    rf"|(?P<name>{_NAME.pattern})"
    r"|(?P<sign>\S)"
)
_IN_STRING = {
    '"': re.compile(r'"(?:[^"\\\n\r]|\\[\s\S])*+'),
    "'": re.compile(r"'(?:[^'\\\n\r]|\\[\s\S])*+"),
}
_PATTERN = re.compile(
    r"/(?![*/])(?:[^/\\\[\n\r]|\\[^\n\r]|\[(?:[^\]\\\n\r]|\\[^\n\r])*+\])++/[a-z]{0,8}"
)
_BEFORE_PATTERN = word_set(
    "( , = : [ ! & | ? { } ; + - * % ~ ^ < > return typeof case in of delete void throw new"
)
_LISTS = lists("formats/words")
_WORDS = frozenset(_LISTS["words of scripts"])
_CONDITIONS = word_set("if while for with")  # what follows their brackets is no operand
_NOT_IN_NAMES = re.compile(r"[^\w$]+")
_TAG = re.compile(r"(?i)<script[\t\n\f\r />]")
_END = re.compile(r"(?i)<(?:/script|!--|script)")
_PLAIN = re.compile(r"[^\x00-\x1f\"'`\\<$\u2028\u2029]")


def code_text(raw: str, name: str) -> str:
    r"""What an element without tags says: strings of scripts have escapes.

    >>> code_text(r'"Zo\u00eb"', "script")
    '"Zoë"'
    """
    if name != "script" or "\\" not in raw:
        return raw
    return _CODE_ESCAPE.sub(lambda m: _meant_code(m[0]), raw)


def code_escapes(raw: str) -> Iterator[Escape]:
    """The escapes in a script that say something else than they are."""
    for found in _CODE_ESCAPE.finditer(raw):
        if (said := _meant_code(found[0])) != found[0]:
            yield found.start(), found.end(), said


def _meant_code(escape: str) -> str:
    if escape[1:] in _BLANKS:
        return _SHORT[escape[1:]]
    codes = [int(code, 16) for code in re.findall("[0-9a-fA-F]+", escape)]
    if len(codes) == 2:
        return chr(0x10000 + (codes[0] - 0xD800) * 0x400 + codes[1] - 0xDC00)
    if not codes or 0xD800 <= codes[0] < 0xE000 or codes[0] > 0x10FFFF:
        return escape  # a backslash, or no character
    return chr(codes[0])


def _string_escapes(raw: str) -> Iterator[Escape]:
    pattern = _JSON_STRING_ESCAPE if _LIKE_JSON.match(raw) else _STRING_ESCAPE
    for found in pattern.finditer(raw):
        if (said := _meant(found)) != found[0]:
            yield found.start(), found.end(), said


def _meant(escape: re.Match[str]) -> str:
    if escape["address"]:
        return meaning(escape[0])
    if escape["reference"]:
        return unescape(escape[0])
    if escape.re is _JSON_STRING_ESCAPE and escape["json"]:
        short = escape[0][2:]
        return _SHORT.get(short) or _meant_code(escape[0])
    if escape["octal"]:
        return chr(int(escape["octal"], 8))
    return (
        _meant_code(escape[0])
        if escape["code"]
        else _SHORT.get(escape[0][1:2], escape[0][1:].strip("\r\n"))
    )


@dataclass(frozen=True)
class ScriptText(TextRun):
    """What a string, a comment or a pattern holds, a number, a name, or what stands after an odd `/`."""

    kind: str = "string"

    @property
    def unseen(self) -> Sequence[Change]:
        return embedded(self.text) if self.kind == "string" else ()

    def tidied(self, replacement: str) -> str:
        if self.kind == "name":
            return _NOT_IN_NAMES.sub("_", replacement) or REDACTED
        if self.kind == "pattern":
            return replacement or REDACTED
        return " ".join(replacement.split()) if self.kind in ("comment", "odd") else replacement

    def escapes(self, raw: str) -> Iterator[Escape]:
        if self.kind == "string":
            yield from _string_escapes(raw)
        elif self.kind == "number" and raw[:1] == '"':
            yield 0, 1, ""
        else:
            yield from code_escapes(raw)

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        new = changed(self.text, changes)
        if self.kind == "number":
            return raw if new == raw else f'"{_escaped(new, encoding)}"'
        if self.kind == "string":
            slash = "\\\\" if _LIKE_JSON.match(raw) else "\\"  # for JSON, twice
            made = spliced(
                raw, self.escapes(raw), changes, lambda text: _escaped(text, encoding, slash)
            )
            fits = made is not None and says(made) == new and _ends_nothing(raw, made)
            return made if fits else None
        made = spliced(raw, self.escapes(raw), changes, lambda text: text)
        if made is None or code_text(made, "script") != new or not is_encodable(made, encoding):
            return None
        if self.kind == "name":
            return made if _NAME.fullmatch(made) and not is_word(new) else None
        if self.kind == "pattern":
            fits = _PATTERN.fullmatch(f"/{made}/") is not None
        elif self.kind == "odd":
            fits = made[:1] not in ("/", "*") and not _PATTERN.match(f"/{made}")
        else:
            fits = "*/" not in made and made.count("\n") <= raw.count("\n")
        return made if fits and _ends_nothing(raw, made) else None


def _ends_nothing(raw: str, made: str) -> bool:
    """Whether a change brings in nothing that would end a script, or begin another one."""
    return {*_END.findall(made.lower())} <= {*_END.findall(raw.lower())}


def _escaped(text: str, encoding: str, slash: str = "\\") -> str:
    def one(character: str) -> str:
        if _PLAIN.match(character) and is_encodable(character, encoding):
            return character
        pair = character.encode("utf-16-be", "surrogatepass")
        return "".join(f"{slash}u{pair[at]:02x}{pair[at + 1]:02x}" for at in range(0, len(pair), 2))

    return "".join(map(one, text))


def says(raw: str) -> str:
    r"""What a string of a script says.

    >>> says(r"Zo\xeb\'s")
    "Zoë's"
    """
    return changed(raw, _string_escapes(raw))


def is_word(name: str) -> bool:
    """Whether a name is a word of the language or of pages.

    >>> is_word("function"), is_word("anaSouza")
    (True, False)
    """
    if name.lower() in _WORDS or css.is_technical(name):
        return True
    return not any(map(str.isalpha, name)) and sum(map(str.isdecimal, name)) < 4


class _Reader:
    """Goes through a script by tokens. What templates (`…${…}…`) have in braces is script, too."""

    def __init__(self, source: str, place: str) -> None:
        self.source, self.place = source, place
        self.before = "{"  # the last sign or word; "x" is an operand
        self.last = -1  # where the last run ended
        self.brackets: list[bool] = []  # the open ones: whether they hold a condition
        self.braces = [0]  # how many are open; in each template that is open, from its own on
        self.endless = dict.fromkeys(_IN_STRING, 0)  # up to where no quote of a kind ends a string

    def pieces(self, start: int, end: int) -> Iterator[TextRun | str]:
        at = start
        while (token := _TOKEN.search(self.source, at, end)) is not None:
            kind, span = self._kind(token, end)
            at = span[1]
            if kind == "sign":
                if self._opens_template(token[0]):
                    yield from self._template(at, end)
                    at = self.last + (self.source[self.last : self.last + 2] == "${") + 1
                continue
            if kind != "comment":
                self.before = token[0] if kind == "name" else "x"
            yield from self._run(kind, span)

    def _kind(self, token: re.Match[str], end: int) -> tuple[str, tuple[int, int]]:
        if token[0] in _IN_STRING and token.start() >= self.endless[token[0]]:
            inside = _IN_STRING[token[0]].match(self.source, token.start(), end)
            assert inside is not None
            if self.source.startswith(token[0], inside.end(), end):
                return "string", (token.start(), inside.end() + 1)
            self.endless[token[0]] = inside.end()  # each that stands before it is escaped
        if token[0] != "/" or self.before not in _BEFORE_PATTERN:
            return token.lastgroup or "", token.span()
        if (pattern := _PATTERN.match(self.source, token.start(), end)) is not None:
            return "pattern", pattern.span()
        line = _LINE.match(self.source, token.end(), end)  # no script: what stands on it is text
        assert line is not None
        return "odd", line.span()

    def _opens_template(self, sign: str) -> bool:
        """Takes a sign in; whether the text of a template follows it."""
        word, self.before = self.before, sign
        if sign == "(":
            self.brackets.append(word in _CONDITIONS)
        elif sign == ")" and self.brackets and self.brackets.pop():
            self.before = ";"
        elif sign == "{":
            self.braces[-1] += 1
        elif sign == "}" and self.braces[-1]:
            self.braces[-1] -= 1
        elif sign == "}" and len(self.braces) > 1:
            self.braces.pop()
            return True
        return sign == "`"

    def _template(self, start: int, end: int) -> Iterator[TextRun | str]:
        inside = _IN_TEMPLATE.match(self.source, start, end)
        assert inside is not None
        goes_on = self.source.startswith("${", inside.end(), end)
        self.before = "{" if goes_on else "x"
        if goes_on:
            self.braces.append(0)
        yield from self._run("template", inside.span())

    def _run(self, kind: str, span: tuple[int, int]) -> Iterator[TextRun | str]:
        source = self.source
        raw = source[slice(*span)]
        is_key = source[span[1] : span[1] + 20].lstrip()[:1] == ":"  # which tells what follows it
        if kind == "name" and not is_key and is_word(code_text(raw, "script")):
            self.last = -1  # what follows it is told by nothing
            return
        told = self.last >= 0 and source[self.last : span[0]].strip(" \t\r\n\"'`") in (":", "=")
        if kind == "number" and not told and len(raw) < 5:
            self.last = -1
            return
        yield ": " if told else BREAK
        self.last = span[1]
        if kind in ("string", "pattern"):  # without quotes; without slashes and what follows them
            span = (span[0] + 1, span[1] - 1 if kind == "string" else source.rindex("/", *span))
        elif kind == "comment" and (inside := _INSIDE.match(source, *span)) is not None:
            span = inside.span(1)
        kind = "string" if kind == "template" else kind
        raw = source[slice(*span)]
        said = says(raw) if kind == "string" else code_text(raw, "script")
        yield ScriptText(said, *span, self.place, kind)


def pieces(source: str, start: int, end: int, place: str) -> Iterator[TextRun | str]:
    r"""The runs of a script in a stretch of a file, and what parts them.

    >>> script = "var patient = {name: 'Ana', age: 41}; // of Ana"
    >>> "".join(p if isinstance(p, str) else p.text for p in pieces(script, 0, len(script), ""))
    '\npatient\nname: Ana\nage: 41\n of Ana'
    """
    return _Reader(source, place).pieces(start, end)


def has_nested(code: str) -> bool:
    """Whether a script begins in a comment of this one."""
    at = code.find("<!--")
    while at >= 0:
        end = code.find("-->", at + 4)
        if _TAG.search(code, at + 4, end if end >= 0 else len(code)):
            return True
        at = code.find("<!--", end) if end >= 0 else -1
    return False
