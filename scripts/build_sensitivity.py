#!/usr/bin/env python3
"""Build src/sfumato/measure/data/sensitivity.json: the sensitivity model that comes along.

    scripts/build_sensitivity.py

It is trained on short texts that were written for it: search queries and messages, put together from the
subjects and frames in scripts/sensitive_subjects.txt. Cross-validation is reported twice: with documents
split at random, and with all documents of one subject word kept together, so that no fold is asked about a
word that it has seen. Both flatter, as the frames return. The sentences in scripts/sensitive_sentences.txt,
written one by one and never trained on, are a test that no frame can help with.
"""

from __future__ import annotations

import random
from dataclasses import asdict
from itertools import product
from pathlib import Path

from sfumato.measure.sensitivity import (
    SHIPPED,
    Labelled,
    SensitivityModel,
    cross_validate,
    train,
)

HERE = Path(__file__).parent
OUT = HERE.parent / "src/sfumato/measure/data" / SHIPPED
# Documents for each subject word: sensitive, harmless. Both classes come out about equally large.
PER_SUBJECT = (10, 7)
LEAST = 2


def main() -> None:
    labelled, groups = documents(HERE / "sensitive_subjects.txt")
    test = sentences(HERE / "sensitive_sentences.txt")
    model = train(labelled, least=LEAST)
    about = {
        "trained on": "short texts written for this purpose (scripts/build_sensitivity.py)",
        "licence": "MIT",
        "documents": len(labelled),
        "cross_validation": rounded(asdict(cross_validate(labelled, least=LEAST))),
        "cross_validation_unseen_subjects": rounded(
            asdict(cross_validate(labelled, least=LEAST, groups=groups))
        ),
        "sentences_not_trained_on": {"documents": len(test), **accuracy(model, test)},
    }
    model = train(labelled, least=LEAST, about=about)
    OUT.parent.mkdir(parents=True, exist_ok=True)
    OUT.write_text(model.to_json(), encoding="utf-8")
    for name, value in about.items():
        print(f"{name}: {value}")
    print(f"{len(model.counts):,} words, {OUT.stat().st_size:,} bytes")


def documents(path: Path) -> tuple[list[Labelled], list[str]]:
    """Labelled documents, and the subject word that each was made from."""
    labelled: list[Labelled] = []
    groups: list[str] = []
    for truth, name, subjects, frames in topics(path):
        rng = random.Random(name)
        for subject in subjects:
            made = [frame.replace("*", subject) for frame in frames]
            for text in rng.sample(made, min(PER_SUBJECT[not truth], len(made))):
                labelled.append((text, truth))
                groups.append(f"{name}: {subject}")
    return labelled, groups


def topics(path: Path) -> list[tuple[bool, str, list[str], list[str]]]:
    """Blocks of the file: a line `+ name` (sensitive) or `- name`, subjects by commas, frames by lines.

    A frame holds `*` for the subject; `(a|b)` stands for either.
    """
    found = []
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        lines = [line.strip() for line in block.splitlines() if line.strip() and line[0] != "#"]
        if lines:
            sign, name = lines[0].split(" ", 1)
            subjects = [s.strip() for s in lines[1].split(",")]
            frames = [made for line in lines[2:] for made in spelled_out(line)]
            found.append((sign == "+", name, subjects, frames))
    return found


def spelled_out(frame: str) -> list[str]:
    """All that a frame with choices stands for.

    >>> spelled_out("(best|cheap) *")
    ['best *', 'cheap *']
    """
    parts = frame.replace("(", "\0").replace(")", "\0").split("\0")
    choices = [part.split("|") if n % 2 else [part] for n, part in enumerate(parts)]
    return [" ".join("".join(chosen).split()) for chosen in product(*choices)]


def sentences(path: Path) -> list[Labelled]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [(line[2:], line[0] == "+") for line in lines if line[:2] in ("+ ", "- ")]


def accuracy(model: SensitivityModel, test: list[Labelled]) -> dict[str, float]:
    guesses = model.probabilities([text for text, _ in test]) >= 0.5
    pairs = [(bool(guess), truth) for guess, (_, truth) in zip(guesses, test, strict=True)]
    sensitive = [guess for guess, truth in pairs if truth]
    called = [truth for guess, truth in pairs if guess]
    return rounded(
        {
            "accuracy": sum(g == t for g, t in pairs) / len(pairs),
            "recall": sum(sensitive) / len(sensitive),
            "precision": sum(called) / len(called),
        }
    )


def rounded(values: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in values.items()}


if __name__ == "__main__":
    main()
