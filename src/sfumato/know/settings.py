"""What a policy says about knowledge: which taxonomies and statistics an adversary has."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    Field,
    PlainSerializer,
    SerializationInfo,
    ValidationInfo,
    field_validator,
)

from sfumato.plugins import TAXONOMIES, Options


def is_file(taxonomy: str) -> bool:
    """Whether a taxonomy is given as a file, and not by its name: files have an ending.

    >>> is_file("trees.txt"), is_file("phenotypes")
    (True, False)
    """
    return bool(Path(taxonomy).suffix)


def unknown(taxonomy: str) -> str:
    """What to say of a name that nobody registered."""
    return f"no taxonomy '{taxonomy}'; there are {', '.join(TAXONOMIES.names())}, or give a file"


def in_folder(path: str, info: ValidationInfo) -> str:
    """A path that a policy gives: a relative one starts at the policy's folder, wherever we work later."""
    return str(Path((info.context or {}).get("folder") or "").absolute() / path)


def _unless_hashed(path: str, info: SerializationInfo) -> str:
    """In a policy's hash it does not count where a file lies: what it holds is certified as knowledge."""
    return "" if isinstance(info.context, dict) and info.context.get("digest") else path


# A setting that names a file. Whoever has one names the file's hash as knowledge.
PolicyPath = Annotated[str, AfterValidator(in_folder), PlainSerializer(_unless_hashed)]


def package_folder(name: str) -> Path | None:
    """Where an installed package is, which is not run for that. A folder without code is none: Python takes
    one of the working folder for a package, too."""
    try:
        found = find_spec(name) if name.isidentifier() else None
    except ValueError:  # a module that is running, as __main__
        return None
    return (
        Path(found.origin).parent
        if found and found.origin and found.submodule_search_locations
        else None
    )


def is_path(pipeline: str) -> bool:
    """Whether a pipeline is given by its folder, and not by the name of an installed package.

    >>> is_path("./trained"), is_path("en_core_web_sm")
    (True, False)
    """
    return "/" in pipeline or os.sep in pipeline


def _pipeline_in_folder(pipeline: str, info: ValidationInfo) -> str:
    return in_folder(pipeline, info) if is_path(pipeline) else pipeline


def _pipeline_unless_hashed(pipeline: str, info: SerializationInfo) -> str:
    return _unless_hashed(pipeline, info) if is_path(pipeline) else pipeline


# A setting that names a spaCy pipeline: an installed package or, with a slash, its folder.
Pipeline = Annotated[
    str, AfterValidator(_pipeline_in_folder), PlainSerializer(_pipeline_unless_hashed)
]


class Know(Options):
    """What the adversary knows, beyond what comes with the package."""

    taxonomies: tuple[str, ...] = Field(
        (),
        description="Taxonomies that are asked before all others. Files of your own: indented text, CSV "
        "of levels, SKOS or OBO; a relative path starts at the policy's folder. Or names of registered "
        "ones, which have no ending.",
    )
    medical: tuple[Literal["phenotypes", "diseases", "diagnoses"], ...] = Field(
        (),
        description="Medical taxonomies that are asked next: the Human Phenotype Ontology, MONDO, "
        "ICD-10-CM. Needs the extra [medical].",
    )
    index: PolicyPath | None = Field(
        None,
        description="Statistics of your own (`sfumato know build`), beside those that come along. A "
        "relative path starts at the policy's folder.",
    )
    weight: float = Field(
        0.5, ge=0, le=1, description="The share of your own statistics; the rest is ours."
    )

    @field_validator("taxonomies")
    @classmethod
    def _are_known(cls, given: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        for name in given:
            if not is_file(name) and TAXONOMIES.find(name) is None:
                raise ValueError(unknown(name))
        return tuple(in_folder(name, info) if is_file(name) else name for name in given)
