"""Feasts and holidays: what days are called that everybody can look up."""

from __future__ import annotations

# What days are called that are the same in every year: (month, day) -> names.
_EVERY_YEAR = {
    (1, 1): "New Year's Day",
    (1, 6): "Epiphany|Twelfth Night",
    (1, 25): "Burns Night",
    (1, 26): "Australia Day",
    (2, 2): "Groundhog Day|Candlemas",
    (2, 14): "Valentine's Day|St Valentine's Day",
    (2, 29): "leap day",
    (3, 1): "St David's Day",
    (3, 17): "St Patrick's Day|St Paddy's Day",
    (4, 1): "April Fools' Day|April Fool's Day",
    (4, 23): "St George's Day",
    (4, 25): "Anzac Day",
    (5, 1): "May Day",
    (5, 5): "Cinco de Mayo",
    (6, 19): "Juneteenth",
    (7, 1): "Canada Day",
    (7, 4): "Independence Day|Fourth of July",
    (7, 14): "Bastille Day",
    (9, 29): "Michaelmas Day|Michaelmas",
    (10, 31): "Halloween|Hallowe'en",
    (11, 1): "All Saints' Day",
    (11, 2): "All Souls' Day",
    (11, 5): "Bonfire Night|Guy Fawkes Night",
    (11, 11): "Remembrance Day|Armistice Day|Veterans Day|Veterans' Day",
    (11, 30): "St Andrew's Day",
    (12, 24): "Christmas Eve",
    (12, 25): "Christmas Day|Christmas|Xmas Day|Xmas",
    (12, 26): "Boxing Day|St Stephen's Day",
    (12, 31): "New Year's Eve|Hogmanay",
}


def feasts(month: int, day: int) -> list[str]:
    """What a day of the year is called.

    >>> feasts(10, 31), feasts(10, 30)
    (['Halloween', "Hallowe'en"], [])
    """
    return _EVERY_YEAR[month, day].split("|") if (month, day) in _EVERY_YEAR else []


# The federal holidays of the United States (5 U.S.C. 6103), the bank holidays of the United Kingdom, and the
# feasts of five religions that a calendar names; those of every year are above.
_OTHERS = """
New Year's|Lunar New Year|Chinese New Year|Martin Luther King Jr Day|Martin Luther King Day|MLK Day
Presidents' Day|Washington's Birthday|Mardi Gras|Shrove Tuesday|Pancake Day|Ash Wednesday|Mother's Day
Mothering Sunday|Palm Sunday|Maundy Thursday|Good Friday|Holy Saturday|Easter Sunday|Easter Monday|Easter Day
Easter Eve|Easter|Whit Sunday|Whit Monday|Pentecost|Ascension Day|Memorial Day|Victoria Day|Father's Day
Midsummer Day|Midsummer's Day|Midsummer Eve|Labor Day|Labour Day|Columbus Day|Indigenous Peoples' Day
Remembrance Sunday|Thanksgiving Day|Thanksgiving Eve|Thanksgiving|Black Friday|Advent Sunday|Kwanzaa
Bank Holiday|Passover|Purim|Shavuot|Sukkot|Rosh Hashanah|Rosh Hashana|Yom Kippur|Hanukkah|Chanukah
Ramadan|Eid al-Fitr|Eid al-Adha|Eid ul-Fitr|Eid ul-Adha|Eid|Ashura
Diwali|Deepavali|Navratri|Holi|Vaisakhi|Baisakhi|Dussehra|Vesak|Nowruz|Pesach
Whitsun|Lammas|Martinmas|Advent|Lent|Cyber Monday|New Year|Easter weekend
"""


def _expression() -> str:
    names = {name for line in _OTHERS.split("\n") for name in line.split("|") if name}
    names |= {name for day in _EVERY_YEAR.values() for name in day.split("|")}
    # the longest first: "Christmas Day" is not "Christmas"
    written = "|".join(sorted((n for n in names if n[0].isupper()), key=lambda n: (-len(n), n)))
    signs = {"s' ": "'s ", "'s": "['’]?s['’]?", "e'e": "e['’]e", "St ": r"St\.? ", " ": "[ ]"}
    signs["Xmas"] = "[Xx]-?mas"
    signs["Bank[ ]Holiday"] = (
        "(?:(?:May|August|[Ss]pring|[Ss]ummer)[ ])?[Bb]ank[ ][Hh]oliday(?:[ ]Monday)?"
    )
    for plain, forms in signs.items():
        written = written.replace(plain, forms)
    return f"(?:{written})"


FEAST = _expression()  # for `re` and RE2
