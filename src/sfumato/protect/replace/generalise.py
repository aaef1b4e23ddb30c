"""The method `generalise`: a more general word from the taxonomies."""

from __future__ import annotations

from functools import cached_property

from pydantic import Field

from sfumato.detect.regions import is_town
from sfumato.document import Term
from sfumato.english.folding import unaccented
from sfumato.english.spoken import in_digits
from sfumato.english.states import STATES
from sfumato.facts.fact import Fact
from sfumato.facts.ladders import Ladder, Rung, as_ladder, date_ladder, has_ladders, ladder_at
from sfumato.facts.values import Name, Place
from sfumato.facts.whereabouts import Whereabouts, holds_all
from sfumato.know import sources
from sfumato.know.fingerprints import senses, taxonomy, together
from sfumato.know.taxonomy import places
from sfumato.know.taxonomy.chain import Chain
from sfumato.know.taxonomy.ladder import Sense
from sfumato.know.taxonomy.places import is_land, is_region
from sfumato.plugins import Options, method
from sfumato.protect.replace.method import Method, Overview, Replacement, Unfit, others

_STATES = {*STATES.values()} - {"Washington", "New York", "District of Columbia"}  # towns, too


class Generalise(Options):
    """A more general word, from the taxonomies: Chicago -> Illinois. A label where none is known."""

    least: int = Field(
        2,
        ge=2,
        description="How many things the word may stand for, at least: the first rung of the term's ladder "
        "with so many is taken.",
    )
    keep_large: bool = Field(
        False,
        description="Whether countries stay, what is larger, and regions of at least `least` places: a town "
        "would become one of them.",
    )


def may_stand(options: Generalise, text: str) -> bool:
    """Whether a place is a country, larger, or a region with places enough, and these stay."""
    is_large = is_land(text) or is_region(text, options.least) or text in _STATES
    return options.keep_large and is_large


@method(
    "generalise",
    options=Generalise,
    gives="word",
    may_stand=may_stand,
    knowledge=together(taxonomy, senses),
)
def generalise(options: Generalise, overview: Overview) -> Method:
    ladders = _Ladders(overview)

    def fits(rung: Rung) -> bool:
        return rung.volume >= options.least and not overview.shows_hidden(rung.words)

    def replace(term: Term, original: str) -> Replacement | Unfit:
        """The first rung that stands for enough things and tells nothing that is hidden elsewhere: that of
        the fact, as the mention's own ladder says it."""
        is_small = term.kind == "LOC" and is_town(overview.document.text, term.start, term.end)
        if term.kind == "LOC" and not is_small and may_stand(options, original):
            return Replacement(original, "kept, as large as a region", may_stay=True)
        fact = overview.fact(term)
        rungs = [r for r in (ladders.of_fact(fact) if fact else ladders.of_term(term)) if fits(r)]
        if term.kind == "LOC":
            rungs = [r for r in rungs if fact and ladders.surely_around(r, fact)]
        elif rungs and fact and len(fact.mentions) > 1:
            own = {rung.concept: rung for rung in ladders.of_term(term) if fits(rung)}
            rungs = [own.get(rung.concept, rung) for rung in rungs]
        if not rungs:
            return Unfit("nothing more general is known")
        rung, *more = rungs
        coarser = others(rung.words, (r.words for r in more))
        return Replacement(rung.words, rung.counted, coarser, rung.concept)

    return replace


class _Ladders:
    """The ladders of what a document tells."""

    def __init__(self, overview: Overview) -> None:
        self._overview, self._text = overview, overview.document.text
        self._known: dict[int, Ladder] = {}  # by where the fact is told first

    @cached_property
    def _chain(self) -> Chain:
        return sources.taxonomy_for(self._overview.run.policy.know)

    @cached_property
    def _whereabouts(self) -> Whereabouts:
        return Whereabouts(self._text, (fact for facts in self._overview.facts for fact in facts))

    def surely_around(self, rung: Rung, fact: Fact) -> bool:
        """Whether a rung surely holds a place, wherever that is told; and is no country where countries are
        hidden, nor what is told behind the place, or lies around that: "Leeds, England" is no "England,
        England"."""
        where = self._whereabouts
        if not (
            holds_all(rung.concept, where.meant(fact))
            and where.is_sure(fact)
            and where.is_told_plainly(fact)
        ):
            return False
        land = int(rung.concept.partition(":")[2])
        if where.tells_country and places.default().is_country(land):
            return False
        return not any(land in places.default().above(n) for n in where.told_behind(fact))

    def of_term(self, term: Term) -> Ladder:
        """The ladder of a mention by its own words; of a date in the order of its fact."""
        if not has_ladders(term.kind):
            return ()
        if term.kind == "DATE":
            words = in_digits(unaccented(" ".join(term.of(self._text).split())))
            return date_ladder(self._chain, words, self._overview.day_first_in(term))
        return ladder_at(self._chain, self._text, term.start, term.end, term.kind, "context")

    def of_fact(self, fact: Fact) -> Ladder:
        if (first := fact.mentions[0].start) not in self._known:
            self._known[first] = self._climbed(fact)
        return self._known[first]

    def _climbed(self, fact: Fact) -> Ladder:
        """Of a place by what it may well be, of anything else by its fullest mention."""
        text, named = self._text, isinstance(fact.value, Name)
        fullest = (m for m in fact.mentions if named and m.of(text) == self._overview.name(m))
        lead = next(fullest, fact.mentions[0])
        if isinstance(fact.value, Place):
            node = next(iter(self._whereabouts.meant(fact)), fact.value.node)
            sense = Sense(places.NAME, node, places.default().written(node))
            words = " ".join(lead.of(text).split())
            return as_ladder(self._chain, words, self._chain[places.NAME].climb(sense))
        return self.of_term(lead)
