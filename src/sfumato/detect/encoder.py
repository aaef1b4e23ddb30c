"""The small encoder: from text to what its three heads say about every word piece.

The tokenizer lowers all letters and forgets spaces and line breaks. Each piece therefore carries one small
number, `feature = gap * len(SHAPES) + shape`: how it is set off from the piece before it, and the shape of
the word it belongs to. A text of any length is read to its end, in overlapping windows; near the edge of a
window an answer counts for less.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from sfumato.know.fingerprints import source

if TYPE_CHECKING:
    from tokenizers import Tokenizer

FOLDER = Path(str(resources.files("sfumato"))) / "detect" / "model"
KNOWN = FOLDER / "known.txt.gz"
TYPES = ("PERSON", "ORG", "LOC", "DATETIME", "CODE", "DEM", "QUANTITY", "MISC")
OUTSIDE = "O"
ENTITY = (OUTSIDE, *(f"{prefix}-{kind}" for kind in TYPES for prefix in "BI"))
MASK = ("NO_MASK", "QUASI", "DIRECT")
POS = (  # of Universal Dependencies
    *("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM"),
    *("PART", "PRON", "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X"),
)
SHAPES = ("other", "lower", "upper", "title", "mixed", "digits", "alphanumeric", "caseless")
GAPS = ("glued", "space", "newline")
FEATURES = len(SHAPES) * len(GAPS)

WINDOW = 256
OVERLAP = 32
BLOCK = 20_000  # characters that are cut into pieces at a time

_SHAPE = {name: n for n, name in enumerate(SHAPES)}
_GLUED = GAPS.index("glued")

Floats = NDArray[np.float32]
Answer = tuple[Floats, Floats, Floats]  # entity, mask, tags: (1, pieces, labels)


class Model(Protocol):
    """Anything that turns a window of pieces (1, pieces) into probabilities."""

    def __call__(self, ids: NDArray[np.int64], features: NDArray[np.int64]) -> Answer: ...


@dataclass(frozen=True, slots=True)
class EncodedText:
    """A text as the encoder reads it. All arrays have one entry per piece."""

    ids: NDArray[np.uint16]
    features: NDArray[np.uint8]
    starts: NDArray[np.int32]
    ends: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Reading:
    """A text and the probabilities of each of its pieces: entity, mask and tags are (pieces, labels)."""

    text: str
    pieces: EncodedText
    entity: Floats
    mask: Floats
    tags: Floats


class OnnxModel:
    """The exported network, on one thread: documents, not matrices, are spread over cores."""

    def __init__(self, path: Path) -> None:
        import onnxruntime  # told to report nothing in `sfumato/__init__.py`, before it is imported

        onnxruntime.disable_telemetry_events()  # also where a program has imported it before
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )

    def __call__(self, ids: NDArray[np.int64], features: NDArray[np.int64]) -> Answer:
        entity, mask, tags = self._session.run(
            ["entity", "mask", "pos"],
            {
                "input_ids": ids.astype(np.int32),
                "features": features.astype(np.int32),
                "attention_mask": np.ones(ids.shape, dtype=np.int32),
            },
        )
        return entity, mask, tags


class Encoder:
    """A model with its tokenizer and what was fitted for it."""

    def __init__(self, folder: Path) -> None:
        self._model = OnnxModel(folder / "detector.onnx")
        self._tokenizer = load_tokenizer(folder)
        self.card: Mapping[str, Any] = json.loads((folder / "detector.json").read_text())
        self._last: tuple[str, Reading] | None = None

    def read(self, text: str) -> Reading:
        """What the three heads say about every piece of a text. The last answer is remembered: names and
        noun phrases of one text are read off the same one."""
        last = self._last  # another thread may put its own there meanwhile
        if last is None or last[0] != text:
            last = self._last = (text, read(self._model, self._tokenizer, text))
        return last[1]


@cache
def default() -> Encoder:
    """The encoder that comes with the package, loaded once."""
    return Encoder(FOLDER)


# The model, its tokenizer and whom everybody knows, for the certificate.
knowledge = source(
    "detector",
    *(FOLDER / name for name in ("detector.onnx", "detector.json", "tokenizer.json")),
    KNOWN,
)


def load_tokenizer(folder: Path) -> Tokenizer:
    """The tokenizer of a folder, without the padding and truncation that its file may ask for."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def read(model: Model, tokenizer: Tokenizer, text: str) -> Reading:
    """Every piece of a text, in overlapping windows."""
    pieces = split(tokenizer, text)
    sums = [
        np.zeros((len(pieces), n), dtype=np.float32) for n in (len(ENTITY), len(MASK), len(POS))
    ]
    weights = np.zeros(len(pieces), dtype=np.float32)
    for start, end in windows(len(pieces)):
        # One window at a time: it fits the cache, and no text changes the scale of another.
        ids, features = (x[None, start:end].astype(np.int64) for x in (pieces.ids, pieces.features))
        at = np.arange(end - start, dtype=np.float32)
        weight = np.minimum(np.minimum(at + 1, end - start - at), OVERLAP / 2)
        weights[start:end] += weight
        for total, part in zip(sums, model(ids, features), strict=True):
            total[start:end] += part[0] * weight[:, None]
    for total in sums:
        total /= np.maximum(weights, np.float32(1e-9))[:, None]
    return Reading(text, pieces, *sums)


def windows(length: int) -> Iterator[tuple[int, int]]:
    """First piece and one past the last piece of each window: as few as can be, all of one size.

    >>> list(windows(500))
    [(0, 188), (156, 344), (312, 500)]
    """
    count = max(1, math.ceil((length - OVERLAP) / (WINDOW - OVERLAP)))
    size = math.ceil((length + (count - 1) * OVERLAP) / count)
    for number in range(count if length else 0):
        start = number * (length - size) // max(1, count - 1)
        yield start, start + size


def split(tokenizer: Tokenizer, text: str) -> EncodedText:
    """The pieces of a text, with offsets in code points. Long texts are cut block by block."""
    ids: list[int] = []
    offsets: list[tuple[int, int]] = []
    for start, end in _blocks(text):
        # Half of a surrogate pair is no character; the tokenizer must not see it.
        block = text[start:end].encode("utf-8", "replace").decode("utf-8")
        encoding = tokenizer.encode(block, add_special_tokens=False)
        ids += encoding.ids
        offsets += [(a + start, b + start) for a, b in encoding.offsets]
    spans = np.array(offsets, dtype=np.int32).reshape(-1, 2)
    return EncodedText(
        np.array(ids, dtype=np.uint16), features_of(text, offsets), spans[:, 0], spans[:, 1]
    )


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Stretches of a text that end at white space where there is any."""
    start = 0
    while start < len(text):
        end = min(start + BLOCK, len(text))
        if end < len(text):
            cut = max(text.rfind("\n", start, end), text.rfind(" ", start, end))
            end = cut + 1 if cut > start else end
        yield start, end
        start = end


def features_of(text: str, offsets: list[tuple[int, int]]) -> NDArray[np.uint8]:
    """One feature per piece; pieces of one word share its shape."""
    found = np.zeros(len(offsets), dtype=np.uint8)
    at, previous_end = 0, 0
    while at < len(offsets):
        start, end = offsets[at]
        following = at + 1
        if text[start:end].isalnum():
            # Glued pieces of letters and digits are one word, whatever the tokenizer cut it into.
            while (
                following < len(offsets)
                and offsets[following][0] == end
                and text[end : offsets[following][1]].isalnum()
            ):
                end = offsets[following][1]
                following += 1
        shape = shape_of(text[start:end])
        found[at] = gap_of(text, previous_end, start) * len(SHAPES) + shape
        found[at + 1 : following] = shape
        at, previous_end = following, end
    return found


def shape_of(word: str) -> int:
    """The number of a word's shape.

    >>> [SHAPES[shape_of(w)] for w in ("ann", "ANN", "Ann", "McX", "42", "4B", "安", "-")]
    ['lower', 'upper', 'title', 'mixed', 'digits', 'alphanumeric', 'caseless', 'other']
    """
    if word.islower() and word.isalpha():
        return _SHAPE["lower"]
    if not any(c.isalnum() for c in word):
        return _SHAPE["other"]
    if word.isdigit():
        return _SHAPE["digits"]
    if any(c.isdigit() for c in word):
        return _SHAPE["alphanumeric"]
    if word.isupper():
        return _SHAPE["upper"]
    if word.islower():
        return _SHAPE["lower"]
    if word[0].isupper() and word[1:].islower():
        return _SHAPE["title"]
    return _SHAPE["mixed"] if word.lower() != word.upper() else _SHAPE["caseless"]


def gap_of(text: str, before: int, start: int) -> int:
    """What stands between two pieces: nothing, space, or a line break; a text starts on a new line."""
    if before == 0:
        return GAPS.index("newline")
    if before >= start:
        return _GLUED
    gap = text[before:start]
    return GAPS.index("newline" if "\n" in gap or "\r" in gap else "space")


def words_of(pieces: EncodedText) -> NDArray[np.int64]:
    """The first piece of each word, and one past the last piece of all."""
    glued = pieces.features // len(SHAPES) == _GLUED
    punctuation = pieces.features % len(SHAPES) == _SHAPE["other"]
    joined = np.zeros(len(pieces), dtype=np.bool_)
    joined[1:] = glued[1:] & ~punctuation[1:] & ~punctuation[:-1]
    return np.append(np.flatnonzero(~joined), len(pieces))
