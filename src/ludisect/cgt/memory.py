"""Arrays in compiled code by their address, which saves counting references to them.

Numba counts references to an array that Python handed over whenever compiled functions pass it on, by atomic
instructions: a third of the time of our recursions. To bare memory it counts none. The caller keeps the array alive.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import carray, njit, types
from numba.extending import intrinsic
from numpy.typing import NDArray


@intrinsic  # type: ignore[untyped-decorator]
def _pointer(context: Any, address: Any) -> Any:
    """An integer as a pointer."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(types.voidptr))

    return types.voidptr(types.int64), code


@njit("int64[::1](int64, int64)", cache=True)
def array_at(address, length):  # type: ignore[no-untyped-def]
    """The array of machine integers that lies at an address."""
    return carray(_pointer(address), (length,), np.int64)


def extent(array: NDArray[np.int64]) -> tuple[int, int]:
    """Address and length of an array, for :func:`array_at`."""
    assert array.dtype == np.int64
    assert array.flags.c_contiguous
    return array.ctypes.data, array.size
