"""What is done to a table is edits of its text: each has a reason, and all of them together make the release."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sfumato import formats, policy
from sfumato.document import Document, Edit, Release, changes, render, restored, unrender
from sfumato.formats.clean import Cleaned
from sfumato.protect.tables.edits import composed
from sfumato.release.ledger import Ledger
from tests.protect.tables.tables import KEY, column, csv_bytes, release, rules

AGE = {"role": "quasi", "type": "number", "kinds": ["AGE"]}
COLUMNS: dict[str, Any] = {"id": "direct", "name": "direct", "age": AGE, "text": "text"}
ROWS = [
    ["u1", "Unterberg", "36", "from Zwolle, 36 years old"],
    ["u2", "Oberdorf", "24", "Oberdorf is from Delft"],
    ["u3", "Mitterer", "", "from Delft"],
]


def made(*rows: list[str], **settings: Any) -> Release:
    terms = {"LOC": ["Zwolle", "Delft"], "AGE": ["36 years old"]}
    rules_ = rules(COLUMNS, lists=terms, generalise=False, **settings)
    return release(csv_bytes(list(COLUMNS), list(rows)), rules_)[1]


def told(released: Release) -> list[tuple[str, str, str, str]]:
    """Original, replacement, how and reason of each edit."""
    pairs = zip(released.edits, released.record.originals, strict=True)
    return [(original, e.replacement, e.how, e.reason) for e, original in pairs]


def test_every_edit_says_what_was_done_and_why() -> None:
    said = told(made(*ROWS[:2]))
    same = "the 2 persons of class 1"
    assert ("u1", "P1", "pseudonym", "a number in place of what names the person") in said
    assert ("Unterberg\n", "", "drop", "left out, as the column names persons") in said
    assert ("36", "[24-36]", "recode", f"made the same for {same}") in said
    assert (
        "36 years old",
        "[24-36] years old",
        "column",
        f"age; shown as 'age' is for {same}",
    ) in said
    reasons = {(o, new, how): why for o, new, how, why in said}
    assert "not all 2 persons of class 1 say it" in reasons["Zwolle", "[PLACE]", "label"]
    assert "names a person of the table" in reasons["Oberdorf", "[ID]", "direct"]


def test_rows_that_are_left_out_are_edits_too() -> None:
    released = made(*ROWS, empty="drop")
    said = told(released)
    assert ("u3\nMitterer\n\nfrom Delft\n", "", "drop", said[-1][3]) == said[-1]
    assert "row left out" in said[-1][3]
    assert column(released, "id") == ["P1", "P2"]


def test_an_empty_cell_is_filled() -> None:
    released = made(*ROWS, empty="keep-empty", k=3)
    assert column(released, "age") == ["*"] * 3
    assert ("\n", "*\n", "recode", "made the same for the 3 persons of class 1") in told(released)


def test_the_edits_are_the_release() -> None:
    data = csv_bytes(list(COLUMNS), ROWS[:2])
    released = made(*ROWS[:2])
    document = formats.parse(data, name="t.csv", format="table/csv")
    assert render(document, released.edits) == released.text
    assert unrender(released.text, released.record) == document.text
    assert restored(released.data, released.record) == data
    assert formats.write(document, tuple(released.edits)) == released.data


def test_cleaning_is_edits_with_a_reason() -> None:
    rows = [
        ["u1", "A", "36", "<p>from  <b>Zwol</b>le &amp; on</p>"],
        ["u2", "B", "24", "from Delft"],
    ]
    released = made(*rows, clean=["html", "spaces"])
    assert column(released, "text") == ["from [PLACE] & on", "from [PLACE]"]
    said = told(released)
    assert ("Zwol</b>le", "[PLACE]", "label") in {s[:3] for s in said}
    assert ("&amp;", "&", "clean", "taken out of texts first: html, spaces") in said


def test_the_ledger_gives_back_the_same_edits() -> None:
    released = made(*ROWS, empty="drop")
    settings = policy.load("default")
    with Ledger(KEY) as ledger:
        ledger.put(released, settings)
        found = ledger.find_one(released.data).record
    assert list(found.edits) == list(released.edits)
    assert found.edits == released.edits
    assert list(found.originals) == list(released.record.originals)
    assert found == released.record
    columns = zip(*changes(found.edits), strict=True)
    assert list(columns) == [(e.start, e.end, e.replacement) for e in released.edits]


PIECES = (
    "<b>",
    "</b>",
    "&amp;",
    "&nbsp;",
    "&NotEqualTilde;",
    " ",
    "  ",
    "Ann",
    "é",
    "\x00",
    "<!--c-->",
)


@given(st.lists(st.sampled_from(PIECES), max_size=9).map("".join), st.data())
def test_changes_of_a_cleaned_text_are_changes_of_the_original(
    text: str, data: st.DataObject
) -> None:
    cleaned = Cleaned(text, ("html", "control", "spaces"))
    most = len(cleaned.text)
    cuts = data.draw(st.sets(st.integers(0, most), max_size=6).map(sorted))
    terms = [(a, b, "[X]", i) for i, (a, b) in enumerate(zip(cuts[::2], cuts[1::2], strict=False))]
    wanted = cleaned.text
    for start, end, new, _ in reversed(terms):
        wanted = wanted[:start] + new + wanted[end:]
    found = composed(cleaned, terms)
    edits = [Edit(start, end, "X", new, "why") for start, end, new, _ in found]
    assert render(Document(text), edits) == wanted
