"""The names of this package, for people, for type checkers, and for `__init__.py`, which reads them here."""

from sfumato.know.entities.contexts import Contexts as Contexts
from sfumato.know.entities.database import Entities as Entities
from sfumato.know.entities.database import Entity as Entity
from sfumato.know.entities.database import open_entities as open_entities
from sfumato.know.entities.sqlite import SqliteEntities as SqliteEntities

__all__: list[str]
