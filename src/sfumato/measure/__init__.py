"""Measures of what was kept, what still leaks, and who could be found, for any sanitizer's output.

>>> from sfumato.measure import spi_score
>>> spi_score([("ann", "flu"), ("ann", "hiv test")], [("ann", "flu")], sensitivity={"flu": 1})
0.25
"""

from sfumato.measure.alignment import EditCounts, edit_counts
from sfumato.measure.attack import (
    AttackReport,
    reidentification_score,
    reidentify,
    wilson_interval,
)
from sfumato.measure.compare import TextReport, compare_texts, measure_texts
from sfumato.measure.downstream import AccuracyKept, accuracy_kept_score
from sfumato.measure.frontier import Frontier, explore
from sfumato.measure.guessing import Guess, guess_terms
from sfumato.measure.readability import (
    coleman_liau_index,
    flesch_kincaid_grade,
    flesch_reading_ease,
)
from sfumato.measure.selection import Ppp, select_ppp
from sfumato.measure.sensitivity import Detected, SensitivityModel, WordList
from sfumato.measure.similarity import similarity_score
from sfumato.measure.spi import (
    SpiReport,
    impressions,
    jsd_score,
    kld_score,
    pel_score,
    spi_report,
    spi_score,
    wjsd_score,
    wkld_score,
)
from sfumato.measure.stream import SpiStream
from sfumato.measure.utility import KindKept, information_kept_score, ncp_score, terms_kept

__all__ = [
    "AccuracyKept",
    "AttackReport",
    "Detected",
    "EditCounts",
    "Frontier",
    "Guess",
    "KindKept",
    "Ppp",
    "SensitivityModel",
    "SpiReport",
    "SpiStream",
    "TextReport",
    "WordList",
    "accuracy_kept_score",
    "coleman_liau_index",
    "compare_texts",
    "edit_counts",
    "explore",
    "flesch_kincaid_grade",
    "flesch_reading_ease",
    "guess_terms",
    "impressions",
    "information_kept_score",
    "jsd_score",
    "kld_score",
    "measure_texts",
    "ncp_score",
    "pel_score",
    "reidentification_score",
    "reidentify",
    "select_ppp",
    "similarity_score",
    "spi_report",
    "spi_score",
    "terms_kept",
    "wilson_interval",
    "wjsd_score",
    "wkld_score",
]
