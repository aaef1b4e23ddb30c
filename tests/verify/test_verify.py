from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import sfumato
from sfumato import policy
from sfumato.detect.finder import Finder
from sfumato.document import Claim, Edit, Origin, Record, Release, encode
from sfumato.keys import Key
from sfumato.release.examination import examine
from sfumato.verify import ALWAYS, Evidence, check_claims
from sfumato.verify.check import places
from sfumato.verify.edits import originals_gone
from sfumato.verify.kinds import may_stand, no_known_term_left
from sfumato.verify.record import original_text

TEXT = "Write to ann.lee@example.org or call +44 20 7946 0958, said the 93-year-old."


@pytest.fixture
def release(key: Key) -> Release:
    return sfumato.sanitize(TEXT, key=key)


def verdicts(release: Release, key: Key | None, **change: Any) -> dict[str, str]:
    rules = policy.load("default")
    evidence = Evidence(
        release.text,
        rules,
        Finder(rules),
        release.record,
        key,
        encode(release.text, release.record.origin.encoding, release.name),
    )
    return {c.name: c.verdict for c in examine(release.certificate, replace(evidence, **change))}


def test_with_everything_at_hand_everything_holds(release: Release, key: Key) -> None:
    assert set(verdicts(release, key).values()) == {"holds"}
    assert all(c.verdict == "holds" for c in sfumato.verify(release, key=key))


def test_a_receiver_checks_what_the_release_alone_allows(release: Release) -> None:
    seen = verdicts(release, None, record=None)
    assert seen["no known term left"] == "cannot be checked"  # a year may be a replacement
    assert seen["policy is the certified one"] == "holds"
    assert seen["originals gone"] == seen["certificate is genuine"] == "cannot be checked"
    nothing = verdicts(release, None, record=None, policy=None, find=None)
    assert nothing["no known term left"] == "cannot be checked"
    assert (
        verdicts(release, key=None, policy=None, find=None)["every finding treated"]
        == "cannot be checked"
    )
    assert verdicts(release, key=None)["unchanged outside edits"] == "cannot be checked"


def test_a_changed_release_is_seen(release: Release, key: Key) -> None:
    text = release.text.replace("Write", "Wrote")
    seen = verdicts(release, key, text=text, data=text.encode())
    assert seen["release is the certified one"] == "does not hold"
    assert seen["unchanged outside edits"] == "does not hold"
    shifted = "x" + release.text
    assert verdicts(release, key, text=shifted)["originals gone"] == "does not hold"


def test_a_changed_certificate_is_seen(release: Release, key: Key) -> None:
    forged = replace(release, certificate=replace(release.certificate, policy="0" * 64))
    seen = verdicts(forged, key)
    assert seen["certificate is genuine"] == "does not hold"
    assert seen["policy is the certified one"] == "does not hold"
    stale = replace(release, certificate=replace(release.certificate, knowledge={"words": "?"}))
    assert verdicts(stale, key)["knowledge is the certified one"] == "does not hold"
    later = replace(release, certificate=replace(release.certificate, knowledge={"atlas": "?"}))
    assert verdicts(later, key)["knowledge is the certified one"] == "cannot be checked"
    used = {"words", "detector", "statistics", "taxonomy", "senses"}
    assert set(release.certificate.knowledge) == used


def test_an_unknown_claim_cannot_be_checked(release: Release) -> None:
    (check,) = check_claims([Claim("brand new")], Evidence(release.text))
    assert check.verdict == "cannot be checked"


def record(*edits: tuple[int, str, str]) -> Record:
    made = [Edit(start, start + len(old), "PERSON", new, "") for start, old, new in edits]
    return Record("x", Origin(), tuple(made), tuple(old for _, old, _ in edits))


@pytest.mark.parametrize(
    ("text", "edits", "verdict"),
    [
        ("X and Keller", [(0, "Keller", "X")], "does not hold"),
        ("X and KEL-LER", [(0, "Keller", "X")], "does not hold"),
        ("X and Kellers", [(0, "Keller", "X")], "holds"),
        ("X in May", [(0, "May", "X")], "holds"),
        ("old Keller", [(0, "Keller", "old Keller")], "does not hold"),
        ("Braun, Y", [(0, "Keller", "Braun"), (8, "Braun", "Y")], "holds"),
        ("X ☎", [(0, "☎", "X")], "does not hold"),
    ],
)
def test_originals_are_gone_or_it_is_said(
    text: str, edits: list[tuple[int, str, str]], verdict: str
) -> None:
    assert originals_gone(text, record(*edits)).verdict == verdict


def test_what_the_policy_keeps_may_stand() -> None:
    made = record((0, "Mary", "X"))
    assert originals_gone("X of St Mary", made).failed
    assert not originals_gone("X of St Mary", made, [(5, 12)]).failed


def test_an_ordinary_word_that_stands_elsewhere_is_reported() -> None:
    check = originals_gone("X came\nin May", record((0, "May", "X")))
    assert check.detail.endswith("2:4")


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


def test_a_record_that_contradicts_itself_fits_nothing() -> None:
    edits = (Edit(4, 6, "A", "x", ""), Edit(0, 2, "A", "y", ""))
    assert original_text("abcdefgh", Record("x", Origin(), edits, ("ab", "cd"))) is None


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


def test_many_places_are_cut_short() -> None:
    assert places("a\nb\nc", [0, 2, 4], most=2) == "1:1, 2:1 and 1 more"


@pytest.mark.parametrize(
    ("rule", "stays", "goes"),
    [
        ("keep", ["x"], []),
        ("label", [], ["[PERSON]", "PERSON"]),
        ("reduce", ["1984", "in 1984"], ["May 1984", "12/05/1984", "summer 1984"]),
        ({"how": "reduce", "to": "month"}, ["May 1984"], ["12 May 1984", "May 12th"]),
        ({"how": "reduce", "to": "decade"}, ["1980s"], ["1984", "May 1980"]),
        ({"how": "bucket", "top": 90, "below_top": "keep"}, ["47", "89-year-old"], ["90", "forty"]),
        ("bucket", ["40-49"], ["47", "40-48", "41-50", "forty"]),
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
