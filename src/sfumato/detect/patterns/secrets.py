"""Patterns for what opens something: keys and tokens by shape, passwords and codes by name."""

from __future__ import annotations

import re

from sfumato.detect.patterns.engine import Found, Pattern
from sfumato.english.wordlists import lists

_KEY = "[A-Za-z0-9_-]"
# How keys of well-known services begin, so that programs (and we) find them.
_SHAPES = (
    r"(?:AKIA|ASIA|AGPA|AIDA|AROA|ANPA)[A-Z0-9]{16}",
    r"gh[opusr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{22,255}",
    rf"gl(?:pat|dt|rt)-{_KEY}{{20,64}}",
    r"xox[abeprs]-[A-Za-z0-9-]{10,255}",
    r"[rsp]k_(?:live|test)_[A-Za-z0-9]{10,255}|whsec_[A-Za-z0-9]{20,64}",
    rf"sk-{_KEY}{{20,255}}",
    rf"AIza{_KEY}{{35}}|ya29\.{_KEY}{{20,500}}",
    r"npm_[A-Za-z0-9]{36}|hf_[A-Za-z0-9]{30,64}|dop_v1_[a-f0-9]{64}",
    rf"pypi-AgEI{_KEY}{{50,500}}|SG\.{_KEY}{{16,32}}\.{_KEY}{{30,64}}",
    rf"eyJ{_KEY}{{8,}}\.{_KEY}{{4,}}\.{_KEY}*",
    r"ssh-(?:rsa|dss|ed25519)[ ]AAAA[A-Za-z0-9+/=]{20,}",
)
_CALLED = (
    r"(?:[\w-]{0,40}?(?:pass(?:word|wd|phrase|code)|pwd|secret|api[ _-]?key|access[ _-]?key|private[ _-]?key|"
    r"(?:auth|access|refresh|bearer|api|session)[ _-]?token|token|session[ _-]?id|cookie)[\w-]{0,20})"
)
_VALUE = r"""([^\s"'<>,;]{3,250}[^\s"'<>,;.:)\]}])"""
_SAFE = r"(?:key[ -]?(?:safe|box)|lock[ -]?box|pad[ -]?lock|intercom|door[ -]?entry|buzzer)"
_DOOR = rf"(?:door|gate|alarm|entry|entrance|garage|access|safe|security|{_SAFE})"
_LOCK = rf"(?:{_DOOR}|lock|locker|unlock|screen|phone|voice[ -]?mail|card|wi-?fi|router)"
_CODE = "(?:code|pin|combination|combo)"
_CODE_NAMES = (
    rf"(?:pin(?:[ ](?:code|number))?|{_LOCK}[ ]{_CODE}|{_DOOR}[ ]number|{_SAFE}|pass[ -]?code|"
    rf"{_CODE}[ ](?:for|to|of|on)[ ](?:(?:the|his|her|my|our|your|their)[ ])?(?:[a-z]{{2,9}}[ ])?{_LOCK})"
)
# Behind an alarm that nobody calls a code: the number's sign, or the end of a clause
_ALONE = re.compile(r"#|[ \t]*(?:[.,;)\n]|\Z| (?:and|then|to|or|but|key|on|when)\b)")
_NO_SECRET = re.compile(
    r"(?i)(?:true|false|yes|no|none|null|nil|empty|required|optional|expired|invalid|incorrect|wrong|valid|reset|"
    r"changed|unknown|missing|string|str|bytes|[*x•.…-]+|\[.*|\$\{.*|\$[A-Z_]+|<.*|%\w+%|\{\{.*)"
)


def _is_value(found: Found) -> str | None:
    """Set to something that is no placeholder and no word about it; PWD=/home/ann is where somebody works."""
    is_folder = found.text[0] in "/~" and re.search(r"\bPWD\W{1,3}\Z", found.before)
    return None if is_folder or _NO_SECRET.fullmatch(found.text) else "what it is called"


def _is_odd(found: Found) -> str | None:
    """In a sentence: letters with digits or signs among them, as words have none."""
    word = found.text
    odd = any(map(str.isdigit, word)) or re.search(r"\w[!?#$%&*+=@^~|]\w?", word)
    return "what it is called" if odd and any(map(str.isalpha, word)) else None


# What is said of a password, and is none.
_OF_PASSWORDS = frozenset(lists("detect/words")["of passwords"])


def _is_of_alarm(found: Found) -> str | None:
    """Alone in its clause, and no hour for which an alarm is set."""
    if not _ALONE.match(found.after()):
        return None
    is_hour = re.fullmatch(r"0[4-9][0-5][05]", found.text)
    is_set = re.search(r"(?i)\b(?:set|woke|clock|phone)\b[^.\n]{0,20}\Z", found.before)
    return None if is_hour or (is_set and re.fullmatch(r"[01]\d[0-5]\d", found.text)) else ""


def _is_card_code(found: Found) -> str | None:
    """Three or four digits that count nothing: CVC is a catheter, too."""
    return None if re.match(r"\s?(?:%|[a-z]+s\b|m[lm]|cm|/)", found.after()) else ""


def _is_word(found: Found) -> str | None:
    """A word at the end of a sentence that says nothing of the password, as "changed" and "secure" do."""
    word = found.text.lower()
    if _NO_SECRET.fullmatch(word) or word in _OF_PASSWORDS:
        return None
    ends = re.match(
        r"[.,;:!?)\"'”’]*(?:\s*\Z|\s*\n|\s(?:and|but|for|on|so|if)\b|[.,;!?)])", found.after()
    )
    return "" if ends and not re.search(r"(?:ed|ing|able|ible|ly)\Z", word) else None


PATTERNS = (
    Pattern("key or token", "SECRET", rf"\b(?:{'|'.join(_SHAPES)})", 0.95, edges=False),
    Pattern(
        "private key", "SECRET",
        r"-----BEGIN[ ][A-Z ]{0,20}PRIVATE[ ]KEY(?:[ ]BLOCK)?-----[^-]*"
        r"(?:-----END[ ][A-Z ]{0,20}PRIVATE[ ]KEY(?:[ ]BLOCK)?-----)?",
        0.99, edges=False, hint="PRIVATE[ ]KEY",
    ),
    Pattern(
        "password or token by its name", "SECRET",
        rf"""\b((?i:{_CALLED}))["']?[ \t]{{0,8}}(?:[:=]|=>|:=)[ \t]{{0,8}}["']?{_VALUE}""",
        0.5, checked=0.6, check=_is_value, labelled=True, edges=False,
        hint="(?i)pass|pwd|secret|key|token|session|cookie",
    ),
    Pattern(
        "password in a sentence", "SECRET",
        r"\b((?i:password|passphrase|passcode|pass[ ]word|pw))\b[^.\n:=]{0,40}?"
        rf"(?::|\b(?:is|to|was|with)\b)[ ]?{_VALUE}",
        0.4, checked=0.5, check=_is_odd, labelled=True, edges=False, hint="(?i)pass|pw",
    ),
    Pattern(
        "password in a sentence", "SECRET",
        r"\b((?i:pass(?:word|phrase|code)|pass[ ]word|pwd|pw)[ ](?i:is|was|=|:)[ ][\"'“‘]?)"
        r"([A-Za-z][a-z0-9]{3,30})",
        0.2, check=_is_word, labelled=True, hint="(?i)pass|pw",
    ),
    Pattern(
        "code of a card", "SECRET",
        r"\b((?i:cv[cv]2?|card[ ](?:verification|security)(?:[ ](?:code|number|value))?)"
        r"(?:[ ](?i:code|number|no\.?|is|was))?[ ]?[:=#]?[ ]?)([0-9]{3,4})\b",
        0.3, check=_is_card_code, labelled=True, whole=True,
    ),
    Pattern(
        "credentials of a request", "SECRET", r"\b((?i:bearer|basic))[ ]+([A-Za-z0-9._~+/-]{12,}={0,2})",
        0.4, labelled=True, check=_is_odd, checked=0.5, edges=False, hint="(?i)bearer|basic",
    ),
    Pattern(
        "password of an address", "SECRET", r"[a-z0-9]://[^\s:/@]{0,64}:([^\s/@]{3,128})@", 0.9, group=1,
        edges=False, hint="://",
    ),
    Pattern(
        "user of an address", "USERNAME", r"[a-z0-9]://([^\s:/@]{2,64}):[^\s/@]{3,128}@", 0.8, group=1,
        edges=False, hint="://",
    ),
    Pattern(
        "code of a lock", "SECRET",
        rf"\b((?i:{_CODE_NAMES}))\b[ \t]*(?i:is[ ]now|is|was|:|=|#|[-–(])?[ \t]*([0-9*#]{{3,7}}[0-9]#?)", 0.5,
        labelled=True, edges=False, hint="(?i)pin|code|safe|box|lock|intercom|buzzer|entry|comb",
    ),
    Pattern(
        "code of a lock", "SECRET",
        rf"\b((?i:{_SAFE})[ ][^.\n;:0-9]{{2,40}}[ ]?[-–:(])[ ]?([0-9*#]{{3,7}}[0-9]#?)\b", 0.5, labelled=True,
        edges=False, hint="(?i)safe|box|lock|intercom|buzzer|entry",
    ),
    Pattern(
        "code of an alarm", "SECRET",
        r"\b((?i:alarm)(?:[ ](?i:off|on|set|unset|disarms?))?)[ ]?(?i:is|with|by|using|:|=|[-–(])?[ ]?"
        r"([0-9]{4,6})",
        0.4, labelled=True, edges=False, check=_is_of_alarm, hint="(?i)alarm",
    ),
    Pattern(
        "code of a lock", "SECRET",
        r"\b((?i:door|gate|entrance|alarm|garage|flat|block))[ ]?(?i:is|:|=|[-–(])?[ ]?"
        r"([0-9*#]{3,7}[0-9][#*]|[#*][0-9]{4,6})",
        0.5, labelled=True, edges=False, hint="(?i)door|gate|entrance|alarm|garage|flat|block",
    ),
    Pattern(
        "password in a sentence", "SECRET",
        rf"\b((?i:wi-?fi|router)(?:[ ](?i:code|key|pass))?)[ ]?(?::|=|\bis\b)[ ]?{_VALUE}",
        0.4, labelled=True, edges=False, check=_is_odd, hint="(?i)fi|router",
    ),
)  # fmt: skip
