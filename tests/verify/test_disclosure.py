"""The checker sees what the protector must not let through."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from sfumato import Document, formats, keys, sanitize
from sfumato.detect.finder import Finder
from sfumato.document import Claim, Edit, Record, render
from sfumato.know.statistics import probability as statistics
from sfumato.policy import load
from sfumato.release.examination import examine
from sfumato.verify import Evidence
from sfumato.verify.disclosure import NOTHING_TOLD, nothing_tells_too_much

KEY = keys.Key(bytes(range(32)))
TEXT = "She has breast cancer and had a mastectomy. A table stood there."
SAID = {
    "threshold": {"share": 0.4},
    "context": "document",
    "groups": 1,
    "support": 3,
    "not assessed": 0,
}
HIDE = {"hide": [{"kind": "DISEASE", "terms": ["breast cancer"]}]}


def rules(**options: object) -> dict[str, object]:
    return {"detect": [{"lists": HIDE}], "protect": ["replace", {"disclosure": options}]}


def hidden(text: str = TEXT, **more: object) -> Edit:
    at = text.index("breast cancer")
    edit = Edit(at, at + 13, "DISEASE", "[DISEASE]", "a list")
    return replace(edit, **more)  # type: ignore[arg-type]


def evidence(edits: list[Edit], text: str = TEXT, **options: Any) -> Evidence:
    document, policy = Document(text), load(rules(**options))
    record = formats.record(document, edits)
    return Evidence(render(document, edits), policy, Finder(policy), record, KEY)


def check(edits: list[Edit], said: dict[str, object] | None = None, **options: Any) -> str:
    found = nothing_tells_too_much(Claim(NOTHING_TOLD, said or SAID), evidence(edits, **options))
    return f"{found.verdict}: {found.detail}"


def softened(word: str, **more: object) -> Edit:
    at = TEXT.index(word)
    edit = Edit(at, at + len(word), "TERM", "[TERM]", "tells", numbers={"told": 9.0})
    return replace(edit, **more)  # type: ignore[arg-type]


def test_a_term_that_tells_too_much_is_found_with_its_place() -> None:
    said = check([hidden()])
    assert said.startswith("does not hold: the terms at 1:33 of the original tell ")
    assert "cancer" not in said


def test_the_bits_are_those_of_the_statistics() -> None:
    known = statistics.default()
    told = known.pmi("breast cancer", "mastectomy")
    limit = 0.4 * known.ic("breast cancer")
    assert told >= limit
    assert f"tell {told:.1f} bits" in check([hidden()])
    assert f"(threshold {limit:.1f})" in check([hidden()])


def test_without_it_the_claim_holds() -> None:
    assert check([hidden(), softened("mastectomy")]) == (
        "holds: one term: below 40% of what is hidden"
    )


def test_a_mark_does_not_unhide_what_the_policy_hides() -> None:
    assert check([hidden(numbers={"told": 1.0})]).startswith("does not hold")


def test_a_generalisation_that_tells_too_much_of_its_own_term_is_found() -> None:
    made = hidden(how="generalise", replacement="breast cancer patient")
    assert check([made, softened("mastectomy")]).startswith("does not hold")


def test_a_softened_term_is_weighed_as_it_stands_now() -> None:
    same = softened("mastectomy", how="generalise", replacement="mastectomies")
    assert check([hidden(), same]).startswith("does not hold")


def test_a_smaller_context_asks_for_less() -> None:
    said = {**SAID, "context": {"window": 2}}
    assert check([hidden()], said, context={"window": 2}).startswith("holds")
    said["context"] = {"window": 4}
    assert check([hidden()], said, context={"window": 4}).startswith("does not hold")
    said["context"] = "sentence"
    assert check([hidden()], said, context="sentence").startswith("does not hold")


@pytest.mark.parametrize("rule", ["least hidden", "most telling generalisation"])
def test_the_papers_own_thresholds(rule: str) -> None:
    general = hidden(how="generalise", replacement="disease")
    said = {**SAID, "threshold": rule}
    found = check([general, softened("mastectomy")], said, threshold=rule)
    assert found.startswith(("holds", "does not hold"))
    assert "cannot" not in found


def test_groups_are_weighed_together() -> None:
    text = "She has breast cancer; the surgery and the radiation of a woman."
    document, policy = Document(text), load(rules(groups=2, threshold={"share": 0.45}))
    record = formats.record(document, [hidden(text)])
    both = Evidence(render(document, record.edits), policy, Finder(policy), record, KEY)
    said = {**SAID, "threshold": {"share": 0.45}, "groups": 2}
    pair = nothing_tells_too_much(Claim(NOTHING_TOLD, said), both)
    alone = nothing_tells_too_much(Claim(NOTHING_TOLD, {**said, "groups": 1}), both)
    known = statistics.default()
    p = known.p("breast cancer", "surgery", "radiation") / known.p("surgery", "radiation")
    told = math.log2(p / known.p("breast cancer"))
    limit = 0.45 * known.ic("breast cancer")
    assert (pair.verdict == "does not hold") or told < limit
    assert alone.verdict in ("holds", "does not hold")


@pytest.mark.parametrize(
    "wrong",
    [
        {"threshold": {"share": 0.5}},
        {"context": "sentence"},
        {"support": 1},
        {"groups": 2},
        {"groups": "1"},
    ],
    ids=str,
)
def test_a_claim_that_is_not_the_policys_fails(wrong: dict[str, object]) -> None:
    said = check([hidden(), softened("mastectomy")], {**SAID, **wrong})
    assert said == "does not hold: the claim is not what the policy asks for"


def test_a_claim_that_cannot_be_read_fails() -> None:
    assert check([hidden()], {"threshold": {"share": 0.4}}).endswith("cannot be read")


def test_a_wrong_number_of_unknown_terms_fails() -> None:
    said = check([hidden(), softened("mastectomy")], {**SAID, "not assessed": 3})
    assert said.startswith("does not hold: 0 hidden terms cannot be assessed")


def test_what_a_verifier_lacks_is_said() -> None:
    claim = Claim(NOTHING_TOLD, SAID)
    bare = evidence([hidden()])
    assert nothing_tells_too_much(claim, replace(bare, record=None)).detail.startswith(
        "without the ledger"
    )
    assert nothing_tells_too_much(claim, replace(bare, policy=None)).detail == "without the policy"
    assert nothing_tells_too_much(claim, replace(bare, policy=load("strict"))).verdict == (
        "does not hold"
    )


def test_nothing_hidden_holds() -> None:
    assert check([]) == "holds: nothing is hidden"


def test_a_certificate_without_the_claim_is_not_enough() -> None:
    made = sanitize(TEXT, rules(), key=KEY)
    bare = replace(
        made.certificate,
        claims=tuple(c for c in made.certificate.claims if c.name != NOTHING_TOLD),
    )
    policy = load(rules())
    proof = Evidence(made.text, policy, Finder(policy), made.record, KEY)
    found = {c.name: c.verdict for c in examine(bare, proof)}
    assert found[NOTHING_TOLD] == "does not hold"


def test_a_record_of_another_release_does_not_fit() -> None:
    made = sanitize(TEXT, rules(), key=KEY)
    policy = load(rules())
    foreign = Record("x", made.record.origin, (), ())
    proof = Evidence(made.text, policy, Finder(policy), foreign, KEY)
    found = {c.name: c for c in examine(made.certificate, proof)}
    assert found[NOTHING_TOLD].verdict == "does not hold" or found[NOTHING_TOLD].detail


def test_signs_that_are_neither_letters_nor_digits_are_values_for_both_sides() -> None:
    release = sanitize("0000000;²", "undisclosed")
    assert next(c for c in release.checks if c.name == NOTHING_TOLD).verdict == "holds"
