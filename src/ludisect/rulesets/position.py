"""What a game is here: a small class with the moves of Left and Right, and how a move is played.

A game written by a user needs three things: ``moves``, ``play``, and to be hashable. Everything else is optional and
makes it faster: ``parts`` (independent positions whose sum it is), ``key`` (equal for equivalent positions),
``terminal_value`` (a value known without search), ``bounds`` and ``estimate``. A game that is counted in points instead
of being won by the last move says so by ``score``. A game in which a move can win the
whole sum at once (a *global threat*) says ``outright = True`` and tells by ``won_by`` when that has happened.

What a position is worth is found by :mod:`ludisect.sums`, which builds on this room. A position asks for it at the
front door: ``ludisect.sums`` is loaded by the package itself when somebody first asks for a value. So the class that a
user holds has ``value``, ``outcome`` and ``+``, and imports still go one way; :func:`_on_the_table` is the only place
that looks up.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from enum import Enum
from fractions import Fraction
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import ludisect
from ludisect.cgt import MarkedValue, Thermograph, Value, Worth
from ludisect.cgt.dyadic import Number
from ludisect.errors import InputError
from ludisect.rulesets.depiction import Diagram

if TYPE_CHECKING:
    from ludisect.sums.localtree import LocalTree
    from ludisect.sums.table import Sum


class Player(Enum):
    """Left (Black, positive) and Right (White, negative)."""

    LEFT = "L"
    RIGHT = "R"

    @property
    def opponent(self) -> Player:
        """The other one."""
        return Player.RIGHT if self is Player.LEFT else Player.LEFT


class Position(ABC):
    """A position of a combinatorial game: immutable and hashable, play ends, who cannot move loses (see ``score``)."""

    name: ClassVar[str] = ""
    """What the game is called in expressions such as ``"domineering 4x5"``."""

    version: ClassVar[int] = 1
    """Raised whenever the rules or the keys change, so that stored values of older versions are not used."""

    impartial: ClassVar[bool] = False
    """Whether both players always have the same moves; such games are searched by nim values."""

    outright: ClassVar[bool] = False
    """Whether a move can win the whole sum at once, whatever else is on the table; ``won_by`` tells when."""

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

    def won_by(self) -> Player | None:
        """Who won the whole sum outright by the move that led here; nobody, unless the game is ``outright``."""
        return None

    def sure_winner(self, to_move: Player | None) -> Player | None:
        """Who is sure to win outright if both move here in turn and either may pass, as far as is seen without search.

        ``to_move`` moves first; None asks for a player who wins whoever does.
        """
        return self.won_by()

    def bounds(self) -> tuple[Number, Number] | None:
        """Numbers between which the value surely lies, if such are known without search.

        A player who could make at most n moves in a row, if the opponent never moved, is not better off than by n.
        """
        return (-1, 1) if self.impartial else None

    def estimate(self) -> Number | None:
        """A guess at the mean value, for search to a limited depth; None if there is none to be had.

        The points so far, or a quarter of the moves that Left has more than Right: on random boards of every bundled
        game without an estimate of its own that is nearer to the mean than 0 is.
        """
        points = self.score()
        if points is not None:
            return points
        return Fraction(len(self.moves(Player.LEFT)) - len(self.moves(Player.RIGHT)), 4)

    def score(self) -> Number | None:
        """Left's points minus Right's so far, which count when nobody can move any more; None in normal play.

        In a game with points both players can move or neither can, and moving is never worse than letting the opponent
        move; search refuses a game where it is.
        """
        return None

    def move_text(self, move: Any) -> str:
        """The move as text."""
        return str(move)

    # ---- what it is worth -----------------------------------------------------------------------------------------

    @cached_property
    def value(self) -> Worth:
        """The value, found by local search without a limit; :func:`ludisect.value` takes limits.

        It is a :class:`~ludisect.cgt.MarkedValue` where somebody can win outright, else a plain value.

        Raises:
            BudgetExceeded: the game is too deep, or its parts make too large a sum; ``partial`` is what is known.
        """
        return _on_the_table(self).value

    @cached_property
    def outcome(self) -> str:
        """``L``, ``R``: that player wins; ``N``, ``P``: the next, the previous player wins; of points see ``Sum``."""
        return _on_the_table(self).outcome

    @property
    def thermograph(self) -> Thermograph:
        """The thermograph of the value."""
        return self.value.thermograph

    @property
    def mean(self) -> Fraction:
        """The mean value."""
        return self.value.mean

    @property
    def temperature(self) -> Fraction:
        """The temperature of the value."""
        return self.value.temperature

    def tree(self, depth: int = 1) -> LocalTree:
        """What both players can make of it: values, temperatures, stops and incentives down to so many moves.

        It prints as text, draws itself (``tree.draw("tree.svg")``), and is data: ``tree.branches``, ``tree.to_json()``.

        Raises:
            InputError: the tree is too large.
        """
        return _on_the_table(self).tree(depth)

    # ---- sums -----------------------------------------------------------------------------------------------------

    def __add__(self, other: Summand) -> Sum:
        return _on_the_table(self, other)

    def __radd__(self, other: Summand) -> Sum:
        return _on_the_table(other, self)

    def __sub__(self, other: Summand) -> Sum:
        return _on_the_table(self, -_on_the_table(other))

    def __rsub__(self, other: Summand) -> Sum:
        return _on_the_table(other, -self)

    def __neg__(self) -> Position:
        """The same position with the players' roles exchanged."""
        return self if self.impartial else Negative(self)

    # ---- pictures -------------------------------------------------------------------------------------------------

    def diagram(self) -> Diagram | None:
        """What it looks like, if it can be drawn; without, its text serves."""
        return None

    def move_cells(self, move: Any) -> Sequence[int]:
        """The cells of the diagram that a move is about, first the one that something moves from; none if unknown."""
        return ()

    def cell_glyph(self, cell: int) -> str:
        """The sign for what a cell of the diagram holds (see ``docs/pictures.md``); empty for an empty cell."""
        return ""

    def picture(self, *, theme: str = "light") -> str:
        """A drawing as SVG, with the parts in their colours; nothing if it has no diagram: its text serves then."""
        from ludisect.draw.drawing import position_svg

        return position_svg(self, theme=theme)

    def _repr_html_(self) -> str:
        """For notebooks: the drawing, if there is one, and the text."""
        return f"<div>{self.picture()}<code>{escape(f'{self.name} {self}')}</code></div>"


Component: TypeAlias = Value | MarkedValue | Position
"""What a sum is made of; a value stands for the game of its canonical form."""

if TYPE_CHECKING:
    Summand: TypeAlias = Component | Sum | Number | float | str


def _on_the_table(*summands: Summand) -> Sum:
    """The sum of positions and others, of which values and outcomes can be asked."""
    return ludisect.sums.Sum(summands)


_EXCHANGED = {
    f"{shape}-{one}": f"{shape}-{other}"
    for shape in ("stone", "only", "domino", "line")
    for one, other in (("first", "second"), ("second", "first"))
}
"""Signs with the players exchanged."""


class Negative(Position):
    """A position with the players' roles exchanged: the negative of a game that has no better name for it."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.name = f"negative {position.name}"  # type: ignore[misc]
        self.outright = position.outright  # type: ignore[misc]

    def moves(self, player: Player) -> Sequence[Any]:
        return self.position.moves(player.opponent)

    def play(self, player: Player, move: Any) -> Position:
        return -self.position.play(player.opponent, move)

    def parts(self) -> Sequence[Position]:
        return [-x for x in self.position.parts()]

    def key(self) -> tuple[Hashable, bool]:
        key, negative = self.position.key()
        return key, not negative

    def terminal_value(self) -> Value | None:
        known = self.position.terminal_value()
        return None if known is None else -known

    def won_by(self) -> Player | None:
        winner = self.position.won_by()
        return None if winner is None else winner.opponent

    def sure_winner(self, to_move: Player | None) -> Player | None:
        winner = self.position.sure_winner(None if to_move is None else to_move.opponent)
        return None if winner is None else winner.opponent

    def bounds(self) -> tuple[Number, Number] | None:
        known = self.position.bounds()
        return None if known is None else (-known[1], -known[0])

    def estimate(self) -> Number | None:
        guess = self.position.estimate()
        return None if guess is None else -guess

    def score(self) -> Number | None:
        points = self.position.score()
        return None if points is None else -points

    def move_text(self, move: Any) -> str:
        return self.position.move_text(move)

    def diagram(self) -> Diagram | None:
        return self.position.diagram()

    def move_cells(self, move: Any) -> Sequence[int]:
        return self.position.move_cells(move)

    def cell_glyph(self, cell: int) -> str:
        glyph = self.position.cell_glyph(cell)
        return _EXCHANGED.get(glyph, glyph)

    def __neg__(self) -> Position:
        return self.position

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Negative) and self.position == other.position

    def __hash__(self) -> int:
        return hash(("negative", self.position))

    def __str__(self) -> str:
        return str(self.position)

    def __repr__(self) -> str:
        return f"Negative({self.position!r})"


class Impartial(Position):
    """The impartial form of a game: both players may make either player's moves."""

    impartial = True

    def __init__(self, position: Position) -> None:
        if position.outright:
            raise InputError(f"{position.name} has no impartial form: whose win would an outright win be?")
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

    def diagram(self) -> Diagram | None:
        return self.position.diagram()

    def move_cells(self, move: tuple[Player, Any]) -> Sequence[int]:
        return self.position.move_cells(move[1])

    def cell_glyph(self, cell: int) -> str:
        return self.position.cell_glyph(cell)

    def __str__(self) -> str:
        return str(self.position)

    def __repr__(self) -> str:
        return f"Impartial({self.position!r})"
