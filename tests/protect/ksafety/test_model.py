"""K-safety bound to text."""

from __future__ import annotations

import json
import re
from itertools import combinations
from math import log2
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sfumato import GuaranteeError, InputError, Ledger, PolicyError, sanitize
from sfumato.document import Document
from sfumato.keys import Key
from sfumato.know.entities import readers
from sfumato.pipeline import Sanitizer
from sfumato.policy import load
from sfumato.protect.ksafety.options import KSafetyOptions
from sfumato.protect.ksafety.reasons import Counterexample, told
from sfumato.protect.ksafety.removal import cuts
from tests.clinic import SIGNS, is_k_safe, make_clinic, policy
from tests.strategies import examples

NOTE = "He reports weight loss, sweating, fever, fatigue and pain."
WORDS = sorted({term for terms in SIGNS.values() for term in terms})


@pytest.fixture
def clinic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return make_clinic(tmp_path)


def terms_in(text: str) -> set[str]:
    flat = re.sub(r"[\s-]+", " ", text.lower())
    return {word for word in WORDS if re.search(rf"\b{word}(s|es)?\b", flat)}


def information(terms: set[str]) -> float:
    having = {t: sum(t in signs for signs in SIGNS.values()) for t in terms}
    return round(sum(log2((len(SIGNS) + 1) / having[t]) for t in terms), 9)


def test_a_text_that_gives_an_entity_away_loses_the_least_information(clinic: Path) -> None:
    release = sanitize(NOTE, policy(clinic))
    given, left = terms_in(NOTE), terms_in(release.text)
    protected = ["HIV", "Tuberculosis"]
    assert not is_k_safe(given, 2, protected)
    assert is_k_safe(left, 2, protected)
    subsets = [set(c) for n in range(len(given) + 1) for c in combinations(sorted(given), n)]
    safe = [s for s in subsets if is_k_safe(s, 2, protected)]
    assert information(left) == max(map(information, safe))
    most = terms_in(sanitize(NOTE, policy(clinic, weights="count")).text)
    assert len(most) == max(map(len, safe))
    assert [c.verdict for c in release.checks if c.name == "K-safe"] == ["holds"]


def test_a_k_safe_text_is_left_alone(clinic: Path) -> None:
    release = sanitize("Fever and a cough, and pain.", policy(clinic, k=1))
    assert release.edits == ()


def test_a_text_without_context_terms_is_released_unchanged_and_said_so(clinic: Path) -> None:
    release = sanitize("The weather was fine.", policy(clinic))
    assert release.text == "The weather was fine."
    (check,) = [c for c in release.checks if c.name == "K-safe"]
    assert check.detail == "the text has no context term"


def test_as_the_last_step_it_replaces_findings_by_the_policys_rules(clinic: Path) -> None:
    rules = policy(clinic) | {"detect": ["patterns"]}
    release = sanitize("Write to ann@example.org about fever.", rules)
    assert release.text == "Write to [EMAIL 1] about fever."
    other = rules | {"replace": {"EMAIL": {"how": "label", "text": "<mail>"}}}
    assert sanitize("Write to ann@example.org.", other).text == "Write to <mail>."


def test_every_occurrence_goes_in_every_inflection(clinic: Path) -> None:
    text = "Lump here. LUMPS there; the lump's edge. No lumps at all."
    labels = {"Lymphoma": ("protected",)}
    database = make_clinic(clinic.parent, labels=labels, readers=(), name="lumps.db")
    release = sanitize(text, policy(database))
    assert "lump" not in release.text.lower()


def test_the_name_of_a_protected_entity_goes(clinic: Path) -> None:
    text = "Exposed to HIV, tuberculosis and flu."
    assert sanitize(text, policy(clinic)).text == "Exposed to flu."
    lung = sanitize(text, policy(clinic), reader="lung clinic")
    assert lung.text == "Exposed to tuberculosis and flu."
    assert sanitize(text, policy(clinic), reader="head").text == text


@pytest.mark.parametrize(
    "said", ["H.I.V.", "H-I-V", "h i v", "H\u200bI\u200bV", "Tuber-culosis", "h_iv"]
)
def test_a_protected_name_goes_in_any_spelling(clinic: Path, said: str) -> None:
    release = sanitize(f"Tested for {said}; the hive is fine.", policy(clinic))
    assert said[:3] not in release.text
    assert "HIV" not in release.text
    assert release.text.endswith("the hive is fine.")
    drawn = said.replace("\u200b", "")
    assert drawn in sanitize(f"Tested for {said} today.", policy(clinic), reader="head").text


def test_a_name_that_enough_others_share_may_stay(clinic: Path) -> None:
    signs = {f"Ann  Lee{' ' * i}": ("tall",) for i in range(1)} | {"Ann Lee": ("tall",)}
    signs |= {"ann lee": ("tall",), "ANN LEE": ("tall",), "Bo": ("tall",)}
    database = make_clinic(
        clinic.parent, signs, {"Ann Lee": ("protected",)}, readers=(), name="people.db"
    )
    assert sanitize("Ann Lee is tall.", policy(database, k=2)).edits == ()
    assert "Ann" not in sanitize("Ann Lee is tall.", policy(database, k=3)).text


def test_where_a_part_of_a_longer_term_goes_the_longer_one_goes(clinic: Path) -> None:
    signs = {f"e{i}": ("breast cancer", "fever") for i in range(5)} | {"Rare": ("cancer", "fever")}
    database = make_clinic(
        clinic.parent, signs, {"Rare": ("protected",)}, readers=(), name="cancer.db"
    )
    release = sanitize("A fever, and breast cancer; cancer.", policy(database, k=2))
    assert "cancer" not in release.text
    assert "breast" not in release.text
    assert "fever" in release.text


def test_a_term_that_comes_up_by_a_removal_is_looked_at(clinic: Path) -> None:
    signs = {"Rare": ("blue spots", "red"), "a": ("fever",), "b": ("fever",), "c": ("fever",)}
    database = make_clinic(
        clinic.parent, signs, {"Rare": ("protected",)}, readers=(), name="spots.db"
    )
    release = sanitize("He has blue red spots.", policy(database, k=1, mark=""))
    assert "spots" not in release.text


def test_what_an_earlier_protector_put_in_counts(clinic: Path) -> None:
    rules = policy(clinic)
    rules["detect"] = [{"lists": {"hide": [{"kind": "WARD", "terms": ["Halyard"]}]}}]
    rules["replace"] = {"WARD": {"how": "label", "text": "sneezing"}}
    rules["protect"] = ["replace", {"ksafety": {"k": 1, "entities": str(clinic)}}]
    labels = {"Cold": ("protected",)}
    make_clinic(clinic.parent, labels=labels, readers=())
    release = sanitize("Halyard patients cough.", rules)
    assert "sneezing" not in release.text
    rules["protect"].reverse()  # it comes back to it in the next round
    assert "sneezing" not in sanitize("Halyard patients cough.", rules).text


def test_other_spellings_of_a_removed_term_go_too(clinic: Path) -> None:
    make_clinic(clinic.parent, labels={"Lymphoma": ("protected",)}, readers=())
    text = "A lump of some weight loss. Weightloss again."
    release = sanitize(text, policy(clinic, k=5))
    assert "weight" not in release.text.lower()


def test_what_the_policy_keeps_stays_or_is_an_error(clinic: Path) -> None:
    rules = policy(clinic) | {"keep": ["sweating"]}
    assert "sweating" in sanitize(NOTE, rules).text
    with pytest.raises(InputError, match="which the policy keeps") as told_:
        sanitize("He is sweating.", policy(clinic, k=6) | {"keep": ["sweating"]})
    assert "sweating" not in str(told_.value)


def test_reasons_with_names_stay_in_the_ledger(clinic: Path, key: Key, tmp_path: Path) -> None:
    with Ledger(key, tmp_path / "ledger.db") as ledger:
        release = sanitize(NOTE, policy(clinic), ledger=ledger)
        entry = ledger.find_one(release.text.encode())
    reasons = [e.private for e in entry.record.edits]
    assert any(
        re.search(r"only (HIV|Tuberculosis)( and 1 other)? remains?; 2 are required", r)
        for r in reasons
    )
    public = json.dumps(release.to_dict())
    for secret in ("HIV", "Tuberculosis", "remain"):
        assert secret not in public
    claim = next(c for c in release.certificate.claims if c.name == "K-safe")
    assert claim.parameters == {"k": 2}


def test_readers_have_views_of_their_own(clinic: Path) -> None:
    seen = {
        name: sanitize(NOTE, policy(clinic), reader=name).text
        for name in ("virologist", "lung clinic", "head")
    }
    assert seen["head"] == NOTE
    assert is_k_safe(terms_in(seen["virologist"]), 2, ["Tuberculosis"])
    assert is_k_safe(terms_in(seen["lung clinic"]), 2, ["HIV"])


@pytest.mark.parametrize(
    ("k", "reader", "message"),
    [
        (8, None, "8 entities, too few for K=8"),
        (2, "eve", "no reader 'eve'"),
    ],
)
def test_what_cannot_be_answered_is_refused(
    clinic: Path, k: int, reader: str | None, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        sanitize(NOTE, policy(clinic, k=k), reader=reader)


def test_nothing_protected_is_an_error_and_not_a_guarantee(clinic: Path) -> None:
    with pytest.raises(InputError, match="no entity is labelled 'secret'"):
        sanitize(NOTE, policy(clinic, protected="secret"))


def test_an_empty_database_is_refused(clinic: Path) -> None:
    import sqlite3

    with sqlite3.connect(clinic) as opened:
        for table in ("entities", "labels", "terms"):
            opened.execute(f"DELETE FROM {table}")
    opened.close()
    with pytest.raises(InputError, match="empty"):
        sanitize(NOTE, policy(clinic))


def test_two_steps_are_refused(clinic: Path) -> None:
    rules = policy(clinic)
    rules["protect"] *= 2
    with pytest.raises(PolicyError, match="one ksafety step"):
        sanitize(NOTE, rules)


def test_rights_that_change_count_from_the_next_document(clinic: Path, key: Key) -> None:
    import sqlite3

    with Ledger(key) as vault:
        view = Sanitizer(load(policy(clinic)), key, vault, "virologist")
        document = Document(NOTE)
        before = view(document).text
        with sqlite3.connect(clinic) as opened:
            opened.execute("UPDATE readers SET value = 'Gout' WHERE reader = 'virologist'")
        opened.close()
        after = view(document).text
    assert is_k_safe(terms_in(before), 2, ["Tuberculosis"])
    assert is_k_safe(terms_in(after), 2, ["HIV", "Tuberculosis"])
    assert before != after


def test_the_same_text_gives_the_same_release(clinic: Path) -> None:
    assert sanitize(NOTE, policy(clinic)).text == sanitize(NOTE, policy(clinic)).text


@pytest.mark.parametrize("weights", ["information", "count"])
@pytest.mark.parametrize("method", ["auto", "exact", "btop", "levelwise"])
def test_every_method_gives_a_safe_text(clinic: Path, weights: str, method: str) -> None:
    release = sanitize(NOTE, policy(clinic, weights=weights, method=method))
    assert is_k_safe(terms_in(release.text), 2, ["HIV", "Tuberculosis"])


def test_a_claim_that_does_not_hold_is_never_released(
    clinic: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sfumato.protect.ksafety.model import KSafety

    monkeypatch.setattr(KSafety, "__call__", lambda self, document, terms, edits: list(edits))
    with pytest.raises(GuaranteeError, match="K-safe"):
        sanitize(NOTE, policy(clinic))


signs = st.dictionaries(
    st.sampled_from([f"Entity{n}" for n in "ABCDEFGH"]),
    st.sets(st.sampled_from(WORDS), min_size=1, max_size=5),
    min_size=4,
    max_size=8,
)


@settings(examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    signs,
    st.lists(st.sampled_from([*WORDS, "EntityA", "he", "and", ",", "."]), max_size=20),
    st.integers(1, 3),
)
def test_releases_are_k_safe_by_the_definition(
    tmp_path_factory: pytest.TempPathFactory,
    signs: dict[str, set[str]],
    words: list[str],
    k: int,
) -> None:
    folder = tmp_path_factory.mktemp("clinic")
    protected = sorted(signs)[:2]
    database = make_clinic(
        folder,
        {e: sorted(t) for e, t in signs.items()},
        dict.fromkeys(protected, ("protected",)),
        readers=(),
    )
    text = " ".join(words)
    release = sanitize(text, policy(database, k=k))
    assert is_k_safe(terms_in(release.text), k, protected, signs)
    assert not any(name.lower() in release.text.lower() for name in protected)
    named = any(name in text for name in protected)
    if is_k_safe(terms_in(text), k, protected, signs) and not named:
        assert release.text == text


def test_paths_start_at_the_policys_folder_and_do_not_count(clinic: Path, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "p.yaml").write_text("protect: [{ksafety: {entities: ../clinic.db, k: 2}}]\n")
    options = load(folder / "p.yaml").protect[0].options
    assert isinstance(options, KSafetyOptions)
    assert Path(options.entities).resolve() == clinic.resolve()
    other = KSafetyOptions.model_validate({"entities": "x.db", "k": 2, "tables": {"entity": "e"}})
    place = {"digest": True}
    assert options.model_dump(context=place) == other.model_dump(context=place)
    assert options.model_dump() != other.model_dump()
    kept = KSafetyOptions.model_validate({"entities": "$CLINIC"}, context={"folder": folder})
    assert kept.entities == "$CLINIC"


def test_the_environment_may_say_where_the_entities_are(
    clinic: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match="the environment has no CLINIC"):
        sanitize(NOTE, policy("$CLINIC"))
    monkeypatch.setenv("CLINIC", str(clinic))
    assert sanitize(NOTE, policy("$CLINIC")).text == sanitize(NOTE, policy(clinic)).text
    assert readers.address("x.db") == "x.db"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("He has <fever>, insomnia, <a cough>, pain and <headaches>.", "He has insomnia, pain."),
        ("exposed to <mumps> and <HIV>.", "exposed to […]."),
        ("exposed to mumps and <HIV>. It", "exposed to mumps. It"),
        ("<Fever>, cough and pain", "Cough and pain"),
        ("<Fever> was seen", "[…] was seen"),
        ("In March, <fever> was noted.", "In March, […] was noted."),
        ("one, <two>, and three.", "one, and three."),
        ("one, two, and <three>.", "one, two."),
        ("x (<fever>) y", "x y"),
        ("- one\n- <two>\n- three\n", "- one\n- three\n"),
        ("- <one>\n- two", "- two"),
        ("- <Fever>, cough and pain", "- Cough and pain"),
        ("<fever>, which rose,", "[…], which rose,"),
        ("pain and <cough>, but no", "pain, but no"),
        ("<one> and <two> were", "[…] were"),
        ("the <fever> rose", "[…] rose"),
        ("one, two and <three> since May", "one, two since May"),
        ("one and <two> rose", "one and […] rose"),
        ("one, <two>\nnext", "one\nnext"),
    ],
)  # fmt: skip
def test_a_removal_leaves_fluent_text(text: str, left: str) -> None:
    spans, plain = [], ""
    for part in re.split(r"(<[^>]*>)", text):
        if part.startswith("<"):
            spans.append((len(plain), len(plain) + len(part) - 2))
        plain += part.strip("<>")
    made, at = [], 0
    for cut in cuts(plain, spans):
        made += [plain[at : cut.start], cut.replacement]
        at = cut.end
    assert "".join([*made, plain[at:]]) == left


def test_a_counterexample_reads_like_a_sentence() -> None:
    said = ["sweating", "weight loss", "fatigue"].__getitem__
    assert (
        told(Counterexample((0, 1, 2), 0, 3), 10, said, "HIV")
        == "with *sweating*, *weight loss* and *fatigue* only HIV and 3 others remain; 10 are required"
    )
    assert told(Counterexample((0,), 0, 0), 2, said, "HIV").endswith(
        "only HIV remains; 2 are required"
    )
    assert "HIV and 1 other remain;" in told(Counterexample((0,), 0, 1), 2, said, "HIV")


GROWTHS = {
    "Rare": ("lung cancer", "fever"),
    "B": ("liver cancer", "fever"),
    "C": ("skin cancer", "fever"),
    "D": ("fever",),
    "E": ("pain",), "F": ("pain",), "G": ("pain",), "H": ("pain",),
}  # fmt: skip
TREE = "growth\n  cancer\n    lung cancer\n    liver cancer\n    skin cancer\n  wart\n"


@pytest.fixture
def growths(clinic: Path) -> dict[str, Any]:
    folder = clinic.parent
    (folder / "growths.txt").write_text(TREE)
    database = make_clinic(folder, GROWTHS, {"Rare": ("protected",)}, (), name="growths.db")
    rules = policy(database, k=2, generalise=True)
    return rules | {"know": {"taxonomies": [str(folder / "growths.txt")]}}


def test_a_more_general_word_is_better_than_none(growths: dict[str, Any]) -> None:
    release = sanitize("Lung cancer with fever, and lung cancers again.", growths)
    assert release.text == "Cancer with fever, and cancers again."
    assert {e.how for e in release.edits} == {"generalise"}
    assert all(e.concept for e in release.edits)
    assert "K-safe" in [c.name for c in release.checks if c.verdict == "holds"]
    options = growths["protect"][0]["ksafety"]
    options["generalise"] = False
    assert "cancer" not in sanitize("Lung cancer with fever.", growths).text.lower()


def test_words_above_count_wherever_they_come_from(growths: dict[str, Any]) -> None:
    options = growths["protect"][0]["ksafety"]
    options["k"] = 3  # only three have a growth of any sort
    assert "growth" not in sanitize("A growth, and fever.", growths).text
    options["generalise"] = False
    assert "growth" in sanitize("A growth, and fever.", growths).text


def test_a_general_word_that_is_not_safe_itself_is_not_used(growths: dict[str, Any]) -> None:
    growths["protect"][0]["ksafety"]["k"] = 3
    assert sanitize("Lung cancer with fever.", growths).text == "[…] with fever."


def test_a_term_with_a_part_that_goes_climbs_as_a_whole(clinic: Path) -> None:
    signs = {
        "Rare": ("cancer", "lung cancer"),
        "B": ("lung cancer",), "C": ("lung cancer",), "D": ("lump",), "E": ("lump",),
        **{f"x{i}": ("pain",) for i in range(6)},
    }  # fmt: skip
    folder = clinic.parent
    (folder / "tree.txt").write_text(
        "growth\n  cancer\n  lump\n  lung growth\n    lung cancer\n    lung wart\n"
    )
    database = make_clinic(folder, signs, {"Rare": ("protected",)}, (), name="parts.db")
    rules = policy(database, k=2, generalise=True)
    rules["know"] = {"taxonomies": [str(folder / "tree.txt")]}
    assert sanitize("He has lung cancer.", rules).text == "He has lung growth."


def test_generalising_by_count_and_with_a_budget(growths: dict[str, Any]) -> None:
    growths["protect"][0]["ksafety"] |= {"weights": "count", "budget": 10}
    assert sanitize("Lung cancer with fever.", growths).text == "Cancer with fever."


ABOVE = {
    "fever": "heat", "sweating": "heat", "cough": "chill", "sneezing": "chill", "lump": "growth",
    "pain": "complaint", "fatigue": "complaint", "weight loss": "complaint",
}  # fmt: skip


@settings(examples(15), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(signs, st.lists(st.sampled_from([*WORDS, "heat", "chill"]), max_size=12), st.integers(1, 3))
def test_generalised_releases_are_k_safe_with_the_words_above(
    tmp_path_factory: pytest.TempPathFactory, signs: dict[str, set[str]], words: list[str], k: int
) -> None:
    folder = tmp_path_factory.mktemp("clinic")
    tree = "".join(
        f"{top}\n" + "".join(f"  {w}\n" for w in WORDS if ABOVE[w] == top) + f"  other {top}\n"
        for top in sorted(set(ABOVE.values()))
    )
    (folder / "tree.txt").write_text(tree)
    protected = sorted(signs)[:2]
    labels = dict.fromkeys(protected, ("protected",))
    database = make_clinic(folder, {e: sorted(t) for e, t in signs.items()}, labels, readers=())
    rules = policy(database, k=k, generalise=True)
    release = sanitize(
        ", ".join(words), rules | {"know": {"taxonomies": [str(folder / "tree.txt")]}}
    )
    wider = {e: terms | {ABOVE[t] for t in terms} for e, terms in signs.items()}
    said = {
        w for w in (*WORDS, *ABOVE.values()) if re.search(rf"\b{w}(s|es)?\b", release.text.lower())
    }
    assert is_k_safe(said, k, protected, wider)
