"""K-safety bound to text: which terms of a text tell of entities, which of them go, and the edits for that.

The text is looked at as it would be released, with the edits of all protectors so far. A term that goes, goes
wherever it stands, in every inflection; where taking it out brings up a new one, that is looked at too. The
name of a protected entity tells of that entity alone, so it goes as well. What the policy keeps stays, or it
is an error.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from sfumato.detect.keeper import Keeper
from sfumato.document import (
    GENERALISE,
    Alignment,
    Claim,
    Document,
    Edit,
    Spans,
    Term,
    joined,
    released_spans,
    render,
    where,
)
from sfumato.english.folding import skeleton
from sfumato.errors import InputError, PolicyError, SfumatoError
from sfumato.facts.mentions import SPREAD, find
from sfumato.know import fingerprints, sources
from sfumato.know.entities import readers
from sfumato.know.entities.broader import Broader, BroaderTerm, broader
from sfumato.know.entities.contexts import Ints
from sfumato.know.entities.matching import normal
from sfumato.know.entities.readers import Opened, Register
from sfumato.plugins import Guarantor, protector
from sfumato.protect import Run
from sfumato.protect.agree import agree
from sfumato.protect.ksafety.choices import Choice, choose
from sfumato.protect.ksafety.matching import ContextTerms, Span, Vocabulary, look
from sfumato.protect.ksafety.options import KSafetyOptions
from sfumato.protect.ksafety.reasons import counterexample, told
from sfumato.protect.ksafety.removal import cuts

K_SAFE = "K-safe"
KIND = "TERM"
REASON = "would leave too few entities that fit"
_AGAIN = "a further mention of a removed term"
_MOST_ROUNDS = 50
_WALL = "\n\0\n"  # between texts: no term reaches across


def _knowledge(options: KSafetyOptions) -> Mapping[str, str]:
    """The words above terms, and the entities; not these where they cannot be had, which a verifier then is
    told."""
    found = dict(fingerprints.taxonomy(options))
    with suppress(SfumatoError):
        found["entities"] = _register(options).current().database.digest
    return found


def _check_readers(options: KSafetyOptions, named: Sequence[str]) -> None:
    """Refuse readers whose rights nobody knows; without a reader, a database that cannot be had."""
    for reader in named or (None,):
        _register(options).view(() if reader is None else (reader,), options.protected)


def _register(options: KSafetyOptions) -> Register:
    return readers.register(readers.address(options.entities), options.tables)


@protector(
    "ksafety",
    options=KSafetyOptions,
    knowledge=_knowledge,
    claims=lambda _: (K_SAFE,),
    readers=_check_readers,
)
def make(options: KSafetyOptions, run: Run) -> Guarantor:
    """Removes or generalises terms until no protected entity can be told from K others."""
    return KSafety(options, run)


@dataclass(frozen=True)
class _Case:
    """One document with the rights at the moment it was begun."""

    document: Document
    terms: Sequence[Term]
    opened: Opened
    protected: Ints


class KSafety:
    """The protector: made once for a run and a reader, called for every document.

    `withheld` are terms in normal form that must not stand in any release, whatever else is safe.
    """

    def __init__(self, options: KSafetyOptions, run: Run) -> None:
        if sum(step.name == "ksafety" for step in run.policy.protect) > 1:
            raise PolicyError("a policy may have one ksafety step; join their databases into one")
        self._options, self._policy = options, run.policy
        self.register = _register(options)
        self.readers = () if run.reader is None else (run.reader,)
        self.withheld: frozenset[str] = frozenset()
        self._kept = Keeper(run.policy) if run.policy.keep else None
        # As the last step, it looks at the text with all findings treated.
        self._first = run.by_rules if run.is_last else None
        self._case: _Case | None = None
        self.register.view(self.readers, options.protected)  # an unknown reader is told at once

    def __call__(
        self, document: Document, terms: Sequence[Term], edits: Sequence[Edit]
    ) -> Sequence[Edit]:
        case = self._begin(document, terms)
        made = self._mentioned_again(terms, [e for e in edits if e.hides])
        if self._first is not None:
            made = list(self._first(document, terms, made))
        for _ in range(_MOST_ROUNDS):
            shown = agree(made, document)
            context = self.context(render(document, shown), case.opened, case.protected)
            choices = self._choose(context, document)
            if not choices:
                break
            made = self._edited(shown, context, choices, case)
        return made

    def claims(self, document: Document, edits: Sequence[Edit]) -> Sequence[Claim]:
        """K alone: neither what nor how much is protected may be seen (footnote 3 of the paper)."""
        return [Claim(K_SAFE, {"k": self._options.k})]

    def context(self, text: str, opened: Opened, protected: Ints) -> ContextTerms:
        """What a text tells."""
        return look(text, self.vocabulary(opened), opened.by_name, protected)

    def vocabulary(self, opened: Opened) -> Vocabulary:
        """The terms that count: the database's, and the words above them where we may generalise."""
        if not self._options.generalise:
            return opened.database
        return broader(opened, sources.taxonomy_for(self._policy.know))

    def refresh(self) -> None:
        """Read the entity database again before it is next used."""
        self.register.refresh()

    def unsafe_together(self, texts: Sequence[str], named: Sequence[str]) -> frozenset[str]:
        """The terms, in normal form, to withhold from all views of several readers, so that what none of
        them may know stays hidden when they put the views together."""
        opened, protected = self.register.view(named, self._options.protected)
        context = self.context(_WALL.join(texts), opened, protected)
        chosen = choose(context, self._options)
        said = self.vocabulary(opened).terms(context.words)
        return frozenset(normal(said[c]) for c in chosen if c < len(said))

    def _begin(self, document: Document, terms: Sequence[Term]) -> _Case:
        """Rights are asked for once for a document: each run brings a list of terms of its own."""
        case = self._case
        if case is None or case.document is not document or case.terms is not terms:
            opened, protected = self.register.view(self.readers, self._options.protected)
            entities = len(opened.database)
            if entities <= self._options.k:
                raise InputError(
                    f"the entity database has {entities} entities, too few for K={self._options.k}: no "
                    f"text can be K-safe with fewer than {self._options.k + 1}; add entities or lower K"
                )
            self._case = case = _Case(document, terms, opened, protected)
        return case

    # What goes

    def _choose(self, context: ContextTerms, document: Document) -> dict[int, Choice]:
        if not len(context) or not len(context.protected):
            return {}
        assert self._case is not None
        vocabulary = self.vocabulary(self._case.opened)
        kept = self._columns_to_keep(context)
        chosen = choose(
            context,
            self._options,
            kept=kept,
            withheld=self._withheld_columns(context),
            never=self.withheld,
            above=vocabulary if isinstance(vocabulary, Broader) else None,
        )
        if lost := sorted(kept & chosen.keys()):
            place = where(context.text, context.places[lost[0]][0][0])
            raise InputError.at(
                document.name,
                f"K = {self._options.k} cannot be reached with the term at {place}, which "
                "the policy keeps; lower K, or take it from `keep`",
            )
        return chosen

    def _columns_to_keep(self, context: ContextTerms) -> set[int]:
        if self._kept is None:
            return set()
        spans = Spans(joined(self._kept.spans(context.text)))
        return {
            c for c, places in enumerate(context.places) if any(spans.touch(*s) for s in places)
        }

    def _withheld_columns(self, context: ContextTerms) -> set[int]:
        if not self.withheld or self._case is None:
            return set()
        said = self.vocabulary(self._case.opened).terms(context.words)
        return {column for column, term in enumerate(said) if normal(term) in self.withheld}

    # Edits

    def _edited(
        self,
        shown: Sequence[Edit],
        context: ContextTerms,
        choices: Mapping[int, Choice],
        case: _Case,
    ) -> list[Edit]:
        """The edits with the choices made; those that a new one takes in are gone."""
        removed = joined([*context.removed_spans(choices), *_other_spellings(context, choices)])
        left = context.left(removed)
        said = self._said(context, case)
        why = {c: self._why(context, c, left, case, said) for c in choices}
        within = _lookup(context, choices)
        made: list[Edit] = []
        outright: list[Span] = []
        for span in removed:
            inside = within(*span)
            rung = _rung(choices, inside, context, span)
            if rung is None:
                outright.append(span)
            else:
                general = _like(rung.term, context.text[span[0] : span[1]])
                numbers = {"k": self._options.k}
                edit = Edit(*span, KIND, general, REASON, GENERALISE, (), numbers, rung.concept)
                made.append(replace(edit, private=_told(why, inside)))
        for cut in cuts(context.text, outright, self._options.mark):
            inside = within(cut.start, cut.end)
            how = "label" if cut.replacement == self._options.mark != "" else "remove"
            edit = Edit(cut.start, cut.end, KIND, cut.replacement, REASON, how)
            numbers = {"k": self._options.k}
            edit = replace(edit, numbers=numbers, private=_told(why, inside))
            made.append(edit)
        return _merged(shown, made)

    def _why(
        self,
        context: ContextTerms,
        column: int,
        left: Collection[int],
        case: _Case,
        said: Sequence[str],
    ) -> str:
        """The reason with its numbers, for the ledger only."""
        if column >= len(context.words):
            return "the name of a protected entity"
        found = counterexample(context, column, left, self._options.k)
        if found is None:
            if self._options.generalise:
                return f"*{said[column]}* goes so that more of the other terms can stay"
            return "withheld from all readers" if self.withheld else ""
        name = case.opened.names[found.entity]
        return told(found, self._options.k, said.__getitem__, name)

    def _said(self, context: ContextTerms, case: _Case) -> list[str]:
        words = self.vocabulary(case.opened).terms(context.words)
        names = [case.opened.names[case.opened.by_name.entities(n)[0]] for n in context.names]
        return [*words, *names]

    def _mentioned_again(self, terms: Sequence[Term], edits: Sequence[Edit]) -> list[Edit]:
        """Removes what repeats a removed term in a spelling that is no match ("weightloss")."""
        edited = Spans((e.start, e.end) for e in edits)
        again = [
            (t.start, t.end)
            for t in terms
            if t.detector == SPREAD and t.kind == KIND and not edited.touch(t.start, t.end)
        ]
        mark = self._options.mark
        made = [Edit(a, b, KIND, mark, _AGAIN, "label" if mark else "remove") for a, b in again]
        return sorted([*edits, *made], key=lambda e: e.start)


def _told(why: Mapping[int, str], columns: Sequence[int]) -> str:
    """The reasons for some columns; what is only a part of another has none of its own."""
    return "; ".join(dict.fromkeys(why[c] for c in columns if why[c]))


def _other_spellings(context: ContextTerms, choices: Collection[int]) -> list[Span]:
    """Where a term that goes stands in a spelling that is no match ("weightloss")."""
    forms = {skeleton(context.text[a:b]) for c in choices for a, b in context.places[c]} - {""}
    return [(start, end) for start, end, _ in find(context.text, forms)]


def _lookup(context: ContextTerms, columns: Iterable[int]) -> Callable[[int, int], list[int]]:
    """Tells which of some columns begin within a stretch of the text."""
    places = sorted((start, c) for c in columns for start, _ in context.places[c])
    starts = [start for start, _ in places]

    def within(start: int, end: int) -> list[int]:
        found = places[bisect_left(starts, start) : bisect_left(starts, end)]
        return sorted({c for _, c in found})

    return within


def _rung(
    choices: Mapping[int, Choice], inside: Sequence[int], context: ContextTerms, span: Span
) -> BroaderTerm | None:
    """The more general word for a stretch, if all of it is one term that goes up."""
    rungs = {choices[c].rung for c in inside if span in context.places[c]}
    return rungs.pop() if len(rungs) == 1 else None


def _like(words: str, original: str) -> str:
    """Words in small letters where the original is; taxonomies write some with a capital letter."""
    if original[:1].islower() and words[:1].isupper() and words[1:2].islower():
        return words[0].lower() + words[1:]
    return words


def _merged(shown: Sequence[Edit], new: Sequence[Edit]) -> list[Edit]:
    """The edits of the original that these edits of its release come to."""
    alignment, spans = Alignment(shown), released_spans(shown)
    starts = [start for start, _ in spans]
    made: list[Edit] = []
    for edit in sorted(new, key=lambda e: e.start):
        place = alignment.to_original(edit.start, edit.end)
        if place is None:  # it lies within one replacement
            at = bisect_right(starts, edit.start) - 1
            place = (shown[at].start, shown[at].end)
            if (edit.start, edit.end) != spans[at]:  # a part of it cannot go alone
                edit = replace(edit, replacement="", how="remove", concept="")
        if made and place[0] < made[-1].end:  # two of them touch one earlier edit
            made[-1] = replace(
                made[-1], end=max(place[1], made[-1].end), replacement="", how="remove", concept=""
            )
        else:
            made.append(replace(edit, start=place[0], end=place[1]))
    taken = Spans((e.start, e.end) for e in made)
    rest = [e for e in shown if e.hides and not taken.touch(e.start, e.end)]
    return sorted([*rest, *made], key=lambda e: e.start)
