"""The methods that look at no more than a term's kind: `label`, `remove` and `keep`."""

from __future__ import annotations

from sfumato.plugins import Options, method
from sfumato.policy.rules import Keep, Label
from sfumato.protect.replace.method import Method, Overview, Replacement


class Remove(Options):
    """Nothing is left."""


@method("label", options=Label, leaves="kind")
def label(options: Label, overview: Overview) -> Method:
    return lambda term, _: Replacement(options.of(term.kind), "replaced by a label")


@method("remove", options=Remove, leaves="kind")
def remove(options: Remove, overview: Overview) -> Method:
    return lambda _, __: Replacement("", "removed")


@method("keep", options=Keep, may_stand=lambda _, __: True)
def keep(options: Keep, overview: Overview) -> Method:
    return lambda _, original: Replacement(original, "kept", may_stay=True)
