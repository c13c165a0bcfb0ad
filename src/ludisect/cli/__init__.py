"""The command line: parses, calls the library, prints. Nothing is computed here."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the program; an interrupt while it is being loaded is one like any other."""
    try:
        from ludisect.cli.app import main as run
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    run()
