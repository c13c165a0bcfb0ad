"""The command line: parses, calls the library, prints. Nothing is computed here."""

from ludisect.cli.app import main

__all__ = ["main"]
