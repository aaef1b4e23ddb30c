"""What property tests draw from: texts of all of Unicode, and edits on them."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st

from sfumato.document import Document, Edit, Term

SNIPPETS = [
    "ann@example.org",
    "Dr. Amina Yusuf",
    "Patient: Maria Keller",
    "12 May 2004",
    "2004-05-12",
    "47-year-old",
    "4111 1111 1111 1111",
    "+44 20 7946 0958",
    "192.0.2.17",
    "https://example.org/a?b=c",
    "SSN 536-90-4399",
    "EX4 6QT",
    "\r\n",
    "\t",
    "—",
    "é",
    "🧑🏽‍⚕️",
    "שלום",
    "\u202eabc\u202c",
    "an ",
    "a ",
    ". ",
]
any_text = st.text(st.characters(), max_size=60)
mixed_text = st.lists(st.one_of(any_text, st.sampled_from(SNIPPETS)), max_size=12).map("".join)
clean_text = mixed_text.map(lambda t: t.encode("utf-8", "replace").decode())


def examples(count: int) -> settings:
    """So many examples in the slow tier, and a share of them in the fast one."""
    return settings(max_examples=max(10, count * settings().max_examples // 100))


@st.composite
def terms(draw: st.DrawFn, length: int = 80) -> list[Term]:
    """Terms that may overlap in any way."""
    spans = draw(
        st.lists(
            st.tuples(st.integers(0, length), st.integers(1, 15), st.integers(0, 3)), max_size=12
        )
    )
    return [
        Term(
            start,
            start + size,
            draw(st.sampled_from(["PERSON", "DATE", "CODE"])),
            score / 3,
            "test",
        )
        for start, size, score in spans
    ]


@st.composite
def edited(draw: st.DrawFn) -> tuple[Document, list[Edit]]:
    """A document with edits that are sorted and do not overlap."""
    text = draw(st.text(st.characters(), max_size=80))
    edges = sorted(draw(st.sets(st.integers(0, len(text)), max_size=10)))
    pairs = list(zip(edges[::2], edges[1::2], strict=False))
    return Document(text), [
        Edit(a, b, "PERSON", draw(st.text(st.characters(), max_size=8)), "why") for a, b in pairs
    ]
