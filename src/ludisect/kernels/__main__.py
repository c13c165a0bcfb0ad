"""Compile the kernels of some commands into the store, or of all: ``python -m ludisect.kernels [COMMAND…]``.

Workers run this (see ``workers``); run by hand it fills the store ahead, for instance when an image is built.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from ludisect.kernels.lists import LISTS
from ludisect.kernels.workers import compile_all

NICENESS = 5
"""The command that will need the kernels goes first."""

if __name__ == "__main__":
    with suppress(OSError, AttributeError):
        os.nice(NICENESS)
    compile_all(sys.argv[1:] or list(LISTS))
