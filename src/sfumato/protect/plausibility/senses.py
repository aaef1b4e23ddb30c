"""Words of several senses: a generalisation that is right whichever was meant (Algorithm 2)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from sfumato.errors import InputError

Node = Hashable
Path = Sequence[tuple[Node, int]]
"""A sense from the word itself to the root: each concept and its volume."""


@dataclass(frozen=True)
class CommonTerm:
    """A concept, its volume, and the share of the word's senses that it covers (the coverage factor)."""

    node: Node
    volume: int
    coverage: float


def common_term(
    paths: Sequence[Path], chosen: int, *, coverage: float = 0.0, height: float = 0.5
) -> CommonTerm:
    """Common_Terms_Search: a concept above several senses that hides no less than the chosen one.

    `paths` are the senses of one word, `chosen` is the rung that a search chose on the first. A candidate is
    on at least two paths, within the lower `height` of those that it counts for (nearer to the root,
    anything is common), and at least as wide as the chosen concept, so that the text stays
    t-plausible. The one that covers most senses is taken; of several the narrowest, then the first met.
    Where none covers a share of at least `coverage`, the chosen concept stays. So does a word that
    the search left as it stands: it is right in every sense.

    >>> doctor = [("resident", 1), ("doctor", 30), ("person", 900), ("being", 2000), ("entity", 9000)]
    >>> tenant = [("resident", 1), ("person", 900), ("being", 2000), ("entity", 9000)]
    >>> common_term([doctor, tenant], chosen=1)
    CommonTerm(node='person', volume=900, coverage=1.0)
    """
    if not paths or not 0 <= chosen < len(paths[0]):
        raise InputError(f"rung {chosen} is not on the path of the first sense")
    if not 0 <= coverage <= 1:
        raise InputError(f"coverage={coverage}: must be between 0 and 1")
    if not 0 <= height <= 1:
        raise InputError(f"height={height}: must be between 0 and 1")
    node, volume = paths[0][chosen]
    if chosen == 0:
        return CommonTerm(node, volume, 1.0)
    nodes = [{step for step, _ in path} for path in paths]
    covered: dict[Node, set[int]] = {}
    volumes: dict[Node, int] = {}
    for sense, path in enumerate(paths):
        for step, wide in path[1 : int(len(path) * height) + 1]:
            elsewhere = any(step in other for i, other in enumerate(nodes) if i != sense)
            if elsewhere and wide >= volume:
                covered.setdefault(step, set()).add(sense)
                volumes[step] = wide
    if covered:
        best = min(covered, key=lambda step: (-len(covered[step]), volumes[step]))
        factor = len(covered[best]) / len(paths)
        if factor >= coverage:
            return CommonTerm(best, volumes[best], factor)
    return CommonTerm(node, volume, sum(node in other for other in nodes) / len(paths))
