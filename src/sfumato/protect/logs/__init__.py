"""Document logs that may be shared: a document stays only if at least k users have it.

>>> k_anonymous([("ann", "flu"), ("bob", "flu"), ("bob", "my street")], 2)
[('ann', 'flu'), ('bob', 'flu')]
"""

from sfumato.protect.logs.model import LogSummary, SharedLog, k_anonymous, share
from sfumato.protect.logs.problem import Problem, users_of
from sfumato.protect.logs.search import largest

__all__ = [
    "LogSummary",
    "Problem",
    "SharedLog",
    "k_anonymous",
    "largest",
    "share",
    "users_of",
]
