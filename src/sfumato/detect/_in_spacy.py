"""Sfumato as a component of spaCy pipelines, registered by the entry point `spacy_factories`.

nlp.add_pipe("sfumato", config={"policy": "gdpr"}) writes what the policy's detectors find to
`doc.spans["sfumato"]`: the label of a span is its kind, and the group's attribute `scores` has the scores.
"""

from __future__ import annotations

from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, Span, SpanGroup

from sfumato.detect.finder import Finder
from sfumato.document import Document
from sfumato.policy import load

DEFAULTS = {"policy": "default", "spans_key": "sfumato"}


class SfumatoComponent:
    """Writes the terms of a policy's detectors to a span group of the document."""

    def __init__(self, policy: str | dict[str, Any], spans_key: str) -> None:
        self.find = Finder(load(policy))
        self.spans_key = spans_key

    def __call__(self, doc: Doc) -> Doc:
        text = doc.text
        found: dict[tuple[int, int, str], float] = {}
        for term in self.find(Document(text)):
            words = term.of(text)
            start = term.start + len(words) - len(words.lstrip())
            end = term.end - len(words) + len(words.rstrip())
            # A span is made of whole tokens: "expand" rather than lose a term that ends inside one.
            span = doc.char_span(start, end, alignment_mode="expand")
            if span is not None:
                place = (span.start, span.end, term.kind)
                found[place] = max(term.score, found.get(place, 0.0))
        doc.spans[self.spans_key] = SpanGroup(
            doc,
            name=self.spans_key,
            attrs={"scores": list(found.values())},
            spans=[Span(doc, a, b, label=kind) for a, b, kind in found],
        )
        return doc


@Language.factory("sfumato", assigns=["doc.spans"], default_config=DEFAULTS)
def make(
    nlp: Language, name: str, policy: str | dict[str, Any], spans_key: str
) -> SfumatoComponent:
    """The component; `policy` is a profile's name, a file, or the settings themselves."""
    return SfumatoComponent(policy, spans_key)
