"""Gold data is read as it was released, and what is wrong with a file is said with its line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.errors import EncodingError, InputError
from sfumato.measure.gold import GoldDocument, mentions_of, read
from sfumato.measure.tab import Identifier, count
from tests.conftest import ROOT, SHARED

TEXT = "Ann lives in Rome 🙂, Ann says."


def mention(start: int, end: int, **values: object) -> dict[str, Any]:
    return {"start_offset": start, "end_offset": end, "identifier_type": "QUASI", **values}


def write(path: Path, data: object) -> Path:
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


def marked(document: GoldDocument, annotator: int = 0) -> list[tuple[str, str]]:
    found = document.annotations[annotator]
    return [(document.text[m.start : m.end], m.kind) for m in found]


# JSON


def test_one_document_a_line(tmp_path: Path) -> None:
    first = {
        "doc_id": "d1",
        "text": TEXT,
        "mentions": [
            mention(21, 24, entity_id="e1", entity_type="PERSON", span_text="Ann"),
            mention(0, 3, entity_id="e1", entity_type="PERSON", identifier_type="DIRECT"),
            mention(13, 17, entity_type="LOC"),
        ],
    }
    second = {"text": "line\u2028separator", "mentions": []}
    lines = [json.dumps(first), "", json.dumps(second, ensure_ascii=False)]
    one, two = read(write(tmp_path / "g.jsonl", "\ufeff" + "\r\n".join(lines)))
    assert marked(one) == [("Ann", "PERSON"), ("Rome", "LOC"), ("Ann", "PERSON")]
    assert [m.identifier for m in one.annotations[0]] == ["DIRECT", "QUASI", "QUASI"]
    assert [m.entity for m in one.annotations[0]] == ["e1", "mention 3", "e1"]
    assert (one.name, two.name, two.annotations) == ("d1", "3", ((),))


def test_what_some_annotator_masked_is_to_be_masked(tmp_path: Path) -> None:
    mentions = [
        {"start_offset": 0, "end_offset": 3, "masked_by_someone": True},
        {"start_offset": 13, "end_offset": 17, "masked_by_someone": False},
    ]
    path = write(tmp_path / "g.jsonl", {"text": TEXT, "mentions": mentions})
    (document,) = read(path)
    assert [m.identifier for m in document.annotations[0]] == [Identifier.QUASI, Identifier.NO_MASK]


def test_the_benchmarks_own_file_has_several_annotators(tmp_path: Path) -> None:
    def annotator(*mentions: object) -> dict[str, object]:
        return {"entity_mentions": list(mentions)}

    data = [
        {
            "doc_id": "001-1",
            "text": TEXT,
            "dataset_type": "dev",
            "annotations": {
                "annotator1": annotator(mention(0, 3, entity_id="a1", entity_type="PERSON")),
                "annotator2": annotator(
                    mention(0, 3, entity_id="b1", entity_type="PERSON"),
                    mention(13, 17, entity_id="b2", entity_type="LOC"),
                ),
            },
        }
    ]
    (document,) = read(write(tmp_path / "echr.json", data))
    assert marked(document, 0) == [("Ann", "PERSON")]
    assert marked(document, 1) == [("Ann", "PERSON"), ("Rome", "LOC")]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"text": "x", "mentions": []', r"g\.jsonl:2: not JSON \(.*column \d+\)"),
        ("[1]", r"g\.jsonl:2: not a document"),
        ('{"mentions": []}', r"g\.jsonl:2: 'text' is missing"),
        ('{"text": 5, "mentions": []}', r"g\.jsonl:2: 'text' is missing, or is no string"),
        ('{"text": "x"}', r"g\.jsonl:2: 'mentions' is missing, or is no list"),
        ('{"text": "x", "mentions": "none"}', r"'mentions' is missing, or is no list"),
        ('{"text": "x", "mentions": [7]}', r"g\.jsonl:2: mention 1: not an object"),
    ],
)
def test_a_line_that_is_no_document_is_named(tmp_path: Path, line: str, message: str) -> None:
    good = json.dumps({"text": "x", "mentions": []})
    with pytest.raises(InputError, match=message):
        read(write(tmp_path / "g.jsonl", f"{good}\n{line}\n{good}"))


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (mention(2, 2), "should be places in the text"),
        (mention(0, 99), "should be places in the text"),
        (mention(-1, 2), "should be places in the text"),
        ({"end_offset": 2}, "should be places in the text"),
        (mention(True, 2), "should be places in the text"),
        (mention(0, 3, span_text="Bob"), "'span_text' is not what the text has"),
        (mention(0, 3, identifier_type="MAYBE"), "should be DIRECT, QUASI, NO_MASK"),
        ({"start_offset": 0, "end_offset": 3}, "should be DIRECT, QUASI, NO_MASK"),
    ],
)
def test_a_mention_that_makes_no_sense_is_named(tmp_path: Path, bad: object, message: str) -> None:
    data = {"text": TEXT, "mentions": [mention(0, 3), bad]}
    with pytest.raises(InputError, match=rf"g\.jsonl:1: mention 2: .*{message}") as caught:
        read(write(tmp_path / "g.jsonl", data))
    assert "Ann" not in str(caught.value)  # an error holds no text of the data


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("[\n  {}\n  {}]", r"g\.json:3: not JSON"),
        ({"text": "x"}, r"not a list of documents; one document a line is a \.jsonl file"),
        ([{"text": "x"}], "document 1: 'annotations' should be an object"),
        ([{"text": "x", "annotations": {"a": 1}}], "document 1: 'entity_mentions' is missing"),
        ([], "no documents in it"),
    ],
)
def test_a_file_that_is_not_the_benchmarks_is_refused(
    tmp_path: Path, data: object, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        read(write(tmp_path / "g.json", data))


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.jsonl: cannot be read"):
        read(tmp_path / "nowhere.jsonl")
    (tmp_path / "bytes.jsonl").write_bytes(b"{}\xff")
    with pytest.raises(EncodingError, match="byte 2"):
        read(tmp_path / "bytes.jsonl")
    with pytest.raises(InputError, match="no documents in it"):
        read(write(tmp_path / "empty.conll", "\n\n"))


# CoNLL


def test_tokens_are_joined_by_spaces_and_each_sentence_is_a_document(tmp_path: Path) -> None:
    path = write(
        tmp_path / "g.conll",
        "Ann\tB-PER\nMeier\tI-PER\nof\tO\nRome\tB-LOC\n\n#\tO\nBo\tB-PER\nCy\tB-PER\n \n",
    )
    first, second = read(path)
    assert first.text == "Ann Meier of Rome\n"
    assert marked(first) == [("Ann Meier", "PER"), ("Rome", "LOC")]
    assert {m.identifier for m in first.annotations[0]} == {Identifier.QUASI}
    assert second.text == "# Bo Cy\n"
    assert marked(second) == [("Bo", "PER"), ("Cy", "PER")]


def test_documents_are_told_apart_where_the_file_does(tmp_path: Path) -> None:
    path = write(
        tmp_path / "eng.testb",
        "-DOCSTART- -X- O O\n\nAnn NNP I-NP I-PER\n. . O O\n\nRome NNP I-NP I-LOC\n\n"
        "-DOCSTART- -X- O O\n\n1 CD I-NP O\n",
    )
    first, second = read(path)
    assert first.text == "Ann .\nRome\n"
    assert marked(first) == [("Ann", "PER"), ("Rome", "LOC")]
    assert (second.name, second.text) == ("2", "1\n")


def test_numbered_tokens_have_their_tag_in_the_third_column(tmp_path: Path) -> None:
    path = write(
        tmp_path / "g.iob2",
        "# newdoc id = a1\n# text = Ann sat\n1\tAnn\tB-PER\t-\t-\n2\tsat\tO\t-\t-\n\n"
        "# sent_id = 2\n1\tI\tO\t-\t-\n\n# newdoc id = a2\n1\tRome\tB-LOC\t-\t-\n",
    )
    first, second = read(path)
    assert (first.name, first.text) == ("a1", "Ann sat\nI\n")
    assert (second.name, marked(second)) == ("a2", [("Rome", "LOC")])


@pytest.mark.parametrize(
    ("tags", "found"),
    [
        ("B-X I-X O", ["a b"]),
        ("B-X B-X I-X", ["a", "b c"]),
        ("I-X I-X I-Y", ["a b", "c"]),
        ("O I-X I-X", ["b c"]),
        ("B-X I-Y O", ["a", "b"]),
        ("B-X I-X E-X", ["a b c"]),
        ("S-X U-X O", ["a", "b"]),
        ("B-X L-X I-X", ["a b", "c"]),
        ("O O O", []),
    ],
)
def test_the_usual_tag_schemes_are_understood(tmp_path: Path, tags: str, found: list[str]) -> None:
    rows = "\n".join(f"{token} {tag}" for token, tag in zip("abc", tags.split(), strict=True))
    (document,) = read(write(tmp_path / "g.conll", rows))
    assert [text for text, _ in marked(document)] == found


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("alone", "should have a token and its tag"),
        ("Ann PER", r"the tag should be O, or B- or I-"),
        ("Ann B-", r"the tag should be O, or B- or I-"),
        ("\tB-PER", "the token is missing"),
    ],
)
def test_a_row_that_makes_no_sense_is_named(tmp_path: Path, row: str, message: str) -> None:
    with pytest.raises(InputError, match=rf"g\.conll:2: .*{message}"):
        read(write(tmp_path / "g.conll", f"a O\n{row}\n"))


def test_a_lost_character_outside_entities_is_passed_over(tmp_path: Path) -> None:
    (document,) = read(write(tmp_path / "g.conll", "a\tO\n\tO\nb\tB-X\t\n"))
    assert (document.text, marked(document)) == ("a b\n", [("b", "X")])


TOKENS = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=6)
ROWS = st.lists(st.tuples(TOKENS, st.sampled_from(["O", "B-X", "I-X", "B-Y"])), min_size=1)


@given(st.lists(ROWS, min_size=1, max_size=4))
def test_offsets_are_exact_on_any_tokens(
    tmp_path_factory: pytest.TempPathFactory, sentences: list[list[tuple[str, str]]]
) -> None:
    path = tmp_path_factory.mktemp("gold") / "g.conll"
    rows = "\n\n".join("\n".join(f"{token}\t{tag}" for token, tag in s) for s in sentences)
    documents = read(write(path, f"-DOCSTART-\tO\n\n{rows}\n"))
    text = "".join(" ".join(token for token, _ in s) + "\n" for s in sentences)
    assert [d.text for d in documents] == [text]
    inside = " ".join(part for part, _ in marked(documents[0])).split(" ")
    assert [t for t in inside if t] == [t for s in sentences for t, tag in s if tag != "O"]


# The data at hand


def test_the_handwritten_texts_are_read() -> None:
    documents = read(ROOT / "tests" / "data" / "handwritten.jsonl")
    assert len(documents) >= 60
    assert sum(len(d.annotations[0]) for d in documents) > 500
    assert len({d.name for d in documents}) == len(documents)


@pytest.mark.parametrize(
    ("name", "documents", "mentions"),
    [
        ("tab/dev.jsonl", 21, 818),
        ("tab/dev_mentions.jsonl", 127, 7664),
        ("ner/wikigold/wikigold.conll.txt", 145, 3558),
        ("ner/wnut17/emerging.test.annotated", 1287, 1079),
        ("ner/uner_ewt/en_ewt-ud-test.iob2", 316, 1088),
        ("ner/btc/h.conll", 2000, 3368),
    ],
)
def test_public_gold_data_is_read_whole(name: str, documents: int, mentions: int) -> None:
    if not (SHARED / name).exists():
        pytest.skip(f"{name} is not there; it is not part of the project")
    found = read(SHARED / name)
    assert len(found) == documents
    assert sum(len(d.annotations[0]) for d in found) == mentions
    for document in found[:50]:
        everything = [(0, len(document.text))]
        counts = count(document.text, document.annotations[0], everything)
        assert counts.tokens_recalled == counts.tokens


def test_mentions_are_read_in_order_and_unnamed_ones_stand_alone() -> None:
    written = [
        {"start_offset": 9, "end_offset": 12, "identifier_type": "QUASI"},
        {"start_offset": 0, "end_offset": 3, "identifier_type": "DIRECT", "entity_id": ""},
    ]
    first, second = mentions_of(written, "Ann, of Rome")
    assert (first.start, second.start) == (0, 9)
    assert first.entity != second.entity


def test_an_unknown_identifier_is_an_error() -> None:
    with pytest.raises(InputError, match="'identifier_type' should be DIRECT, QUASI, NO_MASK"):
        mentions_of([{"start_offset": 0, "end_offset": 1, "identifier_type": "MAYBE"}], "Ann")
