"""The policy's rule for a kind is what happens to its terms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase as fnmatch
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sfumato import plugins, sanitize
from sfumato.detect.finder import Finder
from sfumato.document import Document, Edit, Term, render, resolve
from sfumato.english.folding import normal_form
from sfumato.errors import InputError, SecretError
from sfumato.facts.values import Days, days
from sfumato.keys import Key
from sfumato.policy import Policy, load
from sfumato.protect import Run
from sfumato.protect.replace.bucket import ranged
from sfumato.protect.replace.covers import SPARSE_ZIPS, Mask, Truncate, masked, truncated
from sfumato.protect.replace.model import ReplaceOptions, make
from sfumato.protect.replace.sealed import decrypt_text, seal
from tests.conftest import EXAMPLES
from tests.protect.replace.test_surrogates import MemoryVault
from tests.strategies import any_text
from tests.strategies import terms as some_terms

KEY = Key(bytes(range(32)))
METHODS = plugins.METHODS.names()
HIDING = [m for m in METHODS if m not in ("keep", "bucket", "reduce", "label")]


def policy(**rules: Any) -> Policy:
    return load(
        {"detect": ["patterns"], "protect": ["replace"], "replace": {"*": "label", **rules}}
    )


def replaced(
    text: str,
    hidden: Sequence[tuple[str, str]],
    vault: MemoryVault | None = None,
    *,
    name: str = "text",
    key: Key = KEY,
    edits: Sequence[Edit] = (),
    **rules: Any,
) -> list[Edit]:
    """The edits for the terms given as (words, kind), found one after the other in the text."""
    terms, at = [], 0
    for words, kind in hidden:
        at = text.index(words, at)
        terms.append(Term(at, at + len(words), kind, 0.9, "test", f"{kind.lower()} by hand"))
        at += len(words)
    run = Run(policy(**rules), key, vault or MemoryVault())
    return list(make(ReplaceOptions(), run)(Document(text, name), terms, edits))


def released(text: str, hidden: Sequence[tuple[str, str]], **more: Any) -> str:
    return render(Document(text), replaced(text, hidden, **more))


def one(text: str, kind: str, **rules: Any) -> str:
    return released(text, [(text, kind)], **rules)


def test_the_protector_is_known_by_its_name() -> None:
    plugin = plugins.PROTECTORS.find("replace")
    assert plugin is not None
    assert plugin.options is ReplaceOptions


@pytest.mark.parametrize(
    ("rule", "kind", "text", "expected"),
    [
        ("label", "PERSON", "Maria", "[PERSON]"),
        ({"how": "label", "text": "<{kind}>"}, "PERSON", "Maria", "<PERSON>"),
        ("keep", "PERSON", "Maria", "Maria"),
        ("mask", "CODE", "AB-12 34", "**-** **"),
        ({"how": "mask", "char": "#", "keep_last": 2}, "CODE", "AB-1234", "##-##34"),
        ({"how": "mask", "keep_last": 4}, "CODE", "123", "***"),
        ("mask", "MISC", "—", "*"),
        ("remove", "PERSON", "Maria", ""),
        ("bucket", "AGE", "47", "40-49"),
        ("bucket", "AGE", "47-year-old", "40-49-year-old"),
        ("bucket", "AGE", "47 years old", "40-49 years old"),
        ("bucket", "AGE", "aged 47", "aged 40-49"),
        ("bucket", "AGE", "forty-seven", "40-49"),
        ("bucket", "AGE", "in his 40s", "in his 40s"),
        ("bucket", "AGE", "in her late forties", "in her forties"),
        ("bucket", "AGE", "in their early 40s", "in their 40s"),
        ({"how": "bucket", "top": 90}, "AGE", "in his mid-90s", "aged 90 or older"),
        ({"how": "bucket", "top": 90}, "AGE", "nonagenarians", "people aged 90 or older"),
        ({"how": "bucket", "top": 90}, "AGE", "1128-month-old", "90-or-older"),
        ({"how": "bucket", "top": 90}, "AGE", "95th", "[AGE]"),
        ({"how": "bucket", "top": 90, "below_top": "keep"}, "AGE", "sixty-fourth", "sixty-fourth"),
        ({"how": "bucket", "top": 90, "below_top": "keep"}, "AGE", "ninety-fourth", "[AGE]"),
        ({"how": "bucket", "width": 100}, "MONEY", "$1,250.00", "$1,200–1,299"),
        ({"how": "bucket", "top": 90}, "AGE", "93", "90 or older"),
        ({"how": "bucket", "top": 90}, "AGE", "93-year-old", "90-or-older"),
        ({"how": "bucket", "top": 90}, "AGE", "93F", "90 or older F"),
        ({"how": "bucket", "top": 90}, "AGE", "93 years old", "90 or older"),
        ({"how": "bucket", "top": 90}, "AGE", "47", "40-49"),
        ({"how": "bucket", "top": 90, "below_top": "keep"}, "AGE", "47", "47"),
        ({"how": "bucket", "top": 90, "below_top": "keep"}, "AGE", "ninety-one", "90 or older"),
        ({"how": "bucket", "top": 90, "below_top": "keep"}, "AGE", "forty-one", "forty-one"),
        ({"how": "bucket", "top": 90}, "AGE", "95 months old", "0-9 years old"),
        ({"how": "bucket", "top": 90}, "AGE", "90F", "90 or older F"),
        ({"how": "bucket", "top": 90}, "AGE", "91 yr. old", "90 or older"),
        ({"how": "bucket", "top": 90}, "AGE", "94yoF", "90 or older F"),
        ({"how": "bucket", "top": 90}, "AGE", "97 years ago", "90 or more years ago"),
        ({"how": "bucket", "top": 90}, "QUANTITY", "120 kg", "90 or more kg"),
        ({"how": "bucket", "top": 90}, "QUANTITY", "90kg", "90 or more kg"),
        ("bucket", "AGE", "40-49", "40-49"),
        ("bucket", "AGE", "40-59", "[AGE]"),
        ("bucket", "AGE", "45 to 52", "40 to 59"),
        ("bucket", "AGE", "elderly", "[AGE]"),
        ("bucket", "QUANTITY", "B12", "[QUANTITY]"),
        ("bucket", "QUANTITY", "-5 °C", "-10 to -1 °C"),
        ("reduce", "DATE", "14 May 2004", "2004"),
        ({"how": "reduce", "to": "month"}, "DATE", "14 May 2004", "May 2004"),
        ({"how": "reduce", "to": "decade"}, "DATE", "14 May 2004", "the 2000s"),
        ("reduce", "DATE", "2004", "2004"),
        ("reduce", "DATE", "Easter", "[DATE]"),
        ("reduce", "DATE", "Tuesdays", "[DATE]"),
        ({"how": "reduce", "weekdays": True}, "DATE", "Tuesdays", "Tuesdays"),
        ({"how": "reduce", "weekdays": True}, "DATE", "fri", "fri"),
        ({"how": "reduce", "weekdays": True}, "DATE", "Tuesday 4 May", "[DATE]"),
        ({"how": "reduce", "weekdays": True}, "DATE", "Easter Sunday", "[DATE]"),
        ("reduce", "TIME", "21:40", "[TIME]"),
        ("truncate", "POSTCODE", "02139", "021**"),
        ("truncate", "POSTCODE", "02139-4307", "021**-****"),
        ("truncate", "POSTCODE", "MA 02139", "MA 021**"),
        ("truncate", "POSTCODE", "SW1A 1AA", "SW1* ***"),
        ("truncate", "POSTCODE", "M1 1AE", "M1 ***"),
        ("truncate", "POSTCODE", "K1A 0B1", "K1A ***"),
        ({"how": "truncate", "keep": 9}, "POSTCODE", "02139", "0213*"),
        ({"how": "truncate", "sparse_zip": True}, "POSTCODE", "03601", "000**"),
        ({"how": "truncate", "sparse_zip": True}, "POSTCODE", "02139", "021**"),
        ({"how": "truncate", "sparse_zip": True}, "POSTCODE", "MA 02139-4307", "MA 021**-****"),
        ({"how": "truncate", "sparse_zip": True}, "POSTCODE", "L39 2XT", "[POSTCODE]"),
        ({"how": "truncate", "sparse_zip": True}, "POSTCODE", "KY16", "[POSTCODE]"),
        ({"how": "truncate", "sparse_zip": True}, "POSTCODE", "K1A 0B1", "[POSTCODE]"),
        ("truncate", "CODE", "A", "*"),
        ("shift", "DATE", "Tuesday", "Tuesday"),
        ("shift", "TIME", "21:40", "[TIME]"),
        ("pseudonym", "PERSON", "Maria", "Person 1"),
        ("pseudonym", "DRIVING_LICENCE", "X12", "Driving licence 1"),
        ("surrogate", "AGE", "in her forties", "[AGE]"),
        ("surrogate", "MISC", "—", "[DETAIL]"),
    ],
)
def test_each_method(rule: Any, kind: str, text: str, expected: str) -> None:
    assert one(text, kind, **{kind: rule}) == expected


MARKS = [m for m in METHODS if plugins.METHODS.get(m).gives == "mark" and m != "keep"]


@pytest.mark.parametrize("how", MARKS)
@pytest.mark.parametrize("name", ["discharge-note.txt", "support-thread.txt"])
def test_a_mark_is_never_found_like_a_term(how: str, name: str) -> None:
    rules = load({"detect": ["patterns"], "replace": {"*": how}})
    text = (EXAMPLES / name).read_text()
    released = sanitize(text, rules, key=KEY).text
    assert Finder(rules).again(Document(text))
    assert Finder(rules).again(Document(released)) == []


def test_what_is_left_to_see_of_a_term_is_declared() -> None:
    leaves = {m: plugins.METHODS.get(m).leaves for m in METHODS}
    assert {m for m in METHODS if leaves[m] == "kind"} == {"label", "remove"}
    assert {m for m in METHODS if leaves[m] == "identity"} == {
        "mask",
        "pseudonym",
        "surrogate",
        "hash",
        "encrypt",
    }
    invented = {m for m in METHODS if plugins.METHODS.get(m).gives == "invented"}
    assert invented == {"surrogate", "shift"}


def test_the_seventeen_sparse_zip_areas_are_hidden() -> None:
    assert len(SPARSE_ZIPS) == 17
    rule = Truncate.model_validate({"sparse_zip": True})
    assert all(truncated(f"{area}12", rule) == "000**" for area in SPARSE_ZIPS)


@pytest.mark.parametrize("how", HIDING)
@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("PERSON", "Maria Keller"),
        ("DATE", "12 May 2024"),
        ("CODE", "AB-1234"),
        ("AGE", "47"),
        ("MISC", "***"),
    ],
)
def test_a_hiding_method_never_gives_the_original(how: str, kind: str, text: str) -> None:
    made = one(text, kind, **{"*": how})
    assert normal_form(made) != normal_form(text)


@pytest.mark.parametrize("how", [m for m in METHODS if m != "keep"])
def test_every_edit_says_how_and_why_without_the_original(how: str) -> None:
    text = "Maria Keller, 47, 12 May 2024, MRN 00482917"
    edits = replaced(
        text,
        [("Maria Keller", "PERSON"), ("47", "AGE"), ("12 May 2024", "DATE"), ("00482917", "MRN")],
        **dict[str, Any]({"*": how}),
    )
    for edit in edits:
        assert edit.how in (how, "label")
        assert edit.reason.startswith(f"{edit.kind.lower()} by hand; ")
        said = edit.reason.replace(edit.replacement, "")  # what is released is no secret
        assert not re.search("Maria|Keller|47|2024|0048", said)


def test_a_term_without_a_reason_is_explained_by_its_kind() -> None:
    run = Run(policy(), KEY, MemoryVault())
    terms = [Term(0, 3, "PERSON", 1, "test"), Term(4, 7, "WARD", 1, "test")]
    first, second = make(ReplaceOptions(), run)(Document("Ann B-7"), terms, [])
    assert first.reason == "name of a person; replaced by a label"
    assert second.reason == "term of kind WARD; replaced by a label"


def test_coarser_forms_are_given_as_alternatives() -> None:
    (edit,) = replaced(
        "14 May 2004", [("14 May 2004", "DATE")], DATE={"how": "reduce", "to": "month"}
    )
    assert edit.alternatives == ("2004", "the 2000s")
    (edit,) = replaced("47", [("47", "AGE")], AGE="bucket")
    assert edit.alternatives == ("40-59", "0-49")


def test_the_decade_has_one_article() -> None:
    text = "In 2004 and the early 1990, the 2001"
    made = released(
        text,
        [("2004", "DATE"), ("1990", "DATE"), ("2001", "DATE")],
        DATE={"how": "reduce", "to": "decade"},
    )
    assert made == "In the 2000s and the early 1990s, the 2000s"


@pytest.mark.parametrize(
    ("text", "hidden", "expected"),
    [
        ("I saw Ann yesterday", ["Ann"], "I saw yesterday"),
        ("I saw Ann.", ["Ann"], "I saw."),
        ("Ann came", ["Ann"], "came"),
        ("Ann Bea came", ["Ann", "Bea"], "came"),
        ("by Ann Bea Cis came", ["Ann", "Bea", "Cis"], "by came"),
        ("(Ann)", ["Ann"], "()"),
        ("x\nAnn came", ["Ann"], "x\ncame"),
        ("Ann", ["Ann"], ""),
        ("the Ann-test", ["Ann"], "the -test"),
    ],
)
def test_a_removal_takes_one_space_with_it(text: str, hidden: list[str], expected: str) -> None:
    assert released(text, [(h, "PERSON") for h in hidden], PERSON="remove") == expected


# Together with other protectors


def test_earlier_edits_stay() -> None:
    earlier = [Edit(0, 5, "PERSON", "someone", "k-safe", "ksafety")]
    edits = replaced("Maria met Tom", [("Maria", "PERSON"), ("Tom", "PERSON")], edits=earlier)
    assert [e.replacement for e in edits] == ["someone", "[PERSON]"]


def test_the_rest_of_a_half_edited_term_is_hidden_too() -> None:
    earlier = [Edit(6, 10, "PERSON", "someone", "k-safe", "ksafety")]
    text = "Maria Anna Keller"
    edits = replaced(text, [(text, "PERSON")], edits=earlier)
    assert render(Document(text), edits) == "[PERSON]someone[PERSON]"


# Shifts


def test_one_document_has_one_offset() -> None:
    text = "From 12 May 2024 to 2024-05-26."
    made = released(text, [("12 May 2024", "DATE"), ("2024-05-26", "DATE")], DATE="shift")
    assert made != released(
        text, [("12 May 2024", "DATE"), ("2024-05-26", "DATE")], DATE="shift", key=Key(bytes(32))
    )


def _offsets(rule: Any, names: Sequence[str]) -> set[str]:
    return {one("12 May 2024", "DATE", DATE=rule, name=name) for name in names}


def test_what_shares_an_offset() -> None:
    names = [f"p{n}/note-{m}.txt" for n in range(3) for m in range(3)]
    assert len(_offsets({"how": "shift", "per": "corpus"}, names)) == 1
    assert len(_offsets({"how": "shift", "per": "document"}, names)) > 4
    person = {"how": "shift", "per": "person", "person": r"^(p\d+)/"}
    assert len(_offsets(person, names)) == 3
    assert len(_offsets(person, names[:3])) == 1


@pytest.mark.parametrize("pattern", [r"^q(\d+)/", r"p(x)?"])
def test_a_document_without_a_person_is_refused(pattern: str) -> None:
    with pytest.raises(InputError, match=r"p1/note\.txt: .*finds no person"):
        one(
            "12 May 2024",
            "DATE",
            name="p1/note.txt",
            DATE={"how": "shift", "per": "person", "person": pattern},
        )


@given(st.integers(7, 36525), st.binary(min_size=32, max_size=32))
def test_an_offset_is_a_number_of_weeks_within_the_limit(days: int, secret: bytes) -> None:
    from datetime import date

    made = one("2024-05-12", "DATE", key=Key(secret), DATE={"how": "shift", "days": days})
    moved = (date.fromisoformat(made) - date(2024, 5, 12)).days
    assert moved % 7 == 0
    assert 0 < abs(moved) <= days


def test_a_shifted_date_is_no_other_date_of_the_document_if_it_can_be_helped() -> None:
    days = [f"2024-05-{d:02}" for d in (1, 8, 15)]
    made = released(" ".join(days), [(d, "DATE") for d in days], DATE={"how": "shift", "days": 70})
    assert not set(made.split()) & set(days)


def test_dates_without_a_year_follow_the_documents_year() -> None:
    text = "3 March 2025 and 3 March"
    made = released(text, [("3 March 2025", "DATE"), ("3 March", "DATE")], DATE="shift")
    full, short = made.split(" and ")
    assert full.startswith(f"{short} ")


SPELLINGS = [
    "Monday, 3 June 2024", "June 3rd, 2024", "2024-06-03", "03/06/2024", "the third of June 2024",
    "３ June ２０２４", "3.6.2024",
]  # fmt: skip


@pytest.mark.parametrize("other", SPELLINGS[1:])
@pytest.mark.parametrize("secret", range(3))
def test_one_day_in_two_spellings_is_one_day_after_the_shift(secret: int, other: str) -> None:
    text = f"{SPELLINGS[0]}; {other}; 05/07/2024"
    hidden = [(words, "DATE") for words in text.split("; ")]
    made = released(text, hidden, key=Key(bytes([secret] * 32)), DATE="shift").split("; ")
    order = True if other in ("03/06/2024", "3.6.2024") else None
    day, same = (next(days(words, order)) for words in made[:2])
    assert made[0].startswith("Monday, ")
    assert isinstance(day, Days)
    assert day == same
    if order:  # the day that is told in words tells the order of the others
        assert next(days(made[2], order)) == Days(day.first + 32, day.last + 32, "day")
    else:
        assert made[2] == "[DATE]"


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        ("Admitted 3 March 2024, discharged 05/03/2024 from Leeds.", 2),
        ("Admitted March 3, 2024, discharged 05/03/2024 from Boston.", 61),
        ("Admitted 3 March 2024, discharged 05/03/2024, back on 13/04/2024.", 2),
        ("Admitted 3 March 2024, discharged 05/03/2024.", None),
        ("Admitted 3 March 2024, discharged 05/03/2024, from Leeds to Boston.", None),
    ],
)
def test_a_date_is_shifted_only_where_its_order_is_told(text: str, apart: int | None) -> None:
    words = [re.search(r"\w+ \w+,? 2024", text), re.search(r"05/03/2024", text)]
    hidden = [(w[0], "DATE") for w in words if w]
    hidden += [(town, "LOC") for town in ("Leeds", "Boston") if town in text]
    made = released(text, hidden, DATE="shift", LOC="label")
    first, last = made.removeprefix("Admitted ").split(", discharged ")
    if apart is None:
        assert last.startswith("[DATE]")
    else:
        later = re.match(r"[\d/]+", last)
        moved = [next(days(w, apart == 2)) for w in (first, later[0] if later else "")]
        assert all(isinstance(day, Days) for day in moved)
        assert moved[1].first - moved[0].first == apart  # type: ignore[union-attr]


def test_an_age_before_the_letter_of_a_sex_is_a_word_apart() -> None:
    rules = {"AGE": {"how": "bucket", "top": 90}}
    assert released("93F, 64M", [("93", "AGE"), ("64", "AGE")], **rules) == "90 or older F, 60-69M"


@pytest.mark.parametrize(("order", "month"), [("day first", "03"), ("month first", "05")])
def test_the_policy_may_say_the_order_of_dates(order: str, month: str) -> None:
    rules = {"date_order": order, "replace": {"DATE": {"how": "reduce", "to": "month"}}}
    assert sanitize("Seen 05/03/2024.", rules).text == f"Seen {month}/2024."
    assert sanitize("Seen 05/03/2024.", {**rules, "date_order": None}).text == "Seen 2024."


def test_the_end_of_a_span_tells_the_order_of_a_date() -> None:
    text = "1 to 5 March 2024; 01/03/2024"
    hidden = [(words, "DATE") for words in text.split("; ")]
    span, day = released(text, hidden, DATE="shift").split("; ")
    first, moved = next(days(day, True)), next(days(span, True))
    assert isinstance(first, Days)
    assert isinstance(moved, Days)
    assert first.first == moved.first


def test_a_birthday_moves_as_the_birth_does() -> None:
    text = "3 June 1990; 5 May 2023; 6 May 2023; 3 June"
    hidden = [(words, "DATE") for words in text.split("; ")]
    for secret in range(20):
        made = released(text, hidden, key=Key(bytes([secret] * 32)), DATE="shift").split("; ")
        assert made[0].startswith(f"{made[3]} ")


# Pseudonyms


def test_pseudonyms_number_things_by_appearance() -> None:
    text = "Maria Keller and Tom Weiss of Acme; Keller, Maria, Dr Keller, Acme, tom weiss"
    hidden = [
        ("Maria Keller", "PERSON"), ("Tom Weiss", "PERSON"), ("Acme", "ORG"), ("Keller", "PERSON"),
        ("Maria", "PERSON"), ("Dr Keller", "PERSON"), ("Acme", "ORG"), ("tom weiss", "PERSON"),
    ]  # fmt: skip
    assert released(text, hidden, **{"*": "pseudonym"}) == (
        "Person 1 and Person 2 of Organisation 1; Person 1, Person 1, Person 1, Organisation 1, Person 2"
    )


def test_all_spellings_of_a_fact_have_one_pseudonym() -> None:
    text = "4 May 2004, 2004-05-04, 5 May 2004; aged fifty-six, 56-year-old"
    hidden = [
        ("4 May 2004", "DATE"), ("2004-05-04", "DATE"), ("5 May 2004", "DATE"),
        ("aged fifty-six", "AGE"), ("56-year-old", "AGE"),
    ]  # fmt: skip
    assert released(text, hidden, **{"*": "pseudonym"}) == "Date 1, Date 1, Date 2; Age 1, Age 1"


def test_a_surname_of_two_is_a_person_of_its_own() -> None:
    text = "Ann Weiss, Tom Weiss, Weiss"
    hidden = [("Ann Weiss", "PERSON"), ("Tom Weiss", "PERSON"), ("Weiss", "PERSON")]
    assert released(text, hidden, PERSON="pseudonym") == "Person 1, Person 2, Person 3"


# Surrogates


def test_the_same_original_has_the_same_surrogate_in_the_whole_corpus() -> None:
    vault = MemoryVault()
    first = released("Maria Keller", [("Maria Keller", "PERSON")], vault=vault, PERSON="surrogate")
    second = released(
        "Prof. Keller, KELLER",
        [("Keller", "PERSON"), ("KELLER", "PERSON")],
        vault=vault,
        PERSON="surrogate",
    )
    family = first.split()[1]
    assert second == f"Prof. {family}, {family.upper()}"


@pytest.mark.parametrize(
    ("mentions", "expected"),
    [
        ("Leandro Quispe; L. Quispe Mamani; Mr Quispe", "{0} {1}; {0[0]}. {1} *; Mr {1}"),
        ("Robert Stone; STONE, BOB; Stone's; R.S.", "{0} {1}; {2}, {3}; {1}'s; {0[0]}.{1[0]}."),
        ("José Núñez; Nunez; JOSE NUNEZ", "{0} {1}; {1}; {3} {2}"),
        ("Hans-Peter Weiß; H.-P. Weiss", "{0} {1}; {0[0]}.-*. {1}"),
        ("Van Morrison; Morrison", "{0} {1}; {1}"),
        ("Dick Dyke; Van Dyke, Dick; Mr Van Dyke", "{0} {1}; Van {1}, {0}; Mr Van {1}"),
        ("Mary O'Brien; O’Brien; Mary O’Brien’s", "{0} {1}; {1}; {0} {1}’s"),
    ],
)
def test_every_mention_of_a_person_has_the_one_surrogate_in_its_own_form(
    mentions: str, expected: str
) -> None:
    hidden = [(words, "PERSON") for words in mentions.split("; ")]
    made = released(mentions, hidden, PERSON="surrogate")
    given, family = made.split("; ")[0].split()
    wanted = expected.format(given, family, family.upper(), given.upper())
    assert fnmatch(made, wanted)
    assert not {given, family} & set(re.findall(r"\w+", mentions))


@pytest.mark.parametrize(
    ("mentions", "kind"),
    [
        ("080-4123 9981; +91 80 4123 9981", "PHONE"),
        ("+47 91 34 56 78; 913 45 678", "PHONE"),
        ("02 99 12 34 56; +33 2 99 12 34 56; 0033 2 99 12 34 56", "PHONE"),
        ("976 22 33 44; 0034 976 22 33 44", "PHONE"),
        ("98765 43210; +91-98765-43210", "FAX"),
        ("555-0142; (212) 555-0142", "PHONE"),
        ("020 7946 0958; +44 20 7946 0958; +44 (0)20 7946 0958; 7946 0958", "PHONE"),
        ("@lars.h; lars.h", "USERNAME"),
        ("xx_burner77; @xx_burner77", "USERNAME"),
    ],
)
def test_spellings_of_a_number_or_user_name_have_one_surrogate(mentions: str, kind: str) -> None:
    hidden = [(words, kind) for words in mentions.split("; ")]
    made = released(mentions, hidden, **{kind: "surrogate"}).split("; ")
    ends = {re.sub(r"\W", "", words.lstrip("@"))[-7:] for words in made}
    assert len(ends) == 1
    layout = [re.sub(r"\w", "x", words) for words in made] if kind != "USERNAME" else []
    assert layout == [re.sub(r"\w", "x", words) for words in mentions.split("; ") if layout]


@pytest.mark.parametrize("name", ["Stone", "Hill", "Marl", "Ford", "Wood", "Thorpe", "Bridge"])
def test_no_invented_name_holds_a_hidden_one(name: str) -> None:
    others = [f"K{a}{b}ner" for a in "aeiou" for b in "bdfglmrst"]
    text = "; ".join([f"Tom {name}", *others, f"{name.lower()}99", f"t{name.lower()}@x.org"])
    kinds = ["PERSON"] * (len(others) + 1) + ["USERNAME", "EMAIL"]
    hidden = list(zip(text.split("; "), kinds, strict=True))
    rules = dict.fromkeys(("PERSON", "USERNAME", "EMAIL"), "surrogate")
    assert name.lower() not in released(text, hidden, **rules).lower()


def test_an_invented_name_that_is_a_real_one_here_becomes_a_label() -> None:
    vault = MemoryVault()
    invented = one("Keller", "PERSON", vault=vault, PERSON="surrogate")
    text = f"Keller met {invented}"
    made = released(
        text, [("Keller", "PERSON"), (invented, "PERSON")], vault=vault, PERSON="surrogate"
    )
    assert invented not in made
    assert made.startswith("[PERSON] met ")


def test_dates_under_surrogate_move_together_in_the_whole_corpus() -> None:
    made = {one("12 May 2024", "DATE", name=str(n), DATE="surrogate") for n in range(3)}
    assert len(made) == 1
    assert made != {"12 May 2024"}


# Hash and encryption


def test_a_hash_depends_on_the_key_and_not_on_the_spelling() -> None:
    first = one("Maria Keller", "PERSON", PERSON="hash")
    assert re.fullmatch(r"PERSON_[0-9a-f]{12}", first)
    assert first == one("MARIA  KELLER", "PERSON", PERSON="hash")
    assert first != one("Maria Keller", "PERSON", PERSON="hash", key=Key(bytes(32)))
    assert len(one("Maria", "PERSON", PERSON={"how": "hash", "length": 64})) == 71


def test_all_mentions_of_a_fact_have_one_hash() -> None:
    said = [
        ("Maria Keller", "PERSON"), ("Keller", "PERSON"), ("Wien", "LOC"), ("Vienna", "LOC"),
        ("3 June 2024", "DATE"), ("03/06/2024", "DATE"), ("mk@x.org", "EMAIL"), ("keller@x.org", "EMAIL"),
    ]  # fmt: skip
    text = "; ".join(words for words, _ in said)
    made = released(text, said, **{"*": "hash"}).split("; ")
    assert [made.index(code) for code in made] == [0, 0, 2, 2, 4, 4, 6, 7]
    assert made[0] == one("Maria Keller", "PERSON", PERSON="hash")


@given(any_text.filter(bool), st.sampled_from(["PERSON", "HEALTH_PLAN"]))
def test_whoever_has_the_key_reads_it_back(text: str, kind: str) -> None:
    sealed = seal(kind, text, KEY)
    assert sealed.isascii()
    assert decrypt_text(f"a {sealed} b {sealed}", KEY) == f"a {text} b {text}"


def test_another_key_opens_nothing() -> None:
    sealed = seal("PERSON", "Maria", KEY)
    with pytest.raises(SecretError, match="opens nothing"):
        decrypt_text(sealed, Key(bytes(32)))
    assert decrypt_text(f"ENC[X:AAAA] ENC[X:A] {sealed}", KEY) == "ENC[X:AAAA] ENC[X:A] Maria"
    assert decrypt_text("nothing to do", Key(bytes(32))) == "nothing to do"


# Properties


@given(any_text, st.sampled_from("*#x"), st.integers(0, 4))
def test_a_mask_keeps_the_length(text: str, char: str, keep: int) -> None:
    covered = masked(text, Mask.model_validate({"char": char, "keep_last": keep}))
    assert len(covered) == len(text)
    assert sum(
        a == b and a.isalnum() for a, b in zip(text, covered, strict=True)
    ) <= keep + text.count(char)


@given(any_text, st.integers(0, 9))
def test_a_cut_shows_no_more_than_it_should(text: str, keep: int) -> None:
    cut = truncated(text, Truncate.model_validate({"keep": keep}))
    assert len(cut) == len(text)
    assert sum(c.isalnum() for c in cut) <= keep


@given(st.one_of(any_text, st.text("0123456789.,-– andtwenty", max_size=20)), st.integers(2, 1000))
@example("0¼", 2)
def test_any_text_has_a_range_with_numbers_or_none(text: str, width: int) -> None:
    for made in (ranged(text, width), ranged(text, width, top=width, age=True)):
        assert made is None or re.search(r"\d", made)
    kept = ranged(text, width, top=width, keep_below=True, age=True)
    assert kept in (None, text) or re.search(rf"(?:{width:,}|{width})(?: or |\+)", kept)


@given(st.integers(0, 10**9), st.integers(2, 10**6))
def test_a_range_holds_its_number(value: int, width: int) -> None:
    low, high = (ranged(str(value), width) or "").split("-")
    assert int(low) <= value <= int(high)
    assert int(high) - int(low) == width - 1


@given(any_text, some_terms(length=50), st.sampled_from(METHODS), st.booleans())
def test_all_methods_are_safe_for_all_texts(
    text: str, found: list[Term], how: str, halves: bool
) -> None:
    terms = [t for t in resolve(found) if t.end <= len(text)]
    earlier = [
        Edit(t.start, (t.start + t.end + 1) // 2, t.kind, "*", "why", "other")
        for t in terms[::2]
        if halves
    ]
    document = Document(text)
    run = Run(policy(**{"*": how}), KEY, MemoryVault())
    edits = make(ReplaceOptions(), run)(document, terms, earlier)
    assert all(e in edits for e in earlier)
    render(document, edits)
    assert list(edits) == list(make(ReplaceOptions(), run)(document, terms, earlier))
    if how in HIDING:
        covered = {i for e in edits for i in range(e.start, e.end)}
        assert all(
            i in covered or not text[i].isalnum() for t in terms for i in range(t.start, t.end)
        )


@pytest.mark.parametrize(
    ("places", "left"), [("keep", "Irish banks"), ("label", "[NATIONALITY 1] banks")]
)
def test_a_nationality_is_kept_where_its_country_stands(places: str, left: str) -> None:
    text = "The Thrift Bank of Ireland wrote to Ann Keller. Irish banks are slow."
    rules = {"replace": {"LOC": places, "DEM": "keep", "*": "label"}, "protect": ["replace"]}
    assert left in sanitize(text, rules).text


@pytest.mark.parametrize(
    ("text", "to", "released"),
    [
        ("DOB 14/05/24.", "month", "DOB [DATE 1]."),
        ("DOB: 31/12/31.", "month", "DOB: [DATE 1]."),
        ("Born 14 May 24.", "month", "Born [DATE 1]."),
        ("Born 14 May 24.", "year", "Born [DATE 1]."),
        ("Born 14 May 24.", "decade", "Born [DATE 1]."),
        ("Born 22/02/20.", "decade", "Born [DATE 1]."),
        ("Born 14 May 2004.", "month", "Born May 2004."),
        ("Born 14 May 2004.", "decade", "Born the 2000s."),
        ("DOB 2004-05-14.", "month", "DOB 2004-05."),
        ("Seen 14/05/24.", "month", "Seen 05/2024."),
    ],
)
def test_a_birth_told_by_two_digits_is_in_no_century_whatever_stays_of_it(
    text: str, to: str, released: str
) -> None:
    date = {"how": "reduce", "to": to, "oldest": 89}
    policy = {"protect": ["replace"], "replace": {"DATE": date, "*": "label"}}
    assert sanitize(text, policy).text == released


@pytest.mark.parametrize(
    "profile", ["default", "clinical", "gdpr", "hipaa-safe-harbor", "research"]
)
@pytest.mark.parametrize(
    "text", ["{}M presents with chest pain.", "{}F with cough.", "Pt {}M, hx HTN.", "{}F, {}M"]
)
def test_the_oldest_class_reads_alike_from_its_first_year_on(text: str, profile: str) -> None:
    first, later = (sanitize(text.replace("{}", age), profile).text for age in ("90", "94"))
    assert first == later == text.replace("{}", "90 or older ")


@pytest.mark.parametrize(
    ("said", "released"),
    [
        ("She was born 97 years ago.", "She was born 90 or more years ago."),
        ("Born ninety-seven years ago, she is well.", "Born 90 or more years ago, she is well."),
        ("pt is 1104 months", "pt is 90 or older"),
        ("the 91 yr. old was seen", "the 90 or older was seen"),
        ("a 91-yr.-old man", "a 90-or-older man"),
        ("94yoF fell", "90 or older F fell"),
        ("90 y/oM fell", "90 or older M fell"),
        ("45yoM fell, born 40 years ago.", "45yoM fell, born 40 years ago."),
    ],
)
def test_ages_over_89_are_told_in_other_forms(said: str, released: str) -> None:
    assert sanitize(said, "hipaa-safe-harbor").text == released


@pytest.mark.parametrize("profile", ["default", "hipaa-safe-harbor", "gdpr"])
@pytest.mark.parametrize(
    "said",
    ["The patient (b. {}) was seen.", "DOB {}.", "She was born in {}.", "YOB: {}", "Born 3/4/{}."],
)
def test_a_birth_told_by_two_digits_gets_a_label(said: str, profile: str) -> None:
    for year in ("'31", "’31"):
        released = sanitize(said.format(year), profile).text
        assert released == said.format("[DATE 1]").replace("3/4/", "")
    assert sanitize("Plan B '31' is next.", profile).text == "Plan B '31' is next."
