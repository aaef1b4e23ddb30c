"""Lists of words that say what sort of thing a name is of.

The lists are the project's own, put together by hand from what stands around names in letters, notes and
judgments. Nothing rests on their being complete: a word that is missing is taken for a part of the name.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).parents[1]


def words(text: str) -> tuple[str, ...]:
    """The words of a text, in its order."""
    return tuple(text.split())


def word_set(text: str) -> frozenset[str]:
    """The words of a text, to look one up."""
    return frozenset(text.split())


@cache
def lists(name: str) -> dict[str, tuple[str, ...]]:
    """The lists in a file beside the code: what its lines have behind the colon, by what stands before it.

    >>> lists("english/demonyms")["france"], lists("english/organisations")["PUB"]
    (('french',), ('pub', 'arms', 'tavern'))
    """
    made: dict[str, tuple[str, ...]] = {}
    for line in (_PACKAGE / f"{name}.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            head, _, rest = line.partition(":")
            made[head] = made.get(head, ()) + tuple(filter(None, rest.strip().split(", ")))
    return made


LISTS = lists("english/lists")


# Words around persons' names.
# Titles as they are written: with or without a dot, with one only, and in full.
SHORT_TITLES = words(
    "Messrs Mr Mrs Ms Miss Mx Mme Mlle Dr Drs Prof Profs Rev Revd Sgt SSgt Lt Capt Cpt Col Maj Cpl LCpl Pte"
    " Pvt Bdr Gnr Cmdr Cdr Brig Insp Supt Det Const Cllr Sqn HHJ DDJ DJ PC WPC PCSO DC DI DS DCI"
    " DSI ASP DSP ACP DCP Shri"
    " Smt Sri Kum Ptl Tpr"
)
DOTTED_OFFICES = words("Hon Fr Sr Sra Atty Herr Frau Dott Ing")
DOTTED_TITLES = DOTTED_OFFICES + words("Gen Rep Sen Adm Gov Pres")
# Offices are titles that many bear: what is left of a name that is hidden tells nobody by them.
OFFICES = words(
    "Doctor Professor Judge Justice Magistrate Sergeant Captain Colonel Lieutenant Corporal Officer Detective"
    " Inspector Superintendent Constable Sheriff Nurse Midwife Matron Reverend Pastor Vicar Chaplain Rabbi"
    " Imam Councillor Coach Uncle Aunt Auntie Herr Frau Señora Señor Signora Signor Madame Monsieur"
    " Múinteoir Maestra Maestro Profesora Profesor Professeur Docteur Doktor Doctora Dottoressa Dottore"
)
FULL_TITLES = OFFICES + words(
    "Deacon Sheikh Mullah Maulana Ayatollah Swami Pandit Alhaji Alhaja Sir Dame Lord Lady Baroness Madam"
    " Mademoiselle Senator Congressman Congresswoman Alderman Commissioner Ambassador Attorney Prosecutor"
    " Chancellor Archbishop Bishop Cardinal Father Sister Brother Admiral Brigadier Commander Signore"
)
TITLES = tuple(title.lower() for title in (*SHORT_TITLES, *DOTTED_TITLES, *FULL_TITLES)) + words(
    "mister general major agent president doña"
)
GIVEN_LIKE_COUNTRIES = words("chad georgia india israel jordan")
# What relatives are called: no part of a name in small letters; some are called so to their faces, with a
# capital: "Mum came".
CALLED_KIN = word_set(
    "mother father mum mummy mom mommy mam dad daddy nan nana nanny gran granny grandma grandad grandpa"
    " grandmother grandfather stepmum stepdad aunty auntie"
)
KIN = CALLED_KIN | word_set(
    "sister brother son daughter wife husband aunt uncle niece nephew cousin stepmother stepfather"
    " stepson stepdaughter twin partner widow widower fiancé fiancée"
)
TITLES_BEFORE_GIVEN = words("sir dame sister brother father fr doña uncle aunt auntie")
MALE_TITLES = word_set(
    "mr mister messrs sir lord master herr monsieur señor signor signore sr shri sri alhaji imam father fr"
    " brother uncle congressman alderman archbishop cardinal"
)
FEMALE_TITLES = word_set(
    "mrs ms miss mme mlle madam madame mademoiselle lady dame baroness frau señora signora sra doña smt kum"
    " alhaja sister aunt auntie congresswoman wpc midwife matron"
)
CIVIL_TITLES = word_set(
    "mr mrs ms miss mx mister herr frau monsieur madame mme mademoiselle mlle señor sr señora sra signor"
    " signore signora"
)
SUFFIXES = words(
    "jr sr jnr snr junior senior ii iii iv md phd msc bsc frcp frcs mrcp esq qc kc rn do dds jd mba obe cbe"
    " mbe"
)
PARTICLES = words(
    "de del della dello der den di do dos das da du des la le los las van von vd vom zu zur zum ter ten te"
    " af av y e i al el bin ibn bint ben abu san st ni nic ap ferch"
)
# These also begin given names ("Al", "Ben"): particles only in small letters or with a hyphen.
OPEN_PARTICLES = words("al el bin ben e i y do san st te")

# Words that say what an organisation or a place is, not which one.
ORG_WORDS = LISTS["of organisations"]
# What an organisation is called in a label, by the words that say what it is.
ORG_TYPES = lists("english/organisations")
# What a company is by law, each with its shortest spelling.
_FORMS = words("ltd inc llc llp plc gmbh corp sa se ag nv bv pty kg oy ab asa spa srl co")
LEGAL_FORMS = dict(zip(_FORMS, _FORMS, strict=True)) | {
    "limited": "ltd", "incorporated": "inc", "corporation": "corp", "company": "co",
}  # fmt: skip
STREET_WORDS = LISTS["of streets"]
_SECTIONS, _OF_SECTIONS = (frozenset(LISTS[name]) for name in ("sections", "of sections"))


def is_section(name: str) -> bool:
    """Whether a name is that of a section of any house, to which its letters go, and of nobody.

    >>> [is_section(name) for name in ("HR Grievances", "IT Service Desk", "Legal", "Team", "Sales Kelly")]
    [True, True, True, False, False]
    """
    each = {*name.lower().split()}
    return bool(each & _SECTIONS) and each <= _SECTIONS | _OF_SECTIONS
