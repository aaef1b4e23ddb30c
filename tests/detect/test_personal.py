from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given

from sfumato import sanitize
from sfumato.detect import encoder
from sfumato.detect.encoder import OVERLAP, WINDOW, split, windows
from sfumato.detect.personal import PersonalOptions, ScoredSpan, agree, personal, to_mask
from sfumato.document import Document
from sfumato.kinds import KINDS
from tests.strategies import examples, mixed_text

find = personal(PersonalOptions())


def found(text: str) -> list[tuple[str, str]]:
    return [(t.of(text), t.kind) for t in find(Document(text))]


@pytest.mark.parametrize(
    ("text", "term", "kind"),
    [
        (
            "My neighbour Oyelaran Adeyemi moved to Rotterdam last spring.",
            "Oyelaran Adeyemi",
            "PERSON",
        ),
        ("My neighbour Oyelaran Adeyemi moved to Rotterdam last spring.", "Rotterdam", "LOC"),
        ("She was treated at St Hilda's Hospital for two weeks.", "St Hilda's Hospital", "ORG"),
        ("hi its priya nair here, my order never came", "priya nair", "PERSON"),
        ("PATIENT SEEN IN CLINIC: GRZEGORZ MAZUR, LIVES IN KRAKOW", "KRAKOW", "LOC"),
        ("The applicant was born in 1964 and lives in Diyarbakır.", "1964", "DATE"),
    ],
)
def test_names_places_organisations_and_dates_are_found(text: str, term: str, kind: str) -> None:
    assert (term, kind) in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "Take one tablet twice a day with food and plenty of water.",
        "The meeting will start late because the projector does not work.",
        "Parkinson's disease is treated with levodopa.",
        "",
        "   \n\n\t ",
    ],
)
def test_ordinary_text_is_left_alone(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("lines", [150, pytest.param(3400, marks=pytest.mark.slow)])
def test_a_long_judgment_is_read_to_its_last_word(lines: int) -> None:
    filler = "The court then considered whether the measure had been necessary and proportionate. "
    text = filler * lines + "The applicant, Mr Zbigniew Kowalczyk, was born in Gdynia."
    assert len(text.split()) > 3 * WINDOW
    seen = found(text)
    assert any("Kowalczyk" in term for term, _ in seen)
    assert ("Gdynia", "LOC") in seen


@pytest.mark.parametrize("length", [0, 1, WINDOW - 1, WINDOW, WINDOW + 1, 3 * WINDOW + 7, 5000])
def test_windows_cover_every_piece_and_overlap(length: int) -> None:
    covered = np.zeros(length, dtype=int)
    spans = list(windows(length))
    for start, end in spans:
        assert end - start <= WINDOW
        covered[start:end] += 1
    assert (covered > 0).all()
    assert all(a[1] - b[0] >= OVERLAP for a, b in pairwise(spans))


@examples(60)
@given(mixed_text)
def test_offsets_are_exact_in_all_of_unicode(text: str) -> None:
    pieces = split(encoder.default()._tokenizer, text)
    assert (pieces.starts >= 0).all()
    assert (pieces.ends <= len(text)).all()
    assert (np.diff(pieces.starts) >= 0).all()
    for term in find(Document(text)):
        said = term.of(text)
        assert said == said.strip()
        assert any(c.isalnum() for c in said)


@pytest.mark.parametrize(
    "glue", ["🧑🏽‍⚕️ ", "e\u0301 ", "\r\n", "\t", "שלום ", "\u202e\u202c", "𝔘𝔫𝔦 ", "\ud800 "]
)
def test_a_name_is_cut_out_exactly_behind_anything(glue: str) -> None:
    text = f"{glue * 3}Yesterday Mr Zbigniew Kowalczyk of Gdynia came.{glue}"
    terms = [t.of(text) for t in find(Document(text))]
    assert any(t.endswith("Zbigniew Kowalczyk") for t in terms)
    assert "Gdynia" in terms


def test_pieces_spell_the_text_word_by_word() -> None:
    text = "Ångström’s naïve café — 東京 2031-05-12, e-mail: x.y@z.org"
    pieces = split(encoder.default()._tokenizer, text)
    shown = "".join(text[a:b] for a, b in zip(pieces.starts, pieces.ends, strict=True))
    assert shown == "".join(text.split())


def test_a_long_text_is_cut_block_by_block_with_the_same_offsets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = "Anna Kowal lives in Lyon.\n" * 40
    tokenizer = encoder.default()._tokenizer
    whole = split(tokenizer, text)
    monkeypatch.setattr(encoder, "BLOCK", 50)
    parts = split(tokenizer, text)
    for one, other in (
        (whole.starts, parts.starts),
        (whole.ends, parts.ends),
        (whole.ids, parts.ids),
    ):
        assert (one == other).all()
    assert split(tokenizer, "x" * 200).ends[-1] == 200


def test_mentions_of_one_name_share_one_decision() -> None:
    text = "Gülizar Yalman came. Yalman left."
    full, part = ScoredSpan(0, 14, "PERSON", 0.9), ScoredSpan(21, 27, "PERSON", 0.1)
    assert agree(text, [full, part])[1].chance == 0.9
    same = agree("Lyon or Lyon", [ScoredSpan(0, 4, "LOC", 0.8), ScoredSpan(8, 12, "LOC", 0.2)])
    assert same[0].chance == same[1].chance == pytest.approx(0.65)


def test_a_masked_name_is_masked_wherever_it_stands() -> None:
    text = "Mr Gülizar Yalman spoke; later Yalman and G.Y. signed, and so did May."
    masked = to_mask(text, [ScoredSpan(3, 17, "PERSON", 0.9)], 0.5)
    assert [text[m.start : m.end] for m in masked] == ["Gülizar Yalman", "Yalman", "G.Y."]
    assert [m.again for m in masked] == [False, True, True]
    assert to_mask(text, [ScoredSpan(3, 17, "PERSON", 0.4)], 0.5) == []
    ordinary = "May came in May"
    assert len(to_mask(ordinary, [ScoredSpan(0, 3, "PERSON", 0.9)], 0.5)) == 1


def test_initials_of_three_names_are_masked_without_dots_too() -> None:
    text = "H. Aldous Penhaligon wrote; copies to HAP. BP taken by Bo Park."
    masked = [ScoredSpan(0, 20, "PERSON", 0.9), ScoredSpan(55, 62, "PERSON", 0.9)]
    again = [text[m.start : m.end] for m in to_mask(text, masked, 0.5) if m.again]
    assert again == ["HAP"]


@pytest.mark.parametrize("below", ["Falmouth TR11 3XZ", "Truro", "Anna Marsh", "Kernow Homes Ltd"])
@pytest.mark.parametrize("above", ["9 Customs House Row", "Falmouth", "Bo Park", "Tamarisk Legal"])
def test_a_mention_ends_where_a_short_line_does(above: str, below: str) -> None:
    said = [term for term, _ in found(f"Kind regards,\n{above}\n{below}\n")]
    assert said
    assert not any("\n" in term for term in said)


def test_the_trade_off_is_set_in_plain_words() -> None:
    text = "The nurse from Leeds, who had worked nights since March, saw it first."
    sizes = [
        sum(t.end - t.start for t in personal(PersonalOptions(recall=level))(Document(text)))
        for level in ("precise", "balanced", "high")
    ]
    assert sizes == sorted(sizes)
    everything = personal(PersonalOptions(threshold=0.0001))(Document(text))
    assert sum(t.end - t.start for t in everything) >= sizes[-1]


def test_kinds_are_those_of_the_patterns() -> None:
    text = "He was admitted on 4 February 2019 at 21:40, aged 61, to Derriford Hospital."
    kinds = dict(found(text))
    assert kinds["4 February 2019"] == "DATE"
    assert all(kind in KINDS for kind in kinds.values())


def test_the_first_result_comes_soon_and_in_little_memory() -> None:
    """No timing is asserted here (see benchmarks/), but memory is a promise."""
    code = (
        "import json, re, sfumato;"
        "n = len(sfumato.detect('Ask Anna Kowal of Lyon. ' * 400));"
        "peak = re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1];"
        "print(json.dumps([n, int(peak) // 1024]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    terms, megabytes = json.loads(done.stdout)
    assert terms >= 400
    assert megabytes <= 400


def test_every_piece_of_the_vocabulary_has_a_number_of_its_own() -> None:
    pieces = encoder.default()._tokenizer.get_vocab()
    assert sorted(pieces.values()) == list(range(30_522))
    assert pieces["knowledge"] != pieces["shelf"]


def test_a_text_gets_its_own_reading_whatever_another_thread_reads_meanwhile() -> None:
    other = ("Ask Ben Lee.", encoder.default().read("Ask Ben Lee."))

    class Shared(encoder.Encoder):
        def __setattr__(self, name: str, value: object) -> None:
            super().__setattr__(name, other if name == "_last" and value else value)

    assert Shared(encoder.FOLDER).read("Anna Keller called.").text == "Anna Keller called."


@pytest.mark.parametrize(
    "text",
    ["It was 34°C.", "They took a bag with ₦2.3m in it.", "He paid KSh 45k and GH₵300.", "One expended 9mm shell was found.",
     "The fee is CHF 1.2m or 900 EUR.", "Set the fridge to 4 °C."],
)  # fmt: skip
def test_an_amount_with_its_sign_or_unit_stands(text: str) -> None:
    assert sanitize(text).text == text
