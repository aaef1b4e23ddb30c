"""Letters, read and edited."""

from __future__ import annotations

from email import message_from_bytes
from email import policy as email_policy
from email.message import EmailMessage

from sfumato import formats
from sfumato.document import Document, Edit
from tests.formats.contract import keeps_to_the_contract


def mail(data: bytes) -> Document:
    return formats.parse(data, name="mail", format="mail")


def edited(data: bytes, *edits: tuple[str, str]) -> bytes:
    document = mail(data)
    spans = sorted((document.text.index(old), old, new) for old, new in edits)
    made = [Edit(at, at + len(old), "TERM", new, "why") for at, old, new in spans]
    return keeps_to_the_contract(data, document, made)


def read(data: bytes) -> EmailMessage:
    made = message_from_bytes(data, policy=email_policy.default)
    assert isinstance(made, EmailMessage)
    return made
