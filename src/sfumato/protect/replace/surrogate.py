"""The method `surrogate`: an invented value of the same kind and shape."""

from __future__ import annotations

from functools import cache

from pydantic import Field

from sfumato.document import Term
from sfumato.english.folding import folded_words
from sfumato.kinds import KINDS
from sfumato.know.fingerprints import places as places_known
from sfumato.know.taxonomy.places import is_land
from sfumato.plugins import Options, method
from sfumato.protect.replace.callings import callings
from sfumato.protect.replace.inventor import Inventor
from sfumato.protect.replace.method import Method, Overview, Replacement, Unfit, may_be_date
from sfumato.protect.replace.pools import pools
from sfumato.protect.replace.shift import Shift, shift


class Surrogate(Options):
    """An invented value of the same kind and shape, the same one in the whole corpus."""

    locale: str = Field("en_US", description="Where invented names come from (Faker's locales).")
    keep_countries: bool = Field(
        False,
        description="Whether countries stay, and what is larger: another one would be untrue.",
    )


def may_stand(options: Surrogate, text: str) -> bool:
    """Whether a place is a country, or larger, and these stay."""
    return options.keep_countries and is_land(text)


@method(
    "surrogate",
    options=Surrogate,
    gives="invented",
    leaves="identity",
    may_stand=may_stand,
    knowledge=places_known,
)
def surrogate(options: Surrogate, overview: Overview) -> Method:
    why = "replaced by an invented value"
    text, run = overview.document.text, overview.run

    @cache
    def inventor() -> Inventor:
        return Inventor(
            run.key,
            run.vault,
            options.locale,
            text=text,
            persons=overview.persons,
            told=callings(text, overview.person_mentions, pools(options.locale).knows),
            tells=overview.tells_name,
        )

    moved = shift(Shift(per="corpus"), overview)  # an invented date keeps its distance to others

    def replace(term: Term, original: str) -> Replacement | Unfit:
        if term.kind in KINDS and may_be_date(term.kind):
            made = moved(term, original)
            return Replacement(made.text, why) if isinstance(made, Replacement) else made
        if term.kind == "LOC" and may_stand(options, original):
            return Replacement(original, "kept, as it is a country", may_stay=True)
        invented = inventor().value(term.kind, original, overview.name(term))
        if invented is None:
            return Unfit("no invented value fits")
        # An invented name that another document brought up may be a real one here.
        words = " ".join(set(folded_words(invented)) - set(folded_words(original)))
        if overview.shows_hidden(invented) or overview.tells_name(words):
            return Unfit("its invented value stands in the document")
        return Replacement(invented, why)

    return replace
