"""Policies of others: patterns that backtrack, YAML that grows when it is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato import PolicyError
from sfumato.policy import load
from sfumato.policy.files import parse

MERGES = "a0: &a0 {x: 1, y: 2}\n" + "".join(
    f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}\n" for n in range(1, 12)
)
ALIASES = "a0: &a0 [x, y]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (MERGES, "stand for too much"),
        (ALIASES, "stand for too much"),
        ("a: &a [*a]", "stand for too much"),
        ("a: &a {b: *a}", "stand for too much"),
        ("a: &a {<<: *a}", "stand for too much"),
        ("[" * 100_000, "nested too deeply"),
        ("{a: " * 100_000, "nested too deeply"),
        ("- " * 100_000, "nested too deeply"),
        ("".join(f"{' ' * n}a:\n" for n in range(400)), "nested too deeply"),
        ("limits: {bytes: " + "9" * 10_000 + "}", "put it in quotes"),
        ("name: 2031-04-31", "put it in quotes"),
        ("name: !!python/object/apply:os.system [ls]", "YAML file of settings"),
        ("name: [", "YAML file of settings"),
        ("log: {k: 5, k: 2}", "policy:1: 'k' stands twice"),
        (
            "replace: {LOC: label}\nname: a\nreplace: {LOC: keep}",
            "policy:3: 'replace' stands twice",
        ),
        ("know: {taxonomies: [{a: 1, 'a': 2}]}", "'a' stands twice"),
        ("log: {k: 010}", "policy:1: YAML reads 010 as 8"),
        ("\nlog: {k: 1:30}", "policy:2: YAML reads 1:30 as 90"),
        ("name: 1" + ":1" * 200_000, "policy:1: YAML reads 1:1:1.*… as a number; quote it"),
        ("log: {k: 0x10}", "YAML reads 0x10 as 16"),
        ("log: {k: 0b11}", "YAML reads 0b11 as 3"),
        ("log: {k: true}", "a number is meant"),
        ("log: {k: yes}", "a number is meant"),
        ("table: {k: on}", "a number is meant"),
        ("protect: [{plausibility: {t: true}}]", "a number is meant"),
        ("threshold: !!timestamp abc", "put it in quotes"),
        (
            f"detect: !{'x' * 90_000} a",
            "policy:1: could not determine a constructor .{1,20}; a policy is",
        ),
        (r'detect: ["\ud800"]', "policy:1: half of a character"),
        (r'{"\udfff": 1}', "half of a character"),
        *((f"threshold: .9 # x{end}threshold: .1", "ends a line") for end in "\x85\u2028\u2029"),
    ],
    ids=lambda value: value[:12] if isinstance(value, str) else None,
)
def test_yaml_that_grows_or_cannot_be_read_is_refused_in_one_line(text: str, told: str) -> None:
    with pytest.raises(PolicyError, match=told) as error:
        parse(text)
    assert "\n" not in str(error.value)


def test_half_of_a_character_in_a_dictionary_is_refused_too() -> None:
    for made in (
        {"name": "\ud800"},
        {"keep": ["\udfff"]},
        {"replace": {"PERSON": {"text": "\ud800"}}},
    ):
        with pytest.raises(PolicyError, match="policy: half of a character"):
            load(made)


def test_numbers_in_quotes_and_of_ten_are_what_they_are() -> None:
    assert parse('{name: "010", log: {k: 1_0}}').name == "010"
    assert parse("{name: '1:30', threshold: 0.5, log: {k: 10}}").name == "1:30"


def test_aliases_and_merges_within_bounds_are_read() -> None:
    made = parse("replace: {PERSON: &label {how: label}, LOC: *label, ORG: {<<: *label}}\n")
    assert [made.rule(kind).how for kind in ("PERSON", "LOC", "ORG")] == ["label"] * 3


@pytest.mark.parametrize("pattern", [r"(a+)+$", r"(a|a)*b", r"(.*a){20}"])
def test_a_pattern_that_would_backtrack_is_searched_in_linear_time(pattern: str) -> None:
    from sfumato import detect

    custom = {"name": "x", "kind": "CODE", "pattern": pattern}
    rules = {"detect": [{"patterns": {"kinds": ["EMAIL"], "custom": [custom]}}]}
    assert detect("a" * 2_000 + "c", rules) is not None  # `re` would not come back


@pytest.mark.parametrize("pattern", [r"(?<=a)b(c)", r"(a)\1", r"(?=a)(b)"])
def test_patterns_that_only_backtracking_can_search_are_refused(pattern: str) -> None:
    with pytest.raises(PolicyError, match="not accepted"):
        load({"detect": [{"patterns": {"custom": [{"pattern": pattern}]}}]})
    with pytest.raises(PolicyError, match="RE2"):
        load({"replace": {"DATE": {"how": "shift", "per": "person", "person": pattern}}})


def test_the_pattern_of_a_persons_name_does_not_backtrack(tmp_path: Path) -> None:
    from sfumato import InputError, sanitize
    from sfumato.document import Document

    rules = {"replace": {"DATE": {"how": "shift", "per": "person", "person": "(a+)+$"}}}
    with pytest.raises(InputError, match="finds no person"):
        sanitize(Document("Seen on 12 May 2031.", "a" * 5_000 + "b"), rules)


ORIGINAL = """
parameters: {{k: 2}}
attributes: {{text: {{anonymization_type: text}}}}
entities: {{{native} custom: {{WARD: '{pattern}'}}}}
"""


@pytest.mark.parametrize("native", ["", "native: [PERSON],"])
@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        (r"[a-z]+wing[0-9]{2}", "in northwing17 at night", ["northwing17"]),
        (r"(early|late)shift\d+", "the lateshift8 and lateshift", ["lateshift8"]),
        (r"north wing|south wing", "The North Wing is shut", ["North Wing"]),
        (r"w.ng|...", "the wing", ["wing"]),
        (r"ward|...|wing", "the wing", ["wing"]),
    ],
)
def test_an_expression_in_a_file_of_rx_anon_is_used_as_one(
    native: str, pattern: str, text: str, found: list[str]
) -> None:
    from sfumato import detect

    rules = parse(ORIGINAL.format(native=native, pattern=pattern))
    terms = [t for t in detect(text, rules) if t.kind == "WARD"]
    assert [text[t.start : t.end] for t in terms] == found


def test_an_expression_of_rx_anon_that_backtracks_is_refused() -> None:
    with pytest.raises(PolicyError, match="look-around"):
        parse(ORIGINAL.format(native="", pattern="(?<=north)wing"))
