from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato import Document, policy
from sfumato.errors import InputError, PolicyError
from sfumato.measure.frontier import Frontier, Point, explore
from sfumato.measure.sweep import Sweep, parse_sweep, variants

PLAUSIBLE = {"detect": [], "protect": [{"plausibility": {"t": 10}}]}
DOCUMENT = Document("She uses marijuana for phantom limb pain since May.", "note.txt")

NUMBERS = st.floats(0, 1)
POINTS = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=12)


def frontier(pairs: list[tuple[float, float]], at_most: float | None = None) -> Frontier:
    points = tuple(Point({"n": n}, r, u) for n, (r, u) in enumerate(pairs))
    return Frontier("documents", "risk", "utility", points, at_most)


# Sweeps


def test_values_are_yaml_and_commas_in_brackets_do_not_split() -> None:
    sweep = parse_sweep("detect.patterns.regions=[GB,IE],[US], []")
    assert sweep == Sweep("detect.patterns.regions", (["GB", "IE"], ["US"], []))
    assert parse_sweep("a.b=true,1,x,{t: 2}").values == (True, 1, "x", {"t": 2})


@pytest.mark.parametrize("text", ["t", "=1", "t=", "t=1,,2", "t=1,1", "t={a: 1"])
def test_a_sweep_that_says_nothing_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="--sweep"):
        parse_sweep(text)


def test_steps_are_addressed_by_name_or_number() -> None:
    base = policy.load(PLAUSIBLE)
    for path in ("protect.plausibility.t", "protect.0.t"):
        found = [
            p.protect[0].options.model_dump()["t"] for _, p in variants(base, [Sweep(path, (5, 7))])
        ]
        assert found == [5, 7]


def test_rules_and_plain_settings_can_be_swept() -> None:
    base = policy.load("default")
    rules = [
        p.rule("PERSON").how for _, p in variants(base, [parse_sweep("replace.PERSON=mask,keep")])
    ]
    assert rules == ["mask", "keep"]
    widths = parse_sweep("replace.AGE={how: bucket, width: 5},{how: bucket, width: 20}")
    assert [p.rule("AGE").options.model_dump()["width"] for _, p in variants(base, [widths])] == [
        5,
        20,
    ]
    limits = [
        p.limits.file_bytes for _, p in variants(base, [parse_sweep("limits.file_bytes=10,20")])
    ]
    assert limits == [10, 20]


def test_sweeps_are_combined() -> None:
    sweeps = [parse_sweep("threshold=0.1,0.2"), parse_sweep("replace.*=label,mask")]
    assert len(list(variants(policy.load("default"), sweeps))) == 4


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("protect.ksafety.k", "no such step; it has plausibility"),
        ("protect.plausibility", "is a list of steps"),
        ("language.x", "has no settings of its own"),
        ("language.x.y", "no such setting"),
        ("protect.plausibility.tt", "unknown setting"),
        ("nonsense", "unknown setting"),
    ],
)
def test_a_setting_that_is_not_there_is_answered_in_words(path: str, said: str) -> None:
    with pytest.raises((InputError, PolicyError), match=said):
        list(variants(policy.load(PLAUSIBLE), [Sweep(path, (1,))]))


def test_a_name_that_occurs_twice_needs_a_number() -> None:
    base = policy.load({"protect": [{"plausibility": {"t": 2}}, {"plausibility": {"t": 3}}]})
    with pytest.raises(InputError, match="several of them"):
        list(variants(base, [Sweep("protect.plausibility.t", (1,))]))


def test_nothing_to_sweep_is_refused() -> None:
    with pytest.raises(InputError, match="nothing to explore"):
        list(variants(policy.load("default"), []))


# The frontier


@given(POINTS)
def test_the_best_are_those_that_none_beats(pairs: list[tuple[float, float]]) -> None:
    best = set(frontier(pairs).best)
    for n, (risk, utility) in enumerate(pairs):
        beaten = any(r <= risk and u >= utility and (r, u) != (risk, utility) for r, u in pairs)
        assert (n in best) != beaten


@given(POINTS)
def test_the_knee_is_one_of_the_best(pairs: list[tuple[float, float]]) -> None:
    found = frontier(pairs)
    assert found.knee in found.best


def test_the_knee_is_where_the_line_bends() -> None:
    assert frontier([(0.0, 0.0), (0.1, 0.8), (0.5, 0.9), (1.0, 1.0)]).knee == 1
    assert frontier([(0.0, 0.0), (0.5, 0.5), (1.0, 1.0)]).knee == 0
    assert frontier([(0.3, 0.7)]).knee == 0


def test_nothing_above_the_allowed_risk_is_recommended() -> None:
    pairs = [(0.0, 0.0), (0.1, 0.2), (0.3, 0.8), (1.0, 1.0)]
    assert frontier(pairs).knee == 2
    assert frontier(pairs, 0.2).knee in (0, 1)
    assert frontier([(0.5, 1.0)], 0.2).knee is None


def test_refused_points_have_no_part_in_it() -> None:
    points = (Point({"t": 1}, refused="no"), Point({"t": 2}, 0.1, 0.2))
    found = Frontier("documents", "risk", "utility", points)
    assert found.best == [1]
    assert found.as_dict()["points"][0] == {
        "settings": {"t": 1},
        "refused": "no",
        "on_frontier": False,
        "recommended": False,
    }
    assert Frontier("documents", "r", "u", points[:1]).knee is None


# Documents


def test_a_larger_t_risks_less_and_keeps_less() -> None:
    sweep = parse_sweep("protect.plausibility.t=2,100,100000")
    found = explore([DOCUMENT], policy.load(PLAUSIBLE), [sweep])
    risks = [p.risk for p in found.points]
    kept = [p.utility for p in found.points]
    assert risks == sorted(risks, reverse=True)
    assert kept == sorted(kept, reverse=True)
    assert 0 <= risks[-1] < risks[0] <= 1
    json.dumps(found.as_dict())


def test_a_value_that_cannot_be_reached_is_refused_and_the_rest_measured() -> None:
    sweep = Sweep("protect.plausibility.t", (2, 10**60))
    seen: list[str] = []
    found = explore([DOCUMENT], policy.load(PLAUSIBLE), [sweep], watch=seen.append)
    assert "cannot be reached" in found.points[1].refused
    assert not found.points[0].refused
    assert seen == ["t = 2", "t = 1e+60"]
    assert "marijuana" not in json.dumps(found.as_dict())


def test_the_same_sweep_gives_the_same_numbers() -> None:
    sweep = parse_sweep("replace.*=surrogate,label,keep")
    documents = [Document("Ann Lee wrote to Bob Ray in Oslo on 14 May 2004.", "a.txt")]
    labels = policy.load({"protect": ["replace"]})
    one, two = (explore(documents, labels, [sweep]).as_dict() for _ in "ab")
    assert one == two
    assert one["points"][2]["risk"] == 1.0
    assert one["points"][0]["risk"] < 1.0


def test_with_a_background_the_risk_is_to_be_found() -> None:
    known = {"Ann": "Ann lives in Oslo and plays chess", "Bob": "Bob sells boats in Bergen"}
    documents = [Document("Ann lives in Oslo", "Ann.txt"), Document("Bob sells boats", "Bob.txt")]
    whom = {"Ann.txt": "Ann", "Bob.txt": "Bob"}
    sweep = parse_sweep("replace.*=keep,label")
    found = explore(documents, policy.load("default"), [sweep], background=known, truth=whom)
    assert found.points[0].risk == 1.0
    assert set(found.points[0].more) >= {"disclosed", "interval", "top_5"}


def test_nothing_hidden_at_any_value_risks_nothing() -> None:
    found = explore(
        [Document("It rains.", "a")], policy.load("default"), [parse_sweep("threshold=0.5")]
    )
    assert found.points[0].risk == 0
    assert found.points[0].utility == 100


def test_there_must_be_documents() -> None:
    with pytest.raises(InputError, match="no documents"):
        explore([Document(" ", "a")], policy.load("default"), [parse_sweep("threshold=0.5")])


def test_a_setting_that_the_policy_leaves_open_can_be_swept() -> None:
    sweep = parse_sweep("detect.patterns.regions=[GB],[US]")
    found = [
        p.detect[0].options.model_dump()["regions"]
        for _, p in variants(policy.load("default"), [sweep])
    ]
    assert [list(regions) for regions in found] == [["GB"], ["US"]]


def test_a_point_without_numbers_has_none() -> None:
    assert math.isnan(Point({}).risk)
    assert Point({"a.t": 1000, "b": True}).label == "t = 1,000, b = True"
