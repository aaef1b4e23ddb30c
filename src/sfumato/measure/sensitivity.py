"""How likely a document is sensitive (σ_d): naive Bayes on the words that it holds.

    >>> model = train([("hiv test results", True), ("pizza near me", False)])
    >>> model.probabilities(["hiv symptoms", "best pizza"]).round(2)
    array([0.8, 0.2])

Section 3.1 of Carpineto and Romano (2018): features are binary, a word is there or not. A model keeps counts,
not text; it is saved as JSON. Instead of a model, a list of words (`WordList`) or what a detector finds
(`Detected`) can say how sensitive documents are.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.document import Document, Term
from sfumato.english.folding import normal_form
from sfumato.errors import InputError
from sfumato.files import text_of
from sfumato.formats.columns import chunks, plain
from sfumato.measure.matching import Floats

LAYOUT = "sfumato sensitivity 1"
SHIPPED = "sensitivity.json"
FOLDS = 10
# A small file in words of one column that says yes or no.
YES = frozenset(("1", "true", "yes", "y", "sensitive"))
NO = frozenset(("0", "false", "no", "n", "not-sensitive", "not sensitive", "insensitive"))

_WORD = re.compile(r"\w+")

Labelled = tuple[str, bool]


def words(document: str) -> frozenset[str]:
    """The words of a document, each once; numbers count by their length.

    >>> sorted(words("Call 555-0123, call NOW"))
    ['<3 digits>', '<4 digits>', 'call', 'now']
    """
    found = _WORD.findall(normal_form(document))
    return frozenset(f"<{len(w)} digits>" if w.isdigit() else w for w in found)


@dataclass(frozen=True, slots=True)
class CrossValidation:
    """How often a model was right about documents that it was not trained on."""

    folds: int
    accuracy: float
    recall: float  # of sensitive documents
    precision: float  # of documents called sensitive


@dataclass(frozen=True)
class SensitivityModel:
    """A trained naive Bayes classifier: for each word, how many documents of each class hold it."""

    sensitive: int  # documents it was trained on
    harmless: int
    counts: dict[str, tuple[int, int]]  # word -> (sensitive, harmless) documents that hold it
    smoothing: float = 1.0
    about: dict[str, Any] | None = None  # where it comes from and how good it is

    def probabilities(self, documents: Sequence[str]) -> Floats:
        """The probability that each document is sensitive, shape (documents,)."""
        base, odds = self._log_odds
        get = odds.get
        sums = [base + sum(get(w, 0.0) for w in words(document)) for document in documents]
        return 1 / (1 + np.exp(-np.clip(np.array(sums, dtype=np.float64), -500, 500)))

    def probability(self, document: str) -> float:
        """The probability that a document is sensitive."""
        return float(self.probabilities([document])[0])

    def telling_words(self, at_least: float) -> list[str]:
        """The words that by themselves multiply the odds of "sensitive" by so much, in alphabetical order."""
        limit = math.log(at_least)
        return sorted(w for w, odds in self._log_odds[1].items() if odds >= limit)

    @cached_property
    def _log_odds(self) -> tuple[float, dict[str, float]]:
        """The log odds of a document without any known word, and what each word adds to them.

        log P(s)/P(h) + Σ over words that are there of log p/p' + Σ over the others of log (1-p)/(1-p').
        """
        s = self.smoothing
        base = math.log(self.sensitive / self.harmless)
        odds = {}
        for word, (yes, no) in self.counts.items():
            p = (yes + s) / (self.sensitive + 2 * s)
            q = (no + s) / (self.harmless + 2 * s)
            absent = math.log1p(-p) - math.log1p(-q)
            base += absent
            odds[word] = math.log(p) - math.log(q) - absent
        return base, odds

    def to_json(self) -> str:
        """The model as text; equal models give equal text."""
        written = {
            "layout": LAYOUT,
            "about": self.about or {},
            "sensitive": self.sensitive,
            "harmless": self.harmless,
            "smoothing": self.smoothing,
            "words": dict(sorted(self.counts.items())),
        }
        return json.dumps(written, ensure_ascii=False, separators=(",", ":")) + "\n"


def train(
    labelled: Iterable[Labelled],
    *,
    least: int = 1,
    smoothing: float = 1.0,
    about: dict[str, Any] | None = None,
) -> SensitivityModel:
    """Train on documents that are labelled sensitive (True) or not.

    Words that fewer than `least` documents hold do not count.
    """
    if smoothing <= 0:
        raise InputError("the smoothing is a number above 0")
    yes: Counter[str] = Counter()
    no: Counter[str] = Counter()
    sizes = [0, 0]
    for document, is_sensitive in labelled:
        (yes if is_sensitive else no).update(words(document))
        sizes[is_sensitive] += 1
    _refuse_one_class(sizes)
    kept = sorted(w for w in yes.keys() | no.keys() if yes[w] + no[w] >= least)
    counts = {w: (yes[w], no[w]) for w in kept}
    return SensitivityModel(sizes[1], sizes[0], counts, smoothing, about)


def _refuse_one_class(sizes: Sequence[int], where: str = "") -> None:
    harmless, sensitive = sizes
    if harmless and sensitive:
        return
    what = f"all {max(sizes):,} documents are labelled {'' if sensitive else 'not '}sensitive"
    if not (harmless or sensitive):
        what = "there are no labelled documents"
    raise InputError(f"{where}{what}; a classifier needs examples of both kinds")


def cross_validate(
    labelled: Sequence[Labelled],
    *,
    folds: int = FOLDS,
    least: int = 1,
    smoothing: float = 1.0,
    groups: Sequence[Any] | None = None,
) -> CrossValidation:
    """Train on all folds but one and try that one, for each fold.

    Documents of a class go to the folds in turn, by order of a hash of their text, so that the order in which
    they come does not count. Documents of one group (of shape (documents,)) stay together.
    """
    parts = _folds(labelled, folds, groups)
    right = called = hits = sensitive = 0
    for number in range(folds):
        rest = [row for row, part in zip(labelled, parts, strict=True) if part != number]
        held = [row for row, part in zip(labelled, parts, strict=True) if part == number]
        if not held:
            continue
        model = train(rest, least=least, smoothing=smoothing)
        guesses = model.probabilities([document for document, _ in held]) >= 0.5
        for (_, truth), guess in zip(held, guesses.tolist(), strict=True):
            right += truth == guess
            called += guess
            sensitive += truth
            hits += truth and guess
    accuracy = right / len(labelled)
    return CrossValidation(folds, accuracy, hits / max(sensitive, 1), hits / max(called, 1))


def _folds(labelled: Sequence[Labelled], folds: int, groups: Sequence[Any] | None) -> list[int]:
    sizes = Counter(truth for _, truth in labelled)
    _refuse_one_class([sizes[False], sizes[True]])
    if min(sizes.values()) < folds:
        raise InputError(
            f"{min(sizes.values()):,} documents of one kind are too few to be split {folds} ways; label more"
        )
    keys: list[Any] = list(groups) if groups is not None else [text for text, _ in labelled]
    written = [repr(key).encode("utf-8", "surrogatepass") for key in keys]
    hashes = [hashlib.blake2b(key, digest_size=8).digest() for key in written]
    order = sorted(range(len(labelled)), key=lambda n: (labelled[n][1], hashes[n], n))
    parts = [0] * len(labelled)
    turn, last = -1, None
    for n in order:
        if groups is None or keys[n] != last:
            turn += 1
        parts[n], last = turn % folds, keys[n]
    return parts


def read_labels(
    source: Any, *, document: str = "document", label: str = "sensitive"
) -> list[Labelled]:
    """Labelled documents of a file (.csv, .tsv, .jsonl, .parquet), a frame or a sequence of pairs."""
    where = f"{source}: " if isinstance(source, str | Path) else ""
    found: list[Labelled] = []
    for texts, labels in chunks(source, (document, label), "label table"):
        for text, said in zip(plain(texts), plain(labels), strict=True):
            answer = str(said).strip().casefold()
            row = len(found) + 1
            if answer not in YES | NO:
                raise InputError(
                    f"{where}row {row:,}: '{label}' is none of yes/no, true/false, 1/0, "
                    "sensitive/not sensitive"
                )
            if not isinstance(text, str) or not text.strip():
                raise InputError(f"{where}row {row:,}: '{document}' is empty or not text")
            found.append((text, answer in YES))
    sensitive = sum(truth for _, truth in found)
    _refuse_one_class([len(found) - sensitive, sensitive], where)
    return found


def load(path: Path) -> SensitivityModel:
    """Read a model that `sfumato know sensitivity` wrote."""
    try:
        text = text_of(path)
    except OSError as error:
        raise InputError.at(path, f"cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        text = ""
    return _parse(text, str(path))


def is_model(data: bytes) -> bool:
    """Whether a file is such a model."""
    return LAYOUT.encode() in data[:1000]


@cache
def default() -> SensitivityModel:
    """The model that comes along; its `about` says what it was trained on and how good it is."""
    file = resources.files("sfumato") / "measure" / "data" / SHIPPED
    return _parse(file.read_text(encoding="utf-8"), SHIPPED)


def _parse(text: str, where: str) -> SensitivityModel:
    try:
        raw = json.loads(text)
        if raw["layout"] != LAYOUT:
            raise ValueError
        model = SensitivityModel(
            int(raw["sensitive"]),
            int(raw["harmless"]),
            {str(w): (int(yes), int(no)) for w, (yes, no) in raw["words"].items()},
            float(raw["smoothing"]),
            dict(raw["about"]),
        )
        model.probabilities([""])
    except (ValueError, KeyError, TypeError, AttributeError, ZeroDivisionError, RecursionError):
        raise InputError(
            f"{where}: no sensitivity model of this version; make it again with: sfumato know sensitivity"
        ) from None
    return model


class WordList:
    """Documents that hold one of some terms are sensitive with probability `sigma`, others with 0.

    >>> WordList(["hiv"]).probabilities(["HIV test", "pizza"])
    array([1., 0.])
    """

    def __init__(self, terms: Iterable[str], *, sigma: float = 1.0) -> None:
        from sfumato.english.matcher import TermMatcher

        self._matcher = TermMatcher(terms)
        self._sigma = sigma

    def probabilities(self, documents: Sequence[str]) -> Floats:
        return np.array([self._sigma * bool(self._matcher.find(d)) for d in documents])


class Detected:
    """A document is sensitive if anything that a detector finds in it is: σ = 1 - Π (1 - score).

    `find` takes a `Document` and returns terms; `sfumato.detect.finder.Finder` is one.
    """

    def __init__(self, find: Callable[[Document], Iterable[Term]]) -> None:
        self._find = find

    def probabilities(self, documents: Sequence[str]) -> Floats:
        found = [math.prod(1 - t.score for t in self._find(Document(text=d))) for d in documents]
        return 1 - np.array(found, dtype=np.float64)
