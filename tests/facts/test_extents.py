"""All words of a name are one mention."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sfumato import sanitize
from sfumato.document import Document, Term
from sfumato.facts.extents import whole_names


@pytest.mark.parametrize(
    ("text", "persons"),
    [
        ("Drax, William came", ["Drax, William"]),
        ("Drax,William came", ["Drax,William"]),
        ("Anna, William and Tom came", ["Anna", "William", "Tom"]),
        ("Drax, William and Tom came", ["Drax", "William", "Tom"]),
        ("Drax; William came", ["Drax", "William"]),
        ("Drax, William and Drax, Anna came", ["Drax, William", "Drax, Anna"]),
        ("Next patient Drax, Tom. Anna left", ["Drax, Tom", "Anna"]),
        ("Drax, W. came with William Drax", ["Drax, W.", "William Drax"]),
        ("Drax, T. came with William Drax", ["Drax, T.", "William Drax"]),
        ("Drax, Hugo; Drax, Anna; Drax", ["Drax, Hugo", "Drax, Anna", "Drax"]),
        ("According to Drax, William left", ["Drax", "William"]),
        ("According to the file, Drax, William left", ["Drax, William"]),
    ],
)
def test_a_family_name_and_the_given_name_behind_its_comma_are_one_name(
    text: str, persons: list[str]
) -> None:
    found = [
        Term(m.start(), m.end(), "PERSON", 1.0, "")
        for m in re.finditer("William Drax|Drax|William|Anna|Hugo|Tom", text)
    ]
    assert [t.of(text) for t in whole_names(Document(text), found)] == persons


def test_initials_behind_commas_belong_to_the_names_before_them() -> None:
    text = "Drax, W., Stone, J. and Gray, P. wrote. William Drax and June Stone spoke."
    found = re.finditer(r"William Drax|June Stone|Drax|Stone|Gray|\b[WJP]\b", text)
    terms = whole_names(Document(text), [Term(*m.span(), "PERSON", 1.0, "") for m in found])
    assert [t.of(text) for t in terms[:4]] == ["Drax, W", "Stone, J.", "Gray, P.", "William Drax"]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Present: G Marsh, S Marsh", ["G Marsh", "S Marsh"]),
        ("A Marsh; Ms J K Marsh\nT Marsh", ["A Marsh", "J K Marsh", "T Marsh"]),
        ("1. MARSH, G.\n2. MARSH, S.\nMarsh left", ["MARSH, G", "MARSH, S", "Marsh"]),
        ("Marsh G, Marsh S and Marsh-Marsh, T", ["Marsh G", "Marsh S", "Marsh-Marsh, T"]),
        ("Marsh S rang (Marsh, A. too)", ["Marsh S", "Marsh, A."]),
        ("Re: Marsh, S (chair). Marsh R. Marsh S rang", ["Marsh, S", "Marsh R", "Marsh S"]),
        ("Marsh, J.B. left, Marsh, G. K. too", ["Marsh, J.B.", "Marsh, G. K."]),
        ("A Marsh rang. Ward B Marsh slept", ["Marsh", "Marsh"]),
        ("Marsh V Marsh, Marsh, I think, I told Marsh I left", ["Marsh"] * 4),
        ("Marsh, A. Marsh and Marsh X-rays", ["Marsh", "A. Marsh", "Marsh"]),
    ],
)
def test_initials_without_dots_belong_to_the_name_beside_them(text: str, whole: list[str]) -> None:
    found = re.finditer(r"Marsh-Marsh|Marsh R. Marsh(?: S)?|Marsh|MARSH|(?<=, )(?:G. K.|G)", text)
    terms = whole_names(Document(text), [Term(*m.span(), "PERSON", 1.0, "") for m in found])
    assert [t.of(text) for t in terms] == whole


@pytest.mark.parametrize(
    ("text", "kinds", "whole"),
    [
        ("|JPMorgan| |Chase & Co.| paid", ("PERSON", "ORG"), ["JPMorgan Chase & Co."]),
        ("|Hale| & |Marsh LLP| paid", ("PERSON", "ORG"), ["Hale & Marsh LLP"]),
        ("|Hale| |Marsh| paid", ("PERSON", "ORG"), ["Hale", "Marsh"]),
        (
            "|Hale & Sons Ltd| paid. |Hale| & |Sons| left",
            ("ORG", "MISC", "ORG"),
            ["Hale & Sons Ltd", "Hale & Sons"],
        ),
    ],
)
def test_a_name_before_a_firm_is_the_firms(
    text: str, kinds: tuple[str, ...], whole: list[str]
) -> None:
    parts = text.split("|")
    ends = [sum(map(len, parts[: at + 1])) for at in range(len(parts))]
    spans = [(ends[at - 1], ends[at]) for at in range(1, len(parts), 2)]
    terms = [Term(a, b, kind, 1.0, "") for (a, b), kind in zip(spans, kinds, strict=True)]
    made = "".join(parts)
    assert [t.of(made) for t in whole_names(Document(made), terms)] == whole


def test_a_name_behind_which_the_given_one_stands_is_no_place() -> None:
    text = "Pat O'Connor rang. According to the file, O'Connor, Pat was ill; so was O'Connor, Tim."
    found = re.finditer("Pat O'Connor|O'Connor|Pat|Tim", text)
    kinds = ("PERSON", "LOC", "PERSON", "PERSON", "PERSON")
    terms = [Term(*m.span(), kind, 1.0, "") for m, kind in zip(found, kinds, strict=True)]
    made = [(t.of(text), t.kind) for t in whole_names(Document(text), terms)]
    assert made == [(n, "PERSON") for n in ("Pat O'Connor", "O'Connor, Pat", "O'Connor, Tim")]


@pytest.mark.parametrize(
    ("text", "found", "whole"),
    [
        ("Seen by K. Marsh today", "Marsh", "K. Marsh"),
        ("Seen by K.-L. Marsh today", "Marsh", "K.-L. Marsh"),
        ("Seen by J. R. R. Marsh today", "Marsh", "J. R. R. Marsh"),
        ("He ended with U.K. Marsh left", "Marsh", "U.K. Marsh"),
        ("MARSH LILY A\nNote", "MARSH LILY", "MARSH LILY A"),
        ("Paul Marsh Jr. came", "Paul Marsh", "Paul Marsh Jr."),
        ("Paul Marsh, Sr., came", "Paul Marsh", "Paul Marsh, Sr."),
        ("Paul Marsh sr., is", "Paul Marsh", "Paul Marsh sr."),
        ("Paul Marsh jnr left", "Paul Marsh", "Paul Marsh jnr"),
        ("It was Paul Marsh Jr. He left", "Paul Marsh", "Paul Marsh Jr"),
        ("Paul Marsh III left", "Paul Marsh", "Paul Marsh III"),
        ("It was Paul Marsh senior, then", "Paul Marsh", "Paul Marsh senior"),
        ("It was Paul Marsh senior lecturer", "Paul Marsh", "Paul Marsh"),
        ("Nguyen Van An came", "Nguyen Van", "Nguyen Van An"),
        ("Nguyen Van came. Ann left", "Nguyen Van", "Nguyen Van"),
        ("It was Paul Marsh. In May", "Paul Marsh", "Paul Marsh"),
        ("OK. Marsh left", "Marsh", "Marsh"),
    ],
)
def test_initials_and_suffixes_belong_to_the_name(text: str, found: str, whole: str) -> None:
    at = text.index(found)
    (term,) = whole_names(Document(text), [Term(at, at + len(found), "PERSON", 1.0, "")])
    assert term.of(text) == whole


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Stone, June, RN, signed", ["Stone, June"]),
        ("Stone, Gray, and Woods left", ["Stone", "Gray", "Woods"]),
        ("Stone, June signed. June Stone left.", ["Stone, June", "June Stone"]),
    ],
)
def test_a_name_that_is_an_ordinary_word_is_told_by_what_follows(
    text: str, whole: list[str]
) -> None:
    found = [m.span() for m in re.finditer("June Stone|Stone|June|Gray|Woods", text)]
    terms = [Term(a, b, "PERSON", 1.0, "") for a, b in found]
    assert [t.of(text) for t in whole_names(Document(text), terms)] == whole


@pytest.mark.parametrize(
    ("text", "place", "whole"),
    [
        ("in Mexico City now", "Mexico", "Mexico City"),
        ("in Salt Lake City now", "Salt Lake", "Salt Lake City"),
        ("in Washington, D.C. now", "Washington, D.C", "Washington, D.C."),
        ("in Paris Hilton met", "Paris", "Paris"),
    ],
)
def test_a_place_has_all_of_its_name(text: str, place: str, whole: str) -> None:
    (term,) = whole_names(Document(text), [Term(3, 3 + len(place), "LOC", 1.0, "")])
    assert term.of(text) == whole


@pytest.mark.parametrize("kinds", [("PERSON",), ("PERSON", "LOC"), ("LOC", "LOC")])
def test_a_city_named_after_a_person_is_a_place(kinds: tuple[str, ...]) -> None:
    text = "in Ho Chi Minh City now"
    spans = [(3, 14), (15, 19)]
    found = [Term(a, b, kind, 1.0, "") for (a, b), kind in zip(spans, kinds, strict=False)]
    (term,) = whole_names(Document(text), found)
    assert (term.of(text), term.kind) == ("Ho Chi Minh City", "LOC")


def test_no_initial_stands_before_a_label() -> None:
    text = "The form was signed by A. Brown, and H. Price took it. Then P. Young left with R. Marsh Jr. at last."
    shown = sanitize(text).text
    assert not re.search(r"\b[A-Z]\. ?\[|\] ?Jr", shown), shown


@pytest.mark.parametrize(
    ("text", "found", "names"),
    [
        ('Daniel "Danno" McAllister left.', ["Daniel", "Danno", "McAllister"], ['Daniel "Danno" McAllister']),
        ('Daniel "Danno" Bishop left.', ["Daniel", "Danno"], ['Daniel "Danno" Bishop']),
        ('Daniel’s "Danno" Bishop left.', ["Daniel’s", "Danno"], ["Daniel’s", "Danno"]),
        ("Daniel (Danno) McAllister left.", ["Daniel", "McAllister"], ["Daniel (Danno) McAllister"]),
        ("Yours,\nMiss H. Young\nSeun won.", ["Miss H. Young\nSeun"], ["Miss H. Young", "Seun"]),
        ("A letter that was written in the month of May by Anna\nKeller.", ["Anna\nKeller"], ["Anna\nKeller"]),
        ("Revd Wright and Captain Kirk.", ["Revd", "Wright", "Captain", "Kirk"], ["Revd Wright", "Captain Kirk"]),
        ("Maj. Gen. Alan Poe, D.I. Frost.", ["Maj", "Gen. Alan Poe", "D.I", "Frost"],
         ["Maj. Gen. Alan Poe", "D.I. Frost"]),
        ("Dr Hans Maier; MAIER, Hans", ["Dr Hans Maier", "MAIER", "Hans"], ["Dr Hans Maier", "MAIER, Hans"]),
        ("Peter Parker Senior left.", ["Peter Parker"], ["Peter Parker Senior"]),
        ("A son, Peter Parker, Jr. Later on.", ["Peter Parker", "Jr"], ["Peter Parker, Jr"]),
        ("Viktor George Osei left.", ["Viktor", "George Osei"], ["Viktor George Osei"]),
        ("Susan Keller Osei left.", ["Susan Keller", "Osei"], ["Susan Keller Osei"]),
        ("Thank Osei Anna will call.", ["Osei", "Anna"], ["Osei", "Anna"]),
        ('"Anna" "Tom" came.', ["Anna", "Tom"], ["Anna", "Tom"]),
    ],
)  # fmt: skip
def test_nicknames_stand_in_names_and_lines_end_them(
    text: str, found: list[str], names: list[str]
) -> None:
    spans = [(text.rindex(name), text.rindex(name) + len(name)) for name in found]
    terms = whole_names(Document(text), [Term(a, b, "PERSON", 1.0, "") for a, b in spans])
    assert [term.of(text) for term in terms] == names


@pytest.mark.parametrize(
    ("text", "found", "names"),
    [
        ("ACME WIDGETS LTD. paid.", ["ACME", "WIDGETS LTD"], ["ACME WIDGETS LTD."]),
        ("Acme Widgets, Inc. paid.", ["Acme Widgets"], ["Acme Widgets, Inc."]),
        ("We sued Acme Ltd. They paid.", ["Acme"], ["Acme Ltd"]),
        ("Acme limited its losses.", ["Acme"], ["Acme"]),
    ],
)
def test_organisations_have_their_legal_form(text: str, found: list[str], names: list[str]) -> None:
    spans = [(text.index(name), text.index(name) + len(name)) for name in found]
    terms = whole_names(Document(text), [Term(a, b, "ORG", 1.0, "") for a, b in spans])
    assert [term.of(text) for term in terms] == names


@pytest.mark.parametrize(
    ("marked", "whole"),
    [
        ("{Rao Babu Chinta} came. RB {Chinta} left.", ["Rao Babu Chinta", "RB Chinta"]),
        ("{Rao Babu Chinta} came. {RB} {Chinta} left.", ["Rao Babu Chinta", "RB Chinta"]),
        ("{R. B. Chinta} came. RB {Chinta} left.", ["R. B. Chinta", "RB Chinta"]),
        ("{Rao Chinta} came. BBC {Chinta} left.", ["Rao Chinta", "Chinta"]),
        ("{Bob Chinta} ({Robert}) left.", ["Bob Chinta", "Robert"]),
        ("{Rao Chinta} ({R. Chinta}), {Ann Lee}", ["Rao Chinta", "R. Chinta", "Ann Lee"]),
        ("{Robert} ({Bob}) {Chinta} left.", ["Robert (Bob) Chinta"]),
        ("Pt {Hart}, {Maria Guadalupe} 67yo", ["Hart, Maria Guadalupe"]),
        ("Name: {Hart}, {Maria Guadalupe}", ["Hart, Maria Guadalupe"]),
        ("He met {Hart}, {Maria Guadalupe} said", ["Hart", "Maria Guadalupe"]),
        ("{Robert} ({Bob) Chinta} left.", ["Robert (Bob) Chinta"]),
    ],
)
def test_joined_initials_belong_to_the_name_and_what_ends_in_brackets_not(
    marked: str, whole: list[str]
) -> None:
    text, terms = "", []
    for at, part in enumerate(re.split("[{}]", marked)):
        terms += [Term(len(text), len(text) + len(part), "PERSON", 1.0, "")] if at % 2 else []
        text += part
    found = whole_names(Document(text), terms)
    assert [term.of(text) for term in found] == whole
    assert whole_names(Document(text), found) == found


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Kari 913 45 678", ["Kari", "913 45 678"]),
        ("Berg +47 913 45 678", ["Berg", "+47 913 45 678"]),
        ("Tel 913 45 678", ["Tel 913 45 678"]),
        ("1-800-FLOWERS", ["1-800-FLOWERS"]),
    ],
)
def test_a_name_before_a_number_is_no_part_of_it(text: str, parts: list[str]) -> None:
    told = f"{text}. Kari Berg left."
    at = told.index("Kari Berg")
    terms = [Term(0, len(text), "PHONE", 1.0, ""), Term(at, at + 9, "PERSON", 1.0, "")]
    found = whole_names(Document(told), terms)
    assert [(t.of(told), t.kind) for t in found[:-1]] == [
        (part, "PERSON" if part.isalpha() else "PHONE") for part in parts
    ]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Lindgren & Holm AB paid", ["Lindgren & Holm AB"]),
        ("Lindgren AB & Holm AB paid", ["Lindgren AB", "Holm AB"]),
        ("Lindgren & Holm paid", ["Lindgren", "Holm"]),
    ],
)
def test_a_legal_form_is_of_both_names_before_it(text: str, whole: list[str]) -> None:
    found = [Term(*m.span(), "ORG", 1.0, "") for m in re.finditer("Lindgren(?: AB)?|Holm", text)]
    assert [t.of(text) for t in whole_names(Document(text), found)] == whole


def test_a_legal_form_that_was_found_with_the_address_below_belongs_to_its_firm() -> None:
    text = "Tamarisk Legal LLP\n9 Customs House Row"
    found = [Term(0, 14, "ORG", 1.0, ""), Term(15, len(text), "LOC", 1.0, "")]
    terms = whole_names(Document(text), found)
    assert [t.of(text) for t in terms] == ["Tamarisk Legal LLP", "9 Customs House Row"]


@pytest.mark.parametrize(
    ("text", "made"),
    [("The appellant, Anna vd Walt, appeals.", "The appellant, [PERSON 1], appeals."),
     ("Kind regards, Pieter v/d Berg", "Kind regards, [PERSON 1]"), ("Thank you Mr vd Merwe.", "Thank you Mr [PERSON 1]."),
     ("Mrs Anna v.d. Berg came. Mrs v.d. Berg left.", "Mrs [PERSON 1] came. Mrs [PERSON 1] left."),
     ("Seen by Dr J vd Merwe.", "Seen by Dr [PERSON 1]."), ("Regards,\nJan v. d. Berg", "Regards,\n[PERSON 1]"),
     ("Johan Vd Merwe called. Vd Merwe left.", "[PERSON 1] called. [PERSON 1] left."),
     ("Piet V.d. Merwe and Anna vd Merwe came.", "[PERSON 1] and [PERSON 2] came."),
     ("Smith v Jones was cited.", "[DETAIL 1] v [DETAIL 2] was cited."), ("The VD Clinic is open.", "The VD Clinic is open.")],
)  # fmt: skip
def test_a_short_van_der_stands_within_one_name(text: str, made: str) -> None:
    assert sanitize(text).text == made


@pytest.mark.parametrize(
    ("text", "made"),
    [("We saw Mr Lord. Hughes left.", "We saw Mr [PERSON 1]. [PERSON 2] left."),
     ("I met Ms Bishop. Hughes left.", "I met Ms [PERSON 1]. [PERSON 2] left."),
     ("I met Dr. Hughes. Prof. Lord left.", "I met Dr. [PERSON 1]. Prof. [PERSON 2] left.")],
)  # fmt: skip
def test_a_title_in_full_before_a_full_stop_ends_its_sentence(text: str, made: str) -> None:
    assert sanitize(text).text == made


@pytest.mark.parametrize(
    ("rest", "kind", "made"),
    [("Estates", "MISC", [("Pettigrew Estates", "ORG")]),
     ("Court", "LOC", [("Pettigrew Court", "LOC")]), ("Motor Repairs", "MISC", [("Pettigrew Motor Repairs", "ORG")]),
     ("Leeds", "LOC", [("Pettigrew", "PERSON"), ("Leeds", "LOC")]),
     ("asthma", "MISC", [("Pettigrew", "PERSON"), ("asthma", "MISC")]),
     ("Muslim", "MISC", [("Pettigrew", "PERSON"), ("Muslim", "MISC")])],
)  # fmt: skip
def test_what_is_called_after_a_family_is_one_name(
    rest: str, kind: str, made: list[tuple[str, str]]
) -> None:
    text = f"We act for Pettigrew {rest} today."
    found = [Term(11, 20, "PERSON", 1.0, ""), Term(21, 21 + len(rest), kind, 1.0, "")]
    terms = whole_names(Document(text), found)
    assert [(t.of(text), t.kind) for t in terms] == made


def test_a_firm_that_its_owner_is_named_beside_has_one_label() -> None:
    text = (Path(__file__).parents[2] / "examples" / "email-thread.txt").read_text()
    assert re.search(r"landlord, \[PERSON 4\] of \[[A-Z]+ \d\]\.", sanitize(text).text)
