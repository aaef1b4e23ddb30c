"""Patterns for ages: with their unit, with their label, and bare where the words around tell of a person.

A bare number is an age where it says what a person is ("he is 93", "the patient, ninety-one,", "she turned
90") and nothing follows that it could count.
"""

from __future__ import annotations

import re

from sfumato.detect.patterns.engine import Found, Pattern
from sfumato.english.births import OLDEST, in_years, is_in_months
from sfumato.english.chunker import FUNCTION
from sfumato.english.numbers import ONES, SMALL, TENS, numbers_in_digits, numbers_in_words
from sfumato.english.wordlists import word_set

_TENS = rf"(?:{'|'.join(TENS)})"
_ONES = rf"(?:{'|'.join(ONES)})"
_UPTO99 = rf"(?:{_TENS}(?:[- ]{_ONES})?|{'|'.join(SMALL[1:])})"
_SPELLED = rf"(?:(?:(?:a|one)[- ])?hundred(?:[- ]and)?[- ]{_UPTO99}|(?:a|one)[- ]hundred|{_UPTO99})"
_N = r"[0-9]{1,3}"
_NUMBER = rf"(?:{_N}(?:\.[0-9]{{1,2}})?|(?i:{_SPELLED}))"
_AND = rf"(?:,?[ ]?(?i:and[ ]|&[ ]?)?{_NUMBER}[ -]?(?i:months?|mths?|mos?|m|weeks?|wks?|days?|d)\b)"
_UNIT = rf"(?:(?i:years?|yrs?|y)(?:\.?{_AND}{{0,2}})|(?i:months?|mths?|mos?|weeks?|wks?|days?))"
_OLD = r"(?:y[/.]?o(?:[/.]?a)?|YOA?|ans|años|anni|Jahre[ ]alt|jährige?[nrs]?)"  # also in another language
PART_OF_YEAR = (
    r"(?:[ ]?[¼½¾]|[ ]1/2\b|;[0-9]{1,2}\b"
    r"|[ ](?i:and[ ](?:a[ ](?:half|bit|quarter)|three[ -]quarters))\b)"
)
_SPAN = rf"{_NUMBER}(?:{PART_OF_YEAR}|[ ]?[-–—][ ]?{_NUMBER}|[ ](?:and|to|or)[ ]{_NUMBER})?"
# An age, with its unit or without; for the engine and for `re`.
AGE = rf"{_SPAN}(?:{PART_OF_YEAR})?(?:[- ]?{_UNIT}\.?(?:[- ](?i:olds?|of[ ]age|young))?)?"

_PERSON = (
    r"(?:he|she|they|who|i|we|you|both|patients?|pts?|residents?|clients?|man|men|woman|women|male|female|"
    r"lady|gentleman|boys?|girls?|child|children|kids?|bab(?:y|ies)|infant|twins?|wife|husband|spouse|partner|"
    r"widow(?:er)?|sons?|daughters?|brothers?|sisters?|siblings?|mother|father|mum|mom|dad|parents?|"
    r"uncles?|aunts?|cousins?|nephews?|nieces?|grand(?:mother|father|ma|pa|parents?|sons?|daughters?|child)|"
    r"nan|gran|granny|grandad|survivor|veteran|donor|recipient|neighbou?r|friend|victim|witness|driver|"
    r"applicant|claimant|defendant|participant|employee|student|pupil|teacher|nurse|caregiver|carer)"
)
# What may stand between a person and the age that they are of.
LINK = (
    r"(?:is|was|are|were|am|be|been|being|will|would|to|has|had|have|just|now|then|only|already|still|soon|"
    r"between|from|nearly|almost|about|around|approximately|approx\.?|roughly|aged?|turn(?:s|ed|ing)?|reach(?:es|ed|ing)?|hit|"
    r"(?:going|getting|pushing|rising|close)(?:[ ](?:on|to|up))?(?:[ ]for)?|nearing|approaching|currently|"
    r"today|not|yet|over|past|under|become|became|becomes|a|at|alive|a[+&/]w|and[ ]well|d\.|both|all)"
)
_LIFE = (
    r"(?:lived|lives|living|survived|made[ ]it|got)[ ](?:to|until|till|past)(?:[ ](?:be|age))?|"
    r"(?:alive|dead|died|dies|deceased|passed(?:[ ]away)?|death|married|widowed|retired|menopause|menarche|"
    r"(?:emigrated|immigrated|fled|moved|came)[ ](?:here|over|(?:to|from)[ ](?:the[ ])?(?-i:[A-Z])[\w-]+)|"
    r"(?:diagnos(?:ed|is)|onset|symptoms)"
    r"(?:[ ](?:with|of|as)(?:[ ][a-z’'-]+){1,3}|[ ](?:began|started|was))?|"
    r"first[ ](?:[a-z]+[ ])?(?:seizures?|fits?|convulsions?|attacks?|episodes?|periods?|symptoms?|strokes?|"
    r"drinks?|cigarettes?|child|baby|pregnancy|words?|steps?|arrest|conviction|offence|overdose)(?:[ ]was)?|"
    r"still[ ][a-z]+|well)[ ](?:at|aged)|(?:smok(?:er|ing|ed)|drink(?:er|ing)|drunk)[ ]since"
)
_AFTER = re.compile(
    r"\s*(?:$|[,;!?)\]\"”’'—–|]|[.:](?!\d)|-(?!\w)|/[mf]\b|\((?=d\.?o\.?b|born|b\.|[mf]\b|(?:fe)?male\b)|[a-z]+\b|[☀-➿\U0001f300-\U0001faff])",
    re.IGNORECASE,
)
_NOT_COUNTED = FUNCTION | word_set(
    "last next today tomorrow yesterday already again years yrs year w lives living presents presented"
    " admitted died frail well alive soon straight fresh saw went became left joined moved started got lost"
    " began married"
)
_LABORATORY = re.compile(r"\bPT,?\s$")  # the time of clotting
_MEASURED = re.compile(
    r"(?i)\b(?:rates?|sat(?:s|ted|ting|uration)?|spo2|o2|hr|bp|map|pulse|temp\w*|tmax|fever|score[sd]?|"
    r"paced|pacing|set|kept|held|maintain\w*|titrat\w*|infus\w*|stable|steady|running|dose[sd]?|levels?|"
    r"weigh\w*|weights?|glucose|sugars?|levels|percentile|grade[sd]?|bed|room|ward|page|number|no\.?)\b[^.;\n]*$"
)
# What is said of somebody's age before any word that counts nothing: "my nan is 93 bless her", but "he is 12
# stone", "she was 20 metres away".
_IS = re.compile(
    r"(?i)(?:\b(?:is|was|turn(?:s|ed|ing)|am|be|died|d\.)|['’](?:s|m)|\bof)"
    r"(?:[ ](?:now|nearly|almost|about|around|roughly|some|maybe|perhaps|only|just|already|still))*[ ]\Z"
)
_COUNTED = re.compile(
    r"(?i)\s(?:\w*[^s\W]s|feet|foot|ft|inch|stone|st|lb|[ckm]?m|[km]?g|m?l|per(?:cent)?|mile|metre|meter|min|sec|hr|"
    r"hour|day|week|month|minute|[ap]m|mph|bpm|degree|quid|grand|men|women|people|children|nil|all|love|out|times?|"
    r"and|or|to|x|by|of|in|on|at|under|over|off|up|down|behind|ahead|short|away|late|deep|high|tall|wide|long|strong|"
    r"mil|k|th|point|goal|song|percent\w*|mmhg|units?|tablet|dose|hundred|thousand|million|kilo|kilos|cal|kcal|"
    r"celsius|fahrenheit|c|f|unread|new|different|more|other|such)\b"
)
_GOES_ON_PLAIN = re.compile(r"\s(?:[a-z]{2,}|[A-Z]{2,}\b)")  # "died 72 MI"
_HAS = re.compile(r"(?i)\b(?:have|has|had)\s$")
_MONTHS = re.compile(r"(?i)(?:months?|weeks?|days?|years?)$")
_ROUND = re.compile(
    r"(?i)(?:\b(?:over|past|above|under|below|beyond|than|least|most|up[ ]to|until|from)|[<>≥≤])\s?$"
)
_DONE_FROM = re.compile(
    r"(?i)\b(?:was|been)\s(?:[a-z]+\s){1,3}from\s\Z"
)  # to one person, from 12 to 15
_GESTATION = re.compile(
    r"(?i)\s*(?:pregnant|gravid|gone\b|along\b|(?:of\s)?gestation|e?ga\b|post|\+\s?\d"
    r"|with\s(?:h(?:er|is)|my|our|the)\s(?:first|second|third|fourth|fifth|last|next|baby|twins|triplets)\b)"
)
# "I was five months with Ann"
_EXPECTING = re.compile(r"\bI(?:['’]m| was| am)(?: about| only| already)? \Z")
_OF_A_TUBE = re.compile(
    r"(?i)\s?[mf]?\s?(?:[a-z]*cath|foley|sheath|fr\b|tube|needle|[/°]|(?:in|of|per|for|to|on)\b)"
)
_OF_THEM = re.compile(  # "two of the tablets", "one of my friends", "one of only two"
    r"(?i)\s*of\s(?:\d+|the|them|these|those|his|her|their|my|your|our|its|us|you|whom|which|all|only|many|"
    r"several|a|an|two|three|four|five|ten)\b"
)
# An age at which all may do something: "retirement age was 60 for women", "you may draw your pension at 65".
_BY_LAW_BEFORE = re.compile(
    r"(?i)\b(?:(?:pension(?:able)?|retire(?:ment|ing)|leaving|voting|driving|drinking|marriageable|minimum|"
    r"maximum|legal|qualifying)\sage(?:\s(?:of|is|was|at|will be|rose to|from|to))*|"
    r"(?:may|can|could|must|shall|should)\b[^.;\n]{1,30}\b(?:pensions?|retire|vote|marry|drive|drink)\b[^.;\n]{0,16}"
    r"(?:\bat|\bfrom|\bage))\s$"
)
# How somebody does in a test ("reading age 7y 4m"), how far a child has come before birth.
_OF_A_TEST = re.compile(
    r"(?i)\b(?:reading|spelling|comprehension|vocabulary|writing|number|maths?|mental|developmental|language|"
    r"listening|bone|gestational)\sage(?:\s(?:equivalent|score))?(?:\s(?:of|is|was|at|now))*[\s:=]*\Z"
    r"|(?-i:\b[A-Z]{2,6}-\d{1,2}[A-Z]?)(?:\sscore)?(?:\s(?:of|is|was|at|now))?[\s:=]{1,3}\Z"  # "PHQ-9 was"
)
# Points of a list: "please (1) write to us, (2) call", "he is to (1) rest".
_POINT_BEFORE = re.compile(rf"(?i)(?:\A|[,;:.]|\b(?:and|or|please|{LINK}))\s?\(\Z")
_POINT_AFTER = re.compile(r"\)\s[a-z]")
# What is done at an hour of the day ("woke at four", "tablets at eight, twelve and four"), and not at an age.
_HOUR_BEFORE = re.compile(
    r"(?i)\w,?[ ]at[ ](?:(?:about|around|nearly|exactly)[ ])?"
    rf"(?:{_NUMBER}(?:,[ ]|,?[ ](?:and|or)[ ])){{0,4}}\Z"
)
_IN_LIFE = re.compile(
    r"(?i)\b(?:died|dead|deaths?|die|passed away|(?:re)?married|marry|retire\w*|diagnos\w*|onset|age[ds]?|"
    r"menarche|menopause|periods|orphan\w*|adopt\w*|foster\w*|care|lost|born|bapti[sz]\w*|widowed|divorced|"
    r"raped|abus\w*|smok\w*|drinking|learn\w*|taught|read|walk(?:ed|ing)|talk(?:ed|ing)|began|emigrated|"
    r"fled|moved|surgery|operat\w*|transplant\w*|child(?:hood)?|young\w*|old|life|joined|enlisted|career|"
    r"(?:left|leave|start\w*|finish\w*|quit) (?:school|home|to \w+|\w+ing)|took up|came to [A-Z]\w+)\b"
    rf"|\b(?:{_LIFE})[ ]\Z"
)
# Heights ("5'4"), places in a row ("11 in the queue") and what is won ("3 for 3").
_OTHER_COUNT = re.compile(
    r"(?i)['’′]\s?\d|\s(?:in the (?:queue|line|list|rankings?|standings|table)|for \d|out of \d)\b"
)
_SCORE = re.compile(
    r"(?i)\b(?:scores?|targets?|quota|pass mark|average|limit|threshold)"
    r"(?: was| were| is| are| stood at|:)[^.;\n]{0,30}\Z"
)
_BY_LAW_AFTER = re.compile(r"(?i)\s(?:years\s)?(?:for|in)\s(?:all\s|both\s)?(?:wo)?men\b")
OTHER_VALUE = re.compile(r"\s?,\s?[A-Z]\s\d")  # "A 15, M 13, F 7"
# Children are counted, and things have no ages to hide.
_CHILDREN_OF = re.compile(
    r"(?i)\b(?:father|mother|mum|mom|dad|mam|parents?|widow(?:er)?|gran\w*|guardian)\sof\s\Z"
)
_THING = (
    r"(?:bridge|building|house|car|van|lorry|truck|bus|bike|engine|boat|ship|vessel|plane|aircraft|tree|oak|wall|"
    r"roof|boiler|church|company|firm|club|charity|machine|printer|laptop|server|phone|computer|battery|software|"
    r"law|wound|scar|fracture|injury|infection|lesion|wine|whisky|whiskey|marriage|road|station|tower|castle|"
    r"painting|tradition|lease|mattress|fridge|kettle|cooker|tyres?)"
)
_OF_A_THING = re.compile(rf"(?i)\b{_THING}(?:,?[ ](?:{LINK}|which|that))*[ ]?\Z")
_OLD_THING = re.compile(rf"(?i)[- ]{_THING}s?\b")
_OPEN_ENDED = re.compile(
    r"(?i)\s?\+|\s?(?:years?\s)?(?:or|and)\s(?:over|older|above|more|under|younger|up)"
)

# A length of time, and where it says how old somebody is: in brackets of its own behind a name or a child,
# between commas behind a name, before a sex, in the clause of a child. Years are ages but in a field.
_LENGTH = re.compile(rf"(?:{_NUMBER}|(?i:an?))[- ]?{_UNIT}\.?")
_CHILD = re.compile(
    r"(?i)\b(?:bab(?:y|ies)|newborns?|neonates?|infants?|toddlers?|child(?:ren)?|kids?|boys?|girls?|lad|lass"
    r"|twins?|triplets?|sons?|daughters?|brothers?|sisters?|siblings?|nephews?|nieces?|patients?|pts?|aged?"
    r"|grand(?:sons?|daughters?|child(?:ren)?))\b[^.;!?\n]{0,40}\Z"
)
_NAME_LAST = r"(?:[A-Z][\w'’.-]*\s){0,3}[A-Z][\w'’-]+"
_BEHIND_NAME = re.compile(rf"{_NAME_LAST}(?:\s?[(\[]|,?\s)\Z")
_LISTED = re.compile(rf"[(\[:=|>•*\t-]\s*{_NAME_LAST},?\s\Z")
_ENDS = re.compile(r"[^\S\n]*+(?:\n|\Z)|\s*+(?:[)\]]|[.;][^\S\n]*+(?:\n|\Z))")
_SPENT = re.compile(
    r"(?i),?\s\(?(?:suspended|imprison\w*|custod\w*|in prison|notice|leave|probation"
    r"|contract|fixed|ago|later|max|min|long)\b"
)
_IN_FIELD = re.compile(r"(?i)(?<!age)(?<!aged)(?<!patient)(?<!pt)(?<!name)\s?[:=|]\s*\Z")
_SAID_OF = re.compile(
    r"(?i)\b(?:is|was|were|are|am|be|turn(?:s|ed|ing)|only|just|now|then|nearly|almost|about)\s\Z"
)
_OF_A_SEX = re.compile(
    r"(?i)[ ,/-]{0,2}(?:[mf]|(?:fe)?males?|boys?|girls?|bab(?:y|ies)|infants?|child|olds?|of age)\b"
)
_GOES_ON = re.compile(r"\s?[,.;)\]–—/]|\s+(?:and|who|was|is|has|had)\b")


def tells_length(before: str, said: str, after: str) -> bool:
    """Whether a number with its unit says how long something lasts, and not how old somebody is.

    >>> fields = ("(owner: Ivy, ", "Eve (", "Baby Eve, ", "Notice: ")
    >>> [tells_length(before, "2 weeks", ")") for before in fields]
    [True, False, False, True]
    """
    if not _LENGTH.match(said) or _OF_A_SEX.match(after):
        return False
    if _IN_FIELD.search(before):
        return True
    if not is_in_months(said) or _SAID_OF.search(before) or _CHILD.search(before):
        return False
    is_behind = _BEHIND_NAME.search(before) and _GOES_ON.match(after)
    if not is_behind or _SPENT.match(after):
        return True
    return bool(_LISTED.search(before) and _ENDS.match(after))


def may_be_age(before: str, said: str, after: str) -> bool:
    """Whether a number may be an age at all, and is no class of ages ("over 18", "90 or older")."""
    numbers = [int(n.value) for n in numbers_in_digits(said)]
    if any(in_years(n, said) > OLDEST + 6 for n in numbers):
        return False
    if is_in_months(said) and (
        _GESTATION.match(after) or (_EXPECTING.search(before) and after.startswith(" with "))
    ):
        return False
    if is_of_a_test(before) or (_POINT_BEFORE.search(before) and _POINT_AFTER.match(after)):
        return False
    if _OTHER_COUNT.match(after) or _SCORE.search(before) or _is_hour(before, said):
        return False
    if _CHILDREN_OF.search(before) or _OF_A_THING.search(before) or _OLD_THING.match(after):
        return False
    is_class = (
        (_ROUND.search(before) and not (_DONE_FROM.search(before) and not said.isdecimal()))
        or _OPEN_ENDED.match(after)
        or _BY_LAW_BEFORE.search(before)
        or _BY_LAW_AFTER.match(after)
    )
    return not is_class or any(n > 90 for n in numbers)


def is_of_a_test(before: str) -> bool:
    """Whether what follows is no age but how somebody did in a test, or how long a pregnancy is.

    >>> [is_of_a_test(before) for before in ("Reading age ", "GAD-7 was ", "chronological age ")]
    [True, True, False]
    """
    return _OF_A_TEST.search(before) is not None


def place_in_row(after: str) -> bool:
    """Whether a number is a place in a row: "37 in the queue"."""
    return _OTHER_COUNT.match(after) is not None


def _is_hour(before: str, said: str) -> bool:
    """Whether a bare number up to twelve behind "at" is an hour of the day.

    >>> [_is_hour(before, "six") for before in ("left at ", "up at five and ", "orphaned at ", "At ")]
    [True, True, False, False]
    """
    values = [n.value for n in (*numbers_in_digits(said), *numbers_in_words(said))]
    is_small = all(0 < n <= 12 for n in values) and not re.search(
        r"(?i)[-–—]|year|month|week|day|half", said
    )
    clause = re.split(r"[.;:!?\n]", before)[-1]
    return is_small and bool(_HOUR_BEFORE.search(clause)) and not _IN_LIFE.search(clause)


def is_bare_age(before: str, said: str, after: str) -> bool:
    """Whether a number that is said of a person counts nothing.

    >>> [is_bare_age("She is ", "94", after) for after in (" and well", "% on air", " kg", "/60", ".5")]
    [True, False, False, False, False]
    """
    follows = _AFTER.match(after.partition("\n")[0])
    word = follows[0].strip() if follows else ""
    if not follows or (word.isalpha() and word.lower() not in _NOT_COUNTED):
        return False
    if re.match(r"(?i)\s?per\s?cent\b", after):
        return False
    value = re.fullmatch(r"\d+\.\d+|[1-8]?\d", said)
    if value and ("." in said or _LABORATORY.search(before)):
        return False
    if word == "of" and _OF_THEM.match(after):
        return False
    if _HAS.search(before) and (_MONTHS.search(said) or said.isalpha()):
        return False  # "you have one month to appeal", "they had three: Ann, …"
    return not _MEASURED.search(before) and may_be_age(before, said, after)


def is_told_age(before: str, said: str, after: str) -> bool:
    """Whether a number that is said of one person is an age, whatever follows but something that it counts.

    >>> [is_told_age("my nan is ", "93", after) for after in (" bless her", " stone", " metres away", ".")]
    [True, False, False, True]
    """
    if is_bare_age(before, said, after):
        return True
    values = [n.value for n in (*numbers_in_digits(said), *numbers_in_words(said))]
    is_plain = bool(_GOES_ON_PLAIN.match(after)) and not _COUNTED.match(after)
    return (
        is_plain
        and all(n > 12 for n in values)
        and bool(_IS.search(before))
        and not _MEASURED.search(before)
        and may_be_age(before, said, after)
    )


def _told(found: Found) -> str | None:
    return "" if is_told_age(found.before, found.text, found.after()) else None


def _age(found: Found) -> str | None:
    return "" if may_be_age(found.before, found.text, found.after()) else None


def _bare(found: Found) -> str | None:
    return "" if is_bare_age(found.before, found.text, found.after()) else None


def _no_hour(found: Found) -> str | None:
    """An age after "at", which may stand before an hour or the weeks of a pregnancy as well."""
    is_age = is_age_at(found.before, found.text, found.after())
    return "" if is_age else None


def is_age_at(before: str, said: str, after: str) -> bool:
    """Whether a number behind "at" is an age, and no hour: "came to us at nineteen".

    >>> [is_age_at("came at ", *told) for told in (("nineteen", " straight"), ("36", "."), ("14", "."))]
    [True, True, False]
    """
    values = [n.value for n in (*numbers_in_digits(said), *numbers_in_words(said))]
    is_hour = any(n < 13 or (n <= 24 and said[0].isdigit()) for n in values)
    return not is_in_months(said) and not is_hour and is_bare_age(before, said, after)


_ALONE = re.compile(
    r"\s*(?:[.,;!?)]|\n|\Z)| year\b(?!['’]?s?,? (?:as|at|in|of|with|on|for|there|here|running|working)\b)"
)


def _birthday(found: Found) -> str | None:
    """Which birthday it is, or which year of a life, where nothing else is counted: "a car for his 18th."."""
    years = int("".join(filter(str.isdigit, found.text)) or 0)
    is_told = years > 12 and _ALONE.match(found.after())
    return _age(found) if is_told else None


_SLASH_SEX = re.compile(r"\s?[/,]\s?(?:[MF]\b(?!/)|(?i:fe)?(?i:male)\b)")


def _by_sex(found: Found) -> str | None:
    """A number with a letter for the sex, where it is no temperature and no width of a tube."""
    after = found.after()
    if _SLASH_SEX.match(after):  # "Lowe: 58/M", where "Temp: 38 F" and "a 16/7 F tube" are none
        return None if re.search(r"[<>=~≥≤/.\d-]\s?$", found.before) else _age(found)
    if re.search(
        r"(?i)(?:\b(?:t|temp\w*|tmax|tc|fever|size|of|to|at|x)|[<>=~≥≤:/.\d-])\s?$", found.before
    ):
        return None
    if _OF_A_TUBE.match(after) or OTHER_VALUE.match(after):
        return None
    return _age(found)


_NTH_ONES = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth"
_NTH = (
    rf"(?:{_N}(?:st|nd|rd|th)|(?i:(?:(?:one[ ])?hundred[ ](?:and[ ])?)?(?:(?:{_TENS})[- ](?:{_NTH_ONES})|"
    rf"{_NTH_ONES}|(?:ten|eleven|twelf|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)th|"
    r"(?:twent|thirt|fort|fift|sixt|sevent|eight|ninet)ieth)|(?:one[ ])?hundredth))"
)

PATTERNS = (
    Pattern(
        "age", "AGE",
        rf"(?:{_SPAN}|[0-9],?[0-9]{{3}})"
        rf"(?:[- ]?{_UNIT}\.?[- ](?i:olds?|of[ ]age|young)|[- ]?{_OLD}\b)",
        0.8, check=_age, hint=rf"{_UNIT}\.?[- ](?i:old|of[ ]age|young)|[0-9a-z][- ]?{_OLD}\b",
    ),
    Pattern(
        "age", "AGE", r"\b([0-9]{1,2}/(?:7|12|52))[ ](?i:olds?|of[ ]age)\b", 0.8, group=1, whole=True,
    ),
    Pattern(
        "age and sex", "AGE", r"\b([0-9]{1,3}[- ]?y[/.]?o\.?)[MF]\b", 0.8, group=1, check=_age, edges=False,
        whole=True,
    ),
    Pattern(
        "age", "AGE",
        r"\b((?i:born(?:[ ](?:about|around|some|nearly|almost))?)[ ])"
        rf"({_NUMBER}[ ](?i:years|yrs)[ ](?i:ago))\b",
        0.4, labelled=True, check=_age, hint=r"(?i:born)[ ]",
    ),
    Pattern(
        "age", "AGE",
        rf"\b((?i:{_PERSON})(?:,?[ ](?i:{LINK})){{0,4}}[ ])([0-9],?[0-9]{{3}}[ ](?i:months|weeks))\b", 0.4,
        labelled=True, check=_age,
    ),
    Pattern(
        "age", "AGE",
        rf"\b((?i:age[ ]of|aged?|ages|aet(?:at)?\.?))(?:[ ](?:at|on)[ ][a-z]{{3,16}}|"
        rf"[ ]in[ ]years|[ ]?[/&][ ]?(?i:sex|gender))?[\"']?[ \t]{{0,2}}(?:[:=|>-]|is|was|about|"
        rf"around|at|now)?[ \t]{{0,8}}((?:{AGE}))(?:\b)",
        0.35, labelled=True, check=_age, whole=True, hint=r"\b(?i:aged?|ages|aet(?:at)?)\b",
    ),
    Pattern(
        "age", "AGE",
        r"\b((?i:aged?))[ :=]{1,3}([0-9],?[0-9]{3}[ ]?(?i:months|weeks|days))\b", 0.4, labelled=True,
        check=_age,
    ),
    Pattern(
        "age", "AGE",
        rf"(?m:^|[.!?][ ])({AGE})(?:,|[ ]and|[ ]but)[ ](?:still|sharp|frail|well|fit|active|independent|"
        r"healthy|living|lives|otherwise|very|quite)\b", 0.6, group=1, check=_age,
    ),
    Pattern(
        "age", "AGE",
        rf"\b((?i:aged?|ages)\b[^.;:\n]{{1,40}}[0-9],?[ ](?i:now|then|currently|today|and))[ ]({AGE})\b",
        0.35, labelled=True, check=_bare, whole=True, hint=r"\b(?i:aged?|ages)\b",
    ),
    Pattern(
        "age", "AGE", rf"\b((?i:died[ ]at|turned|turning|turns))[ ]({AGE})\b", 0.15, labelled=True,
        check=_bare, whole=True,
    ),
    Pattern("age", "AGE", rf"\(({_N}[ ]?(?i:years|yrs|y))\)", 0.55, group=1, check=_age),
    Pattern("age", "AGE", rf"\(({_N})[ ]?(?i:f|m|male|female)\)", 0.55, group=1, check=_age, edges=False),
    Pattern(
        "age", "AGE", rf"({_NTH})[ ](?i:birthday|year[ ]of[ ](?:life|h(?:is|er)))", 0.6, group=1, check=_age,
    ),
    Pattern(
        "age", "AGE",
        rf"(?i:\b(?:for|on|in|from|before|after|since|until)[ ](?:his|her|my|your|our|their))[ ]({_NTH})",
        0.6, group=1, check=_birthday,
    ),
    Pattern(
        "age", "AGE", r"(?i:\bin[ ](?:his|her|their|my|your|our)[ ](?:very[ ])?(?:(?:early|mid|late|middle)"
        r"(?:[ ]to[ ](?:mid|late))?[- ])?(?:[0-9]{1,2}0['’]?s|twenties|thirties|forties|fifties|sixties|"
        r"seventies|eighties|nineties|hundreds))",
        0.7, hint=r"(?i:\bin[ ](?:his|her|their|my|your|our)[ ])",
    ),
    Pattern(
        "age", "AGE",
        r"(?i:\b(?:(?:quadra|quinqua|sexa|septua|octo|nona)gen|(?:super)?-?centen)arians?\b)", 0.7,
        hint=r"(?i:enarian)",
    ),
    Pattern(
        "age and sex", "AGE", rf"({_N})[ ]?(?:[MF]\b|(?i:male|female|man|woman|boy|girl)\b)", 0.15, group=1,
        check=_by_sex, edges=False, whole=True,
        context=("patient", "pt", "age", "dob", "presents", "admitted", "hx", "this is a"),
    ),
    Pattern("age and sex", "AGE", rf", ({_N})[ ][MF],", 0.6, group=1, check=_by_sex),
    Pattern(
        "age and sex", "AGE", r"\b([0-9]{1,3})[MF]\b", 0.6, group=1, check=_by_sex, edges=False, whole=True,
    ),
    Pattern(
        "age and sex", "AGE",
        rf"\b([MF](?:[ ]?[/,][ ]?)|(?i:female|male|man|woman)(?:[ ]?[/,][ ]?|[ ]))({_N})\b", 0.2,
        labelled=True, check=_bare, whole=True,
    ),
    Pattern(
        "age and sex", "AGE",
        rf"\b({_N}(?:[ ]?(?i:y|yrs?|years?)\.?)?)[ ]?[/,][ ]?(?:[MF]\b|(?i:female|male)\b)", 0.6,
        group=1, check=_by_sex,
    ),
    Pattern(
        "age of a person", "AGE",
        rf"\b((?i:{_PERSON})(?:['’](?:s|re|m|ll|d|ve))?(?:[ ][A-Z][\w'’-]+){{0,2}}"
        rf"(?:,?[ ](?i:{LINK})){{0,4}})(?:,?[ ]|[ ]?\()({AGE})\b",
        0.2, labelled=True, check=_told, whole=True,
    ),
    Pattern(
        "age of a person", "AGE",
        rf"\b((?i:{_PERSON})\b[^.;:!?\n]{{1,60}}?[ ](?i:and|but|then)[ ](?i:is|was|are|were|turned)"
        rf"(?:[ ](?i:now))?)[ ]({AGE})\b",
        0.2, labelled=True, check=_bare, whole=True, hint=r"[ ](?i:is|was|are|were|turned)[ ]",
    ),
    Pattern(
        "age of a person", "AGE", rf"\b((?i:{_PERSON})\b[^.;:!?\n0-9]{{1,60}}?[ ](?i:at))[ ]({AGE})\b",
        0.2, labelled=True, check=_no_hour, whole=True, hint=rf"[ ](?i:at)[ ]{_NUMBER}",
    ),
    Pattern(
        "age of a person", "AGE",
        r"\b((?i:(?:wo)?man|(?:fe)?male|boy|girl|lad|lass|lady|gentleman|fellow|bloke|guy|youth|teenager|child|kid|"
        r"baby|infant|toddler|patient|person)[ ](?i:of(?:[ ](?:about|around|roughly|some|maybe|nearly|"
        r"perhaps|almost|approximately))?))[ ]"
        rf"({AGE})\b",
        0.2, labelled=True, check=_told, whole=True,
    ),
    Pattern(
        "age of a person", "AGE", rf"\b((?i:{_LIFE}))[ ]({AGE})\b", 0.2, labelled=True, check=_bare,
        whole=True,
    ),
    Pattern(
        "age of a person", "AGE",
        rf"\b((?i:at|by|now|aged))[ ]({AGE}),?[ ](?:(?i:s?he|they|his|her|their|i|we)|M(?:rs?|s|iss)|Dr)\b",
        0.2, labelled=True, check=_age, whole=True, hint=rf"(?i:\b(?:at|by|now|aged))[ ]{_NUMBER}",
    ),
)  # fmt: skip
