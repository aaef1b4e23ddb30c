"""Findings end where a file parts its text."""

from __future__ import annotations

import pytest

import sfumato
from sfumato import formats, keys
from sfumato.detect.finder import Finder
from sfumato.policy import load

CASES = [
    ("csv", "id,note\n4,seen on 12 March\n5,1961 was better\n", "note", "\n"),
    ("html", "<table><tr><td>seen on 12 March</td></tr><tr><td>1961 was better</td></tr>", "", "<"),
    ("json", '["seen on 12 March", "1961 was better"]', "", '"'),
    ("mail", "From: x\nSubject: seen on 12 March\n\n1961 was better\n", "", "\n"),
]


@pytest.mark.parametrize(("format", "file", "column", "border"), CASES)
def test_a_finding_keeps_to_its_cell(format: str, file: str, column: str, border: str) -> None:
    columns = [column] if column else []
    document = formats.parse(file.encode(), name="x", format=format, columns=columns)
    parts = [(part.start, part.end) for part in document.origin.parts]
    found = Finder(load("default"))(document)
    assert found
    for term in found:
        assert any(start <= term.start and term.end <= end for start, end in parts)


@pytest.mark.parametrize(("format", "file", "column", "border"), CASES)
def test_no_value_moves_to_another_record(format: str, file: str, column: str, border: str) -> None:
    columns = [column] if column else []
    document = formats.parse(file.encode(), name="x", format=format, columns=columns)
    key = keys.new()
    release = sfumato.sanitize(document, key=key)
    first = release.data.decode().partition("seen")[2].partition(border)[0]
    assert "12 March" not in first
    assert "1961" not in first
    assert {c.verdict for c in sfumato.verify(release, key=key)} == {"holds"}


def test_halves_of_a_name_in_two_tags_are_one() -> None:
    page = b"<p>Dr Marta <b>Keller</b> called</p>"
    document = formats.parse(page, name="x", format="html")
    terms = [t.of(document.text) for t in Finder(load("default"))(document) if t.kind == "PERSON"]
    assert [t.removeprefix("Dr ") for t in terms] == ["Marta Keller"]
