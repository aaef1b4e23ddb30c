"""Places: senses by likelihood, ladders through county, region, country and continent, and the tree itself."""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.know.taxonomy import places
from sfumato.know.taxonomy.ladder import Sense

WORLD = places.default()
NUMBERS = st.integers(0, len(WORLD) - 1)
TABLE = WORLD._table
LEVELS = TABLE.levels.tolist()

# Towns, and what they lie in up to their country; none of the lists that the table is made of says it so.
TRUTHS = """
    Aberystwyth: Ceredigion, Wales, United Kingdom
    Swansea: Wales, United Kingdom
    Carmarthen: Carmarthenshire, Wales, United Kingdom
    Merthyr Tydfil: Wales, United Kingdom
    Paisley: Renfrewshire, Scotland, United Kingdom
    Kirkcaldy: Fife, Scotland, United Kingdom
    Stornoway: Outer Hebrides, Scotland, United Kingdom
    Inverness: Scottish Highlands, Scotland, United Kingdom
    Omagh: County Tyrone, Northern Ireland, United Kingdom
    Enniskillen: County Fermanagh, Northern Ireland, United Kingdom
    Londonderry: County Londonderry, Northern Ireland, United Kingdom
    Colchester: Essex, England, United Kingdom
    Penzance: Cornwall, England, United Kingdom
    Maidstone: Kent, England, United Kingdom
    Leeds: West Yorkshire, Yorkshire, England, United Kingdom
    Hull: East Riding of Yorkshire, Yorkshire, England, United Kingdom
    Brighton: East Sussex, Sussex, England, United Kingdom
    Stockport: Greater Manchester, England, United Kingdom
    Caversham: Berkshire, England, United Kingdom
    Hereford: Herefordshire, England, United Kingdom
    Tralee: County Kerry, Munster, Ireland
    Ennis: County Clare, Munster, Ireland
    Letterkenny: County Donegal, Ulster, Ireland
    Drogheda: County Louth, Leinster, Ireland
    Evanston: Cook County, Illinois, United States
    Pasadena: Los Angeles County, California, United States
    Yonkers: Westchester County, New York, United States
    Princeton: Mercer County, New Jersey, United States
    Baton Rouge: East Baton Rouge Parish, Louisiana, United States
    Ann Arbor: Washtenaw County, Michigan, United States
    Omaha: Douglas County, Nebraska, United States
    Anchorage: Alaska, United States
    Seattle: King County, Washington State, United States
    Lyon: Rhône, Rhône-Alpes, Auvergne-Rhône-Alpes, France
    Strasbourg: Bas-Rhin, Alsace, Grand Est, France
    Dijon: Côte-d'Or, Burgundy, Bourgogne-Franche-Comté, France
    Rennes: Ille-et-Vilaine, Brittany, France
    Nice: Alpes-Maritimes, Provence-Alpes-Côte d'Azur, France
    Marbella: Málaga province, Andalusia, Spain
    Bilbao: Biscay, Basque Country, Spain
    San Sebastián: Gipuzkoa, Basque Country, Spain
    Girona: Girona province, Catalonia, Spain
    Florence: Tuscany, Italy
    Lecce: Apulia, Italy
    Trieste: Friuli Venezia Giulia, Italy
    Augsburg: Bavaria, Germany
    Leipzig: Saxony, Germany
    Kassel: Hesse, Germany
    Graz: Styria, Austria
    Klagenfurt: Carinthia, Austria
    Lausanne: Vaud, Switzerland
    Chur: Grisons, Switzerland
    Bruges: West Flanders, Flanders, Belgium
    Charleroi: Hainaut, Wallonia, Belgium
    Leiden: South Holland, Netherlands
    Odense: Southern Denmark, Denmark
    Malmö: Skåne, Sweden
    Bergen: Vestland, Norway
    Oulu: North Ostrobothnia, Finland
    Tartu: Tartu County, Estonia
    Kraków: Lesser Poland, Poland
    Brno: South Moravia, Czechia
    Thessaloniki: Central Macedonia, Greece
    Coimbra: Coimbra District, Portugal
    Calgary: Alberta, Canada
    Halifax: Nova Scotia, Canada
    Cairns: Queensland, Australia
    Geelong: Victoria, Australia
    Dunedin: Otago, New Zealand
    Mombasa: Mombasa, Kenya
    Kumasi: Ashanti, Ghana
    Ibadan: Oyo, Nigeria
    Durban: KwaZulu-Natal, South Africa
    Fez: Fès-Meknès, Morocco
    Karachi: Sindh, Pakistan
    Kochi: Kerala, India
    Surabaya: East Java, Indonesia
    Sapporo: Hokkaido, Japan
    Chengdu: Sichuan, China
    Guadalajara: Jalisco, Mexico
    Cancún: Quintana Roo, Mexico
    Medellín: Antioquia, Colombia
    Rosario: Santa Fe, Argentina
    Recife: Pernambuco, Brazil
    Kazan: Tatarstan, Russia
"""


def ladder(term: str, number: int = 0) -> list[str]:
    return [s.term for s in WORLD.climb(WORLD.senses(term)[number])]


def around(number: int) -> list[str]:
    """What a place lies in, up to its country."""
    return [TABLE.names[n] for n in WORLD.above(number)[1:] if LEVELS[n] >= places.COUNTRY]


@pytest.mark.parametrize("truth", TRUTHS.strip().splitlines())
def test_towns_lie_where_they_lie(truth: str) -> None:
    town, _, expected = truth.strip().partition(": ")
    assert ", ".join(around(WORLD.senses(town)[0].key)) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Wales", "region in United Kingdom"),
        ("Cornwall", "county in England, United Kingdom"),
        ("Essex", "county in England, United Kingdom"),
        ("Yorkshire", "region in England, United Kingdom"),
        ("Cook County", "county in Illinois, United States"),
        ("Kerry", "county in Munster, Ireland"),
        ("Toscana", "region in Italy"),
        ("Tuscany", "region in Italy"),
        ("Catalunya", "region in Spain"),
        ("Bayern", "region in Germany"),
        ("Queensland", "region in Australia"),
        ("Bretagne", "region in France"),
        ("Northern Europe", "part in Europe"),
        ("Estonia", "country in Northern Europe, Europe"),
        ("Dhekelia", "city in United Kingdom"),
    ],
)
def test_counties_and_regions_are_known_by_the_names_people_use(said: str, expected: str) -> None:
    assert WORLD.describe(WORLD.senses(said)[0]) == expected


@pytest.mark.parametrize(
    ("city", "around"),
    [
        ("Sacramento", ["California", "United States", "North America", "place"]),
        ("Munich", ["Bavaria", "Germany", "Western Europe", "Europe", "place"]),
        ("Osaka", ["Japan", "East Asia", "Asia", "place"]),
        ("Toronto", ["Ontario", "Canada", "North America", "place"]),
        ("Mumbai", ["Maharashtra", "India", "South Asia", "Asia", "place"]),
        ("Glasgow", ["Scotland", "United Kingdom", "Northern Europe", "Europe", "place"]),
        ("Texas", ["United States", "North America", "place"]),
        ("France", ["Western Europe", "Europe", "place"]),
    ],
)
def test_places_climb_to_the_world(city: str, around: list[str]) -> None:
    assert ladder(city)[1:] == around


def test_every_city_has_a_country_and_nearly_every_one_a_region() -> None:
    cities, with_region = Counter[str](), Counter[str]()
    for number in (n for n, level in enumerate(LEVELS) if level == places.CITY):
        above = [LEVELS[n] for n in WORLD.above(number)]
        assert above.count(places.COUNTRY) == 1
        country = around(number)[-1]
        cities[country] += 1
        with_region[country] += places.REGION in above
    assert cities.total() > 69_000
    assert with_region.total() > 0.97 * cities.total()
    assert with_region.total() > 0.999 * sum(cities[c] for c in +with_region)


def test_the_tree_nests_level_in_level() -> None:
    for number, parent in enumerate(TABLE.parents.tolist()):
        low, high = LEVELS[number], LEVELS[parent]
        if number == 0:
            assert parent == 0
        elif low == places.REGION == high:  # Alsace in Grand Est, Yorkshire in England
            assert LEVELS[TABLE.parents[parent]] == places.COUNTRY
        else:
            assert low > high
        if low == places.COUNTRY:
            assert high in (places.CONTINENT, places.PART)


@pytest.mark.parametrize(
    ("country", "continent"),
    [
        ("Estonia", "Europe"),
        ("Cyprus", "Europe"),
        ("Turkey", "Asia"),
        ("Timor Leste", "Asia"),
        ("Egypt", "Africa"),
        ("Jamaica", "North America"),
        ("Mexico", "North America"),
        ("Peru", "South America"),
        ("Fiji", "Oceania"),
    ],
)
def test_countries_lie_on_their_continents(country: str, continent: str) -> None:
    assert ladder(country)[-2] == continent


def test_no_town_of_wales_scotland_or_northern_ireland_is_in_england() -> None:
    nations = [n for n in WORLD.children(WORLD.senses("UK")[0]) if LEVELS[n.key] == places.REGION]
    assert {n.term for n in nations} == {"England", "Scotland", "Wales", "Northern Ireland"}
    counts = {n.term: WORLD.volume(n) for n in nations}
    assert counts["Wales"] > 100
    assert counts["Scotland"] > 180
    assert counts["Northern Ireland"] > 40
    towns = ("Cardiff", "Newport", "Wrexham", "Llandudno", "Aberdeen", "Dundee", "Belfast", "Newry")
    for town in towns:
        wide = [
            around(s.key)[-2] for s in WORLD.senses(town) if around(s.key)[-1] == "United Kingdom"
        ]
        assert wide[0] in ("Wales", "Scotland", "Northern Ireland"), town


def test_names_read_as_people_say_them() -> None:
    for number, name in enumerate(TABLE.names):
        if LEVELS[number] < places.CITY:
            assert name == name.strip()
            assert "[" not in name
            assert not name.startswith("The ")
            assert LEVELS[number] == places.COUNTRY or ", " not in name


def test_senses_are_ordered_by_people_and_fame() -> None:
    paris = WORLD.senses("Paris")
    assert [WORLD.describe(s) for s in paris[:2]] == [
        "city in Île-de-France, France",
        "city in Lamar County, Texas, United States",
    ]
    assert [s.term for s in paris[-2:]] == ["Paris", "Parys"]  # a name from elsewhere comes last
    # More people live in Princeton, Florida; a foreign name gives way to a place's own.
    assert around(WORLD.senses("Princeton")[0].key)[1] == "New Jersey"
    assert around(WORLD.senses("Zaragoza")[0].key)[-1] == "Spain"


def test_a_land_with_more_people_than_its_namesakes_is_meant() -> None:
    for name in (
        "Colombia",
        "San Marino",
        "Lebanon",
        "Mozambique",
        "Zaire",
        "Swaziland",
        "Luxembourg",
    ):
        assert WORLD.is_country(WORLD.senses(name)[0].key), name
    assert WORLD.describe(WORLD.senses("Asia")[0]) == "continent"
    assert WORLD.describe(WORLD.senses("Georgia")[0]) == "region in United States"


def test_a_place_can_be_named_with_what_it_lies_in() -> None:
    assert ladder("Paris, Texas")[1] == "Texas"  # no other city of its county is in the table
    assert ladder("Paris, Texas, USA")[1] == "Texas"
    assert around(WORLD.senses("Bangor, Wales")[0].key) == ["Gwynedd", "Wales", "United Kingdom"]
    assert WORLD.senses("Paris, Ohio, France") == []


@pytest.mark.parametrize(
    ("said", "same"),
    [
        ("München", "Munich"),
        ("Zurich", "Zürich"),
        ("UK", "United Kingdom"),
        ("SAO PAULO", "São Paulo"),
        ("Co. Mayo", "County Mayo"),
        ("Halle", "Halle (Saale)"),
    ],
)
def test_other_names_and_spellings_are_found(said: str, same: str) -> None:
    assert same in {s.term for s in WORLD.senses(said)}


def test_words_in_lower_case_are_no_places() -> None:
    assert WORLD.senses("nice") == []
    assert WORLD.senses("reading") == []
    assert WORLD.senses("") == []
    assert WORLD.senses("Xyzzyqua") == []
    assert not WORLD.senses("place")[0].named


def test_a_city_comes_before_what_has_its_name_and_skips_it() -> None:
    assert WORLD.describe(WORLD.senses("Kyoto")[0]) == "city in Kyoto, Japan"
    assert ladder("Kyoto") == ["Kyoto", "Japan", "East Asia", "Asia", "place"]
    assert WORLD.describe(WORLD.senses("Cork")[0]) == "city in County Cork, Munster, Ireland"
    assert ladder("Cork")[1] == "Munster"
    assert ladder("Los Angeles")[1] == "California"


def test_a_county_most_of_whose_people_live_in_one_city_would_tell_the_city() -> None:
    assert around(WORLD.senses("Boston")[0].key)[0] == "Suffolk County"
    assert ladder("Boston")[1] == "Massachusetts"
    assert ladder("Evanston")[1] == "Cook County"


def test_small_counties_are_not_looked_for_but_small_countries_are() -> None:
    names = WORLD.names(min_population=15_000)
    assert {"cornwall", "wales", "tuscany", "tuvalu", "northern europe"} <= set(names)
    assert "benedikt" not in names
    assert names["paris"] == WORLD.senses("Paris")[0].key
    assert len(WORLD.names()) > len(names)


def test_volumes_are_those_of_a_recount() -> None:
    for number in [0, *random.Random(0).sample(range(4000), 300)]:
        sense = Sense(places.NAME, number, "x")
        leaves, todo = 0, [sense]
        while todo:
            below = WORLD.children(todo.pop())
            leaves += not below
            todo += below
        assert WORLD.volume(sense) == leaves


@given(NUMBERS)
def test_volumes_grow_and_bits_shrink_on_the_way_up(number: int) -> None:
    steps = WORLD.climb(Sense(places.NAME, number, "x"))
    assert steps[0].volume == 1
    for low, high in itertools.pairwise(steps):
        assert low.volume < high.volume
        assert low.bits >= high.bits >= 0


def test_population_is_not_a_volume() -> None:
    tokyo = WORLD.senses("Tokyo")[0]
    assert WORLD.population(tokyo.key) > 5_000_000
    assert WORLD.climb(tokyo)[0].volume == 1


@pytest.mark.parametrize(
    ("names", "written"),
    [
        ("New York City, NYC, Big Apple, the Big Apple, Nueva York", "New York City"),
        ("Washington D.C., Washington, D.C., Washington, D.C", "Washington"),
        ("Munich, München, Muenchen, Monachium", "Munich"),
        ("Köln, Koeln, Cologne, Keulen", "Köln"),
        ("Vienna, Wien, Bécs, Vindobona", "Vienna"),
        ("Florence, Firenze, Florenz", "Florence"),
        ("Prague, Praha, Praga", "Prague"),
        ("Regensburg, Ratisbon, Ratisbonne", "Regensburg"),
        ("Liège, Lüttich, Luik", "Liège"),
        ("Bolzano, Bozen", "Bolzano"),
        ("Luxembourg City", "Luxembourg"),
        ("Gdańsk, Danzig, Danzica", "Gdańsk"),
        ("Germany, Deutschland", "Germany"),
        ("Saint Petersburg, St. Petersburg, St Petersburg, Leningrad", "Saint Petersburg"),
        ("St. Louis, Saint Louis, St Louis", "St. Louis"),
        ("Los Angeles, LA, L.A.", "Los Angeles"),
    ],
)
def test_all_names_of_a_place_are_one_place(names: str, written: str) -> None:
    each = re.split(r", (?!D\.C)", names)
    nodes = {WORLD.senses(name)[0].key for name in each}
    assert {WORLD.written(node) for node in nodes} == {written}
    assert len(nodes) == 1
    assert {places.key_of(name.removeprefix("the ")) for name in each} <= WORLD.names_of(
        nodes.pop()
    )


def test_a_name_that_two_places_have_may_be_either() -> None:
    assert {"Roma", "Rome"} <= {s.term for s in WORLD.senses("Roma")}
    assert "Mexico City" in {s.term for s in WORLD.senses("Mexico")}


@pytest.mark.parametrize(
    ("city", "rungs"),
    [
        ("NYC", ["United States", "North America"]),
        ("Mexico City", ["North America"]),
        ("Guatemala City", ["Central America", "North America"]),
        ("Kuwait City", ["Capital Governorate", "Western Asia", "Asia"]),
        ("Panama City", ["Central America", "North America"]),
        ("Oklahoma City", ["United States", "North America"]),
        ("Quebec City", ["Canada", "North America"]),
        ("São Paulo", ["Brazil", "South America"]),
        ("Washington, D.C.", ["United States", "North America"]),
        ("Tunis", ["North Africa", "Africa"]),
        ("Santiago de Cuba", ["Caribbean", "North America"]),
        ("Virginia Beach", ["United States", "North America"]),
        ("Gloucester", ["England", "United Kingdom", "Northern Europe", "Europe"]),
    ],
)
def test_no_rung_of_a_city_bears_its_name(city: str, rungs: list[str]) -> None:
    assert ladder(city)[1:-1] == rungs


def test_no_city_of_the_world_is_said_by_a_name_of_its_own() -> None:
    letters = {n: places.key_of(name) for n, name in enumerate(TABLE.names)}
    for number in (n for n, level in enumerate(LEVELS) if level == places.CITY):
        for around in WORLD.above(number)[1:-1]:
            own, said = f" {letters[number]} ", f" {letters[around]} "
            bears = said.strip() in WORLD.names_of(number) or own in said or said in own
            assert not bears or WORLD.tells(around, number), (own, said)


def test_the_places_that_a_name_tells_are_those_whose_steps_it_is_left_out_of() -> None:
    told = {(n, around) for around in range(len(WORLD)) for n in WORLD.told_by(around).tolist()}
    for number in random.Random(7).sample(range(len(WORLD)), 3000):
        for around in WORLD.above(number)[1:-1]:
            assert WORLD.tells(around, number) == ((number, around) in told)
    assert all(WORLD.tells(around, number) for number, around in told)


def test_people_tell_their_lands() -> None:
    for people, land in (
        ("Mancunians", "Manchester"),
        ("Florentine", "Florence"),
        ("Texan", "Texas"),
    ):
        assert land in map(WORLD.written, WORLD.lands(people))
    assert not WORLD.lands("a person of means")


def test_a_very_long_name_is_no_place_and_takes_no_memory() -> None:
    import tracemalloc

    from sfumato.know.taxonomy.places import Places

    places = Places()
    places.senses("New York")
    tracemalloc.start()
    try:
        assert not places.senses("New " + "York " * 16_000)
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()
