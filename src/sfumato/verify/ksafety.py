"""Can no protected entity be told from K others? By Definition 3.1, from the database and the released text.

For every protected entity: the terms of the text that it has, and how many *other* entities have them all. An
entity's own name counts as one of its terms, also where something stands between its letters ("H.I.V.").
Where the policy generalises, an entity also has the words above its terms.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from sfumato.document import Claim
from sfumato.english.folding import skeleton
from sfumato.errors import SfumatoError
from sfumato.know import fingerprints, sources
from sfumato.know.entities import readers
from sfumato.know.entities.broader import Broader, broader
from sfumato.know.entities.contexts import Ints
from sfumato.know.entities.database import Database
from sfumato.know.entities.matching import normal
from sfumato.know.entities.readers import Opened
from sfumato.plugins import claim
from sfumato.policy import Policy
from sfumato.verify.check import Check, fails, holds, needs
from sfumato.verify.evidence import Evidence

K_SAFE = "K-safe"
TOGETHER = "K-safe together"
NOTHING = "the text has no context term"

Bytes = np.ndarray[Any, np.dtype[np.uint8]]


def are_k_safe_together(views: Sequence[Evidence]) -> Check:
    """The same for readers who put their views together: what none of them may know is protected, and the
    terms of all views count."""
    policy = views[0].policy
    assert policy is not None
    options = views[0].asked(K_SAFE)[0]
    named = sorted({view.reader for view in views if view.reader is not None})
    register = readers.register(readers.address(options["entities"]), options["tables"])
    opened, protected = register.view(named, options["protected"])
    texts = [view.text for view in views]
    columns = _columns(texts, opened, _vocabulary(opened, policy, options))
    return _verdict(TOGETHER, columns, protected, options["k"], len(opened.database))


@claim(K_SAFE, knowledge=fingerprints.taxonomy, together=are_k_safe_together)
def is_k_safe(claim: Claim, evidence: Evidence) -> Check:
    """Every protected entity has at least K others that fit the text as well."""
    if evidence.policy is None:
        return needs(K_SAFE, "the policy")
    options = evidence.asked_by(claim)
    if options is None or claim.parameters != {"k": options["k"]}:
        return fails(K_SAFE, "the claim is not what the policy asks for")
    try:
        register = readers.register(readers.address(options["entities"]), options["tables"])
        register.current()
    except SfumatoError:
        return needs(K_SAFE, "the entity database")
    named = () if evidence.reader is None else (evidence.reader,)
    opened, protected = register.view(named, options["protected"])
    columns = _columns([evidence.text], opened, _vocabulary(opened, evidence.policy, options))
    return _verdict(K_SAFE, columns, protected, options["k"], len(opened.database))


def _verdict(name: str, columns: Bytes, protected: Ints, k: int, entities: int) -> Check:
    if entities <= k:  # even a text without terms fits no more than these
        return fails(name, f"there are {entities} entities in all; K = {k} needs {k + 1} at least")
    if not len(columns):
        return replace(holds(name, NOTHING), empty=True)
    if not all_are_hidden(columns, protected, k):
        return fails(name, f"a protected entity can be told from all but fewer than {k} others")
    return holds(name, f"K = {k}")


def all_are_hidden(columns: Bytes, protected: Ints, k: int) -> bool:
    """Definition 3.1. `columns` has shape (terms, entities / 8): bit e of row t, the least significant first,
    says whether entity e has term t."""
    has = (columns[:, protected // 8] >> (protected % 8).astype(np.uint8)) & 1
    for packed in np.unique(np.packbits(has, axis=0).T, axis=0):
        terms = np.flatnonzero(np.unpackbits(packed, count=len(columns)))
        if not len(terms):
            continue
        fitting = np.bitwise_and.reduce(columns[terms], axis=0)
        # The protected entity itself is one of them
        if int(np.bitwise_count(fitting).sum()) - 1 < k:
            return False
    return True


def _vocabulary(opened: Opened, policy: Policy, options: dict[str, Any]) -> Database | Broader:
    """The terms that count: where the policy generalises, also the words above them."""
    if not options["generalise"]:
        return opened.database
    return broader(opened, sources.taxonomy_for(policy.know))


def _columns(texts: Sequence[str], opened: Opened, vocabulary: Database | Broader) -> Bytes:
    """Who has which of the terms and names in some texts."""
    size = len(opened.database)
    terms = sorted({match.term for text in texts for match in vocabulary.match(text)})
    contexts = vocabulary.restrict(terms)
    owners = np.repeat(np.arange(size), np.diff(contexts.indptr))
    by_term = np.argsort(contexts.indices, kind="stable")
    edges = np.searchsorted(contexts.indices[by_term], np.arange(len(terms) + 1))
    having = [owners[by_term[a:b]] for a, b in pairwise(edges.tolist())]
    names = sorted({match.term for text in texts for match in opened.by_name.match(text)})
    having += [opened.by_name.entities(name) for name in names]
    longest, by_letters = _by_letters(opened)
    spelled = {said for text in texts for said in _spelled(text, by_letters, longest)}
    having += [np.array(by_letters[said]) for said in sorted(spelled)]
    columns = np.zeros((len(having), -(-size // 8)), dtype=np.uint8)
    for row, entities in enumerate(having):
        flags = np.zeros(size, dtype=np.bool_)
        flags[entities] = True
        columns[row] = np.packbits(flags, bitorder="little")
    return columns


# Names by their letters

_LEAST, _GAP = 3, 3  # letters of a name that counts, and what may stand between two of its words
_lettered: WeakKeyDictionary[Opened, tuple[int, dict[str, list[int]]]] = WeakKeyDictionary()


def _by_letters(opened: Opened) -> tuple[int, dict[str, list[int]]]:
    """The length of the longest name, and the entities by their names' letters, with those whose names
    differ from these by no more than a plural or the like."""
    made = _lettered.get(opened)
    if made is None:
        alike: dict[str, list[int]] = {}
        forms: dict[str, set[str]] = {}
        for entity, name in enumerate(opened.names):
            form = normal(" ".join(name.split()))
            letters = skeleton(name)
            alike.setdefault(form, []).append(entity)
            if form and len(letters) >= _LEAST:
                forms.setdefault(letters, set()).add(form)
        by_letters = {
            letters: sorted({entity for form in found for entity in alike[form]})
            for letters, found in forms.items()
        }
        made = max(map(len, by_letters), default=0), by_letters
        _lettered[opened] = made
    return made


def _spelled(text: str, by_letters: Mapping[str, Sequence[int]], longest: int) -> Iterator[str]:
    """The names that a text spells from the start of one word to the end of one, in letters."""
    for letters, starts, ends in _runs(text):
        for start in starts:
            at = bisect_right(ends, start)
            while at < len(ends) and ends[at] - start <= longest:
                said = letters[start : ends[at]]
                if said in by_letters:
                    yield said
                at += 1


def _runs(text: str) -> Iterator[tuple[str, list[int], list[int]]]:
    """Words with little between them, as letters, with the places where words start and end."""
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    size, apart, within = 0, 0, False
    for char in text:
        if char.isalnum() or (within and "\u0300" <= char <= "\u036f"):
            if not within:
                if apart > _GAP and ends:
                    yield "".join(pieces), starts, ends
                    pieces, size, starts, ends = [], 0, [], []
                starts.append(size)
            pieces.append(skeleton(char))
            size += len(pieces[-1])
            within = True
        else:
            if within:
                ends.append(size)
                apart = 0
            within = False
            apart += 1
    yield "".join(pieces), starts, [*ends, size] if within else ends
