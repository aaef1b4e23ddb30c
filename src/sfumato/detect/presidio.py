"""The `presidio` detector: what Presidio's analyzer finds.

The other way round, Sfumato works inside Presidio: `SfumatoRecognizer` is a policy's detectors as an
`EntityRecognizer`; its replacements as an anonymizer's `Operator` stand in `sfumato.serve.presidio`. Presidio
itself is imported when one of them is asked for, not before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import Field

from sfumato.detect.spacy import kind_of, knowledge, loading, pieces
from sfumato.document import Document, Term
from sfumato.english.wordlists import lists
from sfumato.errors import MissingExtraError, PolicyError
from sfumato.kinds import KindOfTerm
from sfumato.know.settings import Pipeline
from sfumato.plugins import Detector, Options, detector

if TYPE_CHECKING:
    from presidio_analyzer import AnalyzerEngine

    from sfumato.detect._in_presidio import SfumatoRecognizer

__all__ = ["KINDS", "PresidioOptions", "SfumatoRecognizer", "presidio"]

# What Presidio's entity types are here.
KINDS: Mapping[str, str | None] = {
    entity: kind for kind, entities in lists("detect/presidio").items() for entity in entities
}


class PresidioOptions(Options):
    """Settings of the `presidio` detector (`pip install 'sfumato[presidio]'`)."""

    model: Pipeline = Field(
        "en_core_web_sm",
        description="The spaCy pipeline that Presidio reads with: the name of an installed one, or its "
        "folder, written with a slash; a relative path starts at the policy's folder.",
    )
    language: str = Field("en", description="The language of the texts, in two letters.")
    entities: tuple[str, ...] = Field(
        (), description="The entity types to look for, in Presidio's words; all if none is named."
    )
    score_threshold: float = Field(
        0.0, ge=0, le=1, description="What Presidio drops itself, before the policy's threshold."
    )
    kinds: dict[str, KindOfTerm | None] = Field(
        {},
        description="Presidio's entity types and the kinds they stand for, where the usual ones do not "
        "fit; `null` leaves a type out. A type without a kind is a kind of its own.",
    )


@detector("presidio", options=PresidioOptions, repeatable=False, knowledge=knowledge)
def presidio(options: PresidioOptions) -> Detector:
    """What Presidio's analyzer finds."""
    engine, limit = make_engine(options.model, options.language)
    kinds = {**KINDS, **options.kinds}
    wanted = list(options.entities) or None
    unknown = set(options.entities) - set(engine.get_supported_entities(options.language))
    if unknown:
        raise PolicyError(
            f"Presidio has no entity type '{min(unknown)}' for the language '{options.language}'"
        )

    def detect(document: Document) -> Iterable[Term]:
        for offset, piece in pieces(document.text, limit):
            for found in engine.analyze(
                piece, options.language, wanted, score_threshold=options.score_threshold
            ):
                kind = kind_of(found.entity_type, kinds)
                if kind is not None and piece[found.start : found.end].strip():
                    yield Term(
                        offset + found.start,
                        offset + found.end,
                        kind,
                        min(1.0, max(0.0, float(found.score))),
                        "presidio",
                        f"Presidio: {found.entity_type}",
                    )

    return detect


def make_engine(model: str, language: str) -> tuple[AnalyzerEngine, int]:
    """An analyzer that reads with an installed spaCy pipeline, and the longest text it takes.

    Presidio would fetch a pipeline that is missing, and a list of domain names, from the network; neither
    happens here.
    """
    try:
        import tldextract.tldextract
        from presidio_analyzer import AnalyzerEngine
        from presidio_analyzer.nlp_engine import NlpEngineProvider
    except ImportError:
        raise MissingExtraError("the detector 'presidio'", "presidio") from None
    with loading(model) as named:
        read_with = [{"lang_code": language, "model_name": named}]
        settings = {"nlp_engine_name": "spacy", "models": read_with}
        nlp_engine: Any = NlpEngineProvider(nlp_configuration=settings).create_engine()
    tldextract.tldextract.TLD_EXTRACTOR = tldextract.TLDExtract(None, ())
    engine = AnalyzerEngine(nlp_engine=nlp_engine, supported_languages=[language])
    return engine, nlp_engine.nlp[language].max_length


def __getattr__(name: str) -> Any:
    """The class whose base is Presidio's."""
    if name == "SfumatoOperator":
        raise ImportError(f"{name} stands in sfumato.serve.presidio", name=__name__)
    if name != "SfumatoRecognizer":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from sfumato.detect._in_presidio import SfumatoRecognizer
    except ImportError:
        raise MissingExtraError(name, "presidio") from None
    return SfumatoRecognizer
