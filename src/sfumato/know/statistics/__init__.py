"""How often terms occur, alone and together: what an adversary can learn from a large collection of texts."""

from sfumato import _lazy

__all__ = _lazy.names(__name__)
