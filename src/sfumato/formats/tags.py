"""Where tags and comments begin and end, as browsers read them (the HTML standard, 13.2.5)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sfumato.english.wordlists import word_set

MARK = re.compile(
    r"<(?:(?P<slash>/?)(?P<name>[A-Za-z][^\t\n\f\r />]*)|(?P<comment>!--)|(?P<cdata>!\[CDATA\[)"
    r"|(?P<odd>[!?]|/(?!\Z)))"
)
ATTRIBUTE = re.compile(
    r"""[\t\n\f\r /]*(?P<whole>(?P<name>=[^\t\n\f\r />=]*|[^\t\n\f\r />=]+)"""
    r"""(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?P<value>"[^"]*"|'[^']*'|(?!["'>])[^\t\n\f\r >]+)?(?P<open>["'])?)?)"""
)
TAG_END = re.compile(r"[\t\n\f\r /]*>")
# A word that goes on behind the end of a line, where marks of letters that are answered may stand
_HYPHENATED = re.compile(
    r"(?<=[^\W\d_])[-\u2010\u2011\xad][ \t]{0,2}(?:(?:\r?\n){1,2}|<[Bb][Rr][ \t]?/?>)[ \t>]{0,40}(?=[^\W\d_])"
)
COMMENT_END = re.compile(r"--!?>")
# Elements that browsers draw on lines of their own or with a frame (the HTML standard, 15.3), only in a
# table. All others part no word: they stand in a line, or are not drawn at all.
BOX = word_set(
    "address article aside blockquote br button center dd details dir div dl dt fieldset figcaption figure"
    " footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu meter nav ol optgroup option"
    " p plaintext pre progress section select summary table textarea ul xmp"
)
OF_TABLES = word_set("caption col colgroup tbody td tfoot th thead tr")
# In texts that are no pages, where a title stands before the words of its page
PARTS_WORDS = BOX | OF_TABLES | {"title"}


def tags(text: str) -> Iterator[tuple[int, int, str]]:
    """The tags, comments and instructions of a text: from, to, what stands there for a reader: a blank for
    what has a line or a cell of its own. What never ends is text. One tag that only a quote keeps open ends
    at the first `>`, and so do all behind it: none is gone through to the end of the text twice.

    >>> [*tags("<p>1 < 2<!-- x --> <b title='>'>a</b> <a b='>c <")]
    [(0, 3, ' '), (8, 18, ''), (19, 32, ''), (33, 37, ''), (38, 45, '')]
    """
    last, endless = text.rfind(">"), set[str]()
    at = 0
    while (found := MARK.search(text, at)) is not None and found.start() < last:
        start, name = found.start(), (found["name"] or "").lower()
        end = -1
        if name and "tag" not in endless:
            end = _tag_end(text, found.end())
            endless |= {"tag"} if end < 0 else set()
        elif found["comment"]:
            at = start + 4
            if text.startswith((">", "->"), at):
                end = text.index(">", at) + 1
            elif "comment" in endless or (ended := COMMENT_END.search(text, at)) is None:
                endless.add("comment")
                continue
            else:
                end = ended.end()
        elif found["cdata"] and "section" not in endless:
            end = text.find("]]>", start) + 3
            end, endless = (end, endless) if end > 2 else (-1, endless | {"section"})
        end = end if end > 0 else text.index(">", start) + 1
        yield start, end, " " if name in PARTS_WORDS else ""
        at = end


def parting(text: str, *, any_case: bool = False) -> list[tuple[int, int, str]]:
    """The tags of a text, and what parts words at the ends of its lines, of one case or of any.

    >>> parting("Hollo-\\n> way, <b>HOLLO\\xad\\nWAY; Anne-\\nMarie")
    [(5, 9, ''), (14, 17, ''), (22, 24, '')]
    """
    hyphens = (
        (found.start(), found.end(), "")
        for found in _HYPHENATED.finditer(text)
        if any_case or text[found.end()].islower() or text[found.start() - 1].isupper()
    )
    made: list[tuple[int, int, str]] = []
    for change in sorted([*tags(text), *hyphens]):
        if not made or made[-1][1] <= change[0]:
            made.append(change)
    return made


def _tag_end(text: str, at: int) -> int:
    """Where a tag ends whose name ends there, or -1."""
    while (item := ATTRIBUTE.match(text, at)) is not None:
        if item["open"] and not item["value"]:  # a quote that is never closed
            return -1
        at = item.end("value") if item["value"] else item.end("whole")
    closed = TAG_END.match(text, at)
    return closed.end() if closed else -1
