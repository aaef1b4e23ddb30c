"""Telephone numbers for fiction: the ranges that regulators have set aside, in the original's layout."""

from __future__ import annotations

import re

from sfumato.facts.phones import TRUNK_ZERO, Phone
from sfumato.protect.replace.codes import PATIENCE
from sfumato.protect.replace.lists import LISTS
from sfumato.protect.replace.pools import Draw

# Area codes of the United States in the North American numbering plan.
AREAS = LISTS["area codes"]

# x is any digit. NANP: 555-0100 to 555-0199 in every area; UK: Ofcom; Germany: Bundesnetzagentur;
# France: Arcep; Australia: ACMA; Ireland: ComReg.
_RANGES = {
    "1": (),
    "44": (
        "02079460xxx", "01134960xxx", "01144960xxx", "01154960xxx", "01164960xxx", "01174960xxx",
        "01184960xxx", "01214960xxx", "01314960xxx", "01414960xxx", "01514960xxx", "01614960xxx",
        "01914980xxx", "02896496xxx", "02920180xxx", "01632960xxx", "08081570xxx", "03069990xxx",
    ),
    "49": ("03023125xxx", "04066969xxx", "06990009xxx", "08999998xxx", "02214710xxx"),
    "33": ("019900xxxx", "026191xxxx", "035301xxxx", "046571xxxx", "053649xxxx"),
    "61": ("025550xxxx", "035550xxxx", "075550xxxx", "085550xxxx", "027010xxxx", "037010xxxx"),
    "353": ("02091xxxxx",),
}  # fmt: skip
_MOBILE = {"44": ("07700900xxx",), "33": ("063998xxxx",)}


def national(phone: Phone, draw: Draw, attempt: int) -> str:
    """Invented national digits for a number of this country."""
    if phone.country == "1":
        line = f"55501{draw.digits(2)}"
        made = line if len(phone.national) == 7 else draw.pick(AREAS) + line
        return made + draw.digits(attempt // PATIENCE)
    ranges = _RANGES.get(phone.country, ())
    mobile = _MOBILE.get(phone.country, ())
    if mobile and phone.national.startswith(mobile[0][:2]) and attempt < PATIENCE:
        ranges = mobile
    if not ranges:
        # No national number begins with three zeros.
        made = "000" + draw.digits(max(len(phone.national) - 3, 4))
        return made + draw.digits(attempt // PATIENCE)
    made = "".join(draw.digits(1) if c == "x" else c for c in draw.pick(ranges))
    return made + draw.digits(attempt // (4 * PATIENCE))


def is_end(phone: Phone, whole: Phone) -> bool:
    """Whether one number is another, said with less before it."""
    return whole.national.removeprefix("0").endswith(phone.national.removeprefix("0"))


def as_said(phone: Phone, whole: Phone, made: str) -> str:
    """The invented national digits of a whole number as a mention of it has them: behind a zero, or without
    their area.

    >>> from sfumato.facts.phones import read
    >>> as_said(read("080-4123 9981", "en"), read("+91 80 4123 9981", "en"), "0001234567")
    '00001234567'
    """
    if (phone.country, phone.national) == (whole.country, whole.national):
        return made
    own = made.removeprefix("0") if whole.country in TRUNK_ZERO else made
    zero = "0" if phone.national.startswith("0") else ""
    return zero + own[-len(phone.national.removeprefix("0")) :]


def write(phone: Phone, made: str, draw: Draw) -> str:
    """The invented number in the layout of the original, with an invented extension if it had one."""
    drop_zero = phone.country in TRUNK_ZERO and not phone.trunk
    digits = phone.prefix + (made.removeprefix("0") if drop_zero else made)
    places = [i for i, c in enumerate(phone.body) if c.isdecimal()]
    if len(digits) >= len(places):
        chars = list(phone.body)
        for place, digit in zip(places, digits, strict=False):
            chars[place] = digit
        chars[places[-1]] += digits[len(places) :]
        body = "".join(chars)
    else:
        plus = "+" if phone.prefix and phone.body.lstrip("( ").startswith("+") else ""
        body = f"{plus}{phone.prefix} {digits[len(phone.prefix) :]}".strip()
    return body + _extension(phone, draw)


def _extension(phone: Phone, draw: Draw) -> str:
    """Every extension of one number moves by one step, so that two of them never meet."""
    digits = "".join(c for c in phone.extension if c.isdecimal())
    if not digits:
        return phone.extension
    size: int = 10 ** len(digits)
    moved = (int(digits) + 1 + draw.below(size - 1)) % size
    return re.sub(r"(?<!\d)\d+$", f"{moved:0{len(digits)}}", phone.extension)
