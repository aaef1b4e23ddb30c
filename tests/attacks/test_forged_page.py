"""Pages, letters and Markdown that somebody without the key makes up: where a program may show words that
stand nowhere so, a receiver who skips the signature is told that nobody can know."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Sfumato as Command
from tests.cli.conftest import sfumato as command

__all__ = ["command"]  # a fixture
RULES = "detect:\n  - lists: {hide: [{kind: PROJECT, terms: [Halyard]}]}\nprotect: [replace]\n"
LEFT, CERTIFIED = "no known term left", "release is the certified one"
Verdict = Callable[..., str]

SHOWN = {
    "a hidden element": "<p>Hal<span hidden>zzz</span>yard</p>",
    "one that a style hides": '<p>Hal<span style="display:none">zzz</span>yard</p>',
    "one that a class hides": "<style>.q{display:none}</style><p>Hal<span class=q>zzz</span>yard</p>",
    "another order": '<div style="float:right">yard</div><div>Hal</div>',
    "a script between halves": "<p>Hal<script></script>yard</p>",
    "a script that writes": '<script>document.write("Hal" + "yard")</script>',
    "a style that says": '<style>p::before{content:"H"}</style><p>alyard</p>',
    "a template": "<p>Hal<template>zz</template>yard</p>",
    "a picture": "<p>Hal<img src=x>yard</p>",
    "text in a table": "<table>Hal<tr><td></td></tr>yard</table>",
    "letters from right to left": "<p><bdo dir=rtl>draylaH</bdo></p>",
    "an end tag of nothing": "Hal</div>yard",
    "a body in the body": "Hal<body>yard",
    "a title in the body": "<p>Hal<title>q</title>yard</p>",
    "two links": "<p><a href=x>Hal</a><a href=y>yard</a></p>",
}


def page(said: str) -> str:
    return (
        f"<!doctype html><html><head><title>t</title></head><body><p>fine</p>{said}</body></html>"
    )


@pytest.fixture
def verdict(command: Command, inside: Path) -> Verdict:
    """What is said of a forged release by somebody who skips the signature."""
    (inside / "p.yaml").write_text(RULES)
    (inside / "a.txt").write_text("Project Halyard\n")
    command("sanitize", "a.txt", "-p", "p.yaml", "-o", "out/a.txt")
    made: dict[str, Any] = json.loads(Path("out/a.txt.cert.json").read_text())

    def told(name: str, format: str, text: str) -> str:
        made["document"].update(name=name, format=format)
        made["output"] = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
        Path(name).write_text(text)
        Path(f"{name}.cert.json").write_text(json.dumps(made))
        options = ("-p", "p.yaml", "--json", "--skip", "certificate is genuine")
        done = command("verify", name, *options)
        if done.code == 2:
            return "refused"
        checks = {each["check"]: each["verdict"] for each in json.loads(done.out)["checks"]}
        left, certified = str(checks[LEFT]), str(checks[CERTIFIED])
        assert (done.code == 0) == (left == certified == "holds"), done.out
        return left if left != "holds" else certified

    return told


# as browsers do
READ = (
    *("an end tag of nothing", "a body in the body", "a script between halves", "a picture"),
    *("a template", "text in a table", "a title in the body"),
    *("a hidden element", "one that a style hides"),
)


@pytest.mark.parametrize("how", SHOWN)
def test_a_page_that_may_show_what_stands_nowhere_is_not_said_to_hold(
    verdict: Verdict, how: str
) -> None:
    told = "does not hold" if how in READ else "cannot be checked"
    assert verdict("x.html", "html", page(SHOWN[how])) == told


def test_a_plain_page_is_read_as_browsers_show_it(verdict: Verdict) -> None:
    said = '<h1 id=a>Hello</h1><ul><li>one<li>two <b>bold</b></ul><p>a <a href="x">link</a><br>and'
    assert verdict("x.html", "html", page(said)) == "holds"
    for joined in ("Hal<b>yard</b>", "Hal<i></i>yard", "Hal<!---->yard", "Hal<wbr>yard"):
        assert verdict("x.html", "html", page(f"<p>{joined}</p>")) == "does not hold"


def letter(said: str) -> str:
    body = base64.b64encode(page(said).encode()).decode()
    return (
        "From: x\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n"
        f"Content-Transfer-Encoding: base64\r\n\r\n{body}\r\n"
    )


def test_pages_in_letters_are_looked_at_alike(verdict: Verdict) -> None:
    assert verdict("x.eml", "mail", letter("<p>ok</p>")) == "holds"
    assert verdict("x.eml", "mail", letter(SHOWN["a hidden element"])) == "does not hold"
    for how in ("a script that writes", "a style that says"):
        assert verdict("x.eml", "mail", letter(SHOWN[how])) == "cannot be checked"


@pytest.mark.parametrize(
    ("media", "fine", "said"),
    [
        ("text/markdown", "A *good* day", "Hal<b hidden>z</b>[yard](x)"),
        ("text/markdown", "A day", "Hal<b>z</b>yard"),
        ("text/enriched", "A day", "Hal<bold></bold>yard"),
        (
            "text/plain",
            "To begin 644 days late",
            "begin 644 a\r\n/4V5E;B!B>2!(86QY87)D\r\n`\r\nend",
        ),
        ("text/plain", "A =ybegin b", "=ybegin line=128 size=7 name=a\r\nr\r\n=yend size=7"),
    ],
)
def test_marks_and_files_in_the_lines_of_letters_are_looked_at(
    verdict: Verdict, media: str, fine: str, said: str
) -> None:
    head = f"From: x\r\nMIME-Version: 1.0\r\nContent-Type: {media}\r\n\r\n"
    assert verdict("x.eml", "mail", f"{head}{fine}\r\n") == "holds"
    assert verdict("x.eml", "mail", f"{head}{said}\r\n") in ("cannot be checked", "does not hold")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("# Hello\n\nsome *words* and [a link](x), snake_case", "holds"),
        ("Hal<span hidden>zzz</span>yard", "cannot be checked"),
        ("[Hal](x)yard", "does not hold"),
        ("Hal[yard](x)", "does not hold"),
        ("[Hal][a]yard", "holds"),  # it is shown so
        ("[Hal][a]yard\n\n[a]: /x", "does not hold"),
        ("Hal**yard**x", "does not hold"),
        ("Hal[](x)yard", "does not hold"),
        ("Hal![](x)yard", "does not hold"),
        ("&#72;alyard", "does not hold"),
        ("Hal<!-- -->yard", "does not hold"),
        ("Hal**&#121;**ard", "does not hold"),
    ],
)
def test_marks_of_markdown_that_join_words_are_looked_at(
    verdict: Verdict, said: str, told: str
) -> None:
    assert verdict("x.md", "markdown", said) == told


DRAWN = (
    *(
        "\u202edraylaH\u202c",
        "\u2067draylaH\u2069",
        "HalX\x08yard",
        "    yard\rHal",
        "Hal\x1b[0myard",
    ),
    *(
        "Hal\x1b]0;x\x07yard",
        "Hal\x7fyard",
        "Hal\x9b0myard",
        "Hal\u3164yard",
        "Hal\u115fyard",
        "Hal\uffa0yard",
    ),
    *("Hal\u2065yard", "Hal\ufff0yard", "Hal\U000e0fffyard", "Hal\U000e0080yard", "\u200f12-34"),
)


NOT_SAID = (
    "cannot be checked",
    "does not hold",
)  # which words that are joined as they are shown tell


@pytest.mark.parametrize("said", DRAWN)
def test_signs_that_turn_join_or_overwrite_letters_are_told_of(verdict: Verdict, said: str) -> None:
    mail = f"From: x\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{said}\r\n"
    assert verdict("x.txt", "text", f"Seen by {said} today.\n") in NOT_SAID
    assert verdict("x.md", "markdown", f"Seen by {said} today.\n") in NOT_SAID
    assert verdict("x.json", "json", json.dumps({"note": said})) in NOT_SAID
    if "\r" not in said:  # which ends a line of these
        assert verdict("x.eml", "mail", mail) in (*NOT_SAID, "refused")
        assert verdict("x.html", "html", page(f"<p>{said}</p>")) in NOT_SAID


def test_signs_that_comparisons_leave_out_are_read_as_shown(verdict: Verdict) -> None:
    for said in (
        "\u2764\ufe0f",
        "co\u00adoperate",
        "\U0001f469\u200d\U0001f52c",
        "one\r\ntwo\tthree",
    ):
        assert verdict("x.txt", "text", f"Fine {said}.\n") == "holds"
    for said in ("Hal\u00adyard", "Hal\u200dyard", "Hal\ufe0fyard"):
        assert verdict("x.txt", "text", f"Seen by {said}.\n") == "does not hold"
