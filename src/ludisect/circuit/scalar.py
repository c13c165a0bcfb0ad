"""Operations on single words that Python has no short way for: the lowest set bit, a counter of time.

Like those of ``vector`` they are a few machine instructions in kernels (see ``scalarcode``) and plain Python elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter_ns
from typing import Any

from ludisect.kernels.kernel import Operation


def _operation(plain: Callable[..., Any]) -> Any:
    return Operation("ludisect.circuit.scalarcode", plain)


@_operation
def lowest_bit(word: int) -> int:
    """The number of the lowest set bit of a word that is not 0."""
    word = int(word)
    return (word & -word).bit_length() - 1


@_operation
def ticks() -> int:
    """A counter that runs with time, to compare what steps of one call cost; 0 always where there is none."""
    return perf_counter_ns()
