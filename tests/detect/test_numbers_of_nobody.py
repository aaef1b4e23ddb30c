"""Numbers and codes that tell nobody stand, whatever the trained detector takes them for."""

from __future__ import annotations

import pytest

from sfumato import sanitize


@pytest.mark.parametrize(
    "text",
    [
        "She has been in the care of her aunt for twenty-two months under a full order.",
        "I waited on Tuesday and was number 37 in the queue.",
        "Two tyres (Bridgestone Dueler 265/65R17) and a bent arm were replaced.",
        "The mailbox was locked, code 0x8004010F, and it failed with KRB_AP_ERR_SKEW.",
        "Reading age 7y 4m, spelling age 8y 1m.",
    ],
)
def test_what_is_nobodys_stands(text: str) -> None:
    assert sanitize(text).text == text


def test_a_number_beside_a_person_is_still_hidden() -> None:
    released = sanitize(
        "Tyrese Cole, 12, badge 73110, policy 0412-7731, lives with Ann Lee (9)."
    ).text
    assert not any(said in released for said in ("Cole, 12,", "73110", "0412-7731", "(9)"))
