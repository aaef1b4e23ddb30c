"""The method `pseudonym`: numbered names, by order of appearance in the document."""

from __future__ import annotations

from functools import cache

from sfumato.document import Term
from sfumato.english.folding import normal_form
from sfumato.facts.persons import identities
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
    person = identities(t.of(text) for t in terms if t.kind == "PERSON")
    numbers: dict[str, dict[str, int]] = {}
    names: dict[Term, str] = {}
    for term in terms:
        thing = normal_form(term.of(text))
        thing = person.get(thing, thing) if term.kind == "PERSON" else thing
        word = _WORDS.get(term.kind, term.kind.replace("_", " ").capitalize())
        known = numbers.setdefault(word, {})
        names[term] = f"{word} {known.setdefault(thing, len(known) + 1)}"
    return names
