"""How releases read: what of the texts is gone, what stands, and what no reader should see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path

import yaml

from sfumato import SfumatoError, sanitize
from sfumato.kinds import KINDS as KNOWN
from sfumato.kinds import NAME, label_words, rule_chain

TEXTS = Path(__file__).parent / "texts"
ASIDE = Path(__file__).parent / "aside"  # written later, by others, for measuring alone
# With a redaction by hand, and what readers gave who knew neither
READ = Path(__file__).parent / "read"
KINDS = tuple(sorted(path.stem for path in TEXTS.glob("*.yaml")))

# Words of WordNet's upper floors, which nobody would have said.
_UPPER = (
    "entity|abstraction|physical entity|psychological feature|physical object|living thing|causal agent|"
    "social group|time unit|mass unit|linear unit|time period|placental|uncommunicativeness"
)
_LABEL = r"\[[A-Z][A-Z_ -]*(?: \d+)?\]"
SILLY = {
    "a label inside a word": rf"[^\W_]{_LABEL}|{_LABEL}(?!s\b)[^\W_]",
    "a label within a number": rf"\d[.,/]{_LABEL}|(?!\[IP){_LABEL}[.,/]\d",
    "one label twice in a row": r"(\[[A-Z_ -]+ \d+\])(?:,? (?:and |in )?|-)\1(?!['’]s)",
    "a label for both ends": rf"{_LABEL}-{_LABEL}",
    "two articles": r"(?i)\ban? an?\b|\bthe the\b|\ba \[?[AEIOU][A-Z]+ \d+\]",
    "an empty decade": r"\bin [0-9]+s\b",
    "a day before a year": r"\b[Oo]n (?:1[89]|20)\d\d\b(?! \w+ \w)",
    "a class of one range": r"\b(\d+)[-–]\1\b|\b0[-–]99\b",
    "an upper floor": rf"\b(?:{_UPPER})s?\b",
}


@dataclass(frozen=True)
class Case:
    """A text, what must be gone from its release, and what must stand in it."""

    kind: str
    name: str
    text: str
    hide: tuple[str, ...]
    keep: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """What a release got wrong; the text is None where the policy refused it."""

    case: Case
    text: str | None
    left: tuple[str, ...]
    lost: tuple[str, ...]


@cache
def cases(folder: Path = TEXTS) -> tuple[Case, ...]:
    return tuple(
        Case(kind, case["name"], case["text"], tuple(case["hide"]), tuple(case["keep"]))
        for kind in KINDS
        for case in yaml.safe_load((folder / f"{kind}.yaml").read_text(encoding="utf-8"))
    )


JUDGED = ("meaning", "fluency", "leaks", "false", "over-hidden", "signed")


def judged() -> dict[str, list[tuple[float, ...]]]:
    """What readers gave each release of a text, by what had made it: `JUDGED`, a row for each text."""
    made: dict[str, list[tuple[float, ...]]] = {}
    for kind in KINDS:
        for case in yaml.safe_load((READ / f"{kind}.yaml").read_text(encoding="utf-8")):
            for name, given in case.get("judged", {}).items():
                made.setdefault(name, []).append(tuple(map(float, given)))
    return made


@dataclass(frozen=True)
class Against:
    """What a release hides beside a redaction by hand: pieces that stand there, those of them that it calls a
    person, a place or an organisation, and pieces that it calls one of these where the hand says another."""

    texts: int
    over: int
    named: int
    wrong: int


def against_hand(profile: str, which: range) -> Against:
    """How a profile's releases of texts that were read differ from the redactions by hand."""
    texts, over, named, wrong = 0, 0, 0, 0
    for kind in KINDS:
        for case in yaml.safe_load((READ / f"{kind}.yaml").read_text(encoding="utf-8")):
            if int(case["name"].rpartition("-")[2]) not in which:
                continue
            texts += 1
            changed = _changed(case["text"], case["by_hand"])
            for edit in sanitize(case["text"], profile).edits:
                ours = _families(edit.replacement) & {"PERSON", "LOC", "ORG"}
                beside = [
                    said for a, b, said in changed if a < edit.end and edit.start < max(b, a + 1)
                ]
                theirs = set[str]().union(*map(_families, beside))
                over += not beside
                named += not beside and bool(ours)
                wrong += bool(ours and theirs and not ours & theirs)
    return Against(texts, over, named, wrong)


_TOKEN = re.compile(rf"{_LABEL}|\w+|\s+|[^\w\s]")
_KIND_OF = {
    word: rule_chain(kind)[-2] for kind in KNOWN for word in label_words(kind) if word != NAME
}


def _families(said: str) -> set[str]:
    """What labels say that something is: a word that is none of ours (PUB, EMPLOYER) is an organisation's."""
    words = (label.strip("[]").rstrip(" 0123456789") for label in re.findall(_LABEL, said))
    return {_KIND_OF.get(word, "ORG") for word in words if word != NAME}


def _changed(text: str, by_hand: str) -> list[tuple[int, int, str]]:
    """Where a redaction by hand differs from its text, and what stands there."""
    before, after = list(_TOKEN.finditer(text)), [m[0] for m in _TOKEN.finditer(by_hand)]
    blocks = SequenceMatcher(None, [m[0] for m in before], after, autojunk=False).get_opcodes()
    ends = [*(m.start() for m in before), len(text)]
    return [(ends[i], ends[j], "".join(after[k:n])) for tag, i, j, k, n in blocks if tag != "equal"]


def places(needle: str, text: str) -> Iterator[re.Match[str]]:
    """Where a piece stands as words of its own."""
    left = r"(?<![^\W_])" if needle[0].isalnum() else ""
    right = r"(?![^\W_])" if needle[-1].isalnum() else ""
    return re.finditer(left + re.escape(needle) + right, text)


def stands(needle: str, text: str) -> bool:
    return next(places(needle, text), None) is not None


@cache
def outcomes(profile: str, folder: Path = TEXTS) -> tuple[Outcome, ...]:
    """What a profile makes of each text. A text that is refused tells nothing and keeps nothing."""
    made = []
    for case in cases(folder):
        try:
            text = sanitize(case.text, profile).text
        except SfumatoError:
            made.append(Outcome(case, None, (), case.keep))
            continue
        left = tuple(s for s in case.hide if any(_is_left(m) for m in places(s, text)))
        lost = tuple(s for s in case.keep if not stands(s, text))
        made.append(Outcome(case, text, left, lost))
    return tuple(made)


def _is_left(found: re.Match[str]) -> bool:
    """Whether a piece that must be gone stands, and is no end of a range that replaced it ("50-59", "90 or
    older")."""
    text, (start, end) = found.string, found.span()
    is_end = re.search(r"\d[-–]\Z", text[:start]) or re.match(r"[-–]\d|\+| or older", text[end:])
    return not (found[0].isdigit() and is_end)


def shares(found: tuple[Outcome, ...]) -> tuple[float, float]:
    """Of what must be gone, the share that is; of what must stand, the share that does."""
    hide, keep = (sum(len(getattr(o.case, of)) for o in found) for of in ("hide", "keep"))
    left, lost = (sum(len(getattr(o, of)) for o in found) for of in ("left", "lost"))
    return 1 - left / hide, 1 - lost / keep


def silly(found: tuple[Outcome, ...]) -> list[str]:
    """What no reader should see in a release and was not in its text."""
    return [
        f"{o.case.name}: {name}: {match[0]!r}"
        for o in found
        if o.text is not None
        for name, pattern in SILLY.items()
        for match in re.finditer(pattern, o.text)
        if match[0] not in o.case.text
    ]
