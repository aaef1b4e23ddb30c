"""Names of users where machines write them, and short addresses that lead to them."""

from __future__ import annotations

import pytest

from sfumato import sanitize

_PROFILES = ("default", "gdpr", "hipaa-safe-harbor", "clinical")


@pytest.mark.parametrize("profile", _PROFILES)
@pytest.mark.parametrize(
    "user", ["mkowalski", "m.kowalski", "pnair", "tgrubb88", "nwood", "tgreen"]
)
@pytest.mark.parametrize(
    "told",
    [
        r"C:\Users\{}\Documents\cv.docx is corrupt",
        r"The file c:\users\{} is full.",
        r"C:\Documents and Settings\{}\Desktop is full",
        r"D:\Profiles\{}\data.ini in use",
        r"\\fileserver\home\{}\x",
        r"\\nas01\users$\{} is gone",
        "/export/home/{}/.bashrc missing",
        "/mnt/c/Users/{}/code failed",
        r"User CORP\{} locked out",
        r"Access denied for EMEA\{} on share",
        r"user corp\{} is unknown",
    ],
)
def test_a_user_is_hidden_in_paths_and_domains(profile: str, user: str, told: str) -> None:
    assert user not in sanitize(told.format(user), profile).text


@pytest.mark.parametrize("profile", _PROFILES)
@pytest.mark.parametrize("user", ["mokafor", "jkowalski", "pnair"])
@pytest.mark.parametrize(
    "told",
    [
        "sudo: {} : TTY=pts/2 ; USER=root ; COMMAND=/bin/ls",
        "2025-01-20T00:02:44Z sudo: {} : TTY=pts/2 ; COMMAND=/usr/bin/systemctl restart postgresql",
        "sudo[812]:   {} : command not allowed ; TTY=pts/2",
        "db01 su: (to root) {} on pts/1",
        "su[120]: Successful su for root by {}",
        "sshd[812]: Accepted publickey for {} from 10.0.0.4 port 5022 ssh2",
        "sshd[812]: Failed password for invalid user {} from 10.0.0.4 port 22",
        "session opened for user root by {}(uid=1002)",
        "CRON[231]: ({}) CMD (/usr/bin/backup)",
        "systemd-logind[1]: New session 42 of user {}.",
        "-rw-r--r-- 1 {} staff 120 notes.txt",
        "{}@db01:~$ ls",
    ],
)
def test_a_user_is_hidden_in_logs(profile: str, user: str, told: str) -> None:
    assert user not in sanitize(told.format(user), profile).text


@pytest.mark.parametrize(
    "text",
    [
        r"C:\Users\Public\Documents and C:\Windows\System32\drivers are fine.",
        r"The task runs as NT AUTHORITY\SYSTEM at night.",
        r'The regex \d+\w and AND\OR; "ERROR\nfile not found" and "DONE\nAll good".',
        r"HKLM\Software\Vendor and BUILTIN\Users stay.",
        "See /home/settings and /home/index for help; made for user experience.",
        "sshd[812]: Accepted password for root from a console",
    ],
)
def test_users_that_all_machines_have_stay(text: str) -> None:
    assert sanitize(text, "clinical").text == text


@pytest.mark.parametrize("profile", _PROFILES)
@pytest.mark.parametrize(
    "address",
    [
        "t.me/mokafor",
        "paypal.me/tgrubb88",
        "bit.ly/3xYz",
        "youtu.be/dQw4w9WgXcQ",
        "discord.gg/abc123",
        "linktr.ee/anna.k",
        "///filled.count.soap",
        "w3w: filled.count.soap",
        "what3words filled.count.soap",
    ],
)
def test_short_addresses_and_squares_of_three_words_are_hidden(profile: str, address: str) -> None:
    last = address.rsplit("/", 1)[-1].split()[-1]
    assert last not in sanitize(f"You find me at {address} tonight.", profile).text


def test_words_with_a_stroke_are_no_addresses() -> None:
    text = "We pay and/or refund; see the me/you split, he.is/was and approx.me too."
    assert sanitize(text, "clinical").text == text
