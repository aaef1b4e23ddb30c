"""One document, one release for each reader, and what the readers could learn together.

Each view is K-safe for what its reader may not know. Readers who put their views together know the terms of
all of them; then what *none* of them may know must be hidden among K others still. That is always checked,
and on demand enforced: terms that would give it away are withheld from every view.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from sfumato.document import Document, Release
from sfumato.errors import GuaranteeError, InputError, PolicyError
from sfumato.files import write_together
from sfumato.folders import Folders, Identity
from sfumato.keys import Key
from sfumato.pipeline import Sanitizer
from sfumato.plugins import CLAIMS, JointChecker, Withholder
from sfumato.policy import Policy
from sfumato.policy.steps import steps_for_readers
from sfumato.release import batch
from sfumato.release.batch import Job
from sfumato.release.files import in_use, refuse_strangers, release_files
from sfumato.release.ledger import Ledger
from sfumato.verify import Check, Evidence, promised


@dataclass(frozen=True)
class Views:
    """The releases of one document by reader, and whether they are safe together."""

    releases: dict[str, Release] = field(repr=False)
    together: Check
    claim: str  # what each view is, and all are together

    def write(
        self,
        job: Job,
        folder: Path,
        ledger: Ledger,
        policy: Policy,
        *,
        force: bool = False,
        never: frozenset[Identity] = frozenset(),
    ) -> None:
        """Record each reader's release, then write it with its certificate: all of them or none."""
        placed = {place(job, folder, reader): made for reader, made in self.releases.items()}
        most = policy.limits.release_bytes

        def judge(folders: Folders) -> None:
            for path in placed:
                refuse_strangers(folders, path, ledger, most=most, force=force)

        for path, release in placed.items():
            ledger.put(release, policy, path)
        pairs = (release_files(path, release) for path, release in placed.items())
        written = list(chain.from_iterable(pairs))
        write_together(written, root=job.root, judge=judge, never=never | in_use(ledger))
        for path, release in placed.items():
            ledger.take_over(release, path)

    def to_dict(self) -> dict[str, Any]:
        """The views without any original, ready for JSON."""
        check = self.together
        return {
            "views": {reader: release.to_dict() for reader, release in self.releases.items()},
            "together": {"check": check.name, "verdict": check.verdict, "detail": check.detail},
        }


def place(job: Job, folder: Path, reader: str) -> Path:
    """Where a reader's release of a document is written."""
    assert job.target is not None
    return folder / reader / job.target.relative_to(folder)


def without_collisions(
    jobs: Sequence[Job], folder: Path, readers: Sequence[str], others: Sequence[Path | None]
) -> list[Job]:
    """The jobs, with the fault of each of which a reader's release would overwrite something."""
    placed = [replace(job, target=place(job, folder, name)) for job in jobs for name in readers]
    checked = batch.without_collisions(placed, [path for path in others if path is not None])
    faults = [job.fault for job in checked]
    each = (faults[at : at + len(readers)] for at in range(0, len(faults), len(readers)))
    return [
        replace(job, fault=next(filter(None, found), ""))
        for job, found in zip(jobs, each, strict=True)
    ]


def reader_names(given: str) -> tuple[str, ...]:
    """Readers from a list with commas. Each becomes a folder's name, so it must be one.

    >>> reader_names("alice, bob")
    ('alice', 'bob')
    """
    names = tuple(name.strip() for name in given.split(","))
    for name in names:
        if not name:
            raise InputError("--readers: a name is missing; give e.g. --readers alice,bob")
        if name.startswith(".") or any(c in "/\\:\0" or not c.isprintable() for c in name):
            raise InputError(f"--readers: {name!r} cannot be the name of a folder")
    if len(set(names)) < len(names):
        raise InputError("--readers: a reader is named twice")
    return names


class Viewer:
    """A policy made ready for several readers: made once for a run, called for every document."""

    def __init__(
        self,
        policy: Policy,
        key: Key,
        vault: Ledger,
        readers: Sequence[str],
        *,
        collusion_safe: bool = False,
    ) -> None:
        self._policy, self._vault = policy, vault
        self._readers = tuple(readers)
        self._collusion_safe = collusion_safe
        self._sanitizers = {name: Sanitizer(policy, key, vault, name) for name in readers}
        self._claim, self._together = joint_claim(policy)

    def __call__(self, document: Document) -> Views:
        """The views of a document, each verified."""
        self._vault.begin()
        for protector in self._protectors():
            protector.withheld = frozenset()
        releases, check = self._make(document)
        while check.failed and self._collusion_safe:
            if not self._withhold([release.text for release in releases.values()]):
                raise GuaranteeError(
                    f"{document.name}: the views cannot be made safe together; nothing written",
                    checks=[check],
                )
            releases, check = self._make(document)
        return Views(releases, check, self._claim)

    def _make(self, document: Document) -> tuple[dict[str, Release], Check]:
        releases = {name: make(document) for name, make in self._sanitizers.items()}
        views = [Evidence(r.text, self._policy, reader=name) for name, r in releases.items()]
        return releases, self._together(views)

    def _withhold(self, texts: Sequence[str]) -> bool:
        """Take more terms from all views; whether there were any to take."""
        protectors = list(self._protectors())
        more = protectors[0].unsafe_together(texts, self._readers) - protectors[0].withheld
        for protector in protectors:
            protector.withheld |= more
        return bool(more)

    def _protectors(self) -> Iterator[Withholder]:
        for sanitizer in self._sanitizers.values():
            yield from (p for p in sanitizer.protectors if isinstance(p, Withholder))


def joint_claim(policy: Policy) -> tuple[str, JointChecker]:
    """The claim of a policy that can be made of several views together, with its checker."""
    for name in promised(policy):
        plugin = CLAIMS.find(name)
        if plugin is not None and plugin.together is not None:
            return name, plugin.together
    raise PolicyError(
        f"the policy '{policy.name}' claims nothing of several readers together; {steps_for_readers()}"
    )
