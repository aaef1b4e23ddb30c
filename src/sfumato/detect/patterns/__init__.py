"""The `patterns` detector: terms with a shape, proven by checksums and by the words around them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache, partial

import phonenumbers
from pydantic import Field, field_validator, model_validator

from sfumato.detect.patterns import (
    ages,
    codes,
    contact,
    contact_checks,
    labels,
    logins,
    people,
    places,
    secrets,
    spoken,
    times,
)
from sfumato.detect.patterns.columns import in_columns
from sfumato.detect.patterns.engine import Engine, Pattern
from sfumato.document import Document, Term
from sfumato.kinds import KINDS, KindOfTerm
from sfumato.know import fingerprints
from sfumato.plugins import Detector, Options, detector
from sfumato.policy.expressions import groups_in

_MOST_GROUPS = 20  # of an own pattern of which one is wanted: each costs time at every match


class CustomPattern(Options):
    """A pattern of the user's own."""

    name: str = Field(
        "own pattern", min_length=1, description="What the pattern finds, for the reasons of edits."
    )
    kind: KindOfTerm = Field("CODE", description="The kind of its terms.")
    pattern: str = Field(
        min_length=1,
        description="A regular expression in RE2's syntax: no look-around, no backreferences, so that "
        "every text is searched in linear time. A match is at most 2,048 bytes long.",
    )
    score: float = Field(0.6, ge=0, le=1, description="The score without a context word.")
    context: tuple[str, ...] = Field(
        (), description="Words that raise the score by 0.4 where they stand shortly before a match."
    )
    group: int = Field(0, ge=0, description="The group that is the term; 0 is the whole match.")

    @field_validator("context")
    @classmethod
    def _words(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if any(not word.strip() for word in value):
            raise ValueError("a context word must not be empty")
        return value

    @model_validator(mode="after")
    def _is_linear(self) -> CustomPattern:
        try:
            groups = groups_in(self.pattern)
        except ValueError as error:
            raise ValueError(f"pattern '{self.name}' {error}") from None
        if self.group > groups:
            raise ValueError(
                f"pattern '{self.name}' has {groups} group(s), but `group` is {self.group}"
            )
        if self.group and groups > _MOST_GROUPS:
            raise ValueError(
                f"pattern '{self.name}' has {groups} groups, more than {_MOST_GROUPS}: write (?:…) for those "
                "that are not `group`"
            )
        return self


class PatternOptions(Options):
    """Settings of the `patterns` detector."""

    kinds: tuple[str, ...] = Field(
        (), description="The kinds to look for; all of them where none is named."
    )
    skip: tuple[str, ...] = Field((), description="Kinds not to look for.")
    regions: tuple[str, ...] = Field(
        ("US", "GB"),
        description="Countries (ISO codes) whose national telephone numbers are known; international "
        "ones (+…) always are.",
    )
    private: bool = Field(
        False,
        description="Whether private IP addresses (10.…, 192.168.…) count, which with logs lead to a device "
        "of somebody.",
    )
    custom: tuple[CustomPattern, ...] = Field((), description="Patterns of your own.")

    @field_validator("kinds", "skip")
    @classmethod
    def _known_kinds(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for kind in value:
            if kind not in KINDS:
                raise ValueError(f"unknown kind '{kind}'; valid: {', '.join(KINDS)}")
        return value

    @field_validator("regions")
    @classmethod
    def _known_regions(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for region in value:
            if region not in phonenumbers.SUPPORTED_REGIONS:
                raise ValueError(
                    f"unknown region '{region}'; use ISO country codes such as US or GB"
                )
        return value

    @property
    def wanted(self) -> frozenset[str]:
        """The kinds that are looked for."""
        return frozenset(self.kinds or KINDS).difference(self.skip)


def catalogue(options: PatternOptions | None = None) -> tuple[Pattern, ...]:
    """The patterns that the options ask for, the user's own last."""
    options = options or PatternOptions()
    built_in = (
        *contact.PATTERNS,
        *contact.phones(options.regions),
        *codes.PATTERNS,
        *labels.PATTERNS,
        *logins.PATTERNS,
        *times.PATTERNS,
        *ages.PATTERNS,
        *secrets.PATTERNS,
        *spoken.PATTERNS,
        *places.PATTERNS,
        *places.MONEY,
        *people.PATTERNS,
    )
    wanted = options.wanted
    chosen = [p for p in built_in if p.kind in wanted or (p.kind == "PHONE" and "FAX" in wanted)]
    if options.private:
        hidden = {"IPv4 address": contact_checks.ipv4, "IPv6 address": contact_checks.ipv6}
        chosen = [
            replace(p, check=partial(hidden[p.name], private=True)) if p.name in hidden else p
            for p in chosen
        ]
    own = [
        Pattern(
            p.name,
            p.kind,
            p.pattern,
            p.score,
            context=p.context,
            group=p.group,
            edges=False,
            custom=True,
        )
        for p in options.custom
    ]
    return (*chosen, *own)


@lru_cache(maxsize=8)
def _engine(options: PatternOptions) -> Engine:
    """Compiling takes as long as reading a page: who sanitises text by text waits once."""
    return Engine(catalogue(options))


@detector("patterns", options=PatternOptions, knowledge=fingerprints.year)
def patterns(options: PatternOptions) -> Detector:
    """Everything that has a shape: addresses, numbers, dates, amounts, and names beside a title."""
    engine = _engine(options)
    wanted = options.wanted
    own = {p.kind for p in options.custom}

    def detect(document: Document) -> Iterable[Term]:
        found = engine.find(document.text, "patterns")
        cells = (t for t in in_columns(document.text) if t.kind in wanted)
        return [*(t for t in found if t.kind in wanted or t.kind in own), *cells]

    return detect
