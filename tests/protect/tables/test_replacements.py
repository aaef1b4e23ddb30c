"""Every setting of a policy is applied to a table, or refused with one line that names it."""

from __future__ import annotations

from typing import Any

import pytest

from sfumato import policy
from sfumato.document import Release
from sfumato.errors import InputError, PolicyError, SfumatoError
from sfumato.formats import table as files
from sfumato.plugins import METHODS
from sfumato.policy import Policy
from sfumato.protect.tables.anonymize import anonymize
from sfumato.protect.tables.recognition import PolicyRecogniser
from tests.protect.tables.tables import column, csv_bytes, release, run_of

NOTES = [
    "Karen Lee takes heroin, mail karen@example.org.",
    "Thomas Evans takes heroin, mail thomas@example.org.",
    "Mary Johnson drinks vodka, mail mary@example.org.",
    "Ali Hassan drinks vodka, mail ali@example.org.",
]
NAMES = ["Karen Lee", "Thomas Evans", "Mary Johnson", "Ali Hassan"]
COLUMNS = {"id": "direct", "age": {"role": "quasi", "type": "number"}, "note": "text"}
BASE: dict[str, Any] = {
    "detect": ["patterns", {"lists": {"hide": [{"kind": "PERSON", "terms": NAMES}]}}],
    "table": {"k": 2, "columns": COLUMNS},
}


def made(notes: list[str] = NOTES, **settings: Any) -> list[str]:
    """The released notes of a policy with more settings."""
    return column(published(notes, **settings), "note")


def published(notes: list[str], **settings: Any) -> Release:
    rows = [[str(n + 1), str(20 + 10 * (n // 2) + n % 2), note] for n, note in enumerate(notes)]
    data = csv_bytes(["id", "age", "note"], rows)
    return release(data, policy.load(BASE | settings))[1]


def table(**settings: Any) -> dict[str, Any]:
    return {**BASE["table"], **settings}


# Rules


def test_a_hidden_term_becomes_what_its_rule_says() -> None:
    shown = made(replace={"PERSON": {"how": "label", "text": "NOBODY"}})
    assert shown[0] == "NOBODY takes heroin, mail [EMAIL]."
    assert shown[3] == "NOBODY drinks vodka, mail [EMAIL]."


def test_labels_name_the_kind() -> None:
    assert made(replace={"*": {"how": "label", "text": "<{kind}>"}})[0].startswith("<PERSON> takes")


def test_what_is_removed_leaves_no_two_spaces() -> None:
    shown = made(
        ["We saw Karen Lee there.", "We saw Thomas Evans there.", *NOTES[2:]],
        replace={"*": "remove"},
    )
    assert shown[:2] == ["We saw there."] * 2
    assert shown[2] == "drinks vodka, mail."


def test_what_is_removed_stands_beside_what_is_kept() -> None:
    shown = made(replace={"PERSON": "remove", "EMAIL": "label"})
    assert shown[0] == "takes heroin, mail [EMAIL]."


def test_a_rule_for_direct_identifiers_is_applied_wherever_they_stand() -> None:
    data = csv_bytes(
        ["name", "note"],
        [["Unterberg", "saw Unterberg"], ["Oberdorf", "saw Unterberg and Oberdorf"]],
    )
    rules = {
        "detect": [],
        "table": {
            "k": 2,
            "columns": {"name": {"role": "direct", "kinds": ["PERSON"]}, "note": "text"},
        },
    }
    labelled = policy.load(rules | {"replace": {"PERSON": {"how": "label", "text": "N. N."}}})
    assert column(release(data, labelled)[1], "note") == ["saw N. N.", "saw N. N. and N. N."]
    gone = policy.load(rules | {"replace": {"PERSON": "remove"}})
    assert column(release(data, gone)[1], "note") == ["saw", "saw and"]


def test_a_generalised_kind_shows_what_its_class_shares() -> None:
    notes = ["We met in Paris.", "We met in Lyon.", "We met in Rome.", "We met in Naples."]
    detect = [{"lists": {"hide": [{"kind": "LOC", "terms": ["Paris", "Lyon", "Rome", "Naples"]}]}}]
    shown = made(notes, detect=detect, replace={"LOC": "generalise"})
    assert shown[:2] == ["We met in France."] * 2
    assert shown[2:] == ["We met in Italy."] * 2


TELLS = sorted(n for n in METHODS.names() if n not in ("label", "remove", "keep", "generalise"))


@pytest.mark.parametrize("how", TELLS)
@pytest.mark.parametrize("kind", ["PERSON", "EMAIL", "*"])
def test_a_method_that_tells_persons_apart_is_refused_by_name(how: str, kind: str) -> None:
    with pytest.raises(PolicyError) as refused:
        made(replace={kind: how})
    assert str(refused.value).startswith(
        f"replace.{kind}: {how} tells the persons of a class apart"
    )


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"protect": ["replace", {"plausibility": {"t": 10}}]}, "protect: 'plausibility'"),
        ({"protect": [{"disclosure": {}}]}, "protect: 'disclosure'"),
        ({"protect": []}, "protect: a table needs `replace`"),
        (
            {"replace": {"PERSON": {"how": "generalise", "least": 9}}},
            r"replace.PERSON: .*table.most_loss",
        ),
        (
            {"replace": {"PERSON": "generalise"}, "table": table(generalise=False)},
            "set table.generalise",
        ),
        (
            {"replace": {"PERSON": "generalise"}, "table": table(combinations=2)},
            "without combinations",
        ),
        (
            {"replace": {"EMAIL": "label"}, "table": table(kinds=["PERSON"])},
            "replace.EMAIL: has no effect",
        ),
        (
            {"replace": {"*": "keep"}},
            r"replace.\*: keep, but the column 'id' names persons; give ID a rule",
        ),
    ],
)
def test_what_a_table_cannot_show_is_refused_before_any_work(settings: Any, said: str) -> None:
    rules = policy.load(BASE | settings)
    with pytest.raises(PolicyError, match=said):
        anonymize(files.parse(b"no,such\ncolumns,here\n", "t.csv"), run_of(rules))


def test_kinds_with_a_rule_of_a_family_count() -> None:
    settings = table(kinds=["PERSON", "ACCOUNT"])
    assert made(replace={"CODE": "label"}, table=settings)[0].startswith("[PERSON]")


# Terms that are kept


def test_kept_terms_stay_and_persons_that_differ_in_them_share_no_class() -> None:
    notes = [
        f"{n} saw Karen Lee." if i % 2 else f"{n} was here." for i, n in enumerate(NAMES[1:] * 2)
    ]
    shown = made(notes, keep=["karen lee"])
    assert [("Karen Lee" in note) for note in shown] == [bool(i % 2) for i in range(6)]
    assert not any(name in note for note in shown for name in NAMES[1:])


def test_a_kept_term_that_tells_a_person_apart_is_refused_with_its_line() -> None:
    with pytest.raises(
        InputError, match=r"t.csv:2: fewer than k = 2 persons share the terms of `keep`"
    ):
        made(keep=["Karen Lee"])


def test_kept_terms_stay_where_terms_are_given() -> None:
    cities = ["Rome", "Rome", "Oslo", "Bern"]
    data = csv_bytes(["id", "text"], [[f"p{n}", f"in {city}"] for n, city in enumerate(cities)])
    rules = policy.load(
        {"keep": ["Rome"], "table": {"k": 2, "columns": {"id": "direct", "text": "text"}}}
    )
    given = [[("GPE", p)] for p in cities]
    shown = column(release(data, rules, given=given)[1], "text")
    assert shown[:2] == ["in Rome", "in Rome"]
    assert "Oslo" not in shown[2]
    assert shown[2] == shown[3]


def test_a_kept_direct_identifier_is_refused() -> None:
    data = csv_bytes(
        ["name", "note"], [["Unterberg", "saw Unterberg"], ["Oberdorf", "saw Unterberg"]]
    )
    columns = {"name": "direct", "note": "text"}
    rules = policy.load(
        {"detect": [], "keep": ["Unterberg"], "table": {"k": 2, "columns": columns}}
    )
    with pytest.raises(
        InputError, match=r"t.csv:2: `keep` names a term of 'note' that must be hidden"
    ):
        release(data, rules)


def test_a_kept_term_that_its_column_no_longer_shows_is_refused() -> None:
    data = csv_bytes(
        ["id", "city", "note"], [["1", "Zwolle", "from Zwolle"], ["2", "Deventer", "from Deventer"]]
    )
    cities = [{"lists": {"hide": [{"kind": "CITY", "terms": ["Zwolle", "Deventer"]}]}}]
    columns = {"id": "direct", "city": {"role": "quasi", "kinds": ["CITY"]}, "note": "text"}
    rules = policy.load(
        {"detect": cities, "keep": ["Zwolle"], "table": {"k": 2, "columns": columns}}
    )
    with pytest.raises(InputError, match="`keep`"):
        release(data, rules)


# All settings there are


CHANGES: dict[str, Any] = {
    "detect": ["patterns"],
    "protect": ["replace", {"plausibility": {"t": 10}}],
    "replace": {"PERSON": {"how": "label", "text": "NOBODY"}},
    "keep": ["Karen Lee"],
    "threshold": 1.0,
    "limits": {"file_bytes": 10},
    "table": table(k=4),
    "know": {"taxonomies": ["nowhere.csv"]},
    "language": "de",
}
SAYS_NOTHING = {"name", "description"}  # what reports call it
OTHERS = {"ledger", "public_key", "log"}  # a file's name, who makes it, what is said of other files
# Detect/test_language.py, and the methods of `replace` that read dates
ELSEWHERE = {"unread", "date_order"}


def test_every_setting_is_known_here() -> None:
    """A new setting must be applied to tables or refused, and be listed above."""
    assert {*CHANGES, *SAYS_NOTHING, *OTHERS, *ELSEWHERE} == set(Policy.model_fields)


@pytest.mark.parametrize("name", sorted(set(CHANGES) - {"limits", "know"}))
def test_a_setting_changes_the_release_or_is_refused(name: str) -> None:
    notes = [*NOTES[:2], "call 555-0142-99 now", "call 555-0142-98 now"]
    plain = published(notes).data
    try:
        changed = published(notes, **{name: CHANGES[name]}).data
    except SfumatoError:
        return
    assert changed != plain


def test_a_threshold_counts() -> None:
    data = csv_bytes(["id", "note"], [[str(n), note] for n, note in enumerate(NOTES)])
    rules = {"detect": ["patterns"], "table": {"k": 2, "columns": {"id": "direct", "note": "text"}}}
    table_ = files.parse(data, "t.csv")
    strict = policy.load(rules | {"threshold": 1.0})
    lax = policy.load(rules | {"threshold": 0.1})
    found = [PolicyRecogniser(p).texts(table_.texts("note")) for p in (strict, lax)]
    assert sum(map(len, found[0].values())) < sum(map(len, found[1].values()))
