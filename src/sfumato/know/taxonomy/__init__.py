"""What is more general than what: WordNet, named things, places, medicine, and the user's own."""

from typing import TYPE_CHECKING

from sfumato.know import on_first_use

if TYPE_CHECKING:
    from sfumato.know.taxonomy.chain import Chain, default, generalise
    from sfumato.know.taxonomy.ladder import Sense, Step, Taxonomy

__all__ = ["Chain", "Sense", "Step", "Taxonomy", "default", "generalise"]
__getattr__ = on_first_use(
    __name__,
    {
        **dict.fromkeys(["Chain", "default", "generalise"], "chain"),
        **dict.fromkeys(["Sense", "Step", "Taxonomy"], "ladder"),
    },
)
