"""Files that have no end, or that nobody writes to, in the place of what a command reads."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Sfumato as Command
from tests.cli.conftest import sfumato as command

__all__ = ["command"]  # a fixture


def test_what_has_no_end_or_no_writer_is_refused_in_a_line(
    command: Command, inside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pipes that nobody writes to, devices and huge files in the place of whatever `verify` reads."""
    monkeypatch.setattr("sfumato.files.PATIENCE", 0.2)
    Path("a.txt").write_text("Ask ann@example.org.")
    assert command("sanitize", "a.txt", "-o", "out/a.txt").code == 0
    os.mkfifo("pipe")
    Path("zero").symlink_to("/dev/zero")
    with Path("huge").open("wb") as file:
        file.truncate(1 << 40)
    for odd in ("pipe", "zero", "huge"):
        for arguments in (
            ("verify", "out/a.txt", odd),
            ("verify", odd, "out/a.txt.cert.json"),
            ("verify", "out/a.txt", "--public-key", odd),
            ("verify", "out/a.txt", "--key-file", odd),
            ("verify", "out/a.txt", "-p", odd),
            ("verify", "out/a.txt", "--ledger", odd),
            ("restore", odd),
            ("explain", odd),
        ):
            done = command(*arguments)
            assert (done.code, done.err.count("\n")) == (2, 1), (arguments, done.err)


def test_a_huge_file_in_the_place_of_a_certificate_or_a_release_is_not_read(
    command: Command, inside: Path
) -> None:
    """It is nothing of ours, so it stays unless somebody says otherwise."""
    Path("in").mkdir()
    for name in ("a.txt", "b.txt"):
        Path("in", name).write_text("Ask ann@example.org.")
    assert command("sanitize", "in", "-o", "out").code == 0
    for planted, verb in (("out/a.txt.cert.json", "Tell"), ("out/a.txt", "Call")):
        os.truncate(planted, 1 << 40)
        Path("in/b.txt").write_text(f"{verb} bob@example.org.")
        done = command("sanitize", "in", "-o", "out")
        assert (done.code, Path(planted).stat().st_size) == (2, 1 << 40)
        assert "out/a.txt" in done.err
        assert Path("out/b.txt").read_text() == f"{verb} [EMAIL 1]."
        assert command("sanitize", "in", "-o", "out", "--force").code == 0
        assert command("restore", "out/a.txt").out == "Ask ann@example.org."


def test_keys_come_through_pipes(command: Command, inside: Path) -> None:
    Path("a.txt").write_text("Ask ann@example.org.")
    assert command("sanitize", "a.txt", "-o", "out/a.txt").code == 0
    public = command("key", "public").out
    for option, text in (
        ("--public-key", public),
        ("--key-file", Path(".sfumato/key").read_text()),
    ):
        reading, writing = os.pipe()
        os.write(writing, text.encode())
        os.close(writing)
        done = command("verify", "out/a.txt", option, f"/dev/fd/{reading}")
        os.close(reading)
        assert (done.code, done.err) == (0, "")


def test_what_a_policy_names_has_an_end(command: Command, inside: Path) -> None:
    Path("a.txt").write_text("Ask ann@example.org.")
    Path("t.csv").write_text("a,note\n1,x\n1,y\n")
    assert command("sanitize", "a.txt", "-o", "out/a.txt").code == 0
    os.mkfifo("pipe.txt")
    Path("zero.txt").symlink_to("/dev/zero")
    with Path("huge.txt").open("wb") as file:
        file.truncate(1 << 40)
    for odd in ("pipe.txt", "zero.txt", "huge.txt"):
        for settings in (
            f"detect: [patterns, {{lists: {{hide: [{{kind: X, file: {odd}}}]}}}}]",
            f"table: {{k: 2, columns: {{a: {{role: quasi, hierarchy: {odd}}}}}}}",
            f"detect: [patterns]\nreplace: generalise\nknow: {{taxonomies: [{odd}]}}",
        ):
            Path("policy.yaml").write_text(settings)
            for arguments in (
                ("policy", "check", "policy.yaml"),
                ("sanitize", "a.txt", "-p", "policy.yaml", "-o", "other/a.txt"),
                ("verify", "out/a.txt", "-p", "policy.yaml", "--ledger", ".sfumato/ledger.db"),
            ):
                done = command(*arguments)
                assert done.code in (2, 3), (arguments, settings, done.out)
                assert "Traceback" not in done.err
    assert not Path("other").exists()


def test_a_pipe_in_the_place_of_a_table_is_not_waited_for(command: Command, inside: Path) -> None:
    os.mkfifo("pipe.csv")
    os.mkfifo("pipe.parquet")
    Path("log.csv").write_text("user,document\na,x\n")
    for pipe in ("pipe.csv", "pipe.parquet"):
        done = command("measure", pipe, "log.csv")
        assert (done.code, done.err.count("\n"), "not a file" in done.err) == (2, 1, True)
