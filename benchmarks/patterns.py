"""Speed and findings of the pattern detector beside Presidio's pattern recognisers, in one run.

    python -m benchmarks.patterns [--megabytes 20] [--presidio-megabytes 20] [--show 5]

Both look for the same kinds in the same text, document by document, without any language model. The text
is a sample of an encyclopedia where `../shared/data` has one, otherwise generated, mixed with invented
lines full of identifiers; it is the same in every run. Times are CPU seconds of one core, so that other
work on the machine does not count.
"""

from __future__ import annotations

import argparse
import json
import logging
import lzma
import random
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from faker import Faker

from sfumato.detect.patterns import PatternOptions, patterns
from sfumato.document import Document, resolve
from sfumato.kinds import KINDS

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "data" / "corpus"

# Presidio's recogniser: what it calls the kind, and what Sfumato does.
SAME_KINDS = {
    "EmailRecognizer": "EMAIL",
    "UrlRecognizer": "URL",
    "IpRecognizer": "IP",
    "MacAddressRecognizer": "MAC",
    "PhoneRecognizer": "PHONE",
    "CreditCardRecognizer": "CARD",
    "IbanRecognizer": "IBAN",
    "CryptoRecognizer": "CRYPTO",
    "UsSsnRecognizer": "SSN",
    "UsItinRecognizer": "TAX_ID",
    "NhsRecognizer": "NATIONAL_ID",
    "UkNinoRecognizer": "NATIONAL_ID",
    "UsPassportRecognizer": "PASSPORT",
    "UsLicenseRecognizer": "DRIVING_LICENCE",
    "UkPostcodeRecognizer": "POSTCODE",
    "UuidRecognizer": "UUID",
    "MedicalLicenseRecognizer": "CERTIFICATE",
    "DateRecognizer": "DATE",
}
THRESHOLD = 0.5  # both report what reaches it; Presidio's own default reports everything


def documents(megabytes: float) -> list[str]:
    """Documents of a few thousand characters, so many megabytes in all."""
    size, made = 0, []
    prose = _prose()
    lines = _identifiers()
    shuffle = random.Random(7)
    while size < megabytes * 1e6:
        text = next(prose)
        paragraphs = text.split("\n")
        for _ in range(1 + len(text) // 1500):
            paragraphs.insert(shuffle.randrange(len(paragraphs) + 1), next(lines))
        made.append("\n".join(paragraphs))
        size += len(made[-1].encode())
    return made


def _prose() -> Iterator[str]:
    for path in sorted(CORPUS.glob("enwiki-*.jsonl.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)["text"]
    fake = Faker("en_US")
    fake.seed_instance(1)
    while True:
        yield "\n".join(fake.paragraph(nb_sentences=12) for _ in range(4))


def _identifiers() -> Iterator[str]:
    """Invented lines with identifiers, as in tickets, notes and logs."""
    us, gb = Faker("en_US"), Faker("en_GB")
    us.seed_instance(2)
    gb.seed_instance(3)
    makers: tuple[Callable[[], str], ...] = (
        lambda: f"Contact {us.name()} <{us.email()}> or call {us.numerify('(2##) 5##-01##')}.",
        lambda: f"Login from {us.ipv4()} ({us.mac_address()}) at {us.time()} on {us.date()}.",
        lambda: f"Card {us.credit_card_number()} exp {us.credit_card_expire()}, SSN {us.ssn()}.",
        lambda: f"Refund to IBAN {gb.iban()}, see {us.url()}tickets/{us.uuid4()}.",
        lambda: (
            f"Dr. {gb.last_name()} saw the patient on {gb.date('%d/%m/%Y')}; MRN {us.numerify('########')}."
        ),
        lambda: (
            f"{gb.street_address()}, {gb.city()} {gb.postcode()}; tel. {gb.numerify('020 7946 0###')}."
        ),
        lambda: (
            f"Passport {us.numerify('5########')}, NI number AB{gb.numerify('######')}C, "
            f"aged {us.random_int(18, 99)}."
        ),
        lambda: (
            f"Version {us.numerify('#.#.##')} of 12 files (5 mg, 120/80, pp. 12-14) cost {us.pricetag()}."
        ),
        lambda: (
            f"Ref {us.bothify('??-#####')}: server {us.ipv6()} answered {us.user_name()} in 12 ms."
        ),
    )
    while True:
        for make in makers:
            yield make()


Span = tuple[int, int, int, str]  # document, start, end, kind


def ours(texts: Iterable[str], kinds: tuple[str, ...]) -> tuple[set[Span], float]:
    detect = patterns(PatternOptions(kinds=kinds))
    spans: set[Span] = set()
    start = time.process_time()
    for number, text in enumerate(texts):
        for t in resolve(t for t in detect(Document(text)) if t.score >= THRESHOLD):
            spans.add((number, t.start, t.end, t.kind))
    return spans, time.process_time() - start


def theirs(texts: Iterable[str]) -> tuple[set[Span], float]:
    try:
        from presidio_analyzer import predefined_recognizers
    except ImportError:
        sys.exit("this comparison needs Presidio: pip install 'sfumato[presidio]'")
    logging.disable(logging.CRITICAL)
    recognizers: list[tuple[Any, str]] = [
        (getattr(predefined_recognizers, name)(), kind)
        for name, kind in SAME_KINDS.items()
        if hasattr(predefined_recognizers, name)
    ]
    spans: set[Span] = set()
    start = time.process_time()
    for number, text in enumerate(texts):
        for recognizer, kind in recognizers:
            for r in recognizer.analyze(text, recognizer.supported_entities, None) or ():
                # A context word would raise the rest, but that takes Presidio a language model.
                if r.score >= (0.4 if kind in ("PHONE", "CARD") else THRESHOLD):
                    spans.add((number, r.start, r.end, kind))
    return spans, time.process_time() - start


def compare(mine: set[Span], other: set[Span]) -> dict[str, list[list[Span]]]:
    """For each kind: found by both (the spans overlap), only by us, only by them, and found by them under
    this kind but by us under another (the host of an e-mail address, a UUID in a web address)."""
    by_document: dict[int, tuple[list[Span], list[Span]]] = defaultdict(lambda: ([], []))
    for side, spans in enumerate((mine, other)):
        for span in spans:
            by_document[span[0]][side].append(span)
    sorts: dict[str, list[list[Span]]] = defaultdict(lambda: [[], [], [], []])
    for us, them in by_document.values():
        for span in us:
            found = {s[3] for s in them if s[1] < span[2] and span[1] < s[2]}
            sorts[span[3]][0 if span[3] in found else 1].append(span)
        for span in them:
            found = {s[3] for s in us if s[1] < span[2] and span[1] < s[2]}
            if span[3] not in found:
                sorts[span[3]][3 if found else 2].append(span)
    return sorts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=20)
    parser.add_argument("--presidio-megabytes", type=float, default=None, help="less, to save time")
    parser.add_argument("--show", type=int, default=0, help="examples of what only one side found")
    options = parser.parse_args()

    texts = documents(options.megabytes)
    size = sum(len(t.encode()) for t in texts) / 1e6
    share = documents(min(options.presidio_megabytes or size, size))[: len(texts)]
    share_size = sum(len(t.encode()) for t in share) / 1e6
    kinds = tuple(dict.fromkeys(SAME_KINDS.values()))

    ours(texts[:50], ())  # both warm: imports and tables are not what is measured
    everything, all_time = ours(texts, ())
    mine, my_time = ours(texts, kinds)
    other, their_time = theirs(share)
    part = {s for s in mine if s[0] < len(share)}

    my_speed, all_speed, their_speed = size / my_time, size / all_time, share_size / their_time
    print(f"{len(texts)} documents, {size:.1f} MB; Presidio on {share_size:.1f} MB of them\n")
    print(f"{'':32}{'MB/s':>8}{'ratio':>8}{'terms':>10}")
    print(f"{'Presidio, same kinds':32}{their_speed:8.2f}{1:8.1f}{len(other):10}")
    print(f"{'Sfumato, same kinds':32}{my_speed:8.2f}{my_speed / their_speed:8.1f}{len(mine):10}")
    name = f"Sfumato, all kinds ({len({s[3] for s in everything})} of {len(KINDS)})"
    print(f"{name:32}{all_speed:8.2f}{all_speed / their_speed:8.1f}{len(everything):10}")
    # Without a language model Presidio has no context words: what needs one stays below its threshold.
    titles = ("both", "only Sfumato", "only Presidio", "Presidio, other kind")
    print(f"\n{'kind':18}" + "".join(f"{title:>22}" for title in titles))
    for kind, sorts in sorted(compare(part, other).items()):
        print(f"{kind:18}" + "".join(f"{len(spans):22}" for spans in sorts))
        for title, spans in list(zip(titles, sorts, strict=True))[1:]:
            step = max(1, len(spans) // max(1, options.show))
            for number, start, end, _ in sorted(spans)[::step][: options.show]:
                text = share[number]
                before, after = text[max(0, start - 25) : start], text[end : end + 12]
                print(f"    {title}: {before!r} «{text[start:end]!r}» {after!r}")


if __name__ == "__main__":
    main()
