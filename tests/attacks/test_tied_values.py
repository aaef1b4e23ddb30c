"""Values that are counted follow from no other by what stands: whoever tries every pair of values that is shown
finds as many that fit the text as are certified."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato import sanitize
from sfumato.errors import GuaranteeError
from sfumato.protect.plausibility.tied import Tied
from sfumato.verify.plausibility import PLAUSIBLE

SINCE = [
    "POD 3 ({})",
    "POD#3, {},",
    "day of life 3, {},",
    "post-op day 3 ({})",
    "D+3 ({})",
    "DOL 3: {}",
]
WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
BAND = re.compile(r"(\d[\d,]*)–(\d[\d,]*)")


def bands(shown: str) -> list[range]:
    ends = ((int(n.replace(",", "")) for n in found.groups()) for found in BAND.finditer(shown))
    return [range(low, high + 1) for low, high in ends]


def released(text: str, t: int, adversary: str) -> tuple[str, int]:
    rules: dict[str, Any] = {
        "detect": ["patterns"],
        "protect": [{"plausibility": {"t": t, "adversary": adversary, "terms": "findings"}}],
    }
    made = sanitize(text, rules)
    claim = next(c for c in made.certificate.claims if c.name == PLAUSIBLE)
    return made.text, next((u["texts"] for u in claim.parameters["units"]), 1)


@pytest.mark.parametrize("adversary", ["program", "text"])
@pytest.mark.parametrize(
    "frame",
    [
        "Ann is aged {a}. In {d} years she will be aged {b}.",
        "She is aged {b} now; {d} years ago, aged {a}, she moved.",
        "He began aged {a} and stopped aged {b}, after {d} years.",
        "He is aged {b}, she is aged {a}; he is the elder by {d} years.",
        "Tom is aged {b}; his wife, {d} years his junior, is aged {a}.",
        "The boy is aged {b}, his sister, aged {a}, is {d} years younger.",
        "The mother of three is aged {b}.",
    ],
)
@settings(max_examples=10, deadline=None)
@given(st.integers(16, 60), st.integers(2, 30))
def test_ages_that_are_counted_are_free_of_what_lies_between(
    frame: str, adversary: str, young: int, apart: int
) -> None:
    said = WORDS[apart] if apart < 10 else str(apart)
    text = frame.format(a=young, b=young + apart, d=said)
    shown, texts = released(text, 10, adversary)
    found = bands(shown)
    stands = f"{said} years" in shown
    fit = [v for v in product(*found) if not stands or len(v) < 2 or abs(v[0] - v[1]) == apart]
    assert len(fit) >= texts, shown


@pytest.mark.parametrize("to", ["36 months", "three years in prison"])
def test_a_length_of_time_after_a_year_is_one(to: str) -> None:
    text = f"Sentenced on 3 May 2021 to {to}; he was released on 3 May 2024."
    assert to not in sanitize(text, {"protect": [{"plausibility": {"t": 5}}]}).text


BESIDE = " The patient has diabetes."
AMOUNTS = [
    "A loan of £12,000 in 24 instalments of £500.",
    "She earns £110, which is £3,300.",
    "It cost £100; with 20 % of tax £120.",
    "He paid £300 on a Monday and €350 in cash.",
    "He paid 300 złoty, which is €70.",
    "He paid £512, or 43 for each of us.",
    "Of 30 tablets 12 capsules were left.",
    "There were 13 boys and 14 girls.",
]
AMOUNTS += [
    f"He owes £1,000. {said}"
    for said in (
        "A grand is too much.", "It was a million.", "He had a thousand.", "A dozen, a pound each.", "He gave a fiver.",
        "Half a grand!", "A ton a month.", "He is a millionaire.", "A third of it is hers.", "She owes twice that.",
        "HALF is paid.", "They doubled it.", "It grew tenfold.", "It is a six-figure sum.", "A few thousands more.",
    )
]  # fmt: skip
TIMES = [
    "He was born in 1950 and moved, at 14.",
    "He is aged 45; at 12 he was ill.",
    "He is aged 45 and met her a decade ago.",
    "He is aged 45; double that is her mother, aged 88.",
    "He came in May 2021, two days after Halloween.",
    "He came on 3 May 2021 and left that summer.",
    "She is aged 15, still a teenager.",
    "He is aged 66, and was a pensioner at 65.",
    "He came on 3 May 2021, and then on Tuesdays.",
    "He came on 3 May 2021 for his weekly visit.",
    "He came on 3 May 2021, at the weekend.",
    "He came in May 2021, on the first of the month.",
    "He came on 31 May 2021, the last day of the month.",
    "He came on 3 May 2021 and left 12 h later.",
    "He came on 3 May 2021 at 10:30.",
    "He was born in 1950, the oldest of all.",
    "The baby is aged 1.",
    "She is aged 17, a minor.",
    "He is aged 45, an adult.",
    "The twins are aged 45.",
    "He was born in 1950 and his twin in 1951.",
    "The couple are aged 45 and aged 46.",
]
PLACES = [
    "He lives in Gliwice, where he paid in złoty.",
    "He lives in Pakistan and speaks Urdu.",
    "He lives in Gliwice, the capital.",
    "He lives in Gliwice, the biggest city.",
    "He lives in Pakistan, the third largest of all.",
    "He lives in Gliwice, a village on the coast.",
    "He lives in Gliwice, like all Estonians.",
]
TIMES += [
    f"He came on 3 May 2021, {said}."
    for said in (
        "at the solstice", "after the equinox", "at the vernal equinox", "at new moon", "at the full moon",
        "at Harvest Moon", "after the eclipse",
    )
]  # fmt: skip
PLACES += [
    f"He comes from Pakistan, {said}."
    for said in (
        "the emirate", "a microstate", "which is landlocked", "a sultanate", "a kibbutz", "a canton", "a prefecture",
        "a duchy", "a principality", "a republic", "a monarchy", "the oblast", "an enclave", "an exclave", "a resort",
        "a settlement", "a tropical land", "a hamlet",
    )
]  # fmt: skip


# What a perfect detector would find, but for what ties it.
MARKED = {
    "MONEY": r"[£€][\d,]+|300 złoty",
    "AGE": r"aged \d+",
    "DATE": r"(?:(?:31? )?May )?\b(?:19|20)\d\d(?=[.,;]| and| at| for)",
    "LOC": "Gliwice|Pakistan",
    "QUANTITY": r"\d+ (?:tablets|capsules|boys|girls)",
    "DISEASE": "diabetes",
}


def marked(text: str) -> list[dict[str, Any]]:
    found = {kind: re.findall(form, text) for kind, form in MARKED.items()}
    return [
        {"lists": {"hide": [{"kind": k, "terms": list(said)} for k, said in found.items() if said]}}
    ]


def certified(text: str, **options: Any) -> int:
    step = {"plausibility": {"t": 20, **options}}
    made = sanitize(text, {"detect": marked(text), "protect": [step]})
    claim = next(c for c in made.certificate.claims if c.name == PLAUSIBLE)
    said = [
        u for u in claim.parameters["units"] if any(concept for _, _, concept, *_ in u["terms"])
    ]
    return int(said[0]["texts"]) if said else 0


@pytest.mark.parametrize("adversary", ["program", "text"])
@pytest.mark.parametrize("text", [*AMOUNTS, *TIMES, *PLACES])
def test_nothing_counts_that_something_which_stands_may_tell(
    text: str, adversary: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert certified(text + BESIDE, adversary=adversary)  # the words pay
    # And without them labels stand
    assert not certified(text, adversary=adversary, terms="findings")
    monkeypatch.setattr(Tied, "holds", lambda *_: False)
    with pytest.raises(GuaranteeError):  # the checker sees it by itself
        certified(text, adversary=adversary, terms="findings")


@pytest.mark.parametrize("adversary", ["program", "text"])
@pytest.mark.parametrize(
    "text",
    [
        "He was born in 1950, under the Housing Act 1996 (see paragraph 12).",
        "1. He was born in 1950, with 3 dogs, 20 mg by mouth, and 128/83.",
    ],
)
def test_numbers_that_count_nothing_of_the_sort_tie_nothing(text: str, adversary: str) -> None:
    assert certified(text, adversary=adversary, terms="findings") >= 20


@pytest.mark.parametrize("adversary", ["program", "text"])
@pytest.mark.parametrize("text", [AMOUNTS[0], TIMES[1], PLACES[0]])
def test_what_is_tied_is_none_of_so_many_by_itself(text: str, adversary: str) -> None:
    step = {"plausibility": {"t": 2, "adversary": adversary, "each": 5}}
    shown = sanitize(text + BESIDE, {"detect": marked(text + BESIDE), "protect": [step]}).text
    assert not BAND.search(shown), shown
    assert "Europe" not in shown


@pytest.mark.parametrize("adversary", ["program", "text"])
@pytest.mark.parametrize("since", SINCE)
def test_days_that_are_counted_are_free_of_how_many_days_passed(since: str, adversary: str) -> None:
    text = f"It began on 3 June 2024; {since.format('6 June 2024')} it ended."
    shown, texts = released(text, 20, adversary)
    assert shown.count("[DATE") >= 2, shown
    assert texts == 1  # of two days none pays


IN_NAMES = [
    "He lives in {} and watches the {} Bulls.",
    "She moved to {}. She supports {} United.",
    "Hurt near {}. {} Coma Scale 15, no seizures.",
    "He was born in {}, and his team is AC {}.",
    "He lives in {}; he met the Duke of {}.",
]


@pytest.mark.parametrize("adversary", ["program", "text"])
@pytest.mark.parametrize("frame", IN_NAMES)
@pytest.mark.parametrize("town", ["Chicago", "Leeds", "Glasgow", "York"])
def test_a_place_in_the_name_of_something_else_is_told_by_it_and_has_a_label(
    town: str, frame: str, adversary: str
) -> None:
    rules: dict[str, Any] = {
        "detect": [{"lists": {"hide": [{"kind": "LOC", "terms": [town]}]}}],
        "protect": [{"plausibility": {"t": 2, "adversary": adversary, "terms": "findings"}}],
    }
    text = frame.format(town, town)
    made = sanitize(text, rules)
    kept = frame.split("{}")
    assert all(each in made.text for each in kept)
    claim = next((c for c in made.certificate.claims if c.name == PLAUSIBLE), None)
    slots = [s for u in (claim.parameters["units"] if claim else ()) for s in u["terms"]]
    assert not any(concept for _, _, concept, _, _ in slots)


def test_a_place_beside_words_that_are_no_name_is_counted() -> None:
    rules: dict[str, Any] = {
        "detect": [{"lists": {"hide": [{"kind": "LOC", "terms": ["Leeds"]}]}}],
        "protect": [{"plausibility": {"t": 2, "terms": "findings"}}],
    }
    made = sanitize("Visited Leeds again. In Leeds I saw him.", rules)
    assert made.text.startswith("Visited West Yorkshire again. In West")
