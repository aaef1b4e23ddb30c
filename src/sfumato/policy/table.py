"""The policy's `table:`: what each column is, how many persons must look alike, how they are shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationInfo, model_validator

from sfumato.files import text_of
from sfumato.kinds import KindOfTerm
from sfumato.know.settings import in_folder
from sfumato.know.taxonomy.arx import read_arx
from sfumato.plugins import Options

Role = Literal["direct", "quasi", "sensitive", "text", "insensitive"]
Paths = tuple[tuple[str, ...], ...]


class ColumnSettings(Options):
    """What a column is, and how it is shown. A bare role is short for it: `gender: quasi`."""

    role: Role = Field(
        description="`direct` names a person, `quasi` helps to find one, `sensitive` is what nobody may "
        "learn about one, `text` is searched for terms, `insensitive` is released as it is."
    )
    type: Literal["nominal", "number", "date", "string"] = Field(
        "nominal",
        description="Of a quasi-identifier: a class shows a set of names, a range of numbers, the month, "
        "year or years of dates, or the common beginning of strings (postcodes).",
    )
    format: str | None = Field(
        None,
        description="How dates are written, e.g. `%d.%m.%Y`; dates as people write them if not given.",
    )
    how: Literal["remove", "pseudonym", "key"] | None = Field(
        None,
        description="What becomes of a direct identifier: the column is left out, shows a number for each "
        "value, or a keyed hash. The column that tells persons apart is numbered, others are left out.",
    )
    kinds: tuple[KindOfTerm, ...] = Field(
        (),
        description="Kinds of terms that may say in a text what this column says: where they do, the text "
        "shows what the column shows.",
    )
    bias: float = Field(
        0.0, ge=0, le=1, description="How much rather `mondrian` cuts this column than others."
    )
    shown: Literal["range", "mean", "median"] = Field(
        "range", description="What a class shows of numbers."
    )
    hierarchy: Paths = Field(
        (),
        description="Generalisations: a CSV file with one line for each value, most specific first (ARX's "
        "form; a path starts at the policy's folder), or a tree of `name` and `children`. The leaves "
        "of a hierarchy of numbers may be ranges (`21-25`).",
    )
    distinct: int | None = Field(
        None,
        ge=2,
        description="ℓ-diversity: each class has at least so many values of this column.",
    )
    entropy: float | None = Field(
        None,
        ge=1,
        description="Entropy ℓ-diversity: the entropy of each class' values is at least log ℓ.",
    )
    closeness: float | None = Field(
        None,
        ge=0,
        le=1,
        description="t-closeness: how far each class' values may be from those of the table (earth mover's "
        "distance; of numbers and dates, the ordered one).",
    )

    @property
    def is_demanding(self) -> bool:
        """Whether the values of each class must be mixed."""
        return bool(self.distinct or self.entropy or self.closeness is not None)

    @model_validator(mode="before")
    @classmethod
    def _short_forms(cls, value: Any, info: ValidationInfo) -> Any:
        if isinstance(value, str):
            return {"role": value}
        if isinstance(value, Mapping) and value.get("hierarchy"):
            return {**value, "hierarchy": tuple(_paths(value["hierarchy"], info))}
        return value

    @model_validator(mode="after")
    def _fits_the_role(self) -> ColumnSettings:
        if self.role != "sensitive" and self.is_demanding:
            raise ValueError("distinct, entropy and closeness are for columns of role `sensitive`")
        fields = set(re.findall(r"%[-#]?(.)", (self.format or "").replace("%%", "")))
        # Without a year all dates would be of 1900.
        if self.type == "date" and self.format is not None and not fields & set("YyGxcDFs"):
            raise ValueError("format: a date needs its year, e.g. %d.%m.%Y")
        if self.role != "direct" and self.how:
            raise ValueError("how is for columns of role `direct`")
        if self.hierarchy and self.type not in ("nominal", "number"):
            raise ValueError(
                f"a column of type {self.type} has no hierarchy: make it nominal or number"
            )
        if self.hierarchy and self.shown != "range":
            raise ValueError("choose one: a hierarchy, or the mean or median")
        return self


class SensitiveTerms(Options):
    """Terms that nobody may learn about a person of a class."""

    kinds: tuple[KindOfTerm, ...] = Field((), description="Kinds of terms that are sensitive.")
    closeness: float = Field(
        1.0,
        ge=0,
        le=1,
        description="By how much such a term may be commoner in a class than in the table. Whatever this "
        "is, no class has one that all of its persons have, unless all persons of the table do.",
    )


class Weights(Options):
    """What losing a column's values costs against losing terms (w_A and w_X)."""

    relational: float = Field(1.0, ge=0, description="The columns' share, w_A.")
    textual: float = Field(1.0, ge=0, description="The terms' share, w_X.")


class TableSettings(Options):
    """Tables with text: rows and the terms of their texts are the same for k persons."""

    k: int = Field(5, ge=2, description="Persons that must look alike, at least.")
    strategy: Literal["mondrian", "gdf", "clusters"] = Field(
        "clusters",
        description="How persons are grouped: `clusters` looks at the loss itself, `mondrian` cuts at the "
        "widest span, `gdf` by the most frequent term.",
    )
    relational_weight: float = Field(
        0.5,
        ge=0,
        le=1,
        description="λ of `mondrian`: 1 looks at columns only, 0 at terms first, 0.5 at both alike.",
    )
    weights: Weights = Field(
        default_factory=Weights, description="What counts as loss, in reports and for `clusters`."
    )
    recoding: Literal["local", "global"] = Field(
        "local",
        description="`local` shows each class by itself; `global` shows equal values equally everywhere.",
    )
    person: str | None = Field(
        None,
        description="The column that tells persons apart; the first direct one if not given. Where there is "
        "none, every row is a person.",
    )
    columns: dict[str, ColumnSettings] = Field(
        default_factory=dict,
        description="What each column is. Of two with the same name the second is `name#2`.",
    )
    others: Literal["refuse", "insensitive", "remove"] = Field(
        "refuse",
        description="Columns that are not named: refused, released as they are, or left out.",
    )
    kinds: tuple[KindOfTerm, ...] = Field(
        (), description="Kinds of terms that count; all that the detectors find if not given."
    )
    generalise: bool = Field(
        True,
        description="Terms become more general ones that a class shares, before they become labels.",
    )
    most_loss: float = Field(
        0.85,
        ge=0,
        le=1,
        description="A generalisation that loses a larger share of a term's information is not used.",
    )
    combinations: int | None = Field(
        None,
        ge=1,
        le=4,
        description="k^m-anonymity instead of equal sets of terms: whoever knows so many terms of a person "
        "still finds k persons.",
    )
    sensitive_terms: SensitiveTerms = Field(
        default_factory=SensitiveTerms, description="Terms that nobody may learn about a person."
    )
    redundant: Literal["equal", "close", "ignore"] = Field(
        "equal",
        description="Which terms say what a column says: those equal in normal form, also those with a "
        "slip of spelling (each is reported), or none.",
    )
    empty: Literal["error", "drop", "keep-empty"] = Field(
        "error",
        description="Empty texts and cells, unreadable numbers and dates: refused with their line, their "
        "rows left out and counted, or taken as empty.",
    )
    clean: tuple[Literal["html", "control", "spaces"], ...] = Field(
        (),
        description="What is taken out of texts first: HTML tags, control characters, runs of spaces.",
    )

    @model_validator(mode="after")
    def _makes_sense(self) -> TableSettings:
        if self.person is not None and self.person not in self.columns:
            raise ValueError(f"person: '{self.person}' is none of the columns")
        if self.person is not None and self.columns[self.person].role != "direct":
            raise ValueError(f"person: '{self.person}' is not a column of role `direct`")
        if self.recoding == "global" and any(c.shown != "range" for c in self.columns.values()):
            raise ValueError("a mean or median differs from class to class: use local recoding")
        if self.weights.relational + self.weights.textual == 0:
            raise ValueError("weights: one of the two must be above 0")
        if self.columns and not any(c.role in ("quasi", "text") for c in self.columns.values()):
            raise ValueError("columns: at least one must be `quasi` or `text`")
        return self

    def of_role(self, *roles: Role) -> list[str]:
        """The names of the columns with these roles, as the policy lists them."""
        return [name for name, column in self.columns.items() if column.role in roles]

    @property
    def person_column(self) -> str | None:
        if self.person is not None:  # or "", where columns were added and none of them is one
            return self.person or None
        return next(
            (name for name, column in self.columns.items() if column.role == "direct"), None
        )

    def fate(self, name: str) -> str:
        """What becomes of a direct identifier."""
        return self.columns[name].how or ("pseudonym" if name == self.person_column else "remove")


def _paths(value: Any, info: ValidationInfo) -> Iterator[tuple[str, ...]]:
    """The paths (leaf first) of a hierarchy given as a file, a tree, or paths."""
    if isinstance(value, str):
        try:
            text = text_of(Path(in_folder(value, info)))
        except (OSError, UnicodeDecodeError):
            raise ValueError(
                f"the hierarchy's file '{value}' cannot be read as UTF-8 text"
            ) from None
        yield from read_arx(text)
    elif isinstance(value, Mapping):
        found = [tuple(reversed(path)) for path in _leaves(value, ())]
        depth = max((len(path) for path in found), default=0)
        # a short branch repeats its leaf, so that all paths have the same length
        yield from ((path[0],) * (depth - len(path)) + path for path in found)
    else:
        yield from (tuple(map(str, path)) for path in value)


def _leaves(node: Mapping[str, Any], above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if not isinstance(node, Mapping) or "name" not in node:
        raise ValueError("a hierarchy is a file, or a tree of `name` and `children`")
    path = (*above, str(node["name"]))
    children = node.get("children") or ()
    if not children:
        yield path
    for child in children:
        yield from _leaves(child, path)
