"""How likely alternatives are: entropies of what the statistics have seen."""

from __future__ import annotations

import math

import pytest

from sfumato.document import Term
from sfumato.facts.ladders import Rung, ladder_of
from sfumato.facts.values import Name
from sfumato.know.settings import Know
from sfumato.know.taxonomy.chain import default
from sfumato.protect.plausibility.likelihood import Likelihood
from sfumato.protect.plausibility.soft_facts import SoftFact

LIKELIHOOD = Likelihood(default(), Know())


def fact(word: str, level: int = 1) -> SoftFact:
    term = Term(0, 1, "TERM", 1.0, "")
    ladder = tuple(rung for rung in ladder_of(default(), word) if rung.volume <= 500)
    return SoftFact(Name(word), "TERM", ladder, [term], level)


@pytest.mark.parametrize("word", ["marijuana", "spaniel", "trombone"])
def test_probabilities_of_a_rung_are_those_of_all_that_it_may_stand_for(word: str) -> None:
    (rows,) = LIKELIHOOD.rows([fact(word)])
    for rung, row in zip(fact(word).ladder[1:], rows, strict=True):
        assert len(row) == rung.volume
        assert math.isclose(math.fsum(row), 1)
        assert all(p >= 0 for p in row)


def test_what_is_seen_more_often_is_likelier_so_that_fewer_bits_are_hidden_than_all_alike() -> None:
    dog = fact("spaniel")
    assert len(set(LIKELIHOOD.rows([dog])[0][0])) > 1
    assert not LIKELIHOOD.is_enough([dog], dog.volume)
    assert LIKELIHOOD.is_enough([dog], 2)


def test_days_and_numbers_are_all_alike() -> None:
    ladder = (Rung("", 1), Rung("1980s", 10, "calendar:19800099"))
    years = SoftFact(Name("1984"), "DATE", ladder, [Term(0, 1, "DATE", 1.0, "")], 1)
    assert LIKELIHOOD.rows([years]) == [[[0.1] * 10]]
    assert LIKELIHOOD.is_enough([years], 10)
    assert not LIKELIHOOD.is_enough([years], 11)
    assert LIKELIHOOD.is_enough([years, years], 100)
