"""Sfumato as an operator of Presidio's anonymizer."""

from __future__ import annotations

from datetime import date

import pytest

from sfumato.errors import PolicyError
from sfumato.keys import Key

pytest.importorskip(
    "presidio_anonymizer", reason="needs the extra 'presidio': pip install 'sfumato[test]'"
)
from presidio_anonymizer import AnonymizerEngine
from presidio_anonymizer.entities import OperatorConfig, RecognizerResult

from sfumato.serve.presidio import SfumatoOperator


def anonymize(text: str, spans: list[tuple[str, str]], **params: object) -> str:
    anonymizer = AnonymizerEngine()  # type: ignore[no-untyped-call]
    anonymizer.add_anonymizer(SfumatoOperator)
    results = [
        RecognizerResult(entity, text.index(part), text.index(part) + len(part), 0.9)
        for entity, part in spans
    ]
    config = {"DEFAULT": OperatorConfig("sfumato", params)}
    return anonymizer.anonymize(text, results, config).text


def policy(**replace: object) -> dict[str, object]:
    return {"detect": ["patterns"], "protect": ["replace"], "replace": replace}


def test_the_operator_applies_the_policys_rule_for_the_type() -> None:
    text = "Marta Keller, 47, ann@example.org, 14 May 2031, 5000 EUR, aspirin"
    spans = [
        ("PERSON", "Marta Keller"),
        ("AGE", "47"),
        ("EMAIL_ADDRESS", "ann@example.org"),
        ("DATE_TIME", "14 May 2031"),
        ("MONEY", "5000 EUR"),
        ("DRUG", "aspirin"),
    ]
    rules = policy(PERSON="label", AGE="bucket", EMAIL="mask", DATE="reduce", MONEY="keep")
    assert anonymize(text, spans, policy=rules) == (
        "[PERSON], 40-49, ***@*******.***, 2031, 5000 EUR, [DRUG]"
    )


def test_without_a_policy_the_default_one_is_used() -> None:
    assert anonymize("Ask Marta", [("PERSON", "Marta")]) == "Ask [PERSON]"
    assert anonymize("Ask Marta", [("PERSON", "Marta")], kinds={"PERSON": "STAFF"}) == "Ask [STAFF]"


def test_what_needs_a_key_depends_on_it(key: Key) -> None:
    def made(**params: object) -> str:
        rules = policy(PERSON="hash", ORG="surrogate")
        spans = [("PERSON", "Marta"), ("ORGANIZATION", "Siemens")]
        return anonymize("Marta, Siemens", spans, policy=rules, **params)

    assert made(key=key) == made(key=key.hex()) != made(key=Key(bytes(32)))
    assert made() == made()
    assert "Siemens" not in made(key=key)


def test_a_key_that_is_none_is_refused() -> None:
    with pytest.raises(PolicyError, match="`key` is a Key or its hexadecimal form"):
        anonymize("Ask Marta", [("PERSON", "Marta")], key="secret")


@pytest.mark.parametrize(
    "rule", ["pseudonym", "shift", {"how": "shift", "per": "person", "person": "(.)"}]
)
def test_methods_that_need_the_document_are_refused(rule: object) -> None:
    with pytest.raises(PolicyError, match=r"replace\.DATE: .*use `sfumato.sanitize`"):
        anonymize("on 14 May 2031", [("DATE_TIME", "14 May 2031")], policy=policy(DATE=rule))


def test_dates_shift_together_over_the_corpus(key: Key) -> None:
    rules = policy(DATE={"how": "shift", "per": "corpus"})
    text = "2031-05-14 and 2031-05-21"
    spans = [("DATE_TIME", "2031-05-14"), ("DATE_TIME", "2031-05-21")]
    first, second = anonymize(text, spans, policy=rules, key=key).split(" and ")
    assert first != "2031-05-14"
    assert (date.fromisoformat(second) - date.fromisoformat(first)).days == 7


def test_an_empty_text_stays_empty() -> None:
    assert SfumatoOperator().operate("", {"entity_type": "PERSON"}) == ""
