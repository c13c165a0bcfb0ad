"""Union-find of numbers, for kernels: what hangs together, as links come one by one.

Its twin for any nodes is ``unionfind``, which loads neither numpy nor a compiler.
"""

from __future__ import annotations

from typing import Any

from ludisect.kernels.kernel import jit


@jit
def root(above: Any, x: Any) -> Any:
    """The smallest number of the group of x; ``above`` holds every number itself before anything is joined."""
    while above[x] != x:
        above[x] = above[above[x]]
        x = above[x]
    return x


@jit
def join(above: Any, x: Any, y: Any) -> Any:
    """Make one group of the groups of two numbers; whether they were apart."""
    a, b = root(above, x), root(above, y)
    above[max(a, b)] = min(a, b)
    return a != b
