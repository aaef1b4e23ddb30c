"""What a policy's `know` names is opened, chained and hashed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sfumato import plugins, sanitize, verify
from sfumato.cli.know import app
from sfumato.document import Document
from sfumato.errors import GuaranteeError, InputError, PolicyError
from sfumato.keys import Key
from sfumato.know import sources
from sfumato.know.statistics import probability as statistics
from sfumato.know.statistics.index_build import IndexSettings, build
from sfumato.know.taxonomy import chain as taxonomy
from sfumato.know.taxonomy import own
from sfumato.know.taxonomy.own import Own
from sfumato.pipeline import Sanitizer
from sfumato.policy import Know, load, parse
from sfumato.release.ledger import Ledger


def test_without_settings_it_is_what_comes_along() -> None:
    assert sources.taxonomy_for(Know()) is taxonomy.default()
    assert statistics.blended(None, Know().weight) is statistics.default()
    assert sources.digests(Know()) == {}


def test_own_taxonomies_are_asked_first_and_hashed(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "pets.txt").write_text(f"{folder} pet\n  rex\n  cat\n")
    (tmp_path / "p.yaml").write_text("know:\n  taxonomies: [a/pets.txt, b/pets.txt]\n")
    know = load(tmp_path / "p.yaml").know
    chain = sources.taxonomy_for(know)
    assert [s.term for s in chain.ladder("rex")] == ["rex", "a pet"]
    named = sources.digests(know)
    assert sorted(named) == ["order of taxonomies", "taxonomy pets-1", "taxonomy pets-2"]


def test_a_taxonomy_that_changes_is_read_again_and_not_certified_as_another(tmp_path: Path) -> None:
    pets, policy = tmp_path / "pets.txt", tmp_path / "p.yaml"
    pets.write_text("pet\n  rex\n  cat\n")
    policy.write_text("detect: [patterns]\nknow: {taxonomies: [pets.txt]}\n")
    rules, key = load(policy), Key(bytes(32))
    with Ledger(key) as vault:
        made = Sanitizer(rules, key, vault)
        assert made(Document("Ask ann@example.org.")).text == "Ask [EMAIL 1]."
        assert [s.term for s in sources.taxonomy_for(rules.know).ladder("rex")] == ["rex", "pet"]
        pets.write_text("animal\n  rex\n  cat\n")
        assert [s.term for s in sources.taxonomy_for(rules.know).ladder("rex")] == ["rex", "animal"]
        with pytest.raises(GuaranteeError, match="has changed since it was read"):
            made(Document("Ask ann@example.org."))


def test_a_file_that_is_gone_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.txt: cannot be read"):
        sources.digests(Know(taxonomies=(str(tmp_path / "none.txt"),)))


def test_the_medical_taxonomies_can_be_chained() -> None:
    know = Know(medical=("phenotypes",))
    assert sources.taxonomy_for(know).senses("Night sweats")[0].taxonomy == "phenotypes"
    assert list(sources.digests(know)) == ["taxonomy phenotypes"]


@pytest.fixture
def trees() -> Iterator[str]:
    @plugins.taxonomy("trees", knowledge=Own.knowledge)
    def make() -> Own:
        return Own("trees", own.from_indented("tree\n  birch\n  oak\n    cork oak\n    holm oak\n"))

    yield "trees"
    plugins.TAXONOMIES.remove("trees")


def test_a_registered_taxonomy_is_named_beside_files(tmp_path: Path, trees: str) -> None:
    (tmp_path / "pets.txt").write_text("pet\n  rex\n  cat\n")
    (tmp_path / "p.yaml").write_text(f"know:\n  taxonomies: [{trees}, pets.txt]\n")
    know = load(tmp_path / "p.yaml").know
    found = sources.taxonomy_for(know)
    assert [s.term for s in found.ladder("cork oak")] == ["cork oak", "oak", "tree"]
    assert [s.term for s in found.ladder("rex")] == ["rex", "pet"]
    assert sorted(sources.digests(know)) == [
        "order of taxonomies",
        "taxonomy pets",
        "taxonomy trees",
    ]


def test_what_is_asked_first_counts_though_it_would_be_asked_anyway() -> None:
    assert list(sources.digests(Know(taxonomies=("named",)))) != []
    assert "order of taxonomies" in sources.digests(Know(taxonomies=("wordnet",)))


def test_a_registered_taxonomy_that_names_no_knowledge_counts_by_its_name() -> None:
    bare = plugins.taxonomy("bare", knowledge=lambda _: {})
    bare(lambda: Own("bare", own.from_indented("tree\n  oak\n")))
    try:
        assert list(sources.digests(Know(taxonomies=("bare",)))) == ["order of taxonomies"]
    finally:
        plugins.TAXONOMIES.remove("bare")


def test_its_hash_is_of_names_and_parents(trees: str) -> None:
    before = sources.digests(Know(taxonomies=(trees,)))[f"taxonomy {trees}"]
    for text in ("tree\n  oak\n  cork oak\n", "tree\n  oak\n    holm oak\n"):
        made = Own(trees, own.from_indented(text))
        assert made.knowledge()[f"taxonomy {trees}"] != before


def test_a_name_that_nobody_registered_is_refused(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text("know:\n  taxonomies: [oaks]\n")
    with pytest.raises(
        PolicyError, match=r"no taxonomy 'oaks'; there are .*wordnet, or give a file"
    ):
        load(tmp_path / "p.yaml")


def test_the_command_takes_a_registered_name(trees: str) -> None:
    done = CliRunner().invoke(app, ["ladder", "cork oak", "--taxonomy", trees, "--json"])
    assert [step["term"] for step in json.loads(done.stdout)["steps"]] == [
        "cork oak",
        "oak",
        "tree",
    ]
    failed = CliRunner().invoke(app, ["ladder", "cork oak", "--taxonomy", "oaks"])
    assert isinstance(failed.exception, InputError)


def test_its_hash_stands_in_the_certificate_and_is_checked(trees: str, key: Key) -> None:
    policy = parse(
        "detect: [{lists: {hide: [{kind: MISC, terms: [cork oak]}]}}]\n"
        f"protect: [replace]\nreplace: {{MISC: generalise}}\nknow: {{taxonomies: [{trees}]}}",
        where="p.yaml",
    )
    release = sanitize("Bark of the cork oak.", policy=policy, key=key)
    assert release.text == "Bark of the oak."
    assert f"taxonomy {trees}" in release.certificate.knowledge
    checks = verify(release, policy, key=key)
    assert {c.name: c.verdict for c in checks}["knowledge is the certified one"] == "holds"
    other = Own(trees, own.from_indented("tree\n  oak\n    cork oak\n    kermes oak\n"))
    plugins.taxonomy(trees, knowledge=Own.knowledge)(lambda: other)
    checks = verify(release, policy, key=key)
    seen = {c.name: c.verdict for c in checks}
    assert seen["knowledge is the certified one"] == "does not hold"


def test_what_comes_along_is_registered_by_its_name() -> None:
    chained = taxonomy.default()
    for name in taxonomy.COME_ALONG:
        assert plugins.TAXONOMIES.get(name).open() is chained[name]
        assert chained[name].name == name
    assert {"phenotypes", "diseases", "diagnoses", *taxonomy.COME_ALONG} <= set(
        plugins.TAXONOMIES.names()
    )


@pytest.mark.parametrize("weight", [1.0, 0.25])
def test_own_statistics_are_blended_with_ours(tmp_path: Path, weight: float) -> None:
    corpus = tmp_path / "corpus.jsonl"
    texts = ["the zorblatt of Miami", "a zorblatt and a dog"] * 4
    corpus.write_text("".join(json.dumps({"title": "t", "text": t}) + "\n" for t in texts))
    build([corpus], tmp_path / "own.terms", IndexSettings(), jobs=1)
    know = Know(index=str(tmp_path / "own.terms"), weight=weight)
    ours = statistics.default().p("zorblatt")
    assert statistics.blended(know.index, know.weight).p("zorblatt") > weight / 2 > ours
    assert sources.digests(know)["own statistics"].startswith(f"{weight!r}:")
