"""Which columns of a context go, and which of them are said in a more general way."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sfumato.know.entities.broader import Broader, BroaderTerm
from sfumato.know.entities.contexts import Ints
from sfumato.know.entities.matching import normal
from sfumato.protect.ksafety import Problem, generalise, is_safe, search
from sfumato.protect.ksafety.matching import ContextTerms, problem_of
from sfumato.protect.ksafety.options import KSafetyOptions

# What the policy keeps is worth more than all else together.
_BEYOND = 1e4


@dataclass(frozen=True, slots=True)
class Choice:
    """What becomes of a column that goes: a more general word, or nothing."""

    rung: BroaderTerm | None = None


def choose(
    context: ContextTerms,
    options: KSafetyOptions,
    *,
    kept: Collection[int] = (),
    withheld: Collection[int] = (),
    never: Collection[str] = (),
    above: Broader | None = None,
) -> dict[int, Choice]:
    """The columns that go, all of `withheld` among them. What the policy keeps goes only if nothing else
    helps. With `above`, a term that goes may be said by a word above it, but for those in `never`."""
    open_columns = [c for c in range(len(context)) if c not in withheld]
    information = context.information().tolist()
    worth = {c: 1.0 if options.weights == "count" else information[c] for c in open_columns}
    if kept:
        beyond = _BEYOND * max(sum(worth.values()), 1.0)
        worth |= {c: beyond for c in open_columns if c in kept}
    if above is not None:
        forms, wider = _forms(context, worth, above, never)
        return _generalised(context, wider, worth, options, withheld, forms)
    weights = list(worth.values()) if options.weights != "count" or kept else None
    problem = context.problem(options.k, open_columns, weights)
    found = search(problem, method=options.method, budget=options.budget)
    gone = {c for c in found.deleted if isinstance(c, int)}
    gone = _brought_back(context, problem, gone, withheld, information)
    return {c: Choice() for c in sorted(gone | set(withheld))}


@dataclass(frozen=True)
class _Form:
    """A way to say a column: itself, or a word above it, with who has that and its information. A word
    `brings` columns of the wider context into the text: its own, and those of words that it contains."""

    column: int
    rung: BroaderTerm | None
    owners: Ints
    information: float
    brings: frozenset[int] = frozenset()


def _forms(
    context: ContextTerms, columns: Iterable[int], above: Broader, never: Collection[str]
) -> tuple[list[_Form], ContextTerms]:
    """Every column and the words above it, as far as they tell something and may be said; and the context
    with all these words."""
    ladders = {c: above.ladder(context.words[c]) if c < len(context.words) else () for c in columns}
    rungs = {rung.word: rung for ladder in ladders.values() for rung in ladder}
    contained = {word: {m.term for m in above.match(rungs[word].term)} | {word} for word in rungs}
    place = {word: c for c, word in enumerate(context.words)}
    new = sorted({w for words in contained.values() for w in words} - place.keys())
    place |= {word: len(context) + at for at, word in enumerate(new)}
    wider = context.with_words(new, above)
    information, owners = wider.information().tolist(), wider.owners
    barred = {w for w, said in zip(new, above.terms(new), strict=True) if normal(said) in never}
    forms = []
    for c, ladder in ladders.items():
        forms.append(_Form(c, None, owners[c], information[c]))
        for rung in ladder:
            at, words = place[rung.word], contained[rung.word]
            # A word that more than half of all entities have tells nothing.
            if 2 * len(owners[at]) <= len(above) and not words & barred:
                brings = frozenset(place[word] for word in words)
                forms.append(_Form(c, rung, owners[at], information[at], brings))
    return forms, wider


def _generalised(
    context: ContextTerms,
    wider: ContextTerms,
    worth: Mapping[int, float],
    options: KSafetyOptions,
    withheld: Collection[int],
    forms: Sequence[_Form],
) -> dict[int, Choice]:
    """One form of each column, or none. The search knows a form as one column. So the choice is made again
    without what it cannot see: terms with a part that goes, and words that bring others along."""
    groups = {c: number for number, c in enumerate(worth)}
    own = {form.column: form.information for form in forms if form.rung is None}
    count = options.weights == "count"
    weights = [
        worth[f.column] if f.rung is None else f.information / (own[f.column] if count else 1.0)
        for f in forms
    ]
    nodes = {} if options.budget is None else {"nodes": options.budget}
    whole = wider.problem(options.k, range(len(wider)), None)
    # What only one entity has, and that a protected one, is never kept.
    never = context.protected[:1]
    barred = {at for at, form in enumerate(forms) if form.brings & set(withheld)}
    while True:
        having = [never if at in barred else form.owners for at, form in enumerate(forms)]
        problem = problem_of(having, context, range(len(forms)), options.k, weights)
        found = generalise(problem, [groups[f.column] for f in forms], **nodes)
        kept = [at for at in found.kept if isinstance(at, int)]
        said = {forms[at].column: forms[at].rung for at in kept}
        gone = {c for c in worth if said.get(c) is not None or c not in said} | set(withheld)
        left = context.left(context.removed_spans(gone))
        broken = {at for at in kept if forms[at].rung is None and forms[at].column not in left}
        bringing = [at for at in kept if forms[at].rung is not None]
        more = broken or _unsafe(whole, left, forms, bringing)
        if not more:
            return {c: Choice(said.get(c)) for c in sorted(gone)}
        barred |= more


def _unsafe(
    whole: Problem, left: set[int], forms: Sequence[_Form], bringing: Sequence[int]
) -> set[int]:
    """The words that are not safe with all that they bring along: each by itself, or else the one with
    which all of them together are not."""
    alone = {at for at in bringing if not is_safe(whole, left | forms[at].brings)}
    if alone:
        return alone
    stands = set(left)
    for at in bringing:
        stands |= forms[at].brings
        if not is_safe(whole, stands):
            return {at}
    return set()


def _brought_back(
    context: ContextTerms,
    problem: Problem,
    gone: set[int],
    withheld: Collection[int],
    information: list[float],
) -> set[int]:
    """What need not go: a term that goes takes along whatever it is a part of, and with that gone others
    may be safe again."""
    open_columns = set(problem.document)
    if not (open_columns - gone) - context.left(context.removed_spans(gone | set(withheld))):
        return gone
    for column in sorted(gone, key=lambda c: (-information[c], c)):
        fewer = gone - {column}
        left = context.left(context.removed_spans(fewer | set(withheld)))
        if is_safe(problem, left & open_columns):
            gone = fewer
    return gone
