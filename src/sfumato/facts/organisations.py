"""Which names mean one organisation: acronyms and short forms."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from sfumato.english.folding import folded_words, normal_form
from sfumato.english.wordlists import ORG_WORDS, word_set

LEGAL = word_set(
    "ltd limited inc llc llp plc gmbh co corp corporation company group holdings sa se ag nv the"
)
_PASSED_OVER = word_set("of for and the in on at to de la du des")


def organisations(mentions: Iterable[str]) -> dict[str, str]:
    """The organisation behind each mention: normal form -> normal form of the fullest mention.

    >>> found = organisations(["European Court of Human Rights", "ECHR", "Acme Holdings Ltd", "Acme"])
    >>> found["echr"], found["acme"]
    ('european court of human rights', 'acme holdings ltd')
    """
    said = {normal_form(m): m for m in mentions}
    full: dict[str, set[str]] = defaultdict(set)  # a short form -> the names that it may stand for
    for name in said:
        for short in short_forms(name):
            if short != name:
                full[short].add(name)
    found = {}
    for name, written in said.items():
        letters = name.replace(".", "").replace(" ", "")
        meant = full.get(name) or (full.get(letters) if written.isupper() else None) or set()
        found[name] = next(iter(meant)) if len(meant) == 1 else name
    return {name: found.get(meant, meant) for name, meant in found.items()}


def short_forms(name: str) -> set[str]:
    """What an organisation's name is shortened to: its initials, and its words without those that only say
    what sort of organisation it is.

    >>> sorted(short_forms("royal mersey clinic ltd"))
    ['mersey', 'rmc', 'rmcl', 'royal mersey clinic']
    """
    words = folded_words(name)
    if all(len(word) == 1 for word in words):
        return set()  # it is an acronym itself
    telling = [w for w in words if w not in LEGAL]
    made = {" ".join(telling)} if telling else set()
    core = [w for w in telling if w not in ORG_WORDS]
    if len(core) == 1 and len(core[0]) > 3:
        made.add(core[0])
    for run in (words, telling):
        initials = [w[0] for w in run if w not in _PASSED_OVER]
        if len(initials) > 1:
            made |= {"".join(initials), "".join(w[0] for w in run)}
    return made
