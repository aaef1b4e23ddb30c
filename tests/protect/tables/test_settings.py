"""The policy's `table:`: what makes no sense is refused with its place."""

from __future__ import annotations

import pytest

from sfumato import policy
from sfumato.errors import PolicyError


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("{k: 1}", "k: input should be greater than or equal to 2"),
        ("{kk: 2}", "unknown setting 'table.kk'; did you mean 'k'"),
        ("{columns: {a: quasy}}", "role: input should be 'direct'"),
        ("{columns: {a: {role: quasi, typ: date}}}", "unknown setting 'table.columns.a.typ'"),
        ("{columns: {a: {role: quasi, distinct: 2}}}", "are for columns of role `sensitive`"),
        ("{columns: {a: {role: quasi, how: key}}}", "how is for columns of role `direct`"),
        ("{columns: {a: {role: quasi, type: date, hierarchy: {name: x}}}}", "has no hierarchy"),
        (
            "{columns: {a: {role: quasi, type: number, shown: mean, hierarchy: {name: x}}}}",
            "choose one",
        ),
        ("{columns: {a: {role: quasi, hierarchy: none.csv}}}", "cannot be read as UTF-8 text"),
        (
            "{columns: {a: {role: quasi, hierarchy: {children: []}}}}",
            "a tree of `name` and `children`",
        ),
        ("{person: b, columns: {a: quasi}}", "'b' is none of the columns"),
        ("{person: a, columns: {a: quasi}}", "'a' is not a column of role `direct`"),
        ("{columns: {a: direct}}", "at least one must be `quasi` or `text`"),
        ("{weights: {relational: 0, textual: 0}}", "one of the two must be above 0"),
        (
            "{recoding: global, columns: {a: {role: quasi, type: number, shown: mean}}}",
            "use local recoding",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(table: str, said: str) -> None:
    with pytest.raises(PolicyError) as caught:
        policy.parse(f"table: {table}")
    assert said in " ".join(caught.value.problems)


def test_a_policy_survives_its_file() -> None:
    text = "table: {columns: {a: {role: quasi, hierarchy: {name: x, children: [{name: y}]}}}}"
    made = policy.parse(text)
    assert policy.parse(made.to_yaml()).digest == made.digest
    assert made.digest != policy.load("default").digest


def test_policies_for_documents_are_what_they_were() -> None:
    assert "table" not in policy.load("default").to_yaml()
