"""JSON and JSON lines."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato import sanitize
from sfumato.document import Document, Edit
from sfumato.errors import InputError
from sfumato.formats import parse, read, write
from tests.formats.contract import edits_of, guises, keeps_to_the_contract


def read_json(text: str, kind: str = "json", columns: tuple[str, ...] = ()) -> Document:
    data = text.encode("utf-8", "surrogatepass")
    return parse(data, name="x", format=kind, columns=columns)


def edited(text: str, *edits: tuple[str, str]) -> str:
    document = read_json(text)
    made, at = [], 0
    for old, new in edits:
        at = document.text.index(old, at)
        made.append(Edit(at, at + len(old), "TERM", new, "why"))
        at += len(old)
    return keeps_to_the_contract(text.encode(), document, made).decode()


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)
STYLES = st.fixed_dictionaries(
    {
        "ensure_ascii": st.booleans(),
        "indent": st.sampled_from([None, 0, 2]),
        "sort_keys": st.booleans(),
    }
)


def dumped(value: Any, style: dict[str, Any]) -> str:
    style = style | {"ensure_ascii": True} if "\0" in str(value) else style
    return json.dumps(value, **style)


@given(VALUES, STYLES, st.data())
def test_any_json_reads_back_as_it_was_edited(
    value: Any, style: dict[str, Any], data: st.DataObject
) -> None:
    text = dumped(value, style)
    document = read_json(text)
    written = keeps_to_the_contract(text.encode(), document, edits_of(document, data))
    json.loads(written)


@given(st.lists(VALUES, max_size=4), st.sampled_from(["\n", "\r\n", "\n\n"]), st.data())
def test_any_json_lines_read_back_as_they_were_edited(
    values: list[Any], newline: str, data: st.DataObject
) -> None:
    text = newline.join(json.dumps(value) for value in values)
    document = read_json(text, "jsonl")
    written = keeps_to_the_contract(text.encode(), document, edits_of(document, data))
    assert len(written.splitlines()) == len(text.encode().splitlines())


@given(st.text('[]{}",:0123 truefalsn\\ub-.eE', max_size=30))
def test_what_json_loads_takes_is_read_and_nothing_else(text: str) -> None:
    try:
        json.loads(text, parse_constant=lambda name: 1 / 0)
        is_json = True
    except (ValueError, ZeroDivisionError):
        is_json = False
    if is_json:
        assert write(read_json(text), []) == text.encode()
    else:
        with pytest.raises(InputError, match="not JSON"):
            read_json(text)


def test_strings_numbers_and_keys_are_text() -> None:
    document = read_json(
        '{"name": "Ann", "age": 41, "ok": true, "list": [1.5, "x"], "o": {"b": null}}'
    )
    assert document.text == "name: Ann\nage: 41\nok: \nlist: \n1.5\nx\no: \nb: \n"
    places = [part.place for part in document.origin.parts]
    assert places[:2] == ["key $.name", "$.name"]
    assert "$.list[1]" in places
    assert "key $.o.b" in places


def test_a_term_over_two_values_hides_both() -> None:
    text = '{"phones": ["0770", "0900318"], "n": 1}'
    assert edited(text, ("0770\n0900318", "[P]")) == '{"phones": ["[P]", "[P]"], "n": 1}'


def test_a_number_that_changes_becomes_a_string_and_others_stay_as_they_were() -> None:
    text = '[1.50, 1e400, 0.1000000000000000055, 12345678901234567890123, -0, "a\\u00e9\\/b"]'
    assert edited(text, ("1e400", "many"), ("b", "c")) == text.replace("1e400", '"many"').replace(
        "b", "c"
    )


def test_keys_that_become_the_same_are_numbered() -> None:
    made = edited(
        '{"HIV": 1, "flu": 2, "x_2": 3, "cold": {"a": 4}}',
        ("HIV", "x"),
        ("flu", "x"),
        ("cold", "x"),
    )
    assert made == '{"x": 1, "x_3": 2, "x_2": 3, "x_4": {"a": 4}}'
    assert edited('{"a": 1, "a": 2}') == '{"a": 1, "a": 2}'  # both were there before


@pytest.mark.parametrize(
    "text", ["{", "NaN", "[Infinity]", "[1,]", '{"a": 1,}', "[1 2]", '"\t"', "", "01", "'a'"]
)
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="x:1: not JSON"):
        read_json(text)


def test_depth_is_limited_and_time_grows_with_the_file() -> None:
    read_json("[" * 500 + "]" * 500)
    with pytest.raises(InputError, match="more than 500"):
        read_json("[" * 501)
    begun = time.process_time()
    read_json("[" + ", ".join(['{"note": "a b c"}'] * 20_000) + "]")
    assert time.process_time() - begun < 5


def test_columns_name_keys_at_the_top() -> None:
    lines = '{"id": 7, "note": "Ann", "more": {"note": "Bob"}}\n{"note": ["x", 1]}\n'
    document = read_json(lines, "jsonl", ("note", "comment"))
    assert document.text == "Ann\nx\n1\n"
    assert document.origin.columns == ("note",)
    assert (
        "Bob" in read_json(lines, "jsonl", ("comment",)).text
    )  # none of them is there: everything
    assert read_json('[{"a": "x", "b": {"a": "y"}}]', columns=("a",)).text == "x\n"


def test_a_log_of_json_lines_stays_one(tmp_path: Any) -> None:
    path = tmp_path / "app.log"
    path.write_text('{"level": "info", "mail": "ann@example.org"}\n\n{"id": 12}\n')
    document = read(path, name="app.log")
    assert document.origin.format == "jsonl"
    release = sanitize(document, {"detect": ["patterns"]})
    assert release.data == b'{"level": "info", "mail": "[EMAIL]"}\n\n{"id": 12}\n'
    path.write_text('{"level": "info"}\nnot json\n')
    assert read(path, name="app.log").origin.format == "text"


def test_nothing_hidden_is_left_in_any_guise() -> None:
    secret = "ann.lee@example.org"
    escaped = "".join(f"\\u{ord(c):04x}" for c in secret)
    text = f'{{"{escaped}": ["{secret}", "x {escaped} y", "ann.lee\\u0040example.org"]}}'
    release = sanitize(read_json(text), {"detect": ["patterns"]})
    for guise in (*guises(secret), escaped.encode(), b"ann.lee"):
        assert guise not in release.data
    assert json.loads(release.data) == {"[EMAIL]": ["[EMAIL]", "x [EMAIL] y", "[EMAIL]"]}
