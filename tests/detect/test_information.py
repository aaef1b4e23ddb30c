"""The `information` detector: rare noun phrases are found, common ones are not."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from sfumato.detect.information import InformationOptions, information
from sfumato.document import Document
from sfumato.errors import InputError
from sfumato.know.statistics import probability as statistics
from sfumato.know.statistics.index_build import IndexSettings, build
from sfumato.plugins import DETECTORS

TEXT = "The patient was treated with radiotherapy at the hospital in Okeechobee."


def found(text: str = TEXT, **options: object) -> dict[str, str]:
    detect = information(InformationOptions(**options))
    return {t.of(text): t.reason for t in detect(Document(text))}


def test_rare_phrases_are_found_and_common_ones_are_not() -> None:
    terms = found(bits=11)
    assert "radiotherapy" in terms
    assert "Okeechobee" in terms
    assert "hospital" not in terms
    assert terms["radiotherapy"] == "information content 11.8 bits, at least 11"


def test_more_bits_find_less() -> None:
    sizes = [len(found(bits=b)) for b in (3, 6, 9, 12, 30)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1] == 0


def test_every_term_reaches_the_bits_with_a_score_of_one_half_and_more() -> None:
    detect = information(InformationOptions(bits=6, kind="DETAIL"))
    terms = list(detect(Document(TEXT)))
    assert terms
    for term in terms:
        assert statistics.default().ic(term.of(TEXT)) >= 6
        assert 0.5 <= term.score < 1
        assert (term.kind, term.detector) == ("DETAIL", "information")


def test_what_the_statistics_do_not_know_is_found_unless_the_policy_says_no() -> None:
    text = "The document came from Zyxgoodville."
    assert found(text)["Zyxgoodville"] == "not in the statistics"
    assert "Zyxgoodville" not in found(text, unknown=False)


def test_an_index_of_ones_own(tmp_path: Path) -> None:
    rows = ["radiotherapy for the patient", *["the patient"] * 6, *["radiotherapy"] * 6]
    corpus = tmp_path / "c.jsonl"
    corpus.write_text("".join(json.dumps({"text": r}) + "\n" for r in rows))
    build([corpus], tmp_path / "own.terms", IndexSettings(), jobs=1)
    own = str(tmp_path / "own.terms")
    assert "radiotherapy" not in found(bits=3, index=own)  # seven of thirteen texts
    assert "radiotherapy" in found(bits=0.8, index=own)
    assert "radiotherapy" not in found(bits=3, index=own, weight=0.5)
    options = InformationOptions.model_validate(
        {"index": "own.terms"}, context={"folder": tmp_path}
    )
    assert options.index == own
    with pytest.raises(InputError, match="no such index"):
        found(index=str(tmp_path / "none"))


def test_wrong_options_are_refused() -> None:
    for wrong in ({"bits": 0}, {"kind": "detail"}, {"weight": 2}, {"bit": 3}):
        with pytest.raises(ValidationError):
            InformationOptions(**wrong)


def test_it_is_registered_by_name() -> None:
    from sfumato import plugins

    plugin = plugins.DETECTORS.find("information")
    assert plugin is not None
    assert plugin.options is InformationOptions
    assert not plugin.repeatable


def test_an_index_of_ones_own_is_named_as_knowledge(tmp_path: Path) -> None:
    corpus = tmp_path / "a.jsonl"
    corpus.write_text('{"text": "liver cancer"}\n' * 6)
    build([corpus], tmp_path / "a.terms", jobs=1)
    knowledge = DETECTORS.get("information").knowledge
    ours = knowledge(InformationOptions())
    assert sorted(ours) == ["detector", "statistics"]
    own = knowledge(InformationOptions(index=str(tmp_path / "a.terms"), weight=0.5))
    digest = hashlib.sha256((tmp_path / "a.terms").read_bytes()).hexdigest()
    assert own == {**ours, "statistics of information": f"0.5:{digest}"}
