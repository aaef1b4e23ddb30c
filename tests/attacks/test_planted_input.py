"""Somebody who may write to a folder of originals puts things there that cannot be read: each is a fault of its
own, and every other file is released."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest

from sfumato import keys, policy
from sfumato.errors import InputError
from sfumato.keys import Key
from sfumato.release import batch, views
from sfumato.release.batch import Settings
from tests.cli.conftest import Sfumato as Command
from tests.cli.conftest import sfumato as command

__all__ = ["command"]  # a fixture

TEXT = "Call ann@example.org"


def too_long_a_name(folder: Path) -> None:
    (folder / "bad.txt").symlink_to("a" * 300)


def a_link_to_itself(folder: Path) -> None:
    (folder / "bad.txt").symlink_to("bad.txt")


def a_folder_nobody_may_list(folder: Path) -> None:
    (folder / "bad.txt").mkdir(mode=0)


def a_folder_nobody_may_enter(folder: Path) -> None:
    (folder / "bad.txt").mkdir()
    (folder / "bad.txt" / "a.txt").write_text(TEXT)
    (folder / "bad.txt").chmod(0o444)


def a_link_behind_a_closed_folder(folder: Path) -> None:
    (folder.parent / "closed").mkdir()
    (folder.parent / "closed" / "a.txt").write_text(TEXT)
    (folder.parent / "closed").chmod(0)
    (folder / "bad.txt").symlink_to(folder.parent / "closed" / "a.txt")


def too_long_a_path(folder: Path) -> None:
    nested(folder / "bad.txt", ["b" * 250] * 20)


def more_folders_than_a_program_may_nest(folder: Path) -> None:
    nested(folder / "bad.txt", ["b"] * 1500)


def nested(folder: Path, names: list[str]) -> None:
    folder.mkdir()
    before = Path.cwd()
    os.chdir(folder)
    try:
        for name in names:
            Path(name).mkdir()
            os.chdir(name)
        Path("a.txt").symlink_to("nowhere")
    finally:
        os.chdir(before)


# Whoever may read everything can read these, too.
CLOSED = (a_folder_nobody_may_list, a_folder_nobody_may_enter, a_link_behind_a_closed_folder)


def _may_read_everything(folder: Path) -> bool:
    folder.mkdir(mode=0, exist_ok=True)
    return os.access(folder, os.R_OK)


@pytest.fixture
def given(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "in").mkdir()
    for name in ("1.txt", "2.txt"):
        (tmp_path / "in" / name).write_text(TEXT)
    yield tmp_path / "in"
    for folder in (tmp_path / "closed", tmp_path / "in", tmp_path / "in" / "bad.txt"):
        if os.path.isdir(folder):  # noqa: PTH112 - the other way, links that lead nowhere are errors
            folder.chmod(0o700)
    subprocess.run(["rm", "-rf", tmp_path / "in"], check=True)  # deeper than Python can remove


@pytest.mark.parametrize(
    "plant",
    [
        too_long_a_name,
        a_link_to_itself,
        *CLOSED,
        too_long_a_path,
        more_folders_than_a_program_may_nest,
    ],
)
def test_what_cannot_be_read_fails_alone(
    plant: Callable[[Path], None], given: Path, key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(given.parent)  # paths stay short
    plant(given)
    if plant in CLOSED and _may_read_everything(given.parent / "closed"):
        pytest.skip("may read everything")
    settings = Settings(policy.load("default"), key, None)
    outcomes = list(batch.run(batch.plan(["in"], "out"), settings, 2))
    assert [o.job.name for o in outcomes if o.status == "released"] == ["1.txt", "2.txt"]
    (failed,) = [o for o in outcomes if o.status != "released"]
    assert failed.job.name.startswith("bad.txt")
    assert failed.exit_code == 2
    assert failed.message.startswith("in/bad.txt")
    assert "cannot be read" in failed.message
    assert "\n" not in failed.message
    assert sorted(p.name for p in Path("out").glob("*.txt")) == ["1.txt", "2.txt"]


@pytest.mark.parametrize("bad", ["1.txt.cert.json", "closed", "gone.txt", "again/2.txt", "deep"])
def test_of_several_names_each_has_its_own_fault(
    bad: str, given: Path, key: Key, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which the shell makes of `in/*`."""
    monkeypatch.chdir(given.parent)
    path = given / bad
    if bad == "closed":
        path.mkdir()
        listed = os.scandir

        def scandir(folder: str | int) -> Iterator[os.DirEntry[str]]:
            if str(folder).endswith("closed"):
                raise PermissionError(13, "Permission denied")
            return listed(folder)

        monkeypatch.setattr(os, "scandir", scandir)
    elif bad == "deep":
        nested(path, ["b" * 250] * 20)
    elif bad != "gone.txt":
        path.parent.mkdir(exist_ok=True)
        path.write_text(TEXT)
    named = [f"in/{name}" for name in ("1.txt", "2.txt", bad)]
    settings = Settings(policy.parse("detect: [patterns]"), key, None)
    outcomes = list(batch.run(batch.plan(named, "out"), settings))
    assert [o.status for o in outcomes] == ["released", "released", "failed"]
    assert "\n" not in outcomes[2].message
    assert sorted(p.name for p in Path("out").glob("*.txt")) == ["1.txt", "2.txt"]


def test_folders_of_one_name_have_places_of_their_own(tmp_path: Path, key: Key) -> None:
    """Else whoever writes to one keeps the files of the other from being released."""
    for name in ("a/notes", "b/notes", "b/notes-2", "c/notes"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "x.txt").write_text(f"{TEXT} of {name}")
    named = [str(tmp_path / name) for name in ("a/notes", "b/notes", "b/notes-2", "c/notes")]
    settings = Settings(policy.parse("detect: [patterns]"), key, None)
    outcomes = list(batch.run(batch.plan(named, str(tmp_path / "out")), settings))
    assert [o.status for o in outcomes] == ["released"] * 4
    places = {p.parent.name: p.read_text()[-7:] for p in (tmp_path / "out").rglob("*.txt")}
    assert places["notes"].endswith("a/notes")
    assert len(places) == 4


def test_a_folder_that_is_named_must_be_readable(given: Path) -> None:
    given.chmod(0)
    if _may_read_everything(given):
        pytest.skip("may read everything")
    with pytest.raises(InputError, match=r"in: cannot be read \(Permission denied\)"):
        batch.plan([str(given)], None)


@pytest.mark.parametrize("link", [os.symlink, os.link])
@pytest.mark.parametrize("secret", ["key", "ledger.db"])
def test_a_link_to_the_key_or_the_ledger_fails_alone(
    link: Callable[[Path, Path], None], secret: str, given: Path, key: Key
) -> None:
    private = [given.parent / name for name in ("key", "ledger.db")]
    keys.write(key, private[0])
    private[1].touch(mode=0o600)
    link(given.parent / secret, given / "bad.txt")
    out = given.parent / "out"
    planned = batch.plan([str(given)], str(out), private=private)
    outcomes = list(batch.run(planned, Settings(policy.load("default"), key, None)))
    assert [o.status for o in outcomes] == ["released", "released", "failed"]
    why = "cannot be read: a link" if link is os.symlink else "leads to this run's key, ledger"
    assert outcomes[2].message.startswith(f"{given}/bad.txt: {why}")
    assert outcomes[2].exit_code == 2
    assert sorted(p.name for p in out.glob("*.txt")) == ["1.txt", "2.txt"]
    found = views.without_collisions(planned, out, ["ann", "bob"], private)
    assert [bool(job.fault) for job in found] == [False, False, True]
    with pytest.raises(InputError, match=rf"bad\.txt: {why}"):
        batch.plan([str(given / "bad.txt")], str(out), private=private)


SECRETS = ["key", "key.old", "key.old.2", "key.new", "mine"]
# A copy of another key is a text like any other
PLANTED = [("link", "."), ("copy", "key"), ("copy", "mine")]


@pytest.mark.parametrize(("plant", "secret"), [*product(["link", "hard link"], SECRETS), *PLANTED])
@pytest.mark.parametrize("many", [1, 2])
def test_no_key_goes_out_however_it_came_among_the_originals(
    plant: str, secret: str, many: int, command: Command, inside: Path
) -> None:
    """As the shell names what lies in a folder: one file, or several."""
    (inside / "in").mkdir()
    (inside / "in" / "1.txt").write_text(TEXT)
    (inside / "p.yaml").write_text("detect: [patterns]")
    assert command("key", "new", "mine").code == 0
    first = ("sanitize", "in/1.txt", "-p", "p.yaml", "-o", "first.txt")
    assert command(*first, *(("--key-file", "mine") if secret == "mine" else ())).code == 0
    place = Path(secret) if secret == "mine" else Path(".sfumato") / secret
    if not place.exists():
        keys.write(keys.new(), place)
    if plant == "link":
        Path("in/k.txt").symlink_to(f"../{place}")
    elif plant == "hard link":
        os.link(place, "in/k.txt")
    else:
        Path("in/k.txt").write_bytes(place.read_bytes().upper())
    if many == 1:
        Path("in/1.txt").unlink()
    named = sorted(map(str, Path("in").iterdir()))
    more = ("--key-file", "mine") if secret == "mine" else ()
    done = command("sanitize", *named, "-p", "p.yaml", "-o", "out/", *more)
    assert done.code == (0 if many == 2 and plant == "link" else done.code)
    assert done.code or many == 2
    assert [p.name for p in Path("out").rglob("*.txt")] == ["1.txt"] * (many - 1)


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("folder", ["report.txt.cert.json", "page.html"])
def test_a_folder_that_is_called_like_what_is_written_harms_no_file(
    command: Command, inside: Path, monkeypatch: pytest.MonkeyPatch, folder: str, workers: str
) -> None:
    monkeypatch.setattr("sfumato.release.batch.PARALLEL_FROM_BYTES", 0)
    Path("in", folder, "deep").mkdir(parents=True)
    Path("in/report.txt").write_text("Write to ann@example.org")
    Path("in", folder, "deep", "x.txt").write_text("Write to bob@example.org")
    page = () if "cert" in folder else ("--report", "out/page.html")
    done = command("sanitize", "in", "-o", "out", "-j", workers, *page)
    assert done.code == 2
    assert "rename it" in done.err
    assert sorted(path.name for path in Path("out").iterdir() if path.is_file()) == [
        *(["page.html"] if page else []),
        *("report.txt", "report.txt.cert.json"),
    ]


def becomes_a_link(given: Path, secrets: Path) -> None:
    (given / "sub" / "key").unlink()
    (given / "sub" / "key").symlink_to(secrets / "key")


def is_in_a_folder_that_becomes_a_link(given: Path, secrets: Path) -> None:
    (given / "sub").rename(given / "gone")
    (given / "sub").symlink_to(secrets)


def is_in_a_folder_whose_place_is_taken(given: Path, secrets: Path) -> None:
    given.rename(given.with_name("gone"))
    given.symlink_to(secrets.parent)


def is_behind_two_links(given: Path, secrets: Path) -> None:
    (given / "way").symlink_to(secrets.parent)
    (given / "sub" / "key").unlink()
    (given / "sub" / "key").symlink_to("../way/sub/key")


@pytest.mark.parametrize(
    "exchange",
    [
        becomes_a_link,
        is_in_a_folder_that_becomes_a_link,
        is_in_a_folder_whose_place_is_taken,
        is_behind_two_links,
    ],
)
@pytest.mark.parametrize("by", ["folder", "name"])
def test_what_becomes_a_link_after_the_run_was_planned_is_not_read(
    exchange: Callable[[Path, Path], None], by: str, given: Path, key: Key
) -> None:
    secrets = given.parent / "mine" / "sub"
    secrets.mkdir(parents=True)
    (given / "sub").mkdir()
    for folder, text in ((given / "sub", "Nothing."), (secrets, "the secret itself")):
        (folder / "key").write_text(text)
    named = (
        [str(given)] if by == "folder" else [*map(str, given.glob("*.txt")), str(given / "sub/key")]
    )
    planned = batch.plan(sorted(named), str(given.parent / "out"))
    exchange(given, secrets)
    outcomes = list(batch.run(planned, Settings(policy.load({"detect": []}), key, None)))
    assert (outcomes[-1].job.source.name, outcomes[-1].status) == ("key", "failed")
    assert not [*(given.parent / "out").rglob("key")]
    if exchange is not is_in_a_folder_whose_place_is_taken:
        assert [o.status for o in outcomes[:2]] == ["released", "released"]


@pytest.mark.parametrize("leads_to", ["2.txt", "2.txt.cert.json", "nothing", ".", "../in/1.txt"])
@pytest.mark.parametrize("late", [False, True])
def test_a_link_to_where_another_file_is_released_harms_only_itself(
    leads_to: str, late: bool, given: Path, key: Key
) -> None:
    out, settings = given.parent / "out", Settings(policy.load("default"), key, None, force=True)
    list(batch.run(batch.plan([str(given)], str(out)), settings))
    (given / "2.txt").write_text("Call bob@example.org now")
    (given / "zz.txt").write_text("plain")
    planned = batch.plan([str(given)], str(out)) if late else []
    (given / "zz.txt").unlink()
    (given / "zz.txt").symlink_to(out / leads_to)
    outcomes = list(batch.run(planned or batch.plan([str(given)], str(out)), settings))
    assert [o.status for o in outcomes][:2] == ["released", "released"]
    assert (out / "2.txt").read_text().endswith(" now")
    assert not (out / "zz.txt").exists()
