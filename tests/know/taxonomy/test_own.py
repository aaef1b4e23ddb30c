"""The user's own taxonomies: what is read, what is refused, and that ladders hold for any graph."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import InputError
from sfumato.know.taxonomy import own
from sfumato.know.taxonomy.chain import default
from sfumato.know.taxonomy.own import Concepts, Own
from tests.conftest import SHARED

OBO = """format-version: 1.2

[Term]
id: X:1
name: disease

[Term]
id: X:2
name: cancer
synonym: "malignant \\"growth\\"" EXACT []
is_a: X:1 ! disease

[Term]
id: X:3
name: gone
is_obsolete: true

[Term]
id: X:4
is_a: X:2 {source="y"} ! cancer

[Typedef]
id: part_of
name: part of
"""
TURTLE = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix ex: <http://example.org/> .
# trees
ex:oak a skos:Concept ;
    skos:prefLabel "oak"@en , "Eiche"@de ;
    skos:altLabel \"\"\"oak tree\"\"\"@en ;
    skos:broader <http://example.org/tree> .
<http://example.org/tree> skos:prefLabel "tree" ; skos:narrower ex:birch .
ex:birch skos:prefLabel "birch"@en .
"""
XML = """<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
         xmlns:skos="http://www.w3.org/2004/02/skos/core#">
  <skos:Concept rdf:about="#oak">
    <skos:prefLabel xml:lang="en">oak</skos:prefLabel>
    <skos:prefLabel xml:lang="de">Eiche</skos:prefLabel>
    <skos:altLabel>oak tree</skos:altLabel>
    <skos:broader rdf:resource="#tree"/>
  </skos:Concept>
  <skos:Concept rdf:about="#tree">
    <skos:prefLabel>tree</skos:prefLabel>
    <skos:narrower><skos:Concept rdf:about="#birch"><skos:prefLabel>birch</skos:prefLabel></skos:Concept></skos:narrower>
  </skos:Concept>
</rdf:RDF>
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def ladder(taxonomy: Own, term: str) -> list[tuple[str, int]]:
    return [(s.term, s.volume) for s in taxonomy.climb(taxonomy.senses(term)[0])]


def test_indented_text_is_read(tmp_path: Path) -> None:
    path = write(
        tmp_path, "trees.txt", "# trees\ntree\n\toak\n\t\tcork oak\n\t\tholm oak\n\n\tbirch\n"
    )
    found = own.load(path)
    assert found.name == "trees"
    assert len(found) == 5
    assert ladder(found, "Cork oaks") == [("cork oak", 1), ("oak", 2), ("tree", 3)]
    assert sorted(found.labels()) == ["birch", "cork oak", "holm oak", "oak"]
    assert found.describe(found.senses("cork oak")[0]) == "trees: oak → tree"
    assert found.describe(found.senses("tree")[0]) == "trees"
    assert [c.term for c in found.children(found.senses("oak")[0])] == ["cork oak", "holm oak"]
    assert found.volume(found.senses("oak")[0]) == 2
    assert found.senses("elm") == []


def test_levels_are_read_as_arx_writes_them(tmp_path: Path) -> None:
    path = write(tmp_path, "jobs.csv", "Tech-support;Technical;*\nSales;Other;*\nOther;Other;*\n\n")
    found = own.load(path, "jobs of mine")
    assert ladder(found, "Tech-support") == [("Tech-support", 1), ("*", 2)]
    assert found.name == "jobs of mine"
    assert ladder(own.load(write(tmp_path, "x.csv", 'a,"b, c",*\nd,"b, c",*\n')), "a") == [
        ("a", 1),
        ("b, c", 2),
    ]


@pytest.mark.skipif(not SHARED.exists(), reason="needs ../shared/data")
def test_hierarchies_of_arx_are_read() -> None:
    files = sorted((SHARED / "adult").glob("adult_hierarchy_*.csv"))
    assert len(files) == 9
    for file in files:
        found = own.load(file)
        first = file.read_text().splitlines()[0].split(";")
        assert ladder(found, first[0])[-1][0] == first[-1] or len(found) == 2
    ages = own.load(SHARED / "adult" / "adult_hierarchy_age.csv")
    assert ladder(ages, "37") == [("37", 1), ("35-39", 5), ("30-39", 10), ("20-39", 20), ("*", 100)]


@pytest.mark.parametrize(("name", "text"), [("t.ttl", TURTLE), ("t.rdf", XML), ("t.xml", XML)])
def test_skos_is_read(tmp_path: Path, name: str, text: str) -> None:
    found = own.load(write(tmp_path, name, text))
    assert ladder(found, "oak tree") == [("oak", 1), ("tree", 2)]
    assert ladder(found, "birch") == [("birch", 1), ("tree", 2)]
    assert found.senses("Eiche") == []


def test_obo_is_read(tmp_path: Path) -> None:
    found = own.load(write(tmp_path, "d.obo", OBO))
    assert ladder(found, 'malignant "growth"') == [("cancer", 1)]
    assert found.senses("gone") == []
    assert [s.term for s in found.senses("X:4")] == ["X:4"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("c.csv", "a;b;c\nb;c;a\n", "has a cycle: a → b → c → a"),
        ("c.txt", "a\n  b\n    a\n", "has a cycle: a → b → a"),
        ("c.csv", "a;b\nc\n", "line 2 has 1 levels, not 2"),
        ("c.csv", "a;b\nc;\n", "line 2 has 1 levels, not 2"),
        ("c.txt", "a\n \tb\n", "line 2 is indented with both"),
        ("c.txt", "  a\n b\n", "line 2 is indented less"),
        ("c.txt", "a\nb\n", "has no concept with a parent"),
        ("c.ttl", "ex:a skos:broader [ skos:prefLabel 'x' ] .", "line 1 is not Turtle"),
        ("c.rdf", "<a>\n<b></a>", "line 2 is not XML"),
        ("c.rdf", '<!DOCTYPE x [<!ENTITY y "z">]><a/>', "entity declarations are not read"),
        ("c.ttl", "ex:a skos:broader ex:b .\n\n [", "line 3 is not Turtle"),
        ("c.pdf", "a", "is not a taxonomy that can be read"),
    ],
)
def test_bad_files_are_refused_with_the_place(
    tmp_path: Path, name: str, text: str, message: str
) -> None:
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        own.load(write(tmp_path, name, text))


def obo(parents: Mapping[int, Iterable[int]]) -> str:
    return "".join(
        f"[Term]\nid: X:{n}\nname: same\n" + "".join(f"is_a: X:{p}\n" for p in above)
        for n, above in parents.items()
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("chain.csv", ";".join(f"a{n}" for n in range(own.MOST_ABOVE + 2))),
        ("chain.txt", "\n".join(" " * n + f"a{n}" for n in range(own.MOST_ABOVE + 2))),
        # a few levels, but each concept below all of the level above
        ("wide.obo", obo({n: range(n // 30 * 30 - 30, n // 30 * 30) for n in range(30, 400)})),
        ("parents.obo", obo({0: range(1, 300), **dict.fromkeys(range(1, 300), ())})),
    ],
)
def test_a_concept_with_hundreds_above_it_is_refused(tmp_path: Path, name: str, text: str) -> None:
    """What is above each concept is kept: 200 kB of one chain took 22 GB."""
    with pytest.raises(InputError, match="more than 200 others above it: leave out levels"):
        own.load(write(tmp_path, name, text))


def test_two_hundred_levels_are_read(tmp_path: Path) -> None:
    text = ";".join(f"a{n}" for n in range(own.MOST_ABOVE + 1))
    found = own.load(write(tmp_path, "chain.csv", text))
    assert found.volume(found.senses("a200")[0]) == 1


def test_many_concepts_of_one_name_are_its_senses_in_order_each_once(tmp_path: Path) -> None:
    """Each was looked for in the list of all before it: the time grew with the square."""
    text = obo({0: (), **dict.fromkeys(range(1, 30_000), (0,))})
    found = own.load(write(tmp_path, "same.obo", text.replace("name", 'synonym: "SAME"\nname')))
    assert [s.key for s in found.senses("same")] == list(range(30_000))


def test_turtle_of_many_statements_is_read_in_one_pass(tmp_path: Path) -> None:
    """The rest of the file was copied for each token: 80,000 statements took minutes."""
    text = "".join(f'<a{n}> :broader <top>; :prefLabel "a{n}" .\n' for n in range(30_000))
    found = own.load(write(tmp_path, "many.ttl", text + '<top> :prefLabel "top" .\n'))
    assert found.volume(found.senses("top")[0]) == 30_000


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        own.load(tmp_path / "no.txt")
    (tmp_path / "bad.txt").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(InputError, match="is not UTF-8 text"):
        own.load(tmp_path / "bad.txt")
    (tmp_path / "folder.txt").mkdir()
    with pytest.raises(InputError, match="cannot be read"):
        own.load(tmp_path / "folder.txt")


def test_ones_own_taxonomy_comes_first(tmp_path: Path) -> None:
    mine = own.load(write(tmp_path, "mine.txt", "medicine\n  herb\n    marijuana\n    sage\n"))
    chain = default().before(mine)
    assert [s.term for s in chain.ladder("marijuana")] == ["marijuana", "herb"]
    assert chain.ladder("liver cancer") == default().ladder("liver cancer")


def concepts(edges: list[tuple[int, int]]) -> Concepts:
    made = Concepts()
    for child, parent in edges:
        made.add(f"c{child}", f"c{parent}")
    return made


EDGES = st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14)), min_size=1, max_size=30)


@given(EDGES)
def test_any_graph_without_a_cycle_has_true_volumes(edges: list[tuple[int, int]]) -> None:
    edges = [(max(a, b), min(a, b)) for a, b in edges if a != b]
    if not edges:
        return
    found = Own("x", concepts(edges))
    below: dict[int, set[int]] = {}
    for child, parent in edges:
        below.setdefault(parent, set()).add(child)

    def leaves(n: int) -> set[int]:
        return {n} if n not in below else {leaf for c in below[n] for leaf in leaves(c)}

    for n in {n for edge in edges for n in edge}:
        (sense,) = found.senses(f"c{n}")
        assert found.volume(sense) == len(leaves(n))
        steps = found.climb(sense)
        assert steps[0].volume == 1
        for low, high in itertools.pairwise(steps):
            assert low.volume < high.volume
            assert low.bits >= high.bits >= 0
            assert high.volume == len(leaves(int(high.term[1:])))


@given(EDGES)
def test_cycles_are_refused_and_shown(edges: list[tuple[int, int]]) -> None:
    made = concepts(edges)
    parents = {c: set(p) for c, p in made.parents.items()}
    try:
        Own("x", made)
    except InputError as error:
        cycle = str(error).split("cycle: ")[1].split(" → ")
        assert cycle[0] == cycle[-1]
        assert len(cycle) > 2
        assert all(b in parents[a] for a, b in itertools.pairwise(cycle))
    else:
        left = {c: set(p) for c, p in parents.items()}
        while free := [c for c, p in left.items() if not any(q in left for q in p)]:
            for c in free:
                del left[c]
        assert not left


@given(st.lists(st.lists(st.text("abc ;", min_size=1), min_size=1, max_size=4), max_size=5))
def test_any_levels_raise_nothing_but_input_errors(rows: list[list[str]]) -> None:
    text = "\n".join(";".join(row) for row in rows)
    with contextlib.suppress(InputError):
        Own("x", own.from_levels(text))


@given(st.text(st.sampled_from('ab \n\t<>"@.;,:[]#'), max_size=60))
def test_any_turtle_and_indented_text_raises_nothing_but_input_errors(text: str) -> None:
    for reader in (own.from_turtle, own.from_indented, own.from_obo, own.from_skos_xml):
        with contextlib.suppress(InputError):
            Own("x", reader(text))
