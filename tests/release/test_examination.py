from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import sfumato
from sfumato import InputError, policy
from sfumato.detect.finder import Finder
from sfumato.document import Claim, Release, encode
from sfumato.keys import Key
from sfumato.release.examination import examine, text_of
from sfumato.verify import Evidence

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


def test_a_table_of_the_first_version_is_refused_in_words(release: Release) -> None:
    old = replace(release.certificate, format=1, claims=(Claim("k-anonymous", {"k": 2}),))
    with pytest.raises(InputError, match=r"a\.csv: has a table's certificate of version 1"):
        text_of(b"a,b\n1,2\n", old, encoding="utf-8", name="a.csv", where="a.csv")


@pytest.mark.parametrize("k", [None, "two"])
def test_a_claim_that_does_not_fit_does_not_hold(release: Release, key: Key, k: str | None) -> None:
    parameters = {} if k is None else {"k": k}
    changed = replace(release.certificate, claims=(Claim("k-anonymous", parameters),))
    evidence = Evidence(release.text, policy.load("default"), None, None, key, release.data)
    found = {check.name: check.verdict for check in examine(changed, evidence)}
    assert found["k-anonymous"] == "does not hold"


def test_an_unknown_format_is_refused_in_words(release: Release) -> None:
    odd = replace(release.certificate, document={"format": "csvx"})
    with pytest.raises(InputError, match="unknown format 'csvx'"):
        text_of(release.data, odd, encoding="utf-8", name="a", where="a")
