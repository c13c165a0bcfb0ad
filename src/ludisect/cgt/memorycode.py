"""``array_at`` of ``memory`` for numba: imported only where kernels are compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import carray, njit, types
from numba.extending import intrinsic


@intrinsic  # type: ignore[untyped-decorator]
def _pointer(context: Any, address: Any) -> Any:
    """An integer as a pointer."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(types.voidptr))

    return types.voidptr(types.int64), code


@njit("int64[::1](int64, int64)", no_cpython_wrapper=True, no_cfunc_wrapper=True)  # type: ignore[untyped-decorator]
def array_at(address: Any, length: Any) -> Any:
    """The array of machine integers that lies at an address."""
    return carray(_pointer(address), (length,), np.int64)
