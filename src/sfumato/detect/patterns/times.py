"""Patterns for dates and times of day."""

from __future__ import annotations

from sfumato.detect.patterns import checks, day_checks
from sfumato.detect.patterns.engine import Pattern
from sfumato.english.dates import DAY_NAMES, SEASONS
from sfumato.english.feasts import FEAST

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|"
    r"Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?|JAN(?:UARY)?|FEB(?:RUARY)?|MAR(?:CH)?|APR(?:IL)?|MAY|JUNE?|"
    r"JULY?|AUG(?:UST)?|SEPT?(?:EMBER)?|OCT(?:OBER)?|NOV(?:EMBER)?|DEC(?:EMBER)?|january|february|april|"
    r"june|july|august|september|october|november|december)"
)
_WEEKDAY = (
    r"(?:Mon(?:day)?|Tue(?:s(?:day)?)?|Wed(?:nesday)?|Thu(?:rs(?:day)?)?|Fri(?:day)?|Sat(?:urday)?|"
    r"Sun(?:day)?|MONDAY|TUESDAY|WEDNESDAY|THURSDAY|FRIDAY|SATURDAY|SUNDAY|monday|tuesday|wednesday|"
    r"thursday|friday|saturday|sunday)"
)
_DAY_BEHIND_WORD = rf"[a-z][ \t](?:{DAY_NAMES})"
_DAY = r"(?:3[01]|[12][0-9]|0?[1-9])"
_NTH = rf"{_DAY}(?:st|nd|rd|th)?"
_YEAR = r"(?:(?:1[0-9]|20)[0-9]{2})"
_SHORT_YEAR = rf"(?:{_YEAR}|['’]?[0-9]{{2}})"
_MM = r"(?:1[0-2]|0?[1-9])"
_S = r"[ \t]{1,3}"  # a space, or a few where columns are set with them
_CLOCK = r"(?:[01]?[0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{1,6})?)?"

_BIRTH = (
    "dob", "born", "date", "dated", "birth", "birthday", "on", "since", "until", "admitted",
    "discharged", "died", "expires", "expiry", "issued", "d.o.b", "d.o.b.",
)  # fmt: skip

_DATES = (
    Pattern(
        "date, day and month in words", "DATE",
        rf"(?:{_WEEKDAY}\.?,?{_S})?(?:the{_S})?{_NTH}(?:[ \t]?[-–/][ \t]?{_NTH}|{_S}(?:and|to|or){_S}{_NTH})?"
        rf"(?:(?:{_S}day)?{_S}of{_S}|{_S}|[-/.])(?:{_MONTH})\.?(?:(?:,?{_S}|[-/.]){_YEAR}|[-/.][0-9]{{2}}|"
        rf",?{_S}['’][0-9]{{2}})?",
        0.8, check=checks.trim_date, hint=rf"[0-9a-z][ \t\-/.]{{1,3}}{_MONTH}",
    ),
    Pattern(
        "date, month and day in words", "DATE",
        rf"(?:{_WEEKDAY}\.?,?{_S})?{_MONTH}(?:\.?{_S}|-)(?:the{_S})?{_NTH}(?:[ \t]?[-–][ \t]?{_NTH})?"
        rf"(?:(?:,[ \t]{{0,3}}|{_S}|-){_YEAR}|,?{_S}['’][0-9]{{2}})?",
        0.8, check=day_checks.no_hour, hint=rf"{_MONTH}(?:\.?[ \t]{{1,3}}|-)(?:the|[0-9])",
    ),
    Pattern(
        "month and year", "DATE",
        rf"{_MONTH}\.?(?:{_S}of{_S}|,?{_S}|-|/){_YEAR}|(?:(?i:the){_S})?(?:(?i:early|mid|late)[- ])?"
        rf"(?i:{SEASONS}|new[ ]year|{FEAST})(?:{_S}(?i:of|in))?,?{_S}{_YEAR}|"
        rf"{_MONTH}\.?{_S}['’][0-9]{{2}}",
        0.75, check=checks.trim_date,
    ),
    Pattern(
        "date, year first", "DATE",
        rf"{_YEAR}-(?:1[0-2]|0[1-9])-(?:3[01]|[12][0-9]|0[1-9])(?:[T_]{_CLOCK}(?:Z|"
        rf"[+-][0-9]{{2}}:?[0-9]{{2}})?)?|{_YEAR}[/.]{_MM}[/.]{_DAY}",
        0.85, check=day_checks.date_alone, whole=True,
    ),
    Pattern(
        "date in numbers", "DATE", rf"{_DAY}(?:/{_DAY}/|-{_DAY}-|\.[ ]?{_DAY}\.[ ]?){_YEAR}", 0.8,
        check=checks.calendar, whole=True,
    ),
    Pattern(
        "date in numbers", "DATE", rf"{_DAY}/{_DAY}/['’]?[0-9]{{2}}|[0-3][0-9]-[0-3][0-9]-[0-9]{{2}}",
        0.55, check=checks.calendar, whole=True, context=_BIRTH,
    ),
    Pattern(
        "date in numbers", "DATE", rf"{_DAY}\.{_DAY}\.[0-9]{{2}}|{_DAY}-{_DAY}-[0-9]{{2}}", 0.3,
        checked=0.55, check=day_checks.recent, whole=True, context=_BIRTH,
    ),
    Pattern(
        "day and month in numbers", "DATE", rf"{_MM}/{_DAY}|{_DAY}/{_MM}", 0.3, checked=0.55,
        check=day_checks.day_and_month, whole=True,
    ),
    Pattern(
        "month and year in numbers", "DATE", rf"{_MM}/{_YEAR}", 0.55, check=checks.month_year,
        whole=True,
    ),
    Pattern(
        "date in numbers", "DATE",
        rf"\b((?i:date|dated|dob|born|birthday|exp(?:\.|iry|ires|iration)?|valid(?:[ ]until|[ ]thru)?|"
        rf"due|admitted|discharged))[ \t]{{0,3}}(?:[:.]|on|by|date|is)?[ \t]{{0,8}}({_MM}/[0-9]{{2}}|"
        rf"{_DAY}/{_DAY}|[0-9]{{8}})",
        0.3, labelled=True, whole=True,
        hint=r"\b(?i:date|dob|born|birthday|exp|valid|due|admitted|discharged)",
    ),
    Pattern(
        "year", "DATE",
        r"\b((?i:in|since|until|till|before|after|by|during|from|to|of|born|year|early|late|mid|around|"
        r"circa|about|and|between|summer|spring|autumn|winter|copyright|dated|class[ ]of|"
        r"[ ]back[ ]in))(?:[ \t]+(?:the[ ]year[ ])?|\.[ ]|-)((?:1[89]|20)[0-9]{2})\b",
        0.2, labelled=True, check=checks.year, whole=True,
        hint=r"[a-z](?:[ \t]|\.[ ]|-)(?:1[89]|20)[0-9]{2}\b",
    ),
    Pattern(
        "week of a year", "DATE",
        rf"\b(?i:week|wk)[ ][0-9]{{1,2}}(?:[ ]of|,)?[ ]{_YEAR}\b|\b{_YEAR}-?W[0-5][0-9]\b", 0.7,
    ),
    Pattern(
        "year of birth", "DATE",
        r"(?i:\b(?:[dy]\.?o\.?b|b|born|birth(?:[ _]?year|date)?|year[ ]of[ ]birth|geb)\b|[(]\*)"
        r"[.:=,|\"'\s]{0,4}((?:1[89]|20)[0-9]{2})\b",
        0.6, group=1, whole=True,
        hint=r"(?i:b|born|birth|year|geb|\*)[.:=,|\"'\s]{0,4}(?:1[89]|20)[0-9]{2}\b",
    ),
    Pattern(
        "year of birth", "DATE",
        r"\b(?i:[dy]\.?o\.?b\.?|b\.|born(?:[ ]in)?|birth(?:[ _]?year|date)?|year[ ]of[ ]birth)"
        r"[:=]?[ ]{1,2}(['’][0-9]{2})\b",
        0.6, group=1, edges=False, hint=r"(?i:b|born|birth|in|year)[.:=]{0,2}[ ]{1,2}['’][0-9]{2}\b",
    ),
    Pattern(
        "years of a life", "DATE", r"[(,;][ ]?((?:1[89]|20)[0-9]{2}[ ]?[-–—][ ]?(?:1[89]|20)[0-9]{2})\b", 0.6,
        group=1, check=checks.years, whole=True,
    ),
    Pattern(
        "decade long ago", "DATE", r"\b(?i:(?:early|mid|late)[ -])?(?:18[0-9]|19[0-3])0['’]?s\b", 0.6,
    ),
    Pattern(
        "quarter or half of a year", "DATE",
        rf"\b[QH][1-4][ \t/'’-]{{0,2}}{_SHORT_YEAR}\b|\b{_YEAR}[ -]?[QH][1-4]\b|\b[1-4]Q[ ]?{_SHORT_YEAR}\b|"
        rf"(?i:first|second|third|fourth|last|1st|2nd|3rd|4th)[ ](?i:quarter|half)(?:[ ](?i:of))?[ ]{_YEAR}",
        0.7,
    ),
    Pattern(
        "day of the week", "DATE",
        r"\b((?i:on|by|until|till|since|from|before|after|to|for|late|early))[ \t]"
        rf"((?:(?:last|next|this)[ ])?(?:{DAY_NAMES})"
        r"(?:[ ](?:the[ ])?[0-9]{1,2}(?:st|nd|rd|th))?)\b",
        0.15, labelled=True, check=day_checks.weekday, hint=_DAY_BEHIND_WORD,
    ),
    Pattern(
        "day of the week", "DATE",
        rf"\b(?:[Ll]ast|[Nn]ext|[Tt]his)[ ](?:{DAY_NAMES})"
        r"(?:[ ](?:the[ ])?[0-9]{1,2}(?:st|nd|rd|th))?\b", 0.55,
        check=day_checks.weekday, hint=_DAY_BEHIND_WORD,
    ),
    Pattern(
        "feast or holiday", "DATE",
        r"\b((?i:on|by|until|till|since|last|next|this|from|before|after|to|for|late|early|at|over|around|"
        rf"during|in|of|was|is|following|through))[ \t]((?:the[ ])?{FEAST})\b",
        0.35, labelled=True, check=day_checks.feast, hint=FEAST,
    ),
    Pattern(
        "feast or holiday", "DATE", rf"(?m:^|[.!?;:][ ]|\()({FEAST})[,:;)]", 0.75, group=1,
        hint=rf"{FEAST}[,:;)]",
    ),
)  # fmt: skip

_HOUR = r"(?:1[0-2]|0?[1-9])"
_AMPM = r"(?:[aApP]\.[ ]?[mM]\.|[aApP][mM])"
_TIME_WORDS = (
    "at", "by", "until", "till", "from", "before", "after", "about", "around", "since", "to", "time",
    "between", "and", "approximately", "onset", "hours",
)  # fmt: skip

_TIMES = (
    Pattern(
        "time written to a date", "TIME",
        rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[T_]({_CLOCK}(?:Z|[+-][0-9]{{2}}:?[0-9]{{2}})?)", 0.85, group=1,
        edges=False,
    ),
    Pattern(
        "time of day", "TIME", rf"{_HOUR}(?:[:.][0-5][0-9](?::[0-5][0-9])?)?[ \t]?{_AMPM}", 0.8,
        whole=True, edges=True,
    ),
    Pattern(
        "time of day", "TIME",
        r"(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{1,6})?)?"
        r"(?:[ ]?(?:[+-][0-9]{2}:?[0-9]{2}|GMT|UTC|BST|CET|CEST|EST|EDT|CST|CDT|MST|MDT|PST|PDT|Z|hrs?|"
        r"hours?|h)\b)?",
        0.55, check=checks.clock, whole=True, context=_TIME_WORDS,
    ),
    Pattern(
        "time of day", "TIME", r"[0-9]:[0-5][0-9]", 0.2, check=checks.clock, whole=True,
        context=_TIME_WORDS,
    ),
    Pattern(
        "time of day", "TIME", r"(?:[01][0-9]|2[0-3])[.:]?[0-5][0-9][ ]?(?:hrs|hours|hr|h|Z)\b",
        0.65, whole=True,
    ),
    Pattern(
        "time of day", "TIME",
        rf"\b((?i:at|by|until|from)(?:[ ](?i:about|around|approximately))?)[ ]"
        rf"((?:[01][0-9]|2[0-3])\.[0-5][0-9]|{_HOUR}[ ]o['’]clock|noon|midnight)\b",
        0.3, labelled=True, whole=True,
    ),
)  # fmt: skip

PATTERNS = (*_DATES, *_TIMES)
