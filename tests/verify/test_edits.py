from __future__ import annotations

import pytest

from sfumato import sanitize
from sfumato.document import GENERALISE, Edit, Origin, Record
from sfumato.verify.edits import originals_gone


def record(*edits: tuple[int, str, str]) -> Record:
    made = [Edit(start, start + len(old), "PERSON", new, "") for start, old, new in edits]
    return Record("x", Origin(), tuple(made), tuple(old for _, old, _ in edits))


@pytest.mark.parametrize(
    ("text", "edits", "verdict"),
    [
        ("X and Keller", [(0, "Keller", "X")], "does not hold"),
        ("X and KEL-LER", [(0, "Keller", "X")], "does not hold"),
        ("X and Kellers", [(0, "Keller", "X")], "does not hold"),
        ("X as akeller99", [(0, "Ann Keller", "X")], "does not hold"),
        ("X as KellerFan", [(0, "Ann Keller", "X")], "does not hold"),
        ("X was annoyed", [(0, "Ann Keller", "X")], "holds"),
        ("X liked brownish kingdoms", [(0, "King Brown", "X")], "holds"),
        ("X in May", [(0, "May", "X")], "holds"),
        ("X came, and we asked Green today", [(0, "Ivy Green", "X")], "does not hold"),
        ("X came, and we asked Green.", [(0, "Ivy Green", "X")], "does not hold"),
        ("X came to the green door", [(0, "Ivy Green", "X")], "holds"),
        ("X of the Green Party", [(0, "Ivy Green", "X")], "holds"),
        ("X in Royal Green hotels", [(0, "Ivy Green", "X")], "holds"),
        ("X sells a baker's dozen", [(0, "Tom Baker", "X")], "holds"),
        ("X sells a BAKER'S dozen", [(0, "Tom Baker", "X")], "does not hold"),
        ("X at baker@example.org", [(0, "Tom Baker", "X")], "does not hold"),
        ("X or baker", [(0, "tom baker", "X")], "does not hold"),
        ("X is no maria", [(0, "Maria", "X")], "does not hold"),
        ("old Keller", [(0, "Keller", "old Keller")], "does not hold"),
        ("Braun, Y", [(0, "Keller", "Braun"), (8, "Braun", "Y")], "holds"),
        ("X ☎", [(0, "☎", "X")], "does not hold"),
        ("X in 1943", [(0, "1/9/43", "X")], "holds"),  # a year, which tells no day
        ("1943", [(0, "1/9/43", "1943")], "holds"),
        ("X on 1-9-43", [(0, "1/9/43", "X")], "does not hold"),
        ("1.9.43", [(0, "1/9/43", "1.9.43")], "does not hold"),
        ("X or Y, 1943", [(0, "1/9/43", "X"), (10, "1943", "Y")], "does not hold"),
    ],
)
def test_originals_are_gone_or_it_is_said(
    text: str, edits: list[tuple[int, str, str]], verdict: str
) -> None:
    assert originals_gone(text, record(*edits)).verdict == verdict


@pytest.mark.parametrize(
    ("shown", "verdict"),
    [
        ("20,000–20,049 Ghanaian cedis", "does not hold"),
        ("20,000–20,049 cedis", "does not hold"),
        ("GHS 20,000–20,049", "does not hold"),
        ("20,000–20,049 dollars", "holds"),
        ("20,000–20,049 Swiss francs", "holds"),
    ],
)
def test_a_unit_tells_no_hidden_land(shown: str, verdict: str) -> None:
    made = (
        Edit(8, 13, "LOC", "Africa", "", GENERALISE),
        Edit(19, 40, "QUANTITY", shown, "", GENERALISE),
    )
    edits = Record("x", Origin(), made, ("Ghana", "20,011 Ghanaian cedis"))
    assert originals_gone(f"He left Africa with {shown}.", edits).verdict == verdict


def generalised(*edits: tuple[int, str, str]) -> Record:
    made = [Edit(at, at + len(old), "LOC", new, "", GENERALISE) for at, old, new in edits]
    return Record("x", Origin(), tuple(made), tuple(old for _, old, _ in edits))


@pytest.mark.parametrize(
    ("first", "second", "verdict"),
    [
        (("Estonia", "Europe"), ("Tartu", "Estonia"), "does not hold"),
        (("Estonia", "Europe"), ("Tartu", "a town in Estonia"), "does not hold"),
        (("Estonia", "Europe"), ("Tartu", "Europe"), "holds"),
        (("doctor", "expert"), ("surgeon", "doctor"), "does not hold"),  # however ordinary
        (("doctors", "experts"), ("surgeon", "a doctor"), "does not hold"),
        (("doctor", "expert"), ("surgeons", "Doctors"), "does not hold"),
        (("man", "adult"), ("woman", "an adult"), "holds"),
        (("1985", "1980s"), ("14 May 1985", "May 1985"), "does not hold"),
        (("1985", "1980s"), ("1987", "1985–1989"), "holds"),  # a range may begin with it
    ],
)
def test_no_general_word_says_what_another_edit_hides(
    first: tuple[str, str], second: tuple[str, str], verdict: str
) -> None:
    text = f"{first[1]}, {second[1]}"
    made = generalised((0, *first), (len(first[0]) + 2, *second))
    assert originals_gone(text, made).verdict == verdict


def test_what_the_policy_keeps_may_stand() -> None:
    made = record((0, "Mary", "X"))
    assert originals_gone("X of St Mary", made).failed
    assert not originals_gone("X of St Mary", made, [(5, 12)]).failed


def test_an_ordinary_word_that_stands_elsewhere_is_reported() -> None:
    check = originals_gone("X came\nin May", record((0, "May", "X")))
    assert check.detail.endswith("2:4")


@pytest.mark.parametrize("profile", ["default", "clinical", "hipaa-safe-harbor", "gdpr"])
@pytest.mark.parametrize("day", ["1/9/98", "1-9-98", "2/0/01", "9/1/98"])
def test_a_year_is_no_original_though_a_date_has_its_digits(day: str, profile: str) -> None:
    year = ("19" if day[-2:] == "98" else "20") + day[-2:]
    said = f"Surgery on {day}, again in {year}."
    assert sanitize(said, profile).text == f"Surgery in {year}, again in {year}."


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("tuber-culosis", "does not hold"),
        ("tuber-\nculosis", "does not hold"),
        ("TUBER CULOSIS", "does not hold"),
        ("tuber\u2010\n culosis", "does not hold"),
        ("tuber<b>culosis</b>", "does not hold"),
        ("<i>tuber</i>culosis", "does not hold"),
        ("<p>x tuber-<br>culosis", "does not hold"),
        ("<td>tuber</td><td>culosis</td>", "holds"),
        ("dia-betes and tuber", "holds"),
        ("tuberculosis", "holds"),
    ],
)
def test_a_hidden_ordinary_word_stands_where_it_is_parted(said: str, verdict: str) -> None:
    assert originals_gone(f"X and {said}", record((0, "tuberculosis", "X"))).verdict == verdict
