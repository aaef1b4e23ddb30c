"""WordNet 3.0's nouns, embedded: lemmas, senses by frequency, hypernyms, leaf counts, glosses.

The table is made by `scripts/build_wordnet.py`. Climbing follows the first parent of a synset, hypernym and
instance hypernym alike; counting follows all of them and counts each synset once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np

from sfumato.english.folding import normal_form
from sfumato.errors import InputError
from sfumato.know import fingerprints, tables
from sfumato.know.taxonomy.ladder import Sense, Step, merge, sanchez_batet
from sfumato.plugins import taxonomy

NAME = "wordnet"
TABLE = "wordnet.npz"
GLOSSES = "glosses.xz"
LAYOUT = "wordnet-1"
GLOSSES_LAYOUT = "glosses-1"  # its first line; then a line for each synset
MOST_WORDS = 9  # of a lemma
# How a plural may end, and how its singular does: WordNet's own rules of detachment.
_ENDINGS = (
    ("ches", "ch"),
    ("shes", "sh"),
    ("ses", "s"),
    ("xes", "x"),
    ("zes", "z"),
    ("ies", "y"),
    ("men", "man"),
    ("s", ""),
)


def key_of(term: str) -> str:
    """The form under which a lemma is stored and looked up."""
    return normal_form(term)


class WordNet:
    """The nouns of WordNet 3.0 as a taxonomy. Synsets are numbered in the order of their offsets."""

    name = NAME

    def __init__(self) -> None:
        table = tables.load(tables.FOLDER / TABLE, LAYOUT, "scripts/build_wordnet.py")
        self.offsets = table["offsets"]  # shape (synsets,), uint32: where data.noun has it
        self.lexfiles = table["lexfiles"]  # shape (synsets,), uint8: lexicographer file
        self.leaves = table["leaves"]  # shape (synsets,), uint32: leaves below, 1 for a leaf
        self.hyponyms = table["hyponyms"]  # shape (synsets,), uint32: synsets below
        self.subsumers = table["subsumers"]  # shape (synsets,), uint8: synsets above and itself
        self._parents = table["parents"]
        self._parent_at = _starts(table["parent_counts"])
        self._instances = table["instances"]
        self._names = table["names"]
        self._forms = tables.unpack(table["forms"])
        keys = tables.unpack(table["keys"])
        self._keys = dict(zip(keys, range(len(keys)), strict=True))
        self._sense_at = _starts(table["sense_counts"])
        self._senses = table["senses"]
        self._frequencies = table["frequencies"]
        self._spellings = table["spellings"]
        self._irregular = dict(
            line.split("\t") for line in reversed(tables.unpack(table["irregular"]))
        )
        self.all_leaves = int(self.leaves.max())
        self._above: dict[int, tuple[Step, ...]] = {}
        self._subsumers: dict[int, frozenset[int]] = {}

    def __len__(self) -> int:
        return len(self.offsets)

    def __contains__(self, term: object) -> bool:
        if not isinstance(term, str):
            return False
        return self.lemmas_of(term) != (None, None)

    # Terms

    def lemmas_of(self, term: str) -> tuple[int | None, int | None]:
        """The numbers of the lemmas that a term is, and that it is the plural of."""
        key = key_of(term)
        return self._keys.get(key), self._singular(key)

    def terms_of(self, synset: int) -> list[str]:
        """All spellings of a synset.

        >>> sorted(default().terms_of(default().senses("codeine")[0].key))
        ['codeine']
        """
        spellings, starts = self._terms
        run = spellings[starts[synset] : starts[synset + 1]]
        return [self._forms[form] for form in run.tolist()]

    def senses(self, term: str) -> list[Sense]:
        """The senses of a noun, most frequent first; those spelt with a capital come first if the term is.

        >>> [s.term for s in default().senses("AIDS")][:1], [s.term for s in default().senses("tumours")]
        (['AIDS'], ['tumour'])
        """
        key = key_of(term)
        at = self._keys.get(key)
        found = [] if at is None else self._senses_at(at)
        # "eyes" is first of all the plural of "eye", though WordNet has it as a word of its own.
        singular = self._singular(key)
        if singular is not None and singular != at:
            found += self._senses_at(singular)
            if at is not None and not found[0].term[:1].isupper():
                found.sort(key=lambda s: -s.frequency)
        if len(found) > 1:
            capital = term[:1].isupper()
            # Senses that were never tagged stand in no order: a name is then rather an individual
            # ("Miami", the city) than a sort of thing (the Algonquian).
            found.sort(
                key=lambda s: (
                    s.term[:1].isupper() != capital,
                    capital and not s.frequency and not s.named,
                )
            )
        return found

    def synsets_of(self, key: str) -> Iterator[int]:
        """The synsets of the senses of a noun in its normal form, in no order."""
        for at in {self._keys.get(key), self._singular(key)}:
            if at is not None:
                yield from self._senses[self._sense_at[at] : self._sense_at[at + 1]].tolist()

    def _senses_at(self, lemma: int) -> list[Sense]:
        run = slice(self._sense_at[lemma], self._sense_at[lemma + 1])
        columns = (self._senses[run], self._spellings[run], self._frequencies[run])
        return [
            Sense(NAME, synset, self._forms[form], bool(self._instances[synset]), often)
            for synset, form, often in zip(*(c.tolist() for c in columns), strict=True)
        ]

    def _singular(self, key: str) -> int | None:
        """The lemma of a term with its last word in the singular."""
        start = key.rfind(" ") + 1
        for form in (key, key[start:]):
            if form in self._irregular:
                found = self._keys.get(key[: len(key) - len(form)] + self._irregular[form])
                if found is not None:
                    return found
        if len(key) < 4 or key.endswith("ss"):  # of "push ups" the last word may be short
            return None
        for ending, singular in _ENDINGS:
            if key.endswith(ending):
                found = self._keys.get(key[: len(key) - len(ending)] + singular)
                if found is not None:
                    return found
        return None

    # Ladders

    def climb(self, sense: Sense) -> list[Step]:
        parent = self.parent(sense.key)
        first = Step(sense.term, 1, self.bits(sense.key))
        above = () if parent is None else self.above(parent)
        if above and above[0].volume == 1:
            return merge([first, *above])
        return [first, *above]

    def above(self, synset: int) -> tuple[Step, ...]:
        """The rungs from a synset to the root, those of equal volume merged."""
        found = self._above.get(synset)
        if found is None:
            parent = self.parent(synset)
            rest = () if parent is None else self.above(parent)
            step = Step(
                self.word(synset), int(self.leaves[synset]), self.bits(synset), f"{NAME}:{synset}"
            )
            if rest and rest[0].volume == step.volume:
                rest = rest[1:]
            found = self._above[synset] = (step, *rest)
        return found

    def volume(self, sense: Sense) -> int:
        return int(self.leaves[sense.key])

    def children(self, sense: Sense) -> list[Sense]:
        below = self.below(sense.key)
        return [Sense(NAME, n, self.word(n), bool(self._instances[n])) for n in below]

    def describe(self, sense: Sense) -> str:
        return self._glosses[sense.key]

    # Synsets

    def word(self, synset: int) -> str:
        """The first word of a synset."""
        return self._forms[int(self._names[synset])]

    def parent(self, synset: int) -> int | None:
        """The first hypernym or instance hypernym; none for the root."""
        at = self._parent_at[synset]
        return int(self._parents[at]) if at < self._parent_at[synset + 1] else None

    def parents(self, synset: int) -> list[int]:
        """All hypernyms and instance hypernyms."""
        found: list[int] = self._parents[
            self._parent_at[synset] : self._parent_at[synset + 1]
        ].tolist()
        return found

    def bits(self, synset: int) -> float:
        """Intrinsic information content after Sánchez and Batet, in bits."""
        below = int(self.leaves[synset]) if self.hyponyms[synset] else 0
        return sanchez_batet(below, int(self.subsumers[synset]), self.all_leaves)

    def subsumers_of(self, synset: int) -> frozenset[int]:
        """The concepts above, by all parents, and the synset itself."""
        found = self._subsumers.get(synset)
        if found is None:
            above = (self.subsumers_of(p) for p in self.parents(synset))
            found = self._subsumers[synset] = frozenset({synset}).union(*above)
        return found

    def above_any(self, synsets: Iterable[int]) -> set[int]:
        """Synsets and all that lies above any of them, by all parents."""
        return _reached(synsets, self.parents)

    def below_any(self, synsets: Iterable[int]) -> set[int]:
        """Synsets and all that lies below any of them, by all parents."""
        return _reached(synsets, self.below)

    @property
    def first_parents(self) -> tables.Array:
        """The first parent of each synset: shape (synsets,), int64. The root is its own."""
        starts = np.array(self._parent_at)
        made = np.arange(len(self))
        above = np.flatnonzero(np.diff(starts))
        made[above] = self._parents[starts[above]]
        return made

    def meant(self, term: str, rather: tables.Array) -> Sense | None:
        """The sense in which a word is taken, whatever stands around it: the first, or the first of those
        that are `rather` meant (shape (synsets,), bool), where it is told as often. "Who" is not the WHO."""
        senses = self.senses(term)
        often = (s for s in senses if rather[s.key] and s.frequency >= senses[0].frequency)
        if (sense := next(often, None)) is not None:
            return sense
        if not senses or (senses[0].term.isupper() and not term.isupper()):
            return None
        return senses[0]

    def below(self, synset: int) -> list[int]:
        """The synsets one step more specific, by every parent."""
        children, starts = self._below
        found: list[int] = children[starts[synset] : starts[synset + 1]].tolist()
        return found

    def lemmas(self) -> Iterator[str]:
        """All lemmas in their normal form."""
        return iter(self._keys)

    @cached_property
    def _terms(self) -> tuple[tables.Array, list[int]]:
        """The spellings of each synset, one run after the other, and where the runs begin."""
        by_synset = np.argsort(self._senses, kind="stable")
        counts = np.bincount(self._senses, minlength=len(self))
        return self._spellings[by_synset], _starts(counts)

    @cached_property
    def _below(self) -> tuple[tables.Array, list[int]]:
        """The synsets below each one, one run after the other, and where the runs begin."""
        children = np.repeat(np.arange(len(self)), np.diff(self._parent_at))
        by_parent = np.argsort(self._parents, kind="stable")
        counts = np.bincount(self._parents, minlength=len(self))
        return children[by_parent], _starts(counts)

    @cached_property
    def _glosses(self) -> Sequence[str]:
        import lzma  # only who looks at the senses of a word needs it

        layout, *glosses = (
            lzma.decompress((tables.FOLDER / GLOSSES).read_bytes()).decode().split("\n")
        )
        if layout != GLOSSES_LAYOUT or len(glosses) != len(self):
            raise InputError(
                f"{GLOSSES} is not of layout '{GLOSSES_LAYOUT}' or belongs to another {TABLE}: make both "
                "again with scripts/build_wordnet.py"
            )
        return glosses


def _reached(start: Iterable[int], further: Callable[[int], Iterable[int]]) -> set[int]:
    found, waiting = set[int](), list(start)
    while waiting:
        if (synset := waiting.pop()) not in found:
            found.add(synset)
            waiting += further(synset)
    return found


def _starts(counts: tables.Array) -> list[int]:
    """Where each run begins, and at the end the total."""
    made: list[int] = [0, *np.cumsum(counts, dtype=np.int64).tolist()]
    return made


@taxonomy(NAME, knowledge=fingerprints.taxonomy)
def default() -> WordNet:
    """The embedded WordNet, opened once."""
    return WordNet()
