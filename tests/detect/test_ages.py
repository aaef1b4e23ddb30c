"""Ages that only a name or the head of a column tells."""

import pytest

from sfumato.detect.ages import with_ages
from sfumato.document import Term


def told(text: str, *names: str) -> list[str]:
    persons = [Term(text.index(n), text.index(n) + len(n), "PERSON", 0.9, "names") for n in names]
    return [t.of(text) for t in with_ages(text, persons) if t.kind != "PERSON"]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "Ames, 94, was seen",
            "Ames (94)",
            "Ames is now 94",
            "Ames, aged 94",
            "Ada Ames 94",
            "Ames/94/F",
        ),
        *("Ames turned 94 today", "Ames – 94 – fell", "Ames [94]", "Ames, nearly 94, fell"),
    ],
)
def test_a_bare_number_beside_a_person_is_an_age(text: str) -> None:
    assert told(text, "Ada Ames" if "Ada" in text else "Ames") == ["94"]


@pytest.mark.parametrize(
    "text",
    [
        "Ames, 94 kg",
        "Ames 94%",
        "Ames, 94 Mill Lane",
        "Ames 9/4",
        "Ames 94",
        "Ames 2 weeks",
        "Ames: 94.5.1",
        "Ames over 18.",
    ],
)
def test_a_number_that_counts_something_is_no_age_beside_a_person(text: str) -> None:
    assert told(text, "Ames") == []


def test_cells_below_the_head_age_are_ages_and_those_below_a_birth_dates() -> None:
    assert told("id,age,sex,sbp\n17,97,F,148\n18,64,M,131\n\n19,12") == ["97", "64"]
    assert told("id|birth_year|hr\n1|1924|93\n2|1960|88") == ["1924", "1960"]
    assert told("the age of steam, 1890\n12,97\nage,\n12") == []
