"""Every built-in profile over every example, with the release verified."""

from __future__ import annotations

import json
import re
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import jsonschema
import pytest
import yaml

import sfumato
from sfumato import formats as read
from sfumato import policy
from sfumato.document import restored
from sfumato.keys import Key
from tests.conftest import EXAMPLES

FILES = sorted(
    p for p in EXAMPLES.iterdir() if p.suffix in (".txt", ".md") and ".redacted" not in p.name
)
KEY = Key(bytes(range(32)))
# Strings that must be gone from a release under any profile.
GONE = {
    "discharge-note.txt": ["Wieczorek", "632 184 5108", "07700 900318", "00482917"],
    "support-thread.txt": ["4111 1111 1111 1111"],
}


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
@pytest.mark.parametrize("profile", policy.profiles())
def test_every_profile_releases_every_example_with_all_claims_checked(
    profile: str, path: Path
) -> None:
    document = read.read(path, name=path.name)
    release = sfumato.sanitize(document, profile, key=KEY)
    assert {c.verdict for c in sfumato.verify(release, profile, key=KEY)} == {"holds"}
    assert release.edits
    assert restored(release.data, release.record) == path.read_bytes()
    for original in GONE.get(path.name, []):
        assert original not in release.text


def test_hipaa_keeps_years_and_ages_below_ninety_and_no_finer_date() -> None:
    text = "Seen 12 May 2031 and 03/14/2032. Aged 93 then; her son, aged 47, has ZIP 02139, she ZIP 03601."
    released = sfumato.sanitize(text, "hipaa-safe-harbor").text
    assert (
        released
        == "Seen 2031 and 2032. Aged 90 or older then; her son, aged 47, has ZIP 021**, she ZIP 000**."
    )


def test_research_keeps_the_order_and_distances_of_dates() -> None:
    text = "Admitted 3 March 2031, operated 5 March 2031, discharged 12 March 2031."
    released = sfumato.sanitize(text, "research", key=KEY).text
    days = [int(d) for d in re.findall(r"(\d+) \w+ 20", released)]
    assert "March 2031" not in released or days != [3, 5, 12]
    dates = [datetime.strptime(d, "%d %B %Y") for d in re.findall(r"\d+ \w+ 20\d\d", released)]
    assert [(b - a).days for a, b in pairwise(dates)] == [2, 7]


def test_examples_hold_up_in_gold_files() -> None:
    """Each example has a hand-marked gold file whose spans are exact."""
    folder = Path(__file__).parent / "data" / "examples"
    marked = {
        json.loads(p.read_text())["file"]: json.loads(p.read_text()) for p in folder.glob("*.json")
    }
    assert set(marked) == {p.name for p in FILES}
    for name, gold in marked.items():
        text = (EXAMPLES / name).read_text()
        assert all(text[s["start"] : s["end"]] == s["text"] for s in gold["spans"])


@pytest.mark.parametrize("profile", policy.profiles())
def test_profiles_fit_the_schema_that_editors_use(profile: str) -> None:
    jsonschema.validate(yaml.safe_load(policy.profile_text(profile)), policy.schema())
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"detct": []}, policy.schema())
