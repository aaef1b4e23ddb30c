"""Acronyms go where the organisations went, and these where their acronyms went."""

from __future__ import annotations

import pytest

from sfumato.document import Edit
from sfumato.facts.acronyms import acronyms_again


def test_a_name_is_found_of_which_words_are_edited() -> None:
    text = "The ECHR, that is the European Court of Human Rights."
    edits = [Edit(4, 8, "ORG", "[ORG]", ""), Edit(22, 36, "TERM", "court", "")]
    assert [text[t.start : t.end] for t in acronyms_again(text, edits)] == [text[22:52]]


def again(text: str, hidden: str) -> list[str]:
    start = text.index(hidden)
    edits = [Edit(start, start + len(hidden), "ORG", "[ORG]", "")]
    return [text[t.start : t.end] for t in acronyms_again(text, edits)]


@pytest.mark.parametrize(
    ("text", "hidden", "found"),
    [
        ("Hillcrest Primary School. HPS is full; the H.P.S. too.", "Hillcrest Primary School", ["HPS", "H.P.S."]),
        ("Acme Widgets Ltd lost; AW appealed, and AWL.", "Acme Widgets Ltd", ["AW", "AWL"]),
        ("Marks & Spalding sold it. M&S, MS and S&M.", "Marks & Spalding", ["M&S"]),
        ("The ECHR is in Strasbourg. The European Court of Human Rights sat.", "ECHR", ["European Court of Human Rights"]),
        ("The Court of ECHR. Our Eastern Council for Health Research met.", "ECHR", ["Eastern Council for Health Research"]),
        ("The United Steel Association met in the USA.", "United Steel Association", []),
        ("Human Rights Watch. HR called, hrw too.", "Human Rights Watch", []),
        ("WHAT A CAT IS\nThe Clinic of Arts and Trades. The CAT closed.", "Clinic of Arts and Trades", ["CAT"]),
        ("Hillcrest Primary School and HPS-12 and XHPS.", "Hillcrest Primary School", []),
        ("Broadland Council (BC). BC pays, ABC not.", "Broadland Council", ["BC", "BC"]),
        ("Beta Corp (BC) paid. BC lost.", "Beta Corp", ["BC", "BC"]),
        ('Penley Clinic ("PC"), the PC of 300 words', "Penley Clinic", ["PC", "PC"]),
        ("Svenska Dagbladet (SvD) is old. SvD pays; SvT not.", "Svenska Dagbladet", ["SvD", "SvD"]),
        ("Broadland Council (UK) pays. The UK not.", "Broadland Council", []),
        ("University of Calgary (U of C) won. U of C is old.", "University of Calgary", ["U of C", "U of C"]),
        ("University of Calgary (U of T) won.", "University of Calgary", []),
        ('Reyes & Sons Paving ("Reyes Paving") won. Reyes Paving lost.', "Reyes & Sons Paving", ["Reyes Paving"] * 2),
        ('Harlow Stone Ltd ("Harlow") won. Harlow lost.', "Harlow Stone Ltd", ["Harlow", "Harlow"]),
        ("Leeds General Hospital (Leeds) is in Leeds.", "Leeds General Hospital", []),
        ('First Bank ("Bank") won. The Bank lost.', "First Bank", []),
    ],
)  # fmt: skip
def test_other_forms_of_a_hidden_organisation(text: str, hidden: str, found: list[str]) -> None:
    assert again(text, hidden) == found


@pytest.mark.parametrize(
    ("text", "hidden", "found"),
    [
        (
            "Colin Frobisher (CF) will write. CF left; cf. the note.",
            "Colin Frobisher",
            ["CF", "CF"],
        ),
        ("Dr Alan Turner (AT) came at noon. AT spoke.\nAT NOON", "Dr Alan Turner", ["AT", "AT"]),
        ('Mary-Jane Kent ("MJK") left. MJK slept.', "Mary-Jane Kent", ["MJK", "MJK"]),
        ("Mary Ann Kent (MK; chair) left.", "Mary Ann Kent", ["MK"]),
        ("Mary Kent (GP) left. The GP slept.", "Mary Kent", []),
    ],
)
def test_initials_go_where_their_persons_went(text: str, hidden: str, found: list[str]) -> None:
    edits = [Edit(start := text.index(hidden), start + len(hidden), "PERSON", "[PERSON]", "")]
    terms = acronyms_again(text, edits)
    assert [text[t.start : t.end] for t in terms] == found
    assert {t.kind for t in terms} <= {"PERSON"}
