"""SPI while documents arrive, and a gate that holds back what would leave a user too little privacy."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from sfumato.errors import InputError
from sfumato.formats.log import is_missing
from sfumato.measure.matching import MatchMode, Sensitivity, forms, match_of, sigmas


@dataclass(slots=True)
class _User:
    """How often each event occurred before and after, and the last index with what it was made from."""

    counts: dict[Any, list[int]] = field(default_factory=dict)  # event -> [before, after]
    before: int = 0
    after: int = 0
    index: float | None = None
    version: int = 0


@dataclass(slots=True)
class _Event:
    """σ of the distinct documents that hold an event: sums and counts, original and released ones."""

    original: float = 0.0
    originals: int = 0
    released: float = 0.0
    releases: int = 0

    @property
    def weight(self) -> float:
        if self.originals:
            return min(max(1.0 - self.original / self.originals, 0.0), 1.0)
        return min(max(1.0 - self.released / max(self.releases, 1), 0.0), 1.0)


class SpiStream:
    """The index of each user, kept up to date document by document; the same numbers as `spi_score`.

    >>> stream = SpiStream(sensitivity={"hiv test": 0.9}, gate=0.2)
    >>> stream.offer("ann", "flu"), stream.offer("ann", "weather"), stream.offer("ann", "hiv test")
    (None, 'weather', None)
    >>> round(stream.index("ann"), 3), round(stream.score, 3)
    (0.309, 0.309)

    `gate` is for `offer`: a document is held back if the index of its user is below the gate, or would be
    after its release. Memory grows with the distinct documents.
    """

    def __init__(
        self,
        *,
        sensitivity: Sensitivity = None,
        match: str = MatchMode.EXACT,
        missing: float = 0.0,
        gate: float = 0.0,
    ) -> None:
        if not 0 <= gate <= 1:
            raise InputError("the gate is an index: a number from 0 to 1")
        self.gate = gate
        self._sensitivity = sensitivity
        self._match = match_of(match)
        self._missing = missing
        self._users: dict[Hashable, _User] = {}
        self._events: dict[Any, _Event] = {}
        self._originals: set[Any] = set()
        self._releases: set[Any] = set()
        self._version = 0  # moves when a weight does

    @property
    def users(self) -> Sequence[Hashable]:
        """The users so far, by order of arrival."""
        return list(self._users)

    def add(self, user: Hashable, original: Any, released: Any = None) -> float:
        """Take in a document and what became of it (None: suppressed); the user's index after it."""
        if is_missing(user) or is_missing(original):
            raise InputError("a user and an original document are needed: one of them is empty")
        self._add(user, original, before=True)
        if not is_missing(released):
            self._add(user, released, before=False)
        return self.index(user)

    def offer(self, user: Hashable, original: Any, released: Any = ...) -> Any:
        """Take in a document, and say what may be released of it: `released` (the document itself, if not
        given), or None if it must be held back."""
        candidate = original if released is ... else released
        closed = user in self._users and self.index(user) < self.gate
        self.add(user, original)
        if closed or is_missing(candidate):
            return None
        known = candidate in self._releases
        self._add(user, candidate, before=False)
        if self.index(user) >= self.gate:
            return candidate
        self._take_back(user, candidate, forget=not known)
        return None

    def index(self, user: Hashable) -> float:
        """The index of one user: WJSD between the documents so far and those released."""
        found = self._users.get(user)
        if found is None:
            raise InputError("no document of this user has arrived")
        if found.index is None or found.version != self._version:
            found.index, found.version = self._wjsd(found), self._version
        return found.index

    @property
    def score(self) -> float:
        """SPI over all users so far; an error if there are none."""
        if not self._users:
            raise InputError("no document has arrived")
        return fmean(map(self.index, self._users))

    def is_open(self, user: Hashable) -> bool:
        """Whether further documents of a user may be released; of a new user they may."""
        return user not in self._users or self.index(user) >= self.gate

    def _add(self, user: Hashable, document: Any, *, before: bool) -> None:
        found = forms(document, self._match)
        self._learn(document, found, before=before)
        owner = self._users.setdefault(user, _User())
        for event in found:
            owner.counts.setdefault(event, [0, 0])[not before] += 1
        owner.before += len(found) * before
        owner.after += len(found) * (not before)
        owner.index = None

    def _take_back(self, user: Hashable, document: Any, *, forget: bool) -> None:
        """Undo a release that was only tried."""
        found = forms(document, self._match)
        owner = self._users[user]
        for event in found:
            owner.counts[event][1] -= 1
            if owner.counts[event] == [0, 0]:
                del owner.counts[event]
        owner.after -= len(found)
        owner.index = None
        if forget:
            self._releases.discard(document)
            if document not in self._originals:
                sigma = self._sigma(document)
                for event in set(found):
                    self._events[event].released -= sigma
                    self._events[event].releases -= 1
                self._version += 1

    def _learn(self, document: Any, found: Sequence[Any], *, before: bool) -> None:
        """σ of events is a mean over distinct documents: a new document may move it, for all users.

        A document that was released first and turns out to be an original later changes sides.
        """
        seen = self._originals if before else self._releases
        if document in seen:
            return
        seen.add(document)
        if not before and document in self._originals:
            return
        sigma = self._sigma(document)
        for event in set(found):
            known = self._events.setdefault(event, _Event())
            weight = known.weight if known.originals or known.releases else None
            if before:
                known.original += sigma
                known.originals += 1
                if document in self._releases:
                    known.released -= sigma
                    known.releases -= 1
            else:
                known.released += sigma
                known.releases += 1
            if weight is not None and known.weight != weight:
                self._version += 1

    def _sigma(self, document: Any) -> float:
        return float(sigmas([document], self._sensitivity, self._missing)[0][0])

    def _wjsd(self, user: _User) -> float:
        shares = []
        for event, (before, after) in user.counts.items():
            p = before / user.before
            if not user.after:
                share = p
            else:
                q = after / user.after
                m = (p + q) / 2
                share = ((p and p * math.log2(p / m)) + (q and q * math.log2(q / m))) / 2
            shares.append(max(share, 0.0) * self._events[event].weight)
        return min(math.fsum(shares), 1.0)
