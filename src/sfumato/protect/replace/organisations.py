"""The words of a name that tell which organisation or place it is: a prison stays one, a river too."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sfumato.document import changed
from sfumato.english.folding import plain_lower
from sfumato.english.ordinary import is_ordinary
from sfumato.english.wordlists import ORG_TYPES, ORG_WORDS, word_set
from sfumato.facts.organisations import LEGAL
from sfumato.protect.replace.codes import respell
from sfumato.protect.replace.lists import LISTS

_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_JOINTS = word_set("of the for in at on de du des la le del di and und y et")
# Between two names: Hartley & Finch
_APART = re.compile(r"[^\w]*(?:[&,/+]|\b(?:and|und|y|et)\b)[^\w]*")
# Beside what ORG_WORDS and the labels' words say: sorts of courts, schools, teams, papers and practices.
_MORE = frozenset(LISTS["sorts of organisations"])
_OF_LAND = frozenset(LISTS["sorts of places"])
_SORTS = (
    LEGAL
    | {*ORG_WORDS}
    | _MORE
    | {w for heads in ORG_TYPES.values() for h in heads for w in h.split()}
)
_BY_KIND = {"ORG": _SORTS, "LOC": _SORTS | _OF_LAND}


# Of a body that serves all, ordinary words say what it does: the National Crime Agency.
_PUBLIC = re.compile(
    r"(?i)(?:the\s)?(?:national|general|royal|federal|central|european|international)\s"
)


@dataclass(frozen=True, slots=True)
class TellingRun:
    """Words of a name side by side that tell which one it is: where they stand, and which they are."""

    start: int
    end: int
    words: frozenset[str]


def telling(name: str, kind: str = "ORG") -> list[TellingRun]:
    """The runs of telling words of a name.

    >>> names = "HMP Doncaster", "Chisinau Court of Appeal", "Hartley & Finch LLP", "Sons of the Sea", "Court"
    >>> [[name[run.start : run.end] for run in telling(name)] for name in names]
    [['Doncaster'], ['Chisinau'], ['Hartley', 'Finch'], ['Sons of the Sea'], []]
    """
    runs: list[TellingRun] = []
    is_public = _PUBLIC.match(name) is not None
    joined = False  # whether nothing but joints stands since the last run
    for found in _WORD.finditer(name):
        word = plain_lower(found[0])
        if word in _JOINTS and (found[0].islower() or not runs):
            continue
        is_sort = not _BY_KIND[kind].isdisjoint((word, word.rstrip("."), word.removesuffix("s")))
        if is_sort or (is_public and is_ordinary(word)):
            joined = False
            continue
        bare = re.sub(r"['’]s\Z", "", word)
        end = found.end() - (len(found[0]) - len(re.sub(r"['’][sS]\Z", "", found[0])))
        if joined and not _APART.fullmatch(name[runs[-1].end : found.start()]):
            runs[-1] = TellingRun(runs[-1].start, end, runs[-1].words | {bare})
        else:
            runs.append(TellingRun(found.start(), end, frozenset({bare})))
        joined = True
    return runs


def renamed(kind: str, original: str, name: str, invent: Callable[[int], str]) -> str:
    """The name of an organisation or a place with others for its telling words: `invent` makes that for the
    n-th run of the name in full."""
    whole, own = telling(name, kind), telling(original, kind)
    if not own:
        article = re.match(r"(?i)the\s+", original)
        at = article.end() if article else 0
        return f"{original[:at]}{respell(invent(0), original)} {original[at:]}"
    words = (respell(invent(_number(r, whole)), original[r.start : r.end]) for r in own)
    return changed(original, ((r.start, r.end, w) for r, w in zip(own, words, strict=True)))


def _number(run: TellingRun, whole: Sequence[TellingRun]) -> int:
    """Which run of the full name one of a mention is."""
    return next((n for n, other in enumerate(whole) if run.words & other.words), 0)
