"""A small clinic that tests share: diseases, their signs, who may know of them; and K-safety by hand."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from sfumato.know.entities.imports import build

SIGNS: Mapping[str, tuple[str, ...]] = {
    "HIV": ("weight loss", "sweating", "fatigue", "fever"),
    "Tuberculosis": ("weight loss", "sweating", "cough", "fever"),
    "Flu": ("fever", "cough", "fatigue"),
    "Cold": ("cough", "sneezing"),
    "Malaria": ("fever", "sweating", "fatigue"),
    "Anaemia": ("fatigue", "weight loss"),
    "Lymphoma": ("weight loss", "fatigue", "lump", "sweating"),
    "Gout": ("pain",),
}
LABELS = {"HIV": ("protected",), "Tuberculosis": ("protected", "lungs")}
READERS = (("virologist", "entity", "HIV"), ("lung clinic", "label", "lungs"), ("head", "all", ""))


def make_clinic(
    folder: Path,
    signs: Mapping[str, Iterable[str]] = SIGNS,
    labels: Mapping[str, Iterable[str]] = LABELS,
    readers: Iterable[tuple[str, str, str]] = READERS,
    name: str = "clinic.db",
) -> Path:
    """An entity database in a folder."""
    (folder / "signs.csv").write_text(
        "entity,term\n" + "".join(f"{e},{t}\n" for e, terms in signs.items() for t in terms)
    )
    (folder / "labels.csv").write_text(
        "entity,label\n" + "".join(f"{e},{n}\n" for e, names in labels.items() for n in names)
    )
    (folder / "readers.csv").write_text(
        "reader,sees,value\n" + "".join(",".join(row) + "\n" for row in readers)
    )
    build(
        [folder / "signs.csv"],
        folder / name,
        labels=folder / "labels.csv" if labels else None,
        readers=folder / "readers.csv" if readers else None,
        cache=folder / "cache",
    )
    return folder / name


def policy(database: Path | str, k: int = 2, **more: Any) -> dict[str, Any]:
    """A policy with K-safety only."""
    return {
        "detect": ["patterns"],
        "protect": [{"ksafety": {"k": k, "entities": str(database), **more}}],
    }


def is_k_safe(
    terms: Collection[str],
    k: int,
    protected: Iterable[str],
    signs: Mapping[str, Collection[str]] = SIGNS,
) -> bool:
    """Definition 3.1, word for word."""
    for entity in protected:
        shown = {t for t in signs[entity] if t in terms}
        others = [e for e in signs if e != entity and shown <= set(signs[e])]
        if len(others) < k:
            return False
    return True
