"""Compile the kernels of some commands ahead, or of all: ``python -m ludisect.kernels [COMMAND…]``.

Useful where many processes start at once, or when an image is built. Workers (see ``workers``) run it with ``--alone``.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from ludisect.kernels.lists import LISTS
from ludisect.kernels.workers import compile_all, compile_alone

NICENESS = 5
"""The command that will need the kernels goes first."""


def main(words: list[str]) -> int:
    alone = "--alone" in words
    commands = [word for word in words if word != "--alone"] or list(LISTS)
    unknown = [word for word in commands if word not in LISTS and not alone]
    if unknown:
        print(f"no kernels are listed for {', '.join(unknown)}; choose from {', '.join(LISTS)}", file=sys.stderr)
        return 2
    if alone:
        with suppress(OSError, AttributeError):
            os.nice(NICENESS)
        compile_alone(commands)
        return 0
    made, kept = compile_all(commands)
    print(f"{made} kernels compiled, {kept} are there")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
