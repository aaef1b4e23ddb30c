"""What counts as the same before and after: whole documents, their normal forms, or their words.

A measure compares how often *events* occur. With `exact` an event is a document; with `normal_form` all
documents that differ only in case, spaces and dashes are one event; with `words` the words of the documents
are the events, so that a document that was made more general has changed, but is still related.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, runtime_checkable

import numpy as np

from sfumato.english.folding import normal_form
from sfumato.errors import InputError
from sfumato.formats.columns import Int32s, Numbers
from sfumato.formats.log import LogRows

Floats = np.ndarray[Any, np.dtype[np.float64]]
Ints = np.ndarray[Any, np.dtype[np.int64]]
Bools = np.ndarray[Any, np.dtype[np.bool_]]

_WORD = re.compile(r"\w+")


class MatchMode(StrEnum):
    """When two documents are the same."""

    EXACT = "exact"
    WORDS = "words"
    NORMAL_FORM = "normal_form"


@runtime_checkable
class Scorer(Protocol):
    """Anything that says how sensitive documents are; a trained model is one."""

    def probabilities(self, documents: Sequence[str]) -> Floats:
        """The probability that each document is sensitive, shape (documents,)."""


Sensitivity = Mapping[Any, float] | Callable[[Any], float] | Scorer | None


@dataclass(frozen=True, slots=True, eq=False)
class Events:
    """The events of each document: those of document d are `ids[starts[d]:starts[d + 1]]`."""

    count: int
    starts: Ints  # shape (documents + 1,)
    ids: Int32s  # shape (starts[-1],)

    def expand(self, rows: LogRows) -> LogRows:
        """Rows of (user, event) for rows of (user, document)."""
        lengths = np.diff(self.starts)[rows.documents]
        ends = np.cumsum(lengths)
        # The place of each event: the start of its document plus its place among that document's events.
        places = np.repeat(self.starts[rows.documents] - ends + lengths, lengths)
        places += np.arange(len(places))
        return LogRows(np.repeat(rows.users, lengths), self.ids[places])


def match_of(name: str) -> MatchMode:
    """The way of matching that a name stands for."""
    try:
        return MatchMode(name)
    except ValueError:
        raise InputError(f"match is one of: {', '.join(MatchMode)}") from None


def forms(document: Any, match: MatchMode) -> list[Any]:
    """The events of one document. One without a single word is an event itself.

    >>> forms("Weight-loss in  May", MatchMode.WORDS), forms("Weight-loss in  May", MatchMode.NORMAL_FORM)
    (['weight', 'loss', 'in', 'may'], ['weight loss in may'])
    """
    if match is MatchMode.EXACT:
        return [document]
    form = normal_form(str(document))
    if match is MatchMode.NORMAL_FORM:
        return [form]
    return _WORD.findall(form) or [form]


def events_of(documents: Sequence[Any], match: MatchMode) -> Events:
    """The events of all documents, numbered by order of arrival."""
    if match is MatchMode.EXACT:
        count = len(documents)
        return Events(count, np.arange(count + 1), np.arange(count, dtype=np.int32))
    numbers = Numbers()
    found = [numbers.of(forms(document, match)) for document in documents]
    starts = np.zeros(len(documents) + 1, dtype=np.int64)
    np.cumsum([len(ids) for ids in found], out=starts[1:])
    return Events(len(numbers), starts, np.concatenate(found))


def sigmas(
    documents: Sequence[Any], sensitivity: Sensitivity, missing: float
) -> tuple[Floats, int]:
    """σ of each document, shape (documents,), and how many have none of their own and get `missing`.

    >>> sigmas(["flu", "cough"], {"flu": 0.8}, 0.0)
    (array([0.8, 0. ]), 1)
    """
    unnamed = 0
    if sensitivity is None:
        return np.zeros(len(documents)), 0
    if isinstance(sensitivity, Mapping):
        found = np.array([sensitivity.get(d, missing) for d in documents], dtype=np.float64)
        unnamed = sum(d not in sensitivity for d in documents)
    elif isinstance(sensitivity, Scorer):
        found = np.asarray(sensitivity.probabilities([str(d) for d in documents]), dtype=np.float64)
    else:
        found = np.array([sensitivity(d) for d in documents], dtype=np.float64)
    if found.shape != (len(documents),) or not ((found >= 0) & (found <= 1)).all():
        raise InputError("a sensitivity is a probability: one number from 0 to 1 for each document")
    return found, unnamed


def event_weights(events: Events, sigma: Floats, in_original: Bools) -> Floats:
    """w = 1 - σ of each event, shape (events,).

    σ of an event is the mean σ of the distinct original documents that hold it; of one that no original
    document holds, of the released documents that do.
    """
    lengths = np.diff(events.starts)
    owner = np.repeat(np.arange(len(lengths)), lengths)
    once = _first_of_document(events, owner)
    owner, ids = owner[once], events.ids[once]
    total, count = _sums(owner, ids, in_original, sigma, events.count)
    other_total, other_count = _sums(owner, ids, ~in_original, sigma, events.count)
    seen = count > 0
    mean = np.where(seen, total, other_total) / np.maximum(np.where(seen, count, other_count), 1)
    return np.clip(1.0 - mean, 0.0, 1.0)


def _first_of_document(events: Events, owner: Ints) -> Ints:
    """Where each document holds an event for the first time: a word twice in a document counts once."""
    keys = owner * events.count + events.ids
    _, first = np.unique(keys, return_index=True)
    return np.asarray(first, dtype=np.int64)


def _sums(
    owner: Ints, ids: Int32s, chosen: Bools, sigma: Floats, events: int
) -> tuple[Floats, Ints]:
    mask = chosen[owner]
    kept = ids[mask]
    total = np.zeros(events)
    np.add.at(total, kept, sigma[owner[mask]])
    return total, np.bincount(kept, minlength=events)
