"""rx-anon's configuration files, read unchanged."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato import policy
from sfumato.errors import PolicyError
from sfumato.policy import rx_anon as original

FILE = """
parameters: {k: 3, strategy: mondrian, relational_weight: 0.1}
nlp: {model: no_such_model, cache: data/cached}
attributes:
  id: {anonymization_type: direct_identifier}
  name: {anonymization_type: direct_identifier}
  gender: {type: nominal, anonymization_type: quasi_identifier, bias: 0.5}
  age:
    type: numerical
    anonymization_type: quasi_identifier
    recoding_strategy: hierarchy
    hierarchy: {name: 1-100, children: [{name: 1-20}, {name: 21-100}]}
    entities: [DATE]
  zip: {type: ordinal, anonymization_type: quasi_identifier, recoding_strategy: string_reduction}
  sign: {type: nominal, anonymization_type: quasi_identifier, entities: [SIGN]}
  date: {type: date, anonymization_type: quasi_identifier, format: "%d,%B,%Y", entities: [DATE]}
  pay: {type: numerical, anonymization_type: sensitive_attribute}
  note: {}
  text: {type: text, anonymization_type: text}
entities:
  native: [PERSON, GPE, DATE, MAIL, LAW]
  custom:
    SIGN: aries|taurus|leo minor
    Job-Title: [head nurse]
"""


def test_every_setting_has_its_place() -> None:
    made = policy.parse(FILE)
    table = made.table
    assert table is not None
    assert (table.k, table.strategy, table.relational_weight) == (3, "mondrian", 0.1)
    assert table.person_column == "id"
    assert table.fate("name") == "remove"
    assert table.columns["gender"].bias == 0.5
    assert table.columns["age"].hierarchy == (("1-20", "1-100"), ("21-100", "1-100"))
    assert table.columns["age"].kinds == ("DATE", "AGE")
    assert table.columns["zip"].type == "string"
    assert table.columns["sign"].kinds == ("SIGN",)
    assert table.columns["date"].format == "%d,%B,%Y"
    assert table.columns["pay"].role == "sensitive"
    assert table.columns["note"].role == "insensitive"
    assert table.kinds == ("PERSON", "LOC", "DATE", "AGE", "EMAIL", "MISC", "SIGN", "JOB_TITLE")
    assert [step.name for step in made.detect] == ["patterns", "personal", "gazetteers", "lists"]
    lists = made.detect[-1].options.model_dump()["hide"]
    assert lists[0]["terms"] == ("aries", "taurus", "leo minor")
    assert policy.parse(made.to_yaml()).digest == made.digest


def test_defaults_are_the_originals() -> None:
    made = policy.parse(
        "attributes: {id: {anonymization_type: direct_identifier}, t: {anonymization_type: text}}"
    )
    assert made.table is not None
    assert (made.table.k, made.table.strategy, made.table.others) == (10, "gdf", "insensitive")
    assert made.detect == ()


def test_a_model_that_is_not_installed_is_said(tmp_path: Path) -> None:
    path = tmp_path / "old.yaml"
    path.write_text(FILE)
    first, second = original.notes_on(path)
    assert "no_such_model is not installed; Sfumato's own detectors take its place" in first
    assert "nlp.cache is not used" in second
    path.write_text("detect: []\n")
    assert original.notes_on(path) == []
    assert original.notes_on(tmp_path / "none.yaml") == []


def test_a_model_that_is_installed_is_used() -> None:
    pytest.importorskip("en_core_web_sm")
    made = policy.parse(FILE.replace("no_such_model", "en_core_web_sm"))
    assert [step.name for step in made.detect] == ["patterns", "spacy", "lists"]
    import yaml

    data = yaml.safe_load(FILE.replace("no_such_model", "en_core_web_sm"))
    assert "found by the spaCy pipeline en_core_web_sm" in original.notes(data)[0]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("k: 3", "kk: 3", "unknown setting 'parameters.kk'"),
        ("bias: 0.5", "bas: 0.5", "unknown setting 'attributes.gender.bas'"),
        ("type: numerical", "type: number", "unknown type 'number'"),
        ("direct_identifier}", "direct}", "unknown anonymization_type 'direct'"),
        ("[PERSON, GPE", "[PERSN, GPE", "unknown entity 'PERSN'"),
        ("string_reduction", "shorten", "unknown recoding_strategy 'shorten'"),
        ("hierarchy: {name", "format: {name", "needs a `hierarchy`"),
        (
            "nlp: {model: no_such_model, cache: data/cached}",
            "nlp: model",
            "should be settings by name",
        ),
    ],
)
def test_what_the_original_does_not_know_is_refused(old: str, new: str, said: str) -> None:
    with pytest.raises(PolicyError, match=said):
        policy.parse(FILE.replace(old, new, 1))
