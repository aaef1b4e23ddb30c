"""What calendars and cards call things: words of the standards (RFC 5545, RFC 6350, and the older versions)
and of the programs that many people use. They say nothing of anybody."""

from __future__ import annotations

import re

from sfumato.english.wordlists import lists

_LISTS = lists("formats/words")
PROPERTIES = frozenset(_LISTS["properties of calendars"])
PARAMETERS = frozenset(_LISTS["parameters of calendars"])
ENUMERATED = frozenset(_LISTS["enumerated parameters of calendars"])
VALUES = frozenset(_LISTS["values of calendars"])
COMPONENTS = frozenset(_LISTS["components of calendars"])
METHODS = "PUBLISH|REQUEST|REPLY|ADD|CANCEL|REFRESH|COUNTER|DECLINECOUNTER"
_DAY, _NUMBER = "(?:MO|TU|WE|TH|FR|SA|SU)", r"[+-]?\d{1,3}"
_NTH_DAY = rf"(?:[+-]?\d{{1,2}})?{_DAY}"
RULE = (
    r"(?:(?:FREQ=(?:SECOND|MINUTE|HOUR|DAI|WEEK|MONTH|YEAR)LY|(?:INTERVAL|COUNT)=\d{1,5}"
    rf"|WKST={_DAY}|BYDAY={_NTH_DAY}(?:,{_NTH_DAY}){{0,60}}"
    rf"|BY(?:SECOND|MINUTE|HOUR|MONTHDAY|YEARDAY|WEEKNO|MONTH|SETPOS)={_NUMBER}(?:,{_NUMBER}){{0,60}});?)*"
)
# What fits a property and says nothing of anybody.
TECHNICAL = {
    name: re.compile(pattern, re.IGNORECASE)
    for names, pattern in (
        ("begin end", "|".join(sorted(COMPONENTS))),
        ("version", r"[1-4]\.[01]"),
        ("method", METHODS),
        ("calscale", "GREGORIAN"),
        ("status", "TENTATIVE|CONFIRMED|CANCELLED|NEEDS-ACTION|COMPLETED|IN-PROCESS|DRAFT|FINAL"),
        ("transp", "OPAQUE|TRANSPARENT"),
        ("class", "PUBLIC|PRIVATE|CONFIDENTIAL"),
        ("action", "AUDIO|DISPLAY|EMAIL|PROCEDURE"),
        ("kind", "individual|group|org|location"),
        ("profile", "VCARD"),
        ("sequence priority percent-complete repeat", r"\d{1,3}"),
        ("tzoffsetfrom tzoffsetto", r"[+-]\d{4}(?:\d\d)?"),
        ("trigger duration refresh-interval x-published-ttl", r"[+-]?P[0-9DHMSTW]{1,20}"),
        ("rrule exrule", RULE),
        (
            "x-microsoft-cdo-alldayevent x-microsoft-cdo-busystatus x-microsoft-cdo-importance"
            " x-microsoft-cdo-intendedstatus x-ms-olk-confstatus x-abshowas",
            "TRUE|FALSE|BUSY|FREE|TENTATIVE|OOF|COMPANY|[0-9]",
        ),
    )
    for name in names.split()
}
