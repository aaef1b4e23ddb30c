"""The `gazetteers` detector: places of the world, and the terms of the user's own taxonomies.

A place is found by its name, written with a capital letter; names that are ordinary words ("Reading",
"Nice") are left to detectors that read the context. What is found has a ladder, so that it can be made more
general instead of being removed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationInfo, model_validator

from sfumato.document import Document, Term
from sfumato.english.matcher import TermMatcher
from sfumato.english.ordinary import is_ordinary
from sfumato.english.wordlists import word_set
from sfumato.errors import InputError
from sfumato.kinds import KindOfTerm
from sfumato.know import fingerprints
from sfumato.know.settings import in_folder
from sfumato.know.taxonomy import medical, own, places
from sfumato.plugins import Detector, Options, detector

# A name of so few letters is only found as an abbreviation of a country: "US", "UAE".
_SHORT = 3
# Counties and regions whose names are rather those of people, or of a clinic, in most texts.
_RATHER_PEOPLE = word_set("angus clare devon kerry lorraine mayo")


class TaxonomyTerms(Options):
    """The concepts of one taxonomy, found as terms of one kind."""

    kind: KindOfTerm = Field(
        description="The kind of the terms, e.g. DISEASE: a rule of `replace` may name it."
    )
    file: str | None = Field(
        None,
        description="A taxonomy: indented text, CSV of levels, SKOS or OBO. It is read once, and its "
        "names become `terms`. A relative path starts at the policy's folder.",
    )
    terms: tuple[str, ...] = Field((), description="More names to look for.")
    inflect: bool = Field(True, description="Find plurals and possessives, too (English).")
    score: float = Field(0.9, ge=0, le=1, description="The score of what is found.")

    @model_validator(mode="before")
    @classmethod
    def _read_file(cls, value: Any, info: ValidationInfo) -> Any:
        if not isinstance(value, dict) or not isinstance(value.get("file"), str):
            return value
        try:
            labels = own.load(Path(in_folder(value["file"], info))).labels()
        except InputError as error:
            raise ValueError(str(error)) from None
        return {**value, "terms": (*(value.get("terms") or ()), *labels), "file": None}

    @model_validator(mode="after")
    def _has_terms(self) -> TaxonomyTerms:
        if not self.terms:
            raise ValueError(
                f"the taxonomy of kind {self.kind} has no terms: give a `file` or `terms`"
            )
        return self


class GazetteerOptions(Options):
    """Settings of the `gazetteers` detector."""

    places: bool = Field(
        True,
        description="Find cities, counties, regions, countries and continents by their names (kind LOC).",
    )
    min_population: int = Field(
        15_000,
        ge=0,
        description="Cities, counties and regions with fewer inhabitants are not looked for.",
    )
    place_score: float = Field(0.7, ge=0, le=1, description="The score of a place found by name.")
    medical: tuple[Literal["phenotypes", "diseases", "diagnoses"], ...] = Field(
        (),
        description="Medical taxonomies whose concepts are to be found (kind DISEASE): the Human "
        "Phenotype Ontology, MONDO, ICD-10-CM. Needs the extra [medical].",
    )
    taxonomies: tuple[TaxonomyTerms, ...] = Field(
        (), description="Taxonomies of your own whose concepts are to be found."
    )


def _place_finder(options: GazetteerOptions) -> Detector:
    known = places.default()
    names = known.names(options.min_population)
    keys = [k for k, place in names.items() if _can_be_found(k, known.is_country(place))]
    matcher = TermMatcher(keys, inflect=False)

    def detect(document: Document) -> Iterable[Term]:
        for start, end, _ in matcher.find(document.text):
            said = document.text[start:end]
            if said[0].isupper() and (len(said) > _SHORT or said.isupper()):
                yield Term(start, end, "LOC", options.place_score, "gazetteers", "name of a place")

    return detect


def _can_be_found(key: str, country: bool) -> bool:
    """Whether a name can be told from other words by its capital letter alone."""
    if len(key) <= _SHORT:
        return country
    return " " in key or not (is_ordinary(key) or key in _RATHER_PEOPLE)


def _term_finder(part: TaxonomyTerms) -> Detector:
    matcher = TermMatcher(part.terms, inflect=part.inflect)
    reason = f"in the taxonomy of kind {part.kind}"

    def detect(document: Document) -> Iterable[Term]:
        for start, end, _ in matcher.find(document.text, overlapping=True):
            yield Term(start, end, part.kind, part.score, "gazetteers", reason)

    return detect


def _knowledge(options: GazetteerOptions) -> Mapping[str, str]:
    medicine = [medical.load(name).knowledge() for name in options.medical]
    return {k: v for part in (fingerprints.places(options), *medicine) for k, v in part.items()}


@detector("gazetteers", options=GazetteerOptions, knowledge=_knowledge)
def gazetteers(options: GazetteerOptions) -> Detector:
    """Places, and the concepts of the user's own taxonomies."""
    finders = [_term_finder(part) for part in options.taxonomies]
    for name in options.medical:
        terms = tuple(medical.load(name).labels())
        finders.append(_term_finder(TaxonomyTerms(kind="DISEASE", terms=terms)))
    if options.places:
        finders.insert(0, _place_finder(options))

    def detect(document: Document) -> Iterable[Term]:
        return [term for find in finders for term in find(document)]

    return detect
