#!/usr/bin/env python3
"""Write the tables of docs/reading.md: how releases of the texts in tests/reading read, profile by profile.

scripts/make_reading.py            make the tables anew (a minute)
scripts/make_reading.py -v NAME    what a profile leaves and loses, text by text
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.reading import scores  # noqa: E402

from sfumato.policy import profiles  # noqa: E402

PAGE = ROOT / "docs" / "reading.md"
_TABLE = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)


def totals() -> Iterator[str]:
    """A row for each profile."""
    yield "| profile | gone | kept | silly | refused |"
    yield "|---|---|---|---|---|"
    for name in profiles():
        found = scores.outcomes(name)
        gone, kept = scores.shares(found)
        refused = sum(o.text is None for o in found)
        yield f"| `{name}` | {gone:.3f} | {kept:.3f} | {len(scores.silly(found))} | {refused} |"


def by_kind() -> Iterator[str]:
    """A row for each kind of text."""
    names = profiles()
    yield f"| | {' | '.join(f'`{name}`' for name in names)} |"
    yield "|---|" + "---|" * len(names)
    for kind in scores.KINDS:
        of_kind = (tuple(o for o in scores.outcomes(name) if o.case.kind == kind) for name in names)
        cells = (" ".join(f"{share:.2f}" for share in scores.shares(found)) for found in of_kind)
        yield f"| {kind} | {' | '.join(cells)} |"


def aside() -> Iterator[str]:
    """A row for each profile, of the texts kept aside and of those that were read."""
    yield "| profile | gone | kept | refused | gone | kept | refused |"
    yield "|---|---|---|---|---|---|---|"
    for name in profiles():
        cells = []
        for folder in (scores.ASIDE, scores.READ):
            found = scores.outcomes(name, folder)
            refused = sum(o.text is None for o in found)
            cells += [*(f"{share:.3f}" for share in scores.shares(found)), str(refused)]
        yield f"| {name} | {' | '.join(cells)} |"


def read() -> Iterator[str]:
    """A row for each sort of release, of what readers gave it."""
    yield f"| release | {' | '.join(scores.JUDGED)} |"
    yield "|---|" + "---|" * len(scores.JUDGED)
    for name, given in sorted(scores.judged().items()):
        means = (sum(column) / len(given) for column in zip(*given, strict=True))
        yield f"| {name} | {' | '.join(f'{mean:.2f}' for mean in means)} |"


def against() -> Iterator[str]:
    """Rows of how releases of `default` differ from the redactions by hand, per text."""
    yield "| per text | hidden without need | of these called a person, place, organisation | another kind |"
    yield "|---|---|---|---|"
    for which, said in (
        (range(101), "the first 100"),
        (range(101, 131), "the next 30"),
        (range(131, 161), "the 30 dense ones"),
        (range(161, 1000), "the 30 natural ones"),
    ):
        found = scores.against_hand("default", which)
        cells = (f"{n / found.texts:.2f}" for n in (found.over, found.named, found.wrong))
        yield f"| {said} | {' | '.join(cells)} |"


def show(name: str) -> None:
    """Everything that a profile got wrong."""
    found = scores.outcomes(name)
    for o in found:
        if o.left or o.lost:
            print(f"{o.case.kind}/{o.case.name}: left {o.left} lost {o.lost}\n    {o.text}")
    print(name, *scores.shares(found), *scores.silly(found), sep="\n")


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["-v"]:
        for name in arguments[1:]:
            show(name)
        return
    tables = iter(
        "\n".join(rows) + "\n" for rows in (totals(), by_kind(), aside(), against(), read())
    )
    page = _TABLE.sub(lambda found: next(tables, found[0]), PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
