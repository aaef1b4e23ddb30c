"""Addresses in files: a plus is a space in a query, and a plus where it is coded or part of a mail address."""

from __future__ import annotations

import json

import pytest

from sfumato import sanitize
from sfumato.formats import parse

MAIL, PHONE = "zoe+press@marchetti.example", "+47 55 01 23 98"
HIDDEN = [{"kind": "EMAIL", "terms": [MAIL]}, {"kind": "PHONE", "terms": [PHONE]}]
POLICY = {"detect": [{"lists": {"hide": HIDDEN}}]}


@pytest.mark.parametrize(
    ("query", "label"),
    [
        ("email=zoe%2Bpress%40marchetti.example", "EMAIL"),
        ("e=zoe+press@marchetti.example&x=1", "EMAIL"),
        ("e=zoe+press%40marchetti.example", "EMAIL"),
        ("phone=%2B47%2055%2001%2023%2098", "PHONE"),
        ("phone=%2B47+55+01+23+98", "PHONE"),
        ("phone=%252B47%252055%252001%252023%252098", "PHONE"),
    ],
)
def test_a_plus_in_a_query_is_read_as_it_is_meant(query: str, label: str) -> None:
    address = f"https://n.example/u?{query}"
    page = parse(f'<a href="{address}">x</a>'.encode(), name="a.html", format="html")
    assert f"=%5B{label}%201%5D" in sanitize(page, POLICY).data.decode()
    data = parse(json.dumps({"u": address}).encode(), name="a.json", format="json")
    released = json.loads(sanitize(data, POLICY).data)["u"]
    assert label in released
    assert "marchetti" not in released


@pytest.mark.parametrize(
    "broken", ["Ottilie=\r\n Brandvold", "Ottilie=\n Brandvold", "Ottilie =\r\nBrandvold"]
)
def test_a_name_over_a_soft_line_of_an_old_card_is_found(broken: str) -> None:
    card = f"BEGIN:VCARD\r\nVERSION:2.1\r\nNOTE;ENCODING=QUOTED-PRINTABLE:Mrs {broken}, aunt\r\nEND:VCARD\r\n"
    hidden = [{"kind": "PERSON", "terms": ["Ottilie Brandvold"]}]
    document = parse(card.encode(), name="c.vcf", format="calendar")
    assert b"Brandvold" not in sanitize(document, {"detect": [{"lists": {"hide": hidden}}]}).data
