"""Terms of texts: found once, remembered without their words, given by somebody else."""

from __future__ import annotations

import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato
from sfumato.english.folding import skeleton
from sfumato.errors import InputError
from sfumato.facts.mentions import find
from sfumato.keys import Key
from sfumato.policy import Policy
from sfumato.protect.tables import cache
from sfumato.protect.tables.recognition import PolicyRecogniser, locate, read_given
from sfumato.protect.tables.redundancy import meaning, says, shown
from sfumato.protect.tables.wordindex import WordIndex
from sfumato.verify.words import Words
from tests.protect.tables.tables import KEY, rules


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def _policy(**more: Any) -> Policy:
    return rules({"id": "direct", "text": "text"}, lists={"LOC": ["Zwolle"]}, **more)


def cache_for(policy: Policy, key: Key) -> cache.Cache:
    return cache.Cache(key, cache.asked(policy, []))


def test_findings_are_kept_for_the_next_run_without_any_text() -> None:
    with cache_for(_policy(), KEY) as kept:
        first = PolicyRecogniser(_policy(), kept)
        assert first.texts(["in Zwolle", "in Zwolle", ""])["in Zwolle"] == [(3, 9, "LOC")]
        assert first.looked_at == 2
    with cache_for(_policy(), KEY) as kept:
        again = PolicyRecogniser(_policy(), kept)
        assert again.texts(["in Zwolle"]) == {"in Zwolle": [(3, 9, "LOC")]}
        assert again.looked_at == 0
        path = kept.path
    assert b"wolle" not in path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_other_detectors_and_keys_have_caches_of_their_own() -> None:
    other = rules({"id": "direct", "text": "text"}, lists={"LOC": ["Delft"]})
    paths = set()
    for policy, key in ((_policy(), KEY), (other, KEY), (_policy(), Key(bytes(32)))):
        with cache_for(policy, key) as kept:
            paths.add(kept.path)
    assert len(paths) == 3
    assert cache.clear() == 3
    assert cache.clear() == 0


def test_another_program_has_a_cache_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it finds may have changed though its version did not."""
    before = cache.asked(_policy(), [])
    copy = shutil.copytree(Path(sfumato.__file__).parent / "detect", tmp_path / "detect").parent
    for name, change in (
        ("more.py", ""),
        ("more.py", "x = 1"),
        ("words.txt", ""),
        ("words.txt", "a"),
    ):
        (copy / "detect" / name).write_text(change)
        monkeypatch.setattr(sfumato, "__file__", str(copy / "__init__.py"))
        cache._program.cache_clear()
        assert cache.asked(_policy(), []) != before
        before = cache.asked(_policy(), [])
    monkeypatch.undo()
    cache._program.cache_clear()


def test_a_cache_that_cannot_be_used_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "broken.db"
    path.write_text("this is no database, and long enough to be sure of it" * 20)
    with pytest.raises(InputError, match="the cache cannot be used"):
        cache.Cache(KEY, "question", path)


def test_a_full_disk_keeps_nothing_and_is_no_fault(tmp_path: Path) -> None:
    key, path = Key(bytes(32)), tmp_path / "kept" / "c.db"
    path.parent.mkdir(mode=0o700)
    with cache.Cache(key, "q", path) as kept:
        kept._db.execute("PRAGMA max_page_count = 1")
        for number in range(500):
            kept.put(f"text {number}", [(0, 4, "PERSON")] * 9)
    with cache.Cache(key, "q", path) as again:
        assert again.get("text 1") is None
        again.put("text 1", [(0, 4, "PERSON")])
    with cache.Cache(key, "q", path) as again:
        assert again.get("text 1") == [(0, 4, "PERSON")]


def test_kinds_that_do_not_count_are_no_terms() -> None:
    policy = rules(
        {"id": "direct", "text": "text"}, lists={"LOC": ["Zwolle"], "JOB": ["smith"]}, kinds=["JOB"]
    )
    assert PolicyRecogniser(policy).texts(["smith of Zwolle"])["smith of Zwolle"] == [(0, 5, "JOB")]


def test_given_terms(tmp_path: Path) -> None:
    path = tmp_path / "terms.jsonl"
    path.write_text('{"row": 1, "terms": [["LOC", "Zwolle"]]}\n')
    assert read_given(path, 2) == [[], [("LOC", "Zwolle")]]
    for bad, said in (
        (b'{"row": 5, "terms": []}', "no row 5"),
        (b'{"rows": 1}', "not of the form"),
        (b'{"row": 0, "terms": ' + b"[" * 100_000, "not of the form"),
        (b'{"row": 0, "terms": [["LOC", "Z\xfcrich"]]}', "no UTF-8"),
    ):
        path.write_bytes(bad + b"\n")
        with pytest.raises(InputError, match=said):
            read_given(path, 2)
    with pytest.raises(InputError, match="cannot be read"):
        read_given(tmp_path / "none.jsonl", 2)


def test_given_terms_are_found_in_any_case_and_accents() -> None:
    assert locate("ZOË  and zoe", [("PERSON", "Zoë")]) == [(0, 3, "PERSON"), (9, 12, "PERSON")]
    assert locate("xa x-a a", [("T", "a")]) == [(5, 6, "T"), (7, 8, "T")]
    assert locate("nothing", []) == []


WORD = st.sampled_from(
    ["zed", "qua", "Zed-Qua", "zeDQUA", "élan", "E\u0301lan", "x", "42", ",", "  ", "'s"]
)


@given(st.lists(st.lists(WORD, max_size=6).map("".join), max_size=5), st.sets(WORD, max_size=4))
def test_the_word_index_finds_what_each_text_alone_shows(texts: list[str], terms: set[str]) -> None:
    index = WordIndex()
    known = [t for t in sorted(terms) if index.add(t, 7)]
    found = {(row, start, end) for row, start, end, _ in index.scan(texts)}
    wanted = {
        (row, start, end)
        for row, text in enumerate(texts)
        for start, end, _ in find(text, {skeleton(t) for t in known})
    }
    assert found == wanted
    for row, text in enumerate(texts):
        shows = any(hit[0] == row for hit in found)
        assert Words({skeleton(t) for t in known}).stand_in(text) == shows


@pytest.mark.parametrize(
    ("said", "type_", "value"),
    [
        ("36 years old", "number", 36.0),
        ("thirty-six", "number", 36.0),
        ("1,250", "number", 1250.0),
        ("36-40", "number", None),
        ("some", "number", None),
        ("May 14, 2004", "date", 12552),
        ("2004", "date", None),
        ("New-York", "nominal", "new york"),
    ],
)
def test_meaning_by_type(said: str, type_: str, value: float | str | None) -> None:
    assert meaning(said, type_) == value


def test_a_redundant_term_shows_what_its_column_shows() -> None:
    assert shown("I'm 36", "number", "[30-39]") == "I'm [30-39]"
    assert shown("Leo", "nominal", "(Aries,Leo)") == "(Aries,Leo)"
    assert says("36 years", "number", "36")
    assert not says("36 years", "number", "[30-39]")


def test_what_somebody_else_wrote_into_the_cache_is_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = {"write ann@example.org": [(6, 21, "EMAIL")], "all is well": []}
    with cache.Cache(KEY, "question") as kept:
        for text, spans in found.items():
            kept.put(text, spans)
    with cache.Cache(KEY, "question") as kept:
        assert {text: kept.get(text) for text in found} == found
    data = kept.path.read_bytes()
    assert b"EMAIL" not in data
    with closing(sqlite3.connect(kept.path)) as tool:
        (empty,) = tool.execute(
            "SELECT spans FROM sealed ORDER BY length(spans) LIMIT 1"
        ).fetchone()
        for forged in (empty, b"[]", "[]"):
            tool.execute("UPDATE sealed SET spans = ?", (forged,))
            tool.commit()
            with cache.Cache(KEY, "question") as again:
                assert again.get("write ann@example.org") is None
    kept.path.parent.chmod(0o777)
    with pytest.raises(InputError, match="is not used: others may change it"):
        cache.Cache(KEY, "question")


@pytest.mark.parametrize("ending", ["-journal", "-wal"])
def test_what_others_have_laid_beside_the_cache_is_not_obeyed(ending: str) -> None:
    with cache.Cache(KEY, "question") as kept:
        kept.put("all is well", [])
    assert [path.name for path in kept.path.parent.iterdir()] == [kept.path.name]
    beside = kept.path.with_name(kept.path.name + ending)
    beside.symlink_to(kept.path)
    with pytest.raises(InputError, match=f"{ending}: is no part of the cache; .* --no-cache"):
        cache.Cache(KEY, "question")
    assert (cache.clear(), list(kept.path.parent.iterdir())) == (1, [])


def test_nothing_is_made_in_a_folder_that_others_may_write_to(tmp_path: Path) -> None:
    above = tmp_path / "cache" / "sfumato"
    above.mkdir(parents=True)
    above.chmod(0o777)
    with pytest.raises(InputError, match="sfumato: a cache in it is not used: others may change"):
        cache.Cache(KEY, "question")
    assert not list(above.iterdir())
