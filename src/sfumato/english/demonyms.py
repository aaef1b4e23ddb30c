"""What people and things of a place are called: "Nigerian" tells Nigeria, "Mancunian" tells Manchester."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from sfumato.english.folding import normal_form, unaccented
from sfumato.english.inflection import possible_singulars

# Those that follow no rule: of countries, of regions and of cities that English has such a word for.
_WORDS = """\
afghanistan: afghan afghani; aland islands: alander; american samoa: samoan; antigua and barbuda:
antiguan barbudan; argentina: argentine argentinean; australia: aussie; azerbaijan: azeri; bahamas:
bahamian; bangladesh: bangladeshi; barbados: barbadian bajan; belarus: belarussian byelorussian; belgium:
belgian; benin: beninois; bosnia and herzegovina: bosnian bosniak herzegovinian; botswana: motswana
batswana; bulgaria: bulgar; burkina faso: burkinabe; cabo verde: cape_verdean; cambodia: khmer; canada:
canuck; cayman islands: caymanian; central african republic: central_african; china: chinese; comoros:
comorian comoran; congo: congolese; croatia: croat croatian; cyprus: cypriot; czech republic: czech;
czechia: czech; democratic republic of the congo: congolese; denmark: danish dane; dominican republic:
dominican; el salvador: salvadoran salvadorian salvadorean; england: english; equatorial guinea:
equatoguinean; eswatini: swazi; falkland islands: falklander; faroe islands: faroese; finland: finnish
finn; france: french; french polynesia: polynesian tahitian; great britain: british briton brit; greece: greek
hellene; greenland: greenlandic; guam: guamanian; guinea bissau: bissau-guinean bissau_guinean; hong
kong: hongkonger; hungary: hungarian magyar; iceland: icelandic icelander; iran: persian; iraq: iraqi;
ireland: irish; israel: israeli; italy: italian; ivory coast: ivorian; kazakhstan: kazakh kazak;
kiribati: gilbertese; kosovo: kosovar; kyrgyzstan: kyrgyz kirghiz; laos: lao laotian; latvia: lett;
lebanon: lebanese; lesotho: mosotho basotho; luxembourg: luxembourger luxembourgish; macao: macanese;
madagascar: malagasy madagascan; malaysia: malay; maldives: maldivian; marshall islands: marshallese;
martinique: martinican martiniquais; mauritius: mauritian; mayotte: mahoran mahorais; moldova: moldavian;
monaco: monegasque; mongolia: mongol; montenegro: montenegrin; mozambique: mozambican; myanmar: burmese;
netherlands: dutch netherlander; netherlands antilles: antillean; new zealand: kiwi; niger: nigerien;
north korea: korean; north macedonia: macedonian; norway: norwegian; palestinian territory: palestinian;
panama: panamanian; papua new guinea: papuan; peru: peruvian; philippines: filipino filipina philippine
pinoy; poland: polish pole; portugal: portuguese; republic of the congo: congolese; reunion: reunionnais;
romania: rumanian; saint kitts and nevis: kittitian nevisian; saint lucia: st_lucian; saint vincent and
the grenadines: vincentian; san marino: sammarinese; sao tome and principe: sao_tomean santomean; saudi
arabia: saudi; scotland: scottish scot scots; serbia: serb serbian; serbia and montenegro: serb serbian
montenegrin; seychelles: seychellois seychelloise; sierra leone: leonean; slovakia: slovak; slovenia:
slovene slovenian; solomon islands: solomon_islander; somalia: somali; south korea: korean; south sudan:
sudanese; spain: spanish spaniard; sweden: swedish swede; switzerland: swiss; tajikistan: tajik tadzhik;
thailand: thai; timor leste: timorese; togo: togolese; trinidad and tobago: trinidadian tobagonian trini;
turkey: turkish turk; turkmenistan: turkmen; united arab emirates: emirati emirian; united kingdom:
british briton britisher brit; united states: american yankee; uzbekistan: uzbek; vanuatu: ni-vanuatu;
vietnam: vietnamese; wales: welsh; western sahara: sahrawi; yemen: yemeni;
alsace: alsatian; basque country: basque; bengal: bengali; brittany: breton; catalonia: catalan;
chechnya: chechen; cornwall: cornish; dagestan: dagestani; flanders: flemish fleming; friesland: frisian;
gascony: gascon; hesse: hessian; indiana: hoosier; isle of man: manx; kent: kentish;
kurdistan: kurd kurdish; lancashire: lancastrian; michigan: michigander; normandy: norman;
orkney: orcadian; picardy: picard; piedmont: piedmontese; provence: provencal;
quebec: quebecois quebecer; savoy: savoyard; shropshire: salopian; swabia: swabian; tatarstan: tatar;
tibet: tibetan; tyrol: tyrolean tyrolese tirolean; wallonia: walloon; westphalia: westphalian;
aberdeen: aberdonian; athens: athenian; barcelona: barcelonian; basel: basler; bergamo: bergamasque;
bern: bernese; birmingham: brummie; bordeaux: bordelais; boston: bostonian;
brussels: bruxellois brusseler; buenos aires: porteno; cairo: cairene; cambridge: cantabrigian;
canton: cantonese; cape town: capetonian; cork: corkonian; damascus: damascene; dundee: dundonian;
florence: florentine; galway: galwegian; geneva: genevan genevese; genoa: genoese genovese;
glasgow: glaswegian; halifax: haligonian; hamburg: hamburger; krakow: cracovian; kyiv: kyivan kievan;
leeds: loiner; lima: limeno; liverpool: liverpudlian scouser; los angeles: angeleno; lyon: lyonnais;
madrid: madrilenian madrileno; manchester: mancunian; marseille: marseillais; melbourne: melburnian;
moscow: muscovite; mumbai: mumbaikar; munich: munchner muenchner; naples: neapolitan;
newcastle upon tyne: geordie novocastrian; nice: nicois; oxford: oxonian; paris: parisian parisienne;
peking: pekinese pekingese; rio de janeiro: carioca; rome: roman; santiago: santiaguino;
sao paulo: paulistano paulista; seville: sevillian sevillano; shanghai: shanghainese; sunderland: mackem;
sydney: sydneysider; toronto: torontonian; toulouse: toulousain; turin: turinese torinese;
valencia: valencian; venice: venetian; vienna: viennese wiener; warsaw: varsovian"""
_PAIRS = (" ".join(pair.split()).split(": ") for pair in _WORDS.split(";"))
_IRREGULAR = {place: [word.replace("_", " ") for word in words.split()] for place, words in _PAIRS}
# A place with one of these, and one whose last vowel or y makes way for it.
_ENDINGS = ("n", "an", "ian", "ese", "i", "er", "r", "ish", "ite", "ean")
_INSTEAD = ("an", "ian", "ese", "ine", "ish", "ite", "i", "er")
_WITHOUT_S = ("n", "an", "ian", "er")  # Texas, Honduras, Cook Islands
_LEAST = 3  # letters that are left of a place
_PERSON = re.compile(r"[ -]?(?:wo)?m[ae]n$|[ -](?:person|people|folk|girl|boy)s?$")
_PLACES: dict[str, list[str]] = defaultdict(list)
for _place, _names in _IRREGULAR.items():
    for _name in _names:
        _PLACES[_name].append(_place)


# They speak of their land, though the list of ordinary words has them.
ALWAYS_CAPITAL = frozenset({"english", "pole", "poles", "bucks"})


def demonyms(place: str) -> Iterator[str]:
    """What people of a place may be called, one or several of them, folded, words or not.

    >>> "nigerian" in demonyms("Nigeria"), "german" in demonyms("Germany"), "dutch" in demonyms("Netherlands")
    (True, True, True)
    >>> "viennese" in demonyms("Vienna"), "sicilian" in demonyms("Sicily"), "texan" in demonyms("Texas")
    (True, True, True)
    """
    low = _folded(place).removeprefix("the ")
    adjectives = [*_IRREGULAR.get(low, ()), *(low + ending for ending in _ENDINGS)]
    if low.endswith("s"):
        adjectives += [low[:-1] + ending for ending in _WITHOUT_S]
    if low[-1:] in "aeiouy":
        adjectives += [low[:-1] + ending for ending in _INSTEAD]
    if low.endswith("y"):  # Germany
        adjectives.append(low[:-1])
    if " of " in low:  # Democratic Republic of the Congo
        yield from demonyms(low.rpartition(" of ")[2])
    for word in adjectives:
        yield from (word, word + "s")
    for word in (low, *adjectives):
        yield from (word + people for people in ("man", "men", "woman", "women"))


def places_of(demonym: str) -> Iterator[str]:
    """The places whose people may be called so, one or several of them, folded, places or not.

    >>> {"nigeria"} <= set(places_of("Nigerian")), {"france"} <= set(places_of("Frenchwomen"))
    (True, True)
    >>> {"vienna"} <= set(places_of("Viennese")), {"manchester"} <= set(places_of("Mancunians"))
    (True, True)
    """
    said = _folded(demonym)
    singular = dict.fromkeys((said, said.removesuffix("s"), *possible_singulars(said)))
    for low in dict.fromkeys(w for form in singular for w in (form, _PERSON.sub("", form))):
        yield from (low,) if low not in singular else ()
        yield from _PLACES.get(low, ())
        for ending in {*_ENDINGS, *_INSTEAD, *_WITHOUT_S}:
            stem = low.removesuffix(ending)
            if stem != low and len(stem) >= _LEAST:
                yield from (stem + last for last in ("", *"aeiouys"))
        yield low + "y"


def lands_called(place: str) -> list[str]:
    """The places whose people are called after one that is not listed so itself.

    >>> lands_called("Palestine"), lands_called("Macedonia"), lands_called("Leeds")
    (['Palestinian Territory'], ['North Macedonia'], [])
    """
    if (low := _folded(place).removeprefix("the ")) in _IRREGULAR:
        return []
    found = (land for word in demonyms(place) for land in _PLACES.get(word, ()) if low[:4] in land)
    return [land.title() for land in dict.fromkeys(found)]


def _folded(words: str) -> str:
    return unaccented(normal_form(words)).lower()
