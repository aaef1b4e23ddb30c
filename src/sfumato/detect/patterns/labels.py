"""Patterns for identifying numbers that only the words before them give away."""

from __future__ import annotations

from sfumato.detect.patterns import checks
from sfumato.detect.patterns.engine import Check, Pattern

# A value is letters and digits in up to six parts; groups of digits may follow after spaces.
_VALUE = r"[A-Za-z0-9]{1,24}(?:[-/._][A-Za-z0-9]{1,24}){0,5}(?:[ ][0-9]{3,6}){0,4}"
_NUMBER = (
    r"(?:[ \t]{0,2}(?i:nos?|numbers?|num|nr|ids?|code|ref|reference|"
    r"identifier)\b\.?)?(?:[ \t]{0,2}\(s\))?"
)
_JOIN = (
    r"\.?(?:[ \t]{0,2}(?:[:#=№]|no\.)[ \t]{0,20}#?|[ \t]{1,20}(?:is[ ]|was[ ]|of[ ]|\(no\.[ ]|"
    r"number[ ])?#?|[ ]?#)"
)


def _labelled(
    name: str, kind: str, words: str, check: Check, *, score: float = 0.3, shape: str = _VALUE
) -> Pattern:
    return Pattern(
        name,
        kind,
        rf"\b((?i:{words}){_NUMBER}){_JOIN}({shape})",
        score,
        check=check,
        labelled=True,
        hint=rf"\b(?i:{words})",
        retry=True,
    )


# Things that have a number, of which the last digits are told. What runs out in a year ("the licence ends in
# 2025") is not among them.
_NUMBERED = (
    r"(?i:ssn|social(?:[ ]security)?|mrn|(?:tele)?phone|mobile|cell|fax|pager|account|acct|a/c|card|id|badge|"
    r"device|serial|plate|vin|passport|iban|numbers?)(?:[ ](?i:number|no\.?))?"
)
_LAST = r"(?i:last[ ](?:three|four|five|six|[3-6])(?:[ ](?:digits|numbers|characters))?)"
_OF_IT = rf"(?i:[ ](?:of|on|for)(?:[ ](?:the|h(?:is|er)|their|my|your|[a-z]{{2,12}}['’]s))?)[ ]{_NUMBERED}"
_ENDS = (
    r"(?:[ ](?i:on[ ](?:file|record)))?,?[ ](?i:that[ ])?(?i:ending|ends)(?:[ ](?i:in|with|on))?"
)


def _last_digits(words: str, hint: str) -> Pattern:
    join = r"(?:[ ](?i:is|are|was|were))?(?:[ ]?[:=#,(-][ ]{0,2}#?|[ ])"
    regex = rf"\b({words}){join}([0-9]{{3,6}})\b"
    return Pattern(
        "last digits of a number", "CODE", regex, 0.2, labelled=True, hint=hint, whole=True
    )


_CODE = r"[A-Z0-9]{1,4}(?:[ -]?[A-Z0-9]{1,5}){1,3}"

PATTERNS = (
    Pattern(
        "device or serial number", "DEVICE",
        r"\b(?i:sn|s/n|serial(?:[ ](?:no\.?|numbers?))?s?)[ :#.]{1,3}[0-9A-Z-]{5,20}(?:,|[ ]and|[ ]&)[ ]"
        r"([0-9A-Z][0-9A-Z-]{4,20})\b",
        0.7, group=1, check=checks.mixed_of(5, 20),
    ),
    _last_digits(_NUMBERED + _ENDS, r" (?i:ending|ends)\b"),
    _last_digits(rf"{_NUMBERED}[ ,(]{{1,2}}{_LAST}", r"\b(?i:last)[ ]"),
    _last_digits(rf"{_LAST}{_OF_IT}", r"\b(?i:last)[ ]"),
    _last_digits(r"(?i:last[ ](?:three|four|five|six|[3-6])[ ](?:digits|numbers))", r"\b(?i:last)[ ]"),
    Pattern(
        "last digits of a number", "CODE",
        r"\b((?i:last[ ](?:three|four|five|six|[3-6])))[ ]?[:=#][ ]{0,2}#?([0-9]{3,6})\b", 0.2,
        labelled=True, hint=r"\b(?i:last)[ ]", whole=True,
    ),
    _labelled(
        "medical record number", "MRN",
        r"mrn|medical[ ]record|med[ ]rec|hospital[ ](?:no|number|id|nr)|patient[ ](?:id|no|number|ref)|chart|"
        r"unit[ ](?:no|number)|health[ ]record|case[ ]notes|emr|ehr|encounter|accession|specimen|"
        r"lab[ ](?:no|number)",
        checks.value(3),
    ),
    _labelled(
        "health plan number", "HEALTH_PLAN",
        r"health[ ]?plan|member(?:ship)?|subscriber|beneficiary|medicare|medicaid|"
        r"group[ ](?:no|number|id)|hicn?|ehic|plan[ ](?:no|number|id)|payer[ ]id|prior[ ]auth(?:orization)?",
        checks.value(4),
    ),
    _labelled("policy number", "CODE", r"policy|insurance|insured", checks.policy),
    _labelled(
        "number of staff", "CODE",
        r"payroll|badge|(?:employee|staff|student)[ ](?:no|number|id)", checks.value(3),
    ),
    _labelled(
        "account number", "ACCOUNT",
        r"account(?:[ ]ending(?:[ ]in)?)?|acct|a/c|customer[ ](?:no|number|id|ref)|client[ ](?:no|number|id)|"
        r"routing|aba|loan|mortgage|invoice|payment[ ]ref|transaction|card[ ]ending(?:[ ]in)?",
        checks.value(3),
    ),
    Pattern(
        "sort code", "ACCOUNT",
        r"\b((?i:sort[ -]?code))[ \t]{0,2}(?:[:=]|is)?[ \t]{0,8}([0-9]{2}[- ]?[0-9]{2}[- ]?[0-9]{2})\b",
        0.4, labelled=True, hint=r"\b(?i:sort[ -]?code)",
    ),
    Pattern(
        "account number", "ACCOUNT",
        r"\b((?i:sort[ -]?code))[ :]{0,4}[0-9]{2}[- ]?[0-9]{2}[- ]?[0-9]{2}[^\n0-9]{1,24}([0-9]{7,10})\b",
        0.4, labelled=True, hint=r"\b(?i:sort[ -]?code)",
    ),
    _labelled(
        "certificate or licence number", "CERTIFICATE",
        r"certificate|cert|licen[cs]e|permit|registration[ ](?:no|number|id)|gmc|nmc|gdc|hcpc|npi|dea|"
        r"bar[ ](?:no|number)|diploma|credential|accreditation|professional[ ]reg(?:istration)?",
        checks.value(4),
    ),
    _labelled(
        "case or file number", "CASE",
        r"case|docket|cause|application|file|ticket|claim|incident|complaint|petition|appeal|reference|"
        r"(?:(?:our|your|my|refund|order|booking)[ ])?ref|order|booking|reservation|matter|report|"
        r"memorandum|memo|"
        r"duplicate|crime|warrant|indictment|judgment|dossier|tracking|shipment|confirmation",
        checks.value(3),
    ),
    Pattern(
        "case number", "CASE",
        r"\b((?i:nos?|nr|appl|application|applications|and|v|case|cases|"
        r"proc)\.?)[ ]([0-9]{1,6}/[0-9]{2}(?:[0-9]{2})?)\b",
        0.3, labelled=True, check=checks.case_number, whole=True,
        hint=r"[a-z]\.?[ ][0-9]{1,6}/[0-9]{2}",
    ),
    Pattern(
        "case number", "CASE", r"\b[0-9]{5,6}/[0-9]{2}\b", 0.5, whole=True,
        context=("application", "applications", "no", "nos", "case", "cases"),
    ),
    Pattern(
        "case number", "CASE",
        r"\b[0-9]:[0-9]{2}-(?:cv|cr|mj|mc|bk|ap|md)-[0-9]{3,6}(?:-[A-Z]{2,4}){0,3}\b|"
        r"\bECLI:[A-Z]{2}:[A-Z]{1,7}:[0-9]{4}:[0-9A-Z.]{1,25}|\B\[[12][0-9]{3}\][ ](?:UKSC|EWCA|EWHC|"
        r"UKHL|UKUT)[ ](?:Civ[ ]|Crim[ ])?[0-9]{1,5}",
        0.75, edges=False,
    ),
    Pattern(
        "warrant or collar number", "CODE",
        r"\b((?:W?PC|PCSO|PS|DC|DS|DI|Constable|Officer|Trooper|Deputy))[ ]([0-9]{3,5})[ ][A-Z][a-z]",
        0.3, labelled=True, hint=r"[a-zA-Z][ ][0-9]{3,5}[ ][A-Z][a-z]",
    ),
    Pattern(
        "warrant or collar number", "CODE",
        r"\b((?:W?PC|PCSO|PS|DC|DS|DI)(?:[ ][A-Z][a-z'’-]{1,20}){1,2}),?[ ]\(?([0-9]{3,5})\b", 0.3,
        labelled=True, whole=True,
    ),
    _labelled(
        "device or serial number", "DEVICE",
        r"serial|s/n|sn|device|imei|imsi|iccid|udi|asset[ ](?:tag|no|number)|pacemaker|implant|"
        r"model[ ]serial|meid|lot[ ](?:no|number)",
        checks.value(3, bare_digits=5),
    ),
    _labelled(
        "biometric code", "CODE",
        r"(?:finger|voice|palm|face)[ ]?print|iris|retina|biometric|"
        r"(?:gait|face|facial|voice|keystroke)(?:[ _](?:signature|template|embedding|scan))?",
        checks.value(4, bare_digits=5),
    ),
    _labelled(
        "passport number", "PASSPORT", r"passports?|travel[ ]document", checks.mixed_of(5, 10),
        score=0.4, shape=r"[A-Z]{0,3}[ ]?[0-9]{5,9}[A-Z]{0,2}|[A-Z][0-9A-Z]{7,8}",
    ),
    _labelled(
        "driving licence number", "DRIVING_LICENCE",
        r"driver['’]?s?[ ]licen[cs]e|driving[ ]licen[cs]e|driver['’]s[ ]lic|dl|d\.l\.|"
        r"licencia[ ]de[ ]conducir",
        checks.mixed_of(5, 22), score=0.4, shape=r"[A-Z0-9]{1,17}(?:[- ][A-Z0-9]{2,8}){0,4}",
    ),
    _labelled(
        "registration plate", "PLATE",
        r"(?:licen[cs]e|number|registration)[ ]plates?|plates?|(?:vehicle|car)[ ]reg(?:istration)?|"
        r"reg(?:istration)?(?:[ ]mark|[ ]plate)?|vrm|vrn",
        checks.plate, score=0.35, shape=_CODE,
    ),
    _labelled(
        "company number", "TAX_ID",
        r"company[ ](?:no|number|reg(?:istration)?)|tax[ ](?:id|no|number|ref(?:erence)?)|"
        r"vat(?:[ ]reg(?:istration)?)?|tin|"
        r"ein|utr|steuernummer|registered[ ](?:no|number)|ust-?id(?:nr)?",
        checks.value(5), shape=r"(?:[A-Z]{2}[ ]?)?[0-9A-Z]{2,12}(?:[-/ .][0-9]{2,7}){0,4}",
    ),
    _labelled(
        "national identity number", "NATIONAL_ID",
        r"national[ ]id(?:entity)?(?:[ ](?:no|number|card))?|id(?:entity)?[ ](?:card|number|no)|"
        r"personal[ ](?:code|number|id)|"
        r"nhs(?:[ ](?:no|number))?|ni[ ]number|national[ ]insurance|bsn|pesel|personnummer|aadhaar|cpf|nino",
        checks.value(5),
    ),
    _labelled(
        "US social security number", "SSN", r"ssn|social[ ]security(?:[ ](?:no|number))?",
        checks.value(4), shape=r"[0-9Xx*]{3}[- ]?[0-9Xx*]{2}[- ]?[0-9]{4}",
    ),
)  # fmt: skip
