"""What a policy's `know` names: its taxonomies, opened once for a process, and the hashes of it all."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from sfumato.errors import InputError
from sfumato.know.fingerprints import digest
from sfumato.know.settings import Know, is_file, unknown
from sfumato.know.taxonomy import chain, own
from sfumato.know.taxonomy.chain import Chain
from sfumato.know.taxonomy.ladder import Taxonomy
from sfumato.plugins import TAXONOMIES


def taxonomy_for(settings: Know) -> Chain:
    """The chained taxonomies: those that the policy names, as they are now, then those that come along."""
    return _chain(settings, tuple(digest(Path(each)) for each in _file_names(settings)))


@lru_cache(maxsize=8)
def _chain(settings: Know, _: object) -> Chain:
    names = _file_names(settings)
    given = (*settings.taxonomies, *settings.medical)
    first = [open_taxonomy(each, names.get(each, "")) for each in given]
    return chain.default().before(*first) if first else chain.default()


def open_taxonomy(given: str, name: str = "") -> Taxonomy:
    """A taxonomy by its file, called `name`, or by the name under which it is registered."""
    if is_file(given):
        return own.load(Path(given), name)
    plugin = TAXONOMIES.find(given)
    if plugin is None:
        raise InputError(unknown(given))
    return plugin.open()


def digests(settings: Know) -> dict[str, str]:
    """The knowledge that a policy adds, by hash."""
    names = _file_names(settings)
    found = {f"taxonomy {name}": _read_as(Path(path)) for path, name in names.items()}
    if settings.index is not None:
        found["own statistics"] = f"{settings.weight!r}:{digest(Path(settings.index))}"
    asked = (*settings.taxonomies, *settings.medical)
    for given in asked:
        if given not in names:
            plugin = TAXONOMIES.get(given)
            found |= plugin.knowledge(plugin.open())
    # The first one that knows a term decides, also where it would be asked later anyway.
    if len(asked) > 1 or any(given not in names for given in settings.taxonomies):
        order = [digest(Path(each)) if each in names else each for each in asked]
        found["order of taxonomies"] = hashlib.sha256("\0".join(order).encode()).hexdigest()
    return found


def _read_as(path: Path) -> str:
    """A file's hash, and the ending by which it is read."""
    return f"{digest(path)}{path.suffix.lower()}"


def _file_names(settings: Know) -> Mapping[str, str]:
    """The taxonomies' files, each with a name: two may have the same stem."""
    files = [given for given in settings.taxonomies if is_file(given)]
    stems = [Path(path).stem for path in files]
    names = [s if stems.count(s) == 1 else f"{s}-{i + 1}" for i, s in enumerate(stems)]
    return dict(zip(files, names, strict=True))
