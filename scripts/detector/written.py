"""Texts written and marked by hand: `scripts/written/*.txt`, as `Record`s and with other names in them.

A text begins with a line `=== kind`. `{P:Mrs Keane}` is a mention; the letter is its type, and one
followed by `-` leads to nobody and may stay: `{M-:Corrie}`.

What a text says of somebody does not hang on the name. A variation therefore calls the same persons and
small places otherwise, the same ones alike throughout; words that are names and words
("Rose", "Hope") are put in often, for that is where the words around must decide.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sfumato.english.wordlists import CALLED_KIN, PARTICLES, TITLES, word_set

from .data import Record

TYPES = {
    "P": "PERSON",
    "L": "LOC",
    "O": "ORG",
    "T": "DATETIME",
    "C": "CODE",
    "D": "DEM",
    "Q": "QUANTITY",
    "M": "MISC",
}
DIRECT = frozenset("PC")

_MARK = re.compile(r"\{([PLOTCDQM])(-?):([^{}]+)\}")
_NAME = re.compile(r"[^\W\d_][\w'’-]*")
_NO_NAME = CALLED_KIN.union(
    PARTICLES, TITLES, word_set("saint the of and old little big junior senior jr sr ii iii")
)
# Ordinary words that people are called by, first and last.
_WORD_NAMES = sorted(
    word_set(
        "Rose Hope Grace Faith Joy Dawn Summer Hunter Rich Will Mark Bill Grant Jack Frank Art Drew Chase"
        " Chance May June April Iris Ivy Violet Daisy Heather Holly Hazel Olive Ruby Pearl Amber Jade Crystal"
        " Robin Jay Cliff Dale Glen Heath Rusty Sandy Sunny Skip Buddy Ace Angel Destiny Honor Patience"
        " Prudence Mercy"
    )
)
_WORD_SURNAMES = sorted(
    word_set(
        "Brown Young Price Long Short Little Bell Cook Carter Baker Fisher Mason Hunt Field Wood Woods Stone"
        " Rivers Lake Hill Banks Parks Church Castle King Knight Bishop Pope Abbott Love Day Winter Summers"
        " March Frost Snow Rain Fox Wolf Swan Drake Finch Sparrow Lamb Bull Strong Wise Sharp Swift Good Best"
        " Moody Sadler Penny Constable Captain Sergeant Major Marshall Judge Clerk Butler Dean Sheriff Prior"
        " Squire Page Porter Court House Hall Street Green White Case Law Gold Silver English French Holland"
        " Ireland Nice Split Deal Reading Bath Hook Lancaster York Lincoln Stanley Preston Burton Ashley"
    )
)


@dataclass(frozen=True)
class Names:
    """What variations draw from."""

    given: Sequence[str]
    last: Sequence[str]
    places: Sequence[str]


def read(folder: Path) -> Iterator[Record]:
    """Every text of a folder as it was written."""
    for path in sorted(folder.glob("*.txt")):
        for number, part in enumerate(re.split(r"(?m)^=== *", path.read_text("utf-8"))[1:]):
            kind, _, text = part.partition("\n")
            yield {**unmark(text.strip()), "genre": kind.strip(), "id": f"{path.stem}-{number}"}


def unmark(marked: str) -> Record:
    """The plain text and its mentions.

    >>> unmark("{P:Ann}'s {M-:Corrie}")["mentions"][1]["identifier_type"]
    'NO_MASK'
    """
    text, at = "", 0
    mentions: list[Record] = []
    for mark in _MARK.finditer(marked):
        text += marked[at : mark.start()]
        letter, free, words = mark.groups()
        mentions.append(
            {
                "start_offset": len(text),
                "end_offset": len(text) + len(words),
                "entity_type": TYPES[letter],
                "identifier_type": "NO_MASK" if free else "DIRECT" if letter in DIRECT else "QUASI",
            }
        )
        text += words
        at = mark.end()
    text += marked[at:]
    if re.search(r"[{}]", text):
        raise ValueError(f"a mark that is none: {re.findall(r'.{0,20}[{}].{0,20}', text)[0]}")
    return {"text": text, "mentions": mentions}


def variation(record: Record, names: Names, rng: random.Random) -> Record:
    """The same text about others."""
    source, renamed = str(record["text"]), _Renamed(names, rng)
    text, at = "", 0
    mentions: list[Record] = []
    for mention in record["mentions"]:
        start, end = mention["start_offset"], mention["end_offset"]
        text += source[at:start]
        words = source[start:end]
        if mention["identifier_type"] != "NO_MASK":
            words = renamed(words, mention["entity_type"])
        mentions.append(
            {**mention, "start_offset": len(text), "end_offset": len(text) + len(words)}
        )
        text += words
        at = end
    return {**record, "text": text + source[at:], "mentions": mentions}


class _Renamed:
    """One text's new names, the same word always by the same."""

    def __init__(self, names: Names, rng: random.Random) -> None:
        self.names, self.rng = names, rng
        self.words: dict[str, str] = {}

    def __call__(self, words: str, kind: str) -> str:
        if kind == "LOC" and re.fullmatch(_NAME, words):
            return self.word(words, self.names.places)
        if kind != "PERSON":
            return words
        parts = list(_NAME.finditer(words))
        own = [
            p
            for p in parts
            if p[0].lower() not in _NO_NAME and len(p[0]) > 1 and not _dotted(words, p)
        ]
        titled = bool(parts) and parts[0][0].lower() in TITLES
        for number, part in reversed(list(enumerate(own))):
            last = number == len(own) - 1 and (len(own) > 1 or titled)
            new = self.word(part[0], self.names.last if last else self.names.given)
            words = words[: part.start()] + new + words[part.end() :]
        return words

    def word(self, old: str, pool: Sequence[str]) -> str:
        key = re.sub(r"['’]s$", "", old).lower()
        if key not in self.words:
            if pool is not self.names.places and self.rng.random() < 0.15:
                pool = _WORD_SURNAMES if pool is self.names.last else _WORD_NAMES
            self.words[key] = self.rng.choice(pool)
        new = self.words[key]
        return new.upper() if old.isupper() else new.lower() if old.islower() else new


def _dotted(words: str, part: re.Match[str]) -> bool:
    return words[part.end() : part.end() + 1] == "." and len(part[0]) <= 2
