"""Inner kernels opened to Python, so that tests can call their machine code alone."""

from __future__ import annotations

from typing import Any

from ludisect.kernels.kernel import Kernel
from ludisect.kernels.kinds import write


def door(kernel: Any, *signatures: str) -> Any:
    """The kernel as one that Python calls; an inner one without signatures is given some."""
    assert isinstance(kernel, Kernel)
    known = tuple(variant.result + write(variant.kinds) for variant in kernel.declared)
    return Kernel(kernel.function, signatures or known, inner=False)  # type: ignore[arg-type]
