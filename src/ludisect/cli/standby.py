"""The process behind a sweep: runs the command line it is given, then every one that it is sent."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def run(words: Sequence[str]) -> int:
    """Run a command line as the program would, and give the exit code it would leave."""
    from ludisect.cli.app import main

    sys.argv = ["ludisect", *words]
    try:
        main()
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    return 0


if __name__ == "__main__":
    from ludisect.sweep.worker import serve

    serve(run, sys.argv[1:])
