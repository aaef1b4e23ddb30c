"""Given names: whose they are, a woman's or a man's, and their short and pet forms in English.

The list beside this file is the project's own, put together by hand. Nothing rests on its being complete: a
form that is missing is taken for another name, and a name that is missing says nothing of its bearer. A
longer list, of many lands, tells of a name only that it is one (`scripts/build_given.py`).
"""

from __future__ import annotations

import gzip
from functools import cache
from importlib import resources

from sfumato.english.wordlists import lists

_LEAST_FOND = 5  # letters of a name with an ending that makes it a fond one


def is_given(word: str) -> bool:
    """Whether a word in small letters is one of the given names listed, or a form of one."""
    return word in _forms() or word in _names()


def is_given_anywhere(word: str) -> bool:
    """Whether a word in small letters, without accents, is a given name of any land.

    >>> is_given_anywhere("leanne"), is_given_anywhere("leander"), is_given_anywhere("ladder")
    (True, True, False)
    """
    return is_given(word) or word in _genders() or word in _of_all_lands()


def is_short_for(short: str, name: str) -> bool:
    """Whether the bearers of a given name are called so; both in small letters.

    >>> is_short_for("bill", "william"), is_short_for("bill", "robert"), is_short_for("william", "bill")
    (True, False, False)
    """
    return name in names_of(short)


def names_of(short: str) -> frozenset[str]:
    """The given names of which this is a short form.

    >>> sorted(names_of("ted")), sorted(names_of("faithy"))
    (['edmund', 'edward', 'theodore'], ['faith'])
    """
    if short in _genders() or len(short) < _LEAST_FOND:
        return _names().get(short, frozenset())
    base = next((b for end in ("y", "ie") if (b := short.removesuffix(end)) in _genders()), "")
    return frozenset({base} if base else ())  # "faithy"


def same_given(one: str, other: str) -> bool:
    """Whether two given names may be those of one person: equal, or one short for the other, or both for one.

    >>> same_given("liz", "elizabeth"), same_given("liz", "betty"), same_given("liz", "bill")
    (True, True, False)
    """
    if one == other or is_short_for(one, other) or is_short_for(other, one):
        return True
    return not names_of(one).isdisjoint(names_of(other))


def formal(given: str) -> str:
    """The given name of which this is a short form, where there is one only.

    >>> formal("bill"), formal("ted")
    ('william', 'ted')
    """
    names = names_of(given)
    return next(iter(names)) if len(names) == 1 else given


@cache
def relatives(given: str) -> frozenset[str]:
    """The other given names that may be those of one who has this one, each in its `formal` form.

    >>> sorted(relatives("philip")), sorted(relatives("phil")), sorted(relatives("bill"))
    (['phil', 'pip'], ['philip', 'phillip', 'pip'], ['william'])
    """
    names = names_of(given) | {given}
    alike = names.union(*(_forms().get(name, ()) for name in names))
    return frozenset(map(formal, alike)) - {given}


def gender(given: str) -> str:
    """Whether a given name in small letters is a woman's ("f") or a man's ("m"); empty where it may be of
    either, or is not listed.

    >>> gender("anna"), gender("bill"), gender("charlie"), gender("xq")
    ('f', 'm', '', '')
    """
    found = _genders().get(given, "")
    return found if len(found) == 1 else ""


@cache
def _of_all_lands() -> frozenset[str]:
    data = (resources.files("sfumato") / "english" / "given.txt.gz").read_bytes()
    return frozenset(gzip.decompress(data).decode().split())


@cache
def _genders() -> dict[str, str]:
    made: dict[str, str] = {}
    for head, forms in lists("english/nicknames").items():
        whose, name = head.split()
        for each in (name, *forms):
            made[each] = "".join({*made.get(each, ""), *whose})
    return made


@cache
def _forms() -> dict[str, frozenset[str]]:
    return {
        head.split()[1]: frozenset(forms)
        for head, forms in lists("english/nicknames").items()
        if forms
    }


@cache
def _names() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name, forms in _forms().items():
        for form in forms:
            found.setdefault(form, set()).add(name)
    return {form: frozenset(names) for form, names in found.items()}
