from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import sfumato
from sfumato import formats, plugins, policy
from sfumato.document import AGREEMENT, Document, Edit, Term, released_spans
from sfumato.english.folding import skeleton
from sfumato.english.ordinary import is_ordinary
from sfumato.errors import GuaranteeError, InputError
from sfumato.facts.mentions import find
from sfumato.formats.text import as_drawn
from sfumato.keys import Key
from sfumato.pipeline import Sanitizer
from sfumato.release.ledger import Ledger
from sfumato.verify import ALWAYS
from tests.strategies import examples, mixed_text

KEY = Key(bytes(range(32)))
PROFILES = {  # for random letters of all scripts
    name: policy.load(name).model_copy(update={"unread": unread})
    for name, unread in zip(policy.profiles(), cycle(["keep", "label"]), strict=False)
}
SANITIZERS = {name: Sanitizer(profile, KEY, Ledger(KEY)) for name, profile in PROFILES.items()}


@pytest.mark.parametrize("profile", policy.profiles())
@examples(60)
@given(text=mixed_text)
def test_a_release_is_unchanged_outside_edits_can_be_undone_and_holds_no_original(
    profile: str, text: str
) -> None:
    try:
        release = SANITIZERS[profile](Document(text))
    except (InputError, GuaranteeError):
        # A few words have no ten originals, and a selector of variants may stand where no code has one.
        assert profile == "plausible" or re.search("[\ufe00-\ufe0f]", text)
        return
    assert sfumato.restore(release) == text
    text = as_drawn(Document(text)).text
    kept_before, kept_after, at = [], [], 0
    for edit in release.edits:
        kept_before.append(text[at : edit.start])
        at = edit.end
    kept_before.append(text[at:])
    at = 0
    for start, end in released_spans(release.edits):
        kept_after.append(release.text[at:start])
        at = end
    kept_after.append(release.text[at:])
    assert kept_before == kept_after
    hidden = {skeleton(text[e.start : e.end]) for e in release.edits if e.how != AGREEMENT}
    hidden = {h for h in hidden if h and not is_ordinary(h)}
    assert not list(find("\n\n\n\n".join(kept_after), hidden))


@pytest.mark.parametrize("profile", policy.profiles())
@settings(max_examples=25)
@given(text=mixed_text)
def test_same_input_policy_and_key_give_the_same_output(profile: str, text: str) -> None:
    made: list[object] = []
    for _ in range(2):
        try:
            release = sfumato.sanitize(text, PROFILES[profile], key=KEY)
            made.append((release.text, release.certificate))
        except (InputError, GuaranteeError) as refusal:
            # As above.
            assert profile == "plausible" or re.search("[\ufe00-\ufe0f]", text)
            made.append((str(refusal), None))
    assert made[0] == made[1]


@examples(150)
@given(
    text=st.text("ab 1-é\n", min_size=1, max_size=30),
    spans=st.lists(
        st.tuples(st.integers(0, 29), st.integers(1, 8), st.integers(5, 10)), max_size=8
    ),
)
@example(text="1 1\n", spans=[(0, 4, 5)])  # ends with its line
def test_overlaps_never_corrupt(
    text: str,
    spans: list[tuple[int, int, int]],
) -> None:
    found = [
        Term(a, min(a + n, len(text)), "PERSON", s / 10, "x") for a, n, s in spans if a < len(text)
    ]
    made = Sanitizer(
        policy.load({"detect": [], "protect": ["replace"], "replace": {}}), KEY, Ledger(KEY)
    )
    edits = made.protect(Document(text), sfumato.document.resolve(found))
    shown = sfumato.document.render(Document(text), edits)
    assert sfumato.document.unrender(shown, formats.record(Document(text), edits)) == text


def test_every_further_mention_is_hidden() -> None:
    text = "Patient: Marta Keller-Braun. Later MARTA KELLER BRAUN slept."
    release = sfumato.sanitize(text)
    assert release.text == "Patient: [PERSON 1]. Later [PERSON 1] slept."
    listed = {
        "detect": [{"patterns": {"kinds": ["PERSON"]}}],
        "protect": ["replace"],
        "replace": {},
    }
    edits = sfumato.sanitize(text, listed).edits
    assert edits[1].reason.startswith("a further mention")


def test_kept_terms_stay() -> None:
    rules = policy.load("default").model_copy(update={"keep": ("info@example.org",)})
    text = "Ask info@example.org or ann@example.org; INFO@example.org again."
    assert (
        sfumato.sanitize(text, rules).text
        == "Ask info@example.org or [EMAIL 1]; INFO@example.org again."
    )


def test_findings_below_the_threshold_stay() -> None:
    text = "Ask ann@example.org"
    rules = policy.load("default").model_copy(update={"threshold": 1.0})
    assert len(sfumato.detect(text, rules)) <= len(sfumato.detect(text))


def test_what_only_shows_in_the_release_is_hidden_too() -> None:
    """Removing the middle would leave a telephone number that was none before."""
    rules = {
        "detect": [
            {
                "patterns": {
                    "kinds": ["CASE"],
                    "custom": [
                        {"name": "bracket", "kind": "MISC", "pattern": r"\[x+\]", "score": 0.9},
                        {"name": "joined", "kind": "CODE", "pattern": r"Q77", "score": 0.9},
                    ],
                }
            }
        ],
        "protect": ["replace"],
        "replace": {"MISC": "remove", "CODE": "label"},
    }
    assert sfumato.sanitize("see Q[xx]77 there", rules).text == "see [ID 1] there"


def test_a_claim_that_does_not_hold_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Sanitizer(policy.load("default"), KEY, Ledger(KEY))
    document = Document("Ask ann@example.org", "a.txt")
    with pytest.raises(
        GuaranteeError, match=r"a\.txt: 'every finding treated' does not hold"
    ) as caught:
        made.certify(document, [])
    assert caught.value.checks
    assert "ann" not in str(caught.value)
    with pytest.raises(GuaranteeError, match="originals gone"):
        made.certify(Document("Ann Lee, Ann Lee"), [Edit(0, 7, "PERSON", "X", "")])


def test_the_certificate_tells_nothing_about_the_original() -> None:
    one = sfumato.sanitize("Ask ann@example.org", key=KEY).certificate.to_dict()
    two = sfumato.sanitize("Ask bob@example.org", key=KEY).certificate.to_dict()
    assert one["output"] == two["output"]
    assert one["input"] != two["input"]
    assert "ann" not in json.dumps(one)
    assert {c["name"] for c in one["claims"]} == set(ALWAYS)


def test_a_release_describes_itself_without_originals() -> None:
    described = json.dumps(sfumato.sanitize("Ask ann@example.org").to_dict())
    assert "ann@" not in described
    assert '"kind": "EMAIL"' in described


def test_plug_ins_are_found_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    class ShoutOptions(plugins.Options):
        least: int = 3

    @plugins.detector("shouting", options=ShoutOptions)
    def shouting(options: ShoutOptions) -> plugins.Detector:
        def detect(document: Document) -> list[Term]:
            word = document.text.split()[0]
            return (
                [Term(0, len(word), "MISC", 1.0, "shouting", "shouted")] if word.isupper() else []
            )

        return detect

    try:
        rules = {"detect": [{"shouting": {"least": 2}}], "protect": ["replace"], "replace": {}}
        assert sfumato.sanitize("HELP me", rules).text == "[DETAIL 1] me"
    finally:
        plugins.DETECTORS.remove("shouting")


@pytest.mark.parametrize("steps", [[], ["idle"], ["idle", {"plausibility": {"t": 2}}]])
def test_what_no_step_treats_is_replaced_by_the_rules(steps: list[object]) -> None:
    plugins.protector("idle", options=plugins.Options)(lambda options, run: lambda d, t, e: e)
    try:
        rules = {"detect": ["patterns"], "protect": steps, "replace": {"EMAIL": "remove"}}
        assert sfumato.sanitize("Ask ann@example.org now.", rules).text == "Ask now."
    finally:
        plugins.PROTECTORS.remove("idle")


@pytest.mark.parametrize("name", ["ksafety", "plausibility", "disclosure"])
def test_a_protector_is_named_in_its_own_folder_alone(name: str) -> None:
    source = Path(sfumato.__file__).parent
    named = {
        file.relative_to(source).as_posix()
        for file in source.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Constant) and node.value == name
    }
    assert named == {"plugins.py", f"protect/{name}/model.py"}


def test_entry_points_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = []

    class Point:
        def load(self) -> None:
            loaded.append(True)

    monkeypatch.setattr(
        plugins, "entry_points", lambda group: [Point()] if "detector" in group else []
    )
    registry = plugins.Registry[plugins.DetectorPlugin]("detector", {})
    assert registry.names() == registry.names() == []
    assert loaded == [True]


def test_an_empty_text_is_released_empty() -> None:
    release = sfumato.sanitize("")
    assert (release.text, release.edits) == ("", ())


def test_what_the_policy_lets_stand_makes_way_for_what_it_hides() -> None:
    patterns = [
        {"name": "sum", "kind": "MONEY", "pattern": r"EUR [0-9]+ for \w+"},
        {"name": "name", "kind": "PERSON", "pattern": r"Zoltan"},
        {"name": "late", "kind": "CODE", "pattern": r"#\d+"},
    ]
    rules = {
        "detect": [{"patterns": {"kinds": ["CASE"], "custom": patterns}}],
        "protect": ["replace"],
        "replace": {"MONEY": "keep"},
    }
    assert sfumato.sanitize("EUR 20 for Zoltan", rules).text == "EUR 20 for [PERSON 1]"
    assert sfumato.sanitize("EUR 4711 for tea, #4711", rules).text == "EUR [ID 1] for tea, [ID 1]"


@pytest.mark.parametrize(
    ("text", "profile", "released"),
    [
        ("Seen May 2021 £40 paid", "hipaa-safe-harbor", "Seen 2021 £40 paid"),
        ("May 2021£", "hipaa-safe-harbor", "2021£"),
        ("her 95th birthday; the 95TH", "hipaa-safe-harbor", "her [AGE 1] birthday; the [AGE 1]"),
        ("her 80th birthday; the 80TH", "hipaa-safe-harbor", "her 80th birthday; the 80TH"),
        ("Budget 2024 £5m", "strict", "Budget [REDACTED][REDACTED]"),
        ("aged 47", "hipaa-safe-harbor", "aged 47"),
    ],
)
def test_rounds_end_and_no_rest_is_left(text: str, profile: str, released: str) -> None:
    rules = policy.load(profile).model_copy(update={"detect": policy.load("default").detect[:1]})
    assert sfumato.sanitize(text, rules).text == released


def test_a_finding_is_not_outvoted_by_one_that_may_stand() -> None:
    patterns = [
        {"name": "ward", "kind": "CODE", "pattern": r"aged 47"},
        {"name": "x", "pattern": "47"},
    ]
    rules = {
        "detect": [{"patterns": {"kinds": ["AGE"], "custom": patterns}}],
        "protect": ["replace"],
        "replace": {"AGE": {"how": "bucket", "top": 90, "below_top": "keep"}, "CODE": "label"},
    }
    assert sfumato.sanitize("he is aged 47", rules).text == "he is [ID 1]"
    assert sfumato.sanitize("he is 47 years old", rules).text == "he is [ID 1] [AGE 1]"


def test_certificates_name_the_knowledge_that_a_policy_rests_on() -> None:
    rules = {"detect": ["gazetteers", "information"], "protect": ["replace"], "replace": {}}
    release = sfumato.sanitize("She moved from Rotterdam to Lyon.", rules, key=KEY)
    assert set(release.certificate.knowledge) == {"words", "detector", "places", "statistics"}
    assert {c.verdict for c in sfumato.verify(release, rules, key=KEY)} == {"holds"}
    assert "Rotterdam" not in release.text


TEXTS = [f"Dr. Amina Yusuf saw patient {n} in Leeds on {n} May 2021." for n in range(1, 12)]


@pytest.mark.parametrize("profile", ["default", "research"])
def test_many_texts_come_out_as_one_by_one_in_their_order(profile: str) -> None:
    with Ledger(KEY) as one, Ledger(KEY) as other:
        alone = [sfumato.sanitize(text, profile, ledger=one).text for text in TEXTS]
        many = sfumato.sanitize_many(iter(TEXTS), profile, ledger=other, jobs=3)
        assert [release.text for release in many] == alone


def test_many_texts_are_taken_as_they_are_asked_for() -> None:
    taken = 0

    def texts() -> Iterator[str]:
        nonlocal taken
        for text in cycle(TEXTS):
            taken += 1
            yield text

    releases = sfumato.sanitize_many(texts(), jobs=2)
    assert "Yusuf" not in next(releases).text
    assert taken < len(TEXTS)


def test_columns_of_pandas_are_texts_and_what_is_missing_is_named() -> None:
    pandas = pytest.importorskip("pandas")
    column = pandas.Series(["Ask ann@example.org.", None])
    releases = sfumato.sanitize_many(column)
    with pytest.raises(TypeError, match="text 2: a text is a str or a Document, not float"):
        list(releases)


@pytest.mark.parametrize("wrong", [b"bytes", Path("note.txt"), None, 3, ["a", "b"]])
def test_what_is_no_text_is_a_type_error_that_says_so(wrong: Any) -> None:
    for function in (sfumato.sanitize, sfumato.detect, sfumato.Sanitizer()):
        with pytest.raises(TypeError, match="a text is a str or a Document, not"):
            function(wrong)


@pytest.mark.parametrize("wrong", ["one text", Document("one")])
def test_one_text_is_not_many(wrong: Any) -> None:
    with pytest.raises(TypeError, match="use sanitize"):
        sfumato.sanitize_many(wrong)


@pytest.mark.parametrize("jobs", [0, -2])
def test_many_texts_need_at_least_one_thread_and_that_is_said_at_once(jobs: int) -> None:
    with pytest.raises(ValueError, match=f"jobs is {jobs}, but"):
        sfumato.sanitize_many(TEXTS, jobs=jobs)


@pytest.mark.parametrize("wrong", [3, None, ["default"]])
def test_what_is_no_policy_is_a_type_error(wrong: Any) -> None:
    with pytest.raises(TypeError, match="a policy is a profile's name, a path, a dictionary"):
        sfumato.sanitize("text", wrong)


def test_a_sanitizer_takes_a_policy_by_name_and_a_text() -> None:
    sanitizer = sfumato.Sanitizer("strict")
    assert "ann" not in sanitizer("Ask ann@example.org.").text
