"""Self-contained HTML pages: a report without originals, a review page with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape

from sfumato.document import Edit, Release, released_spans, unrender
from sfumato.kinds import KINDS, rule_chain
from sfumato.plugins import METHODS
from sfumato.policy import Policy
from sfumato.report.pages import page

_STYLES = ("report.css",)


def report(releases: Sequence[Release], policy: Policy) -> str:
    """The page that may go with the releases: what was done, and what holds."""
    sections = [
        _section(r, f"<div class=text>{_marked(r.text, _visible(r), titles=False)}</div>")
        for r in releases
    ]
    counts = Counter(e.kind for r in releases for e, _ in _visible(r))
    intro = _intro(releases, policy, counts)
    return page("Sfumato report", [intro, *sections], styles=_STYLES)


def review(releases: Sequence[Release], policy: Policy) -> str:
    """The page for the releasing party: original and release side by side, with every reason."""
    sections = []
    for r in releases:
        before = _marked(
            unrender(r.text, r.record), [(e, (e.start, e.end)) for e in r.edits], titles=True
        )
        after = _marked(
            r.text, list(zip(r.edits, released_spans(r.edits), strict=True)), titles=True
        )
        sections.append(
            _section(
                r,
                f"<div class=pair><div class=text>{before}</div><div class=text>{after}</div></div>"
                + _edit_table(r),
            )
        )
    counts = Counter(e.kind for r in releases for e in r.edits if e.hides)
    warning = (
        "<p class=warning>This page holds original text. It is for the releasing party only.</p>"
    )
    intro = _intro(releases, policy, counts)
    return page("Sfumato review", [warning, intro, *sections], styles=_STYLES)


def _visible(release: Release) -> list[tuple[Edit, tuple[int, int]]]:
    spans = released_spans(release.edits)
    return [
        (e, s) for e, s in zip(release.edits, spans, strict=True) if e.hides and not _looks_real(e)
    ]


def _looks_real(edit: Edit) -> bool:
    """Whether a replacement looks like a real value: a page meant for release must not point it out."""
    method = METHODS.find(edit.how)
    return method is not None and method.gives == "invented"


def _intro(releases: Sequence[Release], policy: Policy, counts: Counter[str]) -> str:
    most = max(counts.values(), default=1)
    rows = "".join(
        f"<tr><td><span class='kind k{_hue(kind)}'>{escape(kind)}</span>"
        f"<td>{escape(KINDS[kind].title if kind in KINDS else '')}"
        f"<td>{policy.rule(kind).how}<td class=n>{count}"
        f"<td><i class=bar style='width:{round(100 * count / most)}%'></i>"
        for kind, count in counts.most_common()
    )
    table = (
        f"<table><tr><th>kind<th><th>replaced by<th class=n>terms<th class=wide>{rows}</table>"
        if rows
        else ""
    )
    noun = "document" if len(releases) == 1 else "documents"
    return (
        f"<p>{len(releases)} {noun}, policy <b>{escape(policy.name)}</b> "
        f"<code>{policy.digest[:16]}</code>. {escape(policy.description)}</p>{table}"
    )


def _section(release: Release, body: str) -> str:
    checks = "".join(
        f"<li class={'bad' if c.failed else 'good'}>{escape(c.name)} <b>{c.verdict}</b>"
        for c in release.checks
    )
    return f"<section><h2>{escape(release.name)}</h2><ul class=checks>{checks}</ul>{body}</section>"


def _marked(text: str, edits: Sequence[tuple[Edit, tuple[int, int]]], *, titles: bool) -> str:
    pieces, at = [], 0
    for edit, (start, end) in edits:
        title = (
            f" title='{escape(f'{edit.kind}: {edit.reason}')}'"
            if titles
            else f" title={escape(edit.kind)}"
        )
        pieces.append(escape(text[at:start]))
        pieces.append(
            f"<mark class=k{_hue(edit.kind)}{title}>{escape(text[start:end]) or '␡'}</mark>"
        )
        at = end
    pieces.append(escape(text[at:]))
    return "".join(pieces)


def _edit_table(release: Release) -> str:
    rows = "".join(
        f"<tr><td>{escape(e.kind)}<td>{escape(original)}<td>{escape(e.replacement)}"
        f"<td>{escape('; '.join(r for r in (e.reason, e.private) if r))}"
        for e, original in zip(release.edits, release.record.originals, strict=True)
    )
    if not rows:
        return ""
    return (
        f"<details><summary>{len(release.edits)} edits and their reasons</summary>"
        f"<table><tr><th>kind<th>original<th>replacement<th>reason{rows}</table></details>"
    )


def _hue(kind: str) -> int:
    """One of eight colours, the same for a family of kinds."""
    family = rule_chain(kind)[-2]
    known = ["PERSON", "LOC", "DATE", "ORG", "CODE", "PHONE", "EMAIL"]
    return known.index(family) if family in known else 7
