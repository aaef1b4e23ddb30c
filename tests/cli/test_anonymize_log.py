"""`sfumato anonymize-log`: document logs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sfumato.errors import InputError
from tests.cli.conftest import run


def test_anonymize_log_keeps_shared_documents_and_hides_users(inside: Path) -> None:
    Path("log.csv").write_text("user,document\nann,flu\nbob,flu\nbob,my street\n")
    said = run("anonymize-log", "log.csv", "-k", 2, "-o", "out.csv")
    assert "2 of 3 rows, 1 of 2 documents; 0 of 2 users have none left" in said
    assert "ann" not in Path("out.csv").read_text()
    run("anonymize-log", "log.csv", "-k", 2, "-o", "out.csv", "--keep-users")
    assert Path("out.csv").read_text() == "user,document\nann,flu\nbob,flu\n"


def test_pseudonyms_stay_the_same_with_a_key(inside: Path) -> None:
    from sfumato import keys

    Path("log.csv").write_text("user,document\nann,flu\nbob,flu\n")
    keys.write(keys.new(), Path("key"))
    for out in ("one.csv", "two.csv"):
        found = run("anonymize-log", "log.csv", "-k", 2, "-o", out, "--key-file", "key", "--json")
        assert json.loads(found)["rows_released"] == 2
    assert Path("one.csv").read_text() == Path("two.csv").read_text()


def test_a_log_of_which_nothing_is_left_is_not_written(inside: Path) -> None:
    Path("log.csv").write_text("user,document\nann,flu\n")
    with pytest.raises(InputError, match="nothing was written"):
        run("anonymize-log", "log.csv", "-k", 2, "-o", "out.csv")
    assert not Path("out.csv").exists()
