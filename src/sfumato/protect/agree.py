"""Replacements agree with their place: capital letters, plural, and the article before them.

`agree` runs once, after the last protector, on the edits of all of them. Articles that have to change become
edits of their own, so that the rest of the text stays as it is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from sfumato.document import AGREEMENT, GENERALISE, Document, Edit
from sfumato.english.wordlists import words
from sfumato.policy import METHODS

Article = str  # "a" or "an"

# After these words, and at the start of a sentence, a common noun that takes a name's place needs an article.
_BEFORE_ARTICLE = frozenset(
    words(
        "about above after against along among and around as at became become before behind below beneath"
        " beside between beyond but by called despite during for from if in inside into is like near"
        " of off on onto or outside over past saw since than that through to toward towards under until upon"
        " versus via visited was were when where while with within without"
        " asked contacted helped hired interviewed joined knew married met praised replaced sued told treated"
    )
)

_ARTICLE = re.compile(r"(?<![\w'’.-])(an?)[\s\u00a0]+$", re.IGNORECASE)
_SENTENCE_START = re.compile(
    r"(?:^|[.!?…]['\"”’)\]]*\s+|\n\s*)(?:[-*#>•]+\s+|\d+[.)]\s+)?['\"“‘(\[]*$"
)
_PLAIN = re.compile(r"[^\W\d_]+(?:[ '’-][^\W\d_]+)*$")
_NAME_KINDS = frozenset({"PERSON", "ORG", "LOC"})
_HEAD_END = re.compile(r"\s(?:of|in|with|for|from|on|at|to|by|without|that|who)\s")


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
        edit = _fitted(edit, document.text)
        free_from = fitted[-1].end if fitted else 0
        before = _article(edit, following, document.text, free_from) or _preposition(
            edit, document.text, free_from
        )
        fitted += [before, edit] if before else [edit]
    return fitted


def _fitted(edit: Edit, text: str) -> Edit:
    """The edit with the number and the capital letter that its place asks for."""
    made, original = edit.replacement, text[edit.start : edit.end]
    if edit.concept.startswith("calendar:") and re.fullmatch(r"\d{3}0s", made):
        return _decade(edit, text)
    if edit.how == GENERALISE and len(original) > 1 and original.isupper() and _shouts(text, edit):
        several = made.islower() and is_plural(original.lower(), text[edit.end : edit.end + 20])
        return replace(edit, replacement=(pluralise(made) if several else made).upper())
    if not _PLAIN.match(made):
        return _capital(edit, text, original)
    said = original
    if edit.kind not in _NAME_KINDS and _begins_sentence(text, edit.start):
        said = original.lower()  # here a capital letter does not make a name
    # The policy's own methods invent names and labels; only other protectors put in ordinary nouns.
    if (
        (edit.how not in METHODS or edit.how == GENERALISE)
        and made.islower()
        and is_plural(said, text[edit.end : edit.end + 20])
    ):
        edit = replace(edit, replacement=pluralise(made))
    return _capital(_with_article(edit, text, said), text, original)


def _decade(edit: Edit, text: str) -> Edit:
    """ "in 1984", but "in the 1980s"."""
    before = text[max(0, edit.start - 12) : edit.start]
    bare = re.search(
        r"(?i)\b(?:in|since|of|from|until|during|to|by|before|after|around)\s+$", before
    )
    return replace(edit, replacement=f"the {edit.replacement}") if bare else edit


def _shouts(text: str, edit: Edit) -> bool:
    """Whether the line around an edit is written in capitals."""
    start, end = text.rfind("\n", 0, edit.start) + 1, text.find("\n", edit.end)
    line = text[start : end if end >= 0 else len(text)]
    return line.isupper() and len(line) > edit.end - edit.start + 3


def _with_article(edit: Edit, text: str, original: str) -> Edit:
    """The edit with an article of its own, where a common noun stands for a name."""
    made = edit.replacement
    if edit.how != GENERALISE or not made.islower() or not original[:1].isupper():
        return edit
    if re.match(r"an?\s", made) or _looks_plural(made.split()[-1]):
        return edit
    before = text[max(0, edit.start - 24) : edit.start]
    word = re.search(r"([^\W\d_]+)[\s\u00a0]+$", before)
    needed = word[1].lower() in _BEFORE_ARTICLE if word else _starts_or_lists(before, text, edit)
    return replace(edit, replacement=f"{indefinite_article(made)} {made}") if needed else edit


def _starts_or_lists(before: str, text: str, edit: Edit) -> bool:
    goes_on = re.match(r"(?:['’]s)?\s+[a-z]", text[edit.end : edit.end + 6]) is not None
    return goes_on and (
        before.rstrip().endswith(",") or _SENTENCE_START.search(before[-12:]) is not None
    )


def _capital(edit: Edit, text: str, original: str) -> Edit:
    made = edit.replacement
    word = re.match(r"[^\W\d_]+(?=[\s'’,-]|$)", made)
    if not word or not made[0].islower() or original[:1].islower():
        return edit
    if not _SENTENCE_START.search(text[max(0, edit.start - 12) : edit.start]):
        return edit
    return replace(edit, replacement=made[0].upper() + made[1:])


def _preposition(edit: Edit, text: str, free_from: int) -> Edit | None:
    """ "on 14 May 2004", but "in May 2004": the edit of "on", where a day became a month, a year or more."""
    if not edit.concept.startswith("calendar:"):
        return None
    before = text[max(0, edit.start - 12) : edit.start]
    found = re.search(r"(?<![\w'’.-])(on)[\s\u00a0]+(?:the\s+)?$", before, re.IGNORECASE)
    start = edit.start - (len(before) - found.start()) if found else 0
    if not found or start < free_from:
        return None
    made = "in" if found[1].islower() else "IN" if found[1].isupper() else "In"
    return Edit(start, start + 2, "ARTICLE", made, "fits the next word", AGREEMENT)


# Articles


def _article(edit: Edit, following: Edit | None, text: str, free_from: int) -> Edit | None:
    """The edit of the article before an edit, where it no longer fits."""
    found = _ARTICLE.search(text, max(0, edit.start - 12), edit.start)
    if not found or found.start() < free_from:
        return None
    now = found[1]
    if now == "A" and not _begins_sentence(text, found.start()) and not text[edit.start].isupper():
        return None  # the letter: "vitamin A"
    after = text[edit.end : following.start if following else edit.end + 24][:24]
    word = (edit.replacement + after).lstrip()
    if not word or not _can_be_said(word[0]):
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


def _begins_sentence(text: str, at: int) -> bool:
    return _SENTENCE_START.search(text[max(0, at - 12) : at]) is not None


def _can_be_said(char: str) -> bool:
    return char.isdecimal() or (char.isalpha() and _plain(char).isascii())


_SILENT_H = re.compile(r"(?:hour|honest|honor|honour|heir|hors\b)")
# "you" and "one" begin with consonants, whatever their letters: "user", "unit", but "uninsured", "urgent".
_YOU = re.compile(
    r"eu|ew|ouija|uighur|uygh|on(?:e|ce)(?![a-z])|oneself|unesco|unanim|unary|ukr|uni(?!n|m|d(?!ir))"
    r"|u(?!ber\b)[bcfgjkqrstv][aeiou]"
)
_LETTERS_WITH_VOWEL_SOUND = frozenset("aefhilmnorsx")
# Written in capitals, said as words; all that begin with a letter whose name and sound differ.
_SPOKEN = frozenset(
    words(
        "fat fema fifa ham hepa hipaa hud lan laser leed lidar mac mash mers midi moma nas nasa nasdaq nato"
        " nice nimby radar raid ram rico rom sad salt sam sars scuba sim sonar swat swot snap ufo unicef"
        " unesco"
    )
)
_SPELLED = frozenset(
    words("naacp aarp usda usps uefa url uk un us usa usb uae uva ucla mrsa html sql hdmi")
)
_ONSETS = frozenset(
    words(
        "b bl br c ch chl chr cl cr d dr dw f fl fr g gh gl gn gr h j k kl kn kr l m mc n p ph phl phr pl pr"
        " ps q qu r rh s sc sch scr sh shr sk sl sm sn sp sph spl spr squ st str sv sw t th thr tr ts tw v vl"
        " w wh wr x y z"
    )
)


def indefinite_article(word: str) -> Article:
    """ "a" or "an", by how the word is said.

    >>> [indefinite_article(w) for w in ("hour", "European", "FBI", "UK", "80-89", "18th", "one-off")]
    ['an', 'a', 'an', 'a', 'an', 'an', 'a']
    """
    found = re.match(r"\W*(\d[\d,.]*|[^\W\d_]+(?:[-'’][^\W\d_]*)?)", word)
    if not found:
        return "a"
    text = found[1]
    if text[0].isdecimal():
        return _for_number(text)
    plain = _plain(text)
    head = re.split(r"[-'’]", plain)[0]
    low = plain.lower()
    if len(head) == 1:
        return _for_letter(head.lower()) if len(plain) > 1 or head.isupper() else _for_sound(low)
    if head.isupper() and not _is_said(head.lower()):
        return _for_letter(head[0].lower())
    return _for_sound(low)


def _for_number(text: str) -> Article:
    """Eight, eleven, eighteen, eighty and their thousands begin with a vowel."""
    whole = re.split(r"[.]", text)[0]
    lead = whole.split(",")[0]
    if text[0] == "8":
        return "an"
    eleven = lead[:2] in ("11", "18")
    # 1800 is "eighteen hundred"; 1,800 and 180 begin with "one".
    return "an" if eleven and (len(lead) % 3 == 2 or ("," not in whole and len(lead) == 4)) else "a"


def _for_letter(letter: str) -> Article:
    return "an" if letter in _LETTERS_WITH_VOWEL_SOUND else "a"


def _is_said(low: str) -> bool:
    """Whether capitals are said as a word ("NATO") rather than letter by letter ("FBI")."""
    if low in _SPOKEN or low in _SPELLED:
        return low in _SPOKEN
    onset = re.match(r"[^aeiouy]*", low)
    vowels = re.search(r"[aeiouy]", low)
    return (
        len(low) > 3
        and vowels is not None
        and onset is not None
        and (onset[0] in _ONSETS or not onset[0])
    )


def _for_sound(low: str) -> Article:
    if _SILENT_H.match(low):
        return "an"
    if low[0] == "y":  # "yttrium", "Yvonne", but "year"
        return "an" if re.match(r"y[^aeiou\W]", low) else "a"
    if not re.search(r"[aeiouy]", low):  # "mph", "nth"
        return _for_letter(low[0])
    if low[0] not in "aeiou":
        return "a"
    return "a" if _YOU.match(low) else "an"


def _plain(text: str) -> str:
    """Letters without their accents; æ, ø and œ are vowels too."""
    table = str.maketrans(
        {"Ø": "O", "ø": "o", "Æ": "A", "æ": "a", "Œ": "O", "œ": "o", "Ł": "L", "ł": "l"}
    )
    decomposed = unicodedata.normalize("NFKD", text.translate(table))
    return "".join(c for c in decomposed if not unicodedata.combining(c))


# Plural


_IRREGULAR = {
    "man": "men", "woman": "women", "child": "children", "person": "people", "foot": "feet",
    "tooth": "teeth", "goose": "geese", "mouse": "mice", "louse": "lice", "ox": "oxen", "die": "dice",
    "criterion": "criteria", "phenomenon": "phenomena", "bacterium": "bacteria", "medium": "media",
    "datum": "data", "ovum": "ova", "stratum": "strata", "fungus": "fungi", "nucleus": "nuclei",
    "stimulus": "stimuli", "vertebra": "vertebrae", "larva": "larvae", "appendix": "appendices",
    "leaf": "leaves", "life": "lives", "knife": "knives", "wife": "wives", "half": "halves",
    "wolf": "wolves", "self": "selves", "calf": "calves", "loaf": "loaves", "thief": "thieves",
    "shelf": "shelves", "potato": "potatoes", "tomato": "tomatoes", "hero": "heroes", "echo": "echoes",
    "quiz": "quizzes", "bus": "buses", "gas": "gases", "lens": "lenses", "virus": "viruses",
}  # fmt: skip
_COMPOUNDING = ("man", "child", "foot", "tooth", "mouse", "wife", "life")
_NO_MEN = ("human", "german", "roman")
_PLURALS = frozenset(_IRREGULAR.values())
_UNCHANGED = frozenset(
    words(
        "sheep deer fish aircraft series species means offspring news information equipment evidence"
        " furniture luggage research advice software hardware police cattle staff surgery medicine"
        " chemotherapy radiotherapy treatment medication"
    )
)
_SINGULAR_IN_S = frozenset(
    words(
        "diabetes rabies measles mumps rickets herpes scabies shingles aids physics mathematics economics"
        " politics ethics genetics news series species means lens gas bus atlas canvas pancreas pelvis yes"
        " alias chaos christmas ibs ms gps pus plus bias lupus kudos asbestos sepsis its his this was has is"
        " as us always perhaps whereas"
    )
)


def pluralise(noun: str) -> str:
    """The plural of an ordinary noun phrase; one that is plural already stays.

    >>> pluralise("growth"), pluralise("disease of the liver"), pluralise("body")
    ('growths', 'diseases of the liver', 'bodies')
    """
    cut = found.start() if (found := _HEAD_END.search(noun)) else len(noun)
    head, rest = noun[:cut], noun[cut:]
    found = re.search(r"[^\W\d_]+$", head)
    if not found or _looks_plural(found[0].lower()):
        return noun
    return head[: found.start()] + _plural(found[0]) + rest


def _plural(word: str) -> str:
    low = word.lower()
    if low in _UNCHANGED:
        return word
    for singular, plural in _IRREGULAR.items():
        if low == singular or (
            singular in _COMPOUNDING and low.endswith(singular) and low not in _NO_MEN
        ):
            return word[: len(word) - len(singular)] + plural
    if low.endswith("sis") and len(low) > 4:
        return word[:-2] + "es"
    if re.search(r"[^aeiou]y$", low):
        return word[:-1] + "ies"
    if re.search(r"(?:s|x|z|ch|sh)$", low) and not low.endswith(("arch", "stomach", "epoch")):
        return word + "es"
    return word + "s"


def _looks_plural(low: str) -> bool:
    if low in _PLURALS or low in ("dice", "people"):
        return True
    if low in _SINGULAR_IN_S or len(low) < 4:
        return False
    return low.endswith("s") and not low.endswith(("ss", "us", "is", "'s", "’s", "ous"))


def is_plural(original: str, after: str = "") -> bool:
    """Whether the words stand in the plural. Names do not: a capital letter speaks against it, unless
    the verb that follows speaks for it."""
    head = original[: found.start()] if (found := _HEAD_END.search(original)) else original
    last = re.search(r"[^\W\d_]+$", head)
    if not last or not _looks_plural(last[0].lower()):
        return False
    verb = re.match(r"\W*(\w+)", after)
    if verb and verb[1].lower() in ("is", "was", "has", "does"):
        return False
    plural_verb = verb is not None and verb[1].lower() in ("are", "were", "have", "do")
    return last[0].islower() or plural_verb
