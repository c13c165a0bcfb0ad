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
    Left's best move in a heap of 4 beside it: 2: to 1
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import ludisect
from ludisect.rulesets import Player


@dataclass(frozen=True)
class Subtract(ludisect.Position):
    """A heap: Left takes one or three tokens, Right one or two; who cannot move loses."""

    tokens: int
    name = "subtract"

    @classmethod
    def parse(cls, text: str) -> Subtract:
        """Read ``5``."""
        return cls(int(text))

    def __str__(self) -> str:
        return str(self.tokens)

    def moves(self, player: Player) -> Sequence[int]:
        """How many tokens may be taken."""
        return [k for k in ((1, 3) if player is Player.LEFT else (1, 2)) if k <= self.tokens]

    def play(self, player: Player, move: int) -> Subtract:
        """What is left."""
        return Subtract(self.tokens - move)


def main() -> None:
    ludisect.rulesets.register("subtract", Subtract)
    for tokens in range(6):
        print(tokens, Subtract(tokens).value)
    heaps = Subtract(2) + Subtract(4) + "subtract 5"
    print("heaps of 2, 4 and 5:", heaps.outcome)
    print("with a switch of ±1 beside them:", (heaps + "{1|-1}").outcome)
    print("Left's best move in a heap of 4 beside it:", ludisect.solve("subtract 4 + {1|-1}").move["left"])


if __name__ == "__main__":
    main()
