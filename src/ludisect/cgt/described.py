"""What a value can be asked besides its order: number, stops, mean, temperature, text and pictures."""

from __future__ import annotations

from abc import abstractmethod
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

from ludisect.cgt.atom import Nus
from ludisect.cgt.dyadic import Number
from ludisect.cgt.thermograph import Thermograph
from ludisect.cgt.writer import latex, text
from ludisect.errors import InputError

if TYPE_CHECKING:
    from ludisect.cgt.value import Value


class Order(Enum):
    """The four answers of a comparison."""

    LESS = "<"
    EQUAL = "="
    GREATER = ">"
    CONFUSED = "||"


class Described:
    """Facts about a value, each from what :class:`~ludisect.cgt.value.Value` keeps; they change nothing."""

    __slots__ = ()

    _nus: Nus | None
    _ls: Number
    _rs: Number

    @property
    @abstractmethod
    def thermograph(self) -> Thermograph:
        """The thermograph, from temperature -1 upward."""

    @property
    def is_number(self) -> bool:
        """Whether it is a (dyadic) number."""
        return self._nus is not None and not self._nus[1] and not self._nus[2]

    @property
    def is_infinitesimal(self) -> bool:
        """Whether it lies between -x and x for every positive number x."""
        return self._ls == 0 == self._rs

    @property
    def number_up_star(self) -> Nus | None:
        """The triple (x, u, n) if the value is x + u·↑ + *n, else None.

        >>> from ludisect.cgt import Value
        >>> Value("3↑*2").number_up_star, Value("{1|*}").number_up_star
        ((3, 1, 2), None)
        """
        return self._nus

    @property
    def number(self) -> Fraction:
        """The number it is; raises :class:`InputError` if it is none."""
        if self._nus is None or not self.is_number:
            raise InputError("the value is not a number; ask is_number first")
        return Fraction(self._nus[0])

    @property
    def left_stop(self) -> Fraction:
        """The number reached when Left starts and both play well."""
        return Fraction(self._ls)

    @property
    def right_stop(self) -> Fraction:
        """The number reached when Right starts and both play well."""
        return Fraction(self._rs)

    @property
    def mean(self) -> Fraction:
        """The mean value."""
        return Fraction(self.thermograph.mean)

    @property
    def temperature(self) -> Fraction:
        """The temperature; -1 for integers, below zero for all numbers."""
        return Fraction(self.thermograph.temperature)

    def plot(self, ax: Any = None) -> Any:
        """Draw the thermograph with matplotlib, see :meth:`Thermograph.plot`; the value is its title."""
        return self.thermograph.plot(ax, title=str(self))

    def __str__(self) -> str:
        return text(cast("Value", self))  # nothing else is described

    def __repr__(self) -> str:
        return f"Value({str(self)!r})"

    def _repr_latex_(self) -> str:
        return f"${latex(cast('Value', self))}$"
