"""What a program draws otherwise than it stands is in no release: colours of logs, letters struck over or
written from right to left, signs that draw nothing."""

from __future__ import annotations

import re

import pytest

import sfumato
from sfumato import formats
from sfumato.document import restored
from sfumato.keys import Key

POLICY = {
    "detect": [
        "patterns",
        {"lists": {"hide": [{"kind": "PROJECT", "terms": ["Operation Finch"]}]}},
    ],
    "protect": ["replace"],
    "replace": {"*": "label"},
    "unread": "keep",
}
KEY = Key(bytes(32))
DRAWN = [
    *("\x1b[32mOperation Finch\x1b[0m", "Operation \x1b[1;31mFin\x1b[mch", "\x1b(BOperation Finch"),
    *("Operation\x1b[K Finch", "\x1b]8;;https://x.example\x1b\\Operation\x1b]8;;\x1b\\ Finch"),
    *("\x9b32mOperation Finch", "Operation \x1b]0;title\x07Finch", "\x1b\x1b[0mOperation Finch"),
    *("O\bOp\bperation F\bFi\bin\bnc\bch\bh", "Operation F\x7fin\x01ch", "Operation\rFinch"),
    *("Operation \u202eFinch", "Oper\u3164ation Finch", "Operation\u2066 Fin\u2069ch"),
]
FILES = {
    "text": "10:00 user {} logged in\n",
    "markdown": "# Users\n\n10:00 user {} logged in\n",
    "html": "<pre>user {} logged in</pre>",
    "json": '{{"msg": "user {} logged in"}}',
    "jsonl": '{{"msg": "user {} logged in"}}\n',
    "csv": "id,note\n1,user {} in\n",
}


def escaped(text: str, format: str) -> str:
    if format in ("json", "jsonl"):
        return "".join(
            f"\\u{ord(c):04x}" if not " " <= c <= "[" and not "]" <= c <= "~" else c for c in text
        )
    if format == "html":  # references to control characters mean others there
        return "".join(f"&#{ord(c)};" if c == "\x1b" or c > "\xa0" else c for c in text)
    return text


@pytest.mark.parametrize("format", FILES)
@pytest.mark.parametrize("said", DRAWN)
def test_a_term_is_hidden_however_it_is_drawn_and_nothing_is_drawn_otherwise(
    said: str, format: str
) -> None:
    data = FILES[format].format(escaped(said, format)).encode()
    columns = ("note",) if format == "csv" else ()
    try:
        document = formats.parse(data, name="a", format=format, columns=columns)
    except sfumato.SfumatoError:
        assert "\r" in said or format == "csv"
        return
    release = sfumato.sanitize(document, POLICY, key=KEY)
    shown = release.data.decode()
    assert "Finch" not in shown
    assert "[PROJECT 1]" in shown
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u3164\u2066]|\\u00|&#", shown)
    checks = sfumato.verify(release, POLICY, public_key=KEY.public)
    assert not [c for c in checks if c.refuses]
    assert restored(release.data, release.record) == data


def test_colours_go_though_nothing_is_hidden() -> None:
    release = sfumato.sanitize("user \x1b[32mAnn\x1b[0m", POLICY, key=KEY)
    assert release.text == "user Ann"


def test_lines_stay_lines() -> None:
    release = sfumato.sanitize("Dear all,\rsee\x0cyou\r\n", POLICY)
    assert release.text == "Dear all,\nsee\nyou\r\n"
