"""Are the edits what changed, and all that changed? Are the originals gone?"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate, pairwise

from ahocorasick_rs import AhoCorasick, Implementation

from sfumato.document import FACT, GENERALISE, SORT, Claim, Edit, Record, restored
from sfumato.english.chunker import FUNCTION
from sfumato.english.dates import MONTHS, WEEKDAYS
from sfumato.english.folding import GAP, letters, plain_letters, skeleton
from sfumato.english.ordinary import is_ordinary, is_parted_word, is_year_of, may_be_parted
from sfumato.english.small_words import is_small_word
from sfumato.english.wordlists import ORG_TYPES, ORG_WORDS, PARTICLES, SUFFIXES, TITLES
from sfumato.know import fingerprints
from sfumato.know.taxonomy import nouns
from sfumato.know.taxonomy.places import is_large_name
from sfumato.plugins import claim
from sfumato.verify import lands
from sfumato.verify.between import days_told
from sfumato.verify.check import Check, fails, holds, needs, needs_ledger, places
from sfumato.verify.evidence import Evidence
from sfumato.verify.kinds import may_stand
from sfumato.verify.record import kept, replacements, whole_edits
from sfumato.verify.words import same_but_for_number, singulars

UNCHANGED = "unchanged outside edits"
GONE = "originals gone"

_WALL = " " * (GAP + 1)  # stands between two kept pieces: no word run reaches across


def _nothing(_: str) -> bool:
    return False


@claim(UNCHANGED)
def unchanged_outside_edits(claim: Claim, evidence: Evidence) -> Check:
    """Undoing the edits gives the file that was certified as the input."""
    if evidence.record is None:
        return needs_ledger(claim.name)
    if evidence.key is None:
        return needs(claim.name, "the key")
    if evidence.key.input_hash(restored(evidence.data, evidence.record)) != evidence.input:
        return fails(claim.name, "undoing the edits does not give the certified input")
    return holds(claim.name)


@claim(GONE, knowledge=fingerprints.together(fingerprints.words, fingerprints.places))
def no_original_left(claim: Claim, evidence: Evidence) -> Check:
    """No original stands in the release, but for what the policy keeps, nor does a day follow from months or
    years and what lies between them."""
    if evidence.record is None:
        return needs_ledger(claim.name)
    if (original := evidence.original) is not None:
        stays = evidence.find.kept(original) if evidence.find else []
        if telling := [*days_told(original, evidence.record, stays)]:
            return fails(
                GONE, f"hidden days follow from {places(original, telling)} of the original"
            )
    kept_spans = evidence.find.kept(evidence.text) if evidence.find else []
    stands = partial(may_stand, evidence.policy.rule("LOC")) if evidence.policy else _nothing
    return originals_gone(evidence.text, evidence.record, kept_spans, place_stands=stands)


_TAG_IN_WORD = re.compile(
    r"(?<=[^\W_])-?</?(?i:a|b|big|code|del|em|font|i|ins|mark|s|small|span|strong|sub|sup|tt|u|wbr)"
    r"(?: [^<>\n]{0,60})?>(?=[^\W_])|(?<=[^\W_])-<(?i:br) ?/?>(?=[^\W_])"
)
_LEAST_WITHIN = 5  # letters of a name that tells the person inside a longer word
_AROUND_NAMES = frozenset((*TITLES, *SUFFIXES, *PARTICLES))
_TIMES = {name.lower() for name in (*MONTHS, *WEEKDAYS)}
_SORTS = {plain_letters(words) for sorts in ORG_TYPES.values() for words in sorts}
_TOWN = 20_000  # people of one whose name is rather its own than a house's
_THE = re.compile(r"\b[Tt]he \Z")
_SMALL_BEFORE, _SMALL_AFTER = re.compile(r"\s[a-z]{2,} \Z"), re.compile(r"[.,;]| [a-z]")
_NEAR = 40  # characters before a name in which the word before it stands
_WORDS = re.compile(r"[^\W_]+(?:[ .'’-]{1,2}[^\W_]+){0,3}")
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)
# Letters of a term that is not walked to from every word but searched for: there are few of them, and walking
# all of a long one from each of its words would take the square of its length.
_LONG = 64


def originals_gone(
    text: str,
    record: Record,
    kept_spans: Sequence[tuple[int, int]] = (),
    *,
    place_stands: Callable[[str], bool] = _nothing,
) -> Check:
    """No original stands outside the replacements as whole words, in any case, accents, spacing or
    hyphenation, none inside its own replacement, none as the more general word for another, and of a person's
    name no word of four letters or more that is no ordinary word; nor one of five or more inside a longer
    word. No place that an original names is told by another name, nor does a more general word lie in it.
    What the policy keeps (`kept_spans`; the places of which `place_stands` says so) may stand."""
    shown = list(text)
    for start, end in kept_spans:
        shown[start:end] = " " * (end - start)
    hidden, names = set[str](), set[str]()
    numbers: set[str] = set()  # all but those of 1/9/43, which the year 1943 does not tell
    for edit, original, _ in whole_edits(record):
        if edit.hides:
            hidden.add(skeleton(original) or original)
            if not is_year_of(original, skeleton(original)):
                numbers.add(skeleton(original))
        if edit.kind == "PERSON":  # each telling word of a name counts by itself
            rare = _rare_words(original) - _titles_told(edit)
            hidden |= rare
            if edit.hides:
                names |= {w for w in rare if len(w) >= _LEAST_WITHIN and w not in _AROUND_NAMES}
    small = written_small(record)
    spans = replacements(record)
    pieces = kept("".join(shown), spans)
    begins = [0, *accumulate(len(piece) + len(_WALL) for piece in pieces)]
    moved = [0, *(end for _, end in spans)]
    survivors, ordinary = list[int](), list[int]()
    joined = _WALL.join(pieces)
    named = dict((*_nouns_again(record, joined), *_across_tags(joined, hidden)))
    named |= _names_like_words(record, joined, place_stands)
    others = (*_occurrences(joined, hidden), *_in_longer_words(joined, names))
    for at, term in (*named.items(), *others):
        piece = bisect_right(begins, at) - 1
        place = moved[piece] + at - begins[piece]
        is_year = term not in numbers and joined[at : at + len(term)] == term and term.isdecimal()
        is_plain = at not in named and (is_year or _is_word(term, joined, at, small))
        (ordinary if is_plain else survivors).append(place)
    told = (moved[piece] + at for piece, at in lands.other_names(record, pieces))
    survivors += (place for place in told if not _stands(text, place, place_stands))
    for edit, original, (start, _) in whole_edits(record):
        folded = skeleton(original)
        inside = {term for _, term in _occurrences(edit.replacement, {folded})}
        is_told = folded in inside and not is_ordinary(folded)
        is_year = is_year_of(original, folded) and folded in edit.replacement
        if is_told and edit.hides and not is_year and not _is_range(edit.replacement):
            survivors.append(start)
    by_others = {*_told_by_others(record), *lands.told_by_replacements(record)}
    survivors += [spans[at][0] for at in by_others]
    if survivors:
        return fails(GONE, f"a hidden term still stands at {places(text, sorted(survivors))}")
    if ordinary:
        return holds(
            GONE, f"hidden ordinary words or short numbers also stand at {places(text, ordinary)}"
        )
    return holds(GONE)


def _across_tags(text: str, hidden: set[str]) -> Iterator[tuple[int, str]]:
    """Where hidden terms stand that only tags of a line part, or a hyphen before such."""
    tags = [found.span() for found in _TAG_IN_WORD.finditer(text)]
    if not tags:
        return
    edges = [0, *(at for span in tags for at in span), len(text)]
    pieces = [text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]
    begins = [0, *accumulate(map(len, pieces))][:-1]
    said = "".join(pieces)
    for at, term in _occurrences(said, hidden):
        piece = bisect_right(begins, at) - 1
        is_cut = piece + 1 < len(begins) and begins[piece + 1] < at + len(_said(said, at, term))
        if is_cut and (may_be_parted(term) or not is_ordinary(term)):
            yield edges[2 * piece] + at - begins[piece], term


def _is_word(term: str, text: str, at: int, small: set[str]) -> bool:
    """Whether a term is an ordinary word where it stands, in one piece."""
    if term not in small and is_small_word(text, at, at + len(term)):
        return True
    is_one = bool(skeleton(term)) and is_ordinary(term)
    return is_one and not is_parted_word(_said(text, at, term))


def _said(text: str, start: int, term: str) -> str:
    """The words of a text that say a folded term from somewhere on."""
    end = start + len(term)
    while end < len(text) and len(skeleton(text[start:end])) < len(term):
        end += 1
    return text[start:end]


def _rare_words(name: str) -> set[str]:
    words = plain_letters(name).split(" ")
    return {w for w in words if len(w) > 3 and w.isalpha() and not is_ordinary(w)}


def _titles_told(edit: Edit) -> frozenset[str]:
    """The titles that stand before a label: a professor is no secret beside "Professor [PERSON 1]"."""
    return _AROUND_NAMES.intersection(plain_letters(edit.replacement).split(" "))


_WITH_CAPITALS = ("ORG", "PERSON", "LOC")


def written_small(record: Record) -> set[str]:
    """The words of originals that a text writes without capitals, or that are no names: "a baker" in small
    letters is a mention of them. Where it writes somebody so, all are."""
    pairs = list(zip(record.edits, record.originals, strict=True))
    is_small = any(e.kind == "PERSON" and e.hides and o.islower() for e, o in pairs)
    words = ((e, plain_letters(o).split()) for e, o in pairs if e.hides)
    return {
        word for edit, own in words for word in own if is_small or edit.kind not in _WITH_CAPITALS
    }


def _names_like_words(
    record: Record, text: str, place_stands: Callable[[str], bool]
) -> Iterator[tuple[int, str]]:
    """Where ordinary words stand as the names of hidden persons, places and houses, or of families."""
    called, persons, houses = set[str](), set[str](), set[str]()
    for edit, original, _ in whole_edits(record):
        is_place = edit.kind == "LOC" and original.isalpha() and not place_stands(original)
        if edit.hides and (edit.kind == "PERSON" or is_place):
            own = {*plain_letters(original).split(" ")} - _AROUND_NAMES - _TIMES
            called |= own
            persons |= own if edit.kind == "PERSON" else set()
        if edit.hides and edit.kind == "ORG" and (house := _house(original)):
            (houses if " " in house else called).add(house)
    words = {name for name in called if len(name) > 2 and is_ordinary(name)}
    yield from (found for found in _occurrences(text, words) if _is_name(text, *found))
    several = {name + ending for name in persons & words for ending in ("s", "es")} - words
    for at, name in _occurrences(text, several):
        if _THE.search(text, max(0, at - _NEAR), at) and _is_name(text, at, name):
            yield at, name
    folded = {skeleton(house) for house in houses}
    yield from ((at, name) for at, name in _occurrences(text, folded) if text[at].isupper())


def _nouns_again(record: Record, text: str) -> Iterator[tuple[int, str]]:
    """Where single words that were hidden as nouns stand in either number, whatever they are there."""
    called = {
        form
        for edit, original, _ in whole_edits(record)
        if edit.hides and original.isalpha()
        if SORT in edit.numbers or (FACT in edit.numbers and edit.concept.startswith("wordnet:"))
        for form in singulars(original)
    }
    for start, end in nouns.single_words(text) if called else ():
        word = text[start:end]
        if not called.isdisjoint(singulars(word)) and not is_large_name(word):
            yield start, word.lower()


def _house(name: str) -> str:
    """What stands in an organisation's name before the word for its sort, and is no town's name."""
    words = [w for w in plain_letters(name).split(" ") if w and w != "the"]
    sort = max((n for n in (1, 2) if " ".join(words[-n:]) in _SORTS), default=0)
    own = words[:-sort] if sort else []
    while own and own[-1] in ORG_WORDS:
        own.pop()
    said = " ".join(own)
    is_name = len(said) > 3 and not all(w in ORG_WORDS for w in own) and FUNCTION.isdisjoint(own)
    return said if is_name and not lands.is_town(said, _TOWN) else ""


def _is_name(text: str, start: int, word: str) -> bool:
    """Whether a word has a capital inside a sentence, and none beside it has."""
    end = start + len(word)
    said, after = text[start:end], text[end : end + 2]
    before = _SMALL_BEFORE.search(text, max(0, start - _NEAR), start)
    return (
        (said.istitle() or said.isupper())
        and said.isascii()
        and before is not None
        and _SMALL_AFTER.match(after) is not None
    )


def _stands(text: str, place: int, place_stands: Callable[[str], bool]) -> bool:
    """Whether the name of a place that begins somewhere is one that may stand."""
    words = _WORDS.match(text, place)
    ends = (match.end() for match in re.finditer(r"[^\W_]+", words[0])) if words else ()
    return words is not None and any(place_stands(words[0][:end]) for end in ends)


def _told_by_others(record: Record) -> Iterator[int]:
    """The edits whose more general word is one that another edit hides, or holds it where that is no ordinary
    word."""
    originals = [o for e, o in zip(record.edits, record.originals, strict=True) if e.hides]
    pairs = zip(record.edits, record.originals, strict=True)
    persons = [(o.split(), _titles_told(e)) for e, o in pairs if e.kind == "PERSON"]
    # a place may be called like a person: Mr France lives in Lyon
    originals += [
        w
        for own, titles in persons
        for w in own
        if len(w) > 2 and w[:1].isupper() and plain_letters(w) not in titles
    ]
    hidden = {skeleton(form) for original in originals for form in singulars(original)} - {""}
    rare = {skeleton(original) for original in originals} - {""}
    rare = {term for term in rare if not is_ordinary(term)}
    for at, (edit, original) in enumerate(zip(record.edits, record.originals, strict=True)):
        if edit.how != GENERALISE or _is_range(edit.replacement):
            continue
        shown = _ARTICLE.sub("", edit.replacement)
        if same_but_for_number(shown, original):
            continue  # its own word: looked for above
        own, words = skeleton(original), plain_letters(shown).split()
        runs = {run for first in range(len(words)) for run in accumulate(words[first:])}
        held = (runs & rare) - {own}
        if held or any(skeleton(form) in hidden for form in singulars(shown)):
            yield at


def _in_longer_words(text: str, names: set[str]) -> Iterator[tuple[int, str]]:
    """Names inside words that are no ordinary ones."""
    if not names:
        return
    plain = plain_letters(text)
    origin = range(len(text)) if text.isascii() else letters(text).origin
    known = sorted(names)
    end = -1
    automaton = AhoCorasick(known, implementation=Implementation.ContiguousNFA)
    for which, first, last in automaton.find_matches_as_indexes(plain):
        if first < end:
            continue  # of the same word, which is looked at once
        start = plain.rfind(" ", 0, first) + 1
        end = plain.find(" ", last)
        end = end if end >= 0 else len(plain)
        word = plain[start:end]
        if word not in names and not is_ordinary(word):
            yield int(origin[first]), known[which]


def _is_range(replacement: str) -> bool:
    """Whether a replacement is a range of numbers ("6,250–6,299 m2"), one end of which may be the original
    itself, or a decade, whose first year may be."""
    found = re.fullmatch(
        r"\D*\d[\d,. ]*\s?(?:[-–]|to)\s?\D?\d[\d,. ]*(?:\D|(?<=[a-z])[23]\b)*|(?:the )?\d{3}0s",
        replacement,
    )
    return found is not None


def _long_ones(
    terms: Sequence[str], tokens: Sequence[tuple[str, int, int]]
) -> Iterator[tuple[int, str]]:
    """The first place of each long term, from the start of a word to the end of one."""
    joined = "".join(token for token, _, _ in tokens)
    ends = list(accumulate(len(token) for token, _, _ in tokens))
    gaps = (after[1] - before[2] > GAP for before, after in pairwise(tokens))
    far = list(accumulate(gaps, initial=0))  # how many wide gaps there are before a word
    for term in terms:
        at = joined.find(term)
        while at >= 0:
            first, last = bisect_left(ends, at + 1), bisect_left(ends, at + len(term))
            begins = ends[first] - len(tokens[first][0]) == at
            if begins and ends[last] == at + len(term) and far[first] == far[last]:
                yield tokens[first][1], term
                break
            at = joined.find(term, ends[first])  # from the next word on


def _occurrences(text: str, hidden: set[str]) -> Iterator[tuple[int, str]]:
    """Hidden terms in a text, by walking its words and asking whether a term begins like that. Words are
    walked in plain letters, where one character may be none or many; places are those of the text itself."""
    terms = [t for t in hidden if t and skeleton(t) == t]
    worded = sorted(t for t in terms if len(t) <= _LONG)
    tokens = [(m[0], m.start(), m.end()) for m in re.finditer(r"[^ ]+", plain_letters(text))]
    origin = range(len(text)) if text.isascii() else letters(text).origin
    for first, (token, start, _) in enumerate(tokens):
        grown, at = token, first
        while True:
            near = bisect_left(worded, grown)
            if near == len(worded) or not worded[near].startswith(grown):
                break
            if worded[near] == grown:
                yield int(origin[start]), grown
            at += 1
            if at == len(tokens) or tokens[at][1] - tokens[at - 1][2] > GAP:
                break
            grown += tokens[at][0]
    for start, term in _long_ones([t for t in terms if len(t) > _LONG], tokens):
        yield int(origin[start]), term
    for term in hidden:
        if term and not skeleton(term) and term.strip() and term in text:
            yield text.index(term), term
