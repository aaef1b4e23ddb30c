"""Passages that the detectors cannot read: in other letters, or in another language than English.

A script is told by its letters. A language is told in two steps: passages most of whose words no English
text has are given to a language identifier, which must be sure; so English never waits for it, and a list of
names, an abbreviated note or a drug chart stays English.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from sfumato.document import Document, Spans, Term
from sfumato.english.folding import unaccented
from sfumato.english.ordinary import is_ordinary
from sfumato.english.units import Unit, spans
from sfumato.english.wordlists import PARTICLES, lists, word_set
from sfumato.errors import InputError
from sfumato.formats.json import FIELD
from sfumato.kinds import UNREAD
from sfumato.policy import Policy

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_OTHER = "\ue000"  # stands for a letter of another script
_RUN = re.compile(rf"{_OTHER}(?:[^a-zA-Z\n]*{_OTHER})*")
_MACHINE = re.compile(r"://|@|\w[._=/\\]\w")  # in addresses and settings, which are in no language
_FEWEST_WORDS = 3  # different unknown ones in a passage: with fewer, one cannot tell
_OF_ONE, _OF_MANY = 0.5, 0.6  # and their share of a sentence, or of several
_SURE = 0.6  # the probability of the other language; English with drug names or dialect reached .3, others .7
# its kin, learned words, and what is in no language
_ENGLISH = frozenset({"en", "sco", "pcm", "la", "zxx"})
_SHOUTED = 8  # words in capitals that are not just names
# Small words of other languages that stand often enough in English texts to pass for English there.
_SMALL_WORDS = frozenset(lists("detect/words")["small words of other languages"])
_PARTICLES = word_set(" ".join(PARTICLES)) | {"den", "op"}  # before a capital, of a name
_LITERALS = frozenset({"true", "false", "null"})  # of JSON
_ENOUGH = 4000  # characters to tell a language by
_LEVELS: tuple[Unit, ...] = ("paragraph", "sentence")


class Passage(NamedTuple):
    """A part of a text that is not read, and why; `alone` where the words around it are in the same case. A
    name in other letters within an English line is not: it is hidden like any other."""

    start: int
    end: int
    why: str
    alone: bool = True


def passages(text: str) -> list[Passage]:
    """What is not read, in order and apart from each other.

    >>> passages("Seen by Dr Müller for β-blocker advice.")
    []
    >>> [(text_of.start, text_of.why) for text_of in passages("Dear Ann,\\nИван живёт в Омске.")]
    [(10, 'in Cyrillic letters')]
    """
    found = list(_in_other_letters(text)) if not text.isascii() else []
    taken = Spans((p.start, p.end) for p in found)
    found += [p for p in _in_other_languages(text) if taken.add(p.start, p.end)]
    return sorted(found)


def unread_terms(document: Document) -> list[Term]:
    """The passages as terms: they are hidden as blocks, or refused. The names of a file's fields, its numbers
    and `true` are no part of one."""
    text, found = document.text, passages(document.text)
    own = Spans(
        (part.start, part.end)
        for part in (document.origin.parts if found else ())
        for said in (text[part.start : part.end],)
        if not any(map(str.isalpha, said))
        or said in _LITERALS
        or (part.place.startswith(FIELD) and not passages(said))
    )
    rests = (rest for p in found for rest in own.gaps(p.start, p.end))
    return [
        Term(start, end, UNREAD, 1.0, "language")
        for start, end in rests
        if any(map(str.isalnum, text[start:end]))
    ]


def refuse_unread(document: Document, terms: Iterable[Term], policy: Policy) -> None:
    """An error if the policy refuses what it cannot read, and there is more of it than was found."""
    if policy.unread != "refuse":
        return
    hidden = Spans((t.start, t.end) for t in terms if t.kind != UNREAD and not policy.keeps(t.kind))
    for start, end, why, alone in passages(document.text):
        if alone and hidden.open_words(start, end, document.text):
            line = document.text.count("\n", 0, start) + 1
            raise InputError(
                f"{document.name}: line {line} is {why}, and the policy reads English; nothing written; "
                "`unread: label` in the policy hides such passages, `unread: keep` lets them stand"
            )


def _in_other_letters(text: str) -> Iterator[Passage]:
    """Runs of words in other scripts with what is between them; whole lines that are mostly so."""
    scripts = {letter: script for letter in set(text) if (script := _script(letter))}
    if not scripts:
        return
    # Python has no class of many letters that is quick: each becomes the same sign, which no text has.
    marked = text.translate({ord(letter): _OTHER for letter in scripts} | {ord(_OTHER): " "})
    for line in re.finditer(r"[^\n]+", text):
        runs = (m.span() for m in _RUN.finditer(marked, *line.span()))
        found = [(a, b) for a, b in runs if _is_told(text[a:b], scripts)]
        if not found:
            continue
        start, end = line.span()
        latin = sum(c.isalpha() and c not in scripts for c in line[0])
        mostly = latin < sum(c in scripts for c in line[0])
        why = f"in {scripts[text[found[0][0]]]} letters"
        if mostly:
            yield Passage(start, end, why)
        else:
            yield from (Passage(a, b, why, alone=False) for a, b in found)


@cache
def _script(letter: str) -> str:
    """The name of a letter's script, if it is another than ours: modifiers, mathematical letters and
    ligatures are none.

    >>> _script("é"), _script("ﬁ"), _script("𝐱"), _script("я"), _script("王")
    ('', '', '', 'Cyrillic', 'Chinese')
    """
    if letter.isascii() or unicodedata.category(letter) not in ("Lu", "Ll", "Lo"):
        return ""
    name = unicodedata.name(unicodedata.normalize("NFKC", letter)[0], "")
    script = name.split(" ")[0].split("-")[0].capitalize()
    return "" if script == "Latin" else "Chinese" if script == "Cjk" else script or "unknown"


def _is_told(run: str, scripts: dict[str, str]) -> bool:
    """Whether a run says something: signs of two Greek letters ("μΩ") and single letters ("ツ") do not."""
    longest = max((len(word) for word in _WORD.findall(run) if word[0] in scripts), default=0)
    script = scripts[run[0]]
    return longest >= {"Chinese": 1, "Greek": 3}.get(script, 2)


def _in_other_languages(text: str) -> Iterator[Passage]:
    """The whole text, or paragraphs of it, or sentences, the largest that are in another language."""
    waiting = [(0, len(text), _LEVELS)]
    while waiting:
        start, end, levels = waiting.pop()
        part = text[start:end]
        unknown = _unknown_words(part)
        if len(set(unknown)) < _FEWEST_WORDS:
            continue
        if language := _other_language(part, unknown, _OF_MANY if levels else _OF_ONE):
            yield Passage(start, end, f"not in English (it reads like '{language}')")
        elif levels:
            inner = spans(part, levels[0])
            waiting += [(start + a, start + b, levels[1:]) for a, b in inner]


def _unknown_words(text: str) -> list[str]:
    """The words in small letters that are no English ones."""
    return [w for w in _words(text) if w in _SMALL_WORDS or not is_ordinary(unaccented(w))]


def _words(text: str) -> list[str]:
    """The words that are no names: those in small letters, and of lines that shout."""
    found: list[str] = []
    for line in text.splitlines():
        runs = " ".join(run for run in line.split() if not _MACHINE.search(run))
        words = _WORD.findall(runs)
        shouts = len(words) >= _SHOUTED and line.isupper()
        found += map(str.lower, words) if shouts else words
    after = [*found[1:], ""]
    return [
        word
        for word, following in zip(found, after, strict=False)
        if len(word) > 1 and word[0].islower() and not (word in _PARTICLES and following.istitle())
    ]


def _other_language(text: str, unknown: list[str], share: float) -> str:
    """The code of the language that a text is in, if it is surely not English."""
    if len(unknown) < share * len(_words(text)):
        return ""
    language, probability = _identifier().classify(text[:_ENOUGH])
    return language if probability >= _SURE and language not in _ENGLISH else ""


@cache
def _identifier() -> LanguageIdentifier:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
