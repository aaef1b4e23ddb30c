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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sfumato.document import Claim, where
from sfumato.english import units
from sfumato.english.folding import normal_form
from sfumato.english.inflection import pluralise, possible_singulars, split_head
from sfumato.know import fingerprints, sources
from sfumato.know.taxonomy import named, places, wordnet
from sfumato.know.taxonomy.chain import KIND_NOUNS, Chain
from sfumato.know.taxonomy.ladder import Sense
from sfumato.plugins import METHODS, claim
from sfumato.policy import Know
from sfumato.verify.check import Check, fails, holds, needs
from sfumato.verify.evidence import Evidence
from sfumato.verify.record import replacements

PLAUSIBLE = "t-plausible"
# Counts above this are given as this: a claim is a line in a file, not a book of digits.
MANY = 10**1000
_LABEL = re.compile(r"\[[^\[\]]*\]|[*█■_]+|")


@dataclass(frozen=True, slots=True)
class _Slot:
    """A place of the release and the concept that it stands for."""

    start: int
    end: int
    concept: str


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
    try:
        wanted = _wanted(claim.parameters)
        parts = [_claimed_unit(p) for p in claim.parameters["units"]]
    except (KeyError, TypeError, ValueError):
        return fails(PLAUSIBLE, "the claim cannot be read")
    know = evidence.policy.know if evidence.policy else Know()
    if evidence.policy is not None and wanted not in _policy_wants(evidence):
        return fails(PLAUSIBLE, "the claim is not what the policy asks for")
    if any(unit not in wanted for unit in {p.unit for p in parts}):
        return fails(PLAUSIBLE, "the claim has a unit without a t")
    text, walk = evidence.text, Walk(sources.taxonomy_for(know))
    unsure = False
    for part in parts:
        try:
            counts = [walk.count(s.concept) for s in part.slots]
        except (KeyError, ValueError, IndexError):
            return needs(PLAUSIBLE, "the taxonomies of the policy")
        texts = min(math.prod(counts), MANY)
        place = f"the {part.unit} at {where(text, min(part.start, len(text)))}"
        if texts != part.texts:
            return fails(PLAUSIBLE, f"{place} is not one of as many texts as claimed")
        if texts < min(wanted[part.unit], MANY):
            return fails(
                PLAUSIBLE,
                f"{place} is one of {_many(texts)} texts, not of {_many(wanted[part.unit])}",
            )
        for slot in part.slots:
            words = text[slot.start : slot.end]
            if walk.is_named(words, slot.concept):
                continue
            if not walk.is_kind(slot.concept):
                at = where(text, min(slot.start, len(text)))
                return fails(PLAUSIBLE, f"the words at {at} do not name their concept")
            unsure |= _LABEL.fullmatch(words) is None
    if evidence.record is not None:
        problem = _against_the_record(parts, wanted, evidence, walk)
        if problem:
            return fails(PLAUSIBLE, problem)
    elif unsure:
        return needs(PLAUSIBLE, "the ledger: invented values cannot be told from real ones")
    fewest = min((p.texts for p in parts), default=0)
    asked = ", ".join(f"t = {_many(t)} in each {u}" for u, t in wanted.items())
    return holds(
        PLAUSIBLE,
        f"{asked}; one of {_many(fewest)} at least" if parts else "nothing that a taxonomy counts",
    )


def _many(count: int) -> str:
    """A number as people read it."""
    return f"{count:,}" if count < 10**15 else f"10^{math.floor(math.log10(count))}"


def _wanted(parameters: Mapping[str, Any]) -> dict[str, int]:
    return {str(unit): int(t) for unit, t in parameters["t"].items()}


def _policy_wants(evidence: Evidence) -> list[dict[str, int]]:
    """What each of the policy's steps asks for."""
    asked = evidence.asked(PLAUSIBLE)
    return [dict(o["t"]) if isinstance(o["t"], Mapping) else {o["unit"]: o["t"]} for o in asked]


def _claimed_unit(data: Mapping[str, Any]) -> _ClaimedUnit:
    slots = tuple(_Slot(int(a), int(b), str(c)) for a, b, c in data["terms"])
    if any(not 0 <= s.start <= s.end for s in slots):
        raise ValueError("a span runs backwards")
    return _ClaimedUnit(str(data["unit"]), int(data["start"]), int(data["texts"]), slots)


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
            if edited and math.prod(counted.values()) < t:
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
        table = self._chain[named.NAME]
        assert isinstance(table, named.Named)
        if not slash:
            return self._leaves_and_names(int(number), table)
        kind = table.kinds()[int(number)]
        phrase = normal_form(" ".join(kind.phrase.split()[int(dropped) :]))
        same = sum(k.names for k in table.kinds() if phrase in named.tails(k.phrase))
        return min(same, self._leaves_and_names(kind.synset, table))

    def _leaves_and_names(self, synset: int, table: named.Named) -> int:
        words = wordnet.default()
        total = len(self._leaves(Sense(wordnet.NAME, synset, "")))
        below: dict[int, bool] = {}
        for kind in table.kinds():
            if kind.synset not in below:
                below[kind.synset] = synset in _path(words, kind.synset)
            total += kind.names if below[kind.synset] else 0
        return total

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
            table = self._chain[named.NAME]
            assert isinstance(table, named.Named)
            phrase = " ".join(table.kinds()[int(number)].phrase.split()[int(dropped) :])
            return _same(said, phrase)
        if taxonomy == places.NAME:
            return _same(said, places.default().written(int(key)))
        asked = wordnet.NAME if taxonomy == named.NAME else taxonomy
        if asked == wordnet.NAME:
            several = pluralise(wordnet.default().word(int(key)))
            if normal_form(several) == normal_form(said):
                return True
        forms = (said, said[:1].lower() + said[1:], *_singular(said))
        return any(s.key == int(key) for f in forms for s in self._chain[asked].senses(f))

    def is_kind(self, concept: str) -> bool:
        """Whether a concept is what a kind of term is at least, or the top of everything."""
        return concept in {self.noun_of(kind) for kind in KIND_NOUNS}

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


def _same(one: str, other: str) -> bool:
    """Whether two phrases are the same but for the number of the last word."""
    return bool({*_singular(one)} & {*_singular(other)})


def _singular(phrase: str) -> Iterator[str]:
    """A phrase, and what it may be the plural of, by its last word or by the one before "of" and the like."""
    form = normal_form(phrase)
    yield form
    yield from possible_singulars(form)
    head, rest = split_head(form)
    yield from (one + rest for one in possible_singulars(head))
