"""Labels tell who is who within a document, and in records within a record."""

from __future__ import annotations

import json
import re

import pytest

from sfumato import formats, sanitize
from sfumato.document import Document, Edit, Term, render
from sfumato.kinds import label_word
from sfumato.policy import load
from sfumato.protect.labels import numbered

LISTED = {
    "PERSON": ("Ann Lee", "Lee", "Bo Chan", "Priya"),
    "ORG": ("Acme",),
}
HIDE = [{"kind": kind, "terms": list(terms)} for kind, terms in LISTED.items()]
RULES = {"detect": [{"lists": {"hide": HIDE}}]}


def released(data: str, format: str, columns: tuple[str, ...] = ()) -> str:
    read = formats.parse(data.encode(), name=f"x.{format}", format=format, columns=columns)
    return sanitize(read, RULES).data.decode()


def test_numbers_count_persons_in_order_of_appearance() -> None:
    made = sanitize("Bo Chan met Ann Lee at Acme. Lee left, Bo Chan stayed.", RULES).text
    assert made == (
        "[PERSON 1] met [PERSON 2] at [ORGANISATION 1]. [PERSON 2] left, [PERSON 1] stayed."
    )


def test_numbers_count_within_a_row_of_a_table() -> None:
    made = released(
        "note,who\nAnn Lee met Bo Chan,Lee\nBo Chan alone,Bo Chan\n", "csv", ("note", "who")
    )
    assert made == ("note,who\n[PERSON 1] met [PERSON 2],[PERSON 1]\n[PERSON 1] alone,[PERSON 1]\n")


def test_numbers_count_within_a_line_of_json_lines() -> None:
    lines = [{"a": "Ann Lee", "b": ["Bo Chan", "Lee"]}, {"a": "Bo Chan"}]
    made = released("\n".join(map(json.dumps, lines)) + "\n", "jsonl")
    assert [json.loads(line) for line in made.splitlines()] == [
        {"a": "[PERSON 1]", "b": ["[PERSON 2]", "[PERSON 1]"]},
        {"a": "[PERSON 1]"},
    ]


def test_numbers_count_over_the_whole_of_one_json_value() -> None:
    made = released(json.dumps([{"a": "Ann Lee"}, {"a": "Bo Chan"}]), "json")
    assert json.loads(made) == [{"a": "[PERSON 1]"}, {"a": "[PERSON 2]"}]


def test_a_number_in_a_label_of_the_text_itself_is_not_given_again() -> None:
    made = sanitize("[PERSON 1] and [PERSON 3] met Ann Lee and Bo Chan.", RULES).text
    assert made == "[PERSON 1] and [PERSON 3] met [PERSON 2] and [PERSON 4]."


def test_labels_without_numbers_by_setting() -> None:
    plain = {**RULES, "replace": {"*": {"how": "label", "text": "<{kind}>"}}}
    assert sanitize("Bo Chan met Ann Lee.", plain).text == "<PERSON> met <PERSON>."


@pytest.mark.parametrize("kind", ["PERSON", "ORG"])
def test_numbering_again_changes_nothing(kind: str) -> None:
    text = "Priya joined Acme. Priya left. Ann Lee met Lee."
    words = [("Priya", kind), ("Acme", "ORG"), ("Priya", "PERSON"), ("Ann Lee", "PERSON")]
    edits, at = [], 0
    for said, of in words:
        at = text.index(said, at)
        edits.append(Edit(at, at + len(said), of, f"[{of}]".replace("ORG", "ORGANISATION"), ""))
        at += len(said)
    rules = load("default")
    once = numbered(edits, Document(text), rules)
    assert numbered(once, Document(text), rules) == once
    assert [e.replacement for e in once][0::2] == ["[PERSON 1]", "[PERSON 1]"]


def test_only_labels_are_numbered() -> None:
    text = Document("Ann met Bo")
    edits = [Edit(0, 3, "PERSON", "Eve", "", "surrogate"), Edit(8, 10, "PERSON", "", "", "label")]
    assert numbered(edits, text, load("default")) == edits


def test_numbers_are_dense() -> None:
    names = " and ".join(f"Dr. Amina Yusuf{chr(97 + i)}" for i in range(12))
    made = sanitize(f"We saw {names}.", "default").text
    numbers = [int(n) for n in re.findall(r"\[PERSON (\d+)\]", made)]
    assert set(numbers) == set(range(1, max(numbers) + 1))


@pytest.mark.parametrize(
    ("guessed", "made"),
    [((True, True), "[NAME 1] rang. [NAME 1] left."), ((True, False), "[PERSON 1] rang. [PERSON 1] left."),
     ((False, False), "[PERSON 1] rang. [PERSON 1] left.")],
)  # fmt: skip
def test_a_kind_that_is_a_guess_wherever_it_is_told_is_not_said(
    guessed: tuple[bool, bool], made: str
) -> None:
    document = Document("Quorvex rang. Quorvex left.")
    spans = ((0, 7), (14, 21))
    found = [
        Term(a, b, "PERSON", 0.6, "", is_guess=g) for (a, b), g in zip(spans, guessed, strict=True)
    ]
    edits = [Edit(a, b, "PERSON", "[PERSON]", "") for a, b in spans]
    once = numbered(edits, document, load("default"), found)
    assert render(document, once) == made
    assert numbered(once, document, load("default"), found) == once


def test_names_of_all_kinds_are_numbered_together() -> None:
    document = Document("Quorvex met Zelby in Ulmar Ltd")
    spans = ((0, 7, "PERSON"), (12, 17, "LOC"), (21, 30, "ORG"))
    found = [Term(a, b, kind, 0.6, "", is_guess=True) for a, b, kind in spans]
    edits = [Edit(a, b, kind, f"[{label_word(kind)}]", "") for a, b, kind in spans]
    made = render(document, numbered(edits, document, load("default"), found))
    assert made == "[NAME 1] met [NAME 2] in [COMPANY 1]"
