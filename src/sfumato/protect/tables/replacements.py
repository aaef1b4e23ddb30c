"""What a policy says about documents, applied to a table's texts, or refused before any work.

The persons of a class must show the same. So a hidden term becomes what its kind alone decides: a method that
looks at the term (a hash, a surrogate, a mask) would tell the persons of a class apart and is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sfumato.document import GENERALISE, Document, Term
from sfumato.errors import InputError, PolicyError
from sfumato.kinds import rule_chain
from sfumato.policy import Policy, Rule
from sfumato.policy.table import TableSettings
from sfumato.protect import Run
from sfumato.protect.replace.method import Overview, Replacement

DIRECT_KIND = "ID"  # of direct identifiers whose column names no kind
KEEP, EVERY_KIND = "keep", "*"


def table_settings(policy: Policy) -> TableSettings:
    """The policy's `table:`."""
    if policy.table is None:
        raise InputError(
            f"the policy '{policy.name}' has no `table:`; say there what the columns are"
        )
    return policy.table


def refuse_what_cannot_hold(policy: Policy) -> None:
    """Refuse every setting that a table would not show."""
    settings = table_settings(policy)
    for step in policy.protect:
        if not step.plugin.by_rules:
            raise PolicyError(
                f"protect: '{step.name}' cannot be given for a table yet; leave the step out, and say under "
                "`table` what must hold"
            )
    if not policy.protect:
        raise PolicyError("protect: a table needs `replace`, which says what hidden terms become")
    for name, rule in policy.replace.items():
        problem = _problem(name, rule, settings)
        if problem:
            raise PolicyError(f"replace.{name}: {problem}")
    for column, kind in _direct_kinds(settings):
        if policy.keeps(kind):
            name = next(n for n in rule_chain(kind) if n in policy.replace)
            raise PolicyError(
                f"replace.{name}: keep, but the column '{column}' names persons; give {kind} a rule of its "
                "own, e.g. label"
            )


def direct_kind(settings: TableSettings, column: str) -> str:
    """The kind of a direct identifier."""
    return next(iter(settings.columns[column].kinds), DIRECT_KIND)


def _direct_kinds(settings: TableSettings) -> Iterator[tuple[str, str]]:
    return ((name, direct_kind(settings, name)) for name in settings.of_role("direct"))


def _problem(name: str, rule: Rule, settings: TableSettings) -> str:
    """Why a table cannot have this rule, if it cannot."""
    counted = {*settings.kinds, *(kind for _, kind in _direct_kinds(settings))}
    if settings.kinds and not any(name in rule_chain(kind) for kind in counted):
        return (
            "has no effect, as table.kinds does not count it; add it there, or leave the rule out"
        )
    if rule.how == GENERALISE:
        if not settings.generalise or settings.combinations is not None:
            return "generalise, but terms stay as they are or go; set table.generalise, without combinations"
        if rule.options != rule.plugin.options():
            return "a class decides how general its words are; use table.most_loss in place of settings here"
        return ""
    if rule.how == KEEP or rule.plugin.leaves == "kind":
        return ""
    return f"{rule.how} tells the persons of a class apart; use label, remove or generalise"


@dataclass
class Replacements:
    """What stands for what is hidden, by its kind."""

    run: Run
    _known: dict[str, Replacement] = field(default_factory=dict)

    def __call__(self, kind: str) -> str:
        """The words in the place of a term of this kind."""
        return self.of(kind).text

    def of(self, kind: str) -> Replacement:
        """What stands there, and why."""
        if kind not in self._known:
            self._known[kind] = self._made(kind)
        return self._known[kind]

    def _made(self, kind: str) -> Replacement:
        policy, rule = self.run.policy, self.run.policy.rule(kind)
        if rule.plugin.leaves == "kind":
            method = rule.plugin.make(rule.options, Overview(Document(""), (), self.run))
            made = method(Term(0, 1, kind, 1.0, "table"), "")
            if isinstance(made, Replacement):
                return made
        # nothing more general is shared, or the kind itself is let stand: what is hidden gets a label
        return Replacement(policy.label(kind).of(kind), "replaced by a label")
