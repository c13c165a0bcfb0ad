"""Small kernels of every sort that tests compile."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludisect.kernels.kernel import jit

FACTOR = 3


@jit
def scaled(x: Any) -> Any:
    return x * FACTOR


@jit("(int64[::1], int64)")
def total(numbers: Any, more: Any) -> Any:
    """Numbers scaled and added up."""
    out = more
    for i in range(numbers.size):
        out += scaled(numbers[i])
    return out


@jit("(uint64[::1], const uint64[::1])")
def product(a: Any, b: Any) -> Any:
    """Words multiplied, which wraps around; a new array is returned, and one number."""
    out = np.empty(a.size, np.uint64)
    for i in range(a.size):
        out[i] = a[i] * b[i]
    return out, a.size


@jit("int64(int64)")
def factorial(n: Any) -> Any:
    """Calls itself."""
    if n < 0:
        raise ValueError("only whole numbers from 0 have factorials")
    return 1 if n == 0 else n * factorial(n - 1)
