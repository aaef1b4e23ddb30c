"""Families of words that people would rather not see told of them.

Chosen after the special categories of Art. 9 GDPR (health, sex life, belief, origin, politics, unions), the
convictions and offences of its Art. 10, and what data protection offices and surveys name beside them: money
trouble, violence, intoxication, family matters. Each is a concept of WordNet, as WORD#SENSE, and takes in all
that lies below it.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from sfumato.english.wordlists import lists
from sfumato.know import tables
from sfumato.know.taxonomy import wordnet

_LISTS = lists("know/taxonomy/sensitive")
PLAIN = _LISTS["plain"]  # what lies in a family and tells nothing by itself
FAMILIES = {name: words for name, words in _LISTS.items() if name != "plain"}


@cache
def mask() -> tables.Array:
    """Which synsets belong to a family: shape (synsets,), bool."""
    net = wordnet.default()
    made = np.zeros(len(net), dtype=bool)
    tops = (concept(word) for words in FAMILIES.values() for word in words)
    made[[*net.below_any(tops)]] = True
    made[[concept(word) for word in PLAIN]] = False
    return made


def concept(given: str) -> int:
    """The synset that is named as WORD#SENSE; without a number, the first."""
    word, _, number = given.partition("#")
    return wordnet.default().senses(word)[int(number or 1) - 1].key
