"""Sfumato makes text safe to share.

    >>> import sfumato
    >>> release = sfumato.sanitize("Ask ann@example.org about it.")
    >>> release.text
    'Ask [EMAIL] about it.'

Only what this module exports is public.
"""

# The packages come first: importing one later would put it in the place of the function of its name.
import sfumato.detect as _detect_package  # noqa: F401
import sfumato.verify as _verify_package  # noqa: F401
from sfumato import keys
from sfumato._version import __version__
from sfumato.document import Claim, Document, Edit, Release, Term
from sfumato.errors import (
    EncodingError,
    GuaranteeError,
    InputError,
    LedgerError,
    MissingExtraError,
    PolicyError,
    SecretError,
    SfumatoError,
    UnknownReleaseError,
)
from sfumato.keys import Key
from sfumato.pipeline import Sanitizer, detect, restore, sanitize, verify
from sfumato.policy import Policy
from sfumato.release.certificate import Certificate
from sfumato.release.ledger import Ledger
from sfumato.verify.check import Check

__all__ = [
    "Certificate",
    "Check",
    "Claim",
    "Document",
    "Edit",
    "EncodingError",
    "GuaranteeError",
    "InputError",
    "Key",
    "Ledger",
    "LedgerError",
    "MissingExtraError",
    "Policy",
    "PolicyError",
    "Release",
    "Sanitizer",
    "SecretError",
    "SfumatoError",
    "Term",
    "UnknownReleaseError",
    "__version__",
    "detect",
    "keys",
    "restore",
    "sanitize",
    "verify",
]
