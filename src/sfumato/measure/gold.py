"""Gold data: texts in which people have marked what must be hidden.

| file | holds |
|---|---|
| `.json` | the Text Anonymization Benchmark as it was released: a list of documents, each with the \
mentions of one or more annotators |
| `.jsonl` | one document a line: `text`, and `mentions` with `start_offset`, `end_offset`, `entity_type`, \
`identifier_type` (DIRECT, QUASI or NO_MASK) and `entity_id` |
| any other | CoNLL: one token a line, its BIO tag in the last column (in the third where the first \
numbers the tokens), an empty line between sentences |

Offsets are code points. CoNLL says nothing about masking: there, every entity is to be hidden.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from sfumato.errors import EncodingError, InputError
from sfumato.formats import file_bytes
from sfumato.measure.tab import Identifier, Mention


@dataclass(frozen=True, slots=True)
class GoldDocument:
    """A text and what each of its annotators marked in it."""

    name: str
    text: str = field(repr=False)
    annotations: tuple[tuple[Mention, ...], ...]


def read(path: Path) -> list[GoldDocument]:
    """The documents of a gold file; what is wrong with it is said with its line."""
    try:
        text = file_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise EncodingError(
            f"{path}: not UTF-8 text (byte {error.start})", path=str(path), offset=error.start
        ) from None
    match path.suffix.lower():
        case ".json":
            documents = _benchmark(text, str(path))
        case ".jsonl":
            documents = _lines(text, str(path))
        case _:
            documents = _conll(text, str(path))
    if not documents:
        raise InputError.at(path, "no documents in it")
    return documents


# JSON


def _benchmark(text: str, where: str) -> list[GoldDocument]:
    """The benchmark's own file: a list of documents with `annotations` by annotator."""
    data = _json(text, where, 1)
    if not isinstance(data, list):
        raise InputError(f"{where}: not a list of documents; one document a line is a .jsonl file")
    documents = []
    for number, record in enumerate(data, 1):
        place = f"{where}: document {number}"
        name, body = _head(record, number, place)
        annotations = record.get("annotations")
        if not isinstance(annotations, Mapping) or not annotations:
            raise InputError(
                f"{place}: 'annotations' should be an object with the annotators' names"
            )
        marked = []
        for annotator in annotations.values():
            entities = annotator.get("entity_mentions") if isinstance(annotator, Mapping) else None
            marked.append(mentions_of(entities, body, place, "entity_mentions"))
        documents.append(GoldDocument(name, body, tuple(marked)))
    return documents


def _lines(text: str, where: str) -> list[GoldDocument]:
    """One document a line."""
    documents = []
    # Not splitlines: U+2028 is no line end in JSON.
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            place = f"{where}:{number}"
            record = _json(line, where, number)
            name, body = _head(record, number, place)
            marked = mentions_of(record.get("mentions"), body, place, "mentions")
            documents.append(GoldDocument(name, body, (marked,)))
    return documents


def _json(text: str, where: str, line: int) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        at = f"{where}:{line + error.lineno - 1}"
        raise InputError(f"{at}: not JSON ({error.msg}, column {error.colno})") from None


def _head(record: Any, number: int, place: str) -> tuple[str, str]:
    """A document's name and text."""
    if not isinstance(record, Mapping):
        raise InputError(
            f"{place}: not a document, which is an object with 'text' and its mentions"
        )
    body = record.get("text")
    if not isinstance(body, str):
        raise InputError(f"{place}: 'text' is missing, or is no string")
    return str(record.get("doc_id") or record.get("id") or number), body


def mentions_of(
    found: Any, text: str, place: str = "record", key: str = "mentions"
) -> tuple[Mention, ...]:
    """The mentions of a JSON record, in order of the text; one without an `entity_id` stands alone."""
    if not isinstance(found, Sequence) or isinstance(found, str):
        raise InputError(f"{place}: '{key}' is missing, or is no list")
    made = [
        _mention(mention, number, text, f"{place}: mention {number}")
        for number, mention in enumerate(found, 1)
    ]
    return tuple(sorted(made, key=lambda m: (m.start, m.end)))


def _mention(given: Any, number: int, text: str, place: str) -> Mention:
    if not isinstance(given, Mapping):
        raise InputError(f"{place}: not an object")
    start, end = given.get("start_offset"), given.get("end_offset")
    if not (type(start) is int and type(end) is int and 0 <= start < end <= len(text)):
        raise InputError(
            f"{place}: 'start_offset' and 'end_offset' should be places in the text, in this order"
        )
    if given.get("span_text", text[start:end]) != text[start:end]:
        raise InputError(
            f"{place}: 'span_text' is not what the text has between the offsets, which count code points"
        )
    entity = str(given.get("entity_id") or f"mention {number}")
    return Mention(start, end, entity, _identifier(given, place), str(given.get("entity_type", "")))


def _identifier(given: Mapping[str, Any], place: str) -> Identifier:
    if "identifier_type" not in given and isinstance(given.get("masked_by_someone"), bool):
        # The union of several annotators, who agree on masking more than on why.
        return Identifier.QUASI if given["masked_by_someone"] else Identifier.NO_MASK
    try:
        return Identifier(str(given.get("identifier_type")))
    except ValueError:
        raise InputError(f"{place}: 'identifier_type' should be {', '.join(Identifier)}") from None


# CoNLL

_TAG = re.compile(r"O|([BIESLU])-(\S+)")
_NEW_DOCUMENT = re.compile(r"#\s*newdoc\b(?:\s+id\s*=\s*(\S+))?")


class _Token(NamedTuple):
    text: str
    tag: str


def _conll(text: str, where: str) -> list[GoldDocument]:
    """Sentences are the lines of a document. Where nothing says which sentences belong together
    (`-DOCSTART-` or `# newdoc`), each is a document."""
    lines = [line.rstrip("\r") for line in text.split("\n")]
    numbered = _is_numbered(lines)
    documents: list[tuple[str, list[list[_Token]]]] = []
    name, sentences, sentence = "", list[list[_Token]](), list[_Token]()
    marked = False

    def close(next_name: str) -> None:
        nonlocal name, sentences
        if sentences:
            documents.append((name, sentences))
        name, sentences = next_name, []

    for number, line in enumerate([*lines, ""], 1):
        start = _document_start(line)
        if (start is not None or not line.strip()) and sentence:
            sentences.append(sentence)
            sentence = []
        if start is not None:
            marked = True
            close(start)
        elif line.strip() and not _is_comment(line):
            token = _token(line, number, numbered, where)
            sentence += [token] if token else []
    close("")
    if not marked:
        documents = [("", [s]) for _, all_of_them in documents for s in all_of_them]
    return [_document(n or f"{i}", ss) for i, (n, ss) in enumerate(documents, 1)]


def _is_numbered(lines: Sequence[str]) -> bool:
    """Whether the first column numbers the tokens of each sentence from 1, as in CoNLL-U."""
    firsts: list[list[str]] = []
    fresh = True
    for line in lines:
        if not line.strip():
            fresh = True
        elif not _is_comment(line) and _document_start(line) is None:
            firsts += [_columns(line)] if fresh else []
            fresh = False
    return bool(firsts) and all(c[0] == "1" and len(c) > 2 for c in firsts)


def _document_start(line: str) -> str | None:
    """The name of the document that begins here; None where none does."""
    if line.startswith("-DOCSTART-"):
        return ""
    found = _NEW_DOCUMENT.match(line)
    return (found[1] or "") if found and "\t" not in line else None


def _is_comment(line: str) -> bool:
    """A `#` may be a token, too: that line ends with a tag."""
    if not line.startswith("#") or "\t" in line:
        return False
    return " = " in line or not _TAG.fullmatch(_columns(line)[-1])


def _columns(line: str) -> list[str]:
    return line.split("\t") if "\t" in line else line.split(" ")


def _token(line: str, number: int, numbered: bool, where: str) -> _Token | None:
    columns = _columns(line)
    while len(columns) > 1 and not columns[-1]:
        columns.pop()
    if len(columns) < 2 + numbered:
        raise InputError(f"{where}:{number}: a line should have a token and its tag")
    token, tag = (columns[1], columns[2]) if numbered else (columns[0], columns[-1])
    if not _TAG.fullmatch(tag):
        raise InputError(f"{where}:{number}: the tag should be O, or B- or I- and a kind (B-PER)")
    if token:
        return _Token(token, tag)
    if tag == "O":  # some corpora have lost a character here and there; nothing depends on it
        return None
    raise InputError(f"{where}:{number}: the token is missing")


def _document(name: str, sentences: list[list[_Token]]) -> GoldDocument:
    """The text rebuilt: a space between tokens, a line for each sentence."""
    parts: list[str] = []
    mentions: list[Mention] = []
    at = 0
    for sentence in sentences:
        starts = []
        for token in sentence:
            starts.append(at)
            at += len(token.text) + 1
            parts += [token.text, " "]
        parts[-1] = "\n"
        for first, last, kind in _runs(sentence):
            start, end = starts[first], starts[last] + len(sentence[last].text)
            entity = f"mention {len(mentions) + 1}"
            mentions.append(Mention(start, end, entity, Identifier.QUASI, kind))
    return GoldDocument(name, "".join(parts), (tuple(mentions),))


def _runs(sentence: Sequence[_Token]) -> Iterator[tuple[int, int, str]]:
    """The entities of a sentence as (first token, last token, kind). An I- after another kind or none
    begins one, as the older of the two BIO schemes has it."""
    begun, kind = 0, ""
    for number, token in enumerate(sentence):
        found = _TAG.fullmatch(token.tag)
        assert found is not None
        position, tagged = found[1] or "O", found[2] or ""
        if kind and (position in "OBSU" or tagged != kind):
            yield begun, number - 1, kind
            kind = ""
        if tagged and not kind:
            begun, kind = number, tagged
        if position in "ESLU" and kind:
            yield begun, number, kind
            kind = ""
    if kind:
        yield begun, len(sentence) - 1, kind
