"""Statistics: numbers by definition, estimates as documented, and what the shipped index knows."""

from __future__ import annotations

import json
import math
import random
import struct
import tracemalloc
import zlib
from collections.abc import Callable
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sfumato.cli.know import app
from sfumato.english import chunker
from sfumato.errors import InputError, PolicyError
from sfumato.know.statistics import index
from sfumato.know.statistics import probability as statistics
from sfumato.know.statistics.index_build import IndexSettings, build
from sfumato.know.statistics.probability import BackOff, Blend, Certainty, IndexStatistics
from sfumato.know.taxonomy import chain as taxonomy
from sfumato.know.taxonomy.wordnet import WordNet

TEXTS = [
    "Liver cancer was treated by radiotherapy.",
    "Radiotherapy against liver cancer, metastatic.",
    "Liver cancer and the patient.",
    "A patient in Miami, Florida.",
    "Florida, the sunny state.",
    "A patient with AIDS; the man aids him.",
    "Metastatic growth.",
    "A rare word.",
]


def make(folder: Path, texts: list[str], **settings: object) -> IndexStatistics:
    corpus = folder / "corpus.jsonl"
    corpus.write_text("".join(json.dumps({"text": t}) + "\n" for t in texts))
    build([corpus], folder / "own.terms", IndexSettings(**{"least": 2, **settings}), jobs=1)  # type: ignore[arg-type]
    return statistics.load(folder / "own.terms")


@pytest.fixture
def own(tmp_path: Path) -> IndexStatistics:
    return make(tmp_path, TEXTS)


def test_numbers_are_those_of_the_definition(own: IndexStatistics) -> None:
    assert own.count("liver cancer") == 3
    assert own.count("liver cancers", "Radiotherapy") == 2
    assert own.p("liver cancer") == 3 / 8
    assert own.p("liver cancer", "radiotherapy") == 2 / 8
    assert own.ic("radiotherapy") == 2
    assert own.pmi("liver cancer", "radiotherapy") == pytest.approx(
        math.log2((2 / 8) / (3 / 8 * 2 / 8))
    )
    assert own.sure("liver cancer", "radiotherapy") == Certainty(2, BackOff.NONE)
    assert own.sure("liver cancer").counted


def test_a_term_tells_all_about_itself(own: IndexStatistics) -> None:
    assert own.pmi("patient", "the patients") == pytest.approx(own.ic("patient"))


def test_three_terms_together(own: IndexStatistics) -> None:
    assert own.count("liver", "cancer", "metastatic") == 1
    assert own.p("liver", "cancer", "metastatic") == 1 / 8


def test_a_pair_never_seen_together_is_close_to_independence(own: IndexStatistics) -> None:
    expected = 8 * (3 / 8) * (2 / 8)
    assert own.count("liver cancer", "Florida") == 0
    assert own.p("liver cancer", "Florida") == pytest.approx(expected / (1 + 2 * expected) / 8)
    assert own.pmi("liver cancer", "Florida") == pytest.approx(-math.log2(1 + 2 * expected))
    assert own.sure("liver cancer", "Florida") == Certainty(0, BackOff.APART)


def test_a_phrase_is_estimated_from_its_parts(own: IndexStatistics) -> None:
    """One text holds both parts, and the phrase itself can be in no more than one (least is 2)."""
    assert not own.knows("metastatic liver cancer")
    assert own.sure("metastatic liver cancer") == Certainty(1, BackOff.PARTS)
    assert own.p("metastatic liver cancer") == 1 / 8
    assert own.pmi("metastatic liver cancer", "radiotherapy") == pytest.approx(2)
    assert own.count("metastatic liver cancer") == 0
    apart = own.p("patient radiotherapy")
    assert 0 < apart < 1 / 8
    assert own.sure("patient radiotherapy") == Certainty(0, BackOff.PARTS)


def test_an_unknown_word_leaves_the_known_parts(own: IndexStatistics) -> None:
    assert own.sure("Zyxgood radiotherapy") == Certainty(2, BackOff.PARTIAL)
    assert own.p("Zyxgood radiotherapy") == 0.5 / 8
    assert own.pmi("Zyxgood radiotherapy", "liver cancer") == pytest.approx(
        own.pmi("radiotherapy", "liver cancer")
    )


def test_an_unknown_term_says_so_and_is_independent(own: IndexStatistics) -> None:
    assert own.sure("Zyxgood") == Certainty(0, BackOff.UNKNOWN)
    assert own.sure("Zyxgood", "patient") == Certainty(0, BackOff.UNKNOWN)
    assert own.ic("Zyxgood") == math.log2(8 / 0.5)
    assert own.pmi("Zyxgood", "patient") == pytest.approx(0)
    assert own.pmi("Zyxgood", "Qwxood") == pytest.approx(0)
    assert own.sure("").backoff is BackOff.UNKNOWN


def test_hundreds_of_words_are_never_impossible(own: IndexStatistics) -> None:
    terms = [" ".join(["Florida", "radiotherapy"] * n) for n in (50, 150, 500)]
    assert all(0 < own.ic(term) < 1100 for term in terms)
    assert all(own.p(*terms[:n]) > 0 for n in (1, 2, 3))
    assert own.p(*(f"{term} {n}" for term in terms for n in range(40))) > 0


def test_a_function_word_is_in_every_text(own: IndexStatistics) -> None:
    assert own.ic("the") == 0
    assert own.pmi("of the", "patient") == pytest.approx(0)
    assert own.sure("the").backoff is BackOff.FUNCTION
    assert own.knows("the")


def test_capitals_tell_aids_from_aids(tmp_path: Path) -> None:
    found = make(
        tmp_path, ["AIDS kills.", "AIDS again.", "He aids her.", "An aid.", "PAIN here.", "pain."]
    )
    assert found.count("AIDS") == 2
    assert found.count("aids") == 2
    assert make(tmp_path, ["The pain.", "Pains."]).count("PAIN") == 2


def test_probabilities_are_in_order_whatever_is_asked(own: IndexStatistics) -> None:
    """More terms are never more probable, so no term tells more about another than there is to know."""
    asked = (
        "liver cancer",
        "metastatic liver cancer",
        "patient radiotherapy",
        "Zyxgood",
        "the",
        "Florida",
        "Zyxgood radiotherapy",
        "liver",
        "AIDS",
        "sunny patient in Florida",
        "",
    )
    both = Blend([(own, 1), (statistics.default(), 1)])
    for source in (own, both):
        for a, b in product(asked, repeat=2):
            assert 0 < source.p(a, b) <= min(source.p(a), source.p(b)) * (1 + 1e-9) <= 1 + 1e-9
            assert source.p(a, b) == pytest.approx(source.p(b, a))
            assert source.pmi(a, b) <= min(source.ic(a), source.ic(b)) + 1e-9
            assert source.p(a, b, "patient") <= source.p(a, b) * (1 + 1e-9)


def test_a_blend_is_a_mixture(own: IndexStatistics, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    other = make(
        folder, ["A patient.", "The patient and radiotherapy.", "Radiotherapy.", "Nothing."]
    )
    both = Blend([(own, 3), (other, 1)])
    assert both.p("patient") == pytest.approx(0.75 * own.p("patient") + 0.25 * other.p("patient"))
    assert both.count("patient") == own.count("patient") + other.count("patient")
    assert both.sure("Florida") == Certainty(2, BackOff.NONE)
    assert both.pmi("patient", "radiotherapy") == pytest.approx(
        math.log2(both.p("patient", "radiotherapy") / both.p("patient") / both.p("radiotherapy"))
    )
    with pytest.raises(PolicyError, match="weights"):
        Blend([(own, 0)])
    with pytest.raises(PolicyError, match="weights"):
        Blend([])


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda data: b"", "an empty file"),
        (lambda data: b"something else", "not an index of terms"),
        (lambda data: data[:18], "cut short or damaged"),
        (lambda data: data[:-3], "cut short or damaged"),
        (lambda data: data[:16] + b"\x63" + data[17:], "format 99.*know build CORPUS -o"),
        (lambda data: data.replace(b'"rules": 1', b'"rules": 7'), "rules 7.*know build CORPUS -o"),
        (lambda data: data.replace(b'"rules"', b'"ruler"'), "cut short or damaged"),
        (lambda data: data.replace(b'"size": 8', b'"size": 0'), "cut short or damaged"),
        (lambda data: data.replace(b'"heads"', b'"hands"'), "cut short or damaged"),
    ],
)
def test_a_file_that_is_no_index_of_this_version_says_what_to_do(
    own: IndexStatistics, tmp_path: Path, spoil: Callable[[bytes], bytes], message: str
) -> None:
    bad = tmp_path / "bad.terms"
    bad.write_bytes(spoil((tmp_path / "own.terms").read_bytes()))
    with pytest.raises(InputError, match=message):
        statistics.load(bad)


def sections(data: bytes) -> tuple[dict[str, Any], dict[str, bytes]]:
    """An index's header and its parts."""
    length = struct.unpack_from("<I", data, 20)[0]
    about, rest = json.loads(data[24 : 24 + length]), data[24 + length :]
    return about, {name: rest[at : at + n] for name, (at, n) in about["sections"].items()}


def forged(data: bytes, **parts: bytes) -> bytes:
    """An index with other parts, and a header that fits them."""
    about, known = sections(data)
    known = {
        name: parts.get(name, known[name]) for name in ("terms", "heads", "blocks", "postings")
    }
    at = 0
    for name, part in known.items():
        about["sections"][name] = [at, len(part)]
        at += len(part)
    header = json.dumps(about).encode()
    return data[:20] + struct.pack("<I", len(header)) + header + b"".join(known.values())


@pytest.mark.parametrize(
    ("name", "spoil"),
    [
        ("heads", lambda part: b"xx" + part[2:]),
        ("heads", lambda part: part[:-2]),
        ("heads", lambda part: zlib.compress(b"a\nb\nc\nd\ne")),
        ("heads", lambda part: zlib.compress(b"\n" * (1 << 24))),
        ("heads", lambda part: zlib.compress(b"\xff")),
        ("terms", lambda part: b"\xff" * len(part)),
        ("terms", lambda part: zlib.compress(bytes(1 << 24))),
        ("terms", lambda part: zlib.compress(b"\x01\x00liver cancer\n" + b"\xff" * 1000)),
        ("blocks", lambda part: b"\xff" * len(part)),
        ("blocks", lambda part: part[:8]),
        ("postings", lambda part: b"\xff" * len(part)),
        ("postings", lambda part: b"\x21" * len(part)),
        ("postings", lambda part: bytes(len(part))),
        ("postings", lambda part: b""),
    ],
)
def test_a_damaged_part_of_an_index_is_one_line(
    own: IndexStatistics, tmp_path: Path, name: str, spoil: Callable[[bytes], bytes]
) -> None:
    data = (tmp_path / "own.terms").read_bytes()
    bad = tmp_path / "bad.terms"
    bad.write_bytes(forged(data))
    assert statistics.load(bad).count("liver cancer", "radiotherapy") == 2
    bad.write_bytes(forged(data, **{name: spoil(sections(data)[1][name])}))
    with pytest.raises(
        InputError, match=r"^[^\n]*the index is cut short or damaged; build it again"
    ):
        statistics.load(bad).count("liver cancer", "radiotherapy")


@pytest.mark.parametrize("part", ["heads", "terms"])
def test_terms_that_unpack_to_far_more_than_they_look_are_not_unpacked(
    own: IndexStatistics, tmp_path: Path, part: str
) -> None:
    """155 kB of heads took 1.6 GB."""
    bad = tmp_path / "bad.terms"
    bomb = zlib.compress(b"ab\n" * (1 << 24), 9)
    parts = {part: bomb}
    if part == "terms":
        parts["blocks"] = struct.pack("<4Q", 0, 0, len(bomb), 0)
    bad.write_bytes(forged((tmp_path / "own.terms").read_bytes(), **parts))
    found = statistics.load(bad)
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="damaged"):
            found.count("liver cancer")
        assert tracemalloc.get_traced_memory()[1] < 1 << 22
    finally:
        tracemalloc.stop()


def test_a_missing_index_says_how_to_build_one(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such index; build one with"):
        statistics.load(tmp_path / "none.terms")
    with pytest.raises(InputError, match="cannot be read"):
        statistics.load(tmp_path)


def test_stats_prints_numbers_and_what_is_not_known(own: IndexStatistics, tmp_path: Path) -> None:
    path = str(tmp_path / "own.terms")
    done = CliRunner().invoke(app, ["stats", "radiotherapy", "liver cancer", "--index", path])
    assert done.exit_code == 0
    assert "radiotherapy + liver cancer" in done.stdout
    assert "1.42" in done.stdout
    assert "counted" in done.stdout
    done = CliRunner().invoke(app, ["stats", "Zyxgood", "--index", path])
    assert "not in the statistics: 'Zyxgood'" in done.output
    done = CliRunner().invoke(
        app,
        [
            "stats",
            "patient",
            "Florida",
            "liver cancer",
            "--index",
            path,
            "--weight",
            "0.5",
            "--json",
        ],
    )
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == 7
    assert rows[0]["terms"] == ["patient"]
    assert rows[-1].keys() == {"terms", "count", "p", "counted", "backoff"}
    assert rows[3]["pmi"] == pytest.approx(
        Blend([(own, 1), (statistics.default(), 1)]).pmi("patient", "Florida")
    )


# ---- the index that comes along


@pytest.fixture(scope="module")
def shipped() -> IndexStatistics:
    return statistics.default()


@pytest.fixture(scope="module")
def entries(shipped: IndexStatistics) -> list[index.IndexEntry]:
    return list(shipped.index)


def test_the_shipped_index_is_small_and_holds_what_it_says(
    shipped: IndexStatistics, entries: list[index.IndexEntry]
) -> None:
    assert shipped.index.path.stat().st_size <= 40_000_000
    assert shipped.size == 138_645
    assert len(entries) == len(shipped.index)
    assert min(e.count for e in entries) >= 5
    assert all(a.term < b.term for a, b in pairwise(entries))
    for entry in random.Random(7).sample(entries, 300):
        assert len(shipped.index.posting(entry)) == entry.count
        assert len(entry.term.split()) <= chunker.LONGEST


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("radiotherapy", "cancer"),
        pytest.param("Florida", "Miami", marks=pytest.mark.slow),
        pytest.param("AIDS", "HIV", marks=pytest.mark.slow),
    ],
)
def test_related_terms_tell_more_than_random_ones_of_their_frequency(
    shipped: IndexStatistics, entries: list[index.IndexEntry], a: str, b: str
) -> None:
    rng = random.Random(a)

    def like(term: str) -> list[str]:
        count = shipped.count(term)
        near = [e.term for e in entries if 0.8 * count <= e.count <= 1.25 * count]
        return rng.sample(near, 15)

    chance = [shipped.pmi(x, y) for x in like(a) for y in like(b)]
    chance.sort()
    assert shipped.sure(a, b).counted
    assert shipped.pmi(a, b) > 3
    assert shipped.pmi(a, b) > chance[int(0.98 * len(chance))]
    assert shipped.pmi(a, b) > chance[len(chance) // 2] + 2


def test_inflection_case_and_spelling_find_one_term(shipped: IndexStatistics) -> None:
    assert shipped.count("liver cancers") == shipped.count("Liver-Cancer") > 0
    assert shipped.count("the U.S.") == shipped.count("US") > 1000
    assert shipped.ic("Kofi Annan") > shipped.ic("United Nations") > shipped.ic("city")


def test_related_pairs_of_wordnet_tell_more_than_random_ones(
    shipped: IndexStatistics, entries: list[index.IndexEntry]
) -> None:
    """200 words with the next step of their ladder against the same words with a random term as frequent
    as that step: the rank-sum test, one-sided, far beyond chance."""
    ladders = taxonomy.default()
    wordnet = WordNet()
    rng = random.Random(4)
    by_count: dict[int, list[str]] = {}
    for entry in entries:
        by_count.setdefault(entry.count.bit_length(), []).append(entry.term)
    related, chance = [], []
    for entry in rng.sample([e for e in entries if 30 <= e.count <= 3000], 60_000):
        if entry.term not in wordnet:
            continue
        steps = ladders.ladder(entry.term)
        if (
            len(steps) < 3
            or not shipped.knows(steps[1].term)
            or shipped.count(steps[1].term) > 10_000
        ):
            continue
        other = rng.choice(by_count[shipped.count(steps[1].term).bit_length()])
        related.append(shipped.pmi(entry.term, steps[1].term))
        chance.append(shipped.pmi(entry.term, other))
        if len(related) == 200:
            break
    assert len(related) == 200
    wins = sum((r > c) + (r == c) / 2 for r in related for c in chance)
    z = (wins - 200 * 200 / 2) / math.sqrt(200 * 200 * 401 / 12)
    assert z > 5, f"z = {z:.1f}"
    assert sum(related) / 200 > sum(chance) / 200 + 1
