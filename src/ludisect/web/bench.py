"""A game on the bench: what can be asked of it, whether it is given by rules or a sum of positions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Protocol

Line = Sequence[Mapping[str, str]]
"""Moves in order; each says what every role that moves then plays."""


class Bench(Protocol):
    """One game. Every answer is JSON-ready."""

    def info(self) -> dict[str, Any]:
        """What the game is, and the boards with which it begins."""

    def position(self, line: Line, to: str | None, state: Sequence[str] | None) -> dict[str, Any]:
        """The position after a line of moves (or a state that is given): what holds, who can do what, the boards."""

    def picture(
        self, what: str, line: Line, to: str | None, theme: str, part: int | None, depth: int, method: str
    ) -> str:
        """A picture as SVG."""


def fingerprint(state: Sequence[str]) -> str:
    """A few letters by which a link tells that it leads to another state than it did."""
    return sha256("\n".join(state).encode()).hexdigest()[:8]


def shown_name(name: str) -> str:
    """The name of a game for people.

    >>> shown_name("double-tictactoe"), shown_name("domineering 6x6"), shown_name("clobber XO|OX")
    ('Double tic-tac-toe', 'Domineering 6×6', 'Clobber XO|OX')
    """
    capital = name[:1].upper() + name[1:]
    if re.search(r"[|/\s]", name) and not re.fullmatch(r"[a-z]+ \d+x\d+", name):
        return capital
    words = re.sub(r"[-_](?=[a-z])", " ", capital).replace(":", " ", 1)
    return re.sub(r"(?<=\d)x(?=\d)", "×", re.sub("([Tt])ictactoe", r"\1ic-tac-toe", words))
