"""The bench: local search, the database of values, who wins a sum, and ways to play it."""

from ludisect.sums.database import Database
from ludisect.sums.local import LocalSearch
from ludisect.sums.manycores import local_values
from ludisect.sums.match import SumMatch, play_match
from ludisect.sums.outcome import Outcome, SumSolver
from ludisect.sums.strategies import STRATEGIES, Advice, optimal
from ludisect.sums.table import Sum, SumMove
from ludisect.sums.wholesearch import WholeSearch

__all__ = [
    "STRATEGIES",
    "Advice",
    "Database",
    "LocalSearch",
    "Outcome",
    "Sum",
    "SumMatch",
    "SumMove",
    "SumSolver",
    "WholeSearch",
    "local_values",
    "optimal",
    "play_match",
]
