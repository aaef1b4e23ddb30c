"""`sfumato policy`."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Sfumato


def test_policies_can_be_listed_shown_checked_and_described(sfumato: Sfumato) -> None:
    assert "hipaa-safe-harbor" in sfumato("policy", "list").out
    shown = sfumato("policy", "show", "gdpr").out
    Path("mine.yaml").write_text(shown)
    assert "a valid policy" in sfumato("policy", "check", "mine.yaml").out
    assert sfumato("policy", "show", "mine.yaml").out.startswith("name: gdpr")
    Path("mine.yaml").write_text(shown.replace("detect:", "detct:") + "foo: 1\n")
    checked = sfumato("policy", "check", "mine.yaml")
    assert checked.code == 2
    assert "did you mean 'detect'?" in checked.err
    assert len(checked.err.splitlines()) == 2
    assert json.loads(sfumato("policy", "schema").out)["title"] == "Sfumato policy"
