"""Makes the mask head's numbers mean what they say, on documents kept aside (Platt scaling)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from tokenizers import Tokenizer

from sfumato.detect.encoder import Model, read

from .data import Example, Record, marked
from .labels import EntitySets
from .pack import targets


def fit(model: Model, tokenizer: Tokenizer, records: Sequence[Record]) -> tuple[float, float]:
    """The scale of the mask logits and the shift of masking that make the answers most probable."""
    log_p, gold = [], []
    sets = EntitySets()
    for record in records:
        reading = read(model, tokenizer, record["text"])
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
        loss.backward()  # type: ignore[no-untyped-call]
        return loss

    optimiser.step(closure)  # type: ignore[no-untyped-call]
    return float(scale.detach()), float(shift.detach())
