"""How far names reach: all words of a name are one mention, whatever of them a detector has found."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from sfumato.document import Document, Spans, Term
from sfumato.english.folding import normal_form, skeleton
from sfumato.english.markers import markers
from sfumato.english.nicknames import gender, is_given
from sfumato.english.ordinary import is_ordinary
from sfumato.english.wordlists import (
    DOTTED_TITLES,
    LEGAL_FORMS,
    PARTICLES,
    SHORT_TITLES,
    SUFFIXES,
    TITLES,
)
from sfumato.facts.organisations import without_legal_form
from sfumato.facts.persons import core, word_key
from sfumato.know.taxonomy import places

_SUFFIX = rf"(?i:{'|'.join(sorted(SUFFIXES, key=len, reverse=True))})\b"
_LISTED = re.compile(rf",? (?:and|or|&) |, (?!{_SUFFIX})[A-Z]")  # after a name of several in a row
# A name of a place: "York City", "D.C"
_GOES_ON = re.compile(r" [A-Z]\w+|(?<=\.[A-Z])\.(?=[ ,;)]+[a-z(])")
# "Cambridge, MA", "Lima, Peru"
_LIES_IN = re.compile(r", ?([A-Z]\w*(?:\.[A-Z]\.?)*(?: [A-Z]\w+)?)(?!\w)")
_MOST_WORDS = 3  # that the name of a place may have beside those that were found
_TITLED = re.compile(rf",? {_SUFFIX}")
_INITIALS = re.compile(r"(?<![\w.])(?:[A-Z]\.[ -]?)+\Z")
# Before a bare name without dots: "G Boyle", but not "Ward B Boyle", nor "A Boyle rang" at the beginning.
_LETTERS = re.compile(r"(?<![\w.'’-])(?:[A-Z][ \u00a0])+\Z")
_ONLY_INITIALS = re.compile(r"[A-Z]|(?:[A-Z]\.[ -]?){1,3}[A-Z]?")
_OF_NAME_BEFORE = re.compile(rf"{_ONLY_INITIALS.pattern}|{_SUFFIX}\.?")
_NO_INITIAL = re.compile(r"\b([A-Z]\w+) \Z")
_BEGINS = re.compile(r"(?:\A|[.!?\n]\s*)\Z")
# "van der" for short: "Anna vd Walt", "Pieter v/d Berg", "Mrs v.d. Berg"
_VAN = re.compile(r"(?<![\w.])[Vv](?:/d|d|\. ?d)\.? (?=[A-Z])")
_JOINED = re.compile(r"(?<![\w.-])[A-Z]{2,4}(?=[ \u00a0]\Z)")  # "VSR Chinta"
# Before a telephone number that was found with it.
_OWNER = re.compile(r"([^\W\d_]{2,}) (?=[\d+(])")
# After a name: an initial of a heading ("SMITH JOHN A"), "Jr", and the dot of either within a sentence.
_GENERATION = re.compile(
    r"(?:,? (?:[Jj]n?r|[Ss]n?r|JR|SR|Junior|Senior|(?:jun|sen)ior"
    r"(?=[.,;:)\n]|\Z| (?:and|or|who|with|is|was|has|had|will|would|came|went|left|owns?|said|lives|works|in"
    r"|at|\w+ed)\b)|II|III|IV)\b)?"
)
# Behind a bare name: "Boyle, G.", "Boyle G", but not "Smith V Jones", nor "Smith, I think".
_BEHIND = re.compile(
    r"(?: (?!V\.? [A-Z]|[AI] [a-z])|, (?=[A-Z](?:[.,;:)\n]|\Z| (?:and|or|&|\() ?)))"
    r"[A-Z](?:\.[ -]?[A-Z](?=\.))*(?![\w'’-])"
)
_TWO = re.compile(r"([^\W\d_]{2,} [A-Z])\. ([^\W\d_]{2,}( [A-Z])?)")
# Behind it stand several persons, and no family name before the given one.
_FIELD = re.compile(
    r"(?i)\b(?:b?cc|to|attending|attendees|present|apologies|invited|copied(?: to)?|participants):\s*\Z"
)
_EASTERN = re.compile(r"[A-Z][a-z]+-[a-z]+\Z")  # "Mr Park Ji-hoon"
_TITLED_INITIAL = re.compile(rf"(?i:(?:(?:{'|'.join(TITLES)})\.? )++)(?:[A-Z]\. ?)*[A-Z]")
_DOTTED = frozenset(title.lower() for title in (*SHORT_TITLES, *DOTTED_TITLES))
_DOCTOR = re.compile(
    r"(?i)(?:prof\.? )?dr\.?(?: ?(?:med|phil|rer|nat|iur|jur|ing|h\. ?c|dent|vet|pol|oec|theol|habil)\b\.?)+"
)
_LAST_INITIAL = re.compile(r" [A-Z]\b(?=\.| *$)", re.MULTILINE)
_DOT = re.compile(rf"\.(?=[ ,;)]+(?:[a-z(]|{_SUFFIX}))")
_LAST_WORD = re.compile(r"(?<=\w )[A-Za-z]+\Z")
_SHORTENED = re.compile(r"\b(?:[A-Z]|[JSjs]n?r|[JS]R)\Z")
_FORMS = "|".join(spelt for form in LEGAL_FORMS for spelt in (form.title(), form.upper()))
_LEGAL = re.compile(rf",? (?:{_FORMS}|GmbH|plc|ltd)\b")
_BY_LAW = re.compile(rf" (?:{_FORMS}|GmbH|plc|ltd)\.?\Z")
_COUNTY = re.compile(r"(?:Co\.?|County) (?=[A-Z])")  # of Ireland, behind a town
_SHORT_LEGAL = re.compile(r"\b(?i:Ltd|Inc|Co|Corp)\Z")
# Daniel "Danno" McAllister
_CALLED = re.compile(r" [\"“‘'(](?:[^\W\d_][\w-]*[\"”’')] )?|[\"”’')] ")
_IN_NAME = re.compile(r" [\"“‘'(][^\W\d_][\w-]*[\"”’')] ")  # Indy (Indiana) Pascoe
_FAMILY_BEHIND = re.compile(  # which may be a word: Kwame "Buzz" Bishop
    r"(?<!['’]s) [\"“‘'][^\W\d_][\w-]*[\"”’'] ((?:[A-Z]['’])?[A-Z]\w+(?:-[A-Z]\w+)*)"
)
_FAMILY_BEFORE = re.compile(r"^\s*([A-Z][A-Z'’-]+), \Z", re.MULTILINE)  # "BEST, Anna  DOB …"
_ENTRY_ENDS = re.compile(r"[ \t]*(?:\n|\Z|  |\t|[(\d]|D\.?O\.?B)")
_HEAD = re.compile(r"\b(?:Pt|[Pp]atient|[Cc]lient|[Rr]esident|Name)\b[.:]? \Z")
# "According to Keller, Anna left"
_OPENING = re.compile(
    r"(?:\A|[.!?]\s|\n)\s*(?:According|As|To|For|With|Unlike|Like|After|Before|In|On|By|Without|Besides|Thanks)"
    r"\b[^.,;:\n]*\Z"
)
_GOES_ON_SO = re.compile(r", [A-Z]\w+ [A-Z]\w+")
_GREETING = re.compile(
    r"(?i)\b(?:dear|hi|hello|hey|good (?:morning|afternoon|evening))\s"
    r"(?:(?:mr|mrs|ms|dr|miss)\.?\s(?:(?:and|&)\s)?){0,2}\Z"
)
_SAYS = re.compile(r" (?:said|says|wrote|added|asked|replied|thinks|thought)(?:[.,;:]|\s*\Z)")
_AGED = re.compile(r",? \(?\d")
_OPENED = re.compile(r"\s[\"“‘'(][^\W\d_][\w-]*\Z")
_SHORT_LINE = 50  # characters of a line that ends because something else begins
_LONGEST = 200  # characters of a name that was found in parts


def whole_names(
    document: Document, terms: Sequence[Term], stands: Callable[[str], bool] | None = None
) -> list[Term]:
    """The terms, those of names with all that belongs to them: initials and "Jr", the given name behind a
    comma, the rest of a place's name; a place has that in which it lies with it, unless that `stands`.

    >>> text = "A. Drax, Jr. and Drax, William saw New York City."
    >>> found = [(3, 7, "PERSON"), (17, 21, "PERSON"), (23, 30, "PERSON"), (35, 43, "LOC")]
    >>> terms = whole_names(Document(text), [Term(a, b, kind, 1.0, "") for a, b, kind in found])
    >>> [term.of(text) for term in terms]
    ['A. Drax, Jr.', 'Drax, William', 'New York City']
    """
    text, made = document.text, list[Term]()
    ordered = _parted(text, terms)
    known = {" ".join(core(t.of(text))) for t in ordered if t.kind == "PERSON"}
    names = {word for name in known for word in name.split()}
    ordered = [part for term in ordered for part in _number(text, term, names)]
    joined = {_family_first(name.split()) for name in known}
    initialled = {f"{first[0]} {rest}" for first, _, rest in (n.partition(" ") for n in known if n)}
    firms = {skeleton(without_legal_form(t.of(text))) for t in ordered if t.kind == "ORG"}
    marked = sorted(markers(text).values())  # an initial stands behind "Q." and "A."
    for term, limit in zip(ordered, _limits(text, ordered), strict=True):
        last = made[-1] if made else None
        if term.kind == "PERSON" and term.end <= limit and not _end_of_city(text, term, limit):
            at = bisect_right(marked, term.start)
            free = max(last.end if last else 0, marked[at - 1] if at else 0)
            start = _start_of_person(text, term, last, free, joined)
            term = replace(term, start=start, end=_end_of_person(text, term, limit))
        else:
            term = _to_its_end(text, term, limit, stands)
        if last is not None and term.end <= last.end:
            continue  # "Ltd" was found by itself
        if last is not None and last.start < term.start < last.end:
            rest = text[last.end : term.end]  # it was found with what stands behind it
            term = replace(term, start=term.end - len(rest.lstrip()))
        if last is not None and term.start <= last.start:
            made.pop()  # the initials were
            last = made[-1] if made else None
        if last is not None and term.end - last.start > _LONGEST:
            last = None
        if last is not None and (
            _is_given_behind(text, last, term, known, initialled)
            or _is_same_name(text, last, term, limit)
            or _is_initial_before(text, last, term, initialled)
            or (term.kind == "ORG" and skeleton(text[last.start : term.end]) in firms)
        ):
            made[-1] = replace(last, kind=term.kind, end=term.end)
            known.add(" ".join(core(made[-1].of(text))))
        elif last is not None and _is_named_after(text, last, term):
            made[-1] = replace(last, kind="LOC" if term.kind == "LOC" else "ORG", end=term.end)
        elif (
            last is not None
            and not (stands and stands(term.of(text)))
            and _is_rest_of_place(text, last, term)
        ):
            made[-1] = replace(last, kind="LOC", end=term.end)
        else:
            made.append(term)
    return made


def _to_its_end(text: str, term: Term, limit: int, stands: Callable[[str], bool] | None) -> Term:
    """A place or an organisation as far as it goes, and a city that was taken for a person."""
    if term.kind == "PERSON" and (city := _end_of_city(text, term, limit)):
        return replace(term, kind="LOC", end=city)
    if term.kind == "LOC" and term.end <= limit:
        return replace(term, end=_end_of_place(text, term, limit, stands))
    if term.kind == "ORG":
        return replace(term, end=_end_of_organisation(text, term, limit))
    return term


def _parted(text: str, terms: Sequence[Term]) -> list[Term]:
    """The terms in their order, a person of each line one; what is called so within a name is a person, and
    so is the family name behind it, or before a comma, though it be a word."""
    ordered = [*_with_particles(text, terms)]
    taken = Spans((t.start, t.end) for t in ordered)
    for name in [t for t in ordered if t.kind == "PERSON"]:
        opened = _OPENED.search(text, name.start, name.end)
        family = _FAMILY_BEHIND.match(text, opened.start() if opened else name.end)
        if family is None and _ENTRY_ENDS.match(text, name.end):
            family = _FAMILY_BEFORE.search(text, max(0, name.start - _SHORT_LINE), name.start)
        if family and taken.add(*family.span(1)):
            ordered.append(replace(name, start=family.start(1), end=family.end(1)))
    ordered.sort(key=lambda t: t.start)
    ordered = [part for t in ordered for part in _lines(text, t)]
    for at, (one, third) in enumerate(zip(ordered, ordered[2:], strict=False), 1):
        is_name = one.kind == "PERSON" in (ordered[at].kind, third.kind)
        if is_name and _IN_NAME.fullmatch(text, one.end, third.start):
            ordered[at : at + 2] = (replace(t, kind="PERSON") for t in (ordered[at], third))
    return ordered


def _limits(text: str, ordered: Sequence[Term]) -> list[int]:
    """How far each term may reach: to where the next begins, but a letter or "Jr" behind it may be of it."""
    limits, nearest = list[int](), len(text)
    for term in reversed(ordered):
        limits.append(nearest)
        if not _OF_NAME_BEFORE.fullmatch(text, term.start, term.end):
            nearest = term.start
    return limits[::-1]


def _lines(text: str, term: Term) -> Iterator[Term]:
    """A person's term, parted where a line ends that is too short to have been broken: below a signature
    stands something else. "Finch R. Boyle S" are two."""
    start = term.start
    two = _TWO.fullmatch(text, start, term.end) if term.kind == "PERSON" else None
    if two and (two[3] or _BEHIND.match(text, term.end)):
        yield replace(term, end=two.end(1))
        start = two.start(2)
    if term.kind == "PERSON" and _FIELD.search(text, max(0, start - 16), start):
        for comma in re.finditer(", ", term.of(text)):
            before = normal_form(text[start : term.start + comma.start()])
            if " " in before or is_given(before) or gender(before):
                yield replace(term, start=start, end=term.start + comma.start())
                start = term.start + comma.end()
    for match in re.finditer(r"(?<!\s)\s*\n\s*", term.of(text)) if term.kind == "PERSON" else ():
        end = term.start + match.start()
        line = text[text.rfind("\n", 0, end) + 1 : end]
        if len(line) < _SHORT_LINE and " " in text[start:end].strip():
            yield replace(term, start=start, end=end)
            start = term.start + match.end()
    if start < term.end:  # else it ends with its line
        yield replace(term, start=start)


def _with_particles(text: str, terms: Sequence[Term]) -> Sequence[Term]:
    """The terms, persons with the short form of "van der" before their names, which is no other term's."""
    spans = [van.span() for van in _VAN.finditer(text)]
    if not spans:
        return terms
    begins = {t.start for t in terms if t.kind == "PERSON"}
    firsts = {at: start for start, end in spans for at in range(start, end + 1) if at in begins}
    taken = {at: start for start in firsts.values() for at in range(start + 1, start + 7)}
    made = []
    for term in terms:
        start = firsts.get(term.start, term.start) if term.kind == "PERSON" else term.start
        end = term.end
        if end in taken and text[end : end + 1] in (" ", ".") and start <= taken[end]:
            end = len(text[: taken[end]].rstrip())
        if start < end:
            made.append(replace(term, start=start, end=end))
    return made


def _number(text: str, term: Term, names: Collection[str]) -> Iterator[Term]:
    """A telephone number without the name before it, which is a term of its own."""
    is_number = term.kind in ("PHONE", "CODE")
    owner = _OWNER.match(text, term.start, term.end) if is_number else None
    if owner and word_key(owner[1]) in names:
        yield replace(term, kind="PERSON", end=owner.end(1))
        term = replace(term, start=owner.end())
    yield term


def _family_first(words: Sequence[str]) -> str:
    """A family name, and the letters of the names before it."""
    return " ".join((*words[-1:], "".join(word[0] for word in words[:-1])))


def _start_of_person(
    text: str, term: Term, last: Term | None, free: int, joined: Collection[str]
) -> int:
    """Where a name begins, with its initials; without dots they are those of somebody who is told."""
    if initials := _INITIALS.search(text, max(free, term.start - 16), term.start):
        return initials.start()
    letters = _JOINED.search(text, max(0, term.start - 6), term.start)
    if letters and (letters.start() >= free or (last and letters.span() == (last.start, last.end))):
        words = core(term.of(text))
        if len(words) == 1 and f"{words[0]} {letters[0].lower()}" in joined:
            return letters.start()
    letters = _LETTERS.search(text, max(free, term.start - 8), term.start)
    if letters is None or not _is_bare(term.of(text)):
        return term.start
    before = text[max(free, letters.start() - 16) : letters.start()]
    noun, begins = _NO_INITIAL.search(before), _BEGINS.search(before)
    is_article = (
        letters[0][0] == "A" and begins and re.match(r" [a-z]", text[term.end : term.end + 2])
    )
    is_other = (
        is_article
        or (last and text[free : letters.start()] == " ")
        or (noun and noun[1].lower() not in TITLES)
    )
    return term.start if is_other else letters.start()


def _is_bare(name: str) -> bool:
    """Whether a name is one word, with which initials may stand."""
    many = len(core(name)) - name.count("-")
    return many == 1 and len(core(name)[0]) > 1 and not re.search(r"[\d,]", name)


def _is_same_name(text: str, last: Term, term: Term, limit: int) -> bool:
    """Whether two terms are one name: a title, or a nickname in quotes, and what follows it; words of an
    organisation."""
    between = text[last.end : term.start]
    if term.kind == "ORG" and last.kind in ("ORG", "PERSON"):  # "Lindgren", "Holm Fastigheter AB"
        is_legal = [_BY_LAW.search(t.of(text)) is not None for t in (last, term)]
        is_both = between in (" ", " & ") and is_legal == [False, True]
        return is_both or (last.kind == "ORG" and between == " ")
    if term.kind == "PERSON" and between in (" ", ". "):
        words = last.of(text).lower().split()
        is_title = all(word.replace(".", "") in TITLES for word in words)
        is_title = is_title and (between == " " or words[-1] in _DOTTED)  # "Mr Lord. Hughes left"
        is_title = is_title or bool(_DOCTOR.fullmatch(text, last.start, last.end))
        is_initialled = between == ". " and _TITLED_INITIAL.fullmatch(text, last.start, last.end)
        if (is_title or is_initialled) and last.kind in ("PERSON", "MISC"):
            return True
    if term.kind == "PERSON" and last.kind == "MISC" and between == " ":
        first = last.of(text)  # "Rhodri", "Gough"
        return first.istitle() and first.isalpha() and not is_ordinary(first.lower())
    is_rest = _VAN.match(text, term.start) or _EASTERN.match(text, term.start, term.end)
    if last.kind == term.kind == "PERSON" and between == " ":
        return bool(is_rest) or _is_full_name(core(last.of(text)), core(term.of(text)))
    if not last.kind == term.kind == "PERSON" or _CALLED.fullmatch(between) is None:
        return False
    if between[0] == " ":  # what is opened is closed before the rest: not "Ann Lee (Annie)"
        closed = between[-1] == " " or re.search(r"[\"”’')] ", term.of(text))
        return bool(closed or _CALLED.fullmatch(text, term.end, limit))
    return _OPENED.search(text, last.start, last.end) is not None


def _is_full_name(given: Sequence[str], rest: Sequence[str]) -> bool:
    """Whether words begin with a given name, and what follows ends with a family name: "Grace", "Osei"."""
    first, last = (*given, "")[0], ("", *rest)[-1]
    named = [is_given(word) or bool(gender(word)) for word in (first, last)]
    return len(last) > 1 and named == [True, False]


def _is_named_after(text: str, last: Term, term: Term) -> bool:
    """Whether an organisation or a house was found in two, the family that it is called after and common
    words with capitals: "Pettigrew", "Estates"."""
    if last.kind not in ("PERSON", "MISC") or term.kind not in ("MISC", "LOC"):
        return False
    family, words = last.of(text), term.of(text).split(" ")
    return (
        text[last.end : term.start] == " "
        and family.istitle()
        and _is_bare(family)
        and not (last.kind == "MISC" and is_ordinary(family.lower()))
        and all(word.istitle() and is_ordinary(word.lower()) for word in words)
    )


def _is_initial_before(text: str, last: Term, term: Term, initialled: Collection[str]) -> bool:
    """Whether a letter was found apart from the family name behind it: "C.", "Roe"; not "ask C. Ann left"."""
    if not last.kind == term.kind == "PERSON" or text[last.end : term.start] not in (". ", "."):
        return False
    letter, name = last.of(text), core(term.of(text))
    first = name[0] if name else ""
    is_known = " ".join((letter.lower(), *name)) in initialled
    return bool(_ONLY_INITIALS.fullmatch(letter)) and (
        is_known or not (is_given(first) or gender(first))
    )


def _is_given_behind(
    text: str, last: Term, term: Term, known: Collection[str], initialled: Collection[str]
) -> bool:
    """Whether a term is the given name of the one before it: "Drax, William"; "Young, May, MD"; "Young, May"
    where May Young is told as well."""
    if last.kind not in ("PERSON", "LOC") or term.kind != "PERSON":
        return False
    between = text[last.end : term.start]
    if between.strip() != "," or between.count("\n") > 1:
        return False
    if _GREETING.search(text, max(0, last.start - 24), last.start):
        return False  # "Dear Ms Turner, Grace has been off school"
    family, given = normal_form(last.of(text)), normal_form(term.of(text))
    is_known = " ".join((*core(given), *core(family))) in known
    if last.kind == "LOC" and not is_known:
        return False
    if " ".join((given.rstrip("."), *core(family))) in initialled:
        return True  # "Smith, J., Kumar, P."
    listed = _LISTED.match(text, term.end)
    if listed and text.startswith(f"{last.of(text)}, ", listed.end()):
        listed = None  # "Smith, John and Smith, Mary"
    if listed or not "".join(core(family)).isalpha():
        return False
    if is_known or _TITLED.match(text, term.end):
        return True
    is_titled = family.split(" ")[0] in TITLES and " " in family
    if _HEAD.search(text, max(0, last.start - 12), last.start) or (
        is_titled and _AGED.match(text, term.end)
    ):
        return True  # "Pt Hernandez, Maria Guadalupe", "Mr Singh, Harpreet, 51"
    first = family.split()[0]
    is_row = text.endswith(", ", 0, last.start) or _GOES_ON_SO.match(text, term.end)
    if is_row and len(core(family)) > 1 and len(core(given)) > 1:
        return False  # "Mei Brown, Jürgen Lopez, William Hassan"
    if (gender(first) and " " in family) or text.startswith(("'s", "’s"), term.end):
        return False  # "Alice Ford, Al's mother"
    before = text[max(0, last.start - 40) : last.start]
    if _OPENING.search(before) or _SAYS.match(text, term.end):
        return False
    if last.of(text).isupper() and len(family) > 2 and not term.of(text).isupper():
        return True  # "HOLLOWAY, Brianna T."
    words = given.split()
    named = [bool(is_given(w) or gender(w)) for w in words]
    others = (is_name or len(w.rstrip(".")) == 1 for w, is_name in zip(words, named, strict=True))
    return named[0] and all(others) and not (is_given(first) or gender(first))


def _end_of_person(text: str, term: Term, limit: int) -> int:
    """Where a person's name ends, with the initials behind it, "Jr", and the dot of these."""
    end = term.end
    last = _LAST_WORD.search(text, term.start, end)
    if last and last[0].lower() in PARTICLES and (rest := _GOES_ON.match(text, end, limit)):
        end = rest.end()  # "Nguyen Van", which was found of "Nguyen Van An"
    behind = _BEHIND.match(text, end, limit) if _is_bare(term.of(text)) else None
    if behind and text[behind.end() : limit] not in (" ", ". "):  # which is of the next name
        end = behind.end()
    elif term.of(text).isupper() and (initial := _LAST_INITIAL.match(text, end, limit)):
        end = initial.end()
    if generation := _GENERATION.match(text, end, limit):
        end = generation.end()
    if _SHORTENED.search(text, term.start, end) and (dot := _DOT.match(text, end)):
        end = dot.end()
    return end


def _end_of_organisation(text: str, term: Term, limit: int) -> int:
    """Where an organisation's name ends, with what it is by law and the dot of that; "Co. Sligo" is none."""
    legal = _LEGAL.match(text, term.end)
    if legal and legal.end() > limit and _COUNTY.match(text, limit):
        legal = None
    end = legal.end() if legal else term.end
    dot = _DOT.match(text, end) if _SHORT_LEGAL.search(text, term.start, end) else None
    return dot.end() if dot else end


def _is_rest_of_place(text: str, last: Term, term: Term) -> bool:
    """Whether a term is the end of a place's name that was found in two: "Ho Chi Minh", "City"; "Paris",
    "Texas"; "Ennis", "Co. Clare"."""
    if (
        term.kind == "LOC"
        and last.kind in ("LOC", "ORG", "MISC")
        and _COUNTY.match(text, term.start)
    ):
        return re.fullmatch(r",\s?|\n", text[last.end : term.start]) is not None
    joints = (" ", ", ") if last.kind == "LOC" else (" ",)
    beside = term.kind == "LOC" and text[last.end : term.start] in joints
    whole = " ".join(text[last.start : term.end].split()) if beside else ""
    return last.kind in ("PERSON", "LOC") and bool(whole and places.default().senses(whole))


def _end_of_city(text: str, term: Term, limit: int) -> int:
    """Where a city ends that is named after a person: "Ho Chi Minh City"; 0 for none."""
    if not text.startswith(" City", term.end):
        return 0
    end = _end_of_place(text, term, limit)
    return end if end > term.end else 0


def _end_of_place(
    text: str, term: Term, limit: int, stands: Callable[[str], bool] | None = None
) -> int:
    """Where the longest name of a place ends that begins like a term."""
    table, ends = places.default(), [term.end]
    for _ in range(_MOST_WORDS):
        if (word := _GOES_ON.match(text, ends[-1], limit)) is None:
            break
        ends.append(word.end())
    words = (" ".join(text[term.start : end].split()) for end in ends[:0:-1])
    longer = [end for end, name in zip(ends[:0:-1], words, strict=True) if table.senses(name)]
    end = longer[0] if longer else term.end
    if around := _LIES_IN.match(text, end, limit):
        for last in (around.end(), text.find(" ", around.start(1), around.end())):
            if stands and stands(text[around.start(1) : last]):
                break
            whole = " ".join(text[term.start : last].split()) if last > end else ""
            if whole and "," not in text[term.start : end] and table.senses(whole):
                return last
    return end
