"""Changes of a text, and where its characters stood before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from sfumato.document import Change, Spans
from sfumato.english.folding import Ints


def changed_places(text: str, changes: Iterable[Change]) -> tuple[str, Ints]:
    """A text with changes, and where each of its characters stood.

    >>> made, where = changed_places("tu-ber", [(2, 3, "")])
    >>> made, where.tolist()
    ('tuber', [0, 1, 3, 4, 5])
    """
    pieces, places, at = [], [], 0
    for start, end, new in changes:
        pieces += [text[at:start], new]
        places += [np.arange(at, start), np.full(len(new), start)]
        at = end
    pieces.append(text[at:])
    places.append(np.arange(at, len(text)))
    return "".join(pieces), np.concatenate(places)


def both(changes: Sequence[Change], others: Iterable[Change]) -> list[Change]:
    """Changes in order, and those others that touch none of them."""
    taken = Spans((start, end) for start, end, _ in changes)
    return sorted([*changes, *(other for other in others if not taken.touch(*other[:2]))])
