"""JSON and JSON lines."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato import sanitize
from sfumato.document import Document, Edit
from sfumato.errors import InputError
from sfumato.formats import fit, parse, read, write
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


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(TEXT.map(lambda key: key[:3]), inner, max_size=4)
    ),
    max_leaves=12,
)
NESTED = st.recursive(
    VALUES, lambda inner: st.lists(inner.map(json.dumps) | inner, max_size=3), max_leaves=6
)
STYLES = st.fixed_dictionaries(
    {
        "ensure_ascii": st.booleans(),
        "indent": st.sampled_from([None, 0, 2]),
        "sort_keys": st.booleans(),
    }
)


def dumped(value: Any, style: dict[str, Any]) -> str:
    return json.dumps(value, **style)


@given(VALUES, STYLES, st.data())
def test_any_json_reads_back_as_it_was_edited(
    value: Any, style: dict[str, Any], data: st.DataObject
) -> None:
    text = dumped(value, style)
    document = read_json(text)
    written = keeps_to_the_contract(text.encode(), document, edits_of(document, data))
    json.loads(written)


@given(NESTED, STYLES, st.data())
def test_json_in_strings_reads_back_as_it_was_edited(
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


def test_many_keys_that_become_the_same_are_numbered_in_time_that_grows_with_them() -> None:
    text = json.dumps({f"a{n}": n for n in range(20_000)})
    document = read_json(text)
    spans = [m.span() for m in re.finditer(r"a\d+", document.text)]
    begun = time.process_time()
    fitted = fit(document, [Edit(start, end, "TERM", "x", "why") for start, end in spans])
    assert time.process_time() - begun < 5
    assert [e.replacement for e in fitted[:3]] == ["x", "x_2", "x_3"]
    assert len({e.replacement for e in fitted}) == 20_000


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "there is nothing in it; an empty value is written null"),
        ("\ufeff \n", "there is nothing in it"),
        ("{", "it ends too early; is the file whole"),
        ('{"a"', "it ends too early"),
        ("NaN", "NaN and Infinity are no JSON; write null, or a string"),
        ("[-Infinity]", "NaN and Infinity"),
        ("[1,]", r"a value is expected here \(column 4\)"),
        ('{"a": 1,}', "a key is expected here"),
        ('{"a" 1}', "a colon is expected here"),
        ("[1 2]", "a comma or the end of a list or object is expected here"),
        ('"\t"', "a string does not end, or holds a control character"),
        ('["\\x"]', "a string does not end, or .* unknown escape"),
        ("01", "something follows the value; values on lines of their own are JSON lines"),
        ("{} {}", "something follows the value"),
        ("'a'", "a value is expected here"),
    ],
)
def test_what_is_no_json_is_refused_with_its_place_and_its_fault(text: str, why: str) -> None:
    with pytest.raises(InputError, match=rf"^x:\d+: not JSON: {why}"):
        read_json(text)


def test_the_fault_of_a_file_is_told_without_its_words() -> None:
    with pytest.raises(InputError) as caught:
        read_json('{"name": "Ann",\n Lee}')
    assert str(caught.value) == "x:2: not JSON: a key is expected here (column 2)"


def test_depth_is_limited_and_time_grows_with_the_file() -> None:
    read_json("[" * 500 + "]" * 500)
    with pytest.raises(InputError, match="more than 500"):
        read_json("[" * 501)
    begun = time.process_time()
    read_json("[" + ", ".join(['{"note": "a b c"}'] * 20_000) + "]")
    assert time.process_time() - begun < 5


def test_columns_name_keys_at_the_top() -> None:
    lines = '{"id": 7, "note": "Ann", "more": {"note": "Bob"}}\n{"note": ["x", 1]}\n'
    document = read_json(lines, "jsonl", ("note", "more"))
    assert document.text == "Ann\nBob\nx\n1\n"
    assert document.origin.columns == ("note", "more")
    with pytest.raises(InputError, match="x: no column 'notes'; did you mean 'note'"):
        read_json(lines, "jsonl", ("note", "notes"))
    one = '{"id": 7, "note": "Ann"}'  # one thing, no rows: of what is not there, everything
    assert "7" in read_json(one, columns=("comment",)).text
    assert read_json('[{"a": "x", "b": {"a": "y"}}]', columns=("a",)).text == "x\n"


def test_a_log_of_json_lines_stays_one(tmp_path: Any) -> None:
    path = tmp_path / "app.log"
    path.write_text('{"level": "info", "mail": "ann@example.org"}\n\n{"id": 12}\n')
    document = read(path, name="app.log")
    assert document.origin.format == "jsonl"
    release = sanitize(document, {"detect": ["patterns"]})
    assert release.data == b'{"level": "info", "mail": "[EMAIL 1]"}\n\n{"id": 12}\n'
    path.write_text('{"level": "info"}\nnot json\n')
    assert read(path, name="app.log").origin.format == "text"


def test_nothing_hidden_is_left_in_any_guise() -> None:
    secret = "ann.lee@example.org"
    escaped = "".join(f"\\u{ord(c):04x}" for c in secret)
    text = f'{{"{escaped}": ["{secret}", "x {escaped} y", "ann.lee\\u0040example.org"]}}'
    release = sanitize(read_json(text), {"detect": ["patterns"]})
    for guise in (*guises(secret), escaped.encode(), b"ann.lee"):
        assert guise not in release.data
    assert json.loads(release.data) == {"[EMAIL 1]": ["[EMAIL 1]", "x [EMAIL 1] y", "[EMAIL 1]"]}


# JSON in strings


def test_json_in_a_string_is_read_once_more() -> None:
    inner = json.dumps({"who": "Zoë Lee", "n": [1, "x"]})
    text = json.dumps({"payload": inner, "id": 7})
    document = read_json(text)
    assert document.text == "payload: \nwho: Zoë Lee\nn: \n1\nx\nid: 7\n"
    assert "$.payload: $.n[1]" in [part.place for part in document.origin.parts]
    made = json.loads(edited(text, ("Zoë Lee", "[P]"), ("1", "[N]")))
    assert json.loads(made["payload"]) == {"who": "[P]", "n": ["[N]", "x"]}


def test_what_is_not_edited_in_a_nested_string_stays_to_the_byte() -> None:
    text = r'{"a": " {\"k\":\t\"\\u005aoe\", \u0022m\u0022: \"Ann\"}\n"}'
    assert edited(text, ("Ann", "[P]")) == text.replace("Ann", "[P]")
    assert edited(text, ("Zoe", "[P]")) == text.replace(r"\\u005aoe", "[P]")


def test_a_secret_in_escapes_of_escapes_is_found() -> None:
    secret = "ann.lee@example.org"
    value: Any = {"mail": "".join(f"\\u{ord(c):04x}" for c in secret)}
    text = '{"mail": "' + value["mail"] + '"}'
    for _ in range(4):
        text = json.dumps([text])
    release = sanitize(read_json(text), {"detect": ["patterns"]})
    said = json.loads(release.data)
    for _ in range(4):
        said = json.loads(said[0])
    assert said == {"mail": "[EMAIL 1]"}


def test_what_lies_deeper_than_the_levels_is_the_text_of_its_string() -> None:
    text = json.dumps(["Ann"])
    for _ in range(6):
        text = json.dumps([text])
    assert "Ann" in read_json(text).text
    assert json.loads(edited(text, ("Ann", "Bob")))


@pytest.mark.parametrize("text", ["[X]", "[12]", "{x}", '["a"', '"a"', "{}", '{"a": }'])
def test_a_string_that_only_looks_like_json_is_its_text(text: str) -> None:
    assert read_json(json.dumps(text)).text == text + "\n"


def test_a_string_never_becomes_json_by_an_edit() -> None:
    document = read_json('["Ann"]')
    written = keeps_to_the_contract(b'["Ann"]', document, [Edit(0, 3, "TERM", '["x"]', "why")])
    assert json.loads(written) == [""]


def test_keys_that_become_the_same_in_a_nested_object_are_numbered() -> None:
    text = json.dumps([json.dumps({"HIV": 1, "flu": 2}), json.dumps({"cold": 3})])
    made = json.loads(edited(text, ("HIV", "x"), ("flu", "x"), ("cold", "x")))
    assert [json.loads(part) for part in made] == [{"x": 1, "x_2": 2}, {"x": 3}]


@pytest.mark.parametrize(
    "text",
    [
        '\ufeff{"a": "Ann"}',
        '{"a": "Ann", "a": "Bob"}',
        '{"a": "\\ud800 Ann"}',
        '["Ann", ' + "9" * 5000 + "]",
        '["Ann", 1e999, -0.0]',
    ],
)
def test_odd_but_legal_json_stays_as_it_was_but_for_the_edit(text: str) -> None:
    assert edited(text, ("Ann", "[P]")) == text.replace("Ann", "[P]")


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[" * 100_000 + "]" * 100_000])
def test_json_of_any_depth_is_refused_in_one_line(text: str) -> None:
    for kind in ("json", "jsonl"):
        with pytest.raises(InputError, match=r"\Ax: more than 500 lists and objects[^\n]*\Z"):
            read_json(text, kind)
    assert read_json(json.dumps([text])).text == text + "\n"


@pytest.mark.parametrize(
    ("text", "secret", "becomes"),
    [
        (
            '{"u": "https://x.org/?e=a%40b.org&x=1"}',
            "a@b.org",
            '{"u": "https://x.org/?e=%5BX%5D&x=1"}',
        ),
        ('["mailto:a%2540b.org"]', "a@b.org", '["mailto:%5BX%5D"]'),
        ('["<p>Zo&#235; &Auml;m &amp; Bo</p>"]', "Zoë Äm", '["\\u003cp>[X] &amp; Bo\\u003c/p>"]'),
        ('["Zo&euml;"]', "Zoë", '["[X]"]'),
        ('["[\\"/?e=a%40b\\"]"]', "a@b", '["[\\"/?e=%5BX%5D\\"]"]'),
    ],
)
def test_codes_of_addresses_and_references_of_html_are_read(
    text: str, secret: str, becomes: str
) -> None:
    assert json.loads(edited(text, (secret, "[X]"))) == json.loads(becomes)


@given(st.lists(st.text("/?%4a+&lt;#é <", max_size=10) | VALUES, max_size=3), st.data())
def test_coded_strings_read_back_as_they_were_edited(
    values: list[Any], data: st.DataObject
) -> None:
    text = dumped(values, {})
    document = read_json(text)
    keeps_to_the_contract(text.encode(), document, edits_of(document, data))
