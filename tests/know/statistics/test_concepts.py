from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from pyroaring import BitMap

from sfumato.errors import InputError
from sfumato.know import tables
from sfumato.know.statistics import probability as statistics
from sfumato.know.statistics.concepts import TABLE, ConceptUnits, StoredUnits, write_table
from sfumato.know.statistics.index_build import build
from sfumato.know.taxonomy import chain as taxonomy
from sfumato.know.taxonomy import named, own, wordnet
from sfumato.know.taxonomy.ladder import Sense


@pytest.fixture(scope="module")
def known() -> ConceptUnits:
    return ConceptUnits(statistics.default(), taxonomy.default())


def test_what_is_stored_is_what_a_walk_finds(known: ConceptUnits) -> None:
    stored = StoredUnits(tables.FOLDER / TABLE, statistics.default().index)
    walked = ConceptUnits(statistics.default(), taxonomy.default(), stored=False)
    nouns = wordnet.default()
    narrow = [c for c in stored if c.startswith("wordnet:")]
    narrow = [c for c in narrow if nouns.hyponyms[int(c.partition(":")[2])] < 200]
    for concept in random.Random(5).sample(narrow, 12):
        sense = Sense("wordnet", int(concept.partition(":")[2]), "")
        assert stored.get(concept) == walked.below(sense) == known.below(sense)
    assert stored.get("wordnet:-1") is None


def test_a_concept_has_the_articles_of_everything_below(known: ConceptUnits) -> None:
    nouns = wordnet.default()
    path = [s.concept for s in nouns.climb(nouns.senses("melanoma")[0])[1:]]
    sizes = [len(known.units(c)) for c in path]
    assert sizes == sorted(sizes)
    named = statistics.default().known("melanoma").units
    assert named
    assert known.units(path[0]) >= named


def test_places_count_what_lies_in_them(known: ConceptUnits) -> None:
    steps = taxonomy.default().ladder("Exeter", kind="LOC")
    places = [s for s in steps if s.concept.startswith("places:")]
    assert len(known.units(places[0].concept)) > statistics.default().count("Exeter")


def test_named_things_count_as_their_concepts_and_phrases_by_their_words(
    known: ConceptUnits,
) -> None:
    table = named.Named()
    kind = next(i for i, k in enumerate(table.kinds()) if len(k.phrase.split()) == 2)
    assert known.units(f"named:{table.kinds()[kind].synset}") == known.units(
        f"wordnet:{table.kinds()[kind].synset}"
    )
    assert len(known.units(f"named:{kind}/0")) <= statistics.default().size


def test_values_are_not_counted(known: ConceptUnits) -> None:
    assert not known.units("ranges:10..19")
    assert not known.units("calendar:20040500")


def test_a_taxonomy_of_ones_own_is_walked() -> None:
    trees = own.Own("trees", own.from_indented("tree\n  oak\n    cork oak\n  birch\n"))
    known = ConceptUnits(statistics.default(), taxonomy.default().before(trees))
    top = trees.climb(trees.senses("cork oak")[0])[-1]
    counted = statistics.default()
    found = known.units(top.concept)
    for word in ("oak", "birch", "tree"):
        units = counted.known(word).units
        assert units
        assert units <= found


def test_a_table_that_cannot_be_read_says_how_to_make_it(tmp_path: Path) -> None:
    index = statistics.default().index
    with pytest.raises(InputError, match="build_concepts"):
        StoredUnits(tmp_path / "none", index).get("x")
    (tmp_path / "bad").write_bytes(b"sfumato-units-1\nof an older version")
    with pytest.raises(InputError, match="another layout"):
        StoredUnits(tmp_path / "bad", index).get("x")
    (tmp_path / "cut").write_bytes((tables.FOLDER / TABLE).read_bytes()[:100])
    with pytest.raises(InputError, match="cannot be read"):
        StoredUnits(tmp_path / "cut", index).get("x")


def test_a_table_belongs_to_one_index(tmp_path: Path) -> None:
    ours = statistics.default().index
    for name, texts in {"a": ["liver cancer"] * 6, "b": ["liver cancers"] * 7}.items():
        corpus = tmp_path / f"{name}.jsonl"
        corpus.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
        build([corpus], tmp_path / f"{name}.terms", jobs=1)
    a, b = (statistics.load(tmp_path / f"{name}.terms").index for name in "ab")
    assert len({a.identity, b.identity, ours.identity}) == 3
    write_table(tmp_path / "a.units", a, {"x:1": BitMap([0, 3])})
    assert StoredUnits(tmp_path / "a.units", a).get("x:1") == BitMap([0, 3])
    for other in (b, ours):
        with pytest.raises(
            InputError, match=r"a\.units was made for another index than \w+\.terms"
        ):
            StoredUnits(tmp_path / "a.units", other).get("x:1")
