from __future__ import annotations

import errno
import fcntl
import os
import resource
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sfumato import files, folders
from sfumato.errors import InputError
from sfumato.folders import Folders
from sfumato.formats import file_bytes


def names(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def test_a_file_is_written_whole_with_its_folders_and_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "x"
    files.write_file(path, b"one", mode=files.PRIVATE)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o666)
    files.write_file(path, b"two", mode=files.PRIVATE)
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"two", 0o600)
    assert names(path.parent) == ["x"]


def test_what_is_for_all_has_the_mode_that_the_user_gives_to_files(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        files.write_file(tmp_path / "x", b"data")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o640


@pytest.mark.parametrize("fault", [KeyboardInterrupt, SystemExit, OSError(28, "No space left")])
@pytest.mark.parametrize("old", [True, False])
def test_a_fault_leaves_what_was_there_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: BaseException, old: bool
) -> None:
    def fail(*_: object) -> None:
        raise fault

    if old:
        (tmp_path / "x").write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises((KeyboardInterrupt, SystemExit, InputError)):
        files.write_file(tmp_path / "x", b"new")
    with pytest.raises((KeyboardInterrupt, SystemExit, InputError)):
        files.write_together([(tmp_path / "y", b"new"), (tmp_path / "x", b"new")])
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == ({"x": b"old"} if old else {})


@pytest.mark.parametrize("old", [True, False])
def test_what_somebody_puts_in_the_place_of_an_unfinished_file_is_not_taken_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: bool
) -> None:
    theirs = tmp_path / "theirs"
    theirs.write_bytes(b"theirs")
    target = tmp_path / "out" / "x"
    target.parent.mkdir()
    if old:
        target.write_bytes(b"old")

    def swap(_: int) -> None:
        for part in target.parent.glob("*.part"):
            part.unlink()
            part.symlink_to(theirs)

    monkeypatch.setattr(os, "fsync", swap)
    with pytest.raises(InputError, match="somebody else has changed the folder"):
        files.write_file(target, b"ours")
    with pytest.raises(InputError, match="somebody else has changed the folder"):
        files.write_together([(target.with_name("y"), b"ours"), (target, b"ours")])
    with pytest.raises(OSError, match="somebody else has changed the folder"):
        files.write_new(target.with_name("key"), b"ours")
    found = {p.name: p.read_bytes() for p in target.parent.iterdir()}
    assert found == ({"x": b"old"} if old else {})
    assert theirs.read_bytes() == b"theirs"


def test_only_plain_files_are_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    (tmp_path / "null").symlink_to(os.devnull)
    for name in ("pipe", "folder", "link", "null"):
        with pytest.raises(InputError, match="no plain file"):
            files.write_file(tmp_path / name, b"x")
        with pytest.raises(InputError, match="no plain file"):
            files.write_together([(tmp_path / name, b"x"), (tmp_path / "new", b"x")])
        with pytest.raises(InputError, match="no plain file"):
            files.Target.at(tmp_path / name, force=True)
    assert names(tmp_path) == ["folder", "link", "null", "pipe"]


def test_a_link_is_replaced_and_never_followed(tmp_path: Path) -> None:
    (tmp_path / "victim").write_bytes(b"mine")
    for at, target in enumerate(("victim", "nowhere", "link-2")):  # the last is a link to itself
        link = tmp_path / f"link-{at}"
        link.symlink_to(tmp_path / target)
        files.write_file(link, b"new")
        assert not link.is_symlink()
        assert link.read_bytes() == b"new"
    os.link(tmp_path / "victim", tmp_path / "hard")
    files.write_together([(tmp_path / "c", b"new"), (tmp_path / "hard", b"new")])
    assert (tmp_path / "victim").read_bytes() == b"mine"
    assert not (tmp_path / "nowhere").exists()


def test_a_name_as_long_as_names_get_is_written(tmp_path: Path) -> None:
    files.write_file(tmp_path / ("n" * 255), b"x")
    with pytest.raises(InputError, match="cannot be written"):
        files.write_file(tmp_path / ("n" * 256), b"x")
    assert names(tmp_path) == ["n" * 255]


def test_a_new_file_is_no_old_one(tmp_path: Path) -> None:
    files.write_new(tmp_path / "key", b"one")
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name in ("key", "link"):
        with pytest.raises(FileExistsError):
            files.write_new(tmp_path / name, b"two")
    assert (tmp_path / "key").read_bytes() == b"one"
    assert names(tmp_path) == ["key", "link"]


def no_links(*_: object, **__: object) -> None:
    raise OSError(errno.EPERM, "Operation not permitted")  # a disk without hard links


@pytest.mark.parametrize("old", [True, False])
@pytest.mark.parametrize("links", [True, False])
@pytest.mark.parametrize("at", [1, 2, 3, 4])
def test_files_that_belong_together_are_all_new_or_all_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int, links: bool, old: bool
) -> None:
    pair = [tmp_path / "c", tmp_path / "r"]
    if old:
        files.write_together([(path, b"old") for path in pair])
    tried = 0

    def failing_once(do: Callable[..., None]) -> Callable[..., None]:
        def tried_to(*arguments: str, **options: int) -> None:
            nonlocal tried
            tried += 1
            if tried == at:
                raise KeyboardInterrupt
            do(*arguments, **options)

        return tried_to

    monkeypatch.setattr(os, "link", failing_once(os.link) if links else no_links)
    monkeypatch.setattr(os, "rename", failing_once(os.rename))
    with pytest.raises(KeyboardInterrupt):
        files.write_together([(path, b"new") for path in pair])
    found = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    assert found == ({"c": b"old", "r": b"old"} if old else {})


WRITER = """
import sys
from pathlib import Path
from sfumato import files
folder, name, times = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
for number in range(times):
    said = f"{name}{number}".encode()
    files.write_together([(folder / "c", said), (folder / "r", said * 9)])
"""


def writer(folder: Path, name: str, times: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", WRITER, str(folder), name, str(times)])


def test_of_several_writers_one_has_the_last_word_and_none_fails(tmp_path: Path) -> None:
    running = [writer(tmp_path, name, 300) for name in "abc"]
    for process in running:
        process.wait()
    assert [process.returncode for process in running] == [0, 0, 0]
    assert (tmp_path / "c").read_bytes() * 9 == (tmp_path / "r").read_bytes()
    assert names(tmp_path) == ["c", "r"]


@pytest.mark.parametrize("patience", [0.0, 0.003, 0.01, 0.02, 0.05])
def test_a_killed_writer_leaves_no_file_with_another_ones_companion(
    tmp_path: Path, patience: float
) -> None:
    process = writer(tmp_path, "a", 10**6)
    while not (tmp_path / "r").exists():
        assert process.poll() is None
    time.sleep(patience)
    process.kill()
    process.wait()
    if (tmp_path / "r").exists():
        assert (tmp_path / "r").read_bytes() == (tmp_path / "c").read_bytes() * 9
    folders.sweep(tmp_path)
    assert not [name for name in names(tmp_path) if name.startswith(".")]


def test_what_a_killed_writer_left_is_removed_and_what_is_written_or_not_ours_is_not(
    tmp_path: Path,
) -> None:
    (tmp_path / ".sfumato-0123456789abcdef.part").write_bytes(b"left by a killed one")
    (tmp_path / ".sfumato-aaaaaaaaaaaaaaaa.part").symlink_to(tmp_path / "r")
    (tmp_path / ".sfumato-mine.part").write_bytes(b"no such name")
    os.mkfifo(tmp_path / ".sfumato-bbbbbbbbbbbbbbbb.part")
    used = tmp_path / ".sfumato-cccccccccccccccc.part"
    with used.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        folders.sweep(tmp_path)
    left = ["sfumato-aaaaaaaaaaaaaaaa", "sfumato-bbbbbbbbbbbbbbbb", "sfumato-cccccccccccccccc"]
    assert names(tmp_path) == [*(f".{name}.part" for name in left), ".sfumato-mine.part"]


def test_what_is_left_where_somebody_writes_is_removed_the_next_time(tmp_path: Path) -> None:
    (tmp_path / ".sfumato-0123456789abcdef.part").write_bytes(b"left by a killed one")
    held = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    folders.sweep(tmp_path)
    assert len(names(tmp_path)) == 1
    os.close(held)
    folders.sweep(tmp_path)
    assert names(tmp_path) == []


def test_a_file_beyond_the_limit_leaves_nothing(tmp_path: Path) -> None:
    code = f"import sys; sys.argv[1:] = [{str(tmp_path)!r}, {'x' * 5000!r}, '1']\n{WRITER}"

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))

    done = subprocess.run(
        [sys.executable, "-c", code], preexec_fn=limited, capture_output=True, text=True
    )
    assert "cannot be written (File too large)" in done.stderr
    assert names(tmp_path) == []


def test_what_is_not_ours_is_not_replaced_unless_it_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "x"
    files.Target.at(path, force=False).write(b"ours")
    mine = files.Target.at(path, force=False, is_ours=lambda data: data == b"ours")
    with pytest.raises(InputError, match="x: exists; give another name, or --force"):
        files.Target.at(path, force=False)
    (tmp_path / "link").symlink_to(path)
    with pytest.raises(InputError, match="no earlier page"):
        files.Target.at(tmp_path / "link", force=False, is_ours=lambda _: True, what="page")
    mine.write(b"theirs")
    with pytest.raises(InputError, match="x: exists"):  # it is judged again when it is written
        mine.write(b"ours")
    assert path.read_bytes() == b"theirs"
    files.Target.at(path, force=True).write(b"ours")
    assert (path.read_bytes(), names(tmp_path)) == (b"ours", ["link", "x"])


def test_a_file_that_is_never_to_be_replaced_is_not(tmp_path: Path) -> None:
    """Somebody may have put its folder in the place of the one that is written to."""
    original = tmp_path / "r"
    original.write_bytes(b"dear")
    found = files.identity(original)
    assert found is not None
    with pytest.raises(InputError, match="never overwritten"):
        files.write_together([(tmp_path / "c", b"x"), (original, b"x")], never={found})
    assert original.read_bytes() == b"dear"
    assert names(tmp_path) == ["r"]


def test_a_folder_is_held_while_files_are_written_not_its_name(tmp_path: Path) -> None:
    out, other = tmp_path / "out", tmp_path / "other"
    out.mkdir()
    other.mkdir()
    (other / "r").write_bytes(b"dear")

    def swap(_: Folders) -> None:
        out.rename(tmp_path / "moved")
        out.symlink_to(other)

    files.write_together([(out / "c", b"x"), (out / "r", b"x")], judge=swap)
    assert (other / "r").read_bytes() == b"dear"
    assert (tmp_path / "moved" / "r").read_bytes() == b"x"


def test_a_file_that_says_it_is_empty_is_read_up_to_the_limit_alone() -> None:
    if not Path("/proc/self/status").exists():
        pytest.skip("no such files")
    assert len(file_bytes(Path("/proc/self/status"))) > 100
    with pytest.raises(InputError, match="more than 100 bytes"):
        file_bytes(Path("/proc/self/status"), 100)


def test_a_folder_is_named_where_it_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError) as found:
        files.contents(tmp_path, 10)
    assert found.value.filename == str(tmp_path)


def test_more_links_than_any_system_follows_are_no_fault(tmp_path: Path) -> None:
    for number in range(1200):
        (tmp_path / str(number)).symlink_to(str(number + 1))
    assert files.real(tmp_path / "0").parent == tmp_path


def test_what_was_closed_to_others_stays_so(tmp_path: Path) -> None:
    for before, after in ((0o600, 0o600), (0o640, 0o640), (0o444, 0o644), (0o666, 0o644)):
        (tmp_path / "a").unlink(missing_ok=True)
        (tmp_path / "a").touch()
        (tmp_path / "a").chmod(before)
        was = os.umask(0o022)
        try:
            files.write_file(tmp_path / "a", b"x")
        finally:
            os.umask(was)
        assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == after


def test_where_a_deep_path_leads_is_asked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not for each folder on the way, with all before it: paths may have thousands."""
    deep = tmp_path.joinpath(*"abcdefgh")
    deep.mkdir(parents=True)
    (tmp_path / "link").symlink_to("a/b")
    asked: Any = []
    known = os.lstat
    monkeypatch.setattr(os, "lstat", lambda *a, **b: asked.append(a) or known(*a, **b))
    assert files.real(tmp_path / "link" / "c" / "d" / ".." / "d") == deep.parents[3].resolve()
    asked.clear()
    assert files.real(deep) == deep
    assert len(asked) <= (0 if Path("/proc/self/fd").is_dir() else 100)
    gone = tmp_path / "link" / "new" / "x.txt"
    assert files.real(gone) == tmp_path / "a" / "b" / "new" / "x.txt"
