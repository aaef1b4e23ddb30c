"""The taxonomies and statistics that a policy's `know` names, opened once for a process."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from sfumato.errors import InputError
from sfumato.know.settings import Know
from sfumato.know.statistics import probability as statistics
from sfumato.know.statistics.probability import Blend, Statistics
from sfumato.know.taxonomy import chain as taxonomy
from sfumato.know.taxonomy import medical, own
from sfumato.know.taxonomy.chain import Chain


@cache
def taxonomy_for(settings: Know) -> Chain:
    """The chained taxonomies: the user's own, the medical ones, then those that come along."""
    first = [
        *(own.load(Path(path), name) for name, path in _files(settings)),
        *(medical.load(name) for name in settings.medical),
    ]
    return taxonomy.default().before(*first) if first else taxonomy.default()


@cache
def statistics_for(settings: Know) -> Statistics:
    """The statistics: ours, or the user's blended with them."""
    if settings.index is None:
        return statistics.default()
    mine = statistics.load(settings.index)
    if settings.weight == 1:
        return mine
    return Blend([(mine, settings.weight), (statistics.default(), 1 - settings.weight)])


def digests(settings: Know) -> dict[str, str]:
    """The user's own knowledge by hash."""
    found = {f"taxonomy {name}": _digest(path) for name, path in _files(settings)}
    if settings.index is not None:
        found["own statistics"] = f"{settings.weight:g}:{_digest(settings.index)}"
    for name in settings.medical:
        labels = "\n".join(sorted(medical.load(name).labels()))
        found[f"taxonomy {name}"] = hashlib.sha256(labels.encode()).hexdigest()
    return found


def _files(settings: Know) -> list[tuple[str, str]]:
    """The taxonomies' files, each with a name: two may have the same stem."""
    stems = [Path(path).stem for path in settings.taxonomies]
    names = [s if stems.count(s) == 1 else f"{s}-{i + 1}" for i, s in enumerate(stems)]
    return list(zip(names, settings.taxonomies, strict=True))


def _digest(path: str) -> str:
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})", path=path) from None
