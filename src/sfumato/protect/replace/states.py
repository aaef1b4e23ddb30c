"""The methods `states` and `peoples`: of places, only those that are as large as a state stay, and of
details, what the people of a country or a language is called."""

from __future__ import annotations

import re

from sfumato.detect.regions import is_town
from sfumato.document import Term
from sfumato.english.states import is_state
from sfumato.know.fingerprints import places as places_known
from sfumato.know.taxonomy import places
from sfumato.know.taxonomy.places import is_people
from sfumato.plugins import Options, method
from sfumato.protect.replace.method import Method, Overview, Replacement, Unfit


class States(Options):
    """States of the United States, countries and what is larger stay, other places get a label:
    Terre Haute, Indiana -> [PLACE 1], Indiana."""


def may_stand(_: States, text: str) -> bool:
    """Whether a place is a state, a country, or larger."""
    if is_state(text):
        return True
    table = places.default()
    senses = table.senses(re.sub(r"(?i)^the\s", "", text))[:1]
    return any(table.is_country(s.key) or not table.is_within_country(s.key) for s in senses)


@method("states", options=States, may_stand=may_stand, knowledge=places_known)
def states(options: States, overview: Overview) -> Method:
    text = overview.document.text

    def replace(term: Term, original: str) -> Replacement | Unfit:
        small = is_town(text, term.start, term.end)
        if small or term.kind != "LOC" or not may_stand(options, original):
            return Unfit("it is smaller than a state")
        return Replacement(original, "kept, as large as a state", may_stay=True)

    return replace


class Peoples(Options):
    """What the people of a country or a large language is called stays, other details get a label:
    German -> German, left-handed -> [DETAIL 1]."""


@method(
    "peoples",
    options=Peoples,
    may_stand=lambda _, text: is_people(text),
    knowledge=places_known,
)
def peoples(options: Peoples, overview: Overview) -> Method:
    def replace(term: Term, original: str) -> Replacement | Unfit:
        if not is_people(original) or overview.shows_hidden(original):
            return Unfit("it is no people and no language, or somebody's name")
        return Replacement(original, "kept, as large as a country", may_stay=True)

    return replace
