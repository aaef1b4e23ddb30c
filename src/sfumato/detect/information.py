"""The `information` detector: noun phrases that tell much, by how rarely texts hold them.

A phrase is found where its information content, -log2 of the share of texts that hold it, is at least
`bits`. Names are rare and general words are not, so this finds what no list and no model of names knows of:
the information-theoretic detection that the correlated-terms paper builds on. A phrase of which the
statistics know nothing is as telling as can be; `unknown` says whether it is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic import Field

from sfumato.detect import encoder
from sfumato.detect.noun_phrases import noun_phrases
from sfumato.document import Document, Term
from sfumato.kinds import KindOfTerm
from sfumato.know import fingerprints
from sfumato.know.settings import PolicyPath
from sfumato.know.statistics import probability as statistics
from sfumato.know.statistics.probability import BackOff
from sfumato.plugins import Detector, Options, detector


class InformationOptions(Options):
    """Settings of the `information` detector."""

    bits: float = Field(
        12.0,
        gt=0,
        description="The least information content of a phrase to hide: 12 bits are one text in 4,096.",
    )
    kind: KindOfTerm = Field("MISC", description="The kind of what is found.")
    unknown: bool = Field(
        True, description="Find phrases of which the statistics know nothing, too."
    )
    index: PolicyPath | None = Field(
        None,
        description="An index of your own (`sfumato know build`); the one that comes along if not given. "
        "A relative path starts at the policy's folder.",
    )
    weight: float = Field(
        1.0,
        ge=0,
        le=1,
        description="The share of your own index; the rest is the one that comes along.",
    )


def _knowledge(options: InformationOptions) -> Mapping[str, str]:
    found = {**encoder.knowledge(options), **fingerprints.statistics(options)}
    if options.index is not None:
        own = fingerprints.digest(Path(options.index))
        found["statistics of information"] = f"{options.weight:g}:{own}"
    return found


# What is found depends on how a phrase is cut out of its sentence, which a release may change.
@detector("information", options=InformationOptions, repeatable=False, knowledge=_knowledge)
def information(options: InformationOptions) -> Detector:
    """Noun phrases whose information content reaches a number of bits."""
    known = statistics.blended(options.index, options.weight)

    def detect(document: Document) -> Iterable[Term]:
        for phrase in noun_phrases(document.text):
            said = document.text[phrase.start : phrase.end]
            bits = known.ic(said)
            if bits < options.bits:
                continue
            if known.sure(said).backoff is BackOff.UNKNOWN:
                if not options.unknown:
                    continue
                reason = "not in the statistics"
            else:
                reason = f"information content {bits:.1f} bits, at least {options.bits:g}"
            score = 1 - options.bits / (2 * bits)  # one half at the limit, more above it
            yield Term(phrase.start, phrase.end, options.kind, score, "information", reason)

    return detect
