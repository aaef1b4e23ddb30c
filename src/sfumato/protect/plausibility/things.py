"""What a text mentions: one decision is made for each thing, whatever the number of its mentions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sfumato.detect.noun_phrases import noun_phrases
from sfumato.document import GENERALISE, Document, Edit, Spans, Term
from sfumato.english.folding import normal_form
from sfumato.english.inflection import singular
from sfumato.english.matcher import TermMatcher
from sfumato.facts.ladders import Ladder, Rung, has_ladders, kind_rung, ladder_at, ladder_of
from sfumato.facts.persons import identities
from sfumato.kinds import rule_chain
from sfumato.know.taxonomy.chain import KIND_NOUNS, Chain
from sfumato.plugins import METHODS
from sfumato.policy import Policy
from sfumato.protect.plausibility.senses import common_term

NOUN = "TERM"  # the kind of a noun that no detector has found


@dataclass
class LadderedThing:
    """A thing with its mentions, the rungs it may be said by, and the one it has: `level`. What an earlier
    protector has hidden is `fixed`: it counts, and is not edited."""

    key: str
    kind: str
    ladder: Ladder
    mentions: list[tuple[int, int]]
    level: int = 0
    weight: float = 1.0
    fixed: bool = False
    chosen: dict[str, int] = field(default_factory=dict)  # for the reason: texts of its unit

    @property
    def rung(self) -> Rung:
        return self.ladder[self.level]


def key_of(words: str) -> str:
    """The normal form of a mention, its last word in the singular."""
    head, space, last = normal_form(words).rpartition(" ")
    return f"{head}{space}{singular(last)}"


class ThingFinder:
    """Finds the things of a document."""

    def __init__(
        self, policy: Policy, chain: Chain, senses: str, weights: Mapping[str, float]
    ) -> None:
        self._policy, self._chain = policy, chain
        self._senses, self._weights = senses, weights
        self._kept = TermMatcher(policy.keep) if policy.keep else None

    def hidden(self, document: Document, edits: Iterable[Edit]) -> Iterator[LadderedThing]:
        """What earlier protectors have generalised or hidden."""
        things: dict[tuple[str, str, str], LadderedThing] = {}
        edits = list(edits)
        said = [document.text[e.start : e.end] for e in edits]
        # "Mrs Keller" and "Ann Keller" are one person, and count once.
        persons = identities(s for e, s in zip(edits, said, strict=True) if e.kind == "PERSON")
        for edit, words in zip(edits, said, strict=True):
            key = key_of(words)
            if edit.kind == "PERSON":
                key = persons.get(normal_form(words), key)
            which = (key, edit.kind, edit.concept)
            thing = things.get(which)
            if thing is not None:
                thing.mentions.append((edit.start, edit.end))
                continue
            made = self._of_edit(key, edit, document)
            if made is not None:
                things[which] = made
        yield from things.values()

    def _of_edit(self, key: str, edit: Edit, document: Document) -> LadderedThing | None:
        mentions, weight = [(edit.start, edit.end)], self._weight(edit.kind)
        if edit.how == GENERALISE and edit.concept:
            for ladder in self._ladders(document, edit):
                for level, rung in enumerate(ladder):
                    if rung.concept == edit.concept:
                        return LadderedThing(key, edit.kind, ladder, mentions, level, weight)
            return None  # not one of our rungs: it counts for nothing
        method = METHODS.find(edit.how)
        told = kind_rung(self._chain, edit.kind) if method and method.leaves != "value" else None
        return LadderedThing(key, edit.kind, (told,), mentions, fixed=True) if told else None

    def found(
        self, document: Document, terms: Iterable[Term], edited: Spans
    ) -> tuple[list[LadderedThing], list[Term]]:
        """The findings that nobody has edited: those with a ladder, which must go up by a rung at least, and
        the rest."""
        things: dict[tuple[str, str, bool], LadderedThing] = {}
        unknown = []
        for term in terms:
            if self._policy.keeps(term.kind):
                continue
            if edited.touch(term.start, term.end) or not has_ladders(term.kind):
                unknown.append(term)
                continue
            words = term.of(document.text)
            key = key_of(words)
            which = (key, term.kind, words[:1].islower())  # Turkey is no turkey
            if which in things:
                things[which].mentions.append((term.start, term.end))
                continue
            ladder = self._ladder(document, term.start, term.end, term.kind)
            if len(ladder) < 2:
                unknown.append(term)
                continue
            mentions = [(term.start, term.end)]
            things[which] = LadderedThing(
                key, term.kind, ladder, mentions, 1, self._weight(term.kind)
            )
        return list(things.values()), unknown

    def nouns(self, document: Document, taken: Spans) -> list[LadderedThing]:
        """The nouns that are neither edited nor found, nor kept by the policy."""
        kept = (
            Spans((a, b) for a, b, _ in self._kept.find(document.text)) if self._kept else Spans()
        )
        things: dict[str, LadderedThing] = {}
        for phrase in noun_phrases(document.text):
            if taken.touch(phrase.start, phrase.end) or kept.touch(phrase.start, phrase.end):
                continue
            key = key_of(document.text[phrase.start : phrase.end])
            if key in things:
                things[key].mentions.append((phrase.start, phrase.end))
                continue
            ladder = self._ladder(document, phrase.start, phrase.end, "")
            if len(ladder) > 1:
                mentions = [(phrase.start, phrase.end)]
                things[key] = LadderedThing(key, NOUN, ladder, mentions, 0, self._weight(NOUN))
        return list(things.values())

    def _ladder(self, document: Document, start: int, end: int, kind: str) -> Ladder:
        return ladder_at(self._chain, document.text, start, end, kind, self._senses)

    def _weight(self, kind: str) -> float:
        """The weight of a kind: its own, its family's, or that of all others."""
        names = (name for name in rule_chain(kind) if name in self._weights)
        return self._weights[name] if (name := next(names, "")) else 1.0

    def widen(self, document: Document, thing: LadderedThing, coverage: float) -> None:
        """Take a rung that is common to several senses of the word instead, where there is one that covers
        enough of them (Algorithm 2). It is at least as wide."""
        start, end = thing.mentions[0]
        term = " ".join(document.text[start:end].split())
        kind = "" if thing.kind == NOUN else thing.kind
        count = len(self._chain.senses(term, kind))
        ladders = [ladder_of(self._chain, term, kind, sense) for sense in range(count)]
        others = [ladder for ladder in ladders if ladder != thing.ladder]
        if not others or len(others) == len(ladders):
            return
        ladders = [thing.ladder, *others]
        paths = [[(rung.concept, rung.volume) for rung in ladder] for ladder in ladders]
        found = common_term(paths, thing.level, coverage=coverage)
        for ladder in ladders:
            for level, rung in enumerate(ladder):
                if level and rung.concept == found.node:
                    thing.ladder, thing.level = ladder, level
                    return

    def _ladders(self, document: Document, edit: Edit) -> Iterator[Ladder]:
        """The ladders of an edited term in all its senses: which one was meant, its replacement shows."""
        term = " ".join(document.text[edit.start : edit.end].split())
        kind = "" if edit.kind == NOUN else edit.kind
        if kind == "DATE":
            yield ladder_at(self._chain, document.text, edit.start, edit.end, kind, "first")
        for sense in range(max(1, len(self._chain.senses(term, kind)))):
            yield ladder_of(self._chain, term, kind, sense)


def joined(
    document: Document, things: Sequence[LadderedThing], nouns: Iterable[LadderedThing]
) -> list[LadderedThing]:
    """The nouns that are no mentions of a thing already known; those that are become mentions of it. A name
    is not meant by the same word without a capital letter: Turkey is no turkey."""
    known = {t.key: t for t in things if not t.fixed}
    rest = []
    for noun in nouns:
        thing = known.get(noun.key)
        if thing is None or (
            thing.kind in KIND_NOUNS and document.text[noun.mentions[0][0]].islower()
        ):
            rest.append(noun)
        else:
            thing.mentions += noun.mentions
    return rest
