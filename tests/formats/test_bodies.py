"""Bodies are taken apart and put together again."""

from __future__ import annotations

import html
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.formats.bodies import READERS, Body, data, page, plain
from sfumato.formats.pieces import Pieces

PAGE = """<!DOCTYPE html>
<html><head><title>Case &amp; notes</title><style>p {color: red}</style></head>
<body class='x'><!-- secret --><p title="Fever">We saw weight <b>loss</b>&nbsp;today.<br/>
caf&eacute; &#233;<input disabled value=pain></p><script>var a = "fever";</script></body></html>"""


def texts(body: Body) -> list[str]:
    return [text for text, _ in body.parts]


def test_what_is_not_changed_is_written_as_it_was() -> None:
    body = page(PAGE)
    assert body.write(texts(body)) == PAGE.replace("<!-- secret -->", "")


def test_a_tag_within_a_term_does_not_part_it() -> None:
    document = Pieces(page("We saw weight <b class=x>loss</b> today.<p>fever").parts).document(
        "page"
    )
    assert "weight loss today.\nfever" in document.text
    assert document.text.endswith("x\n")  # attributes come last


def test_all_that_can_be_read_is_text() -> None:
    said = "".join(texts(page(PAGE)))
    for word in ("Case & notes", "Fever", "café é", "pain", "color", "fever", "today"):
        assert word in said
    assert "secret" not in said


def test_texts_are_written_into_their_places() -> None:
    body = page('<p title="a &lt; b">one <b>two</b></p><input disabled><script>x</script>')
    new = [t.replace("one", "1 < 2").replace("a <", '"a" <').replace("x", "y") for t in texts(body)]
    assert body.write(new) == (
        '<p title="&quot;a&quot; &lt; b">1 &lt; 2 <b>two</b></p><input disabled><script>y</script>'
    )
    closed = page('<img alt="x"/>')
    assert closed.write(["y"]) == '<img alt="y" />'


def test_a_run_of_text_is_unescaped_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    plainly = html.unescape

    def counted(text: str) -> str:
        calls.append(len(text))
        return plainly(text)

    monkeypatch.setattr("sfumato.formats.bodies.html.unescape", counted)
    assert texts(page("<p>" + "&amp;a " * 1000)) == ["&a " * 1000]
    assert sum(calls) <= 20_000  # the length of the page, not its square


@given(st.text("<>&;ab!-/='\" \n", max_size=40))
def test_no_page_is_too_broken(text: str) -> None:
    body = page(text)
    assert isinstance(body.write(texts(body)), str)


def test_json_is_strings_numbers_and_keys() -> None:
    body = data('{"name": "Ann", "age": 41, "ok": true, "none": null, "list": [1.5, "x"]}')
    assert texts(body) == ["name", "Ann", "age", "41", "ok", "none", "list", "1.5", "x"]
    assert json.loads(body.write(texts(body))) == json.loads(
        '{"name": "Ann", "age": 41, "ok": true, "none": null, "list": [1.5, "x"]}'
    )
    changed = ["name", "[PERSON]", "age", "40-49", "ok", "none", "list", "1.5", "x"]
    assert json.loads(body.write(changed))["age"] == "40-49"
    with pytest.raises(InputError, match="not the JSON"):
        data("{")


def test_keys_that_become_the_same_are_numbered() -> None:
    body = data('{"HIV": 1, "flu": 2, "x_2": 3, "cold": {"a": 4}}')
    assert json.loads(body.write(["x", "1", "x", "2", "x_2", "3", "x", "a", "4"])) == {
        "x": 1,
        "x_3": 2,
        "x_2": 3,
        "x_4": {"a": 4},
    }


def test_numbers_are_written_as_they_were() -> None:
    source = '[1.50, 1e400, 0.1000000000000000055, 12345678901234567890123, -0, "a", NaN, true]'
    body = data(source)
    assert body.write(texts(body)) == source


def test_attributes_are_looked_at_as_addresses_mean_them() -> None:
    body = page('<a href="/?q=weight+loss%2C%2548IV" title="50 %">x</a>')
    assert "/?q=weight loss,HIV" in texts(body)
    assert body.write(texts(body)) == '<a href="/?q=weight+loss%2C%2548IV" title="50 %">x</a>'
    new = [said.replace("HIV", "…") for said in texts(body)]
    assert body.write(new) == '<a href="/?q=weight loss,…" title="50 %">x</a>'


def test_a_doctype_says_nothing() -> None:
    body = page('<!DOCTYPE html PUBLIC "HIV"><p>x')
    assert body.write(texts(body)) == "<!DOCTYPE html><p>x"


def test_plain_text_is_itself() -> None:
    assert plain("a\nb").write(["c"]) == "c"
    assert set(READERS) == {"text/plain", "text/markdown", "text/html", "application/json"}
