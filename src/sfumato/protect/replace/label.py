"""The methods that look at no more than a term's kind: `label`, `remove` and `keep`."""

from __future__ import annotations

from sfumato.document import Term
from sfumato.plugins import Options, method
from sfumato.policy.rules import Keep, Label
from sfumato.protect.replace.method import Method, Overview, Replacement


class Remove(Options):
    """Nothing is left."""


def _always(_: Keep, __: str) -> bool:
    return True


@method("label", options=Label, leaves="kind")
def label(options: Label, overview: Overview) -> Method:
    def replace(term: Term, original: str) -> Replacement:
        return Replacement(options.of(term.kind), "replaced by a label")

    return replace


@method("remove", options=Remove, leaves="kind")
def remove(options: Remove, overview: Overview) -> Method:
    def replace(term: Term, original: str) -> Replacement:
        return Replacement("", "removed")

    return replace


@method("keep", options=Keep, may_stand=_always)
def keep(options: Keep, overview: Overview) -> Method:
    def replace(term: Term, original: str) -> Replacement:
        return Replacement(original, "kept", may_stay=True)

    return replace
