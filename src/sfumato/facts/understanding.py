"""Terms -> Facts: which terms speak of the same thing, and what its value is."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby, takewhile

from sfumato.document import Document, Term
from sfumato.english.dates import day_first
from sfumato.english.folding import normal_form, unaccented
from sfumato.english.nicknames import gender, is_given
from sfumato.english.short_names import places_for_short
from sfumato.facts import phones
from sfumato.facts.acronyms import initials_behind
from sfumato.facts.ages import order_by_ages
from sfumato.facts.also import joined
from sfumato.facts.beside import company, is_titled
from sfumato.facts.compounds import spellings
from sfumato.facts.fact import Fact, Facts
from sfumato.facts.identities import identities
from sfumato.facts.mentions import called_for_short, letters_for_short, parts_of_place
from sfumato.facts.names import initials_of, name_readings
from sfumato.facts.namesakes import AT_A_PLACE, as_meant
from sfumato.facts.organisations import (
    abbreviates,
    acronyms_of,
    defined,
    is_acronym,
    is_part_of,
    letters_of,
    organisations,
    own_words,
    short_forms,
)
from sfumato.facts.persons import Owners, core, word_key
from sfumato.facts.values import Name, Place, Value, address_key, number_key, readings
from sfumato.kinds import rule_chain
from sfumato.know.taxonomy import places

_WAVERING = {
    "PERSON": "name",
    "ORG": "name",
    "USERNAME": "handle",
    "CODE": "handle",
    "AGE": "number",
    "QUANTITY": "number",
}
_TAKEN_FOR_ACRONYMS = frozenset({"MISC", "PERSON", "LOC", "CODE"})
_TAKEN_FOR_USERS = frozenset({"PERSON", "ORG", "MISC", "CODE"})
_TAKEN_FOR_CODES = {"PHONE": phones.key, "URL": address_key, "EMAIL": address_key}
_SURER = frozenset({"USERNAME", "AGE"})  # than the others of their family, however many these are
_RECORDS = frozenset({"csv", "tsv", "jsonl"})  # formats of records; so are all tables
_BEFORE = 40  # characters before a name that say that it is a place's
_MOST_PLACES = 8  # places of one name that are reckoned with, the most populous first
_KNOWN = 10  # where Canada is told, London is not the one in Ontario: the other is so many times as large


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
    return _understood(text, tuple(terms))


@lru_cache(maxsize=4)  # the steps of a run ask one after the other
def _understood(text: str, terms: Sequence[Term]) -> Facts:
    words = [" ".join(_said(term, text).split()) for term in terms]
    terms = _codes_as_such(_acronyms_as_such(text, terms, words), words)
    terms = as_meant(text, terms, words, lambda name: bool(_known_places(name)))
    order = day_first(text)
    said = [(w, term.kind) for w, term in zip(words, terms, strict=True)]
    read = {(w, k): readings(w, k, day_first=order, places=_places) for w, k in dict.fromkeys(said)}
    values = [read[each] for each in said]
    if order is None:
        values = order_by_ages(values)
    _name_persons(text, terms, words, values)
    _name_organisations(text, terms, words, values)
    _join_numbers(terms, values)
    _settle_places(words, values)
    _name_for_short(terms, words, values)
    drafts: dict[tuple[str, Value], _Draft] = {}
    # What can be read in one way only comes first: it tells how the rest is meant.
    for at in sorted(range(len(terms)), key=lambda i: len(values[i])):
        term, family = terms[at], _family(terms[at].kind)
        known = next((v for v in values[at] if (family, v) in drafts), values[at][0])
        draft = drafts.setdefault((family, known), _Draft(term.kind, values[at]))
        draft.mentions.append(term)
    return Facts(_numbered(list(drafts.values()), text))


def understand_records(document: Document, terms: Sequence[Term]) -> Iterator[Facts]:
    """The facts of each record: of a row, of a line; of all other documents, all. Over the whole file they
    would say which rows speak of one person."""
    for first, end, group in _by_record(terms, document):
        if not first:
            yield understand(document.text[:end], group)
            continue
        moved = [replace(t, start=t.start - first, end=t.end - first) for t in group]
        back = {(t.start - first, t.end - first): t for t in group}
        facts = understand(document.text[first:end], moved)
        yield Facts(
            replace(f, mentions=tuple(back[t.start, t.end] for t in f.mentions)) for f in facts
        )


def _said(term: Term, text: str) -> str:
    """The words of a term; what is left of a written line end or tab before a name is none of them."""
    words = term.of(text)
    is_code = (
        text[term.start - 1 : term.start] == "\\" and words[0] in "ntr" and words[1:2].isupper()
    )
    return words[1:] if is_code else words


def alike(document: Document, terms: Sequence[Term]) -> list[Term]:
    """The terms, those that tell one fact all of its kind and for one reason: every mention is treated alike.

    >>> said = Document("Priya asked; Priya left.")
    >>> found = [Term(0, 5, "PERSON", 1.0, ""), Term(13, 18, "ORG", 1.0, "")]
    >>> [term.kind for term in alike(said, found)]
    ['PERSON', 'PERSON']
    """
    made = {(t.start, t.end): t for t in terms}
    for facts in understand_records(document, terms):
        for fact in facts:
            own = [made[t.start, t.end] for t in fact.mentions]
            surest = max(own, key=lambda t: (t.kind == fact.kind, t.score))
            for t in own if len(own) > 1 or surest.kind != fact.kind else ():
                made[t.start, t.end] = replace(t, kind=fact.kind, reason=surest.reason)
    return list(made.values())


def _by_record(
    terms: Sequence[Term], document: Document
) -> Iterator[tuple[int, int, Sequence[Term]]]:
    """The terms of each record, and where the text begins and ends that holds them."""
    origin = document.origin
    if origin.format not in _RECORDS and not origin.format.startswith("table/"):
        yield from ([(0, len(document.text), terms)] if terms else ())
        return

    def part(term: Term) -> int:
        return bisect_right(origin.parts, term.start, key=lambda part: part.start) - 1

    def record(term: Term) -> str:
        return origin.parts[part(term)].place.partition(",")[0] if part(term) >= 0 else ""

    for _, of_record in groupby(terms, key=record):
        group = list(of_record)
        first, last = group[0], max(group, key=lambda t: t.end)
        start = origin.parts[part(first)].start if part(first) >= 0 else first.start
        end = origin.parts[part(last)].end if part(last) >= 0 else last.end
        yield min(start, first.start), max(end, last.end), group


def _family(kind: str) -> str:
    """Kinds between which detectors waver: "Priya" is an organisation once and a person later."""
    family = rule_chain(kind)[-2]
    return _WAVERING.get(family, family)


def _numbered(drafts: list[_Draft], text: str) -> Iterator[Fact]:
    counts: Counter[str] = Counter()
    for draft in drafts:
        draft.mentions.sort(key=lambda term: term.start)
        kinds = Counter(term.kind for term in draft.mentions)
        draft.kind = max(kinds, key=lambda k: (k in _SURER, kinds[k], k == "PERSON"))
    drafts.sort(key=lambda draft: draft.mentions[0].start)
    numbers: list[int] = []
    for draft in drafts:
        counts[draft.kind] += 1
        numbers.append(counts[draft.kind])
    whose = _belongings(drafts, text)
    persons = {d.readings[0]: n for d, n in zip(drafts, numbers, strict=True) if d.kind == "PERSON"}
    for draft, number in zip(drafts, numbers, strict=True):
        belongs_to = persons.get(whose[id(draft)], 0) if id(draft) in whose else 0
        yield Fact(draft.kind, number, draft.readings, tuple(draft.mentions), belongs_to)


# Names


def _name_persons(
    text: str, terms: Sequence[Term], words: Sequence[str], values: list[tuple[Value, ...]]
) -> None:
    """All forms of a person's name have one value; so has what was taken for an organisation elsewhere, and
    what holds the name inside a longer word or in a code."""
    around = company(text, terms, words)
    mentions = {
        said: w
        for said, w, term in zip(around.said, words, terms, strict=True)
        if term.kind == "PERSON"
    }
    persons = identities(mentions, around.apart, around.genders, around.aliases, around.families)
    persons = joined(persons, around.same, around.apart)
    whose = {w: persons[normal_form(said)] for said, w in mentions.items()}
    known = {name: core(name) for name in dict.fromkeys(persons.values())}
    full = {name: known[name] for w, name in whose.items() if " " in w}
    alone = {name: known[name] for w, name in whose.items() if w.istitle()}
    owners, plain = Owners(full or alone), {word for name in full.values() for word in name}
    plain |= {word for pair in around.apart for name in pair for word in core(name)}
    for at, (said, term) in enumerate(zip(around.said, terms, strict=True)):
        if term.kind in ("PERSON", "ORG") and (name := persons.get(normal_form(said))):
            if name not in full and " " not in said and word_key(said) not in plain:
                name = next(filter(None, map(owners.of, spellings(said))), name)
            values[at] = (Name(name),)


def _belongings(drafts: Iterable[_Draft], text: str) -> dict[int, Value]:
    """Of user names and addresses (by `id`) the value of the person whose they are."""
    drafts = list(drafts)
    persons = {
        value.words: core(value.words)
        for draft in drafts
        if draft.kind == "PERSON" and isinstance(value := draft.readings[0], Name)
    }
    owners = Owners(persons)
    found: dict[int, Value] = {}
    for draft in drafts:
        if draft.kind in ("USERNAME", "EMAIL") and persons:
            local = draft.mentions[0].of(text).removeprefix("@").partition("@")[0]
            if whose := owners.of(unaccented(local)):
                found[id(draft)] = Name(whose)
    return found


def _name_organisations(
    text: str, terms: Sequence[Term], words: Sequence[str], values: list[tuple[Value, ...]]
) -> None:
    """All forms of an organisation's name have one value."""
    said = [normal_form(w) for w in words]
    pairs = [
        (said[one], said[other])
        for one, other in defined(text, terms)
        if terms[one].kind == terms[other].kind == "ORG"
    ]
    named = (w for w, term in zip(words, terms, strict=True) if term.kind == "ORG")
    found = organisations(named, pairs)
    persons = {v[0] for v, term in zip(values, terms, strict=True) if term.kind == "PERSON"}
    for at, term in enumerate(terms):
        if term.kind == "ORG" and values[at][0] not in persons:
            values[at] = (Name(found[said[at]]),)


def _acronyms_as_such(text: str, terms: Sequence[Term], words: Sequence[str]) -> list[Term]:
    """The terms, those organisations whose acronyms, or other names in brackets behind theirs, were taken for
    something else, and those persons whose initials were: K. P. Menon is "KP", and Mary Kent (MK) "MK"."""
    pairs = list(zip(words, terms, strict=True))
    known = {short for w, term in pairs if term.kind == "ORG" for short in acronyms_of(w)}
    named, sure = _in_brackets(text, terms, words)
    persons = [(w, term) for w, term in pairs if term.kind == "PERSON"]
    told = {initials_behind(text, term.end, w) for w, term in persons}
    initials = {
        "".join(first)
        for w, _ in persons
        if len(first := list(takewhile(lambda word: len(word) == 1, core(w)))) > 1
    }
    short_of_persons = {
        letters for w, _ in persons for r in name_readings(w)[:1] for letters in initials_of(r)
    }
    short = {
        form for w, term in pairs if term.kind == "ORG" for form in short_forms(normal_form(w))
    }
    alone = {own_words(w) for w, term in pairs if term.kind == "ORG"} - {""}
    bearers = {
        word
        for w, term in persons
        if len(core(w)) > 1 or is_titled(text, term, w)
        for word in core(w)
    }
    made = []
    for w, term in pairs:
        letters = letters_of(w) if is_acronym(w) else ""
        key = word_key(w)
        is_short = (term.kind in ("PERSON", "MISC") and " " not in w and key in short) or (
            term.kind in ("PERSON", "MISC", "LOC")
            and key in alone
            and not AT_A_PLACE.search(text, max(0, term.start - _BEFORE), term.start)
        )
        if w in told and not (term.kind == "LOC" and _is_country(w)):
            term = replace(term, kind="PERSON")
        elif (
            w in sure
            or (term.kind in _TAKEN_FOR_ACRONYMS and letters in known)
            or (term.kind in _TAKEN_FOR_ACRONYMS - {"LOC"} and w in named)
            or (is_short and key not in bearers and not (is_given(key) or gender(key)))
        ):
            term = replace(term, kind="ORG")
        elif letters not in known and (
            (term.kind in ("ORG", "MISC") and letters in initials)
            or (term.kind == "MISC" and letters in short_of_persons)
        ):
            term = replace(term, kind="PERSON")
        made.append(term)
    return made


def _in_brackets(
    text: str, terms: Sequence[Term], words: Sequence[str]
) -> tuple[set[str], set[str]]:
    """What stands in brackets behind organisations as their names; and what of it means nothing else there:
    "Technical University of Munich (TUM)", 'Harlow Stone Paving ("Harlow")'."""
    named, sure = set[str](), set[str]()
    for one, other in defined(text, terms):
        short, name = words[other], words[one]
        if terms[one].kind == "ORG" and (abbreviates(short, name) or is_part_of(short, name)):
            named.add(short)
            is_quoted = text[terms[other].start - 1] in "\"“'‘"
            if is_quoted or (is_acronym(short) and letters_of(short) in acronyms_of(name)):
                sure.add(short)
    return named, sure


def _codes_as_such(terms: Sequence[Term], words: Sequence[str]) -> list[Term]:
    """The terms, those telephone numbers and addresses that were taken for a code once, numbers of which one
    knows more for a telephone, and user names for a person; but "Anna" is Anna, whoever "@anna" is."""
    pairs = list(zip(words, terms, strict=True))
    known = {
        kind: {key(w) for w, term in pairs if term.kind == kind}
        for kind, key in _TAKEN_FOR_CODES.items()
    }
    numbers = {  # those of which one knows more
        number_key(w): term.kind
        for w, term in pairs
        if term.kind != "CODE" and "CODE" in rule_chain(term.kind)
    }
    users = {w[1:].lower() for w, term in pairs if term.kind == "USERNAME" and w.startswith("@")}
    made = []
    for w, term in pairs:
        if term.kind in _TAKEN_FOR_USERS and w.lower() in users and not w.istitle():
            term = replace(term, kind="USERNAME")
        kinds = (k for k, key in _TAKEN_FOR_CODES.items() if known[k] and key(w) in known[k])
        kind = next(kinds, "CODE") if term.kind == "CODE" else term.kind
        if kind in ("PHONE", "CODE"):
            kind = numbers.get(number_key(w), kind)
        made.append(term if kind == term.kind else replace(term, kind=kind))
    return made


def _join_numbers(terms: Sequence[Term], values: list[tuple[Value, ...]]) -> None:
    """A telephone number that is said without its area is the one that ends so."""
    told = {at: v[0] for at, v in enumerate(values) if _family(terms[at].kind) == "PHONE"}
    whole = phones.ends_of(value.words for value in told.values() if isinstance(value, Name))
    for at, value in told.items():
        if isinstance(value, Name) and value.words in whole:
            values[at] = (Name(whole[value.words]),)


# Places


@lru_cache(maxsize=1 << 13)
def _known_places(words: str) -> tuple[Place, ...]:
    table = places.default()
    senses = table.senses(words) or [s for p in places_for_short(words) for s in table.senses(p)]
    found = (sense.key for sense in senses[:_MOST_PLACES])
    return tuple(Place(node, tuple(table.above(node)[1:])) for node in found)


def _places(words: str) -> Iterator[Place]:
    return iter(_known_places(words))


def _is_country(words: str) -> bool:
    return any(places.default().is_country(place.node) for place in _known_places(words))


def _settle_places(words: Sequence[str], values: list[tuple[Value, ...]]) -> None:
    """Of several places of one name, the one that lies in another place of the text, or holds one, is
    meant: Portland where Oregon is told, Newcastle upon Tyne beside "Leeds, England"."""
    table = places.default()
    told, wide = set[int](), set[int]()  # those that are told by themselves and no country
    for said, all_of in dict.fromkeys(zip(words, values, strict=True)):
        if isinstance(place := all_of[0], Place):
            (wide if table.is_country(place.node) else told).add(place.node)
            parts = (p for part in parts_of_place(said) for p in _known_places(part))
            wide |= {p.node for p in parts if p.holds(place)}
    for at, all_of in enumerate(values):
        some = [p for p in all_of if isinstance(p, Place)]
        if len(some) > 1:
            own, many = {p.node for p in some}, table.population(some[0].node)
            ties = {
                p: sum(n in told or (n in wide and is_known) for n in p.within if n not in own)
                for p in some
                for is_known in [_KNOWN * table.population(p.node) >= many]
            }
            some.sort(key=lambda p: -ties[p])
            values[at] = tuple(some)


def _name_for_short(
    terms: Sequence[Term], words: Sequence[str], values: list[tuple[Value, ...]]
) -> None:
    """A place that is named for short is the one that the text names in full: "LA" may be Louisiana."""
    at_places = [at for at, term in enumerate(terms) if term.kind == "LOC"]
    at_short = [at for at in at_places if letters_for_short(words[at])]
    told = [(words[at], values[at][0]) for at in at_places] if at_short else []
    told += [
        (part, place)
        for said, whole in tuple(told)
        for part in parts_of_place(said)
        for place in _known_places(part)
        if place.holds(whole)
    ]
    meant: dict[str, dict[Value, None]] = {}
    for said, place in dict.fromkeys(told):
        for short in called_for_short(said) if isinstance(place, Place) else ():
            meant.setdefault(short, {})[place] = None
    for at in at_short:
        values[at] = tuple(meant.get(letters_for_short(words[at]), ())) or values[at]
