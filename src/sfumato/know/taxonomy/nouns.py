"""The nouns of a text by a list of words: which are found, and where each begins and ends, is the same
whichever of them stands there.

A term is the longest that the list has, never a modifier before it but for "type 2". A word that is hardly
ever anything else is always a noun. Of another, what decides is the word itself, a word before it that can be
no noun ("the", "to"), and whether a noun follows: nothing that changes when one noun takes another's place.
One that may be a verb is a noun only where no verb can stand: "her cough", but not "Anna coughs".
What may change is where a term ends, as "heroin addict" is one and "codeine addict" two: `swallowed` and
`joined` say which nouns would not be read by themselves.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain

from sfumato.english.chunker import FUNCTION
from sfumato.english.inflection import pluralise, stem
from sfumato.english.nicknames import is_given
from sfumato.english.ordinary import is_ordinary
from sfumato.english.wordlists import LISTS
from sfumato.know.taxonomy import softening, wordnet

VERB, RATHER_VERB, ADJECTIVE, RATHER_ADJECTIVE, NO_NOUN = 1, 2, 4, 8, 16  # what a word may be, too
MOST = 8  # words before and after a noun that may be read together with it
_NEAR = 80  # characters that these have
_TOKEN = re.compile(r"['’]s\b|[^\W_]+(?:['’](?:t|ll|re|ve|d|m)\b)?")
_JOINT = re.compile(r"\.?[ \t\r]*\n?[ \t]*|['’‐-]")  # between the words of a term
# Words that are no nouns, and tell what the next one is.
_BEFORE_NOUN = frozenset(LISTS["before a noun"])
_BEFORE_ONE = frozenset(LISTS["before one noun"])  # "each cough", but "each coughs"
_BEFORE_SEVERAL = frozenset(LISTS["before several nouns"])  # "many coughs", but "many cough"
_ALONE = frozenset({"that", "which", "what", "all"})  # "a pain that burns"
_HAD = frozenset({"has", "have", "had", "having"})
_AFTER_HAD = frozenset(LISTS["after had"])  # participles: "had hit", but "had cough"
_BEFORE_VERB = frozenset(LISTS["before a verb"])
_BEFORE_ADJECTIVE = frozenset(LISTS["before an adjective"])
_AFTER_VERB = frozenset(LISTS["after a verb"])
_OTHERS = frozenset(LISTS["no nouns"])
_CLOSED = FUNCTION | _BEFORE_NOUN | _BEFORE_VERB | _BEFORE_ADJECTIVE | _AFTER_VERB | _OTHERS
_NOTHING: frozenset[int] = frozenset()
_Words = tuple[str, ...]
_Compounds = Mapping[str, list[_Words]]
_LISTED = re.compile(r"\s*,?\s*(?:\b(?:and|or)\s+)?")  # between the words of a list
_AND = frozenset({"and", "or"})
_LIKE_ADJECTIVE = re.compile(r"[^\W\d_]+(?:al|ic|ive|ous|ful|less|able|ible|ary|ent|ant)")


@dataclass(frozen=True, slots=True)
class _Token:
    """A word of a text."""

    start: int
    end: int
    word: str  # in small letters
    joined: bool  # to the one before it, so that both may belong to one term


@dataclass(frozen=True, slots=True)
class NounSpans:
    """The nouns of a text, in order, and where single words end that are nouns or the last of one."""

    terms: Sequence[tuple[int, int]]
    ends: frozenset[int]


def _tokens(text: str) -> list[_Token]:
    made: list[_Token] = []
    for found in _TOKEN.finditer(text):
        joint = text[made[-1].end : found.start()] if made else "."
        # A capital letter in the next line begins something else: a heading, and what stands under it.
        apart = "\n" in joint and found[0][0].isupper()
        joined = len(joint) < 9 and _JOINT.fullmatch(joint) is not None and not apart
        made.append(_Token(*found.span(), found[0].lower().replace("’", "'"), joined))
    return made


@lru_cache(maxsize=4)  # a document goes through several rounds
def read(text: str) -> NounSpans:
    """The nouns of a text.

    >>> text = "Known gibraltar fever; they fear to murder a mother-in-law, or an HIV clinic."
    >>> [text[a:b] for a, b in read(text).terms]
    ['gibraltar fever', 'mother-in-law', 'HIV', 'clinic']
    """
    tokens, found = _tokens(text), list[tuple[int, int]]()
    at = 0
    while at < len(tokens):
        last = _certain(text, tokens, at)
        if last is not None:
            found.append((at, last))
        at = at + 1 if last is None else last + 1
    inside = {n for first, last in found for n in range(first, last + 1)}
    alone = set(inside)  # and what is a noun if none follows, as in a list
    for n in range(len(tokens)):
        if n not in inside and _is_noun_here(text, tokens, n, inside, alone):
            alone.add(n)
    for n in range(len(tokens) - 1, -1, -1):  # whether a noun follows is known then
        if n not in inside and _is_noun_here(text, tokens, n, inside, alone):
            found.append((n, n))
            inside.add(n)
    terms = sorted((tokens[a].start, tokens[b].end) for a, b in found)
    kinds = {of_kind.end(): of_kind.start() for of_kind in softening.OF_KIND.finditer(text)}
    numbers = {number.start(): number.end() for number in softening.NUMBER.finditer(text)}
    terms = [(kinds.get(start, start), numbers.get(end, end)) for start, end in terms]
    limits = [*(start for start, _ in terms[1:]), len(text)]
    spans = [span for span, limit in zip(terms, limits, strict=False) if span[1] <= limit]
    return NounSpans(spans, frozenset(end for _, end in terms))


def is_in_longer(text: str, start: int, end: int) -> bool:
    """Whether a span is the beginning or the end of a longer term: "Worcester" of "Worcester sauce"."""
    terms = read(text).terms
    at = bisect_right(terms, (start, len(text))) - 1
    return at >= 0 and terms[at] != (start, end) and terms[at][0] <= start and end <= terms[at][1]


def _certain(text: str, tokens: Sequence[_Token], at: int) -> int | None:
    """The last word of the longest term that begins with a word and is a noun wherever it stands."""
    ends = [at]
    for n in range(at + 1, min(len(tokens), at + _longest().get(tokens[at].word, 1))):
        if not tokens[n].joined:
            break
        ends.append(n)
    spans = ((last, text[tokens[at].start : tokens[last].end]) for last in reversed(ends))
    return next((last for last, said in spans if manner(said) == 0), None)


@lru_cache(maxsize=1 << 16)
def manner(term: str) -> int | None:
    """What a term may be beside a noun: 0 for nothing; None if it is no noun."""
    net, said = wordnet.default(), " ".join(term.replace("’", "'").split())
    own, singular = net.lemmas_of(said)
    if own is None and (singular is None or said.split()[-1].lower() in _CLOSED):
        return None  # "phase is" is no plural of "phase I"
    if said.lower() in _CLOSED or len(said) < 2:  # but "the WHO"
        acronym = len(said) > 1 and said.isupper() and net.senses(said)[0].term.isupper()
        return VERB | RATHER_VERB if acronym else NO_NOUN
    if "-" in said and " " not in said:  # "a cut-in", but "they cut in"
        return 0
    made = 0 if own is None else softening.manners()[own]
    if singular is not None and singular != own:  # an adjective has no plural
        made |= softening.manners()[singular] & ~(ADJECTIVE | RATHER_ADJECTIVE)
    base = said[:-3] if own is None and said.lower().endswith("ves") else ""
    if any(net.lemmas_of(base + end)[0] is not None for end in ("f", "fe") if base):
        # The plural of "life" is a form of "live", too.
        made |= VERB | RATHER_VERB
    if said.endswith("ings"):  # no form of a verb
        made &= ~(VERB | RATHER_VERB)
    return int(made)


def _is_noun_here(
    text: str, tokens: Sequence[_Token], n: int, nouns: set[int], alone: set[int]
) -> bool:
    """Whether a word that may be something else is a noun in its place."""
    token, said = tokens[n], text[tokens[n].start : tokens[n].end]
    may_be = manner(said)
    if not may_be or may_be & NO_NOUN:
        return False
    follows = n + 1 < len(tokens) and tokens[n + 1].joined
    before = _no_noun(text, tokens[n - 1]) if n and token.joined and n - 1 not in nouns else ""
    after = _no_noun(text, tokens[n + 1]) if follows and n + 1 not in nouns else ""
    noun_follows = follows and n + 1 in nouns
    if may_be & VERB:
        is_noun = _is_noun_slot(text, tokens, n, nouns, alone)
        if not is_noun or (token.word.endswith("ed") and noun_follows):
            return False
        if may_be & RATHER_VERB and token.word.endswith("ing") and after in _AFTER_VERB:
            return False
    if may_be & ADJECTIVE:
        if noun_follows:
            return False
        if may_be & RATHER_ADJECTIVE:
            known = before in _BEFORE_NOUN or _is_adjective(text, tokens[n - 1], before)
            return known and (not after or after in _CLOSED or after.endswith("ed"))
        return before not in _BEFORE_ADJECTIVE
    return True


def _is_noun_slot(
    text: str, tokens: Sequence[_Token], n: int, nouns: set[int], alone: set[int]
) -> bool:
    """Whether no verb can stand where a word does that may be one."""
    token = tokens[n]
    may_be = manner(text[token.start : token.end]) or 0
    rather = may_be & RATHER_VERB
    if not _goes_on(text, tokens, n) or tokens[n - 1].word in _AND:
        return _is_listed(text, tokens, n, alone)
    if n - 1 in nouns:
        return False  # "the rebels attack": which noun that is must not matter
    before = _no_noun(text, tokens[n - 1])
    if before in ("'s", "’s"):  # "she's hurt", "Anna's bleeding"
        is_short = n > 1 and tokens[n - 2].word in _CLOSED
        is_form = may_be & ADJECTIVE or token.word.endswith("ing")
        return not (is_short or (is_form and rather))
    several = _is_several(token.word)
    if before in _BEFORE_NOUN:
        return _agrees(before, several)
    if before in _HAD:
        return not (several or may_be & ADJECTIVE or token.word in _AFTER_HAD)
    if before and _is_adjective(text, tokens[n - 1], before):
        return True
    if before.endswith("ed") and before not in _CLOSED:  # "suspected abuse"
        return not several
    # "A dry cough", "her severe pain": the word between is hardly ever a noun, and none before one.
    has_two = n > 1 and n - 2 not in nouns and tokens[n - 1].joined
    first = tokens[n - 2].word if has_two else ""
    if first not in _BEFORE_NOUN or not _agrees(first, several):
        return False
    between = text[tokens[n - 1].start : tokens[n - 1].end]
    if between.endswith(("ly", "er")):  # "no longer", "some really hurt"
        return False
    kinds = manner(between)
    if kinds is None:
        return between.islower() and before not in _CLOSED
    # But "the poor want": what is a noun, too, may be the subject.
    return bool(kinds & (RATHER_ADJECTIVE if rather else ADJECTIVE)) and (several or first != "the")


def _is_listed(text: str, tokens: Sequence[_Token], n: int, alone: set[int]) -> bool:
    """Whether a word stands by itself, or among nouns: "Cough.", "fever, burn and cough", but "Go to bed"."""
    follows = _goes_on(text, tokens, n + 1)
    if _is_several(tokens[n].word) or (follows and tokens[n + 1].word not in (*_AND, "of")):
        return False
    first = n - 1 if n and tokens[n - 1].word in _AND else n  # of what joins it to the one before
    if not first:
        return n == 0
    between = text[tokens[first - 1].end : tokens[n].start]
    if first == n and "," not in between:
        return True
    return first - 1 in alone and _LISTED.fullmatch(between) is not None


def _goes_on(text: str, tokens: Sequence[_Token], n: int) -> bool:
    """Whether a word is of one sentence with the one before it."""
    is_joined = 0 < n < len(tokens) and tokens[n].joined
    return is_joined and "." not in text[tokens[n - 1].end : tokens[n].start]


def _is_several(word: str) -> bool:
    return word.endswith("s") and not word.endswith("ss")


def _agrees(before: str, several: bool) -> bool:
    """Whether a word before a noun is no subject of a verb by itself: "this cough", but "this hurts"."""
    return before not in _ALONE and before not in (_BEFORE_ONE if several else _BEFORE_SEVERAL)


def _is_adjective(text: str, token: _Token, word: str) -> bool:
    """Whether a word that is no noun is made like an adjective, and no name: "Eric wants"."""
    is_word = text[token.start].islower() or (is_ordinary(word) and not is_given(word))
    return word not in _CLOSED and is_word and _LIKE_ADJECTIVE.fullmatch(word) is not None


def _no_noun(text: str, token: _Token) -> str:
    """A word that is a noun nowhere; what may be one tells nothing, as another may stand there."""
    may_be = manner(text[token.start : token.end])
    return token.word if may_be is None or may_be & NO_NOUN else ""


def single_words(text: str) -> Iterator[tuple[int, int]]:
    """Where words stand that may be nouns, whatever they are there.

    >>> [text[a:b] for text in ["The Murders will pain him."] for a, b in single_words(text)]
    ['Murders', 'pain']
    """
    for token in _tokens(text):
        may_be = manner(text[token.start : token.end])
        if may_be is not None and not may_be & NO_NOUN:
            yield token.start, token.end


# What is read together


@cache
def _longest() -> Mapping[str, int]:
    """How many words the longest term has that begins with a word."""
    made: dict[str, int] = {}
    for words in _compounds():
        made[words[0]] = max(len(words) + 1, made.get(words[0], 1))  # "'s" may be one more
    return made


@cache
def _compounds() -> list[tuple[str, ...]]:
    """The terms of several words."""
    split = (tuple(_TOKEN.findall(lemma)) for lemma in wordnet.default().lemmas())
    return [words for words in split if len(words) > 1]


@cache
def _by_edge() -> tuple[_Compounds, _Compounds]:
    """Terms of several words by the stems of their first and of their last ones."""
    first, last = defaultdict(list), defaultdict(list)
    for words in _compounds():
        first[_stem(words[0])].append(words)
        last[_stem(words[-1])].append(words)
    return first, last


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    """The stem of a word. Which article stands is settled by what follows it."""
    return "a" if word == "an" else stem(word)


def _stems(words: Iterable[str]) -> _Words:
    return tuple(map(_stem, words))


def words_before(text: str, at: int) -> tuple[str, ...]:
    """The words before a place of a text that a term might begin with."""
    return _words_before(text[max(0, at - _NEAR) : at])


@lru_cache(maxsize=1 << 14)  # they are asked for in every round of a count
def _words_before(text: str) -> tuple[str, ...]:
    tokens = _tokens(f"{text}x")
    apart = next((n for n in range(len(tokens) - 1, 0, -1) if not tokens[n].joined), 0)
    return tuple(token.word for token in tokens[apart:-1][-MOST:])


def words_after(text: str, at: int) -> tuple[str, ...]:
    """The words after a place of a text with which a term might go on."""
    return _words_after(text[at : at + _NEAR])


@lru_cache(maxsize=1 << 14)
def _words_after(text: str) -> tuple[str, ...]:
    tokens = _tokens(f"x{text}")
    apart = next((n for n in range(1, len(tokens)) if not tokens[n].joined), len(tokens))
    return tuple(token.word for token in tokens[1:apart][:MOST])


@lru_cache(maxsize=1 << 14)
def words_between(gap: str) -> tuple[str, ...] | None:
    """The words between two terms, if they and the terms may all belong to one.

    >>> words_between(" of the "), words_between(", "), words_between("-")
    (('of', 'the'), None, ())
    """
    tokens = _tokens(f"x{gap}x") if len(gap) < _NEAR else []
    if len(tokens) < 2 or not all(token.joined for token in tokens[1:]):
        return None
    return tuple(token.word for token in tokens[1:-1])


@lru_cache(maxsize=1 << 10)
def beginnings(names: tuple[str, ...]) -> frozenset[str]:
    """The stems of the words that names begin with, of one and of several."""
    first = {name.split(" ", 1)[0].lower() for name in names}
    first |= {pluralise(name.lower()) for name in names if " " not in name}
    tokens = map(_TOKEN.search, first)
    return frozenset(_stem(found[0]) for found in tokens if found)


@lru_cache(maxsize=1 << 14)
def swallowed(before: _Words, after: _Words, among: frozenset[str] | None = None) -> frozenset[int]:
    """The synsets of which a word would be read together with words before or after it; of those whose names
    have some `beginnings`, if these are all that is asked for.

    >>> "addict" in {wordnet.default().word(n) for n in swallowed(("the", "heroin"), ("came",))}
    True
    """
    said = set[_Words]()
    for at in range(len(before)):
        said.update(_over(before[at:], among))
    ends = _stems(after)
    for many in range(1, len(after) + 1):
        for words in _by_edge()[1].get(ends[many - 1], ()):
            is_asked = len(words) > many and (among is None or _stem(words[0]) in among)
            if is_asked and _stems(words[-many:]) == ends[:many]:
                said.add(words[:-many])
    return _synsets(said)


@lru_cache(maxsize=1 << 12)
def joined(
    names: _Words, between: _Words = (), among: frozenset[str] | None = None
) -> frozenset[int]:
    """The synsets of which a word would be read together with one of some names before it, and the words
    between; `among` as above.

    >>> "addict" in {wordnet.default().word(n) for n in joined(("codeine", "heroin"))}
    True
    """
    starts = ((*_TOKEN.findall(name.lower()), *between) for name in names)
    return _synsets({said for start in starts for said in _over(start, among)})


def _over(start: _Words, among: frozenset[str] | None) -> Iterator[_Words]:
    """What begins with the rest of a term that begins with some words, or is the beginning of that."""
    for words in _going_on(start):
        rest = words[len(start) :]
        if among is None or _stem(rest[0]) in among:
            yield from (rest[:n] for n in range(1, len(rest) + 1))
            yield from _going_on(rest)


def _going_on(start: _Words) -> Iterator[_Words]:
    """The terms that go on after some words."""
    known = _by_edge()[0].get(_stem(start[0]), ()) if start else ()
    stems = _stems(start) if known else ()
    for words in known:
        if len(words) > len(stems) and _stems(words[: len(stems)]) == stems:
            yield words


def _synsets(said: Iterable[tuple[str, ...]]) -> frozenset[int]:
    return _NOTHING.union(*map(_synsets_of, said))


@lru_cache(maxsize=1 << 16)
def _synsets_of(said: tuple[str, ...]) -> frozenset[int]:
    term = " ".join(said).replace(" 's", "'s")
    return frozenset(chain(*map(wordnet.default().synsets_of, {term, pluralise(term)})))
