"""What somebody else has hidden: redactions found in a redacted text, alone or beside its original.

    >>> found = align("Ann Lee has flu.", "[NAME] has ███.")
    >>> [("Ann Lee has flu."[h.start : h.end], h.shown, h.kind) for h in found]
    [('Ann Lee', '[NAME]', 'PERSON'), ('flu', '███', '')]

Two texts are compared by their words and signs, whatever blanks stand between. Words that both have but once
are anchors; between them as much as possible is matched. What the redacted version has in other words
was replaced, what it does not have was removed.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from sfumato.document import where
from sfumato.errors import InputError
from sfumato.kinds import KINDS, label_words

# What labels of other tools say, by the kind that it is here.
_SAID = {
    "PERSON": "name, first name, last name, full name, firstname, lastname, givenname, surname, per, "
    "patient, doctor, client, witness, judge",
    "LOC": "location, place, city, state, country, county, town, gpe",
    "ADDRESS": "street, street address, home address",
    "ORG": "organization, organisation, company, hospital, institution, school",
    "DATE": "date time, datetime, dob, date of birth, year, month",
    "PHONE": "phone number, telephone, tel, contact",
    "EMAIL": "email address, e mail, mail",
    "CODE": "id, idnum, number, id number",
    "SSN": "us ssn, social security number",
    "CARD": "credit card, credit card number",
    "MRN": "medical record, medicalrecord, medical record number",
    "DISEASE": "diagnosis, condition, symptom, illness",
    "DEM": "profession, nationality, norp, occupation, job title",
    "URL": "link, website",
    "IP": "ip address",
    "QUANTITY": "amount",
    "MISC": "detail",
}
LABEL_KINDS: Mapping[str, str] = {
    **{word: kind for kind in reversed([*KINDS]) for word in label_words(kind)},
    **{word.upper(): kind for kind, words in _SAID.items() for word in words.split(", ")},
}
# Labels that say only that something was hidden.
_BLANKET = frozenset({"REDACTED", "REMOVED", "HIDDEN", "WITHHELD", "DELETED", "ANONYMISED", "X"})

_BLACK = "█▇▆▓▒░■▮▬●•◼"
_LABEL = (
    r"\[\*\*[^\[\]\n]{0,60}\*\*\]"  # [**Name 12**]
    r"|\[[^\W\d_a-z][^\[\]\n<>{}]{0,40}\]"
    r"|<[^\W\d_a-z][A-Z0-9_ :#/-]{0,40}>"
    r"|\{\{?[^\W\d_a-z][A-Z0-9_ :#/-]{0,40}\}?\}"
    r"|\((?:REDACTED|REMOVED|WITHHELD|DELETED)\)"
)
# From a word's start only: from each of its letters, a long word would take the square of its length.
_WORD = r"(?:(?<![^\W_])[^\W_]+)?"
_BOXES = (
    rf"{_WORD}[{_BLACK}]{{2,}}[\w{_BLACK}]*(?:[ \t][{_BLACK}]{{2,}})*"
    rf"|(?<![\S])[█■◼▮](?![\S])"
    r"|\b[Xx]{2,4}(?:[-/.:][Xx]{2,4}\b)+"
    r"|\b[A-Za-z]?[Xx]{3,}\b|\b[A-Z]?x{3,}\b"
    rf"|{_WORD}\*{{3,}}(?:[^\W_]|\*)*|{_WORD}#{{3,}}(?:[^\W_]|#)*|_{{3,}}"
)
_REDACTION = re.compile(rf"(?P<label>{_LABEL})|(?P<boxes>{_BOXES})")
_WORDY_LABEL = re.compile(r"[A-Z0-9_ :#/-]+")
_TOKEN = re.compile(r"[^\W_]+|[^\w\s]|_")
_DIRECT = 250_000  # pairs of tokens up to which single tokens are anchors enough
_MOST_EDITS = 1000  # in one part; their square is the work
_MOST_ALIKE = 1_000_000  # pairs of equal tokens in one part
_RUNS = (1, 2, 4, 8, 16, 32)  # lengths of runs that may be anchors
_WORDS_ADDED = 3  # words that may come in where nothing went out: an article, a conjunction


@dataclass(frozen=True, slots=True)
class Redaction:
    """A label or a black box in a redacted text. `kind` is empty where it does not say."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class HiddenSpan:
    """A span of the original that the redacted version does not have, and what it has in its place."""

    start: int
    end: int
    shown: str
    kind: str
    label: bool  # a label or black box, not other words; nothing at all counts as one


@dataclass(frozen=True, slots=True)
class _Token:
    start: int
    end: int
    key: str
    redaction: Redaction | None = None


def find_redactions(text: str) -> list[Redaction]:
    """The labels and black boxes of a text, in order.

    >>> [(r.start, r.end, r.kind) for r in find_redactions("<PERSON_1> met XXXX on [Date].")]
    [(0, 10, 'PERSON'), (15, 19, ''), (23, 29, 'DATE')]
    """
    found = []
    for match in _REDACTION.finditer(text):
        start, end = match.span()
        if match["boxes"] is not None:
            if not _is_rule(text, start, end):
                found.append(Redaction(start, end, ""))
        elif (kind := _label_kind(match.group())) is not None:
            found.append(Redaction(start, end, kind))
    return found


def _is_rule(text: str, start: int, end: int) -> bool:
    """Whether signs fill a line of their own: a rule across the page, a heading's mark, or a bullet."""
    if text[start] not in "*#_•●":
        return False
    line = text[text.rfind("\n", 0, start) + 1 : start]
    after = text[end : end + 1]
    return not line.strip() and (text[start] == "#" or after in ("", "\n", "\r"))


def _label_kind(label: str) -> str | None:
    """The kind that a label names, "" for one that names none; None if it is no label at all."""
    inside = label.strip("[]<>{}()*").strip()
    words = re.sub(r"[\d_:#/\-\s]+", " ", inside).strip().upper()
    underscored = words.replace(" ", "_")
    for name in (words, words.split(" ")[0]):
        if name in LABEL_KINDS:
            return LABEL_KINDS[name]
    if underscored in KINDS:
        return underscored
    if words.split(" ")[0] in KINDS:
        return words.split(" ")[0]
    if words in _BLANKET or label.startswith("[**") or _WORDY_LABEL.fullmatch(inside):
        return "" if words or label.startswith("[**") else None
    return None


def align(original: str, redacted: str, *, name: str = "the redacted version") -> list[HiddenSpan]:
    """What of the original the redacted version hides, in order.

    Raises an error that says where the two part, if the one is no version of the other.
    """
    left = _tokens(original, find_redactions(original))
    right = _tokens(redacted, find_redactions(redacted))
    pairs = _matches([t.key for t in left], [t.key for t in right])
    gaps = list(_gaps(pairs, len(left), len(right)))
    _refuse_strangers(left, right, pairs, gaps, redacted, name)
    gone = {t.key for (a, b), _ in gaps for t in left[a:b]}
    found = []
    for (a, b), (c, d) in gaps:
        if a == b and any(t.redaction for t in right[c:d]):
            # Among equal words it is open which one a label covers: it takes its neighbour along.
            if b < len(left) and d < len(right) and left[b].key in gone:
                b, d = b + 1, d + 1
            elif a and c and left[a - 1].key in gone:
                a, c = a - 1, c - 1
        if a == b:
            continue  # something was put in, nothing was taken out
        shown = right[c:d]
        kinds = {t.redaction.kind for t in shown if t.redaction}
        found.append(
            HiddenSpan(
                left[a].start,
                left[b - 1].end,
                redacted[shown[0].start : shown[-1].end] if shown else "",
                kinds.pop() if len(kinds) == 1 else "",
                # Words beside a label are no part of it: they count as what stands there.
                not any(t.redaction is None and t.key[0].isalnum() for t in shown),
            )
        )
    return found


def _tokens(text: str, redactions: Sequence[Redaction]) -> list[_Token]:
    """Words and signs, each redaction as one."""
    made, at = [], 0
    for redaction in [*redactions, None]:
        stop = redaction.start if redaction else len(text)
        made += [_Token(m.start(), m.end(), m.group()) for m in _TOKEN.finditer(text, at, stop)]
        if redaction:
            # One that the original has as well is no redaction of it; else no word is equal to it.
            key = " " + text[redaction.start : redaction.end]
            made.append(_Token(redaction.start, redaction.end, key, redaction))
            at = redaction.end
    return made


def _matches(left: Sequence[str], right: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of places with equal tokens, rising on both sides."""
    pairs: list[tuple[int, int]] = []
    open_parts = [(0, len(left), 0, len(right))]
    while open_parts:
        a, b, c, d = open_parts.pop()
        while a < b and c < d and left[a] == right[c]:
            pairs.append((a, c))
            a, c = a + 1, c + 1
        while a < b and c < d and left[b - 1] == right[d - 1]:
            b, d = b - 1, d - 1
            pairs.append((b, d))
        if a == b or c == d:
            continue
        anchors = _anchors(left, right, a, b, c, d)
        if anchors:
            pairs += anchors
            edges = [(a - 1, c - 1), *anchors, (b, d)]
            open_parts += [(i + 1, k, j + 1, m) for (i, j), (k, m) in pairwise(edges)]
        else:
            pairs += _common_runs(left[a:b], right[c:d], a, c)
    return sorted(pairs)


def _anchors(
    left: Sequence[str], right: Sequence[str], a: int, b: int, c: int, d: int
) -> list[tuple[int, int]]:
    """Runs of tokens that stand once on either side, the shortest that there are: their first places, the
    most of them that keep their order. Where the parts are small, only single tokens are tried."""
    for length in _RUNS if (b - a) * (d - c) > _DIRECT else _RUNS[:1]:
        ours = {at: tuple(left[at : at + length]) for at in range(a, b - length + 1)}
        theirs = {at: tuple(right[at : at + length]) for at in range(c, d - length + 1)}
        here, there = Counter(ours.values()), Counter(theirs.values())
        place = {run: at for at, run in ours.items() if here[run] == 1}
        shared = [
            (place[run], at) for at, run in theirs.items() if there[run] == 1 and run in place
        ]
        if shared:
            return rising(shared)
    return []


def rising(shared: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The most of some pairs that rise on both sides, by patience sorting; the second side rises already.

    >>> rising([(5, 0), (1, 1), (2, 2), (9, 3), (3, 4)])
    [(1, 1), (2, 2), (3, 4)]
    """
    tops: list[int] = []
    piles: list[int] = []
    below: list[int] = []
    for at, (i, _) in enumerate(shared):
        pile = bisect_left(tops, i)
        below.append(piles[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [i]
        piles[pile : pile + 1] = [at]
    chain, at = [], piles[-1]
    while at >= 0:
        chain.append(shared[at])
        at = below[at]
    return chain[::-1]


def _common_runs(
    left: Sequence[str], right: Sequence[str], a: int, c: int
) -> Iterator[tuple[int, int]]:
    """Pairs of equal tokens with the fewest left over, by Myers' greedy search; where very much differs, by
    the longest common runs; where the same few words go on and on, too, none."""
    trail = _fewest_edits(left, right)
    if trail is None:
        here, there = Counter(left), Counter(right)
        if sum(many * there[token] for token, many in here.items()) > _MOST_ALIKE:
            return  # no version of the other: all would be compared with all
        for i, j, size in SequenceMatcher(None, left, right).get_matching_blocks():
            yield from ((a + i + step, c + j + step) for step in range(size))
        return
    x, y = len(left), len(right)
    for edits in range(len(trail) - 1, -1, -1):
        reached, k = trail[edits], x - y
        down = k == -edits or (k != edits and reached.get(k - 1, -1) < reached.get(k + 1, -1))
        before = k + 1 if down else k - 1
        from_x = reached.get(before, 0) if edits else 0
        from_y = from_x - before if edits else 0
        while x > from_x and y > from_y:
            x, y = x - 1, y - 1
            yield a + x, c + y
        x, y = from_x, from_y


def _fewest_edits(left: Sequence[str], right: Sequence[str]) -> list[dict[int, int]] | None:
    """For each number of edits, how far each diagonal was reached before it; None if there are too many."""
    reached, trail = {1: 0}, []
    for edits in range(min(len(left) + len(right), _MOST_EDITS) + 1):
        trail.append(dict(reached))
        for k in range(-edits, edits + 1, 2):
            down = k == -edits or (k != edits and reached.get(k - 1, -1) < reached.get(k + 1, -1))
            x = reached.get(k + 1, 0) if down else reached.get(k - 1, 0) + 1
            y = x - k
            while x < len(left) and y < len(right) and left[x] == right[y]:
                x, y = x + 1, y + 1
            reached[k] = x
            if x >= len(left) and y >= len(right):
                return trail
    return None


Gap = tuple[tuple[int, int], tuple[int, int]]


def _gaps(pairs: Sequence[tuple[int, int]], left: int, right: int) -> Iterator[Gap]:
    """The runs between matches: of the original, of the redacted version."""
    at, on = 0, 0
    for i, j in [*pairs, (left, right)]:
        if i > at or j > on:
            yield (at, i), (on, j)
        at, on = i + 1, j + 1


def _refuse_strangers(
    left: Sequence[_Token],
    right: Sequence[_Token],
    pairs: Sequence[tuple[int, int]],
    gaps: Sequence[Gap],
    redacted: str,
    name: str,
) -> None:
    """A version of a text puts labels or other words for parts of it; it says nothing new, and where it
    speaks, it mostly says the same."""
    words = [t.redaction is None and t.key[0].isalnum() for t in right]
    spoken = sum(words)
    matched = sum(words[j] for _, j in pairs)
    for (a, b), (c, d) in gaps:
        added = sum(words[c:d])
        taken = sum(t.key[0].isalnum() for t in left[a:b])
        if added > _WORDS_ADDED + 2 * taken or (added and 2 * matched < spoken):
            raise InputError(
                f"{name} is not a version of the original: they part at "
                f"{where(redacted, right[c].start)}; give the original "
                "that it was made from"
            )
