"""The states of the United States, as its rules on health records count them: 45 CFR 160.103 has the District
of Columbia and the territories among them."""

from __future__ import annotations

import re

from sfumato.english.wordlists import lists, words

STATES = {code: name for code, (name,) in lists("english/states").items()}
# What holds several of them.
_REGIONS = words(
    "new_england midwest pacific_northwest northwest southwest northeast southeast deep_south east_coast"
    " west_coast gulf_coast sun_belt rust_belt great_plains mid-atlantic washington_dc"
)
_LARGE = {name.lower() for name in STATES.values()} | {name.replace("_", " ") for name in _REGIONS}
_AROUND = re.compile(r"(?i)^the\s|(?<=\w)\.|\b(?:state|commonwealth)\sof\s|\sstate$")


def is_state(name: str) -> bool:
    """Whether a name is that of a state, or of a region of states.

    >>> [is_state(name) for name in ("Indiana", "TX", "the Midwest", "D.C.", "Terre Haute", "in")]
    [True, True, True, True, False, False]
    """
    plain = " ".join(_AROUND.sub("", name.strip()).split())
    return plain in STATES or plain.lower() in _LARGE
