"""What ``--set help`` prints: every number that a command lets one set, its default, a line on it."""

from __future__ import annotations

from collections.abc import Sequence

from ludisect.cli.console import BOLD, say, styled
from ludisect.settings import Numbers


def tell_numbers(rooms: Sequence[type[Numbers]]) -> None:
    """Name and default as they are given to --set, and under each what it is."""
    for room in rooms:
        say(styled(f"{room.__module__}.{room.__name__}", BOLD))
        for one in room.described():
            say(f"  {one.name}={one.given}")
            say(f"      {one.line}")
