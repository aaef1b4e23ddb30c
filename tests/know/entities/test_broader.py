"""The words above context terms, and who has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sfumato.know.entities.broader import Broader, broader
from sfumato.know.entities.readers import register
from sfumato.know.taxonomy import chain as taxonomy
from sfumato.know.taxonomy import own
from tests.clinic import make_clinic

SIGNS = {
    "A": ("lung cancer", "fever"),
    "B": ("liver cancers",),
    "C": ("cancer", "zzyzx"),
    "D": ("fever",),
}
TREE = "growth\n  cancer\n    lung cancer\n    liver cancer\n  wart\n"


@pytest.fixture
def words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Broader:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "growths.txt").write_text(TREE)
    chain = taxonomy.Chain([own.load(tmp_path / "growths.txt", "growths")])
    opened = register(str(make_clinic(tmp_path, SIGNS, {}, ()))).current()
    made = broader(opened, chain)
    assert broader(opened, chain) is made
    return made


def having(words: Broader, text: str) -> dict[str, list[int]]:
    ids = [m.term for m in words.match(text)]
    found = words.restrict(ids)
    return {
        term: [e for e in range(len(found)) if at in found.of(e)]
        for at, term in enumerate(words.terms(ids))
    }


def test_an_entity_has_the_words_above_its_terms(words: Broader) -> None:
    assert having(words, "a growth") == {"growth": [0, 1, 2]}
    assert having(words, "cancers") == {"cancer": [0, 1, 2]}
    assert having(words, "lung cancer") == {"lung cancer": [0], "cancer": [0, 1, 2]}
    assert having(words, "fever") == {"fever": [0, 3]}
    assert having(words, "nothing") == {}
    assert len(words) == 4


def test_ladders_go_from_specific_to_general(words: Broader) -> None:
    (lung,) = [m.term for m in words.match("lung cancer") if m.start == 0]
    assert [r.term for r in words.ladder(lung)] == ["cancer", "growth"]
    assert all(r.concept.startswith("growths:") for r in words.ladder(lung))
    (growth,) = [m.term for m in words.match("growth")]
    assert words.ladder(growth) == ()


def test_names_are_found_like_terms() -> None:
    from sfumato.know.entities.names import Names

    found = Names(["Cold", "The Gout", "", "cold's"])
    text = "gout? THE-GOUT and colds"
    seen = {
        (text[m.start : m.end], tuple(found.entities(m.term).tolist())) for m in found.match(text)
    }
    assert seen == {("THE-GOUT", (1,)), ("colds", (0, 3))}
