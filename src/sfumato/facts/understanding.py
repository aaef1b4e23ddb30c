"""Terms -> Facts: which terms speak of the same thing, and what its value is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from sfumato.document import Term
from sfumato.english.dates import day_first
from sfumato.english.folding import normal_form
from sfumato.facts.fact import Fact, Facts
from sfumato.facts.organisations import organisations
from sfumato.facts.persons import identities
from sfumato.facts.values import Name, Place, Value, readings
from sfumato.kinds import rule_chain
from sfumato.know.taxonomy import places

_MOST_PLACES = 8  # places of one name that are reckoned with, the most populous first


@dataclass
class _Draft:
    """A fact in the making."""

    kind: str
    readings: tuple[Value, ...]
    mentions: list[Term] = field(default_factory=list)


def understand(text: str, terms: Sequence[Term]) -> Facts:
    """The facts that the terms of a text tell.

    >>> from sfumato.document import Term
    >>> note = "Ann Lee is 56. At fifty-six, Lee left."
    >>> spans = [(0, 7, "PERSON"), (11, 13, "AGE"), (18, 27, "AGE"), (29, 32, "PERSON")]
    >>> facts = understand(note, [Term(a, b, kind, 1.0, "") for a, b, kind in spans])
    >>> [(f.kind, f.number, len(f.mentions)) for f in facts]
    [('PERSON', 1, 2), ('AGE', 1, 2)]
    """
    words = [" ".join(term.of(text).split()) for term in terms]
    order = day_first(text)
    values = [
        readings(said, term.kind, day_first=order, places=_places)
        for said, term in zip(words, terms, strict=True)
    ]
    _name_persons(terms, words, values)
    _name_organisations(terms, words, values)
    _settle_places(values)
    drafts: dict[tuple[str, Value], _Draft] = {}
    # What can be read in one way only comes first: it tells how the rest is meant.
    for at in sorted(range(len(terms)), key=lambda i: len(values[i])):
        term, family = terms[at], _family(terms[at].kind)
        known = next((v for v in values[at] if (family, v) in drafts), values[at][0])
        draft = drafts.setdefault((family, known), _Draft(term.kind, values[at]))
        draft.mentions.append(term)
    return Facts(_numbered(drafts.values()))


def _family(kind: str) -> str:
    """Kinds between which detectors waver: "Priya" is an organisation once and a person later."""
    return "NAME" if kind in ("PERSON", "ORG") else rule_chain(kind)[-2]


def _numbered(drafts: Iterable[_Draft]) -> Iterator[Fact]:
    counts: Counter[str] = Counter()
    made = []
    for draft in drafts:
        draft.mentions.sort(key=lambda term: term.start)
        kinds = Counter(term.kind for term in draft.mentions)
        draft.kind = max(kinds, key=lambda kind: (kinds[kind], kind == "PERSON"))
        made.append(draft)
    for draft in sorted(made, key=lambda d: d.mentions[0].start):
        counts[draft.kind] += 1
        yield Fact(draft.kind, counts[draft.kind], draft.readings, tuple(draft.mentions))


# Names


def _name_persons(
    terms: Sequence[Term], words: Sequence[str], values: list[tuple[Value, ...]]
) -> None:
    """All forms of a person's name have one value; so has what was taken for an organisation elsewhere."""
    persons = identities(w for w, term in zip(words, terms, strict=True) if term.kind == "PERSON")
    for at, (said, term) in enumerate(zip(words, terms, strict=True)):
        if term.kind in ("PERSON", "ORG") and (name := persons.get(normal_form(said))):
            values[at] = (Name(name),)


def _name_organisations(
    terms: Sequence[Term], words: Sequence[str], values: list[tuple[Value, ...]]
) -> None:
    found = organisations(w for w, term in zip(words, terms, strict=True) if term.kind == "ORG")
    persons = {v[0] for v, term in zip(values, terms, strict=True) if term.kind == "PERSON"}
    for at, (said, term) in enumerate(zip(words, terms, strict=True)):
        if term.kind == "ORG" and values[at][0] not in persons:
            values[at] = (Name(found[normal_form(said)]),)


# Places


@cache
def _known_places(words: str) -> tuple[Place, ...]:
    table = places.default()
    found = (sense.key for sense in table.senses(words)[:_MOST_PLACES])
    return tuple(Place(node, tuple(table.above(node)[1:])) for node in found)


def _places(words: str) -> Iterator[Place]:
    return iter(_known_places(words))


def _settle_places(values: list[tuple[Value, ...]]) -> None:
    """Of several places of one name, the one that lies in another place of the text, or holds one, is
    meant: Portland where Oregon is told."""
    told = {
        v.node for all_of in values for v in all_of if isinstance(v, Place) and len(all_of) == 1
    }
    told |= {all_of[0].node for all_of in values if isinstance(all_of[0], Place)}
    for at, all_of in enumerate(values):
        if len(all_of) > 1 and isinstance(all_of[0], Place):
            own = {p.node for p in all_of if isinstance(p, Place)}
            around = told - own
            values[at] = tuple(sorted(all_of, key=lambda p: -_ties(p, around)))


def _ties(place: Value, told: set[int]) -> int:
    assert isinstance(place, Place)
    return len(told.intersection(place.within))
