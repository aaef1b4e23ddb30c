"""Names of settings stand, and what they are set to goes."""

from __future__ import annotations

import pytest

from sfumato import sanitize


@pytest.mark.parametrize(
    ("line", "stands", "gone"),
    [
        ("REDIS_URL=redis://:s3cr3t-0tter-pass@10.1.2.3:6379/0", "REDIS_URL=redis://", "s3cr3t-0tter-pass"),
        ("DATABASE_URL=postgres://bob:hunter22@db.example.org/prod", "DATABASE_URL=postgres://", "hunter22"),
        ("SMTP_FROM=noreply@example.org", "SMTP_FROM=", "noreply"),
        ("AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE", "AWS_ACCESS_KEY_ID=", "AKIA"),
        ("AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE\nAWS_SECRET_ACCESS_KEY=wJalrXUtnFEMIK7MDENG", "AWS_ACCESS_KEY_ID=", "wJal"),
    ],
)  # fmt: skip
def test_the_name_of_a_setting_stands_and_its_value_goes(line: str, stands: str, gone: str) -> None:
    made = sanitize(f"# staging\nPORT=8080\n{line}\nLOG_LEVEL=debug\n").text
    assert stands in made
    assert gone not in made


def test_serial_numbers_of_a_row_go_and_codes_of_errors_stay() -> None:
    made = sanitize("Her hearing aids, SN 2219H00871 and 2219H00872, are new.").text
    assert "2219H" not in made
    assert "E-0042" in sanitize("The printer shows E-0042 again.").text
    assert "Part 1151DP4E22" in sanitize("Bourdon tube drift. Part 1151DP4E22.").text


@pytest.mark.parametrize(
    "text",
    ["He relied on the Coroners and Justice Act 2009.", "They found a bill from 1843 for 14 pence."],
)  # fmt: skip
def test_statutes_and_years_before_all_lives_stand(text: str) -> None:
    assert sanitize(text).text == text


def test_what_every_machine_has_stays_in_a_log() -> None:
    log = (
        "sshd[28114]: Failed password for root from 203.0.113.9 port 52144 ssh2\n"
        "sshd[28114]: Accepted publickey for k.osei from 192.168.10.8 port 40122\n"
        "sudo: k.osei : COMMAND=/usr/bin/systemctl restart nginx\n"
    )
    made = sanitize(log).text
    for piece in ("password for root", "192.168.10.8", "/usr/bin/systemctl restart nginx"):
        assert piece in made
    assert "osei" not in made
    assert "203.0.113.9" not in made
