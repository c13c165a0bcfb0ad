"""How our kernels are compiled: by numba, kept on disk, without the interpreter lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba import extending

F = TypeVar("F", bound=Callable[..., Any])


def jit(function: F) -> F:
    """Compile a function on its first call and keep the machine code on disk."""
    return cast(F, numba.njit(cache=True, nogil=True)(function))


def intrinsic(define: Callable[..., Any]) -> Any:
    """An operation given as LLVM code; callable from compiled functions only."""
    return extending.intrinsic(define)
