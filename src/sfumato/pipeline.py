"""read → detect → protect → verify → write: the middle three.

    release = sanitize("Call Dr. Okafor on 555-0142.", policy="default")

A `Sanitizer` is made once for a run and takes every document the same way:

    Document ── find ──▶ Terms ── protect ──▶ Edits ── certify ──▶ Release
                           ▲                    │
                           └─ what shows late ──┘

`formats` reads the document before and has written the release's file (`Release.data`) after. What comes out
has been verified; where a claim does not hold, or nobody can check it, an error does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from itertools import chain, repeat
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from sfumato import formats, keys
from sfumato.detect.finder import Finder
from sfumato.detect.language import refuse_unread
from sfumato.detect.seams import released_parts, seams
from sfumato.document import (
    Alignment,
    Claim,
    Document,
    Edit,
    Origin,
    Release,
    Spans,
    Term,
    encode,
    render,
    resolve,
)
from sfumato.errors import GuaranteeError, InputError
from sfumato.facts.acronyms import acronyms_again
from sfumato.facts.ages import ages_at_other_times, years_of_birth
from sfumato.facts.compounds import names_within
from sfumato.facts.durations import telling_durations
from sfumato.facts.extents import whole_names
from sfumato.facts.implication import with_one_word, without_hints
from sfumato.facts.mentions import SPREAD, further_mentions, told_otherwise
from sfumato.facts.namely import names_like_words
from sfumato.facts.redacted import redacted_edits
from sfumato.facts.towns import countries_around, towns_told
from sfumato.facts.understanding import alike
from sfumato.facts.whole_words import whole_words
from sfumato.formats.parts import touching, whole_edits
from sfumato.formats.text import as_drawn, in_file
from sfumato.keys import Key
from sfumato.know import sources
from sfumato.plugins import Guarantor
from sfumato.policy import Policy, load
from sfumato.policy.steps import steps_for_readers
from sfumato.protect import Run
from sfumato.protect.agree import agree
from sfumato.protect.labels import numbered, with_titles
from sfumato.protect.lives import without_ages
from sfumato.protect.replace import model as rules
from sfumato.release import certificate, fingerprints
from sfumato.release.ledger import Ledger
from sfumato.verify import ALWAYS, Evidence, prove
from sfumato.verify.evidence import Find

PolicyLike = Policy | Mapping[str, Any] | str | Path
# Rounds after which protectors that keep changing each other's edits are stopped; the claims then decide.
_MOST_ROUNDS = 50
_MOST_AGAIN = 20  # rounds after which a text is refused in which more and more is to be hidden


class Sanitizer:
    """A policy made ready to run, for one reader or for everybody."""

    def __init__(
        self,
        policy: PolicyLike = "default",
        key: Key | None = None,
        vault: Ledger | None = None,
        reader: str | None = None,
    ) -> None:
        policy = load(policy)
        vault = vault or _of_the_moment(key)
        key = key or vault.key
        if reader is not None and not policy.depends_on_reader:
            raise InputError(
                f"a reader is given, but the policy '{policy.name}' makes no difference between readers; "
                f"{steps_for_readers()}"
            )
        self.policy = policy
        self.key = key
        self.reader = reader
        self.find = Finder(policy)
        # a list of towns hides no country
        self.hides_countries = bool(self.find.by_context) and self.find.large is None
        self._known = sources.digests(policy.know)
        run = Run(policy, key, vault, reader)
        run = replace(run, by_rules=rules.make(rules.ReplaceOptions(), run))
        self.run = run
        self.protectors = [
            step.plugin.make(step.options, replace(run, is_last=step is policy.protect[-1]))
            for step in policy.protect
        ]
        done = any(step.plugin.by_rules for step in policy.protect)
        self.finish = None if done else run.by_rules

    def __call__(self, document: str | Document, first: Sequence[Edit] = ()) -> Release:
        document = as_document(document)
        return self.certify(document, self.protect(document, self.find(document), first))

    def protect(
        self, document: Document, terms: list[Term], first: Sequence[Edit] = ()
    ) -> list[Edit]:
        """The edits of all protectors on top of the `first` ones, which somebody else has made, repeated
        until the release shows nothing new that it should not: texts need two or three rounds. One in which
        each hidden word leads to the next is refused, for it would take the square of its length."""
        refuse_unread(document, terms, self.policy)
        terms = whole_names(document, terms, self.find.large)
        told = [t for t in terms if not self.policy.keeps(t.kind)]
        others = self.find.without_kept(told_otherwise(document.text, told), document.text)
        terms = resolve([*terms, *others])
        seen = {_place(t) for t in terms}
        for _ in range(_MOST_AGAIN):
            terms = whole_words(document, alike(document, terms), self.policy.keeps)
            edits = self.settled(document, terms, first)
            for still_to_hide in (self.outvoted, self.mentioned_again, self.shown_late):
                missed = [t for t in still_to_hide(document, edits) if _place(t) not in seen]
                if missed:
                    break
            else:
                return with_titles(edits, document.text)
            seen |= {_place(t) for t in missed}
            terms = whole_names(document, _with_missed(terms, missed, edits), self.find.large)
        raise GuaranteeError(
            f"{document.name}: each word that is hidden leads to another, {_MOST_AGAIN} times over; nothing "
            "written; split the text, or hide these words by a list"
        )

    def settled(
        self, document: Document, terms: list[Term], first: Sequence[Edit] = ()
    ) -> list[Edit]:
        """The edits after which no protector wants another one. They go round again because a later one
        may have put in what an earlier one must see; ladders only go up, so it ends."""
        edits = list(first)
        for _ in range(_MOST_ROUNDS):
            before = edits
            for protector in self.protectors:
                edits = list(protector(document, terms, edits))
            made = edits
            if self.finish is not None:  # the policy leaves it to us to treat what nobody has
                edits = list(self.finish(document, terms, made))
            alone = len(self.protectors) <= 1 and edits == made
            edits = with_one_word(edits, document, terms)
            edits = without_hints(edits, document, self.policy)
            ageless = without_ages(edits, document, terms, self.policy)
            alone, edits = alone and ageless == edits, ageless
            edits = numbered(edits, document, self.policy, self.find.all(document))
            edits = formats.fit(document, agree(edits, document))
            if alone or edits == before:
                break
        return edits

    def outvoted(self, document: Document, edits: list[Edit]) -> list[Term]:
        """Findings that lost against one which the policy lets stand, and what is left in the open of
        those that are hidden in part."""
        edited = Spans((e.start, e.end) for e in edits)
        lost = []
        for term in self.find.all(document):
            if self.policy.keeps(term.kind):
                continue
            rests = edited.open_words(term.start, term.end, document.text)
            if edited.touch(term.start, term.end):
                lost += [replace(term, start=a, end=b, detector=SPREAD) for a, b in rests]
            elif rests:
                lost.append(term)
        return lost

    def mentioned_again(self, document: Document, edits: list[Edit]) -> list[Term]:
        """Further mentions of what is hidden."""
        again = [
            *further_mentions(document.text, edits, seams(document)),
            *names_within(document.text, edits),
            *names_like_words(document.text, edits),
            *acronyms_again(document.text, edits),
            *towns_told(document.text, edits),
            *(countries_around(document.text, edits) if self.hides_countries else ()),
            *telling_durations(document.text, edits),
            *years_of_birth(document.text, edits),
            *ages_at_other_times(document.text, edits),
        ]
        return self.find.without_kept(again, document.text)

    def shown_late(self, document: Document, edits: list[Edit]) -> list[Term]:
        """Terms that only show in the release, where the text around them has changed."""
        parts = released_parts(document.origin.parts, edits)
        shown = Document(render(document, edits), document.name, Origin(parts=parts))
        alignment = Alignment(edits)
        late = []
        for term in self.find.again(shown):
            span = alignment.to_original(term.start, term.end)
            if span is not None and not self.policy.keeps(term.kind):
                touches = span[1] - span[0] != term.end - term.start
                # What takes in an edit must be edited itself, whatever its rule would let stand.
                detector = SPREAD if touches else term.detector
                late.append(replace(term, start=span[0], end=span[1], detector=detector))
        return late

    def certify(self, document: Document, edits: list[Edit]) -> Release:
        """The release with its certificate, if every claim holds; else nothing."""
        # The certificate would name what was not used
        if sources.digests(self.policy.know) != self._known:
            raise GuaranteeError(
                f"{document.name}: what the policy's `know` names has changed since it was read; nothing "
                "written; run it again"
            )
        claims = [Claim(name) for name in ALWAYS]
        whole = whole_edits(edits, touching(document.origin.parts))
        for protector in self.protectors:
            if isinstance(protector, Guarantor):
                claims += protector.claims(document, whole)
        return certified(document, edits, claims, self.run, self.find)


def certified(
    document: Document, edits: Sequence[Edit], claims: Sequence[Claim], run: Run, find: Find | None
) -> Release:
    """What edits make of a document, with its certificate, if every claim holds; else nothing. `find` are the
    detectors that the checkers ask."""
    text = render(document, edits)
    data, record = formats.released(document, edits)
    is_text = document.is_its_file
    read = Document(text) if is_text else formats.read_again(data, document)
    if is_text and find is not None:  # no log, whose bytes need not be text
        read = as_drawn(read)
    if read.text != text or read.unseen:
        raise GuaranteeError(
            f"{document.name}: the release would not read as it was checked; nothing written"
        )
    if run.key.is_in(data):
        raise GuaranteeError(f"{document.name}: holds the key of its ledger; nothing written")
    made = certificate.issue(
        document,
        data,
        policy=run.policy.digest,
        knowledge=fingerprints.of(run.policy, claims),
        claims=claims,
        source=encode(document.file, document.origin.encoding, document.name),
        reader=run.reader,
        key=run.key,
    )
    evidence = Evidence(
        text,
        parts=read.origin.parts,
        policy=run.policy,
        find=find,
        record=record,
        key=run.key,
        data=data,
        reader=run.reader,
        name=document.name,
        input=made.input,
    )
    return Release(text, data, record, made, prove(claims, evidence))


def _place(term: Term) -> tuple[int, int, str, bool]:
    return term.start, term.end, term.kind, term.detector == SPREAD


def _with_missed(terms: list[Term], missed: list[Term], edits: list[Edit]) -> list[Term]:
    """The terms of the next round. One that the policy let stand makes way for what must be hidden."""
    missed = resolve(missed)
    hidden = Spans((e.start, e.end) for e in edits)
    found_late = Spans((m.start, m.end) for m in missed)
    standing = [
        t for t in terms if hidden.touch(t.start, t.end) or not found_late.touch(t.start, t.end)
    ]
    return resolve([*standing, *missed])


def sanitize(
    document: str | Document,
    policy: PolicyLike = "default",
    *,
    key: Key | None = None,
    ledger: Ledger | None = None,
    reader: str | None = None,
    redacted: str | None = None,
) -> Release:
    """A text made safe to share, as the policy says, and verified.

    Without a key, `SFUMATO_KEY` is used, else a random one that is gone afterwards. With a `ledger`,
    replacements stay the same over many documents. `reader` is who will see the release, where the policy
    makes a difference between readers. `redacted` is a version of the text in which somebody else has
    hidden something: that stays hidden, and the policy goes on from there.

    >>> sanitize("Write to ann@example.org today").text
    'Write to [EMAIL 1] today'
    """
    document = as_document(document)
    first = redacted_edits(document, as_document(redacted).text) if redacted is not None else []
    with nullcontext(ledger) if ledger is not None else _of_the_moment(key) as vault:
        return _recorded(Sanitizer(policy, key, vault, reader), document, ledger, first)


def sanitize_many(
    documents: Iterable[str | Document],
    policy: PolicyLike = "default",
    *,
    key: Key | None = None,
    ledger: Ledger | None = None,
    reader: str | None = None,
    jobs: int = 2,
) -> Iterator[Release]:
    """Many texts made safe to share, one after the other as they are asked for; `jobs` threads look for terms
    ahead. Columns of pandas and polars are texts, too.

    >>> [release.text for release in sanitize_many(["Ask ann@example.org.", "Call bob@example.org."])]
    ['Ask [EMAIL 1].', 'Call [EMAIL 1].']
    """
    if isinstance(documents, str | Document):
        raise TypeError("sanitize_many takes many texts, and this is one: use sanitize")
    if jobs < 1:
        raise ValueError(f"jobs is {jobs}, but at least one thread must look for terms")
    given = (as_document(d, f"text {n}") for n, d in enumerate(documents, 1))
    return _many(given, load(policy), key, ledger, reader, jobs)


def _many(
    documents: Iterator[Document],
    policy: Policy,
    key: Key | None,
    ledger: Ledger | None,
    reader: str | None,
    jobs: int,
) -> Iterator[Release]:
    finders: SimpleQueue[Finder] = SimpleQueue()
    for _ in range(jobs):
        finders.put(Finder(policy))

    def found(document: Document) -> list[Term]:
        finder = finders.get()
        try:
            return finder.all(document)
        finally:
            finders.put(finder)

    with ExitStack() as stack:
        vault = ledger or stack.enter_context(_of_the_moment(key))
        sanitizer = Sanitizer(policy, key, vault, reader)
        pool = stack.enter_context(ThreadPoolExecutor(jobs))
        waiting: deque[tuple[Document, Future[list[Term]]]] = deque()
        for document in chain(documents, repeat(None)):
            if document is not None:
                waiting.append((document, pool.submit(found, document)))
            if not waiting:
                return
            if document is None or len(waiting) > 2 * jobs:
                first, terms = waiting.popleft()
                sanitizer.find.remember(first, terms.result())
                yield _recorded(sanitizer, first, ledger)


def _of_the_moment(key: Key | None) -> Ledger:
    """A ledger that is gone afterwards."""
    return Ledger(key or keys.from_environment() or keys.new())


def _recorded(
    sanitizer: Sanitizer, document: Document, ledger: Ledger | None, first: Sequence[Edit] = ()
) -> Release:
    """The release, on record where there is a ledger."""
    if ledger is not None:
        ledger.begin()
    release = sanitizer(document, first)
    if ledger is not None:
        ledger.put(release, sanitizer.policy)
    return release


def as_document(document: str | Document, which: str = "text") -> Document:
    """A text as a document."""
    if isinstance(document, str):
        return as_drawn(Document(document))
    if not isinstance(document, Document):
        raise TypeError(f"{which}: a text is a str or a Document, not {type(document).__name__}")
    return as_drawn(document) if document.source is None else document


def detect(document: str | Document, policy: PolicyLike = "default") -> list[Term]:
    """The terms a policy's detectors find, without overlaps.

    >>> [(t.kind, t.start, t.end) for t in detect("Write to ann@example.org today")]
    [('EMAIL', 9, 24)]
    """
    read = as_document(document)
    terms = Finder(load(policy))(read)
    return terms if read is document else in_file(read, terms)
