"""Sfumato inside Presidio: a policy's detectors as a recognizer, its replacements as an operator."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from presidio_analyzer import AnalysisExplanation, EntityRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts
from presidio_anonymizer.operators import Operator, OperatorType

from sfumato import keys, plugins
from sfumato._version import __version__
from sfumato.detect.finder import Finder
from sfumato.detect.presidio import KINDS as KINDS_OF_TYPES
from sfumato.detect.spacy import kind_of
from sfumato.document import Document, Term
from sfumato.errors import PolicyError
from sfumato.keys import Key
from sfumato.kinds import KINDS
from sfumato.policy import Policy, Pseudonym, Replacement, Shift, load
from sfumato.protect import Workshop
from sfumato.release.ledger import Ledger

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


class SfumatoOperator(Operator):
    """A policy's replacements as an operator: `OperatorConfig("sfumato", {"policy": "default"})`.

    Parameters: `policy` (a profile, a file, settings or a Policy), `key` (a Key or its hexadecimal form;
    else `SFUMATO_KEY`, else one that lives as long as the process), `kinds` (Presidio's types and the kinds
    they stand for). An operator sees one term, not the document: methods that need the whole document are
    refused.
    """

    def operate(self, text: str, params: dict[str, Any] | None = None) -> str:
        """What the policy's rule makes of a term."""
        if not text:
            return text
        settings, kind = _read(params or {})
        term = Term(0, len(text), kind, 1.0, "presidio")
        edits = _replacer(settings, _key(params or {}))(Document(text), [term], [])
        return edits[0].replacement if edits else text

    def validate(self, params: dict[str, Any] | None = None) -> None:
        """Refuses settings that cannot work on a single term."""
        settings, kind = _read(params or {})
        _key(params or {})
        problem = _needs_document(settings.rule(kind))
        if problem:
            raise PolicyError(f"replace.{kind}: {problem}; use `sfumato.sanitize` for documents")

    def operator_name(self) -> str:
        return "sfumato"

    def operator_type(self) -> OperatorType:
        return OperatorType.Anonymize


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


def _read(params: Mapping[str, Any]) -> tuple[Policy, str]:
    kinds = {**KINDS_OF_TYPES, **params.get("kinds", {})}
    kind = kind_of(str(params.get("entity_type") or "MISC"), kinds)
    return load(params.get("policy", "default")), kind or "MISC"


def _key(params: Mapping[str, Any]) -> Key:
    given = params.get("key")
    if given is None:
        return keys.from_environment() or _PASSING
    if isinstance(given, Key):
        return given
    try:
        return Key(bytes.fromhex(given))
    except (TypeError, ValueError):
        raise PolicyError("the operator's `key` is a Key or its hexadecimal form") from None


_PASSING = keys.new()
_local = threading.local()  # a ledger stays in the thread that opened it


def _replacer(settings: Policy, key: Key) -> plugins.Protector:
    """The `replace` protector, with one vault for a policy and a key, so that surrogates are consistent."""
    made: dict[tuple[str, str], plugins.Protector] = _local.__dict__.setdefault("made", {})
    place = (settings.digest, key.hex())
    if place not in made:
        plugin = plugins.PROTECTORS.get("replace")
        workshop = Workshop(settings, key, Ledger(key))
        made[place] = plugin.make(plugin.options(), workshop)
    return made[place]


def _needs_document(rule: Replacement) -> str:
    match rule:
        case Pseudonym():
            return "numbers are given by the order in the document, which an operator does not see"
        case Shift(per="document" | "person"):
            return f"`shift` per {rule.per} needs the document (`per: corpus` works)"
    return ""
