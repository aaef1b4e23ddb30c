"""HTML pages. All that somebody may read is text: what stands between tags, the values of attributes (as an
address means them), scripts and styles. Text comes first and attributes last, so that a tag within a word
does not part it. Comments, odd tags and files within addresses are seen by nobody who reads: they are taken
out.

Pages are cut into tags and texts as browsers do it (the HTML standard, 13.2.5), in one pass.
"""

from __future__ import annotations

import codecs
import html
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from encodings.aliases import aliases
from html.entities import html5
from urllib.parse import unquote, unquote_plus

from sfumato.document import Document, Origin, Patch
from sfumato.english.wordlists import word_set, words
from sfumato.errors import InputError
from sfumato.formats.parts import Change, Escape, Gone, Structured, TextRun, changed, spliced
from sfumato.formats.text import decoded
from sfumato.plugins import Source, format

BREAK = "\n"
_INLINE = words(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp"
    " small span strike strong sub sup time tt u var wbr"
)
_BLOCK = words(
    "address applet area article aside audio base basefont bgsound blink blockquote body br button"
    " canvas caption center col colgroup command content datalist dd details dialog dir div dl dt"
    " embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header"
    " hgroup hr html iframe image img input isindex keygen legend li link listing main map marquee"
    " menu menuitem meta meter nav nobr noembed noframes noscript object ol optgroup option output p"
    " param picture plaintext portal pre progress rb rtc script search section select shadow slot"
    " source spacer style summary svg math table tbody td template textarea tfoot th thead title tr"
    " track ul video xmp"
    # of drawings and formulas
    " animate animatemotion animatetransform circle clippath defs desc ellipse feblend fecolormatrix"
    " fecomponenttransfer fecomposite feconvolvematrix fediffuselighting fedisplacementmap fedistantlight"
    " fedropshadow feflood fefunca fefuncb fefuncg fefuncr fegaussianblur feimage femerge femergenode"
    " femorphology feoffset fepointlight fespecularlighting fespotlight fetile feturbulence filter"
    " foreignobject g line lineargradient marker mask metadata mpath path pattern polygon polyline"
    " radialgradient rect set stop switch symbol text textpath tspan use view"
    " annotation maction merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms"
    " mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover semantics"
)
_KNOWN = frozenset(_INLINE) | frozenset(_BLOCK)
_INLINE_NAMES = frozenset(_INLINE)
_RAW = word_set("style xmp iframe noembed noframes script")  # nothing in these is escaped
_TITLES = word_set("title textarea")  # no tags in these

_MARK = re.compile(
    r"<(?:(?P<slash>/?)(?P<name>[A-Za-z][^\t\n\f\r />]*)|(?P<comment>!--)|(?P<cdata>!\[CDATA\[)"
    r"|(?P<odd>[!?]|/(?!\Z)))"
)
_ATTRIBUTE = re.compile(
    r"""[\t\n\f\r /]*(?P<whole>(?P<name>=[^\t\n\f\r />=]*|[^\t\n\f\r />=]+)"""
    r"""(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?P<value>"[^"]*"|'[^']*'|(?!["'>])[^\t\n\f\r >]+)?(?P<open>["'])?)?)"""
)
_TAG_END = re.compile(r"[\t\n\f\r /]*>")
_COMMENT_END = re.compile(r"--!?>")
_PLAIN_DOCTYPE = re.compile(r"(?i)<!doctype[\t\n\f\r ]+html[\t\n\f\r ]*>")
_PLAIN_ATTRIBUTE = re.compile(r"[\[(@:#*.]*[A-Za-z][A-Za-z0-9_:.\-]*[\])]*")
# Attributes that stand without a value. Any other word there is likelier to be text that was not escaped.
_SWITCHES = word_set(
    "allowfullscreen alt async autofocus autoplay checked compact contenteditable controls crossorigin"
    " declare default defer disabled download draggable formnovalidate hidden inert ismap itemscope loop"
    " multiple muted nohref nomodule noresize noshade novalidate nowrap open playsinline readonly"
    " required reversed sandbox scoped seamless selected spellcheck translate value"
)
_PAGE_WITHIN = "srcdoc"  # of a frame: a page that would have to be read as one
_OWN_SWITCH = re.compile(r"(?i)(?:data|aria|v|ng|x|hx)-[a-z0-9.:\-]+|[@:#*.\[(].*")
_OWN_TAG = re.compile(r"[a-z][a-z0-9]*(?::[a-z][a-z0-9]*|(?:-[a-z0-9]+)+)")  # o:p, my-list
_REFERENCE = re.compile(r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f\r <&#;]{1,32};?)")
# Escapes of scripts, and of JSON in a page and in its attributes; a backslash takes the next one along.
_SCRIPT_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}"
    r"|u\{0*[0-9a-fA-F]{1,6}\}|x[0-9a-fA-F]{2}|\\)"
)
_PERCENTS = re.compile("%(?:25)+")
_EMBEDDED = re.compile(r"data:[\w/+.\-;=]*;base64,[\w+/=\- \t\r\n]*", re.IGNORECASE | re.ASCII)
_EMPTY_ADDRESS = "data:,"
# What the next character may make a tag or an escape.
_OPEN_END = re.compile(r"(?:<|&[^\t\n\f\r <&;]{0,32})\Z")
_EMPTY_COMMENT = "<!---->"
_NEW_TAG = re.compile(r"<[A-Za-z/!?]")
_NESTED_SCRIPT = re.compile(r"(?is)<!--(?:(?!-->).)*<script[\t\n\f\r />]")
_CHARSET = re.compile(
    rb"""<meta[\t\n\f\r /][^>]*?charset[\t\n\f\r ]*=[\t\n\f\r ]*["']?[\t\n\f\r ]*([^\t\n\f\r "'/>;]+)""",
    re.I,
)
_CONTENT_TYPE = re.compile(r"text/html; ?charset=")
_CHARSETS = frozenset(aliases) | frozenset(aliases.values())
_TYPES = word_set(
    "button checkbox color date datetime-local email file hidden image month number password radio range"
    " reset search submit tel text time url week"
    " module importmap application/javascript application/json application/ld+json application/rss+xml"
    " application/atom+xml image/gif image/jpeg image/png image/svg+xml image/webp image/x-icon text/css"
    " text/html text/javascript text/plain"
)
_HEAD = 1024  # bytes of a page in which browsers look for its encoding
# Names by which pages call encodings, where browsers mean another one than Python.
_MEANT = {"iso-8859-1": "cp1252", "latin1": "cp1252", "latin-1": "cp1252", "ascii": "cp1252"}
_MEANT |= {"us-ascii": "cp1252", "iso-8859-9": "cp1254", "gb2312": "gbk", "utf-16": "utf-8"}


@dataclass(frozen=True)
class _Text(TextRun):
    """Text between tags, or the whole of a title."""

    ends: str = ""  # the element whose end tag it must not hold, if it is not among tags

    def escapes(self, raw: str) -> Iterator[Escape]:
        return _references(raw)

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        new = changed(self.text, changes)
        made = spliced(raw, _references(raw), changes, lambda t: _escaped(t, encoding))
        markup = _end_tag(self.ends) if self.ends else _NEW_TAG
        if made is None or html.unescape(made) != new or markup.search(made):
            made = _escaped(new, encoding)
        return made if html.unescape(made) == new else None


@dataclass(frozen=True)
class _Code(TextRun):
    """A script, a style, or what else has no escapes."""

    ends: str = "script"

    def escapes(self, raw: str) -> Iterator[Escape]:
        return _script_escapes(raw) if self.ends == "script" else iter(())

    @property
    def unseen(self) -> Iterable[Change]:
        return _embedded(self.text)

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        new = changed(self.text, changes)
        made = spliced(raw, self.escapes(raw), changes, str)
        if made is None or code_text(made, self.ends) != new:
            return None
        nested = self.ends == "script" and _NESTED_SCRIPT.search(made)
        broken = self.ends and _end_tag(self.ends).search(made)
        return None if nested or broken or not _fits(made, encoding) else made


@dataclass(frozen=True)
class _InTag(Gone):
    """An attribute that is none, or one of an end tag."""


@dataclass(frozen=True)
class _Value(TextRun):
    """The value of an attribute, as an address means it."""

    @property
    def unseen(self) -> Iterable[Change]:
        return _embedded(self.text)

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        new = changed(self.text, changes)
        made = f'"{_escaped(new, encoding, quote=True)}"'
        return made if value_text(made) == new else None


def value_text(raw: str) -> str:
    r"""What the value of an attribute says.

    >>> value_text('"/?q=weight+loss%2C%2548IV&amp;x"'), value_text("tel:+44&copy=1")
    ('/?q=weight loss,HIV&x', 'tel:+44&copy=1')
    >>> value_text(r'{&quot;name&quot;: &quot;Zo\u00eb&quot;}')
    '{"name": "Zoë"}'
    """
    if raw[:1] in ("'", '"'):
        raw = raw[1:-1]
    said = _REFERENCE.sub(lambda m: _in_value(m[0], raw[m.end() : m.end() + 1]), raw)
    said = _PERCENTS.sub("%", code_text(said, "script"))
    while (meant := _as_address(said)) != said:
        said = meant
    return said


def code_text(raw: str, name: str) -> str:
    r"""What an element without tags says: strings of scripts have escapes.

    >>> code_text(r'"Zo\u00eb"', "script")
    '"Zoë"'
    """
    if name != "script" or "\\" not in raw:
        return raw
    return _SCRIPT_ESCAPE.sub(lambda m: _escape_says(m[0]), raw)


def _script_escapes(raw: str) -> Iterator[tuple[int, int, str]]:
    for found in _SCRIPT_ESCAPE.finditer(raw):
        if (said := _escape_says(found[0])) != found[0]:
            yield found.start(), found.end(), said


def _escape_says(escape: str) -> str:
    codes = [int(code, 16) for code in re.findall("[0-9a-fA-F]+", escape)]
    if len(codes) == 2:
        return chr(0x10000 + (codes[0] - 0xD800) * 0x400 + codes[1] - 0xDC00)
    if not codes or 0xD800 <= codes[0] < 0xE000 or codes[0] > 0x10FFFF:
        return escape  # a backslash, or no character
    return chr(codes[0])


def _as_address(said: str) -> str:
    path, question, query = said.partition("?")
    return unquote(path) + question + unquote_plus(query)


def _in_value(reference: str, following: str) -> str:
    """A reference in a value: `&copy=1` is none there, though it would be one in a text."""
    if not reference.endswith(";") and reference[1] != "#":
        name = reference[1:]
        known = next((n for n in range(len(name), 1, -1) if name[:n] in html5), None)
        after = (name + following)[known : known + 1] if known else ""
        if known is None or after == "=" or (after.isascii() and after.isalnum()):
            return reference
    return html.unescape(reference)


def _references(raw: str) -> Iterator[tuple[int, int, str]]:
    for found in _REFERENCE.finditer(raw):
        if (said := html.unescape(found[0])) != found[0]:
            yield found.start(), found.end(), said


def _escaped(text: str, encoding: str, *, quote: bool = False) -> str:
    """A text as HTML, in references where the encoding has no such character."""
    made = html.escape(text, quote)
    return made.encode(encoding, "xmlcharrefreplace").decode(encoding)


def _fits(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _embedded(text: str) -> list[Change]:
    """Files in base64 within an address: nobody has looked at them."""
    if "base64" not in text.lower():
        return []
    return [(m.start(), m.end(), _EMPTY_ADDRESS) for m in _EMBEDDED.finditer(text)]


def _end_tag(name: str) -> re.Pattern[str]:
    return re.compile(rf"</{name}(?=[\t\n\f\r />])", re.IGNORECASE)


def _is_plain(attribute: re.Match[str]) -> bool:
    """Whether an attribute looks like one."""
    name = attribute["name"]
    if not _PLAIN_ATTRIBUTE.fullmatch(name) or name.lower() == _PAGE_WITHIN:
        return False
    named = attribute["value"] or name.lower() in _SWITCHES or _OWN_SWITCH.fullmatch(name)
    return bool(named)


def _is_technical(tag: str, attribute: str, value: str) -> bool:
    """Whether a value is a word of HTML itself, which tells programs how to read the page."""
    if attribute == "type":
        return value in _TYPES
    if tag != "meta" or attribute not in ("charset", "content"):
        return False
    charset = _CONTENT_TYPE.sub("", value, count=1) if attribute == "content" else value
    is_type = attribute == "charset" or charset != value
    return is_type and charset.replace("-", "_") in _CHARSETS


class _Reader:
    """Cuts a page into runs, in the order of the page; attributes are kept apart."""

    def __init__(self, source: str, where: str) -> None:
        self.source, self.where = source, where
        self.pieces: list[TextRun | str] = []
        self.values: list[TextRun | str] = []
        self.foreign = (
            0  # depth in drawings and formulas, where scripts and titles are read otherwise
        )
        self._line, self._counted = 1, 0
        self._no_cdata_end = False

    def read(self) -> list[TextRun | str]:
        at = 0
        while at < len(self.source):
            found = _MARK.search(self.source, at)
            begin = found.start() if found else len(self.source)
            if at < begin:
                self.text(at, begin, "text")
            at = self.markup(found) if found else begin
        return [*self.pieces, BREAK, *self.values]

    def place(self, what: str, at: int) -> str:
        self._line += self.source.count("\n", self._counted, at)
        self._counted = at
        return f"{what}, line {self._line}"

    def text(self, start: int, end: int, what: str, ends: str = "") -> None:
        said = html.unescape(self.source[start:end])
        self.pieces.append(_Text(said, start, end, self.place(what, start), ends))

    def gone(self, start: int, end: int, what: str, instead: str = "") -> int:
        raw = self.source[start:end]
        self.pieces.append(Gone(raw, start, end, self.place(what, start), "", instead))
        return end

    def markup(self, found: re.Match[str]) -> int:
        """What follows a `<` that is none for itself; where it ends."""
        source, start = self.source, found.start()
        if found["name"]:
            return self.tag(found)
        if source.startswith(_EMPTY_COMMENT, start):
            return start + len(_EMPTY_COMMENT)
        if found["comment"]:
            if source.startswith((">", "->"), start + 4):
                return self.gone(start, source.index(">", start) + 1, "comment")
            ended = _COMMENT_END.search(source, start + 4)
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
        while (item := _ATTRIBUTE.match(source, at)) is not None:
            if item["open"] and not item["value"]:  # a quote that is never closed
                return self.gone(start, len(source), "unfinished tag")
            at = item.end("value") if item["value"] else item.end("whole")
            (values if _is_plain(item) else odd).append((item, at))
        closed = _TAG_END.match(source, at)
        if closed is None:
            return self.gone(start, len(source), "unfinished tag")
        end = closed.end()
        if name not in _KNOWN and not _OWN_TAG.fullmatch(name):
            return self.gone(start, end, "unknown tag")
        if name not in _INLINE_NAMES:
            self.pieces.append(BREAK)
        if found["slash"]:
            if values or odd:  # an end tag has none
                first, last = found.end(), closed.start()
                self.pieces.append(
                    _InTag(source[first:last], first, last, self.place("end tag", start))
                )
            self.foreign -= name in ("svg", "math") and self.foreign > 0
            return end
        for item, stop in odd:
            raw = source[item.start("whole") : stop]
            line = self.place("odd attribute", start)
            self.values.append(_InTag(raw, item.start("whole"), stop, line))
        for item, _ in values:
            if item["value"] and not _is_technical(
                name, item["name"].lower(), item["value"].strip("\"'").lower()
            ):
                line = self.place(f"{item['name'].lower()} of {name}", start)
                start_of, end_of = item.span("value")
                self.values += [_Value(value_text(item["value"]), start_of, end_of, line), BREAK]
        return self.content(name, end, source[end - 2] == "/")

    def content(self, name: str, start: int, closed: bool) -> int:
        """What stands in an element that holds no tags; where it ends."""
        if name in ("svg", "math"):
            self.foreign += not closed
        if name == "plaintext":
            self.code(start, len(self.source), name, "")
            return len(self.source)
        if name not in _RAW | _TITLES or (self.foreign and closed):
            return start
        ended = _end_tag(name).search(self.source, start)
        end = ended.start() if ended else len(self.source)
        inside = self.source[start:end]
        if self.foreign and re.search("[<&]", inside):
            raise InputError(
                f"{self.where}: a {name} in a drawing or formula ({self.place(name, start)}) holds < or &, "
                "which cannot be read with certainty; write it without",
                path=self.where,
            )
        if name == "script" and _NESTED_SCRIPT.search(inside):
            raise InputError(
                f"{self.where}: a script in a comment of a script ({self.place(name, start)}) cannot be read "
                "with certainty; take it out first",
                path=self.where,
            )
        if inside and name in _TITLES:
            self.text(start, end, name, name)
        elif inside:
            self.code(start, end, name, name)
        return end

    def code(self, start: int, end: int, what: str, ends: str) -> None:
        said = code_text(self.source[start:end], ends)
        self.pieces.append(_Code(said, start, end, self.place(what, start), ends))


def page(source: str, where: str) -> list[TextRun | str]:
    """The runs of a page.

    >>> from sfumato.formats.parts import Layout
    >>> Layout(page("We saw weight <b title=x>loss</b>.<!-- y --><p>Fever", "page")).text
    'We saw weight loss.<!-- y -->\\nFever\\nx\\n'
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


@format("html", suffixes=(".html", ".htm"), media=("text/html",))
class Html(Structured):
    kind = "html"

    def decoded(self, data: bytes, source: Source) -> tuple[str, str]:
        return decoded(data, _with_charset(data, source))

    def pieces(self, text: str, origin: Origin, where: str) -> Sequence[TextRun | str]:
        return page(text, where)

    def written(
        self,
        source: str,
        runs: Sequence[TextRun],
        changes: Mapping[int, Sequence[Change]],
        document: Document,
    ) -> list[Patch]:
        return joined(source, super().written(source, runs, changes, document), in_tags(runs))


def _with_charset(data: bytes, source: Source) -> Source:
    """What is known of a page, with the encoding that it names, unless somebody has said another one."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return _replace(source, "utf-16")
    found = _CHARSET.search(data, 0, _HEAD)
    if (
        source.certain
        or source.encoding != "utf-8"
        or found is None
        or data.startswith(codecs.BOM_UTF8)
    ):
        return source
    name = found[1].decode("ascii", "replace").lower()
    return _replace(source, _MEANT.get(name, name))


def _replace(source: Source, encoding: str) -> Source:
    return Source(source.name, source.where, encoding, source.columns, source.certain)
