"""What detectors found in texts, kept on this machine: by keyed hash of the text, offsets and kinds alone."""

from __future__ import annotations

import fnmatch
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

import sfumato
from sfumato import private
from sfumato.errors import InputError, SecretError
from sfumato.keys import Key
from sfumato.policy import Policy
from sfumato.protect.tables.mentions import Spans

FILES = "terms-*.db"
_BELOW = ("sfumato", "tables")


def folder() -> Path:
    """Where this machine's caches are."""
    return private.caches().joinpath(*_BELOW)


def clear() -> int:
    """Remove all that was kept; the number of files."""
    try:
        held = private.hold(private.caches(), *_BELOW)
    except FileNotFoundError:
        return 0
    try:
        names = [path.name for path in private.inside(held, folder(), ".").iterdir()]
        kept = fnmatch.filter(names, FILES)
        for name in (*kept, *fnmatch.filter(names, f"{FILES}-*")):
            os.unlink(name, dir_fd=held)
    finally:
        os.close(held)
    return len(kept)


def asked(policy: Policy, knowledge: Sequence[tuple[str, str]]) -> str:
    """What findings depend on besides the text: detectors, what is kept, the data they rest on, and how they
    work: what an earlier program did not find is looked for again."""
    steps = [step.model_dump(mode="json") for step in policy.detect]
    rules = {kind: rule.how for kind, rule in policy.replace.items()}
    settings = policy.model_dump(mode="json", include={"keep", "threshold", "language", "unread"})
    said = [steps, rules, settings, list(knowledge), _program()]
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


@cache
def _program() -> str:
    """A hash of this program, its lists and models: versions are counted by people, and late."""
    made, package = hashlib.sha256(), Path(sfumato.__file__).parent
    for path in sorted(p for p in package.rglob("*") if p.suffix != ".pyc" and p.is_file()):
        made.update(f"{path.relative_to(package).as_posix()}\0".encode() + path.read_bytes())
    return made.hexdigest()


class Cache:
    """Findings by text, each sealed for its place. Whoever has the file without the key learns how many texts
    there were and about how many findings; what somebody else wrote into it is not believed."""

    def __init__(self, key: Key, question: str, path: Path | None = None) -> None:
        self._key, self._question = key, question
        name = key.tag("cache:file", question).hex()[:16]
        self.path = path or folder() / f"terms-{name}.db"
        self._new: dict[bytes, bytes] = {}
        try:
            base, *names = (private.caches(), *_BELOW) if path is None else (path.parent,)
            base.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._db = private.connect(private.hold(base, *names, make=True), self.path, make=True)
            # of a killed run no journal stays, nor is one there that another run takes for a stranger's
            if self._db.execute("PRAGMA journal_mode").fetchone() != ("wal",):
                self._db.execute("PRAGMA journal_mode = MEMORY")
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("DROP TABLE IF EXISTS found")  # earlier versions did not seal
            self._db.execute(
                "CREATE TABLE IF NOT EXISTS sealed (text BLOB PRIMARY KEY, spans BLOB) WITHOUT ROWID"
            )
        except InputError as error:
            raise InputError(f"{error}; or give --no-cache", path=str(self.path)) from None
        except (OSError, sqlite3.Error) as error:
            raise InputError(
                f"{self.path}: the cache cannot be used ({error}); clear it, or give --no-cache"
            ) from None

    def __enter__(self) -> Cache:
        return self

    def __exit__(self, *_: object) -> None:
        self.save()
        self._db.close()

    def get(self, text: str) -> Spans | None:
        tag = self._tag(text)
        try:
            row = self._db.execute("SELECT spans FROM sealed WHERE text = ?", (tag,)).fetchone()
            kept = row[0] if row else self._new.get(tag)
            found = json.loads(self._key.open("cache:spans", kept, tag)) if kept else None
        except (SecretError, TypeError, sqlite3.Error):  # somebody else's, or damaged: found anew
            return None
        return found if found is None else [(a, b, kind) for a, b, kind in found]

    def put(self, text: str, spans: Iterable[tuple[int, int, str]]) -> None:
        tag = self._tag(text)
        self._new[tag] = self._key.seal("cache:spans", json.dumps(list(spans)), tag)

    def save(self) -> None:
        """Keep what is new, all at once: an interrupted run leaves nothing half-written, and a full disk is
        no fault of what was released."""
        with suppress(sqlite3.Error), self._db:
            self._db.executemany("INSERT OR REPLACE INTO sealed VALUES (?, ?)", self._new.items())
        self._new.clear()

    def _tag(self, text: str) -> bytes:
        return self._key.tag("cache:text", f"{self._question}\0{text}")
