"""Who is found again? Actors' summaries, before and after each policy, against 18,000 people.

    python -m experiments.attack [--texts 200]

Needs ../shared/data/actors. The releases are the 25 summaries that human experts have marked, and others from
the collection. Two adversaries try to link each release to a person:

- one who holds *the very text* of everybody's summary, as far as it goes the strongest;
- one who knows *other facts*: the release is made from the first half of a summary's sentences, and the
  adversary has the second half of everybody's.

Prints both tables as Markdown, with the information kept; `experts` is what the human experts marked, blacked
out. A text that a policy refuses is not released and does not count.
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sfumato import Document, policy
from sfumato.english.units import spans
from sfumato.errors import SfumatoError
from sfumato.keys import Key
from sfumato.measure import information_kept_score
from sfumato.measure.attack import Background, reidentify
from sfumato.pipeline import Sanitizer
from sfumato.release.ledger import Ledger

DATA = Path(__file__).parent.parent.parent / "shared" / "data" / "actors"
LEAST = 4  # sentences of a text that is cut in two
KEY = Key(bytes(range(32)))
FINDINGS = ["patterns", "personal"]
POLICIES: Mapping[str, Any] = {
    "labels for all": {"protect": ["replace"]},
    "`default`": "default",
    **{
        f"`disclosure`, share 0.4, {strategy}": {
            "replace": {"*": "generalise"},
            "protect": ["replace", {"disclosure": {"strategy": strategy}}],
        }
        for strategy in ("S3", "S4", "S5")
    },
    "`gdpr`": "gdpr",
    "`hipaa-safe-harbor`": "hipaa-safe-harbor",
    "`research`: invented values": "research",
    "`strict`: black bars": "strict",
    "`generalise`": {"replace": {"*": "generalise"}},
    "`plausibility`, t = 1000": {"protect": [{"plausibility": {"t": 1000}}]},
    "`plausibility`, t = 10^12, nouns": {
        "protect": [{"plausibility": {"t": 10**12, "terms": "nouns"}}]
    },
    "`information`, 12 bits": {"detect": [*FINDINGS, "information"]},
    "`information`, 8 bits": {"detect": [*FINDINGS, {"information": {"bits": 8}}]},
}

Release = Callable[[Document], str]


def read() -> tuple[dict[str, str], dict[str, list[tuple[int, int]]]]:
    """The texts of all people by name, and what experts marked in some of them."""
    texts, marked = {}, {}
    for line in (DATA / "annotated.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        texts[row["title"]] = row["text"]
        marked[row["title"]] = [(a, b) for a, b, *_ in row["sensitive"]]
    with lzma.open(DATA / "summaries.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            texts.setdefault(row["title"], row["text"])
    return texts, marked


def chosen(texts: Mapping[str, str], first: list[str], count: int) -> list[str]:
    """Names spread evenly over the collection, of texts that can be cut in two; the experts' ones first."""
    fit = [name for name, text in texts.items() if len(spans(text, "sentence")) >= LEAST]
    others = [name for name in fit if name not in first]
    wanted = max(count - len(first), 0)
    return first + others[:: max(1, len(others) // max(wanted, 1))][:wanted]


def halves(text: str) -> tuple[str, str]:
    """The first and the second half of a text's sentences; a short text is all of both."""
    found = spans(text, "sentence")
    if len(found) < LEAST:
        return text, text
    cut = found[len(found) // 2][0]
    return text[:cut], text[cut:]


def sanitized(rules: Any, texts: Mapping[str, str]) -> dict[str, str]:
    """The releases of texts by a policy; those that it refuses are left out."""
    released = {}
    with Ledger(KEY) as vault:
        sanitizer = Sanitizer(policy.load(rules), KEY, vault)
        for name, text in texts.items():
            try:
                released[name] = sanitizer(Document(text, name)).text
            except SfumatoError:
                continue
    return released


def blacked_out(text: str, marks: list[tuple[int, int]]) -> str:
    hidden = list(text)
    for start, end in marks:
        for at in range(start, min(end, len(text))):
            hidden[at] = "█" if text[at].isalnum() else text[at]
    return "".join(hidden)


def row(
    name: str, released: Mapping[str, str], originals: Mapping[str, str], known: Background
) -> str:
    """A row of the table: the better of the two ways of comparing."""
    best = reidentify(released, known).best
    kept = information_kept_score({n: originals[n] for n in released}, released)
    cells = (
        name,
        best.top_1,
        best.top_5,
        f"{best.median_rank:,.0f}",
        f"{kept:.0f} %",
        len(released),
    )
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def table(originals: Mapping[str, str], known: Background, marked: Mapping[str, list[Any]]) -> None:
    print("| policy | first try | first five | median rank | information kept | texts |")
    print("|---|---|---|---|---|---|")
    print(row("as it is", originals, originals, known), flush=True)
    for name, rules in POLICIES.items():
        print(row(name, sanitized(rules, originals), originals, known), flush=True)
    some = {n: originals[n] for n in marked}
    bars = {n: blacked_out(text, marked[n]) for n, text in some.items()}
    print(row("human experts", bars, some, known))
    print(row("`default`, the same texts", sanitized("default", some), some, known), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--texts", type=int, default=200)
    options = parser.parse_args()
    if not DATA.is_dir():
        raise SystemExit("needs the actors' summaries in ../shared/data/actors")
    texts, marked = read()
    names = chosen(texts, list(marked), options.texts)
    print(f"{len(texts):,} people, {len(names)} releases\n\nThe very text\n")
    table({n: texts[n] for n in names}, Background(texts), marked)
    print("\nOther facts\n")
    first = {n: halves(texts[n])[0] for n in names if halves(texts[n])[0] != texts[n]}
    second = {n: halves(text)[1] for n, text in texts.items()}
    own = {n: marks for n, marks in marked.items() if n in first}
    table(first, Background(second), own)


if __name__ == "__main__":
    main()
