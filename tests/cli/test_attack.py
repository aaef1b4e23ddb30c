"""`sfumato attack`: whom are releases about, and what was hidden?"""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.cli.conftest import NOTES, run


def test_attack_links_releases_and_guesses_terms(before: Path, after: Path) -> None:
    Path("known.jsonl").write_text(
        "".join(json.dumps({"person": n, "text": t}) + "\n" for n, t in NOTES.items())
    )
    said = run("attack", after, "--background", "known.jsonl", "--original", before)
    assert "words 100% (44% to 100%)" in said
    assert re.search(r"PERSON \d", said)
    assert "could not be assessed" in said
    found = json.loads(run("attack", after, "--background", "known.jsonl", "--json"))
    assert found["suspects"]["Bob Ray.txt"][0]["person"] == "Bob Ray"
    assert "guessed" not in found


def test_attack_takes_tables_and_a_truth(after: Path, inside: Path) -> None:
    Path("known.csv").write_text("who,said\nAnn,lung cancer\nBob,sells boats in a choir\n")
    Path("out.csv").write_text("who,said\nBob,[PERSON] sells boats\nZoe,nothing\n")
    names = ("--person", "who", "--text", "said")
    said = run("attack", "out.csv", "--background", "known.csv", *names)
    assert "1 releases are about nobody of the background" in said
    Path("truth.csv").write_text("file,person\nBob Ray.txt,Bob\n")
    said = run("attack", after, "--background", "known.csv", "--truth", "truth.csv", *names)
    assert "words 100% (21% to 100%)" in said


def test_originals_alone_are_enough_to_guess(before: Path, after: Path) -> None:
    found = json.loads(run("attack", after, "--original", before, "--json"))
    assert found["guessed"]["assessed"] >= 3
    assert "linkages" not in found
