"""A combinatorial game of one's own: a class with the moves of Left and Right, then its values and sums.

It prints:

    0 0
    1 *
    2 ↓
    3 ↓*
    4 {*|↓}
    5 ↓↓*
    heaps of 2, 4 and 5: R
    with a switch of ±1 beside them: N
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ludisect.cgt import switch
from ludisect.rulesets import Player, Position
from ludisect.sums import LocalSearch, SumSolver


@dataclass(frozen=True)
class Subtract(Position):
    """A heap: Left takes one or three tokens, Right one or two; who cannot move loses."""

    tokens: int
    name = "subtract"

    def moves(self, player: Player) -> Sequence[int]:
        """How many tokens may be taken."""
        return [k for k in ((1, 3) if player is Player.LEFT else (1, 2)) if k <= self.tokens]

    def play(self, player: Player, move: int) -> Subtract:
        """What is left."""
        return Subtract(self.tokens - move)


def main() -> None:
    search = LocalSearch()
    for tokens in range(6):
        print(tokens, search.value(Subtract(tokens)))
    heaps = [search.value(Subtract(tokens)) for tokens in (2, 4, 5)]
    print("heaps of 2, 4 and 5:", SumSolver().outcome(heaps).letter)
    print("with a switch of ±1 beside them:", SumSolver().outcome([*heaps, switch(1)]).letter)


if __name__ == "__main__":
    main()
