"""What lies in a working folder that somebody else writes to never stands for something that is installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sfumato import policy, sanitize
from sfumato.errors import PolicyError
from sfumato.policy import rx_anon
from sfumato.private import caches

ORIGINAL = {
    "parameters": {"k": 2},
    "nlp": {"model": "en_core_web_planted"},
    "attributes": {"note": {"type": "text"}},
    "entities": {"native": ["PERSON"]},
}


@pytest.fixture(params=["folder", "namespace"])
def planted(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A pipeline that finds nothing, in the working folder; which may be where modules are looked for, too."""
    spacy = pytest.importorskip("spacy", reason="needs the extra 'spacy'")
    spacy.blank("en").to_disk(tmp_path / "en_core_web_planted")
    monkeypatch.chdir(tmp_path)
    if request.param == "namespace":
        spacy.blank("en").to_disk(tmp_path / "en_core_web_planted/en_core_web_planted-1.0")
        monkeypatch.syspath_prepend("")
    return tmp_path / "en_core_web_planted"


@pytest.mark.usefixtures("planted")
@pytest.mark.parametrize("name", ["spacy", "presidio"])
def test_a_folder_is_no_installed_pipeline(name: str) -> None:
    pytest.importorskip("presidio_analyzer", reason="needs the extra 'presidio'")
    rules = {"detect": [{name: {"model": "en_core_web_planted"}}]}
    with pytest.raises(PolicyError, match="is installed"):
        sanitize("Ask Ann.", rules)


@pytest.mark.usefixtures("planted")
def test_an_original_configuration_does_not_take_a_folder_for_its_pipeline() -> None:
    made = rx_anon.to_policy(ORIGINAL, "policy")
    assert made["detect"] == ["patterns", "personal"]
    assert "is not installed" in rx_anon.notes(ORIGINAL)[0]


@pytest.mark.usefixtures("planted")
@pytest.mark.parametrize("name", ["__main__", "..", ".", "", "planted.pipeline"])
def test_what_is_no_name_of_a_pipeline_is_one_line(name: str) -> None:
    with pytest.raises(PolicyError):
        sanitize("Ask Ann.", {"detect": [{"spacy": {"model": name}}]})


def test_a_folder_with_a_slash_starts_at_the_policy(
    planted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rules.yaml").write_text("detect: [{spacy: {model: ./en_core_web_planted}}]\n")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    rules = policy.load(tmp_path / "rules.yaml")
    assert sanitize("Ask Ann.", rules).text == "Ask Ann."
    planted.rename(tmp_path / "elsewhere" / planted.name)
    with pytest.raises(PolicyError, match="no spaCy pipeline is in this folder"):
        sanitize("Ask Ann.", policy.load(tmp_path / "rules.yaml"))


def test_the_hash_of_a_policy_does_not_say_where_its_pipeline_lies(tmp_path: Path) -> None:
    made = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "rules.yaml").write_text("detect: [{spacy: {model: ./trained}}]\n")
        made.append(policy.load(tmp_path / name / "rules.yaml").digest)
    named = policy.load({"detect": [{"spacy": {"model": "en_core_web_sm"}}]}).digest
    assert made[0] == made[1] != named


def test_python_m_runs_no_module_of_the_working_folder(tmp_path: Path) -> None:
    for name in ("typer", "rich", "yaml", "numpy", "json", "inspect", "signal", "os"):
        (tmp_path / f"{name}.py").write_text("open('run', 'w').close()\n")
    (tmp_path / "note.txt").write_text("Ask ann@example.org.\n")
    away = [p for p in sys.path if p]
    done = subprocess.run(
        [sys.executable, "-m", "sfumato", "sanitize", "note.txt", "-o", "out.txt"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(away)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("content", [b"figure.facecolor: red\nfont.size: 40\n", b"\xff\xfe", b"x"])
def test_pictures_do_not_look_as_a_planted_file_says(content: bytes, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra 'plots'")
    code = (
        "import hashlib; from sfumato.measure.frontier import Frontier, Point; "
        "from sfumato.report.plots import frontier_plot; "
        "points = (Point({'t': 1}, 0.2, 80.0), Point({'t': 2}, 0.1, 60.0)); "
        "print(hashlib.sha256(frontier_plot(Frontier('t', 'risk', 'use', points))).hexdigest())"
    )
    drawn = []
    for name in ("clean", "planted"):
        folder = tmp_path / name
        folder.mkdir()
        if name == "planted":
            (folder / "matplotlibrc").write_bytes(content)
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True
        )
        assert (done.returncode, done.stderr) == (0, "")
        drawn.append(done.stdout)
    assert drawn[0] == drawn[1]


def test_the_cache_lies_where_a_whole_path_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    assert caches() == Path.home() / ".cache"
