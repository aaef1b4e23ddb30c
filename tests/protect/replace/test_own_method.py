"""A method of a user's own: named by a policy, validated, applied, certified and checked like those that come along."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from pydantic import Field

import sfumato
from sfumato import policy
from sfumato.document import Claim, Document, Term
from sfumato.errors import GuaranteeError, PolicyError
from sfumato.know.fingerprints import source
from sfumato.plugins import METHODS, Options, method
from sfumato.protect import Run
from sfumato.protect.replace import Method, Overview, Replacement, Unfit
from sfumato.protect.replace.model import ReplaceOptions, make
from tests.conftest import ROOT
from tests.protect.replace.test_surrogates import KEY, MemoryVault

TEXT = "Write to ann@example.org or bob@example.net."


class Renamed(Options):
    """The address with another name."""

    name: str = Field(description="What stands before the @.")
    domains: tuple[str, ...] = Field((), description="Domains that may stay.")


def _own_domain(options: Renamed, text: str) -> bool:
    return text.endswith(options.domains)


def renamed(options: Renamed, overview: Overview) -> Method:
    def replace(term: Term, original: str) -> Replacement | Unfit:
        if term.kind != "EMAIL":
            return Unfit("it is no address")
        if _own_domain(options, original):
            return Replacement(original, "one of ours", may_stay=True)
        return Replacement(f"{options.name}@{original.split('@')[1]}", "the domain kept")

    return replace


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    yield
    if METHODS.find("renamed"):
        METHODS.remove("renamed")


def rules(**settings: Any) -> dict[str, Any]:
    rule = {"how": "renamed", "name": "someone", **settings}
    return {"detect": ["patterns"], "replace": {"EMAIL": rule, "PHONE": rule}}


def test_a_policy_names_it_and_its_edits_say_so() -> None:
    method("renamed", options=Renamed)(renamed)
    release = sfumato.sanitize(f"{TEXT} Or call +44 20 7946 0958.", rules())
    assert release.text == (
        "Write to someone@example.org or someone@example.net. Or call [PHONE 1]."
    )
    assert [e.how for e in release.edits] == ["renamed", "renamed", "label"]
    assert release.edits[0].reason.endswith("; the domain kept")
    assert release.edits[2].reason.endswith("; replaced by a label, as it is no address")


def test_its_settings_are_checked_written_and_in_the_digest() -> None:
    method("renamed", options=Renamed)(renamed)
    made = policy.load(rules(domains=["example.org"]))
    assert policy.parse(made.to_yaml()) == made
    assert made.digest != policy.load(rules()).digest
    jsonschema.validate(rules(domains=["example.org"]), policy.schema())
    for text, problem in (
        ("replace: {EMAIL: renamed}", "'replace.EMAIL.name' is missing"),
        ("replace: {EMAIL: {how: renamed, nmae: x}}", "unknown setting 'replace.EMAIL.nmae'; did you mean 'name'?"),
        ("replace: {EMAIL: {how: renamed, name: 3}}", "replace.EMAIL.name: input should be a valid string"),
        ("replace: {EMAIL: renmed}", "unknown method 'renmed'; did you mean 'renamed'?"),
    ):  # fmt: skip
        with pytest.raises(PolicyError) as caught:
            policy.parse(text)
        assert any(problem in line for line in caught.value.problems)


def test_what_may_stand_is_believed_only_if_it_was_declared() -> None:
    ours = rules(domains=("example.org",))
    method("renamed", options=Renamed)(renamed)
    with pytest.raises(GuaranteeError, match="every finding treated"):
        sfumato.sanitize(TEXT, ours)
    method("renamed", options=Renamed, may_stand=_own_domain)(renamed)
    assert sfumato.sanitize(TEXT, ours).text == "Write to ann@example.org or someone@example.net."


@pytest.mark.parametrize(
    ("gives", "verdict"),
    [("mark", "does not hold"), ("code", "cannot be checked"), ("invented", "cannot be checked")],
)
def test_without_the_ledger_what_reads_like_a_term_may_be_a_replacement_and_a_mark_may_not(
    gives: Any, verdict: str
) -> None:
    from sfumato.detect.finder import Finder
    from sfumato.verify import Evidence, check_claims

    method("renamed", options=Renamed, gives=gives)(renamed)
    settings = policy.load(rules())
    released = sfumato.sanitize(TEXT, settings).text
    evidence = Evidence(released, settings, Finder(settings))
    (check,) = check_claims([Claim("no known term left")], evidence)
    assert check.verdict == verdict


def test_the_certificate_names_what_it_rests_on(tmp_path: Path) -> None:
    data = tmp_path / "domains.txt"
    data.write_text("example.org")
    method("renamed", options=Renamed, knowledge=source("domains", data))(renamed)
    knowledge = sfumato.sanitize(TEXT, rules()).certificate.knowledge
    assert set(knowledge) == {"words", "places", "domains", "year"}


def test_generalise_names_the_taxonomies_and_the_senses_of_words() -> None:
    settings = {"detect": ["patterns"], "replace": {"LOC": "generalise"}}
    assert set(sfumato.sanitize(TEXT, settings).certificate.knowledge) == {
        "words",
        "taxonomy",
        "places",
        "senses",
        "year",
    }


def test_kinds_with_the_same_rule_share_one_method_of_a_document() -> None:
    counted: list[str] = []

    def count(options: Renamed, overview: Overview) -> Method:
        counted.append(overview.document.name)
        return lambda term, original: Replacement("x", "counted")

    method("renamed", options=Renamed)(count)
    settings = policy.load(rules())
    protect = make(ReplaceOptions(), Run(settings, KEY, MemoryVault()))
    terms = [Term(0, 3, "EMAIL", 1, "test"), Term(4, 7, "PHONE", 1, "test")]
    for name in "ab":
        assert len(protect(Document("Ann B-7", name), terms, [])) == 2
    assert counted == ["a", "b"]


def test_a_package_brings_one_by_an_entry_point(tmp_path: Path) -> None:
    (tmp_path / "reversing.py").write_text(
        "from sfumato.plugins import Options, method\n"
        "from sfumato.protect.replace import Replacement\n"
        "class Backwards(Options):\n"
        "    '''The letters from the last to the first.'''\n"
        "@method('backwards', options=Backwards)\n"
        "def backwards(options, overview):\n"
        "    return lambda term, original: Replacement(original[::-1], 'turned round')\n"
    )
    folder = tmp_path / "reversing-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: reversing\nVersion: 1\n")
    (folder / "entry_points.txt").write_text("[sfumato.methods]\nbackwards = reversing\n")
    code = (
        "import sfumato\n"
        "rules = {'detect': ['patterns'], 'replace': {'EMAIL': 'backwards'}}\n"
        "print(sfumato.sanitize('Ask ann@example.org', rules).text)"
    )
    path = os.pathsep.join([str(ROOT / "src"), str(tmp_path)])
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert done.stdout == "Ask gro.elpmaxe@nna\n", done.stderr
