"""Families of words that people would rather not see told of them.

Chosen after the special categories of Art. 9 GDPR (health, sex life, belief, origin, politics, unions), the
convictions and offences of its Art. 10, and what data protection offices and surveys name beside them: money
trouble, violence, intoxication, family matters. Each is a concept of WordNet, as WORD#SENSE, and takes in all
that lies below it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from sfumato.know import tables
from sfumato.know.taxonomy import wordnet

FAMILIES: Mapping[str, tuple[str, ...]] = {
    "illness": (
        "pathological state", "disorder", "mental illness", "depression", "symptom", "pain#3",
        "pathologic process", "sick person", "virus", "bacteria", "parasite", "medical history", "epidemic",
        "allergy",
    ),
    "medicine": (
        "medical procedure", "medical care", "diagnostic test", "medicine#2", "hormone", "vaccine",
        "prosthesis", "hospitalization", "hospitalization#2", "psychiatry", "gynecology", "oncology",
    ),
    "intoxication": (
        "drug", "alcohol", "addiction", "drug user", "drinker", "drunkenness", "alcoholism", "smoking",
        "tobacco", "intoxication",
    ),
    "crime": (
        "crime", "arson", "criminal", "misconduct", "prison", "prisoner", "imprisonment#3", "captivity",
        "punishment", "arrest", "conviction#2", "conspiracy", "terrorism", "terrorist", "probation#3",
        "parole#3", "indictment", "ransom",
    ),
    "violence": (
        "weapon", "weaponry", "explosive", "ammunition", "violence", "killing#2", "killer", "abuse",
        "fight#2", "corpse", "death", "poison",
    ),
    "sex": (
        "sexual activity", "homosexual", "heterosexual", "bisexual", "homosexuality", "sexual desire",
        "contraceptive", "birth control", "pornography", "prostitute", "lover",
        "adulterer", "genitalia", "transsexual", "transvestite", "virginity",
    ),
    "belief": (
        "religion", "religion#2", "religious person", "clergyman", "religious ceremony", "place of worship",
        "prayer", "heresy#2", "spiritual leader", "Jew", "atheist", "agnostic", "sacrament",
    ),
    "origin": (
        "ethnic group", "person of color", "race#3", "immigrant", "refugee", "exile#2", "European",
        "Asian", "African", "American", "Arab", "Gypsy", "slave", "emigrant",
    ),
    "politics": (
        "political party", "political orientation", "politics#4", "union", "labor movement", "activist",
        "radical#3", "revolutionary", "protest#3", "job action", "communist", "socialist", "rebel",
    ),
    "family": (
        "pregnancy", "abortion", "childbirth", "divorce", "adultery", "marital status", "infertility",
        "illegitimate child", "orphan", "widow", "divorcee", "separation#5", "birth defect",
    ),
    "money": (
        "gambling", "card game", "bet", "debt", "debt#2", "bankruptcy", "insolvency",
        "poverty", "eviction", "eviction#2", "unemployment", "dismissal#4", "pauper",
        "homelessness", "foreclosure", "mortgage", "indebtedness",
    ),
}  # fmt: skip

# What lies in a family and tells nothing by itself.
PLAIN = (
    "patient", "medicine#2", "drug", "disease", "illness", "symptom", "disorder", "medical procedure",
    "medical care", "therapy", "diagnostic test", "ailment", "pathological state", "ill health",
)  # fmt: skip


@cache
def mask() -> tables.Array:
    """Which synsets belong to a family: shape (synsets,), bool."""
    net = wordnet.default()
    made = np.zeros(len(net), dtype=bool)
    waiting = [concept(word) for words in FAMILIES.values() for word in words]
    while waiting:
        synset = waiting.pop()
        if not made[synset]:
            made[synset] = True
            waiting += net.below(synset)
    made[[concept(word) for word in PLAIN]] = False
    return made


def concept(given: str) -> int:
    """The synset that is named as WORD#SENSE; without a number, the first."""
    word, _, number = given.partition("#")
    return wordnet.default().senses(word)[int(number or 1) - 1].key
