"""``python -m ludisect``: the command line."""

from ludisect.cli import main

main()
