"""A genuine certificate over other knowledge than the verifier's: it is refused, whatever cannot be opened."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

import sfumato
from sfumato.keys import Key
from sfumato.policy import Policy, load
from sfumato.verify import Check

KNOWN = "knowledge is the certified one"
RULES = "detect: [patterns]\nprotect: [replace]\nreplace: {MISC: generalise}\n"


def rules(folder: Path, taxonomy: str, text: str = "thing\n  wombat\n") -> Policy:
    folder.mkdir(exist_ok=True)
    (folder / taxonomy).write_text(text)
    (folder / "p.yaml").write_text(f"{RULES}know: {{taxonomies: [{taxonomy}]}}\n")
    return load(folder / "p.yaml")


def known(release: sfumato.Release, policy: Policy, key: Key) -> Check:
    checks = sfumato.verify(release, policy, public_key=key.public)
    assert [c.verdict for c in checks[:3]] == ["holds"] * 3
    return next(check for check in checks if check.name == KNOWN)


@pytest.fixture
def made(tmp_path: Path, key: Key) -> sfumato.Release:
    policy = rules(tmp_path / "mine", "lax.txt")
    release = sfumato.sanitize("Ask ann@example.org about the roof.", policy, key=key)
    assert known(release, policy, key).verdict == "holds"
    return release


def test_knowledge_that_the_policy_in_hand_does_not_name_is_refused(
    tmp_path: Path, made: sfumato.Release, key: Key
) -> None:
    check = known(made, rules(tmp_path / "other", "strict.txt"), key)
    assert check.failed
    assert "does not name 'taxonomy strict'" in check.detail


def test_knowledge_of_the_same_name_that_differs_is_refused(
    tmp_path: Path, made: sfumato.Release, key: Key
) -> None:
    check = known(made, rules(tmp_path / "other", "lax.txt", "thing\n  roof\n"), key)
    assert check.failed
    assert "differs" in check.detail


def test_what_cannot_be_opened_is_refused_and_hides_nothing_that_differs(
    tmp_path: Path, made: sfumato.Release, key: Key
) -> None:
    policy = rules(tmp_path / "other", "lax.txt")
    (tmp_path / "other/lax.txt").unlink()
    check = known(made, policy, key)
    assert (check.verdict, check.refuses) == ("cannot be checked", True)
    for names in itertools.permutations(("taxonomy lax", "words")):
        other = replace(made.certificate, knowledge=dict.fromkeys(names, "0" * 64))
        other = replace(other, signature=key.sign(other.canonical()))
        check = known(replace(made, certificate=other), policy, key)
        assert check.failed
        assert "'words' differs" in check.detail
