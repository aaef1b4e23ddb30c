"""`sfumato explain`: why each edit was made."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Sfumato
from tests.conftest import EXAMPLES


def test_every_edit_is_explained(sfumato: Sfumato) -> None:
    sfumato("sanitize", "note.txt", "-o", "safe.txt")
    why = sfumato("explain", "safe.txt")
    assert "marta.keller@example.org" in why.out
    assert "2:10" in why.out
    one = json.loads(sfumato("explain", "safe.txt", "--at", "2:12", "--json").out)
    assert (one["kind"], one["original"], one["at"]) == (
        "EMAIL",
        "marta.keller@example.org",
        "2:10",
    )


def test_what_is_too_long_for_a_table_is_cut_but_not_for_programs(sfumato: Sfumato) -> None:
    Path("log.csv").write_text("user,document\n" + "".join(f"u{n},flu\n" for n in range(99)))
    sfumato("anonymize-log", "log.csv", "-k", "2", "-o", "out.csv")
    assert "u98,flu" not in sfumato("explain", "out.csv").out
    assert "u98,flu" in json.loads(sfumato("explain", "out.csv", "--json").out)["original"]


def test_a_place_must_exist_and_be_edited(sfumato: Sfumato) -> None:
    sfumato("sanitize", "note.txt", "-o", "safe.txt")
    for place, message in {
        "1:1": "nothing was edited",
        "x": "LINE:COL",
        "99:1": "no such place",
        "9" * 5_000 + ":1": "LINE:COL",
        "1:" + "9" * 5_000: "LINE:COL",
        "0:1": "LINE:COL",
    }.items():
        result = sfumato("explain", "safe.txt", "--at", place)
        assert result.code == 2
        assert message in result.err
        assert len(result.err) < 200


def test_edits_of_a_table_are_explained_by_row_and_column(sfumato: Sfumato) -> None:
    blog = str(EXAMPLES / "blog.csv")
    sfumato("anonymize", blog, "-p", str(EXAMPLES / "blog.yaml"), "-o", "out.csv", "--no-cache")
    why = sfumato("explain", "out.csv")
    assert "row 1, text" in why.out
    assert "Pedro" in why.out
    found = [
        [
            json.loads(line)
            for line in sfumato("explain", "out.csv", "--at", at, "--json").out.splitlines()
        ]
        for at in ("row 1, text", "2:80")
    ]
    assert found[0] == found[1]
    assert [(e["original"], e["replacement"]) for e in found[0]] == [
        ("Pedro", "[PERSON]"),
        ("36 years old", "[24-36] years old"),
        ("Mexico", "[PLACE]"),
    ]
    assert "class 1" in found[0][0]["reason"]
    assert "nothing was edited there" in sfumato("explain", "out.csv", "--at", "row 2, text").err
    assert "there is no cell" in sfumato("explain", "out.csv", "--at", "99:1").err
    assert sfumato("restore", "out.csv").out.encode() == (EXAMPLES / "blog.csv").read_bytes()
    assert sfumato("verify", "out.csv", "--ledger", ".sfumato/ledger.db").code == 0


MAIL = "marta.keller@example.org"
FILES = {
    "page.html": f"<title>caf&eacute; {MAIL}</title><!-- x -->\n<p title='a'>Ask &lt;{MAIL}&gt; or\n<b>{MAIL}</b>\n",
    "data.json": f'{{\n  "a": "caf\\u00e9 \\"{MAIL}\\"",\n  "{MAIL}": ["é {MAIL}", 1]\n}}\n',
    "tickets.jsonl": f'{{"note": "x"}}\n{{"é": 1, "note": "é {MAIL}"}}\n',
    "letter.eml": f"X-A: b\nFrom: Marta <{MAIL}>\nSubject: Hello\nContent-Type: text/plain; charset=utf-8\n\n"
    f"Zoë is well.\nZoë, ask {MAIL}\n",
    "quoted.eml": "From: a\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
    f"<p>Zo=C3=AB, =\nask {MAIL}</p>\n<p>{MAIL}</p>\n",
    "people.csv": f'id,note\n1,"say ""hi"", \nask {MAIL}"\n2,{MAIL}\n',
    "plain.txt": f"Zoë\n  {MAIL} or {MAIL}\n",
}


@pytest.mark.parametrize("name", FILES)
def test_a_place_is_a_line_and_column_of_the_released_file(
    sfumato: Sfumato, inside: Path, name: str
) -> None:
    (inside / name).write_text(FILES[name])
    result = sfumato("sanitize", name, "--columns", "note", "-o", f"out/{name}")
    assert result.code == 0, result.err
    lines = Path("out", name).read_text().split("\n")
    rows = [json.loads(row) for row in sfumato("explain", f"out/{name}", "--json").out.splitlines()]
    places = [tuple(map(int, row["at"].split(":"))) for row in rows]
    assert places == sorted(places)
    emails = [place for row, place in zip(rows, places, strict=True) if row["original"] == MAIL]
    assert len(emails) == FILES[name].count(MAIL)
    for line, column in emails:
        assert lines[line - 1][column - 1 :].startswith(("[EMAIL 1]", "email.1@redacted.invalid>"))
        found = sfumato("explain", f"out/{name}", "--at", f"{line}:{column + 3}", "--json").out
        assert [json.loads(row)["at"] for row in found.splitlines()] == [f"{line}:{column}"]
        assert f"{line}:{column}" in sfumato("explain", f"out/{name}").out


def test_a_body_in_base64_is_explained_by_its_lines(sfumato: Sfumato, inside: Path) -> None:
    body = base64.encodebytes(b"We met.\n" * 30 + f"Ask {MAIL}\n".encode()).decode()
    head = "From: a\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n"
    (inside / "letter.eml").write_text(head + body)
    sfumato("sanitize", "letter.eml", "-o", "out/")
    row = json.loads(sfumato("explain", "out/letter.eml", "--json").out.splitlines()[-1])
    assert int(row["at"].split(":")[0]) == 4 + 1 + len(b"We met.\n" * 30 + b"Ask ") * 4 // 3 // 76
