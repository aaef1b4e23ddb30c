"""Who could be meant: databases of entities and the terms that go with each."""

from sfumato import _lazy

__all__ = _lazy.names(__name__)
