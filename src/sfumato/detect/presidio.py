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
from sfumato.errors import MissingExtraError, PolicyError
from sfumato.kinds import KindOfTerm
from sfumato.plugins import Detector, Options, detector

if TYPE_CHECKING:
    from presidio_analyzer import AnalyzerEngine

    from sfumato.detect._in_presidio import SfumatoRecognizer

__all__ = ["KINDS", "PresidioOptions", "SfumatoRecognizer", "presidio"]

# Presidio's entity types by the kind they are here.
_TYPES = {
    "PERSON": "PERSON",
    "ORG": "ORGANIZATION",
    "LOC": "LOCATION",
    "DEM": "NRP",
    "DATE": "DATE_TIME",
    "AGE": "AGE",
    "EMAIL": "EMAIL_ADDRESS EMAIL",
    "PHONE": "PHONE_NUMBER ZA_MOBILE_NUMBER ZA_TELEPHONE_NUMBER",
    "URL": "URL",
    "IP": "IP_ADDRESS",
    "MAC": "MAC_ADDRESS",
    "UUID": "UUID",
    "CARD": "CREDIT_CARD",
    "IBAN": "IBAN_CODE",
    "CRYPTO": "CRYPTO",
    "ACCOUNT": "US_BANK_NUMBER ABA_ROUTING_NUMBER",
    "SSN": "US_SSN",
    "TAX_ID": "US_ITIN US_PROVIDER_TAX_ID AU_ABN AU_ACN AU_TFN DE_TAX_ID DE_TAX_NUMBER DE_VAT_ID "
    "DE_HANDELSREGISTER IN_GSTIN IN_PAN IT_VAT_CODE KR_BRN PH_TIN SE_ORGANISATIONSNUMMER SG_UEN "
    "ZA_COMPANY_REGISTRATION ZA_INCOME_TAX_NUMBER ZA_VAT_NUMBER",
    "NATIONAL_ID": "UK_NHS UK_NINO CA_SIN DE_ID_CARD DE_SOCIAL_SECURITY ES_NIE ES_NIF IN_AADHAAR "
    "IN_VOTER IT_FISCAL_CODE IT_IDENTITY_CARD FI_PERSONAL_IDENTITY_CODE KR_FRN KR_RRN NG_NIN PH_UMID "
    "PL_PESEL SE_PERSONNUMMER SG_NRIC_FIN TH_TNIN TR_NATIONAL_ID ZA_ID_NUMBER ZA_TRAFFIC_REGISTER_NUMBER",
    "PASSPORT": "US_PASSPORT DE_PASSPORT ES_PASSPORT IN_PASSPORT IT_PASSPORT KR_PASSPORT PH_PASSPORT "
    "UK_PASSPORT ZA_PASSPORT",
    "DRIVING_LICENCE": "US_DRIVER_LICENSE DE_FUEHRERSCHEIN IT_DRIVER_LICENSE KR_DRIVER_LICENSE "
    "UK_DRIVING_LICENCE ZA_DRIVER_LICENSE",
    "PLATE": "DE_KFZ IN_VEHICLE_REGISTRATION NG_VEHICLE_REGISTRATION TR_LICENSE_PLATE "
    "UK_VEHICLE_REGISTRATION ZA_LICENSE_PLATE",
    "HEALTH_PLAN": "AU_MEDICARE DE_HEALTH_INSURANCE US_HEALTH_INSURANCE_MEMBER_ID US_MBI",
    "CERTIFICATE": "MEDICAL_LICENSE DE_BSNR DE_LANR US_NPI",
    "POSTCODE": "CA_POSTAL_CODE DE_PLZ UK_POSTCODE",
    "CODE": "ID US_CLAIM_NUMBER US_PRESCRIPTION_NUMBER US_PRIOR_AUTHORIZATION_NUMBER US_REFERRAL_NUMBER",
}
KINDS: Mapping[str, str | None] = {
    entity: kind for kind, entities in _TYPES.items() for entity in entities.split()
}


class PresidioOptions(Options):
    """Settings of the `presidio` detector (`pip install 'sfumato[presidio]'`)."""

    model: str = Field(
        "en_core_web_sm", description="The spaCy pipeline that Presidio reads with, installed."
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
