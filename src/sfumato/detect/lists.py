"""The `lists` detector: the user's own terms, found in any case, spelling of accents and inflection."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationInfo, model_validator

from sfumato.detect.seams import seams
from sfumato.document import Document, Term
from sfumato.english.matcher import TermMatcher
from sfumato.files import text_of
from sfumato.kinds import KindOfTerm
from sfumato.know.settings import in_folder
from sfumato.plugins import Detector, Options, detector


class TermList(Options):
    """Terms of one kind to hide."""

    kind: KindOfTerm = Field(
        description="The kind of the terms, e.g. PROJECT: a rule of `replace` may name it."
    )
    terms: tuple[str, ...] = Field(
        (), description="The terms: words or several words, in any case, singular or plural."
    )
    file: str | None = Field(
        None,
        description="A text file with one term on each line (`#` starts a comment); it is read once "
        "and becomes part of `terms`. A relative path starts at the policy's folder.",
    )
    inflect: bool = Field(
        True, description="Find plurals and possessives of the terms, too (English)."
    )
    score: float = Field(1.0, ge=0, le=1, description="The score of what is found.")

    @model_validator(mode="before")
    @classmethod
    def _read_file(cls, value: Any, info: ValidationInfo) -> Any:
        if not isinstance(value, dict) or not isinstance(value.get("file"), str):
            return value
        terms = value.get("terms") or ()
        if isinstance(terms, str):
            return value
        more = read_terms(Path(in_folder(value["file"], info)))
        return {**value, "terms": (*terms, *more), "file": None}

    @model_validator(mode="after")
    def _has_terms(self) -> TermList:
        if not self.terms:
            raise ValueError(f"the list of kind {self.kind} has no terms: give `terms` or a `file`")
        return self


class ListOptions(Options):
    """Settings of the `lists` detector."""

    hide: tuple[TermList, ...] = Field(
        (), description="Lists of terms to hide. Terms to keep are named by the policy's `keep`."
    )


def read_terms(path: Path) -> list[str]:
    """The terms of a file: one on each line; blank lines and what follows a `#` do not count.

    A `#` counts as a comment at the start of a line or after a space, so "C#" is a term.
    """
    try:
        text = text_of(path)
    except (OSError, ValueError) as error:
        reason = "is not UTF-8 text" if isinstance(error, UnicodeError) else "cannot be read"
        if isinstance(error, FileNotFoundError):
            reason = "does not exist"
        raise ValueError(f"the list's file '{path}' {reason}") from None
    lines = (
        ("" if line.startswith("#") else line.split(" #")[0]).strip() for line in text.splitlines()
    )
    return [line for line in lines if line]


@detector("lists", options=ListOptions)
def lists(options: ListOptions) -> Detector:
    """The terms of the user's own lists."""
    matchers = [(part, TermMatcher(part.terms, inflect=part.inflect)) for part in options.hide]

    def detect(document: Document) -> Iterable[Term]:
        edges = frozenset(seams(document))
        return [
            Term(start, end, part.kind, part.score, "lists", f"on the list of kind {part.kind}")
            for part, matcher in matchers
            for start, end, _ in matcher.find(document.text, overlapping=True, edges=edges)
        ]

    return detect
