"""The states of the United States, as its rules on health records count them: 45 CFR 160.103 has the District
of Columbia and the territories among them."""

from __future__ import annotations

import re

from sfumato.english.wordlists import words

_NAMES = """
AL=Alabama AK=Alaska AZ=Arizona AR=Arkansas CA=California CO=Colorado CT=Connecticut DE=Delaware
DC=District_of_Columbia FL=Florida GA=Georgia HI=Hawaii ID=Idaho IL=Illinois IN=Indiana IA=Iowa KS=Kansas
KY=Kentucky LA=Louisiana ME=Maine MD=Maryland MA=Massachusetts MI=Michigan MN=Minnesota MS=Mississippi
MO=Missouri MT=Montana NE=Nebraska NV=Nevada NH=New_Hampshire NJ=New_Jersey NM=New_Mexico NY=New_York
NC=North_Carolina ND=North_Dakota OH=Ohio OK=Oklahoma OR=Oregon PA=Pennsylvania RI=Rhode_Island
SC=South_Carolina SD=South_Dakota TN=Tennessee TX=Texas UT=Utah VT=Vermont VA=Virginia WA=Washington
WV=West_Virginia WI=Wisconsin WY=Wyoming PR=Puerto_Rico VI=Virgin_Islands GU=Guam AS=American_Samoa
MP=Northern_Mariana_Islands
"""
STATES = dict(pair.replace("_", " ").split("=") for pair in words(_NAMES))
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
