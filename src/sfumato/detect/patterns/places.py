"""Patterns for addresses, postcodes, coordinates and amounts of money."""

from __future__ import annotations

import re

from sfumato.detect.patterns import place_checks as checks
from sfumato.detect.patterns.engine import Found, Pattern
from sfumato.detect.towns import is_english_town
from sfumato.english.numbers import SMALL, TENS

_CAP = r"[A-Z\x{C0}-\x{DE}][0-9A-Za-z\x{C0}-\x{24F}'’.-]*"
_STREET = checks.STREET
_UNIT = (
    r"(?:Flat|Apartment|Apt|Unit|Suite|Ste|Room|Rm|Floor|Fl|#|No|House)\.?[ ]?#?[0-9A-Za-z]{1,5}"
)
_UK = r"[A-Z]{1,2}[0-9][A-Z0-9]?[ ][0-9][A-Z]{2}"
_ZIP = r"[0-9]{5}(?:-[0-9]{4})?"
_CANADA = r"[ABCEGHJ-NPRSTVXY][0-9][ABCEGHJ-NPRSTV-Z][ -]?[0-9][ABCEGHJ-NPRSTV-Z][0-9]"
_NAME = r"[A-Z\x{C0}-\x{DE}][A-Za-z\x{C0}-\x{24F}'’.-]*"
_TOWN = rf"(?:{_NAME}[ ]){{0,3}}{_NAME}"
# The town and what the post has for it; they may stand in a line of their own.
_POSTED = (
    rf"(?:,?[ ]|,?\r?\n)(?:{_TOWN},?[ ]){{0,2}}(?:{_UK}|[A-Z]{{2}}[ ]{_CANADA}|{_NAME}[ ]{_ZIP})\b"
)
_TAIL = rf"(?:,?[ ]{_UNIT})?(?:,?[ ](?:N|S|E|W|NE|NW|SE|SW)\b)?(?:{_POSTED}|,[ ]{_TOWN}\b)?"
# "House 7, Block C, DHA Phase 5, Lahore"
_NUMBERED = r"[ ]?(?:[Nn]o\.?[ ]?)?#?[0-9A-Z]{1,3}(?:[-/][0-9A-Z]{1,4})?"
_DWELLING = rf"(?:House|H\.|Plot|Flat|Door|Apt\.?|Unit){_NUMBERED}"
_PART = rf"(?:[A-Z]{{2,5}}[ ])?(?:Block|Sector|Phase|Street|St\.|Gali|Lane|Floor|Plot){_NUMBERED}"


def _lived_in(found: Found) -> str | None:
    """The name of a town, whatever else it means, that no other word of a name follows."""
    is_whole = not re.match(r"[ -][A-Z]", found.after())
    return "" if is_whole and is_english_town(found.text) else None


def _is_town(found: Found) -> str | None:
    """March is a town where somebody lives in it and no day or year stands behind."""
    return None if re.match(r"[ ,]*(?:of )?\d", found.after()) else ""


PATTERNS = (
    Pattern(
        "town that is a month", "LOC",
        r"\b(?:(?i:liv(?:es?|ing|ed)|resid(?:es?|ing|ed)|grew[ ]up)[ ](?:in|at|near)|"
        r"(?i:he|she|they|we|i|family)(?:[ ](?i:has|have|had))?[ ](?i:moved)[ ](?:back[ ])?to)[ ](March)\b",
        0.9, group=1, check=_is_town, hint="March",
    ),
    Pattern(
        "town that is a month", "LOC", r"\b(March),[ ](?:Cambridgeshire|Cambs)\b", 0.9, group=1, hint="March",
    ),
    Pattern(
        "town to live in", "LOC",
        r"\b((?i:mov(?:ed|ing|es?)|liv(?:es?|ed|ing)|stay(?:s|ed|ing)?|born|grew[ ]up|grow(?:s|ing)?[ ]up|"
        r"raised|relocated|resid(?:es?|ed|ing)|retired|settled|house|flat|home|bungalow|family|holiday(?:ed|s)?|"
        r"work(?:s|ed|ing)?)[ ](?:back[ ]|near[ ])?(?:to|in|from)[ ])([A-Z][a-z]{2,})\b",
        0.2, labelled=True, check=_lived_in,
    ),
    Pattern(
        "street address", "ADDRESS",
        rf"(?:{_UNIT},?[ ])?[0-9]{{1,5}}[A-Za-z]?(?:[-/][0-9]{{1,5}}[A-Za-z]?)?,?[ ](?:(?:[NSEW]|NE|NW|"
        rf"SE|SW)\.?[ ])?(?:{_CAP}|[0-9]{{1,3}}(?:st|nd|rd|th))[ ](?:(?:{_CAP}|of|the|de|"
        rf"la)[ ]){{0,3}}{_STREET}\b\.?{_TAIL}",
        0.75, check=checks.street, hint=rf"[0-9A-Za-z.'’][ ]{_STREET}\b",
        context=("address", "lives", "living", "lived", "resides", "residing", "home"),
    ),
    Pattern(
        "street address", "ADDRESS",
        rf"(?:Via|Viale|Piazza|Corso|Rue|Avenue|Calle|Avenida|Plaza|Rua|Praça|Strada|Ulica|ul\.)[ ]"
        rf"(?:(?:{_CAP}|de|del|della|la|le|du|des|dei)[ ]){{1,4}}(?:n[.°º]?[ ]?)?[0-9]{{1,4}}[a-z]?\b"
        rf"(?:,[ ]{_TOWN})?",
        0.65,
    ),
    Pattern(
        "street address", "ADDRESS",
        r"[0-9]{1,4}(?:[ ]?bis)?,?[ ](?:rue|avenue|boulevard|place|quai|allée|chemin|impasse)[ ]"
        rf"(?:(?:de|la|le|du|des|l['’])[ ]?){{0,3}}{_TOWN}(?:,[ ][0-9]{{5}}[ ]{_CAP})?",
        0.65,
    ),
    Pattern(
        "street address", "ADDRESS",
        r"[A-Z\x{C0}-\x{DE}][a-z\x{C0}-\x{FF}-]{2,30}(?:[ -](?:Straße|Strasse|Str\.|Allee|Platz|Weg)|"
        r"straße|strasse|"
        rf"str\.|gasse|allee|platz|weg|straat|laan|plein|gatan|"
        rf"vägen)[ ][0-9]{{1,4}}(?:[ ]?[a-z])?\b(?:,[ ][0-9]{{4,5}}[ ]{_NAME})?",
        0.7,
    ),
    Pattern(
        "street address", "ADDRESS",
        r"\b[a-zäöüß-]{3,30}(?:straße|strasse|str\.|allee|gasse|platz|weg)[ ][0-9]{1,4}(?:[ ]?[a-z])?\b", 0.7,
        edges=False,
    ),
    Pattern(
        "floor of a house", "ADDRESS",
        r"\b(?:[0-9]{1,2}\.[ ]?(?:[OD]G\b(?:[ ](?i:links|rechts|mitte))?|"
        r"(?:Stock|Etage)[ ](?i:links|rechts|mitte))|(?i:whg|wohnung)\.?[ ]?[0-9]{1,4})\b", 0.6,
    ),
    Pattern(
        "address in parts", "ADDRESS",
        rf"\b{_DWELLING}(?:,[ ]{_PART}){{1,4}}"
        r"(?:,[ ](?:[A-Z0-9][\w.'’-]*[ ]){0,3}[A-Z0-9][\w.'’-]*){0,3}",
        0.7, hint=rf"{_DWELLING},[ ]{_PART}",
    ),
    Pattern(
        "post-office box", "ADDRESS",
        rf"\b(?i:p\.?[ ]?o\.?[ ]?box|postfach|apartado)[ ]#?[0-9]{{1,7}}(?:{_POSTED})?", 0.75,
    ),
    Pattern(
        "street address", "ADDRESS",
        r"\b((?i:address|liv(?:es?|ed|ing)|resid(?:es?|ed|ing|ent)))(?:[ \t]{0,2}:[ \t]{0,12}|[ ]is[ ]|"
        r"(?:[ ][a-z]{1,10}){0,3}[ ]at[ ])([0-9A-Z\x{C0}-\x{DE}][^\r\n\t;|<>]{5,90})",
        0.2, labelled=True, check=checks.address,
        hint=r"\b(?i:address[ :]|liv(?:es?|ed|ing)[ ]|resid)",
    ),
    Pattern("UK postcode", "POSTCODE", rf"\b{_UK}\b", 0.6, check=checks.uk_postcode),
    Pattern(
        "UK postcode", "POSTCODE", r"\b[A-Z]{1,2}[0-9][A-Z0-9]?[0-9][A-Z]{2}\b", 0.2,
        check=checks.uk_postcode, context=("postcode", "post code", "address", "zip"),
    ),
    Pattern(
        "Eircode", "POSTCODE", r"\b[AC-FHKNPRTV-Y](?:[0-9]{2}|6W)[ ]?[0-9AC-FHKNPRTV-Y]{4}\b", 0.2,
        check=checks.eircode, checked=0.6, context=("eircode", "postcode", "address", "ireland"),
    ),
    Pattern("Canadian postcode", "POSTCODE", rf"\b{_CANADA}\b", 0.2, check=checks.spaced, checked=0.6,
        context=("postcode", "postal code", "address", "canada"),
    ),
    Pattern(
        "town before a ZIP code", "LOC",
        rf"((?:{_NAME}[ ](?:(?:of|or|and|the|de|la|du)[ ])?){{0,3}}(?:d['’])?{_NAME}),[ ][A-Z]{{2}}[ ]"
        rf"{{1,2}}{_ZIP}\b",
        0.75, group=1, check=checks.town, hint=rf",[ ][A-Z]{{2}}[ ]{{1,2}}{_ZIP}\b",
    ),
    Pattern(
        "ZIP code", "POSTCODE", rf"\b[A-Z]{{2}},?[ ]{{1,2}}({_ZIP})\b", 0.65, group=1,
        check=checks.zip_after_state, whole=True,
    ),
    Pattern(
        "ZIP code", "POSTCODE", r"\b[0-9]{5}-[0-9]{4}\b", 0.4, whole=True,
        context=("zip", "zip code", "zipcode", "postal code", "address", "mail"),
    ),
    Pattern(
        "postcode", "POSTCODE",
        r"\b((?i:zip(?:[ -]?code)?|post(?:al)?[ ]?code|plz))[ \t]{0,2}(?:[:#=]|is)?[ \t]{0,8}"
        r"([0-9]{5}(?:-[0-9]{4})?|[0-9]{4}[ ]?[A-Z]{2}|[0-9]{3}[ ][0-9]{2}|[0-9]{4,6})\b",
        0.35, labelled=True, hint=r"\b(?i:zip|post|plz)", whole=True,
    ),
    Pattern(
        "three-digit ZIP", "POSTCODE",
        r"\b(?i:zip[ -]?3|3-digit[ ]zip)[ ]?(?:code)?[ ]?[:#=]?[ ]?([0-9]{3})\b", 0.7,
        group=1, whole=True,
    ),
    Pattern(
        "ZIP code", "POSTCODE", rf"\b(?i:zip)[^.;\n0-9]{{1,30}}[ :]({_ZIP})\b", 0.6, group=1, whole=True,
    ),
    Pattern(
        "county code", "CODE",
        r"\b(?i:fips|census[ ]tract)(?:[ ](?i:code|no\.?))?[ :#]{1,2}([0-9]{3,11}(?:\.[0-9]{2})?)\b",
        0.7, group=1, whole=True,
    ),
    Pattern("mile of a road", "ADDRESS", r"\b(?i:mile[ ]?(?:marker|post))[ ]#?[0-9]{1,4}(?:\.[0-9])?\b", 0.7),
    Pattern(
        "rural address", "ADDRESS",
        r"\b(?:RR|RFD|R\.R\.|HC|Rural[ ]Route|Route|Rte)[ ]#?[0-9]{1,4},?[ ]Box[ ]#?[0-9]{1,5}"
        rf"(?:{_POSTED})?", 0.75,
    ),
    Pattern(
        "postcode", "POSTCODE", r"\b[1-9][0-9]{3}[ ][A-Z]{2}\b", 0.2,
        context=("postcode", "address", "straat", "netherlands"),
    ),
    Pattern("postcode", "POSTCODE", r"\b(?:(?:A|CH|B|L)-[0-9]{4}|(?:D|F|I|E)-[0-9]{5})\b", 0.5),
    Pattern(
        "coordinates", "COORDINATES",
        r"[+-]?[0-9]{1,2}\.[0-9]{2,10}[ ]?°?[ ]?[NS][,;]?[ ]{0,2}"
        r"[+-]?[0-9]{1,3}\.[0-9]{2,10}[ ]?°?[ ]?[EW]\b|"
        r"[+-]?[0-9]{1,2}\.[0-9]{2,10}[ ]?°[,;]?[ ]{0,2}[+-]?[0-9]{1,3}\.[0-9]{2,10}[ ]?°",
        0.85, check=checks.coordinates,
    ),
    Pattern(
        "coordinates", "COORDINATES",
        r"[+-]?[0-9]{1,2}\.[0-9]{4,10},[ ]{0,2}[+-]?[0-9]{1,3}\.[0-9]{4,10}", 0.6,
        check=checks.coordinates, whole=True,
        context=("coordinates", "gps", "location", "lat", "latitude", "position", "geo"),
    ),
    Pattern(
        "coordinates", "COORDINATES",
        r"[0-9]{1,3}[ ]?°[ ]?[0-9]{1,2}(?:\.[0-9]{1,5})?[ ]?['’′]"
        r"(?:[ ]?[0-9]{1,2}(?:\.[0-9]{1,5})?[ ]?(?:[\"”″]|''|′′))?"
        r"[ ]?[NSEW]\b(?:[,;]?[ ]{0,2}[0-9]{1,3}[ ]?°[ ]?[0-9]{1,2}(?:\.[0-9]{1,5})?[ ]?['’′]"
        r"(?:[ ]?[0-9]{1,2}(?:\.[0-9]{1,5})?[ ]?(?:[\"”″]|''|′′))?[ ]?[NSEW]\b)?",
        0.85, hint="[0-9][ ]?°[ ]?[0-9]",
    ),
    Pattern(
        "three words of a square", "COORDINATES", r"///(?:[\pL-]{2,20}\.){2}[\pL-]{2,20}", 0.8, edges=False,
    ),
    Pattern(
        "three words of a square", "COORDINATES",
        r"\b((?i:w3w|what[ ]?3[ ]?words|what[ ]three[ ]words)(?i:[ ]address|[ ]location|[ ]ref(?:erence)?)?"
        r"(?:[ ]?[:=-]|[ ](?i:is|was|at))?[ ])((?:[\pL-]{2,20}[.・]){2}[\pL-]{2,20})",
        0.4, labelled=True,
    ),
    Pattern(
        "coordinates", "COORDINATES",
        r"\b((?i:lat(?:itude)?|lon(?:g(?:itude)?)?|"
        r"lng))[ \t]{0,2}[:=]?[ \t]{0,4}([+-]?[0-9]{1,3}\.[0-9]{2,10})\b",
        0.4, labelled=True, whole=True,
    ),
)  # fmt: skip

_SIGN = r"(?:US|CA|AU|NZ|HK|C|A)?\$|€|£|¥|₹|₽|₩|₺|₪|₴|kr\.?|R\$|CHF"
_ISO = (
    r"(?:USD|EUR|GBP|JPY|CHF|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN|TRY|TRL|RUB|UAH|INR|CNY|"
    r"RMB|KRW|BRL|MXN|ZAR)"
)
_AMOUNT = r"[0-9]{1,3}(?:(?:[,.'’ ][0-9]{3})+(?:[.,][0-9]{1,2})?|[0-9]*(?:[.,][0-9]{1,2})?)"
_SCALE = r"(?:[ ]?(?:k|K|m|M|mn|bn|B|million|billion|trillion|thousand|crore|lakh)\b)?"
_SAID = rf"(?i:{'|'.join((*SMALL, *TENS))}|hundred|thousand|million|billion|trillion|crore|lakh|dozen|half)"
_IN_WORDS = rf"\b(?i:an?[ ])?{_SAID}(?:(?:[ -]|[ ](?i:and)[ ](?i:a[ ])?){_SAID}){{0,12}}"
_CURRENCY = (
    r"(?i:dollars?|euros?|pounds[ ]sterling|quid|bucks|rupees|yen|roubles|rubles|francs|kronor|kroner|"
    r"zlotys?|pesos|liras?)\b"
)

MONEY = (
    Pattern(
        "amount of money", "MONEY", rf"(?:{_SIGN})[ ]?{_AMOUNT}{_SCALE}", 0.8,
        hint=rf"(?:{_SIGN})[ ]?[0-9]",
    ),
    Pattern("amount of money", "MONEY", rf"\b{_ISO}[ ]?{_AMOUNT}{_SCALE}", 0.8, check=checks.money),
    Pattern(
        "amount of money", "MONEY",
        rf"{_AMOUNT}{_SCALE}[ ]?(?:{_ISO}\b|€|£|(?:[A-Z][A-Za-z]{{1,11}}[ ])?{_CURRENCY})",
        0.75, whole=True,
        hint=rf"[0-9kmnMKB][ ]?(?:{_ISO}\b|€|£|(?:[A-Z][A-Za-z]{{1,11}}[ ])?(?i:doll|euro|pounds|quid|"
        rf"rupee|yen|rou|rub|fra|kro|zlo|pes|lira|buck))",
    ),
    Pattern(
        "amount of money in words", "MONEY",
        rf"{_IN_WORDS}(?:[ -](?:[A-Z][A-Za-z]{{1,11}}[ ])?{_CURRENCY}"
        r"|[ ](?i:(?:thousand|[mb]illion)[ ]pounds)\b)", 0.75,
    ),
    Pattern(  # or a weight
        "amount of money in words", "MONEY", rf"{_IN_WORDS}[ -](?i:pounds)\b", 0.3,
        context=("gbp", "paid", "pay", "cost", "costs", "owed", "owes", "price", "fee", "rent", "spent"),
    ),
)  # fmt: skip
