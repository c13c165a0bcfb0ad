"""Arrays in compiled code by their address, which saves counting references to them.

Numba counts references to an array that Python handed over whenever compiled functions pass it on, by atomic
instructions: a third of the time of our recursions. To bare memory it counts none. The caller keeps the array alive.
"""

from __future__ import annotations

import ctypes

import numpy as np
from numpy.typing import NDArray

from ludisect.kernels.kernel import Operation


def array_at(address: int, length: int) -> NDArray[np.int64]:
    """The array of machine integers that lies at an address."""
    return np.ctypeslib.as_array((ctypes.c_int64 * length).from_address(address))


array_at = Operation("ludisect.cgt.memorycode", array_at)  # type: ignore[assignment]


def extent(array: NDArray[np.int64]) -> tuple[int, int]:
    """Address and length of an array, for :func:`array_at`."""
    assert array.dtype == np.int64
    assert array.flags.c_contiguous
    return array.ctypes.data, array.size
