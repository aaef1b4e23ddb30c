"""Who could be meant: databases of entities and the terms that go with each."""

from typing import TYPE_CHECKING

from sfumato.know import on_first_use

if TYPE_CHECKING:
    from sfumato.know.entities.contexts import Contexts
    from sfumato.know.entities.database import Entities, Entity, open_entities
    from sfumato.know.entities.sqlite import SqliteEntities

__all__ = ["Contexts", "Entities", "Entity", "SqliteEntities", "open_entities"]
__getattr__ = on_first_use(
    __name__,
    {
        "Contexts": "contexts",
        "Entities": "database",
        "Entity": "database",
        "open_entities": "database",
        "SqliteEntities": "sqlite",
    },
)
