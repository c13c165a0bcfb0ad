"""Sweeps: one command on thousands of games, on many cores or machines, with the results in a store."""

from ludisect.sweep.job import Ending
from ludisect.sweep.rowstore import Row, SweepStore
from ludisect.sweep.run import run_sweep
from ludisect.sweep.sweepplan import SweepPlan, find_sheets

__all__ = ["Ending", "Row", "SweepPlan", "SweepStore", "find_sheets", "run_sweep"]
