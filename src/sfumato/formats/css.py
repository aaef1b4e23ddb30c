r"""Style sheets within pages. Words, numbers and colours of CSS itself are technical; strings, addresses and
every name that is not made of its words are text. Comments are taken out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from sfumato.english.wordlists import word_set
from sfumato.formats import addresses
from sfumato.formats.addresses import EMPTY, embedded
from sfumato.formats.parts import (
    BREAK,
    REDACTED,
    Change,
    Escape,
    Gone,
    TextRun,
    changed,
    is_encodable,
    spliced,
)

# Words of which CSS and HTML make their properties, values and names. None of them is anybody's.
WORDS = word_set(
    "abbr above absolute accent acronym action active add address after ajax align all alphabetic alt"
    " alternate always and animate animation annotation ansi any app application aria article aside asset"
    " assets async atom audio author auto autocomplete autofocus autoplay axis backdrop backface background"
    " badge balance banner bar base baseline bdi bdo before below bg bidi big bin blank blend block"
    " blockquote body bold bolder bookmark boolean bootstrap border both bottom box br breadcrumb break"
    " brightness btn bundle button cache calc cancel canonical canvas caption card caret cell center"
    " centered ch change char charset chart check checkbox checked child circle cite clear clearfix click"
    " clip clone close closest cm code col colgroup collapse collapsed color colors column columns combobox"
    " compact complementary complex conic contain container content contenteditable contentinfo contents"
    " contrast control controls cover creator crosshair crossorigin css csv cubic current currentcolor"
    " cursor custom dark dashed data datalist date datetime dd decimal decoration default defer defs del"
    " density desc details device dfn dialog dir direction disabled disc display dist div dl dns document"
    " dominant dotted double down download draggable drop dropdown dt duration each ease edge effect ellipse"
    " ellipsis em email embed empty enabled encoding enctype end ends even evenodd events ex exact expand"
    " expanded export external face fade fallback false family fareast favicon feature feed fetch field"
    " fieldset figcaption figure file fill filter first fit fixed flex flip float flood flow fluid focus"
    " follow font fonts footer for foreground form format forwards fr frame frames from full fullscreen"
    " function gap get gif global gradient grayscale grid group grow gutter gzip h1 h2 h3 h4 h5 h6 hanging"
    " has head header heading height hex hidden high hint horizontal host hover hr href html http https hue"
    " icalendar ico icon icons id ideographic iframe image images img import important importmap in"
    " increment index infinite infinity info inherit initial inline inner input ins inset inside instance"
    " integrity intersect invalid inverse invert invisible is isolation italic item items javascript jpeg"
    " jpg jquery js json jsonld justify kbd kerning key keyframes keyword label landscape lang language"
    " large larger last layer layout lazy ld leading left legend length letter level lg li lib license"
    " ligatures light lightbox lighter line linear lining link list listbox listitem live local locale logo"
    " loop loose lower lowercase ltr main manifest manual map margin marker mask matrix max md media medium"
    " menu menubar menuitem message meta meter method microsoft middle min miter mixed mm mobile modal mode"
    " modified module month moz mp3 mp4 mpeg ms mso multipart multiple multiply muted name nav navbar"
    " navigation ne next no noarchive nocache nofollow noindex none noopener noreferrer normal not note"
    " nowrap nth number numeric nw object objects oblique octet odd of off offset og ogg ol oldstyle on once"
    " only opacity open opsz opt optgroup optical optimize optimizespeed option or order orientation origin"
    " ornaments orphans outer outline output outside over overflow overlay overline overscroll pad padding"
    " page panel parse password path pattern pause paused pc pdf performance perspective picture pill pinch"
    " ping pingback pixelated placeholder plain play plus png pointer polite polygon polyline popup portrait"
    " position post pre preconnect prefers prefetch prefix preload preserve prev previous primary print"
    " progress progressbar prompt property proportional pseudo pt public published px quality quotes rad"
    " radial radio radiogroup radius range ratio read readonly rect redirect reduced ref refresh region rel"
    " relative rem repeat replace request required reset resize resolution responsive rest reverse revert"
    " rgb rgba right robots role root rotate round row rowgroup rows rss rtl rule running samp sans saturate"
    " scale scalex scaley screen script scroll scrollbar search searchbox secondary section select selected"
    " selection self semi separator sepia serif set shadow shape sheet shortcut shrink side sidebar site"
    " size sizes sizing skew skewx skewy skip slice slide slider sm small smaller smooth smoothing snap"
    " solid sort source space spacing span speculationrules spinbutton spinner square src srcset st stack"
    " standalone start state static status step steps sticky stop store stretch strict strike stroke strong"
    " style styles stylesheet sub submit subpixel subset success summary sup super supports svg sw swap"
    " switch symbol synthesis system tab tabbed table tablist tabpanel tabs tag target tbody td tel template"
    " term text textarea textbox tfoot th thead theme thick thin thumbnail time timer timing title to toggle"
    " toolbar tooltip top touch touchicon tr track transform transition translate translatex translatey"
    " transparent tree treeitem true truncate tspan tt turn twitter type ui ul ultra under underline unicode"
    " unit unset up upper uppercase url urlencoded use user utf valid value var variable variant vendor"
    " vertical vh video view viewbox viewport visibility visible visited vmax vmin vnd vw warning wavy wbr"
    " webapp webfont webkit webm webp website weight where wide widget widows width window woff woff2 word"
    " wrap wrapper write writing www xl xlink xml xmlns xs xxl yes zip zoom"
)
# Colours, fonts and words of CSS that may be names elsewhere: technical only where a style sheet has a value.
VALUES = word_set(
    "a aliceblue antiquewhite apple aqua aquamarine azure b beige bisque black blanchedalmond blue"
    " blueviolet brown burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson"
    " cursive cyan darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta"
    " darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue darkslategray"
    " darkslategrey darkturquoise darkviolet deeppink deepskyblue dense dimgray dimgrey dodgerblue e fantasy"
    " firebrick floralwhite forestgreen fuchsia gainsboro georgia ghostwhite gold goldenrod gray green"
    " greenyellow grey heavy highlight honeydew hotpink hyphens i indianred indigo ivory kern khaki lavender"
    " lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray"
    " lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray lightslategrey"
    " lightsteelblue lightyellow lime limegreen linen magenta mark maroon mediumaquamarine mediumblue"
    " mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise"
    " mediumvioletred midnightblue mintcream mistyrose moccasin n navajowhite navy nums oldlace olive"
    " olivedrab orange orangered orchid p palegoldenrod palegreen paleturquoise palevioletred papayawhip"
    " peachpuff peru pink plum powderblue purple q rebeccapurple red rosybrown royalblue ruby s saddlebrown"
    " salmon sandybrown seagreen seashell sienna silver skyblue slateblue slategray slategrey snow"
    " springgreen steelblue tabular tan tap teal thistle tomato turquoise u violet wheat white whitesmoke"
    " will x y yellow yellowgreen zeros"
)
# Words of which names of fonts are made that every computer has, also where they stand in quotes.
FONTS = word_set(
    "arial arialmt blinkmacsystemfont calibri cambria consolas courier emoji fira helvetica inter lato"
    " liberation menlo monaco mono monospace neue new noto roboto roman sans segoe serif symbol system"
    " tahoma times trebuchet ubuntu ui verdana"
)
_UNITS = "%|[cm]m|deg|dpi|dppx|em|ex|ch|fr|in|ms|pc|pt|px|q|rad|rem|s|turn|[dls]?v(?:h|w|min|max)|x"
_ESCAPE = re.compile(
    r"\\(?:(?P<code>[0-9a-fA-F]{1,6})(?:\r\n|[ \t\r\n\f])?|(?P<line>\r\n|[\r\n\f])|(?P<itself>.)|\Z)",
    re.S,
)
_URL_ESCAPE = re.compile(_ESCAPE.pattern + "|(?:%(?:25)*+[0-9a-fA-F]{2})++", re.S)
_IMPORTS = re.compile(r"(?i)@import\s*\Z")
_NAME = r"(?:[\w\-]|[^\x00-\x7f]|\\(?:[0-9a-fA-F]{1,6}(?:\r\n|[ \t\r\n\f])?|[^\r\n\f0-9a-fA-F]))"
_TOKEN = re.compile(
    r"/\*(?P<comment>[\s\S]*?)(?:\*/|\Z)"
    r"""|(?P<call>(?i:url)\([ \t\n\r\f]*+)?(?P<quote>["'])"""
    r"(?P<string>(?:(?!(?P=quote))[^\\\n\r\f]|\\(?:\r\n|[\s\S]))*+)(?:(?P=quote))?"
    r"|(?i:url)\([ \t\n\r\f]*(?P<url>(?![\"' \t\n\r\f])(?:[^)\\]|\\[\s\S])*+)"
    r"|[uU]\+[0-9a-fA-F?]{1,6}(?:-[0-9a-fA-F]{1,6})?(?![\w-])"
    rf"|(?P<number>[+-]?(?:\d++(?:\.\d++)?|\.\d++)(?:[eE][+-]?\d++)?(?i:n(?:\s*[+-]\s*\d+)?|{_UNITS})?)(?![\w.-])"
    rf"|\#(?P<hash>{_NAME}++)|\.(?P<class>{_NAME}++)|(?P<odd>\d(?:[\w.+-]|[^\x00-\x7f])*+)|(?P<name>{_NAME}++)"
)
_COLOUR = re.compile(r"[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}(?:[0-9a-fA-F]{2})?")
_IN_VALUE = re.compile(r"[^{};]{0,400}(?:[;}]|\Z)")
_LONG = re.compile(r"(?<![\d.])\d{6}")
_PLAIN = re.compile(r"[\w\-]|[^\x00-\x7f]", re.ASCII)
_PLAIN_IN_STRING = re.compile(r"[\w\- .,:;/?=+%!@#$*~\[\]{}|]|[^\x00-\x7f]", re.ASCII)
_NUMBERING = re.compile(r"[a-z]?\d{0,3}x?", re.ASCII)
_NEVER_TECHNICAL = re.compile(r"\d{4}|[\[\]]")  # years and codes; labels
_ALWAYS_LONG = re.compile(r"[+-]?(?:9+|2147483647)")
_PARTS = re.compile(r"[^\w]+|_|(?<=[a-z])(?=[A-Z])")


def is_technical(text: str, values: Set[str] = frozenset()) -> bool:
    """Whether a name or a keyword is made of words of CSS and HTML, and of small numbers after them.

    >>> [is_technical(name) for name in ("font-size", "col-md-6", "viewBox", "ana-box", "41", "")]
    [True, True, True, False, False, False]
    """
    known = False
    for part in _PARTS.split(text):
        word = part.lower()
        if word in WORDS or word.rstrip("0123456789") in WORDS or word in values:
            known = True
        elif word and not _NUMBERING.fullmatch(part):
            return False
    return known and not _NEVER_TECHNICAL.search(text) and not embedded(text)


def in_one_word(replacement: str) -> str:
    """A replacement where a name must stand that has no spaces, of a class or an id.

    >>> in_one_word("[PERSON 1]")
    '[PERSON-1]'
    """
    return "-".join(replacement.split())


@dataclass(frozen=True)
class StyleText(TextRun):
    """A string, an address or a name in a style sheet. A name cannot be empty, nor become a word of CSS,
    and has no spaces: a page could not call it."""

    kind: str = "string"

    @property
    def is_name(self) -> bool:
        return self.kind not in ("string", "url")

    @property
    def unseen(self) -> Sequence[Change]:
        return () if self.is_name else embedded(self.text)

    def tidied(self, replacement: str) -> str:
        return in_one_word(replacement) or REDACTED if self.is_name else replacement

    def escapes(self, raw: str) -> Iterator[Escape]:
        for found in (_URL_ESCAPE if self.kind == "url" else _ESCAPE).finditer(raw):
            yield found.start(), found.end(), _meant(found)

    def written(self, raw: str, changes: Sequence[Change], encoding: str) -> str | None:
        new = changed(self.text, changes)
        plain = _PLAIN if self.is_name else _PLAIN_IN_STRING

        def escaped(text: str) -> str:
            if self.kind == "url":
                return addresses.inserted(text)
            return "".join(
                c if plain.match(c) and is_encodable(c, encoding) else f"\\{ord(c):x} "
                for c in text
            )

        made = spliced(raw, self.escapes(raw), changes, escaped)
        if self.is_name and (made is None or not self._is_one(made)):
            made = f"\\{ord(new[0]):x} " + escaped(new[1:]) if new else None
        if made is None or meaning(made, self.kind) != new or "</" in made:
            return None
        if not self.is_name and _is_technical_text(new, self.kind):
            return None
        return made if not self.is_name or self._is_one(made) else None

    def _is_one(self, raw: str) -> bool:
        """Whether this is one name, and read as text."""
        before = {"hash": "#", "class": "."}.get(self.kind, "")
        whole = before + raw
        token = _TOKEN.match(whole)  # a full match could take another way than a sheet's reader
        if token is None or token.end() < len(whole):
            return False
        return _is_text(token, whole, len(whole))


def _meant(escape: re.Match[str]) -> str:
    if escape[0][0] == "%":
        return addresses.meaning(escape[0])
    if escape["code"]:
        code = int(escape["code"], 16)
        return chr(code) if 0 < code < 0xD800 or 0xE000 <= code <= 0x10FFFF else "\ufffd"
    return escape["itself"] or ""


def meaning(raw: str, kind: str = "string") -> str:
    r"""What a name, a string or an address of a style sheet says.

    >>> meaning(r"\41 na")
    'Ana'
    """
    return (_URL_ESCAPE if kind == "url" else _ESCAPE).sub(_meant, raw)


def pieces(source: str, start: int, end: int, place: str) -> Iterator[TextRun | str]:
    r"""The runs of a style sheet in a stretch of a file, with what parts them: strings that follow each other
    are shown as one.

    >>> sheet = '.ana > p { color: #fff; width: 3em; content: "by " "Ana" } /* x */'
    >>> [p if isinstance(p, str) else p.text for p in pieces(sheet, 0, len(sheet), "")]
    ['\n', 'ana', '\n', 'by ', 'Ana', '/* x */']
    """
    after = -1  # the end of a string that nothing but space has followed
    for token in _TOKEN.finditer(source, start, end):
        if after >= 0 and source[after : token.start()].strip(" \t\r\n\f"):
            after = -1
        kind = _kind(token)
        if kind == "comment":
            if token[0] != "/**/":
                near = (
                    source[max(start, token.start() - 1) : token.start()]
                    + source[token.end() : token.end() + 1]
                )
                kept = after >= 0 or not (set(near) & set(" \t\r\n{};") or token.end() == end)
                yield Gone(token[0], *token.span(), place, "", "/**/" if kept else "")
            elif after >= 0:
                after = -1
            continue
        if not _is_text(token, source, end):
            after = -1
            continue
        if not (kind == "string" and after >= 0):
            yield BREAK
        after = token.end() if kind == "string" else -1
        group = "string" if kind == "url" and token["string"] is not None else kind
        yield StyleText(meaning(token[group], kind), *token.span(group), place, kind)


def _kind(token: re.Match[str]) -> str:
    is_url = token["call"] is not None or (
        token["string"] is not None
        and _IMPORTS.search(token.string, max(0, token.start() - 40), token.start())
    )
    return "url" if is_url else token.lastgroup or ""


def _is_text(token: re.Match[str], source: str, end: int) -> bool:
    """Whether a token may say something of somebody."""
    kind = _kind(token)
    if kind in ("", "odd"):
        return kind != ""
    if kind in ("string", "url"):
        raw = token["url"] if token["string"] is None else token["string"]
        return not _is_technical_text(meaning(raw, kind), kind)
    if kind == "number":
        return _LONG.search(token[0]) is not None and not _ALWAYS_LONG.fullmatch(token[0])
    said = meaning(token[kind])
    if not any(map(str.isalnum, said)):
        return False
    if kind == "hash" and _COLOUR.fullmatch(said) and _IN_VALUE.match(source, token.end(), end):
        return False
    return not is_technical(said, VALUES | FONTS if kind == "name" else frozenset())


def _is_technical_text(text: str, kind: str) -> bool:
    """Whether a string names fonts, or an address leads to a part of the drawing or to files of the page."""
    if kind == "url":
        return is_technical(f"url {text}") and not text.isspace() and text not in ("", EMPTY)
    return bool(text) and all(word.lower() in FONTS for word in text.split(" "))
