"""The count of plausible texts is taken again by walking the taxonomies."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest

from sfumato import sanitize
from sfumato.detect.finder import Finder
from sfumato.document import Claim
from sfumato.keys import Key
from sfumato.know.taxonomy import chain as taxonomy
from sfumato.policy import load
from sfumato.verify import Evidence, check_claims, unstated
from sfumato.verify.plausibility import PLAUSIBLE, Walk, is_plausible

KEY = Key(bytes(range(32)))
RULES = load({"detect": ["patterns"], "protect": [{"plausibility": {"t": 10}}]})
TEXT = "Uses marijuana for phantom limb pain."


@pytest.fixture(scope="module")
def walk() -> Walk:
    return Walk(taxonomy.default())


@pytest.mark.parametrize(
    ("term", "kind"),
    [
        ("marijuana", ""),
        ("Boston", "LOC"),
        ("14 May 2004", "DATE"),
        ("37-year-old", "AGE"),
        ("$1,250.50", "MONEY"),
        ("Meryl Streep", "PERSON"),
        ("Stanley Kubrick", "PERSON"),
        ("oaks", ""),
    ],
)
def test_the_walk_finds_the_volumes_and_the_names_of_every_rung(
    walk: Walk, term: str, kind: str
) -> None:
    steps = taxonomy.default().ladder(term, kind=kind)
    assert len(steps) > 2
    for step in steps[1:]:
        assert walk.count(step.concept) == step.volume
        assert walk.is_named(step.term, step.concept)
        assert walk.is_below(term, kind, step.concept)


def test_names_of_a_kind_are_counted_from_the_table(walk: Walk) -> None:
    table = taxonomy.default()["named"]
    steps = table.climb(table.senses("Toivo Ovaska")[0])[1:]
    assert any("/" in s.concept for s in steps)
    assert [walk.count(s.concept) for s in steps] == [s.volume for s in steps]


def test_other_words_do_not_name_a_concept(walk: Walk) -> None:
    step = taxonomy.default().ladder("phantom limb pain")[1]
    assert walk.is_named("a pain", step.concept)
    assert walk.is_named("Pains", step.concept)
    exchange = taxonomy.default().senses("medium of exchange")[0].concept
    assert walk.is_named("media of exchange", exchange)
    assert not walk.is_named("joy", step.concept)
    assert not walk.is_below("dog", "", step.concept)
    assert not walk.is_named("40–49", "ranges:30..39")
    assert not walk.is_below("aged 41", "AGE", "ranges:30..39")


def made() -> tuple[Claim, Evidence]:
    released = sanitize(TEXT, RULES, key=KEY)
    claim = next(c for c in released.certificate.claims if c.name == PLAUSIBLE)
    return claim, Evidence(released.text, RULES, Finder(RULES), released.record, KEY)


def changed(claim: Claim, **part: Any) -> Claim:
    units = [{**claim.parameters["units"][0], **part}]
    return Claim(claim.name, {**claim.parameters, "units": units})


def test_a_true_claim_holds_with_and_without_the_ledger() -> None:
    claim, evidence = made()
    for seen in (evidence, replace(evidence, record=None)):
        check = is_plausible(claim, seen)
        assert check.verdict == "holds"
        assert check.detail == "t = 10 in each document; one of 12 at least"
    assert is_plausible(claim, Evidence(evidence.text)).detail == "without the policy"


def test_a_count_that_is_too_high_is_found() -> None:
    claim, evidence = made()
    assert is_plausible(changed(claim, texts=13), evidence).failed


def test_a_concept_with_too_few_leaves_is_found() -> None:
    claim, evidence = made()
    (part,) = claim.parameters["units"]
    fewer = changed(claim, terms=part["terms"][:1], texts=4)
    assert is_plausible(fewer, evidence).failed


def test_words_that_do_not_name_their_concept_are_found() -> None:
    claim, evidence = made()
    text = evidence.text.replace("soft", "some")
    assert "do not name" in is_plausible(claim, replace(evidence, text=text, record=None)).detail


def test_a_claim_that_asks_for_less_than_the_policy_is_found() -> None:
    claim, evidence = made()
    less = Claim(claim.name, {**claim.parameters, "t": {"document": 2}})
    assert is_plausible(less, evidence).detail == "the claim is not what the policy asks for"


def test_an_unlisted_unit_is_found_with_the_ledger() -> None:
    claim, evidence = made()
    empty = Claim(claim.name, {**claim.parameters, "units": []})
    assert "not covered" in is_plausible(empty, evidence).detail


def test_an_original_that_is_not_below_its_concept_is_found_with_the_ledger() -> None:
    claim, evidence = made()
    assert evidence.record is not None
    others = ("telephone", *evidence.record.originals[1:])
    edits = [*evidence.record.edits]
    edits[0] = replace(edits[0], end=edits[0].start + len("telephone"))
    moved = [replace(e, start=e.start, end=e.end) for e in edits[1:]]
    record = replace(evidence.record, edits=(edits[0], *moved), originals=others)
    assert (
        "is none of what its words stand for"
        in is_plausible(claim, replace(evidence, record=record)).detail
    )


def test_a_claim_that_cannot_be_read_fails() -> None:
    _, evidence = made()
    for parameters in ({}, {"t": {"document": 2}, "units": [{"unit": "document"}]}):
        assert is_plausible(Claim(PLAUSIBLE, parameters), evidence).failed


def test_a_concept_of_a_taxonomy_that_is_not_at_hand_cannot_be_checked() -> None:
    claim, evidence = made()
    unknown = changed(claim, terms=[[5, 14, "mine:3"]])
    assert is_plausible(unknown, evidence).verdict == "cannot be checked"


def test_invented_values_need_the_ledger() -> None:
    rules = load(
        {
            "detect": [{"lists": {"hide": [{"kind": "PERSON", "terms": ["Ann Bell"]}]}}],
            "protect": [{"plausibility": {"t": 10}}],
            "replace": {"PERSON": "surrogate"},
        }
    )
    released = sanitize("Ann Bell left.", rules, key=KEY)
    claim = next(c for c in released.certificate.claims if c.name == PLAUSIBLE)
    without = is_plausible(claim, Evidence(released.text, rules))
    assert without.detail == "without the ledger: invented values cannot be told from real ones"
    with_ledger = Evidence(released.text, rules, Finder(rules), released.record, KEY)
    assert is_plausible(claim, with_ledger).verdict == "holds"


def listing(claim: Claim, *slots: list[Any], texts: int) -> Claim:
    """A claim that lists other slots."""
    return changed(claim, terms=list(slots), texts=texts, start=slots[0][0])


def test_no_slot_counts_twice() -> None:
    """Three kinds of pain, counted three times, would be more than ten."""
    claim, evidence = made()
    text = evidence.text.replace("soft drug", "marijuana")
    start = text.index("pain")
    pain = [start, start + 4, claim.parameters["units"][0]["terms"][-1][-1]]
    alone = replace(evidence, text=text, record=None)
    assert is_plausible(listing(claim, pain, texts=3), alone).failed
    for slots in ([pain] * 3, [pain, [start - 1, *pain[1:]]], [pain, [start + 1, *pain[1:]]]):
        check = is_plausible(listing(claim, *slots, texts=3 ** len(slots)), alone)
        assert check.detail == "the claim cannot be read"


@pytest.mark.parametrize(
    "words", ["[Margaret Holloway]", "[РERSON]", "****", "[person]", "[LOC]", ""]
)
def test_only_what_the_policy_writes_for_a_kind_is_a_label(walk: Walk, words: str) -> None:
    claim, evidence = made()
    person = walk.noun_of("PERSON")
    for said in (words, "[PERSON]"):
        text = f"{said} left."
        alone = replace(evidence, text=text, record=None)
        slot = [0, len(said), person]
        check = is_plausible(listing(claim, slot, texts=walk.count(person)), alone)
        assert check.verdict == ("holds" if said == "[PERSON]" else "cannot be checked")


def test_equal_words_may_stand_for_one_thing(walk: Walk) -> None:
    claim, evidence = made()
    pain = claim.parameters["units"][0]["terms"][-1][-1]
    alone = replace(evidence, text="Pain, pain and pain.", record=None)
    slots = [[0, 4, pain], [6, 10, pain], [15, 19, pain]]
    check = is_plausible(listing(claim, *slots, texts=27), alone)
    assert check.detail == "without the ledger: equal words may stand for one thing"


def test_a_unit_that_the_claim_does_not_list_needs_the_ledger() -> None:
    claim, evidence = made()
    silent = Claim(claim.name, {**claim.parameters, "units": []})
    check = is_plausible(silent, replace(evidence, text=TEXT, record=None))
    assert check.detail == "without the ledger: whether something is hidden in each document"


def test_ranges_that_run_backwards_count_for_nothing() -> None:
    claim, evidence = made()
    alone = replace(evidence, text="Aged 90-10 or 80-10.", record=None)
    slots = [[5, 10, "ranges:90..10"], [14, 19, "ranges:80..10"]]
    assert is_plausible(listing(claim, *slots, texts=79 * 69), alone).failed


@pytest.mark.parametrize(
    "change",
    [
        {"start": 0},
        {"texts": 12.0},
        {"unit": "page"},
        {"more": 1},
        {"terms": []},
        {"terms": [[5, 14]]},
    ],
)
def test_a_unit_that_is_not_exactly_one_fails(change: dict[str, Any]) -> None:
    claim, evidence = made()
    assert is_plausible(changed(claim, **change), evidence).failed
    assert is_plausible(Claim(claim.name, {**claim.parameters, "more": 1}), evidence).failed


def test_each_step_of_the_policy_has_a_claim_of_its_own() -> None:
    claim, evidence = made()
    rules = load(
        {"detect": ["patterns"], "protect": [{"plausibility": {"t": t}} for t in (10, 12)]}
    )
    twice = replace(evidence, policy=rules, record=None)
    found = check_claims([claim, replace(claim)], twice)
    assert [check.verdict for check in found] == ["holds", "does not hold"]
    names = [check.name for check in unstated([claim], rules)]
    assert names[-1] == PLAUSIBLE


def test_a_claim_of_thousands_of_huge_slots_is_refused_in_time(walk: Walk) -> None:
    """A megabyte of zero-length slots, or of ranges that the text does name, took minutes to multiply."""
    claim, evidence = made()
    huge = f"0-{'9' * 4000}"
    for words, many in (("", 1000), (huge, 250)):
        text = " ".join([words] * many)
        starts = range(0, (len(words) + 1) * many, len(words) + 1) if words else [0] * many
        concept = f"ranges:{huge.replace('-', '..')}"
        slots = [[start, start + len(words), concept] for start in starts]
        began = time.process_time()
        assert is_plausible(
            listing(claim, *slots, texts=12), replace(evidence, text=text, record=None)
        ).failed
        assert time.process_time() - began < 3
    began = time.process_time()
    assert all(walk.count(f"named:{number}/0") > 0 for number in range(300))
    assert time.process_time() - began < 20  # each went through all kinds: 80 s
