from __future__ import annotations

import pytest

from sfumato.detect.patterns import PatternOptions, patterns
from sfumato.document import Document

FIND = patterns(PatternOptions())


def secrets(text: str) -> list[str]:
    return [t.of(text) for t in FIND(Document(text)) if t.kind == "SECRET" and t.score >= 0.5]


@pytest.mark.parametrize(
    "text",
    [
        "key AKIA{IOSFODNN7EXAMPLE} leaked",
        "export GITHUB_TOKEN=ghp_{16C7e42F292c6912E7710c838347Ae178B4a}",
        "slack xoxb-{123456789012-abcdefGHIJKL}",
        "Stripe: sk_live_{4eC39HqLyjWDarjtT1zdp7dc}",
        "jwt eyJ{hbGciOiJIUzI1NiJ9.eyJzdWIiOiJ0b20ifQ.c2lnbmVk}",
        "ssh-ed25519 {AAAAC3NzaC1lZDI1NTE5AAAAIInventedForATestOnly} tom@host",
        "-----BEGIN PRIVATE KEY-----\n{MIIEvQIBADAN}\n-----END PRIVATE KEY-----\n",
        "SMTP_PASSWORD={w1nterGarden}",
        "password: {wintergarden}",
        "the password is {fluffy}",
        "pwd is {sunshine}.",
        "Her password was {bluebell}, so I changed it.",
        "Passcode {1958}",
        "cvv {123}",
        "CVV: {4421}",
        "The CVC is {841}.",
        "exp 04/26 CVC {123}",
        "card security code {991}",
        'client_secret => "{b7f0-11aa}"',
        "X-Api-Key: {7c1f0a9be2d84453b6e1aa02f7d9c310}",
        "Authorization: Bearer {3f9a77b2c0d14e5f}",
        "Cookie: sid={38afes7a8}; Path=/",
        "His password was set to {Maple!Harbour77}.",
        "Wi-Fi passphrase is {blue7kettle}, ask Tom.",
        "Key safe {4471}, alarm code: {8812}#.",
        "PIN is {90210}.",
        "Alarm {2580}, key under the mat.",
        "House alarm is {1987} and the keysafe {1944}.",
        "Burglar alarm off with {1985}.",
        "Keysafe at the side of the house - {1948}.",
        "The code for the gate is {2001}; gate code {1999}.",
        "The combination for the bike lock is {1066}, padlock {1991}.",
        "Front door {1975}#. Intercom {2019}.",
        "Voicemail PIN is {2011}, card PIN {1998}, unlock code {2006}.",
        "Wi-Fi: {bluebell22}",
    ],
)
def test_a_secret_is_found_and_what_it_is_called_stays(text: str) -> None:
    whole = text.replace("{", "").replace("}", "")
    found = secrets(whole)
    for piece in text.split("{")[1:]:
        assert any(piece.partition("}")[0] in secret for secret in found)


@pytest.mark.parametrize(
    "text",
    [
        "Failed password for root from the console.",
        "The fire alarm 2019 upgrade is done; the alarm was fitted in 2019.",
        "The PIN was changed in 2019, and a new keysafe was fitted in 2021.",
        "I set the alarm 0645; my phone alarm: 1930.",
        "The alarm went off at 1930. Intercom installed 2019.",
        "The phone number is 01134960000. Wi-Fi: slow, 5 GHz.",
        "token expired at noon, 401",
        "password: ********",
        "password: required",
        "secret: true",
        "token=${TOKEN}",
        "The password was changed to protect 3 users.",
        "Password must have 8 characters.",
        "He kept the secret: a daughter.",
        "The key to success: hard work.",
        "Basic understanding of mathematics",
        "pin 2 of the connector; use code 4471",
        "the password is required and the password is wrong",
        "my password was changed; the password is the same as before",
        "The password is too weak. The password was reset.",
        "Password is important and your password is secure.",
        "CVC in situ day 4, CVC 150 mm line, CVC 200 units",
    ],
)
def test_words_about_secrets_are_none(text: str) -> None:
    assert secrets(text) == []
