"""Feasts and holidays: what days are called that everybody can look up."""

from __future__ import annotations

from sfumato.english.wordlists import lists

# Of the days that are the same in every year, as 12-25, and others
_NAMES = lists("english/feasts")


def feasts(month: int, day: int) -> list[str]:
    """What a day of the year is called.

    >>> feasts(10, 31), feasts(10, 30)
    (['Halloween', "Hallowe'en"], [])
    """
    return [*_NAMES.get(f"{month:02}-{day:02}", ())]


def _expression() -> str:
    names = {name for day in _NAMES.values() for name in day}
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
