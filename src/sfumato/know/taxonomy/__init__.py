"""What is more general than what: WordNet, named things, places, medicine, and the user's own."""

from sfumato import _lazy

__all__ = _lazy.names(__name__)
