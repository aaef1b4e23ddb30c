"""The `personal` detector: names, places, organisations, dates and codes that give a person away.

A small encoder says for every word what type of thing it belongs to and how likely it must be masked. Words
become mentions, mentions of the same name in a document share one decision, and whatever else bears a name
that is to be masked (a surname alone, initials) follows it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sfumato.detect import (
    encoder,
    guessed_names,
    guessed_numbers,
    guessed_people,
    guesses,
    known,
    things,
    towns,
)
from sfumato.detect.encoder import OUTSIDE, TYPES, Reading, words_of
from sfumato.document import Document, Spans, Term
from sfumato.english.ordinary import is_ordinary
from sfumato.english.wordlists import PARTICLES, SHORT_TITLES, TITLES, word_set
from sfumato.know.taxonomy.places import is_land
from sfumato.plugins import Detector, Options, detector

# The model's scores end where those of checksums and context words begin: which of two findings wins is
# decided by their order alone.
BEST_SCORE = 0.7
GENERIC = frozenset({"CODE", "QUANTITY"})  # kinds that give way to any pattern that says more
# Power by which the limit is nearer to 1 for a word of no type; compared on `dev` and the handwritten texts
# (docs/detector.md, "What was looked at").
UNTYPED = 0.8
# Letters of a name that is looked for elsewhere in the text; chosen, not measured
SHORTEST_NAME = 3
_INITIALS = 3  # letters of them
IN_SLOT = 0.6  # chance of a word that stands where a name does; chosen, not measured
_PERSON = TYPES.index("PERSON")
_COLUMN_GAP = re.compile(r"[ \u00a0]{2,}|[ \u00a0]*\t\s*")
_SHORT_LINE = 50  # characters of a line that ends because something else begins

_SIGNS = "@#+$£€¥₹([\"'“‘«"  # that may begin a term
# Words that are no part of a finding at its edges. The thresholds were measured with these lists.
_TITLES = word_set("mr mrs ms dr no nr")
_FUNCTION = _TITLES | word_set(
    "a an the this that these those its his her their my your our about after against around as at before"
    " between by during for from in into near of on onto over per since than through till to towards under"
    " until upon with within without and but or nor not both s"
)
# Words that are no name by themselves.
_NOT_A_NAME = _FUNCTION | {*TITLES, *PARTICLES, "jr", "saint"}
_NAMED = frozenset({"PERSON", "ORG", "LOC", "CODE"})
_DATE_AND_TIME = re.compile(
    rf"(.*[\w.])(?:,\s*|\s+at\s+|\s+|(?<=\d)T(?=\d))((?:{guessed_numbers.CLOCK})(?:\.\d+)?Z?)",
    re.I | re.S,
)
_WALK_IN = re.compile(r"-(?:in|up|on|out|off)(?![\w-])")
_STAMP = re.compile(r"\S.{2,20}? \d\d:\d\d:\d\d(?=\s[A-Za-z])")  # of a line of a log
_HOUR_LAST = re.compile(r"(?<=\w)\s\d{1,2}(?=:\d\d\Z)")
_SCHEMES = frozenset({"mailto", "tel", "sms", "http", "https", "ftp"})
_COUPLE = re.compile(r"(?<!\w)(?:Mr|Mrs|Ms|Dr)\.? (?:and|&) \Z")
_TITLE = re.compile(r"(?:Mr|Mrs|Ms|Miss|Dr)\.? (?=\w)")
# Six letters and digits or more, of both.
_LIKE_CODE = re.compile(r"(?=\D*\d)(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9_-]{6,}")


class PersonalOptions(Options):
    """The trained detector of names, places, organisations, dates, codes and personal details."""

    recall: Literal["high", "balanced", "precise"] = Field(
        "balanced",
        description="`high` misses the least and hides more than it must, `precise` the other way round.",
    )
    threshold: float | None = Field(
        None,
        gt=0,
        lt=1,
        description="For experts: the probability of having to be masked from which on a mention counts, "
        "in place of the one behind `recall`.",
    )
    untyped: float | None = Field(
        None,
        gt=0,
        lt=1,
        description="The probability from which on a word counts that is of no type, or of the type MISC, "
        "e.g. 0.5 where notes are full of short forms; about that of other words where none is given. "
        "What looks like a code counts like other words.",
    )


@dataclass(frozen=True, slots=True)
class ScoredSpan:
    """A span, its most probable type (or `O`), and the probability that it must be masked."""

    start: int
    end: int
    kind: str
    chance: float
    again: bool = False  # found because the same name stands elsewhere
    share: float = 1.0  # of the chances of all types, that of its own


@detector("personal", options=PersonalOptions, repeatable=False, knowledge=encoder.knowledge)
def personal(options: PersonalOptions) -> Detector:
    """Terms whose probability of having to be masked is high enough."""
    reader = encoder.default()
    limit = options.threshold or float(reader.card["thresholds"][options.recall])

    def detect(document: Document) -> Iterable[Term]:
        found = agree(document.text, mentions(reader.read(document.text)))
        for mention in to_mask(document.text, found, limit, options.untyped):
            for start, end, kind in kinds_of(document.text, mention, limit):
                # One half at the limit, BEST_SCORE where it is certain.
                sure = max(0.0, (mention.chance - limit) / (1 - limit))
                score = 0.5 if kind in GENERIC else 0.5 + (BEST_SCORE - 0.5) * sure
                share = 0.0 if mention.again else mention.share
                is_guess = guessed_names.is_guess(document.text, start, end, kind, share)
                yield Term(start, end, kind, score, "personal", _reason(mention), is_guess)

    return detect


def mentions(reading: Reading, certain: float = 0.5) -> list[ScoredSpan]:
    """Runs of words of one type, and words that must be masked whatever their type."""
    edges = words_of(reading.pieces)
    if len(edges) < 2:
        return []
    first, last = edges[:-1], edges[1:] - 1
    per_word = np.add.reduceat(reading.entity, first, axis=0) / np.diff(edges)[:, None]
    typed = per_word[:, 0] < 1 - certain
    by_type = per_word[:, 1::2] + per_word[:, 2::2]
    kind = by_type.argmax(axis=1)
    share = by_type.max(axis=1) / by_type.sum(axis=1)
    opens = (reading.entity[first, 1::2] > reading.entity[first, 2::2])[np.arange(len(kind)), kind]
    chance = np.maximum.reduceat(1 - reading.mask[:, 0], first)
    starts, ends = reading.pieces.starts[first], reading.pieces.ends[last]
    found: list[ScoredSpan] = []
    at = 0
    while at < len(first):
        after = at + 1
        if typed[at]:
            while (
                after < len(first)
                and typed[after]
                and kind[after] == kind[at]
                and not opens[after]
                and not _parted(reading.text, int(ends[after - 1]), int(starts[after]), kind[at])
            ):
                after += 1
        name = TYPES[kind[at]] if typed[at] else OUTSIDE
        bounds = _trimmed(reading.text, starts, ends, at, after, name)
        if bounds is not None:
            chosen = slice(*bounds)
            telling = [
                c
                for c, start, end in zip(chance[chosen], starts[chosen], ends[chosen], strict=True)
                if not _idle(reading.text[start:end])
            ]
            # The mean over the words that carry meaning: a mention is masked as a whole.
            likely = float(np.mean(telling or chance[chosen]))
            start, end = int(starts[bounds[0]]), int(ends[bounds[1] - 1])
            while not (reading.text[start].isalnum() or reading.text[start] in _SIGNS):
                start += 1  # an emoji glued to a word is no part of it
            found.append(ScoredSpan(start, end, name, likely, share=float(share[chosen].mean())))
        at = after
    return _with_names(reading, found)


def _with_names(reading: Reading, found: list[ScoredSpan]) -> list[ScoredSpan]:
    """The mentions, and given names that are words ("Hope") where only a name can stand."""
    slots = dict(guessed_people.name_slots(reading))
    houses = dict(things.houses(reading.text))
    found = [
        replace(m, kind="ORG", chance=max(m.chance, IN_SLOT)) if houses.get(m.start) == m.end else m
        for m in found
    ]
    typed = Spans((m.start, m.end) for m in found if m.kind != OUTSIDE)
    names = [ScoredSpan(a, b, "PERSON", IN_SLOT) for a, b in slots.items() if not typed.touch(a, b)]
    rest = [m for m in found if m.kind != OUTSIDE or m.start not in slots]
    return sorted((*rest, *names), key=lambda m: m.start) if names else found


def _parted(text: str, end: int, start: int, kind: int) -> bool:
    """Whether a line ends between two words that is too short to have been broken, or a column does; a name
    may stand in two."""
    at = text.find("\n", end, start)
    if at < 0:
        return kind != _PERSON and _COLUMN_GAP.fullmatch(text, end, start) is not None
    return at - text.rfind("\n", 0, at) - 1 < _SHORT_LINE


def agree(text: str, found: Sequence[ScoredSpan], pull: float = 0.5) -> list[ScoredSpan]:
    """One decision for each name of a document: mentions of the same words share one chance.

    `pull` says how far towards the highest chance among them the mean is drawn. A part of a person's
    name follows the full name.
    """
    groups: dict[str, list[int]] = defaultdict(list)
    for number, mention in enumerate(found):
        if mention.kind != OUTSIDE and (key := _key(text[mention.start : mention.end])):
            groups[key].append(number)
    shared: dict[str, float] = {}
    for key, members in groups.items():
        chances = [found[m].chance for m in members]
        shared[key] = pull * max(chances) + (1 - pull) * float(np.mean(chances))
    full = defaultdict[str, float](float)  # of a word: the highest chance of a longer name with it
    for key, members in groups.items():
        if " " in key and any(found[m].kind == "PERSON" for m in members):
            for word in key.split():
                full[word] = max(full[word], shared[key])
    agreed = list(found)
    for key, members in groups.items():
        for m in members:
            chance = shared[key]
            if found[m].kind == "PERSON" and " " not in key:
                chance = max(chance, full[key])
            agreed[m] = replace(found[m], chance=chance)
    return agreed


def to_mask(
    text: str, found: Sequence[ScoredSpan], limit: float, untyped: float | None = None
) -> list[ScoredSpan]:
    """The mentions to mask, and whatever else in the text bears their names."""
    found = [_as_town(text, _by_form(text, m), limit) for m in found]
    standing = set(known.public_figures(text, ((m.start, m.end) for m in found)))
    standing.update(_known_things(text, found))
    chosen = [
        m
        for m in found
        if m.chance >= _limit(text, m, limit, untyped)
        and (m.start, m.end) not in standing
        and not known.is_in_public_body(text, m.start, m.end)
        and not text.startswith("Republic of ", m.start)
        and not (
            m.kind in ("ORG", "MISC", OUTSIDE) and known.tells_public_body(text, m.start, m.end)
        )
        and not (
            m.kind in (OUTSIDE, "LOC") and guessed_numbers.is_part_of_number(text, m.start, m.end)
        )
    ]
    names: dict[str, ScoredSpan] = {}
    for mention in sorted(chosen, key=lambda m: -m.chance):
        for name in _names(text, mention):
            names.setdefault(name, mention)
    if not names:
        return chosen
    chosen = [
        replace(m, kind="CODE") if m.kind in ("MISC", OUTSIDE) and _is_code(text, m, names) else m
        for m in chosen
    ]
    pattern = "|".join(re.escape(n) for n in sorted(names, key=len, reverse=True))
    taken = np.zeros(len(text) + 1, dtype=np.bool_)
    for mention in chosen:
        taken[mention.start : mention.end] = True
    for match in re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", text):
        if not taken[match.start() : match.end()].all():
            source = names[match[0]]
            chosen.append(ScoredSpan(*match.span(), source.kind, source.chance, again=True))
    return sorted(chosen, key=lambda m: (m.start, m.end))


def _is_code(text: str, mention: ScoredSpan, names: Mapping[str, ScoredSpan]) -> bool:
    """Whether what has no type is a code elsewhere in the text."""
    same = names.get(text[mention.start : mention.end])
    return same is not None and same.kind == "CODE"


def _known_things(text: str, found: Iterable[ScoredSpan]) -> Iterator[tuple[int, int]]:
    """The mentions within what everybody knows; one word for a person may be a person of that name."""
    told = list(things.told(text))
    starts = [start for start, _, _ in told]
    for mention in found:
        at = bisect_right(starts, mention.start) - 1
        if at < 0 or mention.start >= told[at][1]:
            continue
        rest = re.findall(r"[^\W\d_]+", text[told[at][1] : mention.end])  # "Walmart Supercenter"
        if all(map(known.is_nobodys, rest)) and (told[at][2] or mention.kind != "PERSON"):
            yield mention.start, mention.end


def _by_form(text: str, mention: ScoredSpan) -> ScoredSpan:
    """The mention as what its words say: a whole name, the place where a court sits."""
    end, kind = guessed_people.whole_name(text, mention.start, mention.end, mention.kind)
    start = known.seat(text, mention.start, end) if kind == "ORG" else mention.start
    return replace(mention, start=start, end=end, kind="LOC" if start > mention.start else kind)


def _as_town(text: str, mention: ScoredSpan, limit: float) -> ScoredSpan:
    """The mention, or the town that it begins with or that stands for itself."""
    start, end = mention.start, mention.end
    if mention.kind == "LOC" and (home := towns.home(text, start, end)):
        return replace(mention, start=home[0], chance=max(mention.chance, limit))
    if mention.kind not in ("LOC", "MISC", "ORG", "DEM", OUTSIDE) or not text[start].isupper():
        return mention
    stop = towns.town_in(text, start, end)
    if stop is None or known.begins_public_body(text, start, end):  # "Republic" of Estonia
        return mention
    if is_land(text[start:end]):  # "Republic" is a town in Missouri
        stop = end
        if mention.kind == "LOC":  # which land may stand, the policy says
            return replace(mention, chance=max(mention.chance, limit))
    least = {"LOC": towns.TOWN, "DEM": towns.TOWN, OUTSIDE: towns.LIKELY}.get(mention.kind, 1.0)
    if mention.kind == "MISC" and stop < end:  # "Whitby boats"
        least = towns.TOWN
    if mention.chance < least and not (stop == end and towns.stands_alone(text, start, end)):
        return mention
    return replace(mention, end=stop, kind="LOC", chance=max(mention.chance, limit))


def _limit(text: str, mention: ScoredSpan, limit: float, untyped: float | None) -> float:
    """The chance from which on a mention counts."""
    usual = float(limit**UNTYPED) if mention.kind == OUTSIDE else limit
    if untyped is None or mention.kind not in (OUTSIDE, "MISC"):
        return usual
    return usual if _LIKE_CODE.fullmatch(text[mention.start : mention.end]) else untyped


def _names(text: str, mention: ScoredSpan) -> Iterator[str]:
    """The forms by which a masked mention may be named elsewhere."""
    said = text[mention.start : mention.end]
    if mention.kind not in _NAMED or len(said) < SHORTEST_NAME or is_ordinary(said.lower()):
        return
    yield said
    if mention.kind != "PERSON":
        return
    words = [w for w in re.findall(r"[^\W\d_][\w’'-]*", said) if w.lower() not in _NOT_A_NAME]
    for word in words:
        if len(word) > SHORTEST_NAME and word[0].isupper() and not is_ordinary(word.lower()):
            yield word
    if len(words) > 1 and all(w[0].isupper() for w in words):
        initials = [w[0] for w in words]
        yield from (".".join(initials) + ".", ". ".join(initials) + ".")
        if len(words) > 2:
            yield "".join(initials)  # of two words it is too often something else: BP, MS, ID


def kinds_of(text: str, mention: ScoredSpan, limit: float) -> Iterator[tuple[int, int, str]]:
    """The mention as terms of the kinds that policies speak of; none where its form says so."""
    start, end = mention.start, mention.end
    said = text[start:end]
    kind = mention.kind
    if kind not in ("DATETIME", "QUANTITY") and (
        amount := guessed_numbers.measure(text, start, end)
    ):
        yield start, end, amount
        return
    if kind in guessed_names.CERTAIN:
        start = guessed_numbers.behind_numbered(text, start, end)
        if start == end or guesses.is_plain(text, start, end):
            return
        share = mention.share if start == mention.start else 0.0
        kind = guessed_names.named(text, start, end, kind, share)
    if _tells_nobody(text, mention):
        return
    if kind == "PERSON":
        start, end = guessed_people.name_alone(text, start, end)
    elif kind == "LOC":
        end = towns.whole_town(text, start, end)
    elif kind == "ORG" and (rest := _WALK_IN.match(text, end)):
        end = rest.end()
    if mention.kind == "DATETIME" and towns.is_like_a_month(said):
        kind = "LOC" if text.endswith((" in ", " at ", " from "), 0, start) else "MISC"
    elif mention.kind == "DATETIME" or guessed_numbers.WEEKDAY.fullmatch(said):
        times = list(_times(text, start, end))
        yield from times
        kind = "" if times or mention.kind not in guessed_names.CERTAIN else kind
    elif mention.kind == "CODE":
        start, kind = guesses.code(text, start, end)
    elif mention.kind == "QUANTITY":
        end = guessed_numbers.whole_amount(text, end)
        kind = guessed_numbers.quantity(text, start, end, mention.chance)
    elif mention.kind == OUTSIDE or (mention.kind == "MISC" and said.isdigit()):
        start, end = guesses.whole_handle(text, start, end)
        kind = guesses.untyped(text, start, end, mention.chance, limit)
    elif mention.kind == "PERSON" and _COUPLE.search(text, max(0, start - 12), start):
        title = _TITLE.match(text, start, end)  # those of "Mr and Mrs Lee" are of both, and stay
        start = title.end() if title else start
    elif mention.kind == "DEM" and not guessed_people.is_detail(said):
        kind = "MISC"
    if kind:
        yield start, end, kind


def _tells_nobody(text: str, mention: ScoredSpan) -> bool:
    """Whether a mention is by its form or its place in the text nothing that leads to anybody."""
    start, end = mention.start, mention.end
    said = text[start:end]
    is_unsure = mention.chance < guesses.SURE and not mention.again
    is_alone = " " not in said and (mention.kind in ("MISC", "ORG") or known.is_learned(said))
    is_alone |= mention.kind == "LOC" and said.isalpha() and len(said) > _INITIALS
    may_be_field = mention.kind == "CODE" or (is_unsure and mention.kind != "PERSON")
    return (
        guesses.is_setting(text, start, end)
        or (said.lower() in _SCHEMES and text.startswith(":", end))
        or guesses.names_code(text, start, end)
        or (may_be_field and guesses.is_field(text, start, end))
        or (is_unsure and is_alone and guesses.names_nobody(text, start, end))
        or guessed_numbers.is_room(text, start, end)
        or (said.isupper() and said in SHORT_TITLES)
        or guessed_people.is_title(text, start, end)
        or guessed_people.is_of_law(text, start, end)
        or guessed_people.is_before_title(text, start, end)
        or guessed_numbers.is_day_of_diary(text, start, end)
        or (not mention.again and guessed_people.is_role(text, start, end))
        or (not mention.again and guessed_people.is_no_name(text, start, end))
    )


def _times(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """The date and the time of a mention of either or both."""
    if hour := _HOUR_LAST.search(text, start, end + 3):  # "Jan 20 00" of "Jan 20 00:02:44"
        end = hour.start()
    if guessed_numbers.is_time(text, start, end):
        yield start, end, "TIME"
    elif not guessed_numbers.is_no_day(text, start, end):
        if stamp := _STAMP.match(text, start, end):
            end = stamp.end()
        both = _DATE_AND_TIME.fullmatch(text[start:end])
        yield start, start + both.end(1) if both else end, "DATE"
        if both:
            yield start + both.start(2), end, "TIME"


def _reason(mention: ScoredSpan) -> str:
    kind = {"DATETIME": "date or time", "DEM": "personal detail", OUTSIDE: "detail"}
    said = kind.get(mention.kind, mention.kind.lower())
    if mention.again:
        return f"{said} that is hidden elsewhere in the text"
    return (
        f"{said} found by the trained detector, identifying with probability {mention.chance:.2f}"
    )


def _trimmed(
    text: str,
    starts: NDArray[np.int32],
    ends: NDArray[np.int32],
    first: int,
    after: int,
    kind: str,
) -> tuple[int, int] | None:
    """The words from `first` to `after` without function words and punctuation at either end; one that begins
    with a capital, as a name does, is a name: "Van An"."""

    def idle(at: int, but: frozenset[str] = frozenset()) -> bool:
        word = text[starts[at] : ends[at]]
        is_name = kind == "PERSON" and word.istitle() and word.lower() not in (*_TITLES, "the", "a")
        return _idle(word, but) and not is_name

    while first < after and idle(first, _TITLES):
        first += 1
    while first < after and idle(after - 1):
        after -= 1
    return (first, after) if first < after else None


def _idle(word: str, but: frozenset[str] = frozenset()) -> bool:
    said = word.lower()
    return (said in _FUNCTION and said not in but) or not any(c.isalnum() for c in said)


def _key(text: str) -> str:
    """What mentions of the same thing have in common: their telling words in lower case."""
    return " ".join(w for w in re.findall(r"\w+", text.lower()) if w not in _FUNCTION)
