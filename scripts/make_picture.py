#!/usr/bin/env python3
"""Draw docs/assets/before-after.svg: the terminal's own output for a few lines of the discharge note."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console

from sfumato import pipeline
from sfumato.document import Document
from sfumato.report.terminal import before_after

ROOT = Path(__file__).parent.parent
LINES = slice(6, 22)


def main() -> None:
    lines = (ROOT / "examples" / "discharge-note.txt").read_text().splitlines()
    console = Console(record=True, width=150, file=io.StringIO(), force_terminal=True)
    before_after(pipeline.sanitize(Document("\n".join(lines[LINES]))), console)
    svg = console.export_svg(
        title="sfumato sanitize examples/discharge-note.txt", unique_id="sfumato"
    )
    # The fonts would be fetched from elsewhere; any monospaced one will do.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.S)
    target = ROOT / "docs" / "assets" / "before-after.svg"
    target.parent.mkdir(exist_ok=True)
    target.write_text(svg.replace("Fira Code", "ui-monospace, 'DejaVu Sans Mono'"))


if __name__ == "__main__":
    main()
