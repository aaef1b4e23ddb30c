"""The plain replacements: what the policy's rule for a kind makes of each term.

Labels, masks, ranges and the like follow from the term alone; shifts, pseudonyms, surrogates, hashes and
encryption also from the key, so that nobody else can retrace them. A method that cannot read a term (a date
in an unknown form, a number in words it does not know) falls back to a label: what a policy wants hidden is
never left standing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import islice

from sfumato.document import Document, Edit, Term
from sfumato.english.folding import folded_words, normal_form
from sfumato.english.numbers import bucket
from sfumato.errors import InputError
from sfumato.facts.ladders import Ladder, has_ladders, ladder_at
from sfumato.facts.mentions import SPREAD
from sfumato.kinds import KINDS, rule_chain
from sfumato.know import sources
from sfumato.know.taxonomy.chain import Chain
from sfumato.plugins import Options, Protector, protector
from sfumato.policy import (
    Bucket,
    Encrypt,
    Generalise,
    Hash,
    Keep,
    Label,
    Mask,
    Pseudonym,
    Reduce,
    Remove,
    Replacement,
    Shift,
    Surrogate,
    Truncate,
)
from sfumato.protect import Workshop
from sfumato.protect.replace import dates
from sfumato.protect.replace.covers import decrypt_text, mask, seal, truncate
from sfumato.protect.replace.names import identities
from sfumato.protect.replace.surrogates import Inventor

__all__ = ["ReplaceOptions", "decrypt_text", "make"]

_NAMES = {
    "PERSON": "Person",
    "ORG": "Organisation",
    "LOC": "Place",
    "ADDRESS": "Address",
    "POSTCODE": "Postcode",
    "DEM": "Group",
    "MISC": "Detail",
    "PHONE": "Phone",
    "FAX": "Fax",
    "EMAIL": "E-mail",
    "URL": "Link",
    "USERNAME": "User",
    "CODE": "Code",
}
_LABEL = Label.model_validate({})
_CORPUS_SHIFT = Shift.model_validate({"per": "corpus"})  # what becomes of dates under `surrogate`
# Draws after which a document's offset is taken as it comes, even if a shifted date meets another one.
_OFFSET_DRAWS = 8


class ReplaceOptions(Options):
    """The rules stand in the policy under `replace`; there is nothing else to set."""


@protector("replace", options=ReplaceOptions)
def make(options: ReplaceOptions, workshop: Workshop) -> Protector:
    """Replaces every term that no earlier protector has edited, by the policy's rule for its kind."""

    def protect(document: Document, terms: Sequence[Term], edits: Sequence[Edit]) -> Sequence[Edit]:
        return _Job(document, terms, edits, workshop).edits()

    return protect


@dataclass(frozen=True, slots=True)
class _Made:
    """A replacement, and how and why it came about."""

    text: str
    how: str
    why: str
    alternatives: tuple[str, ...] = ()
    concept: str = ""


class _Job:
    """One document's replacements."""

    def __init__(
        self, document: Document, terms: Sequence[Term], edits: Sequence[Edit], workshop: Workshop
    ) -> None:
        self.document, self.workshop = document, workshop
        self.policy, self.key = workshop.policy, workshop.key
        self.earlier = sorted(edits, key=lambda e: e.start)
        self.terms = [t for t in terms if not isinstance(self.policy.rule(t.kind), Keep)]
        self._offsets: dict[Shift, int] = {}
        self._inventors: dict[str, Inventor] = {}

    def edits(self) -> list[Edit]:
        made: list[Edit] = []
        at = 0  # the first earlier edit that may touch the next term
        for term in self.terms:
            while at < len(self.earlier) and self.earlier[at].end <= term.start:
                at += 1
            if at < len(self.earlier) and self.earlier[at].start < term.end:
                made += self._leftovers(term, at)
            elif (edit := self._edit(term)) is not None:
                made.append(edit)
        return sorted([*self.earlier, *self._tidied(made)], key=lambda e: e.start)

    def _edit(self, term: Term) -> Edit | None:
        original = term.of(self.document.text)
        made = self._replacement(self.policy.rule(term.kind), term, original)
        if made.text == original and term.detector == SPREAD:
            made = self._label(term, "replaced by a label")
        if made.text == original:
            return None
        return self._as_edit(term, term.start, term.end, made)

    def _as_edit(self, term: Term, start: int, end: int, made: _Made) -> Edit:
        title = KINDS[term.kind].title if term.kind in KINDS else f"term of kind {term.kind}"
        reason = f"{term.reason or title}; {made.why}"
        return Edit(
            start,
            end,
            term.kind,
            made.text,
            reason,
            made.how,
            made.alternatives,
            concept=made.concept,
        )

    def _leftovers(self, term: Term, at: int) -> Iterable[Edit]:
        """Labels for the stretches of a term that an earlier edit covers only in part."""
        position = term.start
        while position < term.end:
            edit = self.earlier[at] if at < len(self.earlier) else None
            end = min(term.end, edit.start) if edit else term.end
            if any(c.isalnum() for c in self.document.text[position:end]):
                yield self._as_edit(
                    term, position, end, self._label(term, "rest replaced by a label")
                )
            position = max(edit.end, position) if edit else term.end
            at += 1

    def _tidied(self, made: Sequence[Edit]) -> list[Edit]:
        """Removals take one neighbouring space with them, where two would be left or a line would begin
        with one."""
        text = self.document.text
        starts = {e.start for e in (*self.earlier, *made)}
        ends = {e.end for e in (*self.earlier, *made)}
        tidy: list[Edit] = []
        free_from = cleared = 0  # everything of the line before `cleared` is removed
        for edit in made:
            start, end = edit.start, edit.end
            if edit.how == "remove":
                after = text[end : end + 1]
                if text[start - 1 : start] == " " and start not in ends and start > free_from:
                    start -= not after or after in " \n\r\t.,;:!?)"
                elif (
                    (start == cleared or text[start - 1] == "\n")
                    and after == " "
                    and end not in starts
                ):
                    end += 1
                    cleared = end
                edit = replace(edit, start=start, end=end)
            tidy.append(edit)
            free_from = end
        return tidy

    # The methods

    def _replacement(self, rule: Replacement, term: Term, original: str) -> _Made:
        match rule:
            case Label():
                made = _Made(_labelled(rule, term.kind), "label", "replaced by a label")
            case Mask():
                made = _Made(mask(original, rule), "mask", "covered, its length kept")
            case Remove():
                return _Made("", "remove", "removed")
            case Bucket():
                return self._bucket(rule, term, original)
            case Reduce():
                return self._reduce(rule, term, original)
            case Truncate():
                made = _Made(truncate(original, rule), "truncate", "cut to its first characters")
            case Shift():
                made = self._shift(rule, term, original)
            case Pseudonym():
                made = _Made(self._pseudonyms[term], "pseudonym", "replaced by a numbered name")
            case Surrogate():
                made = self._surrogate(rule, term, original)
            case Hash():
                tag = self.key.tag(f"hash:{term.kind}", normal_form(original)).hex()
                made = _Made(
                    f"{term.kind}_{tag[: rule.length]}", "hash", "replaced by a keyed hash"
                )
            case Generalise():
                made = self._generalise(rule, term)
            case Encrypt():
                made = _Made(seal(term.kind, original, self.key), "encrypt", "encrypted")
            case Keep():  # pragma: no cover - terms that stay are left out before
                return _Made(original, "keep", "kept")
        if made.text == original or (folded_words(made.text) == folded_words(original) != []):
            return self._label(term, "replaced by a label, as nothing else would hide it")
        return made

    def _label(self, term: Term, why: str) -> _Made:
        """The label for what its own rule cannot hide."""
        rules = (self.policy.replace.get(name) for name in rule_chain(term.kind))
        label = next((r for r in rules if isinstance(r, Label)), _LABEL)
        original = term.of(self.document.text)
        texts = (_labelled(label, term.kind), _labelled(_LABEL, term.kind), "[…]")
        return _Made(next(t for t in texts if t != original), "label", why)

    def _bucket(self, rule: Bucket, term: Term, original: str) -> _Made:
        keep_below = rule.below_top == "keep"
        age = term.kind == "AGE"

        def ranged(width: int) -> str | None:
            return bucket(original, width, top=rule.top, keep_below=keep_below, age=age)

        made = ranged(rule.width)
        if made == original and not _is_coarse(original, rule):
            made = bucket(original, rule.width)
        if made is None or (made == original and not _is_coarse(original, rule)):
            return self._label(term, "replaced by a label, as its number could not be read")
        coarser = [r for n in (2, 5) if (r := ranged(rule.width * n)) is not None]
        return _Made(made, "bucket", "put into a range", _others(made, coarser))

    def _reduce(self, rule: Reduce, term: Term, original: str) -> _Made:
        grains: tuple[dates.Grain, ...] = ("month", "year", "decade")
        forms = [
            dates.reduce(original, grain, dayfirst=self._dayfirst) if _has_date(term) else None
            for grain in grains[grains.index(rule.to) :]
        ]
        if forms[0] is None:
            return self._label(term, "replaced by a label, as it has no date to reduce")
        before = self.document.text[max(0, term.start - 8) : term.start]
        if re.search(r"\b(?:the|early|late|mid)[\s-]+$", before, re.IGNORECASE):
            forms = [f.removeprefix("the ") if f else None for f in forms]
        made = forms[0] or ""
        if folded_words(made) == folded_words(original):
            made = original  # as coarse as asked for, whatever signs stand around it
        return _Made(made, "reduce", f"reduced to the {rule.to}", _others(made, forms[1:]))

    def _shift(self, rule: Shift, term: Term, original: str) -> _Made:
        moved = None
        if _has_date(term):
            moved = dates.shift(
                original, self._offset(rule), dayfirst=self._dayfirst, near=self._usual_year
            )
        if moved is None:
            return self._label(term, "replaced by a label, as it could not be shifted")
        return _Made(moved, "shift", "shifted by a secret number of days")

    def _surrogate(self, rule: Surrogate, term: Term, original: str) -> _Made:
        why = "replaced by an invented value"
        if term.kind in KINDS and _has_date(term):
            made = self._shift(_CORPUS_SHIFT, term, original)
            return made if made.how == "label" else _Made(made.text, "surrogate", why)
        inventor = self._inventors.get(rule.locale)
        if inventor is None:
            persons = [t.of(self.document.text) for t in self.terms if t.kind == "PERSON"]
            inventor = Inventor(
                self.key, self.workshop.vault, rule.locale, text=self.document.text, persons=persons
            )
            self._inventors[rule.locale] = inventor
        invented = inventor.value(term.kind, original)
        if invented is None:
            return self._label(term, "replaced by a label, as no invented value fits")
        # An invented name that another document brought up may be a real one here.
        if self._shows_hidden(invented):
            return self._label(
                term, "replaced by a label, as its invented value stands in the document"
            )
        return _Made(invented, "surrogate", why)

    def _generalise(self, rule: Generalise, term: Term) -> _Made:
        """The first rung that stands for enough things and tells nothing that is hidden elsewhere."""
        text = self.document.text
        ladder: Ladder = ()
        if has_ladders(term.kind):
            ladder = ladder_at(self._chain, text, term.start, term.end, term.kind, "context")
        rungs = [r for r in ladder if r.volume >= rule.least and not self._shows_hidden(r.words)]
        if not rungs:
            return self._label(term, "replaced by a label, as nothing more general is known")
        rung, *others = rungs
        why = rung.counted
        return _Made(
            rung.words,
            "generalise",
            why,
            _others(rung.words, (r.words for r in others)),
            rung.concept,
        )

    @cached_property
    def _chain(self) -> Chain:
        return sources.taxonomy_for(self.policy.know)

    # What the document as a whole tells

    @cached_property
    def _dayfirst(self) -> bool | None:
        return dates.day_first(self.document.text)

    @cached_property
    def _dates(self) -> list[str]:
        texts = {t.of(self.document.text) for t in self.terms if t.kind == "DATE"}
        return sorted(texts)

    @cached_property
    def _usual_year(self) -> int | None:
        years = [y for d in self._dates if (y := dates.year_of(d, dayfirst=self._dayfirst))]
        return max(sorted(set(years)), key=years.count, default=None)

    def _offset(self, rule: Shift) -> int:
        """The secret number of days: a multiple of seven, never zero."""
        if rule not in self._offsets:
            weeks = rule.days // 7
            stream = self.key.integers("shift", self._scope(rule))
            drawn = [
                7 * (1 + n // 2 % weeks) * (1 if n % 2 else -1)
                for n in islice(stream, _OFFSET_DRAWS)
            ]
            chosen = drawn[0]
            if rule.per == "document" and len(self._dates) <= 200:
                chosen = next((d for d in drawn if not self._meets(d)), chosen)
            self._offsets[rule] = chosen
        return self._offsets[rule]

    def _meets(self, days: int) -> bool:
        """Whether a shifted date would read like another date of the document."""
        originals = set(self._dates)
        return any(
            dates.shift(d, days, dayfirst=self._dayfirst, near=self._usual_year) in originals
            for d in self._dates
        )

    def _scope(self, rule: Shift) -> str:
        name = self.document.name
        if rule.per == "corpus":
            return ""
        if rule.per == "document":
            digest = sha256(self.document.text.encode("utf-8", "surrogatepass")).hexdigest()
            return f"document:{name}:{digest}"
        found = re.search(rule.person or "", name)
        if found is None or not found[1]:
            raise InputError(
                f"{name}: the policy's pattern for `per: person` finds no person in this name",
                path=name,
            )
        return f"person:{found[1]}"

    @cached_property
    def _pseudonyms(self) -> dict[Term, str]:
        """The numbered name of each term, by order of appearance."""
        text = self.document.text
        terms = [t for t in self.terms if isinstance(self.policy.rule(t.kind), Pseudonym)]
        person = identities(t.of(text) for t in terms if t.kind == "PERSON")
        numbers: dict[str, dict[str, int]] = {}
        names: dict[Term, str] = {}
        for term in terms:
            thing = normal_form(term.of(text))
            thing = person.get(thing, thing) if term.kind == "PERSON" else thing
            word = _NAMES.get(term.kind, term.kind.replace("_", " ").capitalize())
            known = numbers.setdefault(word, {})
            names[term] = f"{word} {known.setdefault(thing, len(known) + 1)}"
        return names

    @cached_property
    def _hidden(self) -> frozenset[str]:
        """The words of every original; numbers of fewer than four digits stand everywhere."""
        originals = (folded_words(t.of(self.document.text)) for t in self.terms)
        joined = (" ".join(words) for words in originals)
        return frozenset(o for o in joined if o and not (o.isdecimal() and len(o) < 4))

    def _shows_hidden(self, text: str) -> bool:
        """Whether a text holds, as whole words, what the document hides."""
        words = folded_words(text)[:20]
        ends = range(1, len(words) + 1)
        return any(" ".join(words[a:b]) in self._hidden for b in ends for a in range(b))


def _is_coarse(text: str, rule: Bucket) -> bool:
    """Whether a number may plainly stay as it is: below the top, or the range that it would become."""
    numbers = [int(n) for n in re.findall(r"\d{1,15}", text)]
    if rule.top is not None and rule.below_top == "keep":
        return bool(numbers) and max(numbers) < rule.top
    return (
        numbers == [n := numbers[0] // rule.width * rule.width, n + rule.width - 1]
        if numbers
        else False
    )


def _has_date(term: Term) -> bool:
    """Whether a term is a date, or of a kind that may be one."""
    return term.kind not in KINDS or ("DATE" in rule_chain(term.kind) and term.kind != "TIME")


def _labelled(rule: Label, kind: str) -> str:
    return rule.text.replace("{kind}", kind)


def _others(made: str, forms: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f for f in forms if f is not None and f != made))
