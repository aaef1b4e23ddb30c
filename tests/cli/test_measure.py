from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from sfumato.cli.measure import register
from sfumato.errors import InputError, MissingExtraError, SfumatoError

app = typer.Typer()
register(app)

NOTES = {
    "Ann Lee": "Ann Lee wrote to ann@example.org about her lung cancer in Oslo.",
    "Bob Ray": "Bob Ray sells boats in Bergen and sings in a choir.",
    "Cem Kaya": "Cem Kaya bakes bread in Ankara; he has diabetes.",
}
HIDDEN = {
    "Ann Lee": "[PERSON] wrote to [EMAIL] about her disease in [LOC].",
    "Bob Ray": "[PERSON] sells boats in [LOC] and sings in a choir.",
    "Cem Kaya": "[PERSON] bakes bread in [LOC]; he has diabetes.",
}


def run(*arguments: object) -> str:
    done = CliRunner().invoke(app, [str(a) for a in arguments], env={"COLUMNS": "160"})
    if done.exception is not None:
        raise done.exception
    return " ".join(done.output.split())


def folder(path: Path, texts: dict[str, str]) -> Path:
    path.mkdir()
    for name, text in texts.items():
        (path / f"{name}.txt").write_text(text)
    return path


@pytest.fixture
def before(inside: Path) -> Path:
    return folder(inside / "before", NOTES)


@pytest.fixture
def after(inside: Path) -> Path:
    return folder(inside / "after", HIDDEN)


# measure


def test_measure_prints_and_writes_a_page(before: Path, after: Path) -> None:
    said = run("measure", before, after, "--html", "m.html")
    assert "information kept" in said
    assert "EMAIL 1 0 0 1" in said
    assert "m.html: written" in said
    page = Path("m.html").read_text()
    assert "found again" in page
    assert not any(name in page.replace(f"{name}.txt", "") for name in NOTES)


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
        (["explore", "log.csv", "--sweep", "threshold=1"], "under 'table:'"),
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


# attack


def test_attack_links_releases_and_guesses_terms(before: Path, after: Path) -> None:
    Path("known.jsonl").write_text(
        "".join(json.dumps({"person": n, "text": t}) + "\n" for n, t in NOTES.items())
    )
    said = run("attack", after, "--background", "known.jsonl", "--original", before)
    assert "words 100% (44% to 100%)" in said
    assert "PERSON 3" in said
    assert "could not be assessed" in said
    found = json.loads(run("attack", after, "--background", "known.jsonl", "--json"))
    assert found["suspects"]["Bob Ray.txt"][0]["person"] == "Bob Ray"
    assert "guessed" not in found


def test_attack_takes_tables_and_a_truth(after: Path, inside: Path) -> None:
    Path("known.csv").write_text("who,said\nAnn,lung cancer\nBob,sells boats in a choir\n")
    Path("out.csv").write_text("who,said\nBob,[PERSON] sells boats\nZoe,nothing\n")
    names = ("--person", "who", "--text", "said")
    said = run("attack", "out.csv", "--background", "known.csv", *names)
    assert "1 releases are about nobody of the background" in said
    Path("truth.csv").write_text("file,person\nBob Ray.txt,Bob\n")
    said = run("attack", after, "--background", "known.csv", "--truth", "truth.csv", *names)
    assert "words 100% (21% to 100%)" in said


def test_originals_alone_are_enough_to_guess(before: Path, after: Path) -> None:
    found = json.loads(run("attack", after, "--original", before, "--json"))
    assert found["guessed"]["assessed"] >= 3
    assert "linkages" not in found


# explore


def test_explore_writes_page_pictures_and_numbers(before: Path) -> None:
    said = run("explore", before, "--sweep", "replace.*=label,keep", "-o", "out")
    assert "Recommended:" in said
    assert "out: frontier.html, frontier.json, frontier.svg, frontier.png" in said
    found = json.loads(Path("out/frontier.json").read_text())
    assert [p["settings"] for p in found["points"]] == [
        {"replace.*": "label"},
        {"replace.*": "keep"},
    ]
    assert Path("out/frontier.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in Path("out/frontier.html").read_text()


def test_explore_against_a_background(before: Path) -> None:
    Path("known.csv").write_text("person,text\n" + "".join(f"{n},{t}\n" for n, t in NOTES.items()))
    said = run(
        *("explore", before, "--sweep", "replace.*=label,keep", "--background", "known.csv"),
        "--json",
    )
    assert json.loads(said)["points"][1]["risk"] == 1.0


def test_explore_says_what_was_refused(inside: Path) -> None:
    Path("note.txt").write_text("She uses marijuana for phantom limb pain.")
    Path("p.yaml").write_text("detect: []\nprotect:\n  - plausibility: {t: 2}\n")
    sweep = f"protect.plausibility.t={10**60}"
    said = run("explore", "note.txt", "-p", "p.yaml", "--sweep", sweep, "-o", "o")
    assert "cannot be reached" in said
    assert "every value was refused" in said
    assert sorted(p.name for p in Path("o").iterdir()) == ["frontier.html", "frontier.json"]


def test_without_matplotlib_there_is_the_table_and_a_line(
    before: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    done = CliRunner().invoke(
        app, ["explore", str(before), "--sweep", "replace.*=label", "-o", "out"]
    )
    assert isinstance(done.exception, MissingExtraError)
    assert done.exception.extra == "plots"
    assert "label" in done.output
    assert Path("out/frontier.html").exists()


# anonymize-log


def test_anonymize_log_keeps_shared_documents_and_hides_users(inside: Path) -> None:
    Path("log.csv").write_text("user,document\nann,flu\nbob,flu\nbob,my street\n")
    said = run("anonymize-log", "log.csv", "-k", 2, "-o", "out.csv")
    assert "2 of 3 rows, 1 of 2 documents; 0 of 2 users have none left" in said
    assert "ann" not in Path("out.csv").read_text()
    run("anonymize-log", "log.csv", "-k", 2, "-o", "out.csv", "--keep-users")
    assert Path("out.csv").read_text() == "user,document\nann,flu\nbob,flu\n"


def test_pseudonyms_stay_the_same_with_a_key(inside: Path) -> None:
    from sfumato import keys

    Path("log.csv").write_text("user,document\nann,flu\nbob,flu\n")
    keys.write(keys.new(), Path("key"))
    for out in ("one.csv", "two.csv"):
        found = run("anonymize-log", "log.csv", "-k", 2, "-o", out, "--key-file", "key", "--json")
        assert json.loads(found)["rows_released"] == 2
    assert Path("one.csv").read_text() == Path("two.csv").read_text()


def test_a_log_of_which_nothing_is_left_is_not_written(inside: Path) -> None:
    Path("log.csv").write_text("user,document\nann,flu\n")
    with pytest.raises(InputError, match="nothing was written"):
        run("anonymize-log", "log.csv", "-k", 2, "-o", "out.csv")
    assert not Path("out.csv").exists()
