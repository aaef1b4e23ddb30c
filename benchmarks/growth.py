"""How time grows with a text that repeats itself: twice the text should take about twice as long.

    python -m benchmarks.growth [--size 5000] [--command sanitize:default …] [--shape digits …] [--part 1/4]

Each shape is a text, or a file of some format, that anybody could send to keep a service busy. Every one goes
through every command that takes users' texts, at a size, at twice and at four times that size. The table has
the processor's seconds of the three and the exponent: log2 of the last over the one before. 1 is linear, 2
quadratic. What is above 1.2 and takes more than half a second is measured again, and marked if it stays so;
what was stopped or crashed is marked too. `--part 2/4` takes every fourth shape, from the second on.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import csv
import io
import json
import math
import os
import quopri
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import typer

from sfumato import SfumatoError, keys
from sfumato.cli.app import app
from sfumato.policy import load, profiles
from sfumato.serve.bodies import Bodies, BodySettings, WithheldError

Family = Callable[[int], str]
LEAST = 0.5  # seconds below which an exponent says nothing
MOST = 1.2
LIMIT = 60.0  # seconds for one text


def repeat(part: str) -> Family:
    return lambda size: (part * (size // len(part) + 1))[:size]


def numbered(write: Callable[[int], str]) -> Family:
    def text(size: int) -> str:
        parts, length, number = [], 0, 0
        while length < size:
            parts.append(write(number))
            length += len(parts[-1])
            number += 1
        return "".join(parts)

    return text


def word(number: int) -> str:
    """An invented word, another for every number."""
    made = ""
    while True:
        number, rest = divmod(number, 60)
        made += "bdfgklmnprst"[rest % 12] + "aeiou"[rest // 12]
        if not number:
            return made.capitalize() + "n"


TEXTS: dict[str, Family] = {
    "digits": repeat("1"),
    "digits and letters": repeat("1a"),
    "numbers": repeat("1 "),
    "decimals": repeat("1.1"),
    "thousands": repeat("1,111,"),
    "different numbers": numbered(lambda n: f"{n * 7919} "),
    "one long word": repeat("a"),
    "one long capital word": repeat("A"),
    "initials": repeat("A."),
    "initials with spaces": repeat("A. "),
    "capital words": repeat("Abc "),
    "hyphens": repeat("a-"),
    "hyphens alone": repeat("-"),
    "apostrophes": repeat("a'"),
    "underscores": repeat("_"),
    "dots": repeat("."),
    "commas": repeat(","),
    "colons": repeat("a:"),
    "slashes": repeat("/"),
    "an address with many parts": lambda n: "https://example.org/" + repeat("a/")(n),
    "at signs": repeat("a@"),
    "half addresses": repeat("a.b@"),
    "addresses": numbered(lambda n: f"{word(n).lower()}@{word(n * 7).lower()}.org, "),
    "one long address": lambda n: repeat("a.")(n) + "b@example.org",
    "hashtags": repeat("#a"),
    "handles": numbered(lambda n: f"@{word(n).lower()} "),
    "opening brackets": repeat("("),
    "closing brackets": repeat(")"),
    "nested brackets": lambda n: "(" * (n // 2) + ")" * (n // 2),
    "square brackets": repeat("["),
    "labels": repeat("[NAME] "),
    "black boxes": repeat("█"),
    "quotes": repeat('"'),
    "quoted words": repeat("'a' "),
    "spaces": repeat(" "),
    "lines": repeat("\n"),
    "lines of a word": repeat("a\n"),
    "tabs": repeat("\t"),
    "dates": numbered(lambda n: f"{n % 28 + 1:02}/{n % 12 + 1:02}/2031 job {n} done\n"),
    "ISO dates": numbered(lambda n: f"{1900 + n % 150}-{n % 12 + 1:02}-{n % 28 + 1:02} "),
    "written dates": numbered(lambda n: f"{n % 28 + 1} May {1900 + n % 150}, "),
    "times": numbered(lambda n: f"{n % 24:02}:{n % 60:02} "),
    "ages": numbered(lambda n: f"He is {n % 99} years old. "),
    "equal names": repeat("Margaret Holloway came. "),
    "different names": numbered(lambda n: f"Mr. {word(n)} {word(n * 31)} came. "),
    "one name after the other": numbered(lambda n: f"{word(n)} "),
    "a place for short": lambda n: "He lives in Texas.\n" + repeat("IT TX IS ")(n),
    "words that hold names": lambda n: (
        f"Dr. John {word(0)} came. "
        + numbered(lambda at: f"{word(at).lower()}_{word(at + 1).lower()} ")(n)
    ),
    "doctors": numbered(
        lambda n: f"Dr. {('Anna', 'Bill', 'Lena')[n % 3]} {word(n).capitalize()} came. "
    ),
    "one name of many words": lambda size: (
        "Mr. " + numbered(lambda n: f"{word(n).capitalize()} ")(size)
    ),
    "names that share words": numbered(lambda n: f"Dr. Anna {word(n)} and Dr. {word(n)} Berg. "),
    "a name and its initials": numbered(lambda n: f"Mr. {word(n)}, {word(n)[0]}., "),
    "fields": numbered(lambda n: f"Name: {word(n)} {word(n * 3)}\nPhone: 555-{n % 9999:04}\n"),
    "telephones": numbered(lambda n: f"+44 20 7946 {n % 9999:04}, "),
    "codes": numbered(lambda n: f"MRN-{n:07} "),
    "card numbers": repeat("4111 1111 1111 1111 "),
    "addresses of machines": numbered(lambda n: f"10.{n % 250}.{n % 240}.{n % 230} "),
    "colons and hexadecimal": repeat("ab:"),
    "base64": lambda n: base64.b64encode(bytes(n % 251 for n in range(n))).decode()[:n],
    "hexadecimal": repeat("0f"),
    "places": repeat("Leeds, Paris, Kenya, "),
    "streets": numbered(lambda n: f"{n} {word(n)} Street, "),
    "diseases": repeat("diabetes, asthma and fever; "),
    "prose": repeat("The patient came in the morning and was seen by a nurse. He felt well. "),
    "short sentences": numbered(lambda n: f"He paid ${10_000 + n}. "),
    "one long sentence": repeat("and then he went to the house of the doctor "),
    "spoken numbers": repeat("seven "),
    "Roman numbers": repeat("XIV "),
    "emoji": repeat("😀"),
    "combining marks": lambda n: "a" + "\u0301" * (n - 1),
    "ligatures": repeat("ﬁ"),
    "right to left": repeat("שלום "),
    "Chinese": repeat("中文"),
    "zero-width": repeat("a\u200b"),
    "soft hyphens": repeat("a\u00ad"),
    "NUL": repeat("\0"),
    "lone surrogates": repeat("\ud800 "),
    "percent": repeat("%20"),
    "backslashes": repeat("\\"),
    "entities of HTML": repeat("&amp;"),
    "tags": repeat("<a>"),
    "money": repeat("$1,000.00 "),
    "ranges": repeat("1-2-"),
    "and and and": repeat("and "),
    "titles": repeat("Dr. "),
    "possessives": repeat("Anna's "),
    "of of of": repeat("Bank of "),
}
FILES: dict[str, tuple[str, Family]] = {
    "html: open tags": ("html", repeat("<b>")),
    "html: <": ("html", repeat("<")),
    "html: nested": ("html", lambda n: "<div>" * (n // 11) + "x" + "</div>" * (n // 11)),
    "html: comments": ("html", repeat("<!-- Ann Lee -->")),
    "html: half comments": ("html", repeat("<!--")),
    "html: attributes": ("html", lambda n: "<p " + repeat("a=b ")(n) + ">"),
    "html: one attribute": ("html", lambda n: '<p title="' + repeat("Ann ")(n) + '">x</p>'),
    "html: entities": ("html", repeat("&#65;")),
    "html: paragraphs": ("html", numbered(lambda n: f"<p>Mr. {word(n)} <b>came</b></p>")),
    "html: scripts": ("html", repeat("<script>var a='Ann';</script>")),
    "html: half script": ("html", repeat("<script>")),
    "html: data address": ("html", lambda n: f'<img src="data:image/png;base64,{"A" * n}">'),
    "json: numbers": ("json", lambda n: json.dumps(list(range(n // 6)))),
    "json: one number": ("json", repeat("1")),
    "json: strings": ("json", lambda n: json.dumps([word(i) for i in range(n // 9)])),
    "json: one string": ("json", lambda n: json.dumps(repeat("Ann ")(n))),
    "json: escapes": ("json", lambda n: '"' + repeat("\\u0041")(n // 6 * 6) + '"'),
    "json: keys": ("json", lambda n: json.dumps({word(i): "Ann" for i in range(n // 16)})),
    "json: nested": ("json", lambda n: "[" * (n // 2) + "]" * (n // 2)),
    "json: in strings": ("json", lambda n: json.dumps([json.dumps(["Ann Lee"])] * (n // 20))),
    "jsonl": ("jsonl", numbered(lambda n: json.dumps({"name": word(n), "n": n}) + "\n")),
    "csv: columns": ("csv", repeat("a,")),
    "markdown": ("markdown", repeat("*a* [b](c) `d` ")),
    "markdown: brackets": ("markdown", repeat("[")),
    "markdown: stars": ("markdown", repeat("*")),
    "mail: addresses": (
        "mail",
        lambda n: (
            "From: a@example.org\nTo: "
            + ",\n ".join(f"{word(i)} <{word(i)}@example.org>" for i in range(n // 30))
            + "\n\nHello\n"
        ),
    ),
    "mail: headers": ("mail", lambda n: numbered(lambda i: f"X-{i}: Ann Lee\n")(n) + "\nHello\n"),
    "mail: received": (
        "mail",
        lambda n: repeat("Received: from a.example by b.example; 12 May 2031\n")(n) + "\nHello\n",
    ),
    "mail: long header": (
        "mail",
        lambda n: "Subject: " + "\n ".join(["Ann"] * (n // 5)) + "\n\nHi\n",
    ),
    "mail: words": ("mail", lambda n: "Subject: " + repeat("=?utf-8?q?Ann?= ")(n) + "\n\nHi\n"),
    "mail: quotes": ("mail", lambda n: "From: a@example.org\n\n" + repeat("> Ann wrote\n")(n)),
    "mail: base64": (
        "mail",
        lambda n: (
            "From: a@example.org\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
            "Content-Transfer-Encoding: base64\n\n"
            + base64.encodebytes(repeat("Ann Lee came. ")(n * 3 // 4).encode()).decode()
        ),
    ),
    "mail: parts": (
        "mail",
        lambda n: (
            "From: a@example.org\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
            + repeat("--b\nContent-Type: text/plain\n\nAnn Lee\n")(n // 36 * 36)
            + "--b--\n"
        ),
    ),
    "html: styles": (
        "html",
        lambda n: "<style>" + repeat(".ann { color: #abc; content: 'Ann Lee' } ")(n) + "</style>",
    ),
    "html: one style": ("html", lambda n: '<p style="' + repeat("a:b;")(n) + '">Ann</p>'),
    "html: css comments": ("html", lambda n: "<style>" + repeat("/*")(n) + "</style>"),
    "html: css escapes": (
        "html",
        lambda n: "<p style=\"content: '" + repeat("\\41 ")(n) + "'\">Ann</p>",
    ),
    "html: one tag in the other": ("html", repeat("<p><b><i>Ann ")),
    "html: tables": ("html", lambda n: "<table>" + repeat("<tr><td>Ann<td>Lee")(n) + "</table>"),
    "html: scripts with strings": (
        "html",
        lambda n: "<script>" + repeat('a["Ann Lee"]=`b`;')(n) + "</script>",
    ),
    "html: JSON": (
        "html",
        lambda n: (
            '<script type="application/ld+json">'
            + json.dumps([word(i) for i in range(n // 9)])
            + "</script>"
        ),
    ),
    "json: deep": ("json", lambda n: json.dumps(["[" * 40 + '"Ann"' + "]" * 40] * (n // 90))),
    "json: one name": ("json", lambda n: json.dumps([{"name": "Ann Lee"}] * (n // 20))),
    "csv: rows": (
        "csv",
        lambda n: "name,note\n" + numbered(lambda i: f"{word(i)},Mr. {word(i)} came\n")(n),
    ),
    "csv: one cell": ("csv", lambda n: 'name,note\nAnn,"' + repeat("Ann Lee, ")(n) + '"\n'),
    "csv: quotes": ("csv", lambda n: 'a\n"' + repeat('""')(n // 2 * 2) + '"\n'),
    "mail: quoted-printable": (
        "mail",
        lambda n: (
            "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
            + quopri.encodestring(repeat("Ann Lée = came. ")(n).encode()).decode()
        ),
    ),
    "mail: soft lines": (
        "mail",
        lambda n: (
            "Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n"
            + repeat("=\n")(n)
        ),
    ),
    "mail: part in part": ("mail", lambda n: nested_mail(n // 60) + "\nAnn Lee\n"),
    "mail: HTML": (
        "mail",
        lambda n: "Content-Type: text/html\n\n" + numbered(lambda i: f"<p>Mr. {word(i)}</p>\n")(n),
    ),
    "mail: parameters": (
        "mail",
        lambda n: (
            "Content-Type: text/plain" + "".join(f"; a*{i}=b" for i in range(n // 8)) + "\n\nHi\n"
        ),
    ),
    "calendar": (
        "calendar",
        lambda n: (
            "BEGIN:VCALENDAR\r\n"
            + numbered(lambda i: f"ATTENDEE;CN={word(i)}:mailto:a{i}@example.org\r\n")(n)
            + "END:VCALENDAR\r\n"
        ),
    ),
    "calendar: one line": (
        "calendar",
        lambda n: (
            "BEGIN:VCALENDAR\r\nSUMMARY:"
            + repeat("Ann\r\n  ")(n // 7 * 7)
            + "\r\nEND:VCALENDAR\r\n"
        ),
    ),
    "card": (
        "vcard",
        numbered(lambda i: f"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:{word(i)} Lee\r\nEND:VCARD\r\n"),
    ),
}


ENDINGS = {"markdown": "md", "mail": "eml", "calendar": "ics", "vcard": "vcf"}
SIGNS = [("HIV", "fever"), ("HIV", "cough"), ("Flu", "fever"), ("Flu", "cough"), ("Cold", "cough")]
PLAUSIBLE = """
detect: [patterns]
protect: [{plausibility: {t: 20, unit: sentence}}]
"""
TABLE = """
detect: [patterns, personal]
table: {k: 2, columns: {id: direct, age: {role: quasi, type: number}, text: text}}
"""


class StoppedError(BaseException):
    """It took too long."""


def _stop(*_: object) -> None:
    raise StoppedError


def nested_mail(depth: int) -> str:
    parts = (f'Content-Type: multipart/mixed; boundary="b{i}"\n\n--b{i}\n' for i in range(depth))
    return "".join(parts) + "Content-Type: text/plain\n"


def seconds(work: Callable[[], object]) -> tuple[float, str]:
    """The processor's seconds, with those of processes that were started, and what went wrong."""
    before, wrong = sum(os.times()[:4]), ""
    signal.setitimer(signal.ITIMER_PROF, LIMIT)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            work()
    except (SfumatoError, WithheldError, typer.Exit):
        wrong = "refused"
    except StoppedError:
        wrong = "STOPPED"
    except Exception as error:  # whatever it is, it is a finding
        wrong = f"CRASH {type(error).__name__}: {str(error)[:60]}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return sum(os.times()[:4]) - before, wrong


def _call(*arguments: str) -> Callable[[], object]:
    return lambda: app([*arguments], standalone_mode=False)


def works(
    folder: Path, name: str, text: str, commands: list[str]
) -> Iterator[tuple[str, Callable[[], object]]]:
    """Every command for a text that lies in the folder, in an order in which each has what it needs."""
    data = text.encode("utf-8", "surrogatepass")
    given, released = folder / name, folder / f"out.{name.rpartition('.')[2]}"
    given.write_bytes(data)
    for profile in profiles():
        yield (
            f"sanitize:{profile}",
            _call("sanitize", str(given), "-o", str(folder / profile / name), "-p", profile, "-q"),
        )
    (folder / "plausible.yaml").write_text(PLAUSIBLE)
    yield (
        "plausible sentences",
        _call(
            "sanitize",
            str(given),
            "-p",
            str(folder / "plausible.yaml"),
            "-o",
            str(folder / "plausible" / name),
            "-q",
        ),
    )
    if {"verify", "restore", "explain", "measure"} & {*commands}:
        seconds(_call("sanitize", str(given), "-o", str(released), "-q"))
    yield "verify", _call("verify", str(released), "--skip", "certificate is genuine")
    yield "verify with the ledger", _call("verify", str(released), "--ledger", ".sfumato/ledger.db")
    yield "restore", _call("restore", str(released), "-o", str(folder / "back"))
    yield "explain", _call("explain", str(released))
    yield "detect", _call("detect", str(given))
    yield "check", _call("check", str(given))
    yield "measure", _call("measure", str(given), str(released))
    yield (
        "middleware",
        lambda: Bodies(BodySettings(load("default"), keys.new(), None, False, 60.0))(
            FORMATS.get(name.rpartition(".")[2], "text"), "utf-8", data, None
        ),
    )
    if "views" in commands:
        (folder / "signs.csv").write_text("entity,term\n" + "".join(f"{e},{t}\n" for e, t in SIGNS))
        (folder / "readers.csv").write_text("reader,sees,value\nann,entity,HIV\nbob,entity,Flu\n")
        database = str(folder / "signs.db")
        seconds(
            _call(
                "know",
                "entities",
                "import",
                str(folder / "signs.csv"),
                "-o",
                database,
                "--protect",
                "HIV",
                "--readers",
                str(folder / "readers.csv"),
            )
        )
        rules = {
            "detect": ["patterns", "personal"],
            "protect": [{"ksafety": {"k": 2, "entities": database}}],
        }
        (folder / "views.yaml").write_text(json.dumps(rules))
        yield (
            "views",
            _call(
                "views",
                str(given),
                "-p",
                str(folder / "views.yaml"),
                "--readers",
                "ann,bob",
                "-o",
                str(folder / "views"),
                "-q",
            ),
        )
    if "anonymize" in commands:
        (folder / "table.yaml").write_text(TABLE)
        with (folder / "table.csv").open(
            "w", encoding="utf-8", errors="replace", newline=""
        ) as file:
            rows = csv.writer(file)
            rows.writerow(["id", "age", "text"])
            rows.writerows([number, 30 + number % 9, text] for number in range(4))
        yield (
            "anonymize",
            _call(
                "anonymize",
                str(folder / "table.csv"),
                "-p",
                str(folder / "table.yaml"),
                "-o",
                str(folder / "table.out.csv"),
                "-q",
                "--no-cache",
            ),
        )


FORMATS = {
    "html": "html",
    "json": "json",
    "jsonl": "jsonl",
    "csv": "csv",
    "md": "markdown",
    "eml": "mail",
    "ics": "calendar",
    "vcf": "vcard",
}
COMMANDS = [
    *(f"sanitize:{profile}" for profile in profiles()),
    "plausible sentences",
    "verify",
    "verify with the ledger",
    "restore",
    "explain",
    "detect",
    "check",
    "measure",
    "middleware",
    "views",
    "anonymize",
]


def measured(
    name: str, family: Family, size: int, commands: list[str]
) -> dict[str, tuple[float, str]]:
    """For each command, what it took for a text of a shape."""
    with tempfile.TemporaryDirectory() as made, contextlib.chdir(made):
        (Path(made) / ".sfumato").mkdir(mode=0o700)
        seconds(_call("key", "new", "-o", ".sfumato/key"))
        found = {}
        for command, work in works(Path(made), name, family(size), commands):
            if command in commands:
                found[command] = seconds(work)
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--size", type=int, default=5_000)
    parser.add_argument("--command", nargs="*", default=COMMANDS)
    parser.add_argument("--shape", nargs="*", default=[])
    parser.add_argument("--part", default="1/1")
    arguments = parser.parse_args()
    signal.signal(signal.SIGPROF, _stop)
    shapes = {name: ("x.txt", family) for name, family in TEXTS.items()}
    shapes |= {
        name: (f"x.{ENDINGS.get(format, format)}", family)
        for name, (format, family) in FILES.items()
    }
    number, of = map(int, arguments.part.split("/"))
    measured(
        "x.txt", lambda _: "Anna Berg in Leeds on 12 May 2031 has diabetes", 1, arguments.command
    )  # loads what is large
    rows = []
    for shape, (name, family) in list(shapes.items())[number - 1 :: of]:
        if arguments.shape and shape not in arguments.shape:
            continue
        times = [
            measured(name, family, arguments.size * factor, arguments.command)
            for factor in (1, 2, 4)
        ]
        for command in times[0]:
            (small, _), (twice, _), (large, wrong) = (time[command] for time in times)
            exponent = math.log2(max(large, 0.01) / max(twice, 0.01))
            if large > LEAST and exponent > MOST:  # a busy machine, perhaps
                again = [
                    measured(name, family, arguments.size * factor, [command])[command][0]
                    for factor in (2, 4)
                ]
                exponent = min(exponent, math.log2(max(again[1], 0.01) / max(again[0], 0.01)))
            marked = wrong not in ("", "refused") or (large > LEAST and exponent > MOST)
            said = f"{exponent:8.2f}" if large > LEAST else "       -"
            row = f"{command:26} {shape:30} {small:7.2f} {twice:7.2f} {large:7.2f} {said} {wrong}"
            row += " <<<" * marked
            rows.append((marked, exponent if large > LEAST else 0.0, row.rstrip()))
            print(rows[-1][2], flush=True)
    print("\nthe worst")
    for _, _, row in sorted(rows, reverse=True)[:15]:
        print(row)


if __name__ == "__main__":
    main()
