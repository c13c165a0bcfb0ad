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
from enum import Enum
from fractions import Fraction
from itertools import count
from typing import cast
from weakref import WeakValueDictionary

from ludisect.cgt import dyadic, limit
from ludisect.cgt.atom import Nus, at_most, infinitesimal_birthday, opposite, recognize, same_walls
from ludisect.cgt.dyadic import Number, normal
from ludisect.cgt.form import Form, undominated
from ludisect.cgt.thermograph import Thermograph, combine, mast
from ludisect.cgt.writer import latex, text
from ludisect.errors import BudgetExceeded, InputError

MEMO_SIZE = 1 << 20
"""Entries kept of comparisons and of sums; a full table is emptied."""

MOST_OPTIONS = 100_000
"""A nimber with more options than this is not spelled out."""


class Order(Enum):
    """The four answers of a comparison."""

    LESS = "<"
    EQUAL = "="
    GREATER = ">"
    CONFUSED = "||"


class Value:
    """A short game in canonical form; ``==`` is equality of games, ``<=`` the partial order.

    Values are made by the functions of :mod:`ludisect.cgt.construct`, by :func:`ludisect.cgt.parse` and by
    arithmetic; integers and fractions may stand for values in arithmetic and comparisons.
    """

    __slots__ = (
        "__weakref__",
        "_birthday",
        "_left",
        "_negative",
        "_right",
        "_thermograph",
        "ls",
        "nus",
        "rs",
        "serial",
    )

    _left: tuple[Value, ...] | None
    _right: tuple[Value, ...] | None
    _negative: Value | None
    _thermograph: Thermograph | None
    _birthday: int
    serial: int
    """Unique number of this object; never used again."""
    nus: Nus | None
    """Number, ups and nimber if the value is their sum."""
    ls: Number
    """Left stop."""
    rs: Number
    """Right stop."""

    # ---- parts ------------------------------------------------------------------------------------------------

    @property
    def left(self) -> tuple[Value, ...]:
        """Left's options."""
        if self._left is None:
            self._spell_out()
        return cast("tuple[Value, ...]", self._left)

    @property
    def right(self) -> tuple[Value, ...]:
        """Right's options."""
        if self._right is None:
            self._spell_out()
        return cast("tuple[Value, ...]", self._right)

    def _spell_out(self) -> None:
        """Make the options of a sum of number, ups and nimber."""
        assert self.nus is not None
        x, ups, nim = self.nus
        if ups < 0:
            mirror = -self
            self._left = tuple(-y for y in mirror.right)
            self._right = tuple(-y for y in mirror.left)
        elif ups:
            self._left = (atom(x, 0, 0), atom(x, 0, 1)) if (ups, nim) == (1, 1) else (atom(x, 0, 0),)
            self._right = (atom(x, ups - 1, nim ^ 1),)
        elif nim:
            if nim > MOST_OPTIONS:
                raise BudgetExceeded(f"*{nim} has {nim} options; at most {MOST_OPTIONS} are listed", budget="options")
            self._left = self._right = tuple(atom(x, 0, k) for k in range(nim))
        else:
            left, right = dyadic.options(x)
            self._left = () if left is None else (atom(left, 0, 0),)
            self._right = () if right is None else (atom(right, 0, 0),)

    # ---- what it is -------------------------------------------------------------------------------------------

    @property
    def is_zero(self) -> bool:
        """Whether it is 0, a second-player win."""
        return self is ZERO

    @property
    def is_number(self) -> bool:
        """Whether it is a (dyadic) number."""
        return self.nus is not None and not self.nus[1] and not self.nus[2]

    @property
    def is_infinitesimal(self) -> bool:
        """Whether it lies between -x and x for every positive number x."""
        return self.ls == 0 == self.rs

    @property
    def number(self) -> Fraction:
        """The number it is; raises :class:`InputError` if it is none."""
        if self.nus is None or not self.is_number:
            raise InputError("the value is not a number; ask is_number first")
        return Fraction(self.nus[0])

    @property
    def left_stop(self) -> Fraction:
        """The number reached when Left starts and both play well."""
        return Fraction(self.ls)

    @property
    def right_stop(self) -> Fraction:
        """The number reached when Right starts and both play well."""
        return Fraction(self.rs)

    @property
    def outcome(self) -> str:
        """``L``, ``R``: that player wins; ``N``, ``P``: the next, the previous player wins."""
        return _OUTCOME[self.compare(ZERO)]

    @property
    def birthday(self) -> int:
        """The height of the canonical game tree."""
        if self._birthday < 0:
            if self.nus is not None:
                x, ups, nim = self.nus
                self._birthday = dyadic.birthday(x) + infinitesimal_birthday(abs(ups), nim)
            else:
                self._birthday = 1 + max(x.birthday for x in (*self.left, *self.right))
        return self._birthday

    @property
    def thermograph(self) -> Thermograph:
        """The thermograph, from temperature -1 upward."""
        if self._thermograph is None:
            same = self if self.nus is None else atom(*same_walls(self.nus))
            if same is not self:
                self._thermograph = same.thermograph
            elif self.is_number and isinstance(self.ls, int):
                self._thermograph = mast(self.ls)
            elif self._negative is not None and self._negative._thermograph is not None:
                self._thermograph = self._negative._thermograph.mirrored
            else:
                self._thermograph = combine((x.thermograph for x in self.left), (y.thermograph for y in self.right))
        return self._thermograph

    @property
    def mean(self) -> Fraction:
        """The mean value."""
        return Fraction(self.thermograph.mean)

    @property
    def temperature(self) -> Fraction:
        """The temperature; -1 for integers, below zero for all numbers."""
        return Fraction(self.thermograph.temperature)

    # ---- order ------------------------------------------------------------------------------------------------

    def compare(self, other: Value) -> Order:
        """One of the four answers; it is never wrong to ask."""
        below, above = le(self, other), le(other, self)
        if below:
            return Order.EQUAL if above else Order.LESS
        return Order.GREATER if above else Order.CONFUSED

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Value):
            return self is other
        if isinstance(other, (int, Fraction)):
            return self.is_number and self.ls == other
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.ls) if self.is_number else hash(("Value", self.serial))

    def __le__(self, other: Value | Number) -> bool:
        return le(self, as_value(other))

    def __ge__(self, other: Value | Number) -> bool:
        return le(as_value(other), self)

    def __lt__(self, other: Value | Number) -> bool:
        h = as_value(other)
        return self is not h and le(self, h)

    def __gt__(self, other: Value | Number) -> bool:
        h = as_value(other)
        return self is not h and le(h, self)

    # ---- arithmetic -------------------------------------------------------------------------------------------

    def __add__(self, other: Value | Number) -> Value:
        return add(self, as_value(other))

    __radd__ = __add__

    def __neg__(self) -> Value:
        return negate(self)

    def __sub__(self, other: Value | Number) -> Value:
        return add(self, negate(as_value(other)))

    def __rsub__(self, other: Value | Number) -> Value:
        return add(as_value(other), negate(self))

    def __mul__(self, times: int) -> Value:
        if not isinstance(times, int):
            return NotImplemented
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

    # ---- text -------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        return text(self)

    def __repr__(self) -> str:
        return f"parse({text(self)!r})"

    def _repr_latex_(self) -> str:
        return f"${latex(self)}$"


# ---- making values --------------------------------------------------------------------------------------------

_serials = count()
_atoms: WeakValueDictionary[Nus, Value] = WeakValueDictionary()
_compounds: WeakValueDictionary[tuple[tuple[int, ...], tuple[int, ...]], Value] = WeakValueDictionary()
_le_memo: dict[tuple[int, int], bool] = {}
_add_memo: dict[tuple[int, int], Value] = {}


def _new(nus: Nus | None, ls: Number, rs: Number) -> Value:
    g = Value.__new__(Value)
    g.serial = next(_serials)
    g.nus, g.ls, g.rs = nus, ls, rs
    g._left = g._right = None
    g._negative = g._thermograph = None
    g._birthday = -1
    return g


def atom(x: Number, ups: int, nim: int) -> Value:
    """The value x + ups·↑ + *nim."""
    key = (x, ups, nim)
    g = _atoms.get(key)
    if g is None:
        _atoms[key] = g = _new(key, x, x)
    return g


def intern(left: Iterable[Value], right: Iterable[Value], ls: Number, rs: Number) -> Value:
    """The one object with these canonical options, which is no sum of number, ups and nimber."""
    lefts, rights = sorted(left, key=_serial), sorted(right, key=_serial)
    key = (tuple([x.serial for x in lefts]), tuple([y.serial for y in rights]))
    g = _compounds.get(key)
    if g is None:
        g = _new(None, ls, rs)
        g._left, g._right = tuple(lefts), tuple(rights)
        _compounds[key] = g
    return g


def _serial(g: Value) -> int:
    return g.serial


ZERO = atom(0, 0, 0)
_OUTCOME = {Order.LESS: "R", Order.EQUAL: "P", Order.GREATER: "L", Order.CONFUSED: "N"}


def as_value(x: Value | Number) -> Value:
    """``x`` itself, or the number it names."""
    return x if isinstance(x, Value) else number(x)


def number(x: Number) -> Value:
    """The number ``x``, an integer or a dyadic fraction."""
    if not isinstance(x, (int, Fraction)):
        raise InputError(f"a value is made of an int, a Fraction or another value, not of {type(x).__name__} {x!r}")
    return atom(dyadic.dyadic(x), 0, 0)


# ---- the order ------------------------------------------------------------------------------------------------


def le(g: Value, h: Value) -> bool:
    """Whether g <= h: no left option of g is >= h, no right option of h is <= g."""
    if g is h:
        return True
    a, b = g.nus, h.nus
    if a is not None and b is not None:
        return at_most(a, b)
    if g.ls > h.ls or g.rs > h.rs:
        return False
    if g.ls < h.rs:
        return True
    key = (g.serial, h.serial)
    answer = _le_memo.get(key)
    if answer is None:
        if limit.active is not None:
            limit.active.look()
        # Number avoidance: nobody needs to move in a number while the other game is not one.
        answer = not (
            ((a is None or a[1] or a[2]) and any(le(h, x) for x in g.left))
            or ((b is None or b[1] or b[2]) and any(le(y, g) for y in h.right))
        )
        if len(_le_memo) >= MEMO_SIZE:
            _le_memo.clear()
        _le_memo[key] = answer
    return answer


# ---- canonical form -------------------------------------------------------------------------------------------


def canonical(left: list[Value], right: list[Value]) -> Value:
    """The canonical form of the game with the given options, which are canonical themselves."""
    if limit.active is not None:
        limit.active.tick()
    x = _number_between(left, right)
    if x is not None:
        return atom(x, 0, 0)
    if len(left) > 1:
        left = undominated(left, le, best=1)
    if len(right) > 1:
        right = undominated(right, le, best=-1)
    form = Form(left, right, le)
    left, right = form.bypass_left(), form.bypass_right()
    lefts, rights = [x.nus for x in left], [y.nus for y in right]
    if None not in lefts and None not in rights:
        nus = recognize(cast("list[Nus]", lefts), cast("list[Nus]", rights))
        if nus is not None:
            return atom(*nus)
    return intern(left, right, form.ls, form.rs)


def _number_between(left: list[Value], right: list[Value]) -> Number | None:
    """The number that the game {left|right} is, found without any reversal (simplest number theorem)."""
    low = max((x.rs for x in left), default=None)
    high = min((y.ls for y in right), default=None)
    if low is not None and high is not None and low > high:
        return None
    # The ends count only if no option reaches them: x may equal low if no left option is >= low.
    low_in = low is not None and not any(x.rs == low and le(atom(low, 0, 0), x) for x in left)
    high_in = high is not None and not any(y.ls == high and le(y, atom(high, 0, 0)) for y in right)
    if low == high and low is not None:
        return low if low_in and high_in else None
    return dyadic.simplest(low, high, low_in=low_in, high_in=high_in)


# ---- sum and negative -----------------------------------------------------------------------------------------


def negate(g: Value) -> Value:
    """The game with the players' roles exchanged."""
    h: Value | None = g._negative
    if h is None:
        if g.nus is not None:
            h = atom(*opposite(g.nus))
        else:
            h = intern([negate(y) for y in g.right], [negate(x) for x in g.left], -g.rs, -g.ls)
        g._negative, h._negative = h, g
    return h


def add(g: Value, h: Value) -> Value:
    """The disjunctive sum."""
    a, b = g.nus, h.nus
    if a is not None and b is not None:
        return atom(normal(a[0] + b[0]), a[1] + b[1], a[2] ^ b[2])
    if a is not None or (b is None and g.serial > h.serial):
        g, h, b = h, g, a
    if h is ZERO:
        return g
    if h is g._negative:
        return ZERO
    key = (g.serial, h.serial)
    total = _add_memo.get(key)
    if total is None:
        if b is not None and not b[1] and not b[2]:
            # Number translation: a game that is no number keeps its canonical options, each moved by the number.
            if limit.active is not None:
                limit.active.tick()
            x = b[0]
            left, right = [add(y, h) for y in g.left], [add(y, h) for y in g.right]
            total = intern(left, right, normal(g.ls + x), normal(g.rs + x))
        else:
            total = canonical(
                [add(x, h) for x in g.left] + [add(g, x) for x in h.left],
                [add(y, h) for y in g.right] + [add(g, y) for y in h.right],
            )
        if len(_add_memo) >= MEMO_SIZE:
            _add_memo.clear()
        _add_memo[key] = total
    return total
