"""What calendars and cards call things: words of the standards (RFC 5545, RFC 6350, and the older versions)
and of the programs that many people use. They say nothing of anybody."""

from __future__ import annotations

import re

from sfumato.english.wordlists import word_set

PROPERTIES = word_set(
    "action adr agent anniversary attach attendee bday begin birthplace caladruri calscale caluri"
    " categories class clientpidmap color comment completed conference contact created deathdate"
    " deathplace description dtend dtstamp dtstart due duration email end exdate exrule expertise fburl fn"
    " freebusy gender geo hobby image impp interest key kind label lang last-modified location logo mailer"
    " member method n name nickname note org org-directory organizer percent-complete photo priority"
    " prodid profile rdate recurrence-id refresh-interval related related-to repeat request-status"
    " resources rev role rrule sequence sort-string sound source status summary tel title transp trigger"
    " tz tzid tzname tzoffsetfrom tzoffsetto tzurl uid url version x-abdate x-ablabel x-abrelatednames"
    " x-aim x-alt-desc x-apple-structured-location x-lic-location x-microsoft-cdo-alldayevent x-microsoft-"
    " cdo-busystatus x-microsoft-cdo-importance x-microsoft-cdo-intendedstatus x-ms-olk-confstatus"
    " x-published-ttl x-skype x-wr-caldesc x-wr-calname x-wr-relcalid x-wr-timezone xml"
)
PARAMETERS = word_set(
    "altid altrep calscale charset cn context cutype delegated-from delegated-to dir display email"
    " encoding fbtype feature filename fmttype geo index label language level mediatype member partstat"
    " pid pref range related reltype role rsvp schedule-agent schedule-status sent-by sort-as type tz tzid"
    " value x-abshowas x-apple-omit-year x-num-guests x-redacted x-response-comment"
)
ENUMERATED = word_set(
    "calscale charset cutype display encoding fbtype feature fmttype language mediatype partstat pref"
    " range related reltype role rsvp schedule-agent type value x-num-guests"
)
VALUES = word_set(
    "accepted audio base64 binary boolean busy busy-tentative busy-unavailable cal-address car cell chair"
    " chat child client completed contact date date-and-or-time date-time declined delegated dom duration"
    " end fax false float free gif graphic gregorian group home in-process individual integer internet"
    " intl isdn jpeg jpg language-tag main mobile modem moderator msg needs-action none non-participant"
    " opt-participant other pager parcel parent pcs period phone png postal pref quoted-printable recur"
    " req-participant resource room server sibling start tentative text textphone thisandfuture time"
    " timestamp true unknown uri us-ascii utc-offset utf-8 vcard video voice work x400 iphone 7bit 8bit b"
)
COMPONENTS = word_set(
    "available daylight participant standard valarm vavailability vcalendar vcard vevent vfreebusy"
    " vjournal vlocation vresource vtimezone vtodo"
)
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
