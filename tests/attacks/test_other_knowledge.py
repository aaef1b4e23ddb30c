"""A genuine certificate over other knowledge than the verifier's: it is refused, whatever cannot be opened."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

import sfumato
from sfumato.keys import Key
from sfumato.know.statistics.index_build import build
from sfumato.policy import Policy, load, parse
from sfumato.release import batch
from sfumato.verify import Check

KNOWN = "knowledge is the certified one"
RULES = "detect: [patterns]\nprotect: [replace]\nreplace: {MISC: generalise}\n"


def rules(folder: Path, taxonomy: str, text: str = "thing\n  wombat\n") -> Policy:
    folder.mkdir(exist_ok=True)
    (folder / taxonomy).write_text(text)
    (folder / "p.yaml").write_text(f"{RULES}know: {{taxonomies: [{taxonomy}]}}\n")
    return load(folder / "p.yaml")


def known(release: sfumato.Release, policy: Policy, key: Key) -> Check:
    checks = sfumato.verify(release, policy, public_key=key.public)
    assert [c.verdict for c in checks[:3]] == ["holds"] * 3
    return next(check for check in checks if check.name == KNOWN)


@pytest.fixture
def made(tmp_path: Path, key: Key) -> sfumato.Release:
    policy = rules(tmp_path / "mine", "lax.txt")
    release = sfumato.sanitize("Ask ann@example.org about the roof.", policy, key=key)
    assert known(release, policy, key).verdict == "holds"
    return release


def test_knowledge_that_the_policy_in_hand_does_not_name_is_refused(
    tmp_path: Path, made: sfumato.Release, key: Key
) -> None:
    check = known(made, rules(tmp_path / "other", "strict.txt"), key)
    assert check.failed
    assert "does not name 'taxonomy strict'" in check.detail


def test_knowledge_of_the_same_name_that_differs_is_refused(
    tmp_path: Path, made: sfumato.Release, key: Key
) -> None:
    check = known(made, rules(tmp_path / "other", "lax.txt", "thing\n  roof\n"), key)
    assert check.failed
    assert "differs" in check.detail


def test_what_cannot_be_opened_is_refused_and_hides_nothing_that_differs(
    tmp_path: Path, made: sfumato.Release, key: Key
) -> None:
    policy = rules(tmp_path / "other", "lax.txt")
    (tmp_path / "other/lax.txt").unlink()
    check = known(made, policy, key)
    assert (check.verdict, check.refuses) == ("cannot be checked", True)
    for names in itertools.permutations(("taxonomy lax", "words")):
        other = replace(made.certificate, knowledge=dict.fromkeys(names, "0" * 64))
        other = replace(other, signature=key.sign(other.canonical()))
        check = known(replace(made, certificate=other), policy, key)
        assert check.failed
        assert "'words' differs" in check.detail


def by_index(folder: Path, *words: str) -> Policy:
    """A policy with an `information` detector for each of these words, by an index of its own."""
    folder.mkdir(exist_ok=True)
    for at, word in enumerate(words):
        (folder / "c.jsonl").write_text(f'{{"text": "{word} of the house"}}\n' * 6)
        build([folder / "c.jsonl"], folder / f"own-{at}.terms", jobs=1)
    steps = "".join(f"  - information: {{index: own-{i}.terms}}\n" for i in range(len(words)))
    (folder / "p.yaml").write_text(f"detect:\n{steps}protect: [replace]\n")
    return load(folder / "p.yaml")


def test_what_an_index_holds_is_certified_and_not_where_it_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: Key
) -> None:
    monkeypatch.chdir(tmp_path)
    policy = by_index(Path("mine"), "roof", "wall")
    release = sfumato.sanitize("Ask about the roof.", policy, key=key)
    monkeypatch.chdir(tmp_path / "mine")
    assert known(release, policy, key).verdict == "holds"
    assert known(release, load("p.yaml"), key).verdict == "holds"
    for other in (("roof", "door"), ("door", "wall"), ("wall", "roof")):
        check = known(release, by_index(tmp_path / "-".join(other), *other), key)
        assert check.failed
        assert "'statistics of information' differs" in check.detail


def test_the_ledgers_policy_finds_its_files_from_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: Key
) -> None:
    monkeypatch.chdir(tmp_path)
    rules(Path("mine"), "lax.txt")
    kept = load("mine/p.yaml").to_yaml()
    monkeypatch.chdir(tmp_path / "mine")
    release = sfumato.sanitize("Ask ann@example.org.", "p.yaml", key=key)
    assert known(release, parse(kept), key).verdict == "holds"


def by_taxonomies(folder: Path, *order: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "soft.txt").write_text("substance\n  soft thing\n    zorbium\n    blat\n    crum\n")
    (folder / "hard.txt").write_text("drug\n  zorbium family\n    zorbium\n    zorbium-b\n")
    path = folder / f"{'-'.join(order)}.yaml"
    path.write_text(
        "detect: [{lists: {hide: [{kind: DRUG, terms: [zorbium]}]}}]\nprotect: [replace]\n"
        f"replace: {{DRUG: generalise}}\nknow: {{taxonomies: [{', '.join(f'{o}.txt' for o in order)}]}}\n"
    )
    return path


def test_the_order_in_which_taxonomies_are_asked_is_certified_and_not_where_they_lie(
    tmp_path: Path, key: Key
) -> None:
    mine = by_taxonomies(tmp_path / "mine", "soft", "hard")
    release = sfumato.sanitize("She takes zorbium.", load(mine), key=key)
    assert release.text == "She takes soft thing."
    same = by_taxonomies(tmp_path / "same", "soft", "hard")
    assert known(release, load(same), key).verdict == "holds"
    check = known(release, load(by_taxonomies(tmp_path / "mine", "hard", "soft")), key)
    assert check.failed
    assert "'order of taxonomies' differs" in check.detail


def test_a_release_by_another_order_of_taxonomies_is_not_up_to_date(
    tmp_path: Path, key: Key
) -> None:
    (tmp_path / "n.txt").write_text("She takes zorbium.")
    jobs = batch.plan([str(tmp_path / "n.txt")], str(tmp_path / "out.txt"))
    said = []
    for order in (("soft", "hard"), ("soft", "hard"), ("hard", "soft")):
        policy = load(by_taxonomies(tmp_path / "know", *order))
        settings = batch.Settings(policy, key, tmp_path / "ledger.db")
        said += [outcome.status for outcome in batch.run(jobs, settings)]
    assert said == ["released", "up to date", "released"]
    assert "soft thing" not in (tmp_path / "out.txt").read_text()


def test_which_of_two_direct_columns_comes_first_is_part_of_the_policy() -> None:
    columns = {"visit": "direct", "patient": "direct", "note": "text"}
    first = load({"table": {"columns": columns}})
    other = load({"table": {"columns": dict(sorted(columns.items()))}})
    assert [p.table and p.table.person_column for p in (first, other)] == ["visit", "patient"]
    assert first.digest != other.digest
    assert parse(first.to_yaml()).digest == first.digest
