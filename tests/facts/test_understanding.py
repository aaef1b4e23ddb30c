"""Terms that speak of one thing are one fact."""

from __future__ import annotations

import random
import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.document import Document, Term
from sfumato.facts.fact import Facts
from sfumato.facts.understanding import alike, understand
from sfumato.facts.values import Place
from sfumato.know.taxonomy import places

GIVEN = ("Margaret", "William", "Elizabeth", "Katherine", "Robert")
NICK = {
    "Margaret": "Peggy",
    "William": "Bill",
    "Elizabeth": "Liz",
    "Katherine": "Kate",
    "Robert": "Bob",
}
FAMILY = ("Wieczorek", "Achterberg", "Okonkwo", "Brown", "Holloway", "Lee")


def facts_of(*terms: tuple[str, str], between: str = ". ") -> Facts:
    """The facts of a text that has nothing but these terms: words and kind of each."""
    text, made = "", []
    for words, kind in terms:
        made.append(Term(len(text), len(text) + len(words), kind, 1.0, ""))
        text += words + between
    return understand(text, made)


def spellings(given_name: str, family: str) -> list[str]:
    full = f"{given_name} {family}"
    return [
        full,
        f"Dr {family}",
        f"{given_name[0]}. {family}",
        full.upper(),
        f"{family}'s",
        NICK[given_name],
        f"{NICK[given_name]} {family}",
        f"{family}, {given_name}",
        f"{given_name[0].lower()}{family.lower()}",
    ]


@given(st.sampled_from(GIVEN), st.sampled_from(FAMILY), st.randoms(use_true_random=False))
def test_a_person_has_one_number_in_all_spellings(
    given_name: str, family: str, order: random.Random
) -> None:
    said = spellings(given_name, family)
    order.shuffle(said)
    facts = facts_of(*((words, "PERSON") for words in said))
    assert [(f.kind, f.number, len(f.mentions)) for f in facts] == [("PERSON", 1, len(said))]


@pytest.mark.parametrize(
    ("terms", "kinds"),
    [
        ((("@leoq_83", "USERNAME"), ("leoq_83", "PERSON"), ("leoq_83", "PERSON")), ["USERNAME"]),
        ((("@annak", "USERNAME"), ("annak", "ORG"), ("AnnaK", "MISC")), ["USERNAME"]),
        ((("@anna", "USERNAME"), ("Anna", "PERSON")), ["USERNAME", "PERSON"]),
        ((("Mr K. P. Menon", "PERSON"), ("KP", "MISC"), ("KP", "ORG")), ["PERSON"]),
        ((("Kay Peter Menon", "PERSON"), ("KP", "ORG")), ["PERSON", "ORG"]),
        ((("K. P. Menon", "PERSON"), ("Kent Press", "ORG"), ("KP", "MISC")), ["PERSON", "ORG"]),
    ],
)
def test_user_names_and_initials_are_what_they_are_elsewhere(
    terms: tuple[tuple[str, str], ...], kinds: list[str]
) -> None:
    assert [fact.kind for fact in facts_of(*terms)] == kinds


@given(
    st.lists(st.sampled_from(FAMILY), min_size=2, max_size=2, unique=True),
    st.randoms(use_true_random=False),
)
def test_two_persons_stay_two(families: list[str], order: random.Random) -> None:
    people = list(zip(("Margaret", "William"), families, strict=True))
    said = [(words, family) for name, family in people for words in spellings(name, family)]
    order.shuffle(said)
    text = "; ".join(words for words, _ in said)
    starts = [0]
    for words, _ in said:
        starts.append(starts[-1] + len(words) + 2)
    terms = [Term(a, b - 2, "PERSON", 1.0, "") for a, b in pairwise(starts)]
    facts = understand(text, terms)
    owners = {facts.of(t).number: family for t, (_, family) in zip(terms, said, strict=True)}
    assert len(facts) == 2
    assert all(
        owners[facts.of(t).number] == family for t, (_, family) in zip(terms, said, strict=True)
    )


KINDS = {
    "AGE": ("56", "fifty-six", "aged 56", "41", "forty-one"),
    "DATE": ("14 May 2004", "2004-05-14", "May 14, 2004", "1984", "the 1980s"),
    "ORG": ("European Court of Human Rights", "ECHR", "Acme Holdings Ltd", "Acme"),
    "EMAIL": ("ann@example.org", "bo@example.org"),
    "LOC": ("Tartu", "Estonia", "Paris", "Portland", "Oregon"),
}
TERMS = st.lists(
    st.sampled_from([(words, kind) for kind, said in KINDS.items() for words in said]),
    min_size=1,
    max_size=8,
)


@given(TERMS, st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_the_order_of_the_text_changes_no_identity(
    terms: list[tuple[str, str]], order: random.Random
) -> None:
    def groups(said: list[tuple[str, str]]) -> set[frozenset[str]]:
        text = " | ".join(words for words, _ in said)
        facts = facts_of(*said, between=" | ")
        return {frozenset(t.of(text) for t in fact.mentions) for fact in facts}

    shuffled = list(terms)
    order.shuffle(shuffled)
    assert groups(terms) == groups(shuffled)


@given(TERMS)
@settings(max_examples=60)
def test_facts_hold_every_term_once_and_count_by_kind(terms: list[tuple[str, str]]) -> None:
    facts = facts_of(*terms)
    assert len(facts.terms) == len(terms)
    assert all(t in facts.of(t).mentions for t in facts.terms)
    for kind in {fact.kind for fact in facts}:
        numbers = [fact.number for fact in facts if fact.kind == kind]
        assert numbers == list(range(1, len(numbers) + 1))


def test_a_name_taken_for_an_organisation_elsewhere_is_one_person() -> None:
    facts = facts_of(("Priya", "ORG"), ("Priya Nair", "PERSON"), ("Priya", "PERSON"))
    assert [(f.kind, len(f.mentions)) for f in facts] == [("PERSON", 3)]


def test_organisations_are_known_by_acronyms_and_short_forms() -> None:
    facts = facts_of(*((words, "ORG") for words in KINDS["ORG"]))
    assert [len(f.mentions) for f in facts] == [2, 2]


@pytest.mark.parametrize("kind", ["PERSON", "MISC", "ORG", "LOC", "DATE"])
def test_a_name_in_brackets_is_the_organisations_whatever_it_was_taken_for(kind: str) -> None:
    text = "Solventis Chemie GmbH (“Solventis”) sued. Solventis lost."
    spans = [(0, 21, "ORG"), (24, 33, kind), (42, 51, kind)]
    facts = understand(text, [Term(a, b, k, 1.0, "") for a, b, k in spans])
    assert [(f.kind, len(f.mentions)) for f in facts] == [("ORG", 3)]


@pytest.mark.parametrize(
    ("terms", "kinds"),
    [
        ((("Rosewood Care Home", "ORG"), ("Rosewood", "PERSON")), ["ORG"]),
        ((("Oakfield Primary School", "ORG"), ("Oakfield", "MISC")), ["ORG"]),
        ((("48213377", "PHONE"), ("4821 3377", "MRN"), ("48213377", "CODE")), ["MRN"]),
        (
            (
                ("943 476 5919", "NATIONAL_ID"),
                ("nine four three, four seven six, five nine one nine", "PHONE"),
            ),
            ["NATIONAL_ID"],
        ),
        (
            (("Patel Pharmacy", "ORG"), ("Mr Patel", "PERSON"), ("Patel", "PERSON")),
            ["ORG", "PERSON"],
        ),
        ((("Hart Clinic", "ORG"), ("Jo Hart", "PERSON"), ("Hart", "PERSON")), ["ORG", "PERSON"]),
        ((("Grace Church", "ORG"), ("Grace", "PERSON")), ["ORG", "PERSON"]),
    ],
)
def test_the_short_name_of_an_organisation_is_no_person_unless_one_bears_it(
    terms: tuple[tuple[str, str], ...], kinds: list[str]
) -> None:
    assert [fact.kind for fact in facts_of(*terms)] == kinds


@pytest.mark.parametrize("kind", ["PERSON", "MISC", "ORG", "LOC", "DATE"])
def test_initials_in_brackets_are_the_persons_whatever_they_were_taken_for(kind: str) -> None:
    text = "Susan Wells (SW) came. SW left."
    spans = [(0, 11, "PERSON"), (13, 15, "MISC"), (23, 25, kind)]
    facts = understand(text, [Term(a, b, k, 1.0, "") for a, b, k in spans])
    assert [(f.kind, len(f.mentions)) for f in facts] == [("PERSON", 3)]


@pytest.mark.parametrize(
    ("handle", "kind"),
    [("leoq_83", "USERNAME"), ("@leo.quinn", "USERNAME"), ("l.quinn@example.org", "EMAIL")],
)
def test_a_user_name_belongs_to_its_person(handle: str, kind: str) -> None:
    facts = facts_of(("Ann Lee", "PERSON"), ("Leo Quinn", "PERSON"), (handle, kind))
    assert [(f.kind, f.number, f.belongs_to) for f in facts] == [
        ("PERSON", 1, 0), ("PERSON", 2, 0), (kind, 1, 2)
    ]  # fmt: skip


def test_an_initial_in_an_address_tells_of_two_who_bear_one_name() -> None:
    persons = [("Bill Henderson", "PERSON"), ("Margaret Henderson", "PERSON")]
    for local, owner in (("w.henderson", 1), ("m.henderson", 2), ("k.henderson", 0)):
        *_, address = facts_of(*persons, (f"{local}@example.org", "EMAIL"))
        assert address.belongs_to == owner


def test_an_address_that_tells_nobody_belongs_to_nobody() -> None:
    facts = facts_of(("Ann Lee", "PERSON"), ("support@example.org", "EMAIL"))
    assert [f.belongs_to for f in facts] == [0, 0]


@pytest.mark.parametrize(
    "word",
    [
        "jwieczorek",
        "JusticeForWieczorek",
        "&#87;ieczorek",
        "Wieczoreks",
        "wieczorek99",
        "W1eczorek",
    ],
)
def test_a_word_that_holds_a_name_is_its_persons(word: str) -> None:
    facts = facts_of(("Ann Wieczorek", "PERSON"), (word, "PERSON"), ("Tom Okonkwo", "PERSON"))
    assert [len(f.mentions) for f in facts] == [2, 1]


def test_a_surname_alone_has_its_user_name() -> None:
    facts = facts_of(("jwieczorek", "PERSON"), ("Wieczorek", "PERSON"))
    assert [len(f.mentions) for f in facts] == [2]


def test_a_longer_name_is_another_name() -> None:
    facts = facts_of(("Ann Brown", "PERSON"), ("Browning", "PERSON"), ("Martinez", "PERSON"))
    assert len(facts) == 3


def test_an_ambiguous_date_is_settled_by_the_text() -> None:
    text = "Seen 05/03/2024, then 25/03/2024."
    spans = [m.span() for m in re.finditer(r"\d\d/\d\d/\d{4}", text)]
    facts = understand(text, [Term(a, b, "DATE", 1.0, "") for a, b in spans])
    assert [len(f.readings) for f in facts] == [1, 1]
    alone = facts_of(("05/03/2024", "DATE"))
    assert len(alone[0].readings) == 2
    assert facts_of(("05/03/2024", "DATE"), ("5 March 2024", "DATE"))[0].mentions[1:]


def test_a_place_may_hold_another() -> None:
    estonia, tartu = facts_of(("Estonia", "LOC"), ("Tartu", "LOC"))
    assert isinstance(estonia.value, Place)
    assert estonia.value.holds(tartu.value)
    assert not tartu.value.holds(estonia.value)


def test_kinds_between_which_detectors_waver_tell_one_fact() -> None:
    """A number without a unit is the age that is told elsewhere; a handle is one with its sign and without."""
    assert len(facts_of(("56 years old", "AGE"), ("fifty-six", "QUANTITY"))) == 1
    assert len(facts_of(("56 years old", "AGE"), ("56 kg", "QUANTITY"))) == 2
    (handle,) = facts_of(("leoq_83", "CODE"), ("@leoq_83", "USERNAME"), ("leoq_83", "CODE"))
    assert handle.kind == "USERNAME"


@pytest.mark.parametrize(
    "mentions",
    [
        (("+44 7700 900456", "PHONE"), ("00447700900456", "CODE"), ("07700 900 456", "PHONE"), ("900456", "PHONE")),
        (("https://www.ann.example.org/", "URL"), ("ann.example.org", "CODE"), ("http://ANN.example.org", "URL")),
        (("Ann.Lee@Example.org", "EMAIL"), ("ann.lee@example.org", "EMAIL"), ("mailto:ann.lee@example.org", "EMAIL")),
        (("4111 1111 1111 1111", "CARD"), ("4111-1111-1111-1111", "CARD"),
         ("four one one one one one one one one one one one one one one one", "CARD")),
        (("GB29 NWBK 6016 1331 9268 19", "IBAN"), ("gb29nwbk60161331926819", "IBAN")),
        (("943 476 5919", "CODE"), ("943-476-5919", "CODE"), ("9434765919", "CODE")),
        (("Thames Valley Water", "ORG"), ("TVW", "MISC"), ("T.V.W.", "ORG")),
    ],
)  # fmt: skip
def test_a_number_or_address_is_one_in_all_spellings(mentions: tuple[tuple[str, str], ...]) -> None:
    assert len(facts_of(*mentions)) == 1


def test_addresses_that_differ_are_two() -> None:
    assert len(facts_of(("a_b@example.org", "EMAIL"), ("a-b@example.org", "EMAIL"))) == 2
    assert len(facts_of(("example.org/Ann", "URL"), ("example.org/Tom", "URL"))) == 2


def test_initials_and_nicknames_belong_to_the_one_person_who_has_them() -> None:
    said = ("William Drax", "W.D.", "W. Drax", "Bill Drax", "Mr Drax", "DRAX, WILLIAM")
    assert len(facts_of(*((words, "PERSON") for words in said))) == 1
    assert len(facts_of(("W. Drax", "PERSON"), ("Bill Drax", "PERSON"))) == 1
    assert len(facts_of(("William Drax", "PERSON"), ("B. Drax", "PERSON"))) == 2
    assert len(facts_of(("Will Drax", "PERSON"), ("Walt Dean", "PERSON"), ("W.D.", "PERSON"))) == 3


def test_mentions_of_a_fact_have_one_kind_and_one_reason() -> None:
    text = "Priya asked. Priya left. Nina stayed."
    found = [
        Term(0, 5, "ORG", 0.4, "", "a guess"),
        Term(13, 18, "PERSON", 0.9, "", "sure"),
        Term(25, 29, "PERSON", 0.5, "", "other"),
    ]
    made = alike(Document(text), found)
    assert [(t.kind, t.reason) for t in made] == [
        ("PERSON", "sure"),
        ("PERSON", "sure"),
        ("PERSON", "other"),
    ]


def test_bare_initials_that_stand_first_are_somebody_who_is_not_named() -> None:
    """In a judgment "R.T." is the boy's father, and Raul Teder the prosecutor."""
    assert len(facts_of(("R.T.", "PERSON"), ("Raul Teder", "PERSON"))) == 2
    assert len(facts_of(("Raul Teder", "PERSON"), ("R.T.", "PERSON"))) == 1


def test_a_place_that_was_taken_for_a_person_once_is_the_place() -> None:
    (estonia,) = facts_of(("ESTONIA", "PERSON"), ("Estonia", "LOC"))
    assert estonia.kind == "LOC"


def numbers(text: str, *names: str) -> list[int]:
    """Which persons the names of a text are, in their order."""
    found = sorted(
        m.span() for name in names for m in re.finditer(rf"{re.escape(name)}(?!\w)", text)
    )
    kept = [
        (a, b)
        for a, b in found
        if not any(c <= a and b <= d and (c, d) != (a, b) for c, d in found)
    ]
    facts = understand(text, [Term(a, b, "PERSON", 1.0, "") for a, b in kept])
    return [facts.of(Term(a, b, "PERSON", 1.0, "")).number for a, b in kept]


@pytest.mark.parametrize(
    ("heading", "later"),
    [
        ("OKONKWO CHIDI", "Chidi Okonkwo"), ("MARSH LILY ROSE", "Lily Marsh"), ("STONE ROBERT", "Bob Stone"),
        ("GREEN M", "Mary Green"), ("SCHÄFER JÜRGEN", "Jürgen Schäfer"), ("WOODS AMY J", "Amy J. Woods"),
        ("LILY MARSH", "Lily Marsh"), ("MARSH LILY", "Ms Marsh"),
    ],
)  # fmt: skip
def test_a_heading_may_begin_with_the_family_name(heading: str, later: str) -> None:
    assert numbers(f"{heading}\nNote\n{later} came. {later} left.", heading, later) == [1, 1, 1]


def test_a_heading_of_another_person_stays_another() -> None:
    assert numbers("MARSH ROSE\nLily Marsh came.", "MARSH ROSE", "Lily Marsh") == [1, 2]
    assert numbers("THOMAS JAMES\nMr James came.", "THOMAS JAMES", "Mr James") == [1, 1]


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("Ed Moss Jr. left Ed Moss Sr. alone; Moss Sr wept.", ["Ed Moss Jr", "Ed Moss Sr", "Moss Sr"], [1, 2, 2]),
        ("Ed Moss III came. Mr Moss left.", ["Ed Moss III", "Mr Moss"], [1, 1]),
        ("Ed Moss Jr, Ed Moss Sr. Ed Moss?", ["Ed Moss Jr", "Ed Moss Sr", "Ed Moss"], [1, 2, 3]),
        ("Ana Ruiz Vega; Ana Ruiz; Ms Ruiz; Ana Vega; A. Vega", ["Ana Ruiz Vega", "Ana Ruiz", "Ms Ruiz",
         "Ana Vega", "A. Vega"], [1, 1, 1, 1, 1]),
        ("Ana Ruiz Vega; Ana Ruiz Soto; Ana Ruiz", ["Ana Ruiz Vega", "Ana Ruiz Soto", "Ana Ruiz"], [1, 2, 3]),
        ("Sam Poe and Samuel Poe; Sam", ["Sam Poe", "Samuel Poe", "Sam"], [1, 2, 1]),
        ("Samuel Poe came; Sam Poe left; Sam", ["Samuel Poe", "Sam Poe", "Sam"], [1, 1, 1]),
    ],
)  # fmt: skip
def test_who_is_who_among_people_of_like_names(
    text: str, names: list[str], expected: list[int]
) -> None:
    assert numbers(text, *names) == expected


@pytest.mark.parametrize(
    ("told", "name", "country"),
    [
        ("Oregon", "Portland", "United States"),
        ("Scotland", "Perth", "United Kingdom"),
        ("Leeds, England", "Newcastle", "United Kingdom"),
        ("Leeds, United Kingdom", "Durham", "United Kingdom"),
        ("Valencia, Spain", "Cordoba", "Spain"),
        ("Manchester, New Hampshire", "Portsmouth", "United States"),
        ("Canada", "London", "United Kingdom"),
        ("Vancouver, Canada", "London", "United Kingdom"),
        ("Manchester, England", "Boston", "United States"),
        ("Dallas", "Paris", "France"),
    ],
)
def test_of_places_of_one_name_the_one_is_meant_that_lies_where_others_do_and_is_no_village(
    told: str, name: str, country: str
) -> None:
    value = facts_of((told, "LOC"), (name, "LOC"))[1].value
    assert isinstance(value, Place)
    assert country in map(places.default().written, value.within)
