"""The letters of transcripts and of lists are nobody's initials."""

from __future__ import annotations

import pytest

from sfumato import sanitize
from sfumato.english.markers import markers


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("Q. Your name?\nA. Helen Keller.\nQ. Ms. Keller?\nA. Yes.", "Q.A.Q.A."),
        ("Q.  Were you ill?  A.  No.  Q.  And Mrs. A. Lee?  A.  She was.", "Q.A.Q.A."),
        ("Deposition of Ms Lee. Q. State your name. A. Ann Lee.", "Q.A."),
        ("Q\tYour name?\nA\tKeller.", "QA"),
        ("Present:\nA. Helen Keller\nB. Tom Young\nC. Omar Fox", "A.B.C."),
        ("A) Ann Lee\nB) Tom Young", "A)B)"),
        ("I. Peter Fox\nII. Omar Stone\nIII. Ann Lee", "I.II.III."),
        ("A. Keller\nB. Young\nC. Fox", ""),
        ("A. Keller came. Q. Fox left.", ""),
        ("Mr. Q. Fox and Prof. A. Lee came.", ""),
        ("H. Keller and A. Young", ""),
    ],
)
def test_turns_and_items_are_marked_and_initials_are_not(text: str, marked: str) -> None:
    assert "".join(text[a:b].strip() for a, b in markers(text).items()) == marked


@pytest.mark.parametrize("line", ["\n", " "])
@pytest.mark.parametrize("policy", ["default", "hipaa-safe-harbor"])
def test_a_witness_is_one_person_and_the_cousin_another(line: str, policy: str) -> None:
    said = (
        "Q. Please state your name.", "A. Helen Keller.", "Q. Ms. Keller, where were you?", "A. With Anna.",
        "Q. Is Anna Keller your cousin?", "A. Yes. A. Keller is.",
    )  # fmt: skip
    assert sanitize(line.join(said), policy).text == line.join(
        (
            "Q. Please state your name.", "A. [PERSON 1].", "Q. Ms. [PERSON 1], where were you?", "A. With [PERSON 2].",
            "Q. Is [PERSON 2] your cousin?", "A. Yes. [PERSON 2] is.",
        )
    )  # fmt: skip


def test_the_letters_of_a_list_stand() -> None:
    text = "Present:\nA. Helen Keller\nB. Tom Young\n\nHelen Keller spoke. Alice Keller was absent."
    assert sanitize(text, "default").text == (
        "Present:\nA. [PERSON 1]\nB. [PERSON 2]\n\n[PERSON 1] spoke. [PERSON 3] was absent."
    )
