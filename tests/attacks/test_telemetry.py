"""Nothing is sent anywhere, and nobody's machine is given a number: also not by the library that runs the
detector, which would do both when it is not told otherwise."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CODE = {
    "command": "import sys, sfumato.cli\nsys.argv[1:] = ['sanitize', 'note.txt', '-p', 'research']\n"
    "try: sfumato.cli.main()\nexcept SystemExit: pass",
    "library": "import sfumato\nsfumato.sanitize('Maria Keller rang.', 'research')",
    "detector alone": "from sfumato.detect import encoder\nencoder.default().read('Maria Keller rang.')",
    "imported by another": "import sfumato, onnxruntime\nsfumato.sanitize('Maria rang.', 'research')",
}


@pytest.mark.parametrize(
    ("way", "given"),
    [("command", None), ("library", "0"), ("detector alone", ""), ("imported by another", None)],
)
def test_the_detector_leaves_nothing_at_home_nor_among_temporary_files(
    tmp_path: Path, way: str, given: str | None
) -> None:
    (tmp_path / "note.txt").write_text("Maria Keller rang.")
    folders = {name: tmp_path / name for name in ("HOME", "XDG_CACHE_HOME", "TMPDIR")}
    environment = {k: v for k, v in os.environ.items() if k != "ORT_DISABLE_TELEMETRY"}
    for name, folder in folders.items():
        folder.mkdir()
        environment[name] = str(folder)
    if given is not None:
        environment["ORT_DISABLE_TELEMETRY"] = given
    end = "\nassert 'onnxruntime' in sys.modules\nimport time; time.sleep(0.5)"
    command = [sys.executable, "-c", f"import sys\n{CODE[way]}{end}"]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, capture_output=True)
    assert [p for folder in folders.values() for p in folder.rglob("*") if p.is_file()] == []
