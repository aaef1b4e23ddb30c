"""One document, several readers."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from sfumato import GuaranteeError, InputError, Ledger, LedgerError
from sfumato.cli.app import app
from sfumato.document import Document
from sfumato.keys import Key
from sfumato.plugins import CLAIMS
from sfumato.policy import load
from sfumato.release.views import Viewer, reader_names
from sfumato.verify import fails
from tests.clinic import make_clinic, policy

NOTE = "He reports weight loss, sweating, fever, fatigue and pain."
# Two readers who must not know of HIV, and have different rights otherwise.
READERS = (("a", "label", "lungs"), ("b", "entity", "Flu"), ("head", "all", ""))


@pytest.fixture
def clinic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    made = make_clinic(tmp_path, readers=READERS)
    (tmp_path / "p.yaml").write_text(
        "detect: [patterns]\nprotect: [{ksafety: {k: 2, entities: clinic.db}}]\n"
    )
    (tmp_path / "memo.txt").write_text(NOTE)
    return made


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def test_each_reader_gets_a_release_with_its_certificate(clinic: Path) -> None:
    done = run("views", "memo.txt", "-p", "p.yaml", "--readers", "a,b,head", "-o", "views")
    assert done.exit_code == 0, done.output
    assert Path("views/head/memo.txt").read_text() == NOTE
    for reader in ("a", "b"):
        assert Path(f"views/{reader}/memo.txt").read_text() != NOTE
        checked = run("verify", f"views/{reader}/memo.txt", "-p", "p.yaml", "--reader", reader, "--ledger", ".sfumato/ledger.db")  # fmt: skip
        assert checked.exit_code == 0, checked.output
        assert "K-safe" in checked.output
    wrong = run("verify", "views/head/memo.txt", "-p", "p.yaml", "--reader", "a")
    assert wrong.exit_code == 3


def test_the_views_of_a_table_differ_in_the_named_columns_alone(clinic: Path) -> None:
    note = NOTE.replace("\n", " ").replace('"', "'")
    Path("memo.csv").write_text(f'id,note,other\n7,"{note}","{note}"\n')
    told = ("views", "memo.csv", "-p", "p.yaml", "--readers", "a,head", "-o", "views")
    assert run(*told).exit_code == 2  # nobody says which columns are text
    done = run(*told, "--columns", "note")
    assert done.exit_code == 0, done.output
    files = {reader: Path(f"views/{reader}/memo.csv").read_text() for reader in ("a", "head")}
    rows = {reader: list(csv.DictReader(text.splitlines())) for reader, text in files.items()}
    assert rows["head"] == [{"id": "7", "note": note, "other": note}]
    assert rows["a"][0]["note"] != note
    assert (rows["a"][0]["id"], rows["a"][0]["other"]) == ("7", note)


def test_explain_tells_the_counterexample(clinic: Path) -> None:
    run("sanitize", "memo.txt", "-p", "p.yaml", "--reader", "a", "-o", "out.txt")
    told = " ".join(run("explain", "out.txt", "--json").output.split())
    assert "are required" in told
    assert "HIV" in told


def test_a_release_for_one_reader_is_not_taken_for_anothers(clinic: Path) -> None:
    run("sanitize", "memo.txt", "-p", "p.yaml", "--reader", "head", "-o", "out.txt")
    assert Path("out.txt").read_text() == NOTE
    run("sanitize", "memo.txt", "-p", "p.yaml", "--reader", "a", "-o", "out.txt")
    assert Path("out.txt").read_text() != NOTE


def test_a_text_without_terms_is_said_to_be_unchanged(clinic: Path) -> None:
    Path("plain.txt").write_text("Nothing to see.")
    done = run("sanitize", "plain.txt", "-p", "p.yaml", "-o", "out.txt")
    assert Path("out.txt").read_text() == "Nothing to see."
    assert done.exit_code == 0


@pytest.mark.parametrize("output", [(), ("-o", "-")])
def test_a_text_without_terms_goes_through_a_pipe(clinic: Path, output: tuple[str, ...]) -> None:
    Path("plain.txt").write_text("Nothing to see.")
    done = run("sanitize", "plain.txt", "-p", "p.yaml", *output)
    assert done.stdout == "Nothing to see."
    assert "no context term" in done.stderr
    Path("empty.txt").write_text("")
    assert run("sanitize", "empty.txt", "-p", "p.yaml", *output).stdout == ""


def test_an_original_where_a_view_would_go_is_not_overwritten(clinic: Path) -> None:
    given = Path("views/a/memo.txt")
    given.parent.mkdir(parents=True)
    given.write_text(NOTE)
    done = run("views", str(given), "-p", "p.yaml", "--readers", "b,a", "-o", "views")
    assert isinstance(done.exception, InputError)
    assert "never overwritten" in str(done.exception)
    assert given.read_text() == NOTE
    assert not Path("views/b").exists()


def test_a_certificate_does_not_overwrite_an_original(clinic: Path) -> None:
    Path("out.txt.cert.json").write_text(NOTE)
    done = run("sanitize", "out.txt.cert.json", "-o", "out.txt")
    assert isinstance(done.exception, InputError)
    assert Path("out.txt.cert.json").read_text() == NOTE


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("sanitize", "memo.txt", "-p", "p.yaml", "--reader", "eve"), "no reader 'eve'"),
        (("sanitize", "memo.txt", "--reader", "a"), "makes no difference between readers"),
        (("views", "memo.txt", "-p", "p.yaml", "--readers", "a,eve", "-o", "v"), "no reader 'eve'"),
        (
            ("views", "memo.txt", "-p", "p.yaml", "--readers", "a,,b", "-o", "v"),
            "a name is missing",
        ),
        (("views", "memo.txt", "-p", "p.yaml", "--readers", "a,a", "-o", "v"), "named twice"),
        (("views", "memo.txt", "-p", "p.yaml", "--readers", "../x", "-o", "v"), "name of a folder"),
        (("views", "memo.txt", "--readers", "a", "-o", "v"), "makes no difference between readers"),
    ],
)
def test_wrong_readers_are_refused_in_one_line(
    clinic: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = run(*arguments)
    assert isinstance(done.exception, InputError)
    assert message in str(done.exception)
    assert not Path("v").exists()


def test_verify_refuses_a_reader_that_the_policy_has_no_use_for(clinic: Path) -> None:
    run("sanitize", "memo.txt", "-o", "out.txt")
    done = run("verify", "out.txt", "-p", "default", "--reader", "a")
    assert isinstance(done.exception, InputError)


def test_views_in_json_hold_no_reasons_with_names(clinic: Path) -> None:
    done = run("views", "memo.txt", "-p", "p.yaml", "--readers", "a,b", "-o", "views", "--json")
    made = json.loads(done.output.splitlines()[-1])
    assert set(made["views"]) == {"a", "b"}
    assert made["together"]["check"] == "K-safe together"
    assert "HIV" not in done.output


def test_what_readers_could_learn_together_is_reported_or_prevented(
    tmp_path: Path, clinic: Path, key: Key
) -> None:
    # Nobody may know Rare; a may not know Two and loses blue, b may not know One and loses red.
    signs = {
        "Rare": ("red", "blue"),
        "One": ("red", "green"),
        "Two": ("blue", "green"),
        "x1": ("red",), "x2": ("red",), "y1": ("blue",), "y2": ("blue",),
        "z1": ("green",), "z2": ("green",),
    }  # fmt: skip
    labels = {"Rare": ("protected",), "One": ("protected",), "Two": ("protected",)}
    rights = (("a", "entity", "One"), ("b", "entity", "Two"))
    database = make_clinic(tmp_path, signs, labels, rights, name="colours.db")
    rules = load(policy(database, k=2))
    document = Document("It is red, blue and green.")
    with Ledger(key) as vault:
        apart = Viewer(rules, key, vault, ["a", "b"])(document)
        safe = Viewer(rules, key, vault, ["a", "b"], collusion_safe=True)(document)
    assert apart.releases["a"].text != apart.releases["b"].text
    assert apart.together.failed
    assert not safe.together.failed
    for name in ("a", "b"):
        assert len(safe.releases[name].text) <= len(apart.releases[name].text)


def test_views_that_cannot_be_made_safe_together_are_not_given(
    clinic: Path, key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    checker = replace(CLAIMS.get("K-safe"), together=lambda _: fails("K-safe together", "no"))
    monkeypatch.setitem(CLAIMS._known, "K-safe", checker)
    with Ledger(key) as vault, pytest.raises(GuaranteeError, match="safe together"):
        Viewer(load("p.yaml"), key, vault, ["a"], collusion_safe=True)(Document(NOTE))


def test_names_of_readers_come_from_a_list() -> None:
    assert reader_names("alice, bob ,press") == ("alice", "bob", "press")


def test_views_of_documents_of_one_name_are_told_apart_by_their_places(clinic: Path) -> None:
    Path("p.yaml").write_text(
        "detect: [patterns]\nprotect: [{ksafety: {k: 2, entities: clinic.db}}, replace]\n"
    )
    for who in ("ann", "bob"):
        Path(who).mkdir()
        Path(who, "memo.txt").write_text(f"Ask {who}@example.org.")
        made = run("views", f"{who}/memo.txt", "-p", "p.yaml", "--readers", "a", "-o", f"v{who}")
        assert made.exit_code == 0, made.output
    first, second = (Path(f"v{who}/a/memo.txt") for who in ("ann", "bob"))
    assert first.read_bytes() == second.read_bytes()
    Path(f"{first}.cert.json").unlink()
    assert run("restore", str(first)).output == "Ask ann@example.org."
    done = run("ledger", "forget", "memo.txt", "--release", str(first))
    assert "1 release forgotten" in done.output
    for more in ((), ("--name", "memo.txt")):
        refused = run("restore", str(first), *more)
        assert isinstance(refused.exception, LedgerError)
        assert "bob@" not in refused.output
    assert run("restore", str(second)).output == "Ask bob@example.org."
