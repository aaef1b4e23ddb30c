"""A released log is counted again, by the definition alone."""

from __future__ import annotations

import pytest

from sfumato import policy
from sfumato.document import Claim, Edit, Origin, Record
from sfumato.verify import Check, Evidence, check_claims, unstated

LOG = "user,document\nann,flu\nbob,Flu\nbob,my street\ncem,flu\n"
GOOD = "user,document\nu1,flu\nu2,flu\nu3,flu\n"
NAMES = ("documents of k users", "only whole rows left out", "users not named")


def checked(
    data: str, k: int = 3, *, certified: int = 3, ledger: bool = True, match: str = "normal_form"
) -> dict[str, Check]:
    parameters = {"k": certified, "user": "user", "document": "document", "match": match}
    claims = [Claim(NAMES[0], parameters | {"input": ".csv", "output": ".csv"})]
    claims += [Claim(name) for name in NAMES[1:]]
    rules = policy.load({"log": {"k": k, "match": match}})
    edit = Edit(0, len(LOG), "LOG", data, "left out", "log")
    record = Record("out.csv", Origin(), (edit,), (LOG,)) if ledger else None
    evidence = Evidence(data, rules, None, record, None, data.encode())
    return {check.name: check for check in check_claims(claims, evidence)}


def test_what_is_released_holds() -> None:
    found = checked(GOOD)
    assert [found[name].verdict for name in NAMES] == ["holds"] * 3
    assert found[NAMES[0]].detail == "k = 3; 1 documents, each of 3 users or more"
    assert found[NAMES[1]].detail == "1 of 4 rows were left out"


def test_without_the_ledger_users_are_counted_all_the_same() -> None:
    found = checked(GOOD, ledger=False)
    verdicts = [found[name].verdict for name in NAMES]
    assert verdicts == ["holds", "cannot be checked", "cannot be checked"]


@pytest.mark.parametrize(
    ("data", "claim"),
    [
        (GOOD + "u2,my street\n", NAMES[0]),  # of one user
        (GOOD.replace("u3", "u2"), NAMES[0]),  # of two
        ("user,document,time\nu1,flu,1\nu2,flu,2\nu3,flu,3\n", NAMES[0]),
        ("who,document\nu1,flu\n", NAMES[0]),
        ("", NAMES[0]),
        (GOOD.replace("u2,flu", "u2,rash"), NAMES[1]),  # nobody wrote that
        (GOOD.replace("u3,flu\n", ""), NAMES[1]),  # a row is missing
        (GOOD.replace("u2,flu", "u2,FLU"), NAMES[1]),  # two spellings
        (GOOD.replace("u1", "u2"), NAMES[1]),  # two users of one name
        (GOOD.replace("u2", "bob"), NAMES[2]),
        (GOOD.replace("u2", "ANN"), NAMES[2]),  # in any case
    ],
)
def test_what_does_not_hold_is_found(data: str, claim: str) -> None:
    assert checked(data, 3)[claim].failed


def test_k_is_that_of_the_policy_and_not_of_the_certificate() -> None:
    for asked, certified in ((4, 3), (3, 2), (3, 9)):
        found = checked(GOOD, asked, certified=certified)[NAMES[0]]
        assert found.detail == "the claim is not what the policy asks for"


def test_a_claim_that_the_policy_asks_for_must_be_there() -> None:
    rules = policy.load({"log": {"k": 2}})
    assert rules.log is not None
    missing = [check.name for check in unstated([Claim(NAMES[0])], rules)]
    assert missing == [*NAMES[1:]]
    text = [
        check.name for check in unstated([Claim(name) for name in NAMES], policy.load("default"))
    ]
    assert "originals gone" in text
    kept = rules.model_copy(update={"log": rules.log.model_copy(update={"users": "keep"})})
    assert [check.name for check in unstated([Claim(NAMES[0])], kept)] == [NAMES[1]]


@pytest.mark.parametrize(("other", "verdict"), [('"36"', "holds"), ("36", "does not hold")])
def test_documents_that_read_the_same_and_are_written_otherwise_are_two(
    other: str, verdict: str
) -> None:
    data = f'{{"user": "u1", "document": "36"}}\n{{"user": "u2", "document": {other}}}\n'
    rules = policy.load({"log": {"k": 2}})
    asked = {"k": 2, "user": "user", "document": "document", "match": "exact"}
    claim = Claim(NAMES[0], asked | {"input": ".jsonl", "output": ".jsonl"})
    evidence = Evidence(data, rules, None, None, None, data.encode(), name="log.jsonl")
    assert check_claims([claim], evidence)[0].verdict == verdict
