#!/usr/bin/env python3
"""Build src/sfumato/know/data/named.npz: what kind of thing a named thing is.

    scripts/build_named_things.py ../shared/data/corpus/definitions.jsonl.xz

Each line has a title and the first sentence of its article. The kind is the noun phrase after the verb ("…
was a Tasmanian cricket player and …"), up to the first word that no noun phrase holds. It is kept if its last
words are a noun of WordNet that names a sort of thing. Names are stored as hashes only.
"""

from __future__ import annotations

import argparse
import json
import lzma
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from named_concepts import concept_of

from sfumato.english.wordlists import words
from sfumato.know import tables
from sfumato.know.taxonomy import wordnet
from sfumato.know.taxonomy.ladder import Sense
from sfumato.know.taxonomy.named import LAYOUT, TABLE, hash_of, key_of, tails

MOST_WORDS = 6  # of a kind

PARENTHESES = re.compile(r"\s*\([^()]*\)|\s*\[[^\[\]]*\]")
VERB = re.compile(
    r"\s(?:is|was|are|were)\s(?:(?:also|now|currently|formerly|originally|often|still|once)\s)?"
    r"(?P<article>an?|the|one of (?:the|several|many|two|three)|the name of an?|the title of an?)\s"
    r"(?P<rest>.*)",
    re.DOTALL,
)
# "a species of beetle": the kind comes after.
OF = re.compile(
    r"(?:\w+\s){0,3}?(?:species|genus|subspecies|family|order|subfamily|tribe|type|kind|sort|breed|form"
    r"|variety|cultivar|class|style|brand|subgenus|make)\sof\s(?:the\s|an?\s)?",
)
# "a series of novels", "a group of islands": the thing is one of many; these heads alone say nothing.
EMPTY = frozenset(
    words(
        "name term word title part member example person thing number group list set series one pair kind"
        " type sort form variety collection result way piece act case couple family genus species order"
        " first second third last subject aspect element component section side end city-based use means"
        " method process concept idea fact event man woman edition version branding history issue issues"
        " sector assistance topic theme level stage position status role period time day year round"
        " accessory variation feature minor major place point area region-based"
    )
)
STOP = frozenset(
    words(
        "in of from by for at on to with that which who whom whose where when and or but as located based"
        " born situated released written directed produced published held created founded established built"
        " known made found used played formed featuring starring set near between within into under over"
        " through during since until after before about against along among around per via is was are were"
        " has have had may can will would be been being it he she they his her its their this these located"
        " designed developed recorded performed composed consisting belonging serving operating operated"
        " owned living working playing currently best originally also then not the a an aired broadcast"
        " launched introduced named called adapted dedicated affiliated headquartered served hosted"
        " presented organized organised specializing specialising covering containing comprising intended"
        " invented discovered described endemic native indigenous common commonly noted famous both either"
        " active available shot airing offering filmed providing aimed devoted similar related across off"
        " amid opposite above beneath towards behind beside outside inside beyond upon without throughout"
        " broadcasting given reaching running connecting linking like while because so if although though"
    )
)
LEADING = frozenset(
    words(
        "first second third fourth fifth sixth seventh eighth ninth tenth former late only sole famous"
        " notable noted well-known popular small large big new old major minor retired prominent important"
        " largest smallest oldest main primary current original former-professional accomplished renowned"
        " celebrated prolific influential leading successful award-winning acclaimed multiple several many"
        " various deceased final next last most highly very debut upcoming typical common rare unique"
    )
)
DIRECTIONS = frozenset(
    words("east west north south northeast northwest southeast southwest northern southern")
)
WORD = re.compile(r"(?:[A-Z]\.){2,}|[^\s,;:.()\"“”]+|[,;:.()\"“”]")
NUMBER = re.compile(r"\d+(?:st|nd|rd|th|s)?|\d[\d,.]*|\d+-[a-z]+|twenty\S*|thirty\S*")
PERSON = re.compile(
    r"\(\s*(?:[^()]*\b(?:born|b\.|died|d\.)\s|[^()]*\d{3,4}\)?\s?[-–—]\s?[^()]*\d{3,4}\s*\))"
)


def kind_of(title: str, sentence: str) -> list[str]:
    """The words of the kind of thing that a definition gives; none if it gives no clear one."""
    text = sentence
    while (shorter := PARENTHESES.sub("", text)) != text:
        text = shorter
    found = VERB.search(text)
    if not found or not shares_word(title, text[: found.start()]):
        return []  # "Marc Rosset was the defending champion" says nothing about the tournament
    rest = found["rest"]
    if of := OF.match(rest):
        rest = rest[of.end() :]
    phrase: list[str] = []
    for word in WORD.findall(rest):
        low = word.lower()
        if low in STOP or not (word[0].isalnum()) or (word.endswith(("'", "’")) and not phrase):
            break
        phrase.append(word)
    # What stands at the end may belong to what follows: "a village east of", "a film directly".
    while phrase and (phrase[-1].lower().endswith("ly") or phrase[-1].lower() in DIRECTIONS):
        phrase.pop()
    while len(phrase) > 1 and (phrase[0] in LEADING or NUMBER.fullmatch(phrase[0].lower())):
        phrase.pop(0)
    return phrase


def shares_word(title: str, subject: str) -> bool:
    """Whether a sentence is about its title."""
    one, other = (set(re.findall(r"\w+", key_of(text))) for text in (title, subject))
    return bool(one & other)


def definitions(path: Path) -> Iterator[tuple[str, str]]:
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            item = json.loads(line)
            yield item["title"], item["definition"]


def keys_of(title: str) -> list[str]:
    """The names that a title gives: without what tells it from others ("(film)", ", Pennsylvania")."""
    bare = re.sub(r"\s*\([^()]*\)$", "", title).strip()
    short = bare.partition(", ")[0] if bare.count(", ") == 1 else bare
    return list(dict.fromkeys(filter(None, (key_of(bare), key_of(short)))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("definitions", type=Path)
    parser.add_argument("--sample", type=int, default=0, help="print so many entries to judge")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    words_of = wordnet.default()
    seen = kept = 0
    kinds: dict[str, int] = {}
    synsets: list[int] = []
    names: dict[tuple[int, int], None] = {}
    shown: list[tuple[str, str, str, str]] = []
    heads: Counter[str] = Counter()
    for title, sentence in definitions(options.definitions):
        seen += 1
        said = kind_of(title, sentence)[-MOST_WORDS:]
        found = concept_of(said, words_of, bool(PERSON.search(sentence[:200]))) if said else None
        if found is None or (found.words and found.words[-1].lower() in EMPTY):
            continue
        kept += 1
        phrase = " ".join(found.words)
        number = kinds.setdefault(phrase, len(kinds))
        if number == len(synsets):
            synsets.append(found.synset)
        meaning = words_of.describe(Sense(wordnet.NAME, found.synset, ""))
        heads[f"{found.words[-1].lower()} = {meaning[:60]}"] += 1
        for key in keys_of(title):
            names[hash_of(key), number] = None
        if options.sample:
            shown.append((title, sentence, phrase, words_of.word(found.synset)))
    # The kinds that name the most things come first, so that their numbers are small.
    count = Counter(number for _, number in names)
    phrases = list(kinds)
    order = sorted(range(len(phrases)), key=lambda n: (-count[n], phrases[n]))
    rank = {n: r for r, n in enumerate(order)}
    rows = sorted((h, rank[n]) for h, n in names)
    tail_counts: Counter[str] = Counter()
    climbing: Counter[int] = Counter()  # synset → names that climb through it, by first parents
    for number, phrase in enumerate(phrases):
        for tail in tails(phrase):
            tail_counts[tail] += count[number]
        at: int | None = synsets[number]
        while at is not None:
            climbing[at] += count[number]
            at = words_of.parent(at)
    tables.save(
        tables.FOLDER / TABLE,
        LAYOUT,
        {
            "hashes": np.array([h for h, _ in rows], dtype=np.uint64),
            "kinds": np.array([k for _, k in rows], dtype=np.uint32),
            "phrases": tables.pack([phrases[n] for n in order]),
            "synsets": np.array([synsets[n] for n in order], dtype=np.uint32),
            "tail_counts": np.array(
                [tail_counts[t] for n in order for t in tails(phrases[n])], dtype=np.uint32
            ),
            "tail_lengths": np.array([len(phrases[n].split()) for n in order], dtype=np.uint8),
            "climbed": np.array(sorted(climbing), dtype=np.uint32),
            "climbing": np.array([climbing[s] for s in sorted(climbing)], dtype=np.uint32),
        },
    )
    size = (tables.FOLDER / TABLE).stat().st_size
    print(
        f"{seen:,} titles, {kept:,} with a kind, {len(rows):,} names, {len(kinds):,} kinds, {size:,} bytes"
    )
    if options.sample:
        for title, sentence, phrase, word in random.Random(options.seed).sample(
            shown, options.sample
        ):
            print(f"{title} | {phrase} | {word} | {sentence[:130]}")
        for head, number in heads.most_common(110):
            print(number, head)


if __name__ == "__main__":
    main()
