from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sfumato import files
from sfumato.errors import InputError
from sfumato.folders import Folders, Root


def names(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def is_ours(data: bytes) -> bool:
    return data.startswith(b"ours")


def write(root: Root, *below: str, judge: Callable[[Folders], None] | None = None) -> None:
    files.write_together([(root.path / b, b"ours") for b in below], root=root, judge=judge)


def looked_at(root: Root, below: str) -> bytes | None:
    return files.look(root.path / below, root, lambda folders: folders.read(root.path / below))


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A folder with one in it, beside a folder of somebody else."""
    place = tmp_path / "place"
    (place / "out" / "a").mkdir(parents=True)
    (place / "theirs").mkdir()
    (place / "theirs" / "r").write_bytes(b"dear")
    return place / "out"


def test_the_root_may_be_a_link_and_what_is_below_may_not(out: Path) -> None:
    (out.parent / "named").symlink_to(out)
    root = Root.at(out.parent / "named")
    write(root, "a/c", "a/b/c", "a/b/r")  # folders that are missing are made
    assert (out / "a/b/r").read_bytes() == b"ours"
    (out / "linked").symlink_to(out.parent / "theirs")
    (out / "nowhere").symlink_to(out.parent / "new")
    (out / "itself").symlink_to("itself")
    for below in ("linked/r", "linked/new/r", "nowhere/r", "itself/r"):
        with pytest.raises(
            InputError, match=r"named/\w+: is a link; .* remove it, or give another"
        ):
            write(root, below)
        with pytest.raises(InputError, match="is a link"):
            looked_at(root, below)
    (out / "file").write_bytes(b"dear")
    os.mkfifo(out / "pipe")
    for below in ("file/r", "pipe/r"):
        with pytest.raises(InputError, match=r"cannot be written \(Not a directory\)"):
            write(root, below)
    assert names(out.parent / "theirs") == ["r"]
    assert names(out.parent) == ["named", "out", "theirs"]


@pytest.mark.parametrize("by", ["a link", "a folder"])
@pytest.mark.parametrize("exchanged", ["the root", "its folder"])
def test_what_takes_the_place_of_the_root_is_not_written_to(
    out: Path, by: str, exchanged: str
) -> None:
    place = out if exchanged == "the root" else out.parent
    root, target = Root.at(out), files.Target.at(out / "r", force=True)
    place.rename(place.with_name("moved"))
    if by == "a link":
        place.with_name("other").mkdir()
        place.symlink_to(place.with_name("other"))
    out.mkdir(parents=True, exist_ok=True)
    with pytest.raises(InputError, match="out: another folder has taken its place"):
        write(root, "r")
    with pytest.raises(InputError, match="out: another folder has taken its place"):
        target.write(b"ours")
    assert names(out) == []


def test_a_root_that_is_not_there_yet_is_made_and_no_link_takes_its_place(out: Path) -> None:
    root = Root.at(out / "new" / "deep")
    with Folders(root) as folders:
        assert not folders.stands(root.path / "r")
    assert not (out / "new").exists()  # nothing is made to look at it
    write(root, "r")
    assert (out / "new/deep/r").read_bytes() == b"ours"
    (out / "new" / "deep").rename(out / "moved")
    (out / "new" / "deep").symlink_to(out.parent / "theirs")
    with pytest.raises(InputError, match="deep: is a link"):
        write(root, "r")
    assert (out.parent / "theirs/r").read_bytes() == b"dear"


@pytest.mark.parametrize("judged", ["ours", "nothing"])
def test_what_comes_after_the_judgement_is_judged_too_and_stays(out: Path, judged: str) -> None:
    target, theirs = out / "r", out.parent / "theirs" / "r"
    if judged == "ours":
        target.write_bytes(b"ours, an earlier one")
    times = 0

    def judge(folders: Folders) -> None:
        nonlocal times
        times += 1
        folders.refuse(target, force=False, is_ours=is_ours, what="release")
        if times == 1:
            theirs.rename(target)

    with pytest.raises(InputError, match="r: exists and is no earlier release"):
        write(Root.at(out), "c", "r", judge=judge)
    assert (times, target.read_bytes()) == (2, b"dear")
    assert names(out) == ["a", "r"]


@pytest.mark.parametrize("links", [True, False])
def test_what_comes_while_the_old_file_is_away_stays(
    out: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    target, link = out / "r", os.link
    target.write_bytes(b"ours, an earlier one")

    def slowly(source: str, name: str, **options: Any) -> None:
        if name == "r" and not target.exists():
            target.write_bytes(b"dear")
        if not links:
            raise PermissionError
        link(source, name, **options)

    monkeypatch.setattr(os, "link", slowly)

    def judge(folders: Folders) -> None:
        for path in (out / "c", target):
            folders.refuse(path, force=False, is_ours=is_ours)

    with pytest.raises(InputError, match="r: exists; give another name"):
        write(Root.at(out), "c", "r", judge=judge)
    assert target.read_bytes() == b"dear"
    assert names(out) == ["a", "r"]


def test_who_changes_the_folder_for_ever_is_given_up_on(out: Path) -> None:
    target = out / "r"

    def judge(folders: Folders) -> None:
        folders.refuse(target, force=False, is_ours=is_ours)
        (out / "new").write_bytes(b"ours, and another one each time")
        (out / "new").rename(target)

    with pytest.raises(InputError, match="somebody else has changed the folder meanwhile"):
        write(Root.at(out), "c", "r", judge=judge)
    assert names(out) == ["a", "r"]


def test_by_force_all_is_replaced_but_what_never_is(out: Path) -> None:
    dear, target = out.parent / "theirs" / "r", out / "r"
    target.write_bytes(b"a stranger's")
    never = files.identities([dear, None, out / "missing"])
    assert len(never) == 1
    times = 0

    def judge(folders: Folders) -> None:
        nonlocal times
        times += 1
        folders.refuse(target, force=True)
        if times == 1:  # the judged one goes, a dear one comes
            dear.rename(target)

    pair = [(out / "c", b"ours"), (target, b"ours")]
    with pytest.raises(InputError, match="never overwritten"):
        files.write_together(pair, judge=judge, never=never)
    assert (target.read_bytes(), names(out)) == (b"dear", ["a", "r"])
    files.write_together(pair, judge=judge)
    assert target.read_bytes() == b"ours"


def test_a_folder_that_may_not_be_looked_at_is_written_to(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = os.open

    def unreadable(path: str, flags: int, *rest: int, dir_fd: int | None = None) -> int:
        if flags & os.O_DIRECTORY and not flags & os.O_PATH:
            raise PermissionError(13, "Permission denied")
        return opened(path, flags, *rest, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", unreadable)

    def judge(folders: Folders) -> None:
        for name in "cr":
            folders.refuse(out / "a" / name, force=False, is_ours=is_ours)

    for _ in range(2):
        write(Root.at(out), "a/c", "a/r", judge=judge)
    (out / "a" / "r").write_bytes(b"dear")
    with pytest.raises(InputError, match="r: exists"):
        write(Root.at(out), "a/c", "a/r", judge=judge)
    assert names(out / "a") == ["c", "r"]
    (out / "b").symlink_to(out.parent / "theirs")
    with pytest.raises(InputError, match="is a link"):
        write(Root.at(out), "b/r")
