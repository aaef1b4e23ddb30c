"""Forms in one line: each field's value is hidden, and every label stays."""

from __future__ import annotations

import re

import pytest

from sfumato import sanitize
from sfumato.detect.fields import without_labels
from sfumato.document import Term


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("Name: Ann Wood Ward: 7B Consultant: Dr Jane Smith DOB: 3/4/1950 Sex: F", "Wood Smith 3/4"),
        ("Patient Name: John Peter Hill Bed: 4 Unit: Stroke Room: 12 Address: 5 High Street, Ely Phone: 01353 "
         "555123 GP: Dr Roy Hospital: Addenbrooke's", "Hill High Ely 555123 Roy Addenbrooke"),
        ("Name: Li Wei Hospital No: A123456 Clinic: Renal", "Li Wei A123456"),
        ("Surname: Wood First name: Ann Date of Birth: 4/5/1950 Unit: Renal", "Wood Ann 4/5"),
        ("Client: Priya Nair Address: 12 Mill Lane, Otley Next of kin: Ravi Nair Tel: 01943 555017",
         "Priya Nair Mill Otley Ravi 555017"),
        ("Name: Tom Unit Ward: Oak Bed: 2 Allergies: none", "Tom"),
    ],
)  # fmt: skip
def test_labels_stay_and_values_go(text: str, gone: str) -> None:
    shown = sanitize(text).text
    labels = re.findall(r"[A-Z][A-Za-z]*(?: [a-z]\w*| No)*:", text)
    assert [label for label in labels if label not in shown] == []
    assert [word for word in gone.split() if re.search(rf"\b{word}\b", shown)] == []


def test_a_consultant_is_no_drive() -> None:
    shown = sanitize("Name John Hill Ward 7B Consultant Dr Jane Smith DOB 3/4/1950").text
    assert "Ward 7B Consultant Dr [PERSON 2] DOB" in shown


def test_what_stands_behind_a_label_stays_hidden() -> None:
    text = "Address: 5 High Street, Ely Ward: Quorvex Bed: 4"
    term = Term(9, text.index(" Bed"), "ADDRESS", 1.0, "")
    parts = [(t.of(text), t.kind) for t in without_labels(text, [term])]
    assert parts == [("5 High Street, Ely", "ADDRESS"), ("Quorvex", "MISC")]


@pytest.mark.parametrize(
    "text",
    ["She was at St Mary's Hospital: a large one.", "Ann Ward: I said so.", "The Renal Unit"],
)
def test_a_sentence_is_no_form(text: str) -> None:
    terms = [Term(0, len(text), "ORG", 1.0, "")]
    assert [*without_labels(text, terms)] == terms
