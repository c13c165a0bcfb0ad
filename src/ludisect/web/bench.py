"""A game on the bench: what can be asked of it, whether it is given by rules or a sum of positions."""

from __future__ import annotations

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
