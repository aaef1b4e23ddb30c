from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from sfumato import keys
from sfumato.document import Claim, Document, Origin
from sfumato.errors import InputError
from sfumato.keys import Key
from sfumato.release import certificate
from sfumato.release.certificate import Certificate

GOLDEN = Path(__file__).parents[1] / "data" / "certificates"


def issued(key: Key, **changes: Any) -> Certificate:
    given: dict[str, Any] = {
        "policy": "ab" * 32,
        "knowledge": {"wordnet": "cd" * 32},
        "claims": [Claim("originals gone"), Claim("K-safe", {"K": 10, "terms": (1, 2.5)})],
        "source": b"Ann went home",
        "reader": None,
        "key": key,
    }
    document = Document("Ann went home", "ward/ann.txt", released_as="note.txt")
    return certificate.issue(
        changes.pop("document", document), b"[PERSON] went home", **given | changes
    )


def test_a_certificate_is_signed_by_its_key_alone(key: Key) -> None:
    made = issued(key)
    assert made.is_signed_by(key.public)
    assert made.is_made_by(key)
    assert not made.is_signed_by(keys.new().public)
    assert certificate.parse(made.to_json(), "x") == made
    assert certificate.parse(made.to_json().encode(), "x").is_signed_by(key.public)


def test_it_names_the_release_and_never_a_folder_or_the_original(key: Key) -> None:
    assert issued(key).document["name"] == "note.txt"
    assert issued(key, document=Document("", "ward/ann.txt")).document["name"] == "ann.txt"


@pytest.mark.parametrize("taken", ["name", "holds"])
def test_a_claim_whose_parameter_would_pass_for_its_name_is_not_signed(
    key: Key, taken: str
) -> None:
    with pytest.raises(InputError, match=f"the claim 'mine' has a parameter '{taken}'"):
        issued(key, claims=[Claim("mine", {taken: "other", "k": 2})])


def _leaves(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(node, dict):
        return [leaf for k, v in node.items() for leaf in _leaves(v, (*path, k))] or [path]
    if isinstance(node, list):
        return [leaf for k, v in enumerate(node) for leaf in _leaves(v, (*path, k))] or [path]
    return [path]


def test_no_value_in_it_can_be_changed(key: Key) -> None:
    """Each one is changed to a value of the same form, so that only the signature can tell."""
    made = json.loads(issued(key, reader="alice").to_json())
    others = {"format": None, "signature": "ed25519:" + 128 * "5"}
    tried = 0
    for path in _leaves(made):
        changed = json.loads(json.dumps(made))
        node = changed
        for step in path[:-1]:
            node = node[step]
        value = node[path[-1]]
        other: Any
        if path[0] in others:
            other = others[path[0]]
        elif isinstance(value, str):
            other = value[:-1] + ("0" if value[-1:] != "0" else "1")
        elif isinstance(value, bool):
            other = None  # "holds": refused, below
        else:
            other = ["x"] if isinstance(value, list) else value + 1
        if other is None:
            continue
        node[path[-1]] = other
        assert not certificate.parse(json.dumps(changed), "x").is_signed_by(key.public), path
        tried += 1
    assert tried >= 14


def test_the_form_that_is_signed_does_not_depend_on_how_it_is_written(key: Key) -> None:
    made = issued(key)
    data = json.loads(made.to_json())
    shuffled = json.dumps(dict(reversed(data.items())), indent=7, ensure_ascii=True)
    assert certificate.parse(shuffled, "x").is_signed_by(key.public)


def test_names_of_columns_that_are_no_text_can_be_signed_and_read(key: Key) -> None:
    """Halves of characters, one alone and two that look like one character."""
    origin = Origin("jsonl", columns=("a\ud800", "\ud83d\ude00", "é"))
    made = issued(key, document=Document("", "x.jsonl", origin))
    again = certificate.parse(made.to_json().encode(), "x")
    assert again.is_signed_by(key.public)
    assert again.document["columns"] == ["a\ud800", "😀", "é"]


Change = Callable[[dict[str, Any]], Any]
REFUSED: dict[str, Change] = {
    "'input' is missing": lambda c: c.pop("input"),
    "'document.reader' is missing": lambda c: c["document"].pop("reader"),
    "it has a field that is not known": lambda c: c.update(public_key="ed25519:" + 64 * "0"),
    "document has a field that is not known": lambda c: c["document"].update(path="/"),
    "'document.columns' is not what it should be": lambda c: c["document"].update(columns=[1]),
    "'document.reader' is not what it should be": lambda c: c["document"].update(reader=0),
    "'document' is not what it should be": lambda c: c.update(document=[]),
    "'policy' is not what it should be": lambda c: c.update(policy="sha"),
    "'knowledge' is not what it should be": lambda c: c.update(knowledge={"a": 1}),
    "'output' is not what it should be": lambda c: c.update(output=c["input"]),
    "'signature' is not what it should be": lambda c: c.update(signature="ed25519:é"),
    "'format' is not what it should be": lambda c: c.update(format=3.0),
    "'claims' is not what it should be": lambda c: c.update(claims={}),
    "a claim has no name": lambda c: c["claims"][0].pop("name"),
    "a claim is not said to hold": lambda c: c["claims"][0].update(holds=False),
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_is_not_exactly_a_certificate_is_refused_with_the_reason(why: str, key: Key) -> None:
    data = json.loads(issued(key).to_json())
    REFUSED[why](data)
    with pytest.raises(InputError) as raised:
        certificate.parse(json.dumps(data), "it.json")
    assert str(raised.value) == f"it.json: not a certificate ({why})"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (('"holds": true', '"holds": 1'), "a claim is not said to hold"),
        (('"holds": true', '"holds": true, "holds": true'), "a field stands in it twice"),
        (('"format": 3', '"format": 3, "format": 3'), "a field stands in it twice"),
        (('"K": 10', '"K": NaN'), "a number is none that JSON knows"),
        (('"K": 10', '"K": -Infinity'), "a number is none that JSON knows"),
        (('"K": 10', '"K": 1e999'), "a number is none that JSON knows"),
        (('"K": 10', '"K": ' + 5000 * "1"), "it is not JSON"),
        (('"K": 10', '"K": ' + 200_000 * "["), "it is not JSON"),
        (("{", "\ufeff{"), "it is not JSON"),
        (("}\n", "} {}"), "it is not JSON"),
    ],
)
def test_json_that_two_readers_could_take_for_two_things_is_refused(
    change: tuple[str, str], why: str, key: Key
) -> None:
    text = issued(key).to_json()
    assert change[0] in text
    with pytest.raises(InputError) as raised:
        certificate.parse(text.replace(*change), "it.json")
    assert str(raised.value) == f"it.json: not a certificate ({why})"


def test_bytes_that_are_no_text_and_other_json_are_no_certificate(key: Key) -> None:
    for other in (b"\xff", b"3", b"[]", b"null", b'"format"', issued(key).to_json()[:-9].encode()):
        with pytest.raises(InputError, match="not a certificate"):
            certificate.parse(other, "it.json")
    for number in ("4", "1", "0", "null", "[]", '"3"'):
        text = issued(key).to_json().replace('"format": 3', f'"format": {number}')
        with pytest.raises(InputError, match="another version"):
            certificate.parse(text, "it.json")


def test_a_certificate_says_which_file_it_is_about(key: Key) -> None:
    made = issued(key)
    assert made.is_about(b"[PERSON] went home") is True
    assert made.is_about(b"[PERSON] went home\n") is False
    assert made.output == "sha256:" + hashlib.sha256(b"[PERSON] went home").hexdigest()


def test_certificates_of_before_signatures_are_read_and_only_their_maker_can_tell_them() -> None:
    key = Key(bytes(range(32)))
    text = (GOLDEN / "format2.cert.json").read_text()
    made = certificate.parse(text, "x")
    assert made.to_json() == text
    assert made.is_made_by(key)
    assert not made.is_made_by(keys.new())
    assert not made.is_signed_by(key.public)
    assert made.is_about(b"anything") is None
    assert made.is_about(b"Write to [EMAIL] today\n", key) is True
    with pytest.raises(InputError, match="has a field that is not known"):
        certificate.parse(json.dumps(json.loads(text) | {"signature": ""}), "x")


def test_a_certificate_of_today_is_checked_with_a_public_key_and_none_of_our_code() -> None:
    """What is signed never changes: the check below is all that another program needs."""
    text = (GOLDEN / "format3.cert.json").read_bytes()
    public = (GOLDEN / "format3.public").read_text().strip()
    data = json.loads(text)
    signature = bytes.fromhex(data.pop("signature").removeprefix("ed25519:"))
    body = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    message = b"sfumato certificate 3\x00" + body.encode("utf-8")
    checker = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public.removeprefix("ed25519:")))
    checker.verify(signature, message)
    with pytest.raises(InvalidSignature):
        checker.verify(signature, message.replace(b"true", b"false"))
    made = certificate.parse(text, "x")
    assert made.canonical() == message
    assert made.is_signed_by(keys.parse_public(public))
    assert made.to_json().encode() == text
    assert Key(bytes(range(32))).public == keys.parse_public(public)
