#!/usr/bin/env python3
"""Draw docs/assets/house.svg: the way that every file takes, and the rooms by floor.

    python scripts/make_house.py [--check]

Floors are the layers that import-linter holds (pyproject.toml), what a room is for is the first sentence of
its docstring: the picture cannot say anything else than the code.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from html import escape
from pathlib import Path

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "docs" / "assets" / "house.svg"
INPUTS = (
    "a note: .txt .md",
    "a page: .html",
    "a letter: .eml",
    "data: .json .jsonl",
    "a table: .csv .xlsx",
    "a web answer",
)
# The functions on the way, the room of each, and what passes from it to the next.
WAY = (
    ("formats.parse", "formats", "Document"),
    ("Finder", "detect", "Terms"),
    ("Sanitizer.protect", "protect", "Edits"),
    ("Sanitizer.certify", "verify", "Release"),
    ("Ledger.put", "release", "Record"),
    ("write_file", "release", "bytes"),
)
WIDTH, FLOOR, GAP = 1180, 46, 6
HUES = {"verify": "#2f6f4f", "protect": "#8a4b2a", "formats": "#35618f", "detect": "#6b4e8e"}
PLAIN = "#5c5348"


def floors() -> list[list[str]]:
    """The rooms of each layer, from the street down."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    return [
        [m.removeprefix("sfumato.") for m in re.split(r"\s*[|:]\s*", layer)] for layer in layers
    ]


def purpose(room: str) -> str:
    """The first sentence of a module's docstring."""
    path = ROOT / "src" / "sfumato" / room.replace(".", "/")
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    words = ast.get_docstring(ast.parse(file.read_text())) or ""
    return " ".join(words.split("\n\n")[0].split()).split(". ")[0].rstrip(".")


def text(x: float, y: float, words: str, size: int = 14, style: str = "") -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" {style}>{escape(words)}</text>'


def box(x: float, y: float, width: float, height: float, fill: str, opacity: float = 1) -> str:
    return (
        f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" rx="6" '
        f'fill="{fill}" fill-opacity="{opacity}"/>'
    )


def arrow(x: float, y: float, to: float) -> str:
    return f'<path d="M{x:.0f} {y:.0f}H{to:.0f}" stroke="{PLAIN}" stroke-width="2" marker-end="url(#to)"/>'


def way(top: int) -> list[str]:
    """Six kinds of file, one row of functions."""
    parts = [text(20, top + 4, "One way for every file", 18, 'font-weight="600"')]
    for number, name in enumerate(INPUTS):
        parts.append(box(20, top + 22 + 25 * number, 170, 21, "#e9dfd0"))
        parts.append(text(28, top + 37 + 25 * number, name, 13))
    step = (WIDTH - 240) / len(WAY)
    middle = top + 97
    for number, (function, room, passes) in enumerate(WAY):
        x = 215 + step * number
        parts.append(arrow(x - 22, middle, x - 2))
        parts.append(box(x, middle - 34, step - 26, 68, HUES.get(room, PLAIN)))
        centre = x + (step - 26) / 2
        white = 'text-anchor="middle" fill="#fff"'
        parts.append(text(centre, middle - 4, function, 13, white + ' font-weight="600"'))
        parts.append(text(centre, middle + 16, f"in {room}", 12, white))
        parts.append(
            text(centre, middle + 56, passes, 13, 'text-anchor="middle" font-style="italic"')
        )
    return parts


def rooms(top: int) -> tuple[list[str], int]:
    """The floors: what is above may use what is below, never the other way round."""
    parts = [
        text(20, top, "The house: what stands above uses what lies below", 18, 'font-weight="600"')
    ]
    y = top + 18
    for floor in floors():
        width = (WIDTH - 40 - GAP * (len(floor) - 1)) / len(floor)
        for number, room in enumerate(floor):
            x = 20 + number * (width + GAP)
            hue = HUES.get(room.split(".")[0], PLAIN)
            parts += [box(x, y, width, FLOOR, hue, 0.16), box(x, y, 5, FLOOR, hue)]
            parts.append(text(x + 16, y + 19, room, 15, 'font-weight="600"'))
            room_for = int((width - 24) / 6.6)
            words = purpose(room)
            if len(words) > room_for:
                words = words[:room_for].rsplit(" ", 1)[0] + " …"
            parts.append(text(x + 16, y + 37, words, 12, f'fill="{PLAIN}"'))
        y += FLOOR + GAP
    return parts, y


def draw() -> str:
    drawn, end = rooms(250)
    marker = (
        '<defs><marker id="to" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
        f'orient="auto"><path d="M0 0L10 5L0 10z" fill="{PLAIN}"/></marker></defs>'
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {end + 12}" '
            'font-family="system-ui, Helvetica, Arial, sans-serif" fill="#2b2620">',
            marker,
            box(0, 0, WIDTH, end + 12, "#faf6ef"),
            *way(30),
            *drawn,
            "</svg>\n",
        ]
    )


def main() -> None:
    made = draw()
    if "--check" in sys.argv:
        if not TARGET.is_file() or TARGET.read_text() != made:
            sys.exit("docs/assets/house.svg is not up to date; run scripts/make_house.py")
    else:
        TARGET.write_text(made)


if __name__ == "__main__":
    main()
