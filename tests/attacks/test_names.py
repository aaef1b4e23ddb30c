"""A patient's name, named in a letter and hidden, is looked for inside user names, file names, markup and codes:
nothing that somebody can decode may tell it, in any profile, also where the surname is an ordinary word."""

from __future__ import annotations

import base64
import html
import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import unquote

import pytest

from sfumato import sanitize

PROFILES = ("default", "hipaa-safe-harbor", "gdpr", "research", "strict")
LETTER = (
    "Clinic note\nPatient: {given} {name}\n{given} {name} has asthma and is well.\n---\n{line}\n"
)
LOOKS = str.maketrans("асеіорх", "aceiopx")


def decoded(text: str) -> Iterator[str]:
    """The text as a patient reader may read it."""
    plain = unicodedata.normalize("NFKC", unquote(html.unescape(text)))
    plain = re.sub(r"\\u([0-9a-fA-F]{4})", lambda m: chr(int(m[1], 16)), plain)
    joined = re.sub(r"<[^>]*>|[*\u00ad\u200b\u2060]|-\n", "", plain)
    yield from (joined.lower(), joined.lower().translate(LOOKS))
    yield joined.lower().translate(str.maketrans("0134", "oiea"))
    for run in re.findall(r"[A-Za-z0-9+/]{8,}", text):
        yield base64.b64decode(run[: len(run) // 4 * 4], validate=False).decode("latin-1").lower()


RARE = {
    "login": "session of {low}.{given} opened",
    "host": "{low}-pc.ward.example is down",
    "file": "see scan-{low}-2.png",
    "constant": "ID_{up} = 4",
    "method": "get{name}Record()",
    "gate": "people call it {name}gate",
    "nothing between": "met{low}today",
    "word joiner": "later {name[0]}\u2060{rest} left",
    "italics": "later *{name[0]}*{rest} left",
    "tag inside": "later {name[0]}<i>{rest}</i> left",
    "entity": "later &#x{code:x};{rest} left",
    "address": "q=%{code:02x}{rest}&p=2",
    "escape": '{{"who": "\\u{code:04x}{rest}"}}',
    "base64": "token {base64}",
}


@pytest.mark.parametrize("line", RARE.values(), ids=RARE)
@pytest.mark.parametrize(("given", "name"), [("Ingrid", "Falkenrath"), ("Amadou", "Diakhaté")])
def test_a_rare_name_is_read_from_nothing(given: str, name: str, line: str) -> None:
    low = "".join(c for c in unicodedata.normalize("NFD", name.lower()) if c.isascii())
    said = line.format(
        given=given.lower(), name=name, low=low, up=name.upper(), rest=name[1:], code=ord(name[0]),
        base64=base64.b64encode(f"dear {name}!".encode()).decode(),
    )  # fmt: skip
    for profile in PROFILES:
        text = LETTER.format(given=given, name=name, line=said)
        told = sanitize(text, profile).text.partition("---\n")[2]
        assert not any(low[1:-1] in reading for reading in decoded(told)), (profile, told)


ORDINARY = [
    "login {low}.{given}",
    "ask @{given}_{low}",
    "user {given[0]}{low} left",
    "#Free{name} now",
    "mail {given}.{low}@example.net",
    "C:\\Users\\{low}\\x.doc",
    '{{"{given}{name}": 2}}',
]


@pytest.mark.parametrize("line", ORDINARY)
@pytest.mark.parametrize("name", ["Marsh", "Stone", "Baker"])
def test_a_surname_that_is_an_ordinary_word_is_gone_where_names_stand(name: str, line: str) -> None:
    said = line.format(given="clara", name=name, low=name.lower())
    for profile in PROFILES:
        text = LETTER.format(given="Clara", name=name, line=said)
        told = sanitize(text, profile).text.partition("---\n")[2]
        assert name.lower() not in told.lower(), (profile, told)


@pytest.mark.parametrize(
    ("name", "prose"),
    [
        ("Cook", "The cookery book: cooking is fun."),
        ("Stone", "A stony path and a milestone."),
        ("Baker", "The bakery sold bread."),
    ],
)
def test_words_of_the_language_stay(name: str, prose: str) -> None:
    told = sanitize(LETTER.format(given="Clara", name=name, line=prose), "default").text
    assert prose in told
