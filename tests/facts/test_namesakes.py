"""A name of a person and of a place is what the words beside it say."""

from __future__ import annotations

import re

import pytest

from sfumato.document import Term
from sfumato.facts.understanding import understand


def kinds(marked: str) -> str:
    """The kinds of the marked terms, as the text means them: {p:Jack London}."""
    text, terms = "", []
    for piece in re.split(r"(\{[^}]*\})", marked):
        kind, said = (piece[1], piece[3:-1]) if piece.startswith("{") else ("", piece)
        if kind:
            name = {"p": "PERSON", "l": "LOC", "m": "MISC", "d": "DEM"}[kind]
            terms.append(Term(len(text), len(text) + len(said), name, 1.0, ""))
        text += said
    facts = understand(text, terms)
    return "".join(facts.of(term).kind[0].lower() for term in terms)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("{p:Jack London} writes. {l:London} works nights. Born in {l:London}.", "ppl"),
        ("{p:Jack London} writes. {p:London} lives in {p:London}, {l:England}.", "ppll"),
        ("{p:Brad Lincoln} joined. {l:Lincoln} is 50.", "pp"),
        ("{p:Tyler James Boyle} is seven. Father of {l:Tyler}: {p:Sean Boyle}.", "ppp"),
        ("{p:Paris Hilton} flew to {l:Paris}. {l:Paris} was happy.", "plp"),
        ("{p:Georgia Bell} comes from {l:Georgia}. I had a letter from {l:Georgia}.", "plp"),
        ("{p:George Brown} wrote. The answer came from {l:George}. {l:George} left.", "ppp"),
        ("{p:Elizabeth Cruz} called. The letter was from {p:Elizabeth}.", "pp"),
        (
            "{p:Carmen Diaz} wrote. The prize went to {l:Carmen}, the rest is back to {l:Carmen}.",
            "ppp",
        ),
        (
            "{p:Paris Hilton} left. She has moved back to {l:Paris}. {p:Ann} was from {l:Paris}.",
            "plpl",
        ),
        ("She lives in {l:Tartu, Estonia}. She loves {p:Tartu}.", "ll"),
        (
            "She was born in {l:Sepang}. Her {d:Sepang} friends and {d:Malaysian} ones called.",
            "lld",
        ),
        ("She lives in {l:Tartu, Estonia}. She loves {m:Tartu}. {p:ESTONIA} is cold.", "lll"),
        (
            "She lives in {l:Austin, Texas}. In {p:Austin} she met {p:Tom}. {p:Texas} is hot.",
            "llpl",
        ),
        ("{p:Chelsea Moore} lives in {l:Chelsea}, {l:London}. {l:Chelsea} is a dentist.", "pllp"),
    ],
)
def test_persons_and_places_of_one_name(text: str, meant: str) -> None:
    assert kinds(text) == meant
