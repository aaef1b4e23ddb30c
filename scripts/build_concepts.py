"""Makes `concepts.units`: the articles of broad concepts, so that nobody has to walk the taxonomies for them.

    python scripts/build_concepts.py

Stored is what `sfumato.know.statistics.concepts.ConceptUnits.below` finds for every concept of WordNet and of
the places with more than `STORED_FROM` others below it, in the index that comes along. Equal inputs give
equal bytes, and the file says for which index it was made.
"""

from __future__ import annotations

import numpy as np

from sfumato.know import tables
from sfumato.know.statistics import probability as statistics
from sfumato.know.statistics.concepts import STORED_FROM, TABLE, ConceptUnits, write_table
from sfumato.know.taxonomy import chain as taxonomy
from sfumato.know.taxonomy import places, wordnet
from sfumato.know.taxonomy.ladder import Sense


def main() -> None:
    index = statistics.default()
    chain = taxonomy.default()
    known = ConceptUnits(index, chain, stored=False)
    words, lands = wordnet.default(), places.default()
    broad = [Sense(wordnet.NAME, int(n), "") for n in np.flatnonzero(words.hyponyms > STORED_FROM)]
    places_of = (Sense(places.NAME, n, "") for n in range(len(lands)))
    broad += [s for s in places_of if lands.volume(s) > STORED_FROM]
    found = {sense.concept: units for sense in broad if (units := known.below(sense))}
    path = tables.FOLDER / TABLE
    write_table(path, index.index, found)
    print(f"{path.name}: {len(found):,} concepts, {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
