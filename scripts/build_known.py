#!/usr/bin/env python3
"""Build src/sfumato/detect/model/known.txt.gz: names that everybody knows, by which a text tells nobody.

    scripts/build_known.py [--drugs DRUGS] ../shared/data/corpus/enwiki-*.jsonl.xz

Lines of a kind, a tab and a name. `figure`: full names of `known/figures.txt`, and those that WordNet has or
MIN_ARTICLES articles of a sample of Wikipedia tell, if the last word is that person's rather than anybody's:
of the articles that tell it, a share tells the whole name. So Agatha Christie is in the list, and John Brown,
whom WordNet has, is not. `drug`: single words for what DrugBank's open data (CC0) and MedlinePlus both list,
out of DRUGS, the dictionary in the wheel of drug-named-entity-recognition (drug_ner_dictionary.pkl.bz2);
without it, those of the present list. `borne`: ordinary words that people are called by, told by how often a
given name stands before them where a word with a capital does. The others are the files of `known/`, without
given names and towns; `case` are published cases, `coined` things that nobody is called by.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import json
import lzma
import pickle
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from sfumato.detect import encoder
from sfumato.english.nicknames import gender, is_given
from sfumato.english.ordinary import is_ordinary
from sfumato.english.wordlists import PARTICLES, TITLES
from sfumato.know.taxonomy import places, wordnet

MIN_ARTICLES = 8
MIN_BORNE = 2  # articles
# Of those that tell an ordinary word behind another with a capital, as a family name
MIN_GIVEN = 0.05
MIN_SHARE = 0.1  # of the articles that tell the last word
OUT = encoder.KNOWN
LISTS = Path(__file__).parent / "known"
WORD = r"(?:[A-Z]\.|[A-Z][^\W\d_]*(?:['’-][^\W\d_]+)*)"
RUN = re.compile(rf"{WORD}(?: (?:(?:{'|'.join(sorted(PARTICLES))}) ){{0,2}}(?:{WORD}))*")
MOST_WORDS = 5
SHORTEST_DRUG = 5


def names_in(text: str) -> Iterator[str]:
    """Every run of words with capitals, particles between them, of which a name may consist."""
    for run in RUN.finditer(text):
        words = run[0].split(" ")
        for start, first in enumerate(words):
            if first[0].isupper():
                for end in range(start + 1, min(start + MOST_WORDS, len(words)) + 1):
                    if words[end - 1][0].isupper():
                        yield " ".join(words[start:end])


def counted(corpus: list[Path]) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """In how many articles each run of words stands, and each ordinary word behind a given name, and behind
    another word with a capital."""
    articles, family, other = Counter[str](), Counter[str](), Counter[str]()
    for path in corpus:
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                names = set(names_in(json.loads(line)["text"]))
                articles.update(names)
                pairs = [tuple(words) for n in names if len(words := n.split(" ")) == 2]
                ordinary = [(first, last.lower()) for first, last in pairs if is_plain(last)]
                family.update({last for first, last in ordinary if is_given_only(first)})
                other.update({last for first, last in ordinary if not is_given_only(first)})
        articles = Counter({name: n for name, n in articles.items() if n > 1})  # for the memory
    return articles, family, other


@cache
def is_plain(word: str) -> bool:
    return word.istitle() and is_ordinary(word.lower())


@cache
def is_given_only(word: str) -> bool:
    """Whether a word is a given name, and neither an ordinary one nor a place: "Virginia State"."""
    is_other = is_ordinary(word.lower()) or places.default().senses(word)
    return is_a_name(word) and not is_other


def in_wordnet() -> Iterator[str]:
    """The people that WordNet names in two words or more."""
    words = wordnet.default()
    person = words.senses("person")[0].key
    for synset in range(len(words)):
        if person in words.subsumers_of(synset):
            yield from (n for n in words.terms_of(synset) if " " in n and n[0].isupper())


def listed(kind: str) -> list[str]:
    """The names of a file of `known/`: with commas between them, behind lines that begin with "#"; of cases,
    whose names have commas, one in each line."""
    lines = (LISTS / f"{kind}.txt").read_text(encoding="utf-8").splitlines()
    return [
        name.strip()
        for line in lines
        if not line.startswith("#")
        for name in ([line] if kind == "cases" else line.split(","))
        if name.strip()
    ]


def counted_figures(articles: Counter[str]) -> Iterator[str]:
    """Full names that WordNet or many articles tell, and that are one person's."""
    towns = places.default()

    def is_told_apart(name: str) -> bool:
        last = name.split(" ")[-1]
        often = articles[name] >= MIN_SHARE * articles[last]
        return often and not is_given(last.lower()) and not towns.senses(name)  # "Ann Arbor"

    def is_full(name: str) -> bool:
        first, *rest = name.lower().split(" ")
        return (
            bool(rest)
            and is_given(first)
            and first not in PARTICLES
            and not {first, *rest}.intersection(TITLES)
        )

    often = (name for name, n in articles.items() if n >= MIN_ARTICLES and is_full(name))
    return (n for n in (*often, *in_wordnet()) if is_told_apart(n) and "'s" not in n)


def drugs(dictionary: Path) -> Iterator[str]:
    """Single words, in small letters, that are no other words, no given names and no places."""
    data = pickle.loads(bz2.decompress(dictionary.read_bytes()))
    about, towns = data["drug_canonical_to_data"], places.default()
    for word, names in data["drug_variant_to_canonical"].items():
        is_in_use = any(
            {"drugbank_id", "medline_plus_id"} <= about.get(n, {}).keys() for n in names
        )
        is_other = is_ordinary(word) or is_a_name(word) or towns.senses(word.title())
        if is_in_use and not is_other and re.fullmatch(f"[a-z]{{{SHORTEST_DRUG},}}", word):
            yield word


def known_drugs() -> list[str]:
    lines = gzip.decompress(OUT.read_bytes()).decode().splitlines()
    return [name for kind, name in (line.split("\t") for line in lines) if kind == "drug"]


def borne_words(family: Counter[str], other: Counter[str]) -> Iterator[str]:
    """Ordinary words that are somebody's name: "Young", "Regal", but not "Term" and hardly "Review"."""
    for word, n in family.items():
        if n >= MIN_BORNE and n >= MIN_GIVEN * (n + other[word]):
            yield word


def is_a_name(word: str) -> bool:
    return is_given(word.lower()) or bool(gender(word.lower()))


def is_like_a_person(name: str) -> bool:
    """Whether a thing is called as people are: a namesake may be in the text."""
    first, *rest = name.split()
    return (
        bool(rest)
        and is_a_name(first)
        and name.istitle()
        and rest[-1].lower() not in listed("devices")
    )


def is_like_somebody(name: str, borne: set[str]) -> bool:
    """Whether a thing is called as people are by a title and a name: "Mr Price" is a shop, too."""
    title, *rest = name.replace(".", "").split()
    return title in ("Mr", "Mrs", "Ms", "Miss", "Dr", "Father", "Sister") and (
        len(rest) == 1 and (is_a_name(rest[0]) or rest[0] in borne)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drugs", type=Path)
    parser.add_argument("corpus", nargs="+", type=Path)
    given = parser.parse_args()
    articles, family, other = counted(given.corpus)
    towns = places.default()
    borne = {words[-1] for n in articles if len(words := n.split()) == 2 and is_a_name(words[0])}
    things = {
        n.removeprefix("!")  # which is better known than its namesakes
        for n in listed("things")
        if " " in n or n[0] == "!" or not (is_a_name(n) or towns.senses(n))
    }
    things = {n for n in things if not is_like_somebody(n, borne)}
    like_people = {n for n in things if is_like_a_person(n)}
    coined = {n for n in things if " " in n or not (n in borne or is_ordinary(n.lower()))}
    kinds = {
        "figure": {*listed("figures"), *counted_figures(articles), *like_people},
        "alone": {n for n in listed("alone") if not is_a_name(n)},
        "coined": coined - like_people,
        "thing": things - coined - like_people,
        "eponym": set(listed("eponyms")),
        "surname": set(listed("surnames")),
        "ailment": set(listed("ailments")),
        "device": set(listed("devices")),
        "drug": set(drugs(given.drugs) if given.drugs else known_drugs()),
        "case": set(listed("cases")),
        "borne": set(borne_words(family, other)),
    }
    lines = [f"{kind}\t{name}\n" for kind, names in kinds.items() for name in sorted(names)]
    OUT.write_bytes(gzip.compress("".join(lines).encode(), mtime=0))
    print({kind: len(names) for kind, names in kinds.items()}, f"{OUT.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
