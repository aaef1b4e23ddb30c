"""Two tables of (user, document), before and after, as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sfumato.errors import InputError
from sfumato.formats.columns import Numbers
from sfumato.formats.log import LogRows, Table, missing, name_of, numbered, refuse_missing

SUPPRESSED = -1  # the number of a released document that is empty


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Before and after. Numbers stand for places in `users` and `documents`; a released document that is
    empty or missing has the number `SUPPRESSED`."""

    users: Sequence[Any]
    documents: Sequence[Any]
    original: LogRows
    released: LogRows

    @property
    def kept(self) -> LogRows:
        """The released rows that hold a document."""
        return self.released.where(self.released.documents != SUPPRESSED)


def load(
    original: Table, released: Table, *, user: str = "user", document: str = "document"
) -> Pairs:
    """Read two tables. Users of the release must be users of the original, who all have documents.

    >>> pairs = load([("ann", "flu"), ("ann", "cough")], [("ann", "flu"), ("ann", None)])
    >>> pairs.original.documents.tolist(), pairs.released.documents.tolist()
    ([0, 1], [0, -1])
    """
    users, documents = Numbers(), Numbers()
    before = numbered(original, (user, document), users, documents, "original")
    if not len(before):
        raise InputError(f"{name_of(original, 'original')} has no documents: nothing to compare")
    known = len(users)
    refuse_missing(before, users, documents, original)
    after = numbered(released, (user, document), users, documents, "release")
    strange = len(users) - known
    if strange:
        are = "is" if strange == 1 else "are"
        raise InputError(
            f"{name_of(released, 'release')}: {strange:,} of its users {are} not in the original; "
            "the tables must name users alike, by values of one type, as after `anonymize-log --keep-users`"
        )
    gone = missing(documents)
    if gone.any():
        after = LogRows(after.users, np.where(gone[after.documents], SUPPRESSED, after.documents))
    return Pairs(list(users), list(documents), before, after)
