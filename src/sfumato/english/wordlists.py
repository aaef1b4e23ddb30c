"""Words: lists of them for reading and inventing names, places and numbers."""

from __future__ import annotations


def words(text: str) -> tuple[str, ...]:
    """The words of a text, in its order."""
    return tuple(text.split())


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

# Words around persons' names.
TITLES = words(
    "mr mrs ms miss mx dr prof professor doctor sir dame lord lady judge justice rev reverend hon fr"
    " father sister brother nurse capt captain sgt sergeant lt lieutenant col colonel gen general maj"
    " major cpl pc dc di det detective inspector officer agent president senator herr frau monsieur"
    " madame mme mlle señor señora sr sra don doña"
)
TITLES_BEFORE_GIVEN = words("sir dame sister brother father fr don doña")
SUFFIXES = words(
    "jr sr ii iii iv md phd msc bsc frcp frcs mrcp esq qc kc rn do dds jd mba obe cbe mbe"
)
PARTICLES = words(
    "de del della der den di do dos das da du des la le van von vom zu zur zum ter ten te af av y e i"
    " al el bin ibn bint ben abu san st"
)
# These also begin given names ("Al", "Ben"): particles only in small letters or with a hyphen.
OPEN_PARTICLES = words("al el bin ben e i y do san st te")

# Words that say what an organisation or a place is, not which one.
ORG_WORDS = words(
    "academy agency and association bank board bureau care center centre chambers church city clinic"
    " club co college commission committee community company corp corporation council county court"
    " department dept division education for foundation fund general gmbh group hall health high holdings"
    " home hospital hotel inc industries infirmary insurance institute international laboratories law"
    " legal library limited llc llp ltd medical ministry museum national nhs of office partners party"
    " pharmacy plc police practice primary program public royal school secondary service services sa se"
    " society solicitors solutions st state surgery systems team technologies the trust union university"
    " ward"
)
STREET_WORDS = words(
    "alley apartment apt avenue ave block boulevard blvd box building circle close court crescent cottage"
    " ct dr drive east farm flat floor gardens gate green grove hill house lane ln lodge mews mount no"
    " north park parade pl place plaza po rd road room row south sq square st street suite terrace trail"
    " unit view villas walk way west wharf yard"
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

# Area codes of the North American numbering plan.
AREAS = words(
    "201 202 203 205 206 207 208 209 210 212 213 214 215 216 217 218 219 224 225 228 229 231 234 239 240"
    " 248 251 252 253 254 256 260 262 267 269 270 276 281 301 302 303 304 305 307 308 309 310 312 313 314"
    " 315 316 317 318 319 320 321 323 325 330 334 336 337 339 347 351 352 360 361 386 401 402 404 405 406"
    " 407 408 409 410 412 413 414 415 417 419 423 425 432 434 435 440 443 469 478 479 480 484 501 502 503"
    " 504 505 507 508 509 510 512 513 515 516 517 518 520 530 540 541 551 559 561 562 563 567 570 571 573"
    " 574 580 585 586 601 602 603 605 606 607 608 609 610 612 614 615 616 617 618 619 620 623 626 630 631"
    " 636 641 646 650 651 660 661 662 678 682 701 702 703 704 706 707 708 712 713 714 715 716 717 718 719"
    " 720 724 727 731 732 734 740 754 757 760 763 765 770 772 773 774 775 781 785 786 801 802 803 804 805"
    " 806 808 810 812 813 814 815 816 817 818 828 830 831 832 843 845 847 850 856 857 858 859 860 862 863"
    " 864 865 870 878 901 903 904 906 907 908 909 910 912 913 914 915 916 917 918 919 920 925 928 931 936"
    " 937 940 941 947 949 951 952 954 956 970 971 972 973 978 979 980 985 989"
)
