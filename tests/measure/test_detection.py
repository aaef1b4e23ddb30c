"""The scores of a policy's detectors, on gold data small enough to count by hand."""

from __future__ import annotations

from sfumato import policy
from sfumato.measure.detection import Missed, evaluate
from sfumato.measure.gold import GoldDocument
from sfumato.measure.tab import ConfidenceInterval, Identifier, Mention

RULES = {
    "detect": [
        {
            "lists": {
                "hide": [
                    {"kind": "PERSON", "terms": ["Ann Roe"], "inflect": False},
                    {"kind": "LOC", "terms": ["Rome", "square"]},
                ]
            }
        },
    ],
    "protect": ["replace"],
    "replace": {},
}
TEXT = "Ann Roe left Rome for Oslo. Roe saw a square in Oslo."


def mention(text: str, kind: str, identifier: str, entity: str, after: int = 0) -> Mention:
    start = TEXT.index(text, after)
    return Mention(start, start + len(text), entity, Identifier(identifier), kind)


MENTIONS = (
    mention("Ann Roe", "PERSON", "DIRECT", "ann"),
    mention("Rome", "LOC", "QUASI", "rome"),
    mention("Oslo", "LOC", "QUASI", "oslo"),
    mention("Roe", "PERSON", "DIRECT", "ann", after=20),
    mention("Oslo", "LOC", "QUASI", "oslo", after=30),
)
GOLD = GoldDocument("one", TEXT, (MENTIONS,))


def test_scores_are_those_counted_by_hand() -> None:
    result = evaluate([GOLD], policy.load(RULES))
    assert {name: (s.value, s.total) for name, s in result.scores.items()} == {
        "token_recall": (3 / 6, 6),  # Ann Roe Rome | Oslo Roe Oslo
        "direct_recall": (0.0, 1),  # Roe alone was missed
        "quasi_recall": (1 / 2, 2),
        "token_precision": (3 / 4, 4),  # the square is nobody's
    }
    assert result.scores["token_recall"].interval == ConfidenceInterval(0.5, 0.5)


def test_each_kind_has_its_recall() -> None:
    kinds = evaluate([GOLD], policy.load(RULES)).kinds
    assert list(kinds) == ["LOC", "PERSON"]
    assert (kinds["LOC"].token_recall.value, kinds["LOC"].token_recall.total) == (1 / 3, 3)
    assert (kinds["LOC"].entities_masked, kinds["LOC"].entities) == (1, 2)
    assert (kinds["PERSON"].entities_masked, kinds["PERSON"].entities) == (0, 1)


def test_missed_terms_are_listed_by_how_often() -> None:
    assert evaluate([GOLD], policy.load(RULES)).missed == (
        Missed("Oslo", "LOC", Identifier.QUASI, 2, "one", TEXT.index("Oslo")),
        Missed("Roe", "PERSON", Identifier.DIRECT, 1, "one", TEXT.index("Roe", 20)),
    )


def test_what_the_policy_keeps_is_not_masked() -> None:
    kept = policy.load({**RULES, "replace": {"LOC": "keep"}})
    result = evaluate([GOLD], kept)
    assert result.scores["token_precision"].total == 2
    assert result.kinds["LOC"].entities_masked == 0


def test_annotators_of_one_document_are_added_up() -> None:
    nothing = GoldDocument("one", TEXT, (MENTIONS, ()))
    result = evaluate([nothing], policy.load(RULES))
    assert result.scores["token_recall"].total == 6
    # Whoever marked nothing finds all of what was masked wrong.
    assert result.scores["token_precision"].value == 3 / 8


def test_a_kind_that_needs_no_masking_is_not_listed() -> None:
    harmless = GoldDocument("two", TEXT, ((mention("square", "MISC", "NO_MASK", "s"),),))
    result = evaluate([harmless], policy.load(RULES))
    assert result.kinds == {}
    assert result.scores["token_recall"].value is None


def test_the_seed_decides_the_draws_and_nothing_else() -> None:
    documents = [GOLD, GoldDocument("two", TEXT, (MENTIONS[:2],)), GoldDocument("x", TEXT, ((),))]
    rules = policy.load(RULES)
    assert evaluate(documents, rules, seed=1) == evaluate(documents, rules, seed=1)
    first, second = evaluate(documents, rules, seed=1), evaluate(documents, rules, seed=2)
    assert first.missed == second.missed
    assert first.scores["token_recall"].value == second.scores["token_recall"].value
