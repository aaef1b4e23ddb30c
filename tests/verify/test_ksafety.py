"""The independent check of K-safety, by Definition 3.1."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato import InputError, sanitize
from sfumato.document import Claim
from sfumato.policy import Policy, load
from sfumato.release.examination import examine
from sfumato.verify import Check, Evidence
from sfumato.verify.ksafety import K_SAFE, NOTHING, all_are_hidden, are_k_safe_together, is_k_safe
from tests.clinic import make_clinic, policy

CLAIM = Claim(K_SAFE, {"k": 2})


@pytest.fixture
def clinic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return make_clinic(tmp_path)


def check(text: str, database: Path, reader: str | None = None, claim: Claim = CLAIM) -> Check:
    return is_k_safe(claim, Evidence(text, load(policy(database)), reader=reader))


@pytest.mark.parametrize(
    ("text", "reader", "verdict"),
    [
        ("fever", None, "holds"),
        ("weight loss and fatigue", None, "holds"),
        ("weight loss, fatigue and fever", None, "does not hold"),  # HIV alone
        ("sweating, fatigue and fever", None, "does not hold"),
        ("sweating, fatigue and fever", "virologist", "holds"),
        ("weight losses; FATIGUE. Fevers", None, "does not hold"),
        ("It is HIV.", None, "does not hold"),
        ("It is HIV.", "virologist", "holds"),
        ("It is flu.", None, "holds"),
        ("It is H.I.V.", None, "does not hold"),
        ("H-I-V", None, "does not hold"),
        ("tub érculo\u0301sis", None, "does not hold"),
        ("It is H.I.V.", "virologist", "holds"),
        ("hi; a hive. H    I    V", None, "holds"),
    ],
)
def test_every_protected_entity_needs_k_others(
    clinic: Path, text: str, reader: str | None, verdict: str
) -> None:
    assert check(text, clinic, reader).verdict == verdict


def test_a_text_without_context_terms_is_safe_and_said_so(clinic: Path) -> None:
    assert check("Nothing.", clinic) == check("", clinic)
    assert check("Nothing.", clinic).detail == NOTHING


@pytest.mark.parametrize("parameters", [{}, {"k": "2"}, {"k": 0}, {"k": True}, {"k": 2, "p": 7}])
def test_a_claim_that_cannot_be_read_does_not_hold(
    clinic: Path, parameters: dict[str, object]
) -> None:
    assert check("fever", clinic, claim=Claim(K_SAFE, parameters)).failed


def test_a_claim_must_be_what_the_policy_asks_for(clinic: Path) -> None:
    assert check("fever", clinic, claim=Claim(K_SAFE, {"k": 1})).failed
    assert is_k_safe(CLAIM, Evidence("fever", load("default"))).failed
    assert is_k_safe(CLAIM, Evidence("fever")).detail == "without the policy"


def test_without_the_database_it_cannot_be_checked(
    clinic: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = check("fever", tmp_path / "none.db")
    assert (missing.verdict, missing.detail) == ("cannot be checked", "without the entity database")
    evidence = Evidence("fever", load(policy("$CLINIC")))
    assert is_k_safe(CLAIM, evidence).verdict == "cannot be checked"
    release = sanitize("weight loss, fatigue and fever", policy(clinic))
    rules = load(policy(tmp_path / "none.db"))
    checks = {c.name: c for c in examine(release.certificate, Evidence(release.text, rules))}
    assert checks[K_SAFE].verdict == "cannot be checked"
    assert checks["knowledge is the certified one"].verdict == "cannot be checked"


def test_with_too_few_entities_no_text_is_safe(clinic: Path) -> None:
    signs = {"HIV": ["fever"], "Flu": ["cough"]}
    few = make_clinic(clinic.parent, signs, {"HIV": ("protected",)}, readers=(), name="few.db")
    for text in ("Nothing.", "cough", "fever"):
        assert check(text, few).failed
    assert together(["Nothing."], load(policy(few)), []).failed


def test_an_unknown_reader_is_an_error(clinic: Path) -> None:
    with pytest.raises(InputError, match="no reader 'eve'"):
        check("fever", clinic, "eve")


def test_a_certificate_must_claim_what_the_policy_promises(clinic: Path) -> None:
    release = sanitize("fever", "default")
    rules = load(policy(clinic))
    failed = [c.name for c in examine(release.certificate, Evidence("fever", rules)) if c.failed]
    assert K_SAFE in failed


def test_another_database_is_not_the_certified_one(clinic: Path) -> None:
    release = sanitize("fever", policy(clinic))
    make_clinic(
        clinic.parent,
        {"HIV": ["fever"], "Flu": ["fever"], "Cold": ["fever"], "Tuberculosis": ["x"]},
    )
    checks = examine(release.certificate, Evidence("fever", load(policy(clinic))))
    assert "knowledge is the certified one" in [c.name for c in checks if c.failed]


def together(texts: list[str], rules: Policy, named: list[str]) -> Check:
    """Each text as somebody's view; all readers have all texts."""
    readers: list[str | None] = [*named] or [None]
    views = [Evidence(text, rules, reader=reader) for text in texts for reader in readers]
    return are_k_safe_together(views)


def test_together_the_terms_of_all_views_count_for_what_nobody_may_know(clinic: Path) -> None:
    rules = load(policy(clinic))
    texts = ["weight loss and fatigue", "fever and sweating"]
    assert not together(texts[:1], rules, ["lung clinic"]).failed
    assert not together(texts[1:], rules, ["lung clinic"]).failed
    assert together(texts, rules, ["lung clinic"]).failed
    assert not together(texts, rules, ["lung clinic", "virologist"]).failed


has = st.lists(st.lists(st.booleans(), min_size=6, max_size=6), min_size=1, max_size=20)


@given(has, st.integers(1, 4), st.data())
def test_the_check_is_the_definition(rows: list[list[bool]], k: int, data: st.DataObject) -> None:
    entities = len(rows)
    protected = sorted(data.draw(st.sets(st.integers(0, entities - 1))))
    columns = np.packbits(np.array(rows, dtype=bool).T, axis=1, bitorder="little")
    expected = True
    for entity in protected:
        shown = {t for t, has in enumerate(rows[entity]) if has}
        others = [e for e in range(entities) if e != entity and all(rows[e][t] for t in shown)]
        expected &= not shown or len(others) >= k
    assert all_are_hidden(columns, np.array(protected, dtype=np.int64), k) == expected
