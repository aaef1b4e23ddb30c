"""The count of plausible texts is taken again, and every forged claim is found."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from typing import Any

import pytest

from sfumato import Policy, sanitize
from sfumato.detect.finder import Finder
from sfumato.document import Claim
from sfumato.keys import Key
from sfumato.know.taxonomy import chain as taxonomy
from sfumato.know.taxonomy import wordnet
from sfumato.policy import load
from sfumato.verify import Evidence, check_claims, unstated
from sfumato.verify.alternatives import Walk
from sfumato.verify.plausibility import PLAUSIBLE, is_plausible

KEY = Key(bytes(range(32)))


def policy(t: Any = 10, detect: tuple[Any, ...] = ("patterns",), **options: Any) -> Policy:
    step = {"t": t, "adversary": "text", **options}
    return load({"detect": list(detect), "protect": [{"plausibility": step}]})


RULES = policy()
TEXT = "Uses marijuana for phantom limb pain."


def made(text: str = TEXT, rules: Policy = RULES) -> tuple[Claim, Evidence]:
    released = sanitize(text, rules, key=KEY)
    claim = next(c for c in released.certificate.claims if c.name == PLAUSIBLE)
    return claim, Evidence(released.text, rules, Finder(rules), released.record, KEY)


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
    unknown = changed(claim, terms=[[5, 14, "mine:3", "noun", 1]])
    assert is_plausible(unknown, evidence).verdict == "cannot be checked"


def listing(claim: Claim, *slots: list[Any], texts: int) -> Claim:
    """A claim that lists other slots."""
    return changed(claim, terms=list(slots), texts=texts, start=slots[0][0])


def slots_of(claim: Claim) -> list[list[Any]]:
    """Its slots, to be forged."""
    return [list(slot) for slot in claim.parameters["units"][0]["terms"]]


def test_no_slot_counts_twice() -> None:
    """Three kinds of pain, counted three times, would be more than ten."""
    claim, evidence = made()
    text = evidence.text.replace("soft drug", "marijuana")
    start = text.index("pain")
    concept = slots_of(claim)[-1][2]
    alone = replace(evidence, text=text, record=None)
    pain = [start, start + 4, concept, "noun"]
    assert is_plausible(listing(claim, [*pain, 1], texts=3), alone).failed
    for begin, end in ((start, start + 4), (start - 1, start + 4), (start + 1, start + 4)):
        slots = [[*pain, 1], [begin, end, concept, "noun", 2]]
        check = is_plausible(listing(claim, *slots, texts=9), alone)
        assert check.detail == "the claim cannot be read"


@pytest.mark.parametrize("label", ["[PERSON 1]", "[PERSON]", "[Margaret Holloway]", "****"])
def test_a_slot_over_a_label_counts_for_nothing(label: str) -> None:
    """A name's label may be any of the taxonomy's persons, but it pays for nothing."""
    claim, evidence = made()
    person = wordnet.default().senses("person")[0].concept
    alone = replace(evidence, text=f"{label} uses marijuana.", record=None)
    slot = [0, len(label), person, "noun", 1]
    check = is_plausible(listing(claim, slot, texts=Walk(taxonomy.default()).count(person)), alone)
    assert "do not name" in check.detail
    empty = listing(claim, [0, len(label), "", "noun", 1], texts=10)
    assert "do not name" in is_plausible(empty, alone).detail


def test_a_concept_wider_than_its_words_is_found() -> None:
    claim, evidence = made("Seen on 4 February 1985.", policy(10))
    (slot,) = slots_of(claim)
    assert slot[2] == "calendar:19850200"
    for concept, texts in (("calendar:19850000", 365), ("calendar:19800099", 3653)):
        forged = listing(claim, [*slot[:2], concept, *slot[3:]], texts=texts)
        for seen in (evidence, replace(evidence, record=None)):
            assert "do not name" in is_plausible(forged, seen).detail


@pytest.mark.parametrize("sort", ["amount", "year", "place", "noun", "derived"])
def test_another_sort_than_the_words_have_is_found(sort: str) -> None:
    """A month as a year of its decade, a day as a month: each is counted at its own level."""
    claim, evidence = made("Seen in February 1985.", policy(10))
    (slot,) = slots_of(claim)
    assert slot[3] == "month"
    forged = listing(claim, [*slot[:3], sort, 1], texts=12)
    assert is_plausible(forged, evidence).failed


def test_years_do_not_count_as_days() -> None:
    claim, evidence = made("She left in 1985.", policy(10))
    (slot,) = slots_of(claim)
    forged = listing(claim, [*slot[:3], "day", 1], texts=3653)
    assert "none of what its words stand for" in is_plausible(forged, evidence).detail


def test_one_date_in_several_spellings_is_one_fact() -> None:
    text = "Seen on 4 February 1985. It (04/02/1985) holds; 1985-02-04, too."
    claim, evidence = made(text, policy(5, ("patterns",), terms="findings"))
    (slot,) = slots_of(claim)
    assert claim.parameters["units"][0]["texts"] == 28
    more = [m.span() for m in re.finditer("February 1985", evidence.text)]
    assert len(more) == 3
    slots = ([a, b, slot[2], "day", n] for n, (a, b) in enumerate(more, 1))
    forged = listing(claim, *slots, texts=56)
    assert is_plausible(forged, evidence).failed
    assert is_plausible(forged, replace(evidence, record=None)).failed


def test_the_same_fact_in_two_slots_of_a_unit_is_found() -> None:
    claim, evidence = made()
    first, second = slots_of(claim)
    forged = listing(claim, first, [*second[:4], first[4]], texts=12)
    assert is_plausible(forged, evidence).detail == "the claim cannot be read"


LIFE = "He was born in 1985 and admitted in 2019, aged 34."


def test_an_age_that_follows_from_two_dates_is_not_free() -> None:
    claim, evidence = made(f"{LIFE} It was arthritis.", policy(8, ("patterns", "personal")))
    *dates, age, illness = slots_of(claim)
    assert age[3] == "derived"
    texts = claim.parameters["units"][0]["texts"]
    free = listing(claim, *dates, [*age[:3], "age", age[4]], illness, texts=texts)
    for each in (evidence, replace(evidence, record=None)):
        assert "does not fit the dates" in is_plausible(free, each).detail


@pytest.mark.parametrize("adversary", ["program", "text"])
@pytest.mark.parametrize(
    ("said", "texts", "sorts"),
    [
        ("Born in the 1980s, his son born in the 2000s, when he was 20–39.", 2000, "year year age"),
        (
            "Born in the 1980s, ill in the 2020s. In the 2000s, aged 10–29.",
            20000,
            "year year year age",
        ),
        ("Born in the 1980s. At 20–24, he moved in the 2000s.", 500, "year amount year"),
    ],
)
def test_no_age_is_free_beside_any_two_dates(
    adversary: str, said: str, texts: int, sorts: str
) -> None:
    rules = policy(50, ("patterns", "personal"), terms="findings", adversary=adversary)
    found = list(re.finditer(r"the \d{4}s|\d\d–\d\d", said))
    slots = []
    for n, (m, sort) in enumerate(zip(found, sorts.split(), strict=True), 1):
        year, band = re.sub(r"\D", "", m[0])[:4], m[0].replace("–", "..")
        concept = f"calendar:{year}0099" if sort == "year" else f"ranges:{band}"
        slots.append([*m.span(), concept, sort, n])
    part = {"unit": "document", "start": slots[0][0], "texts": texts, "terms": slots}
    stated = {"t": {"document": 50}, "adversary": adversary, "each": {}, "diverse": 1}
    stated |= {"births": []}
    claim = Claim(PLAUSIBLE, {**stated, "units": [part]})
    checked = is_plausible(claim, Evidence(said, rules, Finder(rules), None, KEY))
    assert checked.failed


def test_a_softened_word_that_the_claim_leaves_out_is_found() -> None:
    claim, evidence = made()
    pain = slots_of(claim)[-1]
    less = Claim(claim.name, {**claim.parameters, "t": {"document": 3}})
    fewer = listing(less, pain, texts=3)
    evidence = replace(evidence, policy=policy(3))
    assert "is not covered" in is_plausible(fewer, evidence).detail


@pytest.mark.parametrize(
    "said",
    [{"adversary": "program"}, {"each": {"*": 2}}, {"diverse": 2}, {"t": {"sentence": 10}}],
)
def test_a_claim_that_says_anything_else_than_the_policy_is_found(said: dict[str, Any]) -> None:
    claim, evidence = made()
    other = Claim(claim.name, {**claim.parameters, **said})
    assert is_plausible(other, evidence).detail == "the claim is not what the policy asks for"


def test_each_fact_must_have_what_its_kind_asks_for() -> None:
    claim, evidence = made()
    for each in ({"*": 4}, {"TERM": 4}):
        rules = policy(each=each)
        stricter = Claim(claim.name, {**claim.parameters, "each": each})
        seen = replace(evidence, policy=rules)
        assert "stand for too few" in is_plausible(stricter, seen).detail


def test_what_words_stand_for_must_be_of_several_families_where_asked() -> None:
    claim, evidence = made()
    stricter = Claim(claim.name, {**claim.parameters, "diverse": 2})
    seen = replace(evidence, policy=policy(diverse=2))
    assert "too much alike" in is_plausible(stricter, seen).detail


def test_texts_that_are_not_equally_likely_are_fewer() -> None:
    claim, evidence = made()
    seen = replace(evidence, policy=policy(probabilities="corpus"))
    assert "too few likely texts" in is_plausible(claim, seen).detail


def test_equal_words_may_stand_for_one_thing() -> None:
    claim, evidence = made()
    pain = slots_of(claim)[-1][2]
    alone = replace(evidence, text="Pain, pain and pain.", record=None)
    places = ((0, 4), (6, 10), (15, 19))
    slots = [[a, b, pain, "noun", n] for n, (a, b) in enumerate(places, 1)]
    one = listing(claim, slots[0], texts=3)
    assert "as many texts as claimed" not in is_plausible(one, alone).detail
    three = listing(claim, *slots, texts=4)
    assert "as many texts as claimed" in is_plausible(three, alone).detail


def test_a_unit_that_the_claim_does_not_list_needs_the_ledger() -> None:
    claim, evidence = made()
    silent = Claim(claim.name, {**claim.parameters, "units": []})
    check = is_plausible(silent, replace(evidence, text=TEXT, record=None))
    assert check.detail == "without the ledger: whether something is hidden in each document"


def test_ranges_that_run_backwards_count_for_nothing() -> None:
    claim, evidence = made()
    alone = replace(evidence, text="Aged 90-10 or 80-10.", record=None)
    slots = [[5, 10, "ranges:90..10", "age", 1], [14, 19, "ranges:80..10", "age", 2]]
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
        {"terms": [[5, 14, "wordnet:1", "sort", 1]], "texts": 1},
        {"terms": [[5, 14, "wordnet:1", "noun", True]], "texts": 1},
    ],
)
def test_a_unit_that_is_not_exactly_one_fails(change: dict[str, Any]) -> None:
    claim, evidence = made()
    assert is_plausible(changed(claim, **change), evidence).failed
    assert is_plausible(Claim(claim.name, {**claim.parameters, "more": 1}), evidence).failed


@pytest.mark.parametrize("name", ["born", "births"])
@pytest.mark.parametrize("born", [[1], [1, 9], [1, 2], ["x", "y"], 3])
def test_a_birth_that_is_no_date_of_the_claim_fails(born: object, name: str) -> None:
    claim, evidence = made()
    assert is_plausible(Claim(claim.name, {**claim.parameters, name: born}), evidence).failed


def test_each_step_of_the_policy_has_a_claim_of_its_own() -> None:
    claim, evidence = made()
    rules = load(
        {
            "detect": ["patterns"],
            "protect": [{"plausibility": {"t": t, "adversary": "text"}} for t in (10, 12)],
        }
    )
    twice = replace(evidence, policy=rules, record=None)
    found = check_claims([claim, replace(claim)], twice)
    assert [check.verdict for check in found] == ["holds", "does not hold"]
    names = [check.name for check in unstated([claim], rules)]
    assert names[-1] == PLAUSIBLE


def test_a_claim_of_thousands_of_huge_slots_is_refused_in_time() -> None:
    """A megabyte of zero-length slots, or of ranges that the text does name, took minutes to multiply."""
    claim, evidence = made()
    huge = f"0-{'9' * 4000}"
    for words, many in (("", 1000), (huge, 250)):
        text = " ".join([words] * many)
        starts = range(0, (len(words) + 1) * many, len(words) + 1) if words else [0] * many
        concept = f"ranges:{huge.replace('-', '..')}"
        slots = [[a, a + len(words), concept, "amount", n] for n, a in enumerate(starts, 1)]
        began = time.process_time()
        assert is_plausible(
            listing(claim, *slots, texts=10**1001), replace(evidence, text=text, record=None)
        ).failed
        assert time.process_time() - began < 3


def test_names_are_counted_in_time() -> None:
    walk = Walk(taxonomy.default())
    began = time.process_time()
    assert all(walk.count(f"named:{number}/0") > 0 for number in range(300))
    assert time.process_time() - began < 20  # each went through all kinds: 80 s


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("He was seen on 3 June 2024. That Monday it rained.", "Monday"),
        ("He was seen on 31 October 2023. It was Halloween.", "Halloween"),
    ],
)
@pytest.mark.parametrize("adversary", ["program", "text"])
def test_words_that_tie_what_is_counted_do_not_stand(text: str, kept: str, adversary: str) -> None:
    step = {"t": 20, "adversary": adversary, "terms": "findings"}
    policy: dict[str, Any] = {"protect": [{"plausibility": step}]}
    made = sanitize(text, policy)
    assert kept not in made.text
    assert any(e.concept for e in made.edits)
    made = sanitize(text, {**policy, "keep": [kept]})
    assert kept in made.text
    assert not any(e.concept for e in made.edits)  # none is counted


def test_one_date_in_two_spellings_leaves_a_duration_alone() -> None:
    text = "Born on 4 February 1985. DOB 1985-02-04. He stayed for three weeks."
    made = sanitize(text, {"protect": [{"plausibility": {"t": 20, "terms": "findings"}}]})
    assert "three weeks" in made.text


def test_a_family_name_alone_stands_for_what_the_full_name_does() -> None:
    step = {"t": 10, "unit": "sentence", "adversary": "text"}
    made = sanitize("Gary Price came. Price left.", {"protect": [{"plausibility": step}]}, key=KEY)
    assert "Price" not in made.text
