"""Published cases stand as a whole; the text's own case does not."""

from __future__ import annotations

import pytest

from sfumato import sanitize
from sfumato.detect.cases import published

CITED = [
    "Ruxley Electronics v Forsyth [1996] AC 344",
    "Caparo Industries plc v Dickman [1990] 2 AC 605",
    "Gian Singh v. State of Punjab, (2012) 10 SCC 303",
    "Kesavananda Bharati v. State of Kerala, AIR 1973 SC 1461",
    "Mabo v Queensland (No 2) (1992) 175 CLR 1",
    "R v Jogee [2016] UKSC 8",
    "R. v. Oakes, [1986] 1 SCR 103",
    "Carter v Canada (Attorney General), 2015 SCC 5",
    "S v Makwanyane 1995 (3) SA 391 (CC)",
    "Muruatetu v Republic [2017] eKLR",
    "Kudła v. Poland [GC], no. 30210/96, § 91, ECHR 2000-XI",
    "Miranda v. Arizona, 384 U.S. 436 (1966)",
    "Hadley v. Baxendale, 123 F. Supp. 2d 45 (D. Mass. 2001)",
    "In re Gault, 387 U.S. 1",
]


@pytest.mark.parametrize("case", CITED)
@pytest.mark.parametrize("profile", ["default", "hipaa-safe-harbor"])
def test_a_case_of_the_law_reports_stands(case: str, profile: str) -> None:
    text = f"The tribunal follows {case}, and Mr Okonedo paid."
    assert sanitize(text, profile).text == f"The tribunal follows {case}, and Mr [PERSON 1] paid."


def test_a_report_by_its_page_stands_behind_the_head() -> None:
    text = "The court read the statutes with care. " * 8 + "It follows 410 U.S. 113 here."
    assert [text[a:b] for a, b in published(text)] == ["410 U.S. 113"]


@pytest.mark.parametrize(
    "text",
    [
        "Okonedo v Brightloaf Ltd [2023] EWHC 812\nThe claim is dismissed.",
        "Mr Okonedo appealed. The judge cites Okonedo v Brightloaf Ltd [2023] EWHC 812.",
        "The claim Okonedo v Brightloaf Ltd, no. 2023-812, is dismissed.",
        "CASE OF OKONEDO v. AUSTRIA (Application no. 12345/67)",
    ],
)
def test_the_case_of_the_text_itself_does_not(text: str) -> None:
    assert not published(text)
    assert "okonedo" not in sanitize(text, "default").text.lower()
