"""The method `pseudonym`: numbered names, by order of appearance in the document."""

from __future__ import annotations

from functools import cache

from sfumato.document import Term
from sfumato.facts.understanding import understand
from sfumato.plugins import Options, method
from sfumato.protect.replace.method import Method, Overview, Replacement

_WORDS = {
    "PERSON": "Person",
    "ORG": "Organisation",
    "LOC": "Place",
    "ADDRESS": "Address",
    "POSTCODE": "Postcode",
    "DEM": "Group",
    "MISC": "Detail",
    "PHONE": "Phone",
    "FAX": "Fax",
    "EMAIL": "E-mail",
    "URL": "Link",
    "USERNAME": "User",
    "CODE": "Code",
}


class Pseudonym(Options):
    """A numbered name, by order of appearance in the document: `Person 1`."""


_ALONE = "numbers are given by the order in the document, which an operator does not see"


@method(
    "pseudonym",
    options=Pseudonym,
    gives="code",
    leaves="identity",
    needs_document=lambda _: _ALONE,
)
def pseudonym(options: Pseudonym, overview: Overview) -> Method:
    @cache
    def names() -> dict[Term, str]:
        return _numbered(overview)

    return lambda term, _: Replacement(names()[term], "replaced by a numbered name")


def _numbered(overview: Overview) -> dict[Term, str]:
    """The numbered name of each term."""
    text, rule = overview.document.text, overview.run.policy.rule
    terms = [t for t in overview.terms if rule(t.kind).how == "pseudonym"]
    numbers: dict[str, int] = {}
    names: dict[Term, str] = {}
    for fact in understand(text, terms):
        word = _WORDS.get(fact.kind, fact.kind.replace("_", " ").capitalize())
        numbers[word] = numbers.get(word, 0) + 1
        names |= dict.fromkeys(fact.mentions, f"{word} {numbers[word]}")
    return names
