"""What WordNet calls the kind of thing that a definition gives: for `build_named_things.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sfumato.english.wordlists import words
from sfumato.know.taxonomy.wordnet import WordNet

_CHURCHES = words(
    "baptist christian congregational congregationalist evangelical lutheran methodist presbyterian"
    " protestant reformed unitarian universalist"
)
# Last words whose sense in a definition of a named thing is not WordNet's first one: what to look up
# instead, with the number of the sense where that is not the first either.
SENSES: Mapping[str, str] = {
    **dict.fromkeys((f"{church} minister" for church in _CHURCHES), "minister#1"),
    "band": "musical organization",
    "box set": "album",
    "carrier": "company",
    "church": "church building",
    "club": "club#2",
    "competition": "contest",
    "competitor": "contestant",
    "crater": "natural depression",
    "defender": "athlete",
    "development committee": "village",
    "ep": "album",
    "episode": "episode#3",
    "football player": "athlete",
    "footballer": "athlete",
    "fossil": "fossil#2",
    "guide": "leader",
    "journal": "journal#2",
    "light rail": "railway",
    "locality": "district",
    "lp": "album",
    "manuscript": "manuscript#2",
    "midfielder": "athlete",
    "minister": "minister#2",
    "peak": "mountain peak",
    "programme": "broadcast",
    "program": "broadcast",
    "record label": "company",
    "radio programme": "broadcast",
    "reserve": "reservation",
    "route": "road",
    "runner": "athlete",
    "sea snail": "snail",
    "settlement": "village",
    "single": "song",
    "subsidiary": "subsidiary company",
    "table tennis player": "athlete",
    "television drama": "serial",
    "television series": "serial",
    "tv series": "serial",
    "track": "song",
    "unit": "unit#3",
    "video": "recording",
    "ward": "district",
}


class Concept(NamedTuple):
    """A kind phrase, its last words that WordNet has, and their synset."""

    words: tuple[str, ...]
    synset: int


def concept_of(words: Sequence[str], known: WordNet, person: bool = False) -> Concept | None:
    """The kind phrase and WordNet's concept for its last words: the longest that names a sort of thing.

    Where the thing is known to be a person, only a sense that is one will do.
    """
    for at in range(len(words)):
        for form in _forms(" ".join(words[at:])):
            form, _, number = form.partition("#")
            capital = form[:1].isupper()
            found = [
                s for s in known.senses(form) if not s.named and s.term[:1].isupper() == capital
            ]
            if not found and form != form.lower():
                found = [s for s in known.senses(form.lower()) if not s.named and s.term.islower()]
            if found and number:
                found = found[int(number) - 1 :]
            # A word with a capital is a name or a nation, unless it is what people are called.
            found = [
                s for s in found if _is_person(s.key, known) or not (person or s.term[:1].isupper())
            ]
            if found:
                return Concept(tuple(words), found[0].key)
    return None


def _is_person(synset: int, known: WordNet) -> bool:
    """Whether a synset is a sort of person."""
    return any(step.term == "person" for step in known.above(synset))


def _forms(phrase: str) -> list[str]:
    """A phrase and what WordNet may call it: "cricket player" is a cricketer."""
    *modifiers, head = phrase.split()
    low = phrase.lower()
    for form in (low, low.removesuffix("s")):
        if form in SENSES:
            return [SENSES[form]]
    if head.lower() in ("player", "players") and len(modifiers) == 1:
        game = modifiers[0].lower()
        return [phrase, game + "er", game + "r", game + game[-1] + "er"]
    return [phrase]
