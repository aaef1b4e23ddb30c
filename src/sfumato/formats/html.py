"""HTML pages. All that somebody may read is text: what stands between tags, the values of attributes (as an
address means them), what scripts and styles say. Text comes first and what is not drawn last, so that a tag
within a word does not part it. Comments, odd tags and files within addresses are seen by nobody who reads:
they are taken out.

Pages are cut into tags and texts as browsers do it (the HTML standard, 13.2.5), in one pass.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sfumato.document import Document, Edit, Origin, Patch
from sfumato.english.wordlists import lists, word_set
from sfumato.errors import InputError
from sfumato.formats import attributes, css, script
from sfumato.formats import json as json_format
from sfumato.formats.addresses import embedded
from sfumato.formats.attributes import escaped
from sfumato.formats.encodings import page_encoding
from sfumato.formats.flow import Flow, room_of
from sfumato.formats.parts import (
    BREAK,
    REDACTED,
    Change,
    Escape,
    Gone,
    Layout,
    Structured,
    TextRun,
    brief,
    changed,
    is_encodable,
    spliced,
)
from sfumato.formats.references import references, unescape
from sfumato.formats.tags import ATTRIBUTE, COMMENT_END, MARK, TAG_END
from sfumato.formats.text import decoded
from sfumato.plugins import Source, format

_LISTS = lists("formats/words")
INLINE = _LISTS["elements within a line"]
_BLOCK = _LISTS["other elements"]
_KNOWN = frozenset(INLINE) | frozenset(_BLOCK)
_LINKS = word_set("a label")
# Elements that every browser shows as they are read here, and attributes that change nothing of that.
_FRAME = word_set("html head meta title body")  # they part no words
_PLAIN = _FRAME | word_set(
    "a abbr b big cite code data del dfn em i ins kbd mark q s samp small span strike strong sub sup time tt"
    " u var wbr"
    " address article aside blockquote br dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr"
    " li main nav ol p pre section ul"
)
_PLAIN_VALUES = word_set("charset cite class content datetime href id lang name title")
_VOID = word_set("br hr meta wbr")
_MAY_STAY_OPEN = word_set("p li dd dt")
_RAW = word_set("style xmp iframe noembed noframes script")  # nothing in these is escaped
_TITLES = word_set("title textarea")  # no tags in these

_PLAIN_DOCTYPE = re.compile(r"(?i)<!doctype[\t\n\f\r ]+html[\t\n\f\r ]*>")
_PLAIN_ATTRIBUTE = re.compile(r"[\[(@:#*.]*[A-Za-z][A-Za-z0-9_:.\-]*[\])]*")
_SAYS_NOTHING = re.compile(rf"{_PLAIN_DOCTYPE.pattern}|<!---->")
# Attributes that stand without a value. Any other word there is likelier to be text that was not escaped.
_SWITCHES = word_set(
    "allowfullscreen alt async autofocus autoplay checked compact contenteditable controls crossorigin"
    " declare default defer disabled download draggable formnovalidate hidden inert ismap itemscope loop"
    " multiple muted nohref nomodule noresize noshade novalidate nowrap open playsinline readonly"
    " required reversed sandbox scoped seamless selected spellcheck translate value"
)
_PAGE_WITHIN = "srcdoc"  # of a frame: a page that would have to be read as one
_OWN_SWITCH = re.compile(
    r"(?i)(?:(?:data|aria|v|ng|x|hx)-|[@:#*.\[(]+)(?P<own>[a-z0-9][\w.:\-\])]*)"
)
_OWN_TAG = re.compile(r"[a-z][a-z0-9]*(?::[a-z][a-z0-9]*|(?:-[a-z0-9]+)+)")  # o:p, my-list
# What the next character may make a tag or an escape.
_OPEN_END = re.compile(r"(?:<|&[^\t\n\f\r <&;]{0,32})\Z")
_EMPTY_COMMENT = "<!---->"
_NEW_TAG = re.compile(r"<[A-Za-z/!?]")


@dataclass(frozen=True)
class _Text(TextRun):
    """Text between tags, or the whole of a title."""

    ends: str = ""  # the element whose end tag it must not hold, if it is not among tags
    in_link: bool = False
    parts: bool = False  # it alone stands between two links

    @property
    def is_needed(self) -> bool:
        return self.in_link

    @property
    def unseen(self) -> Iterable[Change]:
        """A carriage return before a tag is the end of a line, as it is before a letter."""
        size = len(self.text)
        return [(size - 1, size, "\n")] if self.text.endswith("\r") else ()

    def escapes(self, raw: str) -> Iterator[Escape]:
        return references(raw)

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        new = changed(self.text, changes)
        made = spliced(raw, references(raw), changes, lambda t: escaped(t, encoding))
        markup = _end_tag(self.ends) if self.ends else _NEW_TAG
        if made is None or unescape(made) != new or markup.search(made):
            made = escaped(new, encoding)
        if self.parts and not made:
            return _EMPTY_COMMENT
        return made if unescape(made) == new else None


@dataclass(frozen=True)
class _Code(TextRun):
    """A script, a style, or what else has no escapes."""

    ends: str = "script"
    is_json: bool = False  # or is said to be

    def escapes(self, raw: str) -> Iterator[Escape]:
        return script.code_escapes(raw) if self.ends == "script" else iter(())

    @property
    def unseen(self) -> Iterable[Change]:
        return embedded(self.text, in_code=True)

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        new = changed(self.text, changes)
        made = spliced(raw, self.escapes(raw), changes, str)
        if made is None or script.code_text(made, self.ends) != new:
            return None
        if self.is_json and json_format.is_json(made):
            return None  # it would be read as such
        nested = self.ends == "script" and script.has_nested(made)
        broken = self.ends and _end_tag(self.ends).search(made)
        return None if nested or broken or not is_encodable(made, encoding) else made


@dataclass(frozen=True)
class _InTag(Gone):
    """An attribute that is none, or one of an end tag."""


def _end_tag(name: str) -> re.Pattern[str]:
    return re.compile(rf"</{name}(?=[\t\n\f\r />])", re.IGNORECASE)


def _is_plain(attribute: re.Match[str]) -> bool:
    """Whether an attribute looks like one."""
    name = attribute["name"]
    if not _PLAIN_ATTRIBUTE.fullmatch(name) or name.lower() == _PAGE_WITHIN:
        return False
    named = attribute["value"] or name.lower() in _SWITCHES or _OWN_SWITCH.fullmatch(name)
    return bool(named)


@dataclass(frozen=True)
class _SwitchName(TextRun):
    """What somebody calls an attribute of their own that has no value: `data-…`."""

    def tidied(self, replacement: str) -> str:
        return re.sub(r"[^A-Za-z0-9.:]+", "-", replacement).strip("-.:") or REDACTED

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        new = changed(self.text, changes)
        return new if re.fullmatch(r"[A-Za-z0-9](?:[A-Za-z0-9.:_\-]*)[\])]*", new) else None


class _Reader:
    """Cuts a page into runs, in the order of the page; attributes are kept apart."""

    def __init__(self, source: str, where: str) -> None:
        self.source, self.where = source, where
        self.flow = Flow()
        self.values = self.flow.behind
        # drawings and formulas that are open, in which scripts and titles are read otherwise
        self.foreign: list[str] = []
        self.open = Counter[str]()  # how many of each these are
        self.in_select = False
        self.in_link = False
        self.after_link = False  # nothing but what is taken out stands between it and a link
        self.objects = 0  # of JSON
        self._line, self._counted = 1, 0
        self._no_cdata_end = False

    def read(self) -> list[TextRun | str]:
        at = 0
        while at < len(self.source):
            found = MARK.search(self.source, at)
            begin = found.start() if found else len(self.source)
            if at < begin:
                self.text(at, begin, "text")
            at = self.markup(found) if found else begin
        return [*self.flow.pieces()]

    def place(self, what: str, at: int) -> str:
        self._line += self.source.count("\n", self._counted, at)
        self._counted = at
        return f"{what}, line {self._line}"

    def text(self, start: int, end: int, what: str, ends: str = "") -> None:
        said = unescape(self.source[start:end])
        after = MARK.match(self.source, end)
        named = after["name"].lower() if after and after["name"] else ""
        is_last = named in _KNOWN and (bool(after and after["slash"]) or named not in _LINKS)
        parts, self.after_link = self.after_link and not is_last, False
        place = self.place(what, start)
        run = _Text(said, start, end, place, ends, self.in_link, parts)
        if ends == "title":
            self.flow.titles += [BREAK, run, BREAK]
        else:
            self.flow.add_text(run)

    def gone(self, start: int, end: int, what: str, instead: str = "") -> int:
        raw = self.source[start:end]
        self.flow.add(Gone(raw, start, end, self.place(what, start), "", instead))
        return end

    def markup(self, found: re.Match[str]) -> int:
        """What follows a `<` that is none for itself; where it ends."""
        source, start = self.source, found.start()
        if found["name"]:
            return self.tag(found)
        if source.startswith(_EMPTY_COMMENT, start):
            self.after_link = False
            return start + len(_EMPTY_COMMENT)
        if found["comment"]:
            if source.startswith((">", "->"), start + 4):
                return self.gone(start, source.index(">", start) + 1, "comment")
            ended = COMMENT_END.search(source, start + 4)
            return self.gone(start, ended.end() if ended else len(source), "comment")
        if (plain := _PLAIN_DOCTYPE.match(source, start)) is not None:
            return plain.end()
        end = source.find(">", start) + 1 or len(source)
        if found["cdata"] and not self._no_cdata_end:
            # Browsers end it at the first `>` or at `]]>`, by where it stands; taken out is the longer one.
            wide = source.find("]]>", start)
            self._no_cdata_end = wide < 0
            end = wide + 3 if wide >= 0 else end
        is_type = source[start : start + 9].lower() == "<!doctype"
        what = "document type" if is_type else "instruction"
        return self.gone(start, end, what, "<!DOCTYPE html>" if is_type else "")

    def tag(self, found: re.Match[str]) -> int:
        source, start = self.source, found.start()
        name = found["name"].lower()
        values: list[tuple[re.Match[str], int]] = []
        odd: list[tuple[re.Match[str], int]] = []
        at = found.end()
        while (item := ATTRIBUTE.match(source, at)) is not None:
            if item["open"] and not item["value"]:  # a quote that is never closed
                return self.gone(start, len(source), "unfinished tag")
            at = item.end("value") if item["value"] else item.end("whole")
            (values if _is_plain(item) else odd).append((item, at))
        closed = TAG_END.match(source, at)
        if closed is None:
            return self.gone(start, len(source), "unfinished tag")
        end = closed.end()
        if name not in _KNOWN and not _OWN_TAG.fullmatch(name):
            return self.gone(start, end, "unknown tag")
        is_link = name in _LINKS
        if is_link and self.after_link and not found["slash"]:
            self.flow.add(BREAK)
        self.after_link = is_link and bool(found["slash"])
        if name == "a":
            self.in_link = not found["slash"]
        if found["slash"]:
            self.flow.ends(name, self.open)
            if values or odd:  # an end tag has none
                first, last = found.end(), closed.start()
                self.flow.add(_InTag(source[first:last], first, last, self.place("end tag", start)))
            while self.open[name]:  # what is open in it ends, too
                ended = self.foreign.pop()
                self.open[ended] -= 1
                if ended == name:
                    break
            self.in_select &= name != "select"
            return end
        for item, stop in odd:
            # with the space before it, unless an unquoted value would run on
            first = item.start() if source[stop] in "\t\n\f\r >" else item.start("whole")
            line = self.place("odd attribute", start)
            self.values.append(_InTag(source[first:stop], first, stop, line))
        said = {n: unescape(v.strip("\"'")) for n, v in reversed([*_named(values)])}
        is_over = source[end - 2] == "/"
        foreign = self.foreign[-1] if self.foreign else ""
        room = None if foreign and is_over else room_of(name, said, foreign)
        self.flow.begins(name, room, self.open)
        kind = said.get("type", "").lower()
        for item, _ in values:
            self.value(name, item, start, kind)
        return self.content(name, end, is_over, kind)

    def value(self, tag: str, item: re.Match[str], start: int, kind: str) -> None:
        attribute = item["name"].lower()
        place = self.place(f"{brief(attribute)} of {brief(tag)}", start)
        if item["value"]:
            span = item.span("value")
            self.values += attributes.pieces(tag, attribute, self.source, *span, place, kind)
        elif (
            attribute not in _SWITCHES and (own := _OWN_SWITCH.fullmatch(item["name"])) is not None
        ):
            begin = item.start("name")
            first, last = (begin + at for at in own.span("own"))
            self.values += [_SwitchName(own["own"], first, last, place), BREAK]

    def content(self, name: str, start: int, closed: bool, kind: str) -> int:
        """What stands in an element that holds no tags; where it ends."""
        if name in ("svg", "math"):
            self.foreign += [name] * (not closed)
            self.open[name] += not closed
        self.in_select |= name == "select"
        if name not in _RAW | _TITLES | {"plaintext"} or (self.foreign and closed):
            return start
        ended = _end_tag(name).search(self.source, start) if name != "plaintext" else None
        end = ended.start() if ended else len(self.source)
        inside = self.source[start:end]
        within = "drawing or formula" if self.foreign else "list of options"
        odd = self.foreign or (self.in_select and name not in ("script", "textarea"))
        if odd and re.search("[<&]", inside):
            raise InputError.at(
                self.where,
                f"a {name} in a {within} ({self.place(name, start)}) holds < or &, "
                "which cannot be read with certainty; write it without",
            )
        if name == "plaintext":
            self.code(start, end, name, "", "")
            return end
        if name == "script" and script.has_nested(inside):
            raise InputError.at(
                self.where,
                f"a script in a comment of a script ({self.place(name, start)}) cannot be read "
                "with certainty; take it out first",
            )
        if inside and name in _TITLES:
            self.text(start, end, name, name)
        elif inside:
            self.code(start, end, name, name, kind)
        return end

    def code(self, start: int, end: int, what: str, ends: str, kind: str) -> None:
        """A script, a style, or what else holds no escapes. What is not drawn stands behind all that is."""
        place = self.place(what, start)
        runs: Iterable[TextRun | str]
        is_json = ends == "script"  # of a kind of its own, if it looks like it
        if ends == "style":
            runs = css.pieces(self.source, start, end, place)
        elif ends == "script" and script.SCRIPT_TYPES.fullmatch(kind):
            runs = script.pieces(self.source, start, end, place)
        elif is_json and json_format.is_json(self.source[start:end]):
            runs, self.objects = json_format.within(self.source, start, end, "", self.objects)
        else:
            said = script.code_text(self.source[start:end], ends)
            runs = [_Code(said, start, end, place, ends, is_json)]
        if what in ("plaintext", "xmp"):
            self.flow.add(*runs)
        else:
            self.values += [*runs, BREAK]


def _named(values: Sequence[tuple[re.Match[str], int]]) -> Iterator[tuple[str, str]]:
    return ((item["name"].lower(), item["value"] or "") for item, _ in values)


def page(source: str, where: str) -> list[TextRun | str]:
    """The runs of a page.

    >>> from sfumato.formats.parts import Layout
    >>> Layout(page("We saw weight <b title=x>loss</b>.<!-- y --><p>Fever", "page")).text
    'We saw weight loss.\\nFever\\nx\\n'
    """
    return _Reader(source, where).read()


def in_tags(runs: Iterable[TextRun]) -> set[int]:
    """Where runs begin that stand inside a tag, and not between tags."""
    return {run.start for run in runs if isinstance(run, _InTag)}


def joined(source: str, patches: Sequence[Patch], inside: Collection[int]) -> list[Patch]:
    """Patches under which what stands on both sides of something taken out does not become a tag or an
    escape: there, an empty comment stays."""
    made: list[Patch] = []
    at, tail = 0, ""
    for patch in patches:
        tail = (tail + source[at : patch.start])[-40:]
        if not patch.text and patch.start not in inside and _OPEN_END.search(tail):
            patch = Patch(patch.start, patch.end, _EMPTY_COMMENT)
        tail = (tail + patch.text)[-40:]
        at = patch.end
        made.append(patch)
    return made


def shown_otherwise(source: str) -> str:
    """The first thing in a page for which a browser may show other words, or join them otherwise, than are
    read here: scripts, styles, hidden elements, tags that browsers pass over. Nothing in a plain page.

    >>> shown_otherwise("<p>Hal<b>ya</b>rd"), shown_otherwise("Hal<i hidden>x</i>yard")
    ('', 'hidden of <i>')
    """
    at, spoken, is_over, open_tags, link_end = 0, False, False, list[str](), -1
    while (found := MARK.search(source, at)) is not None:
        said = not source[at : found.start()].isspace() and at < found.start()
        spoken |= said
        name, at = (found["name"] or "").lower(), found.end()
        if not name and (plain := _SAYS_NOTHING.match(source, found.start())) is not None:
            at = plain.end()
            continue
        known = f"<{name}>" if name in _KNOWN else "a tag"
        two_links = name == "a" and found.start() == link_end  # which are read as two words
        if name not in _PLAIN or (is_over and said) or two_links:
            return known
        while (item := ATTRIBUTE.match(source, at)) is not None:
            if item["name"].lower() not in _PLAIN_VALUES or item["open"]:
                return f"{item['name'].lower()} of {known}" if _is_plain(item) else known
            at = item.end()
        closed = TAG_END.match(source, at)
        if closed is None:
            return known
        at = closed.end()
        if name == "title" and not found["slash"]:
            at = end.start() if (end := _end_tag(name).search(source, at)) else len(source)
        if found["slash"]:
            while open_tags and open_tags[-1] != name and open_tags[-1] in _MAY_STAY_OPEN:
                open_tags.pop()
            if not open_tags or open_tags.pop() != name:
                return known
            is_over |= name in ("body", "html")
            link_end = at if name == "a" else -1
        elif name not in _VOID:
            open_tags.append(name)
        if name in _FRAME and spoken and not is_over:
            return known
    return "text after the page" if is_over and source[at:].strip() else ""


@format("html")
class Html(Structured):
    kind = "html"

    def decoded(self, data: bytes, source: Source) -> tuple[str, str]:
        return decoded(data, _with_charset(data, source))

    def pieces(self, text: str, origin: Origin, where: str) -> Sequence[TextRun | str]:
        return page(text, where)

    def shown_otherwise(self, document: Document) -> str:
        return shown_otherwise(document.file)

    def adjust(self, layout: Layout, shares: dict[int, list[Edit]], name: str) -> None:
        json_format.keep_keys_apart(layout, shares, name)

    def written(
        self,
        source: str,
        runs: Sequence[TextRun],
        changes: Mapping[int, Sequence[Change]],
        document: Document,
    ) -> list[Patch]:
        return joined(source, super().written(source, runs, changes, document), in_tags(runs))


def _with_charset(data: bytes, source: Source) -> Source:
    """What is known of a page, with the encoding that its mark or it itself names, unless somebody has said
    another one."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return replace(source, encoding="utf-16")
    if source.certain or source.encoding != "utf-8" or data.startswith(codecs.BOM_UTF8):
        return source
    return replace(source, encoding=page_encoding(data, source.where) or source.encoding)
