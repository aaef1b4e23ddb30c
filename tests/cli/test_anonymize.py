"""`sfumato anonymize` from file to file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sfumato import formats, policy
from sfumato.cli.app import app
from sfumato.document import restored
from sfumato.errors import GuaranteeError, InputError, PolicyError
from sfumato.files import contents
from sfumato.formats import table as files
from sfumato.keys import read
from sfumato.plugins import CLAIMS
from sfumato.protect.tables import cache
from sfumato.release.certificate import parse
from sfumato.release.examination import examine
from sfumato.release.ledger import Ledger
from sfumato.verify import Evidence, fails
from tests.conftest import EXAMPLES

BLOG, POLICY = str(EXAMPLES / "blog.csv"), str(EXAMPLES / "blog.yaml")


@pytest.fixture(autouse=True)
def _inside(inside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(inside / "cache"))


def run(*arguments: str) -> str:
    """The command's output; its errors are raised."""
    result = CliRunner().invoke(app, ["anonymize", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return " ".join(result.output.split())


def test_a_table_is_released_certified_and_recorded() -> None:
    said = run(BLOG, "-p", POLICY, "-o", "out.csv")
    assert "9 rows of 6 persons in 3 classes (gdf, k = 2); mean size 2.00" in said
    assert "splits: 0 by columns, 2 by terms" in said
    assert "4 kept, 0 generalised, 8 suppressed, 2 shown as their column" in said
    assert "columns (NCP_A) 0.368" in said
    assert "prosecutor 0.500" in said
    assert "A new key is in .sfumato/key" in said
    data = Path("out.csv").read_bytes()
    made = parse(Path("out.csv.cert.json").read_text(), "out.csv")
    with Ledger(read(Path(".sfumato/key")), Path(".sfumato/ledger.db"), read_only=True) as ledger:
        entry = ledger.find_one(data)
    assert restored(data, entry.record) == (EXAMPLES / "blog.csv").read_bytes()
    assert ("Pedro", "[PERSON]") in {
        (original, edit.replacement)
        for edit, original in zip(entry.record.edits, entry.record.originals, strict=True)
    }
    assert policy.parse(entry.policy).digest == made.policy
    key = read(Path(".sfumato/key"))
    text = formats.read_again(data, entry.record).text
    evidence = Evidence(text, None, None, entry.record, key, data)
    assert not any(check.failed for check in examine(made, evidence))


@pytest.mark.parametrize("more", [("-p", POLICY, "-o", "out.csv"), ("--suggest",)])
def test_a_link_that_is_named_is_not_followed(more: tuple[str, ...]) -> None:
    """`in/*.csv` names what others have laid there."""
    Path("mine.csv").symlink_to(BLOG)
    with pytest.raises(
        InputError, match=r"mine\.csv: cannot be read: a link is not followed; name"
    ):
        run("mine.csv", *more)
    assert not Path("out.csv").exists()


def test_what_is_released_and_recorded_is_what_was_read_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever exchanges the file meanwhile changes nothing."""
    mine = Path("mine.csv")
    mine.write_bytes((EXAMPLES / "blog.csv").read_bytes())
    read_once = contents

    def exchange(path: Path, *given: Any, **named: Any) -> bytes:
        data = read_once(path, *given, **named)
        if path.name == "mine.csv":
            mine.write_bytes(b"another,file\n1,2\n")
        return data

    monkeypatch.setattr("sfumato.formats.contents", exchange)
    run("mine.csv", "-p", POLICY, "-o", "out.csv")
    with Ledger(read(Path(".sfumato/key")), Path(".sfumato/ledger.db"), read_only=True) as ledger:
        data = Path("out.csv").read_bytes()
        found = restored(data, ledger.find_one(data).record)
    assert found == (EXAMPLES / "blog.csv").read_bytes()


def test_the_certificate_does_not_name_what_is_left_out() -> None:
    header, *rows = (EXAMPLES / "blog.csv").read_text().splitlines()
    Path("more.csv").write_text(
        "\n".join([f"{header},visits of Maria Keller", *(f"{row},1" for row in rows), ""])
    )
    rules = Path(POLICY).read_text().replace("table:\n", "table:\n  others: remove\n")
    Path("remove.yaml").write_text(rules)
    run("more.csv", "-p", "remove.yaml", "-o", "out.csv")
    assert "Keller" not in Path("out.csv").read_text() + Path("out.csv.cert.json").read_text()
    with Ledger(read(Path(".sfumato/key")), Path(".sfumato/ledger.db"), read_only=True) as ledger:
        data = Path("out.csv").read_bytes()
        assert restored(data, ledger.find_one(data).record) == Path("more.csv").read_bytes()


def test_the_originals_options_and_file() -> None:
    config = str(EXAMPLES / "blog-original.yaml")
    said = run("-i", BLOG, "-c", config, "-o", "theirs.csv", "-s", "-v")
    assert "The spaCy pipeline en_core_web_trf is not installed" in said
    assert "texts were looked at" in said
    run(BLOG, "-p", POLICY, "-o", "ours.csv", "-q")
    assert Path("theirs.csv").read_bytes() == Path("ours.csv").read_bytes()


def test_json_holds_numbers_and_no_text() -> None:
    arguments = ["anonymize", BLOG, "-p", POLICY, "-o", "out.csv", "--json", "--no-cache"]
    said = json.loads(CliRunner().invoke(app, arguments).stdout)
    assert said["classes"]["count"] == 3
    assert said["loss"]["by_kind"]["PERSON"] == 1
    assert "Pedro" not in json.dumps(said)
    assert cache.clear() == 0


@pytest.mark.parametrize("long", ["a cell", "many cells"])
@pytest.mark.parametrize("verb", ["-p", "--suggest"])
def test_tables_that_are_large_only_together_are_refused_before_they_are_joined(
    long: str, verb: str
) -> None:
    """A person's own long text stands beside each of their posts."""
    columns = 1 if long == "a cell" else 5_000
    said = "x" * 50_000 if long == "a cell" else ""
    names = ",".join(f"c{n}" for n in range(columns))
    Path("people.csv").write_text(f"id,{names}\n1{',' * columns}{said}\n2{',' * columns}\n")
    Path("posts.csv").write_text("id\n" + "1\n" * (50_000 if verb == "--suggest" else 6_000))
    Path("p.yaml").write_text(
        "detect: [patterns]\ntable: {k: 2, columns: {id: direct, c0: text}}\n"
    )
    more = ("-p", "p.yaml", "-o", "o.csv") if verb == "-p" else (verb,)
    with pytest.raises(
        InputError, match=r"posts\.csv joined with people\.csv.* more than the limit"
    ):
        run("people.csv", "posts.csv", "--on", "id", *more)
    assert not Path("o.csv").exists()


def test_terms_may_be_given_and_tables_joined() -> None:
    Path("people.csv").write_text("id,age\nu1,20\nu2,30\nu3,50\n")
    Path("posts.csv").write_text("id,text\nu1,in Zwolle\nu2,in Zwolle too\n")
    Path("t.jsonl").write_text(
        '{"row": 0, "terms": [["GPE", "zwolle"]]}\n{"row": 1, "terms": [["GPE", "Zwolle"]]}\n'
    )
    Path("p.yaml").write_text(
        "table: {k: 2, columns: {id: direct, age: {role: quasi, type: number}, text: text}}\n"
    )
    said = run(
        "people.csv", "posts.csv", "--on", "id", "-p", "p.yaml", "--terms", "t.jsonl", "-o", "o.csv"
    )
    assert "1 rows have no partner" in said
    assert Path("o.csv").read_text() == (
        "id,text,age\nP1,in Zwolle,[20-30]\nP2,in Zwolle too,[20-30]\n"
    )


@pytest.mark.parametrize("name", ["o.html", "o.tsv", "o.jsonl", "o.parquet", "o.eml", "o", "o.HTM"])
def test_a_joined_table_is_named_for_what_is_written(name: str) -> None:
    """The rows follow the posts, and so does the form: what a browser shows was looked at by nobody."""
    Path("people.tsv").write_text("id\tage\nu1\t20\nu2\t20\n")
    Path("posts.csv").write_text("id,text\nu1,Mar<b></b>garet\nu2,hello\nu2,again\n")
    Path("p.yaml").write_text(
        "detect: [patterns]\n"
        "table: {k: 2, columns: {id: direct, age: {role: quasi, type: number}, text: text}}\n"
    )
    arguments = ["people.tsv", "posts.csv", "--on", "id", "-p", "p.yaml", "-o"]
    with pytest.raises(InputError, match="of the same kind"):
        run(*arguments, name)
    assert not Path(name).exists()


def test_tables_of_different_kinds_are_not_joined() -> None:
    Path("people.jsonl").write_text('{"id": "u1", "age": 20}\n{"id": "u2", "age": 20}\n')
    Path("posts.csv").write_text("id,text\nu1,hello\nu2,hello\nu2,again\n")
    Path("p.yaml").write_text(
        "table: {k: 2, columns: {id: direct, age: {role: quasi, type: number}, text: text}}\n"
    )
    with pytest.raises(InputError, match=r"of the same kind as people\.jsonl; convert one"):
        run("people.jsonl", "posts.csv", "--on", "id", "-p", "p.yaml", "-o", "o.csv")


@pytest.mark.parametrize("term", ["dentist", "gin", ""])
def test_a_given_term_that_does_not_stand_in_its_row_is_an_error(term: str) -> None:
    Path("t.csv").write_text("id,text\nu1,an engineer in New York\nu2,a dentist\n")
    Path("p.yaml").write_text("table: {k: 2, columns: {id: direct, text: text}}\n")
    given = [["JOB", "engineer"], ["GPE", "new york"], ["GPE", "York"]]
    for terms in (given, [*given, ["JOB", term]]):
        Path("t.jsonl").write_text(json.dumps({"row": 0, "terms": terms}))
        arguments = ["t.csv", "-p", "p.yaml", "--terms", "t.jsonl", "-o", f"{len(terms)}.csv"]
        if terms is given:
            run(*arguments)
        else:
            with pytest.raises(InputError, match=r"t\.csv:2: a term that is given for row 0"):
                run(*arguments)
    assert Path("3.csv").exists()
    assert not Path("4.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "no table"),
        ([BLOG], "give a policy with -p"),
        ([BLOG, "-p", POLICY, "-o", "out.parquet"], "of the same kind"),
        ([BLOG, "-p", POLICY, "-o", BLOG], "is an input"),
        ([BLOG, "-p", "default", "-o", "out.csv"], "has no `table:`"),
    ],
)
def test_wrong_use_is_one_line(arguments: list[str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        run(*arguments)


def test_a_table_larger_than_the_limit_is_refused_before_it_is_read() -> None:
    Path("p.yaml").write_text(Path(POLICY).read_text() + "limits: {file_bytes: 100}\n")
    with pytest.raises(InputError, match=r"bytes is more than the limit of 100"):
        run(BLOG, "-p", "p.yaml", "-o", "out.csv")


def test_a_setting_that_a_table_cannot_show_is_refused_before_a_key_is_made() -> None:
    Path("p.yaml").write_text(Path(POLICY).read_text() + "replace: {PERSON: surrogate}\n")
    with pytest.raises(PolicyError, match=r"replace.PERSON: surrogate tells the persons"):
        run(BLOG, "-p", "p.yaml", "-o", "out.csv")
    assert not Path(".sfumato").exists()


def test_nothing_is_written_when_a_claim_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = replace(CLAIMS.get("k-anonymous"), check=lambda *_: fails("k-anonymous", "a test"))
    monkeypatch.setitem(CLAIMS._known, "k-anonymous", broken)
    with pytest.raises(GuaranteeError, match="nothing written"):
        run(BLOG, "-p", POLICY, "-o", "out.csv")
    assert not list(Path().glob("out.csv*"))


def test_an_interrupted_run_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sfumato.protect.tables.anonymize.anonymize", interrupted)
    result = CliRunner().invoke(app, ["anonymize", BLOG, "-p", POLICY, "-o", "out.csv"])
    assert result.exit_code != 0
    assert not list(Path().glob("*out.csv*"))


def test_memory_is_stated_before_a_big_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "BIG", 10)
    assert "GB of memory" in run(BLOG, "-p", POLICY, "-o", "out.csv")


def test_the_cache_is_cleared() -> None:
    run(BLOG, "-p", POLICY, "-o", "out.csv", "-q")
    result = CliRunner().invoke(app, ["cache", "clear"])
    assert result.output.startswith("1 file removed")


def test_a_suggested_policy_can_be_used() -> None:
    said = run(BLOG, "--suggest", "-o", "first.yaml")
    assert "first.yaml: a first policy" in said
    made = policy.load("first.yaml")
    assert made.table is not None
    assert made.table.person_column == "id"
    assert made.table.of_role("quasi") == ["gender", "age", "topic", "sign", "date"]
    assert made.table.of_role("text") == ["text"]
    assert made.table.columns["date"].format == "%Y-%m-%d"
    assert "# 6 persons with 1.5 rows on average" in Path("first.yaml").read_text()
    run(BLOG, "-p", "first.yaml", "-o", "out.csv", "-q")


def test_a_damaged_cache_is_as_good_as_none() -> None:
    run(BLOG, "-p", POLICY, "-o", "out.csv", "-q")
    first = Path("out.csv").read_bytes()
    (found,) = cache.folder().glob("*.db")
    pages = bytearray(found.read_bytes())
    pages[4096:] = b"\xff" * (len(pages) - 4096)
    found.write_bytes(pages)
    run(BLOG, "-p", POLICY, "-o", "out.csv", "-q")
    assert Path("out.csv").read_bytes() == first


def test_a_release_far_longer_than_its_original_is_replaced_and_a_stranger_is_not() -> None:
    rows = "".join(f"{n},j{n:05}\n" for n in range(60))
    Path("t.csv").write_text("id,job\n" + rows)
    Path("p.yaml").write_text(
        "detect: [patterns]\nlimits: {file_bytes: 1000}\n"
        "table: {k: 30, columns: {id: direct, job: quasi}}\n"
    )
    arguments = ("t.csv", "-p", "p.yaml", "-o", "out.csv", "-q")
    run(*arguments)
    assert Path("out.csv").stat().st_size > 4000
    run(*arguments)
    Path("out.csv").write_bytes(Path("out.csv").read_bytes() + b"1,dear\n")
    with pytest.raises(InputError, match=r"out\.csv: exists and is no earlier release"):
        run(*arguments)
