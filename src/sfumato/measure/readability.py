"""How hard a text is to read: Flesch and its relatives, by sentences, words, syllables and letters.

    >>> round(flesch_reading_ease("The cat sat on the mat."), 1)
    116.1

A label such as [PERSON] is read aloud as one word. Syllables are counted by groups of vowels, with the silent
e of English left out: a rule of thumb, whose errors are the same before and after.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sfumato.english import units

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_VOWELS = re.compile(r"[aeiouyàáâãäåæèéêëìíîïòóôõöøùúûüý]+")
_SILENT = re.compile(r"(?:[^laeiouysxzhcg]es|[^aeiouytd]ed|[^laeiouy]e)$")
_SPLIT = re.compile(r"i[ao](?!n|us)|ea(?=t(?:ion|or|ive|e))|[^gq]ua|uo|iu|[aeiou]ing$")


@dataclass(frozen=True, slots=True)
class Readability:
    """The counts from which all indices follow."""

    sentences: int
    words: int
    syllables: int
    letters: int

    @property
    def reading_ease(self) -> float:
        """Flesch reading ease: 100 very easy, 0 very hard."""
        length, heavy = self.words / self.sentences, self.syllables / self.words
        return 206.835 - 1.015 * length - 84.6 * heavy

    @property
    def grade(self) -> float:
        """Flesch-Kincaid grade: years of school."""
        return 0.39 * self.words / self.sentences + 11.8 * self.syllables / self.words - 15.59

    @property
    def coleman_liau(self) -> float:
        """Coleman-Liau index: years of school, by letters instead of syllables."""
        letters, sentences = self.letters / self.words, self.sentences / self.words
        return 5.88 * letters - 29.6 * sentences - 15.8


def readability(text: str) -> Readability | None:
    """The counts of a text; none where there are no words.

    >>> readability("Ann came. She left!")
    Readability(sentences=2, words=4, syllables=4, letters=14)
    """
    words = _WORD.findall(text)
    if not words:
        return None
    return Readability(
        sentences=sum(bool(_WORD.search(text, a, b)) for a, b in units.spans(text, "sentence")),
        words=len(words),
        syllables=sum(syllables(word) for word in words),
        letters=sum(c.isalnum() for word in words for c in word),
    )


def syllables(word: str) -> int:
    """The syllables of an English word, about; a number counts as one.

    >>> [syllables(w) for w in ("cat", "table", "people", "creation", "walked", "wanted", "radio")]
    [1, 2, 2, 3, 1, 2, 3]
    """
    folded = word.lower()
    groups = len(_VOWELS.findall(folded)) + len(_SPLIT.findall(folded))
    if groups > 1 and _SILENT.search(folded):
        groups -= 1
    return max(groups, 1)


def flesch_reading_ease(text: str) -> float:
    """Flesch reading ease: 100 very easy, 0 very hard; nan for a text without words."""
    found = readability(text)
    return found.reading_ease if found else float("nan")


def flesch_kincaid_grade(text: str) -> float:
    """Flesch-Kincaid grade: years of school; nan for a text without words."""
    found = readability(text)
    return found.grade if found else float("nan")


def coleman_liau_index(text: str) -> float:
    """Coleman-Liau index: years of school; nan for a text without words."""
    found = readability(text)
    return found.coleman_liau if found else float("nan")
