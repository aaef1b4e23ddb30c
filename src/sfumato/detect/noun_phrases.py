"""Noun phrases: what a text is about, by the parts of speech that the encoder reads.

A phrase is a run of modifiers that ends in a noun ("acute liver failure"); determiners, pronouns and other
stop words at its edges are stripped, and its normal form has the head noun in the singular, so that "the
Tumours" and "tumour" are one thing. These are the terms in which disclosure is measured.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sfumato.detect import encoder
from sfumato.detect.encoder import POS, Reading, words_of
from sfumato.english.inflection import singular
from sfumato.english.wordlists import word_set

NOUN_TAGS = frozenset({"NOUN", "PROPN"})
_MODIFIERS = frozenset({"ADJ", "NOUN", "PROPN", "NUM"})
# Words that stand before a noun and say nothing about it.
_STOP = word_set(
    "other such same own many much more most few several certain first last next further various"
    " different each every all some"
)


@dataclass(frozen=True, slots=True)
class TaggedWord:
    """A word with its part of speech."""

    start: int
    end: int
    tag: str


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A span of the text and the form under which it is looked up."""

    start: int
    end: int
    normal: str


def tagged_words(reading: Reading) -> list[TaggedWord]:
    """The words of a text and their most probable parts of speech."""
    edges = words_of(reading.pieces)
    if len(edges) < 2:
        return []
    first, last = edges[:-1], edges[1:] - 1
    # A word's first piece has seen the most of it in training.
    tags = reading.tags[first].argmax(axis=1)
    starts, ends = reading.pieces.starts[first], reading.pieces.ends[last]
    return [
        TaggedWord(int(a), int(b), POS[t])
        for a, b, t in zip(starts, ends, tags, strict=True)
        if b > a
    ]


def noun_phrases(text: str) -> list[NounPhrase]:
    """The noun phrases of a text, in order, without overlaps.

    >>> [p.normal for p in noun_phrases("She had two severe chest infections after the operation.")]
    ['severe chest infection', 'operation']
    """
    return phrases_of(text, tagged_words(encoder.default().read(text)))


def phrases_of(text: str, words: Sequence[TaggedWord]) -> list[NounPhrase]:
    """Noun phrases from words and their tags."""
    found = []
    at = 0
    while at < len(words):
        after = at
        while (
            after < len(words) and words[after].tag in _MODIFIERS and _near(text, words, at, after)
        ):
            after += 1
        phrase = _stripped(text, words[at:after])
        if phrase:
            found.append(NounPhrase(phrase[0].start, phrase[-1].end, _looked_up(text, phrase)))
        at = max(after, at + 1)
    return found


def _near(text: str, words: Sequence[TaggedWord], first: int, at: int) -> bool:
    """Whether a word goes on where the one before it ended: only blanks or a hyphen in between."""
    if at == first:
        return True
    between = text[words[at - 1].end : words[at].start]
    return "\n\n" not in between and not between.strip(" \t\r\n-‐–'’")


def _stripped(text: str, words: Sequence[TaggedWord]) -> Sequence[TaggedWord]:
    """The phrase from its first telling word to its last noun."""
    nouns = [i for i, w in enumerate(words) if w.tag in NOUN_TAGS]
    if not nouns:
        return []
    chosen = words[: nouns[-1] + 1]
    while len(chosen) > 1 and (
        chosen[0].tag == "NUM" or text[chosen[0].start : chosen[0].end].lower() in _STOP
    ):
        chosen = chosen[1:]
    return chosen


def _looked_up(text: str, phrase: Sequence[TaggedWord]) -> str:
    """The phrase in lower case, single-spaced, its head noun in the singular; names stay as they are."""
    said = " ".join(re.sub(r"[\s\-‐–]+", " ", text[phrase[0].start : phrase[-1].end]).split())
    if phrase[-1].tag == "PROPN":
        return said
    *modifiers, head = said.lower().split(" ")
    return " ".join([*modifiers, singular(head)])
