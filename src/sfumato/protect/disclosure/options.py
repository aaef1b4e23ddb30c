"""What a policy may set about disclosure risk."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from sfumato.errors import PolicyError
from sfumato.plugins import Options
from sfumato.protect.disclosure.contexts import WIDTH, Unit
from sfumato.protect.disclosure.groups import GroupSettings
from sfumato.protect.disclosure.sanitizer import ROOM
from sfumato.protect.disclosure.strategies import DEFAULT, STRATEGIES
from sfumato.protect.disclosure.things import SUPPORT, AssessmentSettings
from sfumato.protect.disclosure.thresholds import SHARE, Threshold

Named = Literal["least hidden", "most telling generalisation"]


def _usual() -> dict[Literal["share", "bits"], float] | Named:
    return {"share": SHARE}


class DisclosureOptions(Options):
    """Settings of the `disclosure` protector."""

    strategy: Literal["S1", "S2", "S3", "S4", "S5"] = Field(
        DEFAULT,
        description="What becomes of hidden terms and of those that tell too much about them: hidden ones "
        "removed (S1, S3, S4) or left generalised (S2, S5); telling ones left (S1, S2), removed (S3) or "
        "generalised (S4, S5).",
    )
    threshold: dict[Literal["share", "bits"], float] | Named = Field(
        default_factory=_usual,
        description="From how much on a term tells too much: `{share: 0.5}` of the hidden term's own "
        "information, `{bits: 4}`, `least hidden` (eq. 8) or `most telling generalisation` (eq. 9).",
    )
    context: (
        Literal["document", "paragraph", "sentence"]
        | dict[Literal["window"], Annotated[int, Field(ge=1)]]
    ) = Field(
        "document",
        description="Within what terms betray each other: the document, a paragraph, a sentence, or "
        "`{window: 20}` words to either side of the hidden term.",
    )
    groups: int = Field(
        1, ge=1, le=4, description="How many terms together may tell too much: 1 to 4."
    )
    support: int = Field(
        SUPPORT,
        ge=1,
        description="Texts of the statistics that must hold a hidden term and the terms beside it, before "
        "that counts as evidence.",
    )
    budget: int = Field(
        200_000,
        ge=1,
        description="With `groups` of 3 or 4: how many are weighed for one document at most; the claim says "
        "up to which size all of them were.",
    )
    room: float = Field(
        ROOM,
        gt=0,
        le=1,
        description="The share of the threshold that the generalisation of a hidden term itself may take "
        "up; it is raised above that. The less it tells, the more may be said beside it.",
    )
    disambiguate: bool = Field(
        False,
        description='Count an ambiguous word only beside its generalisation: "cancer" with "disease".',
    )
    intrinsic: bool = Field(
        False,
        description="Take the information of terms that the statistics do not count from the taxonomies.",
    )
    unassessed: Literal["report", "refuse"] = Field(
        "report",
        description="What happens where the statistics know a hidden term too little: the claim says how "
        "many, or nothing is released.",
    )

    @model_validator(mode="before")
    @classmethod
    def _one_threshold(cls, value: Any) -> Any:
        threshold = value.get("threshold") if isinstance(value, dict) else None
        if isinstance(threshold, dict) and len(threshold) != 1:
            raise ValueError("`threshold` is one of `{share: 0.5}`, `{bits: 4}` or a rule's name")
        context = value.get("context") if isinstance(value, dict) else None
        if isinstance(context, dict) and len(context) != 1:
            raise ValueError("`context` is a unit's name, or `{window: 20}`")
        return value

    @model_validator(mode="after")
    def _threshold_makes_sense(self) -> DisclosureOptions:
        try:
            _ = self.limit
        except PolicyError as error:
            raise ValueError(str(error)) from None
        return self

    @property
    def limit(self) -> Threshold:
        """The threshold."""
        if isinstance(self.threshold, dict):
            ((rule, value),) = self.threshold.items()
            return Threshold(rule, value)
        return Threshold(self.threshold, 0.0)

    @property
    def settings(self) -> AssessmentSettings:
        """How a document is looked at."""
        unit: Unit = "window" if isinstance(self.context, dict) else self.context
        width = self.context["window"] if isinstance(self.context, dict) else WIDTH
        strategy = STRATEGIES[self.strategy]
        return AssessmentSettings(
            self.limit, strategy, unit, width, self.support, self.disambiguate, self.intrinsic
        )

    @property
    def group_settings(self) -> GroupSettings | None:
        """How groups are looked for; none where terms are looked at one by one."""
        if self.groups == 1:
            return None
        return GroupSettings(self.groups, self.support, self.budget)

    def stated(self) -> dict[str, Any]:
        """What a claim says of the settings."""
        names = ("threshold", "context", "groups", "support")
        return {name: getattr(self, name) for name in names}
