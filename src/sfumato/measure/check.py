"""What still discloses in a released text, whoever released it.

With the original, the two are aligned, so that it is known what was hidden. Without it, only labels that name
their kind can be looked at: what is left is weighed against everything of that kind that an adversary could
think of. What stands behind a black box, a name or a number nobody can guess from the statistics; that is
counted and said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sfumato.document import Document, Edit, where
from sfumato.facts.redacted import redacted_edits
from sfumato.facts.redactions import Redaction, find_redactions
from sfumato.kinds import KINDS
from sfumato.know.statistics.probability import BackOff
from sfumato.know.taxonomy import wordnet
from sfumato.know.taxonomy.ladder import Sense
from sfumato.policy import Policy
from sfumato.protect.disclosure.catalogue import Knowledge, knowledge_for
from sfumato.protect.disclosure.document_terms import DocumentTerms
from sfumato.protect.disclosure.groups import search_groups
from sfumato.protect.disclosure.options import DisclosureOptions
from sfumato.protect.disclosure.problem import risks, risky
from sfumato.protect.disclosure.sanitizer import exposures, sanitize
from sfumato.protect.disclosure.things import (
    Assessment,
    AssessmentSettings,
    Occurrence,
    Shown,
    catalogue_for,
    make_case,
)

MOST = 20  # findings that are shown for one hidden thing: what fits a screen
_GUESSES = {"DISEASE": "ill health", "LOC": "location"}  # kinds of which candidates are known
# Where it is only guessed what is hidden: the share of texts with a term that must also hold what it points
# to, unless the caller says another. One half was chosen, not measured: more likely than not.
LIKELY = 0.5
# Articles that a disease or place must have to be thought of. Chosen so that counts are more than chance: it
# leaves 148 of 1,099 diseases and 1,820 of 2,750 places of WordNet (5 articles: 331 and 2,285; 100: 41 and
# 1,030).
COMMON = 20


@dataclass(frozen=True, slots=True)
class Leak:
    """Terms of a release that tell too much about something hidden.

    `hidden` is what they tell of, known from the original or, without it, guessed; `told`, `limit` and
    `information` are in bits, `confidence` is the share of texts with these terms that also hold it.
    """

    terms: tuple[str, ...]
    place: str
    kind: str
    hidden: str = field(repr=False)
    guessed: bool
    told: float
    limit: float
    information: float
    confidence: float
    suggestion: str

    def to_dict(self, *, with_hidden: bool) -> dict[str, Any]:
        """Ready for JSON; what is hidden only for whoever has the original, or as a guess."""
        shown = {"hidden": self.hidden} if with_hidden or self.guessed else {}
        return {
            "terms": list(self.terms),
            "place": self.place,
            "kind": self.kind,
            **shown,
            "guessed": self.guessed,
            "told": round(self.told, 2),
            "threshold": round(self.limit, 2),
            "information": round(self.information, 2),
            "confidence": round(self.confidence, 3),
            "suggestion": self.suggestion,
        }


@dataclass(frozen=True, slots=True)
class Report:
    """What was found, the riskiest first; how much is hidden, of what nothing can be said, and which terms
    that are left the statistics have never seen."""

    leaks: tuple[Leak, ...]
    hidden: int
    assessed: int
    not_assessed: Mapping[str, int]
    unknown: tuple[str, ...] = ()

    @property
    def lines(self) -> list[str]:
        """The report's head, in words."""
        if not self.hidden:
            return ["Nothing is hidden: there is nothing to protect."]
        said = [f"{self.hidden} hidden, {self.assessed} assessed, {len(self.leaks)} disclosures"]
        said += [f"not assessed: {count} × {why}" for why, count in self.not_assessed.items()]
        if self.unknown:
            shown = ", ".join(self.unknown[:MOST])
            more = f" and {len(self.unknown) - MOST} more" if len(self.unknown) > MOST else ""
            said.append(f"not in the statistics, look at these yourself: {shown}{more}")
        return said


def settings_of(policy: Policy) -> DisclosureOptions:
    """The policy's settings of disclosure, or the usual ones."""
    for step in policy.protect:
        if isinstance(step.options, DisclosureOptions):
            return step.options
    return DisclosureOptions.model_validate({})


def check(
    released: Document, original: Document | None, policy: Policy, likely: float = LIKELY
) -> Report:
    """What the terms left in a release tell about what is hidden in it. Without the original a term counts
    where so large a share of the texts that hold it (`likely`) holds one and the same guess."""
    options, knowledge = settings_of(policy), knowledge_for(policy.know)
    if original is not None:
        return _with_original(released, original, policy, options, knowledge)
    return _without(released, policy, options, knowledge, likely)


# With the original


def _with_original(
    released: Document,
    original: Document,
    policy: Policy,
    options: DisclosureOptions,
    knowledge: Knowledge,
) -> Report:
    if original.text == released.text:
        return Report((), 0, 0, {})
    edits = redacted_edits(original, released.text, name=released.name)
    document_terms = DocumentTerms(original, (), policy)
    chosen = _softening(options)
    rows = catalogue_for(knowledge, chosen)
    case = make_case(original.text, document_terms.occurrences(edits), rows, chosen)
    unknown = [case.first[i] for i in case.not_assessed]
    not_assessed = Counter(f"{_title(o.kind)} that the statistics do not know" for o in unknown)
    hidden = len(case.hidden)
    leaks = _leaks(case, options, _Places(released, edits))
    left = [o for o in case.first if o.shown is None]
    return Report(
        tuple(leaks), hidden, hidden - len(unknown), dict(not_assessed), _unknown(left, knowledge)
    )


def _softening(options: DisclosureOptions) -> AssessmentSettings:
    """The settings with a strategy that has something to suggest."""
    if options.strategy not in ("S3", "S4", "S5"):
        options = options.model_copy(update={"strategy": "S5"})
    return options.settings


def _unknown(left: Iterable[Occurrence], knowledge: Knowledge) -> tuple[str, ...]:
    """The terms left of which the statistics say nothing: a rare drug may tell all."""
    known = [source.statistics for source in knowledge.sources]
    return tuple(
        dict.fromkeys(
            o.words for o in left if all(s.sure(o.words).backoff >= BackOff.PARTIAL for s in known)
        )
    )


class _Places:
    """Where something of the original stands in the release."""

    def __init__(self, released: Document, edits: Sequence[Edit]) -> None:
        self._text = released.text
        self._edits = edits

    def __call__(self, start: int) -> str:
        moved = start
        for edit in self._edits:
            if edit.start > start:
                break
            if edit.start <= start < edit.end:
                moved += edit.start - start
                break
            moved += len(edit.replacement) - (edit.end - edit.start)
        return where(self._text, max(0, min(moved, len(self._text))))


def _leaks(case: Assessment, options: DisclosureOptions, place: _Places) -> Iterator[Leak]:
    """Terms and groups that reach the threshold, the riskiest first."""
    problem = case.problem
    start = problem.start
    settled = sanitize(problem, options.group_settings, options.room).levels
    found: list[tuple[tuple[int, ...], int, float, float]] = [
        ((e.thing,), e.target, e.risk, e.limit) for e in exposures(problem, start)
    ]
    if options.group_settings is not None:
        groups, _reached = search_groups(problem, start, options.group_settings)
        found += [(g.members, g.target, g.risk, g.limit) for g in groups]
    shown: Counter[int] = Counter()
    for members, target, risk, limit in found:
        shown[target] += 1
        if shown[target] > MOST:
            continue
        words = tuple(case.word(m, start[m]) for m in members)
        rows = [problem.row(m, start[m]) for m in members]
        own = problem.row(target, 0)
        both = problem.counts.joint_all([own, *rows])
        bits = float(problem.information([own])[0])
        kept = case.first[target]
        yield Leak(
            words,
            place(case.first[members[0]].start),
            kept.kind,
            kept.words,
            False,
            risk,
            limit,
            bits,
            min(1.0, both / problem.counts.joint_all(rows)),
            _suggestion(case, members, target, settled),
        )


def _suggestion(
    case: Assessment, members: Sequence[int], target: int, settled: Sequence[int]
) -> str:
    """What to write instead, where one of the terms was raised."""
    for member in members:
        before, after = case.problem.start[member], settled[member]
        if after > before:
            word = case.word(member, after)
            return f"say “{word}”" if word else "leave it out"
    if target in members:
        return "leave it out"
    return "" if settled[target] == case.problem.start[target] else "hide more of what is hidden"


def _title(kind: str) -> str:
    return KINDS[kind].title if kind in KINDS else "term"


# Without it


def _without(
    released: Document,
    policy: Policy,
    options: DisclosureOptions,
    knowledge: Knowledge,
    likely: float,
) -> Report:
    found = find_redactions(released.text)
    guessable = [r for r in found if r.kind in _GUESSES]
    not_assessed = Counter(
        f"{_title(r.kind)}: only the original tells which"
        if r.kind
        else "something behind a box or label that does not say what it is"
        for r in found
        if r.kind not in _GUESSES
    )
    boxes = [Edit(r.start, r.end, r.kind or "MISC", "", "a redaction") for r in found]
    terms = DocumentTerms(released, (), policy).occurrences(boxes)
    left = [o for o in terms if o.shown is None]  # outside of redactions
    leaks: list[Leak] = []
    chosen = _softening(options)
    for kind in dict.fromkeys(r.kind for r in guessable):
        place = next(r for r in guessable if r.kind == kind)
        terms = [*_thinkable(released.text, kind, place, knowledge), *left]
        case = make_case(released.text, terms, catalogue_for(knowledge, chosen), chosen)
        leaks += _guesses(released.text, kind, case, likely)
    leaks.sort(key=lambda leak: (leak.limit - leak.told, leak.place))
    unknown = _unknown(left, knowledge) if found else ()
    return Report(tuple(leaks), len(found), len(guessable), dict(not_assessed), unknown)


def _guesses(text: str, kind: str, case: Assessment, likely: float) -> list[Leak]:
    """For each term left, of all that could be hidden the one of which it tells the most."""
    problem, start = case.problem, case.problem.start
    targets = problem.targets()
    things = [
        i
        for i, t in enumerate(problem.things)
        if not t.hidden and problem.counts.units(t.options[0])
    ]
    if not targets or not things:
        return []
    together = problem.together()[:, things]
    rows = [problem.row(i, start[i]) for i in things]
    risk = risks(problem, targets, start, rows)
    joint = problem.counts.joint([problem.row(t, 0) for t in targets], rows)
    over = risky(problem, targets, risk) & together & (joint >= likely * problem.counts.p(rows))
    leaks = []
    for column, thing in enumerate(things):
        if not over[:, column].any():
            continue
        excess = [
            float(risk[row, column]) - problem.limits[target]
            if over[row, column]
            else float("-inf")
            for row, target in enumerate(targets)
        ]
        best = max(range(len(targets)), key=excess.__getitem__)
        target = targets[best]
        row, own = problem.row(thing, start[thing]), problem.row(target, 0)
        leaks.append(
            Leak(
                (case.word(thing, 0),),
                where(text, case.first[thing].start),
                kind,
                case.first[target].words,
                True,
                float(risk[best, column]),
                problem.limits[target],
                float(problem.information([own])[0]),
                problem.counts.joint_all([own, row]) / problem.counts.joint_all([row]),
                _next(case, thing, targets, likely),
            )
        )
    return leaks


def _thinkable(text: str, kind: str, place: Redaction, knowledge: Knowledge) -> list[Occurrence]:
    """What one could think of in a place: common things of its kind that the text does not name."""
    shown, count = f" {text.lower()} ", knowledge.sources[0].statistics.count
    return [
        Occurrence(place.start, place.end, candidate, kind, Shown())
        for candidate in _candidates(_GUESSES[kind])
        if count(candidate) >= COMMON and candidate.lower() not in shown
    ]


def _next(case: Assessment, thing: int, targets: Sequence[int], likely: float) -> str:
    """The first generalisation of a term that makes nothing of the kind likely."""
    problem = case.problem
    for level in range(1, len(case.ladders[thing])):
        row = problem.row(thing, level)
        joint = problem.counts.joint([problem.row(t, 0) for t in targets], [row])
        if joint.max() < likely * problem.counts.p([row])[0]:
            return f"say “{case.word(thing, level)}”"
    return "leave it out"


@cache
def _candidates(noun: str) -> list[str]:
    """All that one could think of below a concept."""
    nouns = wordnet.default()
    return [s.term for s in _below(nouns, nouns.senses(noun)[0])]


def _below(nouns: wordnet.WordNet, top: Sense) -> Iterator[Sense]:
    """Sorts of a thing, each by a word of which it is the first sense."""
    seen, waiting = {top.key}, [top]
    while waiting:
        for child in nouns.children(waiting.pop(0)):
            if child.key not in seen:
                seen.add(child.key)
                waiting.append(child)
                if nouns.senses(child.term)[0].key == child.key:
                    yield child
