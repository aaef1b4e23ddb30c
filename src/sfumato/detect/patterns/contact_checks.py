"""Checks on ways to reach someone: mail, web and network addresses, user names, telephones."""

from __future__ import annotations

import ipaddress
import re
from functools import lru_cache

import phonenumbers

from sfumato.detect.patterns.checks import VERSION_BEFORE, digits_of, varied
from sfumato.detect.patterns.engine import Check, Found
from sfumato.english.wordlists import word_set

# --- on the net ----------------------------------------------------------------------------------

_FILE_ENDINGS = word_set("""png jpg jpeg gif svg webp css js pdf zip txt""")
_URL_TAIL = ".,;:!?'\"”’»*_`…"
_CHAIN_BEFORE = re.compile(r"\.$|\d[-:]$")
_CHAIN_AFTER = re.compile(r"[.-]\d")
_IP_BEFORE = re.compile(
    r"\b(?:ip|ipv4|address|host|server|from|dns|gateway|client|subnet)\b\W*$", re.I
)


_DOMAIN = re.compile(r"(?:[^\W_]|[.-])*")

# Private and link-local; those for documentation stand for public ones.
_PRIVATE = [
    ipaddress.ip_network(network)
    for network in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7",
                    "fe80::/10")
]  # fmt: skip


_IN_ADDRESS = re.compile(r"://[^\s:/@]*:\Z")
_SETTING = re.compile(r"\A[A-Z][A-Z0-9_]+=")  # "SMTP_FROM=" is no part of an address


def email(found: Found) -> str | None:
    text = found.text
    if _IN_ADDRESS.search(found.before):
        return None  # "redis://user:password@host"
    local, _, domain = text.rpartition("@")
    kept = local
    for i in range(len(local) - 1, -1, -1):  # back to the first character that no address holds
        if not (local[i].isalnum() or local[i] in "._%+'’-&=#!/~$*^{}|`?"):
            kept = local[i + 1 :]
            break
    kept = _SETTING.sub("", kept).lstrip(".'’-`*/{}|=&")
    # Up to what no domain holds: a full stop of another script, or a sign that nobody sees.
    domain = _DOMAIN.match(domain)[0].rstrip(".-")  # type: ignore[index]
    labels = domain.split(".")
    if not kept or kept.endswith(".") or len(labels) < 2 or not all(x.strip("-") for x in labels):
        return None
    if labels[-1].lower() in _FILE_ENDINGS or not labels[-1].isalpha():
        return None
    found.narrow(text, f"{kept}@{domain}")
    return ""


def url(found: Found) -> str | None:
    text = found.text
    space = next((i for i, c in enumerate(text) if c.isspace() or c in "<>“”«»"), len(text))
    kept = text[:space]
    while kept:
        last = kept[-1]
        if last in _URL_TAIL or (
            last in ")]}" and kept.count(last) > kept.count("([{"[")]}".index(last)])
        ):
            kept = kept[:-1]
        else:
            break
    _, sep, rest = kept.partition("://")
    if sep and not any(c.isalnum() for c in rest):
        return None
    if not sep and "." not in kept[4:]:
        return None
    found.end = found.start + len(kept.encode())
    return ""


def domain(found: Found) -> str | None:
    """A bare host name; e-mail addresses have found theirs already, and file names are none."""
    if found.start > 0 and found.data[found.start - 1 : found.start] in (b"@", b"/", b"."):
        return None
    return url_tail(found)


def url_tail(found: Found) -> str | None:
    kept = found.text.rstrip(_URL_TAIL + ")]}")
    found.end = found.start + len(kept.encode())
    return ""


def ipv4(found: Found, private: bool = False) -> str | None:
    text = found.text
    if VERSION_BEFORE.search(found.before) or _CHAIN_BEFORE.search(found.before):
        return None
    if _CHAIN_AFTER.match(found.after(2)) or text.startswith("127."):
        return None  # a number of more parts; nobody's address
    if all(len(part) == 1 for part in text.split(".")) and not _IP_BEFORE.search(found.before):
        return None
    return None if not private and _is_private(text) else ""


def _is_private(address: str) -> bool:
    """Whether an address is in use in every house, and tells none of them."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:  # a zero in front
        return False
    return any(found in network for network in _PRIVATE if network.version == found.version)


def ipv6(found: Found, private: bool = False) -> str | None:
    text = found.text
    if "::" not in text and text.count(":") != 7:
        return None
    if not any(c.isdigit() for c in text):
        return None
    try:
        if ipaddress.IPv6Address(text).is_loopback:
            return None  # nobody's address
    except ValueError:
        return None
    before, after = found.before[-1:], found.after(1)
    if before in (":", ".") or after == ":":
        return None
    return None if not private and _is_private(text) else ""


_NOT_HANDLES = word_set(
    """media import charset override deprecated param return returns author since see throws test
    property staticmethod classmethod dataclass pytest suppresswarnings autowired keyframes supports
    page everyone here channel todo"""
)


def handle(found: Found) -> str | None:
    text = found.text
    name = text[1:].rstrip(".")
    if name.lower() in _NOT_HANDLES or not any(c.isalpha() for c in name):
        return None
    before = found.before[-1]
    if before.isalnum() or before in "._-@/":
        return None
    found.end -= len(text) - 1 - len(name)
    return ""


_LOGIN_STOP = word_set(
    """from page name is was and or the to for with on in at of by as an a id screen form via not
    required details failed attempt attempts password credentials account"""
)


_ACCOUNT = re.compile(r"\baccount[ \t:=]*(?:is[ \t])?[\"'“‘]?$", re.IGNORECASE)
_USER_MARK = re.compile(r"(?:[:=#]|(?:name|id|login|handle) is)\s*[\"'“‘]?$", re.IGNORECASE)


def username(found: Found) -> str | None:
    text = found.text
    kept = text.rstrip(".-")
    if kept.lower() in _LOGIN_STOP or len(kept) < 2 or (kept.isdigit() and len(kept) < 3):
        return None
    marked = _USER_MARK.search(found.before)
    if not marked and not any(c.isdigit() or c in "_." for c in kept):
        return None
    if not any(map(str.isalpha, kept)) and _ACCOUNT.search(found.before):
        return None  # the number of an account at a bank
    if kept.count(".") == 3 and kept.replace(".", "").isdigit():
        return None  # an IP address
    if found.after(1) == "@":
        return None
    found.end = found.start + len(kept.encode())
    return ""


# --- telephones ----------------------------------------------------------------------------------

_FAX = re.compile(r"\bfax\b[^\n]{0,14}$", re.IGNORECASE)
_NOT_PHONE = re.compile(
    r"\b(?:isbn|issn|doi|version|oclc|pmid|lccn|order|ticket|ref|page|pages|pp|vol|volume|account|acct)"
    r"\b\W{0,3}(?:no|number|nos)?\W{0,3}$",
    re.IGNORECASE,
)


def phone(regions: tuple[str, ...]) -> Check:
    """A check by the phonenumbers library: the international form, or a national one of the regions."""

    def check(found: Found) -> str | None:
        if found.before.endswith("CVE-"):
            return None  # of a weakness of programs
        text = found.text
        # "(07700 900318)" as a whole stands in brackets
        if text.endswith(")") and text.rfind("(") < 1:
            text = text[:-1]
            found.end -= 1
        if text.startswith("(") and ")" not in text:
            text = text[1:]
            found.start += 1
        digits = digits_of(text)
        international = text.startswith("+") or (text.startswith("00") and len(digits) >= 11)
        if not 7 <= len(digits) <= 15 or not varied(digits):
            return None
        if _NOT_PHONE.search(found.before):
            return None
        if _FAX.search(found.before):
            found.kind, found.name = "FAX", "fax number"
        if international:
            return _numbering("+" + digits[2:] if text.startswith("00") else text, None)
        if _YEARS.match(text.strip("()")):
            return None
        # A number of no region that the policy names may be another country's: its shape and the words
        # before it decide.
        return next((v for v in (_numbering(text, region) for region in regions) if v), "")

    return check


_YEARS = re.compile(r"(?:1[0-9]|20)\d\d\s?[-–/]\s?(?:1[0-9]|20)\d\d$")


@lru_cache(maxsize=4096)
def _numbering(text: str, region: str | None) -> str | None:
    try:
        number = phonenumbers.parse(text, region)
    except phonenumbers.NumberParseException:
        return None
    where = phonenumbers.region_code_for_number(number)
    if where is not None and phonenumbers.is_valid_number_for_region(number, where):
        return f"valid in {where}" if where != "001" else "valid number"
    return "" if phonenumbers.is_possible_number(number) else None
