"""Checks of days: in numbers, by the name of a weekday or of a feast."""

from __future__ import annotations

import re

from sfumato.detect.patterns.checks import VERSION_BEFORE, calendar, trim_date
from sfumato.detect.patterns.engine import Found
from sfumato.english.births import this_year


def recent(found: Found) -> str | None:
    """A numeric date of two digits for the year that lies within the years that notes are kept."""
    if calendar(found) is None:
        return None
    year = 2000 + int(found.text[-2:])
    return "a recent year" if this_year() - 20 <= year <= this_year() + 2 else ""


# What may be a date before and after "14/10" or "6/10"; all else is a score, a fraction or a length of time.
_ON = re.compile(
    r"(?i)\b(?:on|by|until|till|since|due|w/c|commencing|booked for|(?:rang|called|seen|check(?:ed)?|"
    r"visit(?:ed)?|meeting|review(?:ed)?|discussion|letter|sent|rec['’]?d|labs?|bloods|ct|mri|cxr|x-?rays?|echo|"
    r"scan|biopsy|bx|chased|e-?mailed|adm(?:it(?:ted)?)?|"
    r"d/c(?:['’]?d)?|discharged)(?: on| of| from)?)[ ,:]{1,2}$"
)
# … and beside another one: "on 12/5 instead of 5/5".
_OR_ON = re.compile(
    r"(?i)\b(?:on|by|until|since|due|booked for) \d{1,2}/\d{1,2}\b[^.;\n\d]{0,30}\b(?:instead of|rather than|"
    r"not|or|and|to|until|till)\s\Z"
)
_OUT_OF = re.compile(
    r"(?i)\b(?:pain|scor\w+|power|gcs|va|vision|acuity|bp|grade|murmur|apgar|rated?|mrc)\b(?:[^\n.;]|\.\d){0,24}$"
)


def day_and_month(found: Found) -> str | None:
    """Day and month without a year: no fraction above one ("14/10"), or after words that ask for a day, the
    month first or last."""
    day, month = map(int, found.text.split("/"))
    if is_american := month > 12:
        day, month = month, day
    if _OUT_OF.search(found.before) or VERSION_BEFORE.search(found.before):
        return None
    is_length = month in (7, 12)  # days and months to a doctor
    is_told = (day > 12 and not is_length and not is_american) or "/0" in found.text
    is_asked = bool(_ON.search(found.before)) and not (is_length and day <= month)
    is_asked = is_asked or bool(_OR_ON.search(found.before))
    return "a day of the year" if is_told or is_asked else None


_OF_ALL = re.compile(r"(?i)\b(?:every|each|a|some|most|all)\s$")


_DAY = r"(?:mon|tue|tues|wed|weds|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?"
_TO = r"\s?(?:-|–|—|to|till|until|through|thru|and|&|,|/)\s?"
_TO_DAY = re.compile(rf"(?i){_TO}{_DAY}\b(?!\s\d)")
_FROM_DAY = re.compile(rf"(?i)\b{_DAY}{_TO}\Z")


def is_of_every_week(before: str, after: str) -> bool:
    """Whether a weekday stands beside another, as where something is open.

    >>> [is_of_every_week(*told) for told in (("open ", " to Friday"), ("Mon-", ", 8am"), ("on ", "."))]
    [True, True, False]
    """
    return bool(_TO_DAY.match(after) or _FROM_DAY.search(before))


def weekday(found: Found) -> str | None:
    """A day of this or the next week, and not the last one of a month or one of every week."""
    is_usual = is_of_every_week(found.before, found.after())
    return None if is_usual or found.after().startswith(" of ") else ""


def date_alone(found: Found) -> str | None:
    """A date that exists, without the time that is written to it: "2024-04-09" of "2024-04-09T08:12:44Z"."""
    if calendar(found) is None:
        return None
    found.narrow(found.text, re.split("[T_]", found.text)[0])
    return ""


def no_hour(found: Found) -> str | None:
    """A date whose last number is no hour: "May 14" of "3 May 14:20"."""
    return None if re.match(r":\d\d", found.after()) else trim_date(found)


_NO_FEAST = re.compile(r"[ ](?:Islands?|Road|Street|Agreement|Rising|Massacre|Carols?|Seals)\b")


def feast(found: Found) -> str | None:
    """The day of one year, and not that of each ("every Christmas") or what is named after it: the Good
    Friday Agreement."""
    return None if _OF_ALL.search(found.before) or _NO_FEAST.match(found.after()) else ""
