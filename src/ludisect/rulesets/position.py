"""What a game is here: a small class with the moves of Left and Right, and how a move is played.

A game written by a user needs three things: ``moves``, ``play``, and to be hashable. Everything else is optional and
makes it faster: ``parts`` (independent positions whose sum it is), ``key`` (equal for equivalent positions),
``terminal_value`` (a value known without search), ``bounds`` and ``estimate``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from enum import Enum
from typing import Any, ClassVar

from ludisect.cgt import Value
from ludisect.cgt.dyadic import Number


class Player(Enum):
    """Left (Black, positive) and Right (White, negative)."""

    LEFT = "L"
    RIGHT = "R"

    @property
    def opponent(self) -> Player:
        """The other one."""
        return Player.RIGHT if self is Player.LEFT else Player.LEFT


class Position(ABC):
    """A position of a combinatorial game: immutable and hashable, play ends, who cannot move loses."""

    name: ClassVar[str] = ""
    """What the game is called in expressions such as ``"domineering 4x5"``."""

    version: ClassVar[int] = 1
    """Raised whenever the rules or the keys change, so that stored values of older versions are not used."""

    impartial: ClassVar[bool] = False
    """Whether both players always have the same moves; such games are searched by nim values."""

    @abstractmethod
    def moves(self, player: Player) -> Sequence[Any]:
        """The moves of ``player``, in a fixed order; a move is any hashable thing that ``play`` understands."""

    @abstractmethod
    def play(self, player: Player, move: Any) -> Position:
        """The position after ``player`` made ``move``, one of ``moves(player)``."""

    def parts(self) -> Sequence[Position]:
        """Independent positions whose sum this is, without those that are 0.

        The split must not change what can be played: every move here is a move in exactly one part. An empty result
        means that nobody can move, or that the position is 0 for another reason.
        """
        return [self]

    def key(self) -> tuple[Hashable, bool]:
        """A name shared by equivalent positions, and whether this position is the negative of the one named."""
        return (self.name, self), False

    def terminal_value(self) -> Value | None:
        """The value, if it is known without search."""
        return None

    def bounds(self) -> tuple[Number, Number] | None:
        """Numbers between which the value surely lies, if such are known without search."""
        return None

    def estimate(self) -> Number | None:
        """A guess at the mean value, for search to a limited depth."""
        return None

    def move_text(self, move: Any) -> str:
        """The move as text."""
        return str(move)


class Impartial(Position):
    """The impartial form of a game: both players may make either player's moves."""

    impartial = True

    def __init__(self, position: Position) -> None:
        self.position = position
        self.name = f"impartial {position.name}"  # type: ignore[misc]

    def moves(self, player: Player) -> Sequence[tuple[Player, Any]]:
        both = [(side, m) for side in Player for m in self.position.moves(side)]
        return both

    def play(self, player: Player, move: tuple[Player, Any]) -> Impartial:
        return Impartial(self.position.play(*move))

    def parts(self) -> Sequence[Position]:
        return [Impartial(x) for x in self.position.parts()]

    def key(self) -> tuple[Hashable, bool]:
        return (self.name, self.position.key()[0]), False  # an impartial game is its own negative

    def move_text(self, move: tuple[Player, Any]) -> str:
        return self.position.move_text(move[1])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Impartial) and self.position == other.position

    def __hash__(self) -> int:
        return hash(("impartial", self.position))

    def __str__(self) -> str:
        return str(self.position)
