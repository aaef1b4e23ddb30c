"""Patterns for ways to reach someone: e-mail, web, network addresses, user names, telephones."""

from __future__ import annotations

from sfumato.detect.patterns import contact_checks as checks
from sfumato.detect.patterns.engine import Pattern

# Any character beyond ASCII may stand in an address; the check looks at it again, with Unicode's eyes.
_BEYOND = r"\x{80}-\x{10FFFF}"
_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_H = r"[0-9A-Fa-f]"

# Endings under which a bare host name is taken for one; "readme.md" and "end.It" are not.
_TLD = (
    r"(?:com|org|net|edu|gov|mil|int|info|biz|io|ai|app|dev|eu|uk|us|ca|au|nz|ie|de|fr|nl|es|pt|pl|ch|se|"
    r"dk|fi|cz|ru|ua|jp|cn|kr|br|mx|za|tv|online|site|shop|cloud|health|example)"
)

_PHONE_WORDS = (
    "tel", "tel.", "telephone", "phone", "phones", "mobile", "cell", "cellphone", "call", "called", "ring",
    "rang", "text", "sms", "fax", "whatsapp", "contact", "dial", "voicemail", "hotline", "landline", "pager",
    "reach", "ext", "home", "work", "office", "ph", "mob", "t:", "m:", "p:", "f:", "number below",
    "queries", "enquiries", "inquiries", "questions",
)  # fmt: skip

PATTERNS = (
    Pattern(
        "e-mail address", "EMAIL",
        rf"[0-9A-Za-z._%+'’&=#!/~$*^{{}}|`?{_BEYOND}-]+@"
        rf"(?:[0-9A-Za-z{_BEYOND}-]{{1,63}}\.)+[A-Za-z{_BEYOND}]{{2,24}}",
        0.9, check=checks.email, hint=rf"@[0-9A-Za-z{_BEYOND}]",
    ),
    Pattern(
        "web address", "URL",
        r"(?i:https?|ftps?|sftp|ssh|git|ldaps?|smb|file|s3|rtsp|wss?|jdbc:[a-z]{2,12})://[^\s<>\"\\^`]{2,}",
        0.9, check=checks.url, hint="://",
    ),
    Pattern(
        "web address", "URL", r"(?i:www)\.[^\s<>\"\\^`|,;]{4,}", 0.8, check=checks.url,
        hint=r"(?i:www)\.",
    ),
    Pattern(
        "host name", "URL",
        r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,40}[A-Za-z0-9])?\.){1,5}" + _TLD + r"(?:/[^\s<>\"\\^`|]*)?",
        0.5, check=checks.domain, hint=rf"[A-Za-z0-9]\.{_TLD}\b",
        context=("website", "site", "url", "link", "visit", "host", "domain", "server"),
    ),
    Pattern(
        "web address", "URL",
        r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,40}[A-Za-z0-9])?\.){1,3}(?i:me|ly|be|gl|gg|ee|page|link|bio|cc|st|fm|im|"
        r"xyz|blog|store|pro|co|id|wiki)/[^\s<>\"\\^`|]{2,}",
        0.7, check=checks.domain, hint=r"[A-Za-z0-9]\.[A-Za-z]{2,5}/",
    ),
    Pattern(
        "IPv4 address", "IP", rf"{_OCTET}\.{_OCTET}\.{_OCTET}\.{_OCTET}", 0.7, check=checks.ipv4,
        context=("ip", "ipv4", "address", "host", "server", "login", "gateway", "subnet", "dns"),
    ),
    Pattern(
        "IPv6 address", "IP",
        rf"(?:{_H}{{0,4}}:){{2,7}}(?:{_OCTET}\.{_OCTET}\.{_OCTET}\.{_OCTET}|{_H}{{1,4}}|:)", 0.8,
        check=checks.ipv6, hint=rf"{_H}{{0,4}}:{_H}{{0,4}}:{_H}{{0,4}}:?",
        context=("ip", "ipv6", "address", "host", "server", "login", "gateway"),
    ),
    Pattern(
        "hardware address", "MAC",
        rf"(?:{_H}{{2}}:){{5}}{_H}{{2}}|(?:{_H}{{2}}-){{5}}{_H}{{2}}|{_H}{{4}}\.{_H}{{4}}\.{_H}{{4}}",
        0.85, context=("mac", "hardware", "ethernet", "wifi"), whole=True,
    ),
    Pattern(
        "user name", "USERNAME", r"@[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,29}[A-Za-z0-9_])?", 0.6,
        check=checks.handle, hint=r"@[A-Za-z0-9_]",
    ),
    Pattern(
        "user name", "USERNAME",
        r"\b((?i:user[ _-]?name|user[ _-]?id|user|login(?:[ _-]?(?:name|id))?|screen[ -]?name|handle|nick"
        r"(?:name)?|account|twitter|instagram|github|skype|telegram|discord|snapchat|tiktok))"
        r"[ \t]{0,4}(?:[:=][ \t]{0,8}|is[ \t]|[ \t])[\"'“‘]?([a-z0-9][A-Za-z0-9_.-]{1,39})",
        0.3, check=checks.username, labelled=True,
        hint=r"\b(?i:user|login|screen|handle|nick|account|twitter|instagram|github|skype|telegram|discord|"
        r"snapchat|tiktok)",
    ),
)  # fmt: skip

# Shapes that hardly anything but a telephone number has.
_CLEAR = (
    r"\+\d{1,3}(?:[ .\-/]{0,2}\(?\d{1,5}\)?){1,6}",
    r"\([2-9]\d{2}\)[ \t]?\d{3}[-. ]\d{4}",
    r"(?:1[-. ])?[2-9]\d{2}-[2-9]\d{2}-\d{4}",
    r"[2-9]\d{2}\.[2-9]\d{2}\.\d{4}",
    r"\(?0\d{4}\)?[ -]\d{3}[ -]?\d{3}",
    r"\(?0\d{3}\)?[ -]\d{3}[ -]\d{4}",
    r"\(?0[12]\d\)?[ -]\d{4}[ -]\d{4}",
)


def phones(regions: tuple[str, ...]) -> tuple[Pattern, ...]:
    """The telephone patterns for the regions whose national forms are known."""
    check = checks.phone(regions)
    return (
        Pattern(
            "telephone number", "PHONE", "|".join(_CLEAR), 0.55, checked=0.75, check=check,
            context=_PHONE_WORDS, whole=True, retry=True,
        ),
        Pattern(
            "telephone number", "PHONE",
            r"\(?\d{2,5}\)?(?:[ .\-/]{1,2}\(?\d{2,8}\)?){1,4}|\d{7,13}", 0.15, checked=0.35,
            check=check, context=_PHONE_WORDS, whole=True, near=True,
            hint=r"\d{7}|\d{2}\)?[ .\-/]{1,2}\(?\d{2,5}\)?[ .\-/]{0,2}\d{2}",
        ),
        Pattern(
            "extension", "PHONE", r"\b((?i:ext(?:ension|n)?)\.?[ ]{0,2}(?i:no\.?[ ]|number[ ])?)(\d{3,6})\b",
            0.3, labelled=True, whole=True,
        ),
    )  # fmt: skip
