"""The `spacy` detector: the entities of any spaCy pipeline that is installed.

The other way round, Sfumato is a component of spaCy pipelines: `nlp.add_pipe("sfumato")` (see
`_in_spacy`). spaCy itself is imported when the detector is made, not before.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pydantic import Field

from sfumato.document import Document, Term
from sfumato.errors import InputError, PolicyError, needed
from sfumato.kinds import KindOfTerm
from sfumato.know.fingerprints import digest
from sfumato.know.settings import Pipeline, is_path, package_folder
from sfumato.plugins import Detector, Options, detector

if TYPE_CHECKING:
    from spacy.language import Language

MOST_FILES, MOST_BYTES = 10_000, 1 << 33  # of a pipeline: a policy may name any folder
# The labels of OntoNotes, and those of the pipelines that were trained on Wikipedia (PER, MISC). Laws and
# ordinal numbers ("Article 8", "first") point to nobody.
_LABELS = {
    "PERSON": "PERSON PER",
    "ORG": "ORG",
    "LOC": "GPE LOC FAC",
    "DEM": "NORP LANGUAGE",
    "DATE": "DATE",
    "TIME": "TIME",
    "MONEY": "MONEY",
    "QUANTITY": "QUANTITY PERCENT CARDINAL",
    "MISC": "EVENT PRODUCT WORK_OF_ART MISC",
    None: "LAW ORDINAL",
}
KINDS: Mapping[str, str | None] = {
    label: kind for kind, labels in _LABELS.items() for label in labels.split()
}

# Where a long text may be cut, the best place first.
_CUTS = tuple(re.compile(p) for p in (r"\n[^\S\n]*\n\s*", r"\n\s*", r"\s+"))
_SURROGATE = re.compile("[\ud800-\udfff]")


class HasModel(Protocol):
    """Settings that name a pipeline."""

    @property
    def model(self) -> str: ...


class SpacyOptions(Options):
    """Settings of the `spacy` detector (`pip install 'sfumato[spacy]'`)."""

    model: Pipeline = Field(
        "en_core_web_sm",
        description="The name of an installed spaCy pipeline, or its folder, written with a slash "
        "(`./trained`): a relative path starts at the policy's folder.",
    )
    exclude: tuple[str, ...] = Field(
        (), description="Components of the pipeline that are not needed, e.g. [parser, lemmatizer]."
    )
    kinds: dict[str, KindOfTerm | None] = Field(
        {},
        description="spaCy's labels and the kinds they stand for, where the usual ones do not fit; "
        "`null` leaves a label out. A label without a kind is a kind of its own.",
    )
    score: float = Field(
        0.85, ge=0, le=1, description="The score of what is found; spaCy gives none."
    )


def knowledge(options: HasModel) -> Mapping[str, str]:
    """The pipeline that is read with, by what its folder holds: its name says nothing of that."""
    folder = folder_of(options.model)
    try:
        inside = islice(folder.rglob("*"), MOST_FILES + 1)
        files = sorted(p for p in inside if p.is_file() and p.suffix != ".pyc")
        sizes = [p.stat().st_size for p in files]
    except OSError as error:
        raise InputError.at(folder, f"cannot be read ({error.strerror})") from None
    if len(files) >= MOST_FILES or sum(sizes) > MOST_BYTES:
        raise InputError.at(folder, "holds too much for a pipeline")
    names = json.dumps(
        [[p.relative_to(folder).as_posix(), size] for p, size in zip(files, sizes, strict=True)]
    )
    both = hashlib.sha256(names.encode()).hexdigest() + digest(*files)
    return {"pipeline": hashlib.sha256(both.encode()).hexdigest()}


@detector("spacy", options=SpacyOptions, repeatable=False, knowledge=knowledge)
def spacy(options: SpacyOptions) -> Detector:
    """The entities of a spaCy pipeline."""
    nlp = load(options.model, options.exclude)
    kinds = {**KINDS, **options.kinds}

    def detect(document: Document) -> Iterable[Term]:
        for start, end, label in entities(nlp, document.text):
            kind = kind_of(label, kinds)
            if kind is not None:
                yield Term(start, end, kind, options.score, "spacy", f"spaCy: {label}")

    return detect


def load(model: str, exclude: Iterable[str] = ()) -> Language:
    """An installed pipeline; nothing is ever downloaded."""
    spacy = needed("spacy", "the detector 'spacy'", "spacy")
    with loading(model) as named:
        return spacy.load(named, exclude=list(exclude))  # type: ignore[no-any-return]


@contextmanager
def loading(model: str) -> Iterator[str]:
    """By what name a pipeline is to be loaded, within which any fault of it is one line."""
    folder = folder_of(model)
    try:
        if not is_path(model):
            import_module(model)  # which may bring components of its own
        # by name, spaCy would look in the working folder, too
        yield str(next(folder.glob(_config(model))).parent.resolve())
    except Exception as error:  # a pipeline that somebody hands over may raise anything
        raise PolicyError(
            f"the spaCy pipeline '{model}' cannot be loaded ({type(error).__name__}); is it complete, and of "
            "the version of spaCy that is installed?"
        ) from None


def folder_of(model: str) -> Path:
    """The folder of a pipeline: one that is written with a slash, else that of an installed package. A
    package that is no pipeline is never run."""
    folder = Path(model) if is_path(model) else package_folder(model)
    if folder and (folder / "meta.json").is_file() and any(folder.glob(_config(model))):
        return folder
    if is_path(model):
        raise PolicyError(f"{model}: no spaCy pipeline is in this folder")
    raise PolicyError(
        f"no spaCy pipeline '{model}' is installed; install it with: python -m spacy download {model}, or "
        "write the folder of one with a slash"
    )


def _config(model: str) -> str:
    return "config.cfg" if is_path(model) else f"{model}-*/config.cfg"


def kind_of(label: str, kinds: Mapping[str, str | None]) -> str | None:
    """The kind that a foreign label stands for; an unknown label is a kind of its own.

    >>> kind_of("GPE", KINDS), kind_of("LAW", KINDS), kind_of("drug-name", KINDS), kind_of("1", KINDS)
    ('LOC', None, 'DRUG_NAME', 'MISC')
    """
    if label in kinds:
        return kinds[label]
    own = re.sub(r"[^A-Z0-9]+", "_", label.upper()).strip("_")
    return own if re.match("[A-Z]", own) else "MISC"


def entities(nlp: Language, text: str) -> Iterator[tuple[int, int, str]]:
    """The entities of a text of any length as (start, end, label)."""
    for start, piece in pieces(text, nlp.max_length):
        for entity in nlp(piece).ents:
            if entity.text.strip():
                yield start + entity.start_char, start + entity.end_char, entity.label_


def pieces(text: str, limit: int) -> Iterator[tuple[int, str]]:
    """A text in pieces of at most `limit` characters, each with its offset: cut after a paragraph, else
    after a line, else after a word.

    >>> list(pieces("One two.\\n\\nThree four.", 12))
    [(0, 'One two.\\n\\n'), (10, 'Three four.')]
    """
    # Half a surrogate pair is no character to spaCy; another one in its place keeps the offsets.
    text = _SURROGATE.sub("\ufffd", text)
    start = 0
    while len(text) - start > limit:
        end = _cut(text, start, start + limit)
        yield start, text[start:end]
        start = end
    if start < len(text):
        yield start, text[start:]


def _cut(text: str, start: int, end: int) -> int:
    for pattern in _CUTS:
        found = [m.end() for m in pattern.finditer(text, start, end)]
        if found:
            return found[-1]
    return end
