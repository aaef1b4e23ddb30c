"""Speed and memory of what Sfumato knows, each part beside a plain baseline.

Taxonomies, term statistics, entity databases.

    python -m benchmarks.know

Runs know_taxonomy.py, know_statistics.py and know_entities.py, each in a process of its own; they take
options when run by themselves (know_entities.py --full has a million entities).
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PARTS = ("taxonomy", "statistics", "entities")


def main() -> None:
    for part in PARTS:
        print(f"\n-- {part}", flush=True)
        script = Path(__file__).with_name(f"know_{part}.py")
        subprocess.run([sys.executable, str(script)], check=True)


if __name__ == "__main__":
    main()
