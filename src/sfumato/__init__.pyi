"""The public names, for people, for type checkers, and for `__init__.py`, which reads them here."""

from sfumato import keys as keys
from sfumato._version import __version__ as __version__
from sfumato.document import Claim as Claim
from sfumato.document import Document as Document
from sfumato.document import Edit as Edit
from sfumato.document import Release as Release
from sfumato.document import Term as Term
from sfumato.errors import EncodingError as EncodingError
from sfumato.errors import GuaranteeError as GuaranteeError
from sfumato.errors import InputError as InputError
from sfumato.errors import LedgerError as LedgerError
from sfumato.errors import MissingExtraError as MissingExtraError
from sfumato.errors import PolicyError as PolicyError
from sfumato.errors import SecretError as SecretError
from sfumato.errors import SfumatoError as SfumatoError
from sfumato.errors import UnknownReleaseError as UnknownReleaseError
from sfumato.keys import Key as Key
from sfumato.pipeline import Sanitizer as Sanitizer
from sfumato.pipeline import detect as detect
from sfumato.pipeline import sanitize as sanitize
from sfumato.pipeline import sanitize_many as sanitize_many
from sfumato.policy import Policy as Policy
from sfumato.release.certificate import Certificate as Certificate
from sfumato.release.examination import verify as verify
from sfumato.release.ledger import Ledger as Ledger
from sfumato.release.undo import restore as restore
from sfumato.verify.check import Check as Check

__all__: list[str]
