"""A region that is hidden does not come back as the more general word for a place in it, nor a class of things
as the more general word for one of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pytest

from sfumato import sanitize
from sfumato.errors import InputError

GENERALISE = {
    "protect": ["replace"],
    "replace": {"LOC": {"how": "generalise", "least": 10}, "*": "label"},
}
PLAUSIBLE = {"protect": [{"plausibility": {"t": 1000}}]}
# `default` lets countries and large regions stand: what they would tell is hidden under these.
HIDING: dict[str, Any] = {"gdpr": "gdpr", "generalise": GENERALISE, "plausibility": PLAUSIBLE}
POLICIES: dict[str, Any] = {"default": "default", **HIDING}
FEW: dict[str, Any] = {**POLICIES, "plausibility": {"protect": [{"plausibility": {"t": 20}}]}}
TEN: dict[str, Any] = {"protect": [{"plausibility": {"t": 10}}]}
PAIRS = [
    ("Finland", "Tampere"), ("Spain", "Seville"), ("Italy", "Naples"), ("Latvia", "Riga"),
    ("Poland", "Lublin"), ("Saxony", "Dresden"), ("Alberta", "Calgary"), ("Michigan", "Detroit"),
    ("Georgia", "Atlanta"), ("Devon", "Exeter"),
]  # fmt: skip


def told_by(text: str, policy: Any) -> str:
    """A release; nothing where t cannot be reached, as beside a word for its people no place pays."""
    try:
        return sanitize(text, policy).text
    except InputError as error:
        if "cannot be reached" not in str(error):
            raise
        return ""


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("region", "town"), PAIRS)
@pytest.mark.parametrize(
    "sentence", ["They left {0} in spring. Now {1} is home.", "From {1} to {0}: a long way."]
)
def test_a_hidden_region_is_not_told_by_its_town(
    policy: str, region: str, town: str, sentence: str
) -> None:
    text = sentence.format(region, town)
    told = told_by(text, POLICIES[policy])
    standing = len(re.findall(rf"\b{region}\b", told))
    before = sentence.partition("{0}")[0].rpartition("{1}")[2]
    stays = f"{before}{region}" in told  # the region itself may stand where nobody hides it
    assert stays or not standing, told


@pytest.mark.parametrize(
    ("general", "special"),
    [("morphine", "an opiate"), ("surgeon", "a doctor"), ("poodle", "a dog")],
)
def test_a_hidden_class_is_not_told_by_one_of_its_things(general: str, special: str) -> None:
    hide = [{"kind": "MISC", "terms": [general, special.split()[1]]}]
    rules = {
        "detect": [{"lists": {"hide": hide}}],
        "replace": {"*": {"how": "generalise"}},
    }
    told = sanitize(f"It was {special}; I mean the {general}.", rules).text
    assert special.split()[1] not in told
    assert general not in told


NAMES = [
    ("Cologne", ["Köln", "Keulen"]), ("Prague", ["Praha", "Prag"]), ("Warsaw", ["Warszawa", "Varsovian"]),
    ("Bavaria", ["Bayern", "Bavarians"]), ("Manchester", ["Mancunians"]), ("Los Angeles", ["LA", "Angeleno"]),
    ("Naples", ["Napoli", "Neapolitan"]), ("Antwerp", ["Antwerpen", "Anvers"]),
    ("Brussels", ["Bruxelles", "Brussel"]),
]  # fmt: skip
LARGE_NAMES = [("Texas", ["Texan"]), ("Wales", ["Cymru", "Welshman"]), ("Spain", ["España"])]


def by(policies: Iterable[str], cases: Iterable[Any]) -> list[Any]:
    return [(policy, *case) for case in cases for policy in policies]


@pytest.mark.parametrize(
    ("policy", "place", "others"), by(POLICIES, NAMES) + by(HIDING, LARGE_NAMES)
)
def test_a_hidden_place_is_not_told_by_another_name_or_by_its_people(
    policy: str, place: str, others: list[str]
) -> None:
    text = f"She moved to {place} in 2009 from Lima. {' and '.join(others)}: old friends say so."
    told = told_by(text, POLICIES[policy])
    assert place not in told
    for other in others:
        assert not re.search(rf"\b{other}\b", told), told


CITIES = [
    "Ciudad de México", "Quebec City", "Guatemala City", "Panama City", "Kansas City", "Oklahoma City",
    "Luxembourg City", "Santiago de Cuba", "Tunis", "Belize City", "Salt Lake City", "Virginia Beach",
    "New Delhi", "Washington, D.C.", "Gloucester", "Cambridge",
]  # fmt: skip


@pytest.mark.parametrize("policy", ["default", "generalise", "plausibility"])
@pytest.mark.parametrize("city", CITIES)
def test_no_word_for_a_city_bears_its_name(policy: str, city: str) -> None:
    """Nor any word of it that is no ordinary one: "Mexico", "Oklahoma", "Gloucestershire"."""
    told = sanitize(f"They live in {city} with two cats.", FEW[policy]).text.lower()
    words = [
        w
        for w in re.findall(r"\w+", city.lower())
        if w not in ("city", "new", "beach", "de", "d", "c")
    ]
    assert not any(word in told for word in words), told


@pytest.mark.parametrize(
    ("place", "people"),
    [
        ("England", "Englishwoman"),
        ("Denmark", "Dane"),
        ("Ireland", "Irishman"),
        ("France", "Parisian"),
    ],
)
@pytest.mark.parametrize("policy", HIDING)
def test_the_more_general_word_for_people_does_not_tell_a_hidden_land(
    policy: str, place: str, people: str
) -> None:
    text = f"He went to {place} to marry a {people}. They left {place} in May."
    told = sanitize(text, FEW[policy]).text
    stem = {"England": "Engl", "Denmark": "Dan", "Ireland": "Ir", "France": "Fr"}[place]
    assert not re.search(rf"\b{stem}\w+", told), told


WITHIN_LARGE = [
    ("Republic of Estonia v. Ann Lee. She lives in Tartu.", "Estonia"),
    ("State of Bahrain v. Ann Lee. She lives in Manama.", "Bahrain"),
    ("Ann Lee, 14 Pikk Street, Tallinn, Estonia, wrote. Tom Brown lives in Tartu.", "Estonia"),
    ("City of Houston v. Tom Reed. He lives in Katy, Texas.", "Texas|Harris"),
]
WITHIN = [
    ("County of Alameda sued Ann Lee. She lives in Oakland.", "Alameda"),
    ("Ann Lee works for Kent County Council. She lives in Maidstone.", "Kent"),
    ("Ann Lee lives at 9 Main Street, Austin, Texas 78701. Tom Brown lives in Dallas.", "Texas"),
    ("ONIKAN, LAGOS. Mr Ade lives in Surulere.", "Lagos"),
    ("Ann Lee reads visitestonia.com. She lives in Narva.", "Estonia"),
    ("University of Virginia hired Ann Lee. She lives in Richmond.", "Virginia"),
]


@pytest.mark.parametrize(
    ("policy", "text", "hidden"), by(POLICIES, WITHIN) + by(HIDING, WITHIN_LARGE)
)
def test_a_place_inside_a_hidden_name_does_not_come_back(
    policy: str, text: str, hidden: str
) -> None:
    told = told_by(text, POLICIES[policy])
    assert not re.search(rf"\b(?:{hidden})\b", told, re.IGNORECASE), told


STANDING = [
    ("State of Bahrain v. Ann Lee. She lives in Manama.", "State of Bahrain v. [PERSON 1]. She lives in Bahrain."),
    ("Republic of Estonia v. Ann Lee. She lives in Tartu.", "Republic of Estonia v. [PERSON 1]. She lives in Estonia."),
    ("The Republic of Estonia sued Ann Lee.", "The Republic of Estonia sued [PERSON 1]."),
    ("Ann Lee, 14 Pikk Street, Tallinn, Estonia, wrote. Tom Brown lives in Tartu.",
     "[PERSON 1], [ADDRESS 1], Estonia, wrote. [PERSON 2] lives in Estonia."),
    ("Ann Lee came from Boston, Massachusetts. Send it to the MA office.",
     "[PERSON 1] came from [PLACE 1], Massachusetts. Send it to the MA office."),
    ("Ann Lee came from the United States. She spoke of the US and the U.S. often.",
     "[PERSON 1] came from the United States. She spoke of the US and the U.S. often."),
    ("Ms Lee was born in New Zealand. NZ is her home.", "Ms [PERSON 1] was born in New Zealand. NZ is her home."),
    ("He was born in Paris, Texas. Paris is small.", "He was born in [PLACE 1], Texas. [PLACE 1] is small."),
    ("He was born in Lima, Peru. He left Lima.", "He was born in [PLACE 1], Peru. He left [PLACE 1]."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "made"), STANDING)
def test_a_country_that_stands_by_default_stands_however_it_is_told(text: str, made: str) -> None:
    """It is not hidden, so nothing implies it; the town in it is the same label wherever it is told."""
    assert sanitize(text).text == made


SHORT = [
    ("Los Angeles", "She flew home (LA) late. L.A. is hot.", "LA|L.A"),
    ("Ho Chi Minh City", "They met in HCMC again.", "HCMC"),
]
SHORT_LARGE = [
    ("the United States", "She spoke of the US and the U.S. often.", "US|U.S"),
    ("Boston, Massachusetts", "Send it to the MA office.", "MA"),
    ("Columbus, Ohio", "Send it to the OH office.", "OH"),
    ("the United Kingdom", "The UK and GB and the U.K. too.", "UK|GB|U.K"),
    ("Saudi Arabia", "The KSA visa is there.", "KSA"),
    ("Peru", "The Peruvians and a Peruvian left.", "Peruvians?"),
    ("Tartu, Estonia", "The Estonian woman left.", "Estonian"),
    ("New Zealand", "NZ is far away.", "NZ"),
    ("Leeds, England", "The English are nice.", "English"),
    ("Lyon, France", "The Parisian left.", "Parisian"),
    ("the United States", "A Texan met two New Yorkers.", "Texan|Yorkers"),
    ("Scotland", "Glaswegians and an Aberdonian came.", "Glaswegians|Aberdonian"),
]


# As `research`, with other countries for countries.
INVENTED = {"detect": ["patterns", "personal"], "replace": {"*": "surrogate"}}


@pytest.mark.parametrize(
    ("policy", "place", "sentence", "hidden"),
    by([*POLICIES, "invented", "strict"], SHORT) + by([*HIDING, "invented", "strict"], SHORT_LARGE),
)
def test_a_hidden_place_is_not_told_for_short(
    policy: str, place: str, sentence: str, hidden: str
) -> None:
    text = f"Ann Lee came from {place}. {sentence}"
    told = told_by(text, {**FEW, "invented": INVENTED}.get(policy, policy))
    assert not re.search(rf"\b(?:{hidden})\b", told), told


@pytest.mark.parametrize("kept", ["CA 125 was high", "come with us or me", "SAID IN OR TO US"])
def test_words_that_are_no_places_stand_beside_a_hidden_one(kept: str) -> None:
    text = f"Ann Lee left California for Oregon in the United States.\n\n{kept}\n"
    hide = [{"kind": "LOC", "terms": ["California", "Oregon", "United States"]}]
    rules = {"detect": [{"lists": {"hide": hide}}], "replace": {"*": "label"}}
    assert kept in sanitize(text, rules).text


@pytest.mark.parametrize("policy", ["strict", "clinical", "gdpr"])
@pytest.mark.parametrize("date", ["3 May 2023", "3/5/2023", "May 2023", "2023-05-03"])
@pytest.mark.parametrize(
    ("state", "letters"), [("Connecticut", "CT"), ("Michigan", "MI"), ("Tennessee", "TN")]
)
def test_letters_before_a_date_are_released_and_a_place_before_one_is_not(
    policy: str, date: str, state: str, letters: str
) -> None:
    text = f"She lives in {state}. Comparison: {letters} {date} was clear."
    assert state not in sanitize(text, policy).text
    text = f"She lives in {state}. She moved to {letters} {date} with us."
    assert not re.search(rf"\b{letters}\b", sanitize(text, policy).text)


@pytest.mark.parametrize("policy", HIDING)
@pytest.mark.parametrize(
    "town", ["Paris, Texas", "Tartu, Estonia", "Lima, Peru", "Cambridge, England", "Cambridge, MA"]
)
def test_a_town_with_its_country_is_the_town_told_later(policy: str, town: str) -> None:
    name = town.partition(",")[0]
    text = f"He was born in {town}. {name} is small. He left {name}."
    few = FEW[policy] if town != "Lima, Peru" or policy != "plausibility" else TEN
    told = sanitize(text, few).text
    found = re.fullmatch(
        r"He was born in (?:the )?(.+)\. (?:The )?(.+) is small. He left (.+)\.", told
    )
    assert found, told
    assert len(set(found.groups())) == 1, told


@pytest.mark.parametrize("place", ["Peru", "Lima, Peru", "Bolivia", "Quito, Ecuador"])
def test_a_country_of_a_continent_with_few_becomes_that_continent(place: str) -> None:
    for policy in (FEW["plausibility"], TEN):
        assert sanitize(f"He was born in {place}.", policy).text == "He was born in South America."


@pytest.mark.parametrize("place", ["Canada", "Toronto, Canada"])
def test_a_country_of_a_continent_with_few_is_refused_where_t_asks_for_more(place: str) -> None:
    """What is said for the whole of North America stands for the few lands without a part of their own."""
    with pytest.raises(InputError, match="t = 50 cannot be reached"):
        sanitize(f"He was born in {place}.", {"protect": [{"plausibility": {"t": 50}}]})


@pytest.mark.parametrize(
    ("policy", "place"),
    [("default", "Los Angeles"), ("default", "San Francisco"), ("generalise", "New Zealand")],
)
def test_a_place_told_for_short_is_softened_as_in_full(policy: str, place: str) -> None:
    short = "".join(word[0] for word in place.split())
    told = sanitize(f"Ms Lee was born in {place}. {short} is her home.", POLICIES[policy]).text
    found = re.fullmatch(
        r"Ms \[PERSON 1\] was born in (?:the |a )?(.+)\. (?:The |A )?(.+) is her home\.", told
    )
    assert found, told
    assert found[1] == found[2], told


@pytest.mark.parametrize(
    "text",
    ["He drives in from Springhill, then home.", "They sang a song from Hamilton. I moved from Lowell to Tulsa.",
     "I live in Launceston and earn $300.", "She lives in Durham.", "She paid £40 and lives in Perth.",
     "Halifax is far. She lives in Springhill, Canada.", "We live in Slinger."],
)  # fmt: skip
def test_a_place_is_raised_only_where_its_name_or_the_text_tells_which_it_is(text: str) -> None:
    told = sanitize(text).text
    lands = "Louisiana Tasmania Australia Scotland Wisconsin Cornwall England"
    assert not [land for land in (*lands.split(), "United States") if land in told]


@pytest.mark.parametrize(
    ("text", "around"),
    [("She lives in Wem and the NHS helps.", "Shropshire"), ("We live in Toronto.", "Ontario"),
     ("We live in Launceston, under the Fair Work Act.", "Tasmania"), ("He is from Drogheda.", "Leinster")],
)  # fmt: skip
def test_a_place_that_is_told_apart_is_raised(text: str, around: str) -> None:
    assert around in sanitize(text).text


MONEY = [
    ("Ghana", "Kumasi", "900 Ghanaian cedis", "Ghana|cedi"),
    ("Norway", "Bergen", "NOK 4,000", "NOK|Norw"),
    ("Ukraine", "Lviv", "700 hryvnias", "hryvnia|Ukrain"),
    ("Singapore", "Jurong", "S$800", r"S\$"),
    ("Thailand", "Phuket", "5,000 Thai baht", "Thai|baht"),
    ("Jordan", "Irbid", "300 Jordanian dinars", "Jordan"),
]
SOFTENING: dict[str, Any] = {
    "plausibility": {"protect": [{"plausibility": {"t": 20}}]},
    "surrogate": {"detect": ["patterns", "personal"], "replace": {"*": "surrogate"}},
}


@pytest.mark.parametrize("policy", SOFTENING)
@pytest.mark.parametrize(("land", "town", "money", "telling"), MONEY)
def test_a_hidden_land_is_not_told_by_its_money(
    land: str, town: str, money: str, telling: str, policy: str
) -> None:
    text = f"Ivy Bell was born in {land} and lived in {town}. Her uncle owes {money}."
    assert not re.search(telling, sanitize(text, SOFTENING[policy]).text)


def test_money_of_another_land_stands_beside_its_amount() -> None:
    text = "Ivy Bell was born in Ghana. Her uncle owes 900 Swiss francs."
    assert re.search(r"\d Swiss francs", sanitize(text, SOFTENING["surrogate"]).text)
