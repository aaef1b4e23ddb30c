"""What everybody knows: public figures by their full names, and bodies of state without a name of their own.

A list and the words decide here, never the type that was guessed. A public figure's namesake who is told of
as people in a text are (with a title, an age, in a field, by the given name alone) is hidden like anybody.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator
from functools import cache

from sfumato.detect import encoder
from sfumato.detect.towns import is_english_town
from sfumato.document import Spans
from sfumato.english.demonyms import places_of
from sfumato.english.nicknames import gender, is_given
from sfumato.english.ordinary import is_ordinary
from sfumato.english.wordlists import TITLES, lists, word_set
from sfumato.know.taxonomy import places

# Words that a body of state or a part of any institution is called by, and those that say which. Of the
# organisations in the train part of the Text Anonymization Benchmark that consist of those of states, nine
# tenths of the words need no masking.
_BODIES = frozenset(lists("detect/words")["bodies of state"])
_WHICH = frozenset(lists("detect/words")["which body of state"])
_SMALL = word_set("of the and for in on to against with by from")
_NEXT = re.compile(r" (?:of (?:the )?)?[^\W\d_]+")
_OF = re.compile(r"[A-Z][a-z]{,20} of (?:the )?\Z")
_SEAT = re.compile(r"(?i:the )?(.{4,60}?)(?:,? sitting)? (?i:at|in) (?=[A-Z])")
_ORDINAL = re.compile(r"\d{1,3}(?:st|nd|rd|th)")
_WORDS = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*['’]?")
_FIELD = re.compile(
    r"(?i)\b(?:\w*name|patient|client|customer|dear|hi|hello)\W{0,3}$|\b(?:re|from|to|cc|by|signed)\s*[:=]\s*$"
)
_TITLE = re.compile(
    rf"(?i)\b(?:{'|'.join(sorted(map(re.escape, TITLES), key=len, reverse=True))})\.?\s+$"
)
_STATE = re.compile(
    r"(?:the )?(?:Republic|Kingdom|Federation|Principality|Government) of (?:the )?(?P<of>[A-Z].+)"
    r"|(?:the )?(?P<whose>[A-Z].+?)(?: of Great Britain and Northern Ireland| [Gg]overnment| authorities)"
)
# From the start of a word, and of one that may be a name: a code in one line has thousands of capitals.
_RUN = re.compile(
    r"(?<!\w)(?:[A-Z][\w'’.-]{0,40}\w|(?:[A-Z]\.){1,3})"
    r"(?: (?:[a-z]{2,3} ){0,2}(?:[A-Z][\w'’-]*\w|[A-Z]\.?(?= [A-Z])))+"
)
_MOST_WORDS = 6  # of a name
_HONOURS = frozenset({"Sir", "Dame"})
# What is said of people in a text: an age, a birth, a turn to speak, the name alone in its line.
_OF_SOMEBODY = re.compile(
    r"(?i)[^\S\n]*+(?:\n|\Z)|\s*+(?:,?\s*+\(?(?:aged?\s)?\d{1,3}\b(?!\s?%)|\(?(?:dob|born|b\.)|[:=<@#])"
)


def is_public_body(said: str) -> bool:
    """Whether a name consists of words that any state has a body by, or tells a state or its government: it
    tells nobody, and no place but the state.

    >>> bodies = ("Ministry of the Interior", "7th Chamber of the Supreme Administrative Court", "Council")
    >>> [is_public_body(said) for said in bodies], is_public_body("Ankara Administrative Court")
    ([True, True, True], False)
    >>> [is_public_body(said) for said in ("Republic of Poland", "Turkish Government", "Poland")]
    [True, True, False]
    """
    words = [w.lower().replace("’", "'") for w in _WORDS.findall(said)]
    if not words or not (said[0].isupper() or said[0].isdigit()):
        return False
    if any(w in _BODIES for w in words) and all(
        w in _BODIES or w in _WHICH or w in _SMALL or _ORDINAL.fullmatch(w) for w in words
    ):
        return True
    state = _STATE.fullmatch(said)
    return state is not None and _is_country(state["of"] or state["whose"])


def begins_public_body(text: str, start: int, end: int) -> bool:
    """Whether words are a body of state's, or a state's, with the word behind them: "Mental Health" of its
    Tribunal, "Republic" of Estonia."""
    behind = _NEXT.match(text, end)
    return behind is not None and is_public_body(text[start : behind.end()])


def tells_public_body(text: str, start: int, end: int) -> bool:
    """Whether words are those of a body of state's, alone or with the word behind them."""
    return is_public_body(text[start:end]) or begins_public_body(text, start, end)


def is_in_public_body(text: str, start: int, end: int) -> bool:
    """Whether a word is one of a body of state's by common words alone: the Court of "Appeal", the "COUNTY"
    COURT; a land may be hidden."""
    before, behind = _OF.search(text, max(0, start - 32), start), _NEXT.match(text, end)
    parts = [
        text[before.start() : end] if before else "",
        text[start : behind.end()] if behind and behind[0].split()[-1][0].isupper() else "",
    ]
    return any(is_public_body(said) and not _STATE.fullmatch(said) for said in parts)


def seat(text: str, start: int, end: int) -> int:
    """Where the place begins in which a body of state's sits: "the County Court at" Leeds.

    >>> said = ("County Court at Leeds", "Leeds County Court", "Hall at Leeds")
    >>> [seat(each, 0, len(each)) for each in said]
    [16, 0, 0]
    """
    found = _SEAT.match(text, start, end)
    return found.end() if found and is_public_body(found[1]) else start


def _is_country(said: str) -> bool:
    """Whether a name, or what its people are called, is that of a country."""
    known = places.default()
    return any(
        known.is_country(sense.key)
        for name in (said, *places_of(said))
        for sense in known.senses(name.title())[:1]
    )


# Words of physicians that no list holds, by how they end: nobody is called so.
_LEARNED = re.compile(
    r"[a-z]{3,}(?:phasic|a?emic|genic|pathic|trophic|plastic|static|lytic|scopic|graphic|metric|gnostic|osis|itis"
    r"|ectomy|[ot]omy|plasty|scopy|graphy|pathy|algia|a?emia|uria|oedema|cellular|vascular|capsular|lobular"
    r"|luminal|portal|prandial|renal|costal|clavicular|cranial|dural|cutaneous|venous|operative|natal|partum)"
)


def is_nobodys(word: str) -> bool:
    """Whether a word is an ordinary one, or counts, that nobody and no town is called by.

    >>> [is_nobodys(word) for word in ("Term", "Review", "Hope", "Young", "Deal", "Okonedo")]
    [True, True, False, False, False, False]
    >>> [is_nobodys(word) for word in ("Triphasic", "Postprandial", "Cystoscopy", "Petrovic", "Vidal")]
    [True, True, True, False, False]
    """
    low = word.lower()
    is_name = is_given(low) or gender(low) or low in names("borne") or is_english_town(word.title())
    return (is_ordinary(low) or _LEARNED.fullmatch(low) is not None) and not is_name


def is_learned(word: str) -> bool:
    """Whether a word is one of physicians by its end: whoever is taken for a person by it is none.

    >>> [is_learned(word) for word in ("Triphasic", "Cystoscopy", "Tomy", "Petrovic", "Term")]
    [True, True, False, False, False]
    """
    return _LEARNED.fullmatch(word.lower()) is not None and is_nobodys(word)


def public_figures(text: str, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Those of the spans that tell a public figure, by the full name or, beside it, by its last word.

    >>> text = "She quotes Alan Turing, as Turing was, to Mr Alan Turing and to Dora Turing."
    >>> spans = [m.span() for m in re.finditer("(?:(?:Alan|Dora) )?Turing", text)]
    >>> public_figures(text, spans), public_figures("Turing.", [(0, 6)])
    ([], [])
    >>> [text[a:b] for a, b in public_figures(text[:38], spans[:2])]
    ['Alan Turing', 'Turing']
    """
    full: dict[str, list[tuple[int, int]]] = {}
    for start, end in full_names(text):
        full.setdefault(text[start:end], []).append((start, end))
    if not full:
        return []
    spans = list(spans)
    chosen = []
    for name, places_of_name in full.items():
        own = Spans(places_of_name)
        ends = {name.split()[0], name.split()[-1]} - _HONOURS
        rest = [
            span for span in spans if not own.touch(*span) and ends.intersection(_words(text, span))
        ]
        # Whoever is called by the given name, or of that family, may be in the text as well as the figure.
        if all(text[a:b] == name.split()[-1] for a, b in rest):
            told = [span for span in spans if own.touch(*span)] + rest
            if not any(is_somebody(text, *span) for span in (*places_of_name, *rest)):
                chosen += [span for span in told if own.holds(*span) or span in rest]
    return chosen


def full_names(text: str) -> Iterator[tuple[int, int]]:
    """Where public figures are told by their full names, the longest of each place."""
    for run in _RUN.finditer(text):
        words = [m.span() for m in re.finditer(r"\S+?(?=['’]s?(?:\s|\Z)|\s|\Z)", run[0])]
        at = 0
        while at < len(words) - 1:
            for after in range(min(len(words), at + _MOST_WORDS), at + 1, -1):
                start, end = words[at][0], words[after - 1][1]
                if run[0][start:end] in names("figure"):
                    if at and run[0][slice(*words[at - 1])] in _HONOURS:
                        start = words[at - 1][0]
                    yield run.start() + start, run.start() + end
                    at = after - 1
                    break
            at += 1


def _words(text: str, span: tuple[int, int]) -> list[str]:
    return re.findall(r"[^\W\d_][\w’'-]*", text[slice(*span)])


def is_somebody(text: str, start: int, end: int) -> bool:
    """Whether a name stands where people of whom a text tells do."""
    before = text[max(0, start - 30) : start]
    return bool(_TITLE.search(before) or _FIELD.search(before) or _OF_SOMEBODY.match(text, end))


@cache
def names(kind: str) -> frozenset[str]:
    """The names of a kind in the list, as `scripts/build_known.py` calls them."""
    lines = gzip.decompress(encoder.KNOWN.read_bytes()).decode().splitlines()
    return frozenset(name for of, name in (line.split("\t") for line in lines) if of == kind)
