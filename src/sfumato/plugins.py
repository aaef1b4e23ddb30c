"""Detectors and protectors are small callables, registered by name.

A *detector* is made once for a run and called for every document:

    @detector("shouting", options=ShoutingOptions)
    def shouting(options: ShoutingOptions) -> Detector:
        def detect(document: Document) -> Iterable[Term]: ...
        return detect

A *protector* is made from its options and the run's `Workshop` (policy, key, vault, reader), receives the
document, its terms and the edits so far, and returns the edits: it may make an earlier one more general,
never less. One that guarantees something is a `Guarantor`: it also states its claims about the finished
edits, and `sfumato.verify` has a checker for each.

Other packages add theirs through the entry points `sfumato.detectors` and `sfumato.protectors`, whose
objects are modules to import or functions decorated as above.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, runtime_checkable

from pydantic import BaseModel, ConfigDict

from sfumato.document import Document, Edit, Term

if TYPE_CHECKING:
    from sfumato.protect import Workshop
    from sfumato.release.certificate import Claim

Detector = Callable[[Document], Iterable[Term]]
Protector = Callable[[Document, Sequence[Term], Sequence[Edit]], Sequence[Edit]]


@runtime_checkable
class Guarantor(Protocol):
    """A protector whose edits give a guarantee."""

    def __call__(
        self, document: Document, terms: Sequence[Term], edits: Sequence[Edit]
    ) -> Sequence[Edit]: ...

    def claims(self, document: Document, edits: Sequence[Edit]) -> Sequence[Claim]:
        """What is guaranteed of the release that these edits make."""


BUILT_IN = {
    "detector": (
        "sfumato.detect.patterns",
        "sfumato.detect.lists",
        "sfumato.detect.personal",
        "sfumato.detect.gazetteers",
        "sfumato.detect.information",
        "sfumato.detect.spacy",
        "sfumato.detect.presidio",
    ),
    "protector": (
        "sfumato.protect.replace.model",
        "sfumato.protect.plausibility.model",
        "sfumato.protect.ksafety.model",
        "sfumato.protect.disclosure.model",
    ),
}


class Options(BaseModel):
    """Base of every options model: unknown keys are errors, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


O = TypeVar("O", bound=Options)  # noqa: E741
F = TypeVar("F", bound=Callable[..., Any])


Knowledge = Callable[[Any], Mapping[str, str]]


def _nothing(_: Options) -> Mapping[str, str]:
    return {}


@dataclass(frozen=True)
class Plugin(Generic[F]):
    """A registered factory. `repeatable` detectors find the same terms wherever they stand, so that a
    release can be searched again and must hold none. `knowledge` gives, for its options, the hashes of the
    data that its results rest on, by name."""

    name: str
    make: F
    options: type[Options]
    repeatable: bool = True
    knowledge: Knowledge = _nothing


_registered: dict[str, dict[str, Plugin[Any]]] = {"detector": {}, "protector": {}}


def detector(
    name: str, *, options: type[O], repeatable: bool = True, knowledge: Knowledge = _nothing
) -> Callable[[Callable[[O], Detector]], Callable[[O], Detector]]:
    """Register a detector's factory under `name`."""

    def keep(make: Callable[[O], Detector]) -> Callable[[O], Detector]:
        _registered["detector"][name] = Plugin(name, make, options, repeatable, knowledge)
        return make

    return keep


def protector(
    name: str, *, options: type[O], knowledge: Knowledge = _nothing
) -> Callable[[Callable[[O, Workshop], Protector]], Callable[[O, Workshop], Protector]]:
    """Register a protector's factory under `name`."""

    def keep(make: Callable[[O, Workshop], Protector]) -> Callable[[O, Workshop], Protector]:
        _registered["protector"][name] = Plugin(name, make, options, knowledge=knowledge)
        return make

    return keep


@cache
def _load(sort: str) -> None:
    for module in BUILT_IN[sort]:
        importlib.import_module(module)
    for point in entry_points(group=f"sfumato.{sort}s"):
        point.load()


def find(sort: str, name: str) -> Plugin[Any] | None:
    """The detector or protector of that name, if there is one."""
    _load(sort)
    return _registered[sort].get(name)


def get(sort: str, name: str) -> Plugin[Any]:
    """The detector or protector of a name that is known to exist."""
    plugin = find(sort, name)
    assert plugin is not None, name
    return plugin


def names(sort: str) -> list[str]:
    """The names that a policy may use."""
    _load(sort)
    return sorted(_registered[sort])
