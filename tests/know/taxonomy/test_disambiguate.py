"""Which sense of a noun is meant."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.know import tables
from sfumato.know.taxonomy import chain as taxonomy
from sfumato.know.taxonomy import disambiguate as module
from sfumato.know.taxonomy import own, wordnet
from sfumato.know.taxonomy.disambiguate import by_key, disambiguate
from sfumato.know.taxonomy.ladder import Sense

SHARED = Path(__file__).parents[3] / "shared" / "data" / "wsd"


@pytest.fixture(scope="module")
def nouns() -> wordnet.WordNet:
    return wordnet.default()


def climbed(nouns: wordnet.WordNet, term: str, text: str) -> list[str]:
    sense = nouns.senses(term)[disambiguate(nouns, term, text.split())]
    return [step.term for step in nouns.climb(sense)]


@pytest.mark.parametrize(
    ("term", "text", "above"),
    [
        ("marijuana", "uses marijuana for phantom limb pain", "soft drug"),
        ("marijuana", "marijuana has palmate leaves and clusters of small green flowers", "plant"),
        ("bank", "she paid the cheque into her account at the bank", "financial institution"),
        ("bank", "they pulled the canoe up on the bank of the river", "slope"),
        ("mouse", "the cat chased a mouse and other small rodents", "rodent"),
        ("virus", "the patient was infected with a virus", "microorganism"),
    ],
)
def test_the_context_decides(nouns: wordnet.WordNet, term: str, text: str, above: str) -> None:
    assert above in climbed(nouns, term, text)


def test_without_context_the_most_frequent_sense_is_taken(nouns: wordnet.WordNet) -> None:
    for term in ("bank", "eye", "state", "doctor"):
        senses = nouns.senses(term)
        chosen = senses[disambiguate(nouns, term, [])]
        assert chosen.frequency == max(s.frequency for s in senses)


def test_unknown_words_and_words_of_one_sense_have_sense_0(nouns: wordnet.WordNet) -> None:
    assert len(nouns.senses("phantom limb pain")) == 1
    assert disambiguate(nouns, "phantom limb pain", ["marijuana"]) == 0
    assert disambiguate(nouns, "xyzzy", ["marijuana"]) == 0


def test_words_that_say_nothing_change_nothing(nouns: wordnet.WordNet) -> None:
    assert disambiguate(nouns, "bank", ["", "the", "of", "—", "xyzzyx", "17"]) == disambiguate(
        nouns, "bank", []
    )


def test_the_term_itself_is_no_evidence(nouns: wordnet.WordNet) -> None:
    assert disambiguate(nouns, "bank", ["bank", "Banks", "bank"]) == disambiguate(nouns, "bank", [])


def test_near_words_outweigh_distant_ones(nouns: wordnet.WordNet) -> None:
    river = ["canoe", "river", "water", "fish", "shore", "stream"]
    money = ["cheque", "account", "loan", "credit", "deposit", "money"]
    between = ["and"] * 150
    text = [*river, "bank", *between, *money, "bank"]
    senses = nouns.senses("bank")
    first = senses[disambiguate(nouns, "bank", text, at=len(river))]
    last = senses[disambiguate(nouns, "bank", text, at=len(text) - 1)]
    assert "slope" in [s.term for s in nouns.climb(first)]
    assert "financial institution" in [s.term for s in nouns.climb(last)]


def test_every_mention_counts_where_no_place_is_given(nouns: wordnet.WordNet) -> None:
    words = ["canoe", "river", "bank", *["and"] * 200, "the", "bank", "was", "shut"]
    assert disambiguate(nouns, "bank", words) == disambiguate(nouns, "bank", words, at=2)


def test_hyphenated_words_tell_by_their_parts(nouns: wordnet.WordNet) -> None:
    apart = disambiguate(nouns, "bank", ["river", "water", "bank"])
    assert disambiguate(nouns, "bank", ["river-water", "bank"]) == apart


def test_a_chain_gives_the_number_in_its_own_order(nouns: wordnet.WordNet) -> None:
    chain, words = taxonomy.default(), ["uses", "marijuana", "for", "phantom", "limb", "pain"]
    chosen = chain.senses("marijuana")[disambiguate(chain, "marijuana", words)]
    assert chosen == nouns.senses("marijuana")[disambiguate(nouns, "marijuana", words)]


def test_a_taxonomy_that_comes_first_keeps_its_sense() -> None:
    chain = taxonomy.default()
    senses = chain.senses("Paris", "LOC")
    assert senses[0].taxonomy == "places"
    assert disambiguate(chain, "Paris", ["Zeus", "Helen", "Troy", "prince"], kind="LOC") == 0


def test_the_users_own_taxonomy_is_not_overruled(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text("term,parent\nbank,furniture\nfurniture,thing\n")
    chain = taxonomy.default().before(own.load(path))
    assert disambiguate(chain, "bank", ["money", "account"]) == 0


@given(st.lists(st.text(max_size=12), max_size=30), st.data())
def test_any_words_give_a_sense_and_always_the_same(words: list[str], data: st.DataObject) -> None:
    nouns = wordnet.default()
    at = data.draw(st.none() | st.integers(0, len(words)))
    chosen = disambiguate(nouns, "line", words, at=at)
    assert 0 <= chosen < len(nouns.senses("line"))
    module._rows.cache_clear()
    assert disambiguate(nouns, "line", words, at=at) == chosen


@given(
    st.lists(st.integers(0, 300), max_size=40),
    st.lists(st.integers(0, 300), min_size=1, max_size=9),
)
def test_distance_is_to_the_nearest_mention(places: list[int], centres: list[int]) -> None:
    centres = sorted(set(centres))
    found = module._nearest(np.array(sorted(places), dtype=np.intp), np.array(centres))
    assert found.tolist() == [min(abs(p - c) for c in centres) for p in sorted(places)]


def test_a_synset_without_a_vector_has_only_its_frequency(nouns: wordnet.WordNet) -> None:
    alone = nouns.senses("phantom limb pain")[0].key
    assert not module._table().sense(alone).any()


def test_a_missing_table_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "FOLDER", tmp_path)
    with pytest.raises(
        InputError, match=r"senses\.npz does not exist: make it with scripts/build_senses"
    ):
        module.Vectors()


# Sense keys


@pytest.mark.parametrize(
    ("key", "gloss"),
    [
        ("marijuana%1:06:00::", "illicit drug"),
        ("marijuana%1:20:00::", "strong-smelling plant"),
        ("bank%1:17:01::", "sloping land"),
        ("bank%1:14:00::", "financial institution"),
        ("alps%1:17:00::", "mountain"),
    ],
)
def test_a_sense_key_names_a_synset(nouns: wordnet.WordNet, key: str, gloss: str) -> None:
    synset = by_key(nouns, key)
    assert synset is not None
    assert gloss in nouns.describe(Sense("wordnet", synset, ""))


@pytest.mark.parametrize(
    "key", ["say%2:32:01::", "bank", "bank%1", "xyzzy%1:06:00::", "bank%1:xx:00::"]
)
def test_what_is_no_key_of_a_noun_names_none(nouns: wordnet.WordNet, key: str) -> None:
    assert by_key(nouns, key) is None


# Measured


def answers(nouns: wordnet.WordNet, folder: Path) -> Iterator[tuple[bool, bool]]:
    """For each noun of several senses: whether the first sense is right, and whether the chosen one is."""
    name = folder.name
    lines = (folder / f"{name}.gold.key.txt").read_text().splitlines()
    gold = {i: {by_key(nouns, key) for key in keys} for i, *keys in map(str.split, lines)}
    for text in ElementTree.parse(folder / f"{name}.data.xml").getroot():
        tokens = [token for sentence in text for token in sentence]
        words = [token.text or "" for token in tokens]
        for at, token in enumerate(tokens):
            if token.tag == "instance" and token.get("pos") == "NOUN":
                lemma = token.get("lemma", "").replace("_", " ")
                senses = nouns.senses(lemma)
                chosen = senses[disambiguate(nouns, lemma, words, at=at)].key
                right = gold[token.get("id", "")]
                yield senses[0].key in right, chosen in right


@pytest.mark.parametrize(("name", "gain"), [("senseval2", 0.05), ("senseval3", 0.02)])
def test_better_than_the_first_sense(nouns: wordnet.WordNet, name: str, gain: float) -> None:
    folder = SHARED / name
    if not folder.exists():
        pytest.skip(f"needs ../shared/data/wsd/{name}")
    scored = np.array(list(answers(nouns, folder)))
    first, chosen = scored.mean(axis=0)
    assert chosen >= first + gain
