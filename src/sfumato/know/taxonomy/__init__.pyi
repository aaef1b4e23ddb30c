"""The names of this package, for people, for type checkers, and for `__init__.py`, which reads them here."""

from sfumato.know.taxonomy.chain import Chain as Chain
from sfumato.know.taxonomy.chain import default as default
from sfumato.know.taxonomy.chain import generalise as generalise
from sfumato.know.taxonomy.ladder import Sense as Sense
from sfumato.know.taxonomy.ladder import Step as Step
from sfumato.know.taxonomy.ladder import Taxonomy as Taxonomy

__all__: list[str]
