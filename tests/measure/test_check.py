"""`sfumato check`: what still discloses, in anybody's release."""

from __future__ import annotations

import pytest

from sfumato import Document, InputError
from sfumato.measure.check import Report, check
from sfumato.policy import load
from tests.conftest import EXAMPLES

NOTE = "She has breast cancer and had a mastectomy. A table stood there."
POLICY = load({"protect": ["replace", {"disclosure": {"threshold": {"share": 0.5}}}]})


def found(released: str, original: str | None = NOTE, policy: object = POLICY) -> Report:
    source = Document(original, "note.txt") if original is not None else None
    return check(Document(released, "safe.txt"), source, load(policy))  # type: ignore[arg-type]


@pytest.mark.parametrize("shown", ["[DISEASE]", "██████ ██████", "XXXXXX", "", "<CONDITION_1>"])
def test_whatever_the_style_of_a_redaction_what_betrays_it_is_found(shown: str) -> None:
    report = found(NOTE.replace("breast cancer", shown))
    (leak,) = report.leaks
    assert leak.terms == ("mastectomy",)
    assert leak.hidden == "breast cancer"
    assert leak.limit <= leak.told <= leak.information
    assert 0 < leak.confidence <= 1
    assert leak.suggestion.startswith("say “")
    assert (report.hidden, report.assessed) == (1, 1)


def test_other_words_are_generalisations_and_are_weighed_too() -> None:
    report = found(NOTE.replace("breast cancer", "a disease"))
    assert "mastectomy" in {t for leak in report.leaks for t in leak.terms}


def test_a_release_in_which_nothing_betrays_anything_is_clean() -> None:
    clean = NOTE.replace("breast cancer", "[DISEASE]").replace("mastectomy", "[DISEASE]")
    assert found(clean).leaks == ()


def test_nothing_hidden_is_said() -> None:
    assert found(NOTE).lines == ["Nothing is hidden: there is nothing to protect."]
    assert found("A walk.", None).lines == ["Nothing is hidden: there is nothing to protect."]


def test_a_text_that_is_no_version_is_refused_with_the_place() -> None:
    with pytest.raises(
        InputError, match=r"safe\.txt is not a version of the original: .* part at 1:1"
    ):
        found("Quite another letter about something else altogether, and at length.")


def test_hidden_terms_that_nobody_knows_are_counted() -> None:
    report = found("Ask [NAME] now.", "Ask Zorblatt Xyzzy now.")
    assert (report.hidden, report.assessed) == (1, 0)
    assert report.not_assessed == {"name of a person that the statistics do not know": 1}


def test_without_the_original_a_named_kind_is_guessed_and_a_box_is_not() -> None:
    text = "She has [DISEASE] and had a mastectomy."
    (leak,) = found(text, None).leaks
    assert leak.guessed
    assert leak.terms == ("mastectomy",)
    assert leak.hidden == "breast cancer"
    report = found(text.replace("[DISEASE]", "███"), None)
    assert report.leaks == ()
    assert (report.hidden, report.assessed) == (1, 0)
    assert list(report.not_assessed) == [
        "something behind a box or label that does not say what it is"
    ]
    report = found(text.replace("[DISEASE]", "[NAME]"), None)
    assert list(report.not_assessed) == ["name of a person: only the original tells which"]


def test_how_likely_a_guess_must_be_is_a_setting() -> None:
    released = Document("She has [DISEASE] and had a mastectomy.", "safe.txt")
    (leak,) = check(released, None, POLICY, likely=0.1).leaks
    assert check(released, None, POLICY, likely=leak.confidence * 1.01).leaks == ()


def test_groups_are_looked_at_where_the_policy_asks_for_it() -> None:
    policy = {"protect": ["replace", {"disclosure": {"groups": 2, "threshold": {"share": 0.5}}}]}
    text = "She has breast cancer; surgery, chemotherapy and radiation for a woman and her gene."
    report = found(text.replace("breast cancer", "[X]"), text, policy)
    assert report.hidden == 1
    assert all(len(leak.terms) <= 2 for leak in report.leaks)


def test_a_policy_without_disclosure_gives_the_usual_settings() -> None:
    report = found(NOTE.replace("breast cancer", "[X]"), NOTE, {"protect": ["replace"]})
    assert report.leaks


def test_strategies_that_suggest_nothing_are_not_asked() -> None:
    policy = {"protect": ["replace", {"disclosure": {"strategy": "S1"}}]}
    (leak, *_) = found(NOTE.replace("breast cancer", "[X]"), NOTE, policy).leaks
    assert leak.suggestion.startswith("say")


def test_the_diagnosis_behind_black_boxes_is_given_away() -> None:
    original = (EXAMPLES / "discharge-note.txt").read_text()
    report = found((EXAMPLES / "discharge-note.redacted.txt").read_text(), original)
    terms = {t for leak in report.leaks for t in leak.terms}
    assert {"Antiretroviral treatment", "viral load"} <= terms
    assert "husband" not in terms


def test_terms_that_the_statistics_have_never_seen_are_listed() -> None:
    report = found("She has [DISEASE] and takes zorblattin.", "She has flu and takes zorblattin.")
    assert report.unknown == ("zorblattin",)
    assert report.lines[-1] == "not in the statistics, look at these yourself: zorblattin"
