"""`sfumato measure`: what a release has kept and what it still tells."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sfumato.errors import SfumatoError
from tests.cli.conftest import NOTES, folder, run


def test_measure_prints_and_writes_a_page(before: Path, after: Path) -> None:
    said = run("measure", before, after, "--html", "m.html")
    assert "information kept" in said
    assert "EMAIL 1 0 0 1" in said
    assert "m.html: written" in said
    page = Path("m.html").read_text()
    assert "found again" in page
    assert not any(name in page.replace(f"{name}.txt", "") for name in NOTES)


def test_tables_of_a_folder_are_measured_by_all_their_cells(before: Path, after: Path) -> None:
    for where, who in ((before, "ann@example.org"), (after, "[EMAIL]")):
        (where / "people.csv").write_text(f"id,note\n1,ask {who}\n")
        (where / "people.tsv").write_text(f"id\tnote\n1\task {who}\n")
    found = json.loads(run("measure", before, after, "--json"))
    assert found["texts"] == 5


def test_measure_as_json(before: Path, after: Path) -> None:
    found = json.loads(run("measure", before, after, "--json"))
    assert found["texts"] == 3
    assert 0 < found["information_kept"] < 100
    assert len(found["by_text"]) == 3


def test_measure_with_labels(inside: Path) -> None:
    many = {f"{name} {n}": text for name, text in NOTES.items() for n in range(4)}
    one, two = folder(inside / "a", many), folder(inside / "b", many)
    rows = [f"{name}.txt,{'x' if name < 'B' else 'y'}" for name in many]
    Path("labels.csv").write_text("file,label\n" + "\n".join(rows) + "\n")
    assert "accuracy kept" in run("measure", one, two, "--labels", "labels.csv")
    said = run("measure", one, "--compare", f"same={two}", "--labels", "labels.csv", "--json")
    assert json.loads(said)["same"]["accuracy"]["kept"] == 1.0


def test_measure_compares_sanitizers(before: Path, after: Path) -> None:
    said = run("measure", before, "--compare", f"ours={after},none={before}", "--html", "c.html")
    assert "measure ours none" in said
    assert "comparison" in Path("c.html").read_text()


def test_measure_of_logs_is_the_privacy_index(inside: Path) -> None:
    Path("a.csv").write_text("user,document\nann,flu\nann,hiv test\nbob,flu\n")
    Path("b.csv").write_text("user,document\nann,flu\n")
    said = run("measure", "a.csv", "b.csv", "--html", "l.html", "--sensitivity", "shipped")
    assert "SPI" in said
    assert "1 of 2 users have no documents in the release" in said
    assert "document log" in Path("l.html").read_text()
    found = json.loads(run("measure", "a.csv", "b.csv", "--json"))
    assert found["users_gone"] == 1
    assert found["spi"] == found["jsd"]


def test_a_model_of_ones_own_says_what_is_sensitive(inside: Path) -> None:
    from sfumato.measure.sensitivity import train

    Path("m.json").write_text(train([("hiv test", True), ("pizza", False)]).to_json())
    Path("a.csv").write_text("user,document\nann,pizza\nann,hiv test\n")
    Path("b.csv").write_text("user,document\nann,pizza\n")
    found = json.loads(run("measure", "a.csv", "b.csv", "--json", "--sensitivity", "m.json"))
    assert 0 < found["spi"] < found["jsd"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["measure", "before"], "give the release too"),
        (["measure", "before", "after", "--compare", "a=after"], "not both"),
        (["measure", "before", "--compare", "after"], "names and folders"),
        (["measure", "before", "--compare", "a=after,a=before"], "names and folders"),
        (["measure", "before", "nowhere"], "cannot be read"),
        (["measure", "before", "part"], "do not pair up: part has no"),
        (["measure", "before", "empty"], "empty is empty"),
        (["measure", "before", "after", "--labels", "labels.csv"], "same label"),
        (["measure", "log.csv", "empty.csv"], "row 2 has no user"),
        (["attack", "after"], "an attack needs what is known"),
        (["attack", "empty", "--background", "known.csv"], "every release is empty"),
        (["attack", "after", "--background", "two.csv"], "no release is about a person"),
        (["explore", "before"], "nothing to explore"),
        (["measure", "before", "after", "--html", "after/Ann Lee.txt"], "never overwritten"),
        (["explore", "before", "--sweep", "threshold=1", "-o", "before/out"], "never overwritten"),
        (["explore", "log.csv", "--sweep", "threshold=1"], "has no `table:`"),
        (["explore", "before", "--sweep", "t=1"], "unknown setting 't'"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    before: Path, after: Path, arguments: list[str], said: str
) -> None:
    folder(Path("part"), {"Ann Lee": "x"})
    folder(Path("empty"), dict.fromkeys(NOTES, " "))
    Path("labels.csv").write_text("file,label\n" + "".join(f"{n}.txt,a\n" for n in NOTES))
    Path("log.csv").write_text("user,document\nann,flu\n,flu\n")
    Path("empty.csv").write_text("user,document\n")
    Path("two.csv").write_text("person,text\nX,a\nY,b\n")
    Path("known.csv").write_text("person,text\nAnn Lee,a\nBob Ray,b\n")
    with pytest.raises(SfumatoError, match=said) as raised:
        run(*arguments)
    assert raised.value.exit_code == 2
    assert "\n" not in str(raised.value)
