"""E-mails: `eml` in, `eml` out, as the reader's view of them.

Subject, addresses, bodies and attached texts are one document, for they are read together. Everything else is
left out: other headers (they tell routes, programs and identities), and attachments that are no text, for
which a note stands.
"""

from __future__ import annotations

import quopri
from collections.abc import Callable, Iterator, Sequence
from email import message_from_bytes
from email import policy as email_policy
from email.headerregistry import HeaderRegistry
from email.message import EmailMessage, Message, MIMEPart
from typing import Any

from sfumato.errors import InputError
from sfumato.formats.bodies import Body, page, plain
from sfumato.formats.pieces import BREAK, PARAGRAPH, Pieces
from sfumato.keys import Key
from sfumato.pipeline import PolicyLike, sanitize
from sfumato.release.ledger import Ledger

# The headers that stay, sanitised like the rest.
HEADERS = ("From", "To", "Cc", "Reply-To", "Date", "Subject")
NOTE = "[attachment removed]\n"
_READERS: dict[str, Callable[[str], Body]] = {"text/html": page}
_JOINED = frozenset({"mixed", "alternative", "related"})  # other multiparts become `mixed`
# Headers as plain text: a label in the place of an address is no address.
_WRITING = email_policy.SMTP.clone(header_factory=HeaderRegistry(use_default_map=False))
_MOST_PARTS = 1000


def sanitize_email(
    data: bytes,
    policy: PolicyLike = "default",
    *,
    reader: str | None = None,
    key: Key | None = None,
    ledger: Ledger | None = None,
) -> bytes:
    """An e-mail made safe to pass on, as the policy says, and verified.

    >>> given = b"From: ann@example.org\\nX-Mailer: x\\nSubject: Hello\\n\\nWrite to bob@example.org\\n"
    >>> lines = sanitize_email(given).decode().splitlines()
    >>> lines[0], lines[1], lines[-1]
    ('From: [EMAIL]', 'Subject: Hello', 'Write to [EMAIL]')
    """
    parsed = message_from_bytes(data, policy=email_policy.default)
    if not parsed.keys():
        raise InputError("not an e-mail: it has no headers")
    headers = [(name, value) for name in HEADERS for value in _values(parsed, name)]
    leaves = [_Leaf(part) for part in _leaves(parsed)]
    if len(leaves) > _MOST_PARTS:
        raise InputError(f"the e-mail has {len(leaves)} parts, more than {_MOST_PARTS}")
    said = [(value, BREAK) for _, value in headers]
    pieces = Pieces([*said, ("", PARAGRAPH), *(p for leaf in leaves for p in leaf.parts)])
    release = sanitize(pieces.document("e-mail"), policy, key=key, ledger=ledger, reader=reader)
    texts = iter(pieces.released(release.edits))
    made = EmailMessage(_WRITING)
    for name, _ in headers:
        made[name] = " ".join(next(texts).split())  # a header is one line
    next(texts)
    made["MIME-Version"] = "1.0"
    filled = iter([(leaf, [next(texts) for _ in leaf.parts]) for leaf in leaves])
    _build(parsed, made, filled, iter(range(1, _MOST_PARTS)))
    return made.as_bytes()


def _values(parsed: Message[Any, Any], name: str) -> list[str]:
    """What the headers of a name say. The library's parser fails on broken ones in many ways."""
    try:
        return [str(value) for value in parsed.get_all(name, [])]
    except Exception:
        raise InputError("a header of the e-mail cannot be read") from None


def _children(part: Message[Any, Any]) -> list[Message[Any, Any]]:
    """The parts of a multipart; an e-mail that is attached counts as an attachment."""
    found = part.get_payload()
    if part.get_content_maintype() != "multipart" or not isinstance(found, list):
        return []
    return [child for child in found if isinstance(child, Message)]


def _leaves(part: Message[Any, Any]) -> Iterator[Message[Any, Any]]:
    children = _children(part)
    if not children:
        yield part
    for child in children:
        yield from _leaves(child)


def _build(
    given: Message[Any, Any],
    made: MIMEPart[Any, Any],
    leaves: Iterator[tuple[_Leaf, Sequence[str]]],
    numbers: Iterator[int],
) -> None:
    """Write a part like the given one, with the sanitised texts."""
    children = _children(given)
    if not children:
        leaf, texts = next(leaves)
        leaf.fill(made, texts)
        return
    subtype = given.get_content_subtype()
    subtype = subtype if subtype in _JOINED else "mixed"
    # In quoted-printable, no line of a body can look like this.
    made["Content-Type"] = f'multipart/{subtype}; boundary="=_sfumato_{next(numbers)}"'
    for child in children:
        part: MIMEPart[Any, Any] = MIMEPart(_WRITING)
        _build(child, part, leaves, numbers)
        made.attach(part)


class _Leaf:
    """A part without parts of its own: a text with its file's name, or something that is removed."""

    def __init__(self, part: Message[Any, Any]) -> None:
        self.name = part.get_filename() or ""
        self.attached = part.get_content_disposition() == "attachment" or bool(self.name)
        self.subtype = "html" if part.get_content_subtype() == "html" else "plain"
        self.body: Body | None = None
        self.parts: list[tuple[str, str]] = []
        if part.get_content_maintype() == "text":
            self.body = _READERS.get(part.get_content_type(), plain)(_text(part))
            self.parts = [*([(self.name, PARAGRAPH)] if self.name else []), *self.body.parts]

    def fill(self, target: MIMEPart[Any, Any], texts: Sequence[str]) -> None:
        """Write it with these texts."""
        name, rest = (texts[0], texts[1:]) if self.name and texts else ("", texts)
        subtype = self.subtype if self.body else "plain"
        target["Content-Type"] = f'text/{subtype}; charset="utf-8"'
        target["Content-Transfer-Encoding"] = "quoted-printable"
        if self.body and self.attached:
            target["Content-Disposition"] = _disposition(name)
        written = self.body.write(rest) if self.body else NOTE
        target.set_payload(quopri.encodestring(written.encode()).decode("ascii"))


def _disposition(name: str) -> str:
    plain_name = "".join(c for c in name if c.isascii() and c.isprintable() and c not in '"\\/')
    return f'attachment; filename="{plain_name}"' if plain_name else "attachment"


def _text(part: Message[Any, Any]) -> str:
    payload = part.get_payload(decode=True)
    charset = part.get_content_charset("utf-8")
    try:
        assert isinstance(payload, bytes)
        text = payload.decode("utf-8" if charset == "us-ascii" else charset)
    except (LookupError, UnicodeError):
        raise InputError("a part of the e-mail is not in the encoding it names") from None
    return text.replace("\r\n", "\n")
