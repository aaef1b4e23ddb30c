"""The policy: what is looked for, what happens to it, and what must be provable afterwards."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Annotated, Any, Literal

import yaml
from pydantic import Field, StringConstraints, ValidationInfo, field_validator

from sfumato.errors import SecretError
from sfumato.keys import parse_public
from sfumato.kinds import UNREAD, probably_meant, rule_chain
from sfumato.know.settings import Know
from sfumato.plugins import Options
from sfumato.policy.expressions import groups_in
from sfumato.policy.log import LogSettings
from sfumato.policy.rules import Keep, Label, Rule
from sfumato.policy.steps import DetectStep, ProtectStep
from sfumato.policy.table import TableSettings
from sfumato.policy.yaml_text import ends_a_line

KindName = Annotated[str, StringConstraints(pattern=r"^(\*|[A-Z][A-Z0-9_]*)$")]


Share = Annotated[float, Field(ge=0, le=1)]


class KeptPattern(Options):
    """An expression for what is never changed."""

    pattern: str = Field(
        min_length=1,
        description="A regular expression in RE2's syntax: no look-around, no backreferences.",
    )

    @field_validator("pattern")
    @classmethod
    def _is_linear(cls, value: str) -> str:
        groups_in(value)
        return value


class Limits(Options):
    """What is refused rather than half done."""

    file_bytes: int = Field(
        25_000_000,
        ge=1,
        le=1 << 50,
        description="The largest file that is read, in bytes; a larger one is refused, also by what it "
        "unpacks to.",
    )

    @property
    def release_bytes(self) -> int:
        """The largest file that is taken for a release: one is rarely four times as long as its original."""
        return 4 * self.file_bytes


class Policy(Options):
    """What is looked for, what happens to it, and what must be provable afterwards."""

    name: str = Field("custom", description="What reports call this policy.")
    description: str = Field("", description="One line for people.")
    language: str = Field("en", description="The language of the documents; English for now.")
    unread: Literal["refuse", "label", "keep"] = Field(
        "refuse",
        description="What happens to a passage in another language or script: `refuse` the text, `label` the "
        "passage as a block, or `keep` it but for what the detectors find there.",
    )
    date_order: Literal["day first", "month first"] | None = Field(
        None,
        description="How dates in numbers are read: 05/03/2024 is in March with the day first. Else the "
        "document's other dates and its places tell; what they do not tell is not shifted nor reduced to a "
        "month.",
    )
    detect: tuple[DetectStep, ...] = Field(
        ("patterns", "personal"),
        validate_default=True,
        description="The detectors, in order; their findings are merged by one rule.",
    )
    protect: tuple[ProtectStep, ...] = Field(
        ("replace",),
        validate_default=True,
        description="The protectors, in order; each may make an earlier edit more general.",
    )
    replace: dict[KindName, Rule] = Field(
        default_factory=dict,
        validate_default=True,
        description="What happens to a kind of term: a method's name, or `{how: name, …}` with its "
        "settings. `*` stands for every kind without a rule of its own.",
    )
    keep: tuple[str | KeptPattern, ...] = Field(
        (),
        description="What is never changed: terms in any case or form, and `{pattern: …}` for whatever an "
        "expression matches.",
    )
    threshold: Share | dict[KindName, Share] = Field(
        0.5,
        description="Findings with a lower score are left alone; for all, or by kind "
        "(`{PERSON: 0.3, '*': 0.5}`).",
    )
    ledger: str | None = Field(
        None, description="The ledger's file, where the command line names none."
    )
    public_key: str | None = Field(
        None,
        description="Whose releases these are: the public key by which `verify` tells genuine certificates, "
        "as `sfumato key public` prints it.",
    )
    know: Know = Field(
        default_factory=Know, description="What the adversary knows: taxonomies and statistics."
    )
    limits: Limits = Field(default_factory=Limits, description="What is refused.")
    table: TableSettings | None = Field(
        None,
        description="Of policies for tables: what the columns are, and what must hold of them.",
    )
    log: LogSettings | None = Field(
        None, description="Of policies for document logs: what must hold of them."
    )

    @field_validator("language")
    @classmethod
    def _language(cls, value: str) -> str:
        if value != "en":
            raise ValueError(f"language '{value}' is not supported yet; use 'en'")
        return value

    @field_validator("public_key")
    @classmethod
    def _public_key(cls, value: str | None) -> str | None:
        try:
            return value if value is None else str(parse_public(value))
        except SecretError as error:
            raise ValueError(str(error)) from None

    @field_validator("replace", mode="after")
    @classmethod
    def _has_a_last_resort(cls, value: dict[str, Rule]) -> dict[str, Rule]:
        return value if "*" in value else {**value, "*": Rule.model_validate("label")}

    @field_validator("protect", "replace", "threshold")
    @classmethod
    def _has_known_kinds(cls, value: Any, info: ValidationInfo) -> Any:
        options = [step.options.model_dump(mode="json") for step in info.data.get("detect", ())]
        own = set(kinds_in(options))
        named = [value]
        if info.field_name == "protect":
            named = [getattr(s.options, field, ()) for s in value for field in ("each", "weights")]
        for kind in chain.from_iterable(each for each in named if isinstance(each, dict)):
            if kind not in own and (meant := probably_meant(kind)):
                raise ValueError(f"unknown kind '{kind}'; did you mean '{meant}'?")
        return value

    def rule(self, kind: str) -> Rule:
        """What happens to terms of this kind."""
        return next(self._rules(kind))

    def least_score(self, kind: str) -> float:
        """The score below which findings of this kind are left alone."""
        if not isinstance(self.threshold, dict):
            return self.threshold
        return next((self.threshold[k] for k in rule_chain(kind) if k in self.threshold), 0.5)

    def keeps(self, kind: str) -> bool:
        """Whether terms of this kind stay as they are."""
        return isinstance(self.rule(kind).options, Keep)

    def label(self, kind: str) -> Label:
        """What is put in the place of a term of this kind that its own rule cannot hide."""
        return next((r.options for r in self._rules(kind) if isinstance(r.options, Label)), Label())

    @property
    def depends_on_reader(self) -> bool:
        """Whether a step makes a difference between readers."""
        return any(step.plugin.readers is not None for step in self.protect)

    def _rules(self, kind: str) -> Iterator[Rule]:
        """The rules for a kind: its own, its family's, and that for every kind. A passage gets a label."""
        if kind == UNREAD:
            return iter([Rule.model_validate("label")])
        return (self.replace[name] for name in rule_chain(kind) if name in self.replace)

    @cached_property
    def digest(self) -> str:
        """A hash of all settings that matter for the result; names and places of files do not. What the
        files of `know` hold is certified as knowledge."""
        left_out = {"name", "description", "ledger", "public_key", "know", *self._absent}
        if self.unread == "refuse":  # then no release holds what it is about
            left_out.add("unread")
        settings = self.model_dump(mode="json", exclude=left_out, context={"digest": True})
        # The first direct column is the person, and cuts go by the order
        if self.table is not None:
            settings["table"]["columns"] = list(settings["table"]["columns"].items())
        canonical = json.dumps(settings, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()

    @property
    def _absent(self) -> set[str]:
        """What is about other kinds of files, or not there."""
        return {name for name in ("table", "log", "public_key") if getattr(self, name) is None}

    def to_yaml(self) -> str:
        """The policy as a file that `load` reads back to the same policy."""
        settings = self.model_dump(mode="json", exclude=self._absent)
        settings["replace"] = {kind: rule.shortest() for kind, rule in self.replace.items()}
        written = yaml.safe_dump(settings, sort_keys=False, allow_unicode=True, width=100)
        if ends_a_line(written) is None:
            return written
        return yaml.safe_dump(settings, sort_keys=False, width=100)  # all but ASCII by its number


def kinds_in(settings: Any, of_kind: bool = False) -> Iterator[str]:
    """The kinds that settings name, in whatever step."""
    if isinstance(settings, str) and of_kind:
        yield settings
    elif isinstance(settings, Mapping):
        for name, value in settings.items():
            yield from kinds_in(value, of_kind or name in ("kind", "kinds"))
    elif isinstance(settings, Sequence) and not isinstance(settings, str):
        for value in settings:
            yield from kinds_in(value, of_kind)
