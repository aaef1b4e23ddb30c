"""Who could be meant: databases of entities and the terms that go with each."""

from sfumato.know.entities.database import Contexts, Entities, Entity, SqliteEntities, open_entities

__all__ = ["Contexts", "Entities", "Entity", "SqliteEntities", "open_entities"]
