"""Is a released table k-anonymous, rows and texts together? Its claims, and how it is read for them."""

from sfumato.verify.tables.claims import (
    CLAIMS,
    DIRECT_GONE,
    DIVERSE,
    HIDDEN_GONE,
    K_ANONYMOUS,
    NOT_TOLD,
    ROWS,
    Find,
    TableEvidence,
    check_claims,
    examine,
    is_table,
)

__all__ = [
    "CLAIMS",
    "DIRECT_GONE",
    "DIVERSE",
    "HIDDEN_GONE",
    "K_ANONYMOUS",
    "NOT_TOLD",
    "ROWS",
    "Find",
    "TableEvidence",
    "check_claims",
    "examine",
    "is_table",
]
