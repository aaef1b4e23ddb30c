"""A policy's detectors as one: their findings, less what is kept or uncertain, without overlaps."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

from sfumato import plugins
from sfumato.detect import ages, cases, things
from sfumato.detect.fields import without_labels
from sfumato.detect.keeper import Keeper
from sfumato.detect.language import unread_terms
from sfumato.detect.patterns import PatternOptions
from sfumato.detect.regions import without_large
from sfumato.detect.seams import found_apart, found_rejoined
from sfumato.document import Document, Part, Spans, Term, resolve
from sfumato.english.markers import markers
from sfumato.errors import SfumatoError
from sfumato.formats import check_size
from sfumato.plugins import Detector
from sfumato.policy import Policy
from sfumato.policy.labels import Labels

_MAY_BE_PEOPLES = frozenset({"DEM", "MISC", "LOC", "ORG"})  # kinds that peoples are guessed as
_JOINED = re.compile(r"[^\W\d_]+-\Z")  # to the word behind it
_FAR = 30


class Finder:
    """Made once for a run, called for every document. Where a detector's package or model is not installed,
    that is an error, or without `complete` it is left out and named in `absent`; `by_context` are the
    names of those that go by the words around a term; `large` tells which places may stand, if any may."""

    def __init__(self, policy: Policy, *, complete: bool = True) -> None:
        self._most = policy.limits.file_bytes
        self._least_score = policy.least_score
        self._keeps = policy.keeps
        self._labels = Labels(policy)
        self._reads_all = policy.unread == "keep"
        self.large = _standing(policy, "LOC", "France")
        self._peoples = _standing(policy, "DEM", "French")
        self._zips = policy.rule("POSTCODE") != policy.rule("LOC")
        self._bare_ages = policy.least_score("AGE") <= ages.SCORE and any(
            isinstance(step.options, PatternOptions) and "AGE" in step.options.wanted
            for step in policy.detect
        )
        self._own = {
            pattern.kind
            for step in policy.detect
            if isinstance(step.options, PatternOptions)
            for pattern in step.options.custom
        }
        self._kept = Keeper(policy)
        self._all: list[Detector] = []
        self._repeatable: list[Detector] = []
        self._last: tuple[tuple[str, Sequence[Part], Sequence[int]], list[Term]] | None = None
        self.absent: tuple[str, ...] = ()
        self.by_context: tuple[str, ...] = ()
        for step in policy.detect:
            plugin = plugins.DETECTORS.get(step.name)
            try:
                detector = plugin.make(step.options)
            except SfumatoError:
                if complete:
                    raise
                self.absent += (step.name,)
                continue
            self._all.append(detector)
            if plugin.repeatable:
                self._repeatable.append(detector)
            else:
                self.by_context += (step.name,)

    def __call__(self, document: Document) -> list[Term]:
        """The terms of a document, without overlaps. One of a file that unpacks to more text than may be read
        is refused."""
        if document.source is not None:
            check_size(len(document.text), self._most, document.name)
        return self._merged(self.all(document), document.text)

    def again(self, document: Document) -> list[Term]:
        """The terms that are found wherever they stand; a release must hold none of them. The number of a
        label is none."""
        found = self._found(document, self._repeatable)
        if marks := self._labels.numbered(document.text):
            labels = Spans(marks)
            found = [
                t
                for t in found
                if not labels.touch(t.start, t.end)
                or labels.open_words(t.start, t.end, document.text)
            ]
        return self._merged(found, document.text)

    def all(self, document: Document) -> list[Term]:
        """Everything that any detector finds, overlaps included. The last answer is remembered: before a
        release is written, the same question is asked once more."""
        asked = _question(document)
        if self._last is None or self._last[0] != asked:
            self._last = (asked, self._found(document, self._all))
        return list(self._last[1])

    def remember(self, document: Document, found: list[Term]) -> None:
        """What another finder of the same policy has found there."""
        self._last = (_question(document), found)

    def kept(self, text: str) -> list[tuple[int, int]]:
        """Where the text has something that the policy keeps, in order."""
        return self._kept.spans(text)

    def without_kept(self, terms: Iterable[Term], text: str) -> list[Term]:
        """The terms that are no part of anything the policy keeps."""
        kept = Spans(self.kept(text))
        return [t for t in terms if not kept.holds(t.start, t.end)]

    def _found(self, document: Document, detectors: list[Detector]) -> list[Term]:
        together = chain.from_iterable(detect(document) for detect in detectors)
        blocks = () if self._reads_all else unread_terms(document)
        others = chain(found_apart(document, detectors), found_rejoined(document, detectors))
        found = dict.fromkeys(chain(together, others, blocks))
        text = document.text
        sure = [
            t
            for t in found
            if t.score >= self._least_score(t.kind)
            and (t.kind != "AGE" or ages.may_be(text, t, t.detector in self.by_context))
        ]
        if marked := markers(text):
            sure = [part for t in sure for part in self._unmarked(t, text, marked)]
        sure = [*without_labels(text, sure)]
        if self._bare_ages:
            sure += ages.beside_persons(text, sure)
            sure += ages.beside_ages(text, sure)
        sure = [*ages.apart(text, sure)]
        if self.large is not None:
            sure = [*without_large(sure, text, self.large, zips=self._zips)]
        if self._peoples is not None:
            sure = [*self._without_peoples(sure, text, self._peoples)]
        if public := [*cases.published(text), *things.works(text)]:
            known = Spans(public)
            sure = [t for t in sure if self._is_asked(t) or known.open_words(t.start, t.end, text)]
        return self.without_kept(_parted(sure, document), text)

    def _without_peoples(
        self, terms: list[Term], text: str, may_stand: Callable[[str], bool]
    ) -> Iterator[Term]:
        """The terms without peoples that nobody is called like: "Welsh", but for Mr Welsh; "born" of
        "Nigerian-born" is one."""
        named = {w for t in terms if t.kind == "PERSON" for w in t.of(text).split()}
        for term in terms:
            joined = _JOINED.search(text, max(0, term.start - _FAR), term.start)
            said = (joined[0] if joined else "") + term.of(text)
            is_people = term.kind in _MAY_BE_PEOPLES and may_stand(said)
            if not is_people or self._is_asked(term) or not named.isdisjoint(said.split()):
                yield term

    def _is_asked(self, term: Term) -> bool:
        """Whether a user's own list, pattern or detector has found a term, whatever everybody knows of it."""
        by_pattern = term.detector == "patterns" and term.kind not in self._own
        return not by_pattern and term.detector not in self.by_context

    def _unmarked(self, term: Term, text: str, marked: Mapping[int, int]) -> Iterator[Term]:
        """A term that was found by the words around it, without the letters of turns and lists in it."""
        start = term.start
        for at in range(start, term.end if term.detector in self.by_context else start):
            if at in marked:
                if said := text[start:at].rstrip(" \n.?!,"):
                    yield replace(term, start=start, end=start + len(said))
                start = marked[at]
        if start < term.end:
            yield replace(term, start=start)

    def _merged(self, found: list[Term], text: str) -> list[Term]:
        hidden = [t for t in found if not self._keeps(t.kind)]
        standing = [t for t in found if self._keeps(t.kind)]
        chosen = resolve(hidden)
        taken = Spans((t.start, t.end) for t in chosen)
        while rests := resolve(_rests(hidden, taken, text)):
            chosen += rests
            taken = Spans((t.start, t.end) for t in chosen)
        # What the policy lets stand must not win over what it hides, however long it is.
        chosen += [t for t in resolve(standing) if not taken.touch(t.start, t.end)]
        return sorted(chosen, key=lambda t: t.start)


def _standing(policy: Policy, kind: str, example: str) -> Callable[[str], bool] | None:
    """Which terms of a kind may stand by its rule, if such as the example may, and not all of them."""
    rule = policy.rule(kind)
    may_stand = partial(rule.plugin.may_stand, rule.options)
    return may_stand if may_stand(example) and not policy.keeps(kind) else None


def _question(document: Document) -> tuple[str, Sequence[Part], Sequence[int]]:
    """What of a document the findings of detectors hang on."""
    return document.text, document.origin.parts, document.origin.seams


def _parted(terms: Iterable[Term], document: Document) -> Iterator[Term]:
    """Terms that end where something parts a file's text: what stands in two cells of a table, in a letter's
    subject and its body, are two things. Halves of a word in two tags are one."""
    starts: list[int] = []
    ends: list[int] = []
    for part in document.origin.parts:
        if ends and part.start == ends[-1]:
            ends[-1] = part.end
        else:
            starts.append(part.start)
            ends.append(part.end)
    for term in terms:
        first = max(0, bisect_right(starts, term.start) - 1)
        last = bisect_left(starts, term.end)
        if last - first < 2:
            yield term
            continue
        for at in range(first, last):
            start, end = max(term.start, starts[at]), min(term.end, ends[at])
            if any(map(str.isalnum, document.text[start:end])):
                yield replace(term, start=start, end=end)


def _rests(terms: Iterable[Term], taken: Spans, text: str) -> Iterator[Term]:
    """What is left of terms that lost against others: of "2024 £5m", if "2024 £" won, "5m"."""
    for term in terms:
        for start, end in taken.open_words(term.start, term.end, text):
            yield replace(term, start=start, end=end)
