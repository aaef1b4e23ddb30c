"""Sfumato inside Presidio: a policy's detectors as a recognizer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from presidio_analyzer import AnalysisExplanation, EntityRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts

from sfumato._version import __version__
from sfumato.detect.finder import Finder
from sfumato.document import Document, Term
from sfumato.kinds import KINDS
from sfumato.policy import Policy, load

# Kinds under Presidio's own names; the other kinds keep theirs.
TYPES = {
    "ORG": "ORGANIZATION",
    "LOC": "LOCATION",
    "ADDRESS": "LOCATION",
    "COORDINATES": "LOCATION",
    "DEM": "NRP",
    "DATE": "DATE_TIME",
    "TIME": "DATE_TIME",
    "EMAIL": "EMAIL_ADDRESS",
    "PHONE": "PHONE_NUMBER",
    "FAX": "PHONE_NUMBER",
    "IP": "IP_ADDRESS",
    "MAC": "MAC_ADDRESS",
    "CARD": "CREDIT_CARD",
    "IBAN": "IBAN_CODE",
    "SSN": "US_SSN",
    "CODE": "ID",
}


class SfumatoRecognizer(EntityRecognizer):
    """A policy's detectors as a recognizer, for `analyzer.registry.add_recognizer(…)`."""

    name: str

    def __init__(
        self,
        policy: Policy | Mapping[str, Any] | str | Path = "default",
        *,
        types: Mapping[str, str] | None = None,
        supported_language: str = "en",
        name: str = "SfumatoRecognizer",
    ) -> None:
        self.types = {**TYPES, **(types or {})}
        self._settings = load(policy)
        self._find: Finder | None = None
        known = {self.types.get(kind, kind) for kind in _kinds(self._settings)}
        super().__init__(sorted(known), name, supported_language, __version__)

    def load(self) -> None:
        """Makes the detectors ready."""
        self._find = Finder(self._settings)

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: NlpArtifacts | None = None
    ) -> list[RecognizerResult]:
        """The terms of a text, in Presidio's words."""
        assert self._find is not None
        # Asked for all types, nothing is left out, not even a kind that only a plug-in knows.
        everything = not entities or set(entities) >= set(self.supported_entities)
        return [
            self._result(term, entity)
            for term in self._find(Document(text))
            if (entity := self.types.get(term.kind, term.kind)) in entities or everything
        ]

    def _result(self, term: Term, entity: str) -> RecognizerResult:
        explanation = AnalysisExplanation(
            recognizer=self.name,
            original_score=term.score,
            textual_explanation=f"{term.detector}: {term.reason}" if term.reason else term.detector,
        )
        metadata = {
            RecognizerResult.RECOGNIZER_NAME_KEY: self.name,
            RecognizerResult.RECOGNIZER_IDENTIFIER_KEY: self.id,
            "sfumato_kind": term.kind,
        }
        return RecognizerResult(entity, term.start, term.end, term.score, explanation, metadata)


def _kinds(settings: Policy) -> set[str]:
    """The kinds that a policy speaks of, and those that come with Sfumato."""

    def named(value: Any) -> Iterator[str]:
        if isinstance(value, Mapping):
            for key, inner in value.items():
                yield from [inner] if key == "kind" and isinstance(inner, str) else named(inner)
        elif isinstance(value, list | tuple):
            for inner in value:
                yield from named(inner)

    found = {kind for step in settings.detect for kind in named(step.options.model_dump())}
    return {*KINDS, *found, *settings.replace} - {"*"}
