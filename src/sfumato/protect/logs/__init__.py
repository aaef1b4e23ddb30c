"""Document logs that may be shared: a document stays only if at least k users have it."""

from sfumato.protect.logs.model import k_anonymous

__all__ = ["k_anonymous"]
