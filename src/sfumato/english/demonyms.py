"""What people and things of a place are called: "Nigerian" tells Nigeria, "Mancunian" tells Manchester."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from sfumato.english.folding import normal_form, unaccented
from sfumato.english.inflection import possible_singulars

# Those that follow no rule: of countries, of regions and of cities that English has such a word for.
_WORDS = """\
afghanistan: afghan; argentina: argentine; bangladesh: bangladeshi; belgium: belgian;
burkina faso: burkinabe; china: chinese; congo: congolese; croatia: croat croatian; cyprus: cypriot;
czech republic: czech; czechia: czech; denmark: danish dane; england: english; finland: finnish finn;
france: french; great britain: british briton; greece: greek; hungary: hungarian;
iceland: icelandic icelander; iraq: iraqi; ireland: irish; israel: israeli; italy: italian;
ivory coast: ivorian; kazakhstan: kazakh; kosovo: kosovar; kyrgyzstan: kyrgyz; laos: lao laotian;
lebanon: lebanese; luxembourg: luxembourger luxembourgish; madagascar: malagasy; monaco: monegasque;
myanmar: burmese; netherlands: dutch; niger: nigerien; norway: norwegian; peru: peruvian;
philippines: filipino filipina philippine; poland: polish pole; portugal: portuguese;
scotland: scottish scot scots; serbia: serb serbian; slovakia: slovak; slovenia: slovene slovenian;
spain: spanish spaniard; sweden: swedish swede; switzerland: swiss; tajikistan: tajik; thailand: thai;
turkey: turkish turk; turkmenistan: turkmen; united kingdom: british briton britisher;
united states: american yankee; uzbekistan: uzbek; vietnam: vietnamese; wales: welsh; yemen: yemeni;
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
_IRREGULAR = dict(pair.strip().split(": ") for pair in _WORDS.split(";"))
# A place with one of these, and one whose last vowel or y makes way for it.
_ENDINGS = ("n", "an", "ian", "ese", "i", "er", "r", "ish", "ite", "ean")
_INSTEAD = ("an", "ian", "ese", "ine", "ish", "ite", "i", "er")
_LEAST = 3  # letters that are left of a place
_PERSON = re.compile(r"[ -]?(?:wo)?m[ae]n$|[ -](?:person|people|folk|girl|boy)s?$")
_PLACES: dict[str, list[str]] = defaultdict(list)
for _place, _names in _IRREGULAR.items():
    for _name in _names.split():
        _PLACES[_name].append(_place)


ALWAYS_CAPITAL = frozenset(
    {"english"}
)  # speaks of its land, though the list of ordinary words has it


def demonyms(place: str) -> Iterator[str]:
    """What people of a place may be called, one or several of them, folded, words or not.

    >>> "nigerian" in demonyms("Nigeria"), "german" in demonyms("Germany"), "dutch" in demonyms("Netherlands")
    (True, True, True)
    >>> "viennese" in demonyms("Vienna"), "sicilian" in demonyms("Sicily"), "texan" in demonyms("Texas")
    (True, True, True)
    """
    low = _folded(place).removeprefix("the ")
    adjectives = [*_IRREGULAR.get(low, "").split(), *(low + ending for ending in _ENDINGS)]
    if low.endswith("s"):  # Texas, Honduras
        adjectives += [low[:-1] + ending for ending in ("n", "an", "ian")]
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
    for form in dict.fromkeys((said, *possible_singulars(said))):
        low = _PERSON.sub("", form)
        yield from (low,) if low != form else ()
        yield from _PLACES.get(low, ())
        yield from (
            low[: -len(e)] for e in _ENDINGS if low.endswith(e) and len(low) >= len(e) + _LEAST
        )
        for ending in _INSTEAD:
            stem = low.removesuffix(ending)
            if low.endswith(ending) and len(stem) >= _LEAST:
                yield from (stem + vowel for vowel in "aeoy")
        yield low + "y"
        yield from (low.removesuffix(e) + "s" for e in ("n", "an", "ian") if low.endswith(e))


def _folded(words: str) -> str:
    return unaccented(normal_form(words)).lower()
