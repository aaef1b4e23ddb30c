"""What names a person, or was shown as its column, stands nowhere else; what cannot be made safe is refused."""

from __future__ import annotations

import datetime as dt
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as arrow
import pyarrow.parquet as parquet
import pytest
from typer.testing import CliRunner

from sfumato import policy
from sfumato.cli.app import app
from sfumato.document import Release, restored
from sfumato.errors import InputError, PolicyError
from sfumato.formats import table as files
from sfumato.keys import Key
from sfumato.protect.tables.anonymize import anonymize
from sfumato.protect.tables.joins import join
from sfumato.protect.tables.recognition import read_given
from sfumato.release.files import write_release
from sfumato.release.ledger import Ledger
from tests.protect.tables.tables import column, csv_bytes, release, rules, run_of

AGE = {"role": "quasi", "type": "number", "kinds": ["AGE"]}
CITY = {"role": "quasi", "kinds": ["CITY"]}


def table(columns: Mapping[str, Any], *rows: list[str], **settings: Any) -> Release:
    """A release of rows whose cities are known."""
    made = rules(columns, lists={"CITY": ["Zwolle", "Tilburg"]}, **settings)
    return release(csv_bytes(list(columns), rows), made)[1]


# Direct identifiers


@pytest.mark.parametrize("said", ["Zoltan Kovacs", "at ZOLTAN-KOVACS"])
def test_a_direct_identifier_in_a_quasi_identifier_is_refused_by_line(said: str) -> None:
    columns = {"name": "direct", "city": "quasi"}
    with pytest.raises(InputError, match=r"t.csv:3: a direct .* 'city'") as error:
        table(columns, ["Zoltan Kovacs", "Zwolle"], ["Ito Berg", said])
    assert "zoltan" not in str(error.value).lower()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Achterberg, Quentin", "Quentin Achterberg"),
        ("Quentin Achterberg", "ACHTERBERG, Quentin"),
        ("Dr. Quentin Achterberg", "quentin-achterberg"),
        ("quentin.achterberg@example.org", "Quentin Achterberg"),
        ("Ann Kowalczyk", "Kowalczyk, Ann"),
        ("Quentin Uhlenbeck Achterberg Oenema", "Oenema Quentin Achterberg Uhlenbeck"),
    ],
)
def test_a_name_is_hidden_in_any_order_of_its_words(name: str, said: str) -> None:
    columns = {"name": "direct", "note": "insensitive", "text": "text"}
    published = table(columns, [name, "x", "x"], ["Ito Berg", f"with {said}.", f"met {said}, ok"])
    assert column(published, "note") == ["x", "with [ID]."]
    assert column(published, "text") == ["x", "met [ID], ok"]


def test_a_long_number_that_names_a_person_is_refused_and_a_date_is_not() -> None:
    number = {"id": "direct", "n": {"role": "quasi", "type": "number"}}
    with pytest.raises(InputError, match="quasi-identifier 'n'"):
        table(number, ["123456", "200500"], ["200500", "1"])
    day = {"id": "direct", "d": {"role": "quasi", "type": "date"}}
    published = table(day, ["200405", "2004-05-14"], ["20040514", "2004-05-15"])
    assert column(published, "d") == ["2004-05", "2004-05"]
    assert column(table(number, ["36", "24"], ["24", "36"]), "n") == ["[24-36]", "[24-36]"]


def test_an_ordinary_word_that_names_a_person_goes_from_their_own_cells() -> None:
    published = table(
        {"name": "direct", "text": "text"}, ["Hope", "I am Hope."], ["Ito", "I hope so."]
    )
    assert column(published, "text") == ["I am [ID].", "I hope so."]


def test_who_stands_in_rows_that_are_left_out_is_named_nowhere() -> None:
    columns = {
        "id": "direct",
        "name": "direct",
        "town": "quasi",
        "ins": "insensitive",
        "note": "text",
    }
    rows = [
        ["u1x", "Zelda Quarx", "", "x", "ok"],
        ["u2x", "Ygor Brann", "Ulm", "friend of Zelda Quarx", "met Zelda Quarx there"],
        ["u3x", "Xaver Tonn", "Ulm", "y", "met Ygor Brann, son of Hope"],
        ["u3x", "Hope", "", "y", "ok"],  # a row of a person who stays
    ]
    _, published = release(csv_bytes(list(columns), rows), rules(columns, empty="drop"))
    assert column(published, "ins") == ["friend of [ID]", "y"]
    assert column(published, "note") == ["met [ID] there", "met [ID], son of [ID]"]


def test_who_has_no_partner_in_a_join_is_named_nowhere() -> None:
    people = files.parse(
        b"id,name,town\nu1x,Zelda Quarx,Ulm\nu2x,Ygor Brann,Ulm\nu3x,Ito Ann,Ulm\n", "p.csv"
    )
    posts = files.parse(b"id,note\nu2x,met Zelda Quarx\nu3x,met Ygor Brann\n", "q.csv")
    more = files.parse(b"id,job\nu2x,a\nu3x,a\nu4x,a\n", "r.csv")
    table, unused = join([people, posts, more], "id")
    assert unused == 2
    settings = rules(
        {"id": "direct", "name": "direct", "town": "quasi", "note": "text", "job": "quasi"}
    )
    made = anonymize(table, run_of(settings), None)
    assert made.released.texts("note") == ["met [ID]", "met [ID]"]


def test_a_header_that_names_a_person_is_refused_by_number() -> None:
    columns = {"id": "direct", "age": AGE, "visits of Zoltan Kovacs": "insensitive"}
    with pytest.raises(InputError, match="the name of column 3 holds") as error:
        table(columns, ["Zoltan Kovacs", "1", "1"], ["u2xx", "2", "2"])
    assert "Zoltan" not in str(error.value)


def test_two_numbered_columns_have_different_numbers() -> None:
    columns = {"id": "direct", "age": AGE, "boss": {"role": "direct", "how": "pseudonym"}}
    published = table(columns, ["u1x", "1", "Zoltan"], ["u2x", "2", "Zoltan"])
    assert column(published, "id") == ["P1", "P2"]
    assert column(published, "boss") == ["Person-1", "Person-1"]


# Values shown as their column


def test_what_is_shown_as_its_column_is_hidden_elsewhere() -> None:
    columns = {"id": "direct", "city": CITY, "text": "text", "more": "text", "x": "insensitive"}
    data = csv_bytes(
        list(columns),
        [
            ["u1x", "Zwolle", "I live in Zwolle", "zwolle!", "from Zwolle"],
            ["u2x", "Tilburg", "hi", "not Zwolle", "y"],
        ],
    )
    given = [[("CITY", "Zwolle")], []]
    _, published = release(data, rules(columns), given=given)
    assert column(published, "text") == ["I live in (Tilburg,Zwolle)", "hi"]
    assert column(published, "more") == ["(Tilburg,Zwolle)!", "not [CITY]"]
    assert column(published, "x") == ["from [CITY]", "y"]


def test_a_number_shown_as_its_column_goes_from_its_persons_texts() -> None:
    columns = {"id": "direct", "age": AGE, "text": "text"}
    settings = policy.load({"detect": ["patterns"], "table": {"k": 2, "columns": columns}})
    rows = [
        ["u1x", "36", "I am 36 years old."],
        ["u1x", "36", "36! Born 36 years ago; 3.6 and 360."],
        ["u2x", "24", "36 apples"],
    ]
    _, published = release(csv_bytes(list(columns), rows), settings)
    texts = column(published, "text")
    assert texts[0] == "I am [24-36] years old."
    assert texts[1].startswith("[24-36]! Born [24-36] years ago")
    assert texts[2] == "36 apples"


def test_what_the_column_still_shows_may_stand() -> None:
    columns = {"id": "direct", "city": CITY, "text": "text", "x": "insensitive"}
    row = ["Zwolle", "in Zwolle", "Zwolle"]
    published = table(columns, ["u1x", *row], ["u2x", *row])
    assert column(published, "text") == ["in Zwolle"] * 2
    assert column(published, "x") == ["Zwolle"] * 2


# Files


@pytest.mark.parametrize(
    "line",
    [
        '{"row": 0.5, "terms": []}',
        '{"row": true, "terms": []}',
        '{"row": 0, "terms": [["a b", "x"]]}',
    ],
)
def test_given_terms_have_whole_rows_and_kinds_in_capitals(tmp_path: Path, line: str) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(line)
    with pytest.raises(InputError, match=":1: not of the form"):
        read_given(path, 3)


def test_a_missing_column_does_not_print_the_first_line() -> None:
    with pytest.raises(InputError, match=r"has no column 'id'.* 2 columns") as error:
        release(b"Zoltan Kovacs,36\nAna,3\n", rules({"id": "direct", "age": AGE}))
    assert "Zoltan" not in str(error.value)


def test_a_form_of_dates_without_a_year_is_refused() -> None:
    for form in ("%d.%m.", "%%Y %d.%m."):
        with pytest.raises(PolicyError, match="needs its year"):
            rules({"d": {"role": "quasi", "type": "date", "format": form}})
    assert rules({"d": {"role": "quasi", "type": "date", "format": "%d.%m.%y"}})


def test_absent_and_null_texts_stay_what_they_are() -> None:
    data = (
        b'{"id":"u1x","age":1}\n{"id":"u2x","age":2,"text":null}\n{"id":"u3x","age":2,"text":""}\n'
    )
    settings = rules({"id": "direct", "age": AGE, "text": "text"}, empty="keep-empty", k=3)
    _, published = release(data, settings, name="t.jsonl")
    rows = [json.loads(line) for line in published.data.splitlines()]
    assert "text" not in rows[0]
    assert [row["text"] for row in rows[1:]] == [None, ""]


MIXED = [
    [36, "36", 36.0],
    [0.3, 0.30000000000000004, "0.3"],
    [True, "true"],
    [None, ""],
    ["Ulm", "Ulm"],
]


def in_lines(values: list[Any]) -> bytes:
    rows = [{"id": f"u{n}x", "v": value} for n, value in enumerate(values)]
    if values[0] is None:  # a key that is not there is the third that is empty
        rows.append({"id": "u9x"})
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


@pytest.mark.parametrize("values", MIXED)
def test_json_lines_of_a_class_are_the_same_by_type_and_to_the_last_digit(
    values: list[Any],
) -> None:
    settings = rules({"id": "direct", "v": "quasi"}, empty="keep-empty")
    _, published = release(in_lines(values), settings, name="t.jsonl")
    rows = [json.loads(line) for line in published.data.splitlines()]
    assert len({json.dumps(row.get("v", "no key")) for row in rows}) == 1
    assert restored(published.data, published.record) == in_lines(values)


def test_doubles_of_a_class_are_the_same_to_the_last_digit_and_where_there_are_none() -> None:
    values = [0.3, 0.30000000000000004, None, float("nan")]
    out = io.BytesIO()
    parquet.write_table(arrow.table({"id": ["u1x", "u2x", "u3x", "u4x"], "v": values}), out)
    settings = rules({"id": "direct", "v": "quasi"}, empty="keep-empty")
    _, published = release(out.getvalue(), settings, name="t.parquet")
    shown = parquet.read_table(io.BytesIO(published.data))["v"].to_pylist()
    assert [repr(value) for value in shown] in (["'0.3'", "'0.3'", "''", "''"], ["'*'"] * 4)


@pytest.mark.parametrize(
    ("values", "looks"),
    [
        ([36, "36"], ["General", "General"]),
        ([40, 40], ["0.00", "0%"]),
        ([dt.date(2004, 5, 14), "2004-05-14"], ["yyyy-mm-dd", "General"]),
        ([dt.date(2004, 5, 14), dt.date(2004, 5, 14)], ["yyyy", "d.m.yy"]),
    ],
)
def test_cells_of_a_sheet_look_the_same_in_a_class(values: list[Any], looks: list[str]) -> None:
    book = openpyxl.Workbook()
    book.active.append(["id", "v"])
    for row, (value, look) in enumerate(zip(values, looks, strict=True), 2):
        book.active.append([f"u{row}x", value])
        book.active.cell(row, 2).number_format = look
    out = io.BytesIO()
    book.save(out)
    _, published = release(out.getvalue(), rules({"id": "direct", "v": "quasi"}), name="t.xlsx")
    cells = openpyxl.load_workbook(io.BytesIO(published.data)).active["B"][1:]
    assert len({(repr(cell.value), cell.number_format) for cell in cells}) == 1


def test_numbers_that_are_written_alike_stay_numbers() -> None:
    data = in_lines([36, 36, 0.30000000000000004, 0.30000000000000004])
    _, published = release(data, rules({"id": "direct", "v": "quasi"}), name="t.jsonl")
    rows = [json.loads(line)["v"] for line in published.data.splitlines()]
    assert rows == [36, 36, 0.30000000000000004, 0.30000000000000004]


CARDS = (4111111111111111, 20000000000000000, 5500005555555.125)


@pytest.mark.parametrize("card", CARDS)
@pytest.mark.parametrize("name", ["t.jsonl", "t.parquet", "t.xlsx"])
def test_a_number_that_names_a_person_is_found_where_it_stands_as_a_float(
    card: float, name: str
) -> None:
    rows: dict[str, list[Any]] = {
        "id": ["u1x", "u2x"],
        "card": [str(card), "none"],
        "v": [1, 1],
        "ref": [float(card), 2.5],
    }
    form = files.Form(name[2:].replace("xlsx", "excel"))
    data = files.write(
        files.Table(tuple(rows), tuple(rows), tuple(rows.values()), range(2, 4), form)
    )
    settings = rules({"id": "direct", "card": "direct", "v": "quasi", "ref": "insensitive"})
    _, published = release(data, settings, name=name)
    assert column(published, "ref", name) == ["[ID]", "2.5"]


def test_one_column_is_left_of_a_table_with_semicolons() -> None:
    settings = rules({"id": {"role": "direct", "how": "remove"}, "job": "quasi"})
    _, published = release(b"id;job\nu1x;a\nu2x;b,c\n", settings)
    assert files.parse(published.data, "t.csv").names == ("job",)


def test_lists_of_a_parquet_file_are_not_released() -> None:
    out = io.BytesIO()
    cells = {"id": ["Kowalczyk", "u2x"], "n": [1, 2], "x": [["Kowalczyk"], ["b"]]}
    parquet.write_table(arrow.table(cells), out)
    settings = rules({"id": "direct", "n": AGE, "x": "insensitive"})
    with pytest.raises(InputError, match="the column 'x' holds no texts but lists"):
        release(out.getvalue(), settings, name="t.parquet")


def test_a_folder_is_no_release_and_leaves_no_certificate(inside: Path) -> None:
    Path("t.csv").write_text("id,age\nu1x,1\nu2x,2\n")
    Path("p.yaml").write_text("table: {k: 2, columns: {id: direct, age: quasi}}\n")
    Path("out.csv").mkdir()
    with pytest.raises(InputError, match="no plain file"):
        CliRunner().invoke(
            app, ["anonymize", "t.csv", "-p", "p.yaml", "-o", "out.csv"], catch_exceptions=False
        )
    assert sorted(p.name for p in Path().glob("*")) == ["out.csv", "p.yaml", "t.csv"]


@pytest.mark.parametrize("before", [None, b"old"])
def test_no_certificate_without_its_release(tmp_path: Path, key: Key, before: bytes | None) -> None:
    published = table({"id": "direct", "age": AGE}, ["u1x", "1"], ["u2x", "2"])
    (tmp_path / "out.csv").mkdir()
    beside = tmp_path / "out.csv.cert.json"
    if before is not None:
        beside.write_bytes(before)
    with pytest.raises(InputError, match="no plain file"):
        write_release(tmp_path / "out.csv", published, Ledger(key), most=1 << 20)
    assert (beside.read_bytes() if beside.exists() else None) == before


@pytest.mark.parametrize(
    ("hidden", "other"),
    [("Munich", "München"), ("Vienna", "Wien"), ("Warsaw", "WARSZAWA"), ("Maria Keller", "Keller")],
)
def test_no_other_name_of_a_hidden_term_stands_in_a_text_of_its_class(
    hidden: str, other: str
) -> None:
    lists = {"PERSON" if " " in hidden else "LOC": [hidden]}
    made = rules({"id": "direct", "text": "text"}, lists=lists)
    rows = [["u1x", f"She spoke of {hidden}. {other} was far."], ["u2x", "He knows nobody."]]
    shown = column(release(csv_bytes(["id", "text"], rows), made)[1], "text")
    assert other not in shown[0]
    assert shown[0].endswith("] was far.")
    assert shown[1] == "He knows nobody."


FORMULA = '=CHAR(80)&LOWER("X")'


@pytest.mark.parametrize("role", ["text", "insensitive", "sensitive"])
@pytest.mark.parametrize("cell", [FORMULA, " \t" + FORMULA, "+A1&CHAR(77)", "@SUM(A1)&CHAR(77)"])
def test_formulas_are_taken_out_of_whole_tables(role: str, cell: str) -> None:
    """As of single columns: programs show what a formula makes of letters, which nobody has looked at."""
    data = csv_bytes(["id", "sex", "said"], [["1", "f", cell], *([i, "f", "x"] for i in "234")])
    settings = rules(
        {"id": "direct", "sex": "quasi", "said": role}, lists={"LOC": ["Oslo"]}, empty="keep-empty"
    )
    made, published = release(data, settings)
    assert column(published, "said") == ["", "x", "x", "x"]
    assert ("UNSEEN", "clean", "") in {(e.kind, e.how, e.replacement) for e in made.edits}
    assert restored(published.data, published.record) == data


def test_what_a_cleaned_text_makes_a_formula_is_taken_out() -> None:
    texts = ['<b>=CHAR(80)&amp;"x"</b>', "in Oslo", "x", "x"]
    data = csv_bytes(["id", "said"], [[i, t] for i, t in zip("1234", texts, strict=True)])
    settings = rules({"id": "direct", "said": "text"}, lists={"LOC": ["Oslo"]}, clean=["html"])
    _, published = release(data, settings)
    assert column(published, "said") == ["", "in [PLACE]", "x", "x"]
    assert restored(published.data, published.record) == data


def test_a_formula_among_quasi_identifiers_is_an_empty_cell() -> None:
    data = csv_bytes(["id", "sex"], [["1", FORMULA], *([i, "f"] for i in "2345")])
    with pytest.raises(InputError, match="2: a formula in column 'sex'; mend it, or"):
        release(data, rules({"id": "direct", "sex": "quasi"}))
    _, published = release(data, rules({"id": "direct", "sex": "quasi"}, empty="drop"))
    assert column(published, "sex") == ["f"] * 4
    _, published = release(data, rules({"id": "direct", "sex": "quasi"}, empty="keep-empty"))
    assert "CHAR" not in published.data.decode()


@pytest.mark.parametrize("sign", ["\u202e", "\u202b", "\u2067", "\u200f", "\u061c"])
def test_letters_that_are_shown_in_another_order_are_taken_out(sign: str) -> None:
    cell = f"{sign}amleS ainaV\u202c"
    rows = [["u1x", "a", cell, cell], ["u2x", "a", "x", "x"]]
    columns = {"id": "direct", "q": "quasi", "note": "insensitive", "text": "text"}
    settings = rules(columns, empty="keep-empty", clean=["control"] * (sign != "\u202e"))
    for name in ("t.csv", "t.jsonl"):
        data = csv_bytes(list(columns), rows)
        if name == "t.jsonl":
            lines = [json.dumps(dict(zip(columns, row, strict=True))) + "\n" for row in rows]
            data = "".join(lines).encode()
        published = release(data, settings, name=name)[1]
        assert column(published, "note", name) == ["", "x"]
        text = "" if sign == "\u202e" else "amleS ainaV"
        assert column(published, "text", name) == [text, "x"]
        assert restored(published.data, published.record) == data
    turned = csv_bytes(list(columns), [["u1x", cell, "x", "x"], ["u2x", "a", "x", "x"]])
    with pytest.raises(
        InputError, match="2: letters that are shown in another order in column 'q'"
    ):
        release(turned, rules(columns))


@pytest.mark.parametrize("title", ['=CHAR(65)&"nn"', "\u202eamleS"])
def test_a_column_whose_name_programs_show_otherwise_is_refused(title: str) -> None:
    columns = {"id": "direct", "q": "quasi", title: "insensitive"}
    data = csv_bytes(list(columns), [["u1x", "a", "x"], ["u2x", "a", "x"]])
    with pytest.raises(InputError, match="another name of column 3 than stands there"):
        release(data, rules(columns))


def test_signs_before_words_stay_in_whole_tables() -> None:
    said = ["= 5 mg", "- no allergies (none)", "- fish & chips", "-5"]
    data = csv_bytes(["id", "said"], [[i, t] for i, t in zip("1234", said, strict=True)])
    _, published = release(data, rules({"id": "direct", "said": "text"}, lists={"LOC": ["Oslo"]}))
    assert column(published, "said") == said


@pytest.mark.parametrize("zeros", [".0", ".00", ""])
def test_a_number_with_zeros_behind_its_point_is_the_whole_one_elsewhere(zeros: str) -> None:
    columns = {"card": "direct", "city": "quasi", "note": "text"}
    cards = ("4929123456784", "4929123456791")
    made = table(columns, *([f"{card}{zeros}", "Zwolle", f"his {card} was used"] for card in cards))
    assert all("4929123456" not in said for said in column(made, "note"))


PLACES = {"PLACE": ["Zwolle", "Zwolle North", "Zwolle North Station", "Tilburg"]}


@pytest.mark.parametrize("strategy", ["mondrian", "gdf", "clusters"])
@pytest.mark.parametrize("generalise", [False, True])
@pytest.mark.parametrize(
    ("notes", "shown"),
    [
        (["Zwolle North and Zwolle", "Zwolle North"], ["[PLACE] and [PLACE]", "[PLACE]"]),
        (
            ["Zwolle North Station, Tilburg; Zwolle", "Tilburg or Zwolle North Station"],
            ["[PLACE], Tilburg; [PLACE]", "Tilburg or [PLACE]"],
        ),
        (["Zwolle North, Zwolle", "Zwolle, Zwolle North"], None),
    ],
)
def test_what_stays_says_nothing_that_its_class_hides(
    notes: list[str], shown: list[str] | None, strategy: str, generalise: bool
) -> None:
    columns = {"id": "direct", "age": AGE, "text": "text"}
    rows = [[f"u{at}x", "30", note] for at, note in enumerate(notes)]
    settings = rules(columns, lists=PLACES, strategy=strategy, generalise=generalise)
    _, published = release(csv_bytes(list(columns), rows), settings)
    assert column(published, "text") == (shown or notes)
