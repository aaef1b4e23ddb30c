"""A name is hidden however programs write the signs of a cell, and the checker sees the same by itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.english.folding import skeleton
from sfumato.protect.tables.readings import readings
from sfumato.protect.tables.wordindex import WordIndex
from sfumato.verify.words import PersonNames, Words
from tests.protect.tables.tables import column
from tests.protect.tables.test_nothing_slips import table

SPACES = "%20 %2520 %252520 =20 =3D20 + _ %2C %09 \\n \\t \\r\\n \\\\n \\u0020 \\u00a0 \\x20 \\040 &nbsp; &nbsp &#32; &#x20;"
SPACES += " &amp;nbsp; &amp;#32; %26nbsp%3B &#37;20 _x0020_ %u0020 \\u{20} <br> <br/> \\'20 %C2%A0 =C2=A0 \u200b"
COLUMNS = {"name": "direct", "note": "insensitive", "text": "text"}


@pytest.mark.parametrize("space", SPACES.split())
def test_a_name_goes_from_behind_a_code(space: str) -> None:
    said = f"/x/Quentin{space}Achterberg.pdf"
    alone = f"q{space}Achterberg"
    published = table(COLUMNS, ["Quentin Achterberg", said, alone], ["Ito Berg", said, "x"])
    assert column(published, "note") == ["/x/[ID].pdf", "/x/[ID].pdf"]
    assert column(published, "text") == [f"q{space}[ID]", "x"] or space == "\u200b"
    assert Words({"quentinachterberg"}).stand_in(said)
    assert PersonNames({"achterberg"}).stand_in(alone)


@pytest.mark.parametrize(
    "said",
    [
        *("Achterb%65rg", "Achterb%2565rg", "Achterb=65rg", "&#65;chterberg", "\\u0041chterberg"),
        *(
            "Acht\u200berberg",
            "Acht\u00aderberg",
            "Acht<b>er</b>berg",
            "Acht.erberg",
            "Acht_erberg",
        ),
        *(
            "Achterbergs",
            "qachterberg",
            "achterbergq",
            "MrAchterberg",
            "drachterberg",
            "Achterberg2",
        ),
        *("QACHTERBERG1988", "teamachterberg", "QuentinAchterberg", "x3Achterberg", "Achterberg²³"),
        *(
            "MrAcht\u200berberg",
            "Achterb%65rgs",
            "a=Achterberg",
            "c:\\Achterberg",
            "\\\\Achterbergs",
        ),
    ],
)
def test_a_name_goes_in_pieces_in_codes_and_in_longer_words(said: str) -> None:
    published = table(COLUMNS, ["Quentin Achterberg", said, f"({said})"], ["Ito Berg", "x", "x"])
    for name in ("note", "text"):
        shown = "".join(column(published, name)).lower()
        assert "[id]" in shown
        assert "erberg" not in shown
    assert PersonNames({"quentin", "achterberg"}).stand_in(said)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Rosa Lane", "planes on lanes"),
        ("Diana Kowalczyk", "Indiana"),
        ("Ann Bergen", "Bergenser"),
        ("Martin Achterberg", "Martinique"),
        ("Tess Kerr", "kerrying"),
        ("Ann Brown", "Brownsville"),
    ],
)
def test_other_words_with_a_name_in_them_stand(name: str, said: str) -> None:
    published = table(COLUMNS, [name, said, said], ["Ito Berg", "x", "x"])
    assert column(published, "note") == column(published, "text") == [said, "x"]


def test_a_number_and_a_day_go_from_among_codes() -> None:
    columns = {"id": "direct", "born": "direct", "note": "insensitive", "text": "text"}
    said = "943%20476%205919 14%20March%201968"
    published = table(
        columns, ["9434765919", "1968-03-14", said, "x"], ["7", "1990-01-01", "x", "x"]
    )
    assert column(published, "note") == ["[ID] [ID]", "x"]


CODES = "zed qua Z ed élan %7A %C3%A9 %E9 =20 = % 25 3D \\n \\ &amp; &nbsp &#122; #32; \\u0065 _x007a_ <b> <"
PIECES = st.lists(st.sampled_from([*CODES.split(), " ", "\u200b"]), max_size=8).map("".join)


@given(st.lists(PIECES, max_size=3))
def test_what_is_found_says_the_term_in_some_reading(texts: list[str]) -> None:
    index, known = WordIndex(), {"zed", "zedqua", "elan"}
    assert all(index.add(each, 1) for each in sorted(known))
    found = [*index.scan(texts)]
    for row, start, end, term in found:
        said = {skeleton(each.text) for each in readings(texts[row][start:end])}
        assert index.terms[term] in said
    for row, text in enumerate(texts):
        assert Words(known).stand_in(text) == any(hit[0] == row for hit in found)


def test_reading_takes_time_in_proportion_to_the_cell() -> None:
    for piece in ("\\", "%25", "&amp;", "=3D", "<b", "_x", "&a", "\\u00", "%"):
        assert max(len(each.text) for each in readings(piece * 50_000)) <= 50_000 * len(piece)
