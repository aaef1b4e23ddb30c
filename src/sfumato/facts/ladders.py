"""Terms and their ladders: what the search may choose from, each rung with a volume that can be recounted.

The volumes are those of the taxonomy's concepts. Where the chain counts a shortened phrase for more than its
concept has leaves, the leaves count; rungs without a concept are left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.english import dates
from sfumato.english.folding import normal_form
from sfumato.english.inflection import pluralise
from sfumato.kinds import KINDS, rule_chain
from sfumato.know.taxonomy import named
from sfumato.know.taxonomy.chain import KIND_NOUNS, Chain
from sfumato.know.taxonomy.disambiguate import disambiguate
from sfumato.know.taxonomy.ladder import Sense, Step

# Kinds whose terms are values of their own, or codes: no taxonomy says anything about them.
_WITHOUT = frozenset(
    {"PHONE", "EMAIL", "URL", "USERNAME", "CODE", "ADDRESS", "POSTCODE", "COORDINATES", "TIME"}
)
_THINGS = {"places": "places", "calendar": "days", "ranges": "values"}
# Kinds of values climb by values.
_VALUES = {"DATE": "calendar:", "AGE": "ranges:", "QUANTITY": "ranges:", "MONEY": "ranges:"}
_PART_OF_NUMBER = re.compile(r"\d[.,]?\||\|[.,]?\d")
_NEAR = 300  # characters of context on either side of a term
_WORD = re.compile(r"[^\W\d_]+")
_COUNTED_BY_THEMSELVES = frozenset({named.NAME, "ranges", "calendar"})


@dataclass(frozen=True, slots=True)
class Rung:
    """What to say, for how many things it may stand, and the concept behind it (none: as it stands)."""

    words: str
    volume: int
    concept: str = ""

    @property
    def counted(self) -> str:
        """How many things it may stand for, in words.

        >>> Rung("England", 1562, "places:1").counted, Rung("pain", 3, "wordnet:1").counted
        ('one of 1,562 places in England', 'one of 3 pains')
        """
        taxonomy = self.concept.partition(":")[0]
        things = _THINGS.get(taxonomy)
        if things and self.words != "place":
            return f"one of {self.volume:,} {things} in {self.words}"
        return f"one of {self.volume:,} {pluralise(self.words)}"


Ladder = tuple[Rung, ...]


def has_ladders(kind: str) -> bool:
    """Whether terms of a kind may be looked up at all."""
    return kind not in KINDS or not _WITHOUT & set(rule_chain(kind))


def ladder_of(chain: Chain, term: str, kind: str = "", sense: int = 0) -> Ladder:
    """The rungs of a term, the word as it stands first; one rung only where nothing is known.

    A name that no taxonomy holds has none: that it names a person, its label says as well.
    """
    kind = kind if kind in KINDS else ""
    steps = chain.ladder(term, sense, kind)
    if steps and kind in KIND_NOUNS and steps[1:2] and steps[1].term == KIND_NOUNS[kind].word:
        steps = []
    if kind == "PERSON" and " " not in term:
        steps = []  # a single name is nobody in particular
    if kind in _VALUES:  # Christmas is a date, but what it is a sort of reads badly in its place
        steps = [s for s in steps if not s.concept or s.concept.startswith(_VALUES[kind])]
    return as_ladder(chain, term, steps)


def date_ladder(chain: Chain, term: str, day_first: bool | None) -> Ladder:
    """The ladder of a date: whether 3/4 is in March or in April, the order tells."""
    date = dates.read(term, dayfirst=day_first)
    if not isinstance(date, dates.Written) or not date.month:
        return ladder_of(chain, term, "DATE")
    fields = (str(date.day or ""), dates.MONTHS[date.month - 1], str(date.year or ""))
    first, *above = ladder_of(chain, " ".join(f for f in fields if f), "DATE")
    return (Rung(term, first.volume), *above)


def as_ladder(chain: Chain, term: str, steps: Sequence[Step]) -> Ladder:
    """The rungs of some steps that have a concept, by rising volume."""
    own = f" {normal_form(term)} "
    made = [Rung(term, 1)]
    for step in steps[1:]:
        volume = min(step.volume, _leaves(chain, step.concept)) if step.concept else 0
        # "New York State" would still say New York.
        if volume > made[-1].volume and own not in f" {normal_form(step.term)} ":
            made.append(Rung(step.term.replace("_", " "), volume, step.concept))
    return tuple(made)


def ladder_at(chain: Chain, text: str, start: int, end: int, kind: str, senses: str) -> Ladder:
    """The ladder of a span of a text, in the sense that the words around it suggest, or in its first."""
    term = " ".join(text[start:end].split())
    if is_part_of_number(text, start, end):
        return (Rung(term, 1),)
    if kind == "DATE":
        return date_ladder(chain, term, dates.day_first(text))
    return ladder_of(chain, term, kind, sense_at(chain, text, start, end, kind, senses))


def is_part_of_number(text: str, start: int, end: int) -> bool:
    """Whether a span is the 180 of 1,180."""
    around = text[max(0, start - 2) : start] + "|" + text[end : end + 2]
    return _PART_OF_NUMBER.search(around) is not None


def sense_at(chain: Chain, text: str, start: int, end: int, kind: str, senses: str) -> int:
    """The number of the sense that the words around a span suggest; of the first where they are not asked."""
    if senses != "context":
        return 0
    term = " ".join(text[start:end].split())
    around = text[max(0, start - _NEAR) : start] + " " + text[end : end + _NEAR]
    return disambiguate(chain, term, _WORD.findall(around), kind if kind in KINDS else "")


def _leaves(chain: Chain, concept: str) -> int:
    taxonomy, _, key = concept.partition(":")
    if taxonomy in _COUNTED_BY_THEMSELVES:
        return 1 << 62  # its steps are counted exactly
    return chain.volume(Sense(taxonomy, int(key), ""))
