from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato import sanitize
from sfumato.document import Edit, Origin, Record, Term
from sfumato.english.folding import skeleton
from sfumato.english.ordinary import is_ordinary
from sfumato.facts.mentions import find, further_mentions, told_otherwise
from sfumato.verify import edits as verifier


def found(text: str, term: str) -> list[str]:
    return [text[a:b] for a, b, _ in find(text, [skeleton(term) or term])]


@pytest.mark.parametrize(
    ("text", "term", "expected"),
    [
        ("Keller met KELLER and keller.", "Keller", ["Keller", "KELLER", "keller"]),
        ("Kellers, Kellerman, McKeller", "Keller", []),
        (
            "Anna-Maria, anna  maria; ANNAMARIA",
            "Anna Maria",
            ["Anna-Maria", "anna  maria", "ANNAMARIA"],
        ),
        ("123456789 or 123 45 6789", "123-45-6789", ["123456789", "123 45 6789"]),
        ("Peréz, Pere\u0301z and Perez", "Pérez", ["Peréz", "Pere\u0301z", "Perez"]),
        ("Anna ......... Maria", "Anna Maria", []),
        ("in May or may", "May", []),
        ("365 days", "365", []),
        ("the ☎☎ sign", "☎☎", ["☎☎"]),
        ("Straße and STRASSE", "strasse", ["Straße", "STRASSE"]),
    ],
)
def test_a_mention_is_found_in_any_case_spacing_and_hyphenation(
    text: str, term: str, expected: list[str]
) -> None:
    assert found(text, term) == expected


def test_mentions_inside_or_across_edits_do_not_count() -> None:
    text = "Keller Braun, Keller, then Braun Keller Braun"
    edits = [Edit(0, 12, "PERSON", "[PERSON]", ""), Edit(14, 20, "PERSON", "X", "")]
    assert [
        (t.start, t.end, t.kind)
        for t in sorted(further_mentions(text, edits), key=lambda t: (t.start, t.end))
    ] == [
        (27, 32, "PERSON"),
        (33, 39, "PERSON"),
        (33, 45, "PERSON"),
        (40, 45, "PERSON"),
    ]


def test_a_word_of_a_hidden_name_is_a_mention_of_it() -> None:
    text = "Maria Keller-Braun; Keller, braun, May, Kellers"
    edits = [Edit(0, 18, "PERSON", "[PERSON]", "")]
    assert [text[t.start : t.end] for t in further_mentions(text, edits)] == ["Keller", "braun"]
    assert further_mentions(text, [Edit(0, 18, "ORG", "[ORG]", "")]) == []


def test_a_firm_is_told_without_what_it_is_by_law() -> None:
    text = "Hale & Marsh LLP wrote. HALE & MARSH act; Hale does not, hale as he is. Apex Ltd. paid; the apex leaks."
    edits = [Edit(0, 16, "ORG", "[ORG]", ""), Edit(74, 83, "ORG", "[ORG]", "")]
    assert [text[t.start : t.end] for t in further_mentions(text, edits)] == [
        "HALE",
        "HALE & MARSH",
        "Hale",
    ]


@given(
    st.lists(st.text(st.characters(), max_size=10), max_size=8),
    st.text(st.characters(), min_size=1, max_size=6),
)
def test_search_and_checker_agree_on_what_a_mention_is(pieces: list[str], term: str) -> None:
    """Two implementations of one definition: where the checker sees a survivor, the search must too."""
    text = term.join(pieces)
    key = skeleton(term) or term
    seen = {t for _, t in verifier._occurrences(text, {key})}
    ordinary = is_ordinary(key) and bool(skeleton(term))
    assert bool(list(find(text, [key]))) == (key in seen and not ordinary and bool(term.strip()))


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("Milan; then Milano, Mailand and a Milanese; milano.", ["Milano", "Mailand", "Milanese"]),
        ("Warsaw. Warszawa! WARSCHAU, Varsovians too.", ["Warszawa", "WARSCHAU", "Varsovians"]),
        ("Scotland: a Scotsman, two Scotswomen? A scotch.", ["Scotsman", "Scotswomen"]),
        ("Saxon by birth, she left Saxony and Sachsen.", ["Saxony", "Sachsen"]),
        ("Nice is nice; a Niçois says Nizza. A Nicer one.", ["Niçois", "Nizza"]),
        ("Bosnia? Bosnians, a Bosniac.", ["Bosnians"]),
        ("Panama. The Panamanian left, Panamanians stay.", ["Panamanian", "Panamanians"]),
        ("Hungary, a Magyar and the Hungarians.", ["Magyar", "Hungarians"]),
        ("France: a Parisian, three Lyonnais and a Texan.", ["Parisian", "Lyonnais"]),
        ("America was home to New Yorkers, an Indian and Texans.", ["New Yorkers", "Texans"]),
        ("Prague was cold. The prague ham.", []),
        ("Rome is hot, as is Paris, I think.", []),
        ("Poland: the Poles, one Pole, tent poles.", ["Poles", "Pole"]),
        ("UAE: the Emirates, an Emirati.", ["Emirates", "Emirati"]),
        ("Buckinghamshire, or Bucks: ten bucks.", ["Bucks"]),
        ("Britain: a Brit, Scots and Danes.", ["Brit", "Scots"]),
    ],
)
def test_a_place_is_told_by_its_other_names_and_its_people(text: str, others: list[str]) -> None:
    first = text.split(maxsplit=1)[0].strip(".,;:?")
    term = Term(0, len(first), "DEM" if first == "Saxon" else "LOC", 1.0, "")
    assert [text[t.start : t.end] for t in told_otherwise(text, [term])] == others
    hidden = [Edit(0, len(first), term.kind, "[…]", "")]
    again = [text[t.start : t.end] for t in further_mentions(text, hidden)]
    assert {w for w in again if w.casefold() != first.casefold()} == set(others)


@pytest.mark.parametrize(
    ("text", "hidden", "kind", "others"),
    [
        ("Nowak v. Poland: the Polish side.", "Poland", "ORG", ["Polish"]),
        ("DEMIR v. TURKEY. Turkish courts", "TURKEY", "PERSON", ["Turkish"]),
        ("Ivanov versus Georgia: Georgians", "Georgia", "PERSON", ["Georgians"]),
        ("Georgia left a Georgian house", "Georgia", "PERSON", []),
        ("Embassy of Kenya, London: two Kenyans", "Embassy of Kenya, London", "ORG", ["Kenyans"]),
        ("Jordan Ltd is not Jordanian", "Jordan Ltd", "ORG", []),
        ("in Bosnia and Herzegovina, Bosnia", "Bosnia and Herzegovina", "LOC", ["Bosnia"]),
        ("Brighton & Hove: Hove", "Brighton & Hove", "LOC", ["Hove"]),
        ("North Macedonia or Macedonia", "North Macedonia", "LOC", ["Macedonia"]),
        ("in the DR Congo, the Congo", "DR Congo", "LOC", ["Congo"]),
        ("in Oklahoma City or OKC", "Oklahoma City", "LOC", ["OKC"]),
    ],
)
def test_a_name_tells_the_country_and_the_places_that_are_in_it(
    text: str, hidden: str, kind: str, others: list[str]
) -> None:
    start = text.index(hidden)
    term = Term(start, start + len(hidden), kind, 1.0, "")
    assert [text[t.start : t.end] for t in told_otherwise(text, [term])] == others


@pytest.mark.parametrize(
    ("day", "text", "found"),
    [
        ("31 October 2021", "It was Halloween, or hallowe’en.", ["Halloween", "hallowe’en"]),
        ("2021-10-30", "It was Halloween.", []),
        ("29 February 2024", "It was leap day.", ["leap day"]),
        ("25 December", "On Christmas Day, before Christmas.", ["Christmas Day", "Christmas"]),
        ("October 2021", "It was Halloween.", []),
    ],
)
def test_a_hidden_day_is_told_by_what_it_is_called(day: str, text: str, found: list[str]) -> None:
    whole = f"{day}. {text}"
    hidden = [Edit(0, len(day), "DATE", "[DATE]", "")]
    made = sorted(further_mentions(whole, hidden), key=lambda t: (t.start, -t.end))
    outer = [
        t
        for t in made
        if not any(o is not t and o.start <= t.start <= t.end <= o.end for o in made)
    ]
    assert [t.of(whole) for t in outer] == found


@pytest.mark.parametrize(
    "text",
    [
        "Go to Leeds County Council. The Washington, D.C. boats left.",
        "The D.C. boats left. The Washington boats left.",
    ],
)
def test_a_place_that_is_hidden_for_short_is_hidden_by_its_name(text: str) -> None:
    """The check of originals looks for it, so a text was refused in which it stayed."""
    assert "Washington" not in sanitize(text, "default").text


@pytest.mark.parametrize(
    "said",
    [
        *("tuber-culosis", "tuber-\nculosis", "Tuber\u2010\r\nculosis", "TUBER-\nCULOSIS"),
        *("tuber culosis", "tuber<b>culosis</b>", "<i>tuber</i>culosis", "tuber-<br>culosis"),
        *(
            "tuber-\n> culosis",
            "tuber- \n  culosis",
            "tuber-\n\nculosis",
            "t u b e r c u l o s i s",
        ),
    ],
)
def test_an_ordinary_word_that_is_hidden_is_a_mention_where_it_is_parted(said: str) -> None:
    hidden = [Edit(0, 12, "HEALTH", "[1]", "")]
    text = f"tuberculosis came with {said} again, whole: tuberculosis."
    (term,) = further_mentions(text, hidden)
    assert 23 <= term.start < term.end <= 23 + len(said)
    assert re.sub("<.*?>|[^a-z]", "", term.of(text).lower()) == "tuberculosis"


@pytest.mark.parametrize("said", ["the rapist", "The rapist", "the  rapist"])
def test_two_words_that_are_said_like_one_are_two(said: str) -> None:
    assert further_mentions(f"therapist, {said}", [Edit(0, 9, "JOB", "[1]", "")]) == []


PARTS = [
    "",
    "-",
    " ",
    "-\n",
    "\u2010\n",
    "-\n> ",
    "<b>",
    "</i>",
    "-<br>",
    "<br>",
    "</td><td>",
    "- ",
    "\n",
    "<wbr>",
]
CASES = (str.lower, str.upper, str.title)


@given(
    st.sampled_from(["tuberculosis", "diabetes", "therapist", "keller", "checkup", "may"]),
    st.lists(st.sampled_from(PARTS), min_size=2, max_size=2),
    st.tuples(st.integers(1, 6), st.integers(1, 6)),
    st.sampled_from(CASES),
)
def test_where_the_checker_sees_a_parted_word_the_search_has_hidden_it(
    word: str, parts: list[str], cuts: tuple[int, int], case: Callable[[str], str]
) -> None:
    first, last = sorted(1 + cut % (len(word) - 1) for cut in cuts)  # within the word
    said = case(f"{word[:first]}{parts[0]}{word[first:last]}{parts[1]}{word[last:]}")
    text = f"{word} came, {said} again"
    hidden = [Edit(0, len(word), "HEALTH", "[1]", "")]
    hidden += [Edit(t.start, t.end, t.kind, "[1]", "") for t in further_mentions(text, hidden)]
    ends = [0, *(edit.end for edit in hidden)]
    shown = "".join(text[end : e.start] + "[1]" for end, e in zip(ends, hidden, strict=False))
    originals = tuple(text[e.start : e.end] for e in hidden)
    record = Record("x", Origin(), tuple(hidden), originals)
    assert verifier.originals_gone(shown + text[hidden[-1].end :], record).verdict == "holds"
