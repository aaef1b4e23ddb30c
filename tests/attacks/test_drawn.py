"""What a program draws otherwise than it stands is in no release: colours of logs, letters struck over or
written from right to left, signs that draw nothing."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato
from sfumato import formats
from sfumato.document import changed, restored
from sfumato.formats.text import drawn
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
    *("Operation Finch" + "\b" * 15 + "_" * 15, "_" * 15 + "\b" * 15 + "Operation Finch"),
    *("Operation Finch" + "\b" * 5 + "Finch", "F\x1b[1m\bOperation F\x1b[m\bFinch"),
    *(
        "Operation F\x9d8;;x\x9cinch",
        "Operation F\x90q\x9cin\x9e\x9cch",
        "Operation \x9fx\x07Finch",
    ),
    *("Operation\x1b[CFinch", "Operation\x1b[20GFinch", "Operation\x1b[3;9HFinch"),
    *("Operation\x1fFinch", "Operation\uffa0Finch", "Operation\u115fFinch"),
    *("Operation \u202eFinch", "Operation\u3164Finch", "Operation\u2066 Fin\u2069ch"),
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


@pytest.mark.parametrize(
    ("mark", "shown"),
    [
        *(
            (mark, " ")
            for mark in ("\x1b[C", "\x1b[20G", "\x9b3D", "\x1b[2;20H", "\x1b[9;8f", "\x1b8")
        ),
        *((mark, " ") for mark in "\x1c\x1d\x1e\x1f\u3164\uffa0\u115f\u1160"),
        *(
            (mark, "\n")
            for mark in ("\x1b[B", "\x1b[2E", "\x1b[F", "\x1b[2d", "\x1b[H", "\x1b[2;1H")
        ),
        *((mark, "\n") for mark in ("\x1bE", "\x1bD", "\x84", "\x85", "\x8d")),
        *(
            (mark, "")
            for mark in ("\x1b[1m", "\x1b[K", "\x1b[2J", "\x1b]0;x\x07", "\x1b(B", "\x9dx\x9c")
        ),
    ],
)
def test_what_moves_the_place_of_writing_parts_words_and_colours_do_not(
    mark: str, shown: str
) -> None:
    text = f"Call 07700 900318{mark}SSN{mark}078-05-1120{mark}x"
    assert changed(text, drawn(text)) == text.replace(mark, shown)
    if shown:
        release = sfumato.sanitize(text, {"detect": ["patterns"]}, key=KEY)
        assert release.text == shown.join(["Call [PHONE 1]", "SSN", "[SSN 1]", "x"])
        assert sfumato.restore(release) == text
        found = sfumato.detect(text, {"detect": ["patterns"]})
        assert [t.of(text) for t in found] == ["07700 900318", "078-05-1120"]


def test_letters_that_were_read_in_another_encoding_hold_no_commands() -> None:
    text = "Stra\xc3\x9fe und \xc3\x9cber \xe2\x80\x9dAnn\xe2\x80\x9c"
    assert "Ann" in changed(text, drawn(text))
    assert " und " in changed(text, drawn(text))


def as_written(text: str) -> str:
    """What a printer shows, letter by letter."""
    shown, column = dict[tuple[int, int], str](), 0
    for at, sign in enumerate(text):
        place = text.count("\n", 0, at), column
        if sign == "\b":
            column = max(0, column - 1)
        elif sign == "\n":
            shown[place[0], 10**6], column = sign, 0
        else:
            shown[place] = shown.get(place, sign) if sign == "_" else sign
            column += 1
    return "".join(shown[place] for place in sorted(shown))


@given(st.text("ab_ \b\b\n"))
def test_letters_struck_over_are_read_as_a_printer_shows_them(text: str) -> None:
    assert changed(text, drawn(text)) == as_written(text)


def test_wide_letters_take_one_step_back_or_two() -> None:
    for text in ("中\b中文\b文", "中\b\b中文\b\b文", "中文\b\b\b\b中文"):
        assert changed(text, drawn(text)) == "中文"


@pytest.mark.parametrize(
    "said", ["a\b", "a" * 9 + "\b" * 9, "\x9d", "\x9dx\x1b", "\x1b[1;1", "\x1b]"]
)
def test_the_time_is_in_proportion(said: str) -> None:
    def seconds(size: int) -> float:
        begin = time.process_time()
        drawn(said * size)
        return time.process_time() - begin

    seconds(100)
    assert seconds(40_000) < 24 * max(seconds(5_000), 0.02)


def test_a_long_line_struck_over_takes_time_in_proportion() -> None:
    begin = time.process_time()
    drawn("a" * 100_000 + "\b" * 100_000 + "b" * 100_000)
    assert time.process_time() - begin < 5
