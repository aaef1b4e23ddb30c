"""Could at least t texts have been the original? Counted again by walking the taxonomies.

A claim lists, for every unit, where a word of the release stands for a concept. From the release and the
taxonomies alone it can be seen that the words name these concepts and that the concepts have so many leaves;
with the ledger also that every unit with an edit is listed, and each original lies below its concept.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from calendar import month_name
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sfumato.document import Claim, where
from sfumato.english import units
from sfumato.english.folding import normal_form
from sfumato.english.inflection import pluralise, split_head
from sfumato.know import fingerprints, sources
from sfumato.know.taxonomy import named, places, wordnet
from sfumato.know.taxonomy.chain import KIND_NOUNS, Chain
from sfumato.know.taxonomy.ladder import Sense
from sfumato.plugins import METHODS, claim
from sfumato.policy import Policy
from sfumato.verify.check import Check, fails, holds, needs, needs_ledger
from sfumato.verify.evidence import Evidence
from sfumato.verify.record import replacements
from sfumato.verify.words import same_but_for_number, singulars

PLAUSIBLE = "t-plausible"
# Counts above this are given as this: a claim is a line in a file, not a book of digits.
MANY = 10**1000


@dataclass(frozen=True, slots=True)
class _Slot:
    """A place of the release and the concept that it stands for."""

    start: int
    end: int
    concept: str

    def of(self, text: str) -> str:
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class _ClaimedUnit:
    """A unit of the release, as the claim has it."""

    unit: str
    start: int
    texts: int
    slots: tuple[_Slot, ...]


@claim(PLAUSIBLE, knowledge=fingerprints.taxonomy)
def is_plausible(claim: Claim, evidence: Evidence) -> Check:
    """Each unit with something hidden could have come from at least t texts."""
    policy, text = evidence.policy, evidence.text
    if policy is None:
        return needs(PLAUSIBLE, "the policy")
    asked = evidence.asked_by(claim)
    if asked is None or claim.parameters.get("t") != _wanted(asked):
        return fails(PLAUSIBLE, "the claim is not what the policy asks for")
    wanted = _wanted(asked)
    try:
        parts = _claimed_units(claim.parameters, text)
    except (IndexError, KeyError, TypeError, ValueError):
        return fails(PLAUSIBLE, "the claim cannot be read")
    if not {p.unit for p in parts} <= wanted.keys():
        return fails(PLAUSIBLE, "the claim has a unit without a t")
    walk = Walk(sources.taxonomy_for(policy.know))
    try:
        problems = [_problem(part, wanted[part.unit], text, walk) for part in parts]
    except (KeyError, ValueError, IndexError):
        return needs(PLAUSIBLE, "the taxonomies of the policy")
    if any(problems):
        return fails(PLAUSIBLE, next(filter(None, problems)))
    if evidence.record is not None:
        problem = _against_the_record(parts, wanted, evidence, walk)
        if problem:
            return fails(PLAUSIBLE, problem)
    elif unsure := _not_shown(parts, wanted, text, policy, walk):
        return needs_ledger(PLAUSIBLE, unsure)
    fewest = min((p.texts for p in parts), default=0)
    told = ", ".join(f"t = {_many(t)} in each {u}" for u, t in wanted.items())
    return holds(
        PLAUSIBLE,
        f"{told}; one of {_many(fewest)} at least" if parts else "nothing that a taxonomy counts",
    )


def _problem(part: _ClaimedUnit, t: int, text: str, walk: Walk) -> str:
    """What speaks against a unit in the light of the taxonomies; nothing if all is well."""
    for slot in part.slots:  # first: only what the text names is counted
        if not walk.is_named(slot.of(text), slot.concept) and not walk.is_kind(slot.concept):
            return f"the words at {where(text, slot.start)} do not name their concept"
    texts = _product(walk.count(s.concept) for s in part.slots)
    place = f"the {part.unit} at {where(text, part.start)}"
    if texts != part.texts or not texts:
        return f"{place} is not one of as many texts as claimed"
    if texts < min(t, MANY):
        return f"{place} is one of {_many(texts)} texts, not of {_many(t)}"
    return ""


def _product(counts: Iterable[int]) -> int:
    """All counts multiplied, up to MANY: a certificate that somebody made up may list any number of them."""
    whole = 1
    for count in counts:
        whole = min(whole * max(count, 0), MANY)
    return whole


def _not_shown(
    parts: Sequence[_ClaimedUnit], wanted: Mapping[str, int], text: str, policy: Policy, walk: Walk
) -> str:
    """What the release alone does not show; nothing if it shows all. Equal words count once: they may stand
    for one thing. A label counts for its kind; other words that name no concept may be originals."""
    for part in parts:
        counted: dict[tuple[str, str], int] = {}
        for slot in part.slots:
            words = slot.of(text)
            if not walk.is_named(words, slot.concept) and not (
                words
                and any(
                    policy.label(kind).form(kind).fullmatch(words)
                    for kind in walk.kinds_of(slot.concept)
                )
            ):
                return "invented values cannot be told from real ones"
            counted[normal_form(words), slot.concept] = walk.count(slot.concept)
        if _product(counted.values()) < min(wanted[part.unit], MANY):
            return "equal words may stand for one thing"
    for unit in wanted:
        inside = [(p.slots[0].start, p.slots[-1].end) for p in parts if p.unit == unit]
        for start, end in units.spans(text, unit):  # type: ignore[arg-type]
            at = bisect_left(inside, (start, 0))
            listed = at < len(inside) and inside[at][1] <= end
            if any(map(str.isalnum, text[start:end])) and not listed:
                return f"whether something is hidden in each {unit}"
    return ""


def _many(count: int) -> str:
    """A number as people read it."""
    return f"{count:,}" if count < 10**15 else f"10^{math.floor(math.log10(count))}"


def _wanted(asked: Mapping[str, Any]) -> dict[str, int]:
    """What a step of the policy asks for, by unit."""
    t = asked["t"]
    return dict(t) if isinstance(t, Mapping) else {asked["unit"]: t}


def _claimed_units(parameters: Mapping[str, Any], text: str) -> list[_ClaimedUnit]:
    """The units that a claim lists: their slots lie in the text, one after the other, none twice."""
    if parameters.keys() != {"t", "units"}:
        raise ValueError("another claim")
    parts, reached = [], dict[str, int]()
    for given in parameters["units"]:
        slots = tuple(_Slot(a, b, str(concept)) for a, b, concept in given["terms"])
        part = _ClaimedUnit(str(given["unit"]), given["start"], given["texts"], slots)
        if any(type(n) is not int for s in slots for n in (s.start, s.end, part.start, part.texts)):
            raise TypeError("no whole number")
        at = reached.get(part.unit, 0)
        for slot in slots:
            if not at <= slot.start <= slot.end <= len(text):
                raise ValueError("a slot out of order")
            at = slot.end
        if part.start != slots[0].start or given.keys() != {"unit", "start", "texts", "terms"}:
            raise ValueError("another unit")
        reached[part.unit] = at
        parts.append(part)
    return parts


def _against_the_record(
    parts: Sequence[_ClaimedUnit], wanted: Mapping[str, int], evidence: Evidence, walk: Walk
) -> str:
    """What speaks against a claim in the light of the originals; nothing if all is well."""
    text, record, original = evidence.text, evidence.record, evidence.original
    assert record is not None
    assert original is not None
    concepts: dict[tuple[str, int, int], list[str]] = {}
    for part in parts:
        for slot in part.slots:
            concepts.setdefault((part.unit, slot.start, slot.end), []).append(slot.concept)
    edits = list(zip(record.edits, record.originals, replacements(record), strict=True))
    starts = [edit.start for edit, _, _ in edits]
    for unit, t in wanted.items():
        for start, end in units.spans(original, unit):  # type: ignore[arg-type]
            counted: dict[str, int] = {}
            edited = False
            for edit, said, (a, b) in edits[bisect_left(starts, start) : bisect_left(starts, end)]:
                if not edit.hides:
                    continue
                method = METHODS.find(edit.how)
                told = walk.noun_of(edit.kind) if method and method.leaves != "value" else ""
                edited |= bool(edit.concept or told)
                listed = concepts.get((unit, a, b), [])
                fits = [c for c in listed if c == told or walk.is_below(said, edit.kind, c)]
                if fits:
                    counted.setdefault(f"{edit.kind} {normal_form(said)}", walk.count(fits[0]))
                elif listed and a < b:
                    return f"the original at {where(text, a)} is none of what its words stand for"
            if edited and _product(counted.values()) < min(t, MANY):
                return f"the {unit} at {where(original, start)} of the original is not covered"
    return ""


class Walk:
    """Counts leaves by visiting them."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._counts: dict[str, int] = {}
        self._nouns: dict[str, str] = {}

    def count(self, concept: str) -> int:
        """How many leaves lie below a concept; 1 for a leaf."""
        if concept not in self._counts:
            self._counts[concept] = self._count(concept)
        return self._counts[concept]

    def _count(self, concept: str) -> int:
        taxonomy, _, key = concept.partition(":")
        if taxonomy == "ranges":
            low, high = _range(key)
            return high - low + 1
        if taxonomy == named.NAME:
            return self._count_names(key)
        return len(self._leaves(Sense(taxonomy, int(key), "")))

    def _leaves(self, top: Sense) -> set[int]:
        seen, leaves, waiting = {top.key}, set(), [top]
        while waiting:
            sense = waiting.pop()
            below = self._chain.children(sense)
            if not below:
                leaves.add(sense.key)
            for child in below:
                if child.key not in seen:
                    seen.add(child.key)
                    waiting.append(child)
        return leaves

    def _count_names(self, key: str) -> int:
        """WordNet's leaves, and the names whose kind lies below; for a phrase, names whose kind ends so."""
        number, slash, dropped = key.partition("/")
        if not slash:
            return self._leaves_and_names(int(number))
        kind = self._named.kinds()[int(number)]
        phrase = normal_form(" ".join(kind.phrase.split()[int(dropped) :]))
        return min(self._names_of[phrase], self._leaves_and_names(kind.synset))

    def _leaves_and_names(self, synset: int) -> int:
        leaves = self._leaves(Sense(wordnet.NAME, synset, ""))
        return len(leaves) + self._names_below[synset]

    # Tens of thousands of kinds are gone through once, however many concepts a claim has.

    @cached_property
    def _names_of(self) -> Counter[str]:
        """How many names have a kind that ends so, by phrase."""
        found: Counter[str] = Counter()
        for kind in self._named.kinds():
            found.update(dict.fromkeys(named.tails(kind.phrase), kind.names))
        return found

    @cached_property
    def _names_below(self) -> Counter[int]:
        """How many names have a kind that lies below, by WordNet's concept."""
        alone: Counter[int] = Counter()
        for kind in self._named.kinds():
            alone[kind.synset] += kind.names
        found: Counter[int] = Counter()
        for synset, names in alone.items():
            found.update(dict.fromkeys(_path(wordnet.default(), synset), names))
        return found

    @property
    def _named(self) -> named.Named:
        table = self._chain[named.NAME]
        assert isinstance(table, named.Named)
        return table

    def is_named(self, words: str, concept: str) -> bool:
        """Whether words are a name of a concept."""
        said = re.sub(r"^(?:an?|the)\s+", "", words.strip(), flags=re.IGNORECASE)
        taxonomy, _, key = concept.partition(":")
        if taxonomy == "ranges":
            return _numbers(said) == _range(key)
        if taxonomy == "calendar" and int(key) < 10000:  # a month of any year
            return said.lower() == month_name[int(key) // 100].lower()
        if taxonomy == named.NAME and "/" in key:
            number, _, dropped = key.partition("/")
            phrase = " ".join(self._named.kinds()[int(number)].phrase.split()[int(dropped) :])
            return same_but_for_number(said, phrase)
        if taxonomy == places.NAME:
            return same_but_for_number(said, places.default().written(int(key)))
        asked = wordnet.NAME if taxonomy == named.NAME else taxonomy
        if asked == wordnet.NAME:
            several = pluralise(wordnet.default().word(int(key)))
            if normal_form(several) == normal_form(said):
                return True
        forms = (said, said[:1].lower() + said[1:], *singulars(said))
        return any(s.key == int(key) for f in forms for s in self._chain[asked].senses(f))

    def is_kind(self, concept: str) -> bool:
        """Whether a concept is what a kind of term is at least."""
        return bool(self.kinds_of(concept))

    def kinds_of(self, concept: str) -> list[str]:
        """The kinds of terms that are this at least."""
        return [kind for kind in KIND_NOUNS if self.noun_of(kind) == concept]

    def noun_of(self, kind: str) -> str:
        """The concept of a kind of term; none if it has none."""
        if kind not in KIND_NOUNS:
            return ""
        if kind not in self._nouns:
            senses = wordnet.default().senses(KIND_NOUNS[kind].looked_up)
            self._nouns[kind] = f"{wordnet.NAME}:{senses[0].key}"
        return self._nouns[kind]

    def is_below(self, term: str, kind: str, concept: str) -> bool:
        """Whether some sense of a term, or of what is left of it without modifiers, leads to a concept."""
        noun = self.noun_of(kind)
        taxonomy, _, key = concept.partition(":")
        if noun and taxonomy == wordnet.NAME:
            path = _path(wordnet.default(), int(noun.partition(":")[2]))
            if int(key) in path:
                return True
        if taxonomy == "ranges":
            low, high = _range(key)
            numbers = _numbers(term)
            return bool(numbers) and all(low <= n <= high for n in numbers)
        for phrase in _dates(term) if taxonomy == "calendar" else _endings(term):
            for sense in self._chain.senses(phrase):
                if concept in (sense.concept, *(s.concept for s in self._chain.climb(sense))):
                    return True
        return False


def _path(words: wordnet.WordNet, synset: int) -> list[int]:
    path = [synset]
    while (parent := words.parent(path[-1])) is not None:
        path.append(parent)
    return path


def _endings(term: str) -> Iterator[str]:
    """A phrase, and what stands before its preposition, each without its first words one by one."""
    yield term
    for head in dict.fromkeys((term, split_head(term)[0])):
        words = head.split()
        yield from (" ".join(words[at:]) for at in range(len(words)))


def _dates(term: str) -> Iterator[str]:
    """A date as it is, and its numbers in both orders of day and month."""
    yield term
    found = re.search(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})", term)
    if found:
        day, _, month, year = found.groups()
        for d, m in ((day, month), (month, day)):
            if 1 <= int(m) <= 12:
                yield f"{int(d)} {month_name[int(m)]} {year}"


def _range(key: str) -> tuple[int, int]:
    low, _, high = key.partition("..")
    return int(low), int(high)


def _numbers(text: str) -> tuple[int, ...]:
    """The numbers of a text in units of their last digit."""
    found = re.findall(r"[-−]?\d[\d,]*(?:\.\d+)?", re.sub(r"(?<=\d)[–-](?=\d)", " ", text))
    return tuple(int(re.sub(r"[,.]", "", n).replace("−", "-")) for n in found)
