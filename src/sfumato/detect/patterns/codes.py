"""Patterns for identifying numbers that carry their own proof: checksums, rules, a shape of their own."""

from __future__ import annotations

from sfumato.detect.patterns import checks
from sfumato.detect.patterns.checks import standard, structure
from sfumato.detect.patterns.engine import Check, Pattern

_CARD_WORDS = (
    "card", "credit", "debit", "visa", "mastercard", "amex", "american express", "discover", "maestro",
    "cc", "pan", "payment",
)  # fmt: skip
_SSN_WORDS = ("ssn", "ss#", "social security", "social", "soc sec", "ssns", "ssn:")
_TAX_WORDS = ("tax", "tin", "itin", "ein", "vat", "taxpayer")
_ID_WORDS = ("id", "identity", "national id", "identification", "personal number", "id number")
_B58 = r"[1-9A-HJ-NP-Za-km-z]"

PAYMENT = (
    Pattern(
        "payment card number", "CARD",
        r"[1-6]\d{3}[ -]\d{4}[ -]\d{4}[ -]\d{1,7}|3[47]\d{2}[ -]\d{6}[ -]\d{5}|3[068]\d{2}[ -]\d{6}[ -]\d{4}|"
        r"[1-6]\d{12,18}",
        0.15, checked=0.8, check=checks.card, context=_CARD_WORDS, whole=True,
    ),
    Pattern(
        "IBAN", "IBAN",
        r"\b[A-Z]{2}\d{2}[ -]?(?:[A-Z0-9]{4}[ -]?){2,7}[A-Z0-9]{0,4}|\b[a-z]{2}\d{2}[a-z0-9]{11,30}",
        0.5, checked=0.9, check=checks.iban, context=("iban", "account", "bank"), edges=False,
    ),
    Pattern(
        "bank identifier", "CODE",
        r"\b((?i:bic|swift)(?:[ /-](?i:swift|bic))?(?:[ ](?i:code))?)[ \t]{0,2}[:=]?[ \t]{0,4}"
        r"([A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)\b",
        0.4, labelled=True, check=checks.bic, hint=r"\b(?i:bic|swift)\b",
    ),
    Pattern(
        "Bitcoin address", "CRYPTO",
        rf"\b[13]{_B58}{{25,34}}\b|\b(?:bc1|BC1)[0-9A-Za-z]{{11,71}}\b", 0.0, checked=0.95,
        check=checks.bitcoin_address,
    ),
    Pattern("Ethereum address", "CRYPTO", r"\b0x[0-9a-fA-F]{40}\b", 0.8),
)  # fmt: skip

DEVICES = (
    Pattern(
        "UUID", "UUID",
        r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b", 0.85,
        whole=True,
    ),
    Pattern(
        "device number (IMEI)", "DEVICE", r"\b\d{15}\b|\b\d{2}[- ]\d{6}[- ]\d{6}[- ]\d\b", 0.05,
        checked=0.4, check=checks.imei, context=("imei", "handset", "device", "phone", "meid"),
        whole=True,
    ),
    Pattern(
        "vehicle identification number", "VIN", r"\b[A-HJ-NPR-Z0-9]{17}\b", 0.15, checked=0.75,
        check=checks.vin, context=("vin", "vehicle", "chassis", "car"), whole=True,
    ),
    Pattern(
        "tracking number", "CODE", r"\b1Z(?:[ ]?[0-9A-Z]){16}\b", 0.5, checked=0.8,
        check=checks.ups, context=("tracking", "parcel", "ups", "shipment"),
    ),
)  # fmt: skip


def _check(modules: tuple[str, ...], checked: float) -> Check | None:
    """No score for a checksum means that the number has none: then only its structure can be checked."""
    if not modules:
        return None
    return standard(*modules) if checked else structure(*modules)


_NIR = (
    r"\b[12][ ]?\d{2}[ ]?(?:0[1-9]|1[0-2]|[2-9]\d)[ ]?(?:\d{2}|2[AB])[ ]?\d{3}[ ]?\d{3}[ ]?\d{2}\b"
)

# Numbers with a shape of their own: (title, kind, expression, modules of python-stdnum, bare score, score
# with checksum (0: it has none), context words).
_SHAPED: tuple[tuple[str, str, str, tuple[str, ...], float, float, tuple[str, ...]], ...] = (
    ("UK NHS number", "NATIONAL_ID", r"\b\d{3}[ -]\d{3}[ -]\d{4}\b", ("gb.nhs",), 0.1, 0.55,
     ("nhs", "nhs no", "nhs number")),
    ("Spanish identity number", "NATIONAL_ID", r"\b\d{8}-?[A-Z]\b|\b[XYZ]-?\d{7}-?[A-Z]\b",
     ("es.dni", "es.nie"), 0.15, 0.7, ("dni", "nie", "nif", "spain", "spanish")),
    ("Italian tax code", "NATIONAL_ID", r"\b[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]\b",
     ("it.codicefiscale",), 0.5, 0.9, ("codice fiscale", "cf", "italian")),
    ("French social security number", "NATIONAL_ID", _NIR, ("fr.nir",), 0.15, 0.8,
     ("nir", "insee", "sécurité sociale", "france", "french")),
    ("Belgian national number", "NATIONAL_ID", r"\b\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}\b", ("be.nn",), 0.5,
     0.85, ("rijksregister", "national number", "registre national")),
    ("Swiss social security number", "NATIONAL_ID", r"\b756\.?\d{4}\.?\d{4}\.?\d{2}\b", ("ch.ssn",), 0.3,
     0.85, ("ahv", "avs", "ahv-nr")),
    ("Swedish personal number", "NATIONAL_ID", r"\b(?:\d{2})?\d{6}[-+]\d{4}\b", ("se.personnummer",),
     0.1, 0.7, ("personnummer", "swedish")),
    ("Danish personal number", "NATIONAL_ID", r"\b[0-3]\d[01]\d{3}-\d{4}\b", ("dk.cpr",), 0.2, 0.0,
     ("cpr", "cpr-nr", "danish")),
    ("Finnish identity code", "NATIONAL_ID", r"\b\d{6}[-+A-FU-Y]\d{3}[0-9A-FHJ-NPR-Y]\b", ("fi.hetu",),
     0.2, 0.85, ("hetu", "henkilötunnus", "finnish")),
    ("Irish PPS number", "NATIONAL_ID", r"\b\d{7}[A-W][A-IW]?\b", ("ie.pps",), 0.15, 0.7,
     ("pps", "ppsn", "irish")),
    ("Canadian social insurance number", "NATIONAL_ID", r"\b\d{3}[ -]\d{3}[ -]\d{3}\b", ("ca.sin",), 0.1,
     0.55, ("sin", "social insurance", "nas")),
    ("Indian Aadhaar number", "NATIONAL_ID", r"\b[2-9]\d{3}[ -]\d{4}[ -]\d{4}\b", ("in_.aadhaar",), 0.1,
     0.7, ("aadhaar", "aadhar", "uidai")),
    ("Indian PAN", "TAX_ID", r"\b[A-Z]{3}[ABCFGHJLPT][A-Z]\d{4}[A-Z]\b", ("in_.pan",), 0.5, 0.0,
     ("pan", "income tax")),
    ("Brazilian CPF", "NATIONAL_ID", r"\b\d{3}\.\d{3}\.\d{3}-\d{2}\b", ("br.cpf",), 0.5, 0.9, ("cpf",)),
    ("Brazilian CNPJ", "TAX_ID", r"\b\d{2}\.\d{3}\.\d{3}/\d{4}-\d{2}\b", ("br.cnpj",), 0.5, 0.9,
     ("cnpj",)),
    ("Chilean RUT", "NATIONAL_ID", r"\b\d{1,2}\.?\d{3}\.?\d{3}-[0-9Kk]\b", ("cl.rut",), 0.1, 0.6,
     ("rut", "run")),
    ("Mexican CURP", "NATIONAL_ID", r"\b[A-Z]{4}\d{6}[HMX][A-Z]{5}[0-9A-Z]\d\b", ("mx.curp",), 0.5, 0.9,
     ("curp",)),
    ("Mexican RFC", "TAX_ID", r"\b[A-ZÑ&]{3,4}\d{6}[0-9A-Z]{3}\b", ("mx.rfc",), 0.15, 0.0, ("rfc",)),
    ("Argentinian CUIT", "TAX_ID", r"\b(?:20|2[347]|30|3[34])-\d{8}-\d\b", ("ar.cuit",), 0.3, 0.85,
     ("cuit", "cuil")),
    ("Korean resident number", "NATIONAL_ID", r"\b\d{6}-\d{7}\b", ("kr.rrn",), 0.2, 0.8,
     ("rrn", "resident")),
    ("Chinese identity number", "NATIONAL_ID", r"\b[1-9]\d{16}[0-9X]\b", ("cn.ric",), 0.1, 0.85,
     _ID_WORDS),
    ("Czech or Slovak birth number", "NATIONAL_ID", r"\b\d{6}/\d{3,4}\b", ("cz.rc",), 0.1, 0.7,
     ("rodné číslo", "rč")),
    ("Malaysian identity number", "NATIONAL_ID", r"\b\d{6}-\d{2}-\d{4}\b", ("my.nric",), 0.2, 0.0,
     ("nric", "mykad")),
    ("Australian business number", "TAX_ID", r"\b\d{2}[ ]\d{3}[ ]\d{3}[ ]\d{3}\b", ("au.abn",), 0.1, 0.7,
     ("abn",)),
    ("Australian Medicare number", "HEALTH_PLAN", r"\b[2-6]\d{3}[ ]\d{5}[ ]\d\b", (), 0.3, 0.0,
     ("medicare",)),
    ("EU VAT number", "TAX_ID",
     r"\b(?:AT[ ]?U|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK)[ ]?"
     r"[0-9A-Z]{2}[0-9]{5,9}[0-9A-Z]{0,3}\b", ("eu.vat",), 0.1, 0.7, ("vat", "tva", "ust-id", "ust-idnr",
      "btw", "iva")),
    ("UK VAT number", "TAX_ID", r"\bGB[ ]?\d{3}[ ]?\d{4}[ ]?\d{2}(?:[ ]?\d{3})?\b", ("gb.vat",), 0.4,
     0.85, ("vat",)),
)  # fmt: skip

# Plain runs of digits: a checksum alone is luck as often as not, so most need a context word as well.
_PLAIN: tuple[tuple[str, str, int, tuple[str, ...], float, tuple[str, ...]], ...] = (
    ("German tax number", "TAX_ID", 11, ("de.idnr",), 0.3,
     ("steuer-id", "steuerid", "idnr", "tax", "steuer", "steueridentifikationsnummer",
      "identifikationsnummer")),
    ("Polish PESEL", "NATIONAL_ID", 11, ("pl.pesel",), 0.4, ("pesel",)),
    ("Norwegian identity number", "NATIONAL_ID", 11, ("no.fodselsnummer",), 0.55,
     ("fødselsnummer", "norwegian")),
    ("Estonian or Lithuanian personal code", "NATIONAL_ID", 11, ("ee.ik",), 0.45,
     ("isikukood", "asmens kodas", "personal code")),
    ("Turkish identity number", "NATIONAL_ID", 11, ("tr.tckimlik",), 0.4,
     ("kimlik", "tc", "tckn", "turkish")),
    ("Croatian OIB", "NATIONAL_ID", 11, ("hr.oib",), 0.3, ("oib",)),
    ("Brazilian CPF", "NATIONAL_ID", 11, ("br.cpf",), 0.35, ("cpf",)),
    ("Belgian national number", "NATIONAL_ID", 11, ("be.nn",), 0.4,
     ("rijksregister", "national number")),
    ("Polish NIP", "TAX_ID", 10, ("pl.nip",), 0.15, ("nip",)),
    ("Bulgarian EGN", "NATIONAL_ID", 10, ("bg.egn",), 0.3, ("egn", "егн")),
    ("UK NHS number", "NATIONAL_ID", 10, ("gb.nhs",), 0.2, ("nhs", "nhs no", "nhs number")),
    ("Dutch BSN", "NATIONAL_ID", 9, ("nl.bsn",), 0.15, ("bsn", "burgerservicenummer", "dutch")),
    ("Portuguese NIF", "TAX_ID", 9, ("pt.nif",), 0.15, ("nif", "contribuinte")),
    ("Canadian social insurance number", "NATIONAL_ID", 9, ("ca.sin",), 0.15,
     ("sin", "social insurance")),
    ("Israeli identity number", "NATIONAL_ID", 9, ("il.idnr",), 0.1, ("teudat zehut", "israeli")),
    ("Australian tax file number", "TAX_ID", 9, ("au.tfn",), 0.15, ("tfn", "tax file")),
    ("French SIREN", "TAX_ID", 9, ("fr.siren",), 0.15, ("siren", "rcs")),
    ("Indian Aadhaar number", "NATIONAL_ID", 12, ("in_.aadhaar",), 0.3, ("aadhaar", "aadhar", "uidai")),
    ("South African identity number", "NATIONAL_ID", 13, ("za.idnr",), 0.5,
     ("south african", "id number", "id")),
    ("Romanian CNP", "NATIONAL_ID", 13, ("ro.cnp",), 0.55, ("cnp",)),
    ("Thai identity number", "NATIONAL_ID", 13, ("th.pin",), 0.3, ("thai",)),
)  # fmt: skip

NATIONAL = (
    Pattern(
        "US social security number", "SSN", r"\b[0-8]\d{2}-\d{2}-\d{4}\b", 0.55, check=checks.ssn,
        context=_SSN_WORDS, whole=True,
    ),
    Pattern(
        "US social security number", "SSN", r"\b[0-8]\d{2}[ .]\d{2}[ .]\d{4}\b", 0.25,
        check=checks.ssn, context=_SSN_WORDS, whole=True,
    ),
    Pattern(
        "US social security number", "SSN", r"\b\d{9}\b", 0.0, check=checks.ssn, context=_SSN_WORDS,
        whole=True,
    ),
    Pattern(
        "US individual taxpayer number", "TAX_ID", r"\b9\d{2}[- ]\d{2}[- ]\d{4}\b", 0.55,
        check=checks.itin, context=_TAX_WORDS, whole=True,
    ),
    Pattern(
        "US individual taxpayer number", "TAX_ID", r"\b\d{9}\b", 0.0, check=checks.itin,
        context=("itin",), whole=True,
    ),
    Pattern(
        "US employer number", "TAX_ID", r"\b\d{2}-\d{7}\b", 0.15,
        context=("ein", "employer", "tax", "fein"), whole=True,
    ),
    Pattern(
        "UK national insurance number", "NATIONAL_ID",
        r"\b[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z][ ]?\d{2}[ ]?\d{2}[ ]?\d{2}[ ]?[A-D]\b", 0.65,
        check=checks.ni, context=("ni", "nino", "national insurance"),
    ),
    Pattern(  # the prefix of specimens, where the words before say what it is
        "UK national insurance number", "NATIONAL_ID", r"\bQQ[ ]?\d{2}[ ]?\d{2}[ ]?\d{2}[ ]?[A-D]\b", 0.2,
        context=("ni", "nino", "national insurance"),
    ),
    Pattern(
        "UK national insurance number", "NATIONAL_ID",
        r"\b(?i:national[ ]insurance|nino)\b[^\n.]{0,30}?\b([A-Z]{2}[ ]?\d{2}[ ]?\d{2}[ ]?\d{2}[ ]?[A-D])\b",
        0.8, group=1, hint="(?i)insurance|nino",
    ),
    Pattern(
        "number of an officer", "CODE",
        r"\b(?:PC|WPC|PCSO|DC|PS|Constable|Officer)[ ]([0-9]{2,5})[ ][A-Z]", 0.7, group=1,
    ),
    Pattern(
        "UK driving licence", "DRIVING_LICENCE",
        r"\b[A-Z9]{5}\d[0156]\d(?:[0-2]\d|3[01])\d[A-Z9]{2}[0-9A-Z][A-Z]{2}\b", 0.65,
        context=("driving", "licence", "dvla"),
    ),
    Pattern(
        "US Medicare number", "HEALTH_PLAN",
        r"\b[1-9][AC-HJ-KM-NP-RT-Y][0-9AC-HJ-KM-NP-RT-Y]\d-?[AC-HJ-KM-NP-RT-Y][0-9AC-HJ-KM-NP-RT-Y]\d-?"
        r"[AC-HJ-KM-NP-RT-Y]{2}\d{2}\b",
        0.6, context=("medicare", "mbi", "beneficiary"),
    ),
    Pattern(
        "US provider number (NPI)", "CERTIFICATE", r"\b[12]\d{9}\b", 0.0, checked=0.2,
        check=checks.npi, context=("npi", "provider"), whole=True,
    ),
    Pattern(
        "US DEA number", "CERTIFICATE", r"\b[A-HJ-NPR-UX][A-Z9]\d{7}\b", 0.1, checked=0.6,
        check=checks.dea, context=("dea",),
    ),
    Pattern(
        "UK registration plate", "PLATE", r"\b[A-HK-PRSVWXY][A-HJ-PR-Y]\d{2}[ ][A-HJ-PR-Z]{3}\b", 0.55,
    ),
    Pattern(
        "UK registration plate", "PLATE", r"\b[A-HK-PRSVWXY][A-HJ-PR-Y]\d{2}[ ]?[A-HJ-PR-Z]{3}\b",
        0.4,
        context=("car", "vehicle", "van", "plate", "registration", "reg", "vrm", "driving", "parked"),
    ),
    *(
        Pattern(
            title, kind, regex, bare, checked=checked, check=_check(modules, checked),
            context=words, whole=True,
        )
        for title, kind, regex, modules, bare, checked, words in _SHAPED
    ),
    *(
        Pattern(
            title, kind, rf"\b\d{{{digits}}}\b", 0.0, checked=checked, check=standard(*modules),
            context=words, whole=True,
        )
        for title, kind, digits, modules, checked, words in _PLAIN
    ),
)  # fmt: skip

# Pictures and files that are written out as text.
DATA = (
    Pattern(
        "data in letters and digits",
        "CODE",
        r"\bdata:[a-z]{2,12}/[a-z0-9.+-]{2,60};base64,([A-Za-z0-9+/=_-]{16,})",
        0.9,
        group=1,
        edges=False,
        hint=r";base64,",
    ),
)

# Files of pictures and films, in a folder or with a number.
FILES = (
    Pattern(
        "file of a picture",
        "CODE",
        r"(?:/[\w.@-]{1,60}){1,8}\.(?i:dcm|jpe?g|png|heic|tiff?|mp4|mov|avi|wav|m4a)\b|"
        r"\b[\w-]{0,40}[0-9]{4}[\w-]{0,40}\.(?i:dcm|jpe?g|png|heic|tiff?|mp4|mov|avi|wav|m4a)\b",
        0.6,
        hint=r"\.(?i:dcm|jpe?g|png|heic|tiff?|mp4|mov|avi|wav|m4a)\b",
    ),
)

PATTERNS = (*PAYMENT, *DEVICES, *NATIONAL, *DATA, *FILES)
