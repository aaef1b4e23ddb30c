"""Tables with text: rows *and* the sensitive terms of their texts are the same for k persons.

This package's core works on arrays and knows neither files nor text. Who builds on it does, in this order:

1. *Encode*, one entry for each person: `numbers`, `nominal` (with `paths` of a hierarchy, `read_arx`),
   `dates`, `strings` make columns; an entry is a value or a collection of them (the set of a
   person's values over all rows). `terms`, or `terms_from_mentions` for millions, makes the term
   sets; a term is (type, normal form), or (text column, type, normal form) to keep several text
   columns apart. Normal forms, redundant terms and direct identifiers are the caller's. `persons`
   puts them together.
2. *Partition*: `mondrian`, `gdf` or `clusters` give `Classes` of at least k persons, and raise
   `InputError` where there are fewer. `rules` (`DistinctDiversity`, `EntropyDiversity`, `Closeness`,
   `TermCloseness`) hold for every class.
3. *Recode*: `recode` says what each class shows for each column (`RecodedColumn.labels[label of the
   person]`) and what becomes of each posting (`RecodedTerms.outcome`: AS_IT_IS, SUPPRESSED or the id
   of an ancestor from the caller's `Ladders`). `keep_combinations` is the k^m-anonymous choice of
   terms instead.
4. *Measure*: `measure` (loss), `statistics` (classes), `risk`, `diversity`.

    >>> from sfumato.protect.tables import gdf, measure, numbers, persons, recode, terms
    >>> ages = numbers("age", [36, 24, 24, 27])
    >>> jobs = terms([{("job", "engineer")}, {("job", "engineer")}, {("place", "uk")}, {("place", "uk")}])
    >>> table = persons([ages], jobs)
    >>> classes = gdf(table, k=2)
    >>> recoded = recode(table, classes)
    >>> [recoded.columns[0].labels[label] for label in classes.labels]
    ['[24-36]', '[24-36]', '[24-27]', '[24-27]']
    >>> loss = measure(table, classes, term_loss=recoded.terms.loss)
    >>> loss.relational, loss.textual
    (0.625, 0.0)

Differential privacy is another promise and is not made here.
"""

from sfumato import _lazy

__all__ = _lazy.names(__name__)
