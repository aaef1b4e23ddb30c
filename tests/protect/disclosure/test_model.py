"""The protector on texts, through the pipeline, with the knowledge that comes along."""

from __future__ import annotations

import re
from typing import Any

import pytest

import sfumato
from sfumato import Document, InputError, PolicyError, keys, sanitize, verify
from sfumato.document import AGREEMENT, GENERALISE, Release
from sfumato.facts.redacted import redacted_edits
from sfumato.know import tables
from sfumato.policy import load
from sfumato.protect.disclosure.document_terms import TOLD
from sfumato.verify.disclosure import NOTHING_TOLD

KEY = keys.Key(bytes(range(32)))
TEXT = (
    "The patient has breast cancer. She had a mastectomy and radiotherapy at a hospital near a lake. "
    "Her mastectomy went well; the mastectomies of others did not."
)


HIDE = {"hide": [{"kind": "DISEASE", "terms": ["breast cancer"]}]}


def rules(**options: object) -> dict[str, object]:
    return {"detect": [{"lists": HIDE}], "protect": ["replace", {"disclosure": options}]}


def release(text: str = TEXT, **options: Any) -> Release:
    return sanitize(text, rules(**options), key=KEY)


def softened(made: Release) -> dict[str, str]:
    rows = zip(made.edits, made.record.originals, strict=True)
    return {original: e.replacement for e, original in rows if TOLD in e.numbers}


def test_what_betrays_the_diagnosis_is_softened_everywhere() -> None:
    made = release()
    assert "mastectom" not in made.text
    assert "lake" in made.text
    assert {"mastectomy", "mastectomies"} <= set(softened(made))


def test_as_the_last_step_it_replaces_findings_by_the_policys_rules() -> None:
    alone = {"detect": ["patterns"], "protect": ["disclosure"]}
    assert sanitize("Write to ann@example.org", alone, key=KEY).text == "Write to [EMAIL 1]"


def test_the_claim_is_stated_and_holds() -> None:
    made = release()
    (claim,) = [c for c in made.certificate.claims if c.name == NOTHING_TOLD]
    assert claim.parameters["threshold"] == {"share": 0.4}
    assert claim.parameters["not assessed"] == 0
    checks = {c.name: c for c in verify(made, rules(), key=KEY)}
    assert checks[NOTHING_TOLD].verdict == "holds"


def test_reasons_name_the_kind_and_only_the_private_part_the_hidden_term() -> None:
    made = release()
    (edit,) = [
        e for e, o in zip(made.edits, made.record.originals, strict=True) if o == "mastectomy"
    ][:1]
    assert edit.reason == "told too much about a hidden disease or symptom"
    assert re.fullmatch(
        r"tells \d+\.\d of the \d+\.\d bits of “breast cancer”; (“.+” tells -?\d+\.\d|a label tells nothing) "
        r"\(threshold \d+\.\d\)",
        edit.private,
    )
    assert edit.numbers[TOLD] >= edit.numbers["threshold"] > edit.numbers["left"]
    assert "cancer" not in str(made.to_dict()["edits"])


def test_a_released_text_asks_for_nothing_more() -> None:
    made = release()
    again = release(made.text)
    assert again.text == made.text


@pytest.mark.parametrize("strategy", ["S3", "S4", "S5"])
def test_strategies_that_look_at_correlated_terms_all_hold(strategy: str) -> None:
    made = release(strategy=strategy)
    assert "mastectom" not in made.text
    if strategy == "S3":
        assert all(e.how in ("label", AGREEMENT) for e in made.edits)
    else:
        assert any(e.how == GENERALISE for e in made.edits)


@pytest.mark.parametrize("strategy", ["S1", "S2"])
def test_strategies_that_leave_correlated_terms_claim_nothing(strategy: str) -> None:
    made = release(strategy=strategy)
    assert "mastectomy" in made.text
    assert NOTHING_TOLD not in {c.name for c in made.certificate.claims}
    assert NOTHING_TOLD not in {c.name for c in verify(made, rules(strategy=strategy))}


def test_strategies_with_removal_turn_generalisations_into_labels() -> None:
    whole = {**rules(strategy="S4"), "replace": {"DISEASE": "generalise"}}
    hidden = [e for e in sanitize(TEXT, whole, key=KEY).edits if e.kind == "DISEASE"]
    assert {(e.how, e.replacement) for e in hidden} == {("label", "[DISEASE 1]")}
    whole = {**rules(), "replace": {"DISEASE": "generalise"}}
    hidden = [e for e in sanitize(TEXT, whole, key=KEY).edits if e.kind == "DISEASE"]
    assert {e.how for e in hidden} == {GENERALISE}


@pytest.mark.parametrize("context", ["sentence", "paragraph", {"window": 1}])
def test_terms_outside_the_context_stand(context: object) -> None:
    made = release("She has breast cancer.\n\nHis mastectomy went well.", context=context)
    assert "mastectomy" in made.text


@pytest.mark.parametrize(
    "options",
    [
        {"threshold": {"bits": 3}},
        {"threshold": "least hidden"},
        {"disambiguate": True},
        {"intrinsic": True},
        {"groups": 2},
        {"groups": 3, "context": "sentence"},
        {"support": 1, "room": 1.0},
    ],
    ids=str,
)
def test_every_setting_gives_a_release_that_holds(options: dict[str, Any]) -> None:
    made = release(**options)
    assert {c.verdict for c in made.checks if c.name == NOTHING_TOLD} == {"holds"}


def test_what_the_policy_keeps_is_not_touched() -> None:
    made = sanitize(TEXT, {**rules(), "keep": ["mastectomy"]}, key=KEY)
    assert "mastectomy" in made.text


def test_nothing_hidden_is_nothing_to_protect() -> None:
    made = release("A walk along the lake.")
    assert made.text == "A walk along the lake."
    assert [c.detail for c in made.checks if c.name == NOTHING_TOLD] == ["nothing is hidden"]


def test_hidden_terms_that_nobody_knows_are_counted_or_refused() -> None:
    text = "Ask zorblatt@example.org about the mastectomy."
    whole: dict[str, Any] = {"detect": ["patterns"], "protect": ["replace", "disclosure"]}
    made = sanitize(text, whole, key=KEY)
    (check,) = [c for c in made.checks if c.name == NOTHING_TOLD]
    assert check.detail.startswith("not assessed")
    whole["protect"] = ["replace", {"disclosure": {"unassessed": "refuse"}}]
    with pytest.raises(InputError, match=r"EMAIL at 1:5.*cannot be assessed") as caught:
        sanitize(text, whole, key=KEY)
    assert "zorblatt" not in str(caught.value)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"threshold": {"share": 2}}, "share"),
        ({"threshold": {"share": 0.5, "bits": 2}}, "one of"),
        ({"context": {"window": 3, "x": 1}}, "unit"),
        ({"groups": 5}, "groups"),
        ({"strategy": "S9"}, "strategy"),
        ({"shares": 1}, "shares"),
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(PolicyError, match=said):
        load({"protect": ["replace", {"disclosure": wrong}]})


# Somebody else's redactions


def test_redactions_are_edits() -> None:
    note = Document("Ann Lee has flu since May.", "note.txt")
    found = redacted_edits(note, "[NAME] has ███ since.")
    assert [(e.kind, e.how, e.replacement) for e in found] == [
        ("PERSON", "label", "[NAME]"),
        ("MISC", "label", "███"),
        ("MISC", "remove", ""),
    ]


def test_a_redacted_version_that_hides_nothing_is_refused() -> None:
    with pytest.raises(InputError, match=r"b\.txt hides nothing of note\.txt: there is nothing to"):
        redacted_edits(Document("Ann left.", "note.txt"), "Ann left.", name="b.txt")


def test_groups_need_one_index() -> None:
    own = str(tables.FOLDER / "wikipedia.terms")
    whole = {**rules(groups=2), "know": {"index": own}}
    with pytest.raises(InputError, match="groups of terms are counted in one index"):
        sanitize(TEXT, whole, key=KEY)


def test_an_index_of_ones_own_is_blended_with_ours() -> None:
    own = str(tables.FOLDER / "wikipedia.terms")
    made = sanitize(TEXT, {**rules(), "know": {"index": own}}, key=KEY)
    assert made.text == release().text


def test_headings_do_not_belong_to_what_follows() -> None:
    made = release("Diagnosis\nbreast cancer\n\nBackground\nmastectomy in Leeds\n")
    assert "Background\n" in made.text
    assert "mastectomy" not in made.text


def test_nouns_that_are_generalised_for_plausibility_are_no_secrets() -> None:
    whole = rules()
    whole["protect"] = [{"plausibility": {"t": 50, "terms": "nouns"}}, "disclosure"]
    made = sanitize("A walk along the lake with a dog and a table.", whole, key=KEY)
    assert made.edits
    assert [c.detail for c in made.checks if c.name == NOTHING_TOLD] == ["nothing is hidden"]


@pytest.mark.parametrize("words", ["a condition", "an entity", "person"])
def test_somebody_elses_more_general_words_count_for_all_they_may_stand_for(words: str) -> None:
    text = "The teacher has cancer and lives by the sea with her mother."
    rules = {"detect": [], "protect": [{"disclosure": {"threshold": {"share": 0.5}}}]}
    released = sfumato.sanitize(text, rules, redacted=text.replace("cancer", words))
    assert words in released.text


def test_words_beside_a_label_are_counted() -> None:
    text = "She takes antiretroviral treatment for HIV-1 infection."
    rules = {"detect": [], "protect": [{"disclosure": {"threshold": {"share": 0.5}}}]}
    released = sfumato.sanitize(text, rules, redacted="She takes AIDS drugs [REDACTED].")
    assert "AIDS" not in released.text
