"""Document logs that may be shared: k-anonymity of documents, and selection by names and private words.

Sections 3.2 and 3.3 of Carpineto and Romano (2018). A log is a table of (user, document); a document is kept
only if at least k users have it. Other columns of a file are never copied: times, places and clicks tell who
somebody is.
"""

from __future__ import annotations

import csv
import importlib
import io
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np

from sfumato.english.folding import normal_form
from sfumato.errors import GuaranteeError, InputError, MissingExtraError
from sfumato.formats.rows import JSON_LINES, PARQUET, SEPARATORS
from sfumato.keys import Key
from sfumato.measure.matching import Bools, Match, match_of
from sfumato.measure.pairs import Pairs, Rows, Table, distinct_users, load_one
from sfumato.measure.rows import Numbers
from sfumato.measure.sensitivity import default
from sfumato.release.files import write_file

TELLING = 8.0  # a word that multiplies the odds of "sensitive" by so much is private
_WHY = "log user"

Pair = tuple[Any, Any]


@dataclass(frozen=True, slots=True)
class LogSummary:
    """What became of a log."""

    k: int
    rows: int
    rows_released: int
    documents: int  # distinct
    documents_released: int
    users: int
    users_gone: int  # users of whom nothing is left

    def as_dict(self) -> dict[str, int]:
        """For JSON."""
        return asdict(self)


def shared(rows: Rows, documents: int, k: int) -> Bools:
    """Which rows hold a document that at least k users have, shape (rows,)."""
    return (distinct_users(rows, documents) >= k)[rows.documents]


def k_anonymous(
    log: Table,
    k: int,
    *,
    match: str = Match.EXACT,
    user: str = "user",
    document: str = "document",
) -> list[Pair]:
    """The rows whose document at least k users have, in their order.

    With `match="normal_form"` spellings that differ in case, spaces and dashes are one document, released in
    its most frequent spelling (a rare one would give its writer away).

    >>> k_anonymous([("ann", "flu"), ("bob", "flu"), ("bob", "my street")], 2)
    [('ann', 'flu'), ('bob', 'flu')]
    """
    pairs = _k_anonymous(load_one(log, user=user, document=document), k, match_of(match))
    return _tuples(pairs)


def _k_anonymous(pairs: Pairs, k: int, match: Match) -> Pairs:
    """The same log with the rows that may be released."""
    if k < 1:
        raise InputError("k is a number of users: 1 or more")
    if match is Match.WORDS:
        raise InputError("a log keeps or drops whole documents: match is 'exact' or 'normal_form'")
    documents, rows = pairs.documents, pairs.original
    if match is Match.NORMAL_FORM:
        documents, rows = _one_spelling(pairs)
    kept = rows.where(shared(rows, len(documents), k))
    return Pairs(pairs.users, documents, pairs.original, kept)


def _one_spelling(pairs: Pairs) -> tuple[Sequence[Any], Rows]:
    """Documents by normal form, each in the spelling of most users; of equals the first in the alphabet."""
    forms = Numbers()
    form = forms.of([normal_form(str(d)) for d in pairs.documents])
    often = distinct_users(pairs.original, len(pairs.documents))
    order = sorted(range(len(form)), key=lambda d: (-int(often[d]), str(pairs.documents[d])))
    spelling: dict[int, Any] = {}
    for d in order:
        spelling.setdefault(int(form[d]), pairs.documents[d])
    rows = Rows(pairs.original.users, form[pairs.original.documents])
    return [spelling[n] for n in range(len(forms))], rows


def anonymize_log(
    path: Path,
    out: Path,
    k: int,
    *,
    match: str = Match.EXACT,
    key: Key | None = None,
    user: str = "user",
    document: str = "document",
) -> LogSummary:
    """Write the log with the documents that at least k users have; with a key, users become pseudonyms.

    Files are .csv, .tsv, .jsonl or .parquet, by the endings of their names. The columns for users and
    documents are written, no others. Nothing is written if nothing is left.
    """
    if out.suffix.lower() not in (*SEPARATORS, *JSON_LINES, *PARQUET):
        raise InputError(
            f"{out}: no table of a known kind; give .csv, .tsv, .jsonl or .parquet", path=str(out)
        )
    if out.resolve() == path.resolve():
        raise InputError(f"{out}: is the input; an original is never overwritten", path=str(out))
    before = load_one(path, user=user, document=document)
    after = _k_anonymous(before, k, match_of(match))
    if not len(after.released):
        documents, rows = before.documents, before.original
        if match_of(match) is Match.NORMAL_FORM:
            documents, rows = _one_spelling(before)
        most = int(distinct_users(rows, len(documents)).max())
        raise InputError(
            f"{path}: no document is shared by {k:,} users; nothing was written. With k up to {most:,} "
            "something is left",
            path=str(path),
        )
    _recount(after, k)
    write_file(out, _to_bytes(out, after, key, (user, document)))
    return LogSummary(
        k=k,
        rows=len(before.original),
        rows_released=len(after.released),
        documents=len(before.documents),
        documents_released=len(np.unique(after.released.documents)),
        users=len(before.users),
        users_gone=len(before.users) - len(np.unique(after.released.users)),
    )


def _recount(pairs: Pairs, k: int) -> None:
    """Counts what is about to be written, by its text: the claim is about the release."""
    numbers = Numbers()
    text = numbers.of([str(d) for d in pairs.documents])
    rows = Rows(pairs.released.users, text[pairs.released.documents])
    counts = distinct_users(rows, len(numbers))
    if (counts[rows.documents] < k).any():
        raise GuaranteeError(f"the log is not {k}-anonymous; nothing was written")


def _to_bytes(out: Path, pairs: Pairs, key: Key | None, header: tuple[str, str]) -> bytes:
    names = pairs.users
    if key is not None:
        names = [key.tag(_WHY, str(u)).hex()[:16] for u in pairs.users]
    suffix = out.suffix.lower()
    users = [names[n] for n in pairs.released.users.tolist()]
    documents = [pairs.documents[n] for n in pairs.released.documents.tolist()]
    if suffix in PARQUET:
        return _parquet(dict(zip(header, (users, documents), strict=True)))
    text = io.StringIO(newline="")
    if suffix in SEPARATORS:
        table = csv.writer(text, delimiter=SEPARATORS[suffix], lineterminator="\n")
        table.writerow(header)
        table.writerows(zip(users, documents, strict=True))
    else:
        for row in zip(users, documents, strict=True):
            text.write(json.dumps(dict(zip(header, row, strict=True)), ensure_ascii=False) + "\n")
    return text.getvalue().encode("utf-8", "surrogatepass")


def _parquet(columns: dict[str, list[Any]]) -> bytes:
    try:
        arrow: Any = importlib.import_module("pyarrow")
        parquet: Any = importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise MissingExtraError("writing Parquet", "parquet") from None
    buffer = io.BytesIO()
    parquet.write_table(arrow.table(columns), buffer)
    return buffer.getvalue()


def _tuples(pairs: Pairs) -> list[Pair]:
    users, documents = pairs.users, pairs.documents
    return [
        (users[u], documents[d])
        for u, d in zip(
            pairs.released.users.tolist(), pairs.released.documents.tolist(), strict=True
        )
    ]


class Ppp:
    """Says whether a document names a person or a place, or holds a private word (PPP).

    Without lists of your own it uses given names, surnames and places that come along, as far as they are no
    ordinary words, and the words that the shipped sensitivity model finds most telling.

    >>> ppp = Ppp(["Keller", "New York", "hiv"])
    >>> [ppp(d) for d in ("weather new york", "HIV test", "pizza recipe")]
    [True, True, False]
    """

    def __init__(self, terms: Iterable[str] | None = None) -> None:
        from sfumato.english.matcher import TermMatcher

        self._matcher = TermMatcher(_shipped_terms() if terms is None else terms, inflect=False)

    def __call__(self, document: str) -> bool:
        return bool(self._matcher.find(document))


@cache
def _shipped_terms() -> tuple[str, ...]:
    from faker.providers.person.en_US import Provider

    from sfumato.english.ordinary import is_ordinary
    from sfumato.know.taxonomy import places

    names = {str(n) for n in (*Provider.first_names, *Provider.last_names)}
    found = {n.casefold() for n in names} | set(places.default().names(min_population=15_000))
    rare = {n for n in found if len(n) > 3 and (" " in n or not is_ordinary(n))}
    private = (w for w in default().telling_words(TELLING) if w.isalpha())
    return tuple(sorted(rare.union(private)))


def select_ppp(
    log: Table,
    is_ppp: Callable[[str], bool],
    share: float,
    *,
    release: Literal["only-ppp", "no-ppp"],
    seed: int = 0,
    user: str = "user",
    document: str = "document",
) -> list[Pair]:
    """A part of the log, drawn from its PPP rows or from the others: `share` of all rows, in their order.

    A larger share holds every smaller one of the same seed.

    >>> log = [("ann", "hiv test"), ("ann", "pizza"), ("bob", "weather"), ("bob", "flu")]
    >>> select_ppp(log, Ppp(["hiv"]), 0.25, release="only-ppp")
    [('ann', 'hiv test')]
    """
    pairs = load_one(log, user=user, document=document)
    flags = np.fromiter((is_ppp(str(d)) for d in pairs.documents), dtype=np.bool_)
    chosen = ppp_rows(pairs.original, flags, share, release=release, seed=seed)
    kept = pairs.original.where(chosen)
    return _tuples(Pairs(pairs.users, pairs.documents, pairs.original, kept))


def ppp_rows(
    rows: Rows, ppp: Bools, share: float, *, release: Literal["only-ppp", "no-ppp"], seed: int = 0
) -> Bools:
    """The same for numbers: `ppp` says it of each document; the chosen rows, shape (rows,)."""
    if not 0 <= share <= 1:
        raise InputError("the share of a log is a number from 0 to 1")
    wanted = round(share * len(rows))
    candidates = np.flatnonzero(ppp[rows.documents] == (release == "only-ppp"))
    if wanted > len(candidates):
        raise InputError(
            f"{release} can release {len(candidates) / len(rows):.1%} of this log at most; "
            "ask for a smaller share"
        )
    chosen = np.zeros(len(rows), dtype=np.bool_)
    chosen[np.random.default_rng(seed).permutation(candidates)[:wanted]] = True
    return chosen
