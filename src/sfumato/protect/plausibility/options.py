"""What a policy may set about t-plausibility."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, model_validator

from sfumato.english.units import Unit
from sfumato.plugins import Options
from sfumato.policy import KindName
from sfumato.protect.plausibility.search import Method

Count = Annotated[int, Field(ge=1, strict=True)]
# Settings of the searches: closed cuts have nothing to choose.
_OF_SEARCHES = frozenset(
    {"alpha", "uniform", "weights", "coverage", "method", "delta", "budget", "probabilities"}
)


class PlausibilityOptions(Options):
    """Settings of the `plausibility` protector."""

    t: Count | Annotated[dict[Unit, Count], Field(min_length=1)] = Field(
        description="How many texts must be possible originals. One number for every `unit`, or a number "
        "for several sorts of unit, e.g. `{sentence: 10, document: 1000000}`."
    )
    adversary: Literal["program", "text"] = Field(
        "program",
        description="Against whom t counts: who runs the `program` himself and strikes out what would have "
        "come out otherwise, or who has the released `text` alone, as in the paper.",
    )
    unit: Unit = Field(
        "document",
        description="What must have t possible originals: each sentence, paragraph, section…",
    )
    terms: Literal["auto", "findings", "delicate", "nouns"] = Field(
        "auto",
        description="What is generalised: the detectors' `findings`, `delicate` nouns or all `nouns`, "
        "or `auto`: findings and delicate nouns, and the other nouns of a unit where these do not reach t.",
    )
    each: Count | Annotated[dict[KindName, Count], Field(min_length=1)] | None = Field(
        None,
        description="How many alternatives every single fact must have, for all kinds or by kind, e.g. "
        "`{DISEASE: 20}`: a date cannot pay for a disease.",
    )
    diverse: Count = Field(
        1,
        description="From how many different concepts below it what a word may stand for must come.",
    )
    paying: Count = Field(
        4,
        description="With `adversary: program`: how many facts of a unit pay for t. Each stands for so many "
        "values that any of them in this number would give t texts; the others come on top. More pay only "
        "where so few cannot.",
    )
    probabilities: Literal["uniform", "corpus"] = Field(
        "uniform",
        description="How likely the alternatives are: all alike, or by how often the statistics have "
        "seen them.",
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

    @model_validator(mode="after")
    def _fits_the_adversary(self) -> PlausibilityOptions:
        if self.adversary == "program":
            given = self.model_fields_set & _OF_SEARCHES
            if "senses" in self.model_fields_set and self.senses != "first":
                given = given | {"senses"}
            if given:
                named = ", ".join(f"'{name}'" for name in sorted(given))
                raise ValueError(f"{named}: for the paper's searches, with 'adversary: text'")
        return self

    @property
    def wanted(self) -> Mapping[Unit, int]:
        """How many texts each sort of unit needs."""
        return self.t if isinstance(self.t, dict) else {self.unit: self.t}

    @property
    def least(self) -> Mapping[str, int]:
        """How many alternatives a fact of each kind needs; "*" is for those that are not named."""
        return self.each if isinstance(self.each, dict) else {"*": self.each} if self.each else {}
