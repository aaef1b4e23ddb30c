"""Hidden ages that follow from dates."""

from __future__ import annotations

import re

import pytest

from sfumato import sanitize
from sfumato.document import Claim, Document, Edit, Origin, Record, Term
from sfumato.verify import Evidence, check_claims
from sfumato.verify.ages import _days
from sfumato.verify.evidence import Find

CLAIM = Claim("no age follows from dates")


class Finds:
    """Detectors that find these terms, wherever they stand."""

    absent: tuple[str, ...] = ()
    by_context: tuple[str, ...] = ()

    def __init__(self, *terms: Term) -> None:
        self.terms = list(terms)

    def __call__(self, document: Document) -> list[Term]:
        return self.terms

    all = again = __call__

    def kept(self, text: str) -> list[tuple[int, int]]:
        return []


def verdict(
    text: str, *shown: tuple[str, str, str], find: Find | None = None, **numbers: float
) -> str:
    """Of a text in which these words of a kind became others."""
    edits, made = [], text
    for words, kind, becomes in sorted(shown, key=lambda each: text.index(each[0])):
        at = text.index(words)
        edits.append(Edit(at, at + len(words), kind, becomes, "", numbers=numbers))
        made = made.replace(words, becomes, 1)
    record = Record("t", Origin(), tuple(edits), tuple(text[e.start : e.end] for e in edits))
    (check,) = check_claims([CLAIM], Evidence(made, record=record, find=find))
    return check.verdict


@pytest.mark.parametrize(
    ("standing", "holds"),
    [((), True), (("65",), False), (("3 May 1956",), False), (("65", "3 May 1956"), False)],
)
def test_what_stands_tells_a_birth_as_what_is_shown_does(
    standing: tuple[str, ...], holds: bool
) -> None:
    text = "Ann, aged 67, retired at 65 in 2021, seen 3 June 2023"
    text += ", DOB 3 May 1956." if "3 May 1956" in standing else "."
    shown = (("67", "AGE", "60-69"), ("2021", "DATE", "2021"), ("3 June 2023", "DATE", "2023"))
    kinds = {"65": "AGE", "3 May 1956": "DATE"}
    found = [Term(at := text.index(w), at + len(w), kinds[w], 1.0, "") for w in standing]
    assert verdict(text, *shown, find=Finds(*found)) == ("holds" if holds else "does not hold")


@pytest.mark.parametrize(
    ("born", "age", "seen", "holds"),
    [
        ("1969", "40-49", "2019", False), ("March 1969", "45–49", "May 2019", False),
        ("27 February 1969", "45-49", "28 April 2019", False), ("1960s", "40-49", "2019", False),
        ("1969–1979", "40-49", "2019", True), ("[DATE 1]", "40-49", "2019", True),
        ("1969", "[AGE 1]", "2019", False), ("the 1960s", "[AGE 1]", "2019", True),
        ("1969", "40-49", "[DATE 2]", True), ("1969", "49", "2019", True),  # an age that is no range is not hidden
        ("1969", "40 or older", "2019", False), ("1899–1979", "40 or older", "2019", True),
        *(("1969", gone, "2019", False) for gone in ("", "**", "<AGE 1>", "AGE_edfe17921f5e", "46", "Age 1", "4*", "[AGE 49]")),
        ("1960s", "AGE_edfe17921f5e", "2019", True), ("1960s", "46", "2019", True),
    ],
)  # fmt: skip
def test_two_dates_leave_as_many_ages_as_stand_for_a_hidden_one(
    born: str, age: str, seen: str, holds: bool
) -> None:
    text = "DOB 3 June 1969, aged 49, seen 5 May 2019."
    shown = (("3 June 1969", "DATE", born), ("49", "AGE", age), ("5 May 2019", "DATE", seen))
    assert verdict(text, *shown) == ("holds" if holds else "does not hold")


@pytest.mark.parametrize(
    "text",
    [
        "Seen 3 June 1969, aged 48, again 5 May 2019.",  # it does not follow
        "DOB 3 June 1969, aged 12, seen 5 May 2019.",  # of somebody else
    ],
)
def test_an_age_that_does_not_follow_is_told_by_no_dates(text: str) -> None:
    age = re.findall(r"aged (\d+)", text)[0]
    shown = (("3 June 1969", "DATE", "1969"), (age, "AGE", "10-19"), ("5 May 2019", "DATE", "2019"))
    assert verdict(text, *shown) == "holds"


@pytest.mark.parametrize(
    "text",
    [
        "(3 June 1969 – 5 May 2019), who died aged 49.",
        "Came into the world 3 June 1969, aged 49, seen 5 May 2019.",
        "3 June 1969 F, aged 49, seen 5 May 2019.",
    ],
)
def test_what_lies_an_age_before_another_date_is_a_birth_whatever_it_is_called(text: str) -> None:
    dates = (("3 June 1969", "DATE", "1969"), ("5 May 2019", "DATE", "2019"))
    assert verdict(text, ("49", "AGE", "40-49"), *dates) == "does not hold"
    wide = (("3 June 1969", "DATE", "1969–1979"), dates[1])
    assert verdict(text, ("49", "AGE", "40-49"), *wide) == "holds"
    assert verdict(text.replace("49", "39"), ("39", "AGE", "30-39"), *dates) == "holds"


@pytest.mark.parametrize("shown", ["1969–2019", "1969-2019"])
def test_a_range_tells_the_age_between_its_ends(shown: str) -> None:
    text = "Ann Lee (1969–2019) died aged 49."
    aged = ("49", "AGE", "40-49")
    assert verdict(text, aged, ("1969–2019", "DATE", shown)) == "does not hold"
    assert verdict(text, aged, ("1969–2019", "DATE", "[DATE 1]")) == "holds"


YOUNG = [
    "The baby, three months old, was born on 3 March 2024 and seen on 5 June 2024.",
    "A 4-month-old boy (DOB 3 March 2024) was seen on 5 July 2024.",
    "A 10-day-old baby, born on 3 March 2024, was admitted on 13 March 2024.",
    "Layla was born on 30 January 2024. On 2 September 2024 Layla, aged 7 months, was seen.",
    "Tom Lee, DOB 3 May 2024, aged eleven weeks, was admitted on 20 July 2024.",
]


@pytest.mark.parametrize("policy", ["default", "gdpr", "research", "program", "text"])
@pytest.mark.parametrize("text", YOUNG)
def test_an_age_in_months_does_not_follow_from_dates(policy: str, text: str) -> None:
    counted = {"protect": [{"plausibility": {"t": 10, "adversary": policy}}]}
    made = sanitize(text, counted if policy in ("program", "text") else policy)
    assert {c.name: c.verdict for c in made.checks}.get(CLAIM.name, "holds") == "holds"
    birth = next(
        e
        for e in made.edits
        if e.kind == "DATE" and re.search(r"(?:born on|DOB) $", text[: e.start])
    )
    assert re.fullmatch(r"20[01]\d–20\d\d|\[DATE 1\]", birth.replacement), made.text


@pytest.mark.parametrize(
    ("born", "holds"), [("March 2024", False), ("2024", False), ("2014–2024", True)]
)
@pytest.mark.parametrize("age", ["0-9 months old", "[AGE 1]", "5 months old", "aged ** months"])
def test_verify_reads_ages_in_months(age: str, born: str, holds: bool) -> None:
    shown = (
        ("3 March 2024", "DATE", born),
        ("3 months old", "AGE", age),
        ("5 June 2024", "DATE", "June 2024"),
    )
    made = verdict("Born 3 March 2024, he is 3 months old, seen 5 June 2024.", *shown)
    assert made == ("holds" if holds else "does not hold")


NOTES = [
    "Mr Ivan Popov, DOB 03/06/1969, aged 49, was admitted on 5 May 2019.",
    "Born in 1969, the 49-year-old teacher was seen in May 2019 and again on 3 June 2019.",
    "Patient: Tom Reed. Date of birth: 12 March 1925. Age: 94. Admitted: 3 May 2019.",
    "DOB 1/2/1990; he is thirty-five years old; seen 3 March 2025.",
    "Seen on 2 June 2020. Ann Lee (b. 1985), aged 34 years, came with her son, aged 12.",
    "Mr Ivan Popov, birthday 1945, aged 69, visit of 2014-12-11.",
    "John Smith (1 April 1945 – 2 June 2019) died aged 74.",
    "Obituary: John Smith (1945-2019). He died aged 73, a teacher.",
    "Mr Ivan Popov, patient_dob=6 October 1995, aged 11, was admitted on 26 September 2007.",
    "Mr Ward, 77, aged 77, was found on 1 February 2023. He was b. 2 Feb 1945.",
    "A 1965-born man aged 30 was admitted on 3 May 1995.",
    "Mr Lowe is 30. He is the 1965-born son of a miner. Seen in 1995.",
    "Anna Keller first saw the light on 3 May 1977. Aged 45, she was seen on 14 February 2023.",
]


@pytest.mark.parametrize("policy", ["default", "gdpr", "hipaa-safe-harbor", "research", "strict"])
@pytest.mark.parametrize("text", NOTES)
def test_releases_leave_hidden_ages_open(policy: str, text: str) -> None:
    release = sanitize(text, policy)
    assert {c.name: c.verdict for c in release.checks}[CLAIM.name] == "holds"
    born = min(re.findall(r"(?:19|20)\d\d", text))
    hidden = any(edit.kind == "AGE" for edit in release.edits)
    assert not hidden or not re.search(rf"(?<!–){born}\b(?!–)", release.text)


@pytest.mark.parametrize(
    "age",
    ["hash", "pseudonym", "surrogate", "remove", "mask", "encrypt", "label", {"how": "truncate", "keep": 1},
     {"how": "label", "text": "<{kind} {number}>"}, {"how": "label", "text": "somebody"}],
)  # fmt: skip
def test_an_age_is_hidden_by_whatever_stands_for_it(age: object) -> None:
    rules = {"AGE": age, "DATE": {"how": "reduce", "to": "year"}}
    release = sanitize("DOB 3 June 1969, aged 49, seen on 5 May 2019.", {"replace": rules})
    assert release.text.startswith("DOB 1960s, aged")
    assert {c.name: c.verdict for c in release.checks}[CLAIM.name] == "holds"


OTHERS = [
    "Her son, born on 9 September 2009, left in 2015 by six votes to one, aged 49.",
    "Retired at 6 in 2006. Seen on 11 September 2008, aged 8. From 16.03.1959 to December 21, 1992 she worked.",
    "D/O/B 18.11.1990, 17, seen 18-SEP-2007. DOB: 25.09.1957. Ann Lee is 31 years old.",
    "She left on 4 May 2022 at 29. D/O/B August 1990, 48, seen March 4, 2025. Ann Lee is 22 years old.",
]


@pytest.mark.parametrize("policy", ["default", "gdpr", "hipaa-safe-harbor", "research", "strict"])
@pytest.mark.parametrize("text", OTHERS)
def test_an_age_of_somebody_else_is_no_reason_to_refuse(policy: str, text: str) -> None:
    checks = {c.name: c.verdict for c in sanitize(text, policy).checks}
    assert checks[CLAIM.name] == "holds"


@pytest.mark.parametrize("policy", ["default", "gdpr", "research"])
@pytest.mark.parametrize(
    "text",
    [
        "Ann Lee, aged 33, will be 34 on 3 May 2024. Seen 2 April 2024.",
        "Ann Lee, aged 67, retired at 65 in 2021. Seen on 3 May 2023.",
        "Ann Lee is 67 years old; in 2021, at 65, she left. Seen on 3 May 2023.",
    ],
)
def test_a_number_beside_a_date_does_not_tell_a_hidden_age(policy: str, text: str) -> None:
    made = sanitize(text, policy).text
    assert not re.search(r"(?:be|at) (?:34|65)\b(?![–-])", made), made


def test_among_too_many_dates_births_are_not_taken_for_harmless() -> None:
    ages = [(f"{n} years", "AGE", "[AGE]") for n in range(10, 99)]
    dates = [(f"3 May {year}", "DATE", str(year)) for year in range(1950, 2000)]
    births = [(f"born on 4 May {year}", "", "") for year in range(1850, 1890)]
    text = "; ".join(f"aged {said}" for said, _, _ in ages)
    text += "; ".join(f" on {said}" for said, _, _ in dates) + "; ".join(b for b, _, _ in births)
    shown = [(said.removeprefix("born on "), "DATE", said[-4:]) for said, _, _ in births]
    assert verdict(text, *ages, *dates, *shown) == "does not hold"
    assert verdict(text, *ages[:2], *dates[:2], *shown[:2]) == "holds"


@pytest.mark.parametrize("adversary", ["program", "text"])
@pytest.mark.parametrize(
    "text",
    [
        "Ivan Popov, born on 20 March 1977, aged 45, was seen on 14 February 2023.",
        "Tom Lee, aged 45, came on 14 February 2023 and 3 May 2023. DOB: 20/03/1977.",
    ],
)
def test_a_label_for_an_age_leaves_ten_where_values_are_counted(text: str, adversary: str) -> None:
    policy = {"protect": [{"plausibility": {"t": 100, "adversary": adversary}}]}
    made = sanitize(text, policy).text
    assert not re.search(r"1977(?!s)", made) or "[AGE" not in made


@pytest.mark.parametrize(("age", "holds"), [("[AGE 1]", False), ("40–49", True)])
def test_counted_values_leave_ten_ages_where_a_label_stands(age: str, holds: bool) -> None:
    shown = (("3 June 1969", "DATE", "1969"), ("49", "AGE", age), ("5 May 2019", "DATE", "2019"))
    made = verdict("DOB 3 June 1969, aged 49, seen 5 May 2019.", *shown, fact=1.0)
    assert made == ("holds" if holds else "does not hold")


@pytest.mark.parametrize("words", ["0000s", "0000–0005", "0001–0000"])
def test_there_is_no_year_nought(words: str) -> None:
    assert _days(words, None) == frozenset()


LONG_AGO = [
    "Mrs Ada Thornbury, 94, was seen on 3 May 2024. She was widowed in 1999 at the age of 69.",
    "Mr Tom Reed, 92, was seen on 3 May 2024. Hip replacement in 2016, when he was 84.",
    "Mrs Ada Reed, 90, was seen on 3 May 2024. She was 65 when she retired, in the spring of 1999.",
    "Mrs Ada Reed, 93, was seen on 3 May 2024. At the age of 26 she emigrated, in 1957.",
    "Mrs Ada Reed, 95, was seen on 3 May 2024. CABG 1957 (age 28).",
    "Mr Tom Reed, 92, was seen on 3 May 2024. Ten years ago, at 82, he had a stroke.",
    "Mrs Ada Reed, 93, was seen on 3 May 2024. She has lived here for 30 years, since she was 63.",
    "Ada Reed, born 1931 in Leeds, left in 1979 when she was 48. She's 93 now.",
    "Ada Reed. DOB: 3/4/1930. Seen 5/6/2024. Menopause at 51 in 1981.",
]


@pytest.mark.parametrize("text", LONG_AGO)
def test_an_age_over_89_is_not_told_by_an_earlier_one_in_the_sentence_of_its_year(
    text: str,
) -> None:
    release = sanitize(text, "hipaa-safe-harbor")
    told = re.search(r"\b(?:69|84|65|26|28|82|63|48|51)\b", release.text)
    assert "[DATE 1]" in release.text if told else "[AGE 1]" in release.text, release.text


YEARS_APART = [
    ("Mr Lowe is 96. He gave up driving 23 years ago, at 73.", "96", "73"),
    ("92-year-old woman. Pacemaker 12 years ago at 80.", "92", "80"),
    ("97F. PMH: hip replacement at 81 (16 years ago), HTN.", "97", "81"),
    ("She has had AF since she was 85, i.e. for 11 years. She is 96.", "96", "85"),
    ("A 96-year-old man who had a stroke at 73, i.e. 23 years ago.", "96", "73"),
    ("Widowed at seventy, she has lived alone for 25 years and is now 95.", "95", "seventy"),
    ("Mrs Lowe (91) has used a stick for ten years, since 81.", "91", "81"),
    ("She fell when she was 79. Fourteen years on, she is 93.", "93", "79"),
]
YOUNGER = [
    ("She passed her A-levels at 18 in 2006 and her PhD nine years later, at 27.", "27", "18"),
    ("She bought her first house at age 19; twelve years later, at age 31, she died.", "31", "19"),
    ("She underwent surgery in 1977 at 20. She is 36 now, sixteen years on.", "36", "20"),
]


@pytest.mark.parametrize("policy", ["hipaa-safe-harbor", "default"])
@pytest.mark.parametrize(("text", "hidden", "earlier"), [*YEARS_APART, *YOUNGER])
def test_a_hidden_age_does_not_follow_from_another_and_the_years_between(
    text: str, hidden: str, earlier: str, policy: str
) -> None:
    said = {*re.findall(r"(?<![\w-])(?:\d+|seventy)(?![\d-])", sanitize(text, policy).text)}
    assert not said & {hidden, earlier} or {hidden, earlier} <= said


@pytest.mark.parametrize(("text", "hidden", "earlier"), [*YEARS_APART, *YOUNGER])
def test_verify_sees_an_age_that_nobody_found_and_the_years_from_a_hidden_one(
    text: str, hidden: str, earlier: str
) -> None:
    shown = [(hidden, "AGE", "[AGE 1]"), (earlier, "AGE", "[AGE 2]")]
    assert verdict(text, shown[0], find=Finds()) == "does not hold"
    shown.sort(key=lambda each: text.index(each[0]))
    assert verdict(text, *shown, find=Finds()) == "holds"


@pytest.mark.parametrize(
    "text",
    [
        "She is 96 and has smoked for 23 years, at 73 a day.",
        "He is 96. His pulse was at 73 bpm for 23 years.",
        "Mr Lowe is 96. He retired 23 years ago, at 73%.",
        "Mr Lowe is 96. He came at 7:30, 23 years ago, to room 73.",
        "He is 96. He was seen 23 years ago. It was late. She was 73.",
    ],
)
def test_other_numbers_do_not_tell_an_age_by_years(text: str) -> None:
    assert verdict(text, ("96", "AGE", "[AGE 1]"), find=Finds()) == "holds"


@pytest.mark.parametrize(
    ("text", "earlier"),
    [
        ("Ada Reed, 94, was seen on 3 May 2024. She was widowed in 1999 at the age of 69.", "69"),
        ("Ada Reed, 92, was seen on 3 May 2024. Ten years ago, at 82, she had a stroke.", "82"),
        ("Ada Reed, 92, was seen on 3 May 2024. CABG 1957 (age 25).", "25"),
        ("Ada Reed, DOB 3 April 1930, seen on 3 May 2024. Menopause came early, at 51, in 1981.", "51"),
    ],
)  # fmt: skip
def test_an_earlier_age_that_stands_tells_what_is_hidden(text: str, earlier: str) -> None:
    shown = [("3 May 2024", "DATE", "2024")]
    shown += [(w, "AGE", "90 or older") for w in ("94", "92") if w in text]
    shown += [("3 April 1930", "DATE", "[DATE 1]")] if "April" in text else []
    at = text.index(earlier)
    stands = [Term(at, at + 2, "AGE", 1.0, "")]
    year = re.search(r"19[89]\d", text)
    stands += [Term(*year.span(), "DATE", 1.0, "")] if year else []
    assert verdict(text, *shown, find=Finds(*stands)) == "does not hold"
    assert verdict(text, *shown, (earlier, "AGE", "[AGE 1]"), find=Finds()) == "holds"


@pytest.mark.parametrize(
    "text",
    [
        "Mrs Ada Reed, 94, was seen on 3 May 2024. Her daughter died in 1999, aged 40.",
        "Mr Tom Reed, 92, was seen on 3 May 2024. Three years ago, at 60, his son moved in.",
        "Mr Tom Reed, 92, was seen on 3 May 2024. His wife is 84. Hip replacement in 2018.",
    ],
)
def test_ages_that_tell_nothing_of_a_hidden_one_stay(text: str) -> None:
    assert re.search(r"\b(?:40|60|84)\b", sanitize(text, "hipaa-safe-harbor").text)


@pytest.mark.parametrize("policy", ["default", "gdpr", "research"])
@pytest.mark.parametrize(
    "text",
    [
        "Visit 12 March 2014: patient aged 39. Visit 20 April 2015: patient aged 40.",
        "In 2014, aged 39, he married. In 2024, aged 50, he divorced.",
    ],
)
def test_two_ranges_of_one_life_do_not_tell_both_ages(text: str, policy: str) -> None:
    assert re.search(r"aged 3\d[–-]39\b.*aged \[AGE", sanitize(text, policy).text)


@pytest.mark.parametrize(
    "text",
    [
        "In 2014, aged 34, he married. In 2024, aged 44, he divorced.",
        "In 2014, aged 34, he married. In 2024 his son Tom, aged 12, left.",
    ],
)
def test_ranges_that_leave_half_of_their_ages_stay(text: str) -> None:
    assert "[AGE" not in sanitize(text).text


@pytest.mark.parametrize(
    "note",
    [
        "The boy was born in summer 2009, admitted aged 4 months.",
        "Born in autumn 2020, aged 6 weeks.",
        "Born at Christmas 2019, now 3 months old.",
        "Born in Q2 2020, aged 8 weeks.",
    ],
)
def test_a_part_of_a_date_is_no_second_date(note: str) -> None:
    """The year of a season is no other date, with which it would tell an age."""
    assert sanitize(note, "gdpr").text


HEADED = [
    "Clinic 1994\n\nMr Lowe is 65 and well.\n\nHe is 96 now. Seen on 3 May 2025.",
    "CLINIC 1994\n\nMr Lowe, 65, is well. His dog died.\n\nSeen on 3 May 2025, aged 96.",
    "Seen on 3 May 2025, aged 96.\n\nOld notes, 1994:\nMr Lowe, 65, is well.",
    "Seen on 3 May 2025, aged 96.\n\nMr Lowe is 65 and well.\n\nLeeds 1994",
    "Annual review for 1994. It was raining. Mr Lowe is 65. Seen on 3 May 2025, he is 96.",
]


@pytest.mark.parametrize("text", HEADED)
def test_a_year_of_another_sentence_tells_a_birth_where_that_of_the_age_has_none(text: str) -> None:
    at = text.index("65")
    age, seen = ("96", "AGE", "90 or older"), ("3 May 2025", "DATE", "2025")
    stands = Finds(Term(at, at + 2, "AGE", 1.0, ""))
    assert verdict(text, age, seen, find=stands) == "does not hold"
    assert verdict(text, age, seen, ("65", "AGE", "[AGE 1]"), find=Finds()) == "holds"
    assert verdict(text, age, seen, ("1994", "CODE", "[CODE 1]"), find=stands) == "holds"
    for other in ("1974", "2004", "No. 1994/7"):  # of somebody else, and no year
        changed = text.replace("1994", other)
        at = changed.index("65")
        stands_there = Finds(Term(at, at + 2, "AGE", 1.0, ""))
        assert verdict(changed, age, seen, find=stands_there) == "holds", changed


def test_an_age_whose_sentence_has_a_year_is_not_of_a_headings() -> None:
    text = "Clinic 1994\n\nMr Lowe left in 2001, at 65. Seen on 3 May 2025, he is 96."
    at = text.index("65")
    stands = Finds(Term(at, at + 2, "AGE", 1.0, ""))
    assert (
        verdict(text, ("96", "AGE", "90 or older"), ("3 May 2025", "DATE", "2025"), find=stands)
        == "holds"
    )


@pytest.mark.parametrize("policy", ["default", "gdpr", "research", "hipaa-safe-harbor", "strict"])
@pytest.mark.parametrize("text", HEADED)
def test_what_a_headings_year_tells_is_not_released(text: str, policy: str) -> None:
    made = sanitize(text, policy)
    assert {c.name: c.verdict for c in made.checks}.get(CLAIM.name, "holds") == "holds"
    told = all(re.search(words, made.text) for words in (r"\b65\b", "1994", "2025"))
    assert not told, made.text
