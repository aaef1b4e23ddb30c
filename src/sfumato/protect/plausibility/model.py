"""t-plausibility bound to text: which protector a policy asks for."""

from __future__ import annotations

from sfumato.detect import encoder
from sfumato.errors import PolicyError
from sfumato.know import fingerprints
from sfumato.plugins import Guarantor, protector
from sfumato.protect import Run
from sfumato.protect.plausibility.options import PlausibilityOptions
from sfumato.protect.plausibility.program import Program
from sfumato.protect.plausibility.searched import PLAUSIBLE, Searched

_knowledge = fingerprints.together(encoder.knowledge, fingerprints.taxonomy, fingerprints.senses)


@protector(
    "plausibility",
    options=PlausibilityOptions,
    claims=lambda _: (PLAUSIBLE,),
    knowledge=_knowledge,
)
def make(options: PlausibilityOptions, run: Run) -> Guarantor:
    """Generalises facts until at least t texts could have been the original."""
    steps = [s.options for s in run.policy.protect if isinstance(s.options, PlausibilityOptions)]
    if len(steps) > 1 and any(step.adversary == "program" for step in steps):
        raise PolicyError(
            "plausibility: two steps would undo each other; give one step a t for each sort of unit, e.g. "
            "'t: {sentence: 10, document: 1000}', or say 'adversary: text' in both"
        )
    return Program(options, run) if options.adversary == "program" else Searched(options, run)
