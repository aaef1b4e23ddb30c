"""Patterns for the names of users where machines write them: folders, domains and logs."""

from __future__ import annotations

import re

from sfumato.detect.patterns.engine import Found, Pattern
from sfumato.english.nicknames import is_given
from sfumato.english.ordinary import is_ordinary
from sfumato.english.wordlists import word_set

# Users that every machine has, and what is no user's folder.
_EVERYBODY = word_set(
    """root admin administrator administrators system nobody daemon guest public default user users shared all
    everyone www-data postgres mysql redis nginx apache git ubuntu debian vagrant runner jenkins
    localservice networkservice trustedinstaller username name"""
) | {"ec2-user"}
_NO_DOMAIN = re.compile(r"(?i)HK(?:EY_\w+|LM|CU|CR|U)|BUILTIN|AUTHORITY|SERVICE|IIS|APPPOOL")
_USER = r"[A-Za-z0-9][\w.-]{0,38}[\w$]"
_HOMES = r"(?i:\\(?:(?:users|homes?|profiles)\$?|Documents[ ]and[ ]Settings))\\{1,2}"


def _user(found: Found) -> str | None:
    """One user; an ordinary word is one where it is a name as well, or stands behind "Users\\"."""
    said = found.text.lower()
    is_word = is_ordinary(said) and not is_given(said) and "\\" not in found.before[-1:]
    return None if said in _EVERYBODY or is_word else ""


def _in_domain(found: Found) -> str | None:
    """Behind the name of a domain: no key of a registry, no "AND\\OR", no end of a line ("ERROR\\nfile")."""
    said, domain = found.text, re.split(r"[^\w.-]", found.before.rstrip("\\"))[-1]
    if said.lower() in _EVERYBODY or _NO_DOMAIN.fullmatch(domain):
        return None
    if said[0] in "nrt" and said[1].isupper():
        return None
    is_line = is_ordinary(said.lower()) or (said[0] in "nrt" and is_ordinary(said[1:]))
    return None if is_line and is_ordinary(domain.lower()) else ""  # but not "CORP\nwood"


def _log(regex: str, hint: str = "") -> Pattern:
    return Pattern("user name in a log", "USERNAME", regex, 0.7, group=1, check=_user, hint=hint)


PATTERNS = (
    Pattern(
        "user name in a path", "USERNAME",
        _HOMES + r"([^\\/:*?\"<>|%$\s][^\\/:*?\"<>|\r\n]{0,40})\\",
        0.7, group=1, check=_user, edges=False,
    ),
    Pattern(
        "user name in a path", "USERNAME", rf"(?:{_HOMES}|/(?:homes?|Users)/)({_USER})", 0.7, group=1,
        check=_user,
    ),
    Pattern(
        "user name in a domain", "USERNAME",
        r"(?:^|[\s\"'(=:\[])[A-Z][A-Z0-9.-]{1,30}\\{1,2}([A-Za-z][\w.-]{0,38}[\w$])", 0.7, group=1,
        check=_in_domain, hint=r"[A-Z0-9]\\",
    ),
    Pattern(
        "user name in a domain", "USERNAME",
        r"\b((?i:user|account|log[io]n|logged[ ](?:in|on)[ ](?:as|by)|for|by)[ :=]{1,3})"
        r"[A-Za-z][A-Za-z0-9.-]{1,30}\\{1,2}([A-Za-z][\w.-]{0,38}[\w$])",
        0.3, labelled=True, check=_in_domain, hint=r"[A-Za-z0-9]\\",
    ),
    _log(rf"\bsudo(?:\[[0-9]+\])?:[ ]+({_USER})[ ]:[ ]"),
    _log(rf"\(to[ ][\w.-]+\)[ ]({_USER})[ ]on\b"),
    _log(rf"\(({_USER})\)[ ](?:CMD|RELOAD|LIST|BEGIN[ ]EDIT|END[ ]EDIT|REPLACE)\b"),
    _log(rf"\b(?i:by|for|of|user)[ ]({_USER})\(uid="),
    _log(rf"\b(?:Accepted|Failed)[ ][\w/-]+[ ]for[ ](?:invalid[ ]user[ ])?({_USER})[ ]from\b"),
    _log(rf"\b(?i:invalid|unknown|illegal|of|for|by|as|switch(?:ed)?[ ]to)[ ](?i:user)[ ]({_USER})"),
    _log(rf"\bsu[ ]for[ ][\w.-]+[ ]by[ ]({_USER})"),
    _log(rf"\bFROM[ ][\w./-]+[ ]FOR[ ]({_USER})"),
    _log(rf"[d-](?:[r-][w-][xsStT-]){{3}}[.+@]?[ ]+[0-9]+[ ]+({_USER})[ ]", r"[d-][r-][w-][xsStT-]{7}"),
    _log(rf"\b({_USER})@[\w.-]+:[~/]", r"@[\w.-]+:[~/]"),
    _log(rf"\b(?:ssh|scp|sftp|rsync)(?:[ ]-[\w ]+)?[ ]({_USER})@[\w-]", r"\b(?:ssh|scp|sftp|rsync)[ ]"),
)  # fmt: skip
