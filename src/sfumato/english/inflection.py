"""Nouns in the singular and the plural: one table of those that follow no rule, and the rules for the rest.

The tables were put together by hand, from the nouns of notes, letters and taxonomies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sfumato.english.ordinary import is_ordinary
from sfumato.english.wordlists import LISTS, lists, word_set

IRREGULAR = {one: several for one, (several,) in lists("english/plurals").items()}
_PLURALS = {plural: singular for singular, plural in IRREGULAR.items()}
# Plurals that have become nouns of their own: nobody means one medium by "the media".
_OWN_NOUNS = word_set("data media dice")
_COMPOUNDING = ("man", "child", "foot", "tooth", "mouse", "wife", "life")
_NO_MEN = ("human", "german", "roman")
_UNCHANGED = frozenset(LISTS["the same in the plural"])
_SINGULAR_IN_S = frozenset(LISTS["in s and no plural"])
_LAST_WORD = re.compile(r"(?<![^\W\d_])[^\W\d_]+$")
# What stands before a noun in the plural, or in the singular, whatever the noun.
_BEFORE_SEVERAL = word_set(
    "many several few fewer these those both various numerous multiple dozen hundred thousand two three four"
    " five six seven eight nine ten eleven twelve"
)
_BEFORE_ONE = word_set("a an another each every this")
_BEFORE = re.compile(
    r"(?:\b([^\W\d_]+)\s+)?(?<![\w.,'’-])([^\W\d_]+|\d{1,3}|\d{1,3}(?:,\d{3})+)\s+$"
)
NUMBERED = word_set(  # "type 2 diabetes"
    "type stage grade phase class level category group section chapter article part number no day week"
)
_VERB = re.compile(r"\s+(is|was|has|does|are|were|have|do)\b")
_LISTED = re.compile(r"(?:,|\b(?:and|or|nor))\s+$", re.IGNORECASE)
_HEAD_END = re.compile(r"\s(?:of|in|with|for|from|on|at|to|by|without|that|who)\s", re.IGNORECASE)


def pluralise(noun: str) -> str:
    """The plural of an ordinary noun phrase; one that is plural already stays.

    >>> pluralise("growth"), pluralise("disease of the liver"), pluralise("body")
    ('growths', 'diseases of the liver', 'bodies')
    """
    head, rest = split_head(noun)
    found = _LAST_WORD.search(head)
    if not found or looks_plural(found[0].lower()):
        return noun
    return head[: found.start()] + _plural(found[0]) + rest


def split_head(phrase: str) -> tuple[str, str]:
    """A phrase up to its head noun, and what follows.

    >>> split_head("disease of the liver")
    ('disease', ' of the liver')
    """
    cut = found.start() if (found := _HEAD_END.search(phrase)) else len(phrase)
    return phrase[:cut], phrase[cut:]


def _plural(word: str) -> str:
    low = word.lower()
    if low in _UNCHANGED:
        return word
    ending = next(filter(low.endswith, _COMPOUNDING), "") if low not in _NO_MEN else ""
    if singular := low if low in IRREGULAR else ending:
        return word[: len(word) - len(singular)] + IRREGULAR[singular]
    if low.endswith("sis") and len(low) > 4:
        return word[:-2] + "es"
    if re.search(r"[^aeiou]y$", low):
        return word[:-1] + "ies"
    if re.search(r"(?:s|x|z|ch|sh)$", low) and not low.endswith(("arch", "stomach", "epoch")):
        return word + "es"
    return word + "s"


def looks_plural(low: str) -> bool:
    """Whether a noun in lower case has the form of a plural.

    >>> [looks_plural(w) for w in ("tumours", "mice", "diabetes", "glass", "virus")]
    [True, True, False, False, False]
    """
    if low in _PLURALS:
        return True
    if low in _SINGULAR_IN_S or len(low) < 4:
        return False
    return low.endswith("s") and not low.endswith(("ss", "us", "is", "'s", "’s", "ous"))


def is_plural(original: str, after: str = "") -> bool:
    """Whether the words stand in the plural. Names do not: a capital letter speaks against it, unless
    the verb that follows speaks for it."""
    last = _LAST_WORD.search(split_head(original)[0])
    if not last or not looks_plural(last[0].lower()):
        return False
    verb = re.match(r"\W*(\w+)", after)
    if verb and verb[1].lower() in ("is", "was", "has", "does"):
        return False
    plural_verb = verb is not None and verb[1].lower() in ("are", "were", "have", "do")
    return last[0].islower() or plural_verb


def several_asked(before: str, after: str) -> bool | None:
    """Whether a place asks for a noun in the plural, by what stands around it; None if it asks for neither.

    >>> places = (("saw two ", ""), ("saw a ", ""), ("saw ", ""), ("the ", "' owner"), ("type 2 ", " is"))
    >>> [several_asked(*place) for place in places]
    [True, False, None, True, False]
    """
    if found := _BEFORE.search(before):
        word = found[2].lower()
        if word in _BEFORE_ONE:
            return False
        of_kind = (found[1] or "").lower() in NUMBERED
        if word in _BEFORE_SEVERAL or (word[0].isdigit() and not of_kind):
            return True
    if after[:1] in ("'", "’"):
        return not after[1:2].isalpha()
    verb = _VERB.match(after)
    if verb is None or (several := verb[1] in ("are", "were", "have", "do")) is False:
        return None if verb is None else False
    return None if _LISTED.search(before) else several


def certain_plural(noun: str) -> str | None:
    """The plural of a noun phrase in small letters that is another word than its singular by the rules of
    spelling; None where it may have none.

    >>> [certain_plural(w) for w in ("sports bag", "body", "policeman", "sheep", "physics", "head of state")]
    ['sports bags', 'bodies', 'policemen', None, None, None]
    """
    head, _, last = noun.rpartition(" ")
    if (
        not last[-1:].isalpha()
        or last.endswith("Y")
        or last in _UNCHANGED
        or (head and split_head(noun)[1])
    ):
        return None
    if last in IRREGULAR or not last.endswith("s") or last.endswith("ss"):
        return noun[: len(noun) - len(last)] + _plural(last)
    return None


def singular(noun: str) -> str:
    """A noun in the singular; of several that the rules allow, one that is an ordinary word.

    >>> [singular(w) for w in ("tumours", "biopsies", "boxes", "diagnoses", "gas", "glass", "women")]
    ['tumour', 'biopsy', 'box', 'diagnosis', 'gas', 'glass', 'woman']
    """
    if noun in _PLURALS and noun not in _OWN_NOUNS:
        return _PLURALS[noun]
    if noun in _SINGULAR_IN_S or noun in _UNCHANGED:
        return noun
    candidates = regular_singulars(noun) or (noun,)
    return next(filter(is_ordinary, candidates), candidates[0])


def regular_singulars(noun: str) -> Sequence[str]:
    """The singulars that a noun may have by the rules of spelling, the likelier one first.

    >>> regular_singulars("movies"), regular_singulars("boxes"), regular_singulars("glass")
    (('movy', 'movie'), ('box', 'boxe'), ())
    """
    if len(noun) < 4 or not noun.endswith("s") or noun.endswith(("ss", "us", "is")):
        return ()
    if noun.endswith("ies"):
        return noun[:-3] + "y", noun[:-1]
    if noun.endswith(("xes", "ches", "shes", "sses", "zes", "oes")):
        return noun[:-2], noun[:-1]
    return (noun[:-1],)


def possible_singulars(phrase: str) -> Iterator[str]:
    """All that a phrase may be the plural of by its last word, words or not: for looking each of them up.

    >>> list(possible_singulars("lunch boxes")), list(possible_singulars("policewomen"))
    (['lunch box', 'lunch boxe'], ['policewoman'])
    """
    last = phrase.rpartition(" ")[2]
    irregular = [
        (p, s) for p, s in _PLURALS.items() if last == p or (s in _COMPOUNDING and last.endswith(p))
    ]
    for ending, one in (*irregular[:1], ("ies", "y"), ("es", ""), ("s", "")):
        if phrase.endswith(ending):
            yield phrase[: len(phrase) - len(ending)] + one


def stem(word: str) -> str:
    """What the singular and the plural of a word have in common; not always a word. A possessive has it too.

    >>> [stem(w) for w in ("boxes", "box", "diseases", "disease", "cities", "city", "virus", "movies")]
    ['box', 'box', 'diseas', 'diseas', 'city', 'city', 'virus', 'movy']
    """
    word = word.removesuffix("'s")
    if len(word) <= 3:
        return word
    if word.endswith("sis"):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    if word.endswith("ie"):
        return word[:-2] + "y"
    if len(word) > 3 and word.endswith(("se", "xe", "ze", "che", "she", "oe")):
        return word[:-1]
    return word


def inflections(term: str) -> Sequence[str]:
    """A folded term with the plurals, the singular and the possessives of its last word.

    >>> sorted(inflections("city"))
    ['cities', "cities'", "cities's", 'city', "city's", 'citys', "citys'", "citys's"]
    """
    bases = {term}
    if len(term) > 3 and term[-1].isalpha():
        if term.endswith("ies"):
            bases.add(term[:-3] + "y")
        if term.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
            bases.add(term[:-2])
        if term.endswith("s") and not term.endswith(("ss", "us", "is")):
            bases.add(term[:-1])
    numbers = set(bases)
    for base in bases:
        if not base[-1].isalpha() or not base.isascii():
            continue
        if base.endswith("y") and base[-2:-1] not in ("", *"aeiou"):
            numbers.add(base[:-1] + "ies")
        if base.endswith(("s", "x", "z", "ch", "sh", "o")):
            numbers.add(base + "es")
        if not base.endswith("s"):
            numbers.add(base + "s")
    forms = list(numbers)
    for form in numbers:
        if form[-1].isalnum():
            forms.append(form + "'s")
        if form.endswith(("s", "x", "z")):
            forms.append(form + "'")
    return [term, *(f for f in dict.fromkeys(sorted(forms)) if f != term)]
