"""Values to text, in the field's notation: ``3/2``, ``*2``, ``↑↑*``, ``±1``, ``{2|0}``, ``tiny(1)``.

Everything written here is read back by :func:`ludisect.cgt.parse` as the same value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from ludisect.cgt.dyadic import Number
from ludisect.cgt.limits import ValueLimits
from ludisect.errors import BudgetExceeded

if TYPE_CHECKING:
    from ludisect.cgt.value import Value

G = TypeVar("G")

SHORT = 60
"""Characters that are read at a glance."""

_UNICODE = {"up": "↑", "down": "↓", "switch": "±"}
_PLAIN = {"up": "^", "down": "v", "switch": "+-"}
_LATEX = {"up": r"{\uparrow}", "down": r"{\downarrow}", "switch": r"\pm"}


def short(g: Value) -> str:
    """The value in the usual notation, or where it lies if that is too long to read."""
    return short_text(g, lambda long: f"a game of mean {long.mean} and temperature {long.temperature}")


def short_text(g: G, told: Callable[[G], str]) -> str:
    """The text of a value, or what ``told`` says of it if that is too long to read."""
    try:
        written = str(g)
    except BudgetExceeded:
        written = ""
    return written if written and len(written) <= SHORT else told(g)


def text(g: Value, *, plain: bool = False) -> str:
    """The value in the usual notation; ``plain`` keeps to ASCII (``^``, ``v``, ``+-``)."""
    return _Writer(_PLAIN if plain else _UNICODE).write(g)


def latex(g: Value) -> str:
    """The value as LaTeX source, without dollar signs."""
    return _LatexWriter(_LATEX).write(g)


class _Writer:
    """Writes one value; remembers the text of each follower."""

    def __init__(self, signs: dict[str, str]) -> None:
        self.signs = signs
        self.longest = ValueLimits.current().writer_longest
        self.done: dict[Value, str] = {}

    def write(self, g: Value) -> str:
        known = self.done.get(g)
        if known is None:
            known = self.compound(g) if g.number_up_star is None else self.atom(*g.number_up_star)
            if len(known) > self.longest:
                raise BudgetExceeded(
                    f"the canonical form needs more than {self.longest} characters; ask for its mean, temperature or "
                    "stops instead",
                    budget="characters",
                )
            self.done[g] = known
        return known

    def atom(self, x: Number, ups: int, nim: int) -> str:
        out = self.number(x) if x or not (ups or nim) else ""
        if ups:
            arrow = self.signs["up" if ups > 0 else "down"]
            out += arrow * abs(ups) if abs(ups) <= 3 else f"{arrow}{self.index(abs(ups), up=True)}"
        if nim:
            out += "*" if nim == 1 else f"*{self.index(nim)}"
        return out

    def compound(self, g: Value) -> str:
        left, right = sorted(map(self.write, g.left)), sorted(map(self.write, g.right))
        if {-x for x in g.left} == set(g.right):
            bare = len(left) == 1 and (g.left[0].is_number or left[0].startswith("{"))
            return self.signs["switch"] + (left[0] if bare else self.parentheses(left))
        for name, h in (("tiny", g), ("miny", -g)):
            threat = _tiny(h)
            if threat is not None:
                return self.function(name, self.write(threat))
        return self.braces(left, right)

    def number(self, x: Number) -> str:
        return str(x)

    def index(self, n: int, *, up: bool = False) -> str:
        return str(n)

    def parentheses(self, parts: list[str]) -> str:
        return "(" + ",".join(parts) + ")"

    def braces(self, left: list[str], right: list[str]) -> str:
        return "{" + ",".join(left) + "|" + ",".join(right) + "}"

    def function(self, name: str, argument: str) -> str:
        return f"{name}({argument})"


class MarkedWriter(_Writer):
    """The same for values in which integers beyond all others stand for ``on`` and ``off``."""

    def __init__(self, on: int) -> None:
        super().__init__(_UNICODE)
        self.names: dict[Number, str] = {on: "on", -on: "off"}

    def number(self, x: Number) -> str:
        return self.names.get(x) or str(x)

    def compound(self, g: Value) -> str:
        marks = [x.number_up_star for x in (*g.left, *g.right)]
        if all(x is not None and x[0] in self.names for x in marks):
            return self.braces(["on"], ["off"])  # plainer than a switch
        return super().compound(g)


class _LatexWriter(_Writer):
    """The same in LaTeX."""

    def number(self, x: Number) -> str:
        sign = "-" if x < 0 else ""
        return str(x) if isinstance(x, int) else rf"{sign}\tfrac{{{abs(x.numerator)}}}{{{x.denominator}}}"

    def index(self, n: int, *, up: bool = False) -> str:
        return f"^{{[{n}]}}" if up else f"{n}"

    def braces(self, left: list[str], right: list[str]) -> str:
        return r"\left\{" + ",".join(left) + r"\middle|" + ",".join(right) + r"\right\}"

    def function(self, name: str, argument: str) -> str:
        return rf"\mathrm{{{name}}}\left({argument}\right)"


def _tiny(g: Value) -> Value | None:
    """The threat ``T`` if ``g`` is tiny-T = {0||0|-T} for a T that is clearly positive."""
    if len(g.left) == 1 and len(g.right) == 1 and g.left[0].is_zero:
        answer = g.right[0]
        if (
            len(answer.left) == 1
            and len(answer.right) == 1
            and answer.left[0].is_zero
            and answer.right[0].left_stop < 0
        ):
            return -answer.right[0]
    return None
