"""A released table that is not what its certificate says is found out."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from sfumato import policy
from sfumato.detect.finder import Finder
from sfumato.document import (
    Claim,
    Edit,
    Patch,
    Record,
    Release,
    released_spans,
    restored,
    unrender,
)
from sfumato.formats import table as files
from sfumato.formats.cells import Cells
from sfumato.keys import Key
from sfumato.policy import Policy
from sfumato.policy.table import SensitiveTerms
from sfumato.release import certificate
from sfumato.release.examination import examine
from sfumato.verify import Evidence, check_claims, unstated
from sfumato.verify.check import Check
from sfumato.verify.tables import claims as tables
from sfumato.verify.tables.rows import K_ANONYMOUS, _says
from sfumato.verify.tables.values import covered
from tests.conftest import EXAMPLES
from tests.protect.tables.tables import KEY, csv_bytes, release, rules


@pytest.fixture(scope="module")
def blog() -> tuple[Policy, Release]:
    settings = policy.load(EXAMPLES / "blog.yaml")
    _, published = release((EXAMPLES / "blog.csv").read_bytes(), settings)
    return settings, published


def table_evidence(
    data: bytes,
    settings: Policy | None = None,
    find: Finder | None = None,
    record: Record | None = None,
    key: Key | None = None,
) -> Evidence:
    return Evidence(text_of(data), settings, find, record, key, data, name="table.csv")


def text_of(data: bytes) -> str:
    """What a table says, cell by cell."""
    return Cells(files.parse(data, "table.csv")).text


def fitted(published: Release, data: bytes) -> Record:
    """The record of a release that was changed, made to fit: whoever changed it had the ledger too. Cells
    stay where they are, and none has a line end in it."""
    record = published.record
    edits, at = list(record.edits), 0
    for before, after in zip(published.text.split("\n"), text_of(data).split("\n"), strict=True):
        same = common(before, after)
        rest = common(before[same:][::-1], after[same:][::-1])
        if before != after:
            start, end = at + same, at + len(before) - rest
            edits = changed(edits, start, end, after[same : len(after) - rest], published.text)
        at += len(before) + 1
    original = unrender(published.text, record)
    return Record(
        record.name,
        record.origin,
        tuple(edits),
        tuple(original[e.start : e.end] for e in edits),
        (Patch(0, len(data.decode()), restored(published.data, record).decode()),),
    )


def common(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = zip(one, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def changed(edits: list[Edit], start: int, end: int, new: str, text: str) -> list[Edit]:
    """Edits after which a release shows something else from `start` to `end`."""
    start = start if start < end else start - 1
    new = new if start < end else text[start] + new
    spans = released_spans(edits)
    hit = [i for i, (a, b) in enumerate(spans) if a < end and start < b]
    before = sum(b <= start for _, b in spans) if not hit else hit[0]
    if hit:
        first, last = edits[hit[0]], edits[hit[-1]]
        begin, stop = spans[hit[0]][0], spans[hit[-1]][1]
        said = text[begin : max(start, begin)] + new + text[min(end, stop) : stop]
        return [
            *edits[:before],
            replace(first, end=last.end, replacement=said),
            *edits[hit[-1] + 1 :],
        ]
    moved = sum(e.end - e.start - len(e.replacement) for e in edits[:before])
    added = Edit(start + moved, end + moved, "OTHER", new, "for this test")
    return [*edits[:before], added, *edits[before:]]


def _evidence(
    blog: tuple[Policy, Release], *, data: bytes | None = None, full: bool = True
) -> Evidence:
    settings, published = blog
    data = published.data if data is None else data
    if not full:
        return table_evidence(data, settings)
    return table_evidence(data, settings, Finder(settings), published.record, KEY)


def _verdicts(checks: Iterable[Check]) -> dict[str, str]:
    return {check.name: check.verdict for check in checks}


def _replaced(
    blog: tuple[Policy, Release], old: str, new: str, full: bool = True, fit: bool = True
) -> dict[str, str]:
    """What is left of the claims when the release is changed. The ledger's record is made to `fit`, so that
    only the claim itself can say no."""
    _, published = blog
    text = published.data.decode()
    assert old in text
    shown = text.replace(old, new, 1)
    evidence = _evidence(blog, data=shown.encode(), full=full)
    if full and fit:
        evidence = replace(evidence, record=fitted(published, shown.encode()))
    return _verdicts(check_claims(published.certificate.claims, evidence))


def test_everything_holds_with_the_ledger(blog: tuple[Policy, Release]) -> None:
    checks = examine(blog[1].certificate, _evidence(blog))
    assert {check.verdict for check in checks} == {"holds"}


def test_without_the_ledger_the_classes_are_still_counted(blog: tuple[Policy, Release]) -> None:
    verdicts = _verdicts(examine(blog[1].certificate, _evidence(blog, full=False)))
    assert verdicts[K_ANONYMOUS] == "holds"
    for name in (tables.HIDDEN_GONE, tables.DIRECT_GONE, tables.ROWS):
        assert verdicts[name] == "cannot be checked"


@pytest.mark.parametrize(
    ("old", "new", "claim"),
    [
        ("[24-36]", "[24-37]", K_ANONYMOUS),
        ("Pisces,2004-05", "Leo,2004-05", K_ANONYMOUS),
        ("an engineer who", "a teacher who", K_ANONYMOUS),
        ("Stay dry", "Stay in Canada", K_ANONYMOUS),
        ("[24-36] years old", "[24-30] years old", K_ANONYMOUS),
        ("I am [PERSON]", "I am Pedro", tables.HIDDEN_GONE),
        ("more about my courses", "more about PEDRO", tables.HIDDEN_GONE),
        ("P2,male", "P1,male", K_ANONYMOUS),
        ("Stay dry", "Stay wet", tables.ROWS),
    ],
)
def test_a_change_breaks_its_claim(
    blog: tuple[Policy, Release], old: str, new: str, claim: str
) -> None:
    full = claim != K_ANONYMOUS or "Canada" in new
    assert _replaced(blog, old, new, full, claim != tables.ROWS)[claim] == "does not hold"


def test_a_cell_that_does_not_hold_the_original_is_found(blog: tuple[Policy, Release]) -> None:
    _, published = blog
    text = published.data.decode().replace("[24-36]", "[25-36]")
    evidence = _evidence(blog, data=text.encode())
    evidence = replace(evidence, record=fitted(published, text.encode()))
    assert _verdicts(check_claims(published.certificate.claims, evidence))[tables.ROWS] == (
        "does not hold"
    )


def test_rows_that_are_missing_are_found(blog: tuple[Policy, Release]) -> None:
    lines = blog[1].data.decode().splitlines(keepends=True)
    verdicts = _replaced(blog, lines[2], "", fit=False)
    assert verdicts[tables.ROWS] == "does not hold"


def test_a_direct_identifier_in_a_cell_is_found() -> None:
    rows = [["u1", "Kowalczyk", "a note"], ["u2", "Ito-Kuiperberg", "another"]]
    columns = {"id": "direct", "name": "direct", "text": "text"}
    settings = rules(columns)
    _, published = release(csv_bytes(list(columns), rows), settings)
    for said in ("see KOWALCZYK", "see ito  kuiperberg", "see Kuiperberg (Ito)"):
        text = published.data.decode().replace("a note", said)
        record = fitted(published, text.encode())
        evidence = table_evidence(text.encode(), settings, None, record, KEY)
        found = _verdicts(check_claims(published.certificate.claims, evidence))
        assert found[tables.DIRECT_GONE] == "does not hold"


@pytest.mark.parametrize("said", ["see ZELDA QUARX", "see Hope"])
def test_a_direct_identifier_of_a_row_that_was_left_out_is_found(said: str) -> None:
    columns = {"id": "direct", "name": "direct", "town": "quasi", "text": "text"}
    rows = [["u1x", "Zelda Quarx", "", "x"], ["u2x", "Ygor Brann", "Ulm", "a note"]]
    rows += [["u2x", "Hope", "", "x"], ["u3x", "Xaver Tonn", "Ulm", "another"]]
    settings = rules(columns, empty="drop")
    _, published = release(csv_bytes(list(columns), rows), settings)
    data = published.data.replace(b"a note", said.encode())
    evidence = table_evidence(data, settings, None, left_out(published, data, said), KEY)
    found = _verdicts(check_claims(published.certificate.claims, evidence))
    assert found[tables.DIRECT_GONE] == "does not hold"


def left_out(published: Release, data: bytes, said: str) -> Record:
    """The record of a release in which a note says something else."""
    record = published.record
    original = unrender(published.text, record)
    at = original.index("a note")
    edits = sorted([*record.edits, Edit(at, at + 6, "OTHER", said, "why")], key=lambda e: e.start)
    words = tuple(original[e.start : e.end] for e in edits)
    patch = Patch(0, len(data.decode()), restored(published.data, record).decode())
    return Record(record.name, record.origin, tuple(edits), words, (patch,))


def test_another_key_a_forged_certificate_and_another_policy(
    blog: tuple[Policy, Release],
) -> None:
    _, published = blog
    evidence = replace(_evidence(blog), key=Key(bytes(32)))
    verdicts = _verdicts(examine(published.certificate, evidence))
    assert verdicts["certificate is genuine"] == "does not hold"
    assert verdicts["release is the certified one"] == "holds"  # as whoever wrote that says
    other = replace(_evidence(blog), policy=rules({"id": "direct", "text": "text"}))
    assert _verdicts(examine(published.certificate, other))["policy is the certified one"] == (
        "does not hold"
    )


def test_a_certificate_that_claims_less_is_found(blog: tuple[Policy, Release]) -> None:
    made = blog[1].certificate
    less = replace(made, claims=made.claims[:1])
    checks = [c for c in examine(less, _evidence(blog)) if c.name == tables.HIDDEN_GONE]
    assert checks[0].detail == "the certificate does not claim it"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"k": 1}, "does not promise the policy's k = 2"),
        ({"k": 3}, "does not promise the policy's k = 2"),
        ({"combinations": 2}, "does not promise"),
        ({"quasi": ["gender", "age", "sign", "date"]}, "does not count 'topic' as quasi"),
        ({"text": []}, "does not count 'text' as text"),
        ({"insensitive": ["gender"]}, "is not what the policy asks for"),
        ({"person": None}, "is not what the policy asks for"),
        ({"clean": ["html"]}, "is not what the policy asks for"),
        ({"more": 1}, "is not what the policy asks for"),
    ],
)
def test_a_certificate_that_promises_less_than_the_policy_is_found(
    blog: tuple[Policy, Release], change: dict[str, Any], said: str
) -> None:
    first, *others = blog[1].certificate.claims
    less = Claim(first.name, {**first.parameters, **change})
    check = check_claims([less, *others], _evidence(blog))[0]
    assert check.failed
    assert said in check.detail


def test_what_the_policy_asks_of_sensitive_columns_and_terms_must_be_claimed() -> None:
    columns = {
        "id": "direct",
        "age": {"role": "quasi", "type": "number"},
        "ill": {"role": "sensitive", "distinct": 2},
        "text": "text",
    }
    settings = rules(
        columns, lists={"ILL": ["gout"]}, k=4, sensitive_terms={"kinds": ["ILL"], "closeness": 0.5}
    )
    rows = [[f"u{i}", str(i), ill, "gout" if i else ""] for i, ill in enumerate(["a", "b"] * 2)]
    settings = policy.load(
        settings.model_copy(
            update={
                "table": settings.table
                and settings.table.model_copy(update={"empty": "keep-empty"})
            }
        )
    )
    made = release(csv_bytes(list(columns), rows), settings)[1]
    evidence = table_evidence(made.data, settings, None, made.record, KEY)
    both = ("diverse", "sensitive terms not told")
    silent = [c for c in made.certificate.claims if c.name not in both]
    assert [c.name for c in unstated(silent, settings)] == list(both)
    weak = Claim("diverse", {"demands": []})
    check = check_claims([*silent, weak], evidence)[-1]
    assert check.detail == "the claim is not what the policy asks for"


def test_a_certificate_names_the_taxonomy_that_terms_were_made_general_by() -> None:
    columns = {"id": "direct", "text": "text"}
    data = csv_bytes(["id", "text"], [["u1", "a"], ["u2", "b"]])
    for generalise in (True, False):
        made = release(data, rules(columns, generalise=generalise))[1]
        assert ("taxonomy" in made.certificate.knowledge) is generalise


def test_a_certificate_that_does_not_fit_fails_all_claims(blog: tuple[Policy, Release]) -> None:
    _, published = blog
    claim = published.certificate.claims[0]
    for change in (
        {"quasi": ["nothing"]},
        {"terms": {"text": {"kept": ["99 0 1 X"]}}},
        {"terms": {"text": {"kept": ["-1 0 1 X"]}}},
        {"terms": {"text": {"kept": ["0 5 4 X"]}}},
        {"text": [""]},
    ):
        broken = Claim(claim.name, {**claim.parameters, **change})
        checks = check_claims([broken], _evidence(blog, full=False))
        assert checks[0].failed
    assert (
        check_claims([claim, Claim("greener")], _evidence(blog))[1].verdict == "cannot be checked"
    )


def test_the_certificate_survives_its_file_and_holds_nothing_hidden(
    blog: tuple[Policy, Release],
) -> None:
    _, published = blog
    text = published.certificate.to_json()
    assert certificate.parse(text, "x").claims[0].parameters["k"] == 2
    for hidden in ("Pedro", "Mexico", "Canada", "Ben", "biologist", "four days ago"):
        assert hidden not in text
    assert json.loads(text)["claims"][0]["terms"]["text"]["kept"][0] == "0 53 61 JOB"


def test_persons_cannot_be_counted_without_the_ledger_when_their_column_is_left_out() -> None:
    columns = {
        "id": {"role": "direct", "how": "remove"},
        "age": {"role": "quasi", "type": "number"},
    }
    rows = [["a1x", "1"], ["a1x", "1"], ["b1x", "2"], ["c1x", "3"], ["d1x", "3"]]
    settings = rules(columns)
    _, published = release(csv_bytes(["id", "age"], rows), settings)
    claims = published.certificate.claims
    bare = _verdicts(check_claims(claims, table_evidence(published.data, settings)))
    assert bare[K_ANONYMOUS] == "cannot be checked"
    full = table_evidence(published.data, settings, None, published.record, KEY)
    assert _verdicts(check_claims(claims, full))[K_ANONYMOUS] == "holds"


@pytest.mark.parametrize(
    ("demand", "cells"),
    [
        ({"distinct": 2}, ["flu", "flu", "gout", "gout"]),
        ({"entropy": 1.9}, ["flu", "flu", "gout", "gout"]),
        ({"closeness": 0.1}, ["flu", "flu", "gout", "gout"]),
        ({"closeness": 0.1, "type": "number"}, ["1", "1", "9", "9"]),
    ],
)
def test_diversity_is_counted_again(demand: dict[str, object], cells: list[str]) -> None:
    """Sensitive values are moved between the rows of the release: the classes stay, their values do not."""
    mixed = [cells[0], cells[2], cells[1], cells[3]]
    columns = {
        "id": "direct",
        "age": {"role": "quasi", "type": "number"},
        "ill": {"role": "sensitive"} | demand,
    }
    rows = [[f"x{i}", str(a), m] for i, (a, m) in enumerate(zip([1, 2, 8, 9], mixed, strict=True))]
    settings = rules(columns, strategy="mondrian")
    made, published = release(csv_bytes(["id", "age", "ill"], rows), settings)
    assert made.statistics.count == 2
    lines = published.data.decode().splitlines()
    moved = [
        line.rsplit(",", 1)[0] + "," + cell for line, cell in zip(lines[1:], cells, strict=True)
    ]
    data = "\n".join([lines[0], *moved, ""]).encode()
    evidence = table_evidence(data, settings)
    checks = _verdicts(check_claims(published.certificate.claims, evidence))
    assert checks[K_ANONYMOUS] == "holds"
    assert checks[tables.DIVERSE] == "does not hold"


def test_rare_combinations_are_counted_again() -> None:
    said = ["red", "red", "blue", "blue"]
    rows = [[f"p{i}", "1", t] for i, t in enumerate(said)]
    columns = {"id": "direct", "n": "quasi", "text": "text"}
    settings = rules(
        columns, lists={"COLOUR": ["red", "blue"]}, combinations=1, strategy="gdf", k=2
    )
    _, published = release(csv_bytes(["id", "n", "text"], rows), settings)
    claims = published.certificate.claims
    good = table_evidence(published.data, settings, Finder(settings))
    assert not any(check.failed for check in check_claims(claims, good))
    bad = replace(good, data=published.data.replace(b"red", b"blue red", 1))
    found = check_claims(claims, replace(bad, find=None))
    assert found[0].failed


def test_a_sensitive_term_that_a_class_tells_is_found() -> None:
    rows = [[f"x{i}", f"I have {t}"] for i, t in enumerate(["gout", "gout", "flu", "flu"])]
    settings = rules(
        {"id": "direct", "text": "text"}, lists={"ILL": ["gout", "flu"]}, strategy="gdf"
    )
    _, published = release(csv_bytes(["id", "text"], rows), settings)
    claim = Claim(tables.NOT_TOLD, {"kinds": ["ILL"], "closeness": 1.0})
    assert settings.table is not None
    asked = settings.table.model_copy(update={"sensitive_terms": SensitiveTerms(kinds=("ILL",))})
    stricter = settings.model_copy(update={"table": asked})
    evidence = table_evidence(published.data, stricter, None, published.record, KEY)
    checks = check_claims([*published.certificate.claims, claim], evidence)
    assert "tells a sensitive term" in checks[-1].detail
    others: list[dict[str, Any]] = [{"closeness": 0.9}, {"kinds": []}, {"more": 1}]
    for other in others:
        weaker = Claim(claim.name, {**claim.parameters, **other})
        assert check_claims([*published.certificate.claims, weaker], evidence)[-1].failed


def _changed(published: Release, settings: Policy, old: str, new: str) -> dict[str, str]:
    text = published.data.decode()
    assert old in text
    text = text.replace(old, new)
    record = fitted(published, text.encode())
    evidence = table_evidence(text.encode(), settings, None, record, KEY)
    return _verdicts(check_claims(published.certificate.claims, evidence))


def test_a_direct_identifier_in_a_quasi_identifier_is_found() -> None:
    settings = rules({"id": "direct", "city": "quasi"})
    data = csv_bytes(["id", "city"], [["Ito-Berg", "Zwolle"], ["u2x", "Tilburg"]])
    _, published = release(data, settings)
    assert (
        _changed(published, settings, "Zwolle", "ito berg")[tables.DIRECT_GONE] == "does not hold"
    )


@pytest.mark.parametrize(
    ("old", "new"), [("well.", "36."), ("a friend", "36 years old"), ("note", "36-years old")]
)
def test_what_is_shown_as_its_column_and_stands_elsewhere_is_found(old: str, new: str) -> None:
    columns = {
        "id": "direct",
        "age": {"role": "quasi", "type": "number", "kinds": ["AGE"]},
        "text": "text",
        "x": "insensitive",
    }
    settings = policy.load({"detect": ["patterns"], "table": {"k": 2, "columns": columns}})
    rows = [
        ["u1x", "36", "I am 36 years old. 36; all is well.", "note"],
        ["u2x", "24", "a friend", "y"],
    ]
    _, published = release(csv_bytes(list(columns), rows), settings)
    assert _changed(published, settings, old, new)[tables.HIDDEN_GONE] == "does not hold"


@pytest.mark.parametrize(
    ("value", "shown", "holds"),
    [
        ("1e-9", "[2e-9-3e-9]", False),
        ("2.5e-9", "[2e-9-3e-9]", True),
        ("-4", "[-5--3]", True),
        ("0.30000000000000004", "0.3", True),
    ],
)
def test_ranges_of_small_numbers_are_read(value: str, shown: str, holds: bool) -> None:
    assert covered(value, shown, "number", None, {}) is holds


def test_people_are_persons() -> None:
    assert _says("some people", "person")
    assert not _says("some dogs", "person")
    assert not _says("martin", "mary")


RAW = csv_bytes(
    ["id", "age", "note", "x"],
    [["1", "30", "Fred Wieczorek is fine.", "a"], ["2", "30", "Mart Achterberg is fine.", "b"]],
)


def forged(detect: list[Any] | None = None, data: bytes = RAW, **changes: Any) -> Check:
    """The claim of a certificate that somebody made up, beside a table of which nothing is hidden."""
    names = [
        {"lists": {"hide": [{"kind": "PERSON", "terms": ["Fred Wieczorek", "Mart Achterberg"]}]}}
    ]
    columns = {
        "id": "direct",
        "age": {"role": "quasi", "type": "number", "kinds": ["AGE"]},
        "note": "text",
        "x": "insensitive",
    }
    rules = policy.load({"detect": detect or names, "table": {"k": 2, "columns": columns}})
    parameters: dict[str, Any]
    parameters = {"k": 2, "combinations": None, "form": "csv", "encoding": "utf-8", "person": "id"}
    parameters |= {"quasi": ["age"], "text": ["note"], "insensitive": ["x"], "direct": ["id"]}
    parameters |= {"given": False, "clean": [], "labels": [], "terms": {}}
    claim = Claim(K_ANONYMOUS, {**parameters, **changes})
    return check_claims([claim], table_evidence(data, rules, Finder(rules)))[0]


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"labels": ["Fred Wieczorek", "Mart Achterberg"]},
        {"labels": ["e"]},
        {"terms": {"note": {"column": ["0 0 14 AGE age", "1 0 15 AGE age"]}}},
        {"terms": {"note": {"general": ["0 0 14 PERSON mar", "1 0 15 PERSON mar"]}}},
        {"terms": {"note": {"general": ["0 0 14 PERSON", "1 0 15 PERSON"]}}},
        {
            "terms": {
                "note": {"kept": [f"{row} {at} {at + 1} X" for row in (0, 1) for at in range(15)]}
            }
        },
        {"terms": {"note": {"column": ["0 0 23 X note", "1 0 24 X note"]}}},
        {"terms": {"note": {"column": ["0 0 14 X id", "1 0 15 X id"]}}},
        {"terms": {"other": {"kept": []}}},
        {"terms": []},
        {"terms": {"note": {"kept": ["0 0 x X"]}}},
        {"terms": {"note": {"kept": ["0"]}}},
        {"quasi": 5},
        {"labels": 5},
        {"encoding": "no such thing"},
        {"form": "jsonl"},
        {"encoding": "cp037"},
    ],
)
def test_what_a_forged_certificate_says_of_a_raw_table_hides_no_name(
    changes: dict[str, Any],
) -> None:
    assert forged(**changes).failed


@pytest.mark.parametrize("word", ["thirty", "30", "aged 30 or so"])
def test_a_name_beside_a_columns_value_is_still_a_name(word: str) -> None:
    data = RAW.replace(b"Fred Wieczorek", f"{word}: Fred Wieczorek".encode())
    end = len(word) + 2 + 14
    assert forged(data=data, terms={"note": {"column": [f"0 0 {end} AGE age"]}}).failed


def test_a_claim_of_mixed_values_fails_with_the_table_where_nobody_can_tell_persons() -> None:
    columns = {
        "id": {"role": "direct", "how": "remove"},
        "ill": {"role": "sensitive", "distinct": 2},
    }
    settings = rules({**columns, "age": "quasi"})
    rows = [["u1", "flu", "1"], ["u2", "gout", "1"]]
    _, published = release(csv_bytes(["id", "ill", "age"], rows), settings)
    first, *others = published.certificate.claims
    forged = [Claim(first.name, {**first.parameters, "k": 3}), *others]
    found = _verdicts(check_claims(forged, table_evidence(published.data, settings)))
    assert found[K_ANONYMOUS] == found[tables.DIVERSE] == "does not hold"


def test_terms_that_are_said_to_be_given_need_the_ledger() -> None:
    check = forged(given=True)
    assert check.verdict == "cannot be checked"
    assert check.detail.startswith("without the ledger: the terms were given, no detector")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b"note,x", b"note,y", "the release shows 'y', which the policy leaves out"),
        (b"id,age", b"id,years", "the release or its certificate does not fit"),
        (b",x\n", b",id#2\n", "the release shows 'id#2', which the policy leaves out"),
    ],
)
def test_other_columns_than_the_policy_has_are_found(old: bytes, new: bytes, said: str) -> None:
    assert forged(data=RAW.replace(old, new)).detail == said


def test_the_label_of_direct_identifiers_is_one_that_the_policy_writes() -> None:
    settings = rules({"name": "direct", "text": "text"})
    rows = [["Wieczorek", "Wieczorek came."], ["Achterberg", "Achterberg came."]]
    _, published = release(csv_bytes(["name", "text"], rows), settings)
    assert b"[ID] came." in published.data
    found = check_claims(published.certificate.claims, table_evidence(published.data, settings))
    assert found[0].verdict == "holds"


def test_every_row_of_a_person_counts_for_mixed_values() -> None:
    columns = {"id": "direct", "sex": "quasi", "ill": {"role": "sensitive", "distinct": 2}}
    settings = rules(columns, person="id")
    rows = [["ann", "f", "flu"], ["bea", "f", "cold"], ["cem", "m", "flu"], ["dan", "m", "cold"]]
    _, published = release(csv_bytes(["id", "sex", "ill"], rows), settings)
    lines = published.data.decode().splitlines()
    more = [line.rsplit(",", 1)[0] + ",HIV" for line in lines[1:3]]
    data = "\n".join([*lines, *more, ""]).encode()
    for told, verdict in ((published.data, "holds"), (data, "does not hold")):
        checks = check_claims(published.certificate.claims, table_evidence(told, settings))
        assert _verdicts(checks)[tables.DIVERSE] == verdict


SPELLINGS = [
    ("HIV", "hiv"),
    ("HIV", "H\u200bIV"),
    ("HIV", "ＨＩＶ "),
    ("HIV-1", "HIV 1"),
    ("HIV-1", "HIV–1."),
    ("HIV-1", "HIV−1"),
    ("HIV 1", "hiv⁃1"),
    ("Type 2 diabetes", "Type-2-diabetes"),
    ("B12 deficiency", "B-12‑deficiency"),
    ("A-", "A−"),
    ("Sífilis", "sifilis"),
    ("Crohn's disease", "Crohn’s  Disease"),
    ("5000", "5,000.0"),
    ("5000", "5000."),
    ("0.3", "0.30000000000000004"),
    ("-1.1", "-1.0999999999999999"),
    ("", " "),
]


@pytest.mark.parametrize("demand", [{"distinct": 2}, {"entropy": 2}])
@pytest.mark.parametrize(("one", "other"), SPELLINGS)
def test_spellings_of_one_value_are_not_mixed(one: str, other: str, demand: dict[str, int]) -> None:
    settings = rules(
        {"id": "direct", "town": "quasi", "ill": {"role": "sensitive"} | demand}, empty="keep-empty"
    )
    rows = [["a1", "Ulm", one], ["a2", "Ulm", other], ["a3", "Bonn", "x"], ["a4", "Bonn", "y"]]
    made, published = release(csv_bytes(["id", "town", "ill"], rows), settings)
    assert made.statistics.count == 1
    free = rules({"id": "direct", "town": "quasi", "ill": "sensitive"}, empty="keep-empty")
    _, apart = release(csv_bytes(["id", "town", "ill"], rows), free)
    for data, verdict in ((published.data, "holds"), (apart.data, "does not hold")):
        checks = check_claims(published.certificate.claims, table_evidence(data, settings))
        assert _verdicts(checks)[tables.DIVERSE] == verdict


@pytest.mark.parametrize(
    ("one", "other"), [("Meniere", "Ménière"), ("HIV", "HI\u200bV"), ("HIV-1", "hiv 1")]
)
def test_spellings_of_one_sensitive_term_tell_it(one: str, other: str) -> None:
    columns, lists = {"id": "direct", "town": "quasi", "note": "text"}, {"ILL": [one, "flu"]}
    asked = rules(columns, lists=lists, sensitive_terms={"kinds": ["ILL"], "closeness": 1})
    rows = [["a1", "Ulm", f"he has {one} now"], ["a2", "Ulm", f"she has {other} now"]]
    rows += [["a3", "Bonn", "fine"], ["a4", "Bonn", "fine too"]]
    data = csv_bytes(list(columns), rows)
    made, _ = release(data, asked)
    assert made.statistics.count == 1
    loose, published = release(data, rules(columns, lists=lists))
    assert loose.statistics.count == 2
    claim = Claim(tables.NOT_TOLD, {"kinds": ["ILL"], "closeness": 1.0})
    evidence = table_evidence(published.data, asked, None, published.record, KEY)
    checks = check_claims([*published.certificate.claims, claim], evidence)
    assert "tells a sensitive term" in checks[-1].detail


@pytest.mark.parametrize(
    ("settings", "one", "other"),
    [
        ({"type": "number"}, "5000", "5,000.0"),
        ({"type": "number"}, "0.3", "0.30000000000000004"),
        ({"type": "number"}, "4.35e22", "43499999999999999999999"),
        ({"type": "date", "format": "%d.%m.%Y"}, "04.05.2006", "4.5.2006"),
    ],
)
def test_numbers_and_days_are_compared_by_what_they_are(
    settings: dict[str, str], one: str, other: str
) -> None:
    columns = {
        "id": "direct",
        "town": "quasi",
        "v": {"role": "sensitive", "distinct": 2} | settings,
    }
    asked = rules(columns, empty="keep-empty")
    rows = [["a1", "Ulm", one], ["a2", "Ulm", other], ["a3", "Ulm", ""], ["a4", "Ulm", ""]]
    _, published = release(csv_bytes(["id", "town", "v"], rows), asked)
    data = csv_bytes(["id", "town", "v"], [["P1", "Ulm", one], ["P2", "Ulm", other]])
    checks = check_claims(published.certificate.claims, table_evidence(data, asked))
    assert _verdicts(checks)[tables.DIVERSE] == "does not hold"


def test_signs_that_say_something_make_other_values() -> None:
    for one, other in (("+", "-"), ("A+", "A-"), ("<5", ">5"), ("-5 %", "5 %"), ("5-10", "510")):
        columns = {"id": "direct", "town": "quasi", "v": {"role": "sensitive", "distinct": 2}}
        rows = [["a1", "Ulm", one], ["a2", "Ulm", other]]
        _, published = release(csv_bytes(["id", "town", "v"], rows), rules(columns))
        checks = published.certificate.claims
        found = check_claims(checks, table_evidence(published.data, rules(columns)))
        assert _verdicts(found)[tables.DIVERSE] == "holds"


def test_codes_that_read_as_one_number_are_not_close() -> None:
    """250.0 and 250.00 may be codes of two diseases: as numbers they count once, as names twice."""
    columns = {"id": "direct", "town": "quasi", "v": {"role": "sensitive", "closeness": 0.1}}
    rows = [
        ["a1", "Ulm", "250.0"],
        ["a2", "Ulm", "250.0"],
        ["a3", "Bonn", "250.00"],
        ["a4", "Bonn", "250.00"],
    ]
    made, _ = release(csv_bytes(["id", "town", "v"], rows), rules(columns))
    assert made.statistics.count == 1
