from __future__ import annotations

import pytest

import sfumato
from sfumato import policy
from sfumato.detect.finder import Finder
from sfumato.document import Claim, Origin, Record
from sfumato.keys import Key
from sfumato.verify import ALWAYS, Evidence, check_claims
from sfumato.verify.kinds import may_stand, no_known_term_left


def test_a_term_left_in_the_release_or_missed_in_the_original_fails(key: Key) -> None:
    rules = policy.load("default")
    bare = Record("x", Origin(), (), ())
    evidence = Evidence("Ask ann@example.org", rules, Finder(rules), bare, key)
    seen = {c.name: c for c in check_claims([Claim(c) for c in ALWAYS], evidence)}
    assert seen["no known term left"].detail == "1 found in the release, at 1:5"
    assert seen["every finding treated"].failed
    assert seen["unchanged outside edits"].failed


def test_a_look_alike_needs_the_ledger() -> None:
    rules = policy.load("research")
    seen = check_claims(
        [Claim("no known term left")], Evidence("Ask ann@example.org", rules, Finder(rules))
    )
    assert seen[0].verdict == "cannot be checked"
    assert seen[0].detail == "without the ledger: EMAIL found, which may be replacements"


@pytest.mark.parametrize("how", ["pseudonym", "hash", "encrypt"])
def test_a_code_in_a_terms_place_is_no_missed_term(how: str) -> None:
    text = "Ticket number 48213771, account no. 55512399. His wife Anna Weiss lives at 4 Mill Lane."
    settings = policy.load({"detect": ["patterns"], "replace": {"*": how}})
    released = sfumato.sanitize(text, settings).text
    check = no_known_term_left(
        Claim("no known term left"), Evidence(released, settings, Finder(settings))
    )
    assert check.verdict == "cannot be checked"
    assert "the ledger" in check.detail


@pytest.mark.parametrize(
    ("rule", "stays", "goes"),
    [
        ("keep", ["x"], []),
        ("label", [], ["[PERSON]", "PERSON"]),
        ("reduce", ["1984", "in 1984"], ["May 1984", "12/05/1984", "summer 1984"]),
        ({"how": "reduce", "to": "month"}, ["May 1984"], ["12 May 1984", "May 12th"]),
        ({"how": "reduce", "to": "decade"}, ["1980s"], ["1984", "May 1980"]),
        (
            {"how": "bucket", "top": 90, "below_top": "keep"},
            ["47", "89-year-old", "forty"],
            ["90", "ninety", "a"],
        ),
        ("bucket", ["40-49", "in her 40s"], ["47", "late forties", "40-48", "41-50", "forty"]),
        ({"how": "truncate", "keep": 3}, ["021**"], ["02139"]),
        ("encrypt", [], ["x"]),
    ],
)
def test_only_what_is_coarse_enough_may_stand(
    rule: object, stays: list[str], goes: list[str]
) -> None:
    rule = policy.Rule.model_validate(rule)
    assert all(may_stand(rule, text) for text in stays)
    assert not any(may_stand(rule, text) for text in goes)
