"""What is fitted after training: calibration of the mask head (Platt scaling), and the thresholds.

Few judgments can be kept aside, and a threshold chosen on few is chosen by chance. Each teacher left one
fold of the judgments out; what it says about these (`ask --source tab`), calibrated likewise, stands
beside what the shipped model says about the judgments kept aside. A student would not do in the teachers'
place: it starts from one of them, which has seen the other folds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from sfumato.detect.encoder import ENTITY, MASK, Reading, split

from .data import Example, Record, marked
from .labels import EntitySets
from .pack import targets


def crossfitted(path: Path, tokenizer: Tokenizer, records: Sequence[Record]) -> Iterator[Reading]:
    """The answers that `ask` wrote about the benchmark's train part, text by text."""
    answers = np.load(path).astype(np.float32)
    at = 0
    for record in records:
        pieces = split(tokenizer, record["text"])
        heads = np.split(answers[at : at + len(pieces)], np.cumsum([len(ENTITY), len(MASK)]), 1)
        at += len(pieces)
        yield Reading(record["text"], pieces, *heads)
    if at != len(answers):
        raise ValueError(f"{path} holds {len(answers)} pieces, the texts have {at}")


def fit(readings: Sequence[Reading], records: Sequence[Record]) -> tuple[float, float]:
    """The scale of the mask logits and the shift of masking that make the answers most probable."""
    log_p, gold = [], []
    sets = EntitySets()
    for record, reading in zip(records, readings, strict=True):
        example = Example("", record["text"], marked(record), frozenset(), mask_outside=1)
        _, masks, _ = targets(example, reading.pieces, sets)
        log_p.append(np.log(np.maximum(reading.mask, 1e-9)))
        gold.append(masks.astype(np.int64) - 1)
    logits = torch.from_numpy(np.concatenate(log_p))
    labels = torch.from_numpy(np.concatenate(gold))
    scale, shift = torch.ones((), requires_grad=True), torch.zeros((), requires_grad=True)
    optimiser = torch.optim.LBFGS([scale, shift], max_iter=100)
    masking = torch.tensor([0.0, 1.0, 1.0])

    def closure() -> torch.Tensor:
        optimiser.zero_grad()
        loss = torch.nn.functional.cross_entropy(logits * scale + shift * masking, labels)
        loss.backward()
        return loss

    optimiser.step(closure)
    return float(scale.detach()), float(shift.detach())


def apply(reading: Reading, scale: float, shift: float) -> Reading:
    """The reading as the exported model would have given it."""
    logits = np.log(np.maximum(reading.mask, 1e-9)) * scale
    logits += shift * np.array([0, 1, 1], dtype=np.float32)
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return replace(reading, mask=odds / odds.sum(axis=1, keepdims=True))
