"""Other names of a person, where the text says so: "Anna Keller, also known as Minnie Braun"."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from sfumato.english.nicknames import is_given_anywhere, same_given
from sfumato.english.wordlists import TITLES
from sfumato.facts.persons import core

_LEAST, _MOST = 3, 90  # characters between two names
_LEAD = (
    r"(?:,|\s?\(|\s[–—-])?\s?(?:(?:and|but|or|who|whom|he|she|they)\s){0,4}"
    r"(?P<is>(?:(?:is|was|are|were|be|been|being|has|had|will|to)\s){0,4})"
    r"(?P<also>(?:(?:also|better|best|formerly|previously|then|now|once|more|most|commonly|usually|mostly|widely"
    r"|professionally|popularly|still|otherwise|sometimes|generally|always|simply|just|locally|affectionately)\s){0,4})"
)
_NAME = (
    r"(?:(?:real|full|legal|birth|given|stage|pen|preferred|previous|former|proper|other)\s)+names?"
)
_AS = (
    r"known(?:\s[\w'’-]+){0,6}?\s(?:as|by)(?:\sthe\s(?:nick)?name(?:\sof)?)?|nicknamed|dubbed|renamed"
    r"|go(?:es|ing)?\sby(?:\sthe\s(?:nick)?name(?:\sof)?)?|went\sby\sthe\s(?:nick)?name(?:\sof)?"
    r"|(?:using|uses|used|under)\s(?:the|an?|his|her|their)\s(?:false\s|assumed\s)?"
    r"(?:name|alias|pseudonym|pen\sname|stage\sname|nickname)(?:\sof)?"
    rf"|(?:whose\s|with\sthe\s)?{_NAME}(?:,|:|\s(?:is|was|being))?"
    r"|(?:everybody|everyone|people|friends|(?:his|her|their|my|our)\s(?:friends|family|colleagues|mates))\scalls?"
    r"|prefers\sto\sbe\scalled|(?<!\w)a\.?k\.?a\.?:?|(?<!\w)[af]/k/a|fka|alias"
)
_ALSO = re.compile(rf"(?i){_LEAD}(?:{_AS}|(?P<called>called)),?\s?[\"“”'‘]?")
_BY_WHOM = re.compile(
    r"[\"”'’]?\s(?:for short|by (?:his|her|their|all|every\w+|friends|family|most|those|some))\b"
)
# What one was called, or is now, tells a successor as well, if it is another given name.
_ONCE = re.compile(
    r"(?i),?\s?\(?(?:(?P<birth>n[ée]e?|geb\.|born|maiden name:?|married name:?)"
    r"|(?P<before>formerly|previously)|then|later|now)\s[\"“”'‘]?"
)


def is_also(text: str, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether the words between two names say that the second is a name of whom the first is told of.

    >>> said = "Anna Keller, also known as Minnie Braun, came. Anna called Tom."
    >>> [is_also(said, *spans) for spans in (((0, 11), (27, 39)), ((47, 51), (59, 62)))]
    [True, False]
    """
    between = text[one[1] : other[0]]
    if not _LEAST <= len(between) <= _MOST or text[other[1] : other[1] + 2] in ("'s", "’s"):
        return False
    names = [text[slice(*span)] for span in (one, other)]
    between = _untitled(between)
    if found := _ALSO.fullmatch(between):
        is_told = found["is"] or found["also"] or between.lstrip().startswith("(")
        return bool(is_told or _BY_WHOM.match(text, other[1])) or found["called"] is None
    return was_once(between, *names) and min(len(core(name)) for name in names) > 1


def was_once(between: str, one: str, other: str) -> bool:
    """Whether words say that somebody was called by another name once: at birth by any, later with the same
    given name or family name, or by a family name alone.

    >>> said = [(", née ", "Anna Weber"), (", née ", "Weber"), (", now ", "Anna Weber"), (", then ", "Tom")]
    >>> [was_once(between, "Anna Keller", name) for between, name in said]
    [True, True, True, False]
    """
    once, own, then = _ONCE.fullmatch(_untitled(between)), core(one), core(other)
    if once is None or not own or not then:
        return False
    if once["birth"] is not None:
        return True
    if len(then) == 1:
        is_titled = between != _untitled(between) or other.partition(" ")[0] != other
        return bool(is_titled or once["before"]) or not is_given_anywhere(then[0])
    return own[-1] == then[-1] or same_given(own[0], then[0])


def _untitled(between: str) -> str:
    """What stands between two names without the title of the second."""
    head, _, last = between.rstrip().rpartition(" ")
    return f"{head} " if last.rstrip(".").lower() in TITLES else between


def joined(
    found: Mapping[str, str], same: Sequence[tuple[str, str]], apart: Collection[tuple[str, str]]
) -> dict[str, str]:
    """The person behind each mention, where a text says that two names are one's. A name that several are
    called by, or that is of somebody who is told in full, joins nobody.

    >>> found = {name: name for name in ("anna keller", "minnie", "tom", "tom lee")} | {"tom": "tom lee"}
    >>> joined(found, [("anna keller", "minnie"), ("anna keller", "tom")], ())["minnie"]
    'anna keller'
    """
    owners: dict[str, set[str]] = {}
    for one, other in same:
        owners.setdefault(other, set()).add(found[one])
    persons = {person: person for person in found.values()}

    def person(name: str) -> str:
        own = found[name]
        while persons[own] != own:
            own = persons[own]
        return own

    for one, other in same:
        mine, theirs = sorted((person(one), person(other)), key=lambda name: -len(core(name)))
        is_own = found[other] == other and len(owners[other]) == 1
        if is_own and not {(one, other), (other, one)}.intersection(apart):
            persons[theirs] = mine
    return {name: person(name) for name in found}
