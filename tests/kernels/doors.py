"""Inner kernels opened to Python, so that tests can call their machine code alone."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from ludisect.kernels.kernel import Kernel
from ludisect.kernels.kinds import write


def door(kernel: Any, *signatures: str) -> Any:
    """The kernel as one that Python calls; an inner one without signatures is given some."""
    assert isinstance(kernel, Kernel)
    known = tuple(variant.result + write(variant.kinds) for variant in kernel.declared)
    written = kernel.function
    function = FunctionType(written.__code__, dict(written.__globals__), written.__name__, written.__defaults__)
    out = Kernel(function, signatures or known, inner=False)
    function.__globals__[written.__name__] = out  # where it calls itself
    return out
