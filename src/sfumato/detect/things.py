"""What everybody knows beside people: makes, shops, works and teams; drugs; what is named after its finder.

Names of a list (`known.names`) tell nobody by themselves. They stand unless the text tells by them who
somebody is: where one works, or a person of the same name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from sfumato.detect import known
from sfumato.english.wordlists import lists

_WORD = re.compile(r"(?<![\w'])\w+")
# What is named after him follows at once, or behind words with capitals: "Glasgow Coma Scale".
_AFTER_STEM = re.compile(r"(?:'s|s'|')?[ -]((?:[A-Z][a-z]+[ -]){0,2}[A-Za-z]+)")
# A scale by the place where it was made, which is nobody's: "Southampton wound score", "Vancouver style"
_SCALE = re.compile(
    r"(?:'s)? (?:(?!(?:of|the|and|in|at|is|was|for|to|on|school|council|hospital|city|police)\b)"
    r"[A-Za-z-]+ ){0,3}"
    r"(?:criteria|classification|staging|questionnaire|inventory|score|scale|index|nomogram|definition|style|"
    r"(?:ankle|knee|syncope) rules?|symptom checklist|stool chart|health profile|cognitive examination)\b",
    re.IGNORECASE,
)
_FORM = re.compile(r"\b(?:T|Tab|Inj|Caps?|Syp|Syr|Susp|Supp|Neb|IV|IM|PO)\.?\s\Z")
_DOSE = re.compile(
    r"\s\d+(?:\.\d+)?(?:\s?(?:mg|mcg|g|ml|units?|iu)\b|\s\d-\d-\d)|\s(?:OD|BD|TDS|QDS|HS|SOS|PRN|BID|TID)\b"
)
# A model behind its make: "Latitude 5440", "T14 Gen 3", "HFE 100-3".
_MODEL = re.compile(
    r"(?: [a-z]{0,8}[A-Z][\w-]{0,20}){0,2}"
    r"(?: (?=[\w.-]{0,20}\d)(?![\w.-]{0,20}\d{5})(?!(?:1[89]|20)\d\d\b)[\w.-]{0,20}\w){1,3}(?![\w/])"
)
# Who works there, whom it is the firm or the bank of.
_WORKS_BEFORE = re.compile(
    r"(?i)(?:\b(?:work(?:s|ed|ing)?|employ\w*|job|shifts?|role|position|career|hired|join(?:s|ed|ing)|manag\w+"
    r"|director|engineer|assistant|cashier|driver|pilot|supervisor|colleagues?|apprentice\w*|intern\w*|consultant"
    r"|analyst|nurse|clerk|salary|wages|payslip|redundan\w+|retired|resigned|sacked|dismissed|fired)\b[^.\n]{0,40}"
    r"\b(?:at|for|with|by|of|from|in|to)\s(?:the\s|our\s)?"
    r"|\b(?:employer|company|organisation|organization|workplace|firm|client|claimant|respondent|defendant)\W{1,4}"
    r"|\b(?:manager|director|officer|engineer|assistant|head|lead|analyst|adviser|advisor)\b[^.\n]{0,25},\s)\Z"
)
_WORKS_AFTER = re.compile(
    r"(?i)(?:'s)?\s(?:employees?|staff|colleagues?|manage(?:r|ment)|depot|branch|drivers?|workers?|accounts?)\b"
)
_NAMED_BEFORE = re.compile(
    r"(?:(?i:\b(?:mr|mrs|ms|miss|dr|prof|named|called|dear|hi))\.?|[A-Z]\.)\s\Z"
)
_LIKE_KIN = re.compile(r"(?:Mother|Father|Sister|Brother|Lord|Lady|Sir|Dame|Dr\.) ")
_HOUSE = re.compile(
    r"(?i:\b(?:works?|worked|working|shifts?|job|does|did|serv(?:es|ed|ing)|sings?|sang|plays?|drinks?|waitress|waiter"
    r"|barman|barmaid|chef|cleaner|cook|porter|bouncer|doorman|receptionist|manager|residency)\b[^.\n]{0,40}?"
    r"\b(?:at|in|for) the )([A-Z][a-z]+)(?![\w'’-]| [A-Z])"
)
_IN_NAME = r"[A-Z][\w'’.-]{0,40}"  # a word of a name
_NEAR = 70
_IN_CAPITALS = 5  # letters of a name that is known in capitals, too


def houses(text: str) -> Iterator[tuple[int, int]]:
    """Where a house is told in which somebody works: "does the lights at the Regal".

    >>> text = "He does the lights at the Regal, works at the Council, and is at the Regal."
    >>> [text[a:b] for a, b in houses(text)]
    ['Regal']
    """
    for found in _HOUSE.finditer(text):
        start, end = found.span(1)
        word = text[start:end]
        if not known.is_nobodys(word) and not known.is_public_body(word):
            yield start, end


def works(text: str) -> Iterator[tuple[int, int]]:
    """Where a name of several words stands in which another detector may see a title and a person: a play.

    >>> text = "We read An Inspector Calls; Inspector Calls read it."
    >>> [text[a:b] for a, b in works(text)]
    ['An Inspector Calls']
    """
    for start, end in known.full_names(text):
        if _LIKE_KIN.match(text, start) and not known.is_somebody(text, start, end):
            yield start, end
    for start, end, is_sure in told(text):
        said = text[start:end]
        if is_sure and " " in said and not any(map(str.isdigit, said)):
            yield start, end


@lru_cache(maxsize=4)
def told(text: str) -> tuple[tuple[int, int, bool], ...]:
    """Where such names stand, and whether one is so even where a person is guessed.

    >>> text = "Her Škoda, her Sertraline, Wolf Hall, Paget's disease, and her job at Ryanair."
    >>> [text[a:b] for a, b, _ in told(text)]
    ['Škoda', 'Sertraline', 'Wolf Hall', "Paget's disease"]
    """
    return tuple(_told(text.replace("’", "'")))


def _told(plain: str) -> Iterator[tuple[int, int, bool]]:
    after = 0
    for word in _WORD.finditer(plain):
        start = word.start()
        if start < after:
            continue
        found = (
            _named(plain, start, word[0]) or _drug(plain, word) or _eponym(plain, start, word[0])
        )
        if found is not None:
            yield found
            after = found[1]


def _named(text: str, start: int, word: str) -> tuple[int, int, bool] | None:
    """The longest name that begins here, with the model behind it."""
    for name, kind in _by_first_word().get(word, ()):
        end = start + len(name)
        if not text.startswith(name, start) or text[end : end + 1].isalnum():
            continue
        before, after = text[max(0, start - _NEAR) : start], text[end : end + 20]
        if (
            _WORKS_BEFORE.search(before)
            or _WORKS_AFTER.match(after)
            or _NAMED_BEFORE.search(before)
        ):
            return None
        if kind == "alone":
            is_own = known.is_somebody(text, start, end) or _is_family(text, name)
            return None if is_own else (start, end, True)
        model = _MODEL.match(text, end)
        return start, model.end() if model else end, kind == "coined" or model is not None
    return None


def _is_family(text: str, name: str) -> bool:
    """Whether the text has somebody of that name who is not the one whom everybody knows."""
    full = re.findall(rf"(?<!\w)(?:{_IN_NAME} )?{_IN_NAME} {re.escape(name)}(?!\w)", text)
    known_by = known.names("figure")
    return any(said not in known_by and said.split(" ", 1)[-1] not in known_by for said in full)


def _drug(text: str, word: re.Match[str]) -> tuple[int, int, bool] | None:
    """A drug of the list, or what is given by its form and its dose: "Inj. Monocef 1 g"."""
    start, end = word.span()
    form = _FORM.search(text, max(0, start - 6), start)
    is_listed = word[0].lower() in known.names("drug")
    if form and (is_listed or (word[0][0].isupper() and _DOSE.match(text, end))):
        return form.start(), end, True
    if not is_listed:
        return None
    is_name = _NAMED_BEFORE.search(text, max(0, start - 10), start)
    return None if is_name else (start, end, True)


def _eponym(text: str, start: int, word: str) -> tuple[int, int, bool] | None:
    """A sign, test or rule by its finder's name: "Murphy's sign", "Glasgow Coma Scale"."""
    for name, heads in _eponyms().get(word, ()):
        end = start + len(name)
        behind = _AFTER_STEM.match(text, end) if text.startswith(name, start) else None
        if behind and re.split("[ -]", behind[1])[-1].lower() in heads:
            return start, behind.end(), True
    for name in _places_of_scales().get(word, ()):
        scale = _SCALE.match(text, start + len(name)) if text.startswith(name, start) else None
        if scale:
            return start, scale.end(), True
    return None


@cache
def _places_of_scales() -> dict[str, list[str]]:
    made: dict[str, list[str]] = {}
    for name in lists("detect/words")["places of scales"]:
        made.setdefault(_first(name), []).append(name)
    return made


@cache
def _by_first_word() -> dict[str, list[tuple[str, str]]]:
    made: dict[str, list[tuple[str, str]]] = {}
    listed = [(name, kind) for kind in ("alone", "coined", "thing") for name in known.names(kind)]
    # as on a statement of a bank
    listed += [(n.upper(), "coined") for n in known.names("coined") if len(n) >= _IN_CAPITALS]
    for name, kind in sorted(listed, key=lambda named: -len(named[0])):
        made.setdefault(_first(name), []).append((name, kind))
    return made


@cache
def _eponyms() -> dict[str, list[tuple[str, frozenset[str]]]]:
    ailments = known.names("ailment")
    listed = [(n, ailments | known.names("device")) for n in known.names("eponym")]
    listed += [(n, ailments) for n in known.names("surname")]
    made: dict[str, list[tuple[str, frozenset[str]]]] = {}
    for name, heads in sorted(listed, key=lambda named: -len(named[0])):
        made.setdefault(_first(name), []).append((name, heads))
    return made


def _first(name: str) -> str:
    found = _WORD.search(name)
    return found[0] if found else name
