"""Short games in canonical form: interned values with exact order, sum and negation.

Every :class:`Value` is the canonical form of a short game (no dominated, no reversible option), kept once in memory:
equal games are the same object. Numbers, ups and nimbers and their sums are stored as a triple (number, ups, nimber)
with arithmetic in O(1); their options are made only when asked for. The two operations that make sums expensive,
comparison and addition, are remembered in tables of bounded size, and a comparison is answered from the stops of
both games wherever these decide it.

References: Conway, *On Numbers and Games*; Siegel, *Combinatorial Game Theory* (2013), II.2 (canonical form), II.3
(numbers), II.4 (infinitesimals); the stop test before comparing: a game with a smaller left or right stop cannot be
the larger one, and LS(G) < RS(H) implies G < H.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from operator import attrgetter
from threading import Lock
from typing import cast, final
from weakref import WeakValueDictionary

from ludisect.cgt import limit, reader
from ludisect.cgt.atom import Nus, at_most, birthday, opposite, options, recognize, same_walls
from ludisect.cgt.described import Described, Order
from ludisect.cgt.dyadic import Number, dyadic, exact, normal
from ludisect.cgt.form import Form, number_between, undominated
from ludisect.cgt.thermograph import Thermograph, combine, mast
from ludisect.errors import InputError

MEMO_SIZE = 1 << 20
"""Entries kept of comparisons and of sums; a full table is emptied."""


@final
class Value(Described):
    """A short game in canonical form; ``==`` is equality of games, ``<=`` the partial order.

    ``Value(x)`` reads text in the field's notation, takes an int, a Fraction or a float, or another value:

    >>> Value("{1|*}") + 0.5
    Value('{3/2|1/2*}')
    >>> Value("1/2") == 0.5, Value("*") < 1, bool(Value("1 - 1"))
    (True, True, False)

    Python numbers stand for values in arithmetic, and in comparisons even those that no short game is worth, such as
    1/3. Equal games are the same object. The order is partial, so ``sorted`` means nothing for values of which some
    are confused with each other, and Python cannot tell it: :func:`ludisect.cgt.ascending` sorts and says so.
    """

    # _serial (never used again), _nus (number, ups and nimber if the value is their sum), _ls and _rs (the stops) are
    # for the kernel alone: this module, ``form`` and ``reduction``.
    __slots__ = (
        "__weakref__",
        "_birthday",
        "_hash",
        "_left",
        "_ls",
        "_negative",
        "_nus",
        "_right",
        "_rs",
        "_serial",
        "_thermograph",
    )

    _serial: int
    _hash: int
    _left: tuple[Value, ...] | None
    _right: tuple[Value, ...] | None
    _negative: Value | None
    _thermograph: Thermograph | None
    _birthday: int

    def __new__(cls, source: Value | Number | float | str) -> Value:
        """The value that ``source`` names; raises :class:`InputError` if its text or number is none."""
        if isinstance(source, str):
            return reader.read(source, _MAKERS)
        return as_value(source)

    @staticmethod
    def parse(text: str) -> Value:
        """Read a value in the field's notation.

        >>> print(Value.parse("{1|*} + 1/2"), Value.parse("{2|0||-1}"), Value.parse("^^* - ^"))
        {3/2|1/2*} {{2|0}|-1} ↑*

        Raises:
            InputError: the text is no value; the message shows where.
            BudgetExceeded: the value is too deep to be built.
        """
        return reader.read(text, _MAKERS)

    # ---- parts ------------------------------------------------------------------------------------------------

    @property
    def left(self) -> tuple[Value, ...]:
        """Left's options."""
        options = self._left
        return self._spell_out()[0] if options is None else options

    @property
    def right(self) -> tuple[Value, ...]:
        """Right's options."""
        options = self._right
        return self._spell_out()[1] if options is None else options

    def _spell_out(self) -> tuple[tuple[Value, ...], tuple[Value, ...]]:
        """Make the options of a sum of number, ups and nimber."""
        assert self._nus is not None
        left, right = options(self._nus)
        self._left, self._right = tuple([atom(*n) for n in left]), tuple([atom(*n) for n in right])
        return self._left, self._right

    # ---- what it is -------------------------------------------------------------------------------------------

    @property
    def is_zero(self) -> bool:
        """Whether it is 0, a second-player win."""
        return self is ZERO

    def __bool__(self) -> bool:
        return self is not ZERO

    @property
    def outcome(self) -> str:
        """``L``, ``R``: that player wins; ``N``, ``P``: the next, the previous player wins."""
        return _OUTCOME[_compare(self, ZERO)]

    @property
    def birthday(self) -> int:
        """The height of the canonical game tree."""
        if self._birthday < 0:
            if self._nus is not None:
                self._birthday = birthday(self._nus)
            else:
                self._birthday = 1 + max(x.birthday for x in (*self.left, *self.right))
        return self._birthday

    @property
    def thermograph(self) -> Thermograph:
        """The thermograph, from temperature -1 upward."""
        if self._thermograph is None:
            same = self if self._nus is None else atom(*same_walls(self._nus))
            if same is not self:
                self._thermograph = same.thermograph
            elif self.is_number and isinstance(self._ls, int):
                self._thermograph = mast(self._ls)
            elif self._negative is not None and self._negative._thermograph is not None:
                self._thermograph = self._negative._thermograph.mirrored
            else:
                self._thermograph = combine((x.thermograph for x in self.left), (y.thermograph for y in self.right))
        return self._thermograph

    # ---- order ------------------------------------------------------------------------------------------------

    def compare(self, other: Value | Number | float | str) -> Order:
        """One of the four answers; ``other`` may be a number or text.

        >>> Value("*").compare(0).name, Value("1/2").compare("{1|0}").name, Value("^").compare(0.25).name
        ('CONFUSED', 'CONFUSED', 'LESS')
        """
        if isinstance(other, str):
            other = Value(other)
        order = _compare(self, other) if isinstance(other, Value) else self._beside(other)
        if order is None:
            raise InputError("no value can be compared with nan")
        return order

    def _beside(self, other: object) -> Order | None:
        """How the value stands to a Python number; None for nan, beside which nothing stands."""
        x = exact(other)
        if x is None:
            raise TypeError(
                f"a Value is compared with a Value, an int, a Fraction or a float, not with {_kind(other)}; "
                "compare() takes text too"
            )
        if not isinstance(x, float) and not x.denominator & (x.denominator - 1):
            return _compare(self, atom(x, 0, 0))
        # no short game is worth x, so no stop is equal to it
        if self._ls < x:
            return Order.LESS
        return Order.GREATER if self._rs > x else None if x != x else Order.CONFUSED

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Value):
            return self is other
        x = exact(other)
        return NotImplemented if x is None else self.is_number and self._ls == x

    def __hash__(self) -> int:
        return self._hash

    def __le__(self, other: Value | Number | float) -> bool:
        return le(self, other) if isinstance(other, Value) else self._beside(other) in _AT_MOST

    def __ge__(self, other: Value | Number | float) -> bool:
        return le(other, self) if isinstance(other, Value) else self._beside(other) in _AT_LEAST

    def __lt__(self, other: Value | Number | float) -> bool:
        if isinstance(other, Value):
            return self is not other and le(self, other)
        return self._beside(other) is Order.LESS

    def __gt__(self, other: Value | Number | float) -> bool:
        if isinstance(other, Value):
            return self is not other and le(other, self)
        return self._beside(other) is Order.GREATER

    # ---- arithmetic -------------------------------------------------------------------------------------------

    def __add__(self, other: Value | Number | float) -> Value:
        h = _operand(other, "__radd__")
        return NotImplemented if h is None else add(self, h)

    __radd__ = __add__

    def __neg__(self) -> Value:
        return negate(self)

    def __sub__(self, other: Value | Number | float) -> Value:
        h = _operand(other, "__rsub__")
        return NotImplemented if h is None else add(self, negate(h))

    def __rsub__(self, other: Value | Number | float) -> Value:
        return negate(self) + other

    def __mul__(self, times: int) -> Value:
        if not isinstance(times, int):
            raise TypeError(f"a Value is multiplied by an int, how often it is added up, not by {_kind(times)}")
        if times < 0:
            return negate(self) * -times
        out, power = ZERO, self
        while times:
            if times & 1:
                out = add(out, power)
            times >>= 1
            power = add(power, power) if times else power
        return out

    __rmul__ = __mul__


# ---- making values --------------------------------------------------------------------------------------------

_serials = count()
_atoms: WeakValueDictionary[Nus, Value] = WeakValueDictionary()
_compounds: WeakValueDictionary[tuple[tuple[int, ...], tuple[int, ...]], Value] = WeakValueDictionary()
_le_memo: dict[tuple[int, int], bool] = {}
_add_memo: dict[tuple[int, int], Value] = {}


_serial = attrgetter("_serial")
_FAR = 1 << 40
"""Hashes of values that are no numbers begin here, away from those of small integers."""

_making = Lock()
"""Held while a value is entered: two threads must not make the same game twice."""


def _new(nus: Nus | None, ls: Number, rs: Number) -> Value:
    g = object.__new__(Value)
    g._serial = serial = next(_serials)
    g._hash = hash(ls) if nus is not None and not nus[1] and not nus[2] else serial + _FAR
    g._nus, g._ls, g._rs = nus, ls, rs
    g._left = g._right = None
    g._negative = g._thermograph = None
    g._birthday = -1
    return g


def atom(x: Number, ups: int, nim: int) -> Value:
    """The value x + ups·↑ + *nim."""
    key = (x, ups, nim)
    g = _atoms.get(key)
    if g is None:
        made = _new(key, x, x)
        with _making:
            g = _atoms.setdefault(key, made)
    return g


def intern(left: Iterable[Value], right: Iterable[Value]) -> Value:
    """The one object with these canonical options, which is no sum of number, ups and nimber."""
    lefts, rights = sorted(left, key=_serial), sorted(right, key=_serial)
    key = (tuple(map(_serial, lefts)), tuple(map(_serial, rights)))
    g = _compounds.get(key)
    if g is None:
        made = _new(None, max([x._rs for x in lefts]), min([y._ls for y in rights]))
        made._left, made._right = tuple(lefts), tuple(rights)
        with _making:
            g = _compounds.setdefault(key, made)
    return g


ZERO = atom(0, 0, 0)
_OUTCOME = {Order.LESS: "R", Order.EQUAL: "P", Order.GREATER: "L", Order.CONFUSED: "N"}
_AT_MOST, _AT_LEAST = (Order.LESS, Order.EQUAL), (Order.GREATER, Order.EQUAL)


def as_value(x: Value | Number | float) -> Value:
    """``x`` itself, or the number it names."""
    return x if isinstance(x, Value) else number(x)


def number(x: Number | float) -> Value:
    """The number ``x``, an integer or a dyadic fraction; a float is as exact as it is."""
    found = exact(x)
    if found is None:
        raise TypeError(f"a value is a Value, an int, a Fraction, a float, or the text of a value, not {_kind(x)}")
    if isinstance(found, float):
        raise InputError(f"{found} is not the value of a short game")
    return atom(dyadic(found), 0, 0)


def _operand(x: object, reflected: str) -> Value | None:
    """The value that is added; None if ``x`` is no number but may know how to be added by its method ``reflected``."""
    if isinstance(x, Value):
        return x
    if exact(x) is None:
        if hasattr(type(x), reflected):
            return None
        raise TypeError(
            f"a Value is added to a Value, an int, a Fraction or a float, not to {_kind(x)}; Value(text) reads text"
        )
    return number(cast("Number | float", x))


def _kind(x: object) -> str:
    return f"{type(x).__name__} {x!r}" if isinstance(x, (str, int, float)) else type(x).__name__


# ---- the order ------------------------------------------------------------------------------------------------


def le(g: Value, h: Value) -> bool:
    """Whether g <= h: no left option of g is >= h, no right option of h is <= g."""
    if g is h:
        return True
    a, b = g._nus, h._nus
    if a is not None and b is not None:
        return at_most(a, b)
    if g._ls > h._ls or g._rs > h._rs:
        return False
    if g._ls < h._rs:
        return True
    key = (g._serial, h._serial)
    answer = _le_memo.get(key)
    if answer is None:
        meter = limit.active()
        if meter is not None:
            meter.look()
        # Number avoidance: nobody needs to move in a number while the other game is not one.
        answer = not (
            ((a is None or a[1] or a[2]) and any(le(h, x) for x in g.left))
            or ((b is None or b[1] or b[2]) and any(le(y, g) for y in h.right))
        )
        if len(_le_memo) >= MEMO_SIZE:
            _le_memo.clear()
        _le_memo[key] = answer
    return answer


def _compare(g: Value, h: Value) -> Order:
    below, above = le(g, h), le(h, g)
    if below:
        return Order.EQUAL if above else Order.LESS
    return Order.GREATER if above else Order.CONFUSED


# ---- canonical form -------------------------------------------------------------------------------------------


def canonical(left: list[Value], right: list[Value]) -> Value:
    """The canonical form of the game with the given options, which are canonical themselves."""
    meter = limit.active()
    if meter is not None:
        meter.tick()
    x = number_between(left, right, le, _numeral)
    if x is not None:
        return atom(x, 0, 0)
    if len(left) > 1:
        left = undominated(left, le, best=1)
    if len(right) > 1:
        right = undominated(right, le, best=-1)
    form = Form(left, right, le)
    left, right = form.bypass_left(), form.bypass_right()
    lefts, rights = [x._nus for x in left], [y._nus for y in right]
    if None not in lefts and None not in rights:
        nus = recognize(cast("list[Nus]", lefts), cast("list[Nus]", rights))
        if nus is not None:
            return atom(*nus)
    return intern(left, right)


def _numeral(x: Number) -> Value:
    return atom(x, 0, 0)


# ---- sum and negative -----------------------------------------------------------------------------------------


def negate(g: Value) -> Value:
    """The game with the players' roles exchanged."""
    h: Value | None = g._negative
    if h is None:
        if g._nus is not None:
            h = atom(*opposite(g._nus))
        else:
            h = intern([negate(y) for y in g.right], [negate(x) for x in g.left])
        g._negative, h._negative = h, g
    return h


def add(g: Value, h: Value) -> Value:
    """The disjunctive sum."""
    a, b = g._nus, h._nus
    if a is not None and b is not None:
        return atom(normal(a[0] + b[0]), a[1] + b[1], a[2] ^ b[2])
    if a is not None or (b is None and g._serial > h._serial):
        g, h, b = h, g, a
    if h is ZERO:
        return g
    if h is g._negative:
        return ZERO
    key = (g._serial, h._serial)
    total = _add_memo.get(key)
    if total is None:
        if b is not None and not b[1] and not b[2]:
            # Number translation: a game that is no number keeps its canonical options, each moved by the number.
            meter = limit.active()
            if meter is not None:
                meter.tick()
            total = intern([add(y, h) for y in g.left], [add(y, h) for y in g.right])
        else:
            total = canonical(
                [add(x, h) for x in g.left] + [add(g, x) for x in h.left],
                [add(y, h) for y in g.right] + [add(g, y) for y in h.right],
            )
        if len(_add_memo) >= MEMO_SIZE:
            _add_memo.clear()
        _add_memo[key] = total
    return total


_MAKERS = reader.Makers(atom, canonical, add, negate)
