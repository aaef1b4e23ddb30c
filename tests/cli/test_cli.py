from __future__ import annotations

import io
import json
import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sfumato import policy
from sfumato.cli import app as cli
from tests.conftest import EXAMPLES

NOTE = "Patient: Marta Keller\nWrite to marta.keller@example.org before 12 May 2031.\n"


class Result:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def sfumato(
    inside: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
):
    """Runs a command line in this process, in an empty folder with a note in it."""
    (inside / "note.txt").write_text(NOTE)
    monkeypatch.setenv("COLUMNS", "120")

    def call(*arguments: str, stdin: bytes = b"") -> Result:
        monkeypatch.setattr(sys, "argv", ["sfumato", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as caught:
            cli.main()
        seen = capsysbinary.readouterr()
        return Result(int(caught.value.code or 0), seen.out.decode(), seen.err.decode())

    return call


def test_a_person_sees_before_and_after_a_pipe_gets_the_release(sfumato) -> None:
    result = sfumato("sanitize", "note.txt")
    assert result.code == 0
    assert result.out == "Patient: [PERSON]\nWrite to [EMAIL] before 2031.\n"
    assert "Marta Keller" in result.err
    assert "3 terms hidden" in result.err
    assert "✓ originals gone" in result.err
    assert not Path(".sfumato").exists()


def test_standard_input_goes_to_standard_output(sfumato) -> None:
    result = sfumato("sanitize", "-", "-o", "-", stdin=b"Ask ann@example.org\r\n")
    assert (result.code, result.out, result.err) == (0, "Ask [EMAIL]\r\n", "")


def test_release_certificate_ledger_and_key_are_written(sfumato, inside: Path) -> None:
    result = sfumato("sanitize", "note.txt", "-o", "safe.txt")
    assert result.code == 0
    assert "1 released; 3 terms hidden" in result.err
    assert "A new key is in .sfumato/key" in result.err
    assert sorted(p.name for p in inside.iterdir()) == [
        ".sfumato",
        "note.txt",
        "safe.txt",
        "safe.txt.cert.json",
    ]
    assert stat.S_IMODE(Path(".sfumato/key").stat().st_mode) == 0o600
    assert stat.S_IMODE(Path(".sfumato").stat().st_mode) == 0o700
    assert "Keller" not in Path("safe.txt").read_text() + Path("safe.txt.cert.json").read_text()
    assert sfumato("sanitize", "note.txt", "-o", "safe.txt").err.startswith(
        "0 released, 1 up to date"
    )


def test_verify_restore_and_explain_a_release(sfumato) -> None:
    sfumato("sanitize", "note.txt", "-o", "safe.txt")
    bare = sfumato("verify", "safe.txt")
    assert bare.code == 0
    assert "cannot be checked" in bare.out
    full = sfumato("verify", "safe.txt", "--ledger", ".sfumato/ledger.db")
    assert full.code == 0
    assert "cannot be checked" not in full.out
    as_json = json.loads(
        sfumato("verify", "safe.txt", "--ledger", ".sfumato/ledger.db", "--json").out
    )
    assert {c["verdict"] for c in as_json["checks"]} == {"holds"}
    assert sfumato("restore", "safe.txt").out == NOTE
    sfumato("restore", "safe.txt", "-o", "back.txt")
    assert Path("back.txt").read_text() == NOTE
    why = sfumato("explain", "safe.txt")
    assert "marta.keller@example.org" in why.out
    assert "2:10" in why.out
    one = json.loads(sfumato("explain", "safe.txt", "--at", "2:12", "--json").out)
    assert (one["kind"], one["original"], one["at"]) == (
        "EMAIL",
        "marta.keller@example.org",
        "2:10",
    )


def test_a_tampered_release_does_not_verify(sfumato) -> None:
    sfumato("sanitize", "note.txt", "-o", "safe.txt")
    Path("safe.txt").write_text(Path("safe.txt").read_text() + "ann@example.org")
    result = sfumato("verify", "safe.txt", "--key-file", ".sfumato/key")
    assert result.code == 3
    assert result.out.count("does not hold") == 2
    unknown = sfumato("verify", "safe.txt", "--ledger", ".sfumato/ledger.db")
    assert unknown.code == 3
    assert "not in the ledger" in " ".join(unknown.out.split())


def test_the_policy_of_a_release_is_found_or_asked_for(sfumato) -> None:
    Path("own.yaml").write_text(
        policy.load("default").to_yaml().replace("threshold: 0.5", "threshold: 0.45")
    )
    sfumato("sanitize", "note.txt", "-o", "safe.txt", "-p", "own.yaml")
    assert "without the policy" in sfumato("verify", "safe.txt").out
    assert "without the policy" not in sfumato("verify", "safe.txt", "-p", "own.yaml").out
    assert sfumato("verify", "safe.txt", "-p", "gdpr").code == 3


def test_detect_lists_terms_for_people_and_programs(sfumato) -> None:
    shown = sfumato("detect", "note.txt")
    assert "note.txt: 3 terms" in shown.out
    assert "marta.keller@example.org" in shown.out
    found = json.loads(sfumato("detect", "note.txt", "--json").out)
    assert found["file"] == "note.txt"
    assert [t["kind"] for t in found["terms"]] == ["PERSON", "EMAIL", "DATE"]
    for term in found["terms"]:
        assert set(term) == {"start", "end", "text", "kind", "score", "detector", "reason"}
        assert NOTE[term["start"] : term["end"]] == term["text"]


def test_json_describes_each_release(sfumato) -> None:
    Path("bad.txt").write_bytes(b"\xff")
    result = sfumato("sanitize", "note.txt", "bad.txt", "--json")
    lines = [json.loads(line) for line in result.out.splitlines()]
    assert result.code == 2
    assert lines[0]["text"].startswith("Patient: [PERSON]")
    assert set(lines[0]["edits"][0]) == {"start", "end", "kind", "replacement", "how", "reason"}
    assert "byte 0 (0xff)" in lines[1]["error"]


def test_reports_are_self_contained_and_only_the_review_holds_originals(sfumato) -> None:
    sfumato(
        "sanitize", "note.txt", "-o", "out/", "--report", "report.html", "--review", "review.html"
    )
    public, private = Path("report.html").read_text(), Path("review.html").read_text()
    assert "Keller" not in public
    assert "12 May" not in public
    assert "Marta Keller" in private
    assert "releasing party only" in private
    assert stat.S_IMODE(Path("review.html").stat().st_mode) == 0o600
    for page in (public, private):
        assert "http" not in page.replace("http-equiv", "")
        assert "[PERSON]" in page


def test_a_report_does_not_point_at_invented_values(sfumato) -> None:
    sfumato("sanitize", "note.txt", "-p", "research", "-o", "safe.txt", "--report", "report.html")
    assert "<mark" not in Path("report.html").read_text()


def test_policies_can_be_listed_shown_checked_and_described(sfumato) -> None:
    assert "hipaa-safe-harbor" in sfumato("policy", "list").out
    shown = sfumato("policy", "show", "gdpr").out
    Path("mine.yaml").write_text(shown)
    assert "a valid policy" in sfumato("policy", "check", "mine.yaml").out
    assert sfumato("policy", "show", "mine.yaml").out.startswith("name: gdpr")
    Path("mine.yaml").write_text(shown.replace("detect:", "detct:") + "foo: 1\n")
    checked = sfumato("policy", "check", "mine.yaml")
    assert checked.code == 2
    assert "did you mean 'detect'?" in checked.err
    assert len(checked.err.splitlines()) == 2
    assert json.loads(sfumato("policy", "schema").out)["title"] == "Sfumato policy"


def test_keys_are_made(sfumato) -> None:
    assert len(sfumato("key", "new").out.strip()) == 64
    assert sfumato("key", "new", "k").code == 0
    assert "never overwritten" in sfumato("key", "new", "k").err
    sfumato("sanitize", "note.txt", "-o", "a.txt", "--key-file", "k", "--ledger", "one/l.db")
    assert not Path("one/key").exists()
    missing = sfumato("restore", "a.txt", "--ledger", "one/l.db")
    assert missing.code == 2
    assert "no key" in missing.err
    assert sfumato("restore", "a.txt", "--ledger", "one/l.db", "--key-file", "k").out == NOTE
    again = sfumato("sanitize", "note.txt", "-o", "b.txt", "--ledger", "one/l.db")
    assert "its key was not given" in again.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sanitize", "nowhere.txt"], "nowhere.txt: cannot be read (No such file or directory)"),
        (["sanitize", "note.txt", "-p", "nope"], "no policy 'nope'"),
        (["sanitize", "note.txt", "--colour"], "No such option"),
        (["sanitize"], "Missing argument"),
        (["sanitize", "note.txt", "-o", "note.txt"], "never overwritten"),
        (["sanitize", ".", "-o", "out"], "lies inside the input folder"),
        (["sanitize", "note.txt", "note.txt"], "several files: give a folder"),
        (["sanitize", "note.txt", "--encoding", "klingon"], "unknown encoding"),
        (["sanitize", "note.txt", "-j", "0"], "-j"),
        (["sanitize", "note.txt", "--key-file", "none"], "cannot read the key file"),
        (["sanitize", "note.txt", "-o", "x.txt", "--ledger", "note.txt/l.db"], "cannot be made"),
        (["sanitize", "note.txt", "-o", "note.txt/x"], "cannot be written"),
        (["sanitize", "note.txt", "--encoding", "rot13"], "unknown encoding"),
        (["sanitize", "note.txt", "-o", "x.txt", "--report", "note.txt"], "is among the inputs"),
        (
            ["sanitize", "note.txt", "-o", "out/", "--ledger", "out/l.db"],
            "lies inside the output folder",
        ),
        (["sanitize", "note.txt", "-o", "/dev/null"], "no plain file"),
        (["verify", "nowhere.txt"], "nowhere.txt: cannot be read"),
        (["verify", "note.txt"], "note.txt.cert.json: cannot be read"),
        (["verify", "note.txt", "note.txt"], "not a certificate"),
        (["restore", "note.txt"], "no key"),
        (["explain", "note.txt", "--key-file", "k"], "no such ledger"),
        (["frobnicate"], "No such command"),
        (["policy", "check", "nowhere.yaml"], "neither a file nor a profile"),
    ],
)
def test_wrong_use_is_one_clear_line_and_exit_code_2(
    sfumato, arguments: list[str], message: str
) -> None:
    Path("k").write_text("00" * 32)
    result = sfumato(*arguments)
    assert result.code == 2
    assert message in result.err
    assert len(result.err.strip().splitlines()) == 1 or "new key" in result.err
    assert "Traceback" not in result.err


def test_a_place_must_exist_and_be_edited(sfumato) -> None:
    sfumato("sanitize", "note.txt", "-o", "safe.txt")
    for place, message in {
        "1:1": "nothing was edited",
        "x": "LINE:COL",
        "99:1": "no such place",
    }.items():
        result = sfumato("explain", "safe.txt", "--at", place)
        assert result.code == 2
        assert message in result.err


def test_an_empty_file_is_released_empty_and_it_says_so(sfumato) -> None:
    Path("empty.txt").write_text("")
    result = sfumato("sanitize", "empty.txt", "-o", "out.txt")
    assert result.code == 0
    assert "empty.txt: empty file, empty release" in result.err
    assert Path("out.txt").read_bytes() == b""


def test_a_read_only_folder_is_one_clear_line(sfumato, inside: Path) -> None:
    (inside / "locked").mkdir(mode=0o500)
    result = sfumato("sanitize", "note.txt", "-o", "locked/x.txt")
    if os.geteuid() != 0:  # root may write anywhere
        assert result.code == 2
        assert "Permission denied" in result.err


def test_a_guarantee_that_does_not_hold_is_exit_code_3(
    sfumato, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "sfumato.pipeline.Sanitizer.protect", lambda self, document, terms, first=(): []
    )
    result = sfumato("sanitize", "note.txt", "-o", "safe.txt")
    assert result.code == 3
    assert "does not hold" in result.err
    assert "Keller" not in result.err
    assert not Path("safe.txt").exists()


def test_an_internal_error_shows_no_text(sfumato, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ValueError("Marta Keller")

    monkeypatch.setattr("sfumato.pipeline.Sanitizer.protect", broken)
    result = sfumato("sanitize", "note.txt")
    assert result.code == 1
    assert "internal error (ValueError at test_cli.py" in result.err
    assert "Keller" not in result.err


@pytest.mark.parametrize(
    ("error", "code"), [(KeyboardInterrupt, 130), (MemoryError, 2), (BrokenPipeError, 0)]
)
def test_interrupts_have_their_codes(
    sfumato, monkeypatch: pytest.MonkeyPatch, error: type[BaseException], code: int
) -> None:
    def stop(*_: object) -> None:
        raise error

    monkeypatch.setattr("sfumato.pipeline.Sanitizer.protect", stop)
    monkeypatch.setattr(os, "dup2", lambda *_: None)
    assert sfumato("sanitize", "note.txt").code == code


def test_version_and_help(sfumato) -> None:
    from sfumato import __version__

    assert sfumato("--version").out == f"sfumato {__version__}\n"
    assert "Makes text safe to share" in sfumato("--help").out


def test_the_installed_command_works_in_a_pipe() -> None:
    command = [sys.executable, "-c", "from sfumato.cli import main; main()", "sanitize", "-q"]
    done = subprocess.run(
        [*command, str(EXAMPLES / "discharge-note.txt")], capture_output=True, check=True
    )
    assert b"[PERSON]" in done.stdout
    assert done.stderr == b""


def test_a_terminal_narrow_or_wide_shows_both_texts(
    sfumato, monkeypatch: pytest.MonkeyPatch
) -> None:
    for columns in ("60", "160"):
        monkeypatch.setattr(
            cli, "err", cli.Console(stderr=True, highlight=False, width=int(columns))
        )
        seen = sfumato("sanitize", str(EXAMPLES / "discharge-note.txt"))
        assert "before" in seen.err
        assert "after" in seen.err


def test_equal_releases_are_told_apart_by_their_certificates(sfumato, inside: Path) -> None:
    for who, folder in (("ann", "in"), ("bob", "in/sub")):
        (inside / folder).mkdir(exist_ok=True)
        (inside / folder / "memo.txt").write_text(f"Ask {who}@example.org")
    sfumato("sanitize", "in", "-o", "out")
    for who, name in (("ann", "memo.txt"), ("bob", "sub/memo.txt")):
        assert sfumato("restore", f"out/{name}").out == f"Ask {who}@example.org"
        full = sfumato("verify", f"out/{name}", "--ledger", ".sfumato/ledger.db")
        assert (full.code, "does not hold" in full.out) == (0, False)
    for certificate in inside.rglob("*.cert.json"):
        certificate.unlink()
    assert "say which with --name" in sfumato("restore", "out/memo.txt").err
    assert sfumato("restore", "out/memo.txt", "--name", "sub/memo.txt").out == "Ask bob@example.org"


def test_a_certificate_that_claims_nothing_does_not_verify(sfumato) -> None:
    sfumato("sanitize", "note.txt", "-o", "safe.txt")
    path = Path("safe.txt.cert.json")
    made = json.loads(path.read_text())
    path.write_text(json.dumps({**made, "claims": []}))
    result = sfumato("verify", "safe.txt")
    assert result.code == 3
    assert "the certificate does not claim it" in " ".join(result.out.split())
    for change in ({"knowledge": 3}, {"seal": 5}, {"format": 9}, {"claims": 1}):
        path.write_text(json.dumps({**made, **change}))
        assert sfumato("verify", "safe.txt").code == 2
    path.write_text(json.dumps({**made, "seal": "é"}))
    assert sfumato("verify", "safe.txt", "--key-file", ".sfumato/key").code == 3


def test_nothing_is_made_when_the_input_is_missing(sfumato, inside: Path) -> None:
    assert sfumato("sanitize", "missing.txt", "-o", "x.txt").code == 2
    assert not (inside / ".sfumato").exists()


def test_a_full_standard_output_is_one_clear_line() -> None:
    command = [sys.executable, "-c", "from sfumato.cli import main; main()", "sanitize", "-q"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*command, str(EXAMPLES / "memo.md")], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 2
    assert done.stderr == "sfumato: output: No space left on device\n"


def test_control_c_ends_with_130_and_a_line(inside: Path) -> None:
    (inside / "big").mkdir()
    for number in range(300):
        (inside / "big" / f"{number}.txt").write_text((EXAMPLES / "memo.md").read_text())
    code = "from sfumato.cli import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, "sanitize", "big", "-o", "out", "-j", "1"],
        stderr=subprocess.PIPE,
        text=True,
    )
    while not list(inside.glob("out/*.txt")):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "interrupted" in said
    assert not list(inside.glob("out/.*"))
    assert len(list(inside.glob("out/*.txt"))) < 300
