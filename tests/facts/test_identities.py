"""Which mentions are one person: small worlds of persons, texts told of them, and the true number."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sfumato.document import Term
from sfumato.facts.identities import identities
from sfumato.facts.understanding import understand

GIVEN = {
    "f": ("Anna", "Margaret", "Priya", "Siobhán", "Claire-Marie", "Ngozi"),
    "m": ("William", "Tunde", "Jürgen", "Pradeep", "Robert", "Omar"),
}
NICK = {"Margaret": "Peggy", "William": "Bill", "Robert": "Bob"}
FAMILY = (
    "Brown", "O'Brien", "Müller", "Kowalski", "de la Cruz", "al-Hassan", "Lee-Chen", "Kjær", "N'Diaye", "Price", "Rao",
)  # fmt: skip
TITLE = {"f": "Mrs", "m": "Mr"}
PLAIN = str.maketrans({"é": "e", "á": "a", "ü": "ue", "æ": "ae", "'": "’"})


@dataclass(frozen=True)
class Person:
    """Somebody of a small world."""

    gender: str
    given: str
    family: str

    @property
    def full(self) -> str:
        return f"{self.given} {self.family}"

    def spellings(self, others: list[Person]) -> list[str]:
        """By what the text may tell the person so that no other of the world is meant."""
        given, family = self.given, self.family
        made = [self.full, self.full.translate(PLAIN), self.full.upper(), f"{family}, {given}"]
        made += [f"Dr {self.full}", f"{NICK.get(given, given)} {family}"]
        if all((o.family, o.given[0]) != (family, given[0]) for o in others):
            made.append(f"{given[0]}. {family}")
        if all((o.family, o.gender) != (family, self.gender) for o in others):
            made += [f"{TITLE[self.gender]} {family}", f"{TITLE[self.gender]} {family}'s"]
        if all(o.family != family for o in others):
            made.append(family)
        if all((o.given, _letter(o.family)) != (given, _letter(family)) for o in others):
            made.append(f"{given} {_letter(family)}.")
        if all(o.given != given for o in others):
            made += [given, NICK.get(given, given)]
        return made


def _letter(family: str) -> str:
    return next(filter(str.isupper, family))


def worlds() -> st.SearchStrategy[list[Person]]:
    def person(gender: str) -> st.SearchStrategy[Person]:
        return st.builds(
            Person, st.just(gender), st.sampled_from(GIVEN[gender]), st.sampled_from(FAMILY)
        )

    return st.lists(
        st.sampled_from("fm").flatmap(person), min_size=1, max_size=4, unique_by=lambda p: p.full
    )


def told(world: list[Person], order: random.Random) -> tuple[str, list[Term], list[Person]]:
    """A text that tells of each person several times, the full name among them."""
    said = [(p, p.full) for p in world]
    for person in world:
        others = [o for o in world if o != person]
        said += [(person, words) for words in order.sample(person.spellings(others), 4)]
    order.shuffle(said)
    text, terms = "", []
    for _, words in said:
        text += order.choice(("Then ", "Later ", "On Monday ", ""))
        terms.append(Term(len(text), len(text) + len(words), "PERSON", 1.0, ""))
        text += words + order.choice((" came. ", " was tired.\n", " had left by noon. "))
    return text, terms, [person for person, _ in said]


@given(worlds(), st.randoms(use_true_random=False))
@settings(max_examples=200)
def test_a_label_for_each_person_and_no_label_for_two(
    world: list[Person], order: random.Random
) -> None:
    # who shares family name and initial with another is told by no more than the full name
    assume(len({(p.family, p.given[0]) for p in world}) == len(world))
    text, terms, persons = told(world, order)
    facts = understand(text, terms)
    labels = [facts.of(term).number for term in terms]
    pairs = set(zip(persons, labels, strict=True))
    assert len(pairs) == len(world) == len({label for _, label in pairs}), (text, labels)


KIN = {"f": ("wife", "mother", "sister", "daughter"), "m": ("husband", "father", "brother", "son")}


@given(
    st.sampled_from("fm"), st.sampled_from("fm"), st.sampled_from(FAMILY),
    st.sampled_from(("{0} and {1} {2} {3} came.", "{0} called. {4} {2} {3} paid.", "{0}, {1} {2}, {3}, left.",
                     "{0}’s {2} {3} came.", "{3} is the {2} of {0}.", "{0} came with {1} {2}, {3}.")),
    st.randoms(use_true_random=False),
)  # fmt: skip
def test_relatives_of_one_name_are_two(
    one: str, other: str, family: str, sentence: str, order: random.Random
) -> None:
    """Whatever their names say of their gender."""
    kin, whose = order.choice(KIN[other]), {"f": "her", "m": "his"}[one]
    first = f"{TITLE[one]} {family}"
    second = f"{order.choice(('Seun', 'Chi', *GIVEN[other]))} {family}"
    text = sentence.format(first, whose, kin, second, whose.title())
    terms = [
        Term(text.index(n), text.index(n) + len(n), "PERSON", 1.0, "") for n in (first, second)
    ]
    assert len(understand(text, sorted(terms, key=lambda t: t.start))) == 2, text


@pytest.mark.parametrize(
    "mentions",
    [
        ("Mary O'Brien", "Mary O’Brien", "Mary Oʼbrien", "MARY O`BRIEN", "Mrs OBrien"),
        ("Nina Kowalski", "Nina K.", "Nina"),
        ("Pradeep Kumar", "Kumar P.", "Mr Kumar"),
        ("Takahashi Yuki", "Yuki Takahashi", "Ms Takahashi"),
        ("Jürgen Müller", "Juergen Mueller", "Jurgen Muller", "Mueller"),
        ("Bjørn Kjær", "Bjoern Kjaer", "Bjorn Kjær"),
        ("P. V. S. Rao", "PVS Rao", "P.V.S. Rao", "Mr Rao"),
        ("Jean-Pierre N'Diaye", "Jean Pierre NDiaye", "Mr N’Diaye"),
        ("Rita Chakrabarti-Bose", "Rita", "Rita C-B", "Rita Bose", "Ms Chakrabarti-Bose"),
        ('Daniel "Danno" McAllister', "Danno", "Pte McAllister", "Dan McAllister"),
        ("Ahmed bin Salman", "Mr bin Salman", "Bin Salman"),
        ("Ludwig van Beethoven", "Beethoven", "van Beethoven", "L. van Beethoven"),
        ("J. R. R. Tolkien", "John Tolkien", "JRR Tolkien"),
        ("Mike Judge", "Judge", "Mike Judge's"),
        ("L. Quispe Mamani", "Leandro Quispe", "Leandro", "Mr Mamani"),
        ("Kim Min-jun", "Min-jun Kim", "Kim", "Mr Kim", "KIM Min-jun"),
        ("Sean O Casey", "Sean O'Casey", "O’Casey"),
        ("Ana María de los Ríos", "Sra. de los Ríos", "Ana María"),
        ("María José García", "Maria Jose Garcia", "M. J. García", "María José"),
        ("Robert “Bobby” O’Dowd", "Bobby", "R. O'Dowd"),
        ('Antonio "Tony" Delgado', "Tony", "Mr Delgado"),
        ("Ms. J. K. Achterberg", "Jane Katherine Achterberg", "JKA"),
        ("Leandro Quispe Mamani", "Leandro", "Quispe Mamani"),
        ("James Paul Stern", "Paul Stern", "Paul"),
        ("Daniel Rossi", "Daniel", "Rossi D."),
        ("Rossi Daniel", "Rossi D.", "Dan", "Mr Rossi"),
        ("Robert St. John", "Sgt St. John", "Robert", "ST. JOHN, R."),
        ("Ahmed Al-Sayed", "AL-SAYED, Ahmed", "Al-Sayed A.", "AL-SAYED AHMED"),
        ("Arthur Mac Donald", "MAC DONALD, Arthur", "Arthur McDonald", "A. Macdonald"),
        ("Olga von Stein", "Von Stein O.", "O Stein", "von Stein, Olga"),
        ("Michael Torres", "Michael Torres-Webb", "Mr Torres", "M. Torres-Webb"),
    ],
)
def test_these_are_one(mentions: tuple[str, ...]) -> None:
    assert len(set(identities(mentions).values())) == 1


@pytest.mark.parametrize(
    "mentions",
    [
        ("Mr de la Cruz", "Penelope Cruz"),
        ("Mr Lee", "Dr Sarah Lee-Chen"),
        ("Tunde Adebayo-Clarke", "Mrs Folake Adebayo"),
        ("Mr Bush", "Flo Bush"),
        ("Thomas James", "James Thomas"),
        ("Ali Hassan", "Hassan Ali"),
        ("Mr al-Hassan", "Leila Hassan"),
        ("Dr Lee", "Mr Lee"),
        ("Mr Brown", "Mrs Brown", "Seun Brown"),
        ("Nina Kowalski", "Nina L."),
        ("Michael Stern", "Michal Stern"),
        ("L. Quispe Mamani", "Lea Soto", "Lou Soto"),
        ("Peter Parker Jr", "Peter Parker Senior"),
        ("Mr Brown", "Anna Brown", "Brown"),
        ("Anna Keller", "Anna von Stein", "Anna"),
        ("Maureen Margaret Daly", "Peggy Daly"),
    ],
)
def test_these_are_as_many_as_they_are(mentions: tuple[str, ...]) -> None:
    assert len(set(identities(mentions).values())) == len(mentions)


@pytest.mark.parametrize(
    ("mentions", "said", "meant"),
    [
        (("Rita Abu Bakr", "Margaret McAllister"), "Rita", "rita abu bakr"),
        (("Rita Ferrari", "Margaret van Dyke", "Ferrari R."), "Rita", "rita ferrari"),
        (("William Price", "Bill van Dyke"), "Bill", "bill van dyke"),
        (("Thomas de la Cruz", "Tom Jones"), "Thomas", "thomas de la cruz"),
        (("Joan Hardcastle", "Mrs Hardcastle-Webb"), "Hardcastle", "joan hardcastle"),
        (("Olga von Stein", "Peter Stein"), "Stein", "peter stein"),
        (("Mona Price", "Rita Maria Price"), "M Price", "mona price"),
        (("Margaret van Dyke", "Rita Brown"), "Peggy", "margaret van dyke"),
        (("THOMAS JAMES", "Thomas James", "James Thomas"), "James T.", "james thomas"),
    ],
)
def test_of_two_the_one_whose_words_are_nearer(
    mentions: tuple[str, ...], said: str, meant: str
) -> None:
    assert identities([*mentions, said])[said.lower()] == meant


@pytest.mark.parametrize(
    ("mentions", "many"),
    [
        (("PRIYA THOMAS", "Miss Priya Thomas"), 1),
        (("Ms Aisha James", "AISHA JAMES", "Ms James", "Aisha"), 1),
        (("INGRID MARTIN", "Mrs Martin"), 1),
        (("OLENA GEORGE", "Ms O. George"), 1),
        (("NKECHI RUSSELL", "Ms Nkechi Ada Russell"), 1),
        (("KWAME FRANCIS", "Mr Francis"), 1),
        (("KELLER ANNA", "Mrs Keller", "Anna"), 1),
        (("KELLER THOMAS", "Mrs Keller"), 2),
        (("PRIYA THOMAS", "Mr Priya"), 1),
    ],
)
def test_in_capitals_either_name_may_stand_first(mentions: tuple[str, ...], many: int) -> None:
    assert len(set(identities(mentions).values())) == many


def test_an_initial_is_of_one_person() -> None:
    found = identities(["L. Quispe Mamani", "Leandro Quispe", "Lucia Quispe", "Lucia"])
    assert found["lucia"] == found["lucia quispe"] != found["leandro quispe"]


def test_two_names_of_one_short_form_are_two() -> None:
    found = identities(["Samantha Fox", "Sam Fox", "Sam", "Samuel"])
    assert found["sam"] == found["sam fox"] == "samantha fox" != found["samuel"]


def test_a_title_tells_of_two_who_bear_one_name() -> None:
    found = identities(["Sgt Paul Dunn", "Kevin Dunn", "Sgt Dunn"])
    assert found["sgt dunn"] == "sgt paul dunn"
    found = identities(["Maria Keller", "Tom Keller", "Ms Keller", "Mr Keller"])
    assert (found["ms keller"], found["mr keller"]) == ("maria keller", "tom keller")


@pytest.mark.parametrize(
    ("marked", "numbers"),
    [
        ("{Mr Ivan Popov} came. His father, {Ivan Popov sr.}, left. {Ivan Popov} is fit.", [1, 2, 1]),
        ("On {Ivan Popov}. {Mr Popov} came. His father, {Ivan Popov sr.}, left. {Ivan Popov} is fit.", [1, 1, 2, 1]),
        ("{John Brown Jr} and his wife {Ann Brown} came. {John Brown} left.", [1, 2, 1]),
        ("{Mason Tyler Grant}. {Mason} lives with {Mrs Eva Hill} and Uncle {Tyler Grant}.", [1, 1, 2, 3]),
        ("{Cllr P. Singh} and {Rev. Peter Singh}. {Cllr Singh} is not related to {Rev. Singh}.", [1, 2, 1, 2]),
        ("{Ann Lee} came. {Rosa Hart} too. Daughter {Ann Hart} left; {Mrs Hart} not.", [1, 2, 3, 4]),
        ("{Mason Tyler Grant} came. {Mason} lives with Ann. Uncle {Tyler Grant} rang.", [1, 1, 2]),
        ("{Reginald Arthur Fitz} came. {Sir Reginald} left. {Sir Arthur Fitz} too.", [1, 1, 2]),
        ("{PC Grant} informed {Sgt Alice Grant}. {Grant} left.", [1, 2, 3]),
        ("{Luis Ramírez} and {Yolanda Ramírez}. {Ramirez} left. {Ramírez}'s car. {Ramírez's}", [1, 2, 3, 3, 3]),
        ("My cousin {Obinna} ({Obi}) came. {Obinna Eze} left. {Obi} slept.", [1, 1, 1, 1]),
        ("{Robert} (“{Bob}”) came. {Robert Eze} left.", [1, 1, 1]),
        ("{Anna Lee} ({Peter}) came. {Peter} left.", [1, 2, 2]),
        ("{William Lee} came. {William}'s grandson, {Dr Bill Lee}, left. {Bill} stayed.", [1, 1, 2, 2]),
        ("{Robert Lee Sr} met {Robert Lee Jr}. {Bob}'s father is {Robert Lee Sr}.", [1, 2, 2, 1]),
        ("{Robert Lee} is {Bob}'s father. {Bob} left. {Robert Lee} stayed.", [1, 2, 2, 1]),
        ("{Liz} was {Elizabeth Lee}'s niece. {Liz} left.", [1, 2, 1]),
        ("{Elizabeth Lee}, {Liz's} aunt, died. {Liz Lee} left.", [1, 2, 2]),
        ("{Robert Lee} rang. {Bob}'s father, {Robert Lee senior}, died.", [1, 1, 2]),
        ("{Nguyen Thi Mai} came. {Ms Nguyen} is well. So is {Mai}'s aunt, {Nguyen Thi Lan}.", [1, 1, 1, 2]),
        ("{NGUYEN Thi Mai} came. {Ms Nguyen} left. {Ms Mai} works; {Mai} rests.", [1, 1, 1, 1]),
        ("{Nguyen Van An} came. {Mr Nguyen} left. {Mr An} works.", [1, 1, 1]),
        ("{Anna Braun}, née {Weber}, came. {Anna Weber} left; {Ms Weber}, {Ms Braun}.", [1, 1, 1, 1, 1]),
        ("{Jane Foster} (formerly {Jane Hill}) came. {Mrs Hill} left. {Mrs Foster} too.", [1, 1, 1, 1]),
        ("{Sgt Hill} booked {Tom Hill}. {Sgt Hill} left. {Tom} did not.", [1, 2, 1, 2]),
        ("{Judge Reed} heard the case of {Tom Reed}.", [1, 2]),
        ("{Martin Hale} and {Colin Martin} came. {Mr Hale} left. {Mr Martin} stayed.", [1, 2, 1, 2]),
        ("{Ravi Rao} and {Raj Rao} came with their cousin {R. Rao}.", [1, 2, 3]),
        ("{Mr Reed} signed as {Tom Reed}. {Mr Reed}, {Tom Reed}, left.", [1, 1, 1, 1]),
        ("Mr and {Mrs Peter Lee} came. {Peter} left. {Mrs Lee} stayed, {Mr Lee} not.", [1, 1, 2, 1]),
    ],
)  # fmt: skip
def test_what_stands_beside_tells_who_is_who(marked: str, numbers: list[int]) -> None:
    text, terms = "", []
    for at, part in enumerate(re.split("[{}]", marked)):
        terms += [Term(len(text), len(text) + len(part), "PERSON", 1.0, "")] if at % 2 else []
        text += part
    facts = understand(text, terms)
    assert [facts.of(term).number for term in terms] == numbers


def test_a_name_in_capitals_is_read_as_the_same_name_in_small_letters() -> None:
    mentions = ["ANNA O'BRIEN", "Anna O'Brien", "William O'Brien", "Mr O'Brien", "Mrs O'Brien"]
    found = identities(mentions)
    assert found["mr o'brien"] == "william o'brien"
    assert found["mrs o'brien"] == "anna o'brien"
