"""The bench: local search, the database of values, who wins a sum, and ways to play it."""

from ludisect.sums.database import Database
from ludisect.sums.local import LocalSearch
from ludisect.sums.outcome import Outcome, SumSolver
from ludisect.sums.parallel import local_values
from ludisect.sums.play import STRATEGIES, Choice, optimal
from ludisect.sums.table import Move, Sum
from ludisect.sums.whole import WholeSearch

__all__ = [
    "STRATEGIES",
    "Choice",
    "Database",
    "LocalSearch",
    "Move",
    "Outcome",
    "Sum",
    "SumSolver",
    "WholeSearch",
    "local_values",
    "optimal",
]
