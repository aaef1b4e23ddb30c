"""Facts are found by their mentions."""

from __future__ import annotations

from sfumato.document import Term
from sfumato.facts.fact import Fact, Facts
from sfumato.facts.values import Name

FIRST, AGAIN, OTHER = (Term(a, a + 3, "PERSON", 1.0, "") for a in (0, 10, 5))


def test_facts_come_in_order_and_are_found_by_any_mention() -> None:
    ann = Fact("PERSON", 1, (Name("ann"),), (FIRST, AGAIN))
    bo = Fact("PERSON", 2, (Name("bo"),), (OTHER,))
    facts = Facts([bo, ann])
    assert list(facts) == [ann, bo] == [facts[0], facts[1]]
    assert facts.of(AGAIN) is ann
    assert facts.terms == [FIRST, OTHER, AGAIN]
    assert ann.value == Name("ann")
