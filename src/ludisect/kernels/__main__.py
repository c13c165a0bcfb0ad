"""Compile the kernels of some commands into the store, or of all: ``python -m ludisect.kernels [COMMAND…]``.

Workers run this (see ``workers``); run by hand it fills the store ahead, for instance when an image is built.
"""

from __future__ import annotations

import sys

from ludisect.kernels.lists import LISTS
from ludisect.kernels.workers import compile_all

if __name__ == "__main__":
    compile_all(sys.argv[1:] or list(LISTS))
