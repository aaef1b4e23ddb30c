"""The data that comes along, by hash: what a certificate names as the knowledge behind a release.

Each function is one source, a name with the SHA-256 of its files. Whoever uses a source says so where it is
registered, and `together` joins several:

    @protector("mine", options=Mine, knowledge=together(taxonomy, senses))

What another package's plug-in reads is a source alike: `source("atc", Path("atc.csv"))`.
"""

from __future__ import annotations

import errno
import hashlib
import time
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path

from sfumato.english import ordinary
from sfumato.english.births import this_year
from sfumato.errors import InputError
from sfumato.files import plain
from sfumato.know.tables import FOLDER

CLOCK = 2 * 10**9  # nanoseconds in which two changes of a file may have the same time
MOST_BYTES = 1 << 33  # of the files of a source
Source = Callable[[object], Mapping[str, str]]  # takes a plug-in's options, which may decide


def digest(*files: Path) -> str:
    """The SHA-256 of files, one after the other; they are read again only where they may have changed. The
    time of the last change of any kind cannot be set back as that of the content can."""
    try:
        found = [file.stat() for file in files]
        if sum(s.st_size for s in found) > MOST_BYTES:
            raise _endless(files[-1])
        stamps = tuple((s.st_dev, s.st_ino, s.st_size, s.st_ctime_ns) for s in found)
        settled = time.time_ns() - max((s.st_ctime_ns for s in found), default=0) > CLOCK
        return (_digest if settled else _digest.__wrapped__)(files, stamps)
    except OSError as error:
        path = str(error.filename)
        raise InputError.at(path, f"cannot be read ({error.strerror})") from None


@lru_cache
def _digest(files: tuple[Path, ...], _: object) -> str:
    whole, left = hashlib.sha256(), MOST_BYTES
    for file in files:
        with plain(file) as opened:
            while piece := opened.read(1 << 20):
                whole.update(piece)
                left -= len(piece)
                if left < 0:
                    raise _endless(file)
    return whole.hexdigest()


def _endless(file: Path) -> OSError:
    """Of what a policy names, whoever wrote that: it need not have an end, nor say how long it is."""
    return OSError(errno.EFBIG, f"more than {MOST_BYTES:,} bytes", str(file))


def source(name: str, *files: Path) -> Source:
    """Files as a source; they are read when their hash is first asked for."""
    return lambda _: {name: digest(*files)}


def together(*sources: Source) -> Source:
    """Several sources as one.

    >>> sorted(together(places, senses)(None))
    ['places', 'senses']
    """
    return lambda options: {k: v for s in sources for k, v in s(options).items()}


def words(_: object = None) -> Mapping[str, str]:
    """The ordinary words of English, which may stand in a text though they were hidden elsewhere."""
    return {"words": ordinary.digest()}


def year(_: object = None) -> Mapping[str, str]:
    """The year by which ages are told and dates with two digits are recent."""
    return {"year": str(this_year())}


FILES: Mapping[str, tuple[str, ...]] = {
    "places": ("places.npz",),
    "taxonomy": ("wordnet.npz", "softening.npz", "places.npz", "named.npz"),
    "statistics": ("wikipedia.terms", "concepts.units"),
    "senses": ("senses.npz",),
    "glosses": ("glosses.xz",),
}
places, taxonomy, statistics, senses, glosses = (
    source(name, *(FOLDER / file for file in files)) for name, files in FILES.items()
)
# By name, so that a certificate can be checked without the policy behind it.
SOURCES: Mapping[str, Source] = {
    "words": words,
    "year": year,
    "places": places,
    "taxonomy": taxonomy,
    "statistics": statistics,
    "senses": senses,
    "glosses": glosses,
}
