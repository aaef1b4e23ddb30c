"""A receiver with the policy and the public key verifies files beside which somebody laid certificates of his own
making, or genuine ones of other files. None of them may pass; the genuine one must."""

from __future__ import annotations

import base64
import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sfumato import formats, keys, policy
from sfumato.document import Claim, Document, Release
from sfumato.errors import InputError
from sfumato.keys import Key
from sfumato.know.taxonomy import wordnet
from sfumato.pipeline import sanitize
from sfumato.policy import Policy
from sfumato.release import certificate
from sfumato.release.certificate import Certificate
from sfumato.release.examination import verify
from tests.cli.conftest import Sfumato
from tests.cli.conftest import sfumato as sfumato
from tests.protect.tables.tables import csv_bytes
from tests.protect.tables.tables import release as anonymized

OFFICE = Key(bytes(range(32)))
FORGER = Key(bytes(32))
NOTE = "The patient is Margaret Holloway, who takes marijuana for pain. Write to m@example.org.\n"
PAGE = "<html><body><p>Margaret Holloway uses heroin.</p><p>Write to m@example.org.</p></body></html>\n"
MAIL = "From: m@example.org\nTo: a@example.org\nSubject: Holloway\n\nWrite to m@example.org on heroin.\n"
DATA = json.dumps({"who": "Margaret Holloway", "mail": "m@example.org", "uses": "heroin"})
ROWS = "id,note\n1,Write to m@example.org.\n2,Nothing.\n"
FILES = {"a.txt": NOTE, "a.html": PAGE, "a.eml": MAIL, "a.json": DATA, "a.csv": ROWS}
HIDE = [
    "patterns",
    {"lists": {"hide": [{"kind": "PERSON", "terms": ["Margaret Holloway", "Holloway"]}]}},
]
RULES = policy.load({"detect": HIDE, "protect": [{"plausibility": {"t": 10}}]})
TABLE = policy.load(
    {
        "detect": [{"lists": {"hide": [{"kind": "PERSON", "terms": ["Wieczorek", "Achterberg"]}]}}],
        "table": {
            "k": 2,
            "columns": {
                "name": "direct",
                "age": {"role": "quasi", "type": "number", "kinds": ["AGE"]},
                "town": "quasi",
                "note": "text",
            },
        },
    }
)
RAW = csv_bytes(
    ["name", "age", "town", "note"],
    [
        ["Wieczorek", "31", "Leeds", "Wieczorek is fine."],
        ["Achterberg", "39", "York", "Achterberg is 39."],
        ["Okonkwo", "47", "Bath", "All is well."],
        ["Rao", "55", "Ely", "All is well."],
    ],
)
GENUINE = "certificate is genuine"


def made(name: str = "a.txt", *, key: Key = OFFICE, text: str | None = None) -> Release:
    """A genuine release of one of the files."""
    data = (FILES[name] if text is None else text).encode()
    columns = ["note"] if name.endswith(".csv") else []
    format = formats.format_of(Path(name))
    document = formats.parse(data, name=name, format=format, columns=columns)
    return sanitize(replace(document, released_as=name), RULES, key=key)


@pytest.fixture(scope="module")
def releases() -> dict[str, Release]:
    table = anonymized(RAW, TABLE, name="t.csv")[1]
    return {name: made(name) for name in FILES} | {"t.csv": table}


class Receiver(NamedTuple):
    """Somebody with the policies, the public key, and nothing of the office."""

    sfumato: Sfumato
    folder: Path

    def verdicts(
        self, name: str, data: bytes, made: str, *given: str, rules: Policy = RULES
    ) -> tuple[int, dict[str, str]]:
        """The exit code of `verify`, and what it says of each check."""
        path = self.folder / name
        path.write_bytes(data)
        Path(f"{path}.cert.json").write_text(made)
        Path("rules.yaml").write_text(rules.to_yaml())
        done = self.sfumato("verify", str(path), "-p", "rules.yaml", "--json", *given)
        checks = json.loads(done.out)["checks"] if done.code != 2 else []
        return done.code, {check["check"]: check["verdict"] for check in checks}

    def passes(
        self, name: str, data: bytes, made: Certificate | str, rules: Policy = RULES
    ) -> bool:
        """Whether anything that a careful receiver may give makes it pass: the office's public key, none, or
        none but for that of the check that asks for it."""
        text = made if isinstance(made, str) else made.to_json()
        public = ("--public-key", str(keys.Key(bytes(range(32))).public))
        skipped = ("--skip", GENUINE)
        return any(
            self.verdicts(name, data, text, *given, rules=rules)[0] == 0
            for given in (public, (), skipped)
        )


@pytest.fixture
def receiver(sfumato: Sfumato, inside: Path) -> Receiver:
    return Receiver(sfumato, inside)


def about(made: Certificate, data: bytes) -> Certificate:
    """A certificate that names another file's hash."""
    return replace(made, output="sha256:" + hashlib.sha256(data).hexdigest())


def signed(made: Certificate, key: Key = FORGER) -> Certificate:
    """A certificate with a signature, by a key that is not the office's."""
    return replace(made, signature=key.sign(made.canonical()))


def test_the_genuine_ones_pass(receiver: Receiver, releases: dict[str, Release]) -> None:
    public = ("--public-key", str(OFFICE.public))
    for name, release in releases.items():
        rules = TABLE if name == "t.csv" else RULES
        made = release.certificate.to_json()
        code, seen = receiver.verdicts(name, release.data, made, *public, rules=rules)
        assert code == 0, (name, seen)
        assert set(seen.values()) <= {"holds", "attested"}


Edit = Callable[[dict[str, Any]], Any]
EDITS: dict[str, Edit] = {
    "sfumato": lambda c: c.update(sfumato="9.9"),
    "name": lambda c: c["document"].update(name="b.txt"),
    "format": lambda c: c["document"].update(format="html"),
    "encoding": lambda c: c["document"].update(encoding="cp037"),
    "columns": lambda c: c["document"].update(columns=["note"]),
    "reader": lambda c: c["document"].update(reader="alice"),
    "policy": lambda c: c.update(policy="0" * 64),
    "knowledge": lambda c: c.update(knowledge={}),
    "hash of knowledge": lambda c: c["knowledge"].update(taxonomy="0" * 64),
    "no claims": lambda c: c.update(claims=[]),
    "a claim less": lambda c: c["claims"].pop(),
    "swapped claims": lambda c: c["claims"].reverse(),
    "a claim twice": lambda c: c["claims"].append(c["claims"][-1]),
    "another claim": lambda c: c["claims"].append({"name": "K-safe", "k": 2, "holds": True}),
    "a parameter more": lambda c: c["claims"][3].update(more=1),
    "a smaller t": lambda c: c["claims"][4].update(t={"document": 2}),
    "other units": lambda c: c["claims"][4].update(units=[]),
    "does not hold": lambda c: c["claims"][0].update(holds=False),
    "holds, said otherwise": lambda c: c["claims"][0].update(holds=1),
    "input": lambda c: c.update(input="hmac-sha256:" + "0" * 64),
    "output": lambda c: c.update(output="sha256:" + "0" * 64),
    "no signature": lambda c: c.pop("signature"),
    "an empty signature": lambda c: c.update(signature=""),
    "a signature of nothing": lambda c: c.update(signature="ed25519:" + "0" * 128),
    "another version": lambda c: c.update(format=2),
    "a field more": lambda c: c.update(key=str(FORGER.public)),
    "a seal": lambda c: c.update(seal="x"),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_no_field_of_a_certificate_can_be_edited(
    receiver: Receiver, releases: dict[str, Release], edit: Edit
) -> None:
    release = releases["a.txt"]
    forged = json.loads(release.certificate.to_json())
    edit(forged)
    public = ("--public-key", str(OFFICE.public))
    for text in (json.dumps(forged), json.dumps(forged, indent=1, sort_keys=True)):
        assert receiver.verdicts("a.txt", release.data, text, *public)[0] in (2, 3)


def test_another_spelling_of_the_same_certificate_is_the_same(
    receiver: Receiver, releases: dict[str, Release]
) -> None:
    release = releases["a.txt"]
    text = json.dumps(json.loads(release.certificate.to_json()), sort_keys=True)
    public = ("--public-key", str(OFFICE.public))
    assert receiver.verdicts("a.txt", release.data, text, *public)[0] == 0


@pytest.mark.parametrize("field", ["claims", "output", "policy", "signature"])
def test_a_field_that_stands_twice_is_refused(releases: dict[str, Release], field: str) -> None:
    text = releases["a.txt"].certificate.to_json()
    with pytest.raises(InputError, match="a field stands in it twice"):
        certificate.parse(text.replace(f'"{field}"', f'"{field}": [], "{field}"', 1), "x")


@pytest.mark.parametrize("depth", [20, 100, 900, 975, 980, 985, 1000, 50_000])
def test_what_is_nested_deeply_is_refused_in_a_line(
    receiver: Receiver, releases: dict[str, Release], depth: int
) -> None:
    nested = '"x": ' + "[" * depth + "]" * depth + ', "holds": true'
    text = releases["a.txt"].certificate.to_json().replace('"holds": true', nested, 1)
    code, _ = receiver.verdicts("a.txt", releases["a.txt"].data, text)
    assert code == (3 if depth < 50 else 2)


@pytest.mark.parametrize("name", ["no known term left", "t-plausible", "z{}"])
def test_claims_by_the_thousand_keep_nobody_busy(
    receiver: Receiver, releases: dict[str, Release], name: str
) -> None:
    release = releases["a.txt"]
    for many, code in ((900, 3), (40_000, 2)):
        claims = tuple(Claim(name.format(at)) for at in range(many))
        forged = replace(release.certificate, claims=claims)
        began = time.process_time()
        assert receiver.verdicts("a.txt", release.data, forged.to_json())[0] == code
        assert time.process_time() - began < 5


def test_the_text_of_a_release_is_read_in_the_encoding_that_was_certified(
    releases: dict[str, Release],
) -> None:
    release = releases["a.txt"]
    assert not any(c.refuses for c in verify(release, RULES, key=OFFICE))
    text = release.data.decode("cp500")
    origin = replace(release.record.origin, encoding="cp500")
    record = replace(release.record, edits=(), originals=(), origin=origin)
    other = replace(release, text=text, record=record)
    checks = {c.name: c for c in verify(other, RULES, public_key=OFFICE.public)}
    assert checks["release is the certified one"].failed


def test_the_signature_of_another_certificate_does_not_fit(
    receiver: Receiver, releases: dict[str, Release]
) -> None:
    mine, other = releases["a.txt"], made(text="Nothing is here.\n")
    for forged in (
        replace(mine.certificate, signature=other.certificate.signature),
        replace(other.certificate, signature=mine.certificate.signature),
        signed(mine.certificate),
        signed(about(mine.certificate, NOTE.encode())),
    ):
        code, seen = receiver.verdicts(
            "a.txt", mine.data, forged.to_json(), "--public-key", str(OFFICE.public)
        )
        assert (code, seen[GENUINE]) == (3, "does not hold")


def test_the_certificate_of_another_release_of_the_same_policy_does_not_fit(
    receiver: Receiver, releases: dict[str, Release]
) -> None:
    mine, other = releases["a.txt"], made(text="Nothing is here.\n")
    assert not receiver.passes("a.txt", mine.data, other.certificate)
    assert not receiver.passes("a.txt", NOTE.encode(), other.certificate)
    for name, release in releases.items():
        if name != "a.txt":
            assert not receiver.passes(name, release.data, mine.certificate)


def test_a_key_beside_the_release_is_not_asked(receiver: Receiver) -> None:
    forged = made(key=FORGER)
    folder = receiver.folder / ".sfumato"
    folder.mkdir()
    keys.write(FORGER, folder / "key")
    Path("a.txt.pub").write_text(str(FORGER.public))
    code, seen = receiver.verdicts("a.txt", forged.data, forged.certificate.to_json())
    assert (code, seen[GENUINE]) == (3, "cannot be checked")


@pytest.mark.parametrize("name", FILES)
def test_an_untouched_file_does_not_pass(
    receiver: Receiver, releases: dict[str, Release], name: str
) -> None:
    data, genuine = FILES[name].encode(), releases[name].certificate
    for forged in (genuine, about(genuine, data), signed(about(genuine, data))):
        assert not receiver.passes(name, data, forged)


ADDED: dict[str, list[Callable[[str], str]]] = {
    "a.txt": [
        lambda text: text + NOTE,
        lambda text: text + "\n" * 500 + " " * 500 + NOTE,
        lambda text: text + "\r\x0c\x85\u2028Margaret Holloway",
        lambda text: text.replace("[PERSON 1]", "[Margaret Holloway]"),
        lambda text: text.replace("[PERSON 1]", "Ｍargaret Ｈolloway"),
        lambda text: text + "Margaret\u00a0Holloway",
    ],
    "a.html": [
        lambda page: page + "<!-- Margaret Holloway -->",
        lambda page: page.replace("<p>", "<p title='Margaret Holloway'>", 1),
        lambda page: page.replace("<p>", "<p data-x='Margaret Holloway'>", 1),
        lambda page: page.replace("<p>", "<p hidden>Margaret Holloway</p><p>", 1),
        lambda page: page + "<script>var x = 'Margaret Holloway'</script>",
        lambda page: page + "Margaret Hollow&#97;y",
    ],
    "a.eml": [
        lambda mail: "X-Note: Margaret Holloway\n" + mail,
        lambda mail: mail + "Margaret Holloway\n",
        lambda mail: "Received: from m@example.org\n" + mail,
    ],
    "a.json": [
        lambda data: data.replace("{", '{"Margaret Holloway": 1, ', 1),
        lambda data: data.replace("{", '{"x": "Margaret\\u0020Holloway", ', 1),
        lambda data: data.replace("{", '{"x": ["Margaret Holloway"], ', 1),
    ],
    "a.csv": [
        lambda rows: rows + "3,Margaret Holloway\n",
        lambda rows: rows.replace("1,", "Margaret Holloway,"),
        lambda rows: rows.replace("note\n", "note,who\n").replace(".\n", ".,Margaret Holloway\n"),
    ],
}


@pytest.mark.parametrize(
    ("name", "add"), [(name, add) for name, all in ADDED.items() for add in all]
)
def test_a_release_with_the_original_added_does_not_pass(
    receiver: Receiver, releases: dict[str, Release], name: str, add: Callable[[str], str]
) -> None:
    release = releases[name]
    data = add(release.data.decode()).encode()
    assert data != release.data
    assert not receiver.passes(name, data, release.certificate)
    assert not receiver.passes(name, data, about(release.certificate, data))


@pytest.mark.parametrize(
    "label",
    [
        "[Margaret Holloway]",
        "[РERSON]",
        "[PERSОN]",
        "[PERSON\u200b]",
        "[ＰERSON]",
        "[HOLLOWAY]",
        "***",
    ],
)
def test_what_looks_like_a_label_is_none(
    receiver: Receiver, releases: dict[str, Release], label: str
) -> None:
    """The claim says that it is one, or that it is a word for a person: only its words can tell."""
    release = releases["a.txt"]
    text = release.text.replace("[PERSON 1]", label, 1)
    start, moved = text.index(label), len(label) - len("[PERSON 1]")
    assert text != release.text
    for concept in ("", f"wordnet:{wordnet.default().senses('person')[0].key}"):
        slot = [start, start + len(label), concept, "other", 99]
        claims = [
            c if c.name != "t-plausible" else with_slots(c, slot, moved)
            for c in release.certificate.claims
        ]
        forged = about(replace(release.certificate, claims=tuple(claims)), text.encode())
        assert not receiver.passes("a.txt", text.encode(), forged)


def with_slots(claim: Claim, slot: list[Any], moved: int) -> Claim:
    """The claim with a slot before all others, which are moved."""
    (part,) = claim.parameters["units"]
    slots = [slot, *([a + moved, b + moved, *rest] for a, b, *rest in part["terms"])]
    listed = {**part, "terms": slots, "start": slot[0]}
    return Claim(claim.name, {**claim.parameters, "units": [listed]})


def rows_of(data: bytes) -> list[bytes]:
    return data.splitlines(keepends=True)


TABLES: dict[str, Callable[[bytes], bytes]] = {
    "raw": lambda _: RAW,
    "a row more": lambda data: data + rows_of(data)[-1],
    "a person more": lambda data: data + b"P9" + rows_of(data)[-1][2:],
    "a row less": lambda data: b"".join(rows_of(data)[:-1]),
    "rows in another order": lambda data: b"".join([rows_of(data)[0], *rows_of(data)[:0:-1]]),
    "a raw column": lambda data: b"".join(
        line.rstrip(b"\n") + b"," + name + b"\n"
        for line, name in zip(rows_of(data), [b"who", b"a", b"b", b"c", b"d"], strict=True)
    ),
    "a cell": lambda data: data.replace(b"All is well.", b"Wieczorek is well.", 1),
}


@pytest.mark.parametrize("change", TABLES.values(), ids=TABLES)
def test_a_changed_table_does_not_pass(
    receiver: Receiver, releases: dict[str, Release], change: Callable[[bytes], bytes]
) -> None:
    release = releases["t.csv"]
    data = change(release.data)
    for forged in (release.certificate, signed(about(release.certificate, data))):
        assert not receiver.passes("t.csv", data, forged, TABLE)


def less(change: dict[str, Any]) -> Callable[[Certificate], Certificate]:
    def changed(made: Certificate) -> Certificate:
        first, *others = made.claims
        return replace(
            made, claims=(Claim(first.name, {**first.parameters, "terms": {}, **change}), *others)
        )

    return changed


LESS: dict[str, Callable[[Certificate], Certificate]] = {
    "no quasi-identifiers": less({"quasi": []}),
    "no texts": less({"text": []}),
    "no person": less({"person": None}),
    "nobody named": less({"direct": [], "insensitive": ["name"]}),
    "all insensitive": less({"quasi": [], "insensitive": ["age", "town"]}),
    "given": less({"given": True}),
    "names as labels": less({"labels": ["Wieczorek", "Achterberg"]}),
    "names as ages": less({"terms": {"note": {"column": ["0 0 9 AGE age", "1 0 10 AGE age"]}}}),
    "k of one": less({"k": 1}),
    "combinations": less({"combinations": 1}),
    "no claim of tables": lambda made: replace(
        made, claims=tuple(Claim(name) for name in ("originals gone", "no known term left"))
    ),
    "claims of a text": lambda made: replace(
        made,
        document={**made.document, "format": "text"},
        claims=tuple(map(Claim, ("unchanged outside edits", "originals gone"))),
    ),
}


@pytest.mark.parametrize("change", LESS.values(), ids=LESS)
def test_a_raw_table_does_not_pass_for_its_certificate_says_less(
    receiver: Receiver, releases: dict[str, Release], change: Callable[[Certificate], Certificate]
) -> None:
    forged = change(about(releases["t.csv"].certificate, RAW))
    assert not receiver.passes("t.csv", RAW, forged, TABLE)
    assert not receiver.passes("t.csv", RAW, signed(forged), TABLE)


def test_one_slot_is_not_counted_several_times(
    receiver: Receiver, releases: dict[str, Release]
) -> None:
    text = "Uses marijuana for pain.\n"
    genuine = made(text="Uses marijuana for phantom limb pain.\n")
    claim = next(c for c in genuine.certificate.claims if c.name == "t-plausible")
    pain = [
        text.index("pain"),
        text.index("pain") + 4,
        claim.parameters["units"][0]["terms"][-1][2],
    ]
    unit = {"unit": "document", "start": pain[0], "texts": 27, "terms": [pain] * 3}
    counted = Claim(claim.name, {**claim.parameters, "units": [unit]})
    claims = [c if c.name != claim.name else counted for c in genuine.certificate.claims]
    forged = about(replace(genuine.certificate, claims=tuple(claims)), text.encode())
    assert not receiver.passes("a.txt", text.encode(), forged)
    assert not receiver.passes("a.txt", text.encode(), signed(forged))


def read_as(**said: str) -> Callable[[Certificate], Certificate]:
    return lambda made: replace(made, document={**made.document, **said})


@pytest.mark.parametrize(
    ("text", "change"),
    [
        (NOTE, read_as(encoding="cp037")),
        (f"<!-- {NOTE} -->", read_as(format="html")),
        (f"<script>{NOTE}</script>", read_as(format="html")),
        (f"note,x\n,{NOTE}", lambda made: read_as(format="csv")(replace(
            made, document={**made.document, "columns": ["note"]}))),
    ],
)  # fmt: skip
def test_a_text_is_not_read_as_something_without_words(
    receiver: Receiver, text: str, change: Callable[[Certificate], Certificate]
) -> None:
    empty = made(text="Nothing is here.\n").certificate
    assert not receiver.passes("a.txt", text.encode(), about(change(empty), text.encode()))


def test_an_older_certificate_is_not_taken_for_a_signed_one(
    receiver: Receiver, releases: dict[str, Release]
) -> None:
    """Who makes up one of the second version need not sign it."""
    release = releases["a.txt"]
    old = json.loads(release.certificate.to_json())
    old |= {"format": 2, "seal": "hmac-sha256:" + "5a" * 32, "output": "hmac-sha256:" + "5a" * 32}
    old["document"] = {n: old["document"][n] for n in ("format", "encoding", "columns")}
    del old["signature"]
    code, seen = receiver.verdicts(
        "a.txt", release.data, json.dumps(old), "--public-key", str(OFFICE.public)
    )
    assert (code, seen[GENUINE]) == (3, "cannot be checked")
    assert not receiver.passes("a.txt", NOTE.encode(), json.dumps(old))


def test_without_the_signature_a_genuine_release_can_still_be_looked_at(
    receiver: Receiver, releases: dict[str, Release]
) -> None:
    """So it is not for the missing signature alone that the forged ones above do not pass."""
    for name in ("a.txt", "a.html", "a.eml", "a.json"):
        release = releases[name]
        made = release.certificate.to_json()
        code, seen = receiver.verdicts(name, release.data, made, "--skip", GENUINE)
        assert (code, seen[GENUINE]) == (0, "skipped"), (name, seen)


def base64_of(text: str) -> str:
    head = "Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\n"
    return head + base64.encodebytes(text.encode()).decode()


HIDING: dict[str, Callable[[str], str]] = {
    "g.html": lambda said: "<p>" + "".join(f"&#{ord(c)};" for c in said) + "</p>",
    "g.eml": base64_of,
    "g.json": lambda said: '{"a": "' + "".join(f"\\u{ord(c):04x}" for c in said) + '"}',
    "g.md": lambda said: "".join(f"&#{ord(c)};" for c in said),
    "g.svg": lambda said: "<svg><text>" + "".join(f"&#{ord(c)};" for c in said) + "</text></svg>",
}


@pytest.mark.parametrize("name", HIDING)
def test_the_office_does_not_say_that_a_file_is_plain_text_whose_name_says_otherwise(
    receiver: Receiver, name: str
) -> None:
    data = HIDING[name]("Write to Holloway, ann@example.org.").encode()
    rules = policy.load({"detect": ["patterns"]})
    base = sanitize("Nothing.", rules, key=OFFICE).certificate
    said = replace(base, document={**base.document, "name": name, "format": "text"})
    made = signed(about(said, data), OFFICE)
    assert not receiver.passes(name, data, made, rules=rules)


@pytest.mark.parametrize(
    "text",
    [r'{"who": "M\u0061rgaret Hollow\u0061y"}', "BEGIN:VNOTE\nBODY;ENCODING=QUOTED-PRINTABLE:Hollow=61y\n"],
)  # fmt: skip
def test_an_office_that_calls_data_text_under_a_name_that_says_nothing_is_not_believed(
    sfumato: Sfumato, text: str
) -> None:
    """Programs look into such a file; they show what its codes say."""
    rules = policy.load({"detect": HIDE})  # no softening of the codes
    release = sanitize(Document(text, "a.dat"), rules, key=OFFICE)
    Path("p.yaml").write_text(rules.to_yaml())
    for name, code in (("a.dat", 3), ("a", 3), ("a.dat.txt", 0)):
        Path(name).write_bytes(release.data)
        Path(f"{name}.cert.json").write_text(release.certificate.to_json())
        line = ("verify", name, "-p", "p.yaml", "--public-key", str(OFFICE.public))
        done = sfumato(*line)
        assert done.code == code, done.out
        assert ("name it 'a.dat" in " ".join(done.out.split())) == (code == 3)
