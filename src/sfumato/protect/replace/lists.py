"""Lists that names, places and peoples are invented from.

They are the project's own, put together by hand: the parts are such as English surnames, villages and given
names have, so that what is joined from them sounds like a name and belongs to few or none.
"""

from __future__ import annotations

from sfumato.english.wordlists import words

# Parts that surnames, places and given names are put together from.
FRONT = words(
    "Ald Alver Amber Arden Ash Ayl Bair Bel Black Blyth Brad Bram Brant Brook Cald Cam Carl Chad Clay"
    " Clif Col Comp Cran Crom Dal Dan Den Dray Dun East Ed Elms El Em Fair Farn Fen Fin Gar Gil Glad"
    " Glen Gran Hal Har Hart Hat Hazel Hen Hol Hunt Ing Kel Kings Lam Lang Led Lin Lock Lud Mal Mar"
    " Marl Mel Mil Mor Net New Nor Oak Or Pem Pen Rad Ral Red Rock Ros Row Sand Sel Shel Sher Stan"
    " Star Stone Sut Tal Thorn Tren Wal War Wat Wes Whit Wil Win Wood Wyn Yar"
)
BACK = words(
    "berry bourne bridge brook burn bury combe cott croft dale den don field fold ford gate grove ham"
    " hill hope hurst land law leigh ley low man march mere mond mont more ness ridge sall sett shaw"
    " stead stock ston stow thorpe ton tree vale wald ward way well wick win wood worth"
)
GIVEN_FRONT = words(
    "Al Am An Ar Bel Bran Cal Car Cel Cor Dal Dar Del El Em Er Ev Fal Fer Gal Gar Hal Hel Il Ir Is"
    " Jan Jor Kal Kel Lan Lav Len Lor Mal Mar Mel Mer Nar Nor Or Pel Per Ral Ren Ros Sal Sel Sol Tal"
    " Tam Ter Val Ver Vin Vir Wal Wil Yor Zel"
)
MIDDLE = words("a e i o an ar el en er il in is on or")
FEMALE_BACK = words(
    "bel belle bet cia da dora dra fina la leen lia line lle lyn lys mina na nda nelle nia nora ra"
    " ria rina sa sha sia tha tine tta trix via vie"
)
MALE_BACK = words(
    "bert bin car den dor dric fred gar go kin lan las lin lius man mar mond mus nard ner niel nor"
    " rick rin ron son stan ter thar ton tor vin vis win wyn"
)

PEOPLES = words(
    "Albanian Algerian Argentine Armenian Australian Austrian Belgian Bolivian Bosnian Brazilian Bulgarian"
    " Cambodian Canadian Chilean Colombian Croatian Cuban Cypriot Czech Danish Dutch Egyptian Estonian"
    " Ethiopian Finnish French Georgian German Ghanaian Greek Hungarian Icelandic Indian Indonesian"
    " Iranian Iraqi Irish Israeli Italian Jamaican Japanese Jordanian Kenyan Korean Latvian Lebanese"
    " Malaysian Maltese Mexican Mongolian Moroccan Nepalese Nigerian Norwegian Pakistani Peruvian Polish"
    " Portuguese Romanian Scottish Senegalese Serbian Slovak Slovenian Spanish Sudanese Swedish Swiss Syrian"
    " Thai Tunisian Turkish Ugandan Ukrainian Uruguayan Venezuelan Vietnamese Welsh Zambian"
)
