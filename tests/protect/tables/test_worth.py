"""A number or a day that names somebody stands in no cell and no text, however either is written; the checker
finds each by itself. Spellings are generated."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.document import Release
from sfumato.english.numbers import ordinal
from sfumato.verify import check_claims, numbers
from sfumato.verify.tables.claims import DIRECT_GONE, HIDDEN_GONE
from tests.protect.tables.tables import KEY, column, csv_bytes, release, rules
from tests.strategies import examples
from tests.verify.tables.test_claims import fitted, table_evidence

MONTHS = "January February March April May June July August September October November December"
DIRECT = {"id": "direct", "x": "direct", "note": "insensitive", "text": "text"}
BARE = "0123456789"


@st.composite
def grouped(draw: st.DrawFn, digits: str) -> str:
    """Digits in groups of two and more."""
    parts = re.findall(f".{{1,{draw(st.integers(2, 5))}}}", digits)
    made = draw(st.sampled_from(["", " ", "-", ".", "/", " - ", "\u2011", "\u00a0", "_"])).join(
        parts
    )
    other = draw(st.sampled_from([BARE, "０１２３４５６７８９", "٠١٢٣٤٥٦٧٨٩"]))
    return made.translate(str.maketrans(BARE, other))


@st.composite
def telephones(draw: st.DrawFn, code: str, national: str) -> str:
    """A telephone number with or without the code of its country."""
    said = draw(grouped(national))
    before = draw(
        st.sampled_from(
            ["0", f"+{code} ", f"+{code}", f"00{code} ", f"+{code} (0)", f"({code})", ""]
        )
    )
    return before + said


@st.composite
def numbered(draw: st.DrawFn, digits: str) -> str:
    """A number with letters around it, or none."""
    return draw(st.sampled_from(["{}", "NHS{}", "tel{}", "id-{}", "{}X", "no. {}"])).format(
        draw(grouped(draw(st.sampled_from(["", "00"])) + digits))
    )


@st.composite
def days(draw: st.DrawFn, day: dt.date) -> str:
    """A day as people write it."""
    d, m, y, name = day.day, day.month, day.year, MONTHS.split()[day.month - 1]
    sign = draw(st.sampled_from("-/."))
    named = draw(st.sampled_from([name, name[:3], name.upper(), name.lower(), f"{name[:3]}."]))
    forms = [
        day.isoformat(),
        f"{d}{sign}{m}{sign}{y}",
        f"{d:02}{sign}{m:02}{sign}{y}",
        f"{m}/{d}/{y}",
        f"{d}{sign}{m}{sign}{y % 100:02}",
        f"{y}/{m}/{d}",
        f"{y:04}{m:02}{d:02}",
        f"{d} {named} {y}",
        f"{ordinal(d)} of {named}, {y}",
        f"{named} {d}, {y}",
        f"{named} the {ordinal(d)} {y}",
        f"{d}-{name[:3]}-{y % 100:02}",
        f"{d:02}{name[:3].upper()}{y}",
        f"{d} {named} '{y % 100:02}",
        f"{day.isoformat()}T10:15:00",
        f"{d}. {m}. {y}",
    ]
    return draw(st.sampled_from(forms))


def made(cell: str, said: str, other: str = "zz") -> Release:
    rows = [["u1x", cell, "x", "x"], ["u2x", other, f"see {said}, 2 times", f"at {said}."]]
    return release(csv_bytes(list(DIRECT), rows), rules(DIRECT))[1]


def check(cell: str, said: str, digits: str) -> None:
    assert numbers.HiddenNumbers(numbers.numbers_of(cell)).stand_in(f"see {said}, 2 times"), (
        cell,
        said,
    )
    published = made(cell, said)
    for name in ("note", "text"):
        shown = "".join(str(int(c)) for c in column(published, name)[1] if c.isdecimal())
        assert digits not in shown, (cell, said)


@given(data=st.data())
@examples(60)
def test_a_telephone_number_is_hidden_with_and_without_its_country(data: st.DataObject) -> None:
    code, national = data.draw(
        st.sampled_from([("44", "7700900123"), ("1", "4155550123"), ("353", "861234567")])
    )
    check(data.draw(telephones(code, national)), data.draw(telephones(code, national)), national)


@given(data=st.data())
@examples(40)
def test_a_number_is_hidden_whatever_letters_and_signs_stand_around_it(data: st.DataObject) -> None:
    digits = data.draw(st.sampled_from(["943476", "9434765919", "4929123456784"]))
    check(data.draw(numbered(digits)), data.draw(numbered(digits)), digits)


@given(data=st.data())
@examples(80)
def test_a_day_is_hidden_however_it_is_written(data: st.DataObject) -> None:
    day = data.draw(st.dates(dt.date(1941, 1, 1), dt.date(2023, 12, 31)))
    cell, said = data.draw(days(day)), data.draw(days(day))
    known = numbers.HiddenDays(
        {d for found in numbers.days_of([cell], None).values() for d in found}
    )
    assert known.stand_in(f"see {said}, 2 times"), (cell, said)
    published = made(cell, said, "1931-12-24")
    assert column(published, "note")[1].startswith("see [ID]")
    assert column(published, "text")[1].startswith("at [ID]")


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("+44 7700 900123", "07700 900124"),
        ("7700900123", "900123"),
        ("20230115", "15 January 2023"),  # a number: others of its column are no days
        ("1968-03-14", "14 March"),
        ("1968-03-14", "14 March 1978"),
        ("1968-03-14", "14, 3, 68"),
        ("12 b 104233", "104233"),
    ],
)
def test_another_number_and_another_day_stand(cell: str, said: str) -> None:
    assert said in column(made(cell, said), "note")[1]
    assert said in column(made(cell, said), "text")[1]


def test_a_column_that_the_policy_does_not_name_and_leaves_out_is_hidden_by_value() -> None:
    rows = [["u1x", "14.3.1968", "x"], ["u2x", "2.5.1971", "14 March 1968"]]
    settings = rules({"id": "direct", "text": "text"}, others="remove")
    published = release(csv_bytes(["id", "born", "text"], rows), settings)[1]
    assert column(published, "text") == ["x", "[ID]"]


def test_digits_without_end_take_no_longer_than_they_are() -> None:
    many = " ".join(["7700900123"] * 20_000)
    published = made("07700 900123", many)
    assert "7700" not in column(published, "note")[1]


BORN = {
    "id": "direct",
    "born": {"role": "quasi", "type": "date"},
    "note": "insensitive",
    "text": "text",
}


@pytest.mark.parametrize("end", [".0", "e5", ",1e5"])
def test_a_cell_of_digits_without_end_is_written(end: str) -> None:
    """Python makes no number of more than 4,300 digits: the checker found fault with such a table."""
    assert made("7" * 5_000 + end, "3" * 5_000 + end).text


@given(data=st.data())
@examples(40)
def test_a_day_of_which_a_class_shows_less_stands_in_no_cell_of_its_person(
    data: st.DataObject,
) -> None:
    day = data.draw(st.dates(dt.date(1941, 1, 1), dt.date(2023, 12, 31)))
    said, other = data.draw(days(day)).replace(",", ""), dt.date(1931, 5, 6).isoformat()
    rows = [["u1x", day.isoformat(), f"b. {said}", f"{said}!"], ["u2x", other, "x", f"at {said}."]]
    settings = rules(BORN)
    published = release(csv_bytes(list(BORN), rows), settings)[1]
    assert column(published, "note")[0].startswith("b. [DATE]")
    assert column(published, "text")[0].startswith("[DATE]")
    assert column(published, "text")[1] == f"at {said}."  # another person's
    text = published.data.decode().replace("b. [DATE]", f"b. {said}", 1)
    evidence = table_evidence(text.encode(), settings, None, fitted(published, text.encode()), KEY)
    verdicts = {c.name: c.verdict for c in check_claims(published.certificate.claims, evidence)}
    assert verdicts[HIDDEN_GONE] == "does not hold"


def test_a_day_that_the_class_shows_may_stand() -> None:
    rows = [[f"u{n}x", "1968-03-14", "14 March 1968", "14.3.68"] for n in (1, 2)]
    published = release(csv_bytes(list(BORN), rows), rules(BORN))[1]
    assert column(published, "note") == ["14 March 1968"] * 2
    assert column(published, "text") == ["14.3.68"] * 2


def test_a_day_is_shown_as_its_column_where_the_policy_says_so() -> None:
    columns = BORN | {"born": {"role": "quasi", "type": "date", "kinds": ["DATE"]}}
    rows = [["u1x", "1968-03-14", "x", "on 14 March 1968"], ["u2x", "1968-03-20", "x", "x"]]
    given = [[("DATE", "14 March 1968")], []]
    published = release(csv_bytes(list(columns), rows), rules(columns), given=given)[1]
    assert column(published, "text") == ["on 1968-03", "x"]


def test_a_short_number_is_no_two_numbers_of_its_person() -> None:
    columns = {"id": "direct", "note": "insensitive", "text": "text"}
    rows = [["21", "2/1/2020, bed 21", "2.1 mg"], ["17", "x", "bed １７, ward 1-7"]]
    published = release(csv_bytes(list(columns), rows), rules(columns))[1]
    assert column(published, "note") == ["2/1/2020, bed [ID]", "x"]
    assert column(published, "text") == ["2.1 mg", "bed [ID], ward 1-7"]


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("Jürgen Müßig", "Juergen Muessig"),
        ("Juergen Muessig", "Jürgen Müßig"),
        ("q.achterberg@example.org", "q.achterberg (at) example.org"),
        ("q.achterberg@example.org", "q dot achterberg at example dot org"),
        ("https://www.example.org/u/qachterberg7", "example.org/u/qachterberg7"),
        ("example.org/u/qachterberg7", "http://example.org/u/qachterberg7"),
    ],
)
def test_names_and_addresses_are_hidden_as_people_write_them(cell: str, said: str) -> None:
    published = made(cell, said)
    assert column(published, "note")[1].endswith("[ID], 2 times")
    assert column(published, "text")[1].endswith("[ID].")


@pytest.mark.parametrize(
    "said", ["Achterberg", "Q. Achterberg", "Quentin", "Quentin P. Achterberg"]
)
def test_a_word_of_a_name_is_hidden_in_cells_of_its_person(said: str) -> None:
    columns = {"id": "direct", "name": "direct", "note": "insensitive", "text": "text"}
    rows = [
        ["u1x", "Achterberg, Quentin", f"saw {said}", f"{said} left"],
        ["u2x", "Ito Berg", "x", said],
    ]
    settings = rules(columns)
    published = release(csv_bytes(list(columns), rows), settings)[1]
    for name in ("note", "text"):
        assert not {"Achterberg", "Quentin"} & {*column(published, name)[0].split()}
    if " " not in said:
        assert column(published, "text")[1] == said  # another person's
    text = published.data.decode().replace("saw ", "saw Achterberg ", 1)
    evidence = table_evidence(text.encode(), settings, None, fitted(published, text.encode()), KEY)
    verdicts = {c.name: c.verdict for c in check_claims(published.certificate.claims, evidence)}
    assert verdicts[DIRECT_GONE] == "does not hold"


CODES = {
    "id": "direct",
    "pay": {"role": "quasi", "type": "number"},
    "zip": {"role": "quasi", "type": "string"},
    "note": "insensitive",
    "text": "text",
}


@pytest.mark.parametrize("pay", ["123456", "123,456", "123 456.00", "EUR123456"])
@pytest.mark.parametrize("code", ["SW1A 1AA", "sw1a1aa", "SW1A-1AA"])
def test_a_code_of_which_a_class_shows_less_stands_in_no_cell_of_its_person(
    pay: str, code: str
) -> None:
    rows = [
        ["u1x", "123456", "SW1A 1AA", f"{pay} at {code}", code],
        ["u2x", "123999", "SW1A 2BB", "x", code],
    ]
    settings = rules(CODES)
    published = release(csv_bytes(list(CODES), rows), settings)[1]
    assert column(published, "note")[0].endswith(" at [ID]")
    assert not {"123456", "123,456"} & {*re.split("[ .R]", column(published, "note")[0])}
    assert column(published, "text") == ["[ID]", code]
    for said in (code, "123456"):
        text = published.data.decode().replace(" at [ID]", f" at {said}", 1)
        evidence = table_evidence(
            text.encode(), settings, None, fitted(published, text.encode()), KEY
        )
        verdicts = {c.name: c.verdict for c in check_claims(published.certificate.claims, evidence)}
        assert verdicts[HIDDEN_GONE] == "does not hold"


def test_a_code_that_the_class_shows_may_stand() -> None:
    rows = [[f"u{n}x", "123456", "SW1A 1AA", "123,456", "sw1a1aa"] for n in (1, 2)]
    published = release(csv_bytes(list(CODES), rows), rules(CODES))[1]
    assert column(published, "note") == ["123,456"] * 2
    assert column(published, "text") == ["sw1a1aa"] * 2


@pytest.mark.parametrize(
    ("cell", "form"), [("140325", "%d%m%y"), ("14.3.25", None), ("14/03/25", None)]
)
def test_a_year_in_two_digits_is_of_either_century(cell: str, form: str | None) -> None:
    columns = {"id": "direct", "born": {"role": "direct", "format": form}, "note": "insensitive"}
    columns |= {"q": "quasi"}
    rows = [["u1x", cell, "14 March 1925, 2025-03-14", "a"], ["u2x", cell, "x", "a"]]
    assert (
        column(release(csv_bytes(list(columns), rows), rules(columns))[1], "note")[0]
        == "[ID], [ID]"
    )


@pytest.mark.parametrize("said", ["3/4/1968", "04.03.1968", "12/12/12"])
def test_a_date_in_numbers_is_hidden_by_each_day_that_it_may_be(said: str) -> None:
    """One of them is another person's."""
    born = ["1968-03-04", "1968-04-03", "2012-12-12"]
    rows = [[f"u{n}x", day, said, "x"] for n, day in enumerate(born)]
    notes = column(release(csv_bytes(list(BORN), rows), rules(BORN, k=3))[1], "note")
    assert notes == ([said, said, "[DATE]"] if said == "12/12/12" else ["[DATE]", "[DATE]", said])
