"""A sum on the table: components that are positions or values, what it is worth, and the moves in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ludisect.cgt import OFF, ON, MarkedValue, Thermograph, Value, Worth, budget, number
from ludisect.cgt.dyadic import Number, exact
from ludisect.errors import IllegalMove, InputError
from ludisect.rulesets.notation import read
from ludisect.rulesets.position import Component, Player, Position
from ludisect.sums.decide import outcome_of
from ludisect.sums.limits import SumsLimits
from ludisect.sums.local import LocalSearch, ValueSource
from ludisect.sums.localtree import LocalTree, local_tree
from ludisect.sums.scoring import all_counted
from ludisect.sums.threatsearch import has_threats
from ludisect.sums.total import total_value

if TYPE_CHECKING:
    from ludisect.rulesets.position import Summand


@dataclass(frozen=True, slots=True)
class SumMove:
    """A move in one component: whose, which, what, and what becomes of the component."""

    player: Player
    component: int
    move: Any
    after: Component
    text: str


_PLAYERS = {player.name.lower(): player for player in Player}


class Sum:
    """A sum of components; immutable. All sums that grow out of one share what the local search knows.

    Components are positions and values; text, numbers and other sums are turned into these:

    >>> game = Sum("domineering 2x3 + {3|-1}") + "nim 2" - 1
    >>> print(game, game.outcome, game.mean, game.value)
    domineering ...|... + {3|-1} + nim 2 + -1 N 3/4 {{4*2|3/2*2}|{*2|-5/2*2}}

    A sum that was played to knows by which move (``last``) and from where (``before``):

    >>> later = game.play_line("left 2: to 3; right 1: a1-b1")
    >>> later.last.text, str(later.before.components[0])
    ('1: a1-b1', '...|...')
    """

    before: Sum | None = None
    last: SumMove | None = None
    won: Player | None = None
    """Who won outright: the play is over, and nobody moves any more."""

    def __init__(self, components: Summand | Iterable[Summand], *, search: ValueSource | None = None) -> None:
        one = isinstance(components, (str, Sum, Value, MarkedValue, Position)) or not isinstance(components, Iterable)
        self.components = tuple(_listed([components] if one else components))
        self.scored = all_counted(self.components)
        """Whether it is counted in points; else the last move wins."""
        self.search: ValueSource = search or LocalSearch()
        self.won = next(filter(None, map(_winner, self.components)), None)

    def __str__(self) -> str:
        return " + ".join(f"{x.name} {x}" if isinstance(x, Position) else str(x) for x in self.components) or "0"

    def __repr__(self) -> str:
        return f"Sum({str(self)!r})"

    def _repr_html_(self) -> str:
        """For notebooks: the components, drawn if they can be."""
        shown = (x._repr_html_() if isinstance(x, Position) else f"<code>{x}</code>" for x in self.components)
        rows = "".join(f"<td>{x}</td>" for x in shown)
        return f"<table><tr>{rows}</tr></table>"

    # ---- adding ---------------------------------------------------------------------------------------------------

    def __add__(self, other: Summand) -> Sum:
        return Sum([self, other], search=self.search)

    def __radd__(self, other: Summand) -> Sum:
        return Sum([other, self], search=self.search)

    def __sub__(self, other: Summand) -> Sum:
        return Sum([self, -Sum(other)], search=self.search)

    def __rsub__(self, other: Summand) -> Sum:
        return Sum([other, -self], search=self.search)

    def __neg__(self) -> Sum:
        return Sum([-x for x in self.components], search=self.search)

    # ---- what it is worth -----------------------------------------------------------------------------------------

    @property
    def threatened(self) -> bool:
        """Whether somebody can win outright, now or later."""
        return any(map(has_threats, self.components))

    @cached_property
    def value(self) -> Worth:
        """The value; for limits see :func:`ludisect.value`.

        Raises:
            BudgetExceeded: the sum is too large to be written as one value; ``partial`` is what is known of it.
        """
        return total_value(self.components, self.search)

    @cached_property
    def outcome(self) -> str:
        """``L``, ``R``: that player wins; ``N``, ``P``: the next, the previous player wins. Nothing is added up.

        In a sum that is counted in points: ``L``, ``R``: that player gets more; ``N``: who starts does; ``D``: nobody;
        ``LD``, ``RD``: that player does if he starts, else nobody.
        """
        return outcome_of(self.components, self.search)

    @property
    def mean(self) -> Fraction:
        """The mean value, which is the sum of the components' means."""
        return sum((g.mean for g in self.all_values()), Fraction(0))

    @property
    def temperature(self) -> Fraction:
        """The temperature of the value."""
        return self.value.temperature

    @property
    def thermograph(self) -> Thermograph:
        """The thermograph of the value."""
        return self.value.thermograph

    def tree(self, depth: int = 1) -> LocalTree:
        """The local tree of the only component, a position: values, stops and incentives down to so many moves.

        Raises:
            InputError: there are several components, or one that is a value; or the tree is too large.
            BudgetExceeded: a value was not found within the limits of the search.
        """
        if len(self.components) != 1 or not isinstance(self.components[0], Position):
            raise InputError("a tree is grown from one position, such as domineering 3x3, not from a value or a sum")
        return local_tree(self.components[0], self.search, depth)

    # ---- moves ----------------------------------------------------------------------------------------------------

    def moves(self, player: Player) -> list[SumMove]:
        """All moves of ``player``, component by component; none if somebody has won outright."""
        out: list[SumMove] = []
        for i, x in enumerate(self.components if self.won is None else ()):
            if not isinstance(x, Position):
                if self.scored and x.is_number:  # points, not free moves
                    continue
                options = x.left if player is Player.LEFT else x.right
                out.extend(SumMove(player, i, k, y, f"{i + 1}: to {y}") for k, y in enumerate(options))
            else:
                out.extend(
                    SumMove(player, i, m, x.play(player, m), f"{i + 1}: {x.move_text(m)}") for m in x.moves(player)
                )
        return out

    @property
    def points(self) -> Number | None:
        """Left's points minus Right's so far, with the means of values; None if the last move wins."""
        if not self.scored:
            return None
        return sum((x.score() or 0 if isinstance(x, Position) else x.mean for x in self.components), Fraction(0))

    def play(self, move: SumMove) -> Sum:
        """The sum after ``move``, one of its moves."""
        i = move.component
        after = object.__new__(Sum)  # the components are known to be good
        after.components = (*self.components[:i], move.after, *self.components[i + 1 :])
        after.search, after.scored = self.search, self.scored
        after.before, after.last = self, move
        if isinstance(move.after, MarkedValue):
            after.won = move.player if move.after in (ON, OFF) else None
        elif isinstance(move.after, Position):
            after.won = move.after.won_by()
        return after

    def play_line(self, text: str) -> Sum:
        """The sum after moves in turn: ``left 2: to 3; right 1: a1-b1``; after the first, players need no names.

        Raises:
            InputError: the line does not say who begins, or a player moves twice in a row.
            IllegalMove: there is no such move; the message lists some.
        """
        game = self
        for part in filter(None, map(str.strip, text.split(";"))):
            word, _, rest = part.partition(" ")
            turn = game.last.player.opponent if game.last is not None else None
            player = _PLAYERS.get(word.lower(), turn)
            if player is None:
                raise InputError(
                    f"{part!r} does not say whose move it is; write for example: left 1: a1-a2; right 2: to 3"
                )
            if turn is not None and player is not turn:
                raise InputError(f"{part!r}: it is {turn.name.lower()}'s turn; players move in turn")
            game = game.play(game.find(player, rest.strip() if word.lower() in _PLAYERS else part))
        return game

    def asked_of(self, search: ValueSource) -> Sum:
        """The same sum, its past included, with another search that finds its values."""
        out = Sum(self.components, search=search)
        later, now = out, self
        while now.before is not None:
            later.before, later.last = Sum(now.before.components, search=search), now.last
            later, now = later.before, now.before
        return out

    def find(self, player: Player, text: str) -> SumMove:
        """The move with this text.

        Raises:
            IllegalMove: there is none; the message lists some.
        """
        moves = self.moves(player)
        for move in moves:
            if move.text == text:
                return move
        raise IllegalMove(player.name.lower(), text, [m.text for m in moves])

    # ---- what is known locally ------------------------------------------------------------------------------------

    def values(self, component: Component) -> list[Value]:
        """The values of the independent parts of ``component``."""
        return self.search.all_values([component])

    def all_values(self) -> list[Value]:
        """The values of all parts of all components; their sum is the value of this sum."""
        return self.search.all_values(self.components)

    def value_of(self, *components: Component) -> Value:
        """The value of some components, or parts of them, together.

        Raises:
            BudgetExceeded: their parts make too large a sum (within a :func:`ludisect.cgt.budget`).
        """
        return sum(self.search.all_values(components), number(0))

    def thermograph_of(self, *components: Component) -> Thermograph:
        """The thermograph of some components, or parts of them, together.

        Raises:
            InputError: somebody can win outright in them.
            BudgetExceeded: their parts make too large a sum.
        """
        if any(map(has_threats, components)):
            raise InputError("strategies that go by temperatures know no outright wins; play optimal or alpha-beta")
        values = self.search.all_values(components)
        if len(values) == 1:
            return values[0].thermograph
        with budget(nodes=SumsLimits.current().addition_nodes):
            return sum(values, number(0)).thermograph


def _winner(x: Component) -> Player | None:
    return x.won_by() if isinstance(x, Position) else None


def _listed(summands: Any) -> Iterator[Component]:
    """The components that summands stand for; the number 0 stands for none, so that Python's ``sum`` works."""
    for x in summands:
        if isinstance(x, (Value, MarkedValue, Position)):
            yield x
        elif isinstance(x, Sum):
            yield from x.components
        elif isinstance(x, str):
            yield from read(x)
        elif exact(x) is None:
            raise TypeError(
                "a sum is made of positions, values, numbers, sums, and texts such as 'nim 3 + {1|*}', not of "
                f"{type(x).__name__}"
            )
        elif x:
            yield number(x)
