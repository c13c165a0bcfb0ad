"""Values in which somebody can win outright: ``{on|{0,{on|0}|off}}``, read, written, played and compared.

``on`` and ``off`` mark that Left or Right has won the whole sum, whatever else is on the table. A marked value is a
canonical form with such marks among its options. It is a type of its own: two of them cannot be added, since on and off
in different games would cancel instead of ending the play, and most have no thermograph.

Inside, a mark is stood for by an integer beyond every other number. What is made here never depends on which integer:
a game that Left wins whoever moves is ``on`` at once, and a mark to which a short value is added stays a mark. Equal
marked values are worth the same in every sum with short values; two that differ may be, too, where they differ only in
how a win comes about.

Reference: Mäser, *Global threats in combinatorial games* (PhD thesis, ETH Zurich 2001), 2.2.7, 6.2 and 6.3.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NoReturn, TypeAlias, final
from weakref import WeakKeyDictionary

from ludisect.cgt import reader
from ludisect.cgt.described import Order
from ludisect.cgt.dyadic import Number
from ludisect.cgt.thermograph import Thermograph
from ludisect.cgt.value import Value, add, as_value, atom, canonical, negate, number
from ludisect.cgt.writer import MarkedWriter, short_text
from ludisect.errors import InputError

HUGE = 1 << 40
"""Stands for ``on``: larger than the number of moves in any game that fits in memory."""

_LIMIT = HUGE // 2


@final
class MarkedValue:
    """A game with outright wins in canonical form; made by :func:`marked_game` and :func:`read_value`.

    >>> g = read_value("{on|{0,{on|0}|off}}")
    >>> print(g, g.outcome, g.threatens, g + 1, -g)
    {on|{0,{on|0}|off}} L L {on|{1,{on|1}|off}} {{on|0,{0|off}}|off}
    """

    __slots__ = ("_stand_in",)

    def __init__(self, stand_in: Value) -> None:
        self._stand_in = stand_in

    # ---- what it is -------------------------------------------------------------------------------------------

    @property
    def kind(self) -> str:
        """``win`` or ``loss`` for Left whoever starts, or ``threat``: somebody can win outright if not answered."""
        return "win" if self == ON else "loss" if self == OFF else "threat"

    @property
    def threatens(self) -> str:
        """Who wins outright if he may move first: ``L``, ``R``, ``LR``, or nobody yet (``""``)."""
        g = self._stand_in
        return ("L" if g.left_stop > _LIMIT else "") + ("R" if g.right_stop < -_LIMIT else "")

    @property
    def is_zero(self) -> bool:
        """Never: what is 0 is a short value."""
        return False

    @property
    def is_number(self) -> bool:
        """Never: an outright win is none."""
        return False

    @property
    def number_up_star(self) -> None:
        """There is none, see :attr:`Value.number_up_star`."""
        return None

    @property
    def outcome(self) -> str:
        """``L``, ``R``: that player wins; ``N``, ``P``: the next, the previous player wins."""
        return self._stand_in.outcome

    @property
    def left(self) -> tuple[Worth, ...]:
        """Left's options; ``on`` has itself."""
        if self.kind != "threat":
            return (ON,) if self == ON else ()
        return tuple(wrap(x) for x in self._stand_in.left)

    @property
    def right(self) -> tuple[Worth, ...]:
        """Right's options; ``off`` has itself."""
        if self.kind != "threat":
            return (OFF,) if self == OFF else ()
        return tuple(wrap(y) for y in self._stand_in.right)

    # ---- thermographs -----------------------------------------------------------------------------------------

    @property
    def thermograph(self) -> Thermograph:
        """The thermograph, where no threat reaches its walls.

        Raises:
            InputError: a wall would lie at an outright win, which is beyond every number.
        """
        graph = self._stand_in.thermograph
        points: list[Number] = [x for wall in (graph.left, graph.right) for point in wall.points for x in point]
        if any(not -_LIMIT <= x <= _LIMIT for x in points):
            raise InputError(
                f"{short_worth(self)} has no thermograph: an outright win is worth more than any number, so there is "
                "no mean and no temperature"
            )
        return graph

    @property
    def mean(self) -> Fraction:
        """The mean value; raises as :attr:`thermograph`."""
        return Fraction(self.thermograph.mean)

    @property
    def temperature(self) -> Fraction:
        """The temperature; raises as :attr:`thermograph`."""
        return Fraction(self.thermograph.temperature)

    @property
    def left_stop(self) -> Fraction:
        """The number at which play stops if Left starts; raises :class:`InputError` where that is no number."""
        return self._stop(self._stand_in.left_stop)

    @property
    def right_stop(self) -> Fraction:
        """The number at which play stops if Right starts; raises :class:`InputError` where that is no number."""
        return self._stop(self._stand_in.right_stop)

    def _stop(self, x: Fraction) -> Fraction:
        if abs(x) > _LIMIT:
            raise InputError(f"the play of {short_worth(self)} does not stop at a number: it ends with an outright win")
        return x

    # ---- order ------------------------------------------------------------------------------------------------

    def compare(self, other: Worth | Number | float | str) -> Order:
        """How it stands to a short value: one of the four answers.

        Raises:
            InputError: ``other`` holds outright wins, too, and is not the same.
        """
        h = read_value(other) if isinstance(other, str) else other
        if isinstance(h, MarkedValue) and h != self:
            _refuse(self, h, "compared, nor ")
        return self._stand_in.compare(stand_in(h))

    def __le__(self, other: Worth | Number | float) -> bool:
        return self.compare(other) in (Order.LESS, Order.EQUAL)

    def __ge__(self, other: Worth | Number | float) -> bool:
        return self.compare(other) in (Order.GREATER, Order.EQUAL)

    def __lt__(self, other: Worth | Number | float) -> bool:
        return self.compare(other) is Order.LESS

    def __gt__(self, other: Worth | Number | float) -> bool:
        return self.compare(other) is Order.GREATER

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MarkedValue) and self._stand_in is other._stand_in

    def __hash__(self) -> int:
        return hash(("marked", self._stand_in))

    # ---- arithmetic -------------------------------------------------------------------------------------------

    def __neg__(self) -> Worth:
        return wrap(negate(self._stand_in))

    def __add__(self, other: Worth | Number | float) -> Worth:
        if isinstance(other, MarkedValue):
            _refuse(self, other)
        return wrap(_plus(self._stand_in, as_value(other), {}))

    __radd__ = __add__

    def __sub__(self, other: Worth | Number | float) -> Worth:
        return self + (-other)

    def __rsub__(self, other: Worth | Number | float) -> Worth:
        return -self + other

    # ---- text -------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        return MarkedWriter(HUGE).write(self._stand_in)

    def __repr__(self) -> str:
        return f"read_value({str(self)!r})"


Worth: TypeAlias = Value | MarkedValue
"""What a game is worth: a short value, or one with outright wins in it."""

_ON, _OFF = number(HUGE), number(-HUGE)

ON = MarkedValue(_ON)
"""Left has won, or wins whoever moves."""

OFF = MarkedValue(_OFF)
"""Right has won, or wins whoever moves."""

_marks: WeakKeyDictionary[Value, bool] = WeakKeyDictionary()


def read_value(text: str) -> Worth:
    """Read a value in which ``on`` and ``off`` may stand.

    >>> print(read_value("{{on|off}|{on|off}}"), read_value("{{on|*}|}"), read_value("tiny(on) - 1"))
    0 1 {-1|{-1|off}}

    Raises:
        InputError: the text is no value, or two values with outright wins are added.
        BudgetExceeded: the value is too deep to be built.
    """
    return wrap(reader.read(text, _MAKERS))


def marked_game(left: Iterable[Worth], right: Iterable[Worth]) -> Worth:
    """The game with the given options, marks among them."""
    return wrap(compose([stand_in(x) for x in left], [stand_in(y) for y in right]))


def short_worth(g: Worth) -> str:
    """The value in the usual notation, or what is known of it if that is too long to read."""
    return short_text(g, _told)


def _told(g: Worth) -> str:
    if isinstance(g, Value):
        return f"a game of mean {g.mean} and temperature {g.temperature}"
    who = {"L": "Left", "R": "Right", "LR": "either player"}.get(g.threatens)
    return f"a game that {who} wins outright moving first" if who else "a game with threats to win outright"


# ---- stand-ins: for those who search, numbers in place of marks -----------------------------------------------


def stand_in(g: Worth | Number | float) -> Value:
    """``g`` with an integer for each mark; to be used with :func:`compose` and :func:`wrap` alone."""
    return g._stand_in if isinstance(g, MarkedValue) else as_value(g)


def compose(left: list[Value], right: list[Value]) -> Value:
    """The canonical form of stand-ins by the result types of both players' options (Mäser 2001, figure 6.4).

    Whoever can win outright does so; an option after which the opponent wins outright is none; where one player has
    nothing else and the other wins by it, the game is ``on`` or ``off`` at once.
    """
    left_wins, right_wins = any(x.right_stop > _LIMIT for x in left), any(y.left_stop < -_LIMIT for y in right)
    lefts = [_ON] if left_wins else [x for x in left if x.right_stop >= -_LIMIT]
    rights = [_OFF] if right_wins else [y for y in right if y.left_stop <= _LIMIT]
    if left_wins and not rights:
        return _ON
    return _OFF if right_wins and not lefts else canonical(lefts, rights)


def wrap(g: Value) -> Worth:
    """The value or marked value that a stand-in stands for."""
    if not has_marks(g):
        return g
    x = g.number_up_star
    return MarkedValue(g) if x is None else ON if x[0] > 0 else OFF


def has_marks(g: Value) -> bool:
    """Whether somebody can win outright somewhere in a stand-in."""
    known = _marks.get(g)
    if known is None:
        x = g.number_up_star
        known = not -_LIMIT <= x[0] <= _LIMIT if x is not None else any(map(has_marks, (*g.left, *g.right)))
        _marks[g] = known
    return known


def _plus(g: Value, h: Value, done: dict[tuple[Value, Value], Value]) -> Value:
    """A stand-in plus a short value; marks stay as they are."""
    if not has_marks(g):
        return add(g, h)
    if g.is_number:
        return g
    total = done.get((g, h))
    if total is None:
        # number avoidance: nobody needs to move in a number while the other game is not one
        moves = ((), ()) if h.is_number else (h.left, h.right)
        total = done[g, h] = compose(
            [_plus(x, h, done) for x in g.left] + [_plus(g, x, done) for x in moves[0]],
            [_plus(y, h, done) for y in g.right] + [_plus(g, y, done) for y in moves[1]],
        )
    return total


def _refuse(g: Worth, h: Worth, nor: str = "") -> NoReturn:
    raise InputError(
        f"{short_worth(g)} and {short_worth(h)} both hold outright wins; such values are not {nor}added up, their sum "
        "is searched: use ludisect.solve or ludisect.sums.Sum"
    )


def _sum(g: Value, h: Value) -> Value:
    if has_marks(g) and has_marks(h):
        _refuse(wrap(g), wrap(h))
    return _plus(h, g, {}) if has_marks(h) else _plus(g, h, {})


def _mark(word: str) -> Value:
    return _ON if word == "on" else _OFF


def _small(x: Number, ups: int, nim: int) -> Value:
    if not -_LIMIT <= x <= _LIMIT:
        raise InputError(f"numbers beside outright wins are at most {_LIMIT}, not {x}")
    return atom(x, ups, nim)


_MAKERS = reader.Makers(_small, compose, _sum, negate, _mark)
