"""The stages of training: wake the base model up, teach teachers, ask them, distil the student.

1. `pretrain`: masked words on all texts. The base was tuned for sentences; this gives its pieces back
   their own meaning, and shows it the features of `sfumato.detect.encoder`.
2. `teach`: all layers, on every source for the heads it has labels for. Each teacher leaves one fold
   of the labelled texts out.
3. `ask`: what the teachers say about every piece of every text. About a text with labels, only the
   teacher is asked that has not seen them: annotators err and differ, and a teacher that knows their
   answers by heart would pass the errors on.
4. `distil`: fewer layers learn from labels and from these answers, on labelled and plain text. The
   teachers read a text as it was written; the student reads it in another case or without
   punctuation, and is still asked for their answer.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from .batches import ROW, Batch, Batches, Plan, Rewriting, overlapping_plan, plan
from .data import ANY_ANNOTATOR, SOMEONE
from .labels import DIRECT, UNKNOWN, mask_table, pos_table
from .model import WIDTH, Detector, build
from .pack import Packed, folds
from .package import encoder

MASK_ID = 103  # [MASK] in the tokenizer
Logits = tuple[Tensor, Tensor, Tensor]


def set_loss(logits: Tensor, known: Tensor, table: Tensor, heavy: Tensor | None = None) -> Tensor:
    """-log of the probability that the label is one of a set, mean over pieces with a real set.

    `known` (n,) numbers the sets, `table` (sets, labels) says which labels each allows, `heavy` (sets,) how
    much a piece of each counts.
    """
    some = (known != UNKNOWN) * (1 if heavy is None else heavy[known])
    log_p = logits.float().log_softmax(dim=-1)
    inside = log_p.masked_fill(~table[known], -torch.inf).logsumexp(dim=-1)
    return -(inside * some).sum() / some.sum().clamp_min(1)


class Labels:
    """The loss of the three heads against what the sources know.

    Annotators of the benchmark differ in what they mask: some leave every town, some none. Their
    habits, one number per annotator, type and answer, are fitted beside the network and centred on
    the mean annotator, so that the network learns what that one would do.
    """

    def __init__(
        self, packed: Packed, device: torch.device, weights: Sequence[float], direct: float = 1.0
    ) -> None:
        self._heavy = torch.ones(len(mask_table()), device=device)
        self._heavy[DIRECT] = direct
        self._entity = torch.from_numpy(packed.entity_table).to(device)
        self._mask = torch.from_numpy(mask_table()).to(device)
        self._pos = torch.from_numpy(pos_table()).to(device)
        self._weights = tuple(weights)
        self._type_of_set = torch.from_numpy(_type_of_set(packed.entity_table)).to(device)
        names = [str(name) for name in packed.annotators]
        share = np.array([(packed.annotator == n).sum() for n in range(len(names))], dtype=float)
        share[[names.index(n) for n in (ANY_ANNOTATOR, SOMEONE) if n in names]] = 0
        self._share = torch.tensor(share / max(share.sum(), 1), device=device).float()
        self._has_habits = torch.tensor([n != ANY_ANNOTATOR for n in names], device=device)
        shape = (len(names), len(encoder.TYPES) + 1, len(encoder.MASK))
        self.habits = nn.Parameter(torch.zeros(shape, device=device))

    def __call__(self, logits: Logits, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
        entity, mask, pos = logits
        entities, masks, tags = batch.entities.long(), batch.masks.long(), batch.tags.long()
        centred = self.habits - torch.einsum("a,atm->tm", self._share, self.habits)
        centred = centred * self._has_habits[:, None, None]
        mask = mask.float() + centred[batch.annotator, self._type_of_set[entities]]
        return (
            self._weights[0] * set_loss(entity.flatten(0, 1), entities.flatten(), self._entity),
            self._weights[1]
            * set_loss(mask.flatten(0, 1), masks.flatten(), self._mask, self._heavy),
            self._weights[2] * set_loss(pos.flatten(0, 1), tags.flatten(), self._pos),
        )


def _type_of_set(table: NDArray[np.bool_]) -> NDArray[np.int64]:
    """For each set of entity labels: 1 + the number of the one type in it, or 0."""
    of_label = np.array([0, *(1 + i // 2 for i in range(len(encoder.ENTITY) - 1))])
    found = [np.unique(of_label[row]) for row in table]
    return np.array([types[0] if len(types) == 1 else 0 for types in found])


class Run:
    """One training run: optimiser, schedule, moving average of the weights, log."""

    def __init__(
        self,
        name: str,
        network: Detector,
        extra: Sequence[nn.Parameter],
        steps: int,
        rate: float,
        head_rate: float,
        max_seconds: float,
        average: float = 0.998,
        warm_up: float = 0.06,
    ) -> None:
        heads = ("entity.", "mask.", "pos.", "feature.")
        body = [p for n, p in network.named_parameters() if not n.startswith(heads)]
        light = [p for n, p in network.named_parameters() if n.startswith(heads)]
        self._parameters = [*body, *light, *extra]
        self._rates = (rate, head_rate, head_rate)
        fused = body[0].is_cuda
        self._optimiser = torch.optim.AdamW(
            [{"params": body}, {"params": light}, {"params": list(extra)}],
            lr=rate,
            betas=(0.9, 0.98),
            weight_decay=0.01,
            fused=fused,
        )
        self._name, self._network = name, network
        self._steps, self._max_seconds = max(steps, 1), max_seconds
        self._warm_up, self._decay = warm_up, average
        self._averaged = [p.detach().clone() for p in network.parameters()]
        self._begun = time.monotonic()
        self._step = 0

    @property
    def progress(self) -> float:
        """From 0 to 1, by steps or by time, whichever is further."""
        elapsed = time.monotonic() - self._begun
        return max(self._step / self._steps, elapsed / self._max_seconds)

    def step(self, losses: Sequence[Tensor]) -> bool:
        """One step of the optimiser; False once the run is over."""
        progress = self.progress
        if progress >= 1:
            return False
        scale = min(1.0, (progress + 1e-4) / self._warm_up)
        scale *= 0.5 * (1 + math.cos(math.pi * max(0.0, progress - self._warm_up)))
        for group, rate in zip(self._optimiser.param_groups, self._rates, strict=True):
            group["lr"] = rate * scale
        self._optimiser.zero_grad(set_to_none=True)
        torch.stack([loss.float() for loss in losses]).sum().backward()
        nn.utils.clip_grad_norm_(self._parameters, 1.0)
        self._optimiser.step()
        decay = min(self._decay, (1 + self._step) / (10 + self._step))
        torch._foreach_lerp_(
            self._averaged, [p.detach() for p in self._network.parameters()], 1 - decay
        )
        if self._step % 200 == 0:
            shown = " ".join(f"{loss.item():.3f}" for loss in losses)
            elapsed = time.monotonic() - self._begun
            print(f"{self._name} {self._step}/{self._steps} {elapsed:.0f}s  {shown}", flush=True)
        self._step += 1
        return True

    def finish(self) -> None:
        """Puts the averaged weights into the network."""
        elapsed = time.monotonic() - self._begun
        print(f"{self._name} done: {self._step} of {self._steps} steps, {elapsed:.0f}s", flush=True)
        with torch.no_grad():
            for parameter, averaged in zip(self._network.parameters(), self._averaged, strict=True):
                parameter.copy_(averaged)


def mixed_precision(device: torch.device) -> torch.autocast | nullcontext[None]:
    return torch.autocast("cuda", dtype=torch.bfloat16) if device.type == "cuda" else nullcontext()


def hide_words(ids: Tensor, real: Tensor, share: float, random: torch.Generator) -> Tensor:
    """Some pieces replaced by [MASK]: context has to do."""
    draw = torch.rand(ids.shape, generator=random, device=ids.device)
    return torch.where((draw < share) & real, MASK_ID, ids)


class WordGuess(nn.Module):
    """Guesses a hidden piece from its state, with the words' own embedding."""

    def __init__(self, network: Detector) -> None:
        super().__init__()
        self.dense = nn.Linear(WIDTH, WIDTH)
        self.norm = nn.LayerNorm(WIDTH)
        self.bias = nn.Parameter(torch.zeros(network.word.num_embeddings))

    def forward(self, hidden: Tensor, words: Tensor) -> Tensor:
        guess: Tensor = self.norm(functional.gelu(self.dense(hidden))) @ words.T + self.bias
        return guess


def pretrain(
    packed: Packed,
    base: dict[str, Tensor],
    passes: Mapping[str, float],
    device: torch.device,
    rng: np.random.Generator,
    *,
    rows: int,
    rate: float,
    max_seconds: float,
) -> Detector:
    """The base model after guessing hidden words in all texts."""
    network: Detector = build(base).to(device)
    guess = WordGuess(network).to(device)
    slices = plan(packed, passes, rng)
    run = Run(
        "pretrain",
        network,
        list(guess.parameters()),
        _steps(slices, rows),
        rate,
        rate,
        max_seconds,
    )
    batches = Batches(packed, device)
    rewrite = Rewriting(device, int(rng.integers(2**31)), batches.padding)
    random = torch.Generator(device=device).manual_seed(int(rng.integers(2**31)))
    network.train()
    for clean in batches.of(slices, rows):
        batch, _ = rewrite(clean)
        draw = torch.rand(batch.ids.shape, generator=random, device=device)
        chosen = (draw < 0.15) & batch.real
        anything = torch.randint_like(batch.ids, 1000, network.word.num_embeddings)
        ids = torch.where(chosen & (draw < 0.12), MASK_ID, batch.ids)
        ids = torch.where(chosen & (draw > 0.135), anything, ids)
        with mixed_precision(device):
            hidden = network.encode(ids, batch.features, batch.positions, batch.visible)
            logits = guess(hidden[chosen], network.word.weight)
        if not run.step([functional.cross_entropy(logits.float(), batch.ids[chosen].long())]):
            break
    run.finish()
    return network


def teach(
    packed: Packed,
    base: dict[str, Tensor],
    passes: Mapping[str, float],
    device: torch.device,
    rng: np.random.Generator,
    *,
    rows: int,
    rate: float,
    head_rate: float,
    hidden_words: float,
    max_seconds: float,
    weights: Sequence[float] = (1.0, 1.0, 0.5),
    dropout: float = 0.1,
    fold: int = -1,
    fold_count: int = 1,
) -> Detector:
    """A network trained on labels alone, those of one fold left out."""
    network: Detector = build(base, dropout).to(device)
    without = folds(packed, fold_count) == fold if fold >= 0 else None
    slices = plan(packed, passes, rng, without=without)
    labels = Labels(packed, device, weights)
    run = Run("teach", network, [labels.habits], _steps(slices, rows), rate, head_rate, max_seconds)
    batches = Batches(packed, device)
    rewrite = Rewriting(device, int(rng.integers(2**31)), batches.padding)
    random = torch.Generator(device=device).manual_seed(int(rng.integers(2**31)))
    network.train()
    for clean in batches.of(slices, rows):
        batch, _ = rewrite(clean)
        ids = hide_words(batch.ids, batch.real, hidden_words, random)
        with mixed_precision(device):
            logits = network(ids, batch.features, batch.positions, batch.visible)
        if not run.step(labels(logits, batch)):
            break
    run.finish()
    return network


def ask(
    packed: Packed,
    teachers: Sequence[dict[str, Tensor]],
    device: torch.device,
    rows: int = 96,
    overlap: int = 96,
    source: str = "",
) -> NDArray[np.float16]:
    """The teachers' mean answer for every piece (of one source): probabilities of the three heads
    side by side. Each teacher left a fold out, and about that fold only that teacher is asked."""
    width = len(encoder.ENTITY) + len(encoder.MASK) + len(encoder.POS)
    batches = Batches(packed, device)
    slices = overlapping_plan(packed, overlap, source)
    fold = np.repeat(folds(packed, len(teachers)), np.diff(packed.starts))
    fold_of = torch.from_numpy(np.append(fold, -1)).to(device)
    said = torch.zeros(batches.padding + 1, width, device=device)
    weight = torch.zeros(batches.padding + 1, device=device)
    for number, state in enumerate(teachers):
        network = build(state).to(device).eval()
        for batch in batches.of(slices, rows, cutting=False):
            with torch.no_grad(), mixed_precision(device):
                logits = network(batch.ids, batch.features, batch.positions, batch.visible)
            answer = torch.cat([x.float().softmax(-1) for x in logits], dim=-1)
            # Less weight near the edge of a window. Only windows that fill a row overlap.
            trust = torch.minimum(batch.positions + 1, ROW - batch.positions).clamp(max=32)
            theirs = fold_of[batch.index]
            trust = trust * batch.real * ((theirs < 0) | (theirs == number))
            said.index_add_(0, batch.index.flatten(), (answer * trust[..., None]).flatten(0, 1))
            weight.index_add_(0, batch.index.flatten(), trust.flatten().float())
        print(f"asked teacher {number}", flush=True)
    said /= weight.clamp_min(1e-6)[:, None]
    answers: NDArray[np.float16] = said.half().cpu().numpy()
    if not source:
        return answers
    lengths = np.diff(packed.starts)
    wanted: NDArray[np.bool_] = np.repeat(packed.sources[packed.source] == source, lengths)
    return answers[:-1][wanted]


def distil(
    packed: Packed,
    teacher: dict[str, Tensor],
    answers: NDArray[np.float16],
    passes: Mapping[str, float],
    device: torch.device,
    rng: np.random.Generator,
    *,
    layers: Sequence[int],
    rows: int,
    rate: float,
    head_rate: float,
    hidden_words: float,
    max_seconds: float,
    unasked: Sequence[str] = (),
    frozen_words: bool = False,
    direct: float = 1.0,
    label_share: float = 0.3,
    weights: Sequence[float] = (1.0, 1.0, 0.5),
    dropout: float = 0.05,
) -> Detector:
    """A network with some layers of a teacher, trained on labels and on all teachers' answers; of the sources
    that are `unasked`, on the labels alone."""
    network = build(teacher, dropout)
    network.word.weight.requires_grad_(not frozen_words)
    network.keep_layers(layers)
    network.to(device)
    first = build(teacher).to(device).eval()
    told = torch.from_numpy(answers).to(device)
    is_asked = np.repeat(~np.isin(packed.sources, unasked)[packed.source], np.diff(packed.starts))
    asked = torch.from_numpy(np.append(is_asked, False)).to(device)
    slices = plan(packed, passes, rng)
    labels = Labels(packed, device, [label_share * w for w in weights], direct)
    run = Run(
        "distil", network, [labels.habits], _steps(slices, rows), rate, head_rate, max_seconds
    )
    batches = Batches(packed, device)
    rewrite = Rewriting(device, int(rng.integers(2**31)), batches.padding)
    random = torch.Generator(device=device).manual_seed(int(rng.integers(2**31)))
    network.train()
    for clean in batches.of(slices, rows):
        batch, order = rewrite(clean)
        ids = hide_words(batch.ids, batch.real, hidden_words, random)
        with mixed_precision(device):
            hidden = network.encode(ids, batch.features, batch.positions, batch.visible)
            logits = network.heads(hidden)
        losses = [*labels(logits, batch)]
        soft = torch.split(told[batch.index].float(), [x.shape[-1] for x in logits], dim=-1)
        heard = batch.real & asked[batch.index]
        count = batch.real.sum()
        losses += [
            w * -((s * x.float().log_softmax(-1)).sum(-1) * heard).sum() / count
            for x, s, w in zip(logits, soft, weights, strict=True)
        ]
        # Early on, the student is also to think as the first teacher does.
        closeness = max(0.0, 1 - run.progress / 0.5)
        if closeness:
            with torch.no_grad(), mixed_precision(device):
                state = first.encode(clean.ids, clean.features, clean.positions, clean.visible)
            apart = (hidden.float() - _reordered(state, order).float()).square().mean(-1)
            losses.append(closeness * (apart * heard).sum() / count)
        if not run.step(losses):
            break
    run.finish()
    return network


def _reordered(values: Tensor, order: Tensor) -> Tensor:
    return values.gather(1, order[..., None].expand(-1, -1, values.shape[-1]))


def _steps(slices: Plan, rows: int) -> int:
    # Rows are filled to about 98 %; the schedule ends a little before the data does.
    return math.ceil(slices.pieces / (rows * ROW))


# --- A quick look at the examples kept aside ------------------------------------------------------


def monitor(packed: Packed, network: Detector, device: torch.device) -> dict[str, float]:
    """Scores by pieces on held examples: F1 of types, average precision of masking, tags."""
    network.eval()
    rng = np.random.default_rng(0)
    type_of_label = np.array([0, *(1 + i // 2 for i in range(len(encoder.ENTITY) - 1))])
    type_of_set = _type_of_set(packed.entity_table)
    scores: dict[str, float] = {}
    for source in map(str, packed.sources):
        slices = plan(packed, {source: 1}, rng, shuffle=False, held=True)
        if not slices.pieces:
            continue
        seen = list(_predictions(packed, network, device, slices))
        entity, mask, pos, entities, masks, tags = (
            np.concatenate(part) for part in zip(*seen, strict=True)
        )
        gold = type_of_set[entities]
        annotated = np.unique(gold[gold > 0])
        predicted = type_of_label[entity.argmax(-1)]
        predicted[~np.isin(predicted, annotated)] = 0
        sure = (gold > 0) | packed.entity_table[entities][:, 0]
        right = ((predicted == gold) & (gold > 0) & sure).sum()
        total = (predicted[sure] > 0).sum() + (gold[sure] > 0).sum()
        scores[f"{source} types F1"] = float(2 * right / max(total, 1))
        if source in ("tab", "written"):
            scores[f"{source} mask AP"] = _average_precision(1 - mask[:, 0], masks > 1)
        if tags.any():
            known = tags > 0
            scores[f"{source} tags"] = float((pos.argmax(-1)[known] == tags[known] - 1).mean())
    return scores


def _predictions(
    packed: Packed, network: Detector, device: torch.device, slices: Plan
) -> Iterator[tuple[NDArray[np.generic], ...]]:
    for batch in Batches(packed, device).of(slices, 32):
        with torch.no_grad(), mixed_precision(device):
            logits = network(batch.ids, batch.features, batch.positions, batch.visible)
        real = batch.real
        yield (
            *(said[real].float().softmax(-1).cpu().numpy() for said in logits),
            *(x[real].cpu().numpy() for x in (batch.entities, batch.masks, batch.tags)),
        )


def _average_precision(score: NDArray[np.floating], right: NDArray[np.bool_]) -> float:
    order = np.argsort(-score, kind="stable")
    hits = right[order].cumsum()
    precision = hits / np.arange(1, len(hits) + 1)
    return float(precision[right[order]].mean())


def report(scores: Mapping[str, float], say: Callable[[str], None] = print) -> None:
    say(json.dumps({name: round(value, 4) for name, value in scores.items()}))
