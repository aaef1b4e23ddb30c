"""Lists that names, places, peoples and telephone numbers are invented from; `lists.txt` tells of them."""

from __future__ import annotations

from sfumato.english.wordlists import lists, words

LISTS = lists("protect/replace/lists")
# Parts that surnames, places and given names are put together from.
FRONT, BACK, GIVEN_FRONT = LISTS["front"], LISTS["back"], LISTS["given front"]
MIDDLE = words("a e i o an ar el en er il in is on or")
FEMALE_BACK, MALE_BACK = LISTS["female back"], LISTS["male back"]
PEOPLES = LISTS["peoples"]
