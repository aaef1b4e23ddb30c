"""A search engine as a source of statistics, the way of the correlated-terms paper: p(a, b) is the number of
hits for both terms over the number of documents that the engine holds.

Any HTTP endpoint that answers a query with JSON will do: its address is a template, the count is found by a
path. For Elasticsearch or OpenSearch:

    SearchEngine(
        "http://localhost:9200/notes/_count?q={query}", count="count", documents=250_000,
        allow_network=True,
    )

The words of a policy's hidden terms would leave the house in these queries, so nothing is asked unless
`allow_network` is true: without it, only what the cache already holds is answered. The cache is a SQLite file
of counts by hash of the query; no query stands in it. (Whoever holds the file and guesses a query can tell
whether it was asked: it is made with mode 600.)
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from pydantic import Field, ValidationError, field_validator

from sfumato.english import chunker
from sfumato.errors import InputError, PolicyError
from sfumato.know.statistics.probability import HALF, BackOff, Evidence, Statistics
from sfumato.plugins import Options


class SearchOptions(Options):
    """Settings of a search engine as source."""

    url: str = Field(
        description="The address, with {query} where the query goes (percent-encoded)."
    )
    count: str = Field(
        "count", description="Where the count stands in the answer, e.g. `hits.total.value`."
    )
    documents: int = Field(gt=0, description="How many documents the engine holds.")
    quote: str = Field('"{term}"', description="How a term is written in a query.")
    join: str = Field(" AND ", description="What stands between the terms of a query.")
    headers: dict[str, str] = Field(
        default_factory=dict, description="HTTP headers to send, e.g. Authorization."
    )
    cache: str | None = Field(
        None, description="The file that keeps the counts; none: for this run only."
    )
    per_second: float = Field(5.0, gt=0, description="Requests per second, at most.")
    retries: int = Field(3, ge=0, description="How often a failed request is tried again.")
    timeout: float = Field(10.0, gt=0, description="Seconds to wait for an answer.")
    allow_network: bool = Field(
        False, description="Ask over the network. Off: only the cache is read."
    )

    @field_validator("url")
    @classmethod
    def _has_a_place_for_the_query(cls, url: str) -> str:
        if "{query}" not in url:
            raise ValueError("the address needs {query} where the query goes")
        if urlsplit(url).scheme not in ("http", "https"):
            raise ValueError("the address must start with http:// or https://")
        return url

    @field_validator("quote")
    @classmethod
    def _has_a_place_for_the_term(cls, quote: str) -> str:
        if "{term}" not in quote:
            raise ValueError("`quote` needs {term} where the term goes")
        return quote


class SearchEngine(Statistics):
    """Counts from a search engine, kept in a cache. Safe for several threads.

    A pair that is never found together is smoothed as in the index (see `statistics`); a term that is never
    found counts as half a document and as independent.
    """

    def __init__(self, url: str, *, documents: int, **options: Any) -> None:
        try:
            self.options = SearchOptions(url=url, documents=documents, **options)
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False)[0]
            where = ".".join(map(str, first["loc"])) or "options"
            raise PolicyError(f"search engine: {where}: {first['msg']}") from None
        self.size = documents
        self._lock = threading.Lock()
        self._next = 0.0
        self._cache = _open_cache(self.options.cache)
        self._opener = build_opener(_NoRedirect)

    def p(self, *terms: str) -> float:
        found = self.count(*terms)
        if found:
            return min(found, self.size) / self.size
        if len(terms) <= 1:
            return HALF / self.size
        alone = {term: min(self.count(term), self.size) for term in _distinct(terms)}
        known = [term for term, count in alone.items() if count]
        rest = (HALF / self.size) ** (len(alone) - len(known))
        if len(known) < len(alone):
            return (self.p(*known) if known else 1.0) * rest
        expected = self.size * math.prod(count / self.size for count in alone.values())
        return expected / (1 + expected / HALF) / self.size

    def count(self, *terms: str) -> int:
        return self._ask(self.query(*terms))

    def sure(self, *terms: str) -> Evidence:
        found = self.count(*terms)
        if found:
            return Evidence(found, BackOff.NONE)
        if len(terms) > 1 and all(self.count(term) for term in terms):
            return Evidence(0, BackOff.APART)
        return Evidence(0, BackOff.UNKNOWN)

    def query(self, *terms: str) -> str:
        """The query for documents that hold all the terms: quoted, in one order, each once.

        >>> SearchEngine("http://localhost/?q={query}", documents=10).query("HIV", "the AIDS", "hiv")
        '"AIDS" AND "HIV"'
        """
        said = sorted(_plain(term) for term in _distinct(terms))
        return self.options.join.join(self.options.quote.replace("{term}", t) for t in said)

    def close(self) -> None:
        """Close the cache."""
        self._cache.close()

    def _ask(self, query: str) -> int:
        key = hashlib.sha256(
            json.dumps([self.options.url, self.options.count, query]).encode()
        ).hexdigest()
        with self._lock:
            row = self._cache.execute("SELECT count FROM counts WHERE query = ?", (key,)).fetchone()
            if row is not None:
                return int(row[0])
            if not self.options.allow_network:
                raise PolicyError(
                    "the search engine may not be asked: set allow_network: true (terms of your documents "
                    "then go to it), or use an index (sfumato know build)"
                )
            count = self._fetch(self.options.url.replace("{query}", quote(query, safe="")))
            with self._cache:
                self._cache.execute("INSERT OR REPLACE INTO counts VALUES (?, ?)", (key, count))
            return count

    def _fetch(self, url: str) -> int:
        host = urlsplit(url).netloc.rpartition("@")[2]
        reason = ""
        for attempt in range(self.options.retries + 1):
            self._wait(0.5 * 2 ** (attempt - 1) if attempt else 0)
            try:
                request = Request(url, headers=self.options.headers)
                with self._opener.open(request, timeout=self.options.timeout) as answer:
                    return self._read(answer.read(1 << 24), host)
            except HTTPError as error:
                reason = f"HTTP status {error.code}"
                error.close()
                if error.code != 429 and error.code < 500:
                    break
            except (URLError, OSError) as error:
                cause = getattr(error, "reason", error)
                timed_out = isinstance(cause, TimeoutError)
                reason = "no answer in time" if timed_out else "no connection"
        raise InputError(
            f"the search engine at {host} gave no count ({reason}); nothing was changed"
        )

    def _wait(self, pause: float) -> None:
        """Until the rate allows another request, and the pause after a failure is over."""
        now = time.monotonic()
        start = max(now + pause, self._next)
        self._next = start + 1 / self.options.per_second
        if start > now:
            time.sleep(start - now)

    def _read(self, body: bytes, host: str) -> int:
        wrong = InputError(
            f"the search engine at {host}: no count at '{self.options.count}' of its answer"
        )
        try:
            value = json.loads(body)
            for step in self.options.count.split("."):
                value = value[int(step)] if isinstance(value, list) else value[step]
        except (ValueError, KeyError, IndexError, TypeError):
            raise wrong from None
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 2**63:
            raise wrong
        return int(value)


class _NoRedirect(HTTPRedirectHandler):
    """An answer from elsewhere is refused: the policy named one address."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _plain(term: str) -> str:
    """A term without what could change the query's meaning, and without function words at its edges."""
    kept = " ".join(t for t in chunker.cut(term.replace("\n", " ")) if chunker.is_word(t))
    found = kept.split(" ")
    while len(found) > 1 and found[0].lower() in chunker.FUNCTION and not found[0].isupper():
        del found[0]
    return " ".join(found)


def _distinct(terms: tuple[str, ...]) -> list[str]:
    by_normal: dict[str, str] = {}
    for term in terms:
        by_normal.setdefault(chunker.normal(term), term)
    return list(by_normal.values())


def _open_cache(path: str | None) -> sqlite3.Connection:
    try:
        if path is not None and not Path(path).exists():
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        cache = sqlite3.connect(path or ":memory:", check_same_thread=False)
        with cache:
            cache.execute(
                "CREATE TABLE IF NOT EXISTS counts (query TEXT PRIMARY KEY, count INTEGER)"
            )
    except (OSError, sqlite3.Error):
        raise InputError(
            f"{path}: not a cache of a search engine's counts, or not to be written", path=path
        ) from None
    return cache
