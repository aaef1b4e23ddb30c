"""From text to what the encoder reads: word pieces, their offsets, and what the tokenizer forgot.

The tokenizer lowers all letters and forgets spaces and line breaks. Each piece therefore carries one
small number, `feature = gap * len(SHAPES) + shape`: how the piece is set off from the one before it,
and the shape of the word it belongs to.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

SHAPES = ("other", "lower", "upper", "title", "mixed", "digits", "alphanumeric", "caseless")
GAPS = ("glued", "space", "newline")
FEATURES = len(SHAPES) * len(GAPS)

_SHAPE = {name: n for n, name in enumerate(SHAPES)}


@dataclass(frozen=True, slots=True)
class Pieces:
    """A text as the encoder reads it. All arrays have one entry per piece."""

    ids: NDArray[np.uint16]
    features: NDArray[np.uint8]
    starts: NDArray[np.int32]
    ends: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.ids)


def load_tokenizer(path: Path) -> Tokenizer:
    """The tokenizer of a folder, without the padding and truncation that its file may ask for."""
    tokenizer = Tokenizer.from_file(str(path / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def split(tokenizer: Tokenizer, text: str) -> Pieces:
    """The pieces of a text, with offsets in code points."""
    encoding = tokenizer.encode(text, add_special_tokens=False)
    offsets = np.array(encoding.offsets, dtype=np.int32).reshape(-1, 2)
    return Pieces(
        np.array(encoding.ids, dtype=np.uint16),
        features_of(text, encoding.offsets),
        offsets[:, 0],
        offsets[:, 1],
    )


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
        return GAPS.index("glued")
    gap = text[before:start]
    return GAPS.index("newline" if "\n" in gap or "\r" in gap else "space")


def _recased(**changes: str) -> NDArray[np.uint8]:
    shapes = np.arange(len(SHAPES))
    for old, new in changes.items():
        shapes[_SHAPE[old]] = _SHAPE[new]
    gaps = np.arange(len(GAPS))[:, None] * len(SHAPES)
    return (gaps + shapes).ravel().astype(np.uint8)


# What a feature becomes when the text is written in another case: the ids stay what they are.
LOWERED = _recased(upper="lower", title="lower", mixed="lower")
UPPERED = _recased(lower="upper", title="upper", mixed="upper")
TITLED = _recased(lower="title", upper="title", mixed="title")
