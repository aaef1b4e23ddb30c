"""Measures of what was kept, what still leaks, and who could be found, for any sanitizer's output.

>>> from sfumato.measure import spi_score
>>> spi_score([("ann", "flu"), ("ann", "hiv test")], [("ann", "flu")], sensitivity={"flu": 1})
0.25
"""

from sfumato import _lazy

__all__ = _lazy.names(__name__)
