"""The fast chunker: which terms a text holds, and the form under which a term is counted and looked up.

One pass of one regular expression cuts a text into words and breaks (punctuation, ends of paragraphs).
A *candidate* is a word, or two to four words in a row without a break that could be a noun phrase:

- no function word, verb or adverb at its edges, no number at its start;
- a last word that looks like a noun (not "-ly", not "-ed"), unless it has a capital letter;
- function words inside only between capitals ("Bank of England", "Lord of the Rings"), and "of" anywhere
  ("quality of life").

The *normal form* has every word without accents, in lower case and, where the singular is an ordinary word,
in the singular. Two sorts of words keep their capitals, because without them they would be other words:
abbreviations of two to five capitals whose lower case is an ordinary word (AIDS, US, WHO), and May and Will.
A possessive "'s" is dropped; hyphens, dashes and underscores inside a word part it in two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from sfumato.english.folding import composed, plain_lower
from sfumato.english.inflection import regular_singulars, singular
from sfumato.english.ordinary import is_ordinary
from sfumato.english.wordlists import LISTS, word_set

VERSION = 1  # of the rules: an index made by other rules must be built again
LONGEST = 4  # words in a term

# Words are letters and digits with apostrophes or ampersands inside; initials keep their full stops out of
# the way. Whatever else is neither blank nor joins words (hyphen, dash, apostrophe, underscore) is a break.
TOKEN = re.compile(
    r"[A-Z](?:\.[A-Z]\b)+\.?"
    r"|[A-Z]\.(?=\s[A-Z])"
    r"|(?<!\d)\d+(?:[.,]\d+)+"
    r"|[^\W_]+(?:['’&][^\W_]+)*"
    r"|\n"
    r"|(?<=\s)[-–](?=\s)"
    r"|[^\w\s'’‐‑–-]"
)


# No terms at all: every text has them.
FUNCTION = frozenset(LISTS["function words"])

_OWN = re.compile(r"['’]s(?!\w)(?:[\s\u00a0]+([a-z][\w'’-]*))?")


def end_of_own(text: str, end: int) -> int:
    """Where a name ends, with the "'s" behind it if nothing is owned: it is called so.

    >>> text = "St Mary's was full of Mary's books"
    >>> end_of_own(text, 7), end_of_own(text, 26)
    (9, 26)
    """
    own = _OWN.match(text, end)
    return end + 2 if own and (not own[1] or own[1] in FUNCTION) else end


# Terms of their own, but never the edge of a longer one.
EDGE = frozenset(LISTS["never the edge of a term"])

# Function words that names have inside.
INNER = word_set("of the and for in de la le du del di da von van der on at to el")

_KEPT = {"May": "May", "Will": "Will"}
# Which plurals are counted with their singulars is part of the rules: another choice here is another
# `VERSION`, and indexes have to be built again. These irregular ones are; the nouns in -s below are not.
_COUNTED = word_set("""analyses children crises diagnoses feet hypotheses knives leaves lives men
    metastases mice teeth wives wolves women""")
_UNCUT = word_set(
    "series species means news diabetes rabies scabies herpes physics mathematics lens"
)
_NOUNS_IN_ED = word_set("bed seed speed breed weed feed need reed creed greed deed shed sled")
_BLANK_LINE = re.compile(r"\n[ \t\r]*\n\s*")


@dataclass(frozen=True, slots=True)
class Word:
    """A word in its normal form, and whether it stood with a capital letter."""

    normal: str
    capital: bool


@lru_cache(maxsize=1 << 16)
def word(surface: str) -> Word:
    """A token of the text as a word.

    >>> [word(w).normal for w in ("Tumours", "Café", "AIDS", "aids", "HIV", "U.S.", "Smith's", "Texas")]
    ['tumour', 'cafe', 'AIDS', 'aid', 'hiv', 'US', 'smith', 'texas']
    """
    capital = surface[0].isupper()
    bare = surface.replace("’", "'")
    if bare[-2:] in ("'s", "'S"):
        bare = bare[:-2]
    if "." in bare and not bare[0].isdigit():
        bare = bare.replace(".", "")
    if bare in _KEPT:
        return Word(bare, capital)
    folded = plain_lower(bare)
    if 2 <= len(bare) <= 5 and bare.isupper() and bare.isalpha():
        plain = folded in FUNCTION or is_ordinary(folded) or is_ordinary(counted_form(folded))
        return Word(bare if plain else folded, capital)
    if 3 <= len(bare) <= 6 and bare[-1] == "s" and bare[:-1].isupper():  # CDs, MRIs
        return Word(word(bare[:-1]).normal, capital)
    return Word(counted_form(folded), capital)


@lru_cache(maxsize=1 << 16)
def counted_form(noun: str) -> str:
    """A noun as it is counted: in the singular, where that is an ordinary word. Names stay as they are.

    >>> [counted_form(w) for w in ("biopsies", "boxes", "women", "glass", "james", "states")]
    ['biopsy', 'box', 'woman', 'glass', 'james', 'state']
    """
    if noun in _COUNTED:
        return singular(noun)
    candidates = () if noun in _UNCUT else regular_singulars(noun)
    return next(filter(is_ordinary, candidates), noun)


def cut(text: str) -> list[str]:
    """The words and breaks of a text; a line break ends a paragraph.

    A text with blank lines has its paragraphs between them; in another one, every line is a paragraph.
    """
    if not text.isascii():
        text = composed("NFC", text)
    if _BLANK_LINE.search(text):
        text = "\n".join(part.replace("\n", " ") for part in _BLANK_LINE.split(text))
    found: list[str] = TOKEN.findall(text)
    return found


def is_word(token: str) -> bool:
    """Whether a token is a word, not a break."""
    return token[0].isalnum()


@lru_cache(maxsize=1 << 15)
def words(term: str) -> tuple[Word, ...]:
    """The words of a term, without the function words at its edges.

    >>> [w.normal for w in words("the Lung-Cancers of")]
    ['lung', 'cancer']
    """
    found = [word(token) for token in cut(term.replace("\n", " ")) if is_word(token)]
    while len(found) > 1 and found[0].normal in FUNCTION:
        del found[0]
    while len(found) > 1 and found[-1].normal in FUNCTION:
        del found[-1]
    return tuple(found)


def normal(term: str) -> str:
    """The form under which a term is counted and looked up.

    >>> normal("the United States"), normal("Quality-of-Life"), normal("AIDS")
    ('united state', 'quality of life', 'AIDS')
    """
    return " ".join(w.normal for w in words(term))


def can_start(normal: str) -> bool:
    """Whether a longer term may start with this word."""
    return not (normal in FUNCTION or normal in EDGE or normal[0].isdigit())


def can_end(normal: str) -> bool:
    """Whether a longer term may end with this word, also in capitals."""
    return not (normal in FUNCTION or normal in EDGE)


def noun_like(normal: str) -> bool:
    """Whether a longer term may end with this word in lower case.

    >>> [noun_like(w) for w in ("cancer", "quickly", "treated", "bed", "1984")]
    [True, False, False, True, False]
    """
    if not can_end(normal) or normal[0].isdigit():
        return False
    if normal.endswith("ed"):
        return normal in _NOUNS_IN_ED
    return not (normal.endswith("ly") and len(normal) > 5)


def candidates(text: str) -> Iterator[str]:
    """Every candidate term of a text, in its normal form, once for each place. The build does the same
    with arrays; this is the definition it is checked against.

    >>> sorted(set(candidates("The Bank of England.")))
    ['bank', 'bank of england', 'england']
    """
    run: list[Word] = []
    for token in [*cut(text), "\n"]:
        if is_word(token):
            run.append(word(token))
            continue
        for at, first in enumerate(run):
            if first.normal not in FUNCTION:
                yield first.normal
            for length in range(2, min(LONGEST, len(run) - at) + 1):
                chosen = run[at : at + length]
                if is_candidate(chosen):
                    yield " ".join(w.normal for w in chosen)
        run = []


def is_candidate(chosen: list[Word]) -> bool:
    """Whether several words in a row may be one term."""
    first, *inside, last = chosen
    if not can_start(first.normal) or not can_end(last.normal):
        return False
    numbered = last.normal[0].isdigit() and first.capital  # Apollo 11
    if not (last.capital or noun_like(last.normal) or numbered):
        return False
    named = first.capital and last.capital
    return all(
        w.normal == "of" or (named and w.normal in INNER) or can_end(w.normal) for w in inside
    )
