"""Readers for every data set: files in, `Example`s out.

Each reader says what its source knows. A type the source does not annotate stays possible wherever it
marks nothing; a mention whose type has no exact match stays a set of types; heads without labels are
not trained. Documents kept aside for thresholds and scores are marked `held`.
"""

from __future__ import annotations

import json
import lzma
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .labels import MASK_SETS, MASKED, NOT_MASKED, UNKNOWN
from .package import encoder

Record = dict[str, Any]  # a text with mentions, as in the benchmark's files

ANY_ANNOTATOR = ""
SOMEONE = "someone"  # of several annotators, at least one masked it

HELD_TAB_DOCUMENTS = 12
HELD_WIKIGOLD_EVERY = 5
HELD_WRITTEN_EVERY = 10


@dataclass(frozen=True, slots=True)
class Mention:
    """A marked span: the types it may be of (`O`: perhaps none), and a set of mask labels."""

    start: int
    end: int
    kinds: tuple[str, ...]
    mask: int = UNKNOWN


@dataclass(frozen=True, slots=True)
class Example:
    """A text and all that its source says about it."""

    source: str
    text: str
    mentions: tuple[Mention, ...] = ()
    unannotated: frozenset[str] = frozenset(encoder.TYPES)
    mask_outside: int = UNKNOWN
    tags: tuple[tuple[int, int, int], ...] = ()  # start, end, number of the UD tag
    annotator: str = ANY_ANNOTATOR
    held: bool = False
    name: str = ""


@dataclass(frozen=True, slots=True)
class Scheme:
    """How the types of a source map to ours, and which of ours it never marks."""

    kinds: dict[str, tuple[str, ...]]
    unannotated: frozenset[str]


def _scheme(unannotated: str, **kinds: str) -> Scheme:
    mapped = {
        name.replace("_", "-"): tuple(
            encoder.OUTSIDE if k == encoder.OUTSIDE else k for k in value.split()
        )
        for name, value in kinds.items()
    }
    return Scheme(mapped, frozenset(unannotated.split()))


_PEOPLE = ("person", "researcher", "writer", "musicalartist", "politician", "scientist")
_ORGS = ("organisation", "university", "band", "politicalparty")
_WORKS = ("product", "book", "poem", "album", "song", "award", "election", "event", "conference")
# Named things of a field that say nothing about a person: neither taught as MISC nor as nothing.
_TERMS = (
    *("algorithm", "field", "task", "metrics", "programlang", "literarygenre", "musicgenre"),
    *("musicalinstrument", "discipline", "theory", "protein", "enzyme"),
    *("chemicalelement", "chemicalcompound"),
)

SCHEMES = {
    "wnut17": _scheme(
        "DATETIME CODE DEM QUANTITY",
        person="PERSON",
        location="LOC",
        corporation="ORG",
        group="ORG",
        product="MISC",
        creative_work="MISC",
    ),
    "btc": _scheme("DATETIME CODE DEM QUANTITY MISC", PER="PERSON", ORG="ORG", LOC="LOC"),
    "uner": _scheme("DATETIME CODE DEM QUANTITY MISC", PER="PERSON", ORG="ORG", LOC="LOC"),
    # Nationalities are MISC there and DEM here.
    "wikigold": _scheme(
        "DATETIME CODE QUANTITY DEM", PER="PERSON", ORG="ORG", LOC="LOC", MISC="MISC DEM"
    ),
    "crossner": _scheme(
        "DATETIME CODE DEM QUANTITY",
        **dict.fromkeys(_PEOPLE, "PERSON"),
        **dict.fromkeys(_ORGS, "ORG"),
        **dict.fromkeys(_WORKS, "MISC"),
        **dict.fromkeys(_TERMS, "MISC O"),
        location="LOC",
        country="LOC",
        magazine="MISC ORG",
        academicjournal="MISC ORG",
        astronomicalobject="MISC LOC",
        misc="MISC DEM O",
    ),
}


def read_all(
    data: Path,
    synthetic: Iterable[Path] = (),
    plain_characters: int = 0,
    tab_held: int | None = None,
    written: Path | None = None,
    variations: int = 0,
) -> Iterator[Example]:
    """Every example there is, in a fixed order. The benchmark's `dev.jsonl` is never among them."""
    yield from read_tab(data / "tab", HELD_TAB_DOCUMENTS if tab_held is None else tab_held)
    yield from read_wnut17(data / "ner/wnut17")
    yield from read_btc(data / "ner/btc")
    yield from read_wikigold(data / "ner/wikigold")
    yield from read_crossner(data / "ner/crossner")
    yield from read_uner(data / "ner/uner_ewt")
    yield from read_gum(data / "gum")
    for path in synthetic:
        yield from read_marked(path, "synthetic")
    if written:
        yield from read_written(written, variations)
    if plain_characters:
        yield from read_plain(data / "corpus", plain_characters)


# --- Texts with offsets: the benchmark, and our own -----------------------------------------------


def read_json_lines(path: Path) -> list[Record]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def read_tab(folder: Path, held: int = HELD_TAB_DOCUMENTS) -> Iterator[Example]:
    """The judgments; `held` documents of train are kept aside for thresholds and calibration."""
    train = read_json_lines(folder / "train.jsonl")
    test = {d["doc_id"] for d in read_json_lines(folder / "dev.jsonl")}
    kept_aside = set(_spread([d["doc_id"] for d in train], held))
    for record in train:
        yield Example(
            "tab",
            record["text"],
            marked(record),
            unannotated=frozenset(),
            mask_outside=NOT_MASKED,
            # An entity's id names the annotator: 001-90973_a1_e1.
            annotator=record["mentions"][0]["entity_id"].split("_")[1],
            held=record["doc_id"] in kept_aside,
            name=record["doc_id"],
        )
    for record in read_json_lines(folder / "dev_mentions.jsonl"):
        if record["doc_id"] in test:
            continue
        mentions = tuple(
            Mention(
                m["start_offset"],
                m["end_offset"],
                (m["entity_type"],),
                MASKED if m["masked_by_someone"] else NOT_MASKED,
            )
            for m in record["mentions"]
        )
        yield Example(
            "tab_mentions",
            record["text"],
            mentions,
            unannotated=frozenset(),
            mask_outside=NOT_MASKED,
            annotator=SOMEONE,
            name=record["doc_id"],
        )


# Genres of names that everybody knows, or nobody, beside those of somebody.
_CONTRAST = ("pb_", "cn_")

# Made in the style of the benchmark's judgments but marked by another rule: of these, only the text.
_TEXT_ONLY = frozenset({"court"})


def read_marked(path: Path, source: str) -> Iterator[Example]:
    """Texts in our own format: every mention with its type and its mask label."""
    for record in read_json_lines(path):
        if record.get("genre") in _TEXT_ONLY:
            yield Example("plain", record["text"])
            continue
        yield Example(
            "contrast" if record.get("genre", "").startswith(_CONTRAST) else source,
            record["text"],
            marked(record),
            unannotated=frozenset(),
            mask_outside=NOT_MASKED,
            name=str(record.get("id", "")),
        )


def read_written(folder: Path, variations: int) -> Iterator[Example]:
    """Texts marked by hand, each also about others; every tenth is kept aside."""
    from . import written

    names = written.Names(*_names())
    rng = random.Random(1)
    for number, record in enumerate(written.read(folder)):
        held = number % HELD_WRITTEN_EVERY == 0
        others = (written.variation(record, names, rng) for _ in range(0 if held else variations))
        for copy in (record, *others):
            yield Example(
                "written",
                copy["text"],
                marked(copy),
                unannotated=frozenset(),
                mask_outside=NOT_MASKED,
                held=held,
                name=record["id"],
            )


def _names() -> tuple[list[str], list[str], list[str]]:
    """Given names, surnames and small places, as the synthetic texts have them."""
    import make_synthetic

    world = make_synthetic.World()
    given = [name for culture in world.cultures for name in culture.male + culture.female]
    last = [name for culture in world.cultures for name in culture.last_male]
    places = [
        name
        for code in ("GB", "US", "IE", "AU", "IN", "CA", "NZ")
        for name in world.small[code]
        if name.isalpha()
    ]
    return given, last, places


def marked(record: Record) -> tuple[Mention, ...]:
    return tuple(
        Mention(
            m["start_offset"],
            m["end_offset"],
            (m["entity_type"],),
            MASK_SETS[frozenset({m["identifier_type"]})],
        )
        for m in record["mentions"]
    )


def _spread(names: Sequence[str], wanted: int) -> list[str]:
    """`wanted` of the names, evenly spread over their sorted order."""
    ordered = sorted(names)
    return [ordered[i * len(ordered) // wanted] for i in range(wanted)]


# --- Words with labels ----------------------------------------------------------------------------


@dataclass(slots=True)
class Sentence:
    """Words with BIO labels, and the text they stand in where the source has it."""

    words: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    text: str = ""


def read_wnut17(folder: Path) -> Iterator[Example]:
    for name, held in (
        ("wnut17train.conll", False),
        ("emerging.dev.conll", False),
        ("emerging.test.annotated", True),
    ):
        for sentence in read_columns(folder / name):
            yield _named("wnut17", [sentence], held=held)


def read_btc(folder: Path) -> Iterator[Example]:
    for path in sorted(folder.glob("*.conll")):
        for sentence in read_columns(path):
            yield _named("btc", [sentence])


def read_crossner(folder: Path) -> Iterator[Example]:
    for path in sorted(folder.glob("*/*.txt")):
        for sentence in read_columns(path):
            yield _named("crossner", [sentence])


def read_wikigold(folder: Path) -> Iterator[Example]:
    articles: list[list[Sentence]] = [[]]
    for sentence in read_columns(folder / "wikigold.conll.txt"):
        if sentence.words == ["-DOCSTART-"]:
            articles.append([])
        else:
            articles[-1].append(sentence)
    for number, article in enumerate(articles):
        if article:
            yield _named("wikigold", article, held=number % HELD_WIKIGOLD_EVERY == 0)


def read_uner(folder: Path) -> Iterator[Example]:
    for path in sorted(folder.glob("*.iob2")):
        documents: list[list[Sentence]] = []
        for block in path.read_text().split("\n\n"):
            sentence = Sentence()
            for line in block.splitlines():
                if line.startswith("# newdoc"):
                    documents.append([])
                elif line.startswith("# text = "):
                    sentence.text = line.removeprefix("# text = ")
                elif line and not line.startswith("#"):
                    _, word, label, *_ = line.split("\t")
                    sentence.words.append(word)
                    sentence.labels.append(label)
            if sentence.words:
                documents[-1].append(sentence)
        for document in documents:
            yield _named("uner", document)


def read_columns(path: Path) -> Iterator[Sentence]:
    """Sentences of a file of one word and its label per line, with empty lines between."""
    sentence = Sentence()
    for line in path.read_text().splitlines():
        cells = line.split()
        if len(cells) >= 2:
            sentence.words.append(cells[0])
            sentence.labels.append(cells[-1])
        elif sentence.words:
            yield sentence
            sentence = Sentence()
    if sentence.words:
        yield sentence


def _named(source: str, sentences: Sequence[Sentence], held: bool = False) -> Example:
    scheme = SCHEMES[source]
    text, mentions = "", []
    for sentence in sentences:
        written, offsets = place(sentence.words, sentence.text)
        base = len(text) + (1 if text else 0)
        text = f"{text} {written}" if text else written
        for first, last, kind in chunks(sentence.labels):
            # A handle is a code to some sources and a person to others, and unmarked in most.
            handle = first == last and sentence.words[first].startswith("@")
            kinds = scheme.kinds[kind]
            mentions.append(
                Mention(
                    base + offsets[first][0],
                    base + offsets[last][1],
                    (*kinds, "CODE") if handle else kinds,
                    MASKED if kinds == ("PERSON",) else UNKNOWN,
                )
            )
        if source == "wnut17":
            mentions += [
                Mention(base + offsets[first][0], base + offsets[last][1], HANDLE)
                for first, last in _handles(sentence)
            ]
    return Example(
        source,
        text,
        tuple(mentions),
        unannotated=scheme.unannotated,
        mask_outside=ORDINARY_NOT_MASKED,
        held=held,
    )


def _handles(sentence: Sentence) -> Iterator[tuple[int, int]]:
    """First and last word of each unmarked @handle; some files set @ and _ apart."""
    words, labels = sentence.words, sentence.labels
    for first, word in enumerate(words):
        if not word.startswith("@") or labels[first] != encoder.OUTSIDE:
            continue
        last = first + 1 if word == "@" else first
        while last + 2 < len(words) and words[last + 1] == "_":
            last += 2
        if last < len(words) and all(
            label == encoder.OUTSIDE for label in labels[first : last + 1]
        ):
            yield first, last


# A handle is a code to some sources, a person to others, and nothing to most.
HANDLE = (encoder.OUTSIDE, "CODE", "PERSON")

# Outside the names of a source without mask labels, only what can be no mention of any type is surely
# not masked: `pack` reads this as NOT_MASKED there and as UNKNOWN elsewhere.
ORDINARY_NOT_MASKED = -1


def chunks(labels: Sequence[str]) -> list[tuple[int, int, str]]:
    """First word, last word and type of each mention, from BIO labels with or without the B.

    >>> chunks(["B-PER", "I-PER", "O", "I-LOC", "B-LOC"])
    [(0, 1, 'PER'), (3, 3, 'LOC'), (4, 4, 'LOC')]
    """
    found: list[tuple[int, int, str]] = []
    previous = encoder.OUTSIDE
    for at, label in enumerate(labels):
        if label != encoder.OUTSIDE:
            prefix, kind = label.split("-", 1)
            if prefix == "I" and previous == kind:
                found[-1] = (found[-1][0], at, kind)
            else:
                found.append((at, at, kind))
            previous = kind
        else:
            previous = encoder.OUTSIDE
    return found


_NO_SPACE_BEFORE = re.compile(r"^([.,;:!?)\]}%’”]+|'s|'S|n't|'(re|ve|ll|d|m|t)|…)$")
_NO_SPACE_AFTER = frozenset("([{@#$£€“‘")


def place(words: Sequence[str], text: str = "") -> tuple[str, list[tuple[int, int]]]:
    """A text with these words in it, and where they stand. `text` is used if it holds them all.

    >>> place(["Ann", "'s", "@", "home", "."])
    ("Ann's @home.", [(0, 3), (3, 5), (6, 7), (7, 11), (11, 12)])
    """
    offsets: list[tuple[int, int]] = []
    at = 0
    for word in words if text else ():
        start = text.find(word, at)
        if start < 0:
            break
        at = start + len(word)
        offsets.append((start, at))
    if text and len(offsets) == len(words):
        return text, offsets
    offsets, written = [], ""
    for word in words:
        glued = not written or written[-1] in _NO_SPACE_AFTER or _NO_SPACE_BEFORE.match(word)
        written += "" if glued else " "
        offsets.append((len(written), len(written) + len(word)))
        written += word
    return written, offsets


# --- GUM: part of speech, and the named ones among its nested entities ----------------------------


@dataclass(frozen=True, slots=True)
class Word:
    """A token of a CoNLL-U sentence; `head` counts from 0, -1 for the root."""

    form: str
    tag: str
    head: int
    entity: str
    space_after: bool


_GUM_KINDS = {"person": "PERSON", "place": "LOC", "organization": "ORG"}
_GUM_UNANNOTATED = frozenset({"DATETIME", "CODE", "DEM", "QUANTITY", "MISC"})
_ENTITY_PART = re.compile(r"(\()?([^()]+)(\))?")


def gum_test_documents(folder: Path) -> frozenset[str]:
    section = re.search(r"^## test$(.*?)^## ", (folder / "splits.md").read_text(), re.M | re.S)
    if section is None:
        raise ValueError(f"{folder / 'splits.md'} has no section 'test'")
    return frozenset(re.findall(r"\* (\S+)", section[1]))


def read_gum(folder: Path) -> Iterator[Example]:
    test = gum_test_documents(folder)
    for path in sorted(folder.glob("*.conllu")):
        for document in path.read_text().split("# newdoc id = ")[1:]:
            name = document.split("\n", 1)[0].strip()
            yield _gum_document(name, document, held=name in test)


def _gum_document(name: str, document: str, held: bool) -> Example:
    text = ""
    mentions: list[Mention] = []
    tags: list[tuple[int, int, int]] = []
    for block in document.split("\n\n"):
        words = list(_gum_words(block))
        if not words:
            continue
        if text:
            text += "\n" if "# newpar" in block else " "
        offsets: list[tuple[int, int]] = []
        for word in words:
            offsets.append((len(text), len(text) + len(word.form)))
            text += word.form + (" " if word.space_after else "")
            if word.tag in encoder.POS:
                tags.append((*offsets[-1], encoder.POS.index(word.tag)))
        text = text.rstrip(" ")
        for first, last, kinds in _gum_named(words):
            mask = MASKED if kinds == ("PERSON",) else UNKNOWN
            mentions.append(Mention(offsets[first][0], offsets[last][1], kinds, mask))
    return Example(
        "gum",
        text,
        tuple(mentions),
        unannotated=_GUM_UNANNOTATED,
        mask_outside=ORDINARY_NOT_MASKED,
        tags=tuple(tags),
        held=held,
        name=name,
    )


def _gum_words(block: str) -> Iterator[Word]:
    glued_until, space_after_group = 0, True  # inside a multi-word token such as "don't"
    for line in block.splitlines():
        cells = line.split("\t")
        if len(cells) != 10 or "." in cells[0]:
            continue
        space = "SpaceAfter=No" not in cells[9]
        if "-" in cells[0]:
            glued_until, space_after_group = int(cells[0].split("-")[1]), space
            continue
        number = int(cells[0])
        if number < glued_until:
            space = False
        elif number == glued_until:
            space = space_after_group
        entity = re.search(r"(?:^|\|)Entity=([^|]*)", cells[9])
        yield Word(cells[1], cells[3], int(cells[6]) - 1, entity[1] if entity else "", space)


def _gum_named(words: Sequence[Word]) -> list[tuple[int, int, tuple[str, ...]]]:
    """The named mentions of a sentence, the longest first, without overlaps.

    Every noun phrase is an entity there. Named is one whose head is a proper noun; of it, the name
    around that head is kept. Times are kept where they hold a number or a name.
    """
    found: list[tuple[int, int, tuple[str, ...]]] = []
    for first, last, kind in sorted(_gum_mentions(words), key=lambda m: m[0] - m[1]):
        inside = words[first : last + 1]
        if kind == "time":
            dated = any(w.tag in ("NUM", "PROPN") for w in inside)
            named = (first, last, ("DATETIME",) if dated else ("DATETIME", encoder.OUTSIDE))
        else:
            head = next(i for i in range(first, last + 1) if not first <= words[i].head <= last)
            if words[head].tag != "PROPN":
                continue
            known = _GUM_KINDS.get(kind)
            start, end = _name_around(words, head, first, last, kind != "person")
            named = (start, end, (known,) if known else ("MISC", encoder.OUTSIDE))
        if all(named[1] < a or named[0] > b for a, b, _ in found):
            found.append(named)
    return found


def _gum_mentions(words: Sequence[Word]) -> Iterator[tuple[int, int, str]]:
    opened: dict[str, list[tuple[int, str]]] = {}
    for at, word in enumerate(words):
        for opening, body, closing in _ENTITY_PART.findall(word.entity):
            identity, _, rest = body.partition("-")
            if opening:
                kind = rest.partition("-")[0]
                if closing:
                    yield at, at, kind
                else:
                    opened.setdefault(identity, []).append((at, kind))
            elif opened.get(body):
                start, kind = opened[body].pop()
                yield start, at, kind


def _name_around(
    words: Sequence[Word], head: int, first: int, last: int, connected: bool
) -> tuple[int, int]:
    """The run of proper nouns around `head`; `connected` names may hold "of the" and the like."""

    def reach(step: int) -> int:
        at = head
        while first <= (after := at + step) <= last:
            while (
                connected
                and first <= after <= last
                and words[after].form.lower() in {"of", "the", "and", "&", "for", "-", "de"}
            ):
                after += step
            if not first <= after <= last or words[after].tag not in ("PROPN", "NUM"):
                break
            at = after
        return at

    return reach(-1), reach(1)


# --- Text without labels --------------------------------------------------------------------------


def read_plain(folder: Path, characters: int, opening: int = 1500) -> Iterator[Example]:
    """The openings of encyclopedia articles: dense in names, read for what the teacher sees in them."""
    left = characters
    for path in sorted(folder.glob("enwiki-*.jsonl.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                text = json.loads(line)["text"][:opening].rsplit(" ", 1)[0]
                if len(text) < 200:
                    continue
                yield Example("plain", text)
                left -= len(text)
                if left <= 0:
                    return


def need(data: Path, missing: Callable[[str], None]) -> bool:
    """Whether all data sets are there; says what is not."""
    wanted = (
        *("tab/train.jsonl", "tab/dev.jsonl", "tab/dev_mentions.jsonl", "gum/splits.md", "corpus"),
        *("ner/wnut17", "ner/btc", "ner/wikigold", "ner/crossner", "ner/uner_ewt"),
    )
    gone = [name for name in wanted if not (data / name).exists()]
    for name in gone:
        missing(name)
    return not gone
