"""Money by which a country is told: SEK tells Sweden, a złoty Poland."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sfumato.english.wordlists import lists

_LANDS = {name: land for land, names in lists("english/currencies").items() for name in names}
_NAMES = "|".join(re.escape(name) for name in sorted(_LANDS, key=len, reverse=True))
_MONEY = re.compile(rf"(?<![^\W\d_])(?:{_NAMES})(?:(?<=[a-z])s)?(?![^\W\d_])")


def money_of_lands(text: str) -> Iterator[tuple[int, int, str]]:
    """Where money is told that one country has, and which; of a sign what is before that of many.

    >>> told = "SEK 300, A$40, 20 złoty and $8"
    >>> [(told[a:b], land) for a, b, land in money_of_lands(told)]
    [('SEK', 'Sweden'), ('A', 'Australia'), ('złoty', 'Poland')]
    """
    for found in _MONEY.finditer(text):
        name = found[0]
        yield found.start(), found.end() - name.endswith("$"), _LANDS.get(name) or _LANDS[name[:-1]]
