"""Scripts within pages. Strings, comments, numbers and names are text, each by itself; signs and the words of
the language are not. A number that changes becomes a string, and JSON is read as JSON.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sfumato.english.wordlists import word_set
from sfumato.formats import css
from sfumato.formats.addresses import embedded
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

JSON_TYPES = re.compile(r"(?i)importmap|speculationrules|application/(?:[\w.\-]+\+)?json")
SCRIPT_TYPES = re.compile(
    r"(?i)|module|(?:application|text)/(?:x-)?(?:java|ecma)script(?:;.*)?|text/babel|text/jsx"
)
# Escapes of scripts, and of JSON in a page and in its attributes; a backslash takes the next one along.
_CODE = (
    r"u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{0*[0-9a-fA-F]{1,6}\}"
    r"|x[0-9a-fA-F]{2}"
)
_CODE_ESCAPE = re.compile(rf"\\(?:{_CODE}|\\)")
_STRING_ESCAPE = re.compile(rf"\\(?:(?P<code>{_CODE})|(?P<octal>[0-3]?[0-7]{{1,2}})|\r\n|[^ux]|\Z)")
_SHORT = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "\n": "", "\r": ""}
_NAME = re.compile(r"(?:[\w$]|\\u[0-9a-fA-F]{4}|\\u\{[0-9a-fA-F]+\})++")
_LINE = re.compile(r"[^\n\r\u2028\u2029]*")
_INSIDE = re.compile(r"(?s)(?://|/\*|<!--)(.*?)(?:\*/)?\Z")
_TOKEN = re.compile(
    r"(?P<comment>//[^\n\r\u2028\u2029]*+|/\*[\s\S]*?(?:\*/|\Z)|<!--[^\n\r]*+)"
    r"""|(?P<string>"(?:[^"\\\n\r]|\\[\s\S])*+"|'(?:[^'\\\n\r]|\\[\s\S])*+'|`(?:[^`\\]|\\[\s\S])*+`)"""
    r"|(?P<number>(?<![\w$])(?:0[xXbBoO][\da-fA-F_]++|\d[\d_]*+(?:\.\d++)?(?:[eE][+-]?\d++)?n?)(?![\w$.]))"
    rf"|(?P<name>{_NAME.pattern})"
    r"|(?P<sign>\S)"
)
_PATTERN = re.compile(
    r"/(?![*/])(?:[^/\\\[\n\r]|\\[^\n\r]|\[(?:[^\]\\\n\r]|\\[^\n\r])*+\])++/[a-z]{0,8}"
)
_BEFORE_PATTERN = word_set(
    "( , = : [ ! & | ? { } ; + - * % ~ ^ < > return typeof case in of delete void throw new"
)
_WORDS = word_set(
    "addeventlistener arguments array as async await bigint boolean break case catch class classlist"
    " console const continue datalayer debugger default delete do document else enum error eval export"
    " extends false finally for foreach from function get getattribute getelementbyid gtag if implements"
    " import in innerhtml instanceof interface isnan json length let listener log map math nan new null"
    " number object of onload package parse private promise protected prototype public push pushstate"
    " queryselector queryselectorall regexp return self set setattribute settimeout static string stringify"
    " super switch symbol textcontent this throw tostring true try typeof undefined use var void while"
    " window with yield"
)
_NOT_IN_NAMES = re.compile(r"[^\w$]+")
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
    codes = [int(code, 16) for code in re.findall("[0-9a-fA-F]+", escape)]
    if len(codes) == 2:
        return chr(0x10000 + (codes[0] - 0xD800) * 0x400 + codes[1] - 0xDC00)
    if not codes or 0xD800 <= codes[0] < 0xE000 or codes[0] > 0x10FFFF:
        return escape  # a backslash, or no character
    return chr(codes[0])


def _meant(escape: re.Match[str]) -> str:
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
            for found in _STRING_ESCAPE.finditer(raw):
                yield found.start(), found.end(), _meant(found)
        elif self.kind == "number" and raw[:1] == '"':
            yield 0, 1, ""
        else:
            yield from code_escapes(raw)

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        new = changed(self.text, changes)
        if self.kind == "number":
            return raw if new == raw else f'"{_escaped(new, encoding)}"'
        if self.kind == "string":
            made = spliced(raw, self.escapes(raw), changes, lambda text: _escaped(text, encoding))
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


def _escaped(text: str, encoding: str) -> str:
    def one(character: str) -> str:
        if _PLAIN.match(character) and is_encodable(character, encoding):
            return character
        pair = character.encode("utf-16-be", "surrogatepass")
        return "".join(f"\\u{pair[at]:02x}{pair[at + 1]:02x}" for at in range(0, len(pair), 2))

    return "".join(map(one, text))


def says(raw: str) -> str:
    r"""What a string of a script says.

    >>> says(r"Zo\xeb\'s")
    "Zoë's"
    """
    return _STRING_ESCAPE.sub(_meant, raw) if "\\" in raw else raw


def is_word(name: str) -> bool:
    """Whether a name is a word of the language or of pages.

    >>> is_word("function"), is_word("anaSouza")
    (True, False)
    """
    if name.lower() in _WORDS or css.is_technical(name):
        return True
    return not any(map(str.isalpha, name)) and sum(map(str.isdecimal, name)) < 4


def pieces(source: str, start: int, end: int, place: str) -> Iterator[TextRun | str]:
    r"""The runs of a script in a stretch of a file, and what parts them.

    >>> script = "var patient = {name: 'Ana', age: 41}; // of Ana"
    >>> "".join(p if isinstance(p, str) else p.text for p in pieces(script, 0, len(script), ""))
    '\npatient\nname: Ana\nage: 41\n of Ana'
    """
    at, before, last = start, "{", -1
    while (token := _TOKEN.search(source, at, end)) is not None:
        kind, span = token.lastgroup or "", token.span()
        if token[0] == "/" and before in _BEFORE_PATTERN:
            pattern = _PATTERN.match(source, token.start(), end)
            if pattern is not None:
                kind, span = "pattern", pattern.span()
            else:  # no script: what stands on the line is text
                line = _LINE.match(source, token.end(), end)
                assert line is not None
                kind, span = "odd", line.span()
        at = span[1]
        before = token[0] if kind in ("sign", "name") else before if kind == "comment" else "x"
        raw = source[slice(*span)]
        is_key = source[at : at + 20].lstrip()[:1] == ":"  # which tells what follows it
        if kind == "sign" or (kind == "name" and not is_key and is_word(code_text(raw, "script"))):
            continue
        told = last >= 0 and source[last : span[0]].strip(" \t\r\n\"'`") in (":", "=")
        if kind == "number" and not told and len(raw) < 5:
            continue
        yield ": " if told else BREAK
        last = span[1]
        if kind in ("string", "pattern"):  # without quotes; without slashes and what follows them
            span = (span[0] + 1, span[1] - 1 if kind == "string" else source.rindex("/", *span))
        elif kind == "comment" and (inside := _INSIDE.match(source, *span)) is not None:
            span = inside.span(1)
        raw = source[slice(*span)]
        said = says(raw) if kind == "string" else code_text(raw, "script")
        yield ScriptText(said, *span, place, kind)
