from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path

import jsonschema
import pytest

from sfumato import policy
from sfumato.errors import PolicyError
from sfumato.plugins import METHODS
from sfumato.policy import Policy, Rule

MINIMAL = {"detect": ["patterns"], "protect": ["replace"], "replace": {"*": "label"}}


def problem(text: str) -> str:
    with pytest.raises(PolicyError) as caught:
        policy.parse(text, where="p.yaml")
    return str(caught.value)


@pytest.mark.parametrize("name", policy.profiles())
def test_every_profile_survives_being_written_and_read(name: str) -> None:
    profile = policy.load(name)
    assert profile.name == name
    again = policy.parse(profile.to_yaml())
    assert again == profile
    assert again.digest == profile.digest


@pytest.mark.parametrize("term", ["a\x85b", "a\u2028b", "a\u2029é", "é", "a\nb", "a: 'b\u2028"])
def test_a_policy_with_any_term_survives_being_written_and_read(term: str) -> None:
    made = policy.load({**MINIMAL, "keep": [term]})
    assert policy.parse(made.to_yaml()).digest == made.digest


@pytest.mark.parametrize("bad", [r"(?=x)y", r"(a)\1", "(", r"\C", r"é\C+"])
def test_a_kept_pattern_that_cannot_run_on_letters_in_linear_time_is_refused(bad: str) -> None:
    with pytest.raises(PolicyError, match="is not accepted: "):
        policy.load({**MINIMAL, "keep": [{"pattern": bad}]})
    assert policy.load({**MINIMAL, "keep": [{"pattern": r"\\C"}]})


def test_the_profiles_are_there() -> None:
    assert policy.profiles() == [*DIGESTS]


def test_a_policy_comes_from_a_name_a_path_a_dict_or_a_policy(tmp_path: Path) -> None:
    made = policy.load(MINIMAL)
    path = tmp_path / "own.yaml"
    path.write_text(made.to_yaml())
    assert policy.load(path) == policy.load(str(path)) == policy.load(made) == made
    assert policy.load().name == "default"


def test_a_kind_follows_its_own_rule_then_its_familys_then_the_star() -> None:
    made = policy.load({**MINIMAL, "replace": {"CODE": "surrogate", "SSN": "keep", "*": "label"}})
    rules = [made.rule(kind).how for kind in ("SSN", "MRN", "PERSON", "MY_OWN")]
    assert rules == ["keep", "surrogate", "label", "label"]
    assert [made.keeps(kind) for kind in ("SSN", "MRN")] == [True, False]


def test_without_a_star_the_rest_is_labelled() -> None:
    assert policy.load({**MINIMAL, "replace": {"AGE": "keep"}}).rule("EMAIL").how == "label"


def test_rules_take_settings() -> None:
    made = policy.load(
        {
            **MINIMAL,
            "replace": {
                "AGE": {"how": "bucket", "width": 5},
                "DATE": {"how": "shift", "per": "person", "person": r"^(\w+)/"},
            },
        }
    )
    assert made.rule("AGE") == Rule.model_validate({"how": "bucket", "width": 5})
    assert made.rule("AGE") != Rule.model_validate("bucket")
    assert made.rule("DATE").options.model_dump() == {
        "days": 365,
        "per": "person",
        "person": r"^(\w+)/",
    }


def test_the_digest_depends_on_settings_not_on_names_or_places() -> None:
    base = policy.load(MINIMAL)
    assert policy.load({**MINIMAL, "name": "other", "ledger": "x.db"}).digest == base.digest
    assert policy.load({**MINIMAL, "threshold": 0.6}).digest != base.digest
    assert policy.load({**MINIMAL, "keep": ["x"]}).digest != base.digest


# A certificate names its policy by digest: one that changes leaves every release made before without a policy.
DIGESTS = {
    "clinical": "745253a0e4db916a2e066ecf2178ddb6bbeff07fa7115833ac8b7081d1464757",
    "default": "f80b24a9a964bd64ea353d8ac6a03e0d30cf647e73c26979ed3f16d6690eafa8",
    "gdpr": "7e659aaad2512f031d77f948cb3a91492756bbc66a6b0ab2a6498f78a102c53d",
    "hipaa-safe-harbor": "77f0c273bb56542cef5b6619d91a8d8f1477beee9f14ce25b365f1e385a471ef",
    "plausible": "e73521e503d1287d133cf6c4a4faefd1cfd4a2b72d4ae1bf9fa855375cc182c5",
    "research": "b4314d4cf8a15b281dd5912ff3f0df25c165a3d3d4d7850739a0bfd061dd7d90",
    "strict": "90688ea349626f419d35dd0c416407819e495bdde7b6407ff13f6db87b68f82e",
    "undisclosed": "09f81bae69976b1c1d51fe3230a98531355f580f2895ccc4981a0d9ef4429c38",
}


def test_the_digests_of_the_profiles_are_those_of_releases_made_before() -> None:
    assert {name: policy.load(name).digest for name in policy.profiles()} == DIGESTS


def test_the_digest_holds_every_setting_of_a_rule_also_the_usual_ones() -> None:
    short = policy.load({**MINIMAL, "replace": {"AGE": "bucket"}})
    long = policy.load({**MINIMAL, "replace": {"AGE": {"how": "bucket", "width": 10, "top": None}}})
    assert short.digest == long.digest
    assert short.model_dump(mode="json")["replace"]["AGE"] == {
        "how": "bucket",
        "width": 10,
        "top": None,
        "below_top": "bucket",
        "months": "bucket",
    }


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("detct: [patterns]\nprotect: [replace]\nreplace: {}", 1, "unknown setting 'detct'; did you mean 'detect'?"),
        ("detect: [paterns]\nprotect: [replace]\nreplace: {}", 1, "unknown detector 'paterns'; did you mean 'patterns'?"),
        (
            "detect:\n  - patterns:\n      regoins: [US]\nprotect: [replace]\nreplace: {}",
            3,
            "unknown setting 'detect.0.patterns.regoins'; did you mean 'regions'?",
        ),
        ("detect: [patterns]\nprotect: [replcae]\nreplace: {}", 2, "unknown protector 'replcae'; did you mean 'replace'?"),
        ("detect: [patterns]\nreplace:\n  PERSN: label", 2, "unknown kind 'PERSN'; did you mean 'PERSON'?"),
        ("detect: [patterns]\nreplace:\n  LOCATION: label", 2, "unknown kind 'LOCATION'; did you mean 'LOC'?"),
        ("protect: [{plausibility: {t: 9, each: {DISEAS: 3}}}]", 1, "unknown kind 'DISEAS'; did you mean 'DISEASE'?"),
        ("detect: [patterns]\nprotect: [replace]\nreplace:\n  AGE: labell", 4, "unknown method 'labell'; did you mean 'label'?"),
        (
            "detect: [patterns]\nprotect: [replace]\nreplace:\n  AGE: {how: bucket, widht: 5}",
            4,
            "unknown setting 'replace.AGE.widht'; did you mean 'width'?",
        ),
        (
            "replace:\n  AGE: {how: label, width: 5}",
            2,
            "unknown setting 'replace.AGE.width'; valid: how, text",
        ),
        ("replace:\n  AGE: {how: pinch}", 2, "replace.AGE: unknown method 'pinch'"),
        ("replace:\n  AGE: {width: 5}", 2, "replace.AGE: should be a method's name, or `{how: name, …}` with its settings"),
        ("replace:\n  AGE:", 2, "replace.AGE: should be a method's name"),
        ("detect: [patterns]\nprotect: [replace]\nreplace:\n  AGE: {how: bucket, width: 1}", 4, "greater than or equal to 2"),
        ("detect: [patterns]\nprotect: [replace]\nreplace: {}\nlimits: {file_byts: 3}", 4, "did you mean 'file_bytes'?"),
        ("detect: [patterns]\nprotect: [replace]\nreplace: {}\nthreshold: 7", 4, "less than or equal to 1"),
        ("detect: [patterns]\nprotect: [replace]\nreplace: {}\nlanguage: de", 4, "language 'de' is not supported yet; use 'en'"),
        ("detect: [{a: {}, b: {}}]\nprotect: [replace]\nreplace: {}", 1, "should be a detector's name"),
        ("protect:\n  - plausibility: {}", 2, "'protect.0.plausibility.t' is missing"),
        ("detect: [patterns]\nprotect: [replace]\nreplace: {DATE: {how: shift, per: person}}", 3, "needs `person`"),
        ("detect: [patterns]\nprotect: [replace]\nreplace: {DATE: {how: shift, person: '('}}", 3, "not a pattern"),
        ("detect: [patterns]\nprotect: [replace]\nreplace: {DATE: {how: shift, person: 'x'}}", 3, "needs a group"),
        ("a: [", 1, "a policy is a YAML file"),
    ],
)  # fmt: skip
def test_an_error_names_the_line_and_the_nearest_key(text: str, line: int, expected: str) -> None:
    message = problem(text)
    assert expected in message
    assert message.startswith(f"p.yaml:{line}: ")
    assert "\n" not in message


@pytest.mark.parametrize("text", ["", "just words", "[1, 2]"])
def test_what_is_no_mapping_is_no_policy(text: str) -> None:
    assert "a policy is a YAML file of settings" in problem(text)


def test_all_problems_are_told() -> None:
    with pytest.raises(PolicyError) as caught:
        policy.parse("detect: [x]\nprotect: [y]\nreplace: {}\nfoo: 1")
    assert len(caught.value.problems) == 3


def test_a_missing_or_unreadable_policy_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(
        PolicyError, match="neither a file nor a profile \\(clinical, default, gdpr"
    ):
        policy.load("nowhere.yaml")
    (tmp_path / "bad.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PolicyError, match="cannot be read as UTF-8"):
        policy.load(tmp_path / "bad.yaml")
    with pytest.raises(PolicyError, match="policy: unknown setting 'x'"):
        policy.load({**MINIMAL, "x": 1})


def test_the_schema_knows_every_setting_detector_and_method() -> None:
    made = policy.schema()
    assert set(made["properties"]) == set(Policy.model_fields)
    text = json.dumps(made)
    assert all(f'"{method}"' in text for method in METHODS.names())
    assert '"patterns"' in text
    assert '"lists"' in text


@pytest.mark.parametrize(
    ("rule", "fits"),
    [
        ("bucket", True),
        ({"how": "bucket"}, True),
        ({"how": "bucket", "width": 5}, True),
        ({"how": "bucket", "width": 1}, False),
        ({"how": "bucket", "keep_last": 1}, False),
        ({"how": "mask", "keep_last": 1}, True),
        ({"width": 5}, False),
        ("buckets", False),
    ],
)
def test_the_schema_checks_rules_as_the_policy_does(rule: object, fits: bool) -> None:
    settings = {**MINIMAL, "replace": {"AGE": rule}}
    with nullcontext() if fits else pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(settings, policy.schema())
    with nullcontext() if fits else pytest.raises(PolicyError):
        policy.load(settings)
