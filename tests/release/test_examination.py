from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import sfumato
from sfumato import InputError, formats, policy
from sfumato.detect.finder import Finder
from sfumato.document import Claim, Release, encode
from sfumato.keys import Key
from sfumato.release.examination import examine, read, skip
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
        name=release.name,
    )
    return {c.name: c.verdict for c in examine(release.certificate, replace(evidence, **change))}


def test_with_everything_at_hand_everything_holds(release: Release, key: Key) -> None:
    assert set(verdicts(release, key).values()) == {"holds"}
    assert all(c.verdict == "holds" for c in sfumato.verify(release, key=key))
    assert not any(c.refuses for c in sfumato.verify(release, key=key))


def test_with_the_public_key_the_ledgers_part_is_attested(release: Release, key: Key) -> None:
    seen = verdicts(release, None, record=None, public_key=key.public)
    attested = {name for name, verdict in seen.items() if verdict == "attested"}
    assert {"unchanged outside edits", "originals gone", "every finding treated"} <= attested
    assert set(seen.values()) <= {"holds", "attested"}
    rules = policy.load("default").model_copy(update={"public_key": str(key.public)})
    assert seen == verdicts(release, None, record=None, policy=rules)
    assert rules.digest == policy.load("default").digest


def test_nothing_is_attested_of_another_file_or_by_another_key(release: Release, key: Key) -> None:
    other = verdicts(release, None, record=None, public_key=Key(bytes(32)).public)
    assert other["certificate is genuine"] == "does not hold"
    changed = verdicts(release, None, record=None, public_key=key.public, data=b"changed")
    for seen in (other, changed, verdicts(release, None, record=None)):
        assert seen["originals gone"] == "cannot be checked"


def test_the_public_key_that_is_named_wins_over_the_policys(release: Release, key: Key) -> None:
    rules = policy.load("default").model_copy(update={"public_key": str(Key(bytes(32)).public)})
    seen = verdicts(release, None, record=None, policy=rules)
    assert seen["certificate is genuine"] == "does not hold"
    assert verdicts(release, key, policy=rules)["certificate is genuine"] == "holds"
    mine = policy.load("default").model_copy(update={"public_key": str(key.public)})
    own = verdicts(release, Key(bytes(32)), policy=mine)  # a receiver has a key of their own
    assert own["certificate is genuine"] == "holds"
    other = verdicts(release, key, public_key=Key(bytes(32)).public)
    assert other["certificate is genuine"] == "does not hold"


def test_essential_is_what_nobody_may_do_without(release: Release) -> None:
    checks = sfumato.verify(release)
    essential = {check.name for check in checks if check.essential}
    assert essential == {
        "certificate is genuine",
        "release is the certified one",
        "policy is the certified one",
        "knowledge is the certified one",
        "no known term left",
    }
    assert [check.name for check in checks if check.refuses] == ["certificate is genuine"]


def test_skipped_is_only_what_cannot_be_checked(release: Release) -> None:
    checks = sfumato.verify(release, "gdpr")
    names = ["certificate is genuine", "policy is the certified one"]
    after = {check.name: check.verdict for check in skip(checks, names)}
    assert [after[name] for name in names] == ["skipped", "does not hold"]
    with pytest.raises(
        InputError, match=r"no check is named 'all'; there are: certificate is genu"
    ):
        skip(checks, ["all"])


def test_a_certificate_for_another_reader_does_not_hold(release: Release, key: Key) -> None:
    seen = verdicts(release, key, reader="alice")
    assert seen["reader is the certified one"] == "does not hold"
    made = replace(release.certificate, document={**release.certificate.document, "reader": "bob"})
    for reader, verdict in (("bob", "holds"), ("alice", "does not hold"), (None, "does not hold")):
        seen = verdicts(replace(release, certificate=made), None, reader=reader)
        assert seen["reader is the certified one"] == verdict


def test_knowledge_that_the_certificate_does_not_name_is_missed(release: Release) -> None:
    less = replace(release, certificate=replace(release.certificate, knowledge={}))
    assert verdicts(less, None)["knowledge is the certified one"] == "does not hold"


@pytest.mark.parametrize(
    ("name", "said", "reads"),
    [
        ("a.txt", {"encoding": "cp037"}, TEXT),
        ("a.txt", {"format": "html"}, f"<!-- {TEXT} -->"),
        ("a.md", {"format": "json"}, TEXT),
    ],
)
def test_a_file_is_read_as_its_name_says_where_nobody_vouches_for_the_certificate(
    release: Release, name: str, said: dict[str, str], reads: str
) -> None:
    made = replace(release.certificate, document={**release.certificate.document, **said})
    found = read(reads.encode(), made, signed=False, encoding="utf-8", name=name, where=name)
    assert found.text == reads


def test_a_receiver_checks_what_the_release_alone_allows(release: Release) -> None:
    seen = verdicts(release, None, record=None)
    aged = replace(release, text=release.text.replace("90-or-older", "man aged 44"))
    left = verdicts(aged, None, record=None)["no known term left"]
    assert left == "cannot be checked"  # an age may be a replacement
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


@pytest.mark.parametrize("name", ["note.txt", "note.html"])
def test_a_text_that_is_not_that_of_the_file_is_seen(name: str, key: Key) -> None:
    document = formats.parse(TEXT.encode(), name=name, format=formats.format_of(Path(name)))
    release = sfumato.sanitize(document, key=key)
    assert all(c.verdict == "holds" for c in sfumato.verify(release, key=key))
    other = replace(release, text=release.text + " It is a red house.")
    assert [c.name for c in sfumato.verify(other, key=key) if c.refuses] == [
        "release is the certified one"
    ]


def test_a_changed_certificate_is_seen(release: Release, key: Key) -> None:
    forged = replace(release, certificate=replace(release.certificate, policy="0" * 64))
    seen = verdicts(forged, key)
    assert seen["certificate is genuine"] == "does not hold"
    assert seen["policy is the certified one"] == "does not hold"
    stale = replace(release, certificate=replace(release.certificate, knowledge={"words": "?"}))
    assert verdicts(stale, key)["knowledge is the certified one"] == "does not hold"
    fewer = replace(release, certificate=replace(release.certificate, knowledge={"atlas": "?"}))
    assert verdicts(fewer, key)["knowledge is the certified one"] == "does not hold"
    more = {**release.certificate.knowledge, "atlas": "?"}
    later = replace(release, certificate=replace(release.certificate, knowledge=more))
    assert verdicts(later, key)["knowledge is the certified one"] == "cannot be checked"
    used = {"words", "places", "detector", "taxonomy", "senses", "year"}
    assert set(release.certificate.knowledge) == used


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
        read(release.data, odd, signed=True, encoding="utf-8", name="a", where="a")


@pytest.mark.parametrize(
    ("format", "data"),
    [
        ("json", b'{"to": "ann@example.org"}'),
        ("html", b"<p>ann@example.org"),
        ("markdown", b"ann@x.org"),
    ],
)
def test_edits_that_are_not_those_of_the_file_are_told(format: str, data: bytes) -> None:
    release = sfumato.sanitize(formats.parse(data, name="a", format=format))
    assert sfumato.verify(release)[1].verdict == "holds"
    record = release.record
    forged = replace(record, originals=tuple("bob@example.org" for _ in record.originals))
    told = sfumato.verify(replace(release, record=forged))[1]
    assert (told.verdict, told.detail) == ("does not hold", "its edits are not those of its file")


@pytest.mark.parametrize("text", ["Call 0770\u202d0 900318", "An\u2066a"])
def test_what_may_be_shown_otherwise_is_in_no_release_and_no_signature_stands_for_it(
    text: str,
) -> None:
    key, rules = Key(bytes(32)), {"detect": ["patterns"]}
    release = sfumato.sanitize(text, rules, key=key)
    assert release.text.isascii()
    odd = "\u2066"
    forged = replace(
        release, text=release.text + odd, data=release.data + odd.encode(), record=release.record
    )
    for public in (None, key.public):
        checks = sfumato.verify(forged, rules, public_key=public)
        assert "release is the certified one" in [c.name for c in checks if c.refuses]


def test_a_claim_that_nobody_knows_is_refused_unless_it_is_signed() -> None:
    release = sfumato.sanitize("Ask ann@example.org", {"detect": ["patterns"]})
    more = Claim("checked by the ministry")
    made = replace(release.certificate, claims=(*release.certificate.claims, more))
    checks = sfumato.verify(replace(release, certificate=made), {"detect": ["patterns"]})
    assert [c.refuses for c in checks if c.name == more.name] == [True]
