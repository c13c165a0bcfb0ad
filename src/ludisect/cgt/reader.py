"""Text to values: the usual notation of the field, unicode or plain.

What a value is belongs to :mod:`ludisect.cgt.value`, which builds on this module: the reader is told how values are
made, and would make anything else of a text in the same way.

value   = term {("+" | "-") term}
term    = ["-"] (atom | switch | "{" options "}" | ("tiny" | "miny") "(" value ")" | "(" value ")")
atom    = [number] [ups] [nimber]            3/2, *2, ↑↑*, 1↑*3, ↑4 (= ↑+↑+↑+↑), plain ^ and v for the arrows;
                                             a sign belongs to the number alone: -1↑ is -1 + ↑
switch  = ("±" | "+-") (term | "(" list ")")
options = lists separated by bars; the longest run of bars divides first: {2|0||-1} is {{2|0}|-1}
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, NoReturn, TypeVar

from ludisect.cgt.dyadic import Number, dyadic
from ludisect.cgt.limits import ValueLimits
from ludisect.errors import BudgetExceeded, InputError

G = TypeVar("G")

_ATOM = re.compile(r"(?P<number>-?\d+(/\d+)?)?(?P<ups>(↑+|↓+|\^+|v+)(?P<count>\d+)?)?(?P<nim>\*(?P<nimber>\d+)?)?")
_TOKEN_END = re.compile(r"[^\s,|{}()+]*")


@dataclass(frozen=True, slots=True)
class Makers(Generic[G]):
    """How games are made: number + ups + nimber, left and right options, the sum of two, the negative of one.

    ``mark`` makes what ``on`` and ``off`` stand for, where those are understood.
    """

    atom: Callable[[Number, int, int], G]
    game: Callable[[list[G], list[G]], G]
    add: Callable[[G, G], G]
    negate: Callable[[G], G]
    mark: Callable[[str], G] | None = None


def read(text: str, makers: Makers[G]) -> G:
    """Read a value and make it.

    Raises:
        InputError: the text is no value; the message shows where.
        BudgetExceeded: the value is too deep to be built.
    """
    try:
        return _Reader(text, makers).whole()
    except RecursionError:
        raise BudgetExceeded("the value is nested too deep to be simplified", budget="depth") from None


class _Reader(Generic[G]):
    """A recursive-descent reader over one text."""

    def __init__(self, text: str, makers: Makers[G]) -> None:
        self.text, self.at, self.depth = text, 0, 0
        self.make = makers
        self.limits = ValueLimits.current()

    def fail(self, what: str, at: int | None = None) -> NoReturn:
        place = self.at if at is None else at
        start = max(0, place - 40)
        raise InputError(f"{what}\n    {self.text[start : place + 40]}\n    {' ' * (place - start)}^")

    def peek(self) -> str:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.text[self.at : self.at + 1]

    def take(self, sign: str) -> bool:
        self.peek()
        if self.text.startswith(sign, self.at):
            self.at += len(sign)
            return True
        return False

    def expect(self, sign: str, why: str) -> None:
        if not self.take(sign):
            found = self.peek()
            self.fail(f"expected {sign!r} {why}, found {found!r}" if found else f"{sign!r} is missing {why}")

    def whole(self) -> G:
        if not self.peek():
            raise InputError("the value is empty; write for example 3/2, *2, ^^*, {1|*} or tiny(1)")
        g = self.value()
        if self.peek():
            self.fail(f"unexpected {self.peek()!r} after the value")
        return g

    def value(self) -> G:
        g = self.term()
        while True:
            if self.take("+"):
                g = self.make.add(g, self.term())
            elif self.take("-"):
                g = self.make.add(g, self.make.negate(self.term()))
            else:
                return g

    def term(self) -> G:
        self.depth += 1
        if self.depth > self.limits.reader_deepest:
            self.fail(f"nested deeper than {self.limits.reader_deepest}")
        sign = self.peek()
        if sign == "-" and not self.text[self.at + 1 : self.at + 2].isdecimal():
            self.at += 1
            g = self.make.negate(self.term())
        elif sign == "±" or self.text.startswith("+-", self.at):
            self.at += 1 if sign == "±" else 2
            options = self.listed(")") if self.take("(") else [self.term()]
            g = self.make.game(options, [self.make.negate(x) for x in options])
        elif sign == "{":
            self.at += 1
            g = self.options()
        elif sign == "(":
            self.at += 1
            g = self.value()
            self.expect(")", "to close the bracket")
        elif self.text.startswith(("tiny", "miny"), self.at):
            small = self.text.startswith("miny", self.at)
            self.at += 4
            self.expect("(", "after the name")
            g = self.tiny(self.value())
            self.expect(")", "to close the bracket")
            g = self.make.negate(g) if small else g
        else:
            g = self.atom()
        self.depth -= 1
        return g

    def atom(self) -> G:
        match = _ATOM.match(self.text, self.at)
        if match is None or not match.group():
            rest = _TOKEN_END.match(self.text, self.at)
            word = rest.group() if rest else ""
            if word in ("on", "off") and self.make.mark is not None:
                self.at += len(word)
                return self.make.mark(word)
            if word in ("on", "off", "over", "under", "dud"):
                self.fail(f"{word!r} is a loopy game, not a short value; ludisect.cgt.read_value reads on and off")
            self.fail(
                f"expected a value, found {word or self.peek() or 'the end'!r}; write for example 3/2, *2, ^^*, {{1|*}}"
            )
        place, self.at = self.at, match.end()
        longest = self.limits.reader_longest
        if len(match.group()) > longest:
            self.fail(f"a number, count or nimber of more than {longest} characters is not read", place)
        x: Number = 0
        ups = 0
        if match["number"]:
            try:
                x = dyadic(Fraction(match["number"]))
            except ZeroDivisionError:
                self.fail("a number cannot be divided by zero", place)
            except InputError as error:
                self.fail(str(error), place)
        if match["ups"]:
            arrows = match["ups"].rstrip("0123456789")
            if match["count"] and len(arrows) > 1:
                self.fail("write either several arrows or one arrow with a count", place)
            count = int(match["count"]) if match["count"] else len(arrows)
            ups = -count if arrows[0] in "↓v" else count
        return self.make.atom(x, ups, int(match["nimber"] or 1) if match["nim"] else 0)

    def tiny(self, threat: G) -> G:
        """{0||0|-threat}."""
        zero = self.make.atom(0, 0, 0)
        return self.make.game([zero], [self.make.game([zero], [self.make.negate(threat)])])

    def listed(self, end: str) -> list[G]:
        """A comma-separated list up to ``end``, which is read as well."""
        out: list[G] = []
        if self.take(end):
            return out
        while True:
            out.append(self.value())
            if self.take(end):
                return out
            self.expect(",", f"or {end!r} after an option")

    def options(self) -> G:
        """What follows an opening brace, with bars of several lengths."""
        lists: list[list[G]] = [[]]
        bars: list[int] = []
        while True:
            sign = self.peek()
            if sign == "|":
                start = self.at
                while self.text[self.at : self.at + 1] == "|":
                    self.at += 1
                bars.append(self.at - start)
                lists.append([])
            elif sign == "}":
                self.at += 1
                break
            elif not sign:
                self.fail("'}' is missing at the end of the options")
            else:
                if lists[-1]:
                    self.expect(",", "between options")
                lists[-1].append(self.value())
        if not bars:
            self.fail("a game needs a bar between Left's and Right's options, as in {1|0}")
        return self.divide(lists, bars)

    def divide(self, lists: list[list[G]], bars: list[int]) -> G:
        longest = max(bars)
        if bars.count(longest) > 1:
            self.fail(f"{'|' * longest!r} occurs twice between the same braces; use braces or a longer bar")
        i = bars.index(longest)
        left = lists[0] if i == 0 else [self.divide(lists[: i + 1], bars[:i])]
        right = lists[-1] if i == len(bars) - 1 else [self.divide(lists[i + 1 :], bars[i + 1 :])]
        return self.make.game(left, right)
