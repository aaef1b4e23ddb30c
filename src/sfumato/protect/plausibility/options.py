"""What a policy may set about t-plausibility."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from sfumato.english.units import Unit
from sfumato.plugins import Options
from sfumato.policy import KindName
from sfumato.protect.plausibility.search import Method

Count = Annotated[int, Field(ge=1, strict=True)]


class PlausibilityOptions(Options):
    """Settings of the `plausibility` protector."""

    t: Count | Annotated[dict[Unit, Count], Field(min_length=1)] = Field(
        description="How many texts must be possible originals. One number for every `unit`, or a number "
        "for several sorts of unit, e.g. `{sentence: 10, document: 1000000}`."
    )
    unit: Unit = Field(
        "document",
        description="What must have t possible originals: each sentence, paragraph, section…",
    )
    terms: Literal["auto", "findings", "nouns"] = Field(
        "auto",
        description="What is generalised: the detectors' `findings`, all `nouns` as well, or `auto`: "
        "findings, and the nouns of a unit where findings alone do not reach t.",
    )
    alpha: float = Field(
        0.5,
        ge=0,
        le=1,
        description="What matters more: 1 no more texts than asked for, 0 the same share for every term.",
    )
    uniform: bool = Field(
        True, description="Spread the loss over the terms; else only the number of texts counts."
    )
    weights: dict[KindName, Annotated[float, Field(gt=0, le=1000)]] = Field(
        default_factory=dict,
        description="How much more some kinds of terms are to hide, e.g. `{DISEASE: 3}`; others count 1.",
    )
    senses: Literal["context", "first", "all"] = Field(
        "context",
        description="What an ambiguous word means: the sense that fits the words around it, the most "
        "frequent one, or a generalisation that is common to most of them.",
    )
    coverage: float = Field(
        0.5, gt=0, le=1, description="With `senses: all`: the share of senses to be covered."
    )
    method: Method = Field(
        "auto", description="The search. `auto` proves its result or says how far it may be off."
    )
    delta: int = Field(2, ge=0, description="With `method: mstep`: how many steps down are tried.")
    budget: int | None = Field(
        None, ge=1, description="Steps of work after which a search settles for the best it found."
    )

    @property
    def wanted(self) -> Mapping[Unit, int]:
        """How many texts each sort of unit needs."""
        return self.t if isinstance(self.t, dict) else {self.unit: self.t}
