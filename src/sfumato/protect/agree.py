"""Replacements agree with their place: capital letters, plural, and the article before them.

`agree` runs once, after the last protector, on the edits of all of them. Articles that have to change become
edits of their own, so that the rest of the text stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from sfumato.document import AGREEMENT, GENERALISE, SEVERAL, Document, Edit
from sfumato.english.articles import (
    Article,
    can_be_said,
    indefinite_article,
    is_countable,
    takes_the,
)
from sfumato.english.chunker import FUNCTION
from sfumato.english.dates import DAY_NAMES, MONTH_NAMES, SHORT_MONTHS
from sfumato.english.inflection import is_plural, looks_plural, pluralise
from sfumato.english.units import begins_sentence
from sfumato.english.wordlists import word_set
from sfumato.plugins import METHODS

# After these words, and at the start of a sentence, a common noun that takes a name's place needs an article.
_BEFORE_ARTICLE = word_set(
    "about above after against along among and around as at became become before behind below beneath"
    " beside between beyond but by called despite during for from if in inside into is like near"
    " of off on onto or outside over past saw since than that through to toward towards under until upon"
    " versus via visited was were when where while with within without"
    " asked contacted helped hired interviewed joined knew married met praised replaced sued told treated"
)

# Function words after which a noun may stand alone.
_BEFORE_NOUN = _BEFORE_ARTICLE | word_set("because had has have of")
_VERBS = word_set(
    "bought bring brought buy carry catch caught drank drink eat ate fear feel felt find found gave get give"
    " got keep kept lose lost made make need saw sell send sent showed smoke sold take took use want wore"
)
_AFTER_NOUN = word_set(
    "again always daily later now often once soon today tomorrow twice weekly yesterday"
)
_ARTICLE = re.compile(r"(?<![\w'’.-])(an?)[\s\u00a0]+$", re.IGNORECASE)
_PLAIN = re.compile(r"[^\W\d_]+(?:[ '’-][^\W\d_]+)*$")
_NAME_KINDS = frozenset({"PERSON", "ORG", "LOC"})
# A span of days that is longer than one: "2014", "the 2010s", "May 2014", "2014–2016", "early 2014".
_MONTH = rf"(?:{MONTH_NAMES}|{SHORT_MONTHS}|Sept)"
_SPAN = (
    rf"(?:(?:early|mid|late)[ -])?(?:{_MONTH}(?: \d{{4}})?|\d{{4}}s?|\d{{4}}[-/.]\d\d|\d\d[-/.]\d{{4}}"
    r"|\d\d?\w\w century)"
)
_NO_DAY = re.compile(rf"(?:the )?{_SPAN}(?: ?(?:[–-]|to|and) ?(?:the )?{_SPAN})?", re.IGNORECASE)
_ON = re.compile(r"(?<![\w'’.-])(on)( or (?:about|around))?[\s\u00a0]+(the\s+)?$", re.IGNORECASE)
# "at the end of March 2023" is not the end of 2023; but what was done by the end of March was by that.
_OF_MONTH = re.compile(
    r"(?<![\w'’.-])(?:(?P<how>at|by|in|on|from|towards?|until|since|for|during)[ \u00a0])?(?:the )?(?:very )?"
    r"(?:end|beginning|start|middle|whole|(?:first|second|third|fourth|last) (?:week|day|weekend|half"
    rf"|fortnight|part|{DAY_NAMES})) of (?:the )?\Z"
    r"|(?<![\w'’.-])(?:the )?(?:first|second|third|fourth|last) (?=\Z)",
    re.IGNORECASE,
)
_NTH_DAY = re.compile(r"\d{1,2}(?:st|nd|rd|th)\b", re.IGNORECASE)
_WHOLE_YEARS = re.compile(r"(?:the )?\d{4}s?")
_PHRASE = 48  # characters that such words have before a month
_NEAR = 24  # characters before and after an edit that tell what it needs
_LINE = 400  # as many of its line tell whether it is in capitals


def agree(edits: Sequence[Edit], document: Document) -> list[Edit]:
    """The edits, each fitted to its place. Running it again changes nothing.

    >>> text = Document("She had an HIV test.")
    >>> [(e.replacement, e.how) for e in agree([Edit(11, 14, "MISC", "viral", "hidden", "ladder")], text)]
    [('a', 'agreement'), ('viral', 'ladder')]
    """
    fitted: list[Edit] = []
    own = [e for e in edits if e.how != AGREEMENT]
    for i, edit in enumerate(own):
        following = own[i + 1] if i + 1 < len(own) else None
        edit = _fitted(edit, document.text, *_around(edit, fitted, following, document.text))
        free_from = fitted[-1].end if fitted else 0
        before = (
            _article(edit, following, document.text, free_from)
            or _part_of_month(edit, document.text, free_from)
            or _preposition(edit, document.text, free_from)
            or _without_the(edit, document.text, free_from)
            or _without_year(edit, document.text, free_from)
        )
        fitted += [before, edit] if before else [edit]
    return fitted


def _around(
    edit: Edit, fitted: Sequence[Edit], following: Edit | None, text: str
) -> tuple[str, str]:
    """What stands before and after an edit in the end: what stood there must not show."""
    before, after = text[max(0, edit.start - _NEAR) : edit.start], text[edit.end : edit.end + _NEAR]
    if fitted and fitted[-1].end > edit.start - _NEAR:
        before = fitted[-1].replacement + text[fitted[-1].end : edit.start]
    if following and following.start < edit.end + _NEAR:
        said = re.sub(r"^(?:an?|the)\s", "", following.replacement, flags=re.IGNORECASE)
        after = text[edit.end : following.start] + said
    return before[-_NEAR:], after[:_NEAR]


def _fitted(edit: Edit, text: str, before: str, after: str) -> Edit:
    """The edit with the number and the capital letter that its place asks for."""
    made, original = edit.replacement, text[edit.start : edit.end]
    if _is_calendar(edit) and re.fullmatch(r"\d{3}0s|\d+\w\w century", made):
        return _decade(edit, text)
    if edit.how == GENERALISE and len(original) > 1 and original.isupper() and _shouts(text, edit):
        several = made.islower() and _is_several(edit, original.lower(), after)
        return replace(edit, replacement=(pluralise(made) if several else made).upper())
    if not _PLAIN.match(made):
        return _capital(edit, text, original)
    said = original
    starts = edit.kind not in _NAME_KINDS and begins_sentence(text, edit.start)
    if edit.kind == "TERM" or starts or SEVERAL in edit.numbers:
        said = original.lower()  # here a capital letter does not make a name
    # Most of the policy's own methods invent names and labels, which stay as they are.
    method = METHODS.find(edit.how)
    is_word = method is None or method.gives == "word"
    if is_word and made.islower() and _is_several(edit, said, after):
        edit = replace(edit, replacement=pluralise(made))
    is_said = said.islower() or SEVERAL in edit.numbers
    if is_said and edit.how == GENERALISE and edit.concept.startswith("wordnet:"):
        edit = _counted(edit, before, after)
    return _capital(_with_article(edit, text, said, before, after), text, original)


def _is_several(edit: Edit, said: str, after: str) -> bool:
    """Whether several things are told: as the edit has it, or else by the form of the original."""
    several = edit.numbers.get(SEVERAL)
    return is_plural(said, after) if several is None else several > 0


def _is_calendar(edit: Edit) -> bool:
    return edit.kind == "DATE" or edit.concept.startswith("calendar:")


def _decade(edit: Edit, text: str) -> Edit:
    """ "in 1984", but "in the 1980s" and "in the 20th century"."""
    before = text[max(0, edit.start - 12) : edit.start]
    bare = re.search(
        r"(?i)\b(?:in|on|since|of|from|until|during|to|by|before|after|around)\s+$", before
    )
    return replace(edit, replacement=f"the {edit.replacement}") if bare else edit


def _counted(edit: Edit, before: str, after: str) -> Edit:
    """ "used heroin", but "used an opiate": the edit with an article, where a noun that is counted takes the
    place of one that stands alone."""
    made = edit.replacement
    has_one = re.match(r"(?:an?|the)\s", made) is not None
    if has_one or not made.islower() or looks_plural(made.split()[-1]) or not is_countable(made):
        return edit
    last = re.search(r"((?<![\w'’-])[\w'’-]+|[^\w\s])\s*$", before)
    first = re.match(r"\s*([\w'’-]+|$|[^\w\s])", after)
    word, following = (m[1].lower() if m else "" for m in (last, first))
    alone = not word or word in _BEFORE_NOUN or (word in ",;(" and word != "")
    verb = word in _VERBS or (word.endswith(("s", "ed", "ing")) and word not in FUNCTION)
    alone = alone or (verb and before.endswith(" "))
    ends = not following[:1].isalnum() or following in FUNCTION | _AFTER_NOUN
    if not alone or not ends or following in ("-", "/", "'", "’"):
        return edit
    return replace(edit, replacement=f"{indefinite_article(made)} {made}")


def _without_year(edit: Edit, text: str, free_from: int) -> Edit | None:
    """ "in the year 1985", but "in the 1980s": the edit that takes the word away."""
    if not edit.concept.startswith("calendar:") or not re.search(r"s$|century$", edit.replacement):
        return None
    found = re.search(r"(?<=\bthe )year\s+$", text[max(0, edit.start - 16) : edit.start])
    start = edit.start - len(found[0]) if found else 0
    if not found or start < free_from:
        return None
    return Edit(start, edit.start, "ARTICLE", "", "fits the next word", AGREEMENT)


def _shouts(text: str, edit: Edit) -> bool:
    """Whether the line around an edit is written in capitals, as far as it is near."""
    before = text[max(0, edit.start - _LINE) : edit.start].rpartition("\n")[2]
    around = before + text[edit.end : edit.end + _LINE].partition("\n")[0]
    return around.isupper() and len(around) > 3


def _with_article(edit: Edit, text: str, original: str, before: str, after: str) -> Edit:
    """The edit with an article of its own, where a common noun, or "United States", stands for a name."""
    made = edit.replacement
    known = edit.concept.startswith("places:") and takes_the(made)
    if edit.how != GENERALISE or not (made.islower() or known) or not original[:1].isupper():
        return edit
    if re.match(r"(?:an?|the)\s", made, re.I) or (not known and looks_plural(made.split()[-1])):
        return edit
    word = re.search(r"(?<![^\W\d_])([^\W\d_]+)[\s\u00a0]+$", before)
    if word:
        needed = word[1].lower() in _BEFORE_ARTICLE
    else:
        goes_on = re.match(r"(?:['’]s)?\s+[a-z]", after) is not None
        listed = not known and before.rstrip().endswith(",")
        needed = goes_on and (listed or begins_sentence(text, edit.start))
    article = "the" if known else indefinite_article(made)
    return replace(edit, replacement=f"{article} {made}") if needed else edit


def _without_the(edit: Edit, text: str, free_from: int) -> Edit | None:
    """ "in the Netherlands", but "in Europe", "in [COUNTRY 1]", and "on the 4th", but "on [DATE 1]": the edit
    that takes the article away."""
    made, original = edit.replacement, text[edit.start : edit.end]
    is_place = edit.kind == "LOC" and bool(made) and not made.islower()
    is_day = _is_calendar(edit) and _NTH_DAY.match(original) and not _NTH_DAY.match(made)
    if not is_day and not (is_place and takes_the(original) and not takes_the(made)):
        return None
    found = re.search(r"(?<![\w'’.-])the[ \u00a0]$", text[max(0, edit.start - 12) : edit.start])
    if not found or edit.start - 4 < free_from:
        return None
    return Edit(edit.start - 4, edit.start, "ARTICLE", "", "fits the next word", AGREEMENT)


def _capital(edit: Edit, text: str, original: str) -> Edit:
    made = edit.replacement
    word = re.match(r"[^\W\d_]+(?=[\s'’,-]|$)", made)
    if not word or not made[0].islower() or original[:1].islower():
        return edit
    if not begins_sentence(text, edit.start):
        return edit
    return replace(edit, replacement=made[0].upper() + made[1:])


def _part_of_month(edit: Edit, text: str, free_from: int) -> Edit | None:
    """The edit of the words that tell a part of a month, where it became a year."""
    original = text[edit.start : edit.end]
    if not _is_calendar(edit) or not _WHOLE_YEARS.fullmatch(edit.replacement):
        return None
    found = _OF_MONTH.search(text[max(0, edit.start - _PHRASE) : edit.start])
    if not found or _WHOLE_YEARS.fullmatch(original) or edit.start - len(found[0]) < free_from:
        return None
    how = (found["how"] or "").lower()
    made = {"by": "by the end of ", "until": "until ", "since": "since ", "from": "from "}.get(
        how, "in " if how else "some time in "
    )
    made = made.capitalize() if found[0][0].isupper() else made
    start = edit.start - len(found[0])
    return Edit(start, edit.start, "ARTICLE", made, "fits the next word", AGREEMENT)


def _preposition(edit: Edit, text: str, free_from: int) -> Edit | None:
    """ "on 14 May 2004", but "in May 2004": the edit of "on", where a day became a month, a year or more."""
    if not _is_calendar(edit) or not _NO_DAY.fullmatch(edit.replacement):
        return None
    found = _ON.search(text[max(0, edit.start - _NEAR) : edit.start])
    start = edit.start - len(found[0]) if found else 0
    if not found or start < free_from:
        return None
    made = "in" if found[1].islower() else "IN" if found[1].isupper() else "In"
    end = edit.start if found[3] else start + 2
    said = f"{made}{found[2] or ''} " if found[3] else made
    return Edit(start, end, "ARTICLE", said, "fits the next word", AGREEMENT)


# Articles


def _article(edit: Edit, following: Edit | None, text: str, free_from: int) -> Edit | None:
    """The edit of the article before an edit, where it no longer fits."""
    found = _ARTICLE.search(text, max(0, edit.start - 12), edit.start)
    if not found or found.start() < free_from:
        return None
    now = found[1]
    if now == "A" and not begins_sentence(text, found.start()) and not text[edit.start].isupper():
        return None  # the letter: "vitamin A"
    after = text[edit.end : following.start if following else edit.end + 24][:24]
    word = (edit.replacement + after).lstrip()
    if edit.how == "label":
        # What it says is read aloud, and "an" tells a vowel of what it hides
        word = word.lstrip("[<({")
    if not word or not can_be_said(word[0]):
        return None
    wanted = indefinite_article(word)
    if wanted == now.lower():
        return None
    made = _like_article(wanted, now, text, found.start())
    return Edit(
        found.start(), found.start() + len(now), "ARTICLE", made, "fits the next word", AGREEMENT
    )


def _like_article(wanted: Article, now: str, text: str, at: int) -> str:
    if now.islower():
        return wanted
    line = text[text.rfind("\n", 0, at) + 1 : at + 40].split("\n")[0]
    shouting = now == "AN" or (len(line) > 3 and line.isupper())
    return wanted.upper() if shouting else wanted.capitalize()
