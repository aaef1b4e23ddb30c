"""Small worlds of persons, places and dates: drawn at random, told in several spellings, and counted by hand.

A world gives values to facts; a text tells each fact once or more, spelt as the draw says. How many worlds fit
a release is counted here by trying them, with no code of those who soften or verify.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import product

from hypothesis import strategies as st

from sfumato.document import Release, Term

Value = date | int | str
MONTHS = list(calendar.month_name)
ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
ONES += " seventeen eighteen nineteen"
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
PLACES = ("Tartu", "Estonia", "Narva", "Lyon", "France", "Grenoble", "Sweden", "Uppsala", "Cardiff")

# How a fact of a role is said, by the level at which it is told; {} is the value in its spelling.
FRAMES = {
    "born": ("She was born {in_}{}.", "Date of birth: {}."),
    "event": ("She was admitted {in_}{}.", "Visit: {}."),
    "date": ("There was a fire {in_}{}.",),
    "age": ("She is {} years old.", "A woman aged {}.", "This {}-year-old is well."),
    "mother": ("Her mother is {} years old.",),
    "place": ("She lives in {}.", "They moved to {} later."),
}
KINDS = {"year": "DATE", "month": "DATE", "day": "DATE", "age": "AGE", "place": "LOC"}
SPELLINGS: dict[str, tuple[Callable[[date], str], ...]] = {
    "year": (lambda d: str(d.year),),
    "month": (lambda d: f"{MONTHS[d.month]} {d.year}", lambda d: f"{MONTHS[d.month][:3]} {d.year}"),
    "day": (
        lambda d: f"{d.day} {MONTHS[d.month]} {d.year}",
        lambda d: f"{MONTHS[d.month]} {d.day}, {d.year}",
        lambda d: d.isoformat(),
    ),
}


def in_words(number: int) -> str:
    """A number below a hundred, said."""
    if number < 20:
        return ONES.split()[number]
    tens = TENS.split()[number // 10 - 2]
    return f"{tens}-{ONES.split()[number % 10]}" if number % 10 else tens


@dataclass(frozen=True)
class Fact:
    """A thing that a world tells: who or what it is about, at which level, its value, and the spellings of its
    mentions."""

    role: str
    level: str
    value: Value
    spellings: tuple[int, ...]

    def said(self, spelling: int) -> str:
        if isinstance(self.value, date):
            forms = SPELLINGS[self.level]
            return forms[spelling % len(forms)](self.value)
        if isinstance(self.value, int):
            return (
                in_words(self.value) if spelling % 3 == 2 and self.value < 100 else str(self.value)
            )
        return self.value

    def sentence(self, spelling: int) -> tuple[str, int, int]:
        """A sentence that tells it, and where in it the value stands."""
        frames = FRAMES[self.role]
        in_ = (
            ""
            if self.level == "day" and spelling % 3 == 2
            else "on "
            if self.level == "day"
            else "in "
        )
        frame = frames[spelling % len(frames)].replace("{in_}", in_)
        said, start = self.said(spelling), frame.index("{}")
        return frame.replace("{}", said), start, start + len(said)


@dataclass(frozen=True)
class World:
    """Facts, and the text that tells them."""

    facts: tuple[Fact, ...]

    def told(self) -> tuple[str, list[tuple[int, int, int]]]:
        """The text, and of every mention its span and which fact it tells."""
        text, mentions = "", []
        for number, fact in enumerate(self.facts):
            for spelling in fact.spellings:
                sentence, start, end = fact.sentence(spelling)
                mentions.append((len(text) + start, len(text) + end, number))
                text += f"{sentence} "
        return text.strip(), mentions

    @property
    def text(self) -> str:
        return self.told()[0]

    @property
    def terms(self) -> list[Term]:
        """Its mentions, as a perfect detector would find them."""
        return [
            Term(start, end, KINDS[self.facts[number].level], 1.0, "")
            for start, end, number in self.told()[1]
        ]

    def with_values(self, values: Sequence[Value]) -> World:
        return World(tuple(replace(f, value=v) for f, v in zip(self.facts, values, strict=True)))

    @property
    def is_consistent(self) -> bool:
        """Whether nobody is seen before the birth, and the age is what it must be."""
        by_role = {f.role: f for f in self.facts}
        born, event, age = (by_role.get(role) for role in ("born", "event", "age"))
        if born is None or event is None:
            return True
        if span(born)[0] > span(event)[1]:
            return False
        return age is None or age.value in range(*_ages(span(born), span(event)))

    @property
    def is_plain(self) -> bool:
        """Whether its facts are as many as it has: no two have one value."""
        return len({(f.level, f.value) for f in self.facts}) == len(self.facts)


def span(fact: Fact) -> tuple[date, date]:
    """The days that a date may mean at its level."""
    assert isinstance(fact.value, date)
    return span_at(fact.value, fact.level)


def span_at(day: date, level: str) -> tuple[date, date]:
    if level == "year":
        return date(day.year, 1, 1), date(day.year, 12, 31)
    if level == "month":
        return day.replace(day=1), day.replace(day=calendar.monthrange(day.year, day.month)[1])
    return day, day


def _ages(born: tuple[date, date], event: tuple[date, date]) -> tuple[int, int]:
    """The ages that somebody can have, the last one excluded."""
    return max(0, age_at(born[1], event[0])), age_at(born[0], event[1]) + 1


def age_at(born: date, day: date) -> int:
    """How old somebody is on a day."""
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))


# Drawing

LEVELS = st.sampled_from(["year", "month", "day"])
MENTIONS = st.lists(st.integers(0, 5), min_size=1, max_size=3, unique=True).map(tuple)
DAYS = st.dates(date(1950, 1, 1), date(1999, 12, 31))


@st.composite
def worlds(draw: st.DrawFn, levels: st.SearchStrategy[str] = LEVELS) -> World:
    """Worlds in which somebody is born, seen, has an age, lives somewhere: some of it."""

    def told(value: date, level: str) -> date:
        return span_at(value, level)[0]

    born = draw(DAYS)
    event = born + timedelta(draw(st.integers(0, 25_000)))
    of_birth, of_event = draw(levels), draw(levels)
    facts = [
        Fact("born", of_birth, told(born, of_birth), draw(MENTIONS)),
        Fact("event", of_event, told(event, of_event), draw(MENTIONS)),
        Fact("age", "age", _ages((born, born), (event, event))[0], draw(MENTIONS)),
        Fact("mother", "age", draw(st.integers(0, 99)), (0,)),
        Fact("place", "place", draw(st.sampled_from(PLACES)), draw(MENTIONS)),
        Fact("place", "place", draw(st.sampled_from(PLACES)), draw(MENTIONS)),
    ]
    level = draw(levels)
    facts.append(Fact("date", level, told(draw(DAYS), level), (0,)))
    chosen = draw(st.lists(st.sampled_from(facts), min_size=1, max_size=5, unique=True))
    made = World(tuple(f for f in facts if f in chosen))
    return made if made.is_consistent and made.is_plain else World(made.facts[:1])


# Counting

Test = Callable[[Value], bool]


def shown(world: World, release: Release) -> list[list[str] | None]:
    """Of every fact what its mentions became, or None where one is a label."""
    _, mentions = world.told()
    made: list[list[str]] = [[] for _ in world.facts]
    for start, end, number in mentions:
        words = next(
            (e.replacement for e in release.edits if e.start < end and start < e.end and e.hides),
            world.text[start:end],
        )
        made[number].append(words)
    return [None if any("[" in words for words in each) else each for each in made]


def values_of(fact: Fact, words: Sequence[str], places: Callable[[str], set[str]]) -> list[Value]:
    """The values that a fact may have had where these words stand: of its own level."""
    if isinstance(fact.value, str):
        below = [places(re.sub(r"^the ", "", w)) for w in words]
        return [*sorted(set.intersection(*below))]
    if isinstance(fact.value, int):
        low, high = (
            (int(m[1]), int(m[2]))
            if (m := re.search(r"(\d+)–(\d+)", words[0]))
            else (fact.value,) * 2
        )
        assert len({re.sub(r"[^\d–]", "", w) for w in words}) == 1, "one fact reads alike"
        return list(range(low, high + 1))
    days = [set(_dates(w, fact.level)) for w in words]
    return [*sorted(set.intersection(*days))]


def _dates(words: str, level: str) -> Iterator[date]:
    words = re.sub(r"^the ", "", words)
    if m := re.fullmatch(r"(\d+)\w\w century", words):
        years = range(int(m[1]) * 100 - 100, int(m[1]) * 100)
    elif m := re.fullmatch(r"(\d{4})s", words):
        years = range(int(m[1]), int(m[1]) + 10)
    else:
        m = re.fullmatch(r"(?:([A-Z]\w+) )?(\d{4})", words)
        assert m, words
        years = range(int(m[2]), int(m[2]) + 1)
    month = MONTHS.index(m[1]) if m.lastindex == 2 and m[1] else 0
    day = date(years[0], month or 1, 1)
    last = date(
        years[-1], month or 12, 31 if not month else calendar.monthrange(years[-1], month)[1]
    )
    while day <= last:
        yield day
        day = span_at(day, level)[1] + timedelta(1)


def fitting(
    facts: Sequence[Fact], told: Sequence[list[str] | None], places: Callable[[str], set[str]]
) -> Iterator[World]:
    """The worlds that fit what became of facts: every assignment of values that the words allow, as far as it
    is consistent. What became a label is left out: it tells nothing, and counts for nothing."""
    said = [(f, words) for f, words in zip(facts, told, strict=True) if words is not None]
    world = World(tuple(f for f, _ in said))
    for values in product(*(values_of(f, words, places) for f, words in said)):
        made = world.with_values(values)
        if made.is_consistent:
            yield made
