"""The command line: parses, calls the library, prints. Nothing is computed here."""

from __future__ import annotations

import atexit
import os
import sys
from typing import NoReturn


def main() -> None:
    """Run the program; an interrupt while it is being loaded is one like any other."""
    try:
        from ludisect.cli.app import main as run
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    run()


def program() -> NoReturn:
    """`main` as a process of its own, which ends without taking its modules apart: that takes half a second."""
    try:
        main()
        code = 0
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 1
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
