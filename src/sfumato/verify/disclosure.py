"""Does any term that is left tell too much about a hidden one? Counted again from the statistics.

For every hidden term s of the ledger, what stands for it (g, or nothing), and every term q left in a context
with it, the risk is worked out from the articles that hold them, as equation (6) of the correlated-terms
paper says: PMI(s; q) + IC(g) - PMI(g; q), or PMI(s; q) where nothing stands for s. What is left are the noun
phrases of the original outside the edits, and the words that edits put in. Without the ledger nobody knows
what is hidden.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from pyroaring import BitMap

from sfumato.detect import encoder
from sfumato.detect.keeper import Keeper
from sfumato.detect.noun_phrases import noun_phrases
from sfumato.document import AGREEMENT, GENERALISE, Claim, Document, Edit, where
from sfumato.english import chunker, units
from sfumato.kinds import rule_chain
from sfumato.know import fingerprints
from sfumato.plugins import claim
from sfumato.verify.articles import Articles, Count
from sfumato.verify.check import Check, fails, holds, needs, needs_ledger
from sfumato.verify.evidence import Evidence
from sfumato.verify.kinds import may_stand
from sfumato.verify.record import whole_edits

NOTHING_TOLD = "no term discloses"
NOTHING_HIDDEN = "nothing is hidden"
_MARK = "told"  # an edit with this number softens a term, it hides none
_ROUNDING = 1e-6  # bits
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
# Kinds of values and codes: articles do not tell what they are about.
_VALUES = frozenset(
    {"DATE", "AGE", "QUANTITY", "CODE", "PHONE", "EMAIL", "URL", "USERNAME", "ADDRESS"}
    | {"POSTCODE", "COORDINATES"}
)
_LETTERS = re.compile(r"[^\W_]+")

Span = tuple[int, int]
_knowledge = fingerprints.together(
    encoder.knowledge, fingerprints.statistics, fingerprints.taxonomy
)


@claim(NOTHING_TOLD, knowledge=_knowledge)
def nothing_tells_too_much(claim: Claim, evidence: Evidence) -> Check:
    """No term left in a context with a hidden one tells as much of it as the threshold."""
    said = claim.parameters
    if said.keys() != {"threshold", "context", "groups", "support", "not assessed"}:
        return fails(NOTHING_TOLD, "the claim cannot be read")
    if evidence.policy is None:
        return needs(NOTHING_TOLD, "the policy")
    asked = evidence.asked_by(claim)
    if asked is None or any(
        said[name] != asked[name] for name in ("threshold", "context", "support")
    ):
        return fails(NOTHING_TOLD, "the claim is not what the policy asks for")
    # Fewer terms together than the policy has room for are weighed in a long text, which the claim says.
    if type(said["groups"]) is not int or not 1 <= said["groups"] <= asked["groups"]:
        return fails(NOTHING_TOLD, "the claim is not what the policy asks for")
    if evidence.record is None:
        fewer = f"; up to {said['groups']} terms together, not {asked['groups']}"
        known = "only it knows what is hidden"
        return needs_ledger(
            NOTHING_TOLD, known + (fewer if said["groups"] < asked["groups"] else "")
        )
    original = evidence.original
    assert original is not None
    articles = Articles(evidence.policy.know, asked)
    terms = _read(original, evidence, articles)
    if not terms.secrets:
        return holds(NOTHING_TOLD, NOTHING_HIDDEN)
    unknown = sum(not s.known for s in terms.secrets)
    if unknown != said["not assessed"]:
        return fails(
            NOTHING_TOLD, f"{unknown} hidden terms cannot be assessed, not as many as said"
        )
    if unknown == len(terms.secrets):
        return holds(NOTHING_TOLD, "not assessed: the statistics know nothing of what is hidden")
    limits = _limits(terms.secrets, said["threshold"], articles)
    strict = said["threshold"] == "most telling generalisation"
    most = 0.0
    for secret, limit in limits:
        for around in _around(original, terms, secret, said["context"]):
            shares = _told(secret, around, articles, said["groups"], said["support"])
            for bits, group in shares:
                if bits > limit + _ROUNDING or (not strict and bits >= limit - _ROUNDING):
                    return fails(
                        NOTHING_TOLD,
                        f"the terms at {', '.join(where(original, q.start) for q in group)} of the original "
                        f"tell {bits:.1f} bits of what is hidden at {where(original, secret.spans[0][0])} "
                        f"(threshold {limit:.1f})",
                    )
                most = max(most, bits / limit if limit else 0.0)
    rest = f"; {unknown} hidden terms not assessed" if unknown else ""
    alone = "one term" if said["groups"] == 1 else f"up to {said['groups']} terms together"
    return holds(NOTHING_TOLD, f"{alone}: {_in_words(said['threshold'])}{rest}")


def _in_words(threshold: Any) -> str:
    if isinstance(threshold, Mapping):
        ((name, value),) = threshold.items()
        return f"below {value:g} bits" if name == "bits" else f"below {value:.0%} of what is hidden"
    return f"threshold '{threshold}'"


# What is there


@dataclass(frozen=True, slots=True, eq=False)
class _Secret:
    """A hidden term with its mentions, its count, and what stands for it (none: nothing does)."""

    spans: tuple[Span, ...]
    counted: tuple[Count, ...]
    general: tuple[Count, ...] | None
    known: bool  # whether the statistics can tell what gives it away


@dataclass(frozen=True, slots=True, eq=False)
class _Left:
    """A term that stands in the release: where, in the original, and its count."""

    start: int
    end: int
    key: str
    counted: tuple[Count, ...]


@dataclass(frozen=True, slots=True)
class _HiddenAndLeft:
    secrets: list[_Secret]
    left: list[_Left]


def _read(original: str, evidence: Evidence, articles: Articles) -> _HiddenAndLeft:
    """What is hidden and what is left, from the record and the original."""
    policy, record = evidence.policy, evidence.record
    assert policy is not None
    assert record is not None
    must_hide = _must_be_hidden(original, evidence)
    secrets: dict[tuple[str, str], tuple[str, str, str, list[Span]]] = {}
    left: list[_Left] = []
    covered = bytearray(len(original))
    counts: dict[str, tuple[Count, ...]] = {}
    for edit, said, _ in whole_edits(record):
        if edit.how == AGREEMENT:
            continue
        covered[edit.start : edit.end] = b"\1" * (edit.end - edit.start)
        words, concept = _shown(edit)
        if words:
            key = concept or f" {words}"
            if key not in counts:
                counts[key] = articles.concept(concept, words)
            left.append(_Left(edit.start, edit.end, key, counts[key]))
        if not _softens(edit) or any(a <= edit.start and edit.end <= b for a, b in must_hide):
            term = " ".join(said.split())
            place = (chunker.normal(term) or term, concept or f" {words}")
            kept = secrets.setdefault(place, (term, words, edit.kind, []))
            kept[3].append((edit.start, edit.end))
    for start, end in _open(original, covered, _standing(original, evidence)):
        said = " ".join(original[start:end].split())
        key = f"={chunker.normal(said) or said}"
        if key not in counts:
            counts[key] = articles.words(said, _above(articles, original, start, end))
        left.append(_Left(start, end, key, counts[key]))
    made = []
    for (_, shown_as), (term, words, kind, spans) in secrets.items():
        first = spans[0]
        value = not any(map(str.isalpha, term)) or bool(_VALUES & set(rule_chain(kind)))
        general = counts[shown_as] if words else None
        counted = articles.words(term, _above(articles, original, *first))
        known = not value and any(c.known for c in counted)
        made.append(_Secret(tuple(spans), counted, general, known))
    return _HiddenAndLeft(made, left)


def _softens(edit: Edit) -> bool:
    """Whether an edit says that it hides nothing: it softens a term, for this claim or for plausibility."""
    return edit.kind == "TERM" and (_MARK in edit.numbers or "fact" in edit.numbers)


def _shown(edit: Edit) -> tuple[str, str]:
    """The words and the concept that an edit put in; nothing for a label, a mask or an invented value."""
    if edit.how != GENERALISE:
        return "", ""
    return re.sub(r"^an?\s+", "", edit.replacement), edit.concept


def _as_found(original: str, evidence: Evidence) -> Document:
    """The original as the detectors saw it, with the parts of its file."""
    assert evidence.record is not None
    return Document(original, origin=evidence.record.origin)


def _must_be_hidden(original: str, evidence: Evidence) -> list[Span]:
    """Findings that the policy hides: their edits hide something, whatever they are marked as."""
    policy, find = evidence.policy, evidence.find
    if policy is None or find is None:
        return []
    return [
        (t.start, t.end)
        for t in find.all(_as_found(original, evidence))
        if not may_stand(policy.rule(t.kind), t.of(original))
    ]


def _standing(original: str, evidence: Evidence) -> list[Span]:
    """What the policy keeps, or lets stand by its rule."""
    policy, find = evidence.policy, evidence.find
    assert policy is not None
    spans = Keeper(policy).spans(original)
    if find is not None:
        found = find.all(_as_found(original, evidence))
        spans += [(t.start, t.end) for t in found if policy.keeps(t.kind)]
    return spans


def _open(original: str, covered: bytearray, standing: Sequence[Span]) -> Iterator[Span]:
    """The noun phrases of a text as far as no edit covers them, from a telling word to a telling word."""
    for phrase in noun_phrases(original):
        run: list[Span] = []
        words = [m.span() for m in _LETTERS.finditer(original, phrase.start, phrase.end)]
        pieces: list[list[Span]] = [run]
        for at, word in enumerate(words):
            if at and _new_line(original, words[at - 1][1], word[0]):
                run = []
                pieces.append(run)
            if any(covered[word[0] : word[1]]):
                run = []
                pieces.append(run)
            else:
                run.append(word)
        for piece in pieces:
            if not piece:
                continue
            inner = [m.span() for m in _WORD.finditer(original, piece[0][0], piece[-1][1])]
            telling = [i for i, word in enumerate(inner) if _tells(original[slice(*word)])]
            inner = inner[telling[0] : telling[-1] + 1] if telling else []
            if inner and not any(a < inner[-1][1] and inner[0][0] < b for a, b in standing):
                yield inner[0][0], inner[-1][1]


def _tells(word: str) -> bool:
    return word.lower() not in chunker.FUNCTION and any(map(str.isalpha, word))


def _new_line(text: str, start: int, end: int) -> bool:
    """Whether a line ends between two places that was not broken by its length: a heading."""
    at = text.find("\n", start, end)
    return at >= 0 and at - text.rfind("\n", 0, at) <= 60


def _above(articles: Articles, text: str, start: int, end: int) -> list[str]:
    """The words next above a term, where terms are counted with them only."""
    if not articles.beside:
        return []
    steps = articles.chain.ladder(" ".join(text[start:end].split()))
    return [s.term for s in steps[1:4]]


# What is told


def _limits(
    secrets: Iterable[_Secret], threshold: Any, articles: Articles
) -> list[tuple[_Secret, float]]:
    """How much may be told of each hidden term of which enough is known (section 3.5)."""
    known = [s for s in secrets if s.known]
    bits = [-math.log2(articles.p(s.counted)) for s in known]
    if isinstance(threshold, Mapping):
        ((name, value),) = threshold.items()
        return [
            (s, value * b if name == "share" else value) for s, b in zip(known, bits, strict=True)
        ]
    if threshold == "least hidden":
        return [(s, min(bits)) for s in known]
    shown = [
        min(b, -math.log2(articles.p(s.general)))
        for s, b in zip(known, bits, strict=True)
        if s.general is not None
    ]
    return [(s, max(shown, default=math.inf)) for s in known]


def _around(
    original: str, terms: _HiddenAndLeft, secret: _Secret, context: Any
) -> Iterator[list[_Left]]:
    """The terms that stand with a hidden one, context by context; each term once."""
    if isinstance(context, Mapping):
        words = [m.span() for m in _LETTERS.finditer(original)]
        for start, end in secret.spans:
            before = [w for w in words if w[1] <= start][-context["window"] :]
            after = [w for w in words if w[0] >= end][: context["window"]]
            low = before[0][0] if before else start
            high = after[-1][1] if after else end
            yield _once(q for q in terms.left if q.end > low and q.start < high)
        return
    parts = units.spans(original, context)
    for low, high in parts:
        if any(a < high and b > low for a, b in secret.spans):
            yield _once(q for q in terms.left if q.start < high and q.end > low)


def _once(terms: Iterable[_Left]) -> list[_Left]:
    return list({q.key: q for q in terms}.values())


def _told(
    secret: _Secret, around: Sequence[_Left], articles: Articles, size: int, support: int
) -> Iterator[tuple[float, tuple[_Left, ...]]]:
    """The bits that terms tell of a hidden one: one by one, then together."""
    p_s = articles.p(secret.counted)
    for q in around:
        yield _risk(secret, p_s, (q,), articles), (q,)
    if size < 2:
        return
    (whole,) = secret.counted
    others = [
        q
        for q in around
        if _sure_count(q.counted[0])
        and not any(q.start == a and q.end == b for a, b in secret.spans)
    ]
    alive: dict[tuple[int, ...], BitMap] = {
        (i,): whole.articles & q.counted[0].articles for i, q in enumerate(others)
    }
    alive = {k: v for k, v in alive.items() if len(v) >= support and _sure_count(whole)}
    for length in range(2, size + 1):
        grown: dict[tuple[int, ...], BitMap] = {}
        for group, held in alive.items():
            for last in range(group[-1] + 1, len(others)):
                made = (*group, last)
                if any(part not in alive for part in combinations(made, length - 1)):
                    continue
                both = held & alive[*made[1:]] if length > 2 else held & alive[(last,)]
                if len(both) >= support:
                    grown[made] = both
                    chosen = tuple(others[i] for i in made)
                    yield _risk(secret, p_s, chosen, articles), chosen
        alive = grown


def _sure_count(count: Count) -> bool:
    return bool(count.articles) and count.number == len(count.articles)


def _risk(secret: _Secret, p_s: float, group: Sequence[_Left], articles: Articles) -> float:
    """Equation (6); equation (3) where nothing stands for the hidden term."""
    rows = [q.counted for q in group]
    p_q, p_sq = articles.p(*rows), articles.p(secret.counted, *rows)
    overlap = math.log2(p_sq) - math.log2(p_s) - math.log2(p_q)
    if secret.general is None:
        return overlap
    # Whatever holds s holds g, of which it is a sort.
    p_g = max(articles.p(secret.general), p_s)
    p_gq = max(articles.p(secret.general, *rows), p_sq)
    return overlap - math.log2(p_g) - (math.log2(p_gq) - math.log2(p_g) - math.log2(p_q))
