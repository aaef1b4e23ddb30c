"""What is more general than what: WordNet, named things, places, medicine, and the user's own."""

from sfumato.know.taxonomy.chain import Chain, Sense, Step, Taxonomy, default, generalise

__all__ = ["Chain", "Sense", "Step", "Taxonomy", "default", "generalise"]
