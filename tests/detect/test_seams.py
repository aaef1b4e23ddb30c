"""Words that only tags part are read as one word and as two."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

import sfumato
from sfumato import formats
from sfumato.detect.finder import Finder
from sfumato.detect.seams import found_apart, seams
from sfumato.document import Claim, Document, Release, Term
from sfumato.policy import load
from sfumato.verify.evidence import Evidence
from sfumato.verify.kinds import LEFT, no_known_term_left

NAME, ADDRESS = "Quorra Vandersteen", "q.vandersteen@plinth.example"
POLICY: dict[str, Any] = {
    "name": "own",
    "detect": [{"lists": {"hide": [{"kind": "PERSON", "terms": [NAME]}]}}, "patterns"],
    "protect": ["replace"],
    "replace": {"*": "label"},
}


def page(text: str) -> Document:
    return formats.parse(text.encode(), name="page.html", format="html")


def sanitized(text: str, policy: Mapping[str, Any] = POLICY) -> Release:
    return sfumato.sanitize(page(text), policy)


@pytest.mark.parametrize(
    "text",
    [
        f'<span class="label">Name</span><span class="value">{NAME}</span>',
        f"{NAME}<sup>1</sup> wrote",
        f"By<b>{NAME}</b>in",
        f"<ruby>{NAME}<rt>kw</rt></ruby>",
        f"{NAME}<a href=#>more</a>",
        f"<del>{NAME}</del><ins>Bob</ins>",
        "<span>Quorra</span><span>Vandersteen</span>",
        "<b>Quor</b>ra Vander<i>steen</i>",
        "By<b>Quor<i>ra</i> Vander</b>steen<sup>2</sup>",  # neither all one word nor all apart
        '<text>Quor<tspan dx="1">ra Vandersteen</tspan></text>',
        f"<svg><text>by<tspan>{NAME}</tspan></text></svg>",
    ],
)
def test_a_name_is_found_whether_tags_part_its_words_or_not(text: str) -> None:
    release = sanitized(text)
    shown = formats.read_again(release.data, release.record).text.lower()
    assert "[person 1]" in shown
    assert not [part for part in ("quor", "vander", "steen") if part in shown]


@pytest.mark.parametrize(
    "text",
    [
        f"<span>Mail</span><span>{ADDRESS}</span>",
        f"<span>{ADDRESS}</span><span>Phone</span>",
        "q.vander<b>steen</b>@plinth.example",
        "q.vandersteen@pli<wbr>nth.example",
    ],
)
def test_an_address_is_found_whether_tags_part_it_from_words_or_cut_it(text: str) -> None:
    shown = sanitized(text).data.decode()
    assert not [part for part in ("q.", "steen", "plinth", "nth") if part in shown]


def test_a_further_mention_ends_at_a_tag_too() -> None:
    names = [{"lists": {"hide": [{"kind": "PERSON", "terms": [NAME]}]}}]
    text = f"<p>{NAME}</p><span>Author</span><span>Vandersteen</span>"
    assert "Vandersteen" not in sanitized(text, {**POLICY, "detect": names}).data.decode()


def test_only_seams_within_words_count() -> None:
    assert seams(page("<b>Wie</b>czorek, <i>a</i> b<sup>2</sup>.<p>x</p>")) == [3, 14]


def test_a_page_without_seams_is_read_once() -> None:
    calls: list[str] = []

    def detect(document: Document) -> list[Term]:
        calls.append(document.text)
        return []

    assert not [*found_apart(page("We saw weight <b>loss</b>."), [detect])]
    assert calls == []
    assert not [*found_apart(page("Name<b>Ann</b>"), [detect])]
    assert calls == ["Name Ann\n"]


def test_what_is_kept_stays_though_a_tag_parts_it() -> None:
    ann = [{"lists": {"hide": [{"kind": "PERSON", "terms": ["Ann"]}]}}]
    release = sanitized("<b>Ann</b>abel", {**POLICY, "keep": ["Annabel"], "detect": ann})
    assert release.data == b"<b>Ann</b>abel"


def test_a_verifier_reads_both_ways_too() -> None:
    rules = load(POLICY)
    shown = page(f"<span>Name</span><span>{NAME}</span>")
    evidence = Evidence(shown.text, rules, Finder(rules), parts=shown.origin.parts)
    assert no_known_term_left(Claim(LEFT), evidence).verdict == "does not hold"
    assert no_known_term_left(Claim(LEFT), replace(evidence, parts=())).verdict == "holds"


@pytest.mark.parametrize(
    "text",
    [
        "GET /search?name=Quorra%20Vandersteen HTTP/1.1",
        "[report](files/Quorra%2CVandersteen.pdf)",
        'body="Dear team,\\nVandersteen called\\tVandersteen"',
        "=20Vandersteen",
    ],
)
def test_a_listed_name_behind_a_code_is_found(text: str) -> None:
    hidden = [{"kind": "PERSON", "terms": ["Vandersteen"]}]
    settings = {"detect": [{"lists": {"hide": hidden}}]}
    release = sfumato.sanitize(text, settings)
    assert "Vandersteen" not in release.text
    assert release.text.count("[PERSON 1]") == text.count("Vandersteen")
