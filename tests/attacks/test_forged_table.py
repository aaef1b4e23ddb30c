"""Certificates of tables that somebody without the key makes up, and what a receiver is told who skips the
signature; and what one with the signature is told of columns that nobody looked at."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Sfumato as Command
from tests.cli.conftest import sfumato as command

__all__ = ["command"]  # a fixture
RULES = """
detect: [patterns, personal]
table:
  k: 2
  columns: {id: direct, age: {role: quasi, type: number}, note: text}
"""
SKIPPED = ("certificate is genuine", "hidden terms gone", "direct identifiers gone")


@pytest.fixture
def template(command: Command, inside: Path) -> dict[str, Any]:
    """The certificate of a table with nothing in it, made by the forger."""
    (inside / "p.yaml").write_text(RULES)
    (inside / "f.csv").write_text("id,age,note\n1,30,fine\n2,30,fine\n")
    assert command("anonymize", "f.csv", "-p", "p.yaml", "-o", "out/f.csv").code == 0
    found: dict[str, Any] = json.loads(Path("out/f.csv.cert.json").read_text())
    return found


def verdict(command: Command, made: dict[str, Any], data: bytes, *more: str, **said: Any) -> str:
    """What is said of k-anonymity."""
    made["document"]["name"] = "g.csv"
    made["output"] = "sha256:" + hashlib.sha256(data).hexdigest()
    made["claims"][0].update(said)
    Path("g.csv").write_bytes(data)
    Path("g.csv.cert.json").write_text(json.dumps(made))
    skips = [word for name in SKIPPED for word in ("--skip", name)]
    done = command("verify", "g.csv", "-p", "p.yaml", "--json", *skips, *more)
    checks: dict[str, str] = {
        check["check"]: check["verdict"] for check in json.loads(done.out)["checks"]
    }
    assert (done.code == 0) == (checks["k-anonymous"] == "holds")
    return checks["k-anonymous"]


@pytest.mark.parametrize("encoding", ["hz", "iso2022_jp"])
@pytest.mark.parametrize("more", [(), ("--encoding", "utf-8")])
def test_a_table_is_not_read_in_an_encoding_that_hides_its_words(
    command: Command, template: dict[str, Any], encoding: str, more: tuple[str, ...]
) -> None:
    before, after = {"hz": (b"~{", b"~}"), "iso2022_jp": (b"\x1b$B", b"\x1b(B")}[encoding]
    words = before + b"_Margaret_Holloway_07700900123" + after
    data = b"id,age,note\nP1,30," + words + b"\nP2,30,fine\n"
    template["document"]["encoding"] = encoding
    assert verdict(command, template, data, *more, encoding=encoding) == "does not hold"


@pytest.mark.parametrize("kind", ["AGE", "ADDRESS", "DATE"])
@pytest.mark.parametrize(
    "said",
    [
        ("30 Elm Street", "30 Oak Avenue"),
        ("30 May 2031", "30 June 2029"),
        ("30 Elm Street, Boston", "30 Oak Avenue, Dublin"),
    ],
)
def test_a_number_of_a_column_covers_no_address_and_no_day(
    command: Command, template: dict[str, Any], said: tuple[str, str], kind: str
) -> None:
    texts = [f"seen on {each} here" for each in said]
    rows = "".join(f'P{n},30,"{text}"\n' for n, text in enumerate(texts))
    column = [f"{n} 8 {8 + len(each)} {kind} age" for n, each in enumerate(said)]
    data = f"id,age,note\n{rows}".encode()
    assert verdict(command, template, data, terms={"note": {"column": column}}) == "does not hold"


def test_with_the_signature_it_is_told_which_columns_were_looked_at(
    command: Command, inside: Path
) -> None:
    (inside / "s.csv").write_text("note,other\nAsk ann@example.org,bob@example.org\n")
    command("sanitize", "s.csv", "--columns", "note", "-o", "out/s.csv")
    public = command("key", "public").out.strip()
    for more in (("--public-key", public), ("--ledger", ".sfumato/ledger.db")):
        done = command("verify", "out/s.csv", "--json", *more)
        assert done.code == 0
        claims = [c for c in json.loads(done.out)["checks"] if "certified" not in c["check"]][1:]
        assert len(claims) > 3
        assert all(claim["detail"].endswith("in 'note' alone") for claim in claims)
