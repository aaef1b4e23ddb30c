"""Short forms of given names."""

from __future__ import annotations

import pytest

from sfumato.english.nicknames import _forms, is_short_for, names_of, same_given


@pytest.mark.parametrize(
    ("short", "name"),
    [
        ("bill", "william"),
        ("liz", "elizabeth"),
        ("peggy", "margaret"),
        ("jack", "john"),
        ("ted", "edward"),
        ("kate", "katherine"),
    ],
)
def test_a_short_form_is_known(short: str, name: str) -> None:
    assert is_short_for(short, name)
    assert name in names_of(short)
    assert same_given(short, name)
    assert same_given(name, short)


def test_every_form_leads_back_to_its_name() -> None:
    assert len(_forms()) > 250
    for name, forms in _forms().items():
        assert name not in forms
        assert all(name in names_of(form) for form in forms)


def test_names_that_share_no_bearer_are_two() -> None:
    assert not same_given("liz", "william")
    assert not same_given("ann", "joanne")
    assert same_given("bess", "betty")
