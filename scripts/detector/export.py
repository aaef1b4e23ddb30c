"""The trained network as an ONNX file for one CPU thread: int8 weights, fused operators.

The graph is written node by node: no exporter, no surprises. Matrices are int8 with a scale per column
and 7 bits of range, so that processors without VNNI do not overflow; the word embedding is int8 with a
scale per row. Activations are quantised as they come.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor

from .model import EPSILON, HEADS, POSITIONS, WIDTH, quantise_rows
from .package import encoder

OPSET = 17
_FUSED = "com.microsoft"
_RANGE = 63  # of a quantised weight


@dataclass
class Graph:
    """Nodes and constants in the making."""

    nodes: list[onnx.NodeProto] = field(default_factory=list)
    constants: list[onnx.TensorProto] = field(default_factory=list)

    def constant(self, name: str, value: NDArray[np.generic]) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def add(self, operator: str, inputs: Sequence[str], output: str, **attributes: Any) -> str:
        domain = str(attributes.pop("domain", ""))
        self.nodes.append(
            helper.make_node(operator, inputs, [output], output, domain=domain, **attributes)
        )
        return output

    def fused(self, operator: str, inputs: Sequence[str], output: str, **attributes: Any) -> str:
        return self.add(operator, inputs, output, domain=_FUSED, **attributes)


def export(state: dict[str, Tensor], path: Path, mask_scale: float, mask_shift: float) -> int:
    """Writes the graph and returns its size in bytes.

    `mask_scale` and `mask_shift` calibrate the mask head: logits are scaled, and the two labels that
    mean masking are shifted.
    """
    weights = {name: value.detach().float().cpu().numpy() for name, value in state.items()}
    graph = Graph()
    x = _embed(graph, weights, state["word.weight"])
    depth = 1 + max(int(name.split(".")[1]) for name in weights if name.startswith("layers."))
    for number in range(depth):
        x = _layer(graph, weights, f"layers.{number}", x)
    _heads(graph, weights, x, mask_scale, mask_shift)
    shape = ["batch", "pieces"]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT32, shape)
        for name in ("input_ids", "features", "attention_mask")
    ]
    outputs = [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [*shape, size])
        for name, size in (
            ("entity", len(encoder.ENTITY)),
            ("mask", len(encoder.MASK)),
            ("pos", len(encoder.POS)),
        )
    ]
    model = helper.make_model(
        helper.make_graph(graph.nodes, "detector", inputs, outputs, graph.constants),
        opset_imports=[helper.make_opsetid("", OPSET), helper.make_opsetid(_FUSED, 1)],
        ir_version=9,
        producer_name="sfumato",
    )
    onnx.save(model, path)
    return path.stat().st_size


def thaw(path: Path) -> dict[str, Tensor]:
    """The weights of an exported model, as far as int8 kept them; its calibration stays within."""
    constants = {c.name: numpy_helper.to_array(c) for c in onnx.load(path).graph.initializer}
    state = {"word.weight": constants["word"] * constants["word.scale"]}
    state["feature.weight"] = constants["feature"]
    position = np.zeros((POSITIONS, WIDTH), np.float32)
    position[: len(constants["position"])] = constants["position"]
    state["position.weight"] = position
    for name, value in constants.items():
        if name.endswith((".weight", ".bias")) and name.startswith(("norm.", "layers.")):
            scale = constants.get(name.replace(".weight", ".scale"))
            state[name] = value if scale is None or value.ndim == 1 else (value * scale).T
    ends = np.cumsum(constants["heads.sizes"])[:-1]
    matrices = np.split(constants["heads.weight"].T, ends)
    for name, matrix, bias in zip(
        ("entity", "mask", "pos"), matrices, np.split(constants["heads.bias"], ends), strict=True
    ):
        state[f"{name}.weight"], state[f"{name}.bias"] = matrix, bias
    return {name: torch.from_numpy(np.array(value, np.float32)) for name, value in state.items()}


def _embed(graph: Graph, weights: dict[str, NDArray[np.float32]], words: Tensor) -> str:
    rows, scales = quantise_rows(words.float().cpu())
    graph.constant("word", rows.numpy())
    graph.constant("word.scale", scales.numpy()[:, None])
    graph.add("Gather", ["word", "input_ids"], "word.rows")
    graph.add("Cast", ["word.rows"], "word.float", to=TensorProto.FLOAT)
    graph.add("Gather", ["word.scale", "input_ids"], "word.scales")
    graph.add("Mul", ["word.float", "word.scales"], "words")
    graph.constant("feature", weights["feature.weight"])
    graph.add("Gather", ["feature", "features"], "feature.rows")
    # One row per place in the window: sliced to the length of this batch.
    graph.constant("position", weights["position.weight"][:POSITIONS])
    graph.constant("zero", np.array([0], dtype=np.int64))
    graph.add("Shape", ["input_ids"], "length", start=1, end=2)
    graph.add("Slice", ["position", "zero", "length", "zero"], "position.rows")
    graph.add("Add", ["feature.rows", "position.rows"], "placed")
    return _norm(graph, weights, "norm", "words", "placed")


def _norm(
    graph: Graph, weights: dict[str, NDArray[np.float32]], name: str, x: str, added: str
) -> str:
    scale = graph.constant(f"{name}.weight", weights[f"{name}.weight"])
    shift = graph.constant(f"{name}.bias", weights[f"{name}.bias"])
    return graph.fused(
        "SkipLayerNormalization", [x, added, scale, shift], f"{name}.out", epsilon=EPSILON
    )


def _linear(graph: Graph, weights: dict[str, NDArray[np.float32]], name: str, x: str) -> str:
    matrix = weights[f"{name}.weight"].T  # (in, out)
    scales = np.maximum(np.abs(matrix).max(axis=0), 1e-8) / _RANGE
    quantised = graph.constant(f"{name}.weight", np.round(matrix / scales).astype(np.int8))
    scale = graph.constant(f"{name}.scale", scales.astype(np.float32))
    bias = graph.constant(f"{name}.bias", weights[f"{name}.bias"])
    return graph.fused("DynamicQuantizeMatMul", [x, quantised, scale, "", bias], f"{name}.out")


def _layer(graph: Graph, weights: dict[str, NDArray[np.float32]], name: str, x: str) -> str:
    together = _linear(graph, weights, f"{name}.qkv", x)
    sizes = graph.constant(f"{name}.thirds", np.full(3, WIDTH, dtype=np.int64))
    parts = [f"{name}.{part}" for part in ("query", "key", "value")]
    graph.nodes.append(helper.make_node("Split", [together, sizes], parts, f"{name}.split", axis=2))
    seen = graph.fused(
        "MultiHeadAttention",
        [*parts, "", "attention_mask"],
        f"{name}.seen",
        num_heads=HEADS,
    )
    x = _norm(
        graph, weights, f"{name}.attention_norm", x, _linear(graph, weights, f"{name}.out", seen)
    )
    inner = graph.fused("Gelu", [_linear(graph, weights, f"{name}.up", x)], f"{name}.gelu")
    return _norm(graph, weights, f"{name}.norm", x, _linear(graph, weights, f"{name}.down", inner))


def _heads(
    graph: Graph,
    weights: dict[str, NDArray[np.float32]],
    x: str,
    mask_scale: float,
    mask_shift: float,
) -> None:
    names = ("entity", "mask", "pos")
    matrices = {n: weights[f"{n}.weight"] for n in names}
    biases = {n: weights[f"{n}.bias"] for n in names}
    matrices["mask"] = matrices["mask"] * mask_scale
    masking = np.array([0, 1, 1], dtype=np.float32)
    biases["mask"] = biases["mask"] * mask_scale + mask_shift * masking
    graph.constant("heads.weight", np.concatenate([matrices[n] for n in names]).T)
    graph.constant("heads.bias", np.concatenate([biases[n] for n in names]).astype(np.float32))
    graph.add("MatMul", [x, "heads.weight"], "heads.product")
    graph.add("Add", ["heads.product", "heads.bias"], "heads.logits")
    sizes = np.array([len(matrices[n]) for n in names], dtype=np.int64)
    graph.constant("heads.sizes", sizes)
    graph.nodes.append(
        helper.make_node(
            "Split",
            ["heads.logits", "heads.sizes"],
            [f"{n}.logits" for n in names],
            "heads.split",
            axis=2,
        )
    )
    for name in names:
        graph.add("Softmax", [f"{name}.logits"], name, axis=-1)
