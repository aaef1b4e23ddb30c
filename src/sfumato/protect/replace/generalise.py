"""The method `generalise`: a more general word from the taxonomies."""

from __future__ import annotations

from functools import cache

from pydantic import Field

from sfumato.document import Term
from sfumato.facts.ladders import Ladder, as_ladder, has_ladders, ladder_at
from sfumato.facts.understanding import understand
from sfumato.facts.values import Place
from sfumato.know import sources
from sfumato.know.fingerprints import senses, taxonomy, together
from sfumato.know.taxonomy import places
from sfumato.know.taxonomy.chain import Chain
from sfumato.know.taxonomy.ladder import Sense
from sfumato.plugins import Options, method
from sfumato.protect.replace.method import Method, Overview, Replacement, Unfit, others


class Generalise(Options):
    """A more general word, from the taxonomies: Boston -> Massachusetts. A label where none is known."""

    least: int = Field(
        2,
        ge=2,
        description="How many things the word may stand for, at least: the first rung of the term's ladder "
        "with so many is taken.",
    )


@method("generalise", options=Generalise, gives="word", knowledge=together(taxonomy, senses))
def generalise(options: Generalise, overview: Overview) -> Method:
    text = overview.document.text

    @cache
    def chain() -> Chain:
        return sources.taxonomy_for(overview.run.policy.know)

    @cache
    def places_of_several_names() -> dict[tuple[int, int], int]:
        """By mention: "Roma" is a town of Lesotho, but not where Rome is told."""
        return {
            (m.start, m.end): fact.value.node
            for fact in understand(text, [t for t in overview.terms if t.kind == "LOC"])
            if isinstance(fact.value, Place) and len({m.of(text) for m in fact.mentions}) > 1
            for m in fact.mentions
        }

    def replace(term: Term, original: str) -> Replacement | Unfit:
        """The first rung that stands for enough things and tells nothing that is hidden elsewhere."""
        ladder: Ladder = ()
        if node := places_of_several_names().get((term.start, term.end)):
            sense = Sense(places.NAME, node, places.default().written(node))
            words = " ".join(original.split())
            ladder = as_ladder(chain(), words, chain()[places.NAME].climb(sense))
        elif has_ladders(term.kind):
            ladder = ladder_at(chain(), text, term.start, term.end, term.kind, "context")
        rungs = [
            r for r in ladder if r.volume >= options.least and not overview.shows_hidden(r.words)
        ]
        if not rungs:
            return Unfit("nothing more general is known")
        rung, *more = rungs
        coarser = others(rung.words, (r.words for r in more))
        return Replacement(rung.words, rung.counted, coarser, rung.concept)

    return replace
