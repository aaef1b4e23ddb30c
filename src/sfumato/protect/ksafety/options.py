"""What a policy may set about K-safety."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import (
    Field,
    SerializationInfo,
    SerializerFunctionWrapHandler,
    ValidationInfo,
    field_validator,
    model_serializer,
)

from sfumato.know.entities.database import POSTGRES, PROTECTED
from sfumato.know.entities.postgres import Tables
from sfumato.know.settings import in_folder
from sfumato.plugins import Options

Method = Literal[
    "auto",
    "exact",
    "best_first",
    "levelwise",
    "btop",
    "btop_naive",
    "bsize",
    "bfreq",
    "support_seeds",
    "conflicts",
]


class KSafetyOptions(Options):
    """Settings of the `ksafety` protector."""

    k: int = Field(
        10,
        ge=1,
        description="K: how many other entities must fit what is left, for every protected entity.",
    )
    entities: str = Field(
        description="The entity database: a file (`sfumato know entities import`), a `postgresql://` "
        "address, or `$NAME` for what the environment has under that name. A relative path starts at the "
        "policy's folder. Where it lies does not matter for the policy's hash: what it holds is certified "
        "by a hash of its own."
    )
    tables: Tables = Field(
        default_factory=Tables, description="With PostgreSQL: where entities, terms and labels are."
    )
    protected: str = Field(
        PROTECTED,
        min_length=1,
        description="The label of what is protected from the public. With a reader, its rights decide.",
    )
    generalise: bool = Field(
        False,
        description="Say something more general instead of nothing, where that is enough. An entity then "
        "counts as having all words above its terms.",
    )
    weights: Literal["information", "count"] = Field(
        "information",
        description="What is kept: as much information as possible (rare terms count more), or as many "
        "terms.",
    )
    mark: str = Field(
        "[…]", description="What stands where a removed term would leave a gap; in a list, nothing."
    )
    method: Method = Field(
        "auto", description="The search. `auto` proves its result or says how far it may be off."
    )
    budget: int | None = Field(
        None,
        ge=0,
        description="Nodes after which a search gives up its proof; not given: as many as the size of the "
        "database allows.",
    )

    @field_validator("entities")
    @classmethod
    def _from_the_policys_folder(cls, given: str, info: ValidationInfo) -> str:
        return given if given.startswith(("$", *POSTGRES)) else in_folder(given, info)

    @model_serializer(mode="wrap")
    def _without_places(
        self, write: SerializerFunctionWrapHandler, info: SerializationInfo
    ) -> dict[str, Any]:
        """For the policy's hash, where the entities are kept does not count."""
        made: dict[str, Any] = write(self)
        if isinstance(info.context, dict) and info.context.get("digest"):
            return {name: made[name] for name in made if name not in ("entities", "tables")}
        return made
