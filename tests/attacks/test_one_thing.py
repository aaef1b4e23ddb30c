"""A text speaks of things: who reads a release as one who knows what its words mean finds no hidden value in
another word's replacement, and can tell who is who."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path

import pytest

from sfumato import formats, sanitize
from sfumato.document import Document
from sfumato.errors import InputError
from tests.conftest import SHARED

EXAMPLES = Path(__file__).parents[2] / "examples"
POLICIES = {
    "default": "default",
    "undisclosed": "undisclosed",
    "generalise": {"replace": {"*": "generalise"}},
    "plausibility": {"protect": [{"plausibility": {"t": 1000}}]},
    "two units": {"protect": [{"plausibility": {"t": {"sentence": 10, "document": 1000}}}]},
}


def words(text: str) -> str:
    return " ".join(["", *re.findall(r"[^\W_]+", text.lower()), ""])


def told_again(document: Document, policy: object) -> list[str]:
    """The general words that hold what another edit hides; a range of numbers may begin with any."""
    release = sanitize(document, policy)  # type: ignore[arg-type]
    text = document.text
    hidden = {words(text[e.start : e.end]) for e in release.edits if e.kind != "ARTICLE"}
    hidden = {word for word in hidden if re.search("[a-z]", word)}
    return [
        e.replacement
        for e in release.edits
        if e.how == "generalise"
        and not re.search(r"\d[-–]\d", e.replacement)
        and any(word in words(e.replacement) for word in hidden)
    ]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("name", sorted(p.name for p in EXAMPLES.glob("*.txt")))
def test_no_hidden_value_stands_in_a_replacement_of_an_example(name: str, policy: str) -> None:
    document = formats.read(EXAMPLES / name, name=name)
    assert told_again(document, POLICIES[policy]) == []


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
def test_no_hidden_value_stands_in_a_replacement_of_a_judgment(policy: str) -> None:
    judgments = SHARED / "tab" / "dev.jsonl"
    if not judgments.exists():
        pytest.skip("no judgments here: shared/data/tab is missing")
    with judgments.open() as lines:
        for line in lines:
            given = json.loads(line)
            assert told_again(Document(given["text"]), POLICIES[policy]) == [], given["doc_id"]


@pytest.mark.parametrize("beside", ["date", "day", "second", "season"])
def test_an_ordinary_word_that_is_hidden_stands_in_no_replacement(beside: str) -> None:
    asked = {"detect": [], "protect": [{"plausibility": {"t": 20, "terms": "nouns"}}]}
    document = Document(f"The time and the {beside} are known. The nurse had a dog and a violin.")
    assert told_again(document, asked) == []


@pytest.mark.parametrize("name", ["Court", "Ward", "Hall", "Rush"])
def test_a_common_word_with_a_capital_is_nobody_who_is_called_so(name: str) -> None:
    asked = {"detect": [], "protect": [{"plausibility": {"t": 20, "terms": "nouns"}}]}
    text = "They saw the {} again. The nurse had a dog and a violin."
    shown, small = (sanitize(text.format(word), asked).text for word in (name, name.lower()))
    assert shown == small


def test_two_names_of_one_thing_count_once_whatever_their_capitals() -> None:
    asked = {"detect": [], "protect": [{"plausibility": {"t": 20, "terms": "nouns"}}]}
    shown = sanitize("They left the Court. A nurse saw the Tribunal and a dog.", asked).text
    assert len(set(re.findall(r"[Tt]he (\w+)", shown))) == 1


def test_two_partners_of_a_chat_stay_two() -> None:
    text = (
        "leoq_83: hi\nmia.k7: hello leoq_83\nleoq_83: ask @mia.k7 about Leo\nmia.k7: no, ask Leo\n"
    )
    shown = sanitize(text).text
    first, second, *_ = dict.fromkeys(re.findall(r"^(\[[A-Z]+ \d+\]):", shown, re.MULTILINE))
    assert first != second
    lines = shown.splitlines()
    assert [line.partition(":")[0] for line in lines] == [first, second, first, second]
    assert lines[1].endswith(f"hello {first}")
    assert second in lines[2]


def test_a_name_is_of_one_kind_in_all_its_places() -> None:
    shown = sanitize(
        "Priya Nair joined Acme Ltd. Priya said so. We asked Priya; Nina asked Priya and Nina left."
    ).text
    assert set(re.findall(r"\[PERSON \d\]", shown)) == {"[PERSON 1]", "[PERSON 2]"}
    assert shown.count("[PERSON 1]") == 4


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Mr France lives in Lyon.", "France"),
        ("Christine England lives in Leeds.", "England"),
        ("Virginia Woods lives in Richmond.", "Virginia"),
        ("Jordan Smith was born in Amman.", "Jordan"),
        ("Anna Norfolk lives in Norwich.", "Norfolk"),
        ("She lives in Diyarbakır.", "Diyarbakir"),
    ],
)
@pytest.mark.parametrize("policy", [*POLICIES][:-1])
def test_a_place_is_not_said_by_a_name_that_is_hidden(text: str, name: str, policy: str) -> None:
    rules = POLICIES[policy]
    if policy == "plausibility":
        rules = {"protect": [{"plausibility": {"t": 20}}]}
    assert name not in sanitize(text, rules).text  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "persons"),
    [
        ("Mr Thomas Brown came with his wife. Mrs Brown was ill. Mr Brown left.", [1, 2, 1]),
        ("Peter Young and his wife came. Mrs Young is ill; Mr Young is not.", [1, 2, 1]),
        ("Mr Ahmet Yılmaz and his wife Fatma Yilmaz came. Mr Yilmaz wept.", [1, 2, 1]),
        ("Łukasz Walesa came. Lukasz Walesa left. Mr Wałęsa stayed.", [1, 1, 1]),
        ("Mr Alan Hughes was admitted. Prof. Hughes operated. Mr Hughes went home.", [1, 2, 1]),
        ("Mr. John Smith came. Dr. Smith saw him. Mr. Smith left.", [1, 2, 1]),
        ("Ms. Anna Keller worked here. Ms. Keller was good. She is now Dr. Keller.", [1, 1, 2]),
        ("Mr Tom Webb asked. Tom Webb left. Dr Webb came.", [1, 1, 2]),
        ("Dr John Smith came. Mr John Smith is on leave. Dr Smith wrote.", [1, 1, 1]),
        ("Dr Ann Lee spoke. Prof Lee left. Dr Lee stayed.", [1, 1, 1]),
    ],
)
def test_titles_and_letters_tell_who_is_who(text: str, persons: list[int]) -> None:
    assert re.findall(r"\[PERSON (\d+)\]", sanitize(text).text) == [str(n) for n in persons]


@pytest.mark.parametrize(
    "text",
    ["He paid 200 dollars, i.e. $200, USD 200.", "He owes 1,500 euros (EUR 1500, €1,500)."],
)
def test_one_sum_in_three_currencies_signs_is_one_number(text: str) -> None:
    release = sanitize(text, {"protect": [{"plausibility": {"t": 50}}]})
    (said,) = (c.detail for c in release.checks if c.name == "t-plausible")
    found = re.search(r"one of ([\d,]+)", said)
    assert found
    assert int(found[1].replace(",", "")) <= 100
    assert len(set(re.findall(r"\d[\d,]*–[\d,]*\d", release.text))) == 1


AMOUNTS = [
    ("He paid $500 in cash. Five hundred dollars was too much.", "hundred"),
    (
        "He paid $4,500 in cash. That is four thousand five hundred dollars.",
        "four|thousand|hundred",
    ),
    ("He paid 500 euros. Five hundred euros is much.", "hundred"),
    ("He paid £25. It was the twenty-five pounds.", "twenty|five"),
    ("She got £3bn. The three billion pounds went.", "3bn|three"),
    ("He paid a hundred dollars. The $100 was lost.", "hundred|100"),
]


@pytest.mark.parametrize("policy", ["strict", "program", "text"])
@pytest.mark.parametrize(("text", "gone"), AMOUNTS)
def test_an_amount_is_hidden_in_words_as_in_digits(text: str, gone: str, policy: str) -> None:
    asked = {"protect": [{"plausibility": {"t": 5, "adversary": policy}}]}
    made = sanitize(text, policy if policy == "strict" else asked)
    assert not re.search(rf"(?i)\b(?:{gone})\b(?![-–,])", made.text), made.text


@pytest.mark.parametrize("adversary", ["program", "text"])
@pytest.mark.parametrize(
    "text",
    [
        "He paid €1.2 million. The 1,200,000 euros were returned.",
        "She got $2m. The $2,000,000 went.",
        "She got USD 2M, or 2,000,000 dollars.",
        "It cost 300k euros; the €300,000 was lent.",
    ],
)
def test_an_amount_with_a_factor_is_not_counted_beside_itself(text: str, adversary: str) -> None:
    """The digits leave ten amounts at t = 10; as two facts they would leave five, and be said to leave 25."""
    made = sanitize(text, {"protect": [{"plausibility": {"t": 10, "adversary": adversary}}]})
    counts = [
        n.get("alternatives", n.get("volume")) for e in made.edits if "fact" in (n := e.numbers)
    ]
    assert counts == [10]


@pytest.mark.parametrize("adversary", ["program", "text"])
def test_an_amount_beside_a_number_that_may_be_of_it_counts_for_nothing(adversary: str) -> None:
    text = "It cost 2 dozen dollars; the $24 was lent."
    made = sanitize(text, {"protect": [{"plausibility": {"t": 10, "adversary": adversary}}]})
    assert made.text == "It cost 2 [MONEY 1]; the [MONEY 2] was lent."
    assert {n.get("alternatives", n.get("volume", 1)) for n in (e.numbers for e in made.edits)} == {
        1
    }


def test_an_article_is_put_once() -> None:
    assert " an an " not in sanitize("He lives in Cologne (Köln). He likes cologne.").text


@pytest.mark.parametrize("rest", ["", " Then to Lyon, Oslo and Lima, where he was 56 years old."])
def test_a_month_is_not_told_by_a_date_of_it(rest: str) -> None:
    """Where nothing else pays for t, the text is refused."""
    text = f"In June she fell. On 3 June 2024 she rested.{rest}"
    for adversary in ("program", "text"):
        rules = {"protect": [{"plausibility": {"t": 20, "adversary": adversary}}]}
        with contextlib.suppress(InputError):
            assert "June" not in sanitize(text, rules).text


def test_a_capital_makes_no_other_thing_but_a_place() -> None:
    rules = {"detect": [], "protect": [{"plausibility": {"t": 20, "terms": "nouns"}}]}
    army = sanitize("The army came. He left the Army.", rules).text
    assert re.search(r"The (\w+) came\. He left the (\w+)\.", army)
    assert len(set(re.findall(r"[Tt]he (\w+)", army))) == 1
    assert sanitize("We ate turkey in Turkey.", rules).text.endswith(" in [DETAIL 1].")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("She moved to Roma in May; Rome is hot.", ["Roma", "Rome"]),
        ("He left St. Petersburg, once Leningrad.", ["St. Petersburg", "Leningrad"]),
        ("Born in Saigon, she loves Ho Chi Minh City.", ["Saigon", "Ho Chi Minh City"]),
        ("Bombay is dear to him; he lives in Mumbai.", ["Bombay", "Mumbai"]),
    ],
)
def test_two_names_of_a_place_are_said_by_one_word(text: str, names: list[str]) -> None:
    hide = [{"kind": "LOC", "terms": names}]
    rules = {"detect": [{"lists": {"hide": hide}}], "replace": {"*": "generalise"}}
    release = sanitize(text, rules)
    said = [re.sub("^the ", "", e.replacement) for e in release.edits if e.kind == "LOC"]
    assert len(said) == 2, release.text
    assert len(set(said)) == 1, release.text


@pytest.mark.parametrize(
    ("text", "released"),
    [
        (
            "Anna Gallagher rang. Thanks Anna, Martin will call you back.",
            "[PERSON 1] rang. Thanks [PERSON 1], [PERSON 2] will call you back.",
        ),
        (
            "To: Karen Gallagher\n\nHi Karen, Tom cannot come.",
            "To: [PERSON 1]\n\nHi [PERSON 1], [PERSON 2] cannot come.",
        ),
    ],
)
def test_who_is_greeted_is_another_than_who_is_told_next(text: str, released: str) -> None:
    assert sanitize(text).text == released
