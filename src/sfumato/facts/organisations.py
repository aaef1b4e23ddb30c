"""Which names mean one organisation: legal forms, short forms, acronyms."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import takewhile

from sfumato.document import Term
from sfumato.english.folding import normal_form, plain_lower
from sfumato.english.ordinary import is_ordinary
from sfumato.english.wordlists import LEGAL_FORMS, ORG_TYPES, ORG_WORDS, word_set
from sfumato.know.taxonomy import places

# Words that a name may go without.
LEGAL = word_set("the group holdings holding") | LEGAL_FORMS.keys()
_PASSED_OVER = word_set("of for and the in on at to de la du des")
_WORD = re.compile(r"\w+(?:'\w+)*")
_DEFINED = re.compile(r"([^()]*\S)\s*\(([^()]+)\)\s*\Z")
_BRACKETS = re.compile(r"\s?\(([^()]{1,160})\)")
# Beside other names in brackets: ("Northstar" or "the Company"), (hereinafter the "Bank"; NB).
_BESIDE = re.compile(
    r"(?:[\s,;]|[\"“”'‘’]the [A-Z]\w+[\"“”'’]|[\"“”'‘’]"
    r"|\b(?:the|or|and|hereinafter|formerly|also|together|(?:known|referred to) as|aka|called)\b)*"
)
_ACRONYM = re.compile(r"(?:[A-Z]\.?[&-]?){2,8}(?:['’]?s)?")
_HEADS = {plain_lower(head) for heads in ORG_TYPES.values() for head in heads}
_MOST_WORDS = 16  # of a name with short forms
_LEAST_ALONE = 4  # letters of the one word by which a name may be told
_CITY = 100_000  # people of a place that is rather meant
_TOWN = 20_000  # or that is, where only the sort of an organisation stands behind it


def organisations(mentions: Iterable[str], same: Iterable[tuple[str, str]] = ()) -> dict[str, str]:
    """The organisation behind each mention: normal form -> normal form of the fullest mention. `same` are
    pairs that the text says to be one: "Deutsche Bahn (DB)".

    >>> found = organisations(["European Court of Human Rights", "ECHR", "Acme Holdings Ltd", "Acme Limited"])
    >>> found["echr"], found["acme limited"]
    ('european court of human rights', 'acme holdings ltd')
    """
    said = {normal_form(m): m for m in mentions}
    read = {name: _words(name) for name in said}
    legal: dict[str, set[str]] = defaultdict(set)  # own words -> the legal forms they are told with
    for words, form in read.values():
        legal[" ".join(words)] |= {form} - {""}
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name, (words, form) in read.items():
        own = " ".join(words)
        groups[own, form if len(legal[own]) > 1 else ""].append(name)
    fullest = {group: max(names, key=lambda n: (len(n), n)) for group, names in groups.items()}
    full: dict[str, set[str]] = defaultdict(set)  # a short form -> the names that it may stand for
    for group, names in groups.items():
        for form in {form for name in names for form in short_forms(name)} - {group[0]}:
            full[form].add(fullest[group])
    whole: dict[str, str] = {}
    for group in sorted(groups, key=lambda g: (-len(g[0]), g)):
        letters = {letters_of(said[n]) for n in groups[group] if is_acronym(said[n])}
        meant = {whole.get(n, n) for form in {group[0], *letters} for n in full[form]}
        meant -= {fullest[group]}
        name = next(iter(meant)) if len(meant) == 1 else fullest[group]
        whole |= dict.fromkeys(groups[group], name)
    return _united(whole, same)


def _united(whole: dict[str, str], same: Iterable[tuple[str, str]]) -> dict[str, str]:
    """What the mentions mean, where the second of each pair means what the first does."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name, meant in whole.items():
        groups[meant].append(name)
    group_of = {name: names for names in groups.values() for name in names}
    meaning = {id(names): meant for meant, names in groups.items()}
    for one, other in same:
        kept, joined = group_of[one], group_of[other]
        meant = meaning[id(kept)]
        if kept is not joined:
            kept, joined = (kept, joined) if len(kept) >= len(joined) else (joined, kept)
            kept += joined
            group_of |= dict.fromkeys(joined, kept)
            meaning[id(kept)] = meant
    return {name: meaning[id(group_of[name])] for name in whole}


def _words(name: str) -> tuple[list[str], str]:
    """The words of a name without those around it, and its legal form."""
    if defined := _DEFINED.match(name):
        name = defined[1]
    words = _WORD.findall(plain_lower(normal_form(name)).replace("&", " and "))
    words = [w.removesuffix("'s").replace("'", "") for w in words]
    words = words[1:] if words[:1] == ["the"] and len(words) > 1 else words
    legal = ""
    while len(words) > 1 and words[-1] in LEGAL:
        legal = LEGAL_FORMS.get(words.pop(), legal)
    return words, legal


@lru_cache(maxsize=1 << 12)  # a text says a name many times, and is read more than once
def short_forms(name: str) -> frozenset[str]:
    """What an organisation's name is shortened to: its initials, and its words without those that only say
    what sort of organisation it is.

    >>> sorted(short_forms("royal mersey clinic ltd"))
    ['mersey', 'mersey clinic', 'rmc', 'rmcl', 'royal mersey']
    """
    words, legal = _words(name)
    if all(len(word) == 1 for word in words) or len(words) > _MOST_WORDS:
        return frozenset()  # it is an acronym itself, or nobody's name
    made = acronyms(words, legal)
    if defined := _DEFINED.match(name):
        alias = " ".join(_words(defined[2])[0])
        made |= {alias, letters_of(alias)}
    telling = [w for w in words if w not in ORG_WORDS]
    if len(telling) == 1 and len(telling[0]) >= _LEAST_ALONE:
        made.add(telling[0])
    made |= {first_word(name), own_words(name)} - {""}
    if telling and words[-1] in ORG_WORDS:
        made.add(" ".join([*telling, words[-1]]))  # Northfield Hospital is the community's
    first = 0
    while first < len(words) - 2 and not is_ordinary(words[first]):
        first += 1
        made.add(" ".join(words[first:]))  # the Labour Court, where that of Söke is told
    for last in range(2, len(words)):
        begun = " ".join(words[:last])  # Bright Horizons, where its Care Homes are told
        is_whole = _PASSED_OVER.isdisjoint(words[last - 1 : last + 1])  # no Court of Justice
        is_name = is_whole and not {*words[:last]}.isdisjoint(telling)
        if is_name and not places.default().senses(begun.title()):
            made.add(begun)
    return frozenset(made)


def first_word(name: str) -> str:
    """The first word of a name by which it is told alone; of most, nothing.

    >>> [first_word(name) for name in ("Brightline Broadband", "Leeds City Bank", "Friends of the Earth")]
    ['brightline', '', '']
    """
    first, second, *_ = [*_words(name)[0], "", ""]
    is_whole = second and second not in _PASSED_OVER - {"and"}
    if not is_whole or len(first) < _LEAST_ALONE or first in ORG_WORDS:
        return ""
    return first if _people(first) < _CITY else ""


@lru_cache(maxsize=1 << 12)
def own_words(name: str) -> str:
    """The words of a name before those that say of what sort the organisation is, by which it is told alone;
    of most, nothing.

    >>> names = ("Elm Tree Primary School", "Bridge Nursing Home", "Leeds Infirmary", "Medical School")
    >>> [own_words(name) for name in names]
    ['elm tree', 'bridge', '', '']
    """
    words = _words(name)[0]
    many = next((n for n in (2, 1) if " ".join(words[-n:]) in _HEADS), 0)
    own = words[: len(words) - many] if many else []
    while own and own[-1] in ORG_WORDS:
        own.pop()
    is_name = own and _PASSED_OVER.isdisjoint(own) and not all(word in ORG_WORDS for word in own)
    alone = " ".join(own)
    return alone if is_name and len(alone) >= _LEAST_ALONE and _people(alone) < _TOWN else ""


def _people(words: str) -> int:
    """How many people live in the place of a name."""
    table = places.default()
    return max((table.population(town.key) for town in table.senses(words.title())[:1]), default=0)


def acronyms(words: Sequence[str], legal: str = "") -> set[str]:
    """The initials of a name, with and without its small words and its legal form."""
    made = set()
    for run in (words, [w for w in words if w not in _PASSED_OVER]):
        if len(run) > 1:
            initials = "".join(w[0] for w in run)
            made |= {initials, initials + legal[:1]}
    return made


def without_legal_form(name: str) -> str:
    """A name as it is said without what it is by law.

    >>> [without_legal_form(name) for name in ("Hartley & Finch LLP", "Acme Holdings, Ltd.", "Acme")]
    ['Hartley & Finch', 'Acme Holdings', 'Acme']
    """
    words = name.split()
    while len(words) > 1 and words[-1].strip(".,").lower() in LEGAL_FORMS:
        words.pop()
    return " ".join(words).rstrip(",")


def acronyms_of(name: str) -> set[str]:
    """The acronyms by which a name may be told, in small letters.

    >>> sorted(acronyms_of("The Thames Valley Water Ltd"))
    ['tvw', 'tvwl']
    """
    words, legal = _words(name)
    return set() if all(len(word) == 1 for word in words) else acronyms(words, legal)


def is_acronym(said: str) -> bool:
    return _ACRONYM.fullmatch(said) is not None


def letters_of(acronym: str) -> str:
    """An acronym's letters in one case; what it may end in is none of them ("the BBC's").

    >>> letters_of("R.M.C."), letters_of("BBC’s")
    ('rmc', 'bbc')
    """
    return "".join(filter(str.isalnum, re.sub(r"['’]?s\Z", "", acronym))).lower()


def defined(text: str, terms: Sequence[Term]) -> Iterator[tuple[int, int]]:
    """Pairs of terms (by their places in the list) the second of which stands in brackets as another name of
    the first: "Deutsche Bahn (DB)", 'Northstar Logistics ("Northstar" or "NL")'."""
    for at, one in enumerate(terms):
        if not (brackets := _BRACKETS.match(text, one.end)):
            continue
        inside = list(takewhile(lambda n: terms[n].end < brackets.end(), range(at + 1, len(terms))))
        ends = [brackets.start(1), *(terms[n].end for n in inside)]
        starts = [*(terms[n].start for n in inside), brackets.end(1)]
        around = [text[a:b] for a, b in zip(ends, starts, strict=True)]
        if all(map(_BESIDE.fullmatch, around)):
            said = [one.of(text), *(terms[n].of(text) for n in inside)]
            for n, other, before in zip(inside, said[1:], around, strict=False):
                if (
                    before.strip(" ,;")
                    or abbreviates(other, said[0])
                    or _translates(said[0], other)
                ):
                    yield at, n


def abbreviates(short: str, name: str) -> bool:
    """Whether a word is an acronym, or has capitals and is spelt by letters of a name in their order; or are
    words the initials of a name, with small ones between them.

    >>> [abbreviates(short, "Svenska Dagbladet") for short in ("SvD", "SD", "SvP", "Sven", "BerliN")]
    [True, True, False, False, False]
    >>> abbreviates("U of C", "University of Calgary"), abbreviates("U of C", "University of Leeds")
    (True, False)
    """
    if is_acronym(short):
        return True
    capitals = [word.strip(".") for word in short.split() if not word.islower()]
    if len(capitals) > 1 and max(map(len, capitals)) == 1:
        return "".join(capitals).lower() in acronyms_of(name)
    letters, rest = letters_of(short), iter(plain_lower(name))
    is_short = sum(map(str.isupper, short)) > 1 and " " not in short and name[:1] == short[:1]
    return is_short and all(letter in rest for letter in letters)


def is_part_of(short: str, name: str) -> bool:
    """Whether the words of a name, in their order, are some of another's, and not ordinary ones alone.

    >>> [is_part_of(short, "Reyes & Sons Paving, LLC") for short in ("Reyes Paving", "Paving", "Reyes Ltd")]
    [True, False, True]
    """
    own, rest = _words(short)[0], iter(_words(name)[0])
    return not all(map(is_ordinary, own)) and all(word in rest for word in own)


def _translates(said: str, inside: str) -> bool:
    """Whether a name in brackets is in another language: "Supreme Court (Högsta domstolen)"."""
    own, foreign = _words(said)[0], _words(inside)[0]
    is_other = any(map(is_ordinary, own)) and not any(is_ordinary(w) for w in foreign)
    return is_other and not places.default().senses(inside)
