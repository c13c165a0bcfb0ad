"""``python -m ludisect``: the command line."""

from ludisect.cli import program

program()
