"""How time grows with a text that repeats itself: four times the text should take about four times as long.

    python -m benchmarks.growth [--size 10000] [--profile default …] [--what sanitize …] [--family digits …]

Each family is a text that anybody could send to keep a service busy. Every one goes through every profile
(`sanitize`, `detect`, `check`) or format at a size and at four times that size; the table has the
processor's seconds of both and their ratio, the worst last. A ratio above 6 is marked, and so is what was
stopped or crashed.
"""

from __future__ import annotations

import argparse
import base64
import json
import signal
import time
from collections.abc import Callable, Iterator

from sfumato import SfumatoError, detect, formats, keys, sanitize
from sfumato.document import Document
from sfumato.measure.check import check
from sfumato.policy import load, profiles

Family = Callable[[int], str]
LEAST = 0.3  # seconds below which a ratio says nothing
LIMIT = 120.0  # seconds for one text


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
    "mail: long header": ("mail", lambda n: "Subject: " + "\n ".join(["Ann"] * (n // 5)) + "\n\nHi\n"),
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
}  # fmt: skip


class StoppedError(Exception):
    """It took too long."""


def _stop(*_: object) -> None:
    raise StoppedError


def seconds(work: Callable[[], object]) -> tuple[float, str]:
    """The processor's seconds, and what went wrong."""
    before, wrong = time.process_time(), ""
    signal.setitimer(signal.ITIMER_PROF, LIMIT)
    try:
        work()
    except SfumatoError:
        wrong = "refused"
    except StoppedError:
        wrong = "STOPPED"
    except Exception as error:  # whatever it is, it is a finding
        wrong = f"CRASH {type(error).__name__}: {str(error)[:60]}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return time.process_time() - before, wrong


def cases(arguments: argparse.Namespace) -> Iterator[tuple[str, Callable[[int], object]]]:
    key = keys.new()

    def file(format: str, family: Family, profile: str) -> Callable[[int], object]:
        def work(size: int) -> object:
            data = family(size).encode("utf-8", "surrogatepass")
            return sanitize(formats.parse(data, name="x", format=format), profile, key=key)

        return work

    def text(family: Family, what: str, profile: str) -> Callable[[int], object]:
        def work(size: int) -> object:
            document = Document(family(size))
            if what == "sanitize":
                return sanitize(document, profile, key=key)
            if what == "detect":
                return detect(document, profile)
            return check(document, None, load(profile))

        return work

    for profile in arguments.profile:
        for name, family in TEXTS.items():
            for what in arguments.what:
                yield f"{what} {profile}: {name}", text(family, what, profile)
        for name, (format, family) in FILES.items():
            if "sanitize" in arguments.what:
                yield f"sanitize {profile}: {name}", file(format, family, profile)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--size", type=int, default=10_000)
    parser.add_argument("--profile", nargs="*", default=profiles())
    parser.add_argument("--what", nargs="*", default=["sanitize", "detect", "check"])
    parser.add_argument("--family", nargs="*", default=[])
    arguments = parser.parse_args()
    signal.signal(signal.SIGPROF, _stop)
    for profile in arguments.profile:
        sanitize("Anna Berg in Leeds on 12 May 2031 has diabetes", profile)  # loads what is large
    rows = []
    for name, work in cases(arguments):
        if arguments.family and not any(f in name for f in arguments.family):
            continue
        small, wrong = seconds(lambda work=work: work(arguments.size))  # type: ignore[misc]
        large, worse = seconds(lambda work=work: work(4 * arguments.size))  # type: ignore[misc]
        ratio = large / max(small, LEAST)
        slow = ratio > 6 or any(w not in ("", "refused") for w in (wrong, worse))
        rows.append(
            (
                ratio,
                f"{name:60} {small:8.2f} {large:8.2f} {ratio:6.1f} {wrong or worse} {'<<<' * slow}",
            )
        )
        print(rows[-1][1], flush=True)
    print("\nthe worst")
    for _, row in sorted(rows, reverse=True)[:15]:
        print(row)


if __name__ == "__main__":
    main()
