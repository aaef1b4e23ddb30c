"""The names of this package, for people, for type checkers, and for `__init__.py`, which reads them here."""

from sfumato.know.taxonomy.arx import read_arx as read_arx
from sfumato.protect.tables.classes import Classes as Classes
from sfumato.protect.tables.classes import ClassStatistics as ClassStatistics
from sfumato.protect.tables.classes import statistics as statistics
from sfumato.protect.tables.clusters import clusters as clusters
from sfumato.protect.tables.combinations import combinations_hold as combinations_hold
from sfumato.protect.tables.combinations import keep_combinations as keep_combinations
from sfumato.protect.tables.diversity import Closeness as Closeness
from sfumato.protect.tables.diversity import DistinctDiversity as DistinctDiversity
from sfumato.protect.tables.diversity import Diversity as Diversity
from sfumato.protect.tables.diversity import EntropyDiversity as EntropyDiversity
from sfumato.protect.tables.diversity import Sensitive as Sensitive
from sfumato.protect.tables.diversity import TermCloseness as TermCloseness
from sfumato.protect.tables.diversity import diversity as diversity
from sfumato.protect.tables.diversity import sensitive as sensitive
from sfumato.protect.tables.gdf import gdf as gdf
from sfumato.protect.tables.hierarchies import Tree as Tree
from sfumato.protect.tables.loss import Loss as Loss
from sfumato.protect.tables.loss import measure as measure
from sfumato.protect.tables.mondrian import ClassRule as ClassRule
from sfumato.protect.tables.mondrian import mondrian as mondrian
from sfumato.protect.tables.problem import Column as Column
from sfumato.protect.tables.problem import Persons as Persons
from sfumato.protect.tables.problem import Terms as Terms
from sfumato.protect.tables.problem import dates as dates
from sfumato.protect.tables.problem import no_terms as no_terms
from sfumato.protect.tables.problem import nominal as nominal
from sfumato.protect.tables.problem import numbers as numbers
from sfumato.protect.tables.problem import persons as persons
from sfumato.protect.tables.problem import strings as strings
from sfumato.protect.tables.problem import terms as terms
from sfumato.protect.tables.problem import terms_from_mentions as terms_from_mentions
from sfumato.protect.tables.recode import AS_IT_IS as AS_IT_IS
from sfumato.protect.tables.recode import SUPPRESSED as SUPPRESSED
from sfumato.protect.tables.recode import Ladders as Ladders
from sfumato.protect.tables.recode import Recoded as Recoded
from sfumato.protect.tables.recode import RecodedColumn as RecodedColumn
from sfumato.protect.tables.recode import RecodedTerms as RecodedTerms
from sfumato.protect.tables.recode import recode as recode
from sfumato.protect.tables.risk import Attack as Attack
from sfumato.protect.tables.risk import Risk as Risk
from sfumato.protect.tables.risk import risk as risk

__all__: list[str]
