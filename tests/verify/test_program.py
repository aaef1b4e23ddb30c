"""What the published program leads to a release is counted again, and forged claims are found."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato import Policy, sanitize
from sfumato.detect.finder import Finder
from sfumato.document import Claim
from sfumato.facts.ages import ages_told
from sfumato.keys import Key
from sfumato.know.taxonomy import softening, wordnet
from sfumato.policy import load
from sfumato.verify import Evidence
from sfumato.verify.counts import Asked, Slot, ages_between
from sfumato.verify.plausibility import PLAUSIBLE, is_plausible
from sfumato.verify.program import ProgramCounter

KEY = Key(bytes(range(32)))


def policy(t: Any = 20, **options: Any) -> Policy:
    step = {"t": t, **options}
    return load({"detect": ["patterns", "personal"], "protect": [{"plausibility": step}]})


DRUGS = "They asked about heroin and later about whiskey again."
LIFE = "He was born in 1985 and admitted in 2019, aged 34."


def made(text: str = DRUGS, rules: Policy | None = None) -> tuple[Claim, Evidence]:
    rules = rules or policy()
    released = sanitize(text, rules, key=KEY)
    claim = next(c for c in released.certificate.claims if c.name == PLAUSIBLE)
    return claim, Evidence(released.text, rules, Finder(rules), released.record, KEY)


def slots_of(claim: Claim) -> list[list[Any]]:
    return [list(slot) for slot in claim.parameters["units"][0]["terms"]]


def listing(claim: Claim, *slots: list[Any], texts: int, **changes: Any) -> Claim:
    part = {**claim.parameters["units"][0], "terms": list(slots), "texts": texts}
    part["start"] = slots[0][0]
    return Claim(claim.name, {**claim.parameters, "units": [part], **changes})


def checked(claim: Claim, evidence: Evidence) -> list[str]:
    """What is said with the record and without it."""
    seen = (evidence, replace(evidence, record=None))
    return [is_plausible(claim, each).detail for each in seen]


def test_a_true_claim_holds_with_and_without_the_ledger() -> None:
    for text in (DRUGS, LIFE, "She was born in Estonia and now lives in Tartu."):
        claim, evidence = made(text)
        assert is_plausible(claim, evidence).verdict == "holds"
        told = is_plausible(claim, replace(evidence, record=None))
        assert told.verdict == "holds" or "equal words" in told.detail


@pytest.mark.parametrize("adversary", ["text", "program"])
def test_a_phrase_of_thirty_nouns_is_read_again(adversary: str) -> None:
    step = {"t": 20, "terms": "nouns", "adversary": adversary}
    rules = load({"detect": [], "protect": [{"plausibility": step}]})
    claim, evidence = made("The " + "hospital clinic doctor " * 10 + "heroin came.", rules)
    assert evidence.text.endswith("opiate came.")
    assert evidence.text.count("building") == 10
    assert is_plausible(claim, evidence).verdict == "holds"
    claim, evidence = made("The " + "cancer patient " * 15 + "nurse came.", rules)
    assert evidence.text.count("malignant tumor") == 15
    assert is_plausible(claim, evidence).verdict == "holds"


def test_an_inflated_count_is_found() -> None:
    claim, evidence = made()
    texts = claim.parameters["units"][0]["texts"]
    for detail in checked(listing(claim, *slots_of(claim), texts=texts + 1), evidence):
        assert detail.endswith("is not one of as many texts as claimed")


def test_a_fact_that_is_left_out_changes_what_is_asked_of_the_rest() -> None:
    claim, evidence = made()
    drug, drink = slots_of(claim)
    for slot in (drug, drink):
        detail, alone = checked(listing(claim, slot, texts=20), evidence)
        assert "released as the words" in detail or "not covered" in detail or "as many" in detail
        assert alone


def test_a_node_that_the_program_does_not_release_is_found() -> None:
    """Words of a wider concept, with the slot and the text changed to fit: nobody would have been released
    there by this t."""
    claim, evidence = made()
    drug, drink = slots_of(claim)
    net = wordnet.default()
    wider = net.senses("agent")[2].key
    text = evidence.text.replace("an opiate", "an agent")
    moved = len(text) - len(evidence.text)
    slots = [
        [drug[0], drug[1] + moved, f"wordnet:{wider}", *drug[3:]],
        [drink[0] + moved, drink[1] + moved, *drink[2:]],
    ]
    forged = listing(claim, *slots, texts=10_000)
    assert is_plausible(forged, replace(evidence, text=text, record=None)).failed


@pytest.mark.parametrize("sort", ["noun", "other"])
def test_another_mask_of_words_than_the_program_took_is_found(sort: str) -> None:
    claim, evidence = made()
    drug, drink = slots_of(claim)
    assert drug[3] == "sensitive"
    texts = claim.parameters["units"][0]["texts"]
    forged = listing(claim, [*drug[:3], sort, 1], [*drink[:3], sort, 2], texts=texts)
    assert is_plausible(forged, evidence).failed


def test_a_label_is_a_slot_without_a_concept_and_counts_for_nothing() -> None:
    text = "He is 56 years old and was seen on 4 February and in 1985 in Tartu."
    claim, evidence = made(text, policy(2000))
    slots = slots_of(claim)
    labels = [s for s in slots if not s[2]]
    assert is_plausible(claim, evidence).verdict == "holds"
    for label in labels:
        assert evidence.text[label[0]] == "["
    forged = [[*s[:2], "ranges:0..99999", "amount", s[4]] if not s[2] else s for s in slots]
    assert not labels or is_plausible(listing(claim, *forged, texts=10**6), evidence).failed


def test_an_age_that_follows_is_not_free() -> None:
    claim, evidence = made(f"{LIFE} {DRUGS}", policy(50))
    *dates, age, drug, drink = slots_of(claim)
    assert age[3] == "derived"
    assert len(dates) == 2
    more = 2 * claim.parameters["units"][0]["texts"]
    free = listing(claim, *dates, [*age[:3], "age", age[4]], drug, drink, texts=more)
    assert all(is_plausible(free, e).failed for e in (evidence, replace(evidence, record=None)))


def test_a_claim_for_another_adversary_is_found() -> None:
    claim, evidence = made()
    other = Claim(claim.name, {**claim.parameters, "adversary": "text"})
    assert is_plausible(other, evidence).detail == "the claim is not what the policy asks for"


def test_one_value_in_two_slots_is_found() -> None:
    claim, evidence = made("They asked about heroin, whiskey, and heroin again.", policy(20))
    drug, drink = slots_of(claim)
    second = evidence.text.index(evidence.text[drug[0] : drug[1]], drug[1])
    again = [second, second + drug[1] - drug[0], drug[2], drug[3], 3]
    assert any("twice" in said or "too" in said or "nothing" in said or "not one" in said
               for said in checked(listing(claim, drug, drink, again, texts=20), evidence))  # fmt: skip


# What is asked


def counter(t: int, sorts: list[str], paying: int = 100) -> ProgramCounter:
    slots = [Slot(n, n + 1, "", sort, n) for n, sort in enumerate(sorts)]
    asked = Asked({"document": t}, "program", {}, 1, "auto", "uniform", paying)
    return ProgramCounter(asked, [("document", slots)], {}, "")


SORTS = st.lists(
    st.sampled_from(["noun", "place", "day", "month", "year", "day of year", "age", "amount"]),
    min_size=1,
    max_size=8,
)


YEARS = st.integers(1900, 2030)
SPANS = st.one_of(
    st.builds(lambda y, m: y * 10000 + m * 100, YEARS, st.integers(0, 12)),
    st.builds(lambda y: y // 10 * 100000 + 99, YEARS),
)


@given(st.lists(SPANS, max_size=6))
def test_the_ages_that_follow_are_those_of_who_released_them(keys: list[int]) -> None:
    again = ages_between(f"calendar:{key}" for key in keys)
    told = ages_told([softening.span_ends(key) for key in keys])
    assert [(ages[0], ages[-1]) for ages in again] == told


@given(SORTS, st.integers(1, 10**6), st.integers(1, 8))
def test_no_less_could_be_asked(sorts: list[str], t: int, paying: int) -> None:
    """By trying: every fact has the least tau or one less, enough of them the former, and no more; of all
    dates of a level, and of all places, the same is asked. One place pays at most."""
    kinds = {**dict.fromkeys(("day", "month", "year"), "calendar"), "age": "n", "amount": "n"}
    trees = [kinds.get(s, s) for s in sorts]
    among = [at for at, sort in enumerate(sorts) if sort != "place" or "place" not in sorts[:at]]
    if "noun" in sorts:  # which may tell of a time or a sort of place
        among = [at for at in among if sorts[at] == "noun"]
    caps = {"day": 36524, "month": 1200, "year": 100, "age": 120, "day of year": 28}

    def left(at: int, size: int) -> int:
        slack = 2 * (trees.count(trees[at]) - 1)
        return max(1, size - min(slack, size // 2))

    def texts(sizes: list[int]) -> int:
        return math.prod(sorted(left(at, sizes[at]) for at in among)[:paying])

    def capped(tau: int) -> list[int]:
        return [min(tau, caps.get(sort, tau)) for sort in sorts]

    asked = counter(t, sorts, paying)._sizes
    while paying < len(among) and texts(capped(2 * t)) < t:
        paying += 1  # more pay where so few cannot
    if texts(capped(2 * t)) < t:
        assert not asked
        return
    sizes = [asked[at] for at in range(len(sorts))]
    assert texts(sizes) >= t
    tau = max(sizes)
    tau = next(n for n in range(1, 2 * t + 1) if texts(capped(n)) >= t) if tau < 3000 else tau
    assert all(
        n in (full, less) for n, full, less in zip(sizes, capped(tau), capped(tau - 1), strict=True)
    )
    assert tau == 1 or texts(capped(tau - 1)) < t


@pytest.mark.parametrize(
    "text",
    [
        "Ann, born on 20 March 1977, aged 45, was seen on 14 February 2023. Max was born on 3 May 2001.",
        "Seen in February 2023. Born in March 1977. Her son was born in April 1999. She is 45 years old.",
    ],
)
def test_births_beside_an_age_are_told_by_their_decades_however_many_they_are(text: str) -> None:
    claim, evidence = made(f"{text} {DRUGS}", policy(100))
    assert len(re.findall("the [0-9]{4}s", evidence.text)) == len(claim.parameters["births"]) == 2
    assert not is_plausible(claim, evidence).failed
    for fewer in (0, 1):
        births = claim.parameters["births"][:fewer]
        forged = Claim(claim.name, {**claim.parameters, "births": births})
        assert is_plausible(forged, evidence).failed


SMALL = [
    "Tom Lee, aged 2, born on 5 May 2021, was seen on 3 September 2023.",
    "Girl aged 1, born on 30 July 2022, seen on 3 September 2023.",
    "Baby boy, DOB 30/07/2023, age 0, seen 03/09/2023.",
    "Ann Roe, aged 4, born on 5 May 2011, was seen on 3 September 2015 and on 4 May 2016.",
]


@pytest.mark.parametrize("options", [{"unit": "sentence"}, {"each": {"*": 10}}, {"t": 100}])
@pytest.mark.parametrize("text", SMALL)
def test_a_birth_in_the_decade_of_a_childs_visit_says_nothing(
    text: str, options: dict[str, Any]
) -> None:
    claim, evidence = made(text, policy(**{"t": 500, **options}))
    assert not re.search("20[12]0s.*20[12][0-9]", evidence.text)
    assert not is_plausible(claim, evidence).failed


@pytest.mark.parametrize(("decade", "age", "few"), [(1980, "33–43", False), (2020, "0–6", True)])
def test_a_birth_that_leaves_few_ages_does_not_stand_beside_an_age_that_follows(
    decade: int, age: str, few: bool
) -> None:
    told = "Patient aged 42, born on 5 May 1981, seen on 3 May 2023. "
    claim, evidence = made(told + DRUGS, policy(100))
    words = evidence.text[evidence.text.index("They") :]
    shown = f"Patient aged {age}, born in the {decade}s, seen in May 2023. "
    said = {age: f"ranges:{age.replace('–', '..')}", f"the {decade}s": f"calendar:{decade}0099"}
    said["May 2023"] = "calendar:20230500"
    *times, drug, drink = slots_of(claim)
    slots = [
        [shown.index(words), shown.index(words) + len(words), concept, *slot[3:]]
        for (words, concept), slot in zip(said.items(), times, strict=True)
    ]
    moved = len(shown) - evidence.text.index("They")
    slots += [[a + moved, b + moved, *rest] for a, b, *rest in (drug, drink)]
    forged = listing(claim, *slots, texts=100)
    seen = is_plausible(forged, replace(evidence, text=shown + words, record=None))
    assert ("leaves few ages" in seen.detail) == few, seen
