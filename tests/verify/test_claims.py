"""Nothing is claimed that nobody can check, and nothing promised goes unclaimed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import sfumato
from sfumato import GuaranteeError, PolicyError
from sfumato.document import Claim, Document, Edit, Term
from sfumato.keys import Key
from sfumato.plugins import CLAIMS, PROTECTORS, Options, ProtectorPlugin, claim, protector
from sfumato.protect.disclosure.strategies import STRATEGIES
from sfumato.verify import ALWAYS, Check, Evidence, check_claims, fails, holds, promised
from tests.conftest import ROOT

PRIVATE = "differentially private"
TEXT = "Write to ann@example.org"


class NoiseOptions(Options):
    epsilon: float = 0.1
    stated: bool = True


class Noise:
    """Adds no noise, but says so."""

    def __init__(self, options: NoiseOptions) -> None:
        self._options = options

    def __call__(
        self, document: Document, terms: Sequence[Term], edits: Sequence[Edit]
    ) -> Sequence[Edit]:
        return edits

    def claims(self, document: Document, edits: Sequence[Edit]) -> Sequence[Claim]:
        return [Claim(PRIVATE, {"epsilon": self._options.epsilon})] if self._options.stated else []


@pytest.fixture
def noise() -> Iterator[None]:
    protector("noise", options=NoiseOptions, claims=lambda _: [PRIVATE])(
        lambda options, run: Noise(options)
    )
    yield
    PROTECTORS.remove("noise")


@pytest.fixture
def checked(noise: None) -> Iterator[None]:
    @claim(PRIVATE, knowledge=lambda policy: {"noise table": policy.digest})
    def is_private(claim: Claim, evidence: Evidence) -> Check:
        (asked,) = evidence.asked(PRIVATE)
        if claim.parameters["epsilon"] != asked["epsilon"]:
            return fails(claim.name, "another epsilon")
        return holds(claim.name, f"epsilon = {asked['epsilon']}")

    yield
    CLAIMS.remove(PRIVATE)


def rules(**options: object) -> dict[str, object]:
    return {"detect": ["patterns"], "protect": ["replace", {"noise": options}]}


@pytest.mark.usefixtures("noise")
def test_a_claim_that_nobody_can_check_is_never_released() -> None:
    with pytest.raises(GuaranteeError, match=f"'{PRIVATE}' cannot be checked .*nothing written"):
        sfumato.sanitize(TEXT, rules())


@pytest.mark.usefixtures("checked")
def test_a_claim_with_a_checker_is_released_and_checked_again(key: Key) -> None:
    release = sfumato.sanitize(TEXT, rules(), key=key)
    assert Claim(PRIVATE, {"epsilon": 0.1}) in release.certificate.claims
    assert "noise table" in release.certificate.knowledge
    assert {c.verdict for c in sfumato.verify(release, rules(), key=key)} == {"holds"}
    other = {c.name: c for c in sfumato.verify(release, rules(epsilon=0.2), key=key)}
    assert other[PRIVATE].detail == "another epsilon"


@pytest.mark.usefixtures("noise")
def test_a_checker_that_gives_no_check_refuses_the_release() -> None:
    @claim(PRIVATE)
    def silent(claim: Claim, evidence: Evidence) -> Check:
        return None  # type: ignore[return-value]

    try:
        with pytest.raises(GuaranteeError, match="its checker gave NoneType, not a check"):
            sfumato.sanitize(TEXT, rules())
    finally:
        CLAIMS.remove(PRIVATE)


@pytest.mark.usefixtures("noise")
def test_a_checker_that_raises_refuses_the_release_without_its_words() -> None:
    @claim(PRIVATE)
    def broken(claim: Claim, evidence: Evidence) -> Check:
        raise ValueError(TEXT)

    try:
        with pytest.raises(GuaranteeError, match="its checker ended with ValueError") as raised:
            sfumato.sanitize(TEXT, rules())
    finally:
        CLAIMS.remove(PRIVATE)
    assert "ann" not in str(raised.value)


@pytest.mark.parametrize("name", [*ALWAYS, "k-anonymous"])
def test_nobody_else_checks_our_claims(name: str) -> None:
    with pytest.raises(PolicyError, match="Sfumato's own"):
        claim(name)(lambda claim, evidence: holds(claim.name))


@pytest.mark.usefixtures("checked")
def test_a_receiver_without_the_checker_is_told_so(key: Key) -> None:
    release = sfumato.sanitize(TEXT, rules(), key=key)
    plugin = CLAIMS.get(PRIVATE)
    CLAIMS.remove(PRIVATE)
    try:
        seen = {c.name: c.verdict for c in sfumato.verify(release, rules(), key=key)}
    finally:
        CLAIMS.add(plugin)
    assert seen[PRIVATE] == "cannot be checked"


@pytest.mark.usefixtures("checked")
def test_a_promised_claim_that_is_not_stated_is_never_released() -> None:
    with pytest.raises(GuaranteeError, match="does not claim it"):
        sfumato.sanitize(TEXT, rules(stated=False))


def test_an_unknown_claim_cannot_be_checked() -> None:
    (check,) = check_claims([Claim("brand new")], Evidence(TEXT))
    assert check.verdict == "cannot be checked"


def _options(plugin: ProtectorPlugin) -> list[Options]:
    made = plugin.options.model_construct()
    if "strategy" in plugin.options.model_fields:
        return [made.model_copy(update={"strategy": name}) for name in STRATEGIES]
    return [made]


def test_whatever_a_built_in_protector_promises_has_a_checker() -> None:
    plugins = [PROTECTORS.get(name) for name in PROTECTORS._modules]
    stated = {name for p in plugins for o in _options(p) for name in p.claims(o)}
    assert stated == {"t-plausible", "K-safe", "no term discloses"}
    assert all(CLAIMS.find(name) is not None for name in (*ALWAYS, *stated))


def test_every_claim_of_the_list_is_registered_by_its_module() -> None:
    assert all(CLAIMS.get(name).name == name for name in CLAIMS._modules)


def test_a_strategy_that_leaves_what_discloses_promises_nothing() -> None:
    def promises(strategy: str) -> list[str]:
        policy = {"protect": ["replace", {"disclosure": {"strategy": strategy}}]}
        return promised(sfumato.Policy.model_validate(policy))

    assert promises("S1") == promises("S2") == list(ALWAYS)
    assert promises("S3") == [*ALWAYS, "no term discloses"]


def test_a_package_brings_the_protector_and_the_checker_of_the_page(tmp_path: Path) -> None:
    page = (ROOT / "docs/extend/claims.md").read_text()
    stating, checking = (
        body
        for body in re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
        if ">>>" not in body
    )
    package = tmp_path / "my_package"
    package.mkdir()
    (package / "rounded.py").write_text(stating)
    (package / "rounded_check.py").write_text(
        f"import re\nfrom sfumato.document import Claim\nfrom my_package.rounded import ROUNDED\n{checking}"
    )
    points = re.findall(r'^\[project.entry-points."(\S+)"\]\n(\w+) = "(\S+)"', page, re.M)
    folder = tmp_path / "my_package-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: my_package\nVersion: 1\n")
    code = (
        "import sfumato\n"
        "rules = {'detect': ['patterns'], 'protect': ['replace', 'rounded']}\n"
        "release = sfumato.sanitize('Of 4121 patients 388 came.', rules)\n"
        "print(release.text, release.checks[-1].detail)"
    )

    def run(*lines: str) -> subprocess.CompletedProcess[str]:
        (folder / "entry_points.txt").write_text("\n".join(lines))
        path = os.pathsep.join([str(ROOT / "src"), str(tmp_path)])
        return subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )

    written = [f"[{group}]\n{name} = {module}" for group, name, module in points]
    done = run(*written)
    assert done.stdout == "Of 4120 patients 390 came. to 10\n", done.stderr
    assert "'numbers rounded' cannot be checked" in run(written[0]).stderr


@pytest.mark.parametrize("name", ALWAYS)
def test_claims_without_parameters_have_none(name: str, key: Key) -> None:
    release = sfumato.sanitize(TEXT, {"detect": ["patterns"]}, key=key)
    evidence = Evidence(
        *(release.text, sfumato.Policy(), None, release.record, key, release.data),
        input=release.certificate.input,
    )
    (check,) = check_claims([Claim(name, {"but": 1})], evidence)
    assert check.detail == "the claim cannot be read"
