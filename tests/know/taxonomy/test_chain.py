"""Ladders, volumes and bits: WordNet, the chain, calendar, ranges, and the command."""

from __future__ import annotations

import itertools
import lzma
import random
import shutil
from collections import defaultdict
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.know import tables
from sfumato.know.taxonomy import calendar, named, places, ranges, wordnet
from sfumato.know.taxonomy.calendar import Calendar
from sfumato.know.taxonomy.chain import Chain, default, generalise, shorter
from sfumato.know.taxonomy.ladder import Sense, Step, merge
from sfumato.know.taxonomy.ranges import Ranges

DATA = tables.FOLDER
WORDS = wordnet.default()
LEMMAS = list(WORDS.lemmas())
SYNSETS = st.integers(0, len(WORDS) - 1)


def terms(steps: list[Step]) -> list[str]:
    return [step.term for step in steps]


def is_ladder(steps: list[Step]) -> bool:
    """From specific to general: volumes grow, bits do not."""
    pairs = list(itertools.pairwise(steps))
    return (
        steps[0].volume == 1
        and all(a.volume < b.volume for a, b in pairs)
        and all(a.bits >= b.bits - 1e-9 >= -1e-9 for a, b in pairs)
    )


# WordNet


@pytest.mark.parametrize(
    ("term", "through"),
    [
        ("Sacramento", ["state capital", "capital", "location"]),
        ("marijuana", ["cannabis", "shrub", "plant"]),
        ("lumbar pain", ["ache", "pain", "symptom"]),
        ("liver cancer", ["liver disease", "disease", "illness"]),
        ("phantom limb pain", ["pain", "somesthesia"]),
        ("tumours", ["growth", "illness"]),
    ],
)
def test_terms_of_the_papers_have_sensible_ladders(term: str, through: list[str]) -> None:
    steps = default().ladder(term)
    assert steps[0].term == term
    assert is_ladder(steps)
    found = [t for t in terms(steps) if t in through]
    assert found == through
    assert steps[-1].term == "entity"


def test_the_closing_example_of_the_plausibility_paper_has_its_volumes() -> None:
    drug = default().ladder("marijuana", sense=1)
    assert (drug[1].term, drug[1].volume) == ("soft drug", 4)
    pain = default().ladder("phantom limb pain")
    assert (pain[1].term, pain[1].volume) == ("pain", 3)
    assert drug[1].volume * pain[1].volume >= 10


def children_of_all() -> dict[int, set[int]]:
    below: dict[int, set[int]] = defaultdict(set)
    for synset in range(len(WORDS)):
        for parent in WORDS.parents(synset):
            below[parent].add(synset)
    return below


def test_volumes_are_those_of_a_recount() -> None:
    below = children_of_all()
    sample = random.Random(0).sample(range(len(WORDS)), 1500)
    inner = [s for s in range(len(WORDS)) if below.get(s)]
    for synset in sample + random.Random(1).sample(inner, 500):
        seen, todo = {synset}, [synset]
        while todo:
            for child in below.get(todo.pop(), ()):
                if child not in seen:
                    seen.add(child)
                    todo.append(child)
        leaves = {s for s in seen if not below.get(s)}
        assert WORDS.leaves[synset] == len(leaves)
        assert WORDS.hyponyms[synset] == len(seen) - 1


def test_information_never_decreases_on_the_way_down() -> None:
    for synset in range(len(WORDS)):
        for parent in WORDS.parents(synset):
            assert WORDS.bits(synset) >= WORDS.bits(parent)
            assert WORDS.subsumers[synset] > WORDS.subsumers[parent]


@given(st.sampled_from(LEMMAS))
def test_every_lemma_has_a_ladder_from_each_of_its_senses(lemma: str) -> None:
    for sense in WORDS.senses(lemma):
        assert is_ladder(WORDS.climb(sense))


@given(SYNSETS)
def test_children_climb_to_their_parent(synset: int) -> None:
    sense = Sense(wordnet.NAME, synset, WORDS.word(synset))
    for child in WORDS.children(sense):
        assert synset in WORDS.parents(child.key)
        assert WORDS.volume(child) <= WORDS.volume(sense)


def test_the_concepts_above_are_as_many_as_the_table_says() -> None:
    for synset in range(0, len(WORDS), 7):
        assert len(WORDS.subsumers_of(synset)) == WORDS.subsumers[synset]


def test_there_is_one_root_and_it_tells_nothing() -> None:
    roots = [s for s in range(len(WORDS)) if WORDS.parent(s) is None]
    assert [WORDS.word(r) for r in roots] == ["entity"]
    assert WORDS.bits(roots[0]) == 0
    assert WORDS.leaves[roots[0]] == WORDS.all_leaves


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("tumours", "tumour"),
        ("biopsies", "biopsy"),
        ("women", "woman"),
        ("Boxes", "box"),
        ("diagnoses", "diagnosis"),
        ("heart attacks", "heart attack"),
        ("self esteem", "self-esteem"),
    ],
)
def test_inflected_words_are_found(said: str, found: str) -> None:
    assert WORDS.senses(said)[0].term == found
    assert said in WORDS


def test_capitals_decide_between_names_and_words() -> None:
    assert WORDS.senses("AIDS")[0].term == "AIDS"
    assert WORDS.senses("aids")[0].term == "aid"
    assert WORDS.senses("Turkey")[0].named
    assert not WORDS.senses("turkey")[0].named
    assert "Florida" in WORDS.describe(WORDS.senses("Miami")[0])


def test_offsets_find_synsets() -> None:
    sense = WORDS.senses("liver cancer")[0]
    assert WORDS.offsets[sense.key] == 14131651
    assert 42 not in WORDS
    assert "qwertz" not in WORDS
    assert "ass" in WORDS
    assert "xss" not in WORDS


def test_number_is_kept() -> None:
    steps = default().ladder("tumours")
    assert generalise("tumours", steps[1]) == "growths"
    assert generalise("tumour", steps[1]) == "growth"


# The chain


def test_unknown_phrases_lose_their_modifiers_one_by_one() -> None:
    steps = default().ladder("severe chest infection")
    assert terms(steps)[:3] == ["severe chest infection", "chest infection", "infection"]
    assert [s.volume for s in steps[:2]] == [1, 2]
    assert is_ladder(steps)


def test_what_follows_a_preposition_goes_first() -> None:
    assert list(shorter("infection of the chest")) == ["infection"]
    assert terms(default().ladder("nasty infection of the chest"))[1:3] == [
        "nasty infection",
        "infection",
    ]


def test_a_part_of_a_name_is_neither_looked_up_as_a_name_nor_a_rung() -> None:
    assert default().ladder("Dr Keller") == []
    steps = default().ladder("Acme Xyzzy Corporation", kind="ORG")
    assert "Xyzzy Corporation" not in terms(steps)
    assert "organization" in terms(steps)


@pytest.mark.parametrize(
    ("kind", "noun"), [("PERSON", "person"), ("ORG", "organisation"), ("LOC", "place")]
)
def test_unknown_names_climb_by_their_kind(kind: str, noun: str) -> None:
    steps = default().ladder("Xyzzyqua", kind=kind)
    assert terms(steps)[:2] == ["Xyzzyqua", noun]
    assert is_ladder(steps)


def test_unknown_words_have_no_ladder() -> None:
    assert default().ladder("xyzzyqua") == []
    assert default().ladder("xyzzyqua", kind="CODE") == []
    assert default().senses("xyzzyqua") == []
    with pytest.raises(InputError, match="there is no number 100"):
        default().ladder("pain", sense=99)
    assert Chain([]).ladder("Xyzzyqua", kind="PERSON") == []


def test_the_kind_decides_between_senses() -> None:
    assert terms(default().ladder("Paris", kind="LOC"))[1:3] == ["Île-de-France", "France"]
    assert "person" in terms(default().ladder("Washington", kind="PERSON"))
    assert terms(default().ladder("Washington", kind="LOC"))[-1] == "place"


def test_the_chain_is_a_taxonomy_too() -> None:
    chain = default()
    sense = chain.senses("oak")[0]
    assert sense.taxonomy == wordnet.NAME
    assert chain.volume(sense) == WORDS.volume(sense)
    assert chain.children(sense) == WORDS.children(sense)
    assert chain.describe(sense) == WORDS.describe(sense)
    assert chain.name == "calendar+ranges+wordnet+places+named"
    assert chain["places"] is places.default()


def test_a_rung_never_repeats_the_word_as_it_stands() -> None:
    for city in ("Kyoto", "Zürich", "New York", "Salzburg"):
        for number in range(len(default().senses(city, "LOC"))):
            assert city not in terms(default().ladder(city, number, "LOC"))[1:]


@given(st.text(max_size=30), st.sampled_from(["", "PERSON", "ORG", "LOC", "DATE", "AGE"]))
def test_any_text_has_a_ladder_or_none(text: str, kind: str) -> None:
    steps = default().ladder(text, kind=kind)
    if steps:
        assert steps[0].term == text
        assert is_ladder(steps)


PREPOSITIONS = frozenset(["of", "in", "on", "at", "for", "from", "with", "to", "by"])


@given(st.lists(st.sampled_from(LEMMAS), min_size=1, max_size=3))
@example(["1st viscount montgomery of alamein", ".22"])
@example(["severe", "cup of tea"])
def test_phrases_with_a_known_head_have_ladders(words: list[str]) -> None:
    """The head is the last word, or where there is a preposition the last word before it: a general and
    what follows him ("of alamein .22") is no gun."""
    steps = default().ladder(" ".join(words))
    said = " ".join(words).split()
    heads = [said[n - 1] for n in range(1, len(said) - 1) if said[n] in PREPOSITIONS][:1]
    head = heads[0] if heads else words[-1]
    known = [s for s in WORDS.senses(head) if not s.named]
    assert is_ladder(steps) if steps else not known or "'" in head


def test_equal_volumes_are_one_rung() -> None:
    assert merge([]) == []
    assert terms(merge([Step("a", 1, 2), Step("b", 1, 1), Step("c", 2, 0)])) == ["a", "c"]


# Dates and numbers


def test_dates_climb_to_the_decade() -> None:
    found = Calendar()
    steps = found.climb(found.senses("2004-02-29")[0])
    assert [(s.term, s.volume) for s in steps] == [
        ("2004-02-29", 1),
        ("February 2004", 29),
        ("2004", 366),
        ("2000s", 3653),
    ]
    assert is_ladder(steps)
    assert terms(default().ladder("14 May")) == ["14 May", "May"]
    assert terms(default().ladder("1984", kind="DATE")) == ["1984", "1980s"]
    assert found.senses("no date") == []


@given(
    st.dates(
        min_value=date(1000, 1, 1),
        max_value=date(2999, 12, 31),
    )
)
def test_days_are_the_children_of_their_months(day: date) -> None:
    found = Calendar()
    (sense,) = found.senses(day.isoformat())
    steps = found.climb(sense)
    assert is_ladder(steps)
    decade = found.senses(steps[-1].term)[0]
    assert found.describe(decade) == "decade"
    assert found.volume(decade) == steps[-1].volume
    total = 0
    for year in found.children(decade):
        assert found.describe(year) == "year"
        for month in found.children(year):
            assert found.describe(month) == "month"
            total += len(found.children(month))
    assert total == found.volume(decade)
    assert found.children(sense) == []
    assert found.describe(sense) == "day"


def test_ages_nest_in_ranges() -> None:
    steps = default().ladder("37-year-old", kind="AGE")
    assert terms(steps)[:4] == ["37-year-old", "35–39-year-old", "30–39-year-old", "20–39-year-old"]
    assert Ranges().describe(Ranges().senses("aged 37")[0]) == "age"
    assert Ranges().describe(Ranges().senses("37%")[0]) == "number"


@pytest.mark.parametrize(
    ("said", "first"),
    [
        ("12.5", "12.5–12.9"),
        ("$1,250", "$1,250–1,254"),
        ("-7", "-10 to -6"),
        ("120 mg", "120–124 mg"),
        ("0", "0–4"),
    ],
)
def test_numbers_nest_in_ranges(said: str, first: str) -> None:
    assert Ranges().climb(Ranges().senses(said)[0])[1].term == first


@pytest.mark.parametrize("said", ["007", "1234567890123", "7-Eleven", "A12", "1.2.3", ""])
def test_codes_are_no_numbers(said: str) -> None:
    assert Ranges().senses(said) == []


@given(st.integers(-(10**9), 10**9))
def test_ranges_hold_their_number_and_nest(value: int) -> None:
    found = Ranges()
    (sense,) = found.senses(str(value))
    steps = found.climb(sense)
    assert is_ladder(steps)
    before = (value, value)
    for step in steps[1:]:
        low, high = (int(n) for n in step.term.replace("–", " to ").split(" to "))
        assert high - low + 1 == step.volume
        assert low <= before[0] <= before[1] <= high
        before = low, high
    assert found.volume(sense) == 1
    assert found.children(sense) == []
    assert found.climb(Sense(ranges.NAME, 0, "not a number")) == [Step("not a number", 1, 0.0)]
    assert calendar.NAME != ranges.NAME


# Tables


@pytest.mark.parametrize("text", ["glosses-0\na\nb", "glosses-1\nfor another table"])
def test_glosses_of_another_layout_or_table_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    for name in (wordnet.TABLE, wordnet.GLOSSES):
        shutil.copy(tables.FOLDER / name, tmp_path / name)
    monkeypatch.setattr(tables, "FOLDER", tmp_path)
    nouns = wordnet.WordNet()
    oak = nouns.senses("oak")[0]
    (tmp_path / wordnet.GLOSSES).write_bytes(lzma.compress(text.encode()))
    with pytest.raises(InputError, match="build_wordnet"):
        nouns.describe(oak)
    (tmp_path / wordnet.GLOSSES).write_bytes((DATA / wordnet.GLOSSES).read_bytes())
    assert "wood" in nouns.describe(oak)


def test_a_table_of_another_layout_says_how_to_make_it_again(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    tables.save(path, "x-1", {"a": np.arange(3)})
    assert tables.load(path, "x-1", "scripts/x.py")["a"].tolist() == [0, 1, 2]
    before = path.read_bytes()
    tables.save(path, "x-1", {"a": np.arange(3)})
    assert path.read_bytes() == before
    with pytest.raises(
        InputError, match=r"layout 'x-1', not 'x-2': make it again with scripts/x.py"
    ):
        tables.load(path, "x-2", "scripts/x.py")
    path.write_bytes(b"nonsense")
    with pytest.raises(InputError, match="cannot be read"):
        tables.load(path, "x-1", "scripts/x.py")
    with pytest.raises(InputError, match="does not exist"):
        tables.load(tmp_path / "y.npz", "x-1", "scripts/x.py")


def test_tables_are_as_small_as_they_should_be() -> None:
    sizes = {p.name: p.stat().st_size for p in tables.FOLDER.iterdir()}
    assert sizes[places.TABLE] <= 3_000_000
    assert sizes[named.TABLE] <= 8_000_000
    assert sizes[wordnet.TABLE] + sizes[wordnet.GLOSSES] <= 5_000_000
