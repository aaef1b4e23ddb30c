"""The user's own taxonomies: indented text, CSV of levels (ARX's hierarchies), SKOS, OBO.

    trees.txt             jobs.csv                      (one line for each value, most specific first)
    tree                  Tech-support;Technical;*
      oak                 Sales;Nontechnical;*
        cork oak

A concept may have several parents; the first one given is climbed, all of them count. A cycle is refused, and
shown; so is a concept with more than 200 others above it.
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from sfumato.english.folding import normal_form
from sfumato.english.inflection import possible_singulars
from sfumato.errors import InputError
from sfumato.files import text_of
from sfumato.know.taxonomy.ladder import Sense, Step, merge, sanchez_batet

FORMATS = ".txt (indented), .csv (levels), .rdf, .xml, .ttl (SKOS), .obo"
MOST_ABOVE = 200  # concepts above one: all are kept, so that a chain takes its length squared
_SKOS = "{http://www.w3.org/2004/02/skos/core#}"
_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


@dataclass
class Concepts:
    """What a file says: labels by identifier, other names, parents in the order given."""

    labels: dict[str, str] = field(default_factory=dict)
    others: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    parents: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, label: str, parent: str | None = None) -> None:
        """A concept whose label is its identifier."""
        for name in (label, parent):
            if name is not None:
                self.labels.setdefault(name, name)
        if parent is not None and parent != label:
            self.parents[label].append(parent)


class Own:
    """A taxonomy made of labels and parents.

    >>> trees = Own("trees", from_indented("tree\\n  oak\\n    cork oak\\n    holm oak\\n  birch\\n"))
    >>> [(s.term, s.volume) for s in trees.climb(trees.senses("Cork oaks")[0])]
    [('cork oak', 1), ('oak', 2), ('tree', 3)]
    """

    def __init__(self, name: str, concepts: Concepts) -> None:
        self.name = name
        ids = list(concepts.labels)
        number = {identifier: n for n, identifier in enumerate(ids)}
        self._labels = [concepts.labels[i] for i in ids]
        self._parents = [
            list(dict.fromkeys(number[p] for p in concepts.parents.get(i, ()) if p in number))
            for i in ids
        ]
        for above in self._parents:
            self._check_above(len(above))
        order = self._from_the_top()
        self._children: list[list[int]] = [[] for _ in ids]
        self._subsumers: list[frozenset[int]] = [frozenset()] * len(ids)
        for n in order:
            self._subsumers[n] = frozenset({n}).union(
                *(self._subsumers[p] for p in self._parents[n])
            )
            self._check_above(len(self._subsumers[n]) - 1)
            for p in self._parents[n]:
                self._children[p].append(n)
        leaves = [n for n in order if not self._children[n]]
        self._leaves = [0] * len(ids)
        for leaf in leaves:
            for n in self._subsumers[leaf]:
                self._leaves[n] += 1
        self._all_leaves = len(leaves)
        named: dict[str, dict[int, None]] = defaultdict(dict)  # in order, each once
        for n, identifier in enumerate(ids):
            for label in (self._labels[n], *concepts.others.get(identifier, ())):
                named[normal_form(label)][n] = None
        self._index = {key: list(found) for key, found in named.items() if key}

    def __len__(self) -> int:
        return len(self._labels)

    def labels(self) -> list[str]:
        """Every name of every concept, for a detector to look for, the tops left out."""
        return [key for key, found in self._index.items() if any(self._parents[n] for n in found)]

    def knowledge(self) -> dict[str, str]:
        """Names and parents by hash, for the certificate."""
        return {f"taxonomy {self.name}": self._digest}

    @cached_property
    def _digest(self) -> str:
        content = json.dumps([self._labels, self._parents, sorted(self._index.items())])
        return hashlib.sha256(content.encode()).hexdigest()

    def senses(self, term: str) -> list[Sense]:
        key = normal_form(term)
        for form in (key, *possible_singulars(key)):
            if found := self._index.get(form):
                return [Sense(self.name, n, self._labels[n]) for n in found]
        return []

    def climb(self, sense: Sense) -> list[Step]:
        steps = [Step(sense.term, 1, self._bits(sense.key))]
        at = sense.key
        while self._parents[at]:
            at = self._parents[at][0]
            steps.append(
                Step(self._labels[at], self._leaves[at], self._bits(at), f"{self.name}:{at}")
            )
        return merge(steps)

    def volume(self, sense: Sense) -> int:
        return self._leaves[sense.key]

    def children(self, sense: Sense) -> list[Sense]:
        return [Sense(self.name, n, self._labels[n]) for n in self._children[sense.key]]

    def describe(self, sense: Sense) -> str:
        above = [step.term for step in self.climb(sense)[1:3]]
        return f"{self.name}: {' → '.join(above)}" if above else self.name

    def _bits(self, n: int) -> float:
        below = self._leaves[n] if self._children[n] else 0
        return sanchez_batet(below, len(self._subsumers[n]), self._all_leaves)

    def _check_above(self, count: int) -> None:
        if count > MOST_ABOVE:
            raise InputError(
                f"taxonomy '{self.name}' has a concept with more than {MOST_ABOVE} others above it: "
                "leave out levels or parents"
            )

    def _from_the_top(self) -> list[int]:
        """All concepts, each after its parents."""
        order: list[int] = []
        done: set[int] = set()
        for start in range(len(self._labels)):
            path: list[int] = []  # from `start` upwards: what waits for its parents
            on_path: set[int] = set()
            n = start
            while n not in done or path:
                if n not in done and n not in on_path:
                    path.append(n)
                    on_path.add(n)
                n = path[-1]
                waiting = next((p for p in self._parents[n] if p not in done), None)
                if waiting is None:
                    done.add(n)
                    order.append(n)
                    on_path.discard(path.pop())
                elif waiting in on_path:
                    cycle = [*path[path.index(waiting) :], waiting]
                    shown = " → ".join(self._labels[c] for c in cycle)
                    raise InputError(f"taxonomy '{self.name}' has a cycle: {shown}")
                else:
                    n = waiting
        return order


# Files


def load(path: Path, name: str = "") -> Own:
    """A taxonomy from a file; its ending says what it holds."""
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise InputError(f"'{path}' is not a taxonomy that can be read: {FORMATS}", path=str(path))
    try:
        text = text_of(path)
    except (OSError, ValueError) as error:
        reason = "is not UTF-8 text" if isinstance(error, UnicodeError) else "cannot be read"
        if isinstance(error, FileNotFoundError):
            reason = "does not exist"
        raise InputError(f"the taxonomy '{path}' {reason}", path=str(path)) from None
    try:
        concepts = reader(text)
    except InputError as error:
        raise InputError(f"the taxonomy '{path}': {error}", path=str(path)) from None
    if not any(concepts.parents.values()):
        raise InputError(f"the taxonomy '{path}' has no concept with a parent", path=str(path))
    return Own(name or path.stem, concepts)


def from_indented(text: str) -> Concepts:
    """One concept on each line, deeper lines under shallower ones; `#` starts a comment line."""
    concepts = Concepts()
    above: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        label = line.strip()
        if not label or label.startswith("#"):
            continue
        indent = line[: len(line) - len(line.lstrip())]
        if " " in indent and "\t" in indent:
            raise InputError(f"line {number} is indented with both spaces and tabs: use one")
        while above and above[-1][0] >= len(indent):
            above.pop()
        if not above and indent and concepts.labels:
            raise InputError(f"line {number} is indented less than the line it should stand under")
        concepts.add(label, above[-1][1] if above else None)
        above.append((len(indent), label))
    return concepts


def from_levels(text: str) -> Concepts:
    """Each line a value and what it generalises to, level by level: `Sales;Nontechnical;*`."""
    lines = text.splitlines()
    separator = next((s for s in (";", "\t", ",") if lines and s in lines[0]), ";")
    concepts = Concepts()
    width = 0
    for number, row in enumerate(csv.reader(lines, delimiter=separator), 1):
        cells = [cell.strip() for cell in row]
        if not any(cells):
            continue
        width = width or len(cells)
        if len(cells) != width or not all(cells):
            raise InputError(f"line {number} has {sum(map(bool, cells))} levels, not {width}")
        for label, parent in zip(cells, [*cells[1:], None], strict=True):
            concepts.add(label, parent)
    return concepts


def from_skos_xml(text: str) -> Concepts:
    """SKOS as RDF/XML: prefLabel, altLabel, broader, narrower."""
    if "<!ENTITY" in text:
        raise InputError("entity declarations are not read: write the addresses out")
    from xml.etree import ElementTree

    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise InputError(f"line {error.position[0]} is not XML that can be read") from None
    triples: list[tuple[str, str, str]] = []
    for element in root.iter():
        subject = element.get(f"{_RDF}about")
        for child in element if subject else ():
            predicate = child.tag.removeprefix(_SKOS)
            target = child.get(f"{_RDF}resource")
            nested = child.find(f"*[@{_RDF}about]")
            if target is None and nested is not None:
                target = nested.get(f"{_RDF}about")
            if target is None and (child.get(_LANGUAGE) or "en").startswith("en"):
                target = (child.text or "").strip()
            if subject and target and child.tag.startswith(_SKOS):
                triples.append((subject, predicate, target))
    return _from_triples(triples)


_TURTLE = re.compile(
    r"""\s*(?:\#[^\n]*\n|@prefix[^\n]*\n|@base[^\n]*\n|PREFIX[^\n]*\n
    |(?P<iri><[^>\s]*>)|(?P<text>"{3}.*?"{3}|"(?:[^"\\\n]|\\.)*")(?:@(?P<language>[\w-]+)|\^\^\S+)?
    |(?P<mark>[;,.\[\]()](?=\s|$)|[;,\[\]()])|(?P<name>[^\s;,\[\]()"<>]*[^\s;,.\[\]()"<>]))""",
    re.VERBOSE | re.DOTALL,
)


_SIGN = re.compile(r"\S")


def from_turtle(text: str) -> Concepts:
    """SKOS as Turtle: the plain statements of it (subject, predicates, objects; no blank nodes)."""
    triples: list[tuple[str, str, str]] = []
    at, place = 0, 0  # where in the statement: 0 subject, 1 predicate, 2 object
    subject = predicate = ""
    text += "\n"
    while sign := _SIGN.search(text, at):
        found = _TURTLE.match(text, at)
        if found is None or found.end() == at or found["mark"] in ("[", "]", "(", ")"):
            line = text.count("\n", 0, sign.start()) + 1
            raise InputError(f"line {line} is not Turtle that can be read here")
        at = found.end()
        if mark := found["mark"]:
            place = {".": 0, ";": 1, ",": 2}[mark]
            continue
        token = found["iri"] or found["name"]
        if found["text"] is not None:
            if not (found["language"] or "en").startswith("en"):
                continue
            quotes = 3 if found["text"].startswith('"""') else 1
            token = re.sub(r"\\(.)", r"\1", found["text"][quotes:-quotes])
        if token is None:
            continue  # a comment or a prefix
        if place == 0:
            subject, place = token, 1
        elif place == 1:
            predicate, place = re.split(r"[:#/]", token.strip("<>"))[-1], 2
        else:
            triples.append((subject, predicate, token))
    return _from_triples(triples)


def _from_triples(triples: Sequence[tuple[str, str, str]]) -> Concepts:
    concepts = Concepts()
    for subject, predicate, value in triples:
        if predicate == "prefLabel":
            concepts.labels.setdefault(subject, value)
        elif predicate in ("altLabel", "hiddenLabel"):
            concepts.others[subject].append(value)
        elif predicate in ("broader", "broaderGeneric"):
            concepts.parents[subject].append(value)
    for subject, predicate, value in triples:
        if predicate in ("narrower", "narrowerGeneric"):
            concepts.parents[value].append(subject)
    return concepts


def from_obo(text: str) -> Concepts:
    """The terms of an OBO file: id, name, synonym, is_a; obsolete ones are left out."""
    concepts = Concepts()
    for stanza in re.split(r"^\[", text, flags=re.MULTILINE):
        if not stanza.startswith("Term]"):
            continue
        tags: dict[str, list[str]] = defaultdict(list)
        for line in stanza.splitlines()[1:]:
            tag, separator, value = line.partition(":")
            if separator:
                tags[tag.strip()].append(value.strip())
        if "true" in tags["is_obsolete"] or not tags["id"]:
            continue
        identifier = tags["id"][0]
        concepts.labels[identifier] = tags["name"][0] if tags["name"] else identifier
        for synonym in tags["synonym"]:
            quoted = re.match(r'"((?:[^"\\]|\\.)*)"', synonym)
            if quoted:
                concepts.others[identifier].append(re.sub(r"\\(.)", r"\1", quoted[1]))
        concepts.parents[identifier] += [re.split(r"[\s!{]", p)[0] for p in tags["is_a"]]
    return concepts


_READERS: Mapping[str, Callable[[str], Concepts]] = {
    ".txt": from_indented,
    ".csv": from_levels,
    ".tsv": from_levels,
    ".rdf": from_skos_xml,
    ".xml": from_skos_xml,
    ".skos": from_skos_xml,
    ".ttl": from_turtle,
    ".obo": from_obo,
}
