"""The names of this package, for people, for type checkers, and for `__init__.py`, which reads them here."""

from sfumato.measure.alignment import EditCounts as EditCounts
from sfumato.measure.alignment import edit_counts as edit_counts
from sfumato.measure.attack import AttackReport as AttackReport
from sfumato.measure.attack import reidentification_score as reidentification_score
from sfumato.measure.attack import reidentify as reidentify
from sfumato.measure.attack import wilson_interval as wilson_interval
from sfumato.measure.compare import TextReport as TextReport
from sfumato.measure.compare import compare_texts as compare_texts
from sfumato.measure.compare import measure_texts as measure_texts
from sfumato.measure.downstream import AccuracyKept as AccuracyKept
from sfumato.measure.downstream import accuracy_kept_score as accuracy_kept_score
from sfumato.measure.frontier import Frontier as Frontier
from sfumato.measure.frontier import explore as explore
from sfumato.measure.guessing import Guess as Guess
from sfumato.measure.guessing import guess_terms as guess_terms
from sfumato.measure.readability import coleman_liau_index as coleman_liau_index
from sfumato.measure.readability import flesch_kincaid_grade as flesch_kincaid_grade
from sfumato.measure.readability import flesch_reading_ease as flesch_reading_ease
from sfumato.measure.selection import Ppp as Ppp
from sfumato.measure.selection import select_ppp as select_ppp
from sfumato.measure.sensitivity import Detected as Detected
from sfumato.measure.sensitivity import SensitivityModel as SensitivityModel
from sfumato.measure.sensitivity import WordList as WordList
from sfumato.measure.similarity import similarity_score as similarity_score
from sfumato.measure.spi import SpiReport as SpiReport
from sfumato.measure.spi import impressions as impressions
from sfumato.measure.spi import jsd_score as jsd_score
from sfumato.measure.spi import kld_score as kld_score
from sfumato.measure.spi import pel_score as pel_score
from sfumato.measure.spi import spi_report as spi_report
from sfumato.measure.spi import spi_score as spi_score
from sfumato.measure.spi import wjsd_score as wjsd_score
from sfumato.measure.spi import wkld_score as wkld_score
from sfumato.measure.stream import SpiStream as SpiStream
from sfumato.measure.utility import KindKept as KindKept
from sfumato.measure.utility import information_kept_score as information_kept_score
from sfumato.measure.utility import ncp_score as ncp_score
from sfumato.measure.utility import terms_kept as terms_kept

__all__: list[str]
