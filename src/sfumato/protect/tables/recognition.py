"""Which terms stand in which texts: by the policy's detectors, or as somebody else has found them.

Every distinct text is looked at once. Terms of kinds that the policy does not count, or lets stand,
are no terms.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Protocol

from sfumato.detect.finder import Finder
from sfumato.detect.language import refuse_unread
from sfumato.document import Document, Term
from sfumato.english.folding import fold
from sfumato.errors import InputError
from sfumato.files import text_of
from sfumato.policy import Policy
from sfumato.protect.tables.cache import Cache
from sfumato.protect.tables.mentions import Spans, without_overlaps

_KIND = re.compile(r"[A-Z][A-Z0-9_]*")
Watch = Callable[[Sequence[str]], Iterable[str]]  # gives the items on, and shows how far it is


class Recogniser(Protocol):
    """What finds terms in texts."""

    def texts(self, texts: Sequence[str]) -> dict[str, Spans]:
        """The terms of each distinct text, without overlaps."""


class PolicyRecogniser:
    """Terms by the policy's detectors, remembered for the run and, with a cache, for the next one."""

    absent = by_context = ()  # all of them look, at every text

    def __init__(
        self, policy: Policy, cache: Cache | None = None, watch: Watch = lambda items: items
    ) -> None:
        self._policy, self._cache, self._watch = policy, cache, watch
        self._find: Finder | None = None
        wanted = policy.table.kinds if policy.table else ()
        self._wanted = frozenset(wanted)
        self._known: dict[str, Spans] = {}
        self.looked_at = 0  # texts that were in no cache

    def texts(self, texts: Sequence[str]) -> dict[str, Spans]:
        new = [t for t in dict.fromkeys(texts) if t not in self._known]
        unknown = []
        for text in new:
            found = self._cache.get(text) if self._cache else None
            if found is None:
                unknown.append(text)
            else:
                self._known[text] = found
        for text in self._watch(unknown):
            found = self._look(text)
            self._known[text] = found
            if self._cache:
                self._cache.put(text, found)
        self.looked_at += len(unknown)
        wanted = self._wanted
        return {
            text: [s for s in self._known[text] if not wanted or s[2] in wanted] for text in texts
        }

    def __call__(self, document: Document) -> list[Term]:
        """The terms of a text, for whoever checks a release."""
        spans = self.texts([document.text])[document.text]
        return [Term(start, end, kind, 1.0, "table") for start, end, kind in spans]

    all = again = __call__

    def kept(self, text: str) -> list[tuple[int, int]]:
        """What the policy keeps is a term like others."""
        return []

    def _look(self, text: str) -> Spans:
        if not text.strip():
            return []
        # what the policy keeps is a term like others: it stays, and is counted
        self._find = self._find or Finder(self._policy.model_copy(update={"keep": ()}))
        document = Document(text, "a text of the table")
        terms = self._find(document)
        refuse_unread(document, terms, self._policy)
        return [(t.start, t.end, t.kind) for t in terms if not self._policy.keeps(t.kind)]


def read_given(path: Path, rows: int) -> list[list[tuple[str, str]]]:
    """Terms that somebody else has found: for each row {"row": 0, "terms": [[KIND, term], …]}.

    Rows that are not named have none.
    """
    found: list[list[tuple[str, str]]] = [[] for _ in range(rows)]
    known: dict[tuple[str, str], tuple[str, str]] = {}  # terms repeat: one object for all of them
    try:
        lines = io.StringIO(text_of(path), newline=None)
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or "no UTF-8"
        raise InputError.at(path, f"cannot be read ({why})") from None
    for number, line in enumerate(lines, 1):
        try:
            entry = json.loads(line)
            row, pairs = entry["row"], [(str(k), str(t)) for k, t in entry["terms"]]
            if type(row) is not int or not all(map(_KIND.fullmatch, (k for k, _ in pairs))):
                raise ValueError
        except (ValueError, KeyError, TypeError, RecursionError):
            raise InputError(
                f'{path}:{number}: not of the form {{"row": 0, "terms": [["KIND", "term"]]}}; '
                "a row is a whole number, a kind is in capitals"
            ) from None
        if not 0 <= row < rows:
            raise InputError(f"{path}:{number}: there is no row {row}; rows count from 0")
        found[row] += [known.setdefault(pair, pair) for pair in pairs]
    return found


def locate(text: str, given: Iterable[tuple[str, str]]) -> list[tuple[int, int, str]]:
    """Where given terms stand in a text as whole words, longer ones first; all mentions of each.

    >>> locate("UK, then New York and uk", [("GPE", "York"), ("GPE", "New York"), ("GPE", "UK")])
    [(0, 2, 'GPE'), (9, 17, 'GPE'), (22, 24, 'GPE')]
    """
    folded = fold(text)
    whole = folded.text
    padded = f" {whole} "
    hits: list[tuple[int, int, str]] = []
    for term, kind in {_term(term): kind for kind, term in given}.items():
        at = whole.find(term) if term else -1
        while at >= 0:
            stop = at + len(term)
            # in `padded` the characters before and after stand at `at` and `stop + 1`
            if (padded[at].isalnum() and term[0].isalnum()) or (
                padded[stop + 1].isalnum() and term[-1].isalnum()
            ):
                at = whole.find(term, at + 1)
                continue
            hits.append((at, stop, kind))
            at = whole.find(term, stop)
    hits.sort()
    if any(a[1] > b[0] for a, b in pairwise(hits)):
        hits = without_overlaps(sorted(hits, key=lambda h: (h[0] - h[1], h[0])))
    return [(*folded.place(a, b), kind) for a, b, kind in hits]


def stand_in(given: Iterable[tuple[str, str]], texts: Sequence[str]) -> bool:
    """Whether each given term stands in one of the texts.

    >>> given = [("GPE", "York"), ("GPE", "New York")]
    >>> stand_in(given, ["in New York"]), stand_in(given, ["in Yorkshire"])
    (True, False)
    """
    pairs = list(given)
    found = {_term(text[a:b]) for text in texts for a, b, _ in locate(text, pairs)}
    return all(
        _term(pair[1]) in found or any(locate(text, [pair]) for text in texts) for pair in pairs
    )


@lru_cache(maxsize=1 << 13)
def _term(term: str) -> str:
    return fold(term).text.strip()
